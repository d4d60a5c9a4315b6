//! Operations on the shapes of regions. See `docs/decisions/delivery.md#shapes`.

use access::prelude::*;
use sea_orm::Select;

use crate::{
    polygons::{
        Column, DeliveryMapSave, DeliveryPolygon, DeliveryPolygonChange, DeliveryPolygons,
        DeliveryRegionPolygons, Entity, NewDeliveryPolygon, fill,
    },
    polygons_store::{self as store, Drawn},
    regions::{self, DeliveryRegions},
};

pub(crate) struct DeliveryPolygonsApi;

/// The most bytes of a whole map.
const MAP: usize = 6_000_000;

type Here = In<Restaurant, perm::SystemDeliveryRegion>;

fn of_region(found: Select<Entity>, region: Id<DeliveryRegions>) -> Select<Entity> {
    found.filter(Column::DeliveryRegionId.eq(region.uuid()))
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryPolygonsApi {
    /// The shapes of all regions, oldest first.
    #[oai(path = "/polygons", method = "get", operation_id = "delivery_polygons_list")]
    async fn list(&self, scope: Here) -> Result<Page<DeliveryPolygon>> {
        let tx = scope.begin().await?;
        store::all(&scope.rows(&tx)).await.map(Page::unpaged)
    }

    /// Adds a shape to a region.
    ///
    /// A polygon has one outline of 3 to 10,000 points that does not cross itself; a circle has a radius of 1
    /// to 100,000 m. A restaurant has at most 200 shapes with 50,000 points. What is wrong with an outline
    /// stands in `detail`, and where in `at`.
    #[oai(path = "/polygons", method = "post", operation_id = "delivery_polygons_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewDeliveryPolygon, MAP>,
    ) -> Result<Stored<DeliveryPolygon>> {
        let (new, raw) = body.into_parts();
        let NewDeliveryPolygon { delivery_region_id, polygon_type, polygon_data } = new;
        // Before there is a connection that others wait for.
        let drawn = Drawn::read(polygon_type, polygon_data, "polygon_data").await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            restaurants::lock(&tx, scope.restaurant()).await?;
            let missing = rows.missing::<regions::Entity>("delivery_region_id", Some(delivery_region_id));
            let drawn = Drawn::with(drawn, missing.await?)?;
            let mut row = crate::polygons::ActiveModel::new();
            row.delivery_region_id = Set(delivery_region_id);
            fill(&mut row, &drawn.shape);
            store::check_room(&rows, &[&drawn], &[], "polygon_data").await?;
            Ok(row)
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a shape, or gives it to another region.
    ///
    /// codes: DELIVERY_POLYGON_NOT_EXIST, CONFLICT
    #[oai(path = "/polygons/:id", method = "put", operation_id = "delivery_polygons_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<DeliveryPolygons>>, body: Body<DeliveryPolygonChange, MAP>,
    ) -> Result<Json<DeliveryPolygon>> {
        let DeliveryPolygonChange { delivery_region_id, polygon_type, polygon_data, version } =
            body.into_inner();
        let changes = polygon_type.is_some() || polygon_data.is_some();
        let mut drawn = None;
        if let (Some(kind), Some(data)) = (polygon_type, &polygon_data) {
            drawn = Some(Drawn::read(kind, data.clone(), "polygon_data").await?);
        }
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        restaurants::lock(&tx, scope.restaurant()).await?;
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        let missing = rows.missing::<regions::Entity>("delivery_region_id", delivery_region_id).await?;
        apply!(edit.row: delivery_region_id);
        if changes {
            let drawn = match drawn {
                Some(drawn) => drawn,
                None => {
                    let kind = polygon_type.unwrap_or(edit.before.polygon_type);
                    let before = || DeliveryPolygon::from(edit.before.clone()).polygon_data;
                    Drawn::read(kind, polygon_data.unwrap_or_else(before), "polygon_data").await?
                }
            };
            let drawn = Drawn::with(drawn, missing)?;
            store::check_room(&rows, &[&drawn], &[*id], "polygon_data").await?;
            fill(&mut edit.row, &drawn.shape);
        } else {
            Problem::new(Code::VALIDATION_FAILED).keys(missing).if_any()?;
        }
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Takes a shape off the map.
    ///
    /// codes: DELIVERY_POLYGON_NOT_EXIST
    #[oai(path = "/polygons/:id", method = "delete", operation_id = "delivery_polygons_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<DeliveryPolygons>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        restaurants::lock(&tx, scope.restaurant()).await?;
        let before = rows.get::<Entity>(*id).await?;
        rows.remove::<Entity>(*id, store::gone(&before)).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Saves the map: new, changed and removed shapes of any regions, all of them or none.
    ///
    /// The answer is the whole map. Faults are named by place: `save.3.polygon_data`. A shape whose `version` is
    /// not the newest refuses all with `CONFLICT` and the current shape.
    ///
    /// codes: CONFLICT
    #[oai(path = "/polygons", method = "put", operation_id = "delivery_polygons_save")]
    async fn save(&self, scope: Here, body: Body<DeliveryMapSave, MAP>) -> Result<Page<DeliveryPolygon>> {
        let DeliveryMapSave { save, delete } = body.into_inner();
        let wanted = store::read_map(save, delete).await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        restaurants::lock(&tx, scope.restaurant()).await?;
        store::save_map(&rows, wanted, None).await?;
        let all = store::all(&rows).await?;
        tx.commit().await?;
        Ok(Page::unpaged(all))
    }

    /// The shapes of a region, oldest first.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST
    #[oai(path = "/:id/polygons", method = "get", operation_id = "delivery_polygons_of_region")]
    async fn of_region(&self, scope: Here, id: Path<Id<DeliveryRegions>>) -> Result<Page<DeliveryPolygon>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.find::<regions::Entity>(*id).await?;
        let found = <Entity as rows::Table>::order(of_region(rows.live::<Entity>()?, *id))?;
        let found = found.all(&tx).await?;
        Ok(Page::unpaged(found.into_iter().map(DeliveryPolygon::from).collect()))
    }

    /// Replaces the shapes of a region: those that are not sent are taken off the map.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, CONFLICT
    #[oai(path = "/:id/polygons", method = "put", operation_id = "delivery_polygons_replace")]
    async fn replace(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, body: Body<DeliveryRegionPolygons, MAP>,
    ) -> Result<Page<DeliveryPolygon>> {
        let wanted = store::read_region(*id, body.into_inner().polygons).await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        restaurants::lock(&tx, scope.restaurant()).await?;
        rows.lock::<regions::Entity>(*id).await?;
        let there = of_region(rows.live::<Entity>()?, *id).all(&tx).await?;
        store::save_map(&rows, wanted.replacing(&there), Some(*id)).await?;
        let found = <Entity as rows::Table>::order(of_region(rows.live::<Entity>()?, *id))?;
        let found = found.all(&tx).await?;
        tx.commit().await?;
        Ok(Page::unpaged(found.into_iter().map(DeliveryPolygon::from).collect()))
    }
}

//! Couriers: the people who deliver orders.

use access::prelude::*;
use sea_orm::Select;

pub struct Couriers;

kernel::resource!(Couriers, "couriers", "COURIER");

/// Somebody who brings orders to the guests.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "Courier")]
#[sea_orm(table_name = "courier")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Couriers>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    pub first_name: String,
    pub last_name: String,
    /// Last name first, as Hungarian names are written; made by the database.
    pub name: String,
    pub phone_1: Option<String>,
    pub vehicle: Option<Vehicle>,
    pub note: Option<String>,
    /// Only active couriers can be given orders.
    pub active: bool,
    pub ranking: i32,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

/// How a courier gets around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum Vehicle {
    Foot,
    Bicycle,
    Moped,
    Car,
}

new! {
    struct NewCourier of ActiveModel {
        #[oai(validator(max_length = 80))]
        first_name: String,
        #[oai(validator(max_length = 80))]
        last_name: String,
        #[oai(validator(max_length = 30))]
        phone_1: Option<String>,
        vehicle: Option<Vehicle>,
        #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
        note: Option<String>,
        #[oai(default = "rows::yes")]
        active: bool,
    }
}

change! {
    struct CourierChange of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 80))]
        first_name: Option<String>,
        #[oai(validator(min_length = 1, max_length = 80))]
        last_name: Option<String>,
        #[oai(validator(max_length = 30))]
        phone_1: Clearable<String>,
        vehicle: Clearable<Vehicle>,
        #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
        note: Clearable<String>,
        active: Option<bool>,
    }
}

/// The couriers in their new order.
#[derive(Debug, Object)]
struct CourierRanking {
    courier_ids: Vec<Id<Couriers>>,
}

type Courier = Model;
type Here = In<Restaurant, perm::Courier>;
entity!();

impl rows::Table for Entity {
    type Of = Couriers;
    type Tx = TenantTx;
    type Answer = Courier;
    const HOME: rows::Home = rows::Home::Restaurant;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/couriers",
    tag = "Tag::People"
)]
impl Couriers {
    /// The restaurant's couriers in their order.
    #[oai(path = "/", method = "get", operation_id = "couriers_list")]
    async fn list(
        &self, scope: Here, name: QueryParam<String>, active: QueryParam<bool>, vehicle: QueryParam<Vehicle>,
        paging: Unpaged,
    ) -> Result<Page<Courier>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        let found =
            rows::matching(rows::matching(found, Column::Active, active.0), Column::Vehicle, vehicle.0);
        rows.list(found, paging).await
    }

    /// One courier.
    ///
    /// codes: COURIER_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "couriers_get")]
    async fn get(&self, scope: Here, id: Path<Id<Couriers>>) -> Result<Json<Courier>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a courier.
    #[oai(path = "/", method = "post", operation_id = "couriers_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewCourier>,
    ) -> Result<Stored<Courier>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, async { Ok(new.fill()) }).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a courier.
    ///
    /// codes: COURIER_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "couriers_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Couriers>>, body: Body<CourierChange>,
    ) -> Result<Json<Courier>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, body.version).await?;
        body.into_inner().apply(&mut edit.row);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a courier; earlier orders keep the name.
    ///
    /// codes: COURIER_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "couriers_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<Couriers>>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Puts the couriers in another order.
    #[oai(path = "/ranking", method = "put", operation_id = "couriers_rank")]
    async fn rank(&self, scope: Here, body: Body<CourierRanking>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).rank::<Entity>("courier_ids", &body.courier_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

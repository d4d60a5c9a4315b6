//! Saving shapes: one by one, a region's, or the whole map at once.

use std::collections::HashSet;

use access::prelude::*;
use serde_json::json;

use crate::{
    polygons::{
        ActiveModel, Column, DeliveryPolygon, DeliveryPolygons, DeliveryRegionPolygon, Entity, Model,
        OutlineObject, PolygonData, PolygonType, RemovedDeliveryPolygon, SavedDeliveryPolygon, counted, fill,
    },
    regions::{self, DeliveryRegions},
    shape::{Point, Shape, ShapeFault},
};

/// The most shapes of a restaurant, and the most points of them together.
const MOST_SHAPES: usize = 200;
const MOST_POINTS: usize = 50_000;
/// Checking more points than these takes a thread that may wait.
const QUICK: usize = 500;

/// An outline that was checked.
pub(crate) struct Drawn {
    pub shape: Shape,
}

/// An outline that is refused.
pub(crate) struct Refusal {
    /// Where it stands in the body.
    key: String,
    /// None where parts of it are missing.
    fault: Option<ShapeFault>,
}

impl Refusal {
    fn key(&self) -> (String, Fault) {
        // A schema cannot say what an outline of this type needs.
        (self.key.clone(), Fault::Invalid)
    }

    /// What is wrong with it, and where on the map.
    pub fn problem(&self) -> Problem {
        let (key, kind) = self.key();
        let problem = Problem::new(Code::VALIDATION_FAILED).key(key, kind);
        let Some(fault) = self.fault else {
            let detail = "a polygon has a list of points, a circle `center_lat`, `center_lng` and `radius`";
            return problem.detail(detail);
        };
        let problem = problem
            .detail(format!("{}: {}", fault.kind.name(), fault.kind.words()))
            .with("shape_fault", fault.kind.name().into());
        match fault.at {
            Some(Point { lat, lng }) => problem.with("at", json!({"lat": lat, "lng": lng})),
            None => problem,
        }
    }
}

fn shape(kind: PolygonType, data: PolygonData) -> Result<Shape, Option<ShapeFault>> {
    let (points, circle) = match data {
        PolygonData::Ring(points) => (Some(points), None),
        PolygonData::Object(OutlineObject { points, center_lat, center_lng, radius }) => {
            (points, center_lat.zip(center_lng).zip(radius))
        }
    };
    match (kind, points, circle) {
        (PolygonType::Polygon, Some(points), _) => {
            let points = points.into_iter().map(|point| Point { lat: point.lat, lng: point.lng });
            Ok(Shape::polygon(points.collect())?)
        }
        (PolygonType::Circle, _, Some(((lat, lng), radius))) => {
            Ok(Shape::circle(Point { lat, lng }, radius)?)
        }
        _ => Err(None),
    }
}

/// Large outlines that are looked at at once: each takes a core for a while.
static CHECKS: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(2);

impl Drawn {
    /// Checks an outline that stands in the body at `key`; inside, what is wrong with it.
    /// Errors: `UNKNOWN_ERROR` when the thread is lost.
    pub async fn read(
        kind: PolygonType, data: PolygonData, key: impl Into<String>,
    ) -> Result<std::result::Result<Self, Refusal>> {
        let shape = if data.size() > QUICK {
            let _turn = CHECKS.acquire().await.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
            let checked = tokio::task::spawn_blocking(move || shape(kind, data)).await;
            checked.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?
        } else {
            shape(kind, data)
        };
        Ok(shape.map(|shape| Self { shape }).map_err(|fault| Refusal { key: key.into(), fault }))
    }

    /// The outline, when neither it nor any other field is at fault.
    /// Errors: `VALIDATION_FAILED` with all of them.
    pub fn with(
        drawn: std::result::Result<Self, Refusal>, others: impl IntoIterator<Item = (String, Fault)>,
    ) -> Result<Self> {
        match drawn {
            Ok(drawn) => Problem::new(Code::VALIDATION_FAILED).keys(others).if_any().map(|()| drawn),
            Err(refusal) => Err(refusal.problem().keys(others)),
        }
    }
}

/// A shape to be written.
struct ShapeChange {
    /// Where it stands in the body.
    key: String,
    id: Option<Id<DeliveryPolygons>>,
    version: Option<i64>,
    region: Id<DeliveryRegions>,
    /// None when it is refused.
    drawn: Option<Drawn>,
}

pub(crate) struct MapChange {
    save: Vec<ShapeChange>,
    /// With the place in the body.
    delete: Vec<(String, Id<DeliveryPolygons>, Option<i64>)>,
    /// The list that a shape too many is a fault of.
    list: &'static str,
    refusals: Vec<Refusal>,
}

/// Reads what was sent of the map, without asking the database.
/// Errors: `UNKNOWN_ERROR`.
pub(crate) async fn read_map(
    save: Vec<SavedDeliveryPolygon>, delete: Vec<RemovedDeliveryPolygon>,
) -> Result<MapChange> {
    let delete =
        delete.into_iter().enumerate().map(|(at, one)| (format!("delete.{at}"), one.id, one.version));
    let mut change =
        MapChange { save: Vec::new(), delete: delete.collect(), list: "save", refusals: Vec::new() };
    for (at, one) in save.into_iter().enumerate() {
        let SavedDeliveryPolygon { id, version, delivery_region_id, polygon_type, polygon_data } = one;
        let key = format!("save.{at}");
        let drawn = Drawn::read(polygon_type, polygon_data, format!("{key}.polygon_data")).await?;
        change.add(key, (id, version), delivery_region_id, drawn);
    }
    Ok(change)
}

/// Reads the whole set of a region, without asking the database.
/// Errors: `UNKNOWN_ERROR`.
pub(crate) async fn read_region(
    region: Id<DeliveryRegions>, polygons: Vec<DeliveryRegionPolygon>,
) -> Result<MapChange> {
    let (save, delete, refusals) = (Vec::new(), Vec::new(), Vec::new());
    let mut change = MapChange { save, delete, list: "polygons", refusals };
    for (at, one) in polygons.into_iter().enumerate() {
        let DeliveryRegionPolygon { id, version, polygon_type, polygon_data } = one;
        let key = format!("polygons.{at}");
        let drawn = Drawn::read(polygon_type, polygon_data, format!("{key}.polygon_data")).await?;
        change.add(key, (id, version), region, drawn);
    }
    Ok(change)
}

impl MapChange {
    fn add(
        &mut self, key: String, (id, version): (Option<Id<DeliveryPolygons>>, Option<i64>),
        region: Id<DeliveryRegions>, drawn: std::result::Result<Drawn, Refusal>,
    ) {
        let drawn = drawn.map_err(|refusal| self.refusals.push(refusal)).ok();
        self.save.push(ShapeChange { key, id, version, region, drawn });
    }

    /// Takes away what a region has beside the shapes that are saved; `there`: its shapes as they are.
    pub fn replacing(mut self, there: &[Model]) -> Self {
        let kept: HashSet<_> = self.save.iter().filter_map(|one| one.id.map(Id::uuid)).collect();
        let gone = there.iter().filter(|row| !kept.contains(&row.id.uuid()));
        self.delete = gone.map(|row| ("polygons".to_owned(), row.id, None)).collect();
        self
    }

    /// Refuses what cannot be done with these live regions and shapes.
    fn check(&self, regions: &HashSet<uuid::Uuid>, there: &HashSet<uuid::Uuid>) -> Result<()> {
        let mut faults = Vec::new();
        let mut met = HashSet::new();
        let mut shape = |key: &str, id: Id<DeliveryPolygons>| {
            if !there.contains(&id.uuid()) {
                Some((format!("{key}.id"), Fault::NotExist))
            } else if !met.insert(id.uuid()) {
                Some((format!("{key}.id"), Fault::NotUnique))
            } else {
                None
            }
        };
        for one in &self.save {
            if !regions.contains(&one.region.uuid()) {
                faults.push((format!("{}.delivery_region_id", one.key), Fault::NotExist));
            }
            faults.extend(one.id.and_then(|id| shape(&one.key, id)));
        }
        for (key, id, _) in &self.delete {
            faults.extend(shape(key, *id));
        }
        match self.refusals.split_first() {
            None => Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any(),
            Some((first, others)) => Err(first.problem().keys(others.iter().map(Refusal::key)).keys(faults)),
        }
    }
}

/// The shapes of all regions, oldest first.
pub(crate) async fn all(rows: &rows::Rows<'_>) -> Result<Vec<DeliveryPolygon>> {
    let found = <Entity as rows::Table>::order(rows.live::<Entity>()?)?.all(rows.tx()).await?;
    Ok(found.into_iter().map(DeliveryPolygon::from).collect())
}

/// Refuses more shapes or points than a restaurant may have; `replaced`: shapes that go or are drawn anew. The
/// restaurant is locked.
/// Errors: `VALIDATION_FAILED` at `key`.
pub(crate) async fn check_room(
    rows: &rows::Rows<'_>, drawn: &[&Drawn], replaced: &[Id<DeliveryPolygons>], key: &str,
) -> Result<()> {
    let (shapes, points) = counted(rows, replaced).await?;
    let shapes = shapes + drawn.len();
    let points = points + drawn.iter().map(|one| one.shape.size()).sum::<usize>();
    let problem = Problem::new(Code::VALIDATION_FAILED);
    if shapes > MOST_SHAPES {
        return Err(problem
            .key(key, Fault::TooLong(MOST_SHAPES))
            .detail("a restaurant has at most 200 shapes"));
    }
    if points > MOST_POINTS {
        return Err(problem
            .key(key, Fault::TooLong(MOST_POINTS))
            .detail("the shapes of a restaurant have at most 50000 points"));
    }
    Ok(())
}

/// What the audit log says of a shape that goes.
pub(crate) fn gone(shape: &DeliveryPolygon) -> serde_json::Value {
    json!({"delivery_region_id": [shape.delivery_region_id, null], "area": [shape.area, null]})
}

/// Writes all of it. The restaurant is locked. `region`: the shapes are those of one region.
/// Errors: `VALIDATION_FAILED` for outlines at fault, and for shapes and regions that are not there;
/// `CONFLICT` with the current shape.
pub(crate) async fn save_map(
    rows: &rows::Rows<'_>, change: MapChange, region: Option<Id<DeliveryRegions>>,
) -> Result<()> {
    let regions = rows.live::<regions::Entity>()?.all(rows.tx()).await?;
    let regions: HashSet<_> = regions.iter().map(|region| region.id.uuid()).collect();
    let named = change.save.iter().filter_map(|one| one.id);
    let ids: Vec<Id<DeliveryPolygons>> = named.chain(change.delete.iter().map(|(_, id, _)| *id)).collect();
    let mut there = rows.live::<Entity>()?.filter(Column::Id.is_in(ids.iter().map(|id| id.uuid())));
    if let Some(region) = region {
        there = there.filter(Column::DeliveryRegionId.eq(region.uuid()));
    }
    let there: HashSet<_> = there.all(rows.tx()).await?.iter().map(|row| row.id.uuid()).collect();
    change.check(&regions, &there)?;
    let MapChange { save, delete, list, refusals: _ } = change;
    let drawn: Vec<&Drawn> = save.iter().filter_map(|one| one.drawn.as_ref()).collect();
    check_room(rows, &drawn, &ids, list).await?;
    for (key, id, version) in delete {
        let edit = conflict_at(rows.edit_version::<Entity>(id, version).await, &key)?;
        rows.remove::<Entity>(id, gone(&edit.current)).await?;
    }
    for one in save {
        write(rows, one).await?;
    }
    Ok(())
}

async fn write(rows: &rows::Rows<'_>, wanted: ShapeChange) -> Result<()> {
    let ShapeChange { key, id, version, region, drawn } = wanted;
    let Some(drawn) = drawn else { return Ok(()) };
    let Some(id) = id else {
        let mut row = ActiveModel::new();
        row.delivery_region_id = Set(region);
        fill(&mut row, &drawn.shape);
        rows.insert::<Entity>(row).await?;
        return Ok(());
    };
    let mut edit = conflict_at(rows.edit_version::<Entity>(id, version).await, &key)?;
    edit.row.delivery_region_id = Set(region);
    fill(&mut edit.row, &drawn.shape);
    rows.save(edit).await?;
    Ok(())
}

/// A conflict names the place in the body.
fn conflict_at<T>(done: Result<T>, key: &str) -> Result<T> {
    done.map_err(|problem| match problem.code() {
        Code::CONFLICT => problem.key(format!("{key}.version"), Fault::Invalid),
        _ => problem,
    })
}

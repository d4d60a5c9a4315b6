//! Saving shapes: one by one, a region's, or the whole map at once.

use std::collections::HashSet;

use access::prelude::*;
use serde_json::json;

use crate::{
    polygons::{
        ActiveModel, Column, DeliveryPolygon, DeliveryPolygons, DeliveryRegionPolygon, Entity, Model,
        PolygonData, PolygonType, RemovedDeliveryPolygon, SavedDeliveryPolygon, counted, fill,
    },
    regions::{self, DeliveryRegions},
    shape::{Point, Shape, ShapeFault, ShapeFaultKind},
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

/// What is wrong with an outline: where it stands in the body, and where on the map.
fn refused(key: &str, fault: ShapeFault) -> Problem {
    let kind = match fault.kind {
        ShapeFaultKind::TooFewPoints => Fault::TooShort(3),
        ShapeFaultKind::TooManyPoints => Fault::TooLong(10_000),
        _ => Fault::Invalid,
    };
    let problem = Problem::new(Code::VALIDATION_FAILED)
        .key(key, kind)
        .detail(format!("{}: {}", fault.kind.name(), fault.kind.words()))
        .with("shape_fault", fault.kind.name().into());
    match fault.at {
        Some(Point { lat, lng }) => problem.with("at", json!({"lat": lat, "lng": lng})),
        None => problem,
    }
}

fn shape(kind: PolygonType, data: PolygonData) -> Result<Shape, Option<ShapeFault>> {
    let PolygonData { points, center_lat, center_lng, radius } = data;
    match (kind, points, center_lat.zip(center_lng).zip(radius)) {
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

impl Drawn {
    /// Checks an outline that stands in the body at `key`.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` with what is wrong, and where.
    pub async fn read(kind: PolygonType, data: PolygonData, key: &str) -> Result<Self> {
        let shape = if data.points.as_ref().is_some_and(|points| points.len() > QUICK) {
            let checked = tokio::task::spawn_blocking(move || shape(kind, data)).await;
            checked.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?
        } else {
            shape(kind, data)
        };
        match shape {
            Ok(shape) => Ok(Self { shape }),
            Err(Some(fault)) => Err(refused(key, fault)),
            Err(None) => Err(Problem::new(Code::VALIDATION_FAILED)
                .key(key, Fault::Required)
                .detail("a polygon has `points`, a circle `center_lat`, `center_lng` and `radius`")),
        }
    }
}

/// A shape to be written.
struct Wanted {
    /// Where it stands in the body.
    key: String,
    id: Option<Id<DeliveryPolygons>>,
    version: Option<i64>,
    region: Id<DeliveryRegions>,
    drawn: Drawn,
}

/// What is to be done with the map.
pub(crate) struct MapChange {
    save: Vec<Wanted>,
    /// With the place in the body.
    delete: Vec<(String, Id<DeliveryPolygons>, Option<i64>)>,
    /// The list that a shape too many is a fault of.
    list: &'static str,
}

/// Checks what was sent of the map, without asking the database.
///
/// # Errors
/// `VALIDATION_FAILED`.
pub(crate) async fn read_map(
    save: Vec<SavedDeliveryPolygon>,
    delete: Vec<RemovedDeliveryPolygon>,
) -> Result<MapChange> {
    let mut wanted = Vec::with_capacity(save.len());
    for (at, one) in save.into_iter().enumerate() {
        let SavedDeliveryPolygon { id, version, delivery_region_id, polygon_type, polygon_data } = one;
        let key = format!("save.{at}");
        let drawn = Drawn::read(polygon_type, polygon_data, &format!("{key}.polygon_data")).await?;
        wanted.push(Wanted { key, id, version, region: delivery_region_id, drawn });
    }
    let delete =
        delete.into_iter().enumerate().map(|(at, one)| (format!("delete.{at}"), one.id, one.version));
    let change = MapChange { save: wanted, delete: delete.collect(), list: "save" };
    change.check_twice()?;
    Ok(change)
}

/// Checks the whole set of a region; `there`: the set as it is.
///
/// # Errors
/// `VALIDATION_FAILED`.
pub(crate) async fn read_region(
    region: Id<DeliveryRegions>,
    polygons: Vec<DeliveryRegionPolygon>,
    there: &[Model],
) -> Result<MapChange> {
    let mut save = Vec::with_capacity(polygons.len());
    for (at, one) in polygons.into_iter().enumerate() {
        let DeliveryRegionPolygon { id, version, polygon_type, polygon_data } = one;
        let key = format!("polygons.{at}");
        if id.is_some_and(|id| there.iter().all(|row| row.id != id)) {
            return Err(Problem::new(Code::VALIDATION_FAILED).key(format!("{key}.id"), Fault::NotExist));
        }
        let drawn = Drawn::read(polygon_type, polygon_data, &format!("{key}.polygon_data")).await?;
        save.push(Wanted { key, id, version, region, drawn });
    }
    let kept: HashSet<_> = save.iter().filter_map(|one| one.id.map(Id::uuid)).collect();
    let gone = there.iter().filter(|row| !kept.contains(&row.id.uuid()));
    let delete = gone.map(|row| ("polygons".to_owned(), row.id, None)).collect();
    let change = MapChange { save, delete, list: "polygons" };
    change.check_twice()?;
    Ok(change)
}

impl MapChange {
    /// Refuses a shape that stands there twice.
    fn check_twice(&self) -> Result<()> {
        let saved = self.save.iter().filter_map(|one| Some((&one.key, one.id?)));
        let deleted = self.delete.iter().map(|(key, id, _)| (key, *id));
        let mut met = HashSet::new();
        let twice = saved.chain(deleted).filter(|(_, id)| !met.insert(id.uuid()));
        let twice: Vec<_> = twice.map(|(key, _)| (format!("{key}.id"), Fault::NotUnique)).collect();
        Problem::new(Code::VALIDATION_FAILED).keys(twice).if_any()
    }
}

/// The shapes of all regions, oldest first.
///
/// # Errors
/// What the database says.
pub(crate) async fn all(rows: &rows::Rows<'_>) -> Result<Vec<DeliveryPolygon>> {
    let found = <Entity as rows::Table>::order(rows.live::<Entity>()?)?.all(rows.tx()).await?;
    Ok(found.into_iter().map(DeliveryPolygon::from).collect())
}

/// Refuses more shapes or points than a restaurant may have; `replaced`: shapes that go or are drawn anew. The
/// restaurant is locked.
///
/// # Errors
/// `VALIDATION_FAILED` at `key`.
pub(crate) async fn check_room(
    rows: &rows::Rows<'_>,
    drawn: &[&Drawn],
    replaced: &[Id<DeliveryPolygons>],
    key: &str,
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

/// Writes all of it. The restaurant is locked.
///
/// # Errors
/// `VALIDATION_FAILED` for shapes and regions that are not there; `CONFLICT` with the current shape.
pub(crate) async fn save_map(rows: &rows::Rows<'_>, change: MapChange) -> Result<()> {
    let MapChange { save, delete, list } = change;
    let regions = rows.live::<regions::Entity>()?.all(rows.tx()).await?;
    let regions: HashSet<_> = regions.iter().map(|region| region.id.uuid()).collect();
    let ids = save.iter().filter_map(|one| one.id).chain(delete.iter().map(|(_, id, _)| *id));
    let ids: Vec<Id<DeliveryPolygons>> = ids.collect();
    let there = rows.live::<Entity>()?.filter(Column::Id.is_in(ids.iter().map(|id| id.uuid())));
    let there: HashSet<_> = there.all(rows.tx()).await?.iter().map(|row| row.id.uuid()).collect();
    let mut faults = Vec::new();
    for one in &save {
        if !regions.contains(&one.region.uuid()) {
            faults.push((format!("{}.delivery_region_id", one.key), Fault::NotExist));
        }
        if one.id.is_some_and(|id| !there.contains(&id.uuid())) {
            faults.push((format!("{}.id", one.key), Fault::NotExist));
        }
    }
    for (key, id, _) in &delete {
        if !there.contains(&id.uuid()) {
            faults.push((format!("{key}.id"), Fault::NotExist));
        }
    }
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let drawn: Vec<&Drawn> = save.iter().map(|one| &one.drawn).collect();
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

async fn write(rows: &rows::Rows<'_>, wanted: Wanted) -> Result<()> {
    let Wanted { key, id, version, region, drawn } = wanted;
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

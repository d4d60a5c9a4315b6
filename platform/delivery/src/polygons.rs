//! Table `delivery_polygon`: the shapes of regions on the map. See `docs/decisions/delivery.md#shapes`.

use std::borrow::Cow;

use access::prelude::*;
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use sea_orm::{QuerySelect, Select};

use crate::{
    regions::DeliveryRegions,
    shape::{Bounds, MOST_POINTS, Point, Shape},
};

#[derive(Debug)]
pub struct DeliveryPolygons;

kernel::resource!(DeliveryPolygons, "delivery_polygons", "DELIVERY_POLYGON");

/// What a shape is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename = "DeliveryPolygonType", rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PolygonType {
    /// A ring of points.
    Polygon,
    /// A circle around a point.
    Circle,
}

#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "delivery_polygon")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<DeliveryPolygons>,
    pub restaurant_id: Id<Restaurant>,
    pub delivery_region_id: Id<DeliveryRegions>,
    pub polygon_type: PolygonType,
    pub points: Vec<f64>,
    pub center_lat: Option<f64>,
    pub center_lng: Option<f64>,
    pub radius: Option<i32>,
    pub min_lat: f64,
    pub max_lat: f64,
    pub min_lng: f64,
    pub max_lng: f64,
    pub area: i64,
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

entity!();

/// A place on the map, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename = "GeoPoint")]
pub(crate) struct GeoPoint {
    /// Degrees north.
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub lat: f64,
    /// Degrees east.
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub lng: f64,
}

impl From<Point> for GeoPoint {
    fn from(Point { lat, lng }: Point) -> Self {
        Self { lat, lng }
    }
}

/// The outline of a shape: of a polygon the list of its points, of a circle centre and radius. An object with the
/// `points` of a polygon is read too.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PolygonData {
    /// A ring of at least three points, closed without saying so. It must not cross itself.
    Ring(Vec<GeoPoint>),
    /// A circle, or the older form of a polygon.
    Object(OutlineObject),
}

impl PolygonData {
    /// How many points it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Ring(points) => points.len(),
            Self::Object(object) => object.points.as_ref().map_or(0, Vec::len),
        }
    }
}

/// Written out, because a derived union says that it is an object.
impl Type for PolygonData {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "DeliveryPolygonData".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Reference(Self::name().into_owned())
    }

    fn register(registry: &mut Registry) {
        registry.create_schema::<Self, _>(Self::name().into_owned(), |registry| {
            Vec::<GeoPoint>::register(registry);
            OutlineObject::register(registry);
            let most = MetaSchema { max_items: Some(MOST_POINTS), ..MetaSchema::ANY };
            MetaSchema {
                description: Some(
                    "Of a polygon the list of its points, a ring closed without saying so; of a circle \
                    centre and radius. An object with the `points` of a polygon is read too.",
                ),
                any_of: vec![Vec::<GeoPoint>::schema_ref().merge(most), OutlineObject::schema_ref()],
                ..MetaSchema::ANY
            }
        });
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for PolygonData {
    fn parse_from_json(value: Option<serde_json::Value>) -> ParseResult<Self> {
        if value.as_ref().is_some_and(serde_json::Value::is_array) {
            Vec::parse_from_json(value).map(Self::Ring).map_err(ParseError::propagate)
        } else {
            OutlineObject::parse_from_json(value).map(Self::Object).map_err(ParseError::propagate)
        }
    }
}

impl ToJSON for PolygonData {
    fn to_json(&self) -> Option<serde_json::Value> {
        match self {
            Self::Ring(points) => points.to_json(),
            Self::Object(object) => object.to_json(),
        }
    }
}

/// An outline as an object.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename = "DeliveryOutline", skip_serializing_if_is_none)]
pub(crate) struct OutlineObject {
    /// A ring of at least three points, closed without saying so. It must not cross itself.
    #[oai(validator(max_items = 10000))]
    pub points: Option<Vec<GeoPoint>>,
    /// Degrees north.
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub center_lat: Option<f64>,
    /// Degrees east.
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub center_lng: Option<f64>,
    /// Metres.
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub radius: Option<i32>,
}

/// The box around a shape, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename = "GeoBounds")]
pub(crate) struct GeoBounds {
    pub min_lat: f64,
    pub max_lat: f64,
    pub min_lng: f64,
    pub max_lng: f64,
}

/// A shape of a region on the map.
#[derive(Debug, Clone, Object)]
pub struct DeliveryPolygon {
    pub(crate) id: Id<DeliveryPolygons>,
    pub(crate) delivery_region_id: Id<DeliveryRegions>,
    pub(crate) polygon_type: PolygonType,
    pub(crate) polygon_data: PolygonData,
    /// The box around it.
    pub(crate) bounds: GeoBounds,
    /// Square metres.
    pub(crate) area: i64,
    pub(crate) version: i64,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// A new shape.
#[derive(Debug, Object)]
pub(crate) struct NewDeliveryPolygon {
    pub delivery_region_id: Id<DeliveryRegions>,
    pub polygon_type: PolygonType,
    pub polygon_data: PolygonData,
}

/// A changed shape. Type and outline are sent together.
#[derive(Debug, Object)]
pub(crate) struct DeliveryPolygonChange {
    pub delivery_region_id: Option<Id<DeliveryRegions>>,
    pub polygon_type: Option<PolygonType>,
    pub polygon_data: Option<PolygonData>,
    pub version: Option<i64>,
}

/// A shape of the map that is saved: a new one without `id`.
#[derive(Debug, Object)]
pub(crate) struct SavedDeliveryPolygon {
    pub id: Option<Id<DeliveryPolygons>>,
    pub version: Option<i64>,
    pub delivery_region_id: Id<DeliveryRegions>,
    pub polygon_type: PolygonType,
    pub polygon_data: PolygonData,
}

/// A shape that is taken off the map.
#[derive(Debug, Object)]
pub(crate) struct RemovedDeliveryPolygon {
    pub id: Id<DeliveryPolygons>,
    pub version: Option<i64>,
}

/// What is saved of the map at once.
#[derive(Debug, Object)]
pub(crate) struct DeliveryMapSave {
    /// New and changed shapes.
    #[oai(default, validator(max_items = 200))]
    pub save: Vec<SavedDeliveryPolygon>,
    /// Shapes that are taken off the map.
    #[oai(default, validator(max_items = 200))]
    pub delete: Vec<RemovedDeliveryPolygon>,
}

/// A shape of a region whose whole set is sent: a new one without `id`.
#[derive(Debug, Object)]
pub(crate) struct DeliveryRegionPolygon {
    pub id: Option<Id<DeliveryPolygons>>,
    pub version: Option<i64>,
    pub polygon_type: PolygonType,
    pub polygon_data: PolygonData,
}

/// All shapes of a region.
#[derive(Debug, Object)]
pub(crate) struct DeliveryRegionPolygons {
    #[oai(validator(max_items = 200))]
    pub polygons: Vec<DeliveryRegionPolygon>,
}

impl rows::Table for Entity {
    type Of = DeliveryPolygons;
    type Tx = TenantTx;
    type Answer = DeliveryPolygon;
    const HOME: rows::Home = rows::Home::Restaurant;
    const REMOVAL: rows::Removal = rows::Removal::Delete;
    // Thousands of points say nothing to a reader of the log: area and bounds do.
    const DERIVED: &'static [&'static str] = &["polygon_data", "updated_at"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id))
    }
}

impl rows::Answer<Entity> for DeliveryPolygon {
    async fn of(_: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        Ok(found.into_iter().map(Self::from).collect())
    }
}

impl From<Model> for DeliveryPolygon {
    fn from(row: Model) -> Self {
        let points = row.points.chunks_exact(2).map(|pair| GeoPoint { lat: pair[0], lng: pair[1] });
        let polygon_data = match row.polygon_type {
            PolygonType::Polygon => PolygonData::Ring(points.collect()),
            PolygonType::Circle => PolygonData::Object(OutlineObject {
                points: None,
                center_lat: row.center_lat,
                center_lng: row.center_lng,
                radius: row.radius,
            }),
        };
        Self {
            id: row.id,
            delivery_region_id: row.delivery_region_id,
            polygon_type: row.polygon_type,
            polygon_data,
            bounds: GeoBounds {
                min_lat: row.min_lat,
                max_lat: row.max_lat,
                min_lng: row.min_lng,
                max_lng: row.max_lng,
            },
            area: row.area,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

pub(crate) fn fill(row: &mut ActiveModel, shape: &Shape) {
    let Bounds { min_lat, max_lat, min_lng, max_lng } = shape.bounds();
    row.min_lat = Set(min_lat);
    row.max_lat = Set(max_lat);
    row.min_lng = Set(min_lng);
    row.max_lng = Set(max_lng);
    row.area = Set(shape.area());
    let (kind, points, circle) = match shape {
        Shape::Polygon(ring) => {
            (PolygonType::Polygon, ring.points().flat_map(|point| [point.lat, point.lng]).collect(), None)
        }
        Shape::Circle { center, radius } => (PolygonType::Circle, Vec::new(), Some((*center, *radius))),
    };
    row.polygon_type = Set(kind);
    row.points = Set(points);
    row.center_lat = Set(circle.map(|(center, _)| center.lat));
    row.center_lng = Set(circle.map(|(center, _)| center.lng));
    row.radius = Set(circle.map(|(_, radius)| radius));
}

/// How many shapes and points a restaurant has beside some.
pub(crate) async fn counted(
    rows: &rows::Rows<'_>, beside: &[Id<DeliveryPolygons>],
) -> Result<(usize, usize)> {
    let sizes: Vec<i32> = rows
        .live::<Entity>()?
        .filter(Column::Id.is_not_in(beside.iter().map(|id| id.uuid())))
        .select_only()
        .expr(Expr::cust("cardinality(points)"))
        .into_tuple()
        .all(rows.tx())
        .await?;
    let points = sizes.iter().map(|size| usize::try_from(*size).unwrap_or(0) / 2).sum();
    Ok((sizes.len(), points))
}

//! Finds the region of a guest: one statement for a quote, an order or a check. See
//! `docs/decisions/delivery.md#finding`.

use std::collections::HashSet;

use access::prelude::*;
use kernel::{
    money::Money,
    setting::{DeliveryMethod, NoRegion},
};
use sea_orm::FromQueryResult;

use crate::{
    place, price,
    regions::DeliveryRegions,
    rules::{self, Candidate, Match, RegionFacts, StreetFacts, Why},
    shape::{Point, Shape},
    street::{Exactness, Keys},
    streets::DeliveryStreets,
};

/// For which place a region is looked for.
#[derive(Debug, Clone, Copy)]
pub struct RegionQuery<'a> {
    pub restaurant: Id<Restaurant>,
    pub method: DeliveryMethod,
    /// The guest's own coordinates: degrees north and east.
    pub point: Option<(f64, f64)>,
    /// Where a geocoder found the address, in the same degrees; it counts where the guest sent no coordinates.
    pub geocoded: Option<(f64, f64)>,
    pub address: Option<Address<'a>>,
    /// The region that staff chose.
    pub chosen: Option<Id<DeliveryRegions>>,
    pub own_city: &'a str,
    /// What holds where no region is active, as far as somebody has said it.
    pub no_region: Option<NoRegion>,
}

/// An address as far as regions look at it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Address<'a> {
    pub postcode: Option<&'a str>,
    pub city: Option<&'a str>,
    /// With or without house number.
    pub street: Option<&'a str>,
    /// The house number, where it stands apart.
    pub number: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Placed {
    /// The restaurant has no regions and delivers everywhere: nobody asks.
    NoRegions,
    Region(Box<Candidate>),
    /// Where the restaurant does not deliver.
    Outside,
    /// Nobody knows.
    Unknown,
}

/// What was found of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    pub placed: Placed,
    /// Every region in which it lies, the one that delivers first.
    pub matches: Vec<Match>,
    /// Where the geocoder found the address, if that decided.
    pub geocoded: Option<(f64, f64)>,
    /// The region that the address leads to, where that is another than the one of the coordinates.
    pub by_address: Option<Box<Candidate>>,
    /// The region that staff chose; none when none was, or when the restaurant has no such region.
    pub chosen: Option<Box<Candidate>>,
}

/// Everything that may have the place: streets by their names, shapes by the boxes around them. Without any
/// region no row comes back. Where row and address have postcodes ($3, with the keys that agree with it) these
/// decide, else the cities ($4); a row with neither holds in the own city ($8) and in those that other rows name.
const FIND: &str = "select f.source, r.id, r.name, r.name_sec_lang, r.active, r.price, r.min_order_price, \
        r.threshold_price, r.price_under_threshold, r.courier_price, r.created_at, f.street_id, \
        f.street, f.postcode, f.city, f.street_price, f.street_active, f.points, f.center_lat, f.center_lng, \
        f.radius \
    from (select 'street' source, s.delivery_region_id region, s.id street_id, s.name street, s.postcode, \
            s.city, s.price street_price, s.active street_active, null::float8[] points, \
            null::float8 center_lat, null::float8 center_lng, null::int radius \
        from delivery_street s where s.restaurant_id = $1 and s.archived_at is null \
            and (s.name_key = $2 or s.name_key = '*') \
            and case when s.postcode_key is not null and $3::text[] is not null then s.postcode_key = any ($3) \
                when s.city_key is not null then s.city_key = coalesce($4, $9) \
                else s.postcode_key is null and ($4 is null or $4 = $8 \
                    or exists (select from delivery_street n where n.restaurant_id = $1 \
                        and n.archived_at is null and n.city_key = $4) \
                    or $8 is null and not exists (select from delivery_street n where n.restaurant_id = $1 \
                        and n.archived_at is null and n.city_key is not null)) end \
        union all select 'shape', p.delivery_region_id, null, null, null, null, null, null, p.points, \
            p.center_lat, p.center_lng, p.radius \
        from delivery_polygon p where p.restaurant_id = $1 and p.min_lat <= $5 and p.max_lat >= $5 \
            and p.min_lng <= $6 and p.max_lng >= $6 \
        union all select 'chosen', $7, null, null, null, null, null, null, null, null, null, null \
        union all (select 'any', a.id, null, null, null, null, null, null, null, null, null, null \
            from delivery_region a where a.restaurant_id = $1 and a.archived_at is null \
            order by a.active desc limit 1)) f \
    join delivery_region r on r.id = f.region and r.restaurant_id = $1 and r.archived_at is null";

#[derive(FromQueryResult)]
struct FoundRow {
    source: String,
    id: Id<DeliveryRegions>,
    name: String,
    name_sec_lang: Option<String>,
    active: bool,
    price: Money,
    min_order_price: Money,
    threshold_price: Option<Money>,
    price_under_threshold: Option<Money>,
    courier_price: Option<Money>,
    created_at: Timestamp,
    street_id: Option<Id<DeliveryStreets>>,
    street: Option<String>,
    postcode: Option<String>,
    city: Option<String>,
    street_price: Option<Money>,
    street_active: Option<bool>,
    points: Option<Vec<f64>>,
    center_lat: Option<f64>,
    center_lng: Option<f64>,
    radius: Option<i32>,
}

impl FoundRow {
    fn shape(&self) -> Shape {
        let circle = self.center_lat.zip(self.center_lng).zip(self.radius);
        let circle = circle.map(|((lat, lng), radius)| (Point { lat, lng }, radius));
        Shape::stored(self.points.as_deref().unwrap_or_default(), circle)
    }

    fn candidate(self, exactness: Exactness) -> Candidate {
        let name = street_name(self.street, self.postcode, self.city);
        let street = self.street_id.zip(name).map(|(id, name)| StreetFacts {
            id,
            name,
            price: self.street_price.map(price::shown),
            active: self.street_active.unwrap_or(true),
        });
        let region = RegionFacts {
            id: self.id,
            name: self.name,
            name_sec_lang: self.name_sec_lang,
            active: self.active,
            price: price::shown(self.price),
            min_order_price: price::shown(self.min_order_price),
            threshold_price: self.threshold_price.map(price::shown),
            price_under_threshold: self.price_under_threshold.map(price::shown),
            courier_price: self.courier_price.map(price::shown),
            created_at: self.created_at,
        };
        Candidate { region, street, exactness }
    }
}

/// What a street is called: the whole of a postcode or city by these.
fn street_name(name: Option<String>, postcode: Option<String>, city: Option<String>) -> Option<String> {
    let name = name?;
    if name.trim() != crate::street::WHOLE {
        return Some(name);
    }
    Some([postcode, city].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Looks for the region of a place.
pub async fn locate(tx: &TenantTx, asking: RegionQuery<'_>) -> Result<Located> {
    let RegionQuery { restaurant, method, point, geocoded, address, chosen, own_city, no_region } = asking;
    let by_gps = |(lat, lng)| Point::new(lat, lng).filter(|_| method == DeliveryMethod::GpsBased);
    let point = point.and_then(by_gps).map(Spot::Sent);
    let spot = point.or_else(|| geocoded.and_then(by_gps).map(Spot::Geocoded));
    let keys = address.map(|one| Keys::of_address(one.street, one.postcode, one.city));
    let keys = keys.filter(|keys| !keys.name.is_empty() || keys.postcode.is_some() || keys.city.is_some());
    let (name, postcode, city) = match keys.clone() {
        Some(keys) => (Some(keys.name), keys.postcode, keys.city),
        None => (None, None, None),
    };
    let values = [
        restaurant.into(),
        name.into(),
        postcode.as_deref().map(place::agreeing).into(),
        city.into(),
        spot.map(|spot| spot.point().lat).into(),
        spot.map(|spot| spot.point().lng).into(),
        chosen.map(Id::uuid).into(),
        place::city(own_city).into(),
        postcode.as_deref().and_then(place::city_of).into(),
    ];
    let rows: Vec<FoundRow> = tx.all(FIND, values).await?;
    Ok(located(rows, spot, keys.as_ref(), no_region))
}

/// A place, and who says that it is the guest's.
#[derive(Debug, Clone, Copy)]
enum Spot {
    Sent(Point),
    Geocoded(Point),
}

impl Spot {
    const fn point(self) -> Point {
        match self {
            Self::Sent(point) | Self::Geocoded(point) => point,
        }
    }
}

/// Whether deliveries are looked for; `any`: whether a live region is active, where there is a live one.
fn is_asked(any: Option<bool>, no_region: Option<NoRegion>) -> bool {
    match (any, no_region) {
        (Some(true), _) | (_, Some(NoRegion::Nowhere)) => true,
        (_, Some(NoRegion::Everywhere)) => false,
        (any, None) => any.is_some(),
    }
}

fn located(
    rows: Vec<FoundRow>, spot: Option<Spot>, keys: Option<&Keys>, no_region: Option<NoRegion>,
) -> Located {
    let (mut streets, mut shapes, mut chosen, mut any) = (Vec::new(), Vec::new(), None, None);
    let mut met = HashSet::new();
    for row in rows {
        match row.source.as_str() {
            "street" => {
                let own = Keys::of_row(row.street.as_deref().unwrap_or_default(), None, None);
                let exactness = keys.map_or(Exactness::Exact, |asked| own.exactness(asked));
                streets.push(row.candidate(exactness));
            }
            "shape" => {
                // One shape of a region is enough.
                let has = |spot: Spot| row.shape().contains(spot.point());
                if !met.contains(&row.id.uuid()) && spot.is_some_and(has) {
                    met.insert(row.id.uuid());
                    shapes.push(row.candidate(Exactness::Exact));
                }
            }
            "chosen" => chosen = Some(Box::new(row.candidate(Exactness::Exact))),
            _ => any = Some(row.active),
        }
    }
    let without_postcode = keys.is_some_and(Keys::without_postcode);
    let (by_address, by_shape) = (rules::choose_street(streets, without_postcode), rules::choose(shapes));
    let (matches, by_address, geocoded) = match spot {
        Some(Spot::Sent(_)) => (by_shape, winner(&by_address).cloned(), None),
        // What the list says of the street goes before the geocoder only where it names it; see the page.
        Some(Spot::Geocoded(point)) if !named(&by_address) && winner(&by_shape).is_some() => {
            (by_shape, None, Some(point))
        }
        Some(Spot::Geocoded(point)) if winner(&by_address).is_none() => {
            (if by_shape.is_empty() { by_address } else { by_shape }, None, Some(point))
        }
        _ => (by_address, None, None),
    };
    let won = winner(&matches).cloned();
    let by_address =
        by_address.filter(|other| won.as_ref().is_some_and(|won| won.region.id != other.region.id));
    // The street's price holds in a region that somebody chose, too.
    let own = |chosen: Box<Candidate>| {
        let of_region = matches.iter().map(|one| &one.candidate);
        let street = of_region.filter(|one| one.street.as_ref().is_some_and(|street| street.active));
        let street = street.into_iter().find(|one| one.region.id == chosen.region.id);
        street.cloned().map_or(chosen, Box::new)
    };
    let chosen = chosen.map(own);
    let placed = match won {
        _ if !is_asked(any, no_region) => Placed::NoRegions,
        Some(won) => Placed::Region(Box::new(won)),
        // One of several, and only the postcode would tell which.
        None if matches.first().is_some_and(|first| first.why == Why::PostcodeMissing) => Placed::Unknown,
        // Known, and switched off; or beside every shape; or there is no region to look for.
        None if any != Some(true) || spot.is_some() || !matches.is_empty() => Placed::Outside,
        None => Placed::Unknown,
    };
    let geocoded = geocoded.map(|point| (point.lat, point.lng));
    Located { placed, matches, geocoded, by_address: by_address.map(Box::new), chosen }
}

/// A street of the list delivers, and is the one of the address.
fn named(streets: &[Match]) -> bool {
    winner(streets).is_some_and(|street| street.exactness == Exactness::Exact)
}

fn winner(matches: &[Match]) -> Option<&Candidate> {
    matches.first().filter(|first| first.why.wins()).map(|first| &first.candidate)
}

/// The shapes of active regions, for the nearest one.
const SHAPES: &str = "select 'shape' source, r.id, r.name, r.name_sec_lang, r.active, r.price, \
        r.min_order_price, r.threshold_price, r.price_under_threshold, r.courier_price, r.created_at, \
        null::uuid street_id, null street, null postcode, null city, null::numeric street_price, \
        null::boolean street_active, p.points, p.center_lat, p.center_lng, p.radius \
    from delivery_polygon p join delivery_region r on r.id = p.delivery_region_id \
    where r.restaurant_id = $1 and r.archived_at is null and r.active";

/// The active region whose shape is nearest to a place, and the way there in metres.
pub(crate) async fn nearest(
    tx: &TenantTx, restaurant: Id<Restaurant>, point: (f64, f64),
) -> Result<Option<(String, f64)>> {
    let Some(point) = Point::new(point.0, point.1) else { return Ok(None) };
    let rows: Vec<FoundRow> = tx.all(SHAPES, [restaurant.into()]).await?;
    let far = rows.into_iter().map(|row| (row.shape().metres_from(point), row.name));
    let nearest = far.min_by(|one, other| one.0.total_cmp(&other.0));
    Ok(nearest.map(|(metres, name)| (name, metres)))
}

//! The place of a guest's address, by the geocoder that the operator has set for them. See
//! `docs/decisions/delivery.md#places-of-addresses`.

use access::prelude::*;
use contract::{Environment, HouseAddress, HousePlace, Plugins, Precision};
use kernel::setting::DeliveryMethod;
use restaurants::Facts;
use sea_orm::FromQueryResult;

use crate::{
    find::{self, Address, Placed, RegionQuery},
    place::{self, Place, postcode_key},
    shape::Point,
    street::{Exactness, House},
};

/// How long a place is kept, and that there is none: somebody may draw the house on the map meanwhile.
const KEPT_DAYS: i32 = 30;
const NOTHING_KEPT_DAYS: i32 = 1;
/// A place that is farther from the restaurant is another town's street, in metres: as far as a circle reaches.
const FARTHEST: f64 = 100_000.0;

/// What is known of an address: the mode of the partner, whether shapes could have it, and an earlier answer.
#[derive(FromQueryResult)]
struct KnownPlace {
    mode: Option<String>,
    shapes: bool,
    known: bool,
    lat: Option<f64>,
    lng: Option<f64>,
}

const KNOWN: &str = "select control.partner_mode() as mode, exists (select from delivery_polygon p \
        join delivery_region r on r.id = p.delivery_region_id \
        where p.restaurant_id = $1 and r.active and r.archived_at is null) as shapes, \
        k.address_key is not null as known, k.lat, k.lng \
    from (select 1) one left join delivery_place k on k.address_key = $2 and k.kept_until > now()";

const KEEP: &str = "insert into delivery_place (address_key, lat, lng, kept_until) \
    values ($1, $2, $3, now() + make_interval(days => $4)) on conflict (address_key) do update \
    set lat = excluded.lat, lng = excluded.lng, kept_until = excluded.kept_until";

/// What somebody has to be asked for.
struct GeocodeRequest {
    address: HouseAddress,
    mode: String,
    /// Under which the answer is kept.
    key: Vec<u8>,
    near: Option<Point>,
}

/// What is told before anybody is asked.
enum Before {
    /// Nobody needs to be asked.
    Told(Option<Point>),
    Ask(Box<GeocodeRequest>),
}

/// The place of an address without coordinates, in degrees north and east; none where nobody needs it, where
/// the operator has set no geocoder for guests' addresses, and where it does not tell. Call it outside of any
/// transaction: it waits for another service, for two seconds at most.
/// Errors: What the database says. What the geocoder says is logged.
pub async fn place_of_address<S, P>(
    scope: &In<S, P>, plugins: &Plugins, address: Address<'_>,
) -> Result<Option<(f64, f64)>>
where
    S: access::Scope<Target = Id<Restaurant>>,
    P: Sync,
{
    let has = |environment| plugins.guest_geocoder(environment).is_some();
    if !has(Environment::Live) && !has(Environment::StandIn) {
        return Ok(None);
    }
    let street = address.street.unwrap_or_default();
    let house = House::of(street, address.number, address.postcode, address.city);
    let Some(house) = house.filter(|_| address.postcode.or(address.city).is_some()) else { return Ok(None) };
    let tx = scope.begin().await?;
    let facts = restaurants::facts(&tx, scope.restaurant()).await?;
    let before = before(&tx, scope.app(), &facts, address, house).await?;
    // The connection goes back before another service is asked.
    tx.commit().await?;
    let place = match before {
        Before::Told(place) => place,
        Before::Ask(wanted) => match ask(plugins, &wanted).await {
            Some(place) => {
                keep(scope, &wanted.key, place).await?;
                place.filter(|place| is_near(*place, wanted.near))
            }
            None => None,
        },
    };
    Ok(place.map(|Point { lat, lng }| (lat, lng)))
}

async fn before(
    tx: &TenantTx, app: &access::App, facts: &Facts, address: Address<'_>, house: House,
) -> Result<Before> {
    let nobody = Ok(Before::Told(None));
    if facts.delivery_method != DeliveryMethod::GpsBased {
        return nobody;
    }
    let key = app.settings.secrets.keyed("guest address 1", &format!("{}|{}", facts.country, house.key));
    let known: Option<KnownPlace> = tx.one(KNOWN, [facts.id.into(), key.clone().into()]).await?;
    let Some(KnownPlace { mode: Some(mode), shapes: true, known, lat, lng }) = known else { return nobody };
    // A street that the restaurant has written down itself needs no geocoder.
    let asking = RegionQuery {
        restaurant: facts.id,
        method: facts.delivery_method,
        point: None,
        geocoded: None,
        address: Some(address),
        chosen: None,
        own_city: &facts.city,
        no_region: facts.no_region,
    };
    if let Placed::Region(found) = find::locate(tx, asking).await?.placed
        && found.exactness == Exactness::Exact
    {
        return nobody;
    }
    let near = facts.coord_lat.zip(facts.coord_lng).and_then(|(lat, lng)| Point::new(lat, lng));
    if known {
        let place = lat.zip(lng).and_then(|(lat, lng)| Point::new(lat, lng));
        return Ok(Before::Told(place.filter(|place| is_near(*place, near))));
    }
    let address = HouseAddress {
        country: facts.country.clone(),
        postcode: Place::of(address.postcode, address.city).postcode,
        city: address.city.map(|city| city.trim().to_owned()),
        street: house.street,
        number: house.number,
    };
    Ok(Before::Ask(Box::new(GeocodeRequest { address, mode, key, near })))
}

/// Asks the geocoder; none when there is none for this partner, or when it does not answer.
async fn ask(plugins: &Plugins, wanted: &GeocodeRequest) -> Option<Option<Point>> {
    let geocoder = plugins.guest_geocoder(Environment::of_mode(&wanted.mode))?;
    let places = geocoder.places(&wanted.address).await;
    // The address stands in no log.
    let places =
        places.inspect_err(|error| tracing::warn!(%error, "a guest's address is not placed")).ok()?;
    Some(places.iter().find_map(|place| believed(&wanted.address, place)))
}

/// A place that an order may be priced by: a house or its street, in the country, and with the postcode that was
/// asked for or, where either side tells none, in the city.
fn believed(asked: &HouseAddress, found: &HousePlace) -> Option<Point> {
    let fine = found.precision != Precision::Coarse;
    let in_country = found.country.as_deref() == Some(asked.country.as_str());
    let postcodes = asked.postcode.clone().zip(found.postcode.as_deref().and_then(postcode_key));
    let in_town = postcodes.map_or_else(
        || {
            let city = asked.city.as_deref().and_then(place::city);
            city.is_some_and(|city| found.cities.iter().any(|one| place::city(one).as_ref() == Some(&city)))
        },
        |(asked, found)| asked == found,
    );
    let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6;
    if fine && in_country && in_town { Point::new(rounded(found.lat), rounded(found.lng)) } else { None }
}

fn is_near(place: Point, restaurant: Option<Point>) -> bool {
    restaurant.is_none_or(|restaurant| restaurant.metres_to(place) <= FARTHEST)
}

/// Keeps an answer; of an address only a keyed digest is kept.
async fn keep<S, P>(scope: &In<S, P>, key: &[u8], place: Option<Point>) -> Result<()>
where
    S: access::Scope,
{
    let days = if place.is_some() { KEPT_DAYS } else { NOTHING_KEPT_DAYS };
    let tx = scope.begin().await?;
    let values = [
        key.to_vec().into(),
        place.map(|place| place.lat).into(),
        place.map(|place| place.lng).into(),
        days.into(),
    ];
    tx.run(KEEP, values).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
#[path = "guest_place_tests.rs"]
mod tests;

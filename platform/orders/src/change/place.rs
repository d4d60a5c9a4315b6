//! Another place: delivered elsewhere, fetched after all, or brought after all.

use access::{Caller, prelude::*};
use checkout::{DeliveryData, Destination, Going, given};
use pricing::Fulfilment;

use super::input::OrderEdit;
use crate::row::OrderRow;

#[derive(Debug)]
pub(super) enum Place<'a> {
    /// It stays, or only says otherwise how to get in.
    Same,
    Fetched,
    Brought(Going<'a>),
}

/// How an order is handed over when its guest fetches it, or not.
pub(super) fn fulfilment(row: &OrderRow, pickup: bool) -> Fulfilment {
    let otherwise = if pickup { Fulfilment::Pickup } else { Fulfilment::Delivery };
    let of = |platform| Fulfilment::of(platform, row.table_name.is_some(), pickup);
    row.platform.parse().map_or(otherwise, of)
}

/// Writes the address as it was sent, and says what becomes of the place. `geocoded`: where the sent address was
/// found, if somebody was asked.
/// Errors: `VALIDATION_FAILED` for half a place, for what an order that is eaten here or fetched has not, and
/// for a delivery without an address.
pub(super) fn wanted<'a>(
    before: &'a OrderRow, sent: &'a OrderEdit, geocoded: Option<(f64, f64)>,
) -> Result<Place<'a>> {
    let point = sent.point()?;
    let was = fulfilment(before, before.pickup);
    let pickup = sent.pickup.unwrap_or(before.pickup);
    let is = fulfilment(before, pickup);
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    // Only some channels leave open whether it is fetched or brought.
    if is == was && pickup != before.pickup {
        problem = problem.key("pickup", Fault::Invalid);
    }
    if is != Fulfilment::Delivery {
        for (field, said) in [
            ("delivery_data", sent.delivery_data.is_some()),
            ("coord_lat", point.value().is_some()),
            ("delivery_region_id", sent.delivery_region_id.value().is_some()),
        ] {
            if said {
                problem = problem.key(field, Fault::Invalid);
            }
        }
        problem.if_any()?;
        return Ok(if was == Fulfilment::Delivery { Place::Fetched } else { Place::Same });
    }
    let address = sent.delivery_data.as_ref().or(before.delivery_data.as_ref());
    if address.is_none() {
        problem = problem.key("delivery_data", Fault::Required);
    }
    problem.if_any()?;
    let elsewhere = was != Fulfilment::Delivery
        || sent.delivery_data.as_ref().is_some_and(|now| is_elsewhere(now, before.delivery_data.as_ref()));
    let own = own_point(before).filter(|_| !elsewhere);
    let point = point.or(own);
    let chosen_before = before.delivery_region_id.filter(|_| is_chosen(before) && !elsewhere);
    let chosen = sent.delivery_region_id.or(chosen_before.map(Id::from_uuid));
    if !elsewhere && point == own && chosen.map(Id::uuid) == chosen_before {
        return Ok(Place::Same);
    }
    Ok(Place::Brought(Going {
        point,
        geocoded: geocoded.filter(|_| point.is_none() && chosen.is_none()),
        address,
        chosen,
        reason: given(sent.override_reason.as_deref()),
    }))
}

/// Whether somebody chose the region.
fn is_chosen(row: &OrderRow) -> bool {
    row.delivery_found_by.as_deref() == Some("staff")
}

/// The guest's own coordinates, not those at which the address was found.
fn own_point(row: &OrderRow) -> Option<(f64, f64)> {
    let found = matches!(row.delivery_found_by.as_deref(), Some("geocoded"));
    row.coord_lat.zip(row.coord_lng).filter(|_| !found)
}

/// Whether an address is another place, and not only says otherwise how to get in.
pub(super) fn is_elsewhere(now: &DeliveryData, then: Option<&DeliveryData>) -> bool {
    then.is_none_or(|then| place_of(now) != place_of(then))
}

/// What of an address says where it is; the rest says how to get in.
fn place_of(address: &DeliveryData) -> [String; 4] {
    let DeliveryData { postcode, city, street, premise_number, .. } = address;
    [postcode.as_deref().unwrap_or_default(), city, street, premise_number].map(|part| part.trim().to_owned())
}

/// Writes where it goes; the fee is not its own business.
pub(super) fn bring(row: &mut OrderRow, destination: &Destination, caller: &Caller) {
    row.pickup = false;
    let (region, other, prices) = (destination.region(), destination.by_address(), destination.prices());
    (row.coord_lat, row.coord_lng) = destination.point().unzip();
    row.delivery_region_id = region.map(|region| region.id.uuid());
    row.delivery_region_name = region.map(|region| region.name.clone());
    row.delivery_street = destination.street().map(str::to_owned);
    row.delivery_found_by = destination.found_by().map(str::to_owned);
    row.delivery_prices = prices;
    row.delivery_chosen_by = caller.id().filter(|_| destination.by_staff());
    row.delivery_chosen_by_name = destination.by_staff().then(|| caller.name().to_owned());
    row.delivery_override_reason = destination.reason().map(str::to_owned);
    row.delivery_address_region_id = other.map(|region| region.id.uuid());
    row.delivery_address_region_name = other.map(|region| region.name.clone());
}

/// Takes out where it went: it is fetched, and nobody brings it.
pub(super) fn fetch(row: &mut OrderRow) {
    row.pickup = true;
    (row.delivery_data, row.delivery_prices, row.courier_id) = (None, None, None);
    (row.coord_lat, row.coord_lng) = (None, None);
    (row.delivery_region_id, row.delivery_region_name, row.delivery_street) = (None, None, None);
    (row.delivery_found_by, row.delivery_override_reason) = (None, None);
    (row.delivery_chosen_by, row.delivery_chosen_by_name) = (None, None);
    (row.delivery_address_region_id, row.delivery_address_region_name) = (None, None);
}

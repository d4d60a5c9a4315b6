//! The body of a change.

use access::prelude::*;
use checkout::DeliveryData;
use delivery::DeliveryRegions;
use kernel::{Email, Message, money::Money};
use uuid::Uuid;

/// What of an order is to be another. What is absent stays.
#[derive(Debug, Object)]
pub(crate) struct OrderEdit {
    #[oai(validator(max_length = 100))]
    pub first_name: Clearable<String>,
    #[oai(validator(max_length = 100))]
    pub last_name: Clearable<String>,
    /// Of the guest; the order stays with its customer, whosever number it is.
    #[oai(validator(max_length = 40))]
    pub phone_1: Clearable<String>,
    pub email: Clearable<Email>,
    /// The guest fetches it. To be delivered after all it needs `delivery_data`.
    pub pickup: Option<bool>,
    /// Where it is delivered, all of it. Postcode, city, street and house number are looked for and priced anew
    /// where they differ; the others say how to get in and price nothing.
    pub delivery_data: Option<DeliveryData>,
    /// Degrees north of the place, together with `coord_lng`. Those of another address are dropped.
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub coord_lat: Clearable<f64>,
    /// Degrees east.
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub coord_lng: Clearable<f64>,
    /// The delivery region, chosen; `null` has it looked for.
    pub delivery_region_id: Clearable<Id<DeliveryRegions>>,
    /// Why it is delivered below the minimum, or where nothing is delivered; only read where the place is looked for
    /// anew.
    #[oai(validator(max_length = 200, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub override_reason: Option<String>,
    /// When it is wanted; `null`: as soon as possible.
    pub expected_at: Clearable<Timestamp>,
    /// How it is to be paid; `null`: said later. Money that has moved stays as it is.
    pub payment_method_id: Clearable<Uuid>,
    /// The method by its key (`cash`, `card`), instead of its id.
    #[oai(validator(max_length = 40))]
    pub payment_method: Option<String>,
    /// What the guest pays with in cash, so that the change is brought along: not less than what is due as coins
    /// pay it, and only with `cash` or before a method is named. With another method it is forgotten.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub pays_with: Clearable<Money>,
    /// A wish for the whole order.
    #[oai(validator(max_length = 1000))]
    pub message: Clearable<Message>,
    /// Who brings it: an active courier of the restaurant.
    pub courier_id: Clearable<Uuid>,
    /// The `version` of the order that was seen.
    pub version: Option<i64>,
}

impl OrderEdit {
    /// Whether it is about nothing but the number to call and the note: whoever works with the order corrects
    /// these, and no PIN is asked.
    pub fn is_small(&self) -> bool {
        let Self {
            phone_1: _,
            message: _,
            version: _,
            first_name,
            last_name,
            email,
            pickup,
            delivery_data,
            coord_lat,
            coord_lng,
            delivery_region_id,
            override_reason,
            expected_at,
            payment_method_id,
            payment_method,
            pays_with,
            courier_id,
        } = self;
        let other = !first_name.is_undefined()
            || !last_name.is_undefined()
            || !email.is_undefined()
            || pickup.is_some()
            || delivery_data.is_some()
            || !coord_lat.is_undefined()
            || !coord_lng.is_undefined()
            || !delivery_region_id.is_undefined()
            || override_reason.is_some()
            || !expected_at.is_undefined()
            || !payment_method_id.is_undefined()
            || payment_method.is_some()
            || !pays_with.is_undefined()
            || !courier_id.is_undefined();
        !other
    }

    /// The guest's own coordinates as they are sent: none, emptied, or a place.
    /// Errors: `VALIDATION_FAILED` for half a place.
    pub fn point(&self) -> Result<Clearable<(f64, f64)>> {
        match (self.coord_lat, self.coord_lng) {
            (Clearable::Value(lat), Clearable::Value(lng)) => Ok(Clearable::Value((lat, lng))),
            (Clearable::Undefined, Clearable::Undefined) => Ok(Clearable::Undefined),
            (Clearable::Null | Clearable::Undefined, Clearable::Null | Clearable::Undefined) => {
                Ok(Clearable::Null)
            }
            (lat, _) => {
                let missing = if lat.value().is_some() { "coord_lng" } else { "coord_lat" };
                Err(Problem::new(Code::VALIDATION_FAILED).key(missing, Fault::Required))
            }
        }
    }
}

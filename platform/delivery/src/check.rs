//! Checking where a place lies: for staff with every region and why, for shops with the one that delivers.

use access::prelude::*;
use contract::Plugins;
use kernel::{money::Money, setting::DeliveryMethod};
use poem::web::Data;
use poem_openapi::Enum;

use crate::{
    find::{self, Address, Located, Placed, RegionQuery},
    guest_place::place_of_address,
    regions::DeliveryRegions,
    rules::{Candidate, Match, Why},
    streets::DeliveryStreets,
};

pub(crate) struct DeliveryChecks;

pub(crate) struct PublicDeliveryChecks;

/// Why nothing is delivered to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename = "DeliveryCheckReason", rename_all = "snake_case")]
enum Reason {
    /// The restaurant does not deliver there.
    NoDeliveryThere,
    /// Nobody knows where it is.
    PlaceUnknown,
}

/// How a region was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename = "DeliveryCheckBy", rename_all = "snake_case")]
enum By {
    /// The place lies in one of its shapes.
    Shape,
    /// It has the street, or the whole postcode or city.
    Street,
    /// The geocoder's place of the address lies in one of its shapes.
    Geocoded,
}

/// The region that delivers to a place, with what it costs there.
#[derive(Debug, Clone, Object)]
struct DeliveryWinner {
    delivery_region_id: Id<DeliveryRegions>,
    name: String,
    name_sec_lang: Option<String>,
    street_id: Option<Id<DeliveryStreets>>,
    street: Option<String>,
    /// What a delivery costs: the street's price, else the region's.
    price: Money,
    /// Least list value of an order.
    min_order_price: Money,
    /// Strictly below this list value the delivery costs at least `price_under_threshold`.
    threshold_price: Option<Money>,
    price_under_threshold: Option<Money>,
    by: By,
}

/// A region in which a place lies.
#[derive(Debug, Clone, Object)]
struct DeliveryMatch {
    #[oai(flatten)]
    region: DeliveryWinner,
    /// Whether region and street are switched on.
    active: bool,
    /// Why it delivers or not.
    why: Why,
}

/// The region that is nearest to a place where nothing is delivered.
#[derive(Debug, Clone, Object)]
struct NearestDeliveryRegion {
    name: String,
    /// Whole metres to its border.
    distance_m: i64,
}

/// Where a place lies.
#[derive(Debug, Object)]
struct DeliveryCheck {
    method: DeliveryMethod,
    /// Whether a region delivers there.
    placed: bool,
    /// Why none does; null where no region is active and the restaurant delivers everywhere.
    reason: Option<Reason>,
    winner: Option<DeliveryWinner>,
    /// The place is the one that a geocoder found for the address.
    geocoded: bool,
    /// Every region in which it lies, the one that delivers first.
    matches: Vec<DeliveryMatch>,
    /// Where coordinates lie beside every region.
    nearest: Option<NearestDeliveryRegion>,
}

/// Where a place lies, for guests.
#[derive(Debug, Object)]
struct PublicDeliveryCheck {
    method: DeliveryMethod,
    /// Whether a region delivers there.
    placed: bool,
    /// Why none does; null where no region is active and the restaurant delivers everywhere.
    reason: Option<Reason>,
    winner: Option<DeliveryWinner>,
    /// The place is the one that a geocoder found for the address.
    geocoded: bool,
    /// Where coordinates lie beside every region.
    nearest: Option<NearestDeliveryRegion>,
}

impl DeliveryWinner {
    fn of(found: &Candidate, geocoded: bool) -> Self {
        let (region, street) = (&found.region, &found.street);
        Self {
            delivery_region_id: region.id,
            name: region.name.clone(),
            name_sec_lang: region.name_sec_lang.clone(),
            street_id: street.as_ref().map(|street| street.id),
            street: street.as_ref().map(|street| street.name.clone()),
            price: found.price(),
            min_order_price: region.min_order_price,
            threshold_price: region.threshold_price,
            price_under_threshold: region.price_under_threshold,
            by: match street {
                Some(_) => By::Street,
                None if geocoded => By::Geocoded,
                None => By::Shape,
            },
        }
    }
}

impl DeliveryMatch {
    fn of(found: &Match, geocoded: bool) -> Self {
        let active = !matches!(found.why, Why::Inactive | Why::StreetInactive);
        Self { region: DeliveryWinner::of(&found.candidate, geocoded), active, why: found.why }
    }
}

struct Sent<'a> {
    point: Option<(f64, f64)>,
    address: Option<Address<'a>>,
}

impl<'a> Sent<'a> {
    /// Coordinates, both or none, or parts of an address.
    fn read(
        (lat, lng): (Option<f64>, Option<f64>), postcode: Option<&'a str>, city: Option<&'a str>,
        street: Option<&'a str>,
    ) -> Result<Self> {
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        for (key, degrees) in [("lat", lat), ("lng", lng)] {
            if degrees.is_some_and(|degrees| !degrees.is_finite()) {
                problem = problem.key(key, Fault::Type);
            }
        }
        if lat.is_some() != lng.is_some() {
            problem = problem.key(if lat.is_some() { "lng" } else { "lat" }, Fault::Required);
        }
        let some = |text: Option<&'a str>| text.filter(|text| !text.trim().is_empty());
        let (postcode, city, street) = (some(postcode), some(city), some(street));
        let address = postcode.or(city).or(street).is_some();
        if lat.is_none() && lng.is_none() && !address {
            problem = problem
                .key("lat", Fault::Required)
                .key("lng", Fault::Required)
                .key("street", Fault::Required)
                .detail("send coordinates, or postcode, city and street");
        }
        problem.if_any()?;
        Ok(Self {
            point: lat.zip(lng),
            address: address.then_some(Address { postcode, city, street, number: None }),
        })
    }

    /// Looks for the region, after the geocoder was asked for an address without coordinates.
    async fn check<S, P: Sync>(&self, scope: &In<S, P>, plugins: &Plugins) -> Result<DeliveryCheck>
    where
        S: access::Scope<Target = Id<Restaurant>>,
    {
        let Self { point, address } = *self;
        let geocoded = match address.filter(|_| point.is_none()) {
            Some(address) => place_of_address(scope, plugins, address).await?,
            None => None,
        };
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let facts = restaurants::facts(&tx, restaurant).await?;
        let method = facts.delivery_method;
        let asking = RegionQuery {
            restaurant,
            method,
            point,
            geocoded,
            address,
            chosen: None,
            own_city: &facts.city,
            no_region: facts.no_region,
        };
        let Located { placed, matches, geocoded, .. } = find::locate(&tx, asking).await?;
        let nearest = match (&placed, point.or(geocoded)) {
            (Placed::Outside, Some(point)) if method == DeliveryMethod::GpsBased => {
                find::nearest(&tx, restaurant, point).await?
            }
            _ => None,
        };
        #[allow(clippy::cast_possible_truncation, reason = "the Earth is 40,000 km around")]
        let nearest =
            nearest.map(|(name, metres)| NearestDeliveryRegion { name, distance_m: metres.ceil() as i64 });
        let geocoded = geocoded.is_some();
        let (reason, winner) = match placed {
            Placed::NoRegions => (None, None),
            Placed::Region(found) => (None, Some(DeliveryWinner::of(&found, geocoded))),
            Placed::Outside => (Some(Reason::NoDeliveryThere), None),
            Placed::Unknown => (Some(Reason::PlaceUnknown), None),
        };
        Ok(DeliveryCheck {
            method,
            placed: winner.is_some(),
            reason,
            winner,
            geocoded,
            matches: matches.iter().map(|one| DeliveryMatch::of(one, geocoded)).collect(),
            nearest,
        })
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryChecks {
    /// Where a place lies: every region that has it, and why one of them delivers.
    ///
    /// `gps_based` looks at the shapes when there are coordinates, else at the streets; `street_based` looks at
    /// the streets only. Where the operator has set a geocoder for guests' addresses, `gps_based` also looks at
    /// the shapes with the place of an address that has a house number.
    #[oai(path = "/check", method = "get", operation_id = "delivery_regions_check")]
    #[allow(clippy::too_many_arguments, reason = "each is a parameter of the query")]
    async fn check(
        &self, scope: In<Restaurant, AnyOf<(perm::SystemDeliveryRegion, perm::Placing)>>,
        #[oai(validator(minimum(value = "-90"), maximum(value = "90")))] lat: QueryParam<f64>,
        #[oai(validator(minimum(value = "-180"), maximum(value = "180")))] lng: QueryParam<f64>,
        #[oai(validator(max_length = 20))] postcode: QueryParam<String>,
        #[oai(validator(max_length = 100))] city: QueryParam<String>,
        #[oai(validator(max_length = 100))] street: QueryParam<String>, plugins: Data<&Plugins>,
    ) -> Result<Json<DeliveryCheck>> {
        let sent = Sent::read((lat.0, lng.0), postcode.as_deref(), city.as_deref(), street.as_deref())?;
        sent.check(&scope, &plugins).await.map(Json)
    }
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicDeliveryChecks {
    /// Whether the restaurant delivers to a place, and what it costs there.
    ///
    /// Send the coordinates (`lat`, `lng`), or `postcode`, `city` and `street` with the house number.
    #[oai(path = "/delivery/check", method = "get", operation_id = "public_delivery_check")]
    #[allow(clippy::too_many_arguments, reason = "each is a parameter of the query")]
    async fn check(
        &self, scope: In<Public, perm::MenuRead>,
        #[oai(validator(minimum(value = "-90"), maximum(value = "90")))] lat: QueryParam<f64>,
        #[oai(validator(minimum(value = "-180"), maximum(value = "180")))] lng: QueryParam<f64>,
        #[oai(validator(max_length = 20))] postcode: QueryParam<String>,
        #[oai(validator(max_length = 100))] city: QueryParam<String>,
        #[oai(validator(max_length = 100))] street: QueryParam<String>, plugins: Data<&Plugins>,
    ) -> Result<Json<PublicDeliveryCheck>> {
        let sent = Sent::read((lat.0, lng.0), postcode.as_deref(), city.as_deref(), street.as_deref())?;
        let DeliveryCheck { method, placed, reason, winner, geocoded, matches: _, nearest } =
            sent.check(&scope, &plugins).await?;
        Ok(Json(PublicDeliveryCheck { method, placed, reason, winner, geocoded, nearest }))
    }
}

//! The destination of a delivery: the region that prices it, and the source of that choice. See
//! `docs/decisions/delivery.md#orders`.

use access::prelude::*;
use delivery::{Address, Candidate, DeliveryRegions, Located, Placed, RegionFacts, RegionQuery};
use kernel::text::is_blank;
use pricing::{Config, DeliveryFee, Fulfilment, Place, Region};
use restaurants::Facts;

use crate::{
    input::Cart,
    types::QuoteDeliveryRegion,
    values::{DeliveryData, DeliveryPrices},
};

/// How a region was found, as it lies in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
enum FoundBy {
    Shape,
    Street,
    Geocoded,
    Staff,
    Outside,
    Unknown,
}

impl FoundBy {
    const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// What is said about where a delivery goes.
#[derive(Debug, Clone, Copy)]
pub struct Going<'a> {
    /// The guest's own coordinates.
    pub point: Option<(f64, f64)>,
    /// Where the address was found, if somebody was asked.
    pub geocoded: Option<(f64, f64)>,
    pub address: Option<&'a DeliveryData>,
    /// The region that staff chose.
    pub chosen: Option<Id<DeliveryRegions>>,
    /// Why staff deliver below the minimum, or where nothing is delivered.
    pub reason: Option<&'a str>,
}

/// Where a delivery goes; nowhere in particular where nothing is delivered or the restaurant has no regions.
#[derive(Debug, Clone, Default)]
pub struct Destination {
    found: Option<Candidate>,
    by: Option<FoundBy>,
    by_address: Option<RegionFacts>,
    /// The guest's own coordinates, or those of the address by which it was looked for.
    point: Option<(f64, f64)>,
    /// Why staff deliver below the minimum, or where nothing is delivered.
    reason: Option<String>,
}

impl Cart {
    /// The guest's own coordinates.
    pub fn point(&self) -> Option<(f64, f64)> {
        self.coord_lat.zip(self.coord_lng)
    }

    fn reason(&self) -> Option<&str> {
        given(self.override_reason.as_deref())
    }

    /// What is wrong with where it goes: half a place, and what only staff who take the order may say.
    pub fn place_faults(&self, staff: bool) -> Vec<(String, Fault)> {
        let mut faults = Vec::new();
        if self.coord_lat.is_some() != self.coord_lng.is_some() {
            let missing = if self.coord_lat.is_some() { "coord_lng" } else { "coord_lat" };
            faults.push((missing.to_owned(), Fault::Required));
        }
        for (key, sent) in [
            ("delivery_region_id", self.delivery_region_id.is_some()),
            ("override_reason", self.override_reason.is_some()),
        ] {
            if sent && !staff {
                faults.push((key.to_owned(), Fault::Invalid));
            }
        }
        faults
    }
}

/// A reason that says something.
pub fn given(reason: Option<&str>) -> Option<&str> {
    reason.map(str::trim).filter(|reason| !is_blank(reason))
}

impl Destination {
    /// Looks for it, and tells pricing. `geocoded`: where the address was found, if somebody was asked.
    /// Errors: `VALIDATION_FAILED` for a chosen region that the restaurant does not have.
    pub async fn find(
        tx: &TenantTx, facts: &Facts, sent: &Cart, cart: &pricing::Cart, geocoded: Option<(f64, f64)>,
        config: &mut Config,
    ) -> Result<Self> {
        if cart.fulfilment() != Fulfilment::Delivery {
            return Ok(Self::default());
        }
        let going = Going {
            point: sent.point(),
            geocoded,
            address: sent.delivery_data.as_ref(),
            chosen: sent.delivery_region_id,
            reason: sent.reason(),
        };
        let destination = Self::locate(tx, facts, going).await?;
        config.delivery_override = config.staff && destination.reason.is_some();
        config.place = destination.place();
        Ok(destination)
    }

    /// Looks for it.
    /// Errors: `VALIDATION_FAILED` for a chosen region that the restaurant does not have.
    pub async fn locate(tx: &TenantTx, facts: &Facts, going: Going<'_>) -> Result<Self> {
        let asking = RegionQuery {
            restaurant: facts.id,
            method: facts.delivery_method,
            point: going.point,
            geocoded: going.geocoded,
            address: going.address.map(address),
            chosen: going.chosen,
            own_city: &facts.city,
            no_region: facts.no_region,
        };
        let Located { placed, geocoded, by_address, chosen, .. } = delivery::locate(tx, asking).await?;
        if going.chosen.is_some() && chosen.is_none() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("delivery_region_id", Fault::NotExist));
        }
        let reason = going.reason.map(str::to_owned);
        let (found, by) = match (chosen, placed) {
            (Some(chosen), _) => (Some(*chosen), Some(FoundBy::Staff)),
            (None, Placed::NoRegions) => (None, None),
            (None, Placed::Region(found)) => {
                let by = match found.street {
                    Some(_) => FoundBy::Street,
                    None if geocoded.is_some() => FoundBy::Geocoded,
                    None => FoundBy::Shape,
                };
                (Some(*found), Some(by))
            }
            (None, Placed::Outside) => (None, Some(FoundBy::Outside)),
            (None, Placed::Unknown) => (None, Some(FoundBy::Unknown)),
        };
        let by_address = by_address.filter(|_| by == Some(FoundBy::Shape)).map(|one| one.region);
        let geocoded = geocoded.filter(|_| by != Some(FoundBy::Staff));
        Ok(Self { found, by, by_address, point: going.point.or(geocoded), reason })
    }

    /// As pricing knows it.
    pub fn place(&self) -> Place {
        match (&self.found, self.by) {
            (Some(found), _) => Place::Region(Region {
                fee: DeliveryFee {
                    price: found.price(),
                    threshold_price: found.region.threshold_price,
                    price_under_threshold: found.region.price_under_threshold.unwrap_or_default(),
                },
                min_order_price: Some(found.region.min_order_price),
            }),
            (None, Some(FoundBy::Outside)) => Place::Outside,
            (None, Some(_)) => Place::Unknown,
            (None, None) => Place::NotAsked,
        }
    }

    /// The guest's own coordinates, or those of the address by which it was looked for.
    pub fn point(&self) -> Option<(f64, f64)> {
        self.point
    }

    pub fn region(&self) -> Option<&RegionFacts> {
        self.found.as_ref().map(|found| &found.region)
    }

    /// The region's street, where it was found by one.
    pub fn street(&self) -> Option<&str> {
        self.found.as_ref()?.street.as_ref().map(|street| street.name.as_str())
    }

    pub fn found_by(&self) -> Option<&'static str> {
        self.by.map(FoundBy::name)
    }

    /// What the region costs.
    pub fn prices(&self) -> Option<DeliveryPrices> {
        self.found.as_ref().map(|found| DeliveryPrices {
            price: found.price(),
            min_order_price: found.region.min_order_price,
            threshold_price: found.region.threshold_price,
            price_under_threshold: found.region.price_under_threshold,
            courier_price: found.region.courier_price,
        })
    }

    /// Somebody chose the region, or lets the order pass.
    pub fn by_staff(&self) -> bool {
        self.by == Some(FoundBy::Staff) || self.reason.is_some()
    }

    /// Why somebody lets the order pass.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The region that the address leads to, where the coordinates lie in another.
    pub fn by_address(&self) -> Option<&RegionFacts> {
        self.by_address.as_ref()
    }

    pub fn quoted(&self) -> Option<QuoteDeliveryRegion> {
        let (region, prices) = (self.region()?, self.prices()?);
        Some(QuoteDeliveryRegion {
            id: region.id,
            name: region.name.clone(),
            name_sec_lang: region.name_sec_lang.clone(),
            street: self.street().map(str::to_owned),
            found_by: self.found_by().unwrap_or_default().to_owned(),
            prices,
            address_region_name: self.by_address().map(|other| other.name.clone()),
        })
    }
}

/// As regions are looked for by it.
pub fn address(sent: &DeliveryData) -> Address<'_> {
    Address {
        postcode: sent.postcode.as_deref(),
        city: Some(&sent.city),
        street: Some(&sent.street),
        number: Some(&sent.premise_number),
    }
}

//! Delivery: regions with their streets and shapes, and the search for an address. Orders ask
//! [`locate`]. See `docs/decisions/delivery.md`.

mod check;
mod copy;
mod find;
mod geocode;
mod guest_place;
mod import;
mod import_answers;
mod import_form;
mod import_store;
mod orders_map;
mod place;
mod polygons;
mod polygons_api;
mod polygons_store;
mod price;
mod regions;
mod regions_import;
mod rekey;
mod rules;
mod shape;
mod street;
mod streets;
mod streets_import;
mod words;

pub use find::{Address, Located, Placed, RegionQuery, locate};
pub use guest_place::place_of_address;
pub use regions::DeliveryRegions;
pub use rules::{Candidate, Match, RegionFacts, StreetFacts, Why};
pub use street::Exactness;
pub use streets::DeliveryStreets;

use access::{
    domain::{Copying, Services},
    prelude::*,
};

/// This crate in the server's list.
pub struct Domain;

const HAS_AMOUNTS: &str =
    "select 1 from delivery_region where restaurant_id = $1 and archived_at is null limit 1";

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            geocode::Geocode::default(),
            (DeliveryRegions, regions_import::DeliveryRegionImports),
            (DeliveryStreets, streets_import::DeliveryStreetImports),
            polygons_api::DeliveryPolygonsApi,
            orders_map::DeliveryOrdersMap,
            (check::DeliveryChecks, check::PublicDeliveryChecks),
        )
    }

    fn jobs(&self, _: &Services) -> Vec<(&'static str, work::Handler)> {
        rekey::handlers()
    }

    async fn copy(&self, tx: &TenantTx, copying: &Copying) -> Result<()> {
        copy::copy(tx, copying).await
    }

    async fn check_currency(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        if tx.row(HAS_AMOUNTS, [restaurant.into()]).await?.is_some() {
            Err(Code::CURRENCY_FIXED.into())
        } else {
            Ok(())
        }
    }
}

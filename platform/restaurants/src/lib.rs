//! Restaurants: what they are, when they are open, how they deliver; and [`facts`], what an order needs to know of one.

mod facts;
mod features;
mod opening_hours;
mod platform;
mod settings;

use poem_openapi::OpenApi;

pub use facts::{Facts, facts};
pub use settings::Vat;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (settings::PartnerRestaurants, settings::Restaurants, opening_hours::OpeningHoursApi, features::Features, platform::PlatformRestaurants)
}

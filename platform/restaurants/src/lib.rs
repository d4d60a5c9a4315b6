//! Restaurants: their data, hours and delivery; and [`facts`], what an order needs of one.

mod copy;
pub mod events;
mod facts;
mod features;
mod getting_started;
mod groups;
mod history;
mod holidays;
mod legal;
mod opening_hours;
mod platform;
mod public;
mod public_restaurant;
mod settings;
mod socials;
mod switches;

use poem_openapi::OpenApi;

pub use copy::{Copiers, Copying, TakeOver};
pub use events::Event;
pub use facts::{Facts, facts, lock, raise_catalogue_version, raise_catalogue_version_from};
pub use getting_started::{ADVISED, Guide, NEEDED, Step, StepCheck};
/// The table of restaurant groups, for resources that live in one.
pub use groups::Entity as RestaurantGroups;

/// Who does which kind of job.
#[must_use]
pub fn handlers() -> Vec<(&'static str, work::Handler)> {
    settings::handlers()
}

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (
        settings::PartnerRestaurants,
        settings::Restaurants,
        (opening_hours::OpeningHoursApi, holidays::RestaurantHolidays, public::PublicOpeningHours),
        (legal::LegalFile, socials::PublicSocials, socials::Socials),
        (features::Features, getting_started::GettingStartedApi, history::SettingsHistory),
        (public_restaurant::PublicRestaurants, public_restaurant::PublicFeatures),
        (platform::PlatformRestaurants, switches::SwitchesApi),
        (groups::Groups, groups::RestaurantMove),
    )
}

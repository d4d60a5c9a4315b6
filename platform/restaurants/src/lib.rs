//! Restaurants: their data, hours and delivery; and [`facts`], the part that orders need.

mod archive;
mod busy;
mod busy_api;
mod copy;
mod depots;
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
mod pos_config;
mod public;
mod public_restaurant;
mod settings;
mod socials;
mod switches;

use access::domain::{Services, SettingsOf, Step};
use poem_openapi::OpenApi;
use work::events::{DescribeMessage, describe_message};

pub use busy::Busy;
pub use events::Event;
pub use facts::{Facts, facts, facts_by, facts_of_any, facts_of_live, facts_statement, lock};
/// The table of restaurant groups, for resources that live in one.
pub use groups::Entity as RestaurantGroups;
pub use settings::no_region;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            settings::PartnerRestaurants,
            (settings::Restaurants, busy_api::RestaurantBusy),
            (opening_hours::OpeningHoursApi, holidays::RestaurantHolidays, public::PublicOpeningHours),
            (legal::LegalFile, socials::PublicSocials, socials::Socials),
            (features::Features, getting_started::GettingStartedApi, history::SettingsHistory),
            (public_restaurant::PublicRestaurants, public_restaurant::PublicFeatures),
            (platform::PlatformRestaurants, switches::SwitchesApi),
            (groups::Groups, groups::RestaurantMove, depots::DepotPicker),
            (archive::ArchivedRestaurants, pos_config::PosConfigs),
        )
    }

    fn jobs(&self, _: &Services) -> Vec<(&'static str, work::Handler)> {
        settings::handlers()
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![describe_message::<events::RestaurantEvent>]
    }

    fn steps(&self) -> Vec<Step> {
        getting_started::own_steps()
    }

    fn settings(&self) -> Vec<SettingsOf> {
        history::own_settings()
    }
}

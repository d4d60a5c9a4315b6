//! Devices that sign in by themselves: pairing, secrets, last seen; kiosks; guest TVs and their boards.

mod board;
mod code;
mod devices;
pub mod events;
mod kiosks;
mod own;
mod store;
mod tvs;
mod types;

use poem_openapi::OpenApi;
use work::{
    Subscriptions,
    events::{DescribeMessage, describe_message},
};

pub use board::{GUEST_TV, tv_board};
pub use events::Event;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (kiosks::KiosksApi, types::Devices, own::OwnDevices, tvs::RestaurantTvs)
    }

    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table
            .wake(GUEST_TV, orders::Event::changes_board)
            .wake(GUEST_TV, |_: &restaurants::Event| true)
            .wake(GUEST_TV, |_: &Event| true)
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![describe_message::<events::DeviceEvent>]
    }
}

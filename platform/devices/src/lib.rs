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

pub use board::{GUEST_TV, tv_board};
pub use events::Event;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (kiosks::KiosksApi, types::Devices, own::OwnDevices, tvs::RestaurantTvs)
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers() -> Vec<(&'static str, work::Handler)> {
    vec![]
}

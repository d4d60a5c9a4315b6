//! Orders: quoted, taken, shown to staff, accepted, archived.

pub mod board;
mod cart;
mod count;
mod emails;
mod fresh;
mod guide;
mod input;
mod jobs;
mod phone;
mod place;
mod read;
mod store;
mod types;
mod waiting;

pub use guide::has_test_order;
use poem_openapi::OpenApi;

pub use jobs::handlers;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (place::PublicOrders, fresh::Orders, count::Waiting, emails::OrderEmails)
}

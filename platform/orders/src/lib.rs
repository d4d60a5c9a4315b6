//! Orders: quoted, placed, shown to staff, accepted, archived. See `docs/decisions/orders.md`.

pub mod board;
mod cart;
mod checkout;
mod count;
mod emails;
pub mod events;
mod fresh;
mod guide;
mod input;
mod jobs;
mod phone;
mod place;
mod read;
mod row;
mod state;
mod store;
mod types;
mod values;
mod waiting;

pub use emails::{
    SEND as EMAIL, SEND_ACCEPTED as ACCEPTANCE_EMAIL, acceptance_email as wants_acceptance_email,
    email as wants_email,
};
pub use events::Event;
pub use guide::has_test_order;
use poem_openapi::OpenApi;

pub use jobs::{DUE, EXPIRE, announcement as wants_announcement, expiry as wants_expiry, handlers};

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (place::PublicOrders, fresh::Orders, count::Waiting, emails::OrderEmails)
}

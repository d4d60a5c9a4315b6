//! The people around an order: couriers, later customers and their balances.

mod couriers;

use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (couriers::Couriers, ())
}

//! The people around an order: couriers now, customers and their balances later.

mod couriers;

use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (couriers::Couriers, ())
}

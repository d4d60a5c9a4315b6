//! The people around an order: couriers now, customers and their balances later.

mod couriers;
// new-resource: modules

use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (
        couriers::Couriers,
        // new-resource: operations
        (),
    )
}

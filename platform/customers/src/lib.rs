//! The people around an order: couriers, later customers and their balances.

mod couriers;

use poem_openapi::OpenApi;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (couriers::Couriers, ())
    }
}

//! The people around an order: couriers, and customers in short. Balances come later.

mod couriers;
mod demo;
mod shadow_customers;

use poem_openapi::OpenApi;

pub use demo::demo_customers;
pub use shadow_customers::{Guest, ShadowCustomer, ShadowCustomers, exists, find, find_or_create, short};

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (couriers::Couriers, shadow_customers::ShadowCustomers)
    }
}

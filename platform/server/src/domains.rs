//! The domain crates of the service, in one list.

use access::{
    domain::{Domain, Domains},
    raw::RawRoute,
};
use poem_openapi::OpenApi;

/// Makes the list, and the operations of all in it. Operations are types, so they cannot be read from a list
/// of values: tuples in tuples hold them.
macro_rules! domains {
    (@api) => { () };
    (@api $first:ident $($others:ident)*) => {
        (<$first::Domain as Domain>::api(), domains!(@api $($others)*))
    };
    ($($name:ident),* $(,)?) => {
        /// Every domain crate.
        pub(crate) static DOMAINS: Domains = &[$(&$name::Domain),*];

        /// Every operation of the product.
        #[must_use]
        pub fn api() -> impl OpenApi {
            (crate::routes::StartUp, domains!(@api $($name)*))
        }
    };
}

// Their order is the order of the steps of getting started.
domains![
    restaurants, payment_methods, catalogue, menu_import, orders, accounts, customers, promotions, console,
    media, content, devices, delivery, statistics, online_payments,
];

/// The product's routes beside the document.
#[must_use]
pub fn raw_routes() -> Vec<RawRoute> {
    DOMAINS.iter().flat_map(|domain| domain.raw_routes()).collect()
}

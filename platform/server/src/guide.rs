//! Collects what several domains contribute for a new restaurant: steps of getting started, and what a copy
//! contains.

use futures_util::FutureExt;
use restaurants::{ADVISED, Copiers, Guide, NEEDED, Step, TakeOver};

/// The guide of this service.
pub(crate) fn guide() -> Guide {
    Guide::new([
        // Cash is always taken.
        Step {
            key: "payment_methods",
            needed: ADVISED,
            done: |tx, restaurant| payments::has_methods(tx, restaurant).boxed(),
        },
        Step {
            key: "menu",
            needed: NEEDED,
            done: |tx, restaurant| catalogue::has_menu(tx, restaurant).boxed(),
        },
        Step {
            key: "test_order",
            needed: ADVISED,
            done: |tx, restaurant| orders::has_test_order(tx, restaurant).boxed(),
        },
        Step { key: "staff", needed: ADVISED, done: |tx, _| accounts::has_colleagues(tx).boxed() },
    ])
}

/// What a copy of a restaurant takes over, domain by domain.
pub(crate) fn copiers() -> Copiers {
    Copiers::new([(|tx, copying| catalogue::copy(tx, copying).boxed()) as TakeOver, |tx, copying| {
        payments::copy(tx, copying).boxed()
    }])
}

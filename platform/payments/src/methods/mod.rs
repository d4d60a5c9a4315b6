//! Payment methods: which of the reference rows a restaurant takes, its accounts at online providers, the
//! rate of the euro.

mod api;
mod chosen;
mod public;
mod rules;
mod store;
mod types;

pub(crate) use api::PaymentMethods;
pub use chosen::{Channel, ChosenMethod, chosen};
pub(crate) use public::PublicPaymentMethods;

//! Payment methods: the restaurant's choice of reference rows, its accounts at online providers, the euro
//! rate. See `docs/decisions/payments.md#payment-methods`.

mod api;
mod chosen;
mod online;
mod public;
mod rules;
mod store;
mod types;

pub(crate) use api::{PaymentMethods, history};
pub use chosen::{Channel, ChosenMethod, NamedMethod, chosen, facts_and_chosen, offered};
pub use online::{OnlinePaymentSettings, PaymentOutcome, online_settings};
pub(crate) use public::PublicPaymentMethods;
pub use store::euro_rate;

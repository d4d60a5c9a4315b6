//! The states of an order. See `docs/decisions/orders.md#states`.

mod rules;
mod run;

pub(crate) use rules::{Action, allowed, may_change, placed};
pub(crate) use run::{Change, Outcome, change, pay_late};
pub use run::{OnlinePayment, end_online_payment};

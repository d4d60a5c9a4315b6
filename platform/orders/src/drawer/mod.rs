//! The drawer of cash, of the restaurant or of a courier: expected and counted amounts. See
//! `docs/decisions/payments.md#drawer`.

mod api;
mod assume;
mod close;
mod hand_in;
mod store;
mod types;

pub(crate) use api::Drawers;
pub(crate) use assume::{ASSUME, assume_job, wait_for_the_end};

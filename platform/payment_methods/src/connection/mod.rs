//! A restaurant's connection to the company of its card terminals. See
//! `docs/decisions/payments.md#card-terminals`.

mod api;
mod held;
mod store;
mod tokens;

pub(crate) use api::Connection;
pub(crate) use api::way_back;

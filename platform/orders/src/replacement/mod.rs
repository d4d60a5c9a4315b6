//! Changing the items of an order: a new one takes its place, in one transaction. See
//! `docs/decisions/orders.md#changing-items`.

mod api;
mod cart;
mod lines;
mod run;
mod store;

pub(crate) use api::Replacements;
pub(crate) use run::Begun;
pub use run::Replaces;

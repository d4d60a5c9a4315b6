//! Changing an order until it is prepared: contact, place, wanted time, payment method, message, courier. Goods are
//! never priced again. See `docs/decisions/orders.md#changing-an-order`.

mod api;
mod figures;
mod input;
mod money;
mod place;
mod run;
mod store;
mod time;

pub(crate) use api::{Call, change};
pub(crate) use input::OrderEdit;

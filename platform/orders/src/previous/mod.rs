//! Previous orders: filtered, paged, summed up. See `docs/decisions/orders.md#previous-orders`.

mod api;
mod filter;
mod store;

pub(crate) use api::PreviousOrders;

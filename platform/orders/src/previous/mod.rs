//! Previous orders: filtered, paged, summed up; filters that are kept. See
//! `docs/decisions/orders.md#previous-orders`.

mod api;
mod filter;
mod saved;
mod store;

pub(crate) use api::PreviousOrders;
pub use filter::OrderFilter;
pub(crate) use filter::{DateFilter, DiscountFilter, StornoFilter};
pub(crate) use saved::OrderFilters;
pub use store::filtered;
pub(crate) use store::fresh;

//! Balance and points: two ledgers by customer and group of restaurants. Rows are added and never change. See
//! `docs/decisions/customers.md#ledgers`.

mod api;
mod points;
mod rules;
mod store;
mod types;

pub(crate) use api::Balances;
pub(crate) use points::Points;
pub use store::{BalanceRow, Ledger, Order, PointRow, add_balance, add_points};
pub use types::{BalanceTransactionType, PointTransactionType};

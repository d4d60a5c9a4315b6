//! Balance and points: two ledgers by customer and group of restaurants. Rows are added and never change. See
//! `docs/decisions/customers.md#ledgers`.

/// The rows of a person in a group and a span, those of merged customers included.
macro_rules! rows_of {
    ($ledger:literal, $what:literal) => {
        concat!(
            "select ",
            $what,
            " from ",
            $ledger,
            " b left join shadow_customer_comment n on n.row_id = b.id \
             where b.shadow_customer_id in (select c.id from shadow_customer c \
                where c.id = $1 or c.root_id = $1) and b.restaurant_group_id = $2 \
             and ($3::timestamptz is null or b.transaction_at >= $3) \
             and ($4::timestamptz is null or b.transaction_at < $4)"
        )
    };
}

mod api;
mod points;
mod rules;
mod store;
mod types;

pub(crate) use api::Balances;
pub(crate) use points::Points;
pub use store::{BalanceRow, Ledger, Order, PointRow, add_balance, add_points, earned_points, lock_ledgers};
pub use types::{BalanceTransactionType, PointTransactionType};

//! The people around an order: couriers and customers. See `docs/decisions/customers.md`.

mod addresses;
mod anonymise;
mod api;
mod by_phone;
mod couriers;
mod demo;
mod export;
mod identity;
mod ids;
mod import;
mod ledger;
mod list;
mod merge;
mod orders;
pub mod phone;
mod read;
mod seen;
mod store;
mod types;

use access::prelude::*;
use poem_openapi::OpenApi;

pub use addresses::note_address;
pub use by_phone::count_asked;
pub use demo::demo_customers;
pub use identity::{
    CountedOrder, FoundCustomer, Guest, add_order, count_orders, exists, find, find_or_create, short,
};
pub use ids::ShadowCustomers;
pub use ledger::{
    BalanceRow, BalanceTransactionType, Ledger, Order, PointRow, PointTransactionType, add_balance,
    add_points, earned_points, lock_ledgers,
};
pub use types::ShadowCustomer;

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            couriers::Couriers,
            ShadowCustomers,
            ids::Addresses,
            ledger::Balances,
            ledger::Points,
            by_phone::ByPhone,
            (import::Imports, export::Exports),
        )
    }

    async fn check_currency(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        let sql = "select 1 from shadow_customer_balance b join restaurant_facts r \
            on r.restaurant_group_id = b.restaurant_group_id where r.id = $1 limit 1";
        let row = tx.row(sql, [restaurant.into()]).await?;
        if row.is_some() { Err(Code::CURRENCY_FIXED.into()) } else { Ok(()) }
    }
}

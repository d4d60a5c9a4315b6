//! Promotions: discounts, coupons with their codes, upsells, the customers they are locked to, and their uses.
//! Orders load them ([`load`]), take their uses ([`take`]) and give them back ([`give_back`]). See
//! `docs/decisions/promotions.md`.

mod answer;
mod api;
mod codes;
mod copy;
mod draft;
mod entity;
mod load;
mod revenue;
mod rules;
mod running;
mod series;
mod store;
mod types;
mod usages;
mod uses;
mod values;

pub use draft::write_draft;
pub use entity::Discounts;
pub use load::{Loaded, PromotionName, PromotionQuery, load, unknown};
pub use types::{Discount, NewDiscount};
pub use uses::{Applied, Taking, correct, exchange, give_back, take};
pub use values::DiscountType;

use access::prelude::*;

/// This crate in the server's list.
pub struct Domain;

const HAS_AMOUNTS: &str = "select 1 from discount where $1 = any (restaurant_ids) and archived_at is null \
    and currency is not null limit 1";

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            Discounts,
            copy::DiscountCopies,
            running::RunningApi,
            revenue::RevenueApi,
            usages::DiscountUsages,
            series::SeriesApi,
        )
    }

    async fn check_currency(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        if tx.row(HAS_AMOUNTS, [restaurant.into()]).await?.is_some() {
            Err(Code::CURRENCY_FIXED.into())
        } else {
            Ok(())
        }
    }
}

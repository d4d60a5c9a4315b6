//! Whether an order has been tried: a step of getting started.

use access::prelude::*;

/// Whether the restaurant has had a test order that went a guest's way: what staff take at the phone or the
/// till passes by opening hours and much else.
pub async fn has_test_order(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    let sql = "select exists (select 1 from orders where restaurant_id = $1 and is_test \
               and (admin_id is null or platform not in ('phone', 'take_away', 'sit_in'))) done";
    Ok(tx.value(sql, [restaurant.into()]).await?.unwrap_or(false))
}

//! Whether a restaurant has a menu: a step of getting started.

use access::prelude::*;

const HAS_MENU: &str = "select exists (select 1 from subproduct s join product p on p.id = s.product_id join \
    product_category c on c.id = p.product_category_id \
    where s.restaurant_id = $1 and s.active and p.active and c.active and s.archived_at is null and \
    p.archived_at is null and c.archived_at is null) done";

/// Whether the restaurant has anything that can be sold.
pub async fn has_menu(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    Ok(tx.value(HAS_MENU, [restaurant.into()]).await?.unwrap_or(false))
}

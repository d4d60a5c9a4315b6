//! Payment methods of a new restaurant: a step of getting started, and copying them from another restaurant.

use access::{domain::Copying, prelude::*};

const HAS_METHODS: &str = "select exists (select 1 from payment_settings where restaurant_id = $1 and \
    methods_set_at is not null) done";

/// Whether somebody has chosen how guests pay.
///
/// # Errors
/// What the database says.
pub async fn has_methods(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    let row = tx.row(HAS_METHODS, [restaurant.into()]).await?;
    Ok(row.map(|row| row.try_get("", "done")).transpose()?.unwrap_or(false))
}

const METHODS: &str = "insert into restaurant_payment_method (restaurant_id, payment_method_id) \
    select $2, payment_method_id from restaurant_payment_method where restaurant_id = $1";
const SETTINGS: &str = "insert into payment_settings (restaurant_id, eur_huf_rate, methods_set_at) \
    select $2, eur_huf_rate, methods_set_at from payment_settings where restaurant_id = $1";

/// Takes over methods and rate. Accounts at providers, their secrets and card terminals belong to one place
/// and stay there.
///
/// # Errors
/// What the database says.
pub async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    let (from, to) = (copying.from, copying.to);
    tx.run(METHODS, [from.into(), to.into()]).await?;
    tx.run(SETTINGS, [from.into(), to.into()]).await?;
    Ok(())
}

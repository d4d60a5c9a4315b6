//! The people of a restaurant and their PINs: steps of getting started.

use kernel::{Id, Restaurant, Result};
use tenants::TenantTx;

const HAS_COLLEAGUES: &str =
    "select count(*) > 1 done from control.admins(null, $1, null, null, false, 2, 0)";

/// Whether more than one person works in the restaurant, or is invited to: people of the whole partner do.
pub async fn has_colleagues(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    Ok(tx.value(HAS_COLLEAGUES, [restaurant.into()]).await?.unwrap_or(false))
}

const HAS_PIN: &str = "select exists (select 1 from control.admins(null, $1, null, 'active', false, 200, 0) where has_pin) done";

/// Whether somebody of the restaurant has a PIN, without which nobody can order an export.
pub async fn has_pin(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    Ok(tx.value(HAS_PIN, [restaurant.into()]).await?.unwrap_or(false))
}

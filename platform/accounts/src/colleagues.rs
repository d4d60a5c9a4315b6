//! Whether a restaurant has more than one user: a step of getting started.

use kernel::Result;
use tenants::TenantTx;

/// Whether more than one person can work for the partner.
///
/// # Errors
/// What the database says.
pub async fn has_colleagues(tx: &TenantTx) -> Result<bool> {
    let row = tx.row("select count(*) > 1 done from staff where not archived", []).await?;
    Ok(row.map(|row| row.try_get("", "done")).transpose()?.unwrap_or(false))
}

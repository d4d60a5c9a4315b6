//! Payments that wait after a restore. See `docs/decisions/payments.md#after-a-restore`.

use access::prelude::*;
use sea_orm::FromQueryResult;

/// Why nothing is paid online now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename = "PaymentPauseKind", rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PauseKind {
    /// The partner was brought back to a moment.
    Restored,
    /// It is a clone, and stays paused.
    Cloned,
}

/// Nothing that is paid online is offered; no start, capture or refund leaves.
#[derive(Debug, Clone, Copy, FromQueryResult)]
pub struct PaymentPause {
    pub kind: PauseKind,
    /// The moment to which the partner went back.
    pub since: Timestamp,
}

/// Whether the partner's payments wait.
pub async fn payment_pause(tx: &TenantTx) -> Result<Option<PaymentPause>> {
    Ok(tx.one("select kind, since from payment_pause", []).await?)
}

/// They go on. False where they did not wait, or it is a clone.
pub async fn end_payment_pause(tx: &TenantTx) -> Result<bool> {
    Ok(tx.run("delete from payment_pause where kind = 'restored'", []).await? > 0)
}

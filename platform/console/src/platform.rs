//! The common part of a super admin's calls: a unit of work of the platform, and a line in the platform's audit
//! log.

use access::{Actor, Platform, prelude::*};
use kernel::request;
use serde_json::Value;
use tenants::ControlTx;
use uuid::Uuid;

/// The version of a schema after all migrations.
pub(crate) async fn schema_version(caller: &Platform) -> Result<String> {
    let version = caller.begin().await?.value("select schema_version from installation", []).await?;
    Ok(version.ok_or(Code::UNKNOWN_ERROR)?)
}

/// One line of what happened on the platform.
pub(crate) async fn audit(
    tx: &ControlTx, caller: &Platform, action: &str, partner: Option<Uuid>, record: Option<Uuid>,
    details: Value,
) -> Result<()> {
    let values = [
        "admin".into(),
        caller.0.account.into(),
        caller.name().into(),
        action.into(),
        partner.into(),
        record.into(),
        request::id().into(),
        details.into(),
    ];
    tx.rows("select control.audit($1, $2, $3, $4, $5, $6, $7, $8)::text", values).await?;
    Ok(())
}

/// Writes the same into the partner's own audit log and makes both last: a partner sees what the platform did
/// to it. A partner that has no schema yet has no log.
pub(crate) async fn commit(
    tx: ControlTx, caller: &Platform, partner: Id<Partner>, support: Option<Uuid>, action: &str,
    details: Value,
) -> Result<()> {
    let rows = tx
        .rows("select 1 from partner where id = $1 and schema_version is not null", [partner.into()])
        .await?;
    if rows.is_empty() {
        return Ok(tx.commit().await?);
    }
    let Some(tx) = tx.enter(partner).await? else { return Err(Code::UNKNOWN_ERROR.into()) };
    let name = caller.name();
    let actor = Actor { kind: "support", id: support.or(Some(caller.0.account.uuid())), name: &name };
    access::write_audit(&tx, None, &actor, action, Some(partner.uuid()), details).await?;
    Ok(tx.commit().await?)
}

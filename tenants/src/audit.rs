//! Whether the audit logs are still what was written. See `docs/decisions/security.md#audit-log`.

use kernel::{Id, Partner};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use crate::{setup::Setup, tx::all};

#[derive(Debug)]
pub struct CheckedLog {
    /// The partner; none for the platform's own log.
    pub partner: Option<Id<Partner>>,
    pub sealed: i64,
    /// Faults, one sentence each; empty when the log is intact.
    pub faults: Vec<String>,
}

#[derive(FromQueryResult)]
struct Log {
    id: Option<Uuid>,
    sealed: i64,
}

#[derive(FromQueryResult)]
struct Fault {
    number: Option<i64>,
    audit_id: Option<Uuid>,
    fault: String,
}

/// Checks the chains of the platform's own audit log and of every partner's, up to their heads in `control`.
/// It reads only.
pub async fn verify_audit(setup: &Setup) -> Result<Vec<CheckedLog>, DbErr> {
    let sql = "select null::uuid id, number sealed from control.platform_head \
               union all \
               (select p.id, coalesce(h.number, 0) from control.partner p left join control.audit_head h on \
               h.partner_id = p.id \
                where p.status <> 'creating' and p.server = 'default' order by p.id)";
    let mut logs = Vec::new();
    for Log { id: partner, sealed } in all(&setup.db, sql, []).await? {
        let sql = "select number, audit_id, fault from control.verify_audit($1)";
        let faults = all(&setup.db, sql, [partner.into()]).await?.into_iter().map(|row: Fault| {
            let line = row.audit_id.map(|id| id.to_string()).unwrap_or_default();
            let number = row.number.map(|number| number.to_string()).unwrap_or_default();
            format!("line {number} {line}: {}", row.fault)
        });
        logs.push(CheckedLog { partner: partner.map(Id::from_uuid), sealed, faults: faults.collect() });
    }
    Ok(logs)
}

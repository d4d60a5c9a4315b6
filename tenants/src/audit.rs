//! Whether the audit logs are still what was written. See `docs/decisions/security.md#audit-log`.

use kernel::{Id, Partner};
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::{setup::Setup, tx::statement};

/// The result of checking a log.
#[derive(Debug)]
pub struct CheckedLog {
    /// The partner; none for the platform's own log.
    pub partner: Option<Id<Partner>>,
    /// How many lines are sealed.
    pub sealed: i64,
    /// Faults, one sentence each; empty when the log is intact.
    pub faults: Vec<String>,
}

/// Checks the chains of the platform's own audit log and of every partner's, up to their heads in `control`.
/// It reads only.
///
/// # Errors
/// What the database says.
pub async fn verify_audit(setup: &Setup) -> Result<Vec<CheckedLog>, DbErr> {
    let sql = "select null::uuid id, number sealed from control.platform_head \
               union all \
               (select p.id, coalesce(h.number, 0) from control.partner p left join control.audit_head h on \
               h.partner_id = p.id \
                where p.status <> 'creating' order by p.id)";
    let mut logs = Vec::new();
    for row in setup.db.query_all_raw(statement(sql, [])).await? {
        let partner: Option<Uuid> = row.try_get("", "id")?;
        let sql = "select number, audit_id, fault from control.verify_audit($1)";
        let faults = setup.db.query_all_raw(statement(sql, [partner.into()])).await?;
        let faults = faults.iter().map(|row| {
            let line =
                row.try_get::<Option<Uuid>>("", "audit_id")?.map(|id| id.to_string()).unwrap_or_default();
            let number = row
                .try_get::<Option<i64>>("", "number")?
                .map(|number| number.to_string())
                .unwrap_or_default();
            Ok(format!("line {number} {line}: {}", row.try_get::<String>("", "fault")?))
        });
        let faults = faults.collect::<Result<_, DbErr>>()?;
        logs.push(CheckedLog {
            partner: partner.map(Id::from_uuid),
            sealed: row.try_get("", "sealed")?,
            faults,
        });
    }
    Ok(logs)
}

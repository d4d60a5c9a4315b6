//! Taking personal data out of what is kept about people who are anonymised: details of lines, and answers that
//! are kept for repeated requests. See `docs/decisions/customers.md#anonymising`.

use kernel::Result;
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

const DETAILS: &str = "update audit_detail set details = null where details is not null \
    and audit_id in (select id from audit where record_id = any ($1))";
const ANSWERS: &str = "update idempotency_key set answer = (answer::jsonb || $2)::text \
    where answer like any (select '%' || id || '%' from unnest($1::uuid[]) id) and left(answer, 1) = '{'";

/// Empties the details of the lines about these records. The lines stay, with the names of the fields.
///
/// # Errors
/// What the database says.
pub async fn forget(tx: &TenantTx, records: Vec<Uuid>) -> Result<()> {
    tx.run(DETAILS, [records.into()]).await?;
    Ok(())
}

/// Puts `fields` over those of the kept answers that name one of these records.
///
/// # Errors
/// What the database says.
pub async fn forget_answers(tx: &TenantTx, records: Vec<Uuid>, fields: Json) -> Result<()> {
    tx.run(ANSWERS, [records.into(), fields.into()]).await?;
    Ok(())
}

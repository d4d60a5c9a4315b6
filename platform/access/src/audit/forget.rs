//! Taking personal data out of what is kept about people who are anonymised: details of lines, and answers
//! that
//! are kept for repeated requests. See `docs/decisions/customers.md#anonymising`.

use kernel::Result;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

const DETAILS: &str = "update audit_detail set details = null where details is not null \
    and audit_id in (select id from audit where record_id = any ($1))";
const ANSWERS: &str = "select caller, operation, key, answer from idempotency_key \
    where answer like any (select '%' || id || '%' from unnest($1::uuid[]) id) order by caller, operation, key for update";
const KEEP: &str = "update idempotency_key set answer = $4 where caller = $1 and operation = $2 and key = $3";

#[derive(FromQueryResult)]
struct KeptAnswer {
    caller: String,
    operation: String,
    key: String,
    answer: String,
}

/// Empties these fields wherever they stand.
fn empty(answer: &mut Json, names: &[&str]) {
    match answer {
        Json::Object(fields) => {
            for (name, value) in fields {
                if names.contains(&name.as_str()) {
                    *value = Json::Null;
                } else {
                    empty(value, names);
                }
            }
        }
        Json::Array(rows) => rows.iter_mut().for_each(|row| empty(row, names)),
        _ => {}
    }
}

/// Empties the details of the lines about these records. The lines stay, with the names of the fields.
pub async fn forget(tx: &TenantTx, records: Vec<Uuid>) -> Result<()> {
    tx.run(DETAILS, [records.into()]).await?;
    Ok(())
}

/// Puts `fields` over those of the kept answers that name one of these records, and empties what stands under
/// one of the `remarks` anywhere in them: an answer about a payment has the order's id, but no field of the order.
pub async fn forget_answers(tx: &TenantTx, records: Vec<Uuid>, fields: Json, remarks: &[&str]) -> Result<()> {
    for kept in tx.all::<KeptAnswer>(ANSWERS, [records.into()]).await? {
        let Ok(mut answer) = serde_json::from_str::<Json>(&kept.answer) else { continue };
        if let (Json::Object(answer), Json::Object(fields)) = (&mut answer, &fields) {
            for (name, value) in fields {
                if let Some(known) = answer.get_mut(name) {
                    *known = value.clone();
                }
            }
        }
        empty(&mut answer, remarks);
        let values = [kept.caller.into(), kept.operation.into(), kept.key.into(), answer.to_string().into()];
        tx.run(KEEP, values).await?;
    }
    Ok(())
}

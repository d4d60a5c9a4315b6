//! Writing a line of the audit log.

use kernel::{Result, request};
use sea_orm::Value;
use serde_json::{Map, Value as Json};
use tenants::TenantTx;
use uuid::Uuid;

use super::seal::note_unsealed;
use crate::caller::Caller;

/// The actor.
#[derive(Debug, Clone)]
pub struct Actor<'a> {
    /// `admin`, `support`, `api_key` or `job`.
    pub kind: &'static str,
    /// Id of the admin row, the support access or the key.
    pub id: Option<Uuid>,
    /// The name.
    pub name: &'a str,
}

impl<'a> From<&'a Caller> for Actor<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self { kind: caller.kind(), id: caller.id(), name: caller.name() }
    }
}

const WRITE: &str = "with a as (insert into audit (id, restaurant_id, actor_kind, actor_id, actor_name, \
    action, record_id, request_id, fields) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id) insert into audit_detail \
                     (audit_id, details) select id, $10 from a";

/// Writes one line of the log. The details hold field values and may be emptied later; the line itself stays.
///
/// # Errors
/// What the database says.
pub async fn write(
    tx: &TenantTx,
    restaurant: Option<Uuid>,
    actor: &Actor<'_>,
    action: &str,
    record: Option<Uuid>,
    details: Json,
) -> Result<()> {
    // The names of the fields are part of the line: they stay when the details are emptied.
    let fields: Vec<String> =
        details.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect();
    let values: [Value; 10] = [
        Uuid::now_v7().into(),
        restaurant.into(),
        actor.kind.into(),
        actor.id.into(),
        actor.name.into(),
        action.into(),
        record.into(),
        request::id().into(),
        fields.into(),
        details.into(),
    ];
    tx.run(WRITE, values).await?;
    note_unsealed(tx.partner());
    Ok(())
}

/// The fields that differ, each with its old and its new value.
#[must_use]
pub fn difference(before: &Json, after: &Json) -> Json {
    let (Json::Object(before), Json::Object(after)) = (before, after) else {
        return Json::Null;
    };
    let changed: Map<String, Json> = after
        .iter()
        .filter(|(key, value)| before.get(*key).unwrap_or(&Json::Null) != *value && *key != "version")
        .map(|(key, value)| {
            // The log says that a readable secret changed, not its value.
            let shown = |value: Option<&Json>| {
                if key == "pin" { value.map(|_| "…".into()) } else { value.cloned() }
            };
            (key.clone(), serde_json::json!([shown(before.get(key)), shown(Some(value))]))
        })
        .collect();
    Json::Object(changed)
}

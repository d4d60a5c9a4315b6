//! The audit log: who did what, in the transaction that did it (security 41).

use kernel::{Result, request};
use sea_orm::Value;
use serde_json::{Map, Value as Json};
use tenants::TenantTx;
use uuid::Uuid;

use crate::scope::{Caller, In};

/// Who did something.
#[derive(Debug, Clone)]
pub struct Actor<'a> {
    /// `admin`, `api_key` or `job`.
    pub kind: &'static str,
    /// Id of the admin row or the key.
    pub id: Option<Uuid>,
    /// The name.
    pub name: &'a str,
}

impl<'a> From<&'a Caller> for Actor<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self { kind: caller.kind(), id: caller.id(), name: caller.name() }
    }
}

const WRITE: &str = "with a as (insert into audit (id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id) insert into audit_detail (audit_id, details) select id, $9 from a";

/// Writes one line of the log. The details hold field values and may be emptied later; the line itself stays.
///
/// # Errors
/// What the database says.
pub async fn write(tx: &TenantTx, restaurant: Option<Uuid>, actor: &Actor<'_>, action: &str, record: Option<Uuid>, details: Json) -> Result<()> {
    let values: [Value; 9] = [
        Uuid::now_v7().into(),
        restaurant.into(),
        actor.kind.into(),
        actor.id.into(),
        actor.name.into(),
        action.into(),
        record.into(),
        request::id().into(),
        details.into(),
    ];
    tx.run(WRITE, values).await?;
    Ok(())
}

/// The fields that differ, each with what it was and what it is.
#[must_use]
pub fn difference(before: &Json, after: &Json) -> Json {
    let (Json::Object(before), Json::Object(after)) = (before, after) else {
        return Json::Null;
    };
    let changed: Map<String, Json> = after
        .iter()
        .filter(|(key, value)| before.get(*key).unwrap_or(&Json::Null) != *value && *key != "version")
        .map(|(key, value)| (key.clone(), serde_json::json!([before.get(key), value])))
        .collect();
    Json::Object(changed)
}

impl<S, P> In<S, P> {
    /// Writes into the audit log that the caller did this to that record.
    ///
    /// # Errors
    /// What the database says.
    pub async fn audit(&self, tx: &TenantTx, restaurant: Option<Uuid>, action: &str, record: impl Into<Uuid>, details: Json) -> Result<()> {
        write(tx, restaurant, &Actor::from(self.caller()), action, Some(record.into()), details).await
    }
}

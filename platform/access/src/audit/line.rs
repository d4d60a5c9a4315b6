//! Writing a line of the audit log.

use kernel::{Result, request};
use rust_decimal::Decimal;
use sea_orm::Value;
use serde_json::{Map, Value as Json};
use tenants::TenantTx;
use uuid::Uuid;

use super::seal::note_unsealed;
use crate::caller::Caller;

#[derive(Debug, Clone)]
pub struct Actor<'a> {
    /// `admin`, `support`, `api_key` or `job`.
    pub kind: &'static str,
    /// Id of the admin row, the support access or the key.
    pub id: Option<Uuid>,
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
/// Null says that nothing differs (see [`difference`]): then there is no line.
pub async fn write(
    tx: &TenantTx, restaurant: Option<Uuid>, actor: &Actor<'_>, action: &str, record: Option<Uuid>,
    details: Json,
) -> Result<()> {
    if details.is_null() {
        return Ok(());
    }
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

/// Lists of which none is everything and an empty one is nothing.
const NONE_IS_ALL: &[&str] = &["restaurant_ids"];

/// Whether two values of this field say the same.
fn is_same_field(field: &str, before: &Json, after: &Json) -> bool {
    is_same(before, after) && (before.is_null() == after.is_null() || !NONE_IS_ALL.contains(&field))
}

/// Whether two values say the same: nothing is nothing however it is written, and `5` is `5.00`.
fn is_same(before: &Json, after: &Json) -> bool {
    let is_none = |value: &Json| match value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(values) => values.is_empty(),
        _ => false,
    };
    match (before, after) {
        (Json::Number(before), Json::Number(after)) if before != after => {
            let [before, after] = [before, after].map(|number| number.to_string().parse::<Decimal>());
            matches!((before, after), (Ok(before), Ok(after)) if before == after)
        }
        (Json::Array(before), Json::Array(after)) if before.len() == after.len() => {
            before.iter().zip(after).all(|(before, after)| is_same(before, after))
        }
        _ => before == after || is_none(before) && is_none(after),
    }
}

/// The fields that differ, each with its old and its new value; null when none does, which leaves no line.
#[must_use]
pub fn difference(before: &Json, after: &Json) -> Json {
    let (Json::Object(before), Json::Object(after)) = (before, after) else {
        return Json::Null;
    };
    let changed: Map<String, Json> = after
        .iter()
        .filter(|(key, value)| {
            let before = before.get(*key).unwrap_or(&Json::Null);
            !is_same_field(key, before, value) && *key != "version"
        })
        .map(|(key, value)| {
            // The log says that a readable secret changed, not its value.
            let shown = |value: Option<&Json>| {
                if key == "pin" { value.map(|_| "…".into()) } else { value.cloned() }
            };
            (key.clone(), serde_json::json!([shown(before.get(key)), shown(Some(value))]))
        })
        .collect();
    if changed.is_empty() { Json::Null } else { Json::Object(changed) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    #[test]
    fn only_what_says_something_else_differs() {
        let before: serde_json::Value = serde_json::from_str(
            r#"{"price": 5, "note": null, "tags": [], "rates": [1.50], "name": "01", "restaurant_ids": [],
                "version": 1}"#,
        )
        .unwrap();
        let after = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let same = r#"{"price": 5.00, "note": "", "tags": null, "rates": [1.5], "name": "01", "version": 2}"#;
        assert_eq!(difference(&before, &after(same)), json!(null));
        for (change, field) in [
            (r#"{"price": 5.01}"#, "price"),
            (r#"{"note": "0"}"#, "note"),
            (r#"{"tags": [""]}"#, "tags"),
            (r#"{"rates": [1.5, 1.5]}"#, "rates"),
            // Digits in a text are no number.
            (r#"{"name": "1"}"#, "name"),
            // Of restaurants none means all.
            (r#"{"restaurant_ids": null}"#, "restaurant_ids"),
        ] {
            let found = difference(&before, &after(change));
            assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{change}");
        }
    }
}

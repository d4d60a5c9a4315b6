//! Permissions that a change needs, and its fields in the audit log. See
//! `docs/decisions/catalogue.md#rights`.

use access::prelude::*;
use poem_openapi::types::ToJSON;
use serde_json::Value;

/// Fields of answers that are derived: they are neither changed nor audited.
pub(crate) const DERIVED: [&str; 14] = [
    "image", "image_web", "image_app", "image_desc", "effective", "children_count", "product_count",
    "subproduct_count", "base_price", "products", "option_groups", "options",
    // These two are changed by calls of their own.
    "daily_quantity", "off_until",
];

pub(crate) fn facts(answer: &impl ToJSON) -> Value {
    let mut value = answer.to_json().unwrap_or_default();
    strip(&mut value, &DERIVED);
    value
}

fn strip(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !keys.contains(&key.as_str()));
            map.values_mut().for_each(|value| strip(value, keys));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, keys)),
        _ => {}
    }
}

/// The difference between two states of a row and its child rows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Somewhere `active` was switched.
    pub activity: bool,
    /// Something else is different.
    pub other: bool,
}

/// Compares the facts of two answers.
pub(crate) fn difference(before: &Value, after: &Value) -> Difference {
    let without = |value: &Value, key| {
        let mut value = value.clone();
        strip(&mut value, &["version", key]);
        value
    };
    let other = without(before, "active") != without(after, "active");
    // Rows that came or went are another difference; here only those in both count.
    Difference { activity: switched(before, after), other }
}

fn switched(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            before.get("active") != after.get("active")
                || before
                    .iter()
                    .any(|(key, value)| after.get(key).is_some_and(|other| switched(value, other)))
        }
        (Value::Array(before), Value::Array(after)) => before.iter().any(|row| {
            after
                .iter()
                .any(|other| row["id"].is_string() && row["id"] == other["id"] && switched(row, other))
        }),
        _ => false,
    }
}

/// Refuses a change for which the caller lacks the right: switching `active` needs `catalog_activate`,
/// everything else `catalog_edit`. Clients send whole entities back, so what counts is what differs, not what
/// was sent.
/// Errors: `USER_PERMISSION_REQUIRED`.
pub(crate) fn check_right<S: Scope, P>(scope: &In<S, P>, before: &Value, after: &Value) -> Result<()> {
    let Difference { activity, other } = difference(before, after);
    for (needed, key) in [(other, "catalog_edit"), (activity, "catalog_activate")] {
        if needed {
            need(scope, key)?;
        }
    }
    Ok(())
}

/// Refuses when the caller does not hold this key.
/// Errors: `USER_PERMISSION_REQUIRED`.
pub fn need<S: Scope, P>(scope: &In<S, P>, key: &'static str) -> Result<()> {
    if scope.may(key) {
        Ok(())
    } else {
        Err(Problem::new(Code::USER_PERMISSION_REQUIRED).with("permission", Value::from(vec![key])))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn switching_and_editing_need_different_keys() {
        let row = |name: &str, active: bool, inner: bool| {
            json!({"name": name, "active": active, "version": 3,
            "subproducts": [{"id": "1", "active": inner, "price": 5}]})
        };
        let cases = [
            (row("a", true, true), false, false),
            (row("a", false, true), true, false),
            (row("a", true, false), true, false),
            (row("b", true, true), false, true),
            (row("b", false, true), true, true),
        ];
        for (after, activity, other) in cases {
            assert_eq!(difference(&row("a", true, true), &after), Difference { activity, other }, "{after}");
        }
    }

    #[test]
    fn a_new_row_is_an_edit_and_no_switch() {
        let before = json!({"subproducts": [{"id": "1", "active": true}]});
        let after = json!({"subproducts": [{"id": "1", "active": true}, {"id": "2", "active": false}]});
        assert_eq!(difference(&before, &after), Difference { activity: false, other: true });
    }
}

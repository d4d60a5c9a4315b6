//! What follows from an event: the table of subscriptions, and the messages to open windows. See
//! `docs/decisions/events-and-jobs.md#publishing`.

use poem_openapi::{Object, registry::Registry, types::Type};
use serde_json::{Map, Value, json};
use work::Subscriptions;

use crate::domains::DOMAINS;

/// Who does what when something happens. Each kind of job has its handler in the crate that subscribes.
#[must_use]
pub fn subscriptions() -> Subscriptions {
    DOMAINS.iter().fold(Subscriptions::default(), |table, domain| domain.subscriptions(table))
}

/// A message that says all by its name.
#[derive(Debug, Object)]
struct NoData {}

/// Messages of the socket itself: the window is live; it is up to date; it must load everything again; the
/// grants of its person have changed.
pub(crate) const HELLO: &str = "TASK_HELLO";
pub(crate) const HEARTBEAT: &str = "TASK_HEARTBEAT";
pub(crate) const RELOAD: &str = "TASK_RELOAD";
pub(crate) const GRANTS: &str = "TASK_ADMIN_RELOAD";

/// Adds the messages of `/fresh-orders` to the document: `LiveEvents` names the data of each.
pub(crate) fn describe(schemas: &mut Value) {
    let mut registry = Registry::new();
    let described = DOMAINS.iter().flat_map(|domain| domain.messages());
    let mut messages: Vec<_> = described.map(|describe| describe(&mut registry)).collect();
    NoData::register(&mut registry);
    messages.extend([HELLO, HEARTBEAT, RELOAD, GRANTS].map(|kind| (kind, NoData::schema_ref())));
    for (name, schema) in registry.schemas {
        schemas[name] = serde_json::to_value(schema).unwrap_or_default();
    }
    let properties: Map<String, Value> = messages
        .iter()
        .map(|(kind, schema)| ((*kind).to_owned(), serde_json::to_value(schema).unwrap_or_default()))
        .collect();
    let required: Vec<&String> = properties.keys().collect();
    schemas["LiveEvents"] = json!({
        "type": "object",
        "description": "The messages of the socket /fresh-orders, by the name in `event`: what stands in `data`.",
        "required": required,
        "properties": properties,
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_document_names_every_message() {
        let mut schemas = json!({});
        describe(&mut schemas);
        let change = &schemas["OrderChange"]["enum"];
        assert_eq!(
            change,
            &json!([
                "created", "due", "accepted", "taken_back", "escalated", "changed", "replaced", "prepared",
                "recalled", "archived", "expired", "paid", "refunded", "closed", "partially_stornoed"
            ])
        );
        let named: BTreeSet<&str> = schemas["LiveEvents"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        assert_eq!(named.len(), 13);
        assert_eq!(
            schemas["LiveEvents"]["properties"]["TASK_ORDERS_RELOAD"]["$ref"],
            "#/components/schemas/OrderEvent"
        );
    }
}

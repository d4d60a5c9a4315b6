//! What follows from an event: the table of subscriptions, and the messages to open windows. See
//! `docs/decisions/events-and-jobs.md#publishing`.

use content::events::{AnnouncementEvent, PushNotificationEvent};
use devices::{GUEST_TV, events::DeviceEvent};
use orders::events::OrderEvent;
use poem_openapi::{
    Object,
    registry::{MetaSchemaRef, Registry},
    types::Type,
};
use restaurants::events::RestaurantEvent;
use serde_json::{Map, Value, json};
use work::{Subscriptions, events::LiveMessage};

/// Who does what when something happens. Each kind of job has its handler in the crate that subscribes.
#[must_use]
pub fn subscriptions() -> Subscriptions {
    Subscriptions::default()
        .job(orders::EXPIRE, orders::wants_expiry)
        .job(orders::DUE, orders::wants_announcement)
        .job(orders::EMAIL, orders::wants_email)
        .job(orders::ACCEPTANCE_EMAIL, orders::wants_acceptance_email)
        .wake(GUEST_TV, orders::Event::changes_board)
        .wake(GUEST_TV, |_: &restaurants::Event| true)
        .wake(GUEST_TV, |_: &devices::Event| true)
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
    let mut messages = vec![
        message::<OrderEvent>(&mut registry),
        message::<RestaurantEvent>(&mut registry),
        message::<DeviceEvent>(&mut registry),
        message::<AnnouncementEvent>(&mut registry),
        message::<PushNotificationEvent>(&mut registry),
    ];
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

fn message<M: LiveMessage>(registry: &mut Registry) -> (&'static str, MetaSchemaRef) {
    M::register(registry);
    (M::KIND, M::schema_ref())
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
                "created",
                "due",
                "accepted",
                "taken_back",
                "prepared",
                "recalled",
                "archived",
                "expired"
            ])
        );
        let named: BTreeSet<&str> = schemas["LiveEvents"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        assert_eq!(named.len(), 9);
        assert_eq!(
            schemas["LiveEvents"]["properties"]["TASK_ORDERS_RELOAD"]["$ref"],
            "#/components/schemas/OrderEvent"
        );
    }
}

//! Mails about orders: to guests (received, accepted, time changed, refused), to the restaurant (a new one, one
//! that nobody accepts) and to those in charge of it (one that still nobody accepts). A restaurant may write its
//! own subject and text in both of its languages; an empty one means the default text. See `docs/decisions/messages.md#order-e-mails`.

mod api;
mod build;
mod in_charge;
mod jobs;
mod kind;
mod notification;
mod saved;
mod words;

use access::prelude::*;
use serde_json::json;
use work::Work;

use crate::{
    events::{Event, EventOrder},
    payments::RefundId,
    values::OrderStatus,
    wait::SECOND,
};
use kind::EmailKind;

pub(crate) use api::history;
pub(crate) use in_charge::{SEND_IN_CHARGE, send_in_charge, tell_in_charge};
pub(crate) use jobs::{TEST, send, send_test};
pub use kind::Lang;
pub(crate) use kind::OrderEmails;
pub use words::money;

/// The mail about an order that a job sends.
pub const SEND: &str = "order_email";
/// The mail that an order was accepted, or that this was taken back. A kind of its own: a release that does
/// not know that accepting can be taken back leaves it to one that does.
pub const SEND_ACCEPTED: &str = "order_email_accepted";
/// The mail that tells the restaurant of a new order.
pub const SEND_NOTIFICATION: &str = "order_email_notification";
/// The mail that tells the restaurant that nobody accepts an order.
pub const SEND_NOT_ACCEPTED: &str = "order_email_not_accepted";
/// The mail that money goes back to the guest.
pub const SEND_REFUNDED: &str = "order_email_refunded";
/// For so many seconds accepting can be taken back before the guest hears of it.
const PATIENCE: i64 = 8;
/// Subscriber: the guest is told that the order was received, or that it cannot be taken.
#[must_use]
pub fn email(event: &Event) -> Option<Work> {
    let (order, kind) = match event {
        // Of one that is accepted at once the mail about that says everything.
        Event::Arrived { order, .. } if order.status == OrderStatus::Succeeded => {
            (order, EmailKind::Received)
        }
        Event::Replaced { order, .. } => (order, EmailKind::Replaced),
        Event::Refused(order) | Event::Stornoed { order, guest_unaware: true } => (order, EmailKind::Refused),
        _ => return None,
    };
    let (id, kind) = (order.id, kind.name());
    order.has_email.then(|| Work {
        key: Some(format!("{kind}:{id}")),
        args: json!({"order_id": id, "kind": kind}),
        run_at: None,
    })
}

/// The guest is told that money goes back by the provider that took it.
pub(crate) async fn tell_refunded(tx: &TenantTx, order: &EventOrder, refund: Id<RefundId>) -> Result<()> {
    if !order.has_email {
        return Ok(());
    }
    let args = json!({"order_id": order.id, "kind": EmailKind::Refunded.name(), "refund_id": refund});
    work::enqueue(tx, SEND_REFUNDED, Some(&refund.to_string()), args, None).await
}

/// Subscriber: the restaurant is told of a new order.
#[must_use]
pub fn notification(event: &Event) -> Option<Work> {
    let Event::Arrived { order, tell_restaurant: true, .. } = event else { return None };
    let (id, kind) = (order.id, EmailKind::Notification.name());
    Some(Work {
        key: Some(format!("{kind}:{id}")),
        args: json!({"order_id": id, "kind": kind}),
        run_at: None,
    })
}

/// Subscriber: the restaurant is told that nobody accepts an order. What is told to those in charge at the next level is
/// one job each, and written with the level.
#[must_use]
pub fn not_accepted_email(event: &Event) -> Option<Work> {
    let Event::Escalated { order, level: SECOND, mail: true, .. } = event else { return None };
    let (id, kind) = (order.id, EmailKind::NotAccepted.name());
    Some(Work {
        key: Some(format!("{kind}:{id}")),
        args: json!({"order_id": id, "kind": kind}),
        run_at: None,
    })
}

/// Subscriber: the guest is told that the order was accepted, or is promised for another time, unless this is taken
/// back within 8 seconds, and one who knows a time that another is being set.
#[must_use]
pub fn acceptance_email(event: &Event) -> Option<Work> {
    let (order, kind, acceptance, run_at) = match event {
        Event::Accepted { order, at, acceptance } => {
            let due = at.0 + chrono::Duration::seconds(PATIENCE);
            (order, EmailKind::Accepted, acceptance, Some(due))
        }
        // The same mail with the new time.
        Event::Changed { order, promise: Some((at, acceptance)), .. } => {
            let due = at.0 + chrono::Duration::seconds(PATIENCE);
            (order, EmailKind::Accepted, acceptance, Some(due))
        }
        Event::TakenBack { order, acceptance, guest_told: true, .. } => {
            (order, EmailKind::TakenBack, acceptance, None)
        }
        _ => return None,
    };
    let (id, kind) = (order.id, kind.name());
    order.has_email.then(|| Work {
        // Each acceptance has its own: what is left of one that was taken back must not hurry the next.
        key: Some(format!("{kind}:{id}:{acceptance}")),
        args: json!({"order_id": id, "kind": kind, "acceptance": acceptance}),
        run_at,
    })
}

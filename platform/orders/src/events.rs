//! The events of orders, and their messages to open windows. See `docs/decisions/orders.md#states`.

use access::prelude::*;
use uuid::Uuid;
use work::events::{self, LiveMessage, Message};

use crate::values::{OrderId, OrderStatus};

/// The order that an event is about, as it is after it.
#[derive(Debug, Clone)]
pub struct EventOrder {
    pub id: Id<OrderId>,
    pub restaurant: Id<Restaurant>,
    /// Its number; none before it is paid, and in [`Event::Arrived`], which is published as it is given.
    pub counter: Option<String>,
    pub status: OrderStatus,
    /// Whether its guest left an address for mails.
    pub has_email: bool,
}

/// Pieces of a line, when the items of an order are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineChange {
    /// The line of the old order; none for what came.
    pub old: Option<Uuid>,
    /// The line of the new one; none for what went.
    pub new: Option<Uuid>,
    pub quantity: i32,
}

/// Something that happened to an order.
#[derive(Debug, Clone)]
pub enum Event {
    /// It was placed and waits to be paid online until then.
    Received {
        order: EventOrder,
        expires_at: Timestamp,
    },
    /// It has reached the restaurant.
    Arrived {
        order: EventOrder,
        /// When the kitchen should see it, if that is later.
        due_at: Option<Timestamp>,
        /// Whether the restaurant may get a mail about it: it has an address, and its staff did not take the
        /// order themselves.
        tell_restaurant: bool,
        /// When more people are told of it, if nobody has accepted it by then.
        escalate_at: Option<Timestamp>,
    },
    /// The kitchen should see one that is wanted for later.
    Due(EventOrder),
    Accepted {
        order: EventOrder,
        at: Timestamp,
        /// Which time it was accepted, from 1.
        acceptance: i32,
    },
    TakenBack {
        order: EventOrder,
        acceptance: i32,
        /// Whether the guest knows of it.
        guest_told: bool,
        /// When more people are told of it, if nobody has accepted it by then.
        escalate_at: Option<Timestamp>,
    },
    /// Nobody accepts it: more people are told.
    Escalated {
        order: EventOrder,
        /// The level that it has reached, from 2.
        level: i32,
        /// Whether anybody is mailed; nobody is about a test.
        mail: bool,
        next_at: Option<Timestamp>,
    },
    /// Contact, place, wanted time, payment method, message or courier are others.
    Changed {
        order: EventOrder,
        /// When the kitchen should see it, if that is later by now than the moment of the change.
        due_at: Option<Timestamp>,
        /// An accepted order has another time: when that was said, and as which acceptance it counts.
        promise: Option<(Timestamp, i32)>,
        /// When more people are told of it, if nobody has accepted it by then; none where its time stays.
        escalate_at: Option<Timestamp>,
    },
    /// Its items were changed: it takes the place of another, which is archived. In place of [`Self::Stornoed`] of that
    /// one and [`Self::Arrived`] of this one: whatever must undo a storno or take in a new order does both.
    Replaced {
        order: EventOrder,
        old: EventOrder,
        /// What is another: kitchen and printing act on that alone.
        lines: Vec<LineChange>,
        /// When the kitchen should see it, if that is later.
        due_at: Option<Timestamp>,
        /// When more people are told of it, if nobody has accepted it by then.
        escalate_at: Option<Timestamp>,
    },
    Prepared(EventOrder),
    /// It is being made again.
    Recalled(EventOrder),
    /// It was archived before it was accepted.
    Refused(EventOrder),
    /// It was archived after it was accepted.
    Stornoed {
        order: EventOrder,
        /// Whether that was so soon that the guest has not heard of the acceptance.
        guest_unaware: bool,
    },
    /// Nobody paid for it in time, its payment failed, or its guest gave that up; its state says which.
    Unpaid(EventOrder),
    /// Money was taken for it, or a payment that waits began or ended.
    PaymentMade {
        order: EventOrder,
        /// Whether money has moved.
        done: bool,
    },
    /// Money is to be given back.
    RefundAsked(EventOrder),
    /// Money was given back.
    Refunded(EventOrder),
    /// Money could not be given back.
    RefundFailed(EventOrder),
    /// It is accepted, paid, and its time has come: once.
    Closed(EventOrder),
    /// Lines, fees, tips or payments of a closed order are others.
    Corrected(EventOrder),
    /// Some pieces of it were cancelled.
    PartiallyStornoed(EventOrder),
}

/// What has happened to an order, as windows are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum OrderChange {
    /// It is there; `due` says whether the kitchen should see it by now.
    Created,
    Due,
    Accepted,
    TakenBack,
    /// Nobody accepts it: it has reached another `escalation_level`.
    Escalated,
    /// What it says is another: contact, place, time, payment method, message or courier.
    Changed,
    /// Its items were changed: it takes the place of `replaces_id`, which is archived.
    Replaced,
    Prepared,
    Recalled,
    Archived,
    Expired,
    /// Its payments are others.
    Paid,
    /// What is to be given back, or was, is another.
    Refunded,
    Closed,
    /// Some pieces of it were cancelled.
    PartiallyStornoed,
}

/// An order is another one.
#[derive(Debug, Object)]
pub struct OrderEvent {
    order_id: Id<OrderId>,
    #[oai(skip_serializing_if_is_none)]
    counter: Option<String>,
    status: OrderStatus,
    change: OrderChange,
    /// With `created`: whether the kitchen should see it by now.
    #[oai(skip_serializing_if_is_none)]
    due: Option<bool>,
    /// With `escalated`: the level that it has reached.
    #[oai(skip_serializing_if_is_none)]
    escalation_level: Option<i32>,
    /// With `replaced`: the order whose place it takes.
    #[oai(skip_serializing_if_is_none)]
    replaces_id: Option<Id<OrderId>>,
}

impl LiveMessage for OrderEvent {
    const KIND: &'static str = "TASK_ORDERS_RELOAD";
}

impl Event {
    #[must_use]
    pub fn order(&self) -> &EventOrder {
        match self {
            Self::Received { order, .. }
            | Self::Arrived { order, .. }
            | Self::Accepted { order, .. }
            | Self::TakenBack { order, .. }
            | Self::Escalated { order, .. }
            | Self::Changed { order, .. }
            | Self::Replaced { order, .. }
            | Self::Due(order)
            | Self::Prepared(order)
            | Self::Recalled(order)
            | Self::Refused(order)
            | Self::Stornoed { order, .. }
            | Self::PaymentMade { order, .. }
            | Self::RefundAsked(order)
            | Self::Refunded(order)
            | Self::RefundFailed(order)
            | Self::Closed(order)
            | Self::Corrected(order)
            | Self::PartiallyStornoed(order)
            | Self::Unpaid(order) => order,
        }
    }

    /// The same event with the number that its order was given since.
    #[must_use]
    pub(crate) fn numbered(mut self, number: &str) -> Self {
        match &mut self {
            Self::RefundAsked(order)
            | Self::Refunded(order)
            | Self::RefundFailed(order)
            | Self::Closed(order)
            | Self::Corrected(order) => order.counter = Some(number.to_owned()),
            _ => {}
        }
        self
    }

    /// The message to windows; none for an order without a restaurant.
    fn change(&self) -> Option<OrderChange> {
        Some(match self {
            // What corrects a closed order has said so itself.
            Self::Received { .. } | Self::Corrected(_) => return None,
            Self::Arrived { .. } => OrderChange::Created,
            Self::Due(_) => OrderChange::Due,
            Self::Accepted { .. } => OrderChange::Accepted,
            Self::TakenBack { .. } => OrderChange::TakenBack,
            Self::Escalated { .. } => OrderChange::Escalated,
            Self::Changed { .. } => OrderChange::Changed,
            Self::Replaced { .. } => OrderChange::Replaced,
            Self::Prepared(_) => OrderChange::Prepared,
            Self::Recalled(_) => OrderChange::Recalled,
            Self::Refused(_) | Self::Stornoed { .. } => OrderChange::Archived,
            Self::Unpaid(_) => OrderChange::Expired,
            Self::PaymentMade { .. } => OrderChange::Paid,
            Self::RefundAsked(_) | Self::Refunded(_) | Self::RefundFailed(_) => OrderChange::Refunded,
            Self::Closed(_) => OrderChange::Closed,
            Self::PartiallyStornoed(_) => OrderChange::PartiallyStornoed,
        })
    }

    /// Whether a board for guests may show other numbers after it.
    #[must_use]
    pub fn changes_board(&self) -> bool {
        match self {
            Self::Received { .. }
            | Self::Arrived { .. }
            | Self::Escalated { .. }
            | Self::Refused(_)
            | Self::Unpaid(_)
            | Self::PaymentMade { .. }
            | Self::RefundAsked(_)
            | Self::Refunded(_)
            | Self::RefundFailed(_)
            | Self::Closed(_)
            | Self::Corrected(_)
            | Self::PartiallyStornoed(_) => false,
            Self::Due(_)
            | Self::Accepted { .. }
            | Self::TakenBack { .. }
            | Self::Changed { .. }
            | Self::Replaced { .. }
            | Self::Prepared(_)
            | Self::Recalled(_)
            | Self::Stornoed { .. } => true,
        }
    }
}

impl events::Event for Event {
    fn restaurant(&self) -> Id<Restaurant> {
        self.order().restaurant
    }

    fn message(&self) -> Option<Message> {
        let EventOrder { id, counter, status, .. } = self.order().clone();
        let due = match self {
            Self::Arrived { due_at, .. } => Some(due_at.is_none()),
            _ => None,
        };
        let escalation_level = match self {
            Self::Escalated { level, .. } => Some(*level),
            _ => None,
        };
        let replaces_id = match self {
            Self::Replaced { old, .. } => Some(old.id),
            _ => None,
        };
        let change = self.change()?;
        let message =
            OrderEvent { order_id: id, counter, status, change, due, escalation_level, replaces_id };
        Some(Message::new(&message))
    }
}

/// Publishes what has happened, one after the other, as the last statements.
pub(crate) async fn publish_all(tx: &TenantTx, events: &[Event]) -> Result<()> {
    for event in events {
        events::publish(tx, event).await?;
    }
    Ok(())
}

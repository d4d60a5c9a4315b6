//! An order reaches the restaurant, once: it gets its number, its entry for lists and its event, in one statement. It is
//! written by the same statement, or was there before. See `docs/decisions/orders.md#counter`.

use access::prelude::*;
use kernel::time::BusinessDay;
use restaurants::Facts;

use crate::{
    events::{Event, EventOrder},
    number::{Number, Written},
};

/// An order that reaches the restaurant now.
pub(crate) struct Arrival {
    pub order: EventOrder,
    pub is_test: bool,
    pub is_preorder: bool,
    /// When the kitchen should see it.
    pub show_at: Timestamp,
    pub waits: bool,
    /// The restaurant may get a mail about it.
    pub tell_restaurant: bool,
    pub now: Timestamp,
    pub day: BusinessDay,
}

impl Arrival {
    /// From when it waits in sight.
    pub fn visible_at(&self) -> Timestamp {
        self.show_at.max(self.now)
    }

    /// Lets it arrive and answers its number. Nothing is written after this but events: it locks the restaurant's
    /// counters.
    pub async fn give(&self, tx: &TenantTx, facts: &Facts, written: Written) -> Result<String> {
        // A preorder rings when the kitchen should see it.
        let due_at = (self.is_preorder && self.show_at > self.now).then_some(self.show_at);
        let minutes = facts.escalate_after_minutes.filter(|_| self.waits);
        let event = Event::Arrived {
            order: self.order.clone(),
            due_at,
            tell_restaurant: self.tell_restaurant,
            escalate_at: minutes.map(|minutes| self.visible_at().plus_minutes(minutes.into())),
        };
        Number::of(facts, self.now, self.day).give(tx, (self.is_test, written), &event).await
    }
}

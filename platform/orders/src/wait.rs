//! The time that an order waits to be accepted, and the levels of escalation. See
//! `docs/decisions/orders.md#orders-that-nobody-accepts`.

use access::prelude::*;
use sea_orm::FromQueryResult;

/// Only the board rings.
pub(crate) const FIRST: i32 = 1;
/// Every screen of the restaurant and, by e-mail, the restaurant.
pub(crate) const SECOND: i32 = 2;
/// Those in charge, by e-mail.
pub(crate) const THIRD: i32 = 3;

/// How long an order waits to be accepted, and who knows.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct Wait {
    /// The later of its arrival and the time at which the kitchen should see it, less what it had waited before its
    /// wanted time was changed.
    pub visible_at: Timestamp,
    pub accept_seconds: Option<i32>,
    pub taken_back_at: Option<Timestamp>,
    pub escalation_level: i32,
    pub escalated_at: Option<Timestamp>,
    /// The restaurant's setting. Minutes.
    pub escalate_after_minutes: Option<i32>,
}

impl Wait {
    /// From when its time runs: an acceptance that was taken back begins it anew.
    pub fn since(&self) -> Timestamp {
        self.taken_back_at.map_or(self.visible_at, |at| at.max(self.visible_at))
    }

    /// When it reaches the second level.
    pub fn escalate_at(&self) -> Option<Timestamp> {
        self.escalate_after_minutes.map(|minutes| self.since().plus_minutes(minutes.into()))
    }

    /// Accepted then. What was accepted before it was visible has not waited.
    pub fn accepted(&self, now: Timestamp) -> Self {
        let seconds = (now.0 - self.visible_at.0).num_seconds();
        let waited = i32::try_from(seconds).ok().filter(|_| now >= self.visible_at);
        Self { accept_seconds: waited, ..self.clone() }
    }

    pub fn taken_back(&self, now: Timestamp) -> Self {
        Self {
            accept_seconds: None,
            taken_back_at: Some(now),
            escalation_level: FIRST,
            escalated_at: None,
            ..self.clone()
        }
    }
}

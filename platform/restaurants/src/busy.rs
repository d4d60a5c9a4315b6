//! Busy: for a while orders take longer. It ends by the clock, no job waits for that. See
//! `docs/decisions/orders.md#busy`.

use access::prelude::*;

/// So many minutes more, until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// What an order for now takes longer than usual.
    pub minutes: i32,
    /// From then on it takes as long as usual.
    pub until: Timestamp,
}

impl Busy {
    /// What the two columns say at a moment.
    pub(crate) fn holding(minutes: Option<i32>, until: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        let (minutes, until) = minutes.zip(until).filter(|(_, until)| *until > now)?;
        Some(Self { minutes, until })
    }
}

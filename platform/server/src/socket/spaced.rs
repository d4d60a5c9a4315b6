//! Messages that say no more than "read again": while many of them come, a window gets one now and then. The last
//! one is never left out.

use std::time::Duration;

use access::CatalogueEvent;
use catalogue::QuantitiesEvent;
use tokio::time::Instant;
use work::events::LiveMessage;

/// Whether an event is such a message.
pub(super) fn is_spaced(kind: &str) -> bool {
    kind == CatalogueEvent::KIND
}

/// The messages of one kind to one window.
#[derive(Debug)]
struct Spaced {
    kind: &'static str,
    /// At least so long from one to the next.
    gap: Duration,
    sent: Option<Instant>,
    held: bool,
}

/// Those of all kinds to one window.
#[derive(Debug)]
pub(super) struct SpacedMessages([Spaced; 2]);

impl SpacedMessages {
    pub(super) fn new() -> Self {
        let of = |kind, gap| Spaced { kind, gap: Duration::from_secs(gap), sent: None, held: false };
        Self([of(CatalogueEvent::KIND, 3), of(QuantitiesEvent::KIND, 1)])
    }

    pub(super) fn hold(&mut self, kind: &str) {
        self.0.iter_mut().filter(|one| one.kind == kind).for_each(|one| one.held = true);
    }

    /// When the next one is to be sent.
    pub(super) fn due(&self) -> Option<Instant> {
        let held = self.0.iter().filter(|one| one.held);
        held.map(|one| one.sent.map_or_else(Instant::now, |sent| sent + one.gap)).min()
    }

    /// The kind of one that is to be sent by now; it counts as sent.
    pub(super) fn take(&mut self, now: Instant) -> Option<&'static str> {
        let ready = |one: &&mut Spaced| one.held && one.sent.is_none_or(|sent| now >= sent + one.gap);
        let one = self.0.iter_mut().find(ready)?;
        (one.sent, one.held) = (Some(now), false);
        Some(one.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_goes_at_once_and_the_last_is_not_left_out() {
        let mut messages = SpacedMessages::new();
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!((messages.due(), messages.take(at(0))), (None, None));
        let mut sent = Vec::new();
        for step in 0..100 {
            // A burst of a second, then silence.
            if step < 20 {
                messages.hold(CatalogueEvent::KIND);
            }
            sent.extend(messages.take(at(step * 50)).map(|kind| (step * 50, kind)));
        }
        assert_eq!(sent, [(0, CatalogueEvent::KIND), (3000, CatalogueEvent::KIND)]);
        messages.hold(QuantitiesEvent::KIND);
        messages.hold(CatalogueEvent::KIND);
        assert_eq!(messages.take(at(5000)), Some(QuantitiesEvent::KIND), "each kind has a time of its own");
        assert_eq!((messages.take(at(5000)), messages.due()), (None, Some(at(6000))));
    }
}

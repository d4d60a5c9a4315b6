//! What the windows of a restaurant at this instance share: an event is read and serialised once. Access is
//! not checked here; a window reads from here only while the session watch allows it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde_json::json;
use work::events::WrittenMessage;

use super::spaced::is_spaced;

/// Events that are kept for windows that are a little behind the others.
pub(super) const CAPACITY: usize = 64;

/// An event as it is written.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub number: i64,
    /// Only for windows that may read orders.
    pub of_order: bool,
    /// Sent now and then, when there are many.
    pub spaced: bool,
    pub kind: String,
    pub text: Arc<str>,
    pub begun: Instant,
}

pub(super) fn text(event: &str, id: i64, data: &serde_json::Value) -> String {
    json!({"event": event, "id": id, "data": data}).to_string()
}

/// The moment so many seconds ago.
pub(super) fn begun(age: f64) -> Instant {
    let (now, age) = (Instant::now(), Duration::try_from_secs_f64(age).unwrap_or_default());
    now.checked_sub(age).unwrap_or(now)
}

/// Whether an event names an order, so only windows that may read orders get it.
pub(super) fn names_order(data: &serde_json::Value) -> bool {
    data.get("order_id").is_some()
}

#[derive(Debug, Default)]
struct Recent {
    /// The hub's count before the last reading. A window that was woken by that or an earlier count finds all
    /// its events here.
    call: u64,
    /// The events between these two numbers, without the first and with the second, are all of `lines`.
    after: i64,
    until: i64,
    lines: VecDeque<Line>,
}

/// The newest events of a restaurant.
#[derive(Debug, Default)]
pub(super) struct Feed {
    recent: Mutex<Option<Recent>>,
    /// Held by the one who reads for all.
    pub reading: tokio::sync::Mutex<()>,
}

impl Feed {
    fn recent(&self) -> MutexGuard<'_, Option<Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What comes after this number, as of this call or a later one; none when somebody has to read first.
    pub fn since(&self, last: i64, call: u64) -> Option<Vec<Line>> {
        let recent = self.recent();
        let recent = recent.as_ref().filter(|recent| recent.call >= call && recent.after <= last)?;
        Some(recent.lines.iter().filter(|line| line.number > last).cloned().collect())
    }

    /// Keeps what was read after this number, in answer to this call. Readings follow each other: they hold
    /// `reading`.
    pub fn keep(&self, call: u64, last: i64, events: &[WrittenMessage]) {
        let mut recent = self.recent();
        let mut now = recent
            .take()
            .filter(|recent| recent.until == last)
            .unwrap_or_else(|| Recent { after: last, ..Recent::default() });
        now.call = call;
        now.until = events.last().map_or(last, |event| event.number);
        now.lines.extend(events.iter().map(|event| Line {
            number: event.number,
            of_order: names_order(&event.data),
            spaced: is_spaced(&event.kind),
            kind: event.kind.clone(),
            text: text(&event.kind, event.number, &event.data).into(),
            begun: begun(event.age),
        }));
        while now.lines.len() > CAPACITY {
            now.after = now.lines.pop_front().map_or(now.after, |line| line.number);
        }
        *recent = Some(now);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn events(numbers: std::ops::RangeInclusive<i64>) -> Vec<WrittenMessage> {
        numbers
            .map(|number| WrittenMessage { number, kind: "TASK_X".into(), data: json!({}), age: 0.0 })
            .collect()
    }

    fn numbers(feed: &Feed, last: i64, call: u64) -> Option<Vec<i64>> {
        Some(feed.since(last, call)?.iter().map(|line| line.number).collect())
    }

    #[test]
    fn nobody_misses_an_event_or_gets_one_that_is_too_old_to_follow() {
        let feed = Feed::default();
        assert_eq!(numbers(&feed, 0, 0), None, "nobody has read yet");
        feed.keep(1, 5, &events(6..=7));
        assert_eq!(numbers(&feed, 5, 1), Some(vec![6, 7]));
        assert_eq!(numbers(&feed, 6, 1), Some(vec![7]));
        assert_eq!(numbers(&feed, 9, 1), Some(vec![]), "who has read alone may be ahead");
        assert_eq!(numbers(&feed, 4, 1), None, "5 is not here");
        assert_eq!(numbers(&feed, 7, 2), None, "there has been another call since");
        feed.keep(2, 7, &events(8..=8));
        assert_eq!(numbers(&feed, 5, 2), Some(vec![6, 7, 8]));
        // A window that was far behind reads for the others, too.
        feed.keep(3, 2, &events(3..=9));
        assert_eq!(numbers(&feed, 2, 3), Some((3..=9).collect()));
        feed.keep(4, 9, &events(10..=100));
        assert_eq!(numbers(&feed, 35, 4), None);
        assert_eq!(numbers(&feed, 36, 4), Some((37..=100).collect()));
    }
}

//! How many jobs of one partner begin while others are served: one partner's backlog must not take what the
//! processors and the database have left for them. Its jobs begin apart from each other: what begins together keeps
//! both processors for longer than a request takes.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use uuid::Uuid;

/// Jobs of one turn that did not have to wait begin so far apart: a hundred a second.
const APART: Duration = Duration::from_millis(10);
/// Two begin together that waited for so long, three for twice as long: a partner with more work than that falls behind
/// by so much, and not for ever.
const BEHIND: Duration = Duration::from_secs(60);
/// For so long after its last job a turn is known.
const KNOWN: Duration = Duration::from_secs(1);

/// The jobs of a turn that began together last.
#[derive(Debug)]
struct Last {
    at: Instant,
    begun: usize,
    most: usize,
}

impl Last {
    /// How long it is until the next may begin.
    fn left(&self, now: Instant) -> Duration {
        (self.at + APART).saturating_duration_since(now)
    }

    fn may(&self, now: Instant) -> usize {
        if self.left(now).is_zero() { self.most } else { self.most.saturating_sub(self.begun) }
    }
}

/// When jobs of each turn began.
#[derive(Debug, Default)]
pub(crate) struct Pace(HashMap<Uuid, Last>);

impl Pace {
    /// A job begins that has waited for so long since it was due.
    pub(crate) fn begin(&mut self, turn: Uuid, waited: Duration, now: Instant) {
        self.0.retain(|_, last| last.at + KNOWN > now);
        let times = waited.as_secs() / BEHIND.as_secs() + 1;
        let last = self.0.entry(turn).or_insert(Last { at: now, begun: 0, most: 1 });
        if last.left(now).is_zero() {
            (last.at, last.begun) = (now, 0);
        }
        last.begun += 1;
        last.most = usize::try_from(times).unwrap_or(usize::MAX);
    }

    /// The turns of which fewer than `most` may begin now, with how many may.
    pub(crate) fn short(&self, most: usize, now: Instant) -> impl Iterator<Item = (Uuid, usize)> {
        let known = self.0.iter().filter(move |(_, last)| last.at + KNOWN > now);
        known.map(move |(turn, last)| (*turn, last.may(now))).filter(move |(_, may)| *may < most)
    }

    /// How long to wait for those of which none may begin now.
    pub(crate) fn wait(&self, now: Instant) -> Option<Duration> {
        self.0.values().filter(|last| last.may(now) == 0).map(|last| last.left(now)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_a_turn_begin_apart() {
        let (flood, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let begin = Instant::now();
        let mut pace = Pace::default();
        let short = |pace: &Pace, now| pace.short(4, now).collect::<Vec<_>>();
        assert_eq!((short(&pace, begin), pace.wait(begin)), (vec![], None), "nothing is known");
        for _ in 0..4 {
            pace.begin(flood, Duration::ZERO, begin);
        }
        let late = begin + APART - Duration::from_millis(1);
        assert_eq!((short(&pace, late), pace.wait(late)), (vec![(flood, 0)], Some(Duration::from_millis(1))));
        let next = begin + APART;
        assert_eq!((short(&pace, next), pace.wait(next)), (vec![(flood, 1)], None), "one more, and not four");
        pace.begin(flood, Duration::ZERO, next);
        assert_eq!((short(&pace, next), pace.wait(next)), (vec![(flood, 0)], Some(APART)));
        assert_eq!(short(&pace, next + KNOWN), vec![]);
        pace.begin(other, Duration::ZERO, next + KNOWN);
        assert_eq!(pace.0.len(), 1, "forgotten");
    }

    #[test]
    fn who_has_fallen_behind_goes_faster() {
        let (turn, now) = (Uuid::from_u128(1), Instant::now());
        for (waited, most) in [(0, 1), (59, 1), (60, 2), (125, 3), (86_400, 1441)] {
            let mut pace = Pace::default();
            pace.begin(turn, Duration::from_secs(waited), now);
            let may = |at| pace.short(usize::MAX, at).next();
            assert_eq!(
                (may(now), may(now + APART)),
                (Some((turn, most - 1)), Some((turn, most))),
                "{waited}"
            );
        }
    }
}

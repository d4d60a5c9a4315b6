//! How many jobs of one partner begin while others are served: one partner's backlog must not take what the
//! processors and the database have left for them.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use uuid::Uuid;

/// Jobs are counted in windows of this length.
const WINDOW: Duration = Duration::from_millis(100);
/// So many of one turn begin in a window while none of them had to wait.
const IN_A_WINDOW: usize = 10;
/// Twice as many for those that waited for so long, three times for twice as long: a partner with more work than that
/// falls behind by so much, and not for ever.
const BEHIND: Duration = Duration::from_secs(60);

/// Jobs of a turn in this window.
#[derive(Debug, Default)]
struct Count {
    begun: usize,
    most: usize,
}

impl Count {
    fn may(&self) -> usize {
        self.most.saturating_sub(self.begun)
    }
}

/// The jobs of each turn that have begun in this window.
#[derive(Debug)]
pub(crate) struct Pace {
    since: Instant,
    of: HashMap<Uuid, Count>,
}

impl Pace {
    pub(crate) fn new(now: Instant) -> Self {
        Self { since: now, of: HashMap::new() }
    }

    /// A job begins that has waited for so long since it was due.
    pub(crate) fn begin(&mut self, turn: Uuid, waited: Duration, now: Instant) {
        if self.left(now).is_none() {
            *self = Self::new(now);
        }
        let times = waited.as_secs() / BEHIND.as_secs() + 1;
        let count = self.of.entry(turn).or_default();
        count.begun += 1;
        count.most = usize::try_from(times).unwrap_or(usize::MAX).saturating_mul(IN_A_WINDOW);
    }

    /// How long the window lasts from here.
    fn left(&self, now: Instant) -> Option<Duration> {
        (self.since + WINDOW).checked_duration_since(now).filter(|left| !left.is_zero())
    }

    /// The turns of which fewer than `most` may begin now, with how many may.
    pub(crate) fn short(&self, most: usize, now: Instant) -> impl Iterator<Item = (Uuid, usize)> {
        let lasts = self.left(now).is_some();
        let each = self.of.iter().filter(move |_| lasts);
        each.map(|(turn, count)| (*turn, count.may())).filter(move |(_, may)| *may < most)
    }

    /// How long to wait for those of which none may begin now.
    pub(crate) fn wait(&self, now: Instant) -> Option<Duration> {
        self.left(now).filter(|_| self.of.values().any(|count| count.may() == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_begins_so_many_in_a_window() {
        let (flood, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let begin = Instant::now();
        let mut pace = Pace::new(begin);
        let short = |pace: &Pace, now| pace.short(4, now).collect::<Vec<_>>();
        for begun in 0..IN_A_WINDOW {
            let expected = if begun > 6 { vec![(flood, IN_A_WINDOW - begun)] } else { vec![] };
            assert_eq!((short(&pace, begin), pace.wait(begin)), (expected, None), "{begun}");
            pace.begin(flood, Duration::ZERO, begin);
        }
        pace.begin(other, Duration::ZERO, begin);
        let late = begin + WINDOW - Duration::from_millis(1);
        assert_eq!((short(&pace, late), pace.wait(late)), (vec![(flood, 0)], Some(Duration::from_millis(1))));
        let next = begin + WINDOW;
        assert_eq!((short(&pace, next), pace.wait(next)), (vec![], None));
        pace.begin(flood, Duration::ZERO, next);
        assert_eq!(short(&pace, next), vec![]);
    }

    #[test]
    fn who_has_fallen_behind_goes_faster() {
        let (turn, now) = (Uuid::from_u128(1), Instant::now());
        for (waited, most) in [(0, 10), (59, 10), (60, 20), (125, 30), (86_400, 14_410)] {
            let mut pace = Pace::new(now);
            pace.begin(turn, Duration::from_secs(waited), now);
            assert_eq!(pace.short(usize::MAX, now).next(), Some((turn, most - 1)), "{waited}");
        }
    }
}

//! Worn connections: a backend remembers each table that it has met, in about 30 kB, for as long as it lives.
//! See bench/README.md, "A thousand partners".

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Id, Partner};

/// The oldest connection is replaced after so many uses of a connection, on average, each of which may have met a table
/// of a partner for the first time. Where a thousand partners take orders by turns, a use costs a backend 0.4 MB, so this
/// keeps it below 500 MB or so.
const USES: u32 = 1_200;
/// After so many uses for a partner a connection has met most of its tables: more of them teach it little. A new
/// connection prepares each statement once more and is slow until then, so none is replaced for them.
const VISITS: u32 = 32;

/// Of the connections of one pool.
#[derive(Debug)]
pub(crate) struct Wear {
    state: Mutex<State>,
    connections: u32,
    lifetime: Duration,
}

#[derive(Debug)]
struct State {
    /// Since a connection was replaced.
    uses: u32,
    /// How often connections were used for each partner, all together, as far as it is counted.
    visits: HashMap<Id<Partner>, u32>,
    /// The greatest age seen since a connection was replaced.
    oldest: Duration,
    last_replaced: Instant,
}

impl Wear {
    /// Of a pool with so many connections, each of which lives for so long at most.
    pub fn new(connections: u32, lifetime: Duration) -> Self {
        let state =
            State { uses: 0, visits: HashMap::new(), oldest: Duration::ZERO, last_replaced: Instant::now() };
        Self { state: Mutex::new(state), connections: connections.max(1), lifetime }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection enters this partner's schema.
    pub fn note(&self, partner: Id<Partner>) {
        let mut state = self.lock();
        let visits = state.visits.entry(partner).or_default();
        if *visits < VISITS * self.connections {
            *visits += 1;
            state.uses = state.uses.saturating_add(1);
        }
    }

    /// A connection is new, whatever became of the one before it: each partner's tables are new to it.
    pub fn opened(&self) {
        self.lock().visits.retain(|_, visits| {
            *visits = visits.saturating_sub(VISITS);
            *visits > 0
        });
    }

    /// A connection of this age is given back. Whether it is to be replaced: each comes to be the oldest in its turn, so
    /// with ten of them each has ten times [`USES`] of the pool, [`USES`] of its own. By age they are replaced from half
    /// of their lifetime on, one after the other: all that were opened at once would be slow at once.
    pub fn is_worn(&self, age: Duration, now: Instant) -> bool {
        let mut state = self.lock();
        let since = now.duration_since(state.last_replaced) * self.connections;
        let old = age >= self.lifetime / 2;
        let due = state.uses >= USES || old && since >= self.lifetime / 2;
        // The oldest may have been closed by something else: then any will do.
        let overdue = state.uses >= USES * 2 || old && since >= self.lifetime;
        if due && age >= state.oldest || overdue {
            (state.uses, state.oldest, state.last_replaced) = (0, Duration::ZERO, now);
            return true;
        }
        state.oldest = state.oldest.max(age);
        false
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);
    const AGES: Duration = Duration::from_secs(1_000_000_000);

    fn partner(number: u32) -> Id<Partner> {
        Id::from_uuid(Uuid::from_u128(number.into()))
    }

    /// Uses connections in turns, one each second, each for the partner that `whose` gives; how often each was used before
    /// it was replaced.
    fn uses_of_replaced(
        connections: u32, lifetime: Duration, uses: u32, whose: impl Fn(u32) -> Id<Partner>,
    ) -> Vec<u32> {
        let (wear, begin) = (Wear::new(connections, lifetime), Instant::now());
        // When each was opened, and how often it was used.
        let mut pool = vec![(0, 0); connections as usize];
        let mut replaced = Vec::new();
        for now in 0..uses {
            let (opened, uses) = &mut pool[(now % connections) as usize];
            *uses += 1;
            wear.note(whose(now));
            let age = Duration::from_secs((now - *opened).into());
            if wear.is_worn(age, begin + Duration::from_secs(now.into())) {
                replaced.push(*uses);
                (*opened, *uses) = (now, 0);
                wear.opened();
            }
        }
        replaced
    }

    #[test]
    fn a_connection_of_many_partners_is_replaced_once_it_is_worn() {
        for connections in [1, 3, 10] {
            let replaced = uses_of_replaced(connections, AGES, USES * 60, |now| partner(now % 1000));
            // The first were all opened together.
            let later = replaced.into_iter().skip(connections as usize).collect::<Vec<_>>();
            assert!(!later.is_empty());
            for uses in later {
                assert!((USES * 9 / 10..=USES * 12 / 10).contains(&uses), "{connections}: {uses}");
            }
        }
    }

    #[test]
    fn one_partner_wears_nothing_beside_another() {
        let flood = |now: u32| partner(u32::from(now.is_multiple_of(50)));
        assert_eq!(uses_of_replaced(10, AGES, USES * 60, flood).len(), 0);
    }

    /// Sets of partners that follow each other: what all of them leave in a connection is bounded.
    #[test]
    fn partners_that_follow_each_other_wear_connections_too() {
        let sets = |now: u32| partner(now / 20_000 * 30 + now % 30);
        let replaced = uses_of_replaced(10, AGES, 2_000_000, sets);
        // Each set has 30 partners with their tables, which ten connections learn.
        assert!(replaced.len() >= 100 * 30 * VISITS as usize * 10 / USES as usize / 2, "{}", replaced.len());
    }

    #[test]
    fn connections_are_replaced_by_age_one_after_the_other() {
        let replaced = uses_of_replaced(10, Duration::from_secs(1000), 5_000, |_| partner(1));
        assert!((75..=90).contains(&replaced.len()), "{}", replaced.len());
        assert!(replaced.iter().all(|uses| (48..=105).contains(uses)), "{replaced:?}");
    }

    /// All connections died together, the oldest known among them: those that follow go one after the other too.
    #[test]
    fn what_is_gone_keeps_nobody_from_being_replaced() {
        let (wear, begin) = (Wear::new(10, Duration::from_secs(1000)), Instant::now());
        assert!(!wear.is_worn(Duration::from_secs(990), begin));
        let worn = |second: u64| {
            let second = Duration::from_secs(second);
            wear.is_worn(second, begin + second)
        };
        assert_eq!((1..1000).filter(|second| worn(*second)).count(), 10);
        let (wear, now) = (Wear::new(4, HOUR), Instant::now());
        wear.is_worn(Duration::from_secs(1000), now);
        let uses = (1..).find(|number| {
            wear.note(partner(*number));
            wear.is_worn(Duration::from_secs(1), now)
        });
        assert_eq!(uses, Some(USES * 2));
    }
}

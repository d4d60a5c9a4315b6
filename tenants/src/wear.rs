//! Which connections are worn: a backend remembers each table that it has met, in about 30 kB, for as long as it lives.
//! See bench/README.md, "A thousand partners".

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::request::Turn;

/// After so many uses of a connection, on average, that may have met a table of a partner for the first time, the oldest
/// is replaced. They keep a backend below 200 MB.
const USES: u32 = 3_500;
/// A partner has about so many tables: more uses of its own teach a connection nothing. A connection that is new is slow
/// for everybody, because each statement is prepared once more, so none is replaced for them.
const TABLES: u32 = 126;

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
    /// How much of a turn's tables all connections together may know.
    known: HashMap<Turn, u32>,
    /// The greatest age seen since a connection was replaced.
    oldest: Duration,
    replaced: Instant,
}

impl Wear {
    /// Of a pool with so many connections, each of which lives for so long at most.
    pub fn new(connections: u32, lifetime: Duration) -> Self {
        let state =
            State { uses: 0, known: HashMap::new(), oldest: Duration::ZERO, replaced: Instant::now() };
        Self { state: Mutex::new(state), connections: connections.max(1), lifetime }
    }

    /// A connection is taken for this turn.
    pub fn note(&self, turn: Turn) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { uses, known, .. } = &mut *state;
        // Of whom nothing is known yet can be of any partner.
        let new = turn == Turn::Unknown || {
            let known = known.entry(turn).or_default();
            let new = *known < TABLES * self.connections;
            *known += u32::from(new);
            new
        };
        *uses = uses.saturating_add(u32::from(new));
    }

    /// A connection of this age is given back. Whether it is to be replaced: each comes to be the oldest in its turn, so
    /// with ten of them each has ten times [`USES`] of the pool, [`USES`] of its own. By age too they are replaced one
    /// after the other: all at once would be slow at once.
    pub fn is_worn(&self, age: Duration, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let due =
            state.uses >= USES || now.duration_since(state.replaced) * self.connections >= self.lifetime;
        // The oldest may have been closed by something else: then any will do.
        if due && age >= state.oldest || state.uses >= USES * 2 {
            // What the one that goes has known can be new again.
            state.known.retain(|_, known| {
                *known = known.saturating_sub(TABLES);
                *known > 0
            });
            (state.uses, state.oldest, state.replaced) = (0, Duration::ZERO, now);
            return true;
        }
        state.oldest = state.oldest.max(age);
        false
    }
}

#[cfg(test)]
mod tests {
    use kernel::Id;
    use uuid::Uuid;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Uses connections in turns, one each second, each for the turn that `whose` gives; how often each was used before
    /// it was replaced.
    fn replaced(connections: u32, lifetime: Duration, uses: u32, whose: impl Fn(u32) -> Turn) -> Vec<u32> {
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
            }
        }
        replaced
    }

    fn partner(number: u32) -> Turn {
        Turn::Partner(Id::from_uuid(Uuid::from_u128(number.into())))
    }

    #[test]
    fn a_connection_of_many_partners_is_replaced_once_it_is_worn() {
        for connections in [1, 3, 10] {
            let of_any = |now: u32| partner(now % 1000);
            for whose in [&of_any as &dyn Fn(u32) -> Turn, &|_| Turn::Unknown] {
                let replaced = replaced(connections, HOUR * 1_000_000, USES * 60, whose);
                // The first were all opened together.
                let later = replaced.into_iter().skip(connections as usize).collect::<Vec<_>>();
                assert!(!later.is_empty());
                for uses in later {
                    assert!((USES * 9 / 10..=USES * 12 / 10).contains(&uses), "{connections}: {uses}");
                }
            }
        }
    }

    #[test]
    fn one_partner_wears_nothing_beside_another() {
        let flood = |now: u32| partner(u32::from(now.is_multiple_of(50)));
        assert_eq!(replaced(10, HOUR * 1_000_000, USES * 60, flood).len(), 0);
    }

    /// Sets of partners that follow each other: what all of them leave in a connection is bounded.
    #[test]
    fn partners_that_follow_each_other_wear_connections_too() {
        let sets = |now: u32| partner(now / 20_000 * 30 + now % 30);
        let replaced = replaced(10, HOUR * 1_000_000, 2_000_000, sets);
        // Each set has 30 partners with their tables, which ten connections learn.
        assert!(replaced.len() >= 100 * 30 * TABLES as usize * 10 / USES as usize / 2, "{}", replaced.len());
    }

    #[test]
    fn connections_are_replaced_by_age_one_after_the_other() {
        let replaced = replaced(10, Duration::from_secs(1000), 5_000, |_| Turn::Platform);
        assert!((45..=50).contains(&replaced.len()), "{}", replaced.len());
    }

    /// When the oldest is gone for another reason another one is replaced instead.
    #[test]
    fn a_lost_connection_does_not_block_requests() {
        let (wear, now) = (Wear::new(4, HOUR), Instant::now());
        wear.is_worn(Duration::from_secs(1000), now);
        let uses = (1..).find(|_| {
            wear.note(Turn::Unknown);
            wear.is_worn(Duration::from_secs(1), now)
        });
        assert_eq!(uses, Some(USES * 2));
    }
}

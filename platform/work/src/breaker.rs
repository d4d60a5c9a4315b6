//! Breakers: a company that fails a partner's calls is left alone for a while, so that nobody waits for it, and
//! takes no more than so many of them at once. Each instance has its own. See
//! `docs/decisions/security.md#outgoing-calls`.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Id, Partner};

/// So many calls of a partner to a company run at once.
pub const CALLS: usize = 10;
/// So many failures within the window open a breaker.
const FAILURES: usize = 5;
const WINDOW: Duration = Duration::from_secs(30);
/// So long it stays open before one call tries again.
const REST: Duration = Duration::from_secs(30);
/// From so many on, breakers that have nothing to tell are forgotten.
const MOST: usize = 1_000;

/// Why a call is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The company has failed too often. It is worth asking again after so many seconds.
    Open(u64),
    /// As many calls as may be are under way.
    Busy,
}

impl Refusal {
    /// The seconds after which it is worth asking again.
    #[must_use]
    pub fn retry_after(self) -> u64 {
        match self {
            Self::Open(seconds) => seconds,
            Self::Busy => 1,
        }
    }
}

#[derive(Default)]
struct Breaker {
    under_way: usize,
    /// The latest ones, while it is closed.
    failures: VecDeque<Instant>,
    open_until: Option<Instant>,
    /// The one call that tries again is under way.
    trying: bool,
}

impl Breaker {
    /// Takes a place; whether the call is the one that tries again.
    fn enter(&mut self, now: Instant) -> Result<bool, Refusal> {
        let tries = match self.open_until {
            None => false,
            Some(until) if self.trying || until > now => {
                let left = until.saturating_duration_since(now);
                return Err(Refusal::Open(left.as_secs() + 1));
            }
            Some(_) => true,
        };
        if self.under_way >= CALLS {
            return Err(Refusal::Busy);
        }
        self.under_way += 1;
        self.trying |= tries;
        Ok(tries)
    }

    /// Gives the place back; `failed` is none when nobody waited for the answer. Calls that began before it
    /// opened neither close it nor keep it open.
    fn leave(&mut self, now: Instant, tried: bool, failed: Option<bool>, rest: Duration) {
        self.under_way -= 1;
        if tried {
            self.trying = false;
            match failed {
                Some(true) => self.open_until = Some(now + rest),
                Some(false) => self.open_until = None,
                None => {}
            }
        } else if failed == Some(true) && self.open_until.is_none() {
            self.failures.push_back(now);
            self.failures.retain(|at| now.saturating_duration_since(*at) < WINDOW);
            if self.failures.len() >= FAILURES {
                self.failures.clear();
                self.open_until = Some(now + rest);
            }
        }
    }

    /// Whether it is no different from a new one.
    fn is_idle(&self, now: Instant) -> bool {
        self.under_way == 0
            && self.open_until.is_none_or(|until| until + WINDOW < now)
            && self.failures.back().is_none_or(|at| now.saturating_duration_since(*at) >= WINDOW)
    }
}

type Key = (Id<Partner>, String);

/// The breakers of an instance, one for each partner and company.
#[derive(Clone)]
pub struct Breakers {
    breakers: Arc<Mutex<HashMap<Key, Breaker>>>,
    rest: Duration,
}

impl Default for Breakers {
    fn default() -> Self {
        Self::resting(REST)
    }
}

impl Breakers {
    /// With another time than thirty seconds before a call tries again.
    #[must_use]
    pub fn resting(rest: Duration) -> Self {
        Self { breakers: Arc::default(), rest }
    }

    /// A place for a call of this partner to this company.
    pub fn enter(&self, partner: Id<Partner>, company: &str) -> Result<Passage, Refusal> {
        let (now, key) = (Instant::now(), (partner, company.to_owned()));
        let mut breakers = self.lock();
        if breakers.len() >= MOST {
            breakers.retain(|_, one| !one.is_idle(now));
        }
        let tries = breakers.entry(key.clone()).or_default().enter(now)?;
        drop(breakers);
        Ok(Passage { breakers: self.clone(), key, tries, failed: None })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Breaker>> {
        self.breakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that may be made. Dropped without a word, because its caller has left, it says nothing of the
/// company.
pub struct Passage {
    breakers: Breakers,
    key: Key,
    tries: bool,
    failed: Option<bool>,
}

impl Passage {
    /// The call has ended; whether the company failed. An answer that refuses is none of its failures.
    pub fn end(mut self, failed: bool) {
        self.failed = Some(failed);
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut breakers = self.breakers.lock();
        let Some(one) = breakers.get_mut(&self.key) else { return };
        let was_open = one.open_until.is_some();
        one.leave(now, self.tries, self.failed, self.breakers.rest);
        let is_open = one.open_until.is_some();
        if one.open_until.is_none() && one.is_idle(now) {
            breakers.remove(&self.key);
        }
        drop(breakers);
        let (partner, company) = &self.key;
        match (was_open, is_open) {
            (false, true) => {
                tracing::warn!(%partner, company, "a company fails; it is left alone for a while")
            }
            (true, false) => tracing::info!(%partner, company, "a company answers again"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FAILED: Option<bool> = Some(true);
    const WORKED: Option<bool> = Some(false);

    /// A breaker and its time, in seconds.
    struct Bench {
        breaker: Breaker,
        now: Instant,
    }

    impl Bench {
        fn new() -> Self {
            Self { breaker: Breaker::default(), now: Instant::now() }
        }

        fn wait(&mut self, seconds: u64) {
            self.now += Duration::from_secs(seconds);
        }

        fn enter(&mut self) -> Result<bool, Refusal> {
            self.breaker.enter(self.now)
        }

        fn leave(&mut self, tried: bool, failed: Option<bool>) {
            self.breaker.leave(self.now, tried, failed, REST);
        }

        /// A call that is over at once.
        fn call(&mut self, failed: Option<bool>) -> Result<bool, Refusal> {
            let tried = self.enter()?;
            self.leave(tried, failed);
            Ok(tried)
        }

        fn open(mut self) -> Self {
            for _ in 0..FAILURES {
                assert_eq!(self.call(FAILED), Ok(false));
            }
            self
        }
    }

    #[test]
    fn five_failures_in_thirty_seconds_open_it_for_thirty() {
        let mut bench = Bench::new();
        for _ in 0..4 {
            assert_eq!(bench.call(FAILED), Ok(false));
        }
        // What works between them takes none away, and a caller who left adds none.
        assert_eq!((bench.call(WORKED), bench.call(None)), (Ok(false), Ok(false)));
        bench.wait(29);
        assert_eq!(bench.call(FAILED), Ok(false));
        assert_eq!(bench.call(WORKED), Err(Refusal::Open(31)));
        bench.wait(29);
        assert_eq!(bench.call(WORKED), Err(Refusal::Open(2)));
        bench.wait(1);
        assert_eq!((bench.call(WORKED), bench.call(FAILED)), (Ok(true), Ok(false)), "closed again");
        // Slower than that it stays closed.
        let mut bench = Bench::new();
        for _ in 0..50 {
            assert_eq!(bench.call(FAILED), Ok(false));
            bench.wait(8);
        }
    }

    #[test]
    fn one_call_tries_again_and_decides() {
        let mut bench = Bench::new().open();
        bench.wait(30);
        assert_eq!(bench.enter(), Ok(true));
        assert!(matches!(bench.enter(), Err(Refusal::Open(_))), "one at a time");
        bench.wait(5);
        bench.leave(true, FAILED);
        assert_eq!(bench.enter(), Err(Refusal::Open(31)), "thirty seconds from its failure");
        bench.wait(30);
        assert_eq!(bench.enter(), Ok(true));
        // Its caller has left: the next one tries, at once.
        bench.leave(true, None);
        assert_eq!(bench.call(WORKED), Ok(true));
        assert_eq!(bench.call(WORKED), Ok(false));
    }

    #[test]
    fn calls_from_before_it_opened_decide_nothing() {
        let mut bench = Bench::new();
        assert_eq!((bench.enter(), bench.enter()), (Ok(false), Ok(false)));
        let mut bench = bench.open();
        bench.wait(10);
        bench.leave(false, WORKED);
        assert_eq!(bench.enter(), Err(Refusal::Open(21)), "a late answer does not close it");
        bench.leave(false, FAILED);
        assert_eq!(bench.enter(), Err(Refusal::Open(21)), "nor does a late failure keep it open");
    }

    #[test]
    fn ten_at_once() {
        let mut bench = Bench::new();
        for _ in 0..CALLS {
            assert_eq!(bench.enter(), Ok(false));
        }
        assert_eq!(bench.enter(), Err(Refusal::Busy));
        bench.leave(false, WORKED);
        assert_eq!(bench.enter(), Ok(false));
    }

    #[test]
    fn partners_and_companies_are_apart_and_nothing_is_kept_of_what_works() {
        let breakers = Breakers::default();
        let (one, other) = (Id::<Partner>::new(), Id::<Partner>::new());
        for _ in 0..FAILURES {
            breakers.enter(one, "a").unwrap().end(true);
        }
        assert!(matches!(breakers.enter(one, "a"), Err(Refusal::Open(_))));
        for (partner, company) in [(one, "b"), (other, "a")] {
            breakers.enter(partner, company).unwrap().end(false);
            drop(breakers.enter(partner, company).unwrap());
        }
        assert_eq!(breakers.lock().len(), 1, "the open one alone");
    }

    proptest! {
        /// Whatever the order: never more than ten at once, never two that try, and an open one is tried in
        /// the end.
        #[test]
        fn places_are_counted_and_it_never_stays_open(
            steps in proptest::collection::vec((0_u8..6, 0_u64..40), 1..200)
        ) {
            let (mut bench, mut calls) = (Bench::new(), Vec::new());
            for (step, seconds) in steps {
                match step {
                    0..3 => calls.extend(bench.enter().ok()),
                    3 => bench.wait(seconds),
                    _ if calls.is_empty() => {}
                    _ => {
                        let tried = calls.remove(usize::try_from(seconds).unwrap() % calls.len());
                        bench.leave(tried, [FAILED, WORKED, None][usize::try_from(seconds % 3).unwrap()]);
                    }
                }
                prop_assert!(calls.len() <= CALLS && calls.len() == bench.breaker.under_way);
                prop_assert_eq!(calls.iter().filter(|tried| **tried).count(), usize::from(bench.breaker.trying));
            }
            for tried in calls {
                bench.leave(tried, None);
            }
            bench.wait(31);
            prop_assert!(bench.enter().is_ok());
        }
    }
}

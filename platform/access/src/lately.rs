//! What was read within the last second. Answers from memory may rely on it: whom the door has let in, and the
//! state of what is answered. Everything else asks again. See `docs/decisions/permissions.md#api-keys`.
//!
//! What a request has changed is seen by the next one of the same instance: each request that may change
//! something makes what was read of its partner before its end too old. Other instances see it after a second.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Id, Partner, Restaurant};
use poem::http::{Method, StatusCode};
use tenants::{Entry, KeyFacts};

/// So long what was read holds.
const HOLDS: Duration = Duration::from_secs(1);
/// The most answers that are remembered.
const MOST: usize = 10_000;
/// Partners share counters of changes: two of one counter read anew more often than they need to.
const COUNTERS: usize = 1024;

type Question = (Vec<u8>, Id<Partner>, Id<Restaurant>);

/// The moment before something of a partner was read.
#[derive(Debug, Clone, Copy)]
pub struct ReadAt {
    instant: Instant,
    /// The clock of the service may be moved, by an operator or a test.
    time: DateTime<Utc>,
    changes: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Lately {
    changes: Box<[AtomicU64; COUNTERS]>,
    answers: Recent<Question, KeyFacts>,
}

impl Default for Lately {
    fn default() -> Self {
        Self { changes: Box::new(std::array::from_fn(|_| AtomicU64::default())), answers: Recent::default() }
    }
}

impl Lately {
    /// The present moment, to be asked for before something of this partner is read.
    #[must_use]
    pub fn now(&self, partner: Id<Partner>) -> ReadAt {
        ReadAt {
            instant: Instant::now(),
            time: kernel::clock::now(),
            changes: self.counter(partner).load(Ordering::Acquire),
        }
    }

    /// Whether what was read of this partner then may still be told.
    #[must_use]
    pub fn holds(&self, partner: Id<Partner>, read: &ReadAt) -> bool {
        read.instant.elapsed() < HOLDS
            && (kernel::clock::now() - read.time).abs() < TimeDelta::seconds(2)
            && self.counter(partner).load(Ordering::Acquire) == read.changes
    }

    /// A request has been answered: what it may have changed is read again.
    pub fn answered(&self, method: &Method, path: &str, status: StatusCode) {
        // Whoever is refused changes nothing; otherwise strangers could keep everything from being remembered.
        if method.is_safe() || status.is_client_error() {
            return;
        }
        let mut parts = path.split('/');
        let partner = parts.find(|part| *part == "partners").and_then(|_| parts.next()?.parse().ok());
        match partner {
            Some(partner) => self.changed(partner),
            None if path.contains("/super-admin/") => {
                self.changes.iter().for_each(|one| _ = one.fetch_add(1, Ordering::Release));
            }
            None => {}
        }
    }

    fn changed(&self, partner: Id<Partner>) {
        self.counter(partner).fetch_add(1, Ordering::Release);
    }

    fn counter(&self, partner: Id<Partner>) -> &AtomicU64 {
        // The last bytes of an id are random.
        let [.., high, low] = partner.uuid().into_bytes();
        &self.changes[usize::from(u16::from_be_bytes([high, low])) % COUNTERS]
    }

    /// What the door said of this key at this restaurant within the last second.
    pub(crate) fn let_in(&self, entry: &Entry) -> Option<KeyFacts> {
        let question = question(entry)?;
        self.answers.find(self, question.1, &question)
    }

    /// Remembers that the door, asked then, has let a key in.
    pub(crate) fn note(&self, entry: &Entry, asked: ReadAt, facts: &KeyFacts) {
        if let Some(question) = question(entry) {
            self.answers.note(question, asked, facts.clone());
        }
    }
}

/// What was read, with the moment before, as long as it holds.
#[derive(Debug)]
pub struct Recent<K, V>(Mutex<HashMap<K, (ReadAt, V)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// What was read of this partner within the last second.
    pub fn find(&self, lately: &Lately, partner: Id<Partner>, key: &K) -> Option<V> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (read, value) = all.get(key)?;
        lately.holds(partner, read).then(|| value.clone())
    }

    /// Remembers what was read after that moment, while there is room.
    pub fn note(&self, key: K, read: ReadAt, value: V) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.retain(|_, (read, _)| read.instant.elapsed() < HOLDS);
        }
        if all.len() < MOST {
            all.insert(key, (read, value));
        }
    }
}

fn question(entry: &Entry) -> Option<Question> {
    match entry {
        Entry::Key { hash, partner, restaurant } => Some((hash.clone(), *partner, *restaurant)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_holds_until_something_changes() {
        let lately = Lately::default();
        // Two of different counters.
        let [one, other] = [1_u128, 2].map(|number| Id::<Partner>::from(uuid::Uuid::from_u128(number)));
        let path = |partner: Id<Partner>| format!("/api/v3/admin/partners/{partner}/restaurants");
        let read = lately.now(one);
        let holds = || lately.holds(one, &read);
        assert!(holds());
        for (method, path) in [
            (Method::GET, path(one)),
            (Method::POST, path(other)),
            (Method::POST, "/api/v3/admins/token".to_owned()),
        ] {
            lately.answered(&method, &path, StatusCode::OK);
            assert!(holds(), "{method} {path}");
        }
        lately.answered(&Method::PUT, &path(one), StatusCode::FORBIDDEN);
        assert!(holds(), "refused");
        for (method, path) in [
            (Method::PUT, path(one)),
            (Method::DELETE, "/api/v3/super-admin/features/7".to_owned()),
            (Method::POST, format!("/api/v3/super-admin/partners/{one}/clone")),
        ] {
            let read = lately.now(one);
            lately.answered(&method, &path, StatusCode::INTERNAL_SERVER_ERROR);
            assert!(!lately.holds(one, &read), "{method} {path}");
        }
    }
}

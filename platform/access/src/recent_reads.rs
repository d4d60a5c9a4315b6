//! What was read within the last second. Answers from memory may rely on it: whom the door has let in, and the
//! state of what is answered. Everything else asks again. See `docs/decisions/reliability.md#memories`.
//!
//! What a request has changed is seen by the next one of the same instance: each request that may change
//! something makes what was read of its partner before its end too old. Other instances see it after a second.
//! Who waited while another one read takes what was read after he came, whatever has changed since.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Id, Partner, Restaurant, Result};
use poem::http::{Method, StatusCode};
use tenants::{Entry, KeyFacts};

use crate::read_queue::{ReadQueue, Turn};

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
pub struct RecentReads {
    changes: Box<[AtomicU64; COUNTERS]>,
    answers: Recent<Question, KeyFacts>,
    /// Who reads anew what is not remembered any more, while others with the same question wait.
    readers: Mutex<HashMap<Question, Arc<ReadQueue>>>,
}

/// Whether a call changes nothing, whatever its method.
#[must_use]
pub fn reads(method: &Method, path: &str) -> bool {
    method.is_safe() || ["/quote", "/search", "/totals"].iter().any(|end| path.ends_with(end))
}

impl Default for RecentReads {
    fn default() -> Self {
        let changes = Box::new(std::array::from_fn(|_| AtomicU64::default()));
        Self { changes, answers: Recent::default(), readers: Mutex::default() }
    }
}

impl RecentReads {
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
        if reads(method, path) || status.is_client_error() {
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

    /// What the door said of this key at this restaurant within the last second, for a request that came then.
    pub(crate) fn let_in(&self, entry: &Entry, came: Instant) -> Option<KeyFacts> {
        let question = question(entry)?;
        self.answers.find(self, question.1, &question, came)
    }

    /// Waits for the turn to ask the door again; who was before may have brought the answer meanwhile. None for
    /// what is not remembered, and for who has waited too long: he asks for himself.
    /// Errors: `UNAVAILABLE_SERVER` when too many wait.
    pub(crate) async fn read_anew(&self, entry: &Entry) -> Result<Option<Turn>> {
        let Some(question) = question(entry) else { return Ok(None) };
        let reader = {
            let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            if readers.len() >= MOST {
                readers.retain(|_, reader| Arc::strong_count(reader) > 1 || !reader.is_idle());
            }
            readers.entry(question).or_default().clone()
        };
        reader.turn().await
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
    /// What was read of this partner within the last second, for a request that came then.
    pub fn find(&self, recent: &RecentReads, partner: Id<Partner>, key: &K, came: Instant) -> Option<V> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (read, value) = all.get(key)?;
        (recent.holds(partner, read) || came <= read.instant).then(|| value.clone())
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
        let recent = RecentReads::default();
        // Two of different counters.
        let [one, other] = [1_u128, 2].map(|number| Id::<Partner>::from(uuid::Uuid::from_u128(number)));
        let path = |partner: Id<Partner>| format!("/api/v3/admin/partners/{partner}/restaurants");
        let read = recent.now(one);
        let holds = || recent.holds(one, &read);
        assert!(holds());
        for (method, path) in [
            (Method::GET, path(one)),
            (Method::POST, path(other)),
            (Method::POST, "/api/v3/admins/token".to_owned()),
            (Method::POST, path(one) + "/orders/quote"),
        ] {
            recent.answered(&method, &path, StatusCode::OK);
            assert!(holds(), "{method} {path}");
        }
        recent.answered(&Method::PUT, &path(one), StatusCode::FORBIDDEN);
        assert!(holds(), "refused");
        for (method, path) in [
            (Method::PUT, path(one)),
            (Method::DELETE, "/api/v3/super-admin/features/7".to_owned()),
            (Method::POST, format!("/api/v3/super-admin/partners/{one}/clone")),
        ] {
            let read = recent.now(one);
            recent.answered(&method, &path, StatusCode::INTERNAL_SERVER_ERROR);
            assert!(!recent.holds(one, &read), "{method} {path}");
        }
    }

    #[test]
    fn what_was_read_after_a_request_came_is_for_it_whatever_changes() {
        let (recent, menus, partner) = (RecentReads::default(), Recent::default(), Id::new());
        let before = Instant::now();
        let read = recent.now(partner);
        menus.note("menu", read, 1);
        let find = |came| menus.find(&recent, partner, &"menu", came);
        let after = Instant::now() + Duration::from_millis(1);
        assert_eq!((find(before), find(after)), (Some(1), Some(1)));
        recent.changed(partner);
        assert_eq!((find(before), find(after)), (Some(1), None));
    }

    #[tokio::test]
    async fn one_reads_anew_and_those_with_the_same_question_wait() {
        let recent = Arc::new(RecentReads::default());
        let (partner, restaurant) = (Id::new(), Id::new());
        let key = move |secret: u8| Entry::Key { hash: vec![secret], partner, restaurant };
        let reads = |secret| {
            let recent = recent.clone();
            tokio::spawn(async move { recent.read_anew(&key(secret)).await })
        };
        let first = reads(1).await.unwrap().unwrap();
        assert!(first.is_some());
        let second = reads(1);
        assert!(reads(2).await.unwrap().unwrap().is_some(), "another question");
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!second.is_finished());
        drop(first);
        let second = second.await.unwrap().unwrap();
        assert!(second.is_some());
        assert!(reads(1).await.unwrap().unwrap().is_none(), "who waits for too long goes on alone");
        let session = Entry::Device { hash: vec![1] };
        assert!(recent.read_anew(&session).await.unwrap().is_none(), "not remembered");
    }
}

//! Which credentials have lately been let in to which partner, so that a request waits in its partner's turn
//! from its first unit of work on. See `docs/decisions/reliability.md#overload`.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
};

use kernel::{Id, Partner};
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

/// So many are remembered at least; twice as many at most.
const KNOWN: usize = 50_000;

/// Those who were let in lately. Nothing is allowed by it: a credential that has ended since takes its partner's
/// turn and is refused in it.
#[derive(Debug, Default)]
pub(crate) struct Bearers {
    /// Its key is of this process, so nobody can send another credential with the same sum.
    sums: RandomState,
    known: Mutex<KnownCallers>,
}

#[derive(Debug, Default)]
struct KnownCallers {
    now: HashMap<u64, Id<Partner>>,
    before: HashMap<u64, Id<Partner>>,
}

impl Bearers {
    /// A sum over the request's credentials and the partner in its path, and the partner that let them in; none
    /// for a request without credentials.
    pub(crate) fn of(&self, path: &str, headers: &HeaderMap) -> (Option<u64>, Option<Id<Partner>>) {
        let names = [header::AUTHORIZATION, HeaderName::from_static("x-api-key"), header::COOKIE];
        let credentials = names.map(|name| headers.get(name).map(HeaderValue::as_bytes));
        if credentials.iter().all(Option::is_none) {
            return (None, None);
        }
        let mut parts = path.split('/');
        let partner = parts.find(|part| *part == "partners").and_then(|_| parts.next());
        let sum = self.sums.hash_one((credentials, partner));
        (Some(sum), self.partner(sum))
    }

    fn partner(&self, sum: u64) -> Option<Id<Partner>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(partner) = known.now.get(&sum) {
            return Some(*partner);
        }
        let partner = known.before.remove(&sum)?;
        known.keep(sum, partner);
        Some(partner)
    }

    /// The door has let this one in.
    pub(crate) fn learn(&self, sum: u64, partner: Id<Partner>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).keep(sum, partner);
    }
}

impl KnownCallers {
    fn keep(&mut self, sum: u64, partner: Id<Partner>) {
        if self.now.len() >= KNOWN {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(sum, partner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_let_in_is_known_with_the_same_credential_and_partner_only() {
        let bearers = Bearers::default();
        let of = |path: &str, name: &'static str, value: &'static str| {
            let headers = [(HeaderName::from_static(name), HeaderValue::from_static(value))];
            bearers.of(path, &HeaderMap::from_iter(headers))
        };
        let (partner, path) = (Id::new(), "/api/v3/partners/a/restaurants/b/menu");
        let (Some(sum), None) = of(path, "authorization", "Bearer pk_1") else { panic!("known before") };
        bearers.learn(sum, partner);
        assert_eq!(of(path, "authorization", "Bearer pk_1"), (Some(sum), Some(partner)));
        for (path, name, value) in [
            ("/api/v3/partners/c/restaurants/b/menu", "authorization", "Bearer pk_1"),
            (path, "authorization", "Bearer pk_2"),
            (path, "x-api-key", "Bearer pk_1"),
        ] {
            assert_eq!(of(path, name, value).1, None, "{path} {name} {value}");
        }
        assert_eq!(bearers.of(path, &HeaderMap::new()), (None, None));
    }

    #[test]
    fn who_comes_again_and_again_stays_known() {
        let bearers = Bearers::default();
        let partner = Id::new();
        bearers.learn(0, partner);
        for sum in 1..=(KNOWN as u64 * 5) {
            bearers.learn(sum, Id::new());
            if sum % 1000 == 0 {
                assert_eq!(bearers.partner(0), Some(partner), "{sum}");
            }
        }
        let known = bearers.known.lock().unwrap();
        assert!(known.now.len() + known.before.len() <= KNOWN * 2);
    }
}

//! The refusals that were recently written to the audit log, so that each is written once in ten minutes.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use uuid::Uuid;

/// The same refusal again within this time is no new line: a page that asks every second must not fill the
/// log.
const AGAIN: Duration = Duration::from_secs(600);
/// Refusals that are remembered.
const KNOWN: usize = 10_000;

/// Refusals that were written lately, by session and call.
#[derive(Debug, Default)]
pub(crate) struct RecentRefusals(Mutex<HashMap<(Uuid, String), Instant>>);

impl RecentRefusals {
    /// Whether this refusal is to be written; from then on it is known.
    pub(super) fn is_new(&self, session: Uuid, call: String) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if known.len() >= KNOWN {
            known.retain(|_, at| now.duration_since(*at) < AGAIN);
            if known.len() >= KNOWN {
                known.clear();
            }
        }
        known.insert((session, call), now).is_none_or(|at| now.duration_since(at) >= AGAIN)
    }
}

//! Keys that the door has let in within the last second. What answers without a unit of work may rely on that;
//! everything else asks the door again when it begins one. See `docs/decisions/permissions.md#api-keys`.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Id, Partner, Restaurant};
use tenants::{Entry, KeyFacts};

/// So long an answer of the door holds.
const HOLDS: Duration = Duration::from_secs(1);
/// The most answers that are remembered.
const MOST: usize = 10_000;

type Question = (Vec<u8>, Id<Partner>, Id<Restaurant>);

/// The answers, each with the moment before it was asked for.
#[derive(Debug, Default)]
pub(crate) struct Lately {
    answers: Mutex<HashMap<Question, (Instant, KeyFacts)>>,
}

impl Lately {
    /// What the door said of this key at this restaurant within the last second.
    pub fn find(&self, entry: &Entry) -> Option<KeyFacts> {
        let question = question(entry)?;
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(&question).filter(|(asked, _)| asked.elapsed() < HOLDS).map(|(_, facts)| facts.clone())
    }

    /// Remembers an answer that was asked for at `asked`.
    pub fn note(&self, entry: &Entry, asked: Instant, facts: &KeyFacts) {
        let Some(question) = question(entry) else { return };
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.retain(|_, (asked, _)| asked.elapsed() < HOLDS);
        }
        if answers.len() < MOST {
            answers.insert(question, (asked, facts.clone()));
        }
    }
}

fn question(entry: &Entry) -> Option<Question> {
    match entry {
        Entry::Key { hash, partner, restaurant } => Some((hash.clone(), *partner, *restaurant)),
        _ => None,
    }
}

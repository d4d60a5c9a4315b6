//! The answers that clients received.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// An answer that reached its client.
#[derive(Debug)]
pub struct Acknowledged {
    /// Number of the order.
    pub intent: usize,
    /// Its idempotency key.
    pub key: String,
    /// The body of the answer.
    pub body: String,
}

impl Acknowledged {
    /// The order in the answer.
    #[must_use]
    pub fn order(&self) -> Value {
        serde_json::from_str(&self.body).expect("an order")
    }
}

/// Everything that was acknowledged, and how often nobody knew.
#[derive(Debug, Default)]
pub struct Journal {
    entries: Mutex<Vec<Acknowledged>>,
    count: AtomicUsize,
    unanswered: AtomicUsize,
}

impl Journal {
    /// An answer came.
    pub fn acknowledge(&self, entry: Acknowledged) {
        self.entries.lock().unwrap().push(entry);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// A request was sent and no answer came.
    pub fn unanswered(&self) {
        self.unanswered.fetch_add(1, Ordering::Relaxed);
    }

    /// How many answers have come.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// How many requests had no answer.
    pub fn count_unanswered(&self) -> usize {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// All of them.
    #[must_use]
    pub fn entries(self) -> Vec<Acknowledged> {
        self.entries.into_inner().unwrap()
    }
}

//! The answers that clients received.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// An answer that reached its client.
pub struct Acknowledged {
    pub intent: usize,
    pub key: String,
    pub body: String,
}

impl Acknowledged {
    pub fn order(&self) -> Value {
        serde_json::from_str(&self.body).expect("an order")
    }
}

/// Everything that was acknowledged, and how often nobody knew.
#[derive(Default)]
pub struct Journal {
    entries: Mutex<Vec<Acknowledged>>,
    count: AtomicUsize,
    unanswered: AtomicUsize,
}

impl Journal {
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

    pub fn count_unanswered(&self) -> usize {
        self.unanswered.load(Ordering::Relaxed)
    }

    pub fn entries(self) -> Vec<Acknowledged> {
        self.entries.into_inner().unwrap()
    }
}

//! Counts requests that wait for another one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// One who waits, also when he leaves in the middle.
pub(crate) struct Waiting<'a> {
    all: &'a AtomicUsize,
    /// How many waited when he came.
    pub before: usize,
}

impl<'a> Waiting<'a> {
    pub(crate) fn begin(all: &'a AtomicUsize) -> Self {
        Self { all, before: all.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
    }
}

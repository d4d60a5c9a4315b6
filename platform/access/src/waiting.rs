//! Requests that need the same from the database: one asks, the others wait for what it brings.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use kernel::{Code, Result};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// How long a request waits for another one, and how many may.
const PATIENCE: Duration = Duration::from_secs(1);
const WAITING: usize = 2048;

/// Whose turn it is to ask.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    turn: Arc<Mutex<()>>,
    waiting: AtomicUsize,
}

/// The turn to ask; who waits goes on when this is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl Asking {
    /// Waits for the turn; who was before may have brought the answer meanwhile. None for who has waited too long.
    ///
    /// # Errors
    /// `UNAVAILABLE_SERVER` when too many wait.
    pub(crate) async fn turn(&self) -> Result<Option<Turn>> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _counted = Counted(&self.waiting);
        if before >= WAITING {
            return Err(Code::UNAVAILABLE_SERVER.into());
        }
        Ok(tokio::time::timeout(PATIENCE, self.turn.clone().lock_owned()).await.ok())
    }

    /// Whether nobody asks or waits.
    pub(crate) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.turn) == 1
    }
}

/// One who waits, also when he leaves in the middle.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

//! Locks of the memories of a process.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The content of a lock, also after a panic of somebody who had it: each memory is whole after every statement.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

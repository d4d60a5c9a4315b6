//! The one clock. All code asks it for the time, so a test can move it. See
//! `docs/decisions/money-and-time.md#clock`.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Duration, Utc};

static OFFSET_MS: AtomicI64 = AtomicI64::new(0);

/// The present instant (UTC).
#[must_use]
pub fn now() -> DateTime<Utc> {
    Utc::now() + Duration::milliseconds(OFFSET_MS.load(Ordering::Relaxed))
}

/// Moves the clock of this process so that it now shows `instant`. For tests.
pub fn set(instant: DateTime<Utc>) {
    OFFSET_MS.store((instant - Utc::now()).num_milliseconds(), Ordering::Relaxed);
}

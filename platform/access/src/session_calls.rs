//! How often one session may call this instance: a page that hangs in a loop, or a stolen token, takes nobody else's
//! time. See `docs/decisions/permissions.md#limits`.

use std::num::NonZeroU32;

use governor::{
    Quota, RateLimiter,
    clock::{Clock, MonotonicClock},
    middleware::NoOpMiddleware,
    state::keyed::HashMapStateStore,
};
use kernel::{Code, Problem, Result};
use uuid::Uuid;

/// Twice as many at once, after a pause.
const TWICE: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

/// Counted by session and not by account: whoever has a token of a session that has ended uses up no call of a living
/// one.
pub(crate) struct SessionCalls {
    per_second: NonZeroU32,
    limiter: RateLimiter<
        Uuid,
        HashMapStateStore<Uuid>,
        MonotonicClock,
        NoOpMiddleware<<MonotonicClock as Clock>::Instant>,
    >,
}

impl SessionCalls {
    /// So many a second, and twice as many at once after a pause.
    pub fn new(per_second: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_mul(TWICE));
        Self { per_second, limiter: RateLimiter::hashmap_with_clock(quota, MonotonicClock) }
    }

    /// Takes one call.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub fn take(&self, session: Uuid) -> Result<()> {
        // The next one is due within a second, however few there are.
        self.limiter.check_key(&session).map_err(|_| {
            Problem::new(Code::TOO_MANY_REQUESTS)
                .detail(format!("{} calls of a session in a second", self.per_second))
                .retry_after(1)
        })
    }

    /// Forgets those that have not called for a while.
    pub fn forget(&self) {
        self.limiter.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_has_its_own_calls() {
        let calls = SessionCalls::new(NonZeroU32::MIN);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let taken = |session, most| (0..most).filter(|_| calls.take(session).is_ok()).count();
        assert_eq!(taken(one, 4), 2);
        assert_eq!(calls.take(one).unwrap_err().code(), Code::TOO_MANY_REQUESTS);
        calls.forget();
        assert_eq!((taken(one, 1), taken(other, 4)), (0, 2));
    }
}

//! When a provider is asked about an attempt. See `docs/decisions/payments.md#asking`.

use chrono::Duration;
use kernel::time::Timestamp;

use super::types::PaymentState;

/// Minutes after its start at which an attempt that waits is asked about, beside its end.
const WAITING: [i64; 3] = [2, 10, 25];
/// Seconds until an attempt of which nothing can be said is asked about again, the first times.
const UNKNOWN: [i64; 5] = [1, 5, 15, 30, 60];
/// Seconds until an attempt is asked about whose start has not been answered.
const STARTING: i64 = 40;

/// An attempt as far as asking goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub state: PaymentState,
    pub started_at: Timestamp,
    /// When its time is over at the provider.
    pub expires_at: Timestamp,
    /// How often it was asked about since it is unknown.
    pub asks: i32,
}

/// When it is asked about next; none when its end is known, or a person has to look.
pub(super) fn next(asked: Asked, now: Timestamp) -> Option<Timestamp> {
    let seconds = |seconds: i64| Some(Timestamp(now.0 + Duration::seconds(seconds)));
    match asked.state {
        PaymentState::Created => seconds(STARTING),
        PaymentState::Pending => {
            let times = WAITING.iter().map(|minutes| asked.started_at.plus_minutes(*minutes));
            let hours = (1..=24).map(|hour| asked.started_at.plus_minutes(hour * 60));
            let end = Timestamp(asked.expires_at.0 + Duration::seconds(20));
            times.chain([end]).chain(hours).filter(|at| *at > now).min()
        }
        PaymentState::Authorised => seconds(6 * 3600),
        PaymentState::Unknown => match asked.asks {
            asks if asks < 5 => seconds(UNKNOWN[usize::try_from(asks).unwrap_or(0)]),
            // 24 times five minutes are two hours, and 46 further ones make 48.
            asks if asks < 29 => seconds(300),
            asks if asks < 75 => seconds(3600),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64, seconds: i64) -> Timestamp {
        let start: Timestamp = Timestamp("2026-10-25T00:30:00Z".parse().unwrap());
        Timestamp(start.0 + Duration::seconds(minutes * 60 + seconds))
    }

    fn asked(state: PaymentState, asks: i32) -> Asked {
        Asked { state, started_at: at(0, 0), expires_at: at(30, 0), asks }
    }

    #[test]
    fn an_attempt_that_waits_is_asked_about_at_its_times() {
        let mut now = at(0, 0);
        let mut times = Vec::new();
        while let Some(next) = next(asked(PaymentState::Pending, 0), now) {
            times.push((next.0 - at(0, 0).0).num_seconds());
            now = next;
        }
        assert_eq!(times[..5], [120, 600, 1500, 1820, 3600]);
        assert_eq!((times.len(), times.last()), (28, Some(&86_400)));
    }

    #[test]
    fn an_unknown_one_is_asked_about_for_two_days() {
        let mut now = at(0, 0);
        let mut times = Vec::new();
        for asks in 0.. {
            let Some(next) = next(asked(PaymentState::Unknown, asks), now) else { break };
            times.push((next.0 - now.0).num_seconds());
            now = next;
        }
        assert_eq!(times[..6], [1, 5, 15, 30, 60, 300]);
        let days = (now.0 - at(0, 0).0).num_minutes();
        assert!((47 * 60..=49 * 60).contains(&days), "{days}");
    }

    #[test]
    fn what_has_ended_is_not_asked_about() {
        use PaymentState::{Cancelled, Captured, Expired, Failed, Refunded};
        for state in [Captured, Failed, Cancelled, Expired, Refunded] {
            assert_eq!(next(asked(state, 0), at(1, 0)), None);
        }
    }
}

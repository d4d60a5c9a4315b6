//! Limits of API keys. An instance takes blocks of a tenth of the limit (2 to 50 calls, more for who uses them up
//! at once) from one row per key or guest. So most calls cost no statement, and all instances together keep the
//! limit. The rest of a block is lost to other instances, so a guest whose calls reach many instances may have
//! fewer. See `docs/decisions/permissions.md#limits`.
//!
//! A secret key has 20 calls a second and 10,000 in 15 minutes. A browser key has 500 a second, and each of
//! its guests 5 a second and 600 in 15 minutes. Cheap answers (cached, 304) count a tenth, so everything is
//! counted in tenths of a call.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Code, Problem, Result};
use sea_orm::FromQueryResult;
use tenants::Door;
use uuid::Uuid;

use crate::read_queue::{ReadQueue, busy};

/// A call, in tenths.
const CALL: i32 = 10;
/// The discount of a call that was answered from a cache.
const CACHED: i32 = 9;
/// The most that an instance takes at a time, in tenths, unless the block before was used up sooner than this:
/// then it takes twice as much as that, up to a tenth of the limit.
const BLOCK: i32 = 50 * CALL;
const SOON: Duration = Duration::from_millis(100);
/// The shorter window.
const SECOND: Duration = Duration::from_secs(1);
/// Keys and guests that are remembered. Past it those are forgotten that have not called for a while; then
/// all.
const KNOWN: usize = 50_000;

/// How often a call asks. While it asks for one window, others may use up the other one.
const ASKED: usize = 5;

/// The subject of a limit: a key, or one of its guests.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    key: Uuid,
    guest: Option<String>,
}

/// The limit of a subject, in tenths of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    second: i32,
    quarter: Option<i32>,
}

/// The remaining calls, for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Calls in the window.
    pub limit: i32,
    /// How many of them are left, as far as this instance knows.
    pub remaining: i32,
    /// Seconds until the window ends.
    pub reset: u64,
    /// The window in seconds, and that of the second.
    per_second: i32,
    window: u64,
}

impl Allowance {
    /// `RateLimit-Policy`: every window that counts.
    pub fn policy(&self) -> String {
        if self.window == 1 {
            return format!("{};w=1", self.limit);
        }
        format!("{};w=1, {};w={}", self.per_second, self.limit, self.window)
    }
}

/// The limits of a key of this kind with their subjects. The caller sees the last one.
pub(crate) fn plans(key: Uuid, kind: &str, factor: i32, guest: &str) -> Vec<(Subject, Plan)> {
    let of_key = Subject { key, guest: None };
    let times = |calls: i32| calls.saturating_mul(factor).saturating_mul(CALL);
    if kind == "browser" {
        let guest = Subject { key, guest: Some(guest.to_owned()) };
        return vec![
            (of_key, Plan { second: times(500), quarter: None }),
            (guest, Plan { second: 5 * CALL, quarter: Some(600 * CALL) }),
        ];
    }
    vec![(of_key, Plan { second: times(20), quarter: Some(times(10_000)) })]
}

#[derive(Debug, Default)]
struct Window {
    left: i32,
    until: Option<Instant>,
    /// The row has nothing more in this window.
    drained: bool,
    /// When the last block came, and how large it was.
    last: Option<(Instant, i32)>,
}

impl Window {
    fn roll(&mut self, now: Instant) {
        if self.until.is_none_or(|until| until <= now) {
            *self = Self { last: self.last, ..Self::default() };
        }
    }

    /// How much to ask for: twice as much as last time, as much, or the usual, by how long that lasted.
    fn block(&self, limit: i32, now: Instant) -> i32 {
        let lasted = |at| now.saturating_duration_since(at);
        let again = match self.last {
            Some((at, size)) if lasted(at) < SOON => size.saturating_mul(2),
            Some((at, size)) if lasted(at) < SECOND => size,
            _ => 0,
        };
        block(limit).max(again.min(limit / 10))
    }

    fn wants(&self) -> bool {
        self.left < CALL && !self.drained
    }

    fn fill(&mut self, given: i32, wanted: i32, until: Instant) {
        self.last = Some((Instant::now(), wanted));
        self.left += given;
        self.until = Some(until);
        self.drained = given < wanted;
    }

    fn seconds(&self, now: Instant) -> u64 {
        self.until
            .map_or(1, |until| {
                until.saturating_duration_since(now).as_millis().div_ceil(1000).try_into().unwrap_or(1)
            })
            .max(1)
    }
}

/// The block of one subject at this instance.
#[derive(Debug, Default)]
struct Local {
    windows: Mutex<Windows>,
    /// Held over the statement, so that of many calls at once one asks and the others wait for its block.
    asking: ReadQueue,
}

#[derive(Debug, Default)]
struct Windows {
    second: Window,
    quarter: Window,
    /// The rest of the quarter of an hour in the row.
    beyond: i32,
}

/// The blocks of this instance.
#[derive(Debug, Default)]
pub(crate) struct Limits(Mutex<HashMap<Subject, Arc<Local>>>);

const TAKE: &str = "select second_given, quarter_given, quarter_left, second_ms, quarter_ms from \
    control.take_units($1, $2, $3, $4, $5)";

/// Of how many units the windows gave, and how much longer they last.
#[derive(FromQueryResult)]
struct Taken {
    second_given: i32,
    quarter_given: i32,
    quarter_left: i32,
    second_ms: i32,
    quarter_ms: i32,
}

fn block(limit: i32) -> i32 {
    (limit / 10).clamp(2 * CALL, BLOCK)
}

impl Limits {
    fn local(&self, subject: &Subject) -> Arc<Local> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(local) = known.get(subject) {
            return local.clone();
        }
        if known.len() >= KNOWN {
            let now = Instant::now();
            let over = |window: &Window| window.until.is_none_or(|until| until <= now);
            known.retain(|_, local| {
                let windows = local.windows();
                !(over(&windows.second) && over(&windows.quarter))
            });
            if known.len() >= KNOWN {
                known.clear();
            }
        }
        known.entry(subject.clone()).or_default().clone()
    }

    /// Takes one call. The rest is answered in both cases.
    pub async fn take(
        &self, door: &Door, subject: &Subject, plan: &Plan,
    ) -> Result<(Allowance, Option<Problem>)> {
        let local = self.local(subject);
        if let Some(taken) = local.windows().take(plan) {
            return Ok(taken);
        }
        let _turn = local.asking.turn().await?.ok_or_else(busy)?;
        for _ in 0..ASKED {
            // Somebody before may have brought enough.
            if let Some(taken) = local.windows().take(plan) {
                return Ok(taken);
            }
            local.ask(door, subject, plan).await?;
        }
        Err(busy())
    }

    /// The call was answered from a cache: it counts a tenth.
    pub fn give_back(&self, subject: &Subject) {
        let local = self.local(subject);
        let now = Instant::now();
        let Windows { second, quarter, .. } = &mut *local.windows();
        for window in [second, quarter] {
            if window.until.is_some_and(|until| until > now) {
                window.left += CACHED;
            }
        }
    }
}

impl Local {
    fn windows(&self) -> MutexGuard<'_, Windows> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the next block of each window that needs one.
    async fn ask(&self, door: &Door, subject: &Subject, plan: &Plan) -> Result<()> {
        let now = Instant::now();
        let (second, quarter) = self.windows().wanted(plan, now);
        let name = subject
            .guest
            .as_ref()
            .map_or_else(|| subject.key.to_string(), |guest| format!("{} {guest}", subject.key));
        let values = [
            name.into(),
            second.into(),
            plan.second.into(),
            quarter.into(),
            plan.quarter.unwrap_or(0).into(),
        ];
        // All calls of the subject wait for it.
        let taken: Option<Taken> = kernel::request::ahead(door.one(TAKE, values)).await?;
        let taken = taken.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        let mut windows = self.windows();
        // Counted from before the question was asked, so that no window lasts longer here than in the
        // database.
        let until = |ms: i32| now + Duration::from_millis(ms.max(1).unsigned_abs().into());
        if second > 0 {
            windows.second.fill(taken.second_given, second, until(taken.second_ms));
        }
        if quarter > 0 {
            windows.quarter.fill(taken.quarter_given, quarter, until(taken.quarter_ms));
            windows.beyond = taken.quarter_left.max(0);
        }
        Ok(())
    }
}

impl Windows {
    /// How much of each window is to be asked for.
    fn wanted(&self, plan: &Plan, now: Instant) -> (i32, i32) {
        let of = |window: &Window, limit| if window.wants() { window.block(limit, now) } else { 0 };
        (of(&self.second, plan.second), plan.quarter.map_or(0, |limit| of(&self.quarter, limit)))
    }

    /// Takes one call without asking, or refuses it; none when more is to be asked for.
    fn take(&mut self, plan: &Plan) -> Option<(Allowance, Option<Problem>)> {
        let now = Instant::now();
        self.second.roll(now);
        self.quarter.roll(now);
        let spent = |window: &Window| window.drained && window.left < CALL;
        let asks = self.wanted(plan, now) != (0, 0) && !spent(&self.second) && !spent(&self.quarter);
        (!asks).then(|| self.taken(plan, now))
    }

    /// Takes one call of what is here, or refuses it.
    fn taken(&mut self, plan: &Plan, now: Instant) -> (Allowance, Option<Problem>) {
        let second_spent = self.second.left < CALL;
        let quarter_spent = plan.quarter.is_some() && self.quarter.left < CALL;
        if !second_spent && !quarter_spent {
            self.second.left -= CALL;
            self.quarter.left -= if plan.quarter.is_some() { CALL } else { 0 };
        }
        let per_second = plan.second / CALL;
        let allowance = match plan.quarter {
            // The window that refuses is the one to be told about.
            Some(quarter) if quarter_spent || !second_spent => Allowance {
                limit: quarter / CALL,
                remaining: if quarter_spent { 0 } else { (self.quarter.left + self.beyond) / CALL },
                reset: self.quarter.seconds(now),
                per_second,
                window: 900,
            },
            _ => Allowance {
                limit: per_second,
                remaining: self.second.left / CALL,
                reset: self.second.seconds(now),
                per_second,
                window: 1,
            },
        };
        let refused = (second_spent || quarter_spent).then(|| {
            let detail = format!(
                "{} calls in {}",
                allowance.limit,
                if allowance.window == 1 { "a second" } else { "15 minutes" }
            );
            Problem::new(Code::TOO_MANY_REQUESTS).detail(detail).retry_after(allowance.reset)
        });
        (allowance, refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_uses_up_blocks_at_once_gets_larger_ones() {
        let now = Instant::now();
        let after = |ms, size| {
            Window { last: Some((now, size)), ..Window::default() }
                .block(10_000 * CALL, now + Duration::from_millis(ms))
        };
        assert_eq!(Window::default().block(10_000 * CALL, now), BLOCK);
        assert_eq!(
            [after(50, BLOCK), after(500, 2 * BLOCK), after(1500, 2 * BLOCK)],
            [2 * BLOCK, 2 * BLOCK, BLOCK]
        );
        // Never more than a tenth of the limit at once, and small limits have small blocks.
        assert_eq!(after(50, 900 * CALL), 1000 * CALL);
        let small = Window { last: Some((now, 2 * CALL)), ..Window::default() };
        assert_eq!(small.block(5 * CALL, now), 2 * CALL);
    }

    #[test]
    fn what_others_used_up_meanwhile_is_asked_for_and_not_refused() {
        let plan = Plan { second: 200 * CALL, quarter: Some(10_000 * CALL) };
        let later = Instant::now() + Duration::from_secs(60);
        let window = |left, drained| Window { left, until: Some(later), drained, last: None };
        for (second, quarter, asks, refused) in [
            (window(50, false), window(50, false), false, false),
            (window(50, false), window(0, false), true, false),
            (window(0, false), window(50, false), true, false),
            (window(0, false), window(0, false), true, false),
            (window(50, false), window(0, true), false, true),
            (window(0, true), window(0, false), false, true),
        ] {
            let case = format!("{second:?} {quarter:?}");
            let mut windows = Windows { second, quarter, beyond: 0 };
            let taken = windows.take(&plan);
            assert_eq!(taken.is_none(), asks, "{case}");
            assert_eq!(taken.is_some_and(|(_, problem)| problem.is_some()), refused, "{case}");
        }
    }
}

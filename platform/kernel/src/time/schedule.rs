//! [`Schedule`]: the one place that decides whether a restaurant takes orders, until when, and from when
//! again. See `docs/decisions/restaurants.md#whether-orders-are-taken`.

use chrono::TimeDelta;

use super::{
    TimeOfDay, Timestamp, Tz, first_instant,
    hours::{Holiday, OpeningHours, closes, is_open, next_opening},
};

/// How far ahead an end of continuous hours is looked for; who is open for longer has none.
const LONGEST_DAYS: i64 = 14;

/// SOS close: no orders at all, whatever the hours say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SosClose {
    /// Orders are taken.
    #[default]
    Off,
    /// None are taken before this instant; then it ends by itself.
    Until(Timestamp),
    /// None are taken until somebody opens again.
    On,
}

impl SosClose {
    /// From the two settings `temp_no_orders` and `temp_no_orders_until`.
    pub fn new(temp_no_orders: bool, until: Option<Timestamp>) -> Self {
        match (temp_no_orders, until) {
            (false, _) => Self::Off,
            (true, Some(end)) => Self::Until(end),
            (true, None) => Self::On,
        }
    }

    /// Whether it keeps the restaurant closed at an instant.
    pub fn holds(self, at: Timestamp) -> bool {
        match self {
            Self::Off => false,
            Self::Until(end) => at < end,
            Self::On => true,
        }
    }

    pub fn end(self) -> Option<Timestamp> {
        if let Self::Until(end) = self { Some(end) } else { None }
    }
}

/// When a restaurant takes orders: the week's hours, the days that differ, and SOS close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The zone of hours and calendar days.
    pub zone: Tz,
    /// The week's hours.
    pub hours: Vec<OpeningHours>,
    /// Days that differ from them, without archived ones.
    pub holidays: Vec<Holiday>,
    pub sos: SosClose,
}

/// Whether a restaurant takes orders at an instant, and when that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Opening {
    /// Within the hours, and no SOS close.
    pub open_now: bool,
    /// While it is open: the last minute in which it still is, which counts whole. `None` when it does not
    /// close within two weeks.
    pub open_until: Option<Timestamp>,
    /// While it is closed: the first instant at which it is open again. `None` when it is not within 400
    /// days, or when SOS close has no end.
    pub next_opening: Option<Timestamp>,
}

impl Schedule {
    /// Whether an instant lies within the hours of its day, SOS close aside.
    pub fn within_hours(&self, at: Timestamp) -> bool {
        is_open(&self.hours, &self.holidays, at, self.zone)
    }

    /// The first instant from this one on that lies within the hours, SOS close aside: `at` itself when it
    /// does.
    pub fn next_within_hours(&self, at: Timestamp) -> Option<Timestamp> {
        next_opening(&self.hours, &self.holidays, at, self.zone)
    }

    pub fn opening(&self, at: Timestamp) -> Opening {
        let from = match self.sos {
            SosClose::On => return Opening::default(),
            SosClose::Until(end) => at.max(end),
            SosClose::Off => at,
        };
        let next = self.next_within_hours(from);
        if next != Some(at) {
            return Opening { next_opening: next, ..Opening::default() };
        }
        Opening {
            open_now: true,
            open_until: self.closes(at).map(|end| end.plus_minutes(-1)),
            next_opening: None,
        }
    }

    /// The next instant after this one at which [`Schedule::opening`] or SOS close may be another; `None`
    /// when nothing changes by itself.
    pub fn next_change(&self, at: Timestamp) -> Option<Timestamp> {
        if self.sos.holds(at) {
            return self.sos.end();
        }
        let opening = self.opening(at);
        if !opening.open_now {
            return opening.next_opening;
        }
        // Weeks repeat: only a holiday that begins or ends further ahead can end what lasts so long.
        self.closes(at).or_else(|| self.next_holiday_edge(at))
    }

    /// The first midnight after an instant with which a holiday begins or is over.
    fn next_holiday_edge(&self, at: Timestamp) -> Option<Timestamp> {
        let midnight = |date| first_instant(self.zone, date, TimeOfDay::MIDNIGHT);
        let edges = self
            .holidays
            .iter()
            .flat_map(|holiday| [Some(holiday.valid_from), holiday.valid_till.succ_opt()]);
        edges.flatten().map(midnight).filter(|edge| *edge > at).min()
    }

    fn closes(&self, at: Timestamp) -> Option<Timestamp> {
        closes(&self.hours, &self.holidays, at, self.zone, TimeDelta::days(LONGEST_DAYS))
    }
}

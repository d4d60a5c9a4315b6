//! Instants, wall time and days: [`Timestamp`], [`TimeOfDay`], [`Day`], [`CalendarDay`], [`TimeRange`],
//! [`BusinessDay`], and in `hours` what opens and closes by them.
//!
//! Instants are UTC; opening hours and time ranges are local wall time of the restaurant's zone. A local time
//! that exists twice (clocks go back) starts a span at its first occurrence and ends one at its last; a local
//! time that does not exist (clocks go forward) stands for the first instant after the gap.

use std::{borrow::Cow, fmt, str::FromStr};

use chrono::{
    DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, SubsecRound, TimeDelta, TimeZone, Utc,
};
use chrono_tz::GapInfo;
pub use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

mod days;
mod hours;
mod schedule;
#[cfg(all(test, feature = "service"))]
mod tests;

pub use days::{Day, RangeDay, TimeRange};
pub use hours::{Holiday, HolidayType, OpeningHours, in_time_ranges, next_time_range_change};
pub use schedule::{Opening, Schedule, SosClose};

/// A text that is not the time, day or instant it should be; says what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct InvalidTime(&'static str);

/// Sends a type as the text of its `Display` and reads it with `FromStr`.
macro_rules! text_types {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    )*};
}
text_types! { Timestamp TimeOfDay BusinessDay CalendarDay }

/// An instant; sent as ISO 8601 UTC with milliseconds and `Z`, read with any offset, stored as `timestamptz`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "service", derive(sea_orm::DeriveValueType))]
pub struct Timestamp(pub DateTime<Utc>);

impl Timestamp {
    /// The service's clock, in whole milliseconds, so that an instant read back from an answer equals the
    /// stored one.
    pub fn now() -> Self {
        Self(crate::clock::now().trunc_subsecs(3))
    }

    /// This many minutes later (earlier when negative).
    pub fn plus_minutes(self, minutes: i64) -> Self {
        Self(TimeDelta::try_minutes(minutes).and_then(|d| self.0.checked_add_signed(d)).unwrap_or(self.0))
    }

    pub fn local_date(self, zone: Tz) -> NaiveDate {
        self.0.with_timezone(&zone).date_naive()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTime;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        DateTime::parse_from_rfc3339(text)
            .map(|t| Self(t.with_timezone(&Utc)))
            .map_err(|_| InvalidTime("an ISO 8601 instant with its offset, such as 2025-03-30T10:00:00Z"))
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(value: DateTime<Utc>) -> Self {
        Self(value)
    }
}

impl From<Timestamp> for DateTime<Utc> {
    fn from(value: Timestamp) -> Self {
        value.0
    }
}

/// A minute of local wall time, `00:00` to `23:59`; stored as text of that form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "service", derive(sea_orm::DeriveValueType), sea_orm(value_type = "String"))]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    pub const PATTERN: &'static str = r"^([01][0-9]|2[0-3]):[0-5][0-9]$";
    /// The first minute of the day.
    pub const MIDNIGHT: Self = Self(0);
    /// The last minute of the day, `23:59`.
    pub const LAST: Self = Self(24 * 60 - 1);

    /// `None` when there is no such time.
    pub const fn new(hour: u16, minute: u16) -> Option<Self> {
        if hour < 24 && minute < 60 { Some(Self(hour * 60 + minute)) } else { None }
    }

    /// Minutes since midnight on the clock face, 0 to 1439.
    pub const fn minutes(self) -> u16 {
        self.0
    }

    fn naive(self) -> NaiveTime {
        NaiveTime::MIN + TimeDelta::minutes(self.0.into())
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for TimeOfDay {
    type Err = InvalidTime;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let two = |s: &str| {
            (s.len() == 2 && s.bytes().all(|b| b.is_ascii_digit())).then(|| s.parse().ok()).flatten()
        };
        text.split_once(':')
            .and_then(|(hour, minute)| Self::new(two(hour)?, two(minute)?))
            .ok_or(InvalidTime("a time as HH:MM"))
    }
}

/// The day an order counts in: it begins at the restaurant's `order_reset_time` of that date and ends where
/// the next begins, so business days cover all time without gap or overlap, also where clocks change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "service", derive(sea_orm::DeriveValueType))]
pub struct BusinessDay(pub NaiveDate);

impl BusinessDay {
    /// The order reset time of a restaurant that has set none.
    pub const DEFAULT_RESET: TimeOfDay = TimeOfDay(60);

    /// The business day of an instant in a zone whose days begin at `reset`.
    pub fn of(instant: Timestamp, zone: Tz, reset: TimeOfDay) -> Self {
        // The local date is right or, before `reset`, one too late; at most one step either way is needed.
        let mut day = Self(instant.local_date(zone));
        if instant >= day.next().start(zone, reset) {
            day = day.next();
        }
        while instant < day.start(zone, reset) {
            day = day.previous();
        }
        day
    }

    pub fn start(self, zone: Tz, reset: TimeOfDay) -> Timestamp {
        first_instant(zone, self.0, reset)
    }

    /// The end: the first instant after it.
    pub fn end(self, zone: Tz, reset: TimeOfDay) -> Timestamp {
        self.next().start(zone, reset)
    }

    /// The day after.
    pub fn next(self) -> Self {
        Self(self.0.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX))
    }

    /// The day before.
    pub fn previous(self) -> Self {
        Self(self.0.checked_sub_days(Days::new(1)).unwrap_or(NaiveDate::MIN))
    }
}

impl fmt::Display for BusinessDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.format("%Y-%m-%d").fmt(f)
    }
}

impl FromStr for BusinessDay {
    type Err = InvalidTime;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == 10);
        date.map(Self).ok_or(InvalidTime("a date as YYYY-MM-DD"))
    }
}

/// A day of the calendar where the restaurant is, `2025-12-24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "service", derive(sea_orm::DeriveValueType))]
pub struct CalendarDay(pub NaiveDate);

impl fmt::Display for CalendarDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BusinessDay(self.0).fmt(f)
    }
}

impl FromStr for CalendarDay {
    type Err = InvalidTime;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<BusinessDay>().map(|day| Self(day.0))
    }
}

/// The first instant at which the clocks of a zone show this time or, where they skip it, a later one.
pub fn first_instant(zone: Tz, date: NaiveDate, time: TimeOfDay) -> Timestamp {
    let local = date.and_time(time.naive());
    Timestamp(
        zone.from_local_datetime(&local).earliest().map_or_else(|| after_gap(zone, local), |t| t.to_utc()),
    )
}

/// The instant after the last time at which the clocks of a zone show this minute.
fn end_of_minute(zone: Tz, date: NaiveDate, time: TimeOfDay) -> Timestamp {
    let local = date.and_time(time.naive());
    let last = zone.from_local_datetime(&local).latest().map(|t| t.to_utc() + TimeDelta::minutes(1));
    Timestamp(last.unwrap_or_else(|| after_gap(zone, local)))
}

/// Where clocks go forward past a local time: the instant of the change.
fn after_gap(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    // The gap is only missing from the table at the ends of time; then UTC is as good as any answer.
    GapInfo::new(&local, &zone).and_then(|gap| gap.end).map_or_else(|| local.and_utc(), |t| t.to_utc())
}

//! Days of the week, and ranges of wall time on them.

use std::{fmt, str::FromStr};

use chrono::{Datelike, NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use super::{InvalidTime, TimeOfDay};

/// A day of the week, `mon` to `sun`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(
    feature = "service",
    derive(poem_openapi::Enum, sea_orm::DeriveValueType),
    oai(rename_all = "lowercase"),
    sea_orm(value_type = "String")
)]
pub enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl Day {
    /// Monday to Sunday.
    pub const ALL: [Self; 7] = [Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];

    /// The day of the week of a date.
    pub fn of(date: NaiveDate) -> Self {
        match date.weekday() {
            Weekday::Mon => Self::Mon,
            Weekday::Tue => Self::Tue,
            Weekday::Wed => Self::Wed,
            Weekday::Thu => Self::Thu,
            Weekday::Fri => Self::Fri,
            Weekday::Sat => Self::Sat,
            Weekday::Sun => Self::Sun,
        }
    }

    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mon => "mon",
            Self::Tue => "tue",
            Self::Wed => "wed",
            Self::Thu => "thu",
            Self::Fri => "fri",
            Self::Sat => "sat",
            Self::Sun => "sun",
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Day {
    type Err = InvalidTime;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|d| d.as_str() == text).ok_or(InvalidTime("a day, mon to sun"))
    }
}

/// The day of a [`TimeRange`]: one of the week, or each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(poem_openapi::Enum), oai(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub enum RangeDay {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
    EveryDay,
}

impl RangeDay {
    /// Whether the range begins on this date.
    pub fn includes(self, date: NaiveDate) -> bool {
        let day = match self {
            Self::Mon => Day::Mon,
            Self::Tue => Day::Tue,
            Self::Wed => Day::Wed,
            Self::Thu => Day::Thu,
            Self::Fri => Day::Fri,
            Self::Sat => Day::Sat,
            Self::Sun => Day::Sun,
            Self::EveryDay => return true,
        };
        Day::of(date) == day
    }
}

/// When something holds: whenever the clock on the wall shows a time of the range. It may cross midnight (`22:00`–`02:00` belongs to the day on
/// which it begins); the whole last minute counts; equal ends are 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(poem_openapi::Object))]
pub struct TimeRange {
    /// The day on which the range begins.
    pub day: RangeDay,
    /// First minute.
    pub from: TimeOfDay,
    /// Last minute, which counts whole.
    pub till: TimeOfDay,
}

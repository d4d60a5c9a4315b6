//! Opening hours, holidays and time ranges: what holds at an instant, and when that changes next. See
//! `docs/decisions/money-and-time.md#instants`.
//!
//! Each entry of opening hours becomes a half-open span of instants. That keeps nights with a clock change whole: a
//! bar that is open from 18:00 to 04:00 stays open for 9 hours in spring and 11 in autumn. A time range looks at the
//! clock on the wall instead: a price of 02:00 to 02:30 is none at 02:45, also when 02:30 comes again.

use chrono::{DateTime, Days, NaiveDateTime, Offset, TimeDelta, TimeZone, Timelike};

use super::{
    Day, Deserialize, NaiveDate, Serialize, TimeOfDay, TimeRange, Timestamp, Tz, end_of_minute, first_instant,
};

/// How far ahead the next opening is looked for.
const HORIZON_DAYS: u64 = 400;

/// The hours of one day of the week, in local wall time; a day may have several entries. Read like
/// [`TimeRange`]: past midnight they belong to the day on which they begin, the last minute counts whole,
/// equal ends are 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(poem_openapi::Object))]
pub struct OpeningHours {
    /// The day on which the hours begin.
    pub day: Day,
    /// First minute.
    pub open_at: TimeOfDay,
    /// Last minute, which counts whole.
    pub close_at: TimeOfDay,
}

/// What a holiday does with the days it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "service",
    derive(poem_openapi::Enum, sea_orm::EnumIter, sea_orm::DeriveActiveEnum),
    oai(rename_all = "snake_case"),
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")
)]
pub enum HolidayType {
    /// Open: at the holiday's own hours when it has both, else at the weekday's.
    HolidayOpen,
    /// Closed.
    HolidayClose,
}

/// Days that differ from the week's hours. Hours belong to the date on which they begin: a night that began
/// before a closed day runs to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holiday {
    /// First local calendar day.
    pub valid_from: NaiveDate,
    /// Last local calendar day, included.
    pub valid_till: NaiveDate,
    /// Open or closed.
    pub holiday_type: HolidayType,
    /// Own hours; count only together with `close_at`.
    pub open_at: Option<TimeOfDay>,
    /// Own hours; count only together with `open_at`.
    pub close_at: Option<TimeOfDay>,
    /// Where holidays overlap, the latest created wins.
    pub created_at: Timestamp,
}

/// Instants from the first up to, not including, the second.
type Span = (Timestamp, Timestamp);

pub(super) fn is_open(hours: &[OpeningHours], holidays: &[Holiday], instant: Timestamp, zone: Tz) -> bool {
    around(instant, zone)
        .into_iter()
        .flat_map(|date| openings(hours, holidays, date, zone))
        .any(|span| holds(span, instant))
}

/// The first instant from this one on at which the restaurant is open: `instant` itself when it is open,
/// `None` when it does not open within 400 days.
pub(super) fn next_opening(
    hours: &[OpeningHours], holidays: &[Holiday], instant: Timestamp, zone: Tz,
) -> Option<Timestamp> {
    if is_open(hours, holidays, instant, zone) {
        return Some(instant);
    }
    let today = instant.local_date(zone);
    (0..HORIZON_DAYS).find_map(|ahead| {
        let date = today.checked_add_days(Days::new(ahead))?;
        openings(hours, holidays, date, zone)
            .filter(|(start, end)| *start > instant && end > start)
            .map(|(start, _)| start)
            .min()
    })
}

/// The first instant after this one at which the restaurant is closed; hours that touch or overlap are one.
/// `None` when it is closed already, or stays open for longer than `horizon`.
pub(super) fn closes(
    hours: &[OpeningHours], holidays: &[Holiday], instant: Timestamp, zone: Tz, horizon: TimeDelta,
) -> Option<Timestamp> {
    let mut end = instant;
    loop {
        let spans = around(end, zone).into_iter().flat_map(|date| openings(hours, holidays, date, zone));
        let Some(later) = spans.filter(|span| holds(*span, end)).map(|(_, later)| later).max() else {
            return (end > instant).then_some(end);
        };
        end = later;
        if end.0 - instant.0 > horizon {
            return None;
        }
    }
}

/// Whether any of the ranges holds at an instant: whenever the clock on the wall shows a time of one, so twice in
/// the night in which clocks go back. No ranges are no restriction.
pub fn in_time_ranges(ranges: &[TimeRange], instant: Timestamp, zone: Tz) -> bool {
    let local = instant.0.with_timezone(&zone).naive_local();
    ranges.is_empty() || ranges.iter().any(|range| includes(range, local))
}

/// The next instant after this one at which [`in_time_ranges`] answers otherwise; `None` when it never does.
pub fn next_time_range_change(ranges: &[TimeRange], instant: Timestamp, zone: Tz) -> Option<Timestamp> {
    let yesterday = instant.local_date(zone).checked_sub_days(Days::new(1))?;
    let holds = in_time_ranges(ranges, instant, zone);
    // Every weekday lies in the nine days from yesterday on, so each range begins or ends among them.
    (0..9)
        .filter_map(|ahead| yesterday.checked_add_days(Days::new(ahead)))
        .flat_map(|date| {
            let edges = ranges.iter().flat_map(move |range| edges(range, date, zone));
            edges.chain(clock_change(date, zone))
        })
        .filter(|change| *change > instant && in_time_ranges(ranges, *change, zone) != holds)
        .min()
}

/// Whether a range holds when the clock shows this.
fn includes(range: &TimeRange, local: NaiveDateTime) -> bool {
    let (from, till) = (range.from.naive(), range.till.naive());
    let (date, minute) = (local.date(), local.time().with_second(0).unwrap_or_default());
    let minute = minute.with_nanosecond(0).unwrap_or_default();
    let today = range.day.includes(date);
    let yesterday = date.pred_opt().is_some_and(|date| range.day.includes(date));
    match from.cmp(&till) {
        std::cmp::Ordering::Less => today && from <= minute && minute <= till,
        std::cmp::Ordering::Equal => {
            if from <= minute {
                today
            } else {
                yesterday
            }
        }
        std::cmp::Ordering::Greater => today && from <= minute || yesterday && minute <= till,
    }
}

/// The instants of a date at which the clock comes to the first minute of a range, or leaves its last one.
fn edges(range: &TimeRange, date: NaiveDate, zone: Tz) -> impl Iterator<Item = Timestamp> + use<> {
    [(range.from, 0), (range.till, 1)].into_iter().flat_map(move |(time, minutes)| {
        let shown = zone.from_local_datetime(&date.and_time(time.naive()));
        let both = [shown.earliest(), shown.latest()].into_iter().flatten();
        both.map(move |at| Timestamp(at.to_utc() + TimeDelta::minutes(minutes)))
    })
}

/// The instant of a date at which clocks change, if they do.
fn clock_change(date: NaiveDate, zone: Tz) -> Option<Timestamp> {
    let midnight = |date| first_instant(zone, date, TimeOfDay::MIDNIGHT).0.timestamp();
    let offset =
        |at: i64| Some(zone.offset_from_utc_datetime(&DateTime::from_timestamp(at, 0)?.naive_utc()).fix());
    let (mut before, mut after) = (midnight(date), midnight(date.succ_opt()?));
    if offset(before) == offset(after) {
        return None;
    }
    while after - before > 1 {
        let middle = i64::midpoint(before, after);
        if offset(middle) == offset(before) { before = middle } else { after = middle }
    }
    DateTime::from_timestamp(after, 0).map(Timestamp)
}

/// The dates whose entries can hold at an instant: entries begin on their date and last at most 24 hours.
fn around(instant: Timestamp, zone: Tz) -> [NaiveDate; 3] {
    let date = instant.local_date(zone);
    [date.pred_opt().unwrap_or(date), date, date.succ_opt().unwrap_or(date)]
}

fn holds((start, end): Span, instant: Timestamp) -> bool {
    start <= instant && instant < end
}

/// The openings that begin on a date.
fn openings(
    hours: &[OpeningHours], holidays: &[Holiday], date: NaiveDate, zone: Tz,
) -> impl Iterator<Item = Span> {
    let holiday =
        holidays.iter().filter(|h| h.valid_from <= date && date <= h.valid_till).max_by_key(|h| h.created_at);
    let closed = holiday.is_some_and(|h| h.holiday_type == HolidayType::HolidayClose);
    let own = holiday.and_then(|h| h.open_at.zip(h.close_at));
    let weekly = hours
        .iter()
        .filter(move |entry| own.is_none() && entry.day == Day::of(date))
        .map(|entry| (entry.open_at, entry.close_at));
    own.into_iter()
        .chain(weekly)
        .filter(move |_| !closed)
        .map(move |(from, till)| span(date, from, till, zone))
}

/// The instants of an entry that begins on a date.
fn span(date: NaiveDate, from: TimeOfDay, till: TimeOfDay, zone: Tz) -> Span {
    let start = first_instant(zone, date, from);
    let next_day = date.succ_opt().unwrap_or(date);
    let end = match from.cmp(&till) {
        std::cmp::Ordering::Less => end_of_minute(zone, date, till),
        std::cmp::Ordering::Equal => first_instant(zone, next_day, from),
        std::cmp::Ordering::Greater => end_of_minute(zone, next_day, till),
    };
    (start, end)
}

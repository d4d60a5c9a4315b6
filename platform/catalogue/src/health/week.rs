//! The minutes of a week, as sets. Whether time ranges ever hold together is a question about the week: nights
//! when clocks change move instants, not weekdays and times.

use chrono::{Days, NaiveDate};
use kernel::time::{Day, OpeningHours, TimeOfDay, TimeRange};

const DAY: usize = 24 * 60;
const WEEK: usize = 7 * DAY;
const WORDS: usize = WEEK.div_ceil(64);

/// A Monday: days of ranges are asked about dates.
const MONDAY: NaiveDate = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap();

/// Minutes of a week.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Week([u64; WORDS]);

impl Week {
    fn none() -> Self {
        Self([0; WORDS])
    }

    /// The minutes in which any of the ranges holds; all of them without a range.
    pub(super) fn of_ranges(ranges: &[TimeRange]) -> Self {
        let mut week = Self::none();
        if ranges.is_empty() {
            week.0.fill(u64::MAX);
        }
        for (at, date) in dates() {
            for range in ranges.iter().filter(|range| range.day.includes(date)) {
                week.add(at, range.from, range.till);
            }
        }
        week
    }

    /// The minutes in which a restaurant is open.
    pub(super) fn of_hours(hours: &[OpeningHours]) -> Self {
        let mut week = Self::none();
        for (at, date) in dates() {
            for entry in hours.iter().filter(|entry| entry.day == Day::of(date)) {
                week.add(at, entry.open_at, entry.close_at);
            }
        }
        week
    }

    /// The minutes of both.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        both
    }

    pub(super) fn is_empty(&self) -> bool {
        (0..WEEK).all(|minute| !self.has(minute))
    }

    fn has(&self, minute: usize) -> bool {
        self.0[minute / 64] >> (minute % 64) & 1 == 1
    }

    /// An entry of a day: its last minute counts whole, one that ends before it begins runs into the next day,
    /// equal ends are 24 hours.
    fn add(&mut self, day: usize, from: TimeOfDay, till: TimeOfDay) {
        let (from, till) = (usize::from(from.minutes()), usize::from(till.minutes()));
        let length = match from.cmp(&till) {
            std::cmp::Ordering::Less => till - from + 1,
            std::cmp::Ordering::Equal => DAY,
            std::cmp::Ordering::Greater => DAY - from + till + 1,
        };
        for minute in 0..length {
            let minute = (day * DAY + from + minute) % WEEK;
            self.0[minute / 64] |= 1 << (minute % 64);
        }
    }
}

fn dates() -> impl Iterator<Item = (usize, NaiveDate)> {
    (0..7_usize).filter_map(|at| Some((at, MONDAY.checked_add_days(Days::new(at as u64))?)))
}

#[cfg(test)]
mod tests {
    use kernel::time::{RangeDay, Timestamp, Tz, first_instant, in_time_ranges};
    use proptest::prelude::*;

    use super::*;

    fn time() -> impl Strategy<Value = TimeOfDay> {
        (0_u16..24, 0_u16..60).prop_map(|(hour, minute)| TimeOfDay::new(hour, minute).unwrap())
    }

    fn ranges() -> impl Strategy<Value = Vec<TimeRange>> {
        let days = [RangeDay::EveryDay, RangeDay::Mon, RangeDay::Sat, RangeDay::Sun];
        let range = (prop::sample::select(days.to_vec()), time(), time());
        prop::collection::vec(range.prop_map(|(day, from, till)| TimeRange { day, from, till }), 0..4)
    }

    proptest! {
        // In a week without a change of the clocks a minute of the week is a minute of that week.
        #[test]
        fn a_minute_is_in_the_week_when_the_ranges_hold_in_it(ranges in ranges(), minute in 0..WEEK) {
            let date = MONDAY.checked_add_days(Days::new((minute / DAY) as u64)).unwrap();
            let time = TimeOfDay::new(((minute % DAY) / 60) as u16, (minute % 60) as u16).unwrap();
            let at: Timestamp = first_instant(Tz::Europe__Budapest, date, time);
            prop_assert_eq!(
                Week::of_ranges(&ranges).has(minute),
                in_time_ranges(&ranges, at, Tz::Europe__Budapest)
            );
        }
    }

    #[test]
    fn sets_meet_or_do_not() {
        let range = |day, from: &str, till: &str| TimeRange {
            day,
            from: from.parse().unwrap(),
            till: till.parse().unwrap(),
        };
        let week = |ranges: &[TimeRange]| Week::of_ranges(ranges);
        let night = week(&[range(RangeDay::Sun, "22:00", "02:00")]);
        let monday = week(&[range(RangeDay::Mon, "01:30", "01:40")]);
        assert!(!night.and(&monday).is_empty(), "Sunday's night is Monday");
        assert!(night.and(&week(&[range(RangeDay::Mon, "02:01", "09:00")])).is_empty());
        assert!(!week(&[]).is_empty());
        let open = [OpeningHours {
            day: Day::Mon,
            open_at: "11:00".parse().unwrap(),
            close_at: "11:00".parse().unwrap(),
        }];
        assert!(!Week::of_hours(&open).and(&week(&[range(RangeDay::Tue, "10:00", "10:30")])).is_empty());
        assert!(Week::of_hours(&open).and(&week(&[range(RangeDay::Tue, "11:00", "12:00")])).is_empty());
        assert!(Week::of_hours(&[]).is_empty());
    }
}

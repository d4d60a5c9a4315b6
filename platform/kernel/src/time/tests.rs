//! Times, days, opening hours, nights with a clock change.
// Clippy takes no module for a test whose condition has more than `test`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::cmp::Ordering;

use chrono::{Offset, Weekday};
use chrono_tz::{Africa, America, Asia, Atlantic, Australia, Europe};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use proptest::prelude::*;
use serde_json::json;

use super::{
    hours::{is_open, next_opening},
    *,
};

const BUDAPEST: Tz = Europe::Budapest;
/// No changes, half-hour changes, changes at midnight, changes that repeat midnight.
const ZONES: [Tz; 6] =
    [BUDAPEST, America::New_York, Australia::Lord_Howe, Africa::Cairo, Atlantic::Azores, Asia::Kathmandu];

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn time(text: &str) -> TimeOfDay {
    text.parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn hours(entries: &[(Day, &str, &str)]) -> Vec<OpeningHours> {
    entries
        .iter()
        .map(|(day, from, till)| OpeningHours { day: *day, open_at: time(from), close_at: time(till) })
        .collect()
}

fn every_day(from: &str, till: &str) -> Vec<OpeningHours> {
    Day::ALL.iter().map(|day| OpeningHours { day: *day, open_at: time(from), close_at: time(till) }).collect()
}

fn holiday(from: &str, till: &str, kind: HolidayType, own: Option<(&str, &str)>, created: &str) -> Holiday {
    Holiday {
        valid_from: date(from),
        valid_till: date(till),
        holiday_type: kind,
        open_at: own.map(|(open, _)| time(open)),
        close_at: own.map(|(_, close)| time(close)),
        created_at: at(created),
    }
}

/// Minutes of these 48 hours at which the restaurant is open.
fn open_minutes(hours: &[OpeningHours], from: &str) -> usize {
    (0..48 * 60).filter(|minute| is_open(hours, &[], at(from).plus_minutes(*minute), BUDAPEST)).count()
}

#[test]
fn times_of_day_are_hh_mm() {
    for good in ["00:00", "09:05", "23:59"] {
        assert_eq!(time(good).to_string(), good);
        assert_eq!(time(good).to_json(), Some(json!(good)));
        assert_eq!(serde_json::from_value::<TimeOfDay>(json!(good)).unwrap(), time(good));
        assert_eq!(sea_orm::Value::from(time(good)), sea_orm::Value::from(good.to_owned()));
    }
    for bad in ["24:00", "9:00", "09:60", "09:5", "0905", "", "09:00:00", "-1:00", "+1:00", "aa:bb", "٠٩:٠٠"]
    {
        assert!(bad.parse::<TimeOfDay>().is_err(), "{bad}");
    }
    assert!(TimeOfDay::parse_from_json(Some(json!(900))).is_err());
    assert_eq!(BusinessDay::DEFAULT_RESET, time("01:00"));
    assert_eq!(TimeOfDay::LAST, time("23:59"));
}

#[test]
fn instants_are_sent_in_milliseconds_with_z() {
    assert_eq!(at("2025-03-30T12:00:00.123456+02:00").to_string(), "2025-03-30T10:00:00.123Z");
    assert_eq!(at("2025-03-30T10:00:00Z").to_json(), Some(json!("2025-03-30T10:00:00.000Z")));
    assert_eq!(serde_json::to_string(&at("2025-03-30T10:00:00Z")).unwrap(), "\"2025-03-30T10:00:00.000Z\"");
    for bad in ["2025-03-30", "2025-03-30T10:00:00", "10:00", "1743328800", "2025-02-30T10:00:00Z"] {
        assert!(bad.parse::<Timestamp>().is_err(), "{bad}");
    }
}

#[test]
fn days_and_business_days_have_one_name() {
    for day in Day::ALL {
        assert_eq!(day.as_str().parse(), Ok(day));
        assert_eq!(day.to_json(), Some(json!(day.as_str())));
        assert_eq!(serde_json::to_value(day).unwrap(), json!(day.as_str()));
    }
    assert_eq!(RangeDay::EveryDay.to_json(), Some(json!("every_day")));
    let range: TimeRange =
        serde_json::from_value(json!({"day": "every_day", "from": "11:00", "till": "20:00"})).unwrap();
    assert_eq!(range.to_json(), Some(json!({"day": "every_day", "from": "11:00", "till": "20:00"})));
    assert_eq!("2025-03-09".parse(), Ok(BusinessDay(date("2025-03-09"))));
    assert!("2025-3-9".parse::<BusinessDay>().is_err());
}

#[test]
fn a_business_day_begins_at_the_reset_time() {
    let of = |text: &str, reset: &str| BusinessDay::of(at(text), BUDAPEST, time(reset)).to_string();
    assert_eq!(of("2025-06-10T22:59:59Z", "01:00"), "2025-06-10", "00:59:59 is yesterday's");
    assert_eq!(of("2025-06-10T23:00:00Z", "01:00"), "2025-06-11");
    assert_eq!(of("2025-06-10T21:59:59Z", "00:00"), "2025-06-10");
    assert_eq!(of("2025-06-10T22:00:00Z", "00:00"), "2025-06-11");
    // 30 March 2025: 02:00 to 03:00 does not exist, a reset at 02:30 happens at 03:00.
    assert_eq!(of("2025-03-30T00:59:59Z", "02:30"), "2025-03-29");
    assert_eq!(of("2025-03-30T01:00:00Z", "02:30"), "2025-03-30");
    // 26 October 2025: 02:30 exists twice, the first one counts.
    assert_eq!(of("2025-10-26T00:29:59Z", "02:30"), "2025-10-25");
    assert_eq!(of("2025-10-26T00:30:00Z", "02:30"), "2025-10-26");
    assert_eq!(of("2025-10-26T01:15:00Z", "02:30"), "2025-10-26", "02:15 for the second time");
}

#[test]
fn hours_count_their_whole_last_minute() {
    let week = hours(&[(Day::Tue, "11:00", "20:00")]);
    let open = |text: &str| is_open(&week, &[], at(text), BUDAPEST);
    assert!(!open("2025-06-10T08:59:59.999Z"));
    assert!(open("2025-06-10T09:00:00Z"));
    assert!(open("2025-06-10T18:00:59.999Z"));
    assert!(!open("2025-06-10T18:01:00Z"));
    assert!(!open("2025-06-11T10:00:00Z"), "Wednesday has no hours");
}

#[test]
fn hours_may_cross_midnight_or_last_a_whole_day() {
    let night = hours(&[(Day::Sat, "18:00", "02:00")]);
    let open = |week: &[OpeningHours], text: &str| is_open(week, &[], at(text), BUDAPEST);
    assert!(open(&night, "2025-06-14T21:00:00Z"));
    assert!(open(&night, "2025-06-15T00:00:59Z"), "Sunday 02:00 belongs to Saturday");
    assert!(!open(&night, "2025-06-15T00:01:00Z"));
    assert!(!open(&night, "2025-06-13T23:00:00Z"), "the night from Friday to Saturday");

    let round = hours(&[(Day::Mon, "08:00", "08:00")]);
    assert!(open(&round, "2025-06-09T06:00:00Z") && open(&round, "2025-06-10T05:59:59Z"));
    assert!(!open(&round, "2025-06-09T05:59:59Z") && !open(&round, "2025-06-10T06:00:00Z"));
    for always in [every_day("00:00", "23:59"), every_day("05:00", "05:00")] {
        assert_eq!(open_minutes(&always, "2025-03-29T12:00:00Z"), 48 * 60);
        assert_eq!(open_minutes(&always, "2025-10-25T12:00:00Z"), 48 * 60);
    }
}

#[test]
fn a_night_with_a_clock_change_stays_whole() {
    let night = hours(&[(Day::Sat, "18:00", "04:00")]);
    assert_eq!(open_minutes(&night, "2025-06-14T06:00:00Z"), 10 * 60 + 1);
    assert_eq!(open_minutes(&night, "2025-03-29T06:00:00Z"), 9 * 60 + 1);
    assert_eq!(open_minutes(&night, "2025-10-25T06:00:00Z"), 11 * 60 + 1);
    // Closing within the hour that is missing: with the change. Within the doubled hour: at its second time.
    let night = hours(&[(Day::Sat, "18:00", "02:30")]);
    assert_eq!(open_minutes(&night, "2025-03-29T06:00:00Z"), 8 * 60);
    assert_eq!(open_minutes(&night, "2025-10-25T06:00:00Z"), 9 * 60 + 31);
    // The minute before the change closes with it, not an hour later.
    let night = hours(&[(Day::Sat, "18:00", "01:59")]);
    assert_eq!(open_minutes(&night, "2025-03-29T06:00:00Z"), 8 * 60);
    assert_eq!(open_minutes(&night, "2025-10-25T06:00:00Z"), 8 * 60);
    // Hours that lie in the missing hour only do not take place.
    assert_eq!(open_minutes(&hours(&[(Day::Sun, "02:10", "02:50")]), "2025-03-29T06:00:00Z"), 0);
}

#[test]
fn holidays_close_open_and_have_hours_of_their_own() {
    use HolidayType::{HolidayClose, HolidayOpen};
    let week = hours(&[(Day::Wed, "11:00", "20:00"), (Day::Tue, "18:00", "02:00")]);
    let open = |holidays: &[Holiday], text: &str| is_open(&week, holidays, at(text), BUDAPEST);
    let wednesday = "2025-06-11T10:00:00Z";
    let closed = holiday("2025-06-11", "2025-06-11", HolidayClose, None, "2025-01-01T00:00:00Z");
    assert!(open(&[], wednesday) && !open(&[closed], wednesday));
    assert!(
        open(&[closed], "2025-06-10T23:30:00Z"),
        "Tuesday's night runs to its end on the closed Wednesday"
    );
    assert!(!open(&[closed], "2025-06-11T00:01:00Z"));

    let long = holiday("2025-06-09", "2025-06-15", HolidayClose, None, "2025-01-02T00:00:00Z");
    let reopened = holiday("2025-06-11", "2025-06-11", HolidayOpen, None, "2025-01-03T00:00:00Z");
    assert!(open(&[reopened, long], wednesday), "the latest created wins");
    let later = Holiday { created_at: at("2025-01-04T00:00:00Z"), ..long };
    assert!(!open(&[reopened, later], wednesday));

    let own =
        holiday("2025-06-11", "2025-06-13", HolidayOpen, Some(("14:00", "16:00")), "2025-01-05T00:00:00Z");
    assert!(!open(&[own], wednesday) && open(&[own], "2025-06-11T13:00:00Z"));
    assert!(open(&[own], "2025-06-13T13:00:00Z"), "a day without hours, the last of the holiday");
    assert!(!open(&[own], "2025-06-14T13:00:00Z"));
    let plain = holiday("2025-06-13", "2025-06-13", HolidayOpen, None, "2025-01-05T00:00:00Z");
    assert!(!open(&[plain], "2025-06-13T13:00:00Z"), "nothing to open at");
}

#[test]
fn the_next_opening_is_found_over_days_and_holidays() {
    let week = hours(&[(Day::Wed, "11:00", "20:00"), (Day::Wed, "22:00", "23:00")]);
    let next = |holidays: &[Holiday], text: &str| {
        next_opening(&week, holidays, at(text), BUDAPEST).map(|t| t.to_string())
    };
    assert_eq!(next(&[], "2025-06-11T10:00:00Z").as_deref(), Some("2025-06-11T10:00:00.000Z"), "open now");
    assert_eq!(next(&[], "2025-06-10T10:00:00Z").as_deref(), Some("2025-06-11T09:00:00.000Z"));
    assert_eq!(next(&[], "2025-06-11T19:00:00Z").as_deref(), Some("2025-06-11T20:00:00.000Z"));
    let closed = holiday("2025-06-01", "2025-06-15", HolidayType::HolidayClose, None, "2025-01-01T00:00:00Z");
    assert_eq!(next(&[closed], "2025-06-10T10:00:00Z").as_deref(), Some("2025-06-18T09:00:00.000Z"));
    let for_ever = Holiday { valid_till: date("2099-01-01"), ..closed };
    assert_eq!(next(&[for_ever], "2025-06-10T10:00:00Z"), None);
    assert_eq!(next_opening(&[], &[], at("2025-06-10T10:00:00Z"), BUDAPEST), None);
}

#[test]
fn time_ranges_hold_and_change() {
    let range = |day, from: &str, till: &str| TimeRange { day, from: time(from), till: time(till) };
    let holds = |ranges: &[TimeRange], text: &str| in_time_ranges(ranges, at(text), BUDAPEST);
    assert!(holds(&[], "2025-06-11T10:00:00Z"), "no ranges are no restriction");
    let lunch = [range(RangeDay::EveryDay, "11:00", "14:00"), range(RangeDay::Fri, "22:00", "01:00")];
    assert!(holds(&lunch, "2025-06-11T12:00:59Z") && !holds(&lunch, "2025-06-11T12:01:00Z"));
    assert!(holds(&lunch, "2025-06-13T23:00:30Z") && !holds(&lunch, "2025-06-14T23:00:30Z"));
    let change = |text: &str| next_time_range_change(&lunch, at(text), BUDAPEST).map(|t| t.to_string());
    assert_eq!(change("2025-06-11T10:00:00Z").as_deref(), Some("2025-06-11T12:01:00.000Z"));
    assert_eq!(change("2025-06-13T12:01:00Z").as_deref(), Some("2025-06-13T20:00:00.000Z"));
    assert_eq!(next_time_range_change(&[], at("2025-06-11T10:00:00Z"), BUDAPEST), None);
    let weekly = [range(RangeDay::Wed, "11:00", "12:00")];
    let after = next_time_range_change(&weekly, at("2025-06-11T10:01:00Z"), BUDAPEST).unwrap();
    assert_eq!(after.to_string(), "2025-06-18T09:00:00.000Z");
}

/// 26 October 2025, in UTC: clocks show 02:00 to 02:59 from 00:00 on, and again from 01:00 on.
#[test]
#[rustfmt::skip]
fn a_range_holds_twice_in_the_night_of_25_hours_and_not_between() {
    let every = |from, till| (RangeDay::EveryDay, from, till);
    for (range, holds, not) in [
        (every("02:00", "02:30"), &["00:00", "00:30", "01:00", "01:30"][..], &["23:59", "00:31", "00:45", "00:59", "01:31", "01:45", "02:00"][..]),
        (every("02:30", "10:00"), &["00:30", "00:59", "01:30", "02:00", "09:00"], &["00:29", "01:00", "01:29", "09:01"]),
        (every("22:00", "02:15"), &["21:00", "00:00", "00:15", "01:00", "01:15"], &["00:16", "00:59", "01:16"]),
        (every("02:45", "02:15"), &["00:00", "00:15", "00:45", "00:59", "01:00", "01:15", "01:45"], &["00:16", "00:44", "01:16", "01:44"]),
        (every("02:30", "02:30"), &["00:00", "00:30", "00:45", "01:00", "01:30"], &[]),
        ((RangeDay::Sat, "22:00", "02:15"), &["00:15", "01:15"], &["00:16", "01:16", "22:00"]),
        ((RangeDay::Sun, "02:30", "02:30"), &["00:30", "01:30", "22:00"], &["00:29", "01:00"]),
        ((RangeDay::Sun, "01:00", "03:00"), &["23:00", "00:45", "01:45", "02:00"], &["22:59", "02:01"]),
    ] {
        let ranges = [TimeRange { day: range.0, from: time(range.1), till: time(range.2) }];
        let at = |clock: &str| {
            let day = if clock.starts_with("23") || clock.starts_with("21") { "2025-10-25" } else { "2025-10-26" };
            in_time_ranges(&ranges, at(&format!("{day}T{clock}:30Z")), BUDAPEST)
        };
        for clock in holds { assert!(at(clock), "{range:?} {clock}"); }
        for clock in not { assert!(!at(clock), "{range:?} {clock}"); }
    }
    let early = [TimeRange { day: RangeDay::EveryDay, from: time("02:00"), till: time("02:30") }];
    let mut changes = vec![at("2025-10-25T12:00:00Z")];
    while changes.len() < 6 {
        changes.extend(next_time_range_change(&early, *changes.last().unwrap(), BUDAPEST));
    }
    let changes: Vec<_> = changes[1..].iter().map(|at| at.0.format("%dT%H:%M").to_string()).collect();
    assert_eq!(changes, ["26T00:00", "26T00:31", "26T01:00", "26T01:31", "27T01:00"]);
}

fn schedule(week: Vec<OpeningHours>, holidays: &[Holiday], sos: SosClose) -> Schedule {
    Schedule { zone: BUDAPEST, hours: week, holidays: holidays.to_vec(), sos }
}

/// `open … until`, `closed … opens`, and `never` where nothing follows, in UTC.
fn describe(schedule: &Schedule, now: &str) -> String {
    let text =
        |at: Option<Timestamp>| at.map_or("never".to_owned(), |at| at.0.format("%m-%dT%H:%M").to_string());
    let opening = schedule.opening(at(now));
    if opening.open_now {
        assert_eq!(opening.next_opening, None);
        format!("open until {}", text(opening.open_until))
    } else {
        assert_eq!(opening.open_until, None);
        format!("closed until {}", text(opening.next_opening))
    }
}

#[test]
#[rustfmt::skip]
fn open_closed_and_until_when() {
    let week = || hours(&[(Day::Tue, "11:00", "20:00"), (Day::Wed, "11:00", "14:59"), (Day::Wed, "15:00", "20:00"), (Day::Wed, "20:00", "02:00")]);
    let closed = holiday("2025-06-17", "2025-06-17", HolidayType::HolidayClose, None, "2025-01-01T00:00:00Z");
    let long = holiday("2025-06-18", "2025-06-19", HolidayType::HolidayOpen, Some(("10:00", "12:00")), "2025-01-01T00:00:00Z");
    let until = |text: &str| SosClose::Until(at(text));
    for (now, holidays, sos, expected) in [
        ("2025-06-10T08:59:59Z", &[][..], SosClose::Off, "closed until 06-10T09:00"),
        ("2025-06-10T09:00:00Z", &[], SosClose::Off, "open until 06-10T18:00"),
        ("2025-06-10T18:00:59Z", &[], SosClose::Off, "open until 06-10T18:00"),
        ("2025-06-10T18:01:00Z", &[], SosClose::Off, "closed until 06-11T09:00"),
        // Hours that touch or overlap are one.
        ("2025-06-11T10:00:00Z", &[], SosClose::Off, "open until 06-12T00:00"),
        // Holidays.
        ("2025-06-12T10:00:00Z", &[closed], SosClose::Off, "closed until 06-18T09:00"),
        ("2025-06-12T10:00:00Z", &[closed, long], SosClose::Off, "closed until 06-18T08:00"),
        ("2025-06-18T08:30:00Z", &[long], SosClose::Off, "open until 06-18T10:00"),
        ("2025-06-18T11:00:00Z", &[long], SosClose::Off, "closed until 06-19T08:00"),
        // SOS close: without an end, with one in the hours, with one outside them, with one that is over.
        ("2025-06-10T10:00:00Z", &[], SosClose::On, "closed until never"),
        ("2025-06-10T10:00:00Z", &[], until("2025-06-10T12:34:00Z"), "closed until 06-10T12:34"),
        ("2025-06-10T10:00:00Z", &[], until("2025-06-10T22:00:00Z"), "closed until 06-11T09:00"),
        ("2025-06-10T10:00:00Z", &[], until("2025-06-10T10:00:00Z"), "open until 06-10T18:00"),
        ("2025-06-10T20:00:00Z", &[], until("2025-06-10T22:00:00Z"), "closed until 06-11T09:00"),
    ] {
        assert_eq!(describe(&schedule(week(), holidays, sos), now), expected, "{now} {sos:?}");
    }
    assert_eq!(describe(&schedule(vec![], &[], SosClose::Off), "2025-06-10T10:00:00Z"), "closed until never");
    assert_eq!(describe(&schedule(every_day("00:00", "00:00"), &[], SosClose::Off), "2025-06-10T10:00:00Z"), "open until never");
    assert_eq!(describe(&schedule(every_day("00:00", "00:00"), &[closed], SosClose::Off), "2025-06-10T10:00:00Z"), "open until 06-16T21:59");
    // Always open: nothing changes by itself, but a holiday far ahead is a reason to look again.
    let now = at("2025-06-10T10:00:00Z");
    assert_eq!(schedule(every_day("00:00", "00:00"), &[], SosClose::Off).next_change(now), None);
    let far = Holiday { valid_from: date("2025-09-01"), valid_till: date("2025-09-01"), ..closed };
    let change = schedule(every_day("00:00", "00:00"), &[far], SosClose::Off).next_change(now).unwrap();
    assert_eq!(change.to_string(), "2025-08-31T22:00:00.000Z");
}

/// 2025-03-30 02:00 becomes 03:00; on 2025-10-26 03:00 becomes 02:00 again. All in UTC.
#[test]
#[rustfmt::skip]
fn both_nights_when_clocks_change() {
    for (from, till, spring, autumn) in [
        // Over the change: an hour less, an hour more.
        ("18:00", "04:00", ("03-29T17:00", "03-30T02:00"), ("10-25T16:00", "10-26T03:00")),
        // Ends in the hour that is missing; in the second of the doubled hours.
        ("18:00", "02:30", ("03-29T17:00", "03-30T00:59"), ("10-25T16:00", "10-26T01:30")),
        // Ends just before.
        ("18:00", "01:59", ("03-29T17:00", "03-30T00:59"), ("10-25T16:00", "10-25T23:59")),
        // Whole days.
        ("18:00", "18:00", ("03-29T17:00", "03-30T15:59"), ("10-25T16:00", "10-26T16:59")),
    ] {
        let bar = schedule(hours(&[(Day::Sat, from, till)]), &[], SosClose::Off);
        for (year_day, (opens, last)) in [("2025-03-28T12:00:00Z", spring), ("2025-10-24T12:00:00Z", autumn)] {
            assert_eq!(describe(&bar, year_day), format!("closed until {opens}"), "{from} {till}");
            assert_eq!(describe(&bar, &format!("2025-{opens}:00Z")), format!("open until {last}"), "{from} {till}");
            assert_eq!(describe(&bar, &format!("2025-{last}:59Z")), format!("open until {last}"), "{from} {till}");
            let after = at(&format!("2025-{last}:00Z")).plus_minutes(1);
            assert!(!bar.opening(after).open_now, "{from} {till}");
            assert_eq!(bar.next_change(at(&format!("2025-{opens}:00Z"))), Some(after));
        }
    }
    // Opens in the hour that is missing: with the change. In the doubled hour: at its first time.
    let early = schedule(hours(&[(Day::Sun, "02:30", "10:00")]), &[], SosClose::Off);
    assert_eq!(describe(&early, "2025-03-29T12:00:00Z"), "closed until 03-30T01:00");
    assert_eq!(describe(&early, "2025-10-25T12:00:00Z"), "closed until 10-26T00:30");
    // A holiday's days are those of the calendar, 23 and 25 hours long.
    let always = |day: &str| schedule(every_day("00:00", "23:59"), &[holiday(day, day, HolidayType::HolidayClose, None, "2025-01-01T00:00:00Z")], SosClose::Off);
    for (day, last, opens) in [("2025-03-30", "03-29T22:59", "03-30T22:00"), ("2025-10-26", "10-25T21:59", "10-26T23:00")] {
        assert_eq!(describe(&always(day), &format!("2025-{last}:00Z")), format!("open until {last}"));
        assert_eq!(describe(&always(day), &format!("{day}T12:00:00Z")), format!("closed until {opens}"));
    }
}

/// Midnights (UTC) of 2024 to 2030 after which the clocks of a zone show another offset than before.
fn clock_changes() -> Vec<i64> {
    let first = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap().and_time(NaiveTime::MIN);
    let midnights = (0..2557).map(|day| first + TimeDelta::days(day));
    let offset = |zone: Tz, at: NaiveDateTime| zone.offset_from_utc_datetime(&at).fix();
    midnights
        .filter(|at| ZONES.iter().any(|zone| offset(*zone, *at) != offset(*zone, *at + TimeDelta::days(1))))
        .map(|at| at.and_utc().timestamp())
        .collect()
}

/// 2024-01-01 to 2031-01-01; every other one near a clock change of one of the zones.
fn instants() -> impl Strategy<Value = Timestamp> {
    let near = (prop::sample::select(clock_changes()), -100_000i64..200_000)
        .prop_map(|(change, seconds)| change + seconds);
    prop_oneof![1_704_067_200i64..1_924_992_000, near]
        .prop_map(|seconds| Timestamp(DateTime::from_timestamp(seconds, 0).unwrap()))
}

/// A zone, the last instant before its clocks change, and the first after it, near one of those midnights.
fn changes(forward: bool) -> Vec<(Tz, Timestamp, Timestamp)> {
    let offset = |zone: Tz, at: i64| {
        zone.offset_from_utc_datetime(&DateTime::from_timestamp(at, 0).unwrap().naive_utc())
            .fix()
            .local_minus_utc()
    };
    let quarters = |zone: Tz, midnight: i64| {
        let quarters = (0..96).map(move |quarter| midnight + quarter * 900);
        quarters.map(move |at| (at, offset(zone, at + 900) - offset(zone, at + 899)))
    };
    let all = clock_changes().into_iter().flat_map(|midnight| ZONES.map(|zone| (zone, midnight)));
    let found = all.flat_map(|(zone, midnight)| {
        let found =
            quarters(zone, midnight).filter(|(_, shift)| if forward { *shift > 0 } else { *shift < 0 });
        found.map(move |(at, _)| (zone, at + 899)).collect::<Vec<_>>()
    });
    let instant = |at: i64| Timestamp(DateTime::from_timestamp(at, 0).unwrap());
    found.map(|(zone, last)| (zone, instant(last), instant(last + 1))).collect()
}

/// The minute on the clock's face.
fn shown(local: NaiveDateTime) -> TimeOfDay {
    TimeOfDay(u16::try_from((local.time() - NaiveTime::MIN).num_minutes()).unwrap())
}

fn times() -> impl Strategy<Value = TimeOfDay> {
    (0u16..24 * 60).prop_map(TimeOfDay)
}

fn cases() -> ProptestConfig {
    let asked = std::env::var("PULT_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(asked.unwrap_or(512)) }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn business_days_cover_all_time_without_gap_or_overlap(instant in instants(), reset in times(), zone in prop::sample::select(&ZONES[..])) {
        let day = BusinessDay::of(instant, zone, reset);
        prop_assert!(day.start(zone, reset) <= instant && instant < day.end(zone, reset));
        prop_assert_eq!(day.end(zone, reset), day.next().start(zone, reset));
        let length = (day.end(zone, reset).0 - day.start(zone, reset).0).num_minutes();
        prop_assert!((23 * 60..=25 * 60).contains(&length), "{} minutes", length);
        prop_assert_eq!(BusinessDay::of(day.start(zone, reset), zone, reset), day);
        prop_assert_eq!(BusinessDay::of(Timestamp(day.end(zone, reset).0 - TimeDelta::milliseconds(1)), zone, reset), day);
    }

    /// What each day, each week and the whole time has taken is the same sum, over nights of 23 and 25 hours too.
    #[test]
    fn days_weeks_and_the_whole_add_up_to_the_same(
        first in instants(),
        taken in prop::collection::vec((0i64..5 * 7 * 86_400, 1i64..100_000), 1..60),
        reset in times(),
        zone in prop::sample::select(&ZONES[..]),
    ) {
        let monday = |day: BusinessDay| BusinessDay(day.0.week(Weekday::Mon).first_day());
        let from = monday(BusinessDay::of(first, zone, reset));
        let taken: Vec<_> = taken.into_iter().map(|(seconds, money)| {
            (Timestamp(from.start(zone, reset).0 + TimeDelta::seconds(seconds)), money)
        }).collect();
        let sum = |from: BusinessDay, till: BusinessDay| -> i64 {
            let (from, till) = (from.start(zone, reset), till.start(zone, reset));
            taken.iter().filter(|(at, _)| from <= *at && *at < till).map(|(_, money)| money).sum()
        };
        let (mut of_days, mut of_weeks, mut week) = (0, 0, from);
        for _ in 0..6 {
            let next = BusinessDay(week.0 + TimeDelta::weeks(1));
            let days = week.0.iter_days().take(7).map(BusinessDay).map(|day| sum(day, day.next())).sum::<i64>();
            let grouped: i64 = taken.iter().filter(|(at, _)| monday(BusinessDay::of(*at, zone, reset)) == week)
                .map(|(_, money)| money).sum();
            prop_assert_eq!(days, grouped);
            prop_assert_eq!(sum(week, next), grouped);
            of_days += days;
            of_weeks += grouped;
            week = next;
        }
        let all: i64 = taken.iter().map(|(_, money)| money).sum();
        prop_assert_eq!((of_days, of_weeks, sum(from, week)), (all, all, all));
    }

    /// A time that the clock shows twice is within the hours both times.
    #[test]
    fn a_time_shown_twice_is_open_both_times(
        (zone, last, again) in prop::sample::select(changes(false)),
        minutes in 0i64..60,
        from in times(),
        till in times(),
    ) {
        let local = |at: Timestamp| at.0.with_timezone(&zone).naive_local();
        let doubled = (local(last) - local(again)).num_minutes() + 1;
        let second = again.plus_minutes(minutes % doubled);
        let first = second.plus_minutes(-doubled);
        prop_assert_eq!(local(first), local(second));
        let time = shown(local(first));
        let week: Vec<_> = Day::ALL.iter().map(|day| OpeningHours { day: *day, open_at: from, close_at: till }).collect();
        let inside = match from.cmp(&till) {
            Ordering::Less => from <= time && time <= till,
            Ordering::Equal => true,
            Ordering::Greater => from <= time || time <= till,
        };
        prop_assert!(!inside || is_open(&week, &[], first, zone) && is_open(&week, &[], second, zone));
    }

    /// Whether a range holds is what the clock on the wall shows, and each change is announced.
    #[test]
    fn a_range_holds_whenever_the_clock_shows_it(
        instant in instants(),
        from in times(),
        till in times(),
        day in prop::sample::select(&[RangeDay::EveryDay, RangeDay::Sat, RangeDay::Sun, RangeDay::Fri][..]),
        zone in prop::sample::select(&ZONES[..]),
    ) {
        let ranges = [TimeRange { day, from, till }];
        // Counted in minutes since the range began on this date or the one before.
        let local = instant.0.with_timezone(&zone).naive_local();
        let length = i64::from((till.0 + 1440 - from.0) % 1440) + 1;
        let length = if from == till { 1440 } else { length };
        let shown_in = (0..2).any(|ago| {
            let date = local.date() - TimeDelta::days(ago);
            let since = i64::from(shown(local).0) + ago * 1440 - i64::from(from.0);
            day.includes(date) && (0..length).contains(&since)
        });
        prop_assert_eq!(in_time_ranges(&ranges, instant, zone), shown_in);
        let holds = |at: Timestamp| in_time_ranges(&ranges, at, zone);
        let base = instant.0.timestamp().div_euclid(60) * 60 + 30;
        let minute = |number: i64| Timestamp(DateTime::from_timestamp(base + number * 60, 0).unwrap());
        let other = (1..3 * 1440).map(minute).find(|at| holds(*at) != holds(instant));
        let change = next_time_range_change(&ranges, instant, zone);
        if let Some(other) = other {
            prop_assert_eq!(change, Some(Timestamp(other.0 - TimeDelta::seconds(30))));
        }
        prop_assert!(change.is_none_or(|at| at > instant && holds(at) != holds(instant)));
    }

    /// Hours that begin in the time that the clock skips begin with the change, those that end there end with it, and
    /// those that lie in it are none.
    #[test]
    fn hours_in_the_skipped_time_begin_and_end_with_the_change(
        (zone, last, change) in prop::sample::select(changes(true)),
        within in (0i64..60, 0i64..60),
        longer in 1i64..180,
    ) {
        let local = |at: Timestamp| at.0.with_timezone(&zone).naive_local();
        let skipped = (local(change) - local(last)).num_minutes();
        let first = local(change) - TimeDelta::minutes(skipped);
        let time = |minutes: i64| shown(first + TimeDelta::minutes(minutes));
        let open = |from: i64, till: i64, at: Timestamp| {
            let week = [OpeningHours { day: Day::of(first.date()), open_at: time(from), close_at: time(till) }];
            is_open(&week, &[], at, zone)
        };
        let (one, other) = (within.0 % skipped, within.1 % skipped);
        prop_assert!(open(one, skipped + longer, change) && !open(one, skipped + longer, last));
        if first.time() != NaiveTime::MIN {
            let earlier = -longer.min((first.time() - NaiveTime::MIN).num_minutes());
            prop_assert!(open(earlier, one, last) && !open(earlier, one, change));
        }
        if one < other {
            prop_assert!(!open(one, other, last) && !open(one, other, change));
        }
    }

    #[test]
    fn hours_and_their_complement_never_leave_a_hole(instant in instants(), from in times(), length in 1u16..1439, zone in prop::sample::select(&ZONES[..])) {
        let shifted = |minutes: u16| TimeOfDay((from.0 + minutes) % 1440);
        let open = |a: TimeOfDay, b: TimeOfDay| {
            let week: Vec<_> = Day::ALL.iter().map(|day| OpeningHours { day: *day, open_at: a, close_at: b }).collect();
            is_open(&week, &[], instant, zone)
        };
        let (first, second) = (open(from, shifted(length - 1)), open(shifted(length), shifted(1439)));
        prop_assert!(first || second || length == 1 || length == 1439, "always one of the two");
        prop_assert!(open(from, from), "24 hours every day are always open");
        // Off the doubled hour at most one of them holds, and the clock on the wall decides which.
        let local = instant.0.with_timezone(&zone).naive_local();
        if zone.from_local_datetime(&local).single().is_some() && length > 1 && length < 1439 {
            let minute = local.signed_duration_since(local.date().and_time(NaiveTime::MIN)).num_minutes();
            let inside = (minute - i64::from(from.0)).rem_euclid(1440) < length.into();
            prop_assert_eq!(first, inside);
        }
    }

    #[test]
    fn the_next_opening_is_open_and_nothing_before_it_is(
        instant in instants(),
        from in times(),
        till in times(),
        day in prop::sample::select(&Day::ALL[..]),
        zone in prop::sample::select(&ZONES[..]),
    ) {
        let week = [OpeningHours { day, open_at: from, close_at: till }];
        if let Some(next) = next_opening(&week, &[], instant, zone) {
            prop_assert!(next >= instant && is_open(&week, &[], next, zone));
            let before = Timestamp(next.0 - TimeDelta::seconds(1));
            prop_assert!(next == instant || !is_open(&week, &[], before, zone));
            prop_assert!(next == instant || !is_open(&week, &[], instant, zone));
        } else {
            prop_assert!(false, "a weekly opening comes within 400 days");
        }
    }

    /// A schedule agrees with checking every minute.
    #[test]
    fn a_schedule_agrees_with_every_minute(
        instant in instants(),
        week in prop::collection::vec((prop::sample::select(&Day::ALL[..]), times(), times()), 0..6),
        days in prop::collection::vec((-2i64..4, 0i64..3, any::<bool>(), prop::option::of((times(), times()))), 0..3),
        sos in prop_oneof![2 => Just(None), 1 => prop::option::of(-600i64..3000).prop_map(Some)],
        zone in prop::sample::select(&ZONES[..]),
    ) {
        let start = instant.local_date(zone);
        let holidays = days.iter().enumerate().map(|(at, (from, length, open, own))| Holiday {
            valid_from: start + TimeDelta::days(*from),
            valid_till: start + TimeDelta::days(from + length),
            holiday_type: if *open { HolidayType::HolidayOpen } else { HolidayType::HolidayClose },
            open_at: own.map(|(open, _)| open),
            close_at: own.map(|(_, close)| close),
            created_at: Timestamp(DateTime::from_timestamp(at as i64, 0).unwrap()),
        }).collect();
        let sos = sos.map_or(SosClose::Off, |minutes| minutes.map_or(SosClose::On, |minutes| SosClose::Until(instant.plus_minutes(minutes))));
        let hours = week.into_iter().map(|(day, open_at, close_at)| OpeningHours { day, open_at, close_at }).collect();
        let schedule = Schedule { zone, hours, holidays, sos };
        let open = |at: Timestamp| schedule.within_hours(at) && !schedule.sos.holds(at);
        let opening = schedule.opening(instant);
        prop_assert_eq!(opening.open_now, open(instant));
        // Everything but an SOS close begins and ends with a whole minute, so each is looked at in its
        // middle, and the end of that close besides; and nothing changes unannounced.
        let base = instant.0.timestamp().div_euclid(60) * 60 + 30;
        let minute = |number: i64| Timestamp(DateTime::from_timestamp(base + number * 60, 0).unwrap());
        let other_minute = (1..3 * 1440).find(|number| open(minute(*number)) != opening.open_now).map(minute);
        let sos_end = if let SosClose::Until(end) = schedule.sos { Some(end) } else { None };
        let other_end = sos_end.filter(|end| *end > instant && open(*end) != opening.open_now);
        if let Some(other) = other_minute.into_iter().chain(other_end).min() {
            let describe = if opening.open_now { opening.open_until.unwrap().plus_minutes(1) } else { opening.next_opening.unwrap() };
            prop_assert!((other.0 - describe.0).num_seconds().abs() <= 60, "{} but {}", describe, other);
            prop_assert!(schedule.next_change(instant).is_some_and(|change| change > instant && change.0 <= other.0 + TimeDelta::seconds(60)));
        }
        for describe in [opening.open_until.map(|last| last.plus_minutes(1)), opening.next_opening].into_iter().flatten() {
            prop_assert_eq!(open(describe), !opening.open_now);
        }
    }
}

//! Wanted times near the change of the clocks. `PULT_CASES` sets how many random ones there are.

use proptest::prelude::*;

use super::{properties::cases, *};

/// The changes in Budapest, each at one o'clock UTC. With the first of a year its clocks go from one hour ahead of UTC
/// to two, with the second one back.
const CHANGES: [[&str; 2]; 7] = [
    ["2024-03-31", "2024-10-27"],
    ["2025-03-30", "2025-10-26"],
    ["2026-03-29", "2026-10-25"],
    ["2027-03-28", "2027-10-31"],
    ["2028-03-26", "2028-10-29"],
    ["2029-03-25", "2029-10-28"],
    ["2030-03-31", "2030-10-27"],
];

proptest! {
    #![proptest_config(cases())]

    /// The lead is elapsed time, whatever the clocks show; the days between are those of the calendar. That holds in the
    /// hour that is doubled, and around the one that is missing.
    #[test]
    fn a_lead_is_elapsed_time_and_days_are_those_of_the_calendar(
        (year, half) in (0usize..7, 0usize..2),
        now in -5000i64..300,
        wanted in -200i64..200,
        lead in 0i32..600,
        (fewest, more) in (0i32..3, 0i32..3),
    ) {
        let change = at(&format!("{}T01:00:00Z", CHANGES[year][half]));
        // The calendar's day, counted from the UTC midnight before the change. Numbers are minutes from the change on.
        let day = |minutes: i64| {
            let offset = if (minutes < 0) == (half == 0) { 60 } else { 120 };
            (60 + minutes + offset).div_euclid(24 * 60)
        };
        let allowed = wanted - now >= lead.into()
            && (fewest.into()..=(fewest + more).into()).contains(&(day(wanted) - day(now)));
        let mut config = Config {
            now: change.plus_minutes(now),
            min_preorder_pickup_diff: lead,
            min_days_to_preorder: fewest,
            days_to_preorder: fewest + more,
            ..config()
        };
        for hours in &mut config.schedule.hours {
            (hours.open_at, hours.close_at) = ("00:00".parse().unwrap(), "00:00".parse().unwrap());
        }
        let expected_at = Some(change.plus_minutes(wanted));
        let cart = Cart { pickup: true, expected_at, ..cart(&[line(BEER, 1, &[])]) };
        let reasons: Vec<_> =
            acceptable(&catalogue(), &[], &cart, &config).iter().map(|reason| reason.reason.as_str()).collect();
        prop_assert_eq!(reasons, if allowed { vec![] } else { vec!["preorder_time"] });
    }
}

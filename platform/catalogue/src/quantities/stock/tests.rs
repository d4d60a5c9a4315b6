//! A stock with its instants against a reference that counts business days.

use chrono::TimeDelta;
use kernel::time::{BusinessDay, TimeOfDay, Tz};
use proptest::prelude::*;

use super::*;

/// With clocks that change by an hour, by half an hour, at midnight, and not at all.
const ZONES: [Tz; 6] = [
    Tz::Europe__Budapest,
    Tz::America__New_York,
    Tz::Australia__Lord_Howe,
    Tz::Africa__Cairo,
    Tz::America__Santiago,
    Tz::Asia__Tokyo,
];

/// 2024 to 2030.
const FIRST: i64 = 1_704_067_200;
const LAST: i64 = 1_924_991_999;

#[derive(Debug, Clone, Copy)]
enum Step {
    Order(i32),
    Add(i32),
    Set(Option<i32>),
    Refill(Option<i32>),
    OffToday,
    On,
}

/// The same by names of days: what belongs to an earlier day is over.
#[derive(Debug, Clone, Copy)]
struct Reference {
    quantity: Option<i32>,
    daily: Option<i32>,
    day: BusinessDay,
    off_day: Option<BusinessDay>,
}

impl Reference {
    fn begin(&mut self, day: BusinessDay) {
        if day > self.day && self.daily.is_some() {
            self.quantity = self.daily;
        }
        self.day = day;
        self.off_day = self.off_day.filter(|off| *off == day);
    }

    fn left(&self) -> Option<i32> {
        if self.off_day.is_some() { Some(0) } else { self.quantity }
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Order(pieces) => {
                if self.left().is_some_and(|left| left >= pieces) {
                    self.quantity = self.quantity.map(|quantity| quantity - pieces);
                }
            }
            Step::Add(pieces) => {
                self.quantity = self.quantity.map(|quantity| (quantity + pieces).clamp(0, MOST));
            }
            Step::Set(quantity) => {
                self.quantity = quantity;
                self.daily = self.daily.filter(|_| quantity.is_some());
            }
            Step::Refill(daily) => {
                self.quantity = self.quantity.or(daily);
                self.daily = daily;
            }
            Step::OffToday => self.off_day = Some(self.day),
            Step::On => self.off_day = None,
        }
    }
}

/// What the calls and the statements of orders do.
fn apply(stock: Stock, step: Step, today: Today) -> Stock {
    match step {
        Step::Order(pieces) => match stock.left(today.now) {
            Some(left) if left >= pieces => stock.set(Some(left - pieces), today),
            _ => stock,
        },
        Step::Add(pieces) => stock.add(pieces, today).unwrap_or(stock),
        Step::Set(quantity) => stock.set(quantity, today),
        Step::Refill(daily) => stock.refill(daily, today),
        Step::OffToday => Stock { off_until: Some(today.ends), ..stock },
        Step::On => Stock { off_until: None, ..stock },
    }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..40).prop_map(Step::Order),
        1 => (-50..50).prop_map(Step::Add),
        1 => proptest::option::of(0..=MOST).prop_map(Step::Set),
        2 => proptest::option::weighted(0.8, 1..=MOST).prop_map(Step::Refill),
        1 => Just(Step::OffToday),
        1 => Just(Step::On),
    ]
}

fn at(seconds: i64) -> Timestamp {
    Timestamp(chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Whatever happens and however long nothing does: it refills once for each business day, at its very first
    /// instant, and loses nothing that somebody did on that day.
    #[test]
    fn it_refills_once_each_business_day(
        zone in 0..ZONES.len(),
        reset in 0..1440_u16,
        start in FIRST..LAST,
        steps in proptest::collection::vec((0..260_000_i64, step()), 1..12),
    ) {
        let (zone, reset) = (ZONES[zone], TimeOfDay::new(reset / 60, reset % 60).unwrap_or(TimeOfDay::MIDNIGHT));
        let mut now = at(start);
        let day = |now| BusinessDay::of(now, zone, reset);
        let mut stock = Stock { quantity: None, daily: None, refill_at: None, off_until: None };
        let mut reference = Reference { quantity: None, daily: None, day: day(now), off_day: None };
        for (pause, step) in steps {
            now = Timestamp(now.0 + TimeDelta::seconds(pause));
            reference.begin(day(now));
            prop_assert_eq!(stock.left(now), reference.left());
            let ends = day(now).end(zone, reset);
            stock = apply(stock, step, Today { now, ends });
            reference.apply(step);
            prop_assert_eq!(stock.left(now), reference.left());
            let mut next = reference;
            prop_assert_eq!(stock.left(Timestamp(ends.0 - TimeDelta::milliseconds(1))), next.left());
            next.begin(day(ends));
            prop_assert_eq!(stock.left(ends), next.left());
        }
    }
}

#[test]
fn nothing_falls_below_zero_and_nobody_counts_what_is_not_counted() {
    let today = Today { now: at(FIRST), ends: at(FIRST + 3600) };
    let counted = |quantity| Stock { quantity, daily: None, refill_at: None, off_until: None };
    assert_eq!(counted(None).add(1, today), None);
    assert_eq!(counted(Some(3)).add(-5, today).map(|stock| stock.quantity), Some(Some(0)));
    assert_eq!(counted(Some(3)).add(MOST, today).map(|stock| stock.quantity), Some(Some(MOST)));
    let above = counted(Some(i32::MAX));
    assert_eq!(above.add(5, today), Some(above), "given back by orders");
}

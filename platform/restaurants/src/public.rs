//! The data of a restaurant that third parties and guests may read. Each answer has an `ETag`, so polling is cheap.

use access::{answers::Tagged, prelude::*};
use kernel::time::{CalendarDay, Day, HolidayType, OpeningHours, TimeOfDay};
use poem_openapi::{param::Header, types::Example};

use crate::facts::{Facts, facts};

/// Hours and the state that follows from them.
pub(crate) struct PublicOpeningHours;

/// When a restaurant takes orders.
#[derive(Debug, Object)]
#[oai(example)]
struct PublicOpening {
    /// Zone of hours and calendar days.
    timezone: String,
    /// The week, from Monday on.
    opening_hours: Vec<OpeningHours>,
    /// Days from today on that differ from the week, by their first day.
    holidays: Vec<PublicHoliday>,
    /// Orders are taken now: within the hours of the day, and no SOS close.
    open_now: bool,
    /// While it is open: the last minute in which orders are taken. Null when it does not close within two
    /// weeks.
    open_until: Option<Timestamp>,
    /// While it is closed: when orders are taken again. Null when that is not known: not within 400 days, or
    /// SOS close without an end.
    next_opening: Option<Timestamp>,
    /// SOS close: no orders are taken, whatever the hours say.
    temp_no_orders: bool,
    /// When SOS close ends by itself.
    temp_no_orders_until: Option<Timestamp>,
}

/// Days that differ from the week. Where two overlap, the latest created wins.
#[derive(Debug, Object)]
struct PublicHoliday {
    /// First calendar day.
    valid_from: CalendarDay,
    /// Last calendar day, which counts too.
    valid_till: CalendarDay,
    holiday_type: HolidayType,
    /// Own hours of an open day; without them the weekday's hold.
    open_at: Option<TimeOfDay>,
    close_at: Option<TimeOfDay>,
}

impl Example for PublicOpening {
    fn example() -> Self {
        let span = |day: Day, from, till| {
            TimeOfDay::new(from, 0).zip(TimeOfDay::new(till, 0)).map(|(open_at, close_at)| OpeningHours {
                day,
                open_at,
                close_at,
            })
        };
        let christmas = chrono::NaiveDate::from_ymd_opt(2026, 12, 24).map(CalendarDay);
        let closed = |day| PublicHoliday {
            valid_from: day,
            valid_till: day,
            holiday_type: HolidayType::HolidayClose,
            open_at: None,
            close_at: None,
        };
        Self {
            timezone: "Europe/Budapest".to_owned(),
            opening_hours: [span(Day::Mon, 11, 20), span(Day::Fri, 18, 2)].into_iter().flatten().collect(),
            holidays: christmas.map(closed).into_iter().collect(),
            open_now: false,
            open_until: None,
            next_opening: "2026-03-13T17:00:00Z".parse().ok(),
            temp_no_orders: false,
            temp_no_orders_until: None,
        }
    }
}

impl PublicOpening {
    fn of(facts: &Facts, now: Timestamp) -> Self {
        let schedule = &facts.schedule;
        let today = now.local_date(schedule.zone);
        let mut coming: Vec<_> =
            schedule.holidays.iter().filter(|holiday| holiday.valid_till >= today).collect();
        coming.sort_by_key(|holiday| (holiday.valid_from, holiday.valid_till, holiday.created_at));
        let holidays = coming.into_iter().map(|holiday| PublicHoliday {
            valid_from: CalendarDay(holiday.valid_from),
            valid_till: CalendarDay(holiday.valid_till),
            holiday_type: holiday.holiday_type,
            open_at: holiday.open_at,
            close_at: holiday.close_at,
        });
        let opening = schedule.opening(now);
        let closed = schedule.sos.holds(now);
        Self {
            timezone: schedule.zone.name().to_owned(),
            opening_hours: schedule.hours.clone(),
            holidays: holidays.collect(),
            open_now: opening.open_now,
            open_until: opening.open_until,
            next_opening: opening.next_opening,
            temp_no_orders: closed,
            temp_no_orders_until: schedule.sos.end().filter(|_| closed),
        }
    }
}

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/opening-hours",
    tag = "Tag::Public"
)]
impl PublicOpeningHours {
    /// Opening hours, holidays, and whether the restaurant takes orders now, until when, or from when on
    /// again.
    ///
    /// The three are computed from hours, holidays and SOS close, right also in the nights when clocks
    /// change. Send the `ETag` back as `If-None-Match`: as long as nothing has changed the answer is 304
    /// without a body.
    #[oai(path = "/", method = "get", operation_id = "public_opening_hours_get")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<Tagged<PublicOpening>> {
        let tx = scope.begin().await?;
        let facts = facts(&tx, scope.restaurant()).await?;
        Ok(Tagged::new(&PublicOpening::of(&facts, Timestamp::now()), known.as_deref()))
    }
}

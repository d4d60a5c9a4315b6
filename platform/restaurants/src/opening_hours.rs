//! Opening hours: when guests can order. See `docs/decisions/restaurants.md#opening-hours`.

use access::prelude::*;
use kernel::time::{Day, OpeningHours, TimeOfDay};
use sea_orm::{FromQueryResult, Value};
use serde_json::json;
use uuid::Uuid;

use crate::settings;

pub(crate) struct OpeningHoursApi;

/// The week's opening hours.
#[derive(Debug, Object)]
pub(crate) struct OpeningWeek {
    /// From Monday on; what is not in the list is closed.
    pub opening_hours: Vec<OpeningHours>,
    /// Of the hours alone: other settings of the restaurant do not raise it.
    version: i64,
}

/// The whole week: what is not in the list is closed. A day may have several spans.
#[derive(Debug, Object)]
pub(crate) struct OpeningHoursChange {
    #[oai(validator(max_items = 70))]
    pub opening_hours: Vec<OpeningHours>,
    pub version: Option<i64>,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/opening-hours",
    tag = "Tag::Restaurants"
)]
impl OpeningHoursApi {
    /// The week's opening hours, from Monday on.
    #[oai(path = "/", method = "get", operation_id = "opening_hours_get")]
    async fn get(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Json<OpeningWeek>> {
        let tx = scope.begin().await?;
        read(&tx, scope.restaurant()).await.map(Json)
    }

    /// Replaces the week's opening hours.
    ///
    /// A span may go past midnight (it belongs to the day on which it begins); equal ends are 24 hours. One
    /// may begin where another ends, but spans may not overlap.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "opening_hours_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, body: Body<OpeningHoursChange>,
    ) -> Result<Json<OpeningWeek>> {
        settings::changes::alone(&scope, body, change).await.map(Json)
    }
}

/// Replaces the week in the caller's unit of work.
pub(crate) async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: OpeningHoursChange,
) -> Result<OpeningWeek> {
    let OpeningHoursChange { opening_hours, version } = change;
    let faulty = overlapping(&opening_hours)
        .into_iter()
        .map(|at| (format!("opening_hours.{at}.open_at"), Fault::Invalid));
    Problem::new(Code::VALIDATION_FAILED).keys(faulty).if_any()?;
    let restaurant = scope.restaurant();
    settings::touch(tx, restaurant).await?;
    let before = read(tx, restaurant).await?;
    let logged = rows::Logged { resource: "opening_hours", record: restaurant.uuid() };
    rows::check_version(tx, version, before.version, &before, logged).await?;
    replace(tx, restaurant, &opening_hours).await?;
    let after = read(tx, restaurant).await?;
    let details = json!({"opening_hours": [before.opening_hours, after.opening_hours]});
    scope.audit(tx, Some(restaurant.uuid()), "opening_hours_update", restaurant, details).await?;
    Ok(after)
}

const READ: &str = "select r.opening_hours_version, h.day, h.open_at, h.close_at \
    from restaurant r left join opening_hours h on h.restaurant_id = r.id where r.id = $1";

/// A time in which it is open. A restaurant without hours is one row without a day.
#[derive(FromQueryResult)]
struct HoursRow {
    opening_hours_version: i64,
    day: Option<Day>,
    open_at: Option<TimeOfDay>,
    close_at: Option<TimeOfDay>,
}

impl HoursRow {
    fn hours(&self) -> Option<OpeningHours> {
        let (day, open_at, close_at) = (self.day?, self.open_at?, self.close_at?);
        Some(OpeningHours { day, open_at, close_at })
    }
}

async fn read(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<OpeningWeek> {
    let rows: Vec<HoursRow> = tx.all(READ, [restaurant.into()]).await?;
    let version = rows.first().ok_or_else(Problem::not_exist::<Restaurant>)?.opening_hours_version;
    let mut opening_hours: Vec<OpeningHours> = rows.iter().filter_map(HoursRow::hours).collect();
    opening_hours.sort_by_key(|hours| (hours.day, hours.open_at));
    Ok(OpeningWeek { opening_hours, version })
}

const INSERT: &str = "insert into opening_hours (id, restaurant_id, day, open_at, close_at) \
                      select t.id, $1, t.day, t.open_at, t.close_at from unnest($2::uuid[], $3::text[], \
                      $4::text[], $5::text[]) t (id, day, open_at, close_at)";

async fn replace(tx: &TenantTx, restaurant: Id<Restaurant>, hours: &[OpeningHours]) -> Result<()> {
    tx.run(
        "update restaurant set opening_hours_version = opening_hours_version + 1 where id = $1",
        [restaurant.into()],
    )
    .await?;
    tx.run("delete from opening_hours where restaurant_id = $1", [restaurant.into()]).await?;
    let texts =
        |text: fn(&OpeningHours) -> String| -> Value { hours.iter().map(text).collect::<Vec<_>>().into() };
    let values = [
        restaurant.into(),
        hours.iter().map(|_| Uuid::now_v7()).collect::<Vec<_>>().into(),
        texts(|hours| hours.day.to_string()),
        texts(|hours| hours.open_at.to_string()),
        texts(|hours| hours.close_at.to_string()),
    ];
    tx.run(INSERT, values).await?;
    Ok(())
}

/// Places of the spans that overlap one that begins before them in the week.
fn overlapping(hours: &[OpeningHours]) -> Vec<usize> {
    const DAY: i32 = 24 * 60;
    const WEEK: i32 = 7 * DAY;
    let mut spans: Vec<(i32, i32, usize)> = hours
        .iter()
        .enumerate()
        .map(|(at, hours)| {
            let start = hours.day as i32 * DAY + i32::from(hours.open_at.minutes());
            let length =
                (i32::from(hours.close_at.minutes()) - i32::from(hours.open_at.minutes())).rem_euclid(DAY);
            (start, start + if length == 0 { DAY } else { length }, at)
        })
        .collect();
    spans.sort_unstable();
    let mut faulty = Vec::new();
    let mut open_until = i32::MIN;
    for (start, end, at) in &spans {
        if *start < open_until {
            faulty.push(*at);
        }
        open_until = open_until.max(*end);
    }
    // Sunday's night reaches into Monday.
    if let Some((start, _, at)) = spans.first()
        && start + WEEK < open_until
        && spans.len() > 1
        && !faulty.contains(at)
    {
        faulty.push(*at);
    }
    faulty.sort_unstable();
    faulty
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty(week: &str) -> Vec<usize> {
        let hours = week.split_whitespace().map(|span| {
            let parts: Vec<&str> = span.split('-').collect();
            OpeningHours {
                day: parts[0].parse().unwrap(),
                open_at: parts[1].parse().unwrap(),
                close_at: parts[2].parse().unwrap(),
            }
        });
        overlapping(&hours.collect::<Vec<_>>())
    }

    #[test]
    fn spans_may_touch_but_not_overlap() {
        for (week, expected) in [
            ("", vec![]),
            ("mon-11:00-20:00 tue-11:00-20:00", vec![]),
            ("mon-11:00-15:00 mon-15:00-20:00", vec![]),
            ("mon-11:00-15:00 mon-14:59-20:00", vec![1]),
            ("mon-14:00-20:00 mon-11:00-15:00", vec![0]),
            ("mon-11:00-15:00 mon-11:00-15:00", vec![1]),
            // Past midnight.
            ("fri-18:00-04:00 sat-03:00-10:00", vec![1]),
            ("fri-18:00-04:00 sat-04:00-10:00", vec![]),
            // Round the week.
            ("sun-18:00-04:00 mon-03:00-10:00", vec![1]),
            ("sun-18:00-04:00 mon-11:00-20:00", vec![]),
            ("sun-00:00-00:00 mon-00:00-12:00", vec![]),
            // 24 hours.
            ("mon-08:00-08:00", vec![]),
            ("mon-08:00-08:00 tue-07:00-09:00", vec![1]),
            // Each that overlaps is named.
            ("mon-10:00-20:00 mon-11:00-12:00 mon-13:00-14:00 mon-20:00-21:00", vec![1, 2]),
        ] {
            assert_eq!(faulty(week), expected, "{week}");
        }
    }
}

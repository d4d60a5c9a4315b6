//! The promotions that run now at a restaurant.

use access::prelude::*;
use kernel::time::{BusinessDay, in_time_ranges, next_time_range_change};
use sea_orm::ExprTrait;

use crate::{
    answer::counts,
    api::{Here, at, uuids},
    entity::{Column, Entity, Model},
    types::Discount,
};

/// Why a promotion that is switched on does not run at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum NotRunning {
    /// It begins later.
    NotYetValid,
    /// None of its time ranges holds.
    OutsideTimeRange,
    /// It has been used up, for today if its limit is daily.
    LimitReached,
}

/// A promotion that is switched on and not over.
#[derive(Debug, Object)]
struct RunningDiscount {
    discount: Discount,
    /// An order of this moment, wanted at once, meets it.
    running: bool,
    /// Why not; null when it runs.
    reason: Option<NotRunning>,
    /// When its dates or time ranges next begin or end; null when they never do.
    changes_at: Option<Timestamp>,
}

/// Where a promotion stands at this moment.
fn state(model: &Model, limited_qty: i64, now: Timestamp, zone: kernel::time::Tz) -> Option<NotRunning> {
    if model.valid_from.is_some_and(|from| now < from) {
        Some(NotRunning::NotYetValid)
    } else if !in_time_ranges(&model.time_ranges.0, now, zone) {
        Some(NotRunning::OutsideTimeRange)
    } else if model.all_max_use_qty.is_some_and(|most| limited_qty >= most.into()) {
        Some(NotRunning::LimitReached)
    } else {
        None
    }
}

/// The next moment at which [`state`] may differ, uses apart.
fn changes_at(model: &Model, now: Timestamp, zone: kernel::time::Tz) -> Option<Timestamp> {
    let ranges = next_time_range_change(&model.time_ranges.0, now, zone);
    let later = |at: &Timestamp| *at > now;
    [model.valid_from, model.valid_till, ranges].into_iter().flatten().filter(later).min()
}

pub(crate) struct RunningApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl RunningApi {
    /// Promotions of this restaurant that are switched on and not over, and which of them run now: those that
    /// run first, then by name.
    #[oai(path = "/running", method = "get", operation_id = "discounts_running")]
    async fn running(&self, scope: Here) -> Result<Json<Vec<RunningDiscount>>> {
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let (now, zone) = (Timestamp::now(), facts.schedule.zone);
        let rows = scope.rows(&tx);
        let live = at(rows.live::<Entity>()?, scope.restaurant())
            .filter(Column::Active.eq(true))
            .filter(Column::ValidTill.is_null().or(Column::ValidTill.gte(now)));
        let found = rows::alphabetic(live, Column::Name)?.all(&tx).await?;
        let day = BusinessDay::of(now, zone, facts.order_reset_time);
        let counts = counts(&tx, uuids(&found), day).await?;
        let states: Vec<_> = found
            .iter()
            .map(|model| {
                let used = counts.get(&model.id).map_or(0, |counts| counts.limited_qty);
                (state(model, used, now, zone), changes_at(model, now, zone))
            })
            .collect();
        let answers = <Discount as rows::Answer<Entity>>::of(&rows, found).await?;
        let mut running: Vec<RunningDiscount> = answers
            .into_iter()
            .zip(states)
            .map(|(discount, (reason, changes_at))| RunningDiscount {
                discount,
                running: reason.is_none(),
                reason,
                changes_at,
            })
            .collect();
        running.sort_by_key(|one| !one.running);
        Ok(Json(running))
    }
}

#[cfg(test)]
mod tests {
    use kernel::time::Tz;
    use serde_json::json;

    use super::*;
    use crate::{rules::blank, values::DiscountType};

    const ZONE: Tz = Tz::Europe__Budapest;

    /// A Monday at noon, and a promotion that begins and ends so many minutes after it, with lunch time on
    /// this day.
    fn dated(from: Option<i64>, till: Option<i64>, lunch_on: Option<&str>) -> (Timestamp, Model) {
        let now: Timestamp = "2026-01-05T11:00:00Z".parse().unwrap();
        let mut model = blank(Id::new(), "Ebéd".to_owned(), DiscountType::Discount);
        model.valid_from = from.map(|minutes| now.plus_minutes(minutes));
        model.valid_till = till.map(|minutes| now.plus_minutes(minutes));
        let lunch = lunch_on.map(|day| json!({"day": day, "from": "11:00", "till": "13:59"}));
        model.time_ranges = serde_json::from_value(lunch.into_iter().collect()).unwrap();
        (now, model)
    }

    #[test]
    fn the_first_reason_why_it_does_not_run_is_told() {
        for (from, lunch_on, most, used, expected) in [
            (None, None, None, 1_000, None),
            (Some(-1), Some("mon"), Some(2), 1, None),
            (Some(0), None, None, 0, None),
            (Some(1), Some("tue"), Some(2), 2, Some(NotRunning::NotYetValid)),
            (Some(0), Some("tue"), Some(2), 2, Some(NotRunning::OutsideTimeRange)),
            (Some(0), Some("mon"), Some(2), 2, Some(NotRunning::LimitReached)),
            (None, None, Some(2), 3, Some(NotRunning::LimitReached)),
        ] {
            let (now, mut model) = dated(from, None, lunch_on);
            model.all_max_use_qty = most;
            assert_eq!(state(&model, used, now, ZONE), expected, "{from:?} {lunch_on:?} {most:?} {used}");
        }
    }

    #[test]
    fn the_nearest_change_that_lies_ahead_is_told() {
        for (from, till, lunch_on, expected) in [
            (None, None, None, None),
            (Some(0), Some(0), None, None),
            (Some(-5), Some(5), None, Some(5)),
            (Some(3), Some(5), None, Some(3)),
            (Some(-5), None, Some("mon"), Some(120)),
            (Some(119), Some(500), Some("mon"), Some(119)),
            (Some(-5), Some(119), Some("mon"), Some(119)),
        ] {
            let (now, model) = dated(from, till, lunch_on);
            let expected = expected.map(|minutes| now.plus_minutes(minutes));
            assert_eq!(changes_at(&model, now, ZONE), expected, "{from:?} {till:?} {lunch_on:?}");
        }
    }
}

//! Waiting times of today's orders until they were accepted. See `docs/decisions/orders.md#time-to-accept`.

use access::prelude::*;
use kernel::time::BusinessDay;
use sea_orm::FromQueryResult;

pub(crate) struct AcceptTimes;

/// How long orders waited that could be accepted within the present business day. Tests do not count.
#[derive(Debug, Object)]
struct OrderAcceptTimes {
    business_day: BusinessDay,
    /// Orders that were accepted while they waited.
    accepted: u32,
    /// Half of them waited less. Null while there are none.
    median_seconds: Option<i32>,
    average_seconds: Option<i32>,
    /// Those that waited longer than `limit_minutes`, or do so now, refused ones too; null without a limit.
    late: Option<u32>,
    /// The restaurant's `escalate_after_minutes`.
    limit_minutes: Option<i32>,
}

#[derive(FromQueryResult)]
struct Figures {
    accepted: i64,
    median_seconds: Option<i32>,
    average_seconds: Option<i32>,
    late: i64,
}

/// One that was accepted before it could be seen has not waited.
/// Most orders are visible from when they were placed; the index of the others has those alone.
const FIGURES: &str = "with o as (\
        select visible_at, accepted_at, archived_at, accept_seconds from orders where restaurant_id = $1 \
            and created_at >= $2 and created_at <= $3 and visible_at = created_at and not is_test \
            and replaced_by_id is null \
        union all \
        select visible_at, accepted_at, archived_at, accept_seconds from orders where restaurant_id = $1 \
            and visible_at >= $2 and visible_at <= $3 and visible_at <> created_at and not is_test \
            and replaced_by_id is null) \
    select count(accept_seconds) accepted, \
        round(percentile_cont(0.5) within group (order by accept_seconds))::int median_seconds, \
        round(avg(accept_seconds))::int average_seconds, \
        count(*) filter (where coalesce(accept_seconds, extract(epoch from coalesce(archived_at, $3) - visible_at)) \
            > $4::int * 60) late \
    from o where accepted_at is null or accept_seconds is not null";

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl AcceptTimes {
    /// How long orders waited to be accepted, on the present business day.
    #[oai(path = "/accept-times", method = "get", operation_id = "orders_accept_times")]
    async fn get(&self, scope: In<Restaurant, perm::FreshOrder>) -> Result<Json<OrderAcceptTimes>> {
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let now = Timestamp::now();
        let day = facts.business_day(now);
        let start = day.start(facts.schedule.zone, facts.order_reset_time);
        let limit = facts.escalate_after_minutes;
        let values = [scope.restaurant().into(), start.into(), now.into(), limit.into()];
        let figures: Option<Figures> = tx.one(FIGURES, values).await?;
        let Figures { accepted, median_seconds, average_seconds, late } =
            figures.ok_or(Code::UNKNOWN_ERROR)?;
        let number = |count: i64| u32::try_from(count).unwrap_or_default();
        Ok(Json(OrderAcceptTimes {
            business_day: day,
            accepted: number(accepted),
            median_seconds,
            average_seconds,
            late: limit.map(|_| number(late)),
            limit_minutes: limit,
        }))
    }
}

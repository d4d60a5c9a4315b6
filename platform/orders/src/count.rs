//! The orders that wait to be accepted, as all screens of staff show them: their number, and those that have waited
//! too long.

use access::prelude::*;
use sea_orm::FromQueryResult;

use crate::{values::OrderId, wait::FIRST};

pub(crate) struct Waiting;

/// How many orders wait.
#[derive(Debug, Object)]
struct WaitingOrders {
    /// To be accepted, and the kitchen should see them by now.
    count: u64,
    /// Those that nobody accepts, longest waiting first, at most 20: every screen alerts to them.
    escalated: Vec<EscalatedOrder>,
    /// How many those are in all.
    escalated_total: u64,
}

/// An order that nobody accepts.
#[derive(Debug, Object)]
struct EscalatedOrder {
    order_id: Id<OrderId>,
    counter: Option<String>,
    escalation_level: i32,
    /// From when its time runs.
    waiting_since: Timestamp,
}

#[derive(FromQueryResult)]
struct WaitingRow {
    order_id: Id<OrderId>,
    counter: Option<String>,
    escalation_level: i32,
    waiting_since: Timestamp,
    total: i64,
    escalated_total: i64,
}

/// Those that nobody accepts first, so that they are on the page.
const WAITING: &str = "select id order_id, counter, escalation_level, \
        greatest(coalesce(visible_at, show_at), taken_back_at) waiting_since, count(*) over () total, \
        count(*) filter (where escalation_level > 1) over () escalated_total \
    from orders where restaurant_id = $1 and archived_at is null and status = 'succeeded' and show_at <= $2 \
    order by escalation_level > 1 desc, waiting_since, id limit 20";

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl Waiting {
    /// How many orders wait to be accepted, and which of them nobody accepts.
    #[oai(path = "/waiting", method = "get", operation_id = "orders_waiting")]
    async fn waiting(&self, scope: In<Restaurant, perm::FreshOrder>) -> Result<Json<WaitingOrders>> {
        let tx = scope.begin().await?;
        let now = kernel::clock::now();
        let rows: Vec<WaitingRow> = tx.all(WAITING, [scope.restaurant().into(), now.into()]).await?;
        let number = |of: fn(&WaitingRow) -> i64| {
            rows.first().map_or(0, |row| u64::try_from(of(row)).unwrap_or_default())
        };
        let (count, escalated_total) = (number(|row| row.total), number(|row| row.escalated_total));
        let escalated = rows.into_iter().filter(|row| row.escalation_level > FIRST);
        let escalated = escalated.map(|row| EscalatedOrder {
            order_id: row.order_id,
            counter: row.counter,
            escalation_level: row.escalation_level,
            waiting_since: row.waiting_since,
        });
        Ok(Json(WaitingOrders { count, escalated: escalated.collect(), escalated_total }))
    }
}

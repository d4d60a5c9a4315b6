//! What was paid online on a business day, for those who compare it with the provider's books.

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    time::BusinessDay,
};
use restaurants::Facts;
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use super::RECONCILE;
use crate::{payments::types::PaymentId, values::OrderId};

/// Minutes after the end of a business day at which it is compared.
const AFTER_THE_DAY: i64 = 120;

/// The business day of now is compared with the providers' books at night.
pub(super) async fn compare_later(tx: &TenantTx, facts: &Facts, now: Timestamp) -> Result<()> {
    let day = facts.business_day(now);
    let at = day.end(facts.schedule.zone, facts.order_reset_time).plus_minutes(AFTER_THE_DAY);
    let args = json!({"restaurant_id": facts.id, "day": day});
    work::enqueue(tx, RECONCILE, Some(&format!("{}:{day}", facts.id)), args, Some(at.into())).await
}

const OF_DAY: &str = "select id from payment_attempt where restaurant_id = $1 and kind = 'online' \
        and claimed_at is not null and created_at >= $3 and created_at < $4 \
    union select t.attempt_id from payable_transaction t join payment_attempt a on a.id = t.attempt_id \
    where t.restaurant_id = $1 and t.business_day = $2 and a.kind = 'online' order by 1";

/// The attempts that were begun on a business day, and those whose money moved on it.
pub async fn of_day(tx: &TenantTx, facts: &Facts, day: BusinessDay) -> Result<Vec<Id<PaymentId>>> {
    let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
    let values = [facts.id.into(), day.into(), day.start(zone, reset).into(), day.end(zone, reset).into()];
    let found: Vec<Uuid> = tx.values(OF_DAY, values).await?;
    Ok(found.into_iter().map(Id::from_uuid).collect())
}

/// Money that moved through a provider: a payment, or a refund below zero.
#[derive(Debug, FromQueryResult)]
pub struct Movement {
    pub attempt_id: Uuid,
    pub order_id: Id<OrderId>,
    pub counter: Option<String>,
    pub payment_key: String,
    pub provider: String,
    pub environment: String,
    /// The provider's id of the payment, and of the refund.
    pub reference: Option<String>,
    pub refund_reference: Option<String>,
    pub value: Money,
    pub fee: Option<Money>,
    pub currency: Currency,
    pub business_day: Option<BusinessDay>,
    pub paid_at: Timestamp,
}

const MOVED: &str = "select t.attempt_id, t.order_id, o.counter, a.payment_key, a.provider, a.environment, \
        a.provider_ref reference, f.provider_ref refund_reference, t.value + t.tip \"value\", \
        case when t.refunds_id is null then a.fee end fee, o.currency, t.business_day, t.paid_at \
    from payable_transaction t join payment_attempt a on a.id = t.attempt_id join orders o on o.id = t.order_id \
        left join payment_refund f on f.id = t.refund_id \
    where t.restaurant_id = $1 and a.kind = 'online' and not t.moved and t.business_day between $2 and $3 \
    order by t.paid_at, t.id limit $4";

/// What moved in these business days, oldest first, at most so many rows.
pub async fn moved(
    tx: &TenantTx, restaurant: Id<Restaurant>, (from, till): (BusinessDay, BusinessDay), most: i64,
) -> Result<Vec<Movement>> {
    Ok(tx.all(MOVED, [restaurant.into(), from.into(), till.into(), most.into()]).await?)
}

/// The order of an attempt.
#[derive(Debug, FromQueryResult)]
pub struct OrderOfAttempt {
    pub attempt_id: Uuid,
    pub order_id: Id<OrderId>,
    /// The order's number.
    pub counter: Option<String>,
}

const ORDERS: &str = "select a.id attempt_id, a.order_id, o.counter from payment_attempt a \
    join orders o on o.id = a.order_id where a.id = any ($1)";

/// The orders of these attempts.
pub async fn orders_of(tx: &TenantTx, attempts: Vec<Uuid>) -> Result<Vec<OrderOfAttempt>> {
    Ok(tx.all(ORDERS, [attempts.into()]).await?)
}

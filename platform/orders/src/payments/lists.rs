//! Payments and refunds as they are answered.

use access::{audit, prelude::*};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::types::{
    PayableTransaction, Payment, PaymentEvent, PaymentId, PaymentRefund, PaymentState, RefundId, RefundState,
};
use crate::values::OrderId;

/// Whether somebody should look at a payment: it cannot be told how it ended, money came late for an order that is over, in
/// another amount or against what is booked, the last refund of it has failed or could not be sent for a day, or money of an
/// order that is over was kept; and nothing was said of it since.
macro_rules! attention {
    () => {
        "((a.state = 'unknown' or a.amount_mismatch or a.conflict or (a.not_taken and a.captured = 0) or (a.late and a.refunded < a.captured and o.status in ('expired', 'failed', 'canceled')) \
            or coalesce((select f.state in ('failed', 'unknown') or (f.state = 'created' and a.kind = 'online' \
                    and not f.waits and f.created_at < now() - interval '1 day') \
                from payment_refund f where f.attempt_id = a.id order by f.created_at desc, f.id desc limit 1), false) \
            or (a.kind = 'online' and a.captured > a.refunded \
                and (o.archived_at is not null or o.status in ('expired', 'failed', 'canceled')) \
                and not exists (select from payment_refund f where f.attempt_id = a.id \
                    and f.state in ('created', 'pending', 'unknown')))) \
          and (a.looked_at is null \
            or exists (select from payment_event e where e.attempt_id = a.id and e.at > a.looked_at)))"
    };
}

macro_rules! payments {
    ($tail:expr) => {
        concat!(
            "select a.id, a.order_id, o.counter order_counter, a.kind, a.payment_method_id, a.payment_key, \
             a.provider, a.environment, a.amount, a.tip, a.currency, a.handed_currency, a.handed_over, t.change_given, \
             t.rounding, a.rate, a.issuer, a.authorisation_number, a.courier_id, a.payment_info, a.state, \
             a.provider_ref, a.decline_code, a.decline_text, a.captured, a.refunded, a.late, \
             a.amount_mismatch, a.conflict, a.not_taken, ",
            attention!(),
            " attention, a.assumed, a.actor_name, a.surface, a.created_at, a.expires_at, a.final_at, \
             a.version from payment_attempt a join orders o on o.id = a.order_id \
             left join payable_transaction t on t.attempt_id = a.id and t.order_id = a.order_id \
                and t.refunds_id is null where a.restaurant_id = $1 and ",
            $tail
        )
    };
}

pub(super) async fn payment(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<PaymentId>) -> Result<Payment> {
    let row: Option<Payment> = tx.one(payments!("a.id = $2"), [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<PaymentId>)
}

/// Which payments are listed.
#[derive(Debug, Default)]
pub(super) struct PaymentFilter {
    pub state: Option<PaymentState>,
    pub order: Option<Id<OrderId>>,
    pub kind: Option<String>,
    pub provider: Option<String>,
    pub from: Option<Timestamp>,
    pub till: Option<Timestamp>,
    pub search: Option<String>,
    pub attention: bool,
}

/// A text without the blanks around it, if anything is left.
fn given(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

macro_rules! filter {
    () => {
        concat!(
            "($2::text is null or a.state = $2) and ($3::uuid is null or a.order_id = $3) \
             and ($4::text is null or a.kind = $4) and ($5::text is null or a.provider = $5) \
             and ($6::timestamptz is null or a.created_at >= $6) and ($7::timestamptz is null or a.created_at < $7) \
             and ($8::text is null or starts_with(lower(o.counter), lower($8)) or a.provider_ref = $8 \
                or a.id::text = lower($8) or a.authorisation_number = $8) \
             and (not $9 or ",
            attention!(),
            ")"
        )
    };
}

const LIST: &str = payments!(concat!(filter!(), " order by a.id desc limit $10 offset $11"));
const COUNT: &str = concat!(
    "select count(*) total from payment_attempt a join orders o on o.id = a.order_id where a.restaurant_id = $1 and ",
    filter!()
);

pub(super) async fn list(
    tx: &TenantTx, restaurant: Id<Restaurant>, filter: PaymentFilter, paging: &Paging,
) -> Result<Page<Payment>> {
    let values = vec![
        restaurant.into(),
        filter.state.map(|state| state.to_value()).into(),
        filter.order.into(),
        given(filter.kind).into(),
        given(filter.provider).into(),
        filter.from.into(),
        filter.till.into(),
        given(filter.search).into(),
        filter.attention.into(),
    ];
    page(tx, [LIST, COUNT], values, paging).await
}

const SPOKEN: &str = "select e.at, e.source, e.state, coalesce(e.actor_name, e.body ->> 'by') actor_name, e.body ->> 'call' call, e.body ->> 'state' provider_state, \
    coalesce(e.body ->> 'error', e.body ->> 'decline_code', e.body ->> 'code') error, (e.body ->> 'amount')::numeric amount, \
    (e.body ->> 'refunded')::numeric refunded, (e.body ->> 'fee')::numeric fee, e.body ->> 'reason' reason, \
    e.body ->> 'reference' reference from payment_event e where e.attempt_id = $1 order by e.id limit 200";

/// What was said about a payment, oldest first.
pub(super) async fn spoken(tx: &TenantTx, id: Id<PaymentId>) -> Result<Vec<PaymentEvent>> {
    Ok(tx.all(SPOKEN, [id.into()]).await?)
}

const LOOK: &str = "update payment_attempt set looked_at = $3, version = version + 1 \
    where restaurant_id = $1 and id = $2 returning order_id";

/// Somebody has looked at it. Answers its order.
pub(super) async fn look(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<PaymentId>, now: Timestamp,
) -> Result<Uuid> {
    let order: Option<Uuid> = tx.value(LOOK, [restaurant.into(), id.into(), now.into()]).await?;
    order.ok_or_else(Problem::not_exist::<PaymentId>)
}

macro_rules! refunds {
    ($tail:literal) => {
        concat!(
            "select f.id, f.order_id, o.counter order_counter, f.attempt_id, a.payment_method_id, a.payment_key, \
             a.provider, a.currency, f.amount, f.tip, f.state, f.reason, f.by_storno, f.waits, f.provider_ref, f.decline_code, f.actor_name, \
             f.approved_by_name, f.done_by_name, f.created_at, f.final_at, f.version \
             from payment_refund f join payment_attempt a on a.id = f.attempt_id \
             join orders o on o.id = f.order_id where f.restaurant_id = $1 and ",
            $tail
        )
    };
}

pub(super) async fn refund(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<RefundId>,
) -> Result<PaymentRefund> {
    let row: Option<PaymentRefund> = tx.one(refunds!("f.id = $2"), [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<RefundId>)
}

/// The refunds of these orders, oldest first.
pub(crate) async fn refunds_of(
    tx: &TenantTx, restaurant: Id<Restaurant>, orders: Vec<Uuid>,
) -> Result<Vec<PaymentRefund>> {
    Ok(tx.all(refunds!("f.order_id = any ($2) order by f.id"), [restaurant.into(), orders.into()]).await?)
}

const REFUNDS: &str = refunds!(
    "($2::text is null or f.state = $2) and ($3::uuid is null or f.order_id = $3) \
     and ($4::text is null or starts_with(lower(o.counter), lower($4)) or f.provider_ref = $4) \
     and (not $5 or a.provider is null or f.waits) order by f.id desc limit $6 offset $7"
);
const COUNT_REFUNDS: &str = "select count(*) total from payment_refund f join payment_attempt a on a.id = f.attempt_id join orders o on o.id = f.order_id \
    where f.restaurant_id = $1 and ($2::text is null or f.state = $2) and ($3::uuid is null or f.order_id = $3) \
    and ($4::text is null or starts_with(lower(o.counter), lower($4)) or f.provider_ref = $4) \
    and (not $5 or a.provider is null or f.waits)";

pub(super) async fn refunds(
    tx: &TenantTx, restaurant: Id<Restaurant>, state: Option<RefundState>,
    (order, search, by_person): (Option<Id<OrderId>>, Option<String>, bool), paging: &Paging,
) -> Result<Page<PaymentRefund>> {
    let state = state.map(|state| state.to_value());
    let filter = vec![restaurant.into(), state.into(), order.into(), given(search).into(), by_person.into()];
    page(tx, [REFUNDS, COUNT_REFUNDS], filter, paging).await
}

/// A page of what a statement finds, and how many that are where it is asked.
async fn page<T: FromQueryResult>(
    tx: &TenantTx, [list, count]: [&'static str; 2], filter: Vec<sea_orm::Value>, paging: &Paging,
) -> Result<Page<T>> {
    let total = if paging.count { audit::total(&tx.rows(count, filter.clone()).await?)? } else { None };
    let rows = tx.all(list, filter.into_iter().chain(audit::limit_offset(paging))).await?;
    Ok(Page { rows, total })
}

const TRANSACTIONS: &str = "select t.id, t.order_id, t.attempt_id, t.refund_id, t.refunds_id, t.value, t.rounding, \
        t.tip, t.status, t.payment_method_id, t.payment_key, \
        coalesce(a.payment_info, t.payment_info) payment_info, false pickup, '' platform, t.currency, \
        t.handed_over, t.rate, t.change_given, t.courier_id, t.issuer, t.authorisation_number, t.provider_ref, \
        t.actor_name, t.surface, t.business_day, t.assumed, t.moved, t.paid_at, 0 waits, t.created_at \
    from payable_transaction t \
        left join payment_attempt a on a.id = t.attempt_id and t.refunds_id is null where t.order_id = any ($1) \
    union all \
    select a.id, a.order_id, a.id, null, null, a.amount, 0, a.tip, a.state, a.payment_method_id, a.payment_key, \
        a.payment_info, false, '', a.handed_currency, a.handed_over, a.rate, 0, a.courier_id, \
        a.issuer, a.authorisation_number, a.provider_ref, a.actor_name, a.surface, null, a.assumed, false, null, 1, \
        a.created_at \
    from payment_attempt a where a.order_id = any ($1) \
        and a.state in ('created', 'pending', 'authorised', 'unknown') \
    order by waits, created_at, id";

/// What has moved of these orders, oldest first, then what waits. What the rows repeat of their order is left to
/// whoever has it.
pub(crate) async fn transactions_of(tx: &TenantTx, orders: Vec<Uuid>) -> Result<Vec<PayableTransaction>> {
    Ok(tx.all(TRANSACTIONS, [orders.into()]).await?)
}

//! Queries about payments and refunds.

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    time::BusinessDay,
};
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use uuid::Uuid;

use super::{
    rules::Cash,
    types::{
        Issuer, PayableTransaction, Payment, PaymentId, PaymentItem, PaymentRefund, PaymentState, RefundId,
        RefundState,
    },
};
use crate::{state::Actor, values::OrderId};

/// A payment as it is begun.
pub(super) struct NewAttempt<'a> {
    pub id: Id<PaymentId>,
    pub restaurant: Id<Restaurant>,
    pub order: Id<OrderId>,
    pub method: Uuid,
    pub key: &'a str,
    pub amount: Money,
    pub tip: Money,
    pub currency: Currency,
    pub handed_currency: Currency,
    pub handed_over: Option<Money>,
    pub rate: Option<Money>,
    pub issuer: Option<Issuer>,
    pub authorisation_number: Option<&'a str>,
    pub courier: Option<Uuid>,
    pub info: Option<&'a str>,
    pub state: PaymentState,
    pub assumed: bool,
    pub items: &'a [PaymentItem],
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

const BEGIN: &str = "with a as (insert into payment_attempt (id, restaurant_id, order_id, kind, \
        payment_method_id, payment_key, amount, tip, currency, handed_currency, handed_over, rate, issuer, \
        authorisation_number, courier_id, payment_info, state, captured, assumed, actor_kind, actor_id, \
        actor_name, surface, created_at, final_at) \
        values ($1, $2, $3, 'by_hand', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, \
        case when $16 = 'captured' then $6::numeric + $7::numeric else 0 end, $17, $18, $19, $20, $21, $22, \
        case when $16 = 'captured' then $22::timestamptz end)), \
    i as (insert into payment_attempt_item (attempt_id, order_item_id, quantity) \
        select $1, item, quantity from unnest($23::uuid[], $24::int[]) sent (item, quantity)) \
    insert into payment_event (attempt_id, source, state, actor_name, at) values ($1, 'person', $16, $20, $22)";

impl NewAttempt<'_> {
    /// Writes it.
    pub async fn insert(&self, tx: &TenantTx) -> Result<()> {
        let (kind, actor, name, surface) = self.actor.columns();
        let ids: Vec<Uuid> = self.items.iter().map(|item| item.order_item_id).collect();
        let pieces: Vec<i32> = self.items.iter().map(|item| item.quantity).collect();
        let values = [
            self.id.into(),
            self.restaurant.into(),
            self.order.into(),
            self.method.into(),
            self.key.into(),
            self.amount.into(),
            self.tip.into(),
            self.currency.as_str().into(),
            self.handed_currency.as_str().into(),
            self.handed_over.into(),
            self.rate.into(),
            self.issuer.map(|issuer| issuer.to_value()).into(),
            self.authorisation_number.into(),
            self.courier.into(),
            self.info.into(),
            self.state.to_value().into(),
            self.assumed.into(),
            kind.into(),
            actor.into(),
            name.into(),
            surface.into(),
            self.now.into(),
            ids.into(),
            pieces.into(),
        ];
        tx.run(BEGIN, values).await?;
        Ok(())
    }
}

/// An attempt as it is needed to go on with it.
#[derive(Debug, Clone, FromQueryResult)]
pub(super) struct Attempt {
    pub id: Id<PaymentId>,
    pub order_id: Id<OrderId>,
    pub payment_method_id: Uuid,
    pub payment_key: String,
    pub amount: Money,
    pub tip: Money,
    pub currency: Currency,
    pub handed_currency: Currency,
    pub handed_over: Option<Money>,
    pub rate: Option<Money>,
    pub issuer: Option<Issuer>,
    pub authorisation_number: Option<String>,
    pub courier_id: Option<Uuid>,
    pub state: PaymentState,
    pub assumed: bool,
}

const ATTEMPT: &str = "select id, order_id, payment_method_id, payment_key, amount, tip, currency, \
    handed_currency, handed_over, rate, issuer, authorisation_number, courier_id, state, assumed \
    from payment_attempt where restaurant_id = $1 and id = $2";

/// An attempt of this restaurant. Read it again once its order is locked.
pub(super) async fn attempt(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<PaymentId>) -> Result<Attempt> {
    let row: Option<Attempt> = tx.one(ATTEMPT, [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<PaymentId>)
}

const END: &str = "with a as (update payment_attempt set state = $2, final_at = $3, version = version + 1, \
        captured = case when $2 = 'captured' then amount + tip else captured end, \
        issuer = coalesce($4, issuer), authorisation_number = coalesce($5, authorisation_number) \
        where id = $1) \
    insert into payment_event (attempt_id, source, state, body, actor_name, at) \
        values ($1, 'person', $2, $6, $7, $3)";

/// How a waiting attempt ended, by somebody's word.
pub(super) struct End<'a> {
    pub state: PaymentState,
    pub issuer: Option<Issuer>,
    pub authorisation_number: Option<&'a str>,
    pub body: Json,
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

pub(super) async fn end(tx: &TenantTx, id: Id<PaymentId>, end: End<'_>) -> Result<()> {
    let values = [
        id.into(),
        end.state.to_value().into(),
        end.now.into(),
        end.issuer.map(|issuer| issuer.to_value()).into(),
        end.authorisation_number.into(),
        end.body.into(),
        end.actor.columns().2.into(),
    ];
    tx.run(END, values).await?;
    Ok(())
}

/// Marks that money came for an order that was over.
pub(super) async fn mark_late(tx: &TenantTx, id: Id<PaymentId>) -> Result<()> {
    tx.run("update payment_attempt set late = true where id = $1", [id.into()]).await?;
    Ok(())
}

/// A row of the ledger.
pub(super) struct LedgerRow<'a> {
    pub restaurant: Id<Restaurant>,
    pub attempt: &'a Attempt,
    /// A refund, and the row that it takes back.
    pub refund: Option<(Id<RefundId>, Uuid)>,
    pub cash: Cash,
    pub courier: Option<Uuid>,
    pub day: BusinessDay,
    pub paid_at: Timestamp,
    pub actor: Actor<'a>,
}

const ADD: &str = "insert into payable_transaction (id, restaurant_id, order_id, attempt_id, refund_id, \
        refunds_id, payment_method_id, payment_key, value, rounding, tip, currency, handed_over, rate, \
        change_given, courier_id, issuer, authorisation_number, business_day, paid_at, assumed, \
        actor_kind, actor_id, actor_name, surface) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
        $22, $23, $24, $25)";

impl LedgerRow<'_> {
    /// Writes it: the money has moved.
    pub async fn insert(&self, tx: &TenantTx) -> Result<()> {
        let (kind, actor, name, surface) = self.actor.columns();
        let Self { attempt, cash, .. } = self;
        let values = [
            Uuid::now_v7().into(),
            self.restaurant.into(),
            attempt.order_id.into(),
            attempt.id.into(),
            self.refund.map(|(refund, _)| refund.uuid()).into(),
            self.refund.map(|(_, row)| row).into(),
            attempt.payment_method_id.into(),
            attempt.payment_key.as_str().into(),
            cash.value.into(),
            cash.rounding.into(),
            cash.tip.into(),
            attempt.handed_currency.as_str().into(),
            (attempt.payment_key == "cash").then_some(cash.handed_over).into(),
            attempt.rate.into(),
            cash.change.into(),
            self.courier.into(),
            attempt.issuer.map(|issuer| issuer.to_value()).into(),
            attempt.authorisation_number.as_deref().into(),
            self.day.into(),
            self.paid_at.into(),
            attempt.assumed.into(),
            kind.into(),
            actor.into(),
            name.into(),
            surface.into(),
        ];
        tx.run(ADD, values).await?;
        Ok(())
    }
}

/// What came in with a payment, and what has gone back of it or is asked to.
#[derive(Debug, Clone, Copy, FromQueryResult)]
pub(super) struct Taken {
    /// The row of the ledger.
    pub row: Uuid,
    pub value: Money,
    pub tip: Money,
    pub rounding: Money,
    /// Done.
    pub back: Money,
    pub back_tip: Money,
    /// Of it handed out, rounding included.
    pub handed_out: Money,
    /// Asked, under way, or unknown.
    pub asked: Money,
    pub asked_tip: Money,
}

const TAKEN: &str = "select t.id as row, t.value, t.tip, t.rounding, b.back, b.back_tip, b.handed_out, f.asked, \
        f.asked_tip \
    from payable_transaction t, \
    lateral (select coalesce(-sum(b.value), 0) back, coalesce(-sum(b.tip), 0) back_tip, \
        coalesce(-sum(b.value + b.tip + b.rounding), 0) handed_out \
        from payable_transaction b where b.order_id = t.order_id and b.refunds_id = t.id) b, \
    lateral (select coalesce(sum(f.amount), 0) asked, coalesce(sum(f.tip), 0) asked_tip from payment_refund f \
        where f.attempt_id = t.attempt_id and f.state in ('created', 'pending', 'unknown')) f \
    where t.order_id = $1 and t.attempt_id = $2 and t.refunds_id is null";

impl Taken {
    /// Of the payment with this id, whose order is locked; none when no money came.
    pub async fn of(tx: &TenantTx, order: Id<OrderId>, id: Id<PaymentId>) -> Result<Option<Self>> {
        Ok(tx.one(TAKEN, [order.into(), id.into()]).await?)
    }

    /// What may still be asked back of what it covered.
    pub fn left(&self) -> Money {
        self.value - self.back - self.asked
    }

    /// What may still be asked back of its tip.
    pub fn left_tip(&self) -> Money {
        self.tip - self.back_tip - self.asked_tip
    }
}

const REFUNDABLE: &str = "select a.id from payment_attempt a where a.order_id = $1 and a.captured > a.refunded \
    order by a.payment_key in ('balance', 'points'), a.final_at desc, a.id desc";

/// The payments of an order that money can go back to: the newest first, balance and points last.
pub(super) async fn refundable(tx: &TenantTx, order: Id<OrderId>) -> Result<Vec<Uuid>> {
    Ok(tx.values(REFUNDABLE, [order.into()]).await?)
}

/// A refund as it is asked.
pub(super) struct NewRefundRow<'a> {
    pub id: Id<RefundId>,
    pub restaurant: Id<Restaurant>,
    pub attempt: &'a Attempt,
    pub amount: Money,
    pub tip: Money,
    pub reason: Option<&'a str>,
    pub by_storno: bool,
    pub approver: Option<&'a access::Approver>,
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

const ASK: &str = "insert into payment_refund (id, restaurant_id, order_id, attempt_id, amount, tip, state, \
        reason, by_storno, actor_kind, actor_id, actor_name, surface, approved_by, approved_by_name, created_at) \
    values ($1, $2, $3, $4, $5, $6, 'created', $7, $8, $9, $10, $11, $12, $13, $14, $15)";

impl NewRefundRow<'_> {
    /// Writes it as asked.
    pub async fn insert(&self, tx: &TenantTx) -> Result<()> {
        let (kind, actor, name, surface) = self.actor.columns();
        let values = [
            self.id.into(),
            self.restaurant.into(),
            self.attempt.order_id.into(),
            self.attempt.id.into(),
            self.amount.into(),
            self.tip.into(),
            self.reason.into(),
            self.by_storno.into(),
            kind.into(),
            actor.into(),
            name.into(),
            surface.into(),
            self.approver.map(|approver| approver.admin.uuid()).into(),
            self.approver.map(|approver| approver.name.as_str()).into(),
            self.now.into(),
        ];
        tx.run(ASK, values).await?;
        Ok(())
    }
}

const END_REFUND: &str = "with f as (update payment_refund set state = $2, final_at = $3, done_by_name = $4, \
        reason = coalesce($5, reason), version = version + 1 where id = $1 returning attempt_id, amount, tip) \
    update payment_attempt a set refunded = a.refunded + f.amount + f.tip, version = a.version + 1, \
        state = case when a.refunded + f.amount + f.tip = a.captured then 'refunded' else a.state end \
        from f where a.id = f.attempt_id and $2 = 'succeeded'";

/// Ends a refund: it is done, or it did not work.
pub(super) async fn end_refund(
    tx: &TenantTx,
    id: Id<RefundId>,
    state: RefundState,
    by: &str,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    tx.run(END_REFUND, [id.into(), state.to_value().into(), now.into(), by.into(), reason.into()]).await?;
    Ok(())
}

macro_rules! payments {
    ($tail:literal) => {
        concat!(
            "select a.id, a.order_id, o.counter order_counter, a.kind, a.payment_method_id, a.payment_key, \
             a.provider, a.amount, a.tip, a.currency, a.handed_currency, a.handed_over, t.change_given, \
             t.rounding, a.rate, a.issuer, a.authorisation_number, a.courier_id, a.payment_info, a.state, \
             a.provider_ref, a.decline_code, a.decline_text, a.captured, a.refunded, a.late, \
             a.amount_mismatch, a.assumed, a.actor_name, a.surface, a.created_at, a.expires_at, a.final_at, \
             a.version from payment_attempt a join orders o on o.id = a.order_id \
             left join payable_transaction t on t.attempt_id = a.id and t.refunds_id is null \
             where a.restaurant_id = $1 and ",
            $tail
        )
    };
}

/// One payment.
pub(super) async fn payment(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<PaymentId>) -> Result<Payment> {
    let row: Option<Payment> = tx.one(payments!("a.id = $2"), [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<PaymentId>)
}

const LIST: &str = payments!(
    "($2::text is null or a.state = $2) and ($3::uuid is null or a.order_id = $3) \
     order by a.id desc limit $4 offset $5"
);
const COUNT: &str = "select count(*) total from payment_attempt a where a.restaurant_id = $1 and \
    ($2::text is null or a.state = $2) and ($3::uuid is null or a.order_id = $3)";

/// Payments, newest first.
pub(super) async fn list(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    state: Option<PaymentState>,
    order: Option<Id<OrderId>>,
    paging: &Paging,
) -> Result<Page<Payment>> {
    page(
        tx,
        [LIST, COUNT],
        [restaurant.into(), state.map(|state| state.to_value()).into(), order.into()],
        paging,
    )
    .await
}

macro_rules! refunds {
    ($tail:literal) => {
        concat!(
            "select f.id, f.order_id, o.counter order_counter, f.attempt_id, a.payment_method_id, a.payment_key, \
             a.currency, f.amount, f.tip, f.state, f.reason, f.by_storno, f.provider_ref, f.actor_name, \
             f.approved_by_name, f.done_by_name, f.created_at, f.final_at, f.version \
             from payment_refund f join payment_attempt a on a.id = f.attempt_id \
             join orders o on o.id = f.order_id where f.restaurant_id = $1 and ",
            $tail
        )
    };
}

/// One refund.
pub(super) async fn refund(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<RefundId>,
) -> Result<PaymentRefund> {
    let row: Option<PaymentRefund> = tx.one(refunds!("f.id = $2"), [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<RefundId>)
}

/// The refunds of these orders, oldest first.
pub(crate) async fn refunds_of(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    orders: Vec<Uuid>,
) -> Result<Vec<PaymentRefund>> {
    Ok(tx.all(refunds!("f.order_id = any ($2) order by f.id"), [restaurant.into(), orders.into()]).await?)
}

const REFUNDS: &str = refunds!(
    "($2::text is null or f.state = $2) and ($3::uuid is null or f.order_id = $3) \
     order by f.id desc limit $4 offset $5"
);
const COUNT_REFUNDS: &str = "select count(*) total from payment_refund f where f.restaurant_id = $1 and \
    ($2::text is null or f.state = $2) and ($3::uuid is null or f.order_id = $3)";

/// Refunds, newest first.
pub(super) async fn refunds(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    state: Option<RefundState>,
    order: Option<Id<OrderId>>,
    paging: &Paging,
) -> Result<Page<PaymentRefund>> {
    let filter = [restaurant.into(), state.map(|state| state.to_value()).into(), order.into()];
    page(tx, [REFUNDS, COUNT_REFUNDS], filter, paging).await
}

/// A page of what a statement finds, and how many that are where it is asked.
async fn page<T: FromQueryResult>(
    tx: &TenantTx,
    [list, count]: [&'static str; 2],
    filter: [sea_orm::Value; 3],
    paging: &Paging,
) -> Result<Page<T>> {
    use access::audit;
    let total = if paging.count { audit::total(&tx.rows(count, filter.clone()).await?)? } else { None };
    let rows = tx.all(list, filter.into_iter().chain(audit::limit_offset(paging))).await?;
    Ok(Page { rows, total })
}

/// A line of an order as far as paying it by pieces goes.
#[derive(Debug, Clone, FromQueryResult)]
pub(super) struct PayableItem {
    pub id: Uuid,
    pub quantity: i32,
    /// With service fee and deposit.
    pub price: Money,
    /// Pieces that other payments are for, and that partial stornos took back.
    pub paid: i32,
    pub reversed: i32,
}

const ITEMS: &str = "select i.id, i.quantity, coalesce(i.paid_price, i.total_price) + i.service_fee + i.deposit \
        price, \
    (select coalesce(sum(p.quantity), 0) from payment_attempt_item p join payment_attempt a \
        on a.id = p.attempt_id where p.order_item_id = i.id and a.state in \
        ('created', 'pending', 'authorised', 'unknown', 'captured'))::int paid, \
    (select coalesce(-sum(r.quantity), 0) from order_item r where r.parent_item_id = i.id)::int reversed \
    from order_item i where i.order_id = $1";

/// The lines of a locked order.
pub(super) async fn items(tx: &TenantTx, order: Id<OrderId>) -> Result<Vec<PayableItem>> {
    Ok(tx.all(ITEMS, [order.into()]).await?)
}

const CLOSE: &str =
    "update orders set closed_at = $2, version = version + 1 where id = $1 and closed_at is null";

/// Closes an order.
pub(super) async fn close(tx: &TenantTx, order: Id<OrderId>, at: Timestamp) -> Result<bool> {
    Ok(tx.run(CLOSE, [order.into(), at.into()]).await? > 0)
}

const HISTORY: &str = "insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface, \
    details) values ($1, $2, $3, $4, $5, $6, $7)";

/// A line of an order's history that is no change of its state.
pub(crate) async fn history(
    tx: &TenantTx,
    order: Id<OrderId>,
    what: &str,
    actor: Actor<'_>,
    details: Json,
) -> Result<()> {
    let (kind, id, name, surface) = actor.columns();
    let values =
        [order.into(), what.into(), kind.into(), id.into(), name.into(), surface.into(), details.into()];
    tx.run(HISTORY, values).await?;
    Ok(())
}

const TRANSACTIONS: &str = "select t.id, t.order_id, t.attempt_id, t.refund_id, t.refunds_id, t.value, t.rounding, \
        t.tip, t.status, t.payment_method_id, t.payment_key, \
        coalesce(a.payment_info, t.payment_info) payment_info, o.pickup, o.platform, t.currency, \
        t.handed_over, t.rate, t.change_given, t.courier_id, t.issuer, t.authorisation_number, t.provider_ref, \
        t.actor_name, t.surface, t.business_day, t.assumed, t.paid_at, 0 waits, t.created_at \
    from payable_transaction t join orders o on o.id = t.order_id \
        left join payment_attempt a on a.id = t.attempt_id and t.refunds_id is null where t.order_id = any ($1) \
    union all \
    select a.id, a.order_id, a.id, null, null, a.amount, 0, a.tip, a.state, a.payment_method_id, a.payment_key, \
        a.payment_info, o.pickup, o.platform, a.handed_currency, a.handed_over, a.rate, 0, a.courier_id, \
        a.issuer, a.authorisation_number, a.provider_ref, a.actor_name, a.surface, null, a.assumed, null, 1, \
        a.created_at \
    from payment_attempt a join orders o on o.id = a.order_id where a.order_id = any ($1) \
        and a.state in ('created', 'pending', 'authorised', 'unknown') \
    order by waits, created_at, id";

/// What has moved of these orders, oldest first, then what waits.
pub(crate) async fn transactions_of(tx: &TenantTx, orders: Vec<Uuid>) -> Result<Vec<PayableTransaction>> {
    Ok(tx.all(TRANSACTIONS, [orders.into()]).await?)
}

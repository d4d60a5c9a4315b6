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
    types::{Issuer, PaymentId, PaymentItem, PaymentState, RefundId, RefundState},
};
use crate::{actor::Actor, values::OrderId};

/// A payment as it is begun, and the lines that it is for.
pub(super) struct NewAttempt<'a> {
    pub attempt: &'a Attempt,
    pub restaurant: Id<Restaurant>,
    pub items: &'a [PaymentItem],
    /// A remark of staff.
    pub info: Option<&'a str>,
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
    pub async fn insert(&self, tx: &TenantTx) -> Result<()> {
        let (kind, actor, name, surface) = self.actor.columns();
        let ids: Vec<Uuid> = self.items.iter().map(|item| item.order_item_id).collect();
        let pieces: Vec<i32> = self.items.iter().map(|item| item.quantity).collect();
        let attempt = self.attempt;
        let values = [
            attempt.id.into(),
            self.restaurant.into(),
            attempt.order_id.into(),
            attempt.payment_method_id.into(),
            attempt.payment_key.as_str().into(),
            attempt.amount.into(),
            attempt.tip.into(),
            attempt.currency.as_str().into(),
            attempt.handed_currency.as_str().into(),
            attempt.handed_over.into(),
            attempt.rate.into(),
            attempt.issuer.map(|issuer| issuer.to_value()).into(),
            attempt.authorisation_number.as_deref().into(),
            attempt.courier_id.into(),
            self.info.into(),
            attempt.state.to_value().into(),
            attempt.assumed.into(),
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
    /// The provider on whose page it is paid.
    pub provider: Option<String>,
}

const ATTEMPT: &str = "select id, order_id, payment_method_id, payment_key, amount, tip, currency, \
    handed_currency, handed_over, rate, issuer, authorisation_number, courier_id, state, assumed, provider \
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
        actor_kind, actor_id, actor_name, surface, provider_ref) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
        $22, $23, $24, $25, (select a.provider_ref from payment_attempt a where a.id = $4))";

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
    pub row: Uuid,
    pub value: Money,
    pub tip: Money,
    pub rounding: Money,
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

/// A refund that a storno or a change asked for and nobody has given yet.
#[derive(Debug, FromQueryResult)]
pub(super) struct AskedRefund {
    pub id: Id<RefundId>,
    pub amount: Money,
    pub payment_key: String,
}

const ASKED_BY_STORNO: &str = "select f.id, f.amount, a.payment_key from payment_refund f \
    join payment_attempt a on a.id = f.attempt_id \
    where f.order_id = $1 and f.state = 'created' and f.by_storno order by f.created_at desc, f.id desc";

/// Those of an order, the newest first.
pub(super) async fn asked_by_storno(tx: &TenantTx, order: Id<OrderId>) -> Result<Vec<AskedRefund>> {
    Ok(tx.all(ASKED_BY_STORNO, [order.into()]).await?)
}

pub(super) struct NewRefundRow<'a> {
    pub id: Id<RefundId>,
    pub restaurant: Id<Restaurant>,
    pub attempt: &'a Attempt,
    pub amount: Money,
    pub tip: Money,
    pub reason: Option<&'a str>,
    pub by_storno: bool,
    /// It waits until a person lets it go.
    pub waits: bool,
    pub approver: Option<&'a access::Approver>,
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

const ASK: &str = "insert into payment_refund (id, restaurant_id, order_id, attempt_id, amount, tip, state, \
        reason, by_storno, actor_kind, actor_id, actor_name, surface, approved_by, approved_by_name, created_at, waits) \
    values ($1, $2, $3, $4, $5, $6, 'created', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

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
            self.waits.into(),
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

const LET_GO: &str = "update payment_refund set waits = false, version = version + 1 where id = $1 and state = 'created' and waits returning id";

/// A refund that waited for a person waits no more; false where it did not wait.
pub(super) async fn let_go(tx: &TenantTx, id: Id<RefundId>) -> Result<bool> {
    Ok(tx.value::<Uuid>(LET_GO, [id.into()]).await?.is_some())
}

/// Ends a refund: it is done, or it did not work.
pub(super) async fn end_refund(
    tx: &TenantTx, id: Id<RefundId>, state: RefundState, by: &str, reason: Option<&str>, now: Timestamp,
) -> Result<()> {
    tx.run(END_REFUND, [id.into(), state.to_value().into(), now.into(), by.into(), reason.into()]).await?;
    Ok(())
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

pub(super) async fn close(tx: &TenantTx, order: Id<OrderId>, at: Timestamp) -> Result<bool> {
    Ok(tx.run(CLOSE, [order.into(), at.into()]).await? > 0)
}

const HISTORY: &str = "insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface, \
    details) values ($1, $2, $3, $4, $5, $6, $7)";

/// A line of an order's history that is no change of its state.
pub(crate) async fn history(
    tx: &TenantTx, order: Id<OrderId>, what: &str, actor: Actor<'_>, details: Json,
) -> Result<()> {
    let (kind, id, name, surface) = actor.columns();
    let values =
        [order.into(), what.into(), kind.into(), id.into(), name.into(), surface.into(), details.into()];
    tx.run(HISTORY, values).await?;
    Ok(())
}

//! Statements about payments on a provider's page.

use access::prelude::*;
use contract::Snapshot;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use crate::{
    actor::Actor,
    payments::{
        asking::{self, Asked},
        types::{PaymentId, PaymentState},
    },
    values::OrderId,
};

/// An attempt at a provider.
#[derive(Debug, Clone, FromQueryResult)]
pub struct OnlineAttempt {
    pub id: Id<PaymentId>,
    pub restaurant_id: Id<Restaurant>,
    pub order_id: Id<OrderId>,
    pub payment_method_id: Uuid,
    pub payment_key: String,
    pub provider: String,
    /// The account at the provider.
    pub account_id: Uuid,
    /// `live`, `test_host`, `stand_in`.
    pub environment: String,
    pub amount: Money,
    pub currency: Currency,
    /// The money is only held until the order is accepted.
    pub hold: bool,
    pub state: PaymentState,
    /// The provider's id of it.
    pub provider_ref: Option<String>,
    /// Where the guest pays.
    pub page_url: Option<String>,
    pub decline_code: Option<String>,
    /// The same in our words ([`contract::Decline`]).
    pub decline_text: Option<String>,
    pub captured: Money,
    pub refunded: Money,
    pub asks: i32,
    pub created_at: Timestamp,
    /// Since when a process calls the provider to start it.
    pub claimed_at: Option<Timestamp>,
    pub asked_at: Option<Timestamp>,
    /// When its time is over at the provider.
    pub expires_at: Timestamp,
}

const ATTEMPT: &str = "select id, restaurant_id, order_id, payment_method_id, payment_key, provider, account_id, environment, amount, \
    currency, hold, state, provider_ref, page_url, decline_code, decline_text, captured, refunded, asks, created_at, claimed_at, asked_at, \
    expires_at from payment_attempt where id = $1 and kind = 'online'";

impl OnlineAttempt {
    /// Of the partner; none where it is no payment on a provider's page.
    pub async fn find(tx: &TenantTx, id: Id<PaymentId>) -> Result<Option<Self>> {
        Ok(tx.one(ATTEMPT, [id.into()]).await?)
    }

    /// Whether its money has come or is held.
    #[must_use]
    pub fn has_money(&self) -> bool {
        self.captured > Money::ZERO || self.state == PaymentState::Authorised
    }

    /// Whether its end is not known.
    #[must_use]
    pub fn is_open(&self) -> bool {
        use PaymentState::{Authorised, Created, Pending, Unknown};
        matches!(self.state, Created | Pending | Authorised | Unknown)
    }

    /// When the provider is asked about it next, in this state.
    pub(super) fn next_ask(&self, state: PaymentState, now: Timestamp) -> Option<Timestamp> {
        let asks = if state == self.state { self.asks } else { 0 };
        let asked = Asked { state, started_at: self.created_at, expires_at: self.expires_at, asks };
        asking::next(asked, now)
    }
}

/// The open one of an order, else the last one.
const LAST: &str = "select id from payment_attempt where order_id = $1 and kind = 'online' \
    order by state in ('created', 'pending', 'authorised', 'unknown') desc, created_at desc, id desc limit 1";

pub(super) async fn last(tx: &TenantTx, order: Id<OrderId>) -> Result<Option<OnlineAttempt>> {
    let id: Option<Uuid> = tx.value(LAST, [order.into()]).await?;
    match id {
        Some(id) => OnlineAttempt::find(tx, Id::from_uuid(id)).await,
        None => Ok(None),
    }
}

/// The page of an order on which it is paid.
#[derive(Debug, Clone, FromQueryResult)]
pub struct PaymentPage {
    pub restaurant_id: Id<Restaurant>,
    pub return_url: Option<String>,
    /// When the order ends if it is not paid.
    pub pay_until: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

const PAGE: &str = "select restaurant_id, return_url, pay_until, ended_at, created_at from order_payment_page \
    where order_id = $1";

pub async fn page(tx: &TenantTx, order: Id<OrderId>) -> Result<Option<PaymentPage>> {
    Ok(tx.one(PAGE, [order.into()]).await?)
}

const OPEN_PAGE: &str = "insert into order_payment_page (order_id, restaurant_id, return_url, pay_until, created_at) \
    values ($1, $2, $3, $4, $5)";

pub(crate) async fn open_page(tx: &TenantTx, order: Id<OrderId>, page: &PaymentPage) -> Result<()> {
    let PaymentPage { restaurant_id, return_url, pay_until, created_at, .. } = page.clone();
    let values = [order.into(), restaurant_id.into(), return_url.into(), pay_until.into(), created_at.into()];
    tx.run(OPEN_PAGE, values).await?;
    Ok(())
}

pub(super) async fn pay_until(tx: &TenantTx, order: Id<OrderId>, until: Timestamp) -> Result<()> {
    let sql = "update order_payment_page set pay_until = greatest(pay_until, $2) where order_id = $1";
    tx.run(sql, [order.into(), until.into()]).await?;
    Ok(())
}

pub(crate) async fn end_page(tx: &TenantTx, order: Id<OrderId>, now: Timestamp) -> Result<()> {
    let sql = "update order_payment_page set ended_at = coalesce(ended_at, $2) where order_id = $1";
    tx.run(sql, [order.into(), now.into()]).await?;
    Ok(())
}

pub(super) async fn tries(tx: &TenantTx, order: Id<OrderId>) -> Result<i64> {
    let sql = "select count(*) from payment_attempt where order_id = $1 and kind = 'online'";
    Ok(tx.value(sql, [order.into()]).await?.unwrap_or_default())
}

/// By which method and account an attempt is made.
#[derive(Debug, Clone, Copy)]
pub struct OnlineMethod<'a> {
    pub id: Uuid,
    pub key: &'a str,
    pub provider: &'a str,
    pub account: Uuid,
    /// `live`, `test_host`, `stand_in`.
    pub environment: &'a str,
    /// Only hold the money until the order is accepted.
    pub hold: bool,
}

const BEGIN: &str = "with a as (insert into payment_attempt (id, restaurant_id, order_id, kind, payment_method_id, \
        payment_key, provider, account_id, environment, hold, amount, currency, handed_currency, state, actor_kind, \
        actor_id, actor_name, surface, created_at, claimed_at, expires_at) \
        values ($1, $2, $3, 'online', $4, $5, $6, $7, $8, $9, $10, $11, $11, 'created', $12, $13, $14, $15, $16, $16, \
        $17)) \
    insert into payment_event (attempt_id, provider, source, state, actor_name, at) \
        values ($1, $6, 'person', 'created', $14, $16)";

pub(super) async fn begin(
    tx: &TenantTx, attempt: &OnlineAttempt, method: &OnlineMethod<'_>, actor: Actor<'_>,
) -> Result<()> {
    let (kind, actor, name, surface) = actor.columns();
    let values = [
        attempt.id.into(),
        attempt.restaurant_id.into(),
        attempt.order_id.into(),
        method.id.into(),
        method.key.into(),
        method.provider.into(),
        method.account.into(),
        method.environment.into(),
        method.hold.into(),
        attempt.amount.into(),
        attempt.currency.as_str().into(),
        kind.into(),
        actor.into(),
        name.into(),
        surface.into(),
        attempt.created_at.into(),
        attempt.expires_at.into(),
    ];
    tx.run(BEGIN, values).await?;
    Ok(())
}

const CLAIM: &str = "update payment_attempt set claimed_at = $2, version = version + 1 where id = $1";

/// A process calls the provider to start it from now on, or none does any more.
pub(super) async fn claim(tx: &TenantTx, id: Id<PaymentId>, at: Option<Timestamp>) -> Result<()> {
    tx.run(CLAIM, [id.into(), at.into()]).await?;
    Ok(())
}

/// Money that was held for an order could not be taken: a person has to look.
pub(super) async fn not_taken(tx: &TenantTx, id: Id<PaymentId>) -> Result<()> {
    tx.run("update payment_attempt set not_taken = true, version = version + 1 where id = $1", [id.into()])
        .await?;
    Ok(())
}

/// The guest's own questions do not use up those of the job.
const ASK: &str = "update payment_attempt set asked_at = $2, asks = asks + $3::int where id = $1 and kind = 'online' \
    and (asked_at is null or asked_at <= $2::timestamptz - interval '5 seconds') returning id";

const CHOOSE: &str = "update orders set payment_method_id = $2, version = version + 1 \
    where id = $1 and payment_method_id is distinct from $2";

/// An order that waited is paid by this method.
pub(super) async fn choose_method(tx: &TenantTx, order: Id<OrderId>, method: Uuid) -> Result<()> {
    tx.run(CHOOSE, [order.into(), method.into()]).await?;
    Ok(())
}

/// The provider has sent a message about it.
pub async fn told(tx: &TenantTx, attempt: &OnlineAttempt, message: Uuid, now: Timestamp) -> Result<()> {
    note(tx, attempt, "callback", &attempt.state.to_value(), json!({"message": message}), now).await
}

/// Notes that the provider is asked now; false when it was within five seconds.
pub(super) async fn ask(tx: &TenantTx, id: Id<PaymentId>, by_guest: bool, now: Timestamp) -> Result<bool> {
    let counts = i32::from(!by_guest);
    Ok(tx.value::<Uuid>(ASK, [id.into(), now.into(), counts.into()]).await?.is_some())
}

const SET: &str = "update payment_attempt set state = $2, final_at = $3, \
    asks = case when state = $2 then asks else 0 end, provider_ref = coalesce(provider_ref, $4), \
    page_url = coalesce(page_url, $5), provider_state = coalesce($6, provider_state), \
    decline_code = coalesce($7, decline_code), card = coalesce($8, card), fee = coalesce($9, fee), \
    captured = coalesce($10, captured), late = late or $11, amount_mismatch = amount_mismatch or $12, \
    conflict = conflict or $13, decline_text = coalesce($14, decline_text), version = version + 1 where id = $1";

/// How an attempt is by now; what is none stays as it is.
#[derive(Debug, Default)]
pub(super) struct Now<'a> {
    pub seen: Option<&'a Snapshot>,
    pub reference: Option<&'a str>,
    pub page: Option<&'a str>,
    pub decline: Option<&'a str>,
    pub captured: Option<Money>,
    pub late: bool,
    pub mismatch: bool,
    pub conflict: bool,
}

/// Writes it. The order is locked.
pub(super) async fn set(
    tx: &TenantTx, attempt: &OnlineAttempt, state: PaymentState, to: Now<'_>, now: Timestamp,
) -> Result<()> {
    let is_open = OnlineAttempt { state, ..attempt.clone() }.is_open();
    let seen = to.seen;
    let card = seen.and_then(|seen| seen.masked_card.as_deref()).map(|card| json!({"number": card}));
    let decline = to.decline.or(seen.and_then(|seen| seen.decline_code.as_deref()));
    let reference = to.reference.or(seen.map(|seen| seen.reference.as_str())).filter(|text| !text.is_empty());
    let values = [
        attempt.id.into(),
        state.to_value().into(),
        (!is_open).then_some(now).into(),
        reference.into(),
        to.page.into(),
        seen.map(|seen| seen.provider_state.as_str()).into(),
        decline.into(),
        card.into(),
        seen.and_then(|seen| seen.fee).map(Money).into(),
        to.captured.into(),
        to.late.into(),
        to.mismatch.into(),
        to.conflict.into(),
        seen.and_then(|seen| seen.decline).map(contract::Decline::as_str).into(),
    ];
    tx.run(SET, values).await?;
    Ok(())
}

const NOTE: &str = "insert into payment_event (attempt_id, provider, source, digest, state, body, at) \
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (provider, digest) where digest is not null do nothing";

/// A line of the conversation about it. The same word of the provider stands there once.
pub(super) async fn note(
    tx: &TenantTx, attempt: &OnlineAttempt, source: &str, state: &str, body: serde_json::Value,
    now: Timestamp,
) -> Result<()> {
    let digest = access::digest(&format!("{} {source} {state} {body}", attempt.id));
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let values = [
        attempt.id.into(),
        attempt.provider.as_str().into(),
        source.into(),
        digest.into(),
        state.into(),
        body.into(),
        now.into(),
    ];
    tx.run(NOTE, values).await?;
    Ok(())
}

/// The attempt of an account with this id of the provider.
pub async fn by_reference(tx: &TenantTx, account: Uuid, reference: &str) -> Result<Option<Id<PaymentId>>> {
    let sql = "select id from payment_attempt where account_id = $1 and provider_ref = $2";
    let id: Option<Uuid> = tx.value(sql, [account.into(), reference.into()]).await?;
    Ok(id.map(Id::from_uuid))
}

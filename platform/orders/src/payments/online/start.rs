//! An attempt begins, and the provider takes it or does not.

use access::prelude::*;
use contract::{CallError, CallFault, Effect, StartedPayment};
use kernel::money::Money;
use restaurants::Facts;
use serde_json::json;
use work::events;

use super::{
    AFTER_A_TRY, IN_ALL, TRIES, ask_at,
    books::compare_later,
    store::{self, Now, OnlineAttempt, OnlineMethod, PaymentPage},
};
use crate::{
    actor::Actor,
    events::{Event, publish_all},
    payments::{
        account::Account,
        machine::{News, Step, step},
        store::history,
        types::{PaymentId, PaymentState},
    },
    values::{OrderId, OrderStatus},
};

/// What comes of beginning.
#[derive(Debug)]
pub enum Begun {
    /// This caller, and no other, asks the provider to begin it once this is committed.
    Start(OnlineAttempt),
    /// One is open: it leads to its page, or its end is awaited.
    Open(OnlineAttempt),
    /// The order is paid, or over.
    Over,
    /// All tries or all time are used up.
    NoMore,
}

/// Begins an attempt for all that is due of an order that waits to be paid.
/// Errors: `ORDER_NOT_EXIST`.
pub async fn begin(
    tx: &TenantTx, facts: &Facts, order: Id<OrderId>, method: &OnlineMethod<'_>, now: Timestamp,
) -> Result<Begun> {
    let account = Account::lock(tx, facts.id, order).await?;
    let page = store::page(tx, order).await?.ok_or_else(Problem::not_exist::<OrderId>)?;
    if account.status != OrderStatus::Received || account.archived_at.is_some() {
        return Ok(Begun::Over);
    }
    if let Some(open) = store::last(tx, order).await?.filter(OnlineAttempt::is_open) {
        if open.state != PaymentState::Created || open.claimed_at.is_some() {
            return Ok(Begun::Open(open));
        }
        // No provider has heard of it.
        if open.account_id == method.account && open.payment_method_id == method.id {
            store::claim(tx, open.id, Some(now)).await?;
            ask_at(tx, open.id, open.next_ask(PaymentState::Created, now)).await?;
            return Ok(Begun::Start(open));
        }
        store::set(tx, &open, PaymentState::Cancelled, Now::default(), now).await?;
    }
    let amount = account.free();
    if amount <= Money::ZERO {
        return Ok(Begun::Over);
    }
    if !may_try(tx, order, &page, now).await? {
        return Ok(Begun::NoMore);
    }
    let expires_at = end_of(&page, now);
    let attempt = OnlineAttempt {
        id: Id::new(),
        restaurant_id: facts.id,
        order_id: order,
        payment_method_id: method.id,
        payment_key: method.key.to_owned(),
        provider: method.provider.to_owned(),
        account_id: method.account,
        environment: method.environment.to_owned(),
        amount,
        currency: account.currency,
        hold: method.hold,
        state: PaymentState::Created,
        provider_ref: None,
        page_url: None,
        decline_code: None,
        decline_text: None,
        captured: Money::ZERO,
        refunded: Money::ZERO,
        asks: 0,
        created_at: now,
        claimed_at: Some(now),
        asked_at: None,
        expires_at,
    };
    store::begin(tx, &attempt, method, Actor::Guest).await?;
    compare_later(tx, facts, now).await?;
    store::pay_until(tx, order, expires_at).await?;
    ask_at(tx, attempt.id, attempt.next_ask(PaymentState::Created, now)).await?;
    let details = json!({"payment_key": attempt.payment_key, "amount": amount, "provider": attempt.provider});
    history(tx, order, "payment_begun", Actor::Guest, details).await?;
    publish_all(tx, &[Event::PaymentMade { order: account.event_order(), done: false }]).await?;
    Ok(Begun::Start(attempt))
}

/// Whether the order has a try left.
pub async fn may_try(tx: &TenantTx, order: Id<OrderId>, page: &PaymentPage, now: Timestamp) -> Result<bool> {
    Ok(now < page.created_at.plus_minutes(IN_ALL) && store::tries(tx, order).await? < TRIES)
}

/// When the order ends after a try of now: ten minutes later at least, an hour after it was placed at most.
pub(super) fn end_of(page: &PaymentPage, now: Timestamp) -> Timestamp {
    let all = page.created_at.plus_minutes(IN_ALL);
    page.pay_until.max(now.plus_minutes(AFTER_A_TRY)).min(all)
}

/// An attempt with its order locked, as it is by now.
pub(super) async fn locked(tx: &TenantTx, id: Id<PaymentId>) -> Result<Option<(Account, OnlineAttempt)>> {
    let Some(seen) = OnlineAttempt::find(tx, id).await? else { return Ok(None) };
    let account = Account::lock(tx, seen.restaurant_id, seen.order_id).await?;
    let attempt = OnlineAttempt::find(tx, id).await?;
    Ok(attempt.map(|attempt| (account, attempt)))
}

/// The provider has taken it. A message of it may have come first.
pub async fn started(tx: &TenantTx, id: Id<PaymentId>, at: &StartedPayment, now: Timestamp) -> Result<()> {
    let Some((_, attempt)) = locked(tx, id).await? else { return Ok(()) };
    let state = match step(attempt.state, News::Started) {
        Step::To(state) => state,
        _ => attempt.state,
    };
    let page = Some(at.page.as_str());
    let to = Now { reference: Some(&at.reference), page, ..Now::default() };
    store::set(tx, &attempt, state, to, now).await?;
    ask_at(tx, id, attempt.next_ask(state, now)).await?;
    store::note(tx, &attempt, "call", "pending", json!({"call": "start", "reference": at.reference}), now)
        .await
}

/// The provider has not taken it, or it cannot be told. Answers whether it may be tried again with the same id.
pub async fn not_started(
    tx: &TenantTx, id: Id<PaymentId>, error: &CallError, now: Timestamp,
) -> Result<bool> {
    let Some((account, attempt)) = locked(tx, id).await? else { return Ok(false) };
    let body = json!({"call": "start", "error": error.to_string()});
    if error.effect == Effect::Unknown {
        let Step::To(state) = step(attempt.state, News::Lost) else { return Ok(false) };
        store::set(tx, &attempt, state, Now::default(), now).await?;
        ask_at(tx, id, attempt.next_ask(state, now)).await?;
        store::note(tx, &attempt, "call", "unknown", body, now).await?;
        return Ok(false);
    }
    if attempt.state != PaymentState::Created {
        return Ok(false);
    }
    store::note(tx, &attempt, "call", "created", body, now).await?;
    if matches!(error.fault, CallFault::Unreachable | CallFault::RateLimited) {
        store::claim(tx, id, None).await?;
        return Ok(true);
    }
    let code = error.code.as_deref().unwrap_or("not_started");
    store::set(tx, &attempt, PaymentState::Failed, Now { decline: Some(code), ..Now::default() }, now)
        .await?;
    fails(tx, &account, &attempt, (PaymentState::Failed, Some(code)), now).await?;
    Ok(false)
}

/// Takes the right to ask the provider about it now; none when it has been asked within five seconds, which is then
/// made up for.
pub async fn ask(
    tx: &TenantTx, id: Id<PaymentId>, by_guest: bool, now: Timestamp,
) -> Result<Option<OnlineAttempt>> {
    if store::ask(tx, id, by_guest, now).await? {
        return OnlineAttempt::find(tx, id).await;
    }
    if OnlineAttempt::find(tx, id).await?.is_some() {
        ask_at(tx, id, Some(Timestamp(now.0 + chrono::Duration::seconds(6)))).await?;
    }
    Ok(None)
}

/// Publishes that the payments of an order are others.
pub(super) async fn tell(tx: &TenantTx, account: &Account, done: bool) -> Result<()> {
    events::publish(tx, &Event::PaymentMade { order: account.event_order(), done }).await
}

/// An attempt of a locked order has ended without money, which is written: the order gets more time, and what had been
/// released by a hold is told.
pub(super) async fn fails(
    tx: &TenantTx, account: &Account, attempt: &OnlineAttempt, (state, code): (PaymentState, Option<&str>),
    now: Timestamp,
) -> Result<()> {
    if account.status == OrderStatus::Received
        && let Some(page) = store::page(tx, attempt.order_id).await?
    {
        store::pay_until(tx, attempt.order_id, end_of(&page, now)).await?;
    }
    // It counted on money that was held, and has none.
    let lost = attempt.state == PaymentState::Authorised && account.is_alive() && account.due() > Money::ZERO;
    if lost {
        store::not_taken(tx, attempt.id).await?;
    }
    let what = if lost {
        "payment_not_taken"
    } else if state == PaymentState::Failed {
        "payment_failed"
    } else {
        "payment_cancelled"
    };
    let details = json!({"payment_key": attempt.payment_key, "amount": attempt.amount, "code": code});
    history(tx, attempt.order_id, what, Actor::Provider(&attempt.provider), details).await?;
    tell(tx, account, false).await
}

//! The provider's word about a payment is written: state, ledger and order change together.

use access::prelude::*;
use contract::{SeenState, Snapshot};
use kernel::money::Money;
use restaurants::Facts;
use serde_json::json;

use super::{
    SETTLE, ask_at,
    hearing::Hearing,
    refunds::seen_refunds,
    soon,
    start::{fails, locked, tell},
    store::{self, Now, OnlineAttempt},
};
use crate::{
    events::publish_all,
    payments::{
        machine::{News, Step, step},
        store as rows,
        till::exact,
        types::{PaymentId, PaymentState},
    },
    state::{OnlinePayment, end_online_payment, pay_late},
    values::OrderStatus,
};

/// What became of a provider's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It is written.
    Written,
    /// There is no such attempt, or the word is about another payment.
    NotOurs,
    /// It contradicts what is written here: a person has to look.
    Conflict,
}

/// Writes what the provider says of an attempt, once, whatever was heard before: its state, its money, and the order that
/// it pays. Nothing that locks may follow in the transaction.
pub async fn seen(
    tx: &TenantTx, facts: &Facts, id: Id<PaymentId>, seen: &Snapshot, now: Timestamp,
) -> Result<Heard> {
    let Some((account, attempt)) = locked(tx, id).await? else { return Ok(Heard::NotOurs) };
    if seen.attempt != attempt.id.to_string() {
        return Ok(Heard::NotOurs);
    }
    let body = json!({"state": seen.provider_state, "amount": seen.amount, "currency": seen.currency,
        "refunded": seen.refunded, "decline_code": seen.decline_code, "card": seen.masked_card, "fee": seen.fee});
    store::note(tx, &attempt, "query", seen.state.as_str(), body, now).await?;
    let hearing = Hearing { tx, facts, account, attempt, seen, now };
    if !seen.currency.eq_ignore_ascii_case(hearing.attempt.currency.as_str()) {
        return hearing.conflict(true).await;
    }
    let news = if was_never_shown(&hearing.attempt, seen.state, now) {
        News::SeenCancelled
    } else {
        news(seen.state)
    };
    match step(hearing.attempt.state, news) {
        Step::To(PaymentState::Captured) => hearing.captured(false).await?,
        Step::Late(PaymentState::Captured) => hearing.captured(true).await?,
        Step::To(PaymentState::Authorised) => hearing.authorised(false).await?,
        Step::Late(PaymentState::Authorised) => hearing.authorised(true).await?,
        Step::To(state) | Step::Late(state) => hearing.moved(state).await?,
        Step::Conflict => return hearing.conflict(false).await,
        Step::Stays | Step::Refused => hearing.again().await?,
    }
    Ok(Heard::Written)
}

/// The provider does not know the attempt. That is believed once it cannot have it any more: `settled`.
pub async fn not_found(tx: &TenantTx, id: Id<PaymentId>, settled: bool, now: Timestamp) -> Result<()> {
    let Some((account, attempt)) = locked(tx, id).await? else { return Ok(()) };
    let is_unheard = matches!(attempt.state, PaymentState::Created | PaymentState::Unknown)
        && attempt.provider_ref.is_none();
    if attempt.state == PaymentState::Created && attempt.claimed_at.is_none() {
        // No provider has been called: the guest may try it again.
        return Ok(());
    }
    if !settled || !is_unheard {
        if attempt.is_open() {
            store::set(tx, &attempt, attempt.state, Now::default(), now).await?;
            keep_asking(tx, &attempt, attempt.state, now).await?;
        }
        return Ok(());
    }
    store::note(tx, &attempt, "query", "failed", json!({"state": "not found"}), now).await?;
    let code = Some("never_arrived");
    store::set(tx, &attempt, PaymentState::Failed, Now { decline: code, ..Now::default() }, now).await?;
    fails(tx, &account, &attempt, (PaymentState::Failed, code), now).await
}

/// Asks again at its time. What has waited for a day cannot be told: a person may say how it ended.
async fn keep_asking(
    tx: &TenantTx, attempt: &OnlineAttempt, state: PaymentState, now: Timestamp,
) -> Result<()> {
    let next = attempt.next_ask(state, now);
    if state != PaymentState::Pending || next.is_some() {
        return ask_at(tx, attempt.id, next).await;
    }
    store::set(tx, attempt, PaymentState::Unknown, Now::default(), now).await?;
    ask_at(tx, attempt.id, attempt.next_ask(PaymentState::Unknown, now)).await
}

/// A start is given up by the process that made it after so many seconds, if it still runs.
const STARTS: i64 = 35;

/// The answer to the start was lost, or its process died, so no guest has the page's address, and nothing was paid there:
/// another try may begin. Should money come all the same, it is late.
fn was_never_shown(attempt: &OnlineAttempt, state: SeenState, now: Timestamp) -> bool {
    let since = attempt.claimed_at.unwrap_or(attempt.created_at);
    let is_lost = match attempt.state {
        PaymentState::Unknown => true,
        PaymentState::Created => (now.0 - since.0).num_seconds() > STARTS,
        _ => false,
    };
    is_lost && attempt.page_url.is_none() && state == SeenState::Pending
}

/// A state that is not documented says that nothing can be said.
fn news(state: SeenState) -> News {
    match state {
        SeenState::Pending => News::SeenPending,
        SeenState::Authorised => News::SeenAuthorised,
        SeenState::Captured => News::SeenCaptured,
        SeenState::Failed => News::SeenFailed,
        SeenState::Cancelled => News::SeenCancelled,
        SeenState::Expired => News::SeenExpired,
        SeenState::Unknown => News::Lost,
    }
}

impl Hearing<'_> {
    /// The money is the restaurant's: a row of the ledger, and the order reaches the restaurant if this pays it. Money for
    /// an order that is over, or paid otherwise, is asked to be given back.
    async fn captured(&self, late: bool) -> Result<()> {
        let Self { tx, account, attempt, seen, now, .. } = self;
        let amount = Money(seen.amount);
        let mismatch = if attempt.hold { amount > attempt.amount } else { amount != attempt.amount };
        let waits = account.status == OrderStatus::Received && account.archived_at.is_none();
        let late = late || !(waits || account.is_alive());
        let to = Now { seen: Some(seen), captured: Some(amount), late, mismatch, ..Now::default() };
        store::set(tx, attempt, PaymentState::Captured, to, *now).await?;
        let row = rows::attempt(tx, attempt.restaurant_id, attempt.id).await?;
        let mut events = self.till().book(account, &row, exact(amount, Money::ZERO), *now).await?;
        if mismatch {
            tracing::error!(attempt = %attempt.id, provider = attempt.provider, "another amount came than was asked");
        }
        let price = account.total_price.0 + account.reversed.0;
        if waits && !mismatch && amount >= account.due() {
            self.refunds().await?;
            self.pay().await?;
        } else if !waits && !mismatch && account.paid.0 + amount >= price && self.pay_late().await? {
            self.refunds().await?;
        } else {
            if !waits {
                events.extend(self.till().settle_storno(account.id).await?);
            }
            self.refunds().await?;
        }
        publish_all(tx, &events).await
    }

    /// The money is held. Where that was not asked for, it is taken at once, and pays the order then.
    async fn authorised(&self, late: bool) -> Result<()> {
        let Self { tx, account, attempt, seen, now, .. } = self;
        let to = Now { seen: Some(seen), late, ..Now::default() };
        store::set(tx, attempt, PaymentState::Authorised, to, *now).await?;
        self.ask_again(PaymentState::Authorised).await?;
        let holds = attempt.hold && Money(seen.amount) == attempt.amount;
        if holds && account.status == OrderStatus::Received {
            self.pay().await?;
        } else {
            soon(tx, SETTLE, account.id).await?;
        }
        tell(tx, account, false).await
    }

    /// The order reaches the restaurant, with the method by which it was paid.
    async fn pay(&self) -> Result<()> {
        let Self { tx, account, attempt, now, .. } = self;
        store::end_page(tx, account.id, *now).await?;
        store::choose_method(tx, account.id, attempt.payment_method_id).await?;
        let (restaurant, provider) = (account.restaurant_id, attempt.provider.as_str());
        end_online_payment(tx, restaurant, account.id, OnlinePayment::Paid, provider).await?;
        Ok(())
    }

    /// The order was over, and reaches the restaurant all the same if that can still make it.
    async fn pay_late(&self) -> Result<bool> {
        let Self { tx, account, attempt, facts, now, .. } = self;
        if account.is_alive() || account.archived_at.is_some() {
            return Ok(false);
        }
        store::choose_method(tx, account.id, attempt.payment_method_id).await?;
        pay_late(tx, facts, account.id, &attempt.provider, *now).await
    }

    /// Without money: it waits, cannot be told, or is over.
    async fn moved(&self, state: PaymentState) -> Result<()> {
        let Self { tx, account, attempt, seen, now, .. } = self;
        store::set(tx, attempt, state, Now { seen: Some(seen), ..Now::default() }, *now).await?;
        match state {
            PaymentState::Pending | PaymentState::Unknown => {
                if seen.state == SeenState::Unknown {
                    tracing::error!(attempt = %attempt.id, state = seen.provider_state, "a state that is not documented");
                }
                self.ask_again(state).await?;
                tell(tx, account, false).await
            }
            _ => fails(tx, account, attempt, (state, seen.decline_code.as_deref()), *now).await,
        }
    }

    /// The same again: what is still open is asked about later, and what has gone back since is booked.
    async fn again(&self) -> Result<()> {
        let Self { tx, attempt, seen, now, .. } = self;
        store::set(tx, attempt, attempt.state, Now { seen: Some(seen), ..Now::default() }, *now).await?;
        self.ask_again(attempt.state).await?;
        let events = self.refunds().await?;
        publish_all(tx, &events).await
    }

    async fn refunds(&self) -> Result<Vec<crate::events::Event>> {
        seen_refunds(self).await
    }

    async fn ask_again(&self, state: PaymentState) -> Result<()> {
        keep_asking(self.tx, &self.attempt, state, self.now).await
    }

    async fn conflict(&self, mismatch: bool) -> Result<Heard> {
        let Self { tx, account, attempt, now, seen, .. } = self;
        let to = Now { conflict: true, mismatch, ..Now::default() };
        store::set(tx, attempt, attempt.state, to, *now).await?;
        tracing::error!(attempt = %attempt.id, state = seen.provider_state, "the provider contradicts what is booked");
        self.ask_again(attempt.state).await?;
        tell(tx, account, false).await?;
        Ok(Heard::Conflict)
    }
}

//! Money goes back by the provider: a refund is claimed and committed before the provider is called, and the provider's
//! totals say what became of it. See `docs/decisions/payments.md#online-refunds`.

use access::prelude::*;
use contract::{SeenRefund, Snapshot};
use kernel::money::Money;
use restaurants::Facts;
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use super::{
    REFUND, ask_at,
    books::compare_later,
    hearing::Hearing,
    soon,
    start::locked,
    store::{self, Now, OnlineAttempt},
};
use crate::{
    actor::Actor,
    emails::tell_refunded,
    events::{Event, publish_all},
    payments::{
        account::Account,
        store::{self as rows, NewRefundRow, Taken, history},
        till::Till,
        types::{PaymentId, RefundId, RefundState},
    },
    values::OrderId,
};

/// Seconds after which a provider's totals have a refund that it has got.
const SETTLES: i64 = 120;
/// Seconds after which the process that sends a refund has its answer.
const ANSWERS: i64 = 40;

/// A refund that a provider is to be asked for.
#[derive(Debug, Clone, FromQueryResult)]
pub struct RefundToSend {
    pub id: Id<RefundId>,
    pub attempt_id: Id<PaymentId>,
    pub amount: Money,
    /// A storno or a change asked for it: what is owed decides how much it is.
    pub by_storno: bool,
}

const TO_SEND: &str = "select f.id, f.attempt_id, f.amount + f.tip amount, f.by_storno from payment_refund f \
    join payment_attempt a on a.id = f.attempt_id \
    where f.order_id = $1 and f.state = 'created' and not f.waits and a.kind = 'online' order by f.created_at, f.id";

/// The refunds of an order that its providers have not been asked for.
pub async fn refunds_to_send(tx: &TenantTx, order: Id<OrderId>) -> Result<Vec<RefundToSend>> {
    Ok(tx.all(TO_SEND, [order.into()]).await?)
}

const CLAIM: &str = "update payment_refund set state = 'pending', sent_at = $2, refunded_before = $3, \
    version = version + 1 where id = $1 and state = 'created' \
    and not exists (select from payment_refund o where o.attempt_id = payment_refund.attempt_id \
        and o.id <> $1 and o.state in ('pending', 'unknown')) returning id";

/// Takes a refund to be sent now; false where it has been taken or withdrawn, or another of the same payment is under way:
/// the provider's totals could not tell them apart. `before` is what had gone back by the provider's word.
pub async fn claim_refund(
    tx: &TenantTx, refund: &RefundToSend, before: Money, now: Timestamp,
) -> Result<bool> {
    if locked(tx, refund.attempt_id).await?.is_none() {
        return Ok(false);
    }
    let is_taken = tx.value::<Uuid>(CLAIM, [refund.id.into(), now.into(), before.into()]).await?.is_some();
    if is_taken {
        // Should this process end before the answer is written, the provider's totals are asked for.
        ask_at(tx, refund.attempt_id, Some(Timestamp(now.0 + chrono::Duration::seconds(ANSWERS)))).await?;
    }
    Ok(is_taken)
}

const UNCLAIM: &str = "update payment_refund set state = 'created', sent_at = null, refunded_before = null, \
    version = version + 1 where id = $1 and state = 'pending'";

/// The provider could not be reached, so it has done nothing: the refund waits to be sent again.
pub async fn unclaim_refund(tx: &TenantTx, refund: &RefundToSend) -> Result<()> {
    tx.run(UNCLAIM, [refund.id.into()]).await?;
    Ok(())
}

impl Sent {
    /// Whether the provider speaks of this refund.
    fn is(&self, refund: &SeenRefund) -> bool {
        refund.ours.as_deref() == Some(&*self.id.to_string())
            || self.provider_ref.as_deref() == Some(&*refund.reference)
    }
}

/// Refunds of the provider that none of ours is known to be.
fn unclaimed<'a>(seen: &'a Snapshot, sent: &'a [Sent]) -> impl Iterator<Item = &'a SeenRefund> {
    seen.refunds.iter().filter(|refund| refund.succeeded && !sent.iter().any(|one| one.is(refund)))
}

#[derive(Debug, FromQueryResult)]
struct Sent {
    id: Id<RefundId>,
    amount: Money,
    tip: Money,
    state: RefundState,
    sent_at: Option<Timestamp>,
    refunded_before: Option<Money>,
    provider_ref: Option<String>,
    waits: bool,
}

const OF_ATTEMPT: &str = "select id, amount, tip, state, sent_at, refunded_before, provider_ref, waits from payment_refund \
    where attempt_id = $1 order by created_at, id";

async fn of_attempt(tx: &TenantTx, id: Id<PaymentId>) -> Result<Vec<Sent>> {
    Ok(tx.all(OF_ATTEMPT, [id.into()]).await?)
}

/// The provider has given it back.
pub async fn refund_sent(
    tx: &TenantTx, facts: &Facts, refund: &RefundToSend, at: &SeenRefund, now: Timestamp,
) -> Result<()> {
    let Some((account, attempt)) = locked(tx, refund.attempt_id).await? else { return Ok(()) };
    let body = json!({"call": "refund", "refund": refund.id, "reference": at.reference});
    store::note(tx, &attempt, "call", "refunded", body, now).await?;
    let sent = of_attempt(tx, attempt.id).await?;
    let Some(sent) = sent.into_iter().find(|one| one.id == refund.id) else { return Ok(()) };
    if !matches!(sent.state, RefundState::Pending | RefundState::Unknown) {
        return Ok(());
    }
    let till = till(tx, facts, &attempt, now);
    let events = done(&till, &account, &attempt, &sent, Some(&at.reference)).await?;
    publish_all(tx, &events).await
}

/// The provider has refused it: a person has to see to it.
pub async fn refund_refused(
    tx: &TenantTx, facts: &Facts, refund: &RefundToSend, code: &str, now: Timestamp,
) -> Result<()> {
    let Some((account, attempt)) = locked(tx, refund.attempt_id).await? else { return Ok(()) };
    let body = json!({"call": "refund", "refund": refund.id, "code": code});
    store::note(tx, &attempt, "call", "failed", body, now).await?;
    let till = till(tx, facts, &attempt, now);
    failed(&till, &account, refund.id, refund.amount, code).await
}

/// It cannot be told whether the provider has given it back: its totals are asked for.
pub async fn refund_lost(tx: &TenantTx, refund: &RefundToSend, now: Timestamp) -> Result<()> {
    let Some((_, attempt)) = locked(tx, refund.attempt_id).await? else { return Ok(()) };
    let sql = "update payment_refund set state = 'unknown', version = version + 1 where id = $1 and state = 'pending'";
    tx.run(sql, [refund.id.into()]).await?;
    let body = json!({"call": "refund", "refund": refund.id, "error": "the answer is lost"});
    store::note(tx, &attempt, "call", "unknown", body, now).await?;
    ask_at(tx, attempt.id, Some(Timestamp(now.0 + chrono::Duration::seconds(5)))).await
}

fn till<'a>(tx: &'a TenantTx, facts: &'a Facts, attempt: &'a OnlineAttempt, now: Timestamp) -> Till<'a> {
    Till { tx, facts, actor: Actor::Provider(&attempt.provider), now }
}

/// The money is back: a row of the ledger.
async fn done(
    till: &Till<'_>, account: &Account, attempt: &OnlineAttempt, sent: &Sent, reference: Option<&str>,
) -> Result<Vec<Event>> {
    name(till.tx, sent.id, reference).await?;
    let row = rows::attempt(till.tx, attempt.restaurant_id, attempt.id).await?;
    tell_refunded(till.tx, &account.event_order(), sent.id).await?;
    compare_later(till.tx, till.facts, till.now).await?;
    till.give_back(account, &row, sent.id, (sent.amount, sent.tip), None).await
}

async fn failed(
    till: &Till<'_>, account: &Account, id: Id<RefundId>, amount: Money, code: &str,
) -> Result<()> {
    let name = till.actor.columns().2;
    let ended = rows::end_refund(till.tx, id, RefundState::Failed, name, None, till.now).await;
    ended?;
    let sql = "update payment_refund set decline_code = $2 where id = $1";
    till.tx.run(sql, [id.into(), code.into()]).await?;
    let details = json!({"amount": amount, "code": code});
    history(till.tx, account.id, "refund_failed", till.actor, details).await?;
    publish_all(till.tx, &[Event::RefundFailed(account.event_order())]).await
}

/// What the provider says of refunds, beside ours: those under way are known by now, one that bounced is taken back, and
/// what a person gave back on the provider's page becomes a refund of ours.
pub(super) async fn seen_refunds(at: &Hearing<'_>) -> Result<Vec<Event>> {
    let Hearing { tx, account, attempt, seen, now, .. } = at;
    let till = at.till();
    let mut events = Vec::new();
    let mut open = false;
    let sent = of_attempt(tx, attempt.id).await?;
    let waits = sent.iter().any(|one| one.state == RefundState::Created && !one.waits);
    // Some providers have refunds by our ids; of others the totals and the sums alone can be told.
    let is_named = seen.refunds.iter().any(|refund| refund.ours.is_some());
    for one in sent.iter().filter(|one| matches!(one.state, RefundState::Pending | RefundState::Unknown)) {
        let found = seen.refunds.iter().find(|refund| refund.ours.as_deref() == Some(&*one.id.to_string()));
        let all = one.refunded_before.unwrap_or_default() + one.amount + one.tip;
        let settled = one.sent_at.is_some_and(|sent| (now.0 - sent.0).num_seconds() > SETTLES);
        match found {
            Some(refund) if refund.succeeded => {
                events.extend(done(&till, account, attempt, one, Some(&refund.reference)).await?);
            }
            Some(_) => failed(&till, account, one.id, one.amount + one.tip, "refused").await?,
            None if !is_named && Money(seen.refunded) >= all => {
                let reference =
                    unclaimed(seen, &sent).find(|refund| Money(refund.amount) == one.amount + one.tip);
                let reference = reference.map(|refund| refund.reference.as_str());
                events.extend(done(&till, account, attempt, one, reference).await?);
            }
            None if settled => failed(&till, account, one.id, one.amount + one.tip, "never_arrived").await?,
            None => open = true,
        }
    }
    for one in sent.iter().filter(|one| one.state == RefundState::Succeeded) {
        if seen.refunds.iter().any(|refund| one.is(refund) && !refund.succeeded) {
            bounced(&till, account, attempt, one).await?;
        }
    }
    if open {
        ask_at(tx, attempt.id, Some(Timestamp(now.0 + chrono::Duration::seconds(30)))).await?;
        return Ok(events);
    }
    if waits {
        // One after the other: it has waited for the end of the one before.
        soon(tx, REFUND, account.id).await?;
    }
    events.extend(foreign(at, &till).await?);
    Ok(events)
}

/// What went back by the provider's word and not by ours, since the totals that are written here. What has gone back less
/// than that is for a person to look at: a refund has come back, and the provider does not say which.
async fn foreign(at: &Hearing<'_>, till: &Till<'_>) -> Result<Vec<Event>> {
    let Hearing { tx, account, attempt, seen, now, .. } = at;
    let Some(taken) = Taken::of(tx, account.id, attempt.id).await? else { return Ok(Vec::new()) };
    let Some(attempt) = OnlineAttempt::find(tx, attempt.id).await? else { return Ok(Vec::new()) };
    let sent = of_attempt(tx, attempt.id).await?;
    let settles = now.0 - chrono::Duration::seconds(SETTLES);
    let is_settled = sent.iter().all(|one| one.sent_at.is_none_or(|at| at.0 < settles));
    if Money(seen.refunded) < attempt.refunded && is_settled {
        tracing::error!(attempt = %attempt.id, provider = attempt.provider, "less has gone back than was booked");
        store::set(tx, &attempt, attempt.state, Now { conflict: true, ..Now::default() }, *now).await?;
        return Ok(Vec::new());
    }
    let mut left = (Money(seen.refunded) - attempt.refunded).min(taken.value - taken.back);
    if left <= Money::ZERO {
        return Ok(Vec::new());
    }
    let row = rows::attempt(tx, attempt.restaurant_id, attempt.id).await?;
    let named: Vec<_> =
        unclaimed(seen, &sent).map(|one| (Money(one.amount), Some(&*one.reference))).collect();
    let mut events = Vec::new();
    for (amount, reference) in named.into_iter().chain([(left, None)]) {
        let amount = amount.min(left);
        if amount > Money::ZERO {
            events.extend(found(till, account, &row, (amount, reference)).await?);
            left -= amount;
        }
    }
    // What was asked for the same reason is not given back twice, and what is still owed is asked for.
    events.extend(till.settle_storno(account.id).await?);
    Ok(events)
}

/// Books a refund that was made on the provider's page.
async fn found(
    till: &Till<'_>, account: &Account, row: &rows::Attempt, (amount, reference): (Money, Option<&str>),
) -> Result<Vec<Event>> {
    let Till { tx, facts, actor, now } = *till;
    let id = Id::new();
    let new = NewRefundRow {
        id,
        restaurant: facts.id,
        attempt: row,
        amount,
        tip: Money::ZERO,
        reason: None,
        by_storno: false,
        waits: false,
        approver: None,
        actor,
        now,
    };
    new.insert(tx).await?;
    name(tx, id, reference).await?;
    history(tx, account.id, "refunded_at_provider", actor, json!({"amount": amount})).await?;
    tell_refunded(tx, &account.event_order(), id).await?;
    till.give_back(account, row, id, (amount, Money::ZERO), None).await
}

/// Notes the provider's id of a refund.
async fn name(tx: &TenantTx, id: Id<RefundId>, reference: Option<&str>) -> Result<()> {
    if let Some(reference) = reference {
        let sql = "update payment_refund set provider_ref = $2 where id = $1";
        tx.run(sql, [id.into(), reference.into()]).await?;
    }
    Ok(())
}

const BOUNCED: &str = "with f as (update payment_refund set state = 'failed', decline_code = 'bounced', \
        version = version + 1 where id = $1 and state = 'succeeded' returning attempt_id, amount, tip), \
    a as (update payment_attempt a set refunded = a.refunded - f.amount - f.tip, version = a.version + 1, \
        state = 'captured' from f where a.id = f.attempt_id) \
    insert into payable_transaction (id, restaurant_id, order_id, attempt_id, refund_id, refunds_id, payment_method_id, \
        payment_key, value, rounding, tip, currency, business_day, paid_at, provider_ref, actor_kind, actor_name, surface) \
    select gen_random_uuid(), t.restaurant_id, p.order_id, t.attempt_id, null, p.id, t.payment_method_id, \
        t.payment_key, -t.value, -t.rounding, -t.tip, t.currency, $2, $3, t.provider_ref, 'provider', $4, 'provider' \
    from payable_transaction t join payment_attempt a on a.id = t.attempt_id \
        join payable_transaction p on p.attempt_id = a.id and p.order_id = a.order_id and p.refunds_id is null \
    where t.refund_id = $1 and exists (select from f) order by t.created_at limit 1";

/// A refund that had been done came back: the money is with the restaurant again, for the order that the payment belongs to
/// by now.
async fn bounced(till: &Till<'_>, account: &Account, attempt: &OnlineAttempt, sent: &Sent) -> Result<()> {
    let day = till.facts.business_day(till.now);
    let values = [sent.id.into(), day.into(), till.now.into(), attempt.provider.as_str().into()];
    till.tx.run(BOUNCED, values).await?;
    let details = json!({"amount": sent.amount, "code": "bounced", "reference": sent.provider_ref});
    history(till.tx, account.id, "refund_failed", till.actor, details).await?;
    publish_all(till.tx, &[Event::RefundFailed(account.event_order())]).await
}

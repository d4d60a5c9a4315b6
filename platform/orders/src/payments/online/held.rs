//! Money that is held until the order is accepted.

use access::prelude::*;
use contract::{CallError, Effect};
use kernel::money::Money;
use serde_json::json;

use super::{
    SETTLE, ask_at, soon,
    start::{locked, tell},
    store::{self, Now, OnlineAttempt},
};
use crate::{
    actor::Actor,
    payments::{
        account::Account,
        store::history,
        types::{PaymentId, PaymentState},
    },
    values::{OrderId, OrderStatus},
};

/// The attempt that holds money of an order, and how much of it is to be taken; none of it when it is to be released.
/// Nothing while that is not decided: an order that waits to be accepted keeps it held.
pub async fn held(tx: &TenantTx, order: Id<OrderId>) -> Result<Option<(OnlineAttempt, Option<Money>)>> {
    let Some(last) = store::last(tx, order).await? else { return Ok(None) };
    if last.state != PaymentState::Authorised {
        return Ok(None);
    }
    let account = Account::lock(tx, last.restaurant_id, order).await?;
    let due = account.due().min(last.amount);
    let waits = account.status == OrderStatus::Received && account.archived_at.is_none();
    if waits && !last.hold {
        return Ok(Some((last, Some(due))));
    }
    if !account.is_alive() || due <= Money::ZERO {
        return Ok(Some((last, None)));
    }
    Ok(account.accepted_at.map(|_| (last, Some(due))))
}

/// What is open of an order that was accepted or is over may be money that is held: it is taken or released by a job.
pub(in crate::payments) async fn settle_held(tx: &TenantTx, account: &Account) -> Result<()> {
    if account.held.0 > Money::ZERO { soon(tx, SETTLE, account.id).await } else { Ok(()) }
}

/// The provider has not taken or released it, or it cannot be told. Staff are told where it was refused.
pub async fn not_settled(tx: &TenantTx, id: Id<PaymentId>, error: &CallError, now: Timestamp) -> Result<()> {
    let Some((account, attempt)) = locked(tx, id).await? else { return Ok(()) };
    let body = json!({"call": "settle", "error": error.to_string()});
    let is_lost = error.effect == Effect::Unknown;
    store::note(tx, &attempt, "call", if is_lost { "unknown" } else { "failed" }, body, now).await?;
    if is_lost && attempt.state == PaymentState::Authorised {
        store::set(tx, &attempt, PaymentState::Unknown, Now::default(), now).await?;
        return ask_at(tx, id, attempt.next_ask(PaymentState::Unknown, now)).await;
    }
    store::not_taken(tx, id).await?;
    let details = json!({"payment_key": attempt.payment_key, "amount": attempt.amount, "code": error.code});
    history(tx, account.id, "payment_not_taken", Actor::Provider(&attempt.provider), details).await?;
    tell(tx, &account, false).await
}

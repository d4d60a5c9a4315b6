//! A person says what became of a payment that its provider cannot tell.

use access::prelude::*;
use kernel::money::Money;
use poem_openapi::types::ToJSON;
use serde_json::json;

use super::{
    start::{fails, locked},
    store::{self, Now},
};
use crate::{
    events::Event,
    payments::{
        lists,
        store::{self as rows, history},
        till::{Till, exact, invalid},
        types::{PaymentConfirmation, PaymentId, PaymentState},
    },
    state::{OnlinePayment, end_online_payment},
    values::{OrderId, OrderStatus},
};

/// Ends a payment of which the provider cannot say anything (`unknown`). The provider's word goes on counting: what
/// contradicts the person's is marked.
/// Errors: `PAYMENT_NOT_EXIST`, `PAYMENT_STATE_CHANGED`, `VALIDATION_FAILED`.
pub(crate) async fn confirm(
    till: Till<'_>, id: Id<PaymentId>, sent: &PaymentConfirmation,
) -> Result<(Id<OrderId>, Vec<Event>)> {
    let Till { tx, facts, actor, now } = till;
    let (account, attempt) = locked(tx, id).await?.ok_or_else(Problem::not_exist::<PaymentId>)?;
    if attempt.state != PaymentState::Unknown {
        let current = lists::payment(tx, facts.id, id).await?.to_json().unwrap_or_default();
        return Err(Problem::new(Code::PAYMENT_STATE_CHANGED).with("current", current));
    }
    let text = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let (reason, number) = (text(sent.reason.as_deref()), text(sent.authorisation_number.as_deref()));
    if reason.is_none() {
        return Err(invalid("reason", Fault::Required));
    }
    if sent.paid && number.is_none() {
        return Err(invalid("authorisation_number", Fault::Required));
    }
    let said = json!({"paid": sent.paid, "reason": reason, "by": actor.columns().2});
    store::note(tx, &attempt, "person", if sent.paid { "captured" } else { "cancelled" }, said, now).await?;
    if !sent.paid {
        store::set(tx, &attempt, PaymentState::Cancelled, Now::default(), now).await?;
        fails(tx, &account, &attempt, (PaymentState::Cancelled, None), now).await?;
        return Ok((account.id, vec![]));
    }
    let waits = account.status == OrderStatus::Received && account.archived_at.is_none();
    let late = !(waits || account.is_alive());
    let to = Now { captured: Some(attempt.amount), late, ..Now::default() };
    store::set(tx, &attempt, PaymentState::Captured, to, now).await?;
    let sql = "update payment_attempt set authorisation_number = $2 where id = $1";
    tx.run(sql, [id.into(), number.into()]).await?;
    let row = rows::attempt(tx, facts.id, id).await?;
    let mut events = till.book(&account, &row, exact(attempt.amount, Money::ZERO), now).await?;
    history(tx, account.id, "payment_confirmed", actor, json!({"reason": reason})).await?;
    if waits {
        store::end_page(tx, account.id, now).await?;
        end_online_payment(tx, facts.id, account.id, OnlinePayment::Paid, &attempt.provider).await?;
    } else {
        events.extend(till.settle_storno(account.id).await?);
    }
    Ok((account.id, events))
}

//! The payment of an order ends: an attempt fails, or the time is over.

use access::prelude::*;
use restaurants::Facts;

use super::{
    PAYABLE_FOR, ask_at,
    store::{self, Now, PaymentPage},
};
use crate::{
    payments::{account::Account, types::PaymentState},
    values::OrderId,
};

/// Opens the page on which an order is paid. Answers when the order ends, if it is not.
pub(crate) async fn open(
    tx: &TenantTx, facts: &Facts, order: Id<OrderId>, return_url: Option<&str>, now: Timestamp,
) -> Result<Timestamp> {
    let pay_until = now.plus_minutes(PAYABLE_FOR);
    let page = PaymentPage {
        restaurant_id: facts.id,
        return_url: return_url.map(str::to_owned),
        pay_until,
        ended_at: None,
        created_at: now,
    };
    store::open_page(tx, order, &page).await?;
    Ok(pay_until)
}

/// What becomes of an order whose time is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Not yet: at that time again.
    At(Timestamp),
    /// As its last attempt ended, with the provider of it.
    As(PaymentState, String),
    /// No try was made.
    Expired,
}

/// The end of an order that waits to be paid, which is locked here. It never ends before the provider of an open attempt
/// has been asked after its time.
pub(crate) async fn end(tx: &TenantTx, order: Id<OrderId>, now: Timestamp) -> Result<End> {
    let Some(page) = store::page(tx, order).await? else { return Ok(End::Expired) };
    Account::lock(tx, page.restaurant_id, order).await?;
    let page = store::page(tx, order).await?.unwrap_or(page);
    if page.pay_until > now {
        return Ok(End::At(page.pay_until));
    }
    let Some(last) = store::last(tx, order).await? else { return Ok(End::Expired) };
    match last.state {
        // No provider has heard of it.
        PaymentState::Created if last.claimed_at.is_none() => {
            store::set(tx, &last, PaymentState::Cancelled, Now::default(), now).await?;
            Ok(End::Expired)
        }
        _ if last.is_open() => {
            // Its end is asked for now, and awaited.
            ask_at(tx, last.id, Some(now)).await?;
            let soon = if now.0 - page.pay_until.0 < chrono::Duration::minutes(5) { 1 } else { 10 };
            Ok(End::At(now.plus_minutes(soon)))
        }
        state => Ok(End::As(state, last.provider)),
    }
}

/// Whether the page of an order is gone: a day after its payment has ended.
#[must_use]
pub fn ended(page: &PaymentPage, now: Timestamp) -> bool {
    page.ended_at.is_some_and(|at| at.plus_minutes(24 * 60) <= now)
}

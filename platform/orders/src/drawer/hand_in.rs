//! The amount that a courier may hand in. See `docs/decisions/payments.md#drawer`.

use access::prelude::*;
use kernel::money::{Currency, Money};
use poem_openapi::types::ToJSON;

use super::{
    assume,
    store::{self, MOST_UNPAID, Place},
    types::NewDrawerMovement,
};
use crate::{
    payments::{Till, in_coins},
    values::Amount,
};

/// Orders that are promised within so long may be on their way, or were brought early. Minutes.
const ON_THE_WAY: i64 = 24 * 60;

/// Whether more is taken from a courier than he holds: what was paid at the desk meanwhile is in the restaurant's
/// drawer already. Two who take from him at the same time wait here.
/// Errors: `COURIER_HOLDS_LESS` with what he holds, unless it is confirmed.
pub(super) async fn is_above(
    till: Till<'_>, place: Place, sent: &NewDrawerMovement, currency: Currency,
) -> Result<bool> {
    store::lock(till.tx, place).await?;
    let holds = held(till, place, currency).await?;
    if sent.value <= holds || sent.confirmed {
        return Ok(sent.value > holds);
    }
    let holds = Amount::from(holds).to_json().unwrap_or_default();
    Err(Problem::new(Code::COURIER_HOLDS_LESS).key("value", Fault::Max).with("holds", holds))
}

/// What a courier holds by the books, and what is still to be paid in cash of his orders: nobody books that before he
/// is back.
async fn held(till: Till<'_>, place: Place, currency: Currency) -> Result<Money> {
    let lines = store::lines(till.tx, place).await?;
    let booked = lines.iter().find(|line| line.payment_key == "cash" && line.currency == currency);
    let booked = booked.map_or(Money::ZERO, |line| line.expected.0);
    if currency != till.facts.currency {
        return Ok(booked);
    }
    let unpaid = store::unpaid(till.tx, place, till.now.plus_minutes(ON_THE_WAY), MOST_UNPAID).await?;
    let cash = unpaid.iter().filter(|order| assume::booked_as(&order.payment_key) == "cash");
    Ok(cash.fold(booked, |sum, order| sum + in_coins(order.due.0, currency)))
}

//! Orders that staff take by hand and that are accepted as they are placed. See
//! `docs/decisions/orders.md#accepting`.

use access::{Caller, prelude::*};
use checkout::{OrderPlatform, PricedCart};
use kernel::money::Money;

use crate::{
    callers::sent_by,
    events::{Event, EventOrder},
    row::OrderRow,
    values::OrderStatus,
};

pub(crate) const RIGHT: &str = "order_accept";

/// Accepts a new order that the restaurant has got, where its settings say so for what staff take and the person
/// may accept (`may`). The minutes are the usual ones of this moment. Its row is not written yet.
pub(crate) fn accept(order: &mut OrderRow, checkout: &PricedCart, caller: &Caller, may: bool) {
    let PricedCart { facts, now, .. } = checkout;
    let by_hand = OrderPlatform::of(&order.platform).is_some_and(|platform| sent_by(caller).takes(platform));
    // A try rings, so that somebody can accept it.
    if !(may && by_hand && facts.accept_at_once) || order.is_test || order.status != OrderStatus::Succeeded {
        return;
    }
    let minutes = facts.estimate(*now);
    order.status = OrderStatus::Processed;
    (order.accepted_at, order.acceptance) = (Some(*now), 1);
    order.delivery_time_minute = Some(minutes);
    // A preorder keeps the time that the guest wanted.
    if !order.is_preorder {
        order.expected_at = Some(now.plus_minutes(minutes.into()));
    }
    // What costs nothing is paid.
    order.closed_at = (order.total_price.0 <= Money::ZERO && order.show_at <= *now).then_some(*now);
}

/// What follows from its acceptance once it has arrived; none for one that waits to be accepted.
pub(crate) fn events(order: &EventOrder, accepted_at: Option<Timestamp>, closed: bool) -> Vec<Event> {
    let accepted = accepted_at.map(|at| Event::Accepted { order: order.clone(), at, acceptance: 1 });
    accepted.into_iter().chain(closed.then(|| Event::Closed(order.clone()))).collect()
}

//! The call that changes the items of an order.

use access::{Caller, Idempotency, Pin, prelude::*};
use checkout::{PricedCart, Quote};
use serde_json::json;

use super::{
    cart::Replacement,
    run::{Old, Replaces},
};
use crate::{
    callers::{coupon_attempt, sent_by},
    new_rows::NewRows,
    place::{Placed, Placement, place},
    read,
    rights::Reads,
    types::Order,
    values::OrderId,
};

pub(crate) struct Replacements;

/// Whoever holds it may change an order.
const RIGHT: &str = "pos_modify_order";
/// In the audit log, and under which the answers are kept.
const OPERATION: &str = "orders_replace";

/// The order with other items.
#[derive(Debug, Object)]
struct OrderReplacement {
    #[oai(flatten)]
    order: Order,
    /// Of a rehearsal: how the new total comes about, and every reason why the change would be refused.
    quote: Option<Quote>,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl Replacements {
    /// Changes the items of an order: a new order takes its place, and it is archived. Until it is prepared.
    ///
    /// It needs the PIN of somebody with `pos_modify_order`, the caller's own or another person's. The new order
    /// has a number of its own and is priced as of now; what was paid goes with it, and a difference is due or asked
    /// back. Guest, place, notes, coupon, time and state stay.
    ///
    /// With `dry_run` nothing is written: the order is answered as it would be, with its quote, and no PIN is asked.
    ///
    /// A refusal with `ORDER_STATE_CHANGED` names its `reason`: `replaced`, `state`, `version`, `platform`,
    /// `partial_storno`, `payment_under_way`, `refund_under_way`.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED, ORDER_NOT_ACCEPTABLE, ORDER_PRICE_CHANGED
    #[oai(path = "/:id/replacement", method = "post", operation_id = "orders_replace")]
    async fn replace(
        &self, scope: In<Restaurant, Reads>, id: Path<Id<OrderId>>, dry_run: QueryParam<bool>, pin: Pin,
        key: IdempotencyKey, body: Body<Replacement>,
    ) -> Result<Stored<OrderReplacement>> {
        let rehearsed = dry_run.0.unwrap_or_default();
        let approver = if rehearsed { None } else { Some(pin.approver(&scope, RIGHT).await?) };
        let attempt = coupon_attempt(&scope, None, body.coupon_code.value().map(String::as_str)).await?;
        let tx = scope.begin().await?;
        let answer = async {
            let first = match key.begin(&scope, &tx, OPERATION, body.raw()).await? {
                Idempotency::Replay(answer) => return Ok(answer),
                Idempotency::First(first) => first,
            };
            let (restaurant, caller, now) = (scope.restaurant(), scope.caller(), Timestamp::now());
            let old = Old::lock(&tx, restaurant, *id, body.version).await?;
            let Some(approver) = &approver else {
                let rehearsed = old.rehearse(&tx, caller, &body, &attempt, now).await?;
                return Ok(rehearsal(old, rehearsed, caller));
            };
            let sent = old.order(&body, &restaurants::facts(&tx, restaurant).await?);
            let replaces = Replaces { old: &old, caller, change: &body, approver, now };
            let placement = Placement {
                restaurant,
                caller,
                accepts: false,
                sent: &sent,
                approver: None,
                geocoded: None,
                guest: None,
                attempt: &attempt,
                return_url: None,
                replaces: Some(replaces),
            };
            let Placed { id: new, .. } = place(&tx, placement).await?;
            let order = read::order(&tx, restaurant, new).await?;
            let details = json!({"approved_by": approver.name, "replaced_by_id": [null, new],
                "total_prices": [old.row.total_price, order.row.total_price]});
            scope.audit(&tx, Some(restaurant.uuid()), OPERATION, *id, details).await?;
            let answer = Stored::new(201, &OrderReplacement { order, quote: None });
            first.keep(&tx, &answer).await?;
            Ok(answer)
        };
        let answer = answer.await;
        // What a rehearsal has written goes with the transaction.
        if answer.is_ok() && !rehearsed {
            tx.commit().await?;
        } else {
            drop(tx);
        }
        attempt.end().await;
        answer
    }
}

/// The order as it would be.
fn rehearsal(old: Old, (checkout, rows): (PricedCart, NewRows), caller: &Caller) -> Stored<OrderReplacement> {
    let mut order = rows.answer(None);
    order.paid = old.account.paid;
    order.due = (order.row.total_price.0 - order.paid.0).into();
    order.replaces_counter = old.row.counter;
    let quote = Some(Quote::new(&checkout, sent_by(caller)));
    Stored::new(200, &OrderReplacement { order, quote })
}

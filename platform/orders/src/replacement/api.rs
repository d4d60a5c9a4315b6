//! The call that changes the items of an order.

use access::{Idempotency, Pin, prelude::*};

use super::{
    cart::Replacement,
    run::{Old, Replaced, Replacing},
};
use crate::{
    coupons::Attempt,
    fresh::Reads,
    payments, read,
    types::{Order, Quote},
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
        &self,
        scope: In<Restaurant, Reads>,
        id: Path<Id<OrderId>>,
        dry_run: QueryParam<bool>,
        pin: Pin,
        key: IdempotencyKey,
        body: Body<Replacement>,
    ) -> Result<Stored<OrderReplacement>> {
        let rehearsed = dry_run.0.unwrap_or_default();
        let approver = if rehearsed { None } else { Some(pin.approver(&scope, RIGHT).await?) };
        let attempt = Attempt::take(&scope, None, body.coupon_code.value().map(String::as_str)).await?;
        let tx = scope.begin().await?;
        let answer = async {
            let first = match key.begin(&scope, &tx, OPERATION, body.raw()).await? {
                Idempotency::Replay(answer) => return Ok(answer),
                Idempotency::First(first) => first,
            };
            let replacing = Replacing {
                tx: &tx,
                restaurant: scope.restaurant(),
                caller: scope.caller(),
                sent: &body,
                attempt: &attempt,
                now: Timestamp::now(),
            };
            let old = replacing.lock(*id).await?;
            let Some(approver) = &approver else { return rehearsal(&replacing, old).await };
            let Replaced { id: new, events, details } = replacing.run(&old, approver).await?;
            scope.audit(&tx, Some(scope.restaurant().uuid()), OPERATION, *id, details).await?;
            let order = read::order(&tx, scope.restaurant(), new).await?;
            payments::publish(&tx, &events).await?;
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
async fn rehearsal(replacing: &Replacing<'_>, old: Old) -> Result<Stored<OrderReplacement>> {
    let (checkout, rows) = replacing.rehearse(&old).await?;
    let mut order = rows.answer(None);
    order.paid = old.account.paid;
    order.due = (order.row.total_price.0 - order.paid.0).into();
    order.replaces_counter = old.row.counter;
    let quote = Some(Quote::new(&checkout, replacing.caller));
    Ok(Stored::new(200, &OrderReplacement { order, quote }))
}

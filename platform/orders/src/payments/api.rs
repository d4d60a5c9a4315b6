//! Operations on payments and refunds.

use access::{Idempotency, Pin, prelude::*};
use restaurants::Facts;
use serde_json::json;

use super::{
    lists::{self, PaymentFilter},
    online,
    till::Till,
    types::{
        NewPayment, NewRefund, Payment, PaymentCancellation, PaymentConfirmation, PaymentId, PaymentRefund,
        PaymentState, RefundConfirmation, RefundId, RefundState,
    },
};
use crate::{
    actor::Actor,
    events::publish_all,
    payments::Account,
    rights::{Reads, reads, storno_approver},
    values::OrderId,
};

pub(crate) struct OrderPayments;
pub(crate) struct Payments;
pub(crate) struct Refunds;

/// A payment with its refunds, and what is left to pay of its order.
async fn answer(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<PaymentId>) -> Result<Payment> {
    let mut payment = lists::payment(tx, restaurant, id).await?;
    let refunds = lists::refunds_of(tx, restaurant, vec![payment.order_id.uuid()]).await?;
    payment.refunds = Some(refunds.into_iter().filter(|refund| refund.attempt_id == id).collect());
    payment.conversation = Some(lists::spoken(tx, id).await?);
    payment.due = Some(Account::read(tx, restaurant, payment.order_id).await?.due().into());
    Ok(payment)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Payments"
)]
impl OrderPayments {
    /// Takes money for an order: all that is due, an amount, pieces of lines, or an even part.
    ///
    /// Cash in forints is rounded to 5 Ft; euros are taken at the restaurant's rate, with change in forints. A card
    /// may be `confirmed` later. Two tills that take the same money at once: one has it, the other is refused with
    /// what is left.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED, PAYMENT_ABOVE_DUE, POINTS_NOT_ENOUGH
    #[oai(path = "/:id/payments", method = "post", operation_id = "payments_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::OrderAccept>, id: Path<Id<OrderId>>, key: IdempotencyKey,
        body: Body<NewPayment>,
    ) -> Result<Stored<Payment>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "payments_create", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let till = till(&scope, &tx, &facts);
        let (payment, events) = till.take(*id, &body).await?;
        let paid = answer(&tx, scope.restaurant(), payment).await?;
        let details = json!({"payment_id": [null, payment], "payment_key": [null, paid.payment_key],
            "amount": [null, paid.amount], "tip": [null, paid.tip]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "payments_create", *id, details).await?;
        publish_all(&tx, &events).await?;
        let answer = Stored::new(201, &paid);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }
}

/// The till of this request; nothing that it does asks for another right.
fn till<'a, P>(scope: &'a In<Restaurant, P>, tx: &'a TenantTx, facts: &'a Facts) -> Till<'a> {
    Till { tx, facts, actor: Actor::Caller(scope.caller(), &|_| true), now: Timestamp::now() }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payments",
    tag = "Tag::Payments"
)]
impl Payments {
    /// Payments of the restaurant, newest first; by default those that wait and those that have come alike.
    #[oai(path = "/", method = "get", operation_id = "payments_list")]
    #[expect(clippy::too_many_arguments, reason = "each is a filter of its own in the document")]
    async fn list(
        &self, scope: In<Restaurant, Reads>, state: QueryParam<PaymentState>,
        order_id: QueryParam<Id<OrderId>>,
        /// `by_hand`, `online`, `terminal`.
        #[oai(validator(max_length = 20))]
        kind: QueryParam<String>,
        /// `simplepay`, `barion`.
        #[oai(validator(max_length = 40))]
        provider: QueryParam<String>,
        /// Begun from this moment on.
        from: QueryParam<Timestamp>,
        /// And before this one.
        till: QueryParam<Timestamp>,
        /// The beginning of an order's number, an id of ours or the provider's, or an authorisation number.
        #[oai(validator(max_length = 100))]
        search: QueryParam<String>,
        /// Only those that somebody should look at.
        attention: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Payment>> {
        let tx = scope.begin().await?;
        let filter = PaymentFilter {
            state: state.0,
            order: order_id.0,
            kind: kind.0,
            provider: provider.0,
            from: from.0,
            till: till.0,
            search: search.0,
            attention: attention.0.unwrap_or_default(),
        };
        lists::list(&tx, scope.restaurant(), filter, &paging).await
    }

    /// Says that somebody has looked at what was odd about a payment: it wants no attention until something new happens.
    ///
    /// codes: PAYMENT_NOT_EXIST
    #[oai(path = "/:payment_id/look", method = "post", operation_id = "payments_look")]
    async fn look(
        &self, scope: In<Restaurant, perm::OrderAccept>, payment_id: Path<Id<PaymentId>>,
    ) -> Result<Json<Payment>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let order = lists::look(&tx, scope.restaurant(), *payment_id, Timestamp::now()).await?;
        let details = json!({"payment_id": [null, *payment_id]});
        let order: Id<OrderId> = Id::from_uuid(order);
        scope.audit(&tx, Some(scope.restaurant().uuid()), "payments_look", order, details).await?;
        let payment = answer(&tx, scope.restaurant(), *payment_id).await?;
        tx.commit().await?;
        Ok(Json(payment))
    }

    /// One payment with its refunds.
    ///
    /// codes: PAYMENT_NOT_EXIST
    #[oai(path = "/:payment_id", method = "get", operation_id = "payments_get")]
    async fn get(
        &self, scope: In<Restaurant, Reads>, payment_id: Path<Id<PaymentId>>,
    ) -> Result<Json<Payment>> {
        let tx = scope.begin().await?;
        answer(&tx, scope.restaurant(), *payment_id).await.map(Json)
    }

    /// Says what became of a payment that waits: the money has come, or it has not.
    ///
    /// Of one on a provider's page only while the provider cannot tell (`unknown`), with a reason, an authorisation number
    /// where it was paid, and by somebody who may cancel orders or with such a PIN.
    ///
    /// codes: PAYMENT_NOT_EXIST, PAYMENT_STATE_CHANGED
    #[oai(path = "/:payment_id/confirm", method = "post", operation_id = "payments_confirm")]
    async fn confirm(
        &self, scope: In<Restaurant, perm::OrderAccept>, payment_id: Path<Id<PaymentId>>, pin: Pin,
        body: Body<PaymentConfirmation>,
    ) -> Result<Json<Payment>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let is_online = online::OnlineAttempt::find(&tx, *payment_id).await?.is_some();
        if is_online {
            storno_approver(&scope, &pin, "pos_storno").await?;
        }
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let till = till(&scope, &tx, &facts);
        let (order, events) = match is_online {
            true => online::confirm(till, *payment_id, &body).await?,
            false => till.confirm(*payment_id, &body).await?,
        };
        let details = json!({"payment_id": [null, *payment_id], "paid": [null, body.paid]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "payments_confirm", order, details).await?;
        let payment = answer(&tx, scope.restaurant(), *payment_id).await?;
        publish_all(&tx, &events).await?;
        tx.commit().await?;
        Ok(Json(payment))
    }

    /// Gives up a payment that waits.
    ///
    /// codes: PAYMENT_NOT_EXIST, PAYMENT_STATE_CHANGED
    #[oai(path = "/:payment_id/cancel", method = "post", operation_id = "payments_cancel")]
    async fn cancel(
        &self, scope: In<Restaurant, perm::OrderAccept>, payment_id: Path<Id<PaymentId>>,
        body: Body<PaymentCancellation>,
    ) -> Result<Json<Payment>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let reason = body.reason.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let (order, events) = till(&scope, &tx, &facts).cancel(*payment_id, reason).await?;
        let details = json!({"payment_id": [null, *payment_id]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "payments_cancel", order, details).await?;
        let payment = answer(&tx, scope.restaurant(), *payment_id).await?;
        publish_all(&tx, &events).await?;
        tx.commit().await?;
        Ok(Json(payment))
    }

    /// Gives money of a payment back, by the method by which it came; with `done: false` it stands among what is
    /// to be given back. Balance and points go back at once.
    ///
    /// Who may not cancel orders sends the PIN of somebody with `pos_storno`.
    ///
    /// codes: PAYMENT_NOT_EXIST, REFUND_ABOVE_PAID
    #[oai(path = "/:payment_id/refunds", method = "post", operation_id = "refunds_create")]
    async fn refund(
        &self, scope: In<Restaurant, Reads>, payment_id: Path<Id<PaymentId>>, pin: Pin, key: IdempotencyKey,
        body: Body<NewRefund>,
    ) -> Result<Stored<PaymentRefund>> {
        let approver = storno_approver(&scope, &pin, "pos_storno").await?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "refunds_create", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let (id, events) = till(&scope, &tx, &facts).refund(*payment_id, &body, approver.as_ref()).await?;
        let refund = lists::refund(&tx, scope.restaurant(), id).await?;
        let details = json!({"refund_id": [null, id], "amount": [null, refund.amount], "tip": [null, refund.tip],
            "approved_by": [null, refund.approved_by_name]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "refunds_create", refund.order_id, details).await?;
        publish_all(&tx, &events).await?;
        let answer = Stored::new(201, &refund);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/refunds",
    tag = "Tag::Payments"
)]
impl Refunds {
    /// Refunds of the restaurant, newest first. `created` are those that somebody has yet to give back.
    #[oai(path = "/", method = "get", operation_id = "refunds_list")]
    async fn list(
        &self, scope: In<Restaurant, Reads>, state: QueryParam<RefundState>,
        order_id: QueryParam<Id<OrderId>>,
        /// The beginning of an order's number, or the provider's id of the refund.
        #[oai(validator(max_length = 100))]
        search: QueryParam<String>,
        /// Only those that a person gives back or lets go; the others go back by their provider.
        by_person: QueryParam<bool>,
        paging: Paging,
    ) -> Result<Page<PaymentRefund>> {
        let tx = scope.begin().await?;
        lists::refunds(
            &tx,
            scope.restaurant(),
            state.0,
            (order_id.0, search.0, by_person.0.unwrap_or_default()),
            &paging,
        )
        .await
    }

    /// Lets money go back by its provider that waited for a person (*ask before refunds*).
    ///
    /// Who may not cancel orders sends the PIN of somebody with `pos_storno`.
    ///
    /// codes: REFUND_NOT_EXIST, REFUND_STATE_CHANGED
    #[oai(path = "/:refund_id/send", method = "post", operation_id = "refunds_send")]
    async fn send(
        &self, scope: In<Restaurant, Reads>, refund_id: Path<Id<RefundId>>, pin: Pin,
    ) -> Result<Json<PaymentRefund>> {
        storno_approver(&scope, &pin, "pos_storno").await?;
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let (order, events) = till(&scope, &tx, &facts).send_refund(*refund_id).await?;
        let details = json!({"refund_id": [null, *refund_id]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "refunds_send", order, details).await?;
        let refund = lists::refund(&tx, scope.restaurant(), *refund_id).await?;
        publish_all(&tx, &events).await?;
        tx.commit().await?;
        Ok(Json(refund))
    }

    /// Says that money has been given back, or why it cannot be.
    ///
    /// codes: REFUND_NOT_EXIST, REFUND_STATE_CHANGED
    #[oai(path = "/:refund_id/confirm", method = "post", operation_id = "refunds_confirm")]
    async fn confirm(
        &self, scope: In<Restaurant, perm::OrderAccept>, refund_id: Path<Id<RefundId>>,
        body: Body<RefundConfirmation>,
    ) -> Result<Json<PaymentRefund>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let reason = body.reason.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let (order, events) = till(&scope, &tx, &facts).confirm_refund(*refund_id, body.done, reason).await?;
        let details = json!({"refund_id": [null, *refund_id], "done": [null, body.done]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "refunds_confirm", order, details).await?;
        let refund = lists::refund(&tx, scope.restaurant(), *refund_id).await?;
        publish_all(&tx, &events).await?;
        tx.commit().await?;
        Ok(Json(refund))
    }
}

//! Operations on online payments that ask a provider, and their state for shops.

use access::{Caller, prelude::*};
use contract::Plugins;
use orders::{
    OrderId, OrderPayment, OrderPaymentState, PaymentId,
    online::{self, PayingOrder},
};
use poem::web::Data;

use crate::desk::Desk;

pub(crate) struct Inquiries;
pub(crate) struct PublicOrderPayments;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payments",
    tag = "Tag::Payments"
)]
impl Inquiries {
    /// Asks the provider what became of a payment on its page. Asked within five seconds, it is not asked again; the
    /// payment shows what is known then.
    ///
    /// codes: PAYMENT_NOT_EXIST
    #[oai(path = "/:payment_id/inquire", method = "post", operation_id = "payments_inquire")]
    async fn inquire(
        &self, scope: In<Restaurant, perm::OrderAccept>, payment_id: Path<Id<PaymentId>>,
        plugins: Data<&Plugins>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let attempt = online::OnlineAttempt::find(&tx, *payment_id).await?;
        let known = attempt.is_some_and(|attempt| attempt.restaurant_id == scope.restaurant());
        drop(tx);
        if !known {
            return Err(Problem::not_exist::<PaymentId>());
        }
        let desk = Desk { app: scope.app(), plugins: &plugins, way: &scope, partner: scope.partner() };
        desk.ask(*payment_id, None).await?;
        Ok(Done)
    }
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicOrderPayments {
    /// The state of the online payment of an order, without its page's address. A key sees the orders that it has sent.
    ///
    /// codes: ORDER_NOT_EXIST
    #[oai(path = "/orders/:id/payment", method = "get", operation_id = "orders_payment")]
    async fn payment(
        &self, scope: In<Public, perm::OrdersRead>, id: Path<Id<OrderId>>,
    ) -> Result<Json<OrderPayment>> {
        let tx = scope.begin().await?;
        let order = PayingOrder::find(&tx, *id).await?;
        let order = order.filter(|order| order.restaurant_id == scope.restaurant());
        let order = order.filter(|order| match scope.caller() {
            Caller::Key { id, .. } => order.api_key_id == Some(*id),
            Caller::Person { .. } => true,
        });
        let page = online::page(&tx, *id).await?;
        let (Some(order), Some(page)) = (order, page) else { return Err(Problem::not_exist::<OrderId>()) };
        let last = online::last(&tx, *id).await?;
        let state: OrderPaymentState = order.payment(last.as_ref());
        Ok(Json(OrderPayment { state, url: None, expires_at: page.pay_until }))
    }
}

//! Operations of the public scope: quoting a cart, placing an order, reading its state.

use access::{Approver, Caller, GuestAddress, Idempotency, Pin, Stored, prelude::*};
use checkout::{Attempt, Cart, Checkout, NewOrder, Quote, known_by, settings};
use contract::Plugins;
use poem::web::Data;

use crate::{
    at_once,
    callers::{coupon_attempt, geocode_cart, sent_by},
    pay_page::{checked_return, page_url},
    place::{PayPage, Placed, Placement, place},
    read,
    types::{Order, OrderPayment, OrderPaymentState},
    values::OrderId,
    wait::FIRST,
};

pub(crate) struct PublicOrders;

/// Whoever holds it may take something off an order.
const STAFF_DISCOUNT: &str = "pos_cart_discount";
/// Under which the answers to orders are kept.
const OPERATION: &str = "orders_create";

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicOrders {
    /// Prices a cart.
    ///
    /// The same rules price the order. `acceptable` says whether it would be taken now, `reasons` every
    /// reason why not. A staff discount is checked against the limit of whose PIN is sent; without a PIN it
    /// is only priced.
    ///
    /// Trying coupon codes that do not exist is limited, and so are the phones and e-mails that a person sends (120 an
    /// hour, each counted once, together with searches by phone). A browser key is not told what a guest has used.
    #[oai(path = "/orders/quote", method = "post", operation_id = "orders_quote")]
    async fn quote(
        &self, scope: In<Public, perm::OrdersWrite>, address: GuestAddress, pin: Pin, body: Body<Cart>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<Quote>> {
        let guest = address.counted(scope.caller())?;
        let attempt = coupon_attempt(&scope, guest.as_deref(), body.code()).await?;
        let quote = quote(&scope, &pin, &body, &attempt, &plugins).await;
        attempt.end().await;
        quote.map(Json)
    }

    /// Takes an order.
    ///
    /// The server prices it; a `total_price` that differs, or a quote that differs, is refused with the new
    /// quote. Repeating it with the same `Idempotency-Key` gives the first answer again and makes no second
    /// order. A staff discount needs the PIN of somebody who may give it.
    ///
    /// A guest of an API key may have some orders waiting that nobody has paid or accepted yet; one more is
    /// refused, with the restaurant's `phone` and when it is worth trying again. Trying coupon codes that do
    /// not exist is limited.
    ///
    /// One that is paid online waits (`received`) until its guest has paid on the page `payment.url`, and leaves an e-mail;
    /// the restaurant does not see it before. `return_url` is where the guest goes on from there.
    ///
    /// codes: ORDER_NOT_ACCEPTABLE, ORDER_PRICE_CHANGED, CONFLICT, TOO_MANY_WAITING_ORDERS
    #[oai(path = "/orders", method = "post", operation_id = "orders_create")]
    async fn create(
        &self, scope: In<Public, perm::OrdersWrite>, address: GuestAddress, pin: Pin, key: IdempotencyKey,
        body: Body<NewOrder>, plugins: Data<&Plugins>,
    ) -> Result<Stored<Order>> {
        let guest = address.counted(scope.caller())?;
        let attempt = match coupon_attempt(&scope, guest.as_deref(), body.cart.code()).await {
            Ok(attempt) => attempt,
            // Whoever has not heard the first answer hears it however many codes were tried since.
            Err(limited) => return replayed(&scope, &key, &body).await?.ok_or(limited),
        };
        let sending = Sending { pin: &pin, key: &key, guest, attempt: &attempt, plugins: &plugins };
        let answer = create(&scope, body, sending).await;
        attempt.end().await;
        answer
    }

    /// The state of an order. A key sees the orders that it has sent.
    ///
    /// codes: ORDER_NOT_EXIST
    #[oai(path = "/orders/:id", method = "get", operation_id = "orders_follow")]
    async fn follow(
        &self, scope: In<Public, perm::OrdersRead>, id: Path<Id<OrderId>>,
    ) -> Result<Json<Order>> {
        let tx = scope.begin().await?;
        let order = read::order(&tx, scope.restaurant(), *id).await?;
        match scope.caller() {
            Caller::Key { id, .. } if order.row.api_key_id != Some(*id) => {
                Err(Problem::not_exist::<OrderId>())
            }
            caller => Ok(Json(told(order, caller))),
        }
    }
}

/// Who allows the cart's staff discount: whose PIN came with it. An API key takes nothing off.
async fn approver(scope: &In<Public, perm::OrdersWrite>, pin: &Pin, cart: &Cart) -> Result<Option<Approver>> {
    match (&cart.staff_discount, scope.caller()) {
        (Some(_), Caller::Person { .. }) => pin.approver(scope, STAFF_DISCOUNT).await.map(Some),
        _ => Ok(None),
    }
}

/// Prices a cart for whoever asks.
async fn quote(
    scope: &In<Public, perm::OrdersWrite>, pin: &Pin, cart: &Cart, attempt: &Attempt, plugins: &Plugins,
) -> Result<Quote> {
    let approver = if pin.is_sent() { approver(scope, pin, cart).await? } else { None };
    let geocoded = geocode_cart(scope, plugins, cart).await?;
    let tx = scope.begin().await?;
    let test_key = scope.caller().is_test_key();
    let settings = settings(&tx, scope.restaurant(), cart, false, test_key).await?;
    let sent_by = sent_by(scope.caller());
    let checkout = Checkout::new(settings, sent_by, cart, approver, geocoded)?;
    let (phone, email) = known_by(cart, &checkout.facts);
    let quote = checkout.quote(&tx, sent_by, cart, attempt).await?;
    tx.commit().await?;
    for known_by in phone.iter().chain(&email) {
        customers::count_asked(scope, known_by).await?;
    }
    Ok(quote)
}

/// The answer that was given under this key before; none when there was none.
async fn replayed(
    scope: &In<Public, perm::OrdersWrite>, key: &IdempotencyKey, body: &Body<NewOrder>,
) -> Result<Option<Stored<Order>>> {
    let tx = scope.begin().await?;
    Ok(match key.begin(scope, &tx, OPERATION, body.raw()).await? {
        Idempotency::Replay(answer) => Some(answer),
        Idempotency::First(_) => None,
    })
}

/// What comes with an order besides its body.
struct Sending<'a> {
    pin: &'a Pin,
    key: &'a IdempotencyKey,
    /// The guest's network address, where it is counted.
    guest: Option<String>,
    attempt: &'a Attempt,
    plugins: &'a Plugins,
}

/// Takes an order, or gives the first answer again, and commits.
async fn create(
    scope: &In<Public, perm::OrdersWrite>, body: Body<NewOrder>, sending: Sending<'_>,
) -> Result<Stored<Order>> {
    let Sending { pin, key, guest, attempt, plugins } = sending;
    let approver = approver(scope, pin, &body.cart).await?;
    let geocoded = geocode_cart(scope, plugins, &body.cart).await?;
    let tx = scope.begin().await?;
    let first = match key.begin(scope, &tx, OPERATION, body.raw()).await? {
        Idempotency::Replay(answer) => return Ok(answer),
        Idempotency::First(first) => first,
    };
    let (restaurant, caller) = (scope.restaurant(), scope.caller());
    let body = body.into_inner();
    let return_url = checked_return(scope, &tx, body.return_url.as_deref()).await?;
    let placement = Placement {
        restaurant,
        caller,
        accepts: scope.may(at_once::RIGHT),
        sent: &body,
        approver,
        geocoded,
        guest,
        attempt,
        return_url: return_url.as_deref(),
        replaces: None,
    };
    match place(&tx, placement).await {
        Ok(Placed { order: Some(mut order), pay, .. }) => {
            order.payment = pay.map(|PayPage { token, expires_at }| OrderPayment {
                state: OrderPaymentState::Unpaid,
                url: Some(page_url(scope.app(), &token)),
                expires_at,
            });
            let answer = Stored::new(201, &told(*order, caller));
            first.keep(&tx, &answer).await?;
            tx.commit().await?;
            Ok(answer)
        }
        Ok(Placed { order: None, .. }) => Err(Problem::new(Code::CONFLICT)
            .key("external_id", Fault::NotUnique)
            .detail("an order with this external_id exists")),
        Err(problem) => {
            let priced = matches!(problem.code(), Code::ORDER_NOT_ACCEPTABLE | Code::ORDER_PRICE_CHANGED);
            if priced && matches!(caller, Caller::Key { browser: true, .. }) {
                // Otherwise a stranger hears of number after number whether it has used the coupon.
                attempt.was_in_vain();
            }
            // A refusal can tell as much of a number as a quote does.
            let facts = restaurants::facts(&tx, restaurant).await;
            drop(tx);
            if let Ok(facts) = facts {
                let (phone, email) = known_by(&body.cart, &facts);
                for known_by in phone.iter().chain(&email) {
                    customers::count_asked(scope, known_by).await?;
                }
            }
            Err(problem)
        }
    }
}

/// The order as this caller may see it. A key hears that money has moved, not by whose hand, and nothing of
/// whom the house tells when nobody accepts; a browser key does not
/// hear whose the order is, for every guest can read it.
fn told(mut order: Order, caller: &Caller) -> Order {
    if matches!(caller, Caller::Key { .. }) {
        (order.row.escalation_level, order.row.escalated_at) = (FIRST, None);
        order.refunds.clear();
        (order.courier_name, order.courier_price, order.shadow_customer) = (None, None, None);
        for row in &mut order.payable_transactions {
            (row.actor_name, row.surface, row.payment_info, row.courier_id) = (None, None, None, None);
        }
    }
    if matches!(caller, Caller::Key { browser: true, .. }) {
        order.row.customer_id = None;
    }
    order
}

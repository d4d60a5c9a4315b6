//! Operations of the public scope: quoting a cart, placing an order, reading its state.

use access::{Caller, GuestAddress, Idempotency, Stored, prelude::*};
use kernel::time::BusinessDay;
use poem_openapi::types::ToJSON;
use pricing::Fulfilment;
use restaurants::Facts;
use uuid::Uuid;
use work::events;

use crate::{
    cart::{self, CartInput},
    checkout::{Checkout, PricedCart, taken_by_staff},
    events::{Event, EventOrder},
    input::{Cart, NewOrder},
    read, store,
    types::{Order, Quote},
    values::{OrderId, OrderPlatform, OrderStatus},
    waiting::Sender,
};

pub(crate) struct PublicOrders;

/// Minutes that an order has to be paid online.
const PAYABLE_FOR: i64 = 30;

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicOrders {
    /// Prices a cart.
    ///
    /// The same rules price the order. `acceptable` says whether it would be taken now, `reasons` every
    /// reason why not.
    #[oai(path = "/orders/quote", method = "post", operation_id = "orders_quote")]
    async fn quote(&self, scope: In<Public, perm::OrdersWrite>, body: Body<Cart>) -> Result<Json<Quote>> {
        let sent = CartInput::from(&*body);
        let tx = scope.begin().await?;
        let checkout =
            Checkout::new(restaurants::facts(&tx, scope.restaurant()).await?, scope.caller(), &sent)?;
        Ok(Json(checkout.price(&tx, &sent).await?.quote()))
    }

    /// Takes an order.
    ///
    /// The server prices it; a `total_price` that differs is refused with the new quote. Repeating it with
    /// the same `Idempotency-Key` gives the first answer again and makes no second order.
    ///
    /// A guest of an API key may have some orders waiting that nobody has paid or accepted yet; one more is
    /// refused, with the restaurant's `phone` and when it is worth trying again.
    ///
    /// codes: ORDER_NOT_ACCEPTABLE, ORDER_PRICE_CHANGED, CONFLICT, TOO_MANY_WAITING_ORDERS
    #[oai(path = "/orders", method = "post", operation_id = "orders_create")]
    async fn create(
        &self,
        scope: In<Public, perm::OrdersWrite>,
        address: GuestAddress,
        key: IdempotencyKey,
        body: Body<NewOrder>,
    ) -> Result<Stored<Order>> {
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "orders_create", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let sent = body.into_inner();
        let order = place(&tx, scope.restaurant(), scope.caller(), address, &sent).await?;
        let answer = Stored::new(201, &order);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// The state of an order. A key sees the orders that it has sent.
    ///
    /// codes: ORDER_NOT_EXIST
    #[oai(path = "/orders/:id", method = "get", operation_id = "orders_follow")]
    async fn follow(
        &self,
        scope: In<Public, perm::OrdersRead>,
        id: Path<Id<OrderId>>,
    ) -> Result<Json<Order>> {
        let tx = scope.begin().await?;
        let order = read::order(&tx, scope.restaurant(), *id).await?;
        match scope.caller() {
            Caller::Key { id, .. } if order.row.api_key_id != Some(*id) => {
                Err(Problem::not_exist::<OrderId>())
            }
            _ => Ok(Json(order)),
        }
    }
}

/// Takes an order that is sent: checked, priced, written, and given to the restaurant unless it is paid online
/// first.
async fn place(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    caller: &Caller,
    address: GuestAddress,
    sent: &NewOrder,
) -> Result<Order> {
    let cart = CartInput::from(sent);
    let checkout = Checkout::new(restaurants::facts_of_live(tx, restaurant).await?, caller, &cart)?;
    check_guest(sent, checkout.cart.fulfilment(), &checkout.facts)?;
    let sender = Sender::of(caller, address, sent, checkout.cart.fulfilment(), &checkout.facts)?;
    let mut checkout = checkout.price(tx, &cart).await?;
    let is_test = is_test(caller, sent);
    if is_test && matches!(caller, Caller::Person { .. }) {
        // Staff try an order when they have time, which is often while the restaurant is closed.
        checkout.reasons.retain(|reason| reason.reason != pricing::ReasonKind::Closed);
    }
    take(tx, &mut checkout, sender.as_ref(), is_test).await?;
    if sent.total_price.is_some_and(|shown| shown != checkout.priced.total_price) {
        let quote = checkout.quote().to_json().unwrap_or_default();
        return Err(Problem::new(Code::ORDER_PRICE_CHANGED).with("quote", quote));
    }
    let mut order = store::insert(tx, caller, sent, &checkout, is_test).await?;
    if let Some(sender) = sender {
        sender.note(tx, restaurant, order.row.id, checkout.now).await?;
    }
    if order.row.status == OrderStatus::Succeeded {
        let address = checkout.facts.contact_email.as_deref().unwrap_or_default();
        let tell_restaurant = !address.is_empty() && !taken_by_staff(caller, sent.platform);
        arrive(tx, &checkout.facts, &mut order, checkout.now, tell_restaurant).await?;
    } else {
        let expires_at = checkout.now.plus_minutes(PAYABLE_FOR);
        events::publish(tx, &Event::Received { order: event_order(&order), expires_at }).await?;
    }
    Ok(order)
}

/// Takes what the order needs for itself: a place among the guest's waiting orders, and the pieces.
///
/// # Errors
/// `ORDER_NOT_ACCEPTABLE` with the reasons, `TOO_MANY_WAITING_ORDERS`.
async fn take(
    tx: &TenantTx,
    checkout: &mut PricedCart,
    sender: Option<&Sender>,
    is_test: bool,
) -> Result<()> {
    if checkout.reasons.is_empty() {
        if let Some(sender) = sender {
            sender.check(tx, &checkout.facts, checkout.now).await?;
        }
        if !is_test {
            checkout.reasons = take_quantities(tx, checkout.facts.id, &checkout.cart).await?;
        }
    }
    if checkout.reasons.is_empty() {
        return Ok(());
    }
    let reasons = checkout.reasons.iter().map(|reason| cart::reason(reason).to_json().unwrap_or_default());
    Err(Problem::new(Code::ORDER_NOT_ACCEPTABLE).with("reasons", reasons.collect::<Vec<_>>().into()))
}

fn event_order(order: &Order) -> EventOrder {
    let row = &order.row;
    EventOrder {
        id: row.id,
        restaurant: row.restaurant_id,
        counter: row.counter.clone(),
        status: row.status,
        has_email: row.email.is_some(),
    }
}

/// The restaurant gets an order that is `succeeded`: from now on it has a counter and stands in the fresh
/// list. Nothing but the stored answer is written after this: it locks the restaurant's counter.
async fn arrive(
    tx: &TenantTx,
    facts: &Facts,
    order: &mut Order,
    now: Timestamp,
    tell_restaurant: bool,
) -> Result<()> {
    // A preorder rings when the kitchen should see it.
    let due_at = (order.row.is_preorder && order.row.show_at > now).then_some(order.row.show_at);
    let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
    let day = BusinessDay::of(now, zone, reset);
    let number =
        store::Number { now, day, ends: day.end(zone, reset), prefix: facts.counter_prefix.as_deref() };
    let event = Event::Arrived { order: event_order(order), due_at, tell_restaurant };
    order.row.counter = Some(number.give(tx, &event, order.row.is_test).await?);
    Ok(())
}

/// Whether an order counts nowhere: those of test keys, and what people of the restaurant call a try.
fn is_test(caller: &Caller, order: &NewOrder) -> bool {
    match caller {
        Caller::Key { test, .. } => *test,
        Caller::Person { .. } => order.is_test == Some(true),
    }
}

/// Who ordered and where it goes: a delivery needs an address, and a guest who is not at a table a name and a
/// phone.
fn check_guest(order: &NewOrder, fulfilment: Fulfilment, facts: &Facts) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    let blank = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    if fulfilment == Fulfilment::Delivery && order.delivery_data.is_none() {
        problem = problem.key("delivery_data", Fault::Required);
    }
    if fulfilment != Fulfilment::Here
        && !matches!(order.platform, OrderPlatform::TakeAway | OrderPlatform::KioskTakeAway)
    {
        if blank(&order.first_name) && blank(&order.last_name) {
            problem = problem.key("last_name", Fault::Required);
        }
        if blank(&order.phone_1) {
            problem = problem.key("phone_1", Fault::Required);
        }
    }
    if order.locale.as_deref().is_some_and(|locale| !matches!(locale, "hu" | "en")) {
        problem = problem.key("locale", Fault::Enum);
    }
    if order.total_price.is_some_and(|total| total != total.round(facts.currency)) {
        problem = problem.key("total_price", Fault::Invalid);
    }
    problem.if_any()
}

/// Takes the pieces from what can be sold; the lines that came too late.
async fn take_quantities(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    cart: &pricing::Cart,
) -> Result<Vec<pricing::Reason>> {
    let mut pieces: Vec<(Uuid, i32)> = Vec::new();
    for item in &cart.items {
        match pieces.iter_mut().find(|(id, _)| *id == item.subproduct_id) {
            Some((_, count)) => *count += i32::from(item.quantity),
            None => pieces.push((item.subproduct_id, item.quantity.into())),
        }
    }
    let missing = catalogue::take_quantities(tx, restaurant, &pieces).await?;
    let late = cart.items.iter().enumerate().filter(|(_, item)| missing.contains(&item.subproduct_id));
    Ok(late.map(|(index, _)| cart::sold_out(index)).collect())
}

//! The public scope: quoting a cart, taking an order, following it.

use access::{Caller, GuestAddress, Idempotency, Stored, prelude::*};
use kernel::time::BusinessDay;
use payments::ChosenMethod;
use poem_openapi::types::ToJSON;
use pricing::Fulfilment;
use restaurants::Facts;
use serde_json::json;
use uuid::Uuid;

use crate::{
    cart::{self, CartInput},
    emails::{self, EmailKind},
    input::{Cart, NewOrder},
    jobs, read, store,
    types::{Order, OrderId, OrderPlatform, OrderStatus, Quote},
    waiting::Sender,
};

pub(crate) struct PublicOrders;

/// Orders that staff take (phone, till) obey only item and delivery rules.
fn taken_by_staff(caller: &Caller, platform: OrderPlatform) -> bool {
    matches!(caller, Caller::Person { .. })
        && matches!(platform, OrderPlatform::Phone | OrderPlatform::TakeAway | OrderPlatform::SitIn)
}

/// Whether the cart may be paid as it is wanted. Without a method it is said later: at the table, at the
/// till.
fn payable(method: Option<&ChosenMethod>, platform: OrderPlatform, cart: &pricing::Cart) -> bool {
    method.is_none_or(|method| method.pays(platform.pays_as(), cart.fulfilment() == Fulfilment::Delivery))
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicOrders {
    /// Prices a cart.
    ///
    /// The same rules price the order. `acceptable` says whether it would be taken now, `reasons` every
    /// reason why not.
    #[oai(path = "/orders/quote", method = "post", operation_id = "orders_quote")]
    async fn quote(&self, scope: In<Public, perm::OrdersWrite>, body: Body<Cart>) -> Result<Json<Quote>> {
        let Cart {
            platform,
            pickup,
            expected_at,
            items,
            tip,
            courier_tip,
            payment_method_id,
            payment_method,
        } = &*body;
        let wanted = CartInput {
            platform: *platform,
            pickup: *pickup,
            expected_at: *expected_at,
            items,
            tip: *tip,
            courier_tip: *courier_tip,
        };
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let cart = wanted.cart(&facts)?;
        let method =
            payments::chosen(&tx, scope.restaurant(), *payment_method_id, payment_method.as_deref()).await?;
        let snapshot = catalogue::snapshot(&tx, scope.restaurant(), &wanted.subproducts()).await?;
        let config = cart::config(
            &facts,
            taken_by_staff(scope.caller(), *platform),
            payable(method.as_ref(), *platform, &cart),
        );
        let reasons = pricing::acceptable(&snapshot.catalogue, &cart, &config);
        let priced = cart::price(&snapshot, &cart, &config)?;
        Ok(Json(cart::quote(&facts, &snapshot, &priced, &reasons)))
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
        let restaurant = scope.restaurant();
        let order = body.into_inner();
        let facts = restaurants::facts(&tx, restaurant).await?;
        let wanted = CartInput {
            platform: order.platform,
            pickup: order.pickup,
            expected_at: order.expected_at,
            items: &order.items,
            tip: order.tip,
            courier_tip: order.courier_tip,
        };
        let cart = wanted.cart(&facts)?;
        check_guest(&order, cart.fulfilment(), &facts)?;
        let is_test = is_test(scope.caller(), &order);
        let sender = Sender::of(scope.caller(), address, &order, cart.fulfilment(), &facts)?;
        let method =
            payments::chosen(&tx, restaurant, order.payment_method_id, order.payment_method.as_deref())
                .await?;

        let snapshot = catalogue::snapshot(&tx, restaurant, &wanted.subproducts()).await?;
        let payable = payable(method.as_ref(), order.platform, &cart);
        let config = cart::config(&facts, taken_by_staff(scope.caller(), order.platform), payable);
        let mut reasons = pricing::acceptable(&snapshot.catalogue, &cart, &config);
        let priced = cart::price(&snapshot, &cart, &config)?;
        if let Some(sender) = sender.as_ref().filter(|_| reasons.is_empty()) {
            sender.check(&tx, &facts, config.now).await?;
        }
        if reasons.is_empty() && !is_test {
            reasons = take_quantities(&tx, restaurant, &cart).await?;
        }
        if !reasons.is_empty() {
            let reasons: Vec<_> =
                reasons.iter().map(|reason| cart::reason(reason).to_json().unwrap_or_default()).collect();
            return Err(Problem::new(Code::ORDER_NOT_ACCEPTABLE).with("reasons", reasons.into()));
        }
        if order.total_price.is_some_and(|shown| shown != priced.total_price) {
            let quote = cart::quote(&facts, &snapshot, &priced, &[]);
            return Err(
                Problem::new(Code::ORDER_PRICE_CHANGED).with("quote", quote.to_json().unwrap_or_default())
            );
        }

        let id: Id<OrderId> = Id::new();
        let paid_online = method.as_ref().is_some_and(|method| method.paid_online);
        let status = if paid_online { OrderStatus::Received } else { OrderStatus::Succeeded };
        let show_at = match cart.expected_at {
            Some(expected_at) => config
                .now
                .max(expected_at.plus_minutes(-i64::from(facts.preorder_notification_mins_before_expected))),
            None => config.now,
        };
        let new = store::New {
            id,
            restaurant,
            caller: scope.caller(),
            order: &order,
            fulfilment: cart.fulfilment(),
            facts: &facts,
            status,
            is_test,
            payment_method: method.as_ref().map(|method| method.id),
            show_at,
            now: config.now,
            snapshot: &snapshot,
            priced: &priced,
        };
        store::insert(&tx, &new).await?;
        if let Some(sender) = sender {
            sender.note(&tx, restaurant, id, config.now).await?;
        }
        let mut order = read::order(&tx, restaurant, id).await?;
        if status == OrderStatus::Succeeded {
            arrive(&tx, &facts, &mut order, config.now).await?;
        } else {
            work::enqueue(
                &tx,
                jobs::EXPIRE,
                None,
                json!({ "order_id": id }),
                Some(config.now.plus_minutes(30).into()),
            )
            .await?;
        }
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
        let key = match scope.caller() {
            Caller::Key { id, .. } => Some(*id),
            Caller::Person { .. } => None,
        };
        if key.is_some() && store::key_of(&tx, scope.restaurant(), *id).await? != key {
            return Err(Problem::not_exist::<OrderId>());
        }
        Ok(Json(read::order(&tx, scope.restaurant(), *id).await?))
    }
}

/// The restaurant gets an order that is `succeeded`: from now on it has a counter and stands in the fresh
/// list, and the guest is told that it was received. Nothing but the stored answer is written after this.
async fn arrive(tx: &TenantTx, facts: &Facts, order: &mut Order, now: Timestamp) -> Result<()> {
    emails::enqueue(tx, order.id, order.email.as_deref(), EmailKind::Received).await?;
    // One that is wanted later rings when the kitchen should see it.
    let due = !order.is_preorder || order.show_at <= now;
    if !due {
        work::enqueue(
            tx,
            jobs::DUE,
            Some(&order.id.to_string()),
            json!({"order_id": order.id}),
            Some(order.show_at.into()),
        )
        .await?;
    }
    let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
    let day = BusinessDay::of(now, zone, reset);
    let number = store::Number {
        restaurant: facts.id,
        now,
        day,
        ends: day.end(zone, reset),
        prefix: facts.counter_prefix.as_deref(),
    };
    order.counter = Some(if order.is_test {
        number.of_test(tx, order.id, due).await?
    } else {
        number.give(tx, order.id, due).await?
    });
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

//! Operations of the public scope: quoting a cart, placing an order, reading its state.

use std::collections::BTreeMap;

use access::{Approver, Caller, First, GuestAddress, Idempotency, Pin, Stored, prelude::*};
use catalogue::Today;
use contract::Plugins;
use customers::{CountedOrder, ShadowCustomers};
use poem::web::Data;
use poem_openapi::types::ToJSON;
use pricing::{Fulfilment, ReasonKind};
use promotions::{Applied, Taking};
use restaurants::Facts;
use uuid::Uuid;
use work::events;

use crate::{
    at_once,
    checkout::{self, Checkout, PricedCart, taken_by_staff},
    coupons::Attempt,
    customer::{self, Identity},
    drawer,
    escalation::FIRST,
    events::{Event, EventOrder},
    input::{Cart, NewOrder},
    number::{Number, Numbered},
    payments, pays_with, price_change, quote, read,
    row::OrderRow,
    store::{self, NewRows},
    types::{Order, Quote},
    values::{OrderId, OrderPlatform, OrderStatus},
    waiting::Sender,
};

pub(crate) struct PublicOrders;

/// Whoever holds it may take something off an order.
const STAFF_DISCOUNT: &str = "pos_cart_discount";
/// Under which the answers to orders are kept.
const OPERATION: &str = "orders_create";
/// Minutes that an order has to be paid online.
const PAYABLE_FOR: i64 = 30;

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
        &self,
        scope: In<Public, perm::OrdersWrite>,
        address: GuestAddress,
        pin: Pin,
        body: Body<Cart>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<Quote>> {
        let guest = address.counted(scope.caller())?;
        let attempt = Attempt::take(&scope, guest.as_deref(), body.code()).await?;
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
    /// codes: ORDER_NOT_ACCEPTABLE, ORDER_PRICE_CHANGED, CONFLICT, TOO_MANY_WAITING_ORDERS
    #[oai(path = "/orders", method = "post", operation_id = "orders_create")]
    async fn create(
        &self,
        scope: In<Public, perm::OrdersWrite>,
        address: GuestAddress,
        pin: Pin,
        key: IdempotencyKey,
        body: Body<NewOrder>,
        plugins: Data<&Plugins>,
    ) -> Result<Stored<Order>> {
        let guest = address.counted(scope.caller())?;
        let attempt = match Attempt::take(&scope, guest.as_deref(), body.cart.code()).await {
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

/// Prices a cart for whoever asks.
async fn quote(
    scope: &In<Public, perm::OrdersWrite>,
    pin: &Pin,
    cart: &Cart,
    attempt: &Attempt,
    plugins: &Plugins,
) -> Result<Quote> {
    let approver = if pin.is_sent() { approver(scope, pin, cart).await? } else { None };
    let geocoded = cart.geocode(scope, plugins).await?;
    let tx = scope.begin().await?;
    let settings = checkout::settings(&tx, scope.restaurant(), cart, false).await?;
    let checkout = Checkout::new(settings, scope.caller(), cart, approver, geocoded)?;
    let (phone, email) = customer::known_by(cart, &checkout.facts);
    let quote = checkout.quote(&tx, scope.caller(), cart, attempt).await?;
    tx.commit().await?;
    for known_by in phone.iter().chain(&email) {
        customers::count_asked(scope, known_by).await?;
    }
    Ok(quote)
}

/// The answer that was given under this key before; none when there was none.
async fn replayed(
    scope: &In<Public, perm::OrdersWrite>,
    key: &IdempotencyKey,
    body: &Body<NewOrder>,
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
    scope: &In<Public, perm::OrdersWrite>,
    body: Body<NewOrder>,
    sending: Sending<'_>,
) -> Result<Stored<Order>> {
    let Sending { pin, key, guest, attempt, plugins } = sending;
    let approver = approver(scope, pin, &body.cart).await?;
    let geocoded = body.cart.geocode(scope, plugins).await?;
    let tx = scope.begin().await?;
    let first = match key.begin(scope, &tx, OPERATION, body.raw()).await? {
        Idempotency::Replay(answer) => return Ok(answer),
        Idempotency::First(first) => first,
    };
    let (restaurant, caller) = (scope.restaurant(), scope.caller());
    let accepts = scope.may(at_once::RIGHT);
    let placing = Placing { tx: &tx, restaurant, caller, accepts, attempt, geocoded };
    let body = body.into_inner();
    match placing.place(&body, guest, approver, first).await {
        Ok(answer) => {
            tx.commit().await?;
            Ok(answer)
        }
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
                let (phone, email) = customer::known_by(&body.cart, &facts);
                for known_by in phone.iter().chain(&email) {
                    customers::count_asked(scope, known_by).await?;
                }
            }
            Err(problem)
        }
    }
}

/// Where an order is placed, and by whom.
pub(crate) struct Placing<'a> {
    pub tx: &'a TenantTx,
    pub restaurant: Id<Restaurant>,
    pub caller: &'a Caller,
    /// Whether the caller may accept orders.
    pub accepts: bool,
    pub attempt: &'a Attempt,
    /// Where its address was found, if somebody was asked.
    pub geocoded: Option<(f64, f64)>,
}

impl Placing<'_> {
    /// Takes an order that is sent: checked, priced, written, and given to the restaurant unless it is paid
    /// online first. Its answer is kept.
    async fn place(
        &self,
        sent: &NewOrder,
        guest: Option<String>,
        approver: Option<Approver>,
        first: First,
    ) -> Result<Stored<Order>> {
        let Self { tx, restaurant, caller, accepts, attempt, geocoded } = *self;
        let settings = checkout::settings(tx, restaurant, &sent.cart, true).await?;
        let checkout = Checkout::new(settings, caller, &sent.cart, approver, geocoded)?;
        check_guest(sent, checkout.cart.fulfilment(), &checkout.facts)?;
        let sender = Sender::of(caller, guest, sent, checkout.cart.fulfilment(), &checkout.facts);
        let is_test = is_test(caller, sent);
        let identity = Identity::of(tx, &checkout.facts, caller, &sent.cart).await?;
        let found = if is_test { None } else { identity.make(tx, &checkout.facts, sent).await? };
        let customer = if is_test { identity.find(tx).await? } else { found.map(|found| found.id) };
        let whose = (customer, identity.priced(customer));
        let mut checkout = checkout.price(tx, &sent.cart, whose, attempt).await?;
        if is_test && matches!(caller, Caller::Person { .. }) {
            // Staff try an order when they have time, which is often while the restaurant is closed.
            checkout.reasons.retain(|reason| reason.reason != ReasonKind::Closed);
        }
        refuse(&checkout.reasons)?;
        price_change::check(sent, &checkout, caller)?;
        let method = checkout.method.as_ref().map(|method| method.payment_key.as_str());
        let cash =
            pays_with::fault(sent.pays_with, checkout.priced.total_price, method, checkout.facts.currency);
        Problem::new(Code::VALIDATION_FAILED).keys(cash).if_any()?;
        if let Some(sender) = &sender {
            sender.check(tx, &checkout.facts, checkout.now).await?;
        }
        let id = Id::new();
        let new = store::New { id, caller, sent, checkout: &checkout, sender: sender.as_ref(), is_test };
        let mut rows = new.rows();
        at_once::accept(&mut rows.order, &checkout, caller, accepts);
        // As late as can be: other orders of the same promotion or size wait from here to the commit.
        if !is_test {
            let fills = found.is_some_and(|found| identity.fills(found));
            self.count((customer, fills), &rows.order, sent, &checkout).await?;
            take_quantities(tx, &checkout, &[]).await?;
        }
        if rows.order.status != OrderStatus::Received {
            let address = checkout.facts.contact_email.as_deref().unwrap_or_default();
            let tell_restaurant = !address.is_empty() && !taken_by_staff(caller, sent.cart.platform);
            return arrive(tx, &new, rows, tell_restaurant, first).await;
        }
        new.insert(tx, &rows).await?;
        store::write_entry(tx, id, Some(checkout.day)).await?;
        let expires_at = checkout.now.plus_minutes(PAYABLE_FOR);
        events::publish(tx, &Event::Received { order: event_order(&rows.order), expires_at }).await?;
        let answer = Stored::new(201, &told(new.answer(rows), caller));
        first.keep(tx, &answer).await?;
        Ok(answer)
    }

    /// The order is among those of its customer, and its address among the customer's if it `fills` them; it takes one use of each
    /// promotion that applies. When another order has taken the last one meanwhile, this one is done again: it is
    /// then priced without the promotion, and refused when its guest was shown another price or named a coupon
    /// that is used up.
    pub async fn count(
        &self,
        (customer, fills): (Option<Id<ShadowCustomers>>, bool),
        order: &OrderRow,
        sent: &NewOrder,
        checkout: &PricedCart,
    ) -> Result<()> {
        let used = checkout.priced.promotions.iter().filter(|outcome| outcome.reason.is_none());
        let used = used.map(|outcome| Applied { promotion: outcome.promotion_id, amount: outcome.amount });
        let taking = Taking {
            order: order.id.uuid(),
            restaurant: checkout.facts.id,
            day: checkout.day,
            customer: checkout.customer.map(Id::uuid),
            code: sent.cart.code(),
            now: checkout.now,
        };
        let counts = order.status != OrderStatus::Received;
        let counted = customer.map(|customer| CountedOrder {
            customer,
            restaurant: self.restaurant,
            total: counts.then_some(order.total_price.0),
            at: checkout.now,
        });
        let lost = promotions::take(self.tx, taking, &used.collect::<Vec<_>>(), counted).await?;
        // No answer: anonymised since the customer was found, so the guest is somebody new.
        if lost.is_none_or(|lost| !lost.is_empty()) {
            return Err(Problem::overtaken());
        }
        let Some(customer) = customer else { return Ok(()) };
        let address = order.delivery_data.as_ref().filter(|_| !order.pickup);
        match address.and_then(|address| serde_json::to_value(address).ok()) {
            Some(address) => customers::note_address(self.tx, customer, address, checkout.now, fills).await,
            None => Ok(()),
        }
    }
}

pub(crate) fn refuse(reasons: &[pricing::Reason]) -> Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons = reasons.iter().map(|reason| quote::reason(reason).to_json().unwrap_or_default());
    Err(Problem::new(Code::ORDER_NOT_ACCEPTABLE).with("reasons", reasons.collect::<Vec<_>>().into()))
}

fn event_order(row: &OrderRow) -> EventOrder {
    EventOrder {
        id: row.id,
        restaurant: row.restaurant_id,
        counter: row.counter.clone(),
        status: row.status,
        has_email: row.email.is_some(),
    }
}

/// Writes an order that the restaurant gets: it has a counter and stands in the fresh list. But for the events of an
/// order that is accepted at once nothing is written after this: it locks the restaurant's counter.
async fn arrive(
    tx: &TenantTx,
    new: &store::New<'_>,
    mut rows: NewRows,
    tell_restaurant: bool,
    first: First,
) -> Result<Stored<Order>> {
    let PricedCart { facts, now, day, .. } = new.checkout;
    let order = &mut rows.order;
    // A preorder rings when the kitchen should see it.
    let due_at = (order.is_preorder && order.show_at > *now).then_some(order.show_at);
    let ends = day.end(facts.schedule.zone, facts.order_reset_time);
    let number = Number { now: *now, day: *day, ends, prefix: facts.counter_prefix.as_deref() };
    let visible_at = order.show_at.max(*now);
    order.visible_at = Some(visible_at);
    let waits = facts.escalate_after_minutes.filter(|_| order.accepted_at.is_none());
    let escalate_at = waits.map(|minutes| visible_at.plus_minutes(minutes.into()));
    let mut told_of = event_order(order);
    let (accepted_at, closed) = (order.accepted_at, order.closed_at.is_some());
    let event = Event::Arrived { order: told_of.clone(), due_at, tell_restaurant, escalate_at };
    let values = new.values(&rows)?;
    // The answer is kept by the statement that gives the counter. No text of the order is like this one.
    let mark = Uuid::now_v7().to_string();
    rows.order.counter = Some(mark.clone());
    let text = told(new.answer(rows), new.caller).to_json_string();
    let (before, after) = text.split_once(&format!("\"{mark}\"")).ok_or(Code::UNKNOWN_ERROR)?;
    let answer = first.keeping(201, before, after);
    if accepted_at.is_some() {
        // Its row is locked after those of customers, promotions and sizes.
        drawer::wait_for_the_end(tx, facts.id, ends).await?;
    }
    let counter = number.give(tx, Numbered { rows: values, answer, is_test: new.is_test }, &event).await?;
    told_of.counter = Some(counter.clone());
    payments::publish(tx, &at_once::events(&told_of, accepted_at, closed)).await?;
    Ok(Stored::written(201, format!("{before}{}{after}", serde_json::Value::from(counter))))
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
    if fulfilment == Fulfilment::Delivery && order.cart.delivery_data.is_none() {
        problem = problem.key("delivery_data", Fault::Required);
    }
    if fulfilment != Fulfilment::Here
        && !matches!(order.cart.platform, OrderPlatform::TakeAway | OrderPlatform::KioskTakeAway)
    {
        if blank(&order.first_name) && blank(&order.last_name) {
            problem = problem.key("last_name", Fault::Required);
        }
        if blank(&order.cart.phone_1) {
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

/// Takes the pieces of what is sold in limited numbers, those of components, options and gifts with them. Of what
/// another order gives back (`returned`) only the difference is moved.
///
/// # Errors
/// `ORDER_NOT_ACCEPTABLE` with the lines that came too late. Where a gift is among what is short, the order
/// is done again: it goes on without the gift when that is enough.
pub(crate) async fn take_quantities(
    tx: &TenantTx,
    checkout: &PricedCart,
    returned: &[(Uuid, i32)],
) -> Result<()> {
    let PricedCart { facts, snapshot, priced, now, .. } = checkout;
    let counted =
        |id: &Uuid| snapshot.catalogue.items.get(id).is_some_and(|item| item.sellable_quantity.is_some());
    let pieces = priced.pieces().into_iter().filter(|(id, _)| counted(id));
    let mut wanted: BTreeMap<Uuid, i32> =
        pieces.map(|(id, pieces)| (id, i32::try_from(pieces).unwrap_or(i32::MAX))).collect();
    for (id, pieces) in returned {
        *wanted.entry(*id).or_default() -= pieces;
    }
    let today = Today::of(facts, *now);
    if !returned.is_empty() {
        catalogue::lock_pieces(tx, facts.id, wanted.keys().copied().collect()).await?;
        let back = wanted.iter().filter(|(_, pieces)| **pieces < 0).map(|(id, pieces)| (*id, -pieces));
        catalogue::give_back(tx, facts.id, &back.collect::<Vec<_>>(), today).await?;
    }
    let pieces: Vec<(Uuid, i32)> = wanted.into_iter().filter(|(_, pieces)| *pieces > 0).collect();
    if pieces.is_empty() {
        return Ok(());
    }
    let missing = catalogue::take_quantities(tx, facts.id, &pieces, today).await?;
    let short = |line: &pricing::PricedLine| {
        let parts = line.parts.iter().map(|part| part.subproduct_id);
        parts.chain([line.subproduct_id]).any(|id| missing.contains(&id))
    };
    let late: Vec<_> = priced.lines.iter().enumerate().filter(|(_, line)| short(line)).collect();
    if late.iter().any(|(_, line)| line.gift_of.is_some()) {
        return Err(Problem::overtaken());
    }
    let sold_out = |index| pricing::Reason {
        reason: ReasonKind::ItemSoldOut,
        item_index: Some(index),
        option_id: None,
        option_group_id: None,
        detail: None,
    };
    refuse(&late.into_iter().map(|(index, _)| sold_out(index)).collect::<Vec<_>>())
}

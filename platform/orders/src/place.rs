//! Placing an order, for every kind of sender: checked, priced, written, and given to the restaurant unless it is
//! paid online first. See `docs/decisions/orders.md#placing`.

use access::{Approver, Caller, prelude::*};
use checkout::{
    Attempt, Checkout, Identity, NewOrder, OrderPlatform, PricedCart, price_change, refuse, settings,
    take_quantities,
};
use customers::{CountedOrder, ShadowCustomers};
use payment_methods::ChosenMethod;
use pricing::{Fulfilment, ReasonKind};
use promotions::{Applied, Taking};
use restaurants::Facts;
use work::events;

use crate::{
    arrival::Arrival,
    at_once,
    callers::sent_by,
    drawer,
    events::{Event, EventOrder, publish_all},
    new_rows::{New, NewRows, text},
    number::Written,
    payments::online,
    pays_with,
    replacement::{Begun, Replaces},
    row::OrderRow,
    store::{self, PlacedBefore},
    types::Order,
    values::{OrderId, OrderStatus},
    waiting::Sender,
};

/// An order to be placed. What only a cart or a platform knows of it gets a field here with these.
pub struct Placement<'a> {
    pub restaurant: Id<Restaurant>,
    /// Its source: a person or a key. It says who vouches for the guest (`checkout::SentBy`); devices and platforms
    /// become further kinds of it.
    pub caller: &'a Caller,
    /// The source may accept orders: what staff take by hand is accepted at once where the restaurant says so.
    pub accepts: bool,
    /// The cart and the guest. A source sends an `external_id` once: a second order with it is the first one.
    pub sent: &'a NewOrder,
    pub approver: Option<Approver>,
    /// Where its address was found, if somebody was asked. Degrees north and east.
    pub geocoded: Option<(f64, f64)>,
    /// The guest's network address, where waiting orders are counted by it.
    pub guest: Option<String>,
    /// The attempt at its coupon code.
    pub attempt: &'a Attempt,
    /// Where the guest goes on after paying online: checked to be a page of the source or the restaurant.
    pub return_url: Option<&'a str>,
    /// The order whose place it takes.
    pub replaces: Option<Replaces<'a>>,
}

pub struct Placed {
    pub id: Id<OrderId>,
    /// Its number; none while it waits to be paid.
    pub counter: Option<String>,
    pub status: OrderStatus,
    /// The page on which the guest pays it, where it waits for that.
    pub pay: Option<PayPage>,
    /// False where the same source has placed it before.
    pub is_new: bool,
    /// As it is answered; not for one that was there, and not for one that replaces another.
    pub(crate) order: Option<Box<Order>>,
}

/// The page on which an order is paid.
pub struct PayPage {
    /// The secret in its address, which is kept as a digest only.
    pub token: String,
    /// When the order ends if it is not paid.
    pub expires_at: Timestamp,
}

/// Places an order. It locks the restaurant's counters, so nothing that others wait for follows in the transaction.
/// Errors: `ORDER_NOT_ACCEPTABLE` with every reason, `ORDER_PRICE_CHANGED` with the new quote,
/// `TOO_MANY_WAITING_ORDERS`, `VALIDATION_FAILED`; `UNAVAILABLE_SERVER` where another order took the last of
/// something meanwhile or came with the same `external_id`: the same call, in a transaction of its own, goes
/// on without it.
pub async fn place(tx: &TenantTx, placement: Placement<'_>) -> Result<Placed> {
    if let Some(before) = placement.before(tx).await? {
        return Ok(before);
    }
    let Placement { caller, sent, attempt, .. } = placement;
    let sent_by = sent_by(caller);
    let (begun, is_test) = match &placement.replaces {
        None => placement.begin(tx).await?,
        Some(replaces) => (replaces.begin(tx, sent).await?, placement.is_test()),
    };
    let Begun { checkout, sender, customer, priced_as, fills, returned, own } = begun;
    let checkout = checkout.returning(returned.clone());
    let mut checkout = checkout.price(tx, &sent.cart, (customer, priced_as), attempt).await?;
    if is_test && sent_by.is_staff() && placement.replaces.is_none() {
        // Staff try an order when they have time, which is often while the restaurant is closed.
        checkout.reasons.retain(|reason| reason.reason != ReasonKind::Closed);
    }
    refuse(&checkout.reasons)?;
    price_change::check(sent, &checkout, sent_by)?;
    let PricedCart { facts, method, priced, now, day, .. } = &checkout;
    let method = method.as_ref().map(|method| method.payment_key.as_str());
    let cash = pays_with::fault(sent.pays_with, priced.total_price, method, facts.currency);
    Problem::new(Code::VALIDATION_FAILED).keys(cash).if_any()?;
    if let Some(sender) = &sender {
        sender.check(tx, facts, *now).await?;
    }
    let id = Id::new();
    let new = New { id, caller, sent, checkout: &checkout, sender: sender.as_ref(), is_test };
    let mut rows = new.rows();
    if rows.order.status == OrderStatus::Received && rows.order.email.is_none() {
        // Providers want it, and the guest hears by it what became of the money.
        return Err(Problem::new(Code::VALIDATION_FAILED).key("email", Fault::Required));
    }
    let changes = match &placement.replaces {
        None => {
            at_once::accept(&mut rows.order, &checkout, caller, placement.accepts);
            Vec::new()
        }
        Some(replaces) => replaces.take_over(&mut rows),
    };
    // As late as can be: other orders of the same promotion or size wait from here to the commit.
    if !is_test {
        count(tx, (customer, fills), &rows.order, sent, &checkout).await?;
        take_quantities(tx, &checkout, &returned).await?;
    }
    if let Some(replaces) = &placement.replaces {
        let counter = replaces.give_way(tx, &checkout, &rows, changes, &own).await?;
        return Ok(Placed {
            id,
            counter: Some(counter),
            status: rows.order.status,
            pay: None,
            is_new: true,
            order: None,
        });
    }
    let mut pay = None;
    if rows.order.status == OrderStatus::Received {
        new.insert(tx, &rows).await?;
        store::write_entry(tx, id, Some(*day)).await?;
        let page = open_page(tx, facts, id, placement.return_url, *now).await?;
        let expires_at = page.expires_at;
        events::publish(tx, &Event::Received { order: rows.order.in_events(), expires_at }).await?;
        pay = Some(page);
    } else {
        let address = facts.contact_email.as_deref().unwrap_or_default();
        let tell_restaurant = !address.is_empty() && !sent_by.takes(sent.cart.platform);
        arrive(tx, &new, &mut rows, tell_restaurant).await?;
    }
    let (counter, status) = (rows.order.counter.clone(), rows.order.status);
    Ok(Placed { id, counter, status, pay, is_new: true, order: Some(Box::new(new.answer(rows))) })
}

impl Placement<'_> {
    /// Whether the order counts nowhere: those of test keys, and what people of the restaurant call a try.
    fn is_test(&self) -> bool {
        match self.caller {
            Caller::Key { test, .. } => *test,
            Caller::Person { .. } => self.sent.is_test == Some(true),
        }
    }

    /// The order that this source has placed with this `external_id`.
    async fn before(&self, tx: &TenantTx) -> Result<Option<Placed>> {
        let Caller::Key { id: key, .. } = self.caller else { return Ok(None) };
        let Some(external_id) = text(self.sent.external_id.as_deref()) else { return Ok(None) };
        let before = store::placed_before(tx, self.restaurant, *key, external_id).await?;
        Ok(before.map(|PlacedBefore { id, counter, status }| Placed {
            id,
            counter,
            status,
            pay: None,
            is_new: false,
            order: None,
        }))
    }

    /// The cart by itself, and whose it is; whether it is a test: those that are paid at a provider's host for tests are.
    async fn begin(&self, tx: &TenantTx) -> Result<(Begun, bool)> {
        let Self { restaurant, caller, sent, geocoded, .. } = *self;
        let sent_by = sent_by(caller);
        let settings = settings(tx, restaurant, &sent.cart, true, caller.is_test_key()).await?;
        let method = settings.1.as_ref().ok().and_then(Option::as_ref);
        let is_test = self.is_test() || method.is_some_and(ChosenMethod::is_paid_for_tests);
        let checkout = Checkout::new(settings, sent_by, &sent.cart, self.approver.clone(), geocoded)?;
        if sent.cart.staff_discount.is_some() && self.approver.is_none() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("staff_discount", Fault::Invalid));
        }
        check_guest(sent, checkout.cart.fulfilment(), &checkout.facts)?;
        let fulfilment = checkout.cart.fulfilment();
        let sender = Sender::of(caller, self.guest.clone(), sent, fulfilment, &checkout.facts);
        let identity = Identity::of(tx, &checkout.facts, sent_by, &sent.cart).await?;
        let found = if is_test { None } else { identity.make(tx, &checkout.facts, sent).await? };
        let customer = if is_test { identity.find(tx).await? } else { found.map(|found| found.id) };
        let begun = Begun {
            checkout,
            sender,
            customer,
            priced_as: identity.priced(customer),
            fills: found.is_some_and(|found| identity.fills(found)),
            returned: Vec::new(),
            own: Vec::new(),
        };
        Ok((begun, is_test))
    }
}

/// Of the address of a page on which an order is paid.
pub const PAY: &str = "pay";
/// Hours after which such an address is taken away; the page is gone a day after the payment has ended.
const KEPT: i64 = 48;

async fn open_page(
    tx: &TenantTx, facts: &Facts, id: Id<OrderId>, return_url: Option<&str>, now: Timestamp,
) -> Result<PayPage> {
    let expires_at = online::open(tx, facts, id, return_url, now).await?;
    let ends_at = Some(now.plus_minutes(KEPT * 60));
    let token = callbacks::open_until(tx, facts.id, PAY, id.uuid(), ends_at).await?;
    Ok(PayPage { token, expires_at })
}

/// The order is among those of its customer, and its address among the customer's if it `fills` them; it takes one use of each
/// promotion that applies. When another order has taken the last one meanwhile, this one is done again: it is
/// then priced without the promotion, and refused when its guest was shown another price or named a coupon
/// that is used up.
pub async fn count(
    tx: &TenantTx, (customer, fills): (Option<Id<ShadowCustomers>>, bool), order: &OrderRow, sent: &NewOrder,
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
        restaurant: checkout.facts.id,
        total: counts.then_some(order.total_price.0),
        at: checkout.now,
    });
    let lost = promotions::take(tx, taking, &used.collect::<Vec<_>>(), counted).await?;
    // No answer: anonymised since the customer was found, so the guest is somebody new.
    if lost.is_none_or(|lost| !lost.is_empty()) {
        return Err(Problem::overtaken());
    }
    let Some(customer) = customer else { return Ok(()) };
    let address = order.delivery_data.as_ref().filter(|_| !order.pickup);
    match address.and_then(|address| serde_json::to_value(address).ok()) {
        Some(address) => customers::note_address(tx, customer, address, checkout.now, fills).await,
        None => Ok(()),
    }
}

/// Writes an order that the restaurant gets.
async fn arrive(tx: &TenantTx, new: &New<'_>, rows: &mut NewRows, tell_restaurant: bool) -> Result<()> {
    let PricedCart { facts, now, day, .. } = new.checkout;
    let order = &mut rows.order;
    let (accepted_at, closed) = (order.accepted_at, order.closed_at.is_some());
    let arrival = Arrival {
        order: order.in_events(),
        is_test: new.is_test,
        is_preorder: order.is_preorder,
        show_at: order.show_at,
        waits: accepted_at.is_none(),
        tell_restaurant,
        now: *now,
        day: *day,
    };
    order.visible_at = Some(arrival.visible_at());
    if accepted_at.is_some() {
        // Its row is locked after those of customers, promotions and sizes.
        drawer::wait_for_the_end(tx, facts.id, day.end(facts.schedule.zone, facts.order_reset_time)).await?;
    }
    let written = Written::Now(Box::new(new.values(rows)?));
    let counter = arrival.give(tx, facts, written).await?;
    let order = EventOrder { counter: Some(counter.clone()), ..arrival.order };
    publish_all(tx, &at_once::events(&order, accepted_at, closed)).await?;
    rows.order.counter = Some(counter);
    Ok(())
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

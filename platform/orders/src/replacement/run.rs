//! One change of an order's items, from what was sent to what is written. Everything is locked in the order of
//! `docs/decisions/orders.md#changing-items`: the order, its customer, promotions, sizes, the restaurant's counter.

use access::{Approver, Caller, prelude::*};
use customers::ShadowCustomers;
use kernel::money::Money;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    cart::{self, Replacement},
    lines::compare,
    store,
};
use crate::{
    change::may_change,
    checkout::{self, Checkout, PricedCart},
    coupons::Attempt,
    customer::{Identity, vouched},
    drawer,
    escalation::{self, THIRD},
    events::{Event, EventOrder, LineChange},
    fresh,
    input::NewOrder,
    number::Number,
    partial_storno::Lines,
    payments::{self, Account, OwnMoney, Till, under_way},
    pieces,
    place::{Placing, refuse, take_quantities},
    price_change, read,
    row::OrderRow,
    state::Actor,
    store::{New, NewRows, insert_replacing, write_entry},
    values::{OrderId, OrderPlatform, OrderStatus},
};

/// Who changes what.
pub(super) struct Replacing<'a> {
    pub tx: &'a TenantTx,
    pub restaurant: Id<Restaurant>,
    pub caller: &'a Caller,
    pub sent: &'a Replacement,
    pub attempt: &'a Attempt,
    pub now: Timestamp,
}

/// The old order, locked.
pub(super) struct Old {
    pub account: Account,
    pub row: OrderRow,
    pub lines: Lines,
    platform: OrderPlatform,
}

/// What is left to the caller: the audit log, and publishing the events.
pub(super) struct Replaced {
    pub id: Id<OrderId>,
    pub events: Vec<Event>,
    pub details: Json,
}

impl Replacing<'_> {
    /// Locks the order, if its items can be changed.
    ///
    /// # Errors
    /// `ORDER_NOT_EXIST`; `ORDER_STATE_CHANGED` with the `reason`.
    pub async fn lock(&self, id: Id<OrderId>) -> Result<Old> {
        let tx = self.tx;
        let account = Account::lock(tx, self.restaurant, id).await?;
        let (row, lines) = read::rows(tx, self.restaurant, id).await?;
        let over = account.archived_at.is_some() || account.order_parent_id.is_some();
        let platform = OrderPlatform::of(&row.platform);
        let reason = if row.replaced_by_id.is_some() {
            Some("replaced".to_owned())
        } else if !may_change(row.status, over) {
            Some("state".to_owned())
        } else if self.sent.version.is_some_and(|version| version != row.version) {
            Some("version".to_owned())
        } else if platform.is_none() {
            Some("platform".to_owned())
        } else if store::has_stornos(tx, id).await? {
            Some("partial_storno".to_owned())
        } else {
            under_way(tx, id).await?
        };
        match (reason, platform) {
            (None, Some(platform)) => Ok(Old { account, row, lines, platform }),
            (reason, _) => {
                let problem = fresh::changed(tx, self.restaurant, id).await?;
                Err(problem.with("reason", reason.into()))
            }
        }
    }

    /// What the order would cost by now. It gives back what the old one has used, so the transaction is not to be
    /// committed.
    ///
    /// # Errors
    /// As [`Checkout::price`].
    pub async fn rehearse(&self, old: &Old) -> Result<(PricedCart, NewRows)> {
        let (sent, checkout) = self.checkout(old, false).await?;
        if !old.row.is_test {
            promotions::give_back(self.tx, old.row.id.uuid(), self.now).await?;
        }
        let returned = self.returned(old, &checkout).await?;
        let checkout = self.price(old, &sent, checkout, returned).await?;
        let (rows, _) = self.rows(old, Id::new(), &sent, &checkout);
        Ok((checkout, rows))
    }

    /// Archives the order and writes the one that takes its place.
    ///
    /// # Errors
    /// `ORDER_NOT_ACCEPTABLE`, `ORDER_PRICE_CHANGED`, `VALIDATION_FAILED`.
    pub async fn run(&self, old: &Old, approver: &Approver) -> Result<Replaced> {
        let tx = self.tx;
        let (sent, checkout) = self.checkout(old, true).await?;
        let (old_id, facts) = (old.row.id, checkout.facts.clone());
        let actor = Actor::Caller(self.caller, &|_| true);
        let till = Till { tx, facts: &facts, actor, now: self.now };
        let own = self.take_off(old, till).await?;
        let returned = self.returned(old, &checkout).await?;
        let checkout = self.price(old, &sent, checkout, returned.clone()).await?;
        refuse(&checkout.reasons)?;
        price_change::check(&sent, &checkout, self.caller)?;
        let id = Id::new();
        let (rows, changes) = self.rows(old, id, &sent, &checkout);
        if !old.row.is_test {
            let Self { restaurant, caller, attempt, .. } = *self;
            let placing = Placing { tx, restaurant, caller, accepts: false, attempt, geocoded: None };
            // The address is the old order's, which has told the customer's.
            placing.count((self.customer(old), false), &rows.order, &sent, &checkout).await?;
            take_quantities(tx, &checkout, &returned).await?;
        }
        insert_replacing(tx, &rows.order, &rows.lines, actor).await?;
        write_entry(tx, id, Some(checkout.day)).await?;
        store::link(tx, (old_id, id), checkout.day, &changes).await?;
        till.put_onto(old_id, id, &own).await?;
        let totals = [old.row.total_price, rows.order.total_price];
        let told = json!({"approved_by": approver.name, "total_prices": totals});
        let with = |mut told: Json, field: &str, value: Json| {
            told[field] = value;
            told
        };
        payments::history(tx, old_id, "replaced", actor, with(told.clone(), "replaced_by_id", json!(id)))
            .await?;
        let counter = json!(old.row.counter);
        payments::history(tx, id, "replaces", actor, with(told.clone(), "counter", counter)).await?;
        let mut events = till.settle_storno(id).await?;
        events.extend(till.close(id).await?);
        let day_ends = checkout.day.end(facts.schedule.zone, facts.order_reset_time);
        if rows.order.status == OrderStatus::Processed {
            drawer::wait_for_the_end(tx, self.restaurant, day_ends).await?;
        }
        let prefix = facts.counter_prefix.as_deref();
        let number = Number { now: self.now, day: checkout.day, ends: day_ends, prefix };
        let counter = number.assign(tx, self.restaurant, id, old.row.is_test).await?;
        write_entry(tx, id, None).await?;
        let replaced = self.event(old, &rows.order, &counter, changes, facts.escalate_after_minutes);
        let events = std::iter::once(replaced).chain(events).map(|event| event.numbered(&counter)).collect();
        let details = with(told, "replaced_by_id", json!([null, id]));
        Ok(Replaced { id, events, details })
    }

    /// The new order as it would be sent, with the settings of now.
    async fn checkout(&self, old: &Old, live: bool) -> Result<(NewOrder, Checkout)> {
        let nothing = self.sent.order(&old.row, &old.lines, old.platform, true);
        let (facts, method) = checkout::settings(self.tx, self.restaurant, &nothing.cart, live).await?;
        let sent = if facts.is_courier_tip_available {
            nothing
        } else {
            self.sent.order(&old.row, &old.lines, old.platform, false)
        };
        let checkout = Checkout::by_staff((facts, method), &sent.cart, cart::geocoded(&old.row))?;
        Ok((sent, checkout))
    }

    /// Archives the old order and gives back what it has: money, points, its place among the orders of its customer,
    /// and uses of promotions. Pieces are given back with those that the new one takes. Answers what the customer's
    /// balance and points had paid.
    async fn take_off(&self, old: &Old, till: Till<'_>) -> Result<Vec<OwnMoney>> {
        let (tx, id) = (self.tx, old.row.id);
        let customer = self.customer(old);
        store::archive(tx, id, self.now).await?;
        if let Some(customer) = customer {
            customers::lock_ledgers(tx, customer).await?;
        }
        let own = till.take_off(id).await?;
        if !old.row.is_test {
            if let Some(customer) = customer {
                customers::count_orders(tx, customer, self.restaurant).await?;
            }
            promotions::exchange(tx, self.restaurant, id.uuid(), self.now).await?;
        }
        Ok(own)
    }

    /// The pieces that come back with the old order.
    async fn returned(&self, old: &Old, checkout: &Checkout) -> Result<Vec<(Uuid, i32)>> {
        let today = Some(checkout.facts.business_day(self.now));
        let comes =
            !old.row.is_test && pieces::return_to_sale(old.row.status, old.account.business_day, today);
        if comes { pieces::of(self.tx, old.row.id, pieces::LEFT).await } else { Ok(Vec::new()) }
    }

    async fn price(
        &self,
        old: &Old,
        sent: &NewOrder,
        checkout: Checkout,
        returned: Vec<(Uuid, i32)>,
    ) -> Result<PricedCart> {
        let customer = self.customer(old);
        let identity = Identity::kept(customer, vouched(&old.row));
        let whose = (customer, identity.priced(customer));
        checkout.returning(returned).price(self.tx, &sent.cart, whose, self.attempt).await
    }

    fn customer(&self, old: &Old) -> Option<Id<ShadowCustomers>> {
        old.account.customer_id
    }

    /// The rows of the new order, and what is another by line.
    fn rows(
        &self,
        old: &Old,
        id: Id<OrderId>,
        sent: &NewOrder,
        checkout: &PricedCart,
    ) -> (NewRows, Vec<LineChange>) {
        let is_test = old.row.is_test;
        let new = New { id, caller: self.caller, sent, checkout, sender: None, is_test };
        let mut rows = new.rows();
        rows.order = taken_over(rows.order, &old.row, self.sent.override_reason.is_some());
        let changes = compare(&old.lines, &mut rows.lines);
        (rows, changes)
    }

    fn event(
        &self,
        old: &Old,
        row: &OrderRow,
        counter: &str,
        lines: Vec<LineChange>,
        escalate_after: Option<i32>,
    ) -> Event {
        let order = EventOrder {
            id: row.id,
            restaurant: self.restaurant,
            counter: Some(counter.to_owned()),
            status: row.status,
            has_email: row.email.is_some(),
        };
        let due_at = (row.is_preorder && row.show_at > self.now).then_some(row.show_at);
        let since = row.visible_at.unwrap_or(row.show_at);
        let since = row.taken_back_at.map_or(since, |at| at.max(since));
        let waits = row.status == OrderStatus::Succeeded && row.escalation_level < THIRD;
        let escalate_at = escalate_after.filter(|_| waits).map(|minutes| {
            let first = row.escalation_level == escalation::FIRST;
            // At the second level the job itself knows when the next one is due.
            if first { since.plus_minutes(minutes.into()).max(row.show_at) } else { self.now }
        });
        Event::Replaced { order, old: old.account.event_order(), lines, due_at, escalate_at }
    }
}

/// The priced order with all of the old one that does not follow from its items.
fn taken_over(new: OrderRow, old: &OrderRow, reason_is_new: bool) -> OrderRow {
    let old = old.clone();
    let discounted = new.staff_discount.0 != Money::ZERO;
    let chosen_before = old.delivery_chosen_by.is_some() && !reason_is_new;
    let (chosen_by, chosen_by_name) = if chosen_before {
        (old.delivery_chosen_by, old.delivery_chosen_by_name)
    } else {
        (new.delivery_chosen_by, new.delivery_chosen_by_name)
    };
    OrderRow {
        status: old.status,
        is_preorder: old.is_preorder,
        first_name: old.first_name,
        last_name: old.last_name,
        email: old.email,
        phone_1: old.phone_1,
        customer_id: old.customer_id,
        payment_method_id: old.payment_method_id,
        approved_by: old.approved_by.filter(|_| discounted),
        approved_by_name: old.approved_by_name.filter(|_| discounted),
        expected_at: old.expected_at,
        show_at: old.show_at,
        visible_at: old.visible_at,
        delivery_time_minute: old.delivery_time_minute,
        pays_with: old.pays_with,
        table_id: old.table_id,
        admin_id: old.admin_id,
        admin_name: old.admin_name,
        courier_id: old.courier_id,
        delivery_data: old.delivery_data,
        delivery_chosen_by: chosen_by,
        delivery_chosen_by_name: chosen_by_name,
        replaces_id: Some(old.id.uuid()),
        api_key_id: old.api_key_id,
        accepted_at: old.accepted_at,
        accept_seconds: old.accept_seconds,
        taken_back_at: old.taken_back_at,
        escalation_level: old.escalation_level,
        escalated_at: old.escalated_at,
        ..new
    }
}

//! One change of an order's items, from the body to the rows. Everything is locked in the order of
//! `docs/decisions/orders.md#changing-items`: the order, its customer, promotions, sizes, the restaurant's counter.

use access::{Approver, Caller, prelude::*};
use checkout::{Attempt, Checkout, Identity, NewOrder, OrderPlatform, PricedCart, settings};
use customers::ShadowCustomers;
use kernel::money::Money;
use restaurants::Facts;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    cart::{self, Replacement},
    lines::compare,
    store,
};
use crate::{
    actor::Actor,
    drawer,
    events::{Event, EventOrder, LineChange, publish_all},
    new_rows::{New, NewRows},
    number::{Number, Written},
    payments::{self, Account, OwnMoney, Till, under_way},
    pieces, read,
    row::{Lines, OrderRow},
    state::may_change,
    store::{insert_replacing, write_entry},
    values::{OrderId, OrderStatus},
    wait::{FIRST, THIRD},
    waiting::Sender,
};

/// An order that is to be placed, after its cart was checked by itself.
pub(crate) struct Begun {
    pub checkout: Checkout,
    /// Whose waiting order it is, where they are counted.
    pub sender: Option<Sender>,
    pub customer: Option<Id<ShadowCustomers>>,
    pub priced_as: Option<pricing::Customer>,
    /// Its address may become one of the customer's.
    pub fills: bool,
    /// Pieces that come back with the order that it replaces.
    pub returned: Vec<(Uuid, i32)>,
    /// Balance and points that had paid that one.
    pub own: Vec<OwnMoney>,
}

/// The order whose place another takes, and what is changed.
pub struct Replaces<'a> {
    pub(super) old: &'a Old,
    pub(super) caller: &'a Caller,
    pub(super) change: &'a Replacement,
    pub(super) approver: &'a Approver,
    pub(super) now: Timestamp,
}

/// The old order, locked.
pub(super) struct Old {
    pub account: Account,
    pub row: OrderRow,
    pub lines: Lines,
    platform: OrderPlatform,
}

impl Old {
    /// Locks the order, if its items can be changed.
    /// Errors: `ORDER_NOT_EXIST`; `ORDER_STATE_CHANGED` with the `reason`.
    pub async fn lock(
        tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>, version: Option<i64>,
    ) -> Result<Self> {
        let account = Account::lock(tx, restaurant, id).await?;
        let (row, lines) = read::rows(tx, restaurant, id).await?;
        let over = account.archived_at.is_some() || account.order_parent_id.is_some();
        let platform = OrderPlatform::of(&row.platform);
        let reason = if row.replaced_by_id.is_some() {
            Some("replaced".to_owned())
        } else if !may_change(row.status, over) {
            Some("state".to_owned())
        } else if version.is_some_and(|version| version != row.version) {
            Some("version".to_owned())
        } else if platform.is_none() {
            Some("platform".to_owned())
        } else if store::has_stornos(tx, id).await? {
            Some("partial_storno".to_owned())
        } else {
            under_way(tx, id).await?
        };
        match (reason, platform) {
            (None, Some(platform)) => Ok(Self { account, row, lines, platform }),
            (reason, _) => {
                let problem = read::changed(tx, restaurant, id).await?;
                Err(problem.with("reason", reason.into()))
            }
        }
    }

    /// The order as it would be sent, with the settings of now.
    pub fn order(&self, change: &Replacement, facts: &Facts) -> NewOrder {
        change.order(&self.row, &self.lines, self.platform, facts.is_courier_tip_available)
    }

    /// What the order would cost by now. It gives back what the old one has used, so the transaction is not to be
    /// committed.
    pub async fn rehearse(
        &self, tx: &TenantTx, caller: &Caller, change: &Replacement, attempt: &Attempt, now: Timestamp,
    ) -> Result<(PricedCart, NewRows)> {
        let facts = restaurants::facts(tx, self.account.restaurant_id).await?;
        let sent = self.order(change, &facts);
        let checkout = self.checkout(tx, &sent, false).await?;
        if !self.row.is_test {
            promotions::give_back(tx, self.row.id.uuid(), now).await?;
        }
        let returned = self.returned(tx, &checkout.facts, now).await?;
        let customer = self.account.customer_id;
        let whose = (customer, self.priced_as());
        let checkout = checkout.returning(returned).price(tx, &sent.cart, whose, attempt).await?;
        let new = New {
            id: Id::new(),
            caller,
            sent: &sent,
            checkout: &checkout,
            sender: None,
            is_test: self.row.is_test,
        };
        let mut rows = new.rows();
        self.take_over(&mut rows, change);
        Ok((checkout, rows))
    }

    async fn checkout(&self, tx: &TenantTx, sent: &NewOrder, live: bool) -> Result<Checkout> {
        // It stays paid where it was placed to be.
        let test_key = self.row.is_test && self.row.api_key_id.is_some();
        let settings = settings(tx, self.row.restaurant_id, &sent.cart, live, test_key).await?;
        Checkout::by_staff(settings, &sent.cart, cart::geocoded(&self.row))
    }

    /// Its customer stays, as prices know one.
    fn priced_as(&self) -> Option<pricing::Customer> {
        let customer = self.account.customer_id;
        Identity::kept(customer, self.row.is_vouched()).priced(customer)
    }

    /// The pieces that come back with it.
    async fn returned(&self, tx: &TenantTx, facts: &Facts, now: Timestamp) -> Result<Vec<(Uuid, i32)>> {
        let comes =
            !self.row.is_test && pieces::return_to_sale(self.row.status, self.row.created_at, facts, now);
        if comes { pieces::of(tx, self.row.id, pieces::LEFT).await } else { Ok(Vec::new()) }
    }

    /// Writes into the new order all of the old one that stays; answers what is another by line.
    fn take_over(&self, rows: &mut NewRows, change: &Replacement) -> Vec<LineChange> {
        let new = rows.order.clone();
        rows.order = taken_over(new, &self.row, change.override_reason.is_some());
        compare(&self.lines, &mut rows.lines)
    }
}

impl Replaces<'_> {
    fn actor(&self) -> Actor<'_> {
        Actor::Caller(self.caller, &|_| true)
    }

    /// Archives the old order and gives back what it has: money, points, its place among the orders of its customer,
    /// and uses of promotions. Pieces are given back with those that the new one takes.
    pub(crate) async fn begin(&self, tx: &TenantTx, sent: &NewOrder) -> Result<Begun> {
        let Self { old, now, .. } = *self;
        let checkout = old.checkout(tx, sent, true).await?;
        let (id, customer) = (old.row.id, old.account.customer_id);
        store::archive(tx, id, now).await?;
        if let Some(customer) = customer {
            customers::lock_ledgers(tx, customer).await?;
        }
        let till = Till { tx, facts: &checkout.facts, actor: self.actor(), now };
        let own = till.take_off(id).await?;
        if !old.row.is_test {
            if let Some(customer) = customer {
                customers::count_orders(tx, customer, checkout.facts.id).await?;
            }
            promotions::exchange(tx, checkout.facts.id, id.uuid(), now).await?;
        }
        let returned = old.returned(tx, &checkout.facts, now).await?;
        // The address is the old order's, which has told the customer's.
        let (priced_as, fills) = (old.priced_as(), false);
        Ok(Begun { checkout, sender: None, customer, priced_as, fills, returned, own })
    }

    /// Writes into the new order all of the old one that stays; answers what is another by line.
    pub(crate) fn take_over(&self, rows: &mut NewRows) -> Vec<LineChange> {
        self.old.take_over(rows, self.change)
    }

    /// Writes the new order, ties both together, moves what was paid, and lets it take the old one's place. Answers its
    /// number.
    pub(crate) async fn give_way(
        &self, tx: &TenantTx, PricedCart { facts, day, .. }: &PricedCart, rows: &NewRows,
        changes: Vec<LineChange>, own: &[OwnMoney],
    ) -> Result<String> {
        let (old, actor) = (self.old, self.actor());
        let (old_id, id) = (old.row.id, rows.order.id);
        insert_replacing(tx, &rows.order, &rows.lines, actor).await?;
        store::link(tx, (old_id, id), *day, &changes).await?;
        let till = Till { tx, facts, actor, now: self.now };
        till.put_onto(old_id, id, own).await?;
        let totals = [old.row.total_price, rows.order.total_price];
        let told = |field: &str, value: Json| {
            let mut told = json!({"approved_by": self.approver.name, "total_prices": totals});
            told[field] = value;
            told
        };
        payments::history(tx, old_id, "replaced", actor, told("replaced_by_id", json!(id))).await?;
        payments::history(tx, id, "replaces", actor, told("counter", json!(old.row.counter))).await?;
        let mut events = till.settle_storno(id).await?;
        events.extend(till.close(id).await?);
        // Lists find it by every method by which it is paid, so the money is there before.
        write_entry(tx, id, Some(*day)).await?;
        let number = Number::of(facts, self.now, *day);
        if rows.order.status == OrderStatus::Processed {
            drawer::wait_for_the_end(tx, facts.id, number.ends).await?;
        }
        let replaced = self.event(&rows.order, changes, facts.escalate_after_minutes);
        let counter = number.give(tx, (old.row.is_test, Written::Before(id)), &replaced).await?;
        let events: Vec<Event> = events.into_iter().map(|event| event.numbered(&counter)).collect();
        publish_all(tx, &events).await?;
        Ok(counter)
    }

    fn event(&self, row: &OrderRow, lines: Vec<LineChange>, escalate_after: Option<i32>) -> Event {
        let order = EventOrder { counter: None, ..row.in_events() };
        let due_at = (row.is_preorder && row.show_at > self.now).then_some(row.show_at);
        let since = row.visible_at.unwrap_or(row.show_at);
        let since = row.taken_back_at.map_or(since, |at| at.max(since));
        let waits = row.status == OrderStatus::Succeeded && row.escalation_level < THIRD;
        let escalate_at = escalate_after.filter(|_| waits).map(|minutes| {
            let first = row.escalation_level == FIRST;
            // At the second level the job itself knows when the next one is due.
            if first { since.plus_minutes(minutes.into()).max(row.show_at) } else { self.now }
        });
        Event::Replaced { order, old: self.old.account.event_order(), lines, due_at, escalate_at }
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

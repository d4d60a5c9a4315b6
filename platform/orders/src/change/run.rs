//! One change of an order, from the body to the rows.

use access::{Approver, Caller, prelude::*};
use checkout::{Destination, OrderPlatform, refuse};
use kernel::{Email, money::Money};
use pricing::{Fulfilment, Reason, ReasonKind};
use serde_json::{Map, Value as Json, json};

use super::{
    figures::{self, Fee},
    input::OrderEdit,
    money::{self, Methods},
    place::{self, Place, fulfilment},
    store::{self, Beside},
    time::{self, Announcement},
};
use crate::{
    events::Event,
    new_rows::text,
    payments::{self, Account, Till},
    read,
    row::{Lines, OrderRow},
    state::may_change,
    store::{taken_back, write_entry},
    values::{OrderId, OrderStatus},
};

pub(super) struct Changing<'a> {
    pub till: Till<'a>,
    pub caller: &'a Caller,
    /// Whose PIN allows it; none in a rehearsal.
    pub approver: Option<&'a Approver>,
    pub sent: &'a OrderEdit,
    /// Where the sent address was found, if somebody was asked.
    pub geocoded: Option<(f64, f64)>,
}

/// What is left to the caller: the audit log, and publishing the events.
pub(super) struct Changed {
    pub events: Vec<Event>,
    /// For the audit log: values of what says nothing about the guest.
    pub details: Json,
}

/// What an order is by now, and how it got there.
struct Outcome {
    after: OrderRow,
    announcement: Option<Announcement>,
    methods: Methods,
    couriers: [Option<String>; 2],
}

impl Changing<'_> {
    /// Changes an order. It is locked until the end of the transaction. None: it is so already, and nothing was
    /// written.
    /// Errors: `ORDER_NOT_EXIST`, `ORDER_STATE_CHANGED`, `ORDER_NOT_ACCEPTABLE`, `PAYMENT_UNDER_WAY`,
    /// `VALIDATION_FAILED`.
    pub async fn run(&self, id: Id<OrderId>) -> Result<Option<Changed>> {
        let Till { tx, facts, now, .. } = self.till;
        let account = Account::lock(tx, facts.id, id).await?;
        let (before, lines) = read::rows(tx, facts.id, id).await?;
        let seen = self.sent.version.is_none_or(|version| version == before.version);
        if !may_change(before.status, account.archived_at.is_some() || account.order_parent_id.is_some())
            || !seen
        {
            return Err(read::changed(tx, facts.id, id).await?);
        }
        let outcome = self.outcome(&account, &before, &lines).await?;
        let values = differences(&before, &outcome);
        let fields: Vec<String> = FIELDS
            .iter()
            .filter(|field| values.contains_key(**field))
            .map(|&field| field.to_owned())
            .collect();
        if fields.is_empty() {
            return Ok(None);
        }
        let Outcome { after, announcement, .. } = &outcome;
        let promised = announcement.is_some() && after.status == OrderStatus::Processed;
        let due_again = account.closed_at.is_some() && after.total_price.0 > before.total_price.0;
        let beside = Beside { announcement: *announcement, promised, due_again, now };
        let acceptance = store::save(tx, after, &beside).await?;
        write_entry(tx, id, None).await?;
        self.tell_others(&account, &before, after).await?;
        let details = self.record(id, fields, values).await?;
        let order = payments::Account::read(tx, facts.id, id).await?.event_order();
        let due_at = (*announcement == Some(Announcement::Later)).then_some(after.show_at);
        let promise = promised.then_some((now, acceptance));
        let moved = matches!(announcement, Some(Announcement::Later | Announcement::Now));
        let escalate_at = after
            .visible_at
            .filter(|_| moved && after.status == OrderStatus::Succeeded)
            .zip(facts.escalate_after_minutes)
            .map(|(at, minutes)| at.plus_minutes(minutes.into()).max(after.show_at));
        let mut events = vec![Event::Changed { order: order.clone(), due_at, promise, escalate_at }];
        if *announcement == Some(Announcement::Now) {
            events.push(Event::Due(order.clone()));
        }
        let money =
            before.total_price != after.total_price || before.payment_method_id != after.payment_method_id;
        if account.closed_at.is_some() && money {
            events.push(Event::Corrected(order));
        }
        // A refund that failed is not asked again by a change that moves no money.
        if before.total_price != after.total_price {
            events.extend(self.till.settle_storno(id).await?);
        }
        // What is left may be paid already, and its time may have come.
        events.extend(self.till.close(id).await?);
        Ok(Some(Changed { events, details }))
    }

    /// What the order is by now.
    async fn outcome(&self, account: &Account, before: &OrderRow, lines: &Lines) -> Result<Outcome> {
        let Till { tx, facts, now, .. } = self.till;
        let sent = self.sent;
        let mut after = before.clone();
        contact(&mut after, sent)?;
        let mut reasons = Vec::new();
        match place::wanted(before, sent, self.geocoded)? {
            Place::Same => {
                if let Some(address) = &sent.delivery_data {
                    after.delivery_data = Some(address.clone());
                }
            }
            Place::Fetched => {
                place::fetch(&mut after);
                self.price(&mut after, lines, None).await?;
            }
            Place::Brought(going) => {
                let destination = Destination::locate(tx, facts, going).await?;
                after.delivery_data = going.address.cloned();
                place::bring(&mut after, &destination, self.caller);
                reasons = reasons_against(before, &after, &destination, lines, facts);
                self.price(&mut after, lines, Some(destination.place())).await?;
            }
        }
        let announcement = time::write(&mut after, sent, facts, now)?;
        let couriers = money::courier(tx, before, &mut after, sent).await?;
        let methods = money::method(tx, account, before, &mut after, sent).await?;
        if methods.refused {
            reasons.push(Reason {
                reason: ReasonKind::PaymentMethodNotAvailable,
                item_index: None,
                option_id: None,
                option_group_id: None,
                detail: None,
            });
        }
        money::pays_with(account, &mut after, sent, &methods)?;
        refuse(&reasons)?;
        if after.total_price.0 > Money::from(pricing::MAX_TOTAL) {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("delivery_data", Fault::Max));
        }
        Ok(Outcome { after, announcement, methods, couriers })
    }

    /// Prices the delivery anew, unless a partial storno took the fee back.
    async fn price(&self, after: &mut OrderRow, lines: &Lines, place: Option<pricing::Place>) -> Result<()> {
        let back = taken_back(self.till.tx, after.id).await?;
        if place.is_none() && !back.tips {
            figures::drop_courier_tip(after);
        }
        if !back.delivery {
            let vat = self.till.facts.delivery_vat;
            figures::redeliver(after, Fee { place, vat, list_value: list_value(lines) });
        }
        Ok(())
    }

    /// What others keep of an order: the customer's figures and addresses, and what promotions took.
    async fn tell_others(&self, account: &Account, before: &OrderRow, after: &OrderRow) -> Result<()> {
        let Till { tx, facts, now, .. } = self.till;
        if after.is_test {
            return Ok(());
        }
        if let Some(customer) = account.customer_id {
            let alive = before.total_price == after.total_price
                || customers::count_orders(tx, customer, facts.id).await?;
            let address = serde_json::to_value(&after.delivery_data).ok();
            let then = serde_json::to_value(&before.delivery_data).ok();
            if alive
                && address != then
                && let Some(address) = address.filter(|address| !address.is_null())
                && customers::exists(tx, None, customer).await?
            {
                customers::note_address(tx, customer, address, now, before.is_vouched()).await?;
            }
        }
        let amounts: Vec<promotions::Applied> = after
            .promotions
            .iter()
            .zip(&before.promotions)
            .filter(|(is, was)| is.amount != was.amount)
            .map(|(is, _)| promotions::Applied { promotion: is.promotion_id, amount: is.amount })
            .collect();
        promotions::correct(tx, after.id.uuid(), &amounts).await
    }

    /// Writes the change and a line of history. Answers the details of the audit log.
    async fn record(&self, id: Id<OrderId>, fields: Vec<String>, values: Map<String, Json>) -> Result<Json> {
        let Till { tx, actor, now, .. } = self.till;
        let dots = |field: &str, value: &Json| match value {
            Json::Null => Json::Null,
            _ if PERSONAL.contains(&field) => "…".into(),
            _ => value.clone(),
        };
        let dotted = values
            .iter()
            .map(|(field, pair)| (field.clone(), json!([dots(field, &pair[0]), dots(field, &pair[1])])));
        let mut details: Map<String, Json> = dotted.collect();
        let total = values.get("total_price").cloned();
        let change = store::keep(tx, id, fields.clone(), Json::Object(values), now).await?;
        let by = self.approver.map(|approver| &approver.name);
        let mut told = json!({"change_id": change, "fields": fields, "approved_by": by});
        if let Some(total) = total {
            told["total_prices"] = total;
        }
        payments::history(tx, id, "changed", actor, told).await?;
        details.insert("approved_by".to_owned(), json!(by));
        Ok(Json::Object(details))
    }
}

/// Writes who the guest is and what was said, as a new order would have it.
fn contact(after: &mut OrderRow, sent: &OrderEdit) -> Result<()> {
    say(&mut after.first_name, &sent.first_name, String::as_str);
    say(&mut after.last_name, &sent.last_name, String::as_str);
    say(&mut after.phone_1, &sent.phone_1, String::as_str);
    say(&mut after.email, &sent.email, Email::as_str);
    say(&mut after.message, &sent.message, |message| message);
    let named = !sent.first_name.is_undefined() || !sent.last_name.is_undefined();
    let at_till = matches!(
        OrderPlatform::of(&after.platform),
        Some(OrderPlatform::TakeAway | OrderPlatform::KioskTakeAway)
    );
    if at_till || fulfilment(after, after.pickup) == Fulfilment::Here {
        return Ok(());
    }
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if named && after.first_name.is_none() && after.last_name.is_none() {
        problem = problem.key("last_name", Fault::Required);
    }
    if !sent.phone_1.is_undefined() && after.phone_1.is_none() {
        problem = problem.key("phone_1", Fault::Required);
    }
    problem.if_any()
}

/// Writes a text as a new order would keep it.
fn say<T>(column: &mut Option<String>, sent: &Clearable<T>, words: impl Fn(&T) -> &str) {
    if !sent.is_undefined() {
        *column = text(sent.value().map(words));
    }
}

/// Goods without gifts at list price, as they were ordered.
fn list_value(lines: &Lines) -> Money {
    lines.items.iter().filter(|item| item.gift_of.is_none()).map(|item| item.total_price.0).sum()
}

/// Every reason against bringing the order there. The minimum of a region was looked at when the order came into it.
fn reasons_against(
    before: &OrderRow, after: &OrderRow, destination: &Destination, lines: &Lines, facts: &restaurants::Facts,
) -> Vec<Reason> {
    if destination.reason().is_some() {
        return vec![];
    }
    let minimum = facts.min_order_price.round(facts.currency);
    let mut reasons = pricing::delivery_reasons(destination.place(), list_value(lines), minimum);
    let stays = fulfilment(before, before.pickup) == Fulfilment::Delivery
        && after.delivery_region_id == before.delivery_region_id;
    if stays {
        reasons.retain(|reason| reason.reason != ReasonKind::MinimumNotReached);
    }
    reasons
}

/// What somebody may change, and what follows from it, in the order in which it is told.
const FIELDS: [&str; 14] = [
    "first_name",
    "last_name",
    "phone_1",
    "email",
    "pickup",
    "delivery_data",
    "coordinates",
    "delivery_region_id",
    "delivery_override_reason",
    "expected_at",
    "payment_method_id",
    "pays_with",
    "message",
    "courier_id",
];
/// What says something about the guest: the audit log tells only that it was changed.
const PERSONAL: [&str; 8] = [
    "first_name",
    "last_name",
    "phone_1",
    "email",
    "delivery_data",
    "coordinates",
    "delivery_override_reason",
    "message",
];

/// The old and the new value of what is another; ids by the names that they have now.
fn differences(before: &OrderRow, outcome: &Outcome) -> Map<String, Json> {
    let Outcome { after, methods, couriers, .. } = outcome;
    let point = |row: &OrderRow| row.coord_lat.zip(row.coord_lng).map(|(lat, lng)| [lat, lng]);
    let wanted = |row: &OrderRow| row.expected_at.filter(|_| row.is_preorder);
    let mut pairs = Map::new();
    let mut put = |field: &str, pair: [Json; 2]| {
        if pair[0] != pair[1] {
            pairs.insert(field.to_owned(), pair.into());
        }
    };
    let both = |of: &dyn Fn(&OrderRow) -> Json| [of(before), of(after)];
    put("first_name", both(&|row| json!(row.first_name)));
    put("last_name", both(&|row| json!(row.last_name)));
    put("phone_1", both(&|row| json!(row.phone_1)));
    put("email", both(&|row| json!(row.email)));
    put("pickup", both(&|row| json!(row.pickup)));
    put("delivery_data", both(&|row| json!(row.delivery_data)));
    put("coordinates", both(&|row| json!(point(row))));
    put("delivery_override_reason", both(&|row| json!(row.delivery_override_reason)));
    put("expected_at", both(&|row| json!(wanted(row).map(|at| at.to_string()))));
    put("pays_with", both(&|row| json!(row.pays_with)));
    put("message", both(&|row| json!(row.message)));
    put("delivery_price", both(&|row| json!(row.delivery_price)));
    put("courier_tip", both(&|row| json!(row.courier_tip)));
    put("total_price", both(&|row| json!(row.total_price)));
    if before.delivery_region_id != after.delivery_region_id {
        // Two regions may have one name.
        pairs.insert(
            "delivery_region_id".to_owned(),
            json!([before.delivery_region_name, after.delivery_region_name]),
        );
    }
    if before.payment_method_id != after.payment_method_id {
        pairs.insert("payment_method_id".to_owned(), json!([methods.before, methods.after]));
    }
    if before.courier_id != after.courier_id {
        pairs.insert("courier_id".to_owned(), json!(couriers));
    }
    pairs
}

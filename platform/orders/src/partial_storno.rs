//! Partial storno: a child order with negative quantities. Nothing is priced again: each step takes back what all
//! pieces so far are worth, less what the steps before took. See `docs/decisions/orders.md#storno`.

use access::{Approver, prelude::*};
use catalogue::Today;
use checkout::{Explanation, VatSum};
use kernel::money::{Currency, Money, Percent};
use poem_openapi::types::ToJSON;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    events::Event,
    input::{PartialStorno, StornoItem},
    payments::{self, Account, Till, share},
    pieces, read,
    row::{ItemRow, Lines, OptionRow, OrderRow, PartRow},
    store,
    values::{Amount, OrderId, OrderStatus},
};

/// So many pieces of a line of `n`, after `before` of them.
#[derive(Clone, Copy)]
struct Step {
    n: i32,
    before: i32,
    pieces: i32,
    currency: Currency,
}

impl Step {
    /// What goes back of an amount of the whole line, below zero.
    fn back(self, amount: Amount) -> Amount {
        (-share(amount.0, self.n, self.before, self.pieces, self.currency)).into()
    }

    fn back_pieces(self, pieces: i32) -> i32 {
        let so_far = |r: i32| i64::from(pieces) * i64::from(r) / i64::from(self.n.max(1));
        i32::try_from(so_far(self.before) - so_far(self.before + self.pieces)).unwrap_or(0)
    }
}

fn sum<T>(rows: &[T], of: impl Fn(&T) -> Amount) -> Amount {
    rows.iter().map(|row| of(row).0).sum::<Money>().into()
}

fn reversed_part(part: &PartRow, step: Step, item: Uuid) -> PartRow {
    let (paid, discount) = (step.back(part.paid_price), step.back(part.discount));
    let (fee, nothing) = (step.back(part.service_fee), Amount::from(Money::ZERO));
    PartRow {
        id: Uuid::now_v7(),
        order_item_id: item,
        quantity: step.back_pieces(part.quantity),
        total_price: (paid.0 + discount.0).into(),
        discount,
        paid_price: paid,
        net_price: nothing,
        vat_price: nothing,
        service_fee: fee,
        service_fee_net: nothing,
        service_fee_vat: nothing,
        created_at: Timestamp::now(),
        ..part.clone()
    }
}

/// The reversal of some pieces of a line, without nets. A line with parts is their sum.
fn reversed_item(
    item: &ItemRow, parts: &[PartRow], step: Step, order: Id<OrderId>,
) -> (ItemRow, Vec<PartRow>) {
    let id = Uuid::now_v7();
    let parts: Vec<PartRow> = parts.iter().map(|part| reversed_part(part, step, id)).collect();
    let of = |whole: Amount, of_part: fn(&PartRow) -> Amount| {
        if parts.is_empty() { step.back(whole) } else { sum(&parts, of_part) }
    };
    let paid = of(item.paid_price.unwrap_or(item.total_price), |part| part.paid_price);
    let discount = of(item.discount, |part| part.discount);
    let fee = of(item.service_fee, |part| part.service_fee);
    let nothing = Amount::from(Money::ZERO);
    let row = ItemRow {
        id,
        order_id: order,
        parent_item_id: Some(item.id),
        quantity: -step.pieces,
        total_price: (paid.0 + discount.0).into(),
        discount,
        paid_price: Some(paid),
        net_price: nothing,
        vat_price: nothing,
        service_fee: fee,
        service_fee_net: nothing,
        service_fee_vat: nothing,
        deposit: step.back(item.deposit),
        deposit_pieces: step.back_pieces(item.deposit_pieces),
        created_at: Some(Timestamp::now()),
        message: None,
        is_new: false,
        ..item.clone()
    };
    (row, parts)
}

/// What goes back beside the lines.
#[derive(Clone, Copy)]
struct Fees {
    delivery: bool,
    system_usage_fee: bool,
    tips: bool,
}

/// The child order: what goes back of the parent's columns, below zero; without nets.
fn child(parent: &OrderRow, id: Id<OrderId>, items: &[ItemRow], fees: Fees) -> OrderRow {
    let back = |on: bool, amount: Amount| if on { Amount::from(-amount.0) } else { Money::ZERO.into() };
    let products = sum(items, |item| item.paid_price.unwrap_or(item.total_price));
    let discount = sum(items, |item| item.discount);
    let delivery = back(fees.delivery, parent.delivery_price);
    let list = parent.delivery_original_price.unwrap_or(parent.delivery_price);
    let delivery_list = back(fees.delivery, list);
    let service_fee = sum(items, |item| item.service_fee);
    let deposit = sum(items, |item| item.deposit);
    let [tip, employee_tip, courier_tip] =
        [parent.tip, parent.employee_tip, parent.courier_tip].map(|tip| back(fees.tips, tip));
    let usage = back(fees.system_usage_fee, parent.system_usage_fee);
    let discount_price = Amount::from(discount.0 + delivery_list.0 - delivery.0);
    let total = products.0
        + delivery.0
        + service_fee.0
        + deposit.0
        + tip.0
        + employee_tip.0
        + courier_tip.0
        + usage.0;
    let nothing = Amount::from(Money::ZERO);
    let mut row = OrderRow {
        id,
        counter: None,
        status: OrderStatus::Prepared,
        order_parent_id: Some(parent.id.uuid()),
        replaces_id: None,
        replaced_by_id: None,
        message: None,
        coupon_code: None,
        pays_with: None,
        products_price: products,
        delivery_price: delivery,
        delivery_original_price: Some(delivery_list),
        delivery_net_price: nothing,
        delivery_vat_price: nothing,
        discount_price,
        staff_discount: Money::ZERO.into(),
        approved_by: None,
        approved_by_name: None,
        original_price: Amount::from(products.0 + delivery.0 + discount_price.0),
        service_fee,
        tip,
        employee_tip,
        courier_tip,
        deposit,
        deposit_pieces: items.iter().map(|item| item.deposit_pieces).sum(),
        system_usage_fee: usage,
        system_usage_fee_net_price: nothing,
        system_usage_fee_vat_price: nothing,
        total_price: total.into(),
        points_earned: 0,
        promotions: vec![],
        external_id: None,
        created_at: Timestamp::now(),
        // Nobody waits for it to be accepted.
        visible_at: None,
        accept_seconds: None,
        taken_back_at: None,
        escalation_level: 1,
        escalated_at: None,
        prepared_at: None,
        closed_at: None,
        version: 1,
        ..parent.clone()
    };
    row.explanation = explanation(&row, items);
    row
}

/// An amount of a storno that has a rate of its own.
#[derive(Clone, Copy)]
enum Cell {
    Item(usize),
    Part(usize),
    Delivery,
    UsageFee,
}

/// The amounts with their rates: goods, then their service fee. A line with parts is their sum.
fn cells(row: &OrderRow, taken: &Lines) -> Vec<(Cell, bool, Option<Percent>, Money)> {
    let whole = |item: &ItemRow| !taken.parts.iter().any(|part| part.order_item_id == item.id);
    let items = taken.items.iter().enumerate().filter(|(_, item)| whole(item)).flat_map(|(at, item)| {
        let paid = item.paid_price.unwrap_or(item.total_price).0;
        [
            (Cell::Item(at), false, item.vat_percent, paid),
            (Cell::Item(at), true, item.vat_percent, item.service_fee.0),
        ]
    });
    let parts = taken.parts.iter().enumerate().flat_map(|(at, part)| {
        let rate = Some(part.vat_percent);
        [(Cell::Part(at), false, rate, part.paid_price.0), (Cell::Part(at), true, rate, part.service_fee.0)]
    });
    let fees = [
        (Cell::Delivery, false, row.delivery_vat_percent, row.delivery_price.0),
        (Cell::UsageFee, false, row.system_usage_fee_vat_percent, row.system_usage_fee.0),
    ];
    items.chain(parts).chain(fees).filter(|(.., gross)| !gross.is_zero()).collect()
}

/// Sets the nets of a storno. They follow from what is left: its net is rounded once for each rate, and what the storno
/// takes off is the difference to what was `left` before, spread over its amounts.
fn set_nets(row: &mut OrderRow, taken: &mut Lines, left: &[VatSum]) {
    let cells = cells(row, taken);
    let bare = |percent: Percent| Percent(percent.0.normalize());
    let mut rates: Vec<Percent> = cells.iter().filter_map(|(_, _, rate, _)| rate.map(bare)).collect();
    rates.sort_unstable();
    rates.dedup();
    for rate in rates {
        let of_rate: Vec<_> = cells.iter().filter(|(_, _, one, _)| one.map(bare) == Some(rate)).collect();
        let before = left.iter().find(|sum| bare(sum.percent) == rate);
        let (net, gross) = before.map_or((Money::ZERO, Money::ZERO), |sum| (sum.net, sum.gross));
        let taken_off: Money = of_rate.iter().map(|(.., gross)| *gross).sum();
        let off = rate.net_of(gross + taken_off).round(row.currency) - net;
        let weights: Vec<_> = of_rate.iter().map(|(.., gross)| gross.abs().value()).collect();
        let nets = kernel::money::spread(off, &weights, row.currency.unit());
        for ((cell, is_fee, ..), net) in of_rate.into_iter().zip(nets) {
            let column = match (cell, is_fee) {
                (Cell::Item(at), false) => taken.items.get_mut(*at).map(|item| &mut item.net_price),
                (Cell::Item(at), true) => taken.items.get_mut(*at).map(|item| &mut item.service_fee_net),
                (Cell::Part(at), false) => taken.parts.get_mut(*at).map(|part| &mut part.net_price),
                (Cell::Part(at), true) => taken.parts.get_mut(*at).map(|part| &mut part.service_fee_net),
                (Cell::Delivery, _) => Some(&mut row.delivery_net_price),
                (Cell::UsageFee, _) => Some(&mut row.system_usage_fee_net_price),
            };
            column.into_iter().for_each(|column| *column = net.into());
        }
    }
    for part in &mut taken.parts {
        part.vat_price = (part.paid_price.0 - part.net_price.0).into();
        part.service_fee_vat = (part.service_fee.0 - part.service_fee_net.0).into();
    }
    for item in &mut taken.items {
        let parts: Vec<&PartRow> = taken.parts.iter().filter(|part| part.order_item_id == item.id).collect();
        if !parts.is_empty() {
            item.net_price = parts.iter().map(|part| part.net_price.0).sum::<Money>().into();
            item.service_fee_net = parts.iter().map(|part| part.service_fee_net.0).sum::<Money>().into();
        }
        item.vat_price = (item.paid_price.unwrap_or(item.total_price).0 - item.net_price.0).into();
        item.service_fee_vat = (item.service_fee.0 - item.service_fee_net.0).into();
    }
    row.delivery_vat_price = (row.delivery_price.0 - row.delivery_net_price.0).into();
    row.system_usage_fee_vat_price = (row.system_usage_fee.0 - row.system_usage_fee_net_price.0).into();
    row.vats = vats(row, &taken.items, &taken.parts);
}

/// The sums by rate, of lines, delivery, service fee and usage fee.
fn vats(row: &OrderRow, items: &[ItemRow], parts: &[PartRow]) -> Vec<VatSum> {
    let mut sums: Vec<VatSum> = Vec::new();
    let mut add = |percent: Option<Percent>, gross: Money, net: Money| {
        let Some(percent) = percent.filter(|_| !gross.is_zero()) else { return };
        let percent = Percent(percent.0.normalize());
        let at = sums.iter().position(|sum| sum.percent == percent).unwrap_or_else(|| {
            sums.push(VatSum { percent, net: Money::ZERO, vat: Money::ZERO, gross: Money::ZERO });
            sums.len() - 1
        });
        if let Some(sum) = sums.get_mut(at) {
            sum.net += net;
            sum.gross += gross;
            sum.vat = sum.gross - sum.net;
        }
    };
    for item in items {
        let of: Vec<&PartRow> = parts.iter().filter(|part| part.order_item_id == item.id).collect();
        if of.is_empty() {
            let paid = item.paid_price.unwrap_or(item.total_price);
            let (gross, net) = (paid.0 + item.service_fee.0, item.net_price.0 + item.service_fee_net.0);
            add(item.vat_percent, gross, net);
        }
        for part in of {
            let (gross, net) =
                (part.paid_price.0 + part.service_fee.0, part.net_price.0 + part.service_fee_net.0);
            add(Some(part.vat_percent), gross, net);
        }
    }
    add(row.delivery_vat_percent, row.delivery_price.0, row.delivery_net_price.0);
    add(row.system_usage_fee_vat_percent, row.system_usage_fee.0, row.system_usage_fee_net_price.0);
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.percent));
    sums
}

/// How the total came about: what the lines are worth by now, and each fee.
fn explanation(row: &OrderRow, items: &[ItemRow]) -> Vec<Explanation> {
    let line = |step: &str, reference: Option<Uuid>, amount: Amount| Explanation {
        step: step.to_owned(),
        reference,
        amount: amount.0,
    };
    let lines = items.iter().map(|item| {
        let step = if item.gift_of.is_some() { "gift" } else { "item" };
        line(step, Some(item.subproduct_id), item.paid_price.unwrap_or(item.total_price))
    });
    let fees = [
        ("delivery_fee", row.delivery_price),
        ("service_fee", row.service_fee),
        ("tip", row.tip),
        ("employee_tip", row.employee_tip),
        ("courier_tip", row.courier_tip),
        ("deposit", row.deposit),
        ("system_usage_fee", row.system_usage_fee),
    ];
    let fees = fees.into_iter().map(|(step, amount)| line(step, None, amount));
    lines.chain(fees).filter(|line| !line.amount.is_zero()).collect()
}

/// Checks the pieces that are to go back; answers each line with its step.
fn steps<'l>(
    lines: &'l Lines, sent: &[StornoItem], back: &[(Uuid, i32)], currency: Currency,
) -> Result<Vec<(&'l ItemRow, Step)>> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    let mut steps = Vec::with_capacity(sent.len());
    for (at, one) in sent.iter().enumerate() {
        let twice = sent.iter().take(at).any(|other| other.order_item_id == one.order_item_id);
        let Some(item) = lines.items.iter().find(|item| item.id == one.order_item_id && !twice) else {
            let fault = if twice { Fault::NotUnique } else { Fault::NotExist };
            problem = problem.key(format!("items.{at}.order_item_id"), fault);
            continue;
        };
        let before = pieces_back(back, item.id);
        if before + one.quantity > item.quantity {
            problem = problem.key(format!("items.{at}.quantity"), Fault::Max);
        }
        steps.push((item, Step { n: item.quantity, before, pieces: one.quantity, currency }));
    }
    problem.if_any()?;
    Ok(steps)
}

fn pieces_back(back: &[(Uuid, i32)], item: Uuid) -> i32 {
    back.iter().find(|(id, _)| *id == item).map_or(0, |(_, pieces)| *pieces)
}

/// What is left to the caller: the audit log, and publishing the events.
pub(crate) struct Reversed {
    pub events: Vec<Event>,
    pub details: Json,
    /// Nothing is left of the order: it is to be archived whole.
    pub last: bool,
}

/// Takes pieces of an order back. The order is locked until the end of the transaction.
/// Errors: `ORDER_NOT_EXIST`, `ORDER_STATE_CHANGED`, `VALIDATION_FAILED`.
pub(crate) async fn reverse(
    till: Till<'_>, id: Id<OrderId>, sent: &PartialStorno, approver: Option<&Approver>,
) -> Result<Reversed> {
    let Till { tx, actor, .. } = till;
    let restaurant = till.facts.id;
    let account = Account::lock(tx, restaurant, id).await?;
    if !account.is_alive() || account.order_parent_id.is_some() {
        let current = read::order(tx, restaurant, id).await?.to_json().unwrap_or_default();
        return Err(Problem::new(Code::ORDER_STATE_CHANGED).with("current", current));
    }
    let unaccepted = account.status == OrderStatus::Succeeded;
    let why = sent.sent_reason().check(tx, restaurant, unaccepted).await?;
    let (parent, lines) = read::rows(tx, restaurant, id).await?;
    let back = store::taken_back(tx, id).await?;
    let steps = steps(&lines, &sent.items, &back.pieces, account.currency)?;
    let last = lines.items.iter().all(|item| {
        let now = steps.iter().find(|(one, _)| one.id == item.id).map_or(0, |(_, step)| step.pieces);
        pieces_back(&back.pieces, item.id) + now == item.quantity
    });
    let fees = Fees {
        delivery: (sent.delivery || last) && !back.delivery,
        system_usage_fee: (sent.system_usage_fee || last) && !back.system_usage_fee,
        tips: (sent.tips || last) && !back.tips,
    };
    if steps.is_empty() && !fees.any_of(&parent) {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("items", Fault::Required));
    }
    let child_id = Id::new();
    let mut taken = Lines { items: vec![], options: vec![], parts: vec![] };
    for (item, step) in steps {
        let of: Vec<PartRow> =
            lines.parts.iter().filter(|part| part.order_item_id == item.id).cloned().collect();
        let (row, of) = reversed_item(item, &of, step, child_id);
        let chosen = lines.options.iter().filter(|option| option.order_item_id == item.id);
        taken.options.extend(chosen.map(|option| OptionRow {
            id: Uuid::now_v7(),
            order_item_id: row.id,
            total_price: step.back(option.total_price),
            ..option.clone()
        }));
        taken.items.push(row);
        taken.parts.extend(of);
    }
    let mut row = child(&parent, child_id, &taken.items, fees);
    set_nets(&mut row, &mut taken, &read::vats_left(tx, id).await?);
    let (_, by, by_name, _) = actor.columns();
    (row.admin_id, row.admin_name) = (by, Some(by_name.to_owned()));
    row.archive_reason = why.standard_name();
    if let Some(own) = why.own {
        row.archive_reason_id = Some(own.id);
        (row.archive_reason_name, row.archive_reason_name_sec_lang) = (Some(own.name), own.name_sec_lang);
    }
    row.archive_reason_text = why.text;
    let total = row.total_price;
    store::insert_child(tx, &row, &taken, actor).await?;
    if !account.is_test && pieces::return_to_sale(account.status, account.created_at, till.facts, till.now) {
        let today = Today::of(till.facts, till.now);
        pieces::give_back(tx, restaurant, child_id, pieces::TAKEN, today).await?;
    }
    if let Some(customer) = account.customer_id.filter(|_| !account.is_test) {
        customers::count_orders(tx, customer, restaurant).await?;
    }
    let details = json!({"storno_id": child_id, "total_price": total, "reason": row.archive_reason,
        "reason_name": row.archive_reason_name, "approved_by": approver.map(|approver| &approver.name)});
    payments::history(tx, id, "partially_stornoed", actor, details.clone()).await?;
    let order = account.event_order();
    let mut events = vec![Event::PartiallyStornoed(order.clone())];
    if account.closed_at.is_some() {
        events.push(Event::Corrected(order));
    }
    if !last {
        events.extend(till.settle_storno(id).await?);
        // What is left may be paid already.
        events.extend(till.close(id).await?);
    }
    Ok(Reversed { events, details, last })
}

impl Fees {
    /// Whether something of it is there to go back.
    fn any_of(self, parent: &OrderRow) -> bool {
        let tips = parent.tip.0 + parent.employee_tip.0 + parent.courier_tip.0;
        (self.delivery && !parent.delivery_price.0.is_zero())
            || (self.system_usage_fee && !parent.system_usage_fee.0.is_zero())
            || (self.tips && !tips.is_zero())
    }
}

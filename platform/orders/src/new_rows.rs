//! The rows of a new order, made from the request and the price.

use access::{Approver, Caller, prelude::*};
use catalogue::{ItemNames, Snapshot, TaxFields};
use checkout::{NewOrder, PricedCart, quote};
use kernel::{
    Email,
    money::{Money, Percent, Quantity},
};
use pricing::{Fulfilment, PartKind, PricedLine, PricedPart};
use sea_orm::ActiveEnum;
use uuid::Uuid;

use crate::{
    read::{self, OfItem},
    row::{ItemRow, Lines, OptionRow, OrderRow, PartRow},
    state, store,
    types::{Order, PaymentMethod},
    values::{Amount, OrderId, OrderPromotion},
    waiting::Sender,
};

/// An order to be written.
pub(crate) struct New<'a> {
    pub id: Id<OrderId>,
    pub caller: &'a Caller,
    pub sent: &'a NewOrder,
    pub checkout: &'a PricedCart,
    /// Whose waiting order it is, where they are counted.
    pub sender: Option<&'a Sender>,
    pub is_test: bool,
}

impl New<'_> {
    /// Its rows, without a number.
    pub fn rows(&self) -> NewRows {
        let (items, options, parts) = items(self);
        NewRows { order: order(self), lines: Lines { items, options, parts } }
    }

    /// Writes it without a number.
    pub async fn insert(&self, tx: &TenantTx, rows: &NewRows) -> Result<()> {
        store::insert(tx, self.values(rows)?).await
    }

    /// The values that [`store::insert`] takes.
    pub fn values(&self, rows: &NewRows) -> Result<[sea_orm::Value; 16]> {
        let caller = self.caller;
        let sender = |of: fn(&Sender) -> &Option<String>| self.sender.and_then(|sender| of(sender).clone());
        let actor = (caller.kind(), caller.id(), caller.name(), caller.surface());
        let NewRows { order, lines } = rows;
        let sender = [sender(|of| &of.phone), sender(|of| &of.email), sender(|of| &of.guest)];
        store::values(order, lines, actor, sender)
    }

    pub fn answer(&self, rows: NewRows) -> Order {
        let method = self.checkout.method.as_ref().map(|method| PaymentMethod {
            id: method.id,
            payment_key: method.payment_key.clone(),
            payment_type: method.payment_type(),
            name: method.name.clone(),
            name_en: method.name_en.clone(),
            paid_online: method.paid_online,
        });
        rows.answer(method)
    }
}

/// The rows of an order that is written.
pub(crate) struct NewRows {
    pub order: OrderRow,
    pub lines: Lines,
}

impl NewRows {
    pub fn answer(self, method: Option<PaymentMethod>) -> Order {
        let Self { order, lines: Lines { items, options, parts } } = self;
        let items = read::items(items, &mut OfItem::new(options, parts), order.created_at);
        Order::new(order, method, items)
    }
}

/// A text without blanks around it; none when nothing is left.
pub(crate) fn text(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// When the kitchen should see it.
fn show_at(checkout: &PricedCart) -> Timestamp {
    let notice = i64::from(checkout.facts.preorder_notification_mins_before_expected);
    let now = checkout.now;
    checkout.cart.expected_at.map_or(now, |at| now.max(at.plus_minutes(-notice)))
}

/// Who allowed a discount: kept with it alone.
fn approver(checkout: &PricedCart) -> Option<&Approver> {
    checkout.approver.as_ref().filter(|_| checkout.cart.staff_discount.is_some())
}

/// Whether it is paid on a provider's page first. Where nothing is to be paid, no provider is asked.
fn is_paid_online(checkout: &PricedCart) -> bool {
    let by_method = checkout.method.as_ref().is_some_and(|method| method.paid_online);
    by_method && checkout.priced.total_price > Money::ZERO
}

#[allow(clippy::too_many_lines, reason = "one line a column")]
pub(crate) fn order(new: &New<'_>) -> OrderRow {
    let New { id, caller, sent, checkout, is_test, .. } = *new;
    let PricedCart { facts, cart, method, priced, now, destination, .. } = checkout;
    let (person, approver) = (matches!(caller, Caller::Person { .. }), approver(checkout));
    OrderRow {
        id,
        restaurant_id: facts.id,
        counter: None,
        timezone: facts.schedule.zone.name().to_owned(),
        status: state::placed(is_paid_online(checkout)),
        platform: sent.cart.platform.name().to_owned(),
        locale: sent.locale.as_deref().unwrap_or(facts.primary_language).to_owned(),
        pickup: cart.fulfilment() == Fulfilment::Pickup,
        is_preorder: sent.cart.expected_at.is_some(),
        is_test,
        message: text(sent.message.as_deref()),
        first_name: text(sent.first_name.as_deref()),
        last_name: text(sent.last_name.as_deref()),
        email: text(sent.cart.email.as_ref().map(Email::as_str)),
        phone_1: text(sent.cart.phone_1.as_deref()),
        customer_id: checkout.customer.map(Id::uuid),
        coupon_code: text(sent.cart.code()),
        payment_method_id: method.as_ref().map(|method| method.id),
        pays_with: sent.pays_with.map(Amount::from),
        currency: facts.currency,
        products_price: priced.products_price.into(),
        delivery_price: priced.delivery_price.into(),
        delivery_original_price: Some(priced.delivery.total_price.into()),
        delivery_vat_percent: Some(priced.delivery.vat_percent),
        delivery_net_price: priced.delivery.net.into(),
        delivery_vat_price: priced.delivery.vat.into(),
        discount_price: priced.discount_price.into(),
        staff_discount: priced.staff_discount.into(),
        approved_by: approver.map(|approver| approver.admin.uuid()),
        approved_by_name: approver.map(|approver| approver.name.clone()),
        original_price: priced.original_price.into(),
        service_fee: priced.service_fee.into(),
        tip: priced.tips.tip.into(),
        employee_tip: priced.tips.employee_tip.into(),
        courier_tip: priced.tips.courier_tip.into(),
        deposit: priced.deposit.into(),
        deposit_pieces: quote::pieces(priced.deposit_pieces),
        system_usage_fee: priced.system_usage_fee.into(),
        system_usage_fee_vat_percent: Some(priced.usage.vat_percent),
        system_usage_fee_net_price: priced.usage.net.into(),
        system_usage_fee_vat_price: priced.usage.vat.into(),
        total_price: priced.total_price.into(),
        points_earned: if is_test { 0 } else { priced.points_earned },
        promotions: promotions(checkout),
        vats: quote::vats(priced),
        explanation: quote::explanation(priced),
        expected_at: sent.cart.expected_at,
        show_at: show_at(checkout),
        // Known when it has arrived.
        visible_at: None,
        delivery_time_minute: None,
        table_id: None,
        table_name: text(sent.cart.table()),
        admin_id: caller.id().filter(|_| person),
        admin_name: person.then(|| caller.name().to_owned()),
        courier_id: None,
        delivery_data: sent.cart.delivery_data.clone().filter(|_| cart.fulfilment() == Fulfilment::Delivery),
        coord_lat: destination.point().map(|(lat, _)| lat),
        coord_lng: destination.point().map(|(_, lng)| lng),
        delivery_region_id: destination.region().map(|region| region.id.uuid()),
        delivery_region_name: destination.region().map(|region| region.name.clone()),
        delivery_street: destination.street().map(str::to_owned),
        delivery_found_by: destination.found_by().map(str::to_owned),
        delivery_prices: destination.prices(),
        delivery_chosen_by: caller.id().filter(|_| destination.by_staff()),
        delivery_chosen_by_name: destination.by_staff().then(|| caller.name().to_owned()),
        delivery_override_reason: destination.reason().map(str::to_owned),
        delivery_address_region_id: destination.by_address().map(|region| region.id.uuid()),
        delivery_address_region_name: destination.by_address().map(|region| region.name.clone()),
        order_parent_id: None,
        replaces_id: None,
        replaced_by_id: None,
        vouched: Some(cart.customer.is_some_and(|customer| customer.vouched)),
        point_cash_ratio: if facts.loyalty { facts.point_cash_ratio } else { Percent::ZERO },
        api_key_id: caller.id().filter(|_| !person),
        external_id: text(sent.external_id.as_deref()),
        created_at: *now,
        accepted_at: None,
        acceptance: 0,
        accept_seconds: None,
        taken_back_at: None,
        escalation_level: 1,
        escalated_at: None,
        prepared_at: None,
        closed_at: None,
        archived_at: None,
        archive_reason: None,
        archive_reason_id: None,
        archive_reason_name: None,
        archive_reason_name_sec_lang: None,
        archive_reason_text: None,
        version: 1,
    }
}

/// The promotions that applied, with name and code of now.
fn promotions(checkout: &PricedCart) -> Vec<OrderPromotion> {
    let applied = checkout.priced.promotions.iter().filter(|outcome| outcome.reason.is_none());
    let applied = applied.map(|outcome| OrderPromotion {
        promotion_id: outcome.promotion_id,
        name: checkout.promotion_name(outcome.promotion_id),
        discount_type: quote::kind(outcome.kind).to_owned(),
        code: checkout.promotion_names.get(&outcome.promotion_id).and_then(|name| name.code.clone()),
        amount: Money(outcome.amount.value().normalize()),
        of_delivery: Some(Money(outcome.of_delivery.value().normalize())),
        free_delivery: Some(outcome.free_delivery),
    });
    applied.collect()
}

/// Its lines, gifts after those of the cart, with their options and parts.
pub(crate) fn items(new: &New<'_>) -> (Vec<ItemRow>, Vec<OptionRow>, Vec<PartRow>) {
    let PricedCart { snapshot, priced, now, .. } = new.checkout;
    let mut items = Vec::with_capacity(priced.lines.len());
    let (mut options, mut parts) = (Vec::new(), Vec::new());
    for (index, line) in priced.lines.iter().enumerate() {
        let sent = new.sent.cart.items.get(index);
        let id = Uuid::now_v7();
        let message = text(sent.and_then(|item| item.message.as_deref()));
        items.push(item(new, snapshot, line, ItemKey { id, ranking: rank(index), message }));
        let chosen = line.options.iter().enumerate();
        options.extend(chosen.map(|(at, one)| option(snapshot, one, id, rank(at))));
        if !matches!(&line.parts[..], [PricedPart { kind: PartKind::Item, .. }]) {
            let of_line = line.parts.iter().enumerate();
            parts.extend(of_line.map(|(at, one)| part(snapshot, line, one, id, rank(at), *now)));
        }
    }
    (items, options, parts)
}

fn rank(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// What a line has beside its price.
struct ItemKey {
    id: Uuid,
    ranking: i32,
    message: Option<String>,
}

fn item(new: &New<'_>, snapshot: &Snapshot, line: &PricedLine, key: ItemKey) -> ItemRow {
    let names = snapshot.item_names.get(&line.subproduct_id);
    let (name, name_sec_lang) = names.map(ItemNames::ordered).unzip();
    let (ntak_category_id, ntak_quantity_unit, ntak_quantity) = tax(snapshot, line.subproduct_id);
    ItemRow {
        id: key.id,
        order_id: new.id,
        parent_item_id: None,
        ranking: key.ranking,
        subproduct_id: line.subproduct_id,
        product_name: names.map(|names| names.product.clone()).unwrap_or_default(),
        product_name_sec_lang: names.and_then(|names| names.product_sec_lang.clone()),
        subproduct_name: names.map(|names| names.subproduct.clone()).unwrap_or_default(),
        subproduct_name_sec_lang: names.and_then(|names| names.subproduct_sec_lang.clone()),
        name,
        name_sec_lang: name_sec_lang.flatten(),
        gift_of: line.gift_of,
        quantity: quote::pieces(line.quantity),
        unit_price: line.unit_price.into(),
        total_price: line.total_price.into(),
        discount: line.discount.into(),
        paid_price: Some(line.paid_price.into()),
        vat_percent: line.vat_percent,
        net_price: line.net.into(),
        vat_price: line.vat.into(),
        service_fee: line.service_fee.into(),
        service_fee_net: line.service_fee_net.into(),
        service_fee_vat: line.service_fee_vat.into(),
        deposit: line.deposit.into(),
        deposit_pieces: quote::pieces(line.deposit_pieces),
        ntak_category_id,
        ntak_quantity_unit,
        ntak_quantity,
        created_at: Some(new.checkout.now),
        message: key.message,
        is_new: false,
    }
}

/// What the tax report wants to know of a size, as it is effective now.
fn tax(snapshot: &Snapshot, subproduct_id: Uuid) -> (Option<Uuid>, Option<String>, Option<Quantity>) {
    let TaxFields { category_id, unit, quantity } =
        snapshot.tax.get(&subproduct_id).copied().unwrap_or_default();
    (category_id.map(Id::uuid), unit.map(|unit| unit.to_value()), quantity)
}

fn option(snapshot: &Snapshot, option: &pricing::PricedOption, item: Uuid, ranking: i32) -> OptionRow {
    let names = snapshot.option_names.get(&option.option_id);
    OptionRow {
        id: Uuid::now_v7(),
        order_item_id: item,
        ranking,
        option_id: option.option_id,
        option_group_id: option.option_group_id,
        group_name: names.map(|names| names.group.clone()).unwrap_or_default(),
        option_name: names.map(|names| names.option.clone()).unwrap_or_default(),
        option_name_sec_lang: names.and_then(|names| names.option_sec_lang.clone()),
        quantity: option.quantity.into(),
        unit_price: option.unit_price.into(),
        total_price: option.total_price.into(),
    }
}

fn part(
    snapshot: &Snapshot, line: &PricedLine, part: &PricedPart, item: Uuid, ranking: i32, now: Timestamp,
) -> PartRow {
    let (name, name_sec_lang) = part_name(snapshot, line, part);
    let (ntak_category_id, ntak_quantity_unit, ntak_quantity) = tax(snapshot, part.subproduct_id);
    let [total_price, discount, paid_price, net_price, vat_price] =
        [part.total_price, part.discount, part.paid_price, part.net, part.vat].map(Amount::from);
    let [service_fee, service_fee_net, service_fee_vat] =
        [part.service_fee, part.service_fee_net, part.service_fee_vat].map(Amount::from);
    PartRow {
        id: Uuid::now_v7(),
        order_item_id: item,
        ranking,
        kind: part.kind.as_str().to_owned(),
        subproduct_id: part.subproduct_id,
        option_id: part.option_id,
        name,
        name_sec_lang,
        quantity: quote::pieces(part.quantity),
        total_price,
        discount,
        paid_price,
        vat_percent: part.vat_percent,
        net_price,
        vat_price,
        service_fee,
        service_fee_net,
        service_fee_vat,
        ntak_category_id,
        ntak_quantity_unit,
        ntak_quantity,
        created_at: now,
    }
}

/// A size is called as it is ordered, an option as the guest chose it; options together are all their names.
fn part_name(snapshot: &Snapshot, line: &PricedLine, part: &PricedPart) -> (String, Option<String>) {
    let of_option = |id: &Uuid| {
        let names = snapshot.option_names.get(id);
        names.map(|names| (names.option.clone(), names.option_sec_lang.clone())).unwrap_or_default()
    };
    match (part.kind, &part.option_id) {
        (PartKind::Item | PartKind::Component, _) | (PartKind::Option, None) => {
            snapshot.item_names.get(&part.subproduct_id).map(ItemNames::ordered).unwrap_or_default()
        }
        (PartKind::Option, Some(option)) => of_option(option),
        (PartKind::Options, _) => {
            let sizes: Vec<Uuid> = line.parts.iter().filter_map(|part| part.option_id).collect();
            let names = line.options.iter().map(|option| option.option_id).filter(|id| !sizes.contains(id));
            let names: Vec<_> = names.map(|id| of_option(&id)).collect();
            let first: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            let second = names.iter().map(|(name, second)| second.as_ref().unwrap_or(name).as_str());
            let translated = names.iter().any(|(_, second)| second.is_some());
            (first.join(", "), translated.then(|| second.collect::<Vec<_>>().join(", ")))
        }
    }
}

//! Whether an order may be taken, and every reason against it. See `docs/decisions/pricing.md#reasons`.

use std::collections::HashMap;

use serde::Serialize;
use uuid::Uuid;

use crate::{Cart, CartItem, Catalogue, Config, Fulfilment, Item, price::list_value};

/// A reason why an order is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The reason.
    pub reason: ReasonKind,
    /// The line of the cart it is about, from 0.
    pub item_index: Option<usize>,
    /// The option it is about.
    pub option_id: Option<Uuid>,
    /// The option group it is about.
    pub option_group_id: Option<Uuid>,
    /// A value that helps to put it right, for programs and people of any language; each kind says which.
    pub detail: Option<String>,
}

/// The kinds of reasons, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    /// SOS close. Detail: when it ends by itself, as an instant.
    TempNoOrders,
    /// Closed at the wanted time. Detail: the next opening from then on, as an instant.
    Closed,
    /// Does not deliver as soon as possible.
    NoDeliveryNow,
    /// Cannot be fetched as soon as possible.
    NoPickupNow,
    /// Does not deliver at a wanted time.
    NoDeliveryPreorder,
    /// Cannot be fetched at a wanted time.
    NoPickupPreorder,
    /// The wanted time is past, too near, or on a day too near or too far.
    PreorderTime,
    /// The list value is below the minimum. Detail: the minimum.
    MinimumNotReached,
    /// The item does not exist (any more) or is switched off.
    ItemInactive,
    /// The item is not shown on this channel.
    ItemNotVisible,
    /// The item is not published yet, or not sold at the wanted time.
    ItemNotAvailable,
    /// More pieces, over all lines, than may be sold. Detail: how many may.
    ItemSoldOut,
    /// The item has no such option, or it is switched off or not offered on this channel.
    OptionNotAvailable,
    /// Too few or too many options of a group. Detail: the limits, `1-3` or, without a most, `1-`.
    OptionCount,
    /// The restaurant does not take this payment method, or not on this channel.
    PaymentMethodNotAvailable,
}

impl ReasonKind {
    /// All, in their order.
    pub const ALL: [Self; 15] = [
        Self::TempNoOrders,
        Self::Closed,
        Self::NoDeliveryNow,
        Self::NoPickupNow,
        Self::NoDeliveryPreorder,
        Self::NoPickupPreorder,
        Self::PreorderTime,
        Self::MinimumNotReached,
        Self::ItemInactive,
        Self::ItemNotVisible,
        Self::ItemNotAvailable,
        Self::ItemSoldOut,
        Self::OptionNotAvailable,
        Self::OptionCount,
        Self::PaymentMethodNotAvailable,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TempNoOrders => "temp_no_orders",
            Self::Closed => "closed",
            Self::NoDeliveryNow => "no_delivery_now",
            Self::NoPickupNow => "no_pickup_now",
            Self::NoDeliveryPreorder => "no_delivery_preorder",
            Self::NoPickupPreorder => "no_pickup_preorder",
            Self::PreorderTime => "preorder_time",
            Self::MinimumNotReached => "minimum_not_reached",
            Self::ItemInactive => "item_inactive",
            Self::ItemNotVisible => "item_not_visible",
            Self::ItemNotAvailable => "item_not_available",
            Self::ItemSoldOut => "item_sold_out",
            Self::OptionNotAvailable => "option_not_available",
            Self::OptionCount => "option_count",
            Self::PaymentMethodNotAvailable => "payment_method_not_available",
        }
    }
}

impl Reason {
    fn new(reason: ReasonKind) -> Self {
        Self { reason, item_index: None, option_id: None, option_group_id: None, detail: None }
    }

    fn item(self, index: usize) -> Self {
        Self { item_index: Some(index), ..self }
    }

    fn detail(self, detail: impl ToString) -> Self {
        Self { detail: Some(detail.to_string()), ..self }
    }
}

/// Every reason that holds, in the order of [`ReasonKind`] and of the cart; none: the order may be taken.
pub fn acceptable(catalogue: &Catalogue, cart: &Cart, config: &Config) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if !config.staff {
        restaurant_rules(cart, config, &mut reasons);
    }
    delivery_rules(catalogue, cart, config, &mut reasons);
    item_rules(catalogue, cart, config, &mut reasons);
    if !config.payable {
        reasons.push(Reason::new(ReasonKind::PaymentMethodNotAvailable));
    }
    reasons.sort_by_key(|reason| reason.reason);
    reasons
}

/// SOS close, hours and preorder rules: they bind guests and kiosks, not staff.
fn restaurant_rules(cart: &Cart, config: &Config, reasons: &mut Vec<Reason>) {
    let instant = |at: Option<kernel::time::Timestamp>| at.map(|at| at.to_string());
    if config.schedule.sos.holds(config.now) {
        reasons.push(Reason {
            detail: instant(config.schedule.sos.end()),
            ..Reason::new(ReasonKind::TempNoOrders)
        });
    }
    let mut push = |holds: bool, kind| {
        if holds {
            reasons.push(Reason::new(kind));
        }
    };
    match (cart.fulfilment(), cart.is_preorder()) {
        (Fulfilment::Delivery, false) => push(!config.normal_delivery, ReasonKind::NoDeliveryNow),
        (Fulfilment::Delivery, true) => push(!config.preorder_delivery, ReasonKind::NoDeliveryPreorder),
        (Fulfilment::Pickup, false) => push(!config.normal_pickup, ReasonKind::NoPickupNow),
        (Fulfilment::Pickup, true) => push(!config.preorder_pickup, ReasonKind::NoPickupPreorder),
        (Fulfilment::Here, _) => {}
    }
    push(!preorder_time_allowed(cart, config), ReasonKind::PreorderTime);

    let wanted = cart.expected_at.unwrap_or(config.now);
    if !config.schedule.within_hours(wanted) {
        let next = config.schedule.next_within_hours(wanted);
        reasons.push(Reason { detail: instant(next), ..Reason::new(ReasonKind::Closed) });
    }
}

/// A wanted time lies far enough ahead, on an allowed calendar day of the restaurant. *Here* orders only must
/// not be past: the limits are those of the delivery and take-away settings.
fn preorder_time_allowed(cart: &Cart, config: &Config) -> bool {
    let Some(expected) = cart.expected_at else {
        return true;
    };
    let lead = match cart.fulfilment() {
        Fulfilment::Here => return expected >= config.now,
        Fulfilment::Pickup => config.min_preorder_pickup_diff,
        Fulfilment::Delivery => config.min_preorder_delivery_diff,
    };
    let days =
        (expected.local_date(config.schedule.zone) - config.now.local_date(config.schedule.zone)).num_days();
    expected >= config.now.plus_minutes(lead.max(0).into())
        && (config.min_days_to_preorder.into()..=config.days_to_preorder.into()).contains(&days)
}

/// The minimum of deliveries; it looks at the list value, so that no promotion moves it.
fn delivery_rules(catalogue: &Catalogue, cart: &Cart, config: &Config, reasons: &mut Vec<Reason>) {
    let minimum = config.min_order_price;
    if cart.fulfilment() == Fulfilment::Delivery && list_value(catalogue, cart, config) < minimum {
        reasons.push(Reason::new(ReasonKind::MinimumNotReached).detail(minimum));
    }
}

fn item_rules(catalogue: &Catalogue, cart: &Cart, config: &Config, reasons: &mut Vec<Reason>) {
    let mut wanted_pieces: HashMap<Uuid, i64> = HashMap::new();
    for line in &cart.items {
        *wanted_pieces.entry(line.subproduct_id).or_default() += i64::from(line.quantity);
    }
    let wanted_at = cart.expected_at.unwrap_or(config.now);
    for (index, line) in cart.items.iter().enumerate() {
        let Some(item) = catalogue.items.get(&line.subproduct_id) else {
            reasons.push(Reason::new(ReasonKind::ItemInactive).item(index));
            continue;
        };
        let mut push = |holds: bool, kind| {
            if holds {
                reasons.push(Reason::new(kind).item(index));
            }
        };
        push(!item.active, ReasonKind::ItemInactive);
        push(!item.visible.on(cart.menu_channel()), ReasonKind::ItemNotVisible);
        push(!item.is_available(config.now, wanted_at, config.schedule.zone), ReasonKind::ItemNotAvailable);
        let pieces = wanted_pieces.get(&line.subproduct_id).copied().unwrap_or_default();
        if let Some(left) = item.sellable_quantity.filter(|left| pieces > i64::from(*left)) {
            reasons.push(Reason::new(ReasonKind::ItemSoldOut).item(index).detail(left.max(0)));
        }
        option_rules(catalogue, cart, index, line, item, reasons);
    }
}

fn option_rules(
    catalogue: &Catalogue,
    cart: &Cart,
    index: usize,
    line: &CartItem,
    item: &Item,
    reasons: &mut Vec<Reason>,
) {
    let channel = cart.menu_channel();
    let mut counts: HashMap<Uuid, u32> = HashMap::new();
    for (at, chosen) in line.options.iter().enumerate() {
        let offered = catalogue
            .option(item, chosen.option_id)
            .filter(|(_, group, option)| group.is_offered(channel) && option.is_offered(channel));
        let repeated = line.options[..at].iter().any(|earlier| earlier.option_id == chosen.option_id);
        if let Some((group_id, _, _)) = offered {
            *counts.entry(group_id).or_default() += u32::from(chosen.quantity);
        } else if !repeated {
            let reason = Reason::new(ReasonKind::OptionNotAvailable).item(index);
            reasons.push(Reason { option_id: Some(chosen.option_id), ..reason });
        }
    }
    for (group_id, group) in catalogue.groups_of(item).filter(|(_, group)| group.is_offered(channel)) {
        if !group.allows(counts.get(&group_id).copied().unwrap_or_default()) {
            let most =
                if group.max_no_options > 0 { group.max_no_options.to_string() } else { String::new() };
            let reason = Reason::new(ReasonKind::OptionCount)
                .item(index)
                .detail(format!("{}-{most}", group.min_no_options));
            reasons.push(Reason { option_group_id: Some(group_id), ..reason });
        }
    }
}

//! Whether an order may be taken, and every reason against it. See `docs/decisions/pricing.md#reasons`.

use std::collections::HashMap;

use kernel::{money::Money, time::Timestamp};
use uuid::Uuid;

use crate::{
    Cart, CartItem, Catalogue, Config, Fulfilment, Item, Place, Promotion, PromotionReason, Reason,
    ReasonKind, StaffDiscount, applicable, basket::Basket, candidates::choose, lines::components,
};

/// Every reason that holds, in the order of [`ReasonKind`] and of the cart; none: the order may be taken.
/// Takes what [`crate::price`] takes.
pub fn acceptable(
    catalogue: &Catalogue, promotions: &[Promotion], cart: &Cart, config: &Config,
) -> Vec<Reason> {
    let basket = Basket::new(catalogue, cart, config);
    let mut reasons = Vec::new();
    if !config.staff {
        restaurant_rules(cart, config, &mut reasons);
    }
    if !(config.staff && config.delivery_override) {
        delivery_rules(&basket, &mut reasons);
    }
    item_rules(&basket, &mut reasons);
    coupon_rule(&basket, promotions, &mut reasons);
    staff_discount_rule(&basket, promotions, &mut reasons);
    if !config.payable {
        reasons.push(Reason::new(ReasonKind::PaymentMethodNotAvailable));
    }
    reasons.sort_by_key(|reason| reason.reason);
    reasons
}

/// SOS close, hours and preorder rules: they bind guests and kiosks, not staff.
fn restaurant_rules(cart: &Cart, config: &Config, reasons: &mut Vec<Reason>) {
    let instant = |at: Option<Timestamp>| at.map(|at| at.to_string());
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
    // The switches are those of the web shop: they bind own online channels only.
    match (cart.fulfilment(), cart.is_preorder()) {
        _ if !cart.platform.is_own_online() => {}
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

/// Place and minimum of deliveries. The minimum looks at the list value, so that no promotion moves it.
fn delivery_rules(basket: &Basket<'_>, reasons: &mut Vec<Reason>) {
    if basket.cart.fulfilment() == Fulfilment::Delivery {
        let config = basket.config;
        reasons.extend(delivery_reasons(config.place, basket.list_money(), config.min_order_price));
    }
}

/// Every reason against bringing goods that are worth so much at list price to a place; `min_order_price` is the
/// restaurant's, for where the place has none of its own.
pub fn delivery_reasons(place: Place, list_value: Money, min_order_price: Money) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let of_region = match place {
        Place::NotAsked => None,
        Place::Region(region) => region.min_order_price,
        Place::Outside => {
            reasons.push(Reason::new(ReasonKind::NoDeliveryThere));
            None
        }
        Place::Unknown => {
            reasons.push(Reason::new(ReasonKind::NoDeliveryThere).detail("place_unknown"));
            None
        }
    };
    let minimum = of_region.unwrap_or(min_order_price);
    if list_value < minimum {
        reasons.push(Reason::new(ReasonKind::MinimumNotReached).detail(minimum));
    }
    reasons
}

/// A coupon that cannot apply; one that applies and is not used refuses nothing. Nobody learns that another
/// restaurant has the code.
fn coupon_rule(basket: &Basket<'_>, promotions: &[Promotion], reasons: &mut Vec<Reason>) {
    let Some(code) = basket.cart.code() else {
        return;
    };
    let named = promotions.iter().filter(|promotion| applicable::is_named(promotion, Some(&code)));
    let mut refusals = Vec::new();
    for promotion in named {
        match applicable::check(basket, 0, promotion, Some(&code)) {
            Ok(_) => return,
            Err(refused) => refusals.push(refused.reason),
        }
    }
    let why = refusals.into_iter().filter(|reason| *reason != PromotionReason::OtherRestaurant).max();
    let told = why.map(|reason| if basket.config.conceal_customers { reason.concealed() } else { reason });
    let reason = Reason::new(ReasonKind::CouponNotApplicable);
    reasons.push(match told {
        Some(told) => reason.detail(told.as_str()),
        None => reason,
    });
}

/// Staff may take off a share of the goods as promotions left them.
fn staff_discount_rule(basket: &Basket<'_>, promotions: &[Promotion], reasons: &mut Vec<Reason>) {
    let Some((discount, most)) = basket.cart.staff_discount.zip(basket.config.max_discount_percent) else {
        return;
    };
    let above = match discount {
        StaffDiscount::Percent(percent) => percent > most,
        StaffDiscount::Amount(_) => {
            let left = choose(basket, promotions).best.left;
            let coin = basket.coin();
            coin.money(left.staff) > most.of(coin.money(left.before_staff))
        }
    };
    if above {
        reasons.push(Reason::new(ReasonKind::StaffDiscountAboveLimit).detail(most));
    }
}

fn item_rules(basket: &Basket<'_>, reasons: &mut Vec<Reason>) {
    let (catalogue, cart, config) = (basket.catalogue, basket.cart, basket.config);
    let wanted_pieces = basket.pieces();
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
        sold_out_rule(catalogue, &wanted_pieces, index, line, item, reasons);
        option_rules(catalogue, cart, index, line, item, reasons);
    }
}

/// All lines count together, for the size itself, its components and the sizes that options stand for.
fn sold_out_rule(
    catalogue: &Catalogue, wanted_pieces: &HashMap<Uuid, u64>, index: usize, line: &CartItem, item: &Item,
    reasons: &mut Vec<Reason>,
) {
    // How many of something may be sold that takes so many pieces of a size; `None` when there are enough.
    let short = |subproduct_id: Uuid, size: &Item, pieces: u32| {
        let left = u64::try_from(size.sellable_quantity?).unwrap_or(0);
        let wanted = wanted_pieces.get(&subproduct_id).copied().unwrap_or(0);
        (wanted > left).then(|| left / u64::from(pieces.max(1)))
    };
    let of_components = components(catalogue, item).filter_map(|(id, size, pieces)| short(id, size, pieces));
    if let Some(left) = short(line.subproduct_id, item, 1).into_iter().chain(of_components).min() {
        reasons.push(Reason::new(ReasonKind::ItemSoldOut).item(index).detail(left));
    }
    for (at, chosen) in line.options.iter().enumerate() {
        let repeated = line.options[..at].iter().any(|earlier| earlier.option_id == chosen.option_id);
        let size = catalogue.option(item, chosen.option_id).and_then(|(_, _, option)| option.size);
        let left = size.filter(|size| size.pieces > 0 && !repeated).and_then(|size| {
            short(size.subproduct_id, catalogue.items.get(&size.subproduct_id)?, size.pieces.into())
        });
        if let Some(left) = left {
            let reason = Reason::new(ReasonKind::ItemSoldOut).item(index).detail(left);
            reasons.push(Reason { option_id: Some(chosen.option_id), ..reason });
        }
    }
}

fn option_rules(
    catalogue: &Catalogue, cart: &Cart, index: usize, line: &CartItem, item: &Item, reasons: &mut Vec<Reason>,
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

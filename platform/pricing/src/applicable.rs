//! Whether a promotion applies to a cart, and which of its ranges. See
//! `docs/decisions/pricing.md#promotions`.

use std::collections::HashSet;

use kernel::time::in_time_ranges;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{
    Fulfilment, Item, ProductSet, Promotion, PromotionKind, PromotionReason, Range, RangeFilterType,
    Restriction, TableSet, ValueKind, basket::Basket, fold_code, units::Factor,
};

/// A promotion that applies, as far as it can be told without the others.
pub(crate) struct Ready<'a> {
    /// Its place among the promotions given.
    pub index: usize,
    pub promotion: &'a Promotion,
    pub range: &'a Range,
    /// The eligible lines, by their place in the basket.
    pub lines: Vec<usize>,
    /// Pieces of the eligible lines.
    pub pieces: u32,
    /// The range's value: a percentage, or an amount per piece.
    pub value: Factor,
    pub to_next_range: Option<Decimal>,
}

/// A promotion that does not apply.
pub(crate) struct Refused {
    pub reason: PromotionReason,
    /// What is missing for the first range, where only that is missing.
    pub to_next_range: Option<Decimal>,
}

/// Whether a promotion applies to the cart, whose code is given as [`crate::Cart::code`] has it.
pub(crate) fn check<'a>(
    basket: &Basket<'_>, index: usize, promotion: &'a Promotion, code: Option<&str>,
) -> Result<Ready<'a>, Refused> {
    if let Some(reason) = order_reason(basket, promotion, code).or_else(|| guest_reason(basket, promotion)) {
        return Err(Refused { reason, to_next_range: None });
    }
    let lines = eligible_lines(basket, promotion);
    if lines.is_empty() {
        return Err(Refused { reason: PromotionReason::NoMatchingProduct, to_next_range: None });
    }
    let of_lines = lines.iter().map(|place| &basket.goods.lines[*place]);
    let pieces = of_lines.clone().map(|line| line.quantity).fold(0, u32::saturating_add);
    let value = match promotion.range_filter_type {
        RangeFilterType::ByPrice => basket.coin().money(of_lines.map(|line| line.list()).sum()).value(),
        RangeFilterType::ByQuantity => pieces.into(),
    };
    let to_next_range = next_range(promotion, value).map(|from| from - value);
    let reached = promotion.ranges.iter().filter(|range| range.price_from <= value);
    let Some(range) = reached.max_by_key(|range| range.price_from) else {
        return Err(Refused { reason: PromotionReason::RangeNotReached, to_next_range });
    };
    let value = match range.discount_type {
        ValueKind::Percent => Factor::percent(range.discount_value),
        ValueKind::FixedValue | ValueKind::OverwrittenValue => {
            Factor::per_piece(range.discount_value, basket.coin())
        }
    };
    Ok(Ready { index, promotion, range, lines, pieces, value, to_next_range })
}

/// Whether the cart names this coupon.
pub(crate) fn is_named(promotion: &Promotion, code: Option<&str>) -> bool {
    let Some((given, own)) = code.zip(promotion.code.as_deref()) else {
        return false;
    };
    promotion.kind == PromotionKind::Coupon && fold_code(own) == given
}

/// The lowest `price_from` that is not reached.
fn next_range(promotion: &Promotion, value: Decimal) -> Option<Decimal> {
    promotion.ranges.iter().map(|range| range.price_from).filter(|from| *from > value).min()
}

/// What restaurant, code, time, channel and place say against it.
fn order_reason(basket: &Basket<'_>, promotion: &Promotion, code: Option<&str>) -> Option<PromotionReason> {
    let (cart, config) = (basket.cart, basket.config);
    let elsewhere = |ids: &HashSet<Uuid>| !ids.contains(&config.restaurant_id);
    let wanted = cart.expected_at.unwrap_or(config.now);
    if promotion.restaurant_ids.as_ref().is_some_and(elsewhere) {
        Some(PromotionReason::OtherRestaurant)
    } else if promotion.kind == PromotionKind::Coupon && !is_named(promotion, code) {
        Some(PromotionReason::CodeNotGiven)
    } else if promotion.valid_from.is_some_and(|from| config.now < from) {
        Some(PromotionReason::NotYetValid)
    } else if promotion.valid_till.is_some_and(|till| till < config.now) {
        Some(PromotionReason::Expired)
    } else if !in_time_ranges(&promotion.time_ranges, wanted, config.schedule.zone) {
        Some(PromotionReason::OutsideTimeRange)
    } else if !promotion.platforms.contains(&cart.platform) {
        Some(PromotionReason::Platform)
    } else if !promotion.pickup_enabled && cart.fulfilment() == Fulfilment::Pickup {
        Some(PromotionReason::Pickup)
    } else if !holds_at_table(basket, promotion) {
        Some(PromotionReason::Table)
    } else {
        None
    }
}

/// An order without a table is at none of those included, and passes those excluded.
fn holds_at_table(basket: &Basket<'_>, promotion: &Promotion) -> bool {
    let among = |tables: &TableSet| {
        basket.cart.table.is_some_and(|table| {
            table.table_id.is_some_and(|id| tables.table_ids.contains(&id))
                || table.location_id.is_some_and(|id| tables.table_category_ids.contains(&id))
        })
    };
    match &promotion.tables {
        Restriction::None => true,
        Restriction::Inclusion(tables) => among(tables),
        Restriction::Exclusion(tables) => !among(tables),
    }
}

/// What the customer and the limits say against it.
fn guest_reason(basket: &Basket<'_>, promotion: &Promotion) -> Option<PromotionReason> {
    let customer = basket.cart.customer;
    let vouched = customer.is_some_and(|customer| customer.vouched);
    let uses = basket.config.uses.get(&promotion.id).copied().unwrap_or_default();
    let used_up = |most: Option<u32>, used: u32| most.is_some_and(|most| used >= most);
    if promotion.login_needed && !vouched {
        Some(PromotionReason::LoginNeeded)
    } else if promotion.locked_customers && !(vouched && uses.named) {
        Some(PromotionReason::Customer)
    } else if used_up(promotion.all_max_use_qty, uses.all) {
        Some(PromotionReason::LimitReached)
    } else if promotion.customer_max_use_qty.is_some() && customer.is_none() {
        Some(PromotionReason::CustomerUnknown)
    } else if used_up(promotion.customer_max_use_qty, uses.customer) {
        Some(PromotionReason::CustomerLimitReached)
    } else {
        None
    }
}

/// The lines for which a promotion is meant; what the catalogue does not know is none.
fn eligible_lines(basket: &Basket<'_>, promotion: &Promotion) -> Vec<usize> {
    let among = |products: &ProductSet, item: &Item| {
        products.subproduct_ids.contains(&item.origin_id)
            || item.category_ids.iter().any(|id| products.product_category_ids.contains(id))
    };
    let eligible = |item: &Item| match &promotion.products {
        Restriction::None => true,
        Restriction::Inclusion(products) => among(products, item),
        Restriction::Exclusion(products) => !among(products, item),
    };
    let lines = basket.goods.lines.iter().enumerate();
    lines.filter(|(_, line)| line.item.is_some_and(eligible)).map(|(place, _)| place).collect()
}

//! Fees beside the goods. See `docs/decisions/pricing.md#fees`.

use kernel::money::Money;

use crate::{
    Cart, Config, Fulfilment, Place, Platform, Region, Tips,
    units::{Coin, Factor},
};

/// The delivery fee at list price. It looks at the list value, so no promotion moves it.
pub(crate) fn delivery(cart: &Cart, config: &Config, coin: Coin, list_value: i128) -> i128 {
    if cart.fulfilment() != Fulfilment::Delivery {
        return 0;
    }
    coin.units(to(config.place, coin.money(list_value)))
}

/// What a delivery to a place costs of goods that are worth so much at list price.
pub(crate) fn to(place: Place, list_value: Money) -> Money {
    let Place::Region(Region { fee, .. }) = place else {
        return Money::ZERO;
    };
    let below = fee.threshold_price.is_some_and(|threshold| list_value < threshold);
    if below { fee.price.max(fee.price_under_threshold) } else { fee.price }
}

/// The percentage of the service fee that this order carries, as far as an item does. *Here* orders carry it,
/// those taken away from till and kiosk when the restaurant says so, others never.
pub(crate) fn service(cart: &Cart, config: &Config) -> Factor {
    let fee = &config.fees.service;
    let taken_away = fee.take_away && matches!(cart.platform, Platform::TakeAway | Platform::KioskTakeAway);
    let charged = cart.fulfilment() == Fulfilment::Here || taken_away;
    Factor::percent(if charged { fee.percent.value() } else { 0.into() })
}

/// Tips, as sent.
pub(crate) fn tips(cart: &Cart, coin: Coin) -> Tips {
    let whole = |tip| coin.money(coin.units(tip));
    Tips {
        tip: whole(cart.tips.tip),
        employee_tip: whole(cart.tips.employee_tip),
        courier_tip: whole(cart.tips.courier_tip),
    }
}

/// The system usage fee, on own online channels.
pub(crate) fn system_usage(cart: &Cart, config: &Config, coin: Coin) -> i128 {
    if cart.platform.is_own_online() { coin.units(config.fees.system_usage) } else { 0 }
}

/// Whether bottles and cans of this order carry a deposit.
pub(crate) fn charges_deposit(cart: &Cart, config: &Config) -> bool {
    !(config.deposit.not_here && cart.fulfilment() == Fulfilment::Here)
}

/// Points for goods: a percentage of what is paid for them, less what points pay, rounded down. Only a
/// customer for whom somebody vouches earns them. One point is one unit.
pub(crate) fn points_earned(cart: &Cart, config: &Config, coin: Coin, goods: i128) -> i64 {
    if !cart.customer.is_some_and(|customer| customer.vouched) {
        return 0;
    }
    let paid = (goods - coin.units(cart.by_points)).max(0);
    i64::try_from(Factor::percent(config.point_cash_ratio.value()).floor_of(paid)).unwrap_or(i64::MAX)
}

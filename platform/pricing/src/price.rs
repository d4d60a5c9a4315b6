//! From cart to priced cart. Each step is a function; [`price`] has their order. See
//! `docs/decisions/pricing.md#order-of-the-steps`.

use kernel::money::{Money, Percent, spread};
use rust_decimal::Decimal;

use crate::{
    Cart, CartItem, Catalogue, Config, Explanation, Fulfilment, Item, Platform, Priced, PricedLine,
    PricedOption, Step, Tips, vat,
};

/// Prices a cart. It also prices what [`crate::acceptable`] refuses, so that a quote can show both; an item
/// or option that the catalogue does not know costs nothing.
pub fn price(catalogue: &Catalogue, cart: &Cart, config: &Config) -> Priced {
    let mut lines = products_at_list_price(catalogue, cart, config);
    let list_value: Money = lines.iter().map(|line| line.total_price).sum();
    let delivery_price = delivery_fee(cart, config, list_value);
    // Promotions act here: they lower `paid_price` of the lines and the delivery price.
    let service_fee = spread_service_fee(catalogue, cart, config, &mut lines);
    let tips = tips(cart, config);
    let system_usage_fee = system_usage_fee(cart, config);

    let products_price: Money = lines.iter().map(|line| line.paid_price).sum();
    let original_price = list_value + delivery_price;
    let vats = {
        let goods = lines.iter().map(|line| (line.vat_percent, line.paid_price + line.service_fee));
        let fees = [(config.delivery_vat, delivery_price), (Config::USAGE_FEE_VAT, system_usage_fee)];
        let parts: Vec<(Percent, Money)> = goods.chain(fees).collect();
        let (vats, nets) = vat::split(&parts, config.currency);
        for ((line, net), (_, gross)) in lines.iter_mut().zip(nets).zip(parts) {
            line.net = net;
            line.vat = gross - net;
        }
        vats
    };

    let products = lines.iter().map(|line| Explanation {
        step: Step::Product,
        reference: Some(line.subproduct_id),
        amount: line.total_price,
    });
    let others = [
        (Step::DeliveryFee, delivery_price),
        (Step::ServiceFee, service_fee),
        (Step::Tip, tips.tip),
        (Step::EmployeeTip, tips.employee_tip),
        (Step::CourierTip, tips.courier_tip),
        (Step::SystemUsageFee, system_usage_fee),
    ];
    let others = others.into_iter().filter(|(_, amount)| !amount.is_zero());
    let explanation =
        products.chain(others.map(|(step, amount)| Explanation { step, reference: None, amount })).collect();

    Priced {
        vats,
        products_price,
        delivery_price,
        discount_price: original_price - products_price - delivery_price,
        original_price,
        service_fee,
        tips,
        system_usage_fee,
        total_price: products_price + delivery_price + service_fee + tips.total() + system_usage_fee,
        explanation,
        lines,
    }
}

/// The goods with options at list price: what minimum, thresholds and ranges look at.
pub(crate) fn list_value(catalogue: &Catalogue, cart: &Cart, config: &Config) -> Money {
    products_at_list_price(catalogue, cart, config).iter().map(|line| line.total_price).sum()
}

/// Step 1: unit price with options, times quantity.
fn products_at_list_price(catalogue: &Catalogue, cart: &Cart, config: &Config) -> Vec<PricedLine> {
    let here = cart.fulfilment() == Fulfilment::Here;
    cart.items
        .iter()
        .map(|line| priced_line(catalogue, line, catalogue.items.get(&line.subproduct_id), here, config))
        .collect()
}

fn priced_line(
    catalogue: &Catalogue,
    line: &CartItem,
    item: Option<&Item>,
    here: bool,
    config: &Config,
) -> PricedLine {
    let pieces = Decimal::from(line.quantity);
    let options: Vec<PricedOption> = line
        .options
        .iter()
        .map(|chosen| {
            let known = item.and_then(|item| catalogue.option(item, chosen.option_id));
            let unit_price = known.map_or(Money::ZERO, |(_, _, option)| list_price(option.price, config));
            PricedOption {
                option_id: chosen.option_id,
                option_group_id: known.map(|(group_id, _, _)| group_id),
                quantity: chosen.quantity,
                unit_price,
                total_price: unit_price * Decimal::from(chosen.quantity) * pieces,
            }
        })
        .collect();
    let of_options: Money =
        options.iter().map(|option| option.unit_price * Decimal::from(option.quantity)).sum();
    let unit_price = item.map_or(Money::ZERO, |item| list_price(item.price, config)) + of_options;
    let total_price = unit_price * pieces;
    PricedLine {
        subproduct_id: line.subproduct_id,
        quantity: line.quantity,
        unit_price,
        total_price,
        paid_price: total_price,
        service_fee: Money::ZERO,
        vat_percent: item.map_or(Percent::ZERO, |item| item.sit_in_vat.filter(|_| here).unwrap_or(item.vat)),
        net: Money::ZERO,
        vat: Money::ZERO,
        options,
    }
}

/// Sale prices are saved in whole units and not negative. A row that is not (an old import) is made so here,
/// once, so that everything shown still adds up.
fn list_price(price: Money, config: &Config) -> Money {
    price.round(config.currency).max(Money::ZERO)
}

/// Step: delivery fee. Its amount is known before promotions, which may include it.
fn delivery_fee(cart: &Cart, config: &Config, list_value: Money) -> Money {
    if cart.fulfilment() != Fulfilment::Delivery {
        return Money::ZERO;
    }
    let fee = &config.fees.delivery;
    let below = fee.threshold_price.is_some_and(|threshold| list_value < threshold);
    list_price(if below { fee.price.max(fee.price_under_threshold) } else { fee.price }, config)
}

/// Step: service fee. A percentage of what is paid for the items that carry it, rounded once, spread over
/// their lines. Charged on *here* orders, on taken-away ones of till and kiosk when the restaurant says so,
/// else never.
fn spread_service_fee(
    catalogue: &Catalogue,
    cart: &Cart,
    config: &Config,
    lines: &mut [PricedLine],
) -> Money {
    let fee = &config.fees.service;
    let taken_away = fee.take_away && matches!(cart.platform, Platform::TakeAway | Platform::KioskTakeAway);
    if cart.fulfilment() != Fulfilment::Here && !taken_away {
        return Money::ZERO;
    }
    let weights: Vec<Decimal> = lines
        .iter()
        .map(|line| {
            let flag = catalogue.items.get(&line.subproduct_id).and_then(|item| item.service_fee);
            if fee.mode.includes(flag) { line.paid_price.value() } else { Decimal::ZERO }
        })
        .collect();
    let amount = fee.percent.of(Money(weights.iter().sum())).round(config.currency);
    for (line, share) in lines.iter_mut().zip(spread(amount, &weights, config.currency.unit())) {
        line.service_fee = share;
    }
    amount
}

/// Step: tips, as sent.
fn tips(cart: &Cart, config: &Config) -> Tips {
    let amount = |tip: Money| list_price(tip, config);
    Tips {
        tip: amount(cart.tips.tip),
        employee_tip: amount(cart.tips.employee_tip),
        courier_tip: amount(cart.tips.courier_tip),
    }
}

/// Step: system usage fee, on own online channels.
fn system_usage_fee(cart: &Cart, config: &Config) -> Money {
    if cart.platform.is_own_online() { list_price(config.fees.system_usage, config) } else { Money::ZERO }
}

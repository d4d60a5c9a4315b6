//! Fees and tips.

use super::*;

#[test]
fn tips_are_outside_vat() {
    let tips = Tips { tip: Money::from(100), employee_tip: Money::from(20), courier_tip: Money::from(3) };
    let priced = price(&catalogue(), &[], &Cart { tips, ..cart(&[line(BEER, 1, &[])]) }, &config());
    assert_eq!(priced.total_price, Money::from(1013));
    assert_eq!(vats(&priced), [(27, 701, 189, 890)]);
    let steps: Vec<_> = priced.explanation.iter().map(|e| e.step.as_str()).collect();
    assert_eq!(steps, ["item", "tip", "employee_tip", "courier_tip"]);
}

#[test]
fn the_delivery_fee_rises_strictly_below_the_threshold() {
    let delivery = DeliveryFee {
        price: Money::from(500),
        threshold_price: Some(Money::from(1780)),
        price_under_threshold: Money::from(900),
    };
    for (beers, fee) in [(1, 900), (2, 500), (3, 500)] {
        let config =
            Config { place: Place::Region(Region { fee: delivery, min_order_price: None }), ..config() };
        let cart = cart(&[line(BEER, beers, &[])]);
        let priced = price(&catalogue(), &[], &cart, &config);
        assert_eq!(priced.delivery_price, Money::from(fee), "{beers}");
        assert_eq!(priced.original_price, priced.products_price + priced.delivery_price);
        assert_eq!(priced.vats.len(), 1, "fee and beer have the same rate");
        let fetched = price(&catalogue(), &[], &Cart { pickup: true, ..cart }, &config);
        assert_eq!(fetched.delivery_price, Money::ZERO);
    }
    let never_cheaper = DeliveryFee { price_under_threshold: Money::from(100), ..delivery };
    let config = Config {
        place: Place::Region(Region { fee: never_cheaper, min_order_price: None }),
        delivery_vat: percent(18),
        ..config()
    };
    let priced = price(&catalogue(), &[], &cart(&[line(BEER, 1, &[])]), &config);
    assert_eq!(priced.delivery_price, Money::from(500));
    assert_eq!(vats(&priced), [(27, 701, 189, 890), (18, 424, 76, 500)]);
}

#[test]
fn the_service_fee_is_a_share_of_the_flagged_goods() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().service_fee = Some(true);
    catalogue.items.get_mut(&BREAD).unwrap().service_fee = Some(false);
    let fee = |mode, take_away, platform| {
        let service = ServiceFee { mode, percent: percent(12), take_away };
        let config = Config { fees: Fees { service, ..Fees::default() }, ..config() };
        let cart = Cart { platform, ..cart(&[line(PIZZA, 1, &[]), line(BEER, 1, &[]), line(BREAD, 1, &[])]) };
        let priced = price(&catalogue, &[], &cart, &config);
        let shares: Vec<i64> = priced.lines.iter().map(|l| l.service_fee.0.try_into().unwrap()).collect();
        assert_eq!(priced.service_fee, priced.lines.iter().map(|l| l.service_fee).sum());
        shares
    };
    use ServiceFeeMode::{AllItems, FlaggedItems, Off};
    assert_eq!(fee(Off, true, Platform::SitIn), [0, 0, 0]);
    // 12 % of 3880 = 465.6, once rounded 466 = 359.1 + 106.9
    assert_eq!(fee(AllItems, true, Platform::SitIn), [359, 107, 0]);
    assert_eq!(fee(FlaggedItems, true, Platform::SitIn), [0, 107, 0]);
    assert_eq!(fee(FlaggedItems, true, Platform::KioskTakeAway), [0, 107, 0]);
    assert_eq!(fee(FlaggedItems, false, Platform::TakeAway), [0, 0, 0]);
    assert_eq!(fee(FlaggedItems, true, Platform::Browser), [0, 0, 0]);
    assert_eq!(fee(FlaggedItems, true, Platform::Phone), [0, 0, 0]);
}

#[test]
fn the_usage_fee_is_charged_in_own_online_shops() {
    let config = Config { fees: Fees { system_usage: Money::from(60), ..Fees::default() }, ..config() };
    for platform in Platform::OWN.into_iter().chain([Platform::DeliveryPlatform]) {
        let priced = price(&catalogue(), &[], &Cart { platform, ..cart(&[line(BREAD, 1, &[])]) }, &config);
        let own = matches!(platform.as_str(), "browser" | "android" | "ios" | "messenger");
        assert_eq!(priced.system_usage_fee, Money::from(if own { 60 } else { 0 }), "{platform:?}");
        assert_eq!(priced.vats[0].percent == percent(27), own, "{platform:?}");
        let expected = if own { [60, 0, 60, 47, 13] } else { [0; 5] };
        assert_eq!(amounts(&priced.usage), expected, "{platform:?}");
    }
}

fn amounts(fee: &PricedFee) -> [i64; 5] {
    [fee.total_price, fee.discount, fee.paid_price, fee.net, fee.vat].map(whole)
}

#[test]
fn a_fee_says_what_of_it_is_paid() {
    let half = Range { apply_on_delivery: true, ..range(ValueKind::Percent, 50) };
    let promotion = taking(1, ApplyType::ApplyPerCart, half);
    let priced = price(&catalogue(), &[promotion], &cart(&[line(BEER, 1, &[])]), &delivered(500));
    assert_eq!(amounts(&priced.delivery), [500, 250, 250, 197, 53]);
}

//! Prices of carts.

use kernel::Fault;

use super::*;

#[test]
fn a_line_is_one_piece_with_its_options_times_the_quantity() {
    let cart = cart(&[line(PIZZA, 2, &[(CHEESE, 2), (HAM, 1)]), line(BEER, 3, &[])]);
    let priced = price(&catalogue(), &[], &cart, &config());
    let pizza = &priced.lines[0];
    assert_eq!(
        (pizza.unit_price, pizza.total_price, pizza.paid_price),
        (Money::from(4040), Money::from(8080), Money::from(8080))
    );
    assert_eq!(pizza.options[0].unit_price, Money::from(300));
    assert_eq!(pizza.options[0].total_price, Money::from(1200), "two on each of two pizzas");
    assert_eq!(pizza.options[0].option_group_id, Some(TOPPINGS));
    assert_eq!(priced.lines[1].total_price, Money::from(2670));
    assert_eq!(priced.total_price, Money::from(10750));
    assert_eq!(priced.original_price, priced.total_price);
    assert_eq!(priced.discount_price, Money::ZERO);
    let steps: Vec<_> = priced.explanation.iter().map(|e| (e.step, e.reference, e.amount)).collect();
    assert_eq!(
        steps,
        [(Step::Item, Some(PIZZA), Money::from(8080)), (Step::Item, Some(BEER), Money::from(2670))]
    );
}

#[test]
fn vat_by_channel() {
    use Fulfilment::{Delivery, Here, Pickup};
    for (platform, pickup, at_table, fulfilment, pizza_vat) in [
        (Platform::Browser, false, false, Delivery, 27),
        (Platform::Browser, true, false, Pickup, 27),
        (Platform::Browser, false, true, Here, 5),
        (Platform::Android, true, true, Here, 5),
        (Platform::Ios, false, false, Delivery, 27),
        (Platform::Messenger, true, false, Pickup, 27),
        (Platform::DeliveryPlatform, false, false, Delivery, 27),
        (Platform::Phone, false, false, Delivery, 27),
        (Platform::Phone, true, false, Pickup, 27),
        (Platform::TakeAway, false, false, Pickup, 27),
        (Platform::SitIn, false, false, Here, 5),
        (Platform::SitIn, true, false, Here, 5),
        (Platform::KioskSitIn, true, false, Here, 5),
        (Platform::KioskTakeAway, false, false, Pickup, 27),
    ] {
        let table = at_table.then(Table::default);
        let cart =
            Cart { platform, pickup, table, ..cart(&[line(PIZZA, 1, &[(HAM, 1)]), line(BEER, 1, &[])]) };
        let priced = price(&catalogue(), &[], &cart, &config());
        let rates: Vec<_> = priced.lines.iter().map(|l| l.vat_percent).collect();
        assert_eq!(cart.fulfilment(), fulfilment, "{platform:?} {pickup} {at_table}");
        assert_eq!(
            rates,
            [Some(percent(pizza_vat)), Some(percent(27))],
            "{platform:?} {pickup} {at_table}: beer has no VAT of its own here"
        );
    }
}

#[test]
fn each_channel_has_its_visibility_flag() {
    use MenuChannel::{KioskSitIn, KioskTakeAway, Online, Phone, SitIn};
    for (platform, at_table, channel) in [
        (Platform::Browser, false, Online),
        (Platform::Browser, true, SitIn),
        (Platform::Android, false, Online),
        (Platform::Ios, false, Online),
        (Platform::Messenger, false, Online),
        (Platform::DeliveryPlatform, false, Online),
        (Platform::Phone, false, Phone),
        (Platform::TakeAway, false, SitIn),
        (Platform::SitIn, true, SitIn),
        (Platform::KioskSitIn, true, KioskSitIn),
        (Platform::KioskTakeAway, false, KioskTakeAway),
    ] {
        let table = at_table.then(Table::default);
        assert_eq!(Cart { platform, table, ..cart(&[]) }.menu_channel(), channel, "{platform:?}");
    }
}

#[test]
fn vat_is_rounded_once_per_rate_and_spread_over_its_lines() {
    let cart = Cart {
        platform: Platform::SitIn,
        ..cart(&[line(PIZZA, 1, &[]), line(BEER, 1, &[]), line(BEER, 2, &[]), line(BREAD, 1, &[])])
    };
    let priced = price(&catalogue(), &[], &cart, &config());
    // 2670 ÷ 1.27 = 2102.36, 350 ÷ 1.18 = 296.61, 2990 ÷ 1.05 = 2847.62
    assert_eq!(vats(&priced), [(27, 2102, 568, 2670), (18, 297, 53, 350), (5, 2848, 142, 2990)]);
    // One beer of the three: 2102 × 890 ÷ 2670 = 700.67, rounded up by the largest remainder.
    assert_eq!((priced.lines[1].net, priced.lines[2].net), (Money::from(701), Money::from(1401)));
    assert_eq!((priced.lines[1].vat, priced.lines[2].vat), (Money::from(189), Money::from(379)));
}

#[test]
fn currencies_with_cents_keep_them() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BREAD).unwrap().price = money("3.45");
    let priced = price(
        &catalogue,
        &[],
        &cart(&[line(BREAD, 3, &[])]),
        &Config { currency: Currency::Eur, ..config() },
    );
    assert_eq!(priced.total_price, money("10.35"));
    assert_eq!((priced.vats[0].net, priced.vats[0].vat), (money("8.77"), money("1.58")));
}

#[test]
fn unknown_items_cost_nothing() {
    let priced = price(
        &catalogue(),
        &[],
        &cart(&[line(ELSEWHERE, 2, &[(CHEESE, 1)]), line(BEER, 1, &[(HAM, 1)])]),
        &config(),
    );
    assert_eq!(priced.total_price, Money::from(890), "ham is no option of a beer");
    assert_eq!(priced.lines[0].total_price, Money::ZERO);
    assert_eq!(priced.lines[1].options[0].option_group_id, None);
}

#[test]
fn rows_in_no_whole_units_are_made_whole() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = money("890.5");
    catalogue.items.get_mut(&BREAD).unwrap().price = money("-10");
    let priced = price(&catalogue, &[], &cart(&[line(BEER, 3, &[]), line(BREAD, 1, &[])]), &config());
    assert_eq!(priced.total_price, Money::from(2673));
}

#[test]
fn the_largest_cart_is_priced_without_overflow() {
    let mut catalogue = catalogue();
    for item in catalogue.items.values_mut() {
        item.price = money("1000000000000");
    }
    for option in &mut catalogue.option_groups.get_mut(&TOPPINGS).unwrap().options {
        option.price = money("1000000000000");
    }
    let items = vec![line(PIZZA, u16::MAX, &[(CHEESE, u16::MAX); 100]); MAX_LINES];
    let service = ServiceFee { mode: ServiceFeeMode::AllItems, percent: percent(100), take_away: false };
    let config = Config { fees: Fees { service, ..Fees::default() }, currency: Currency::Eur, ..config() };
    let priced = price(&catalogue, &[], &Cart { platform: Platform::SitIn, ..cart(&items) }, &config);
    assert_eq!(priced.explanation.iter().map(|e| e.amount).sum::<Money>(), priced.total_price);
    let with_vat = |l: &PricedLine| l.net + l.vat + l.service_fee_net + l.service_fee_vat;
    assert_eq!(priced.lines.iter().map(with_vat).sum::<Money>(), priced.total_price);

    let items: Vec<CartItem> = (1..=150).map(|at| line(PIZZA, u16::MAX - at, &[(CHEESE, at); 9])).collect();
    let cart = Cart { staff_discount: Some(StaffDiscount::Percent(percent(99))), ..cart(&items) };
    for (kind, value) in
        [(ValueKind::Percent, "33.333333333333333333333333"), (ValueKind::FixedValue, "1e20")]
    {
        for apply_type in [ApplyType::ApplyPerCart, ApplyType::ApplyPerItem] {
            let discount_value = Decimal::from_scientific(value).or(value.parse()).unwrap();
            let promotion = taking(1, apply_type, Range { discount_value, ..range(kind, 0) });
            let priced = price(&catalogue, &[promotion], &cart, &config);
            assert!(priced.lines.iter().all(|line| !line.paid_price.is_negative()));
            assert_eq!(priced.explanation.iter().map(|e| e.amount).sum::<Money>(), priced.total_price);
        }
    }
}

#[test]
fn faults_of_a_cart_name_its_fields() {
    let eur = || Config { currency: Currency::Eur, ..config() };
    let staff = || Config { staff: true, ..config() };
    let keys = |cart: &Cart, config: &Config| {
        let faults = cart.faults(config).into_iter();
        faults.map(|(key, fault)| format!("{key} {}", fault.name())).collect::<Vec<_>>()
    };
    let good = cart(&[line(PIZZA, 999, &[(CHEESE, 1)])]);
    assert_eq!(good.faults(&config()), []);
    assert_eq!(cart(&[]).faults(&config()), [("items".to_owned(), Fault::Required)]);
    assert_eq!(
        cart(&vec![line(BEER, 1, &[]); 201]).faults(&config()),
        [("items".to_owned(), Fault::TooLong(200))]
    );
    assert_eq!(cart(&vec![line(BEER, 1, &[]); 200]).faults(&config()), []);
    let tips = Tips { tip: Money::from(-1), employee_tip: money("0.5"), courier_tip: Money::from(10) };
    let bad = Cart { tips, ..cart(&[line(BEER, 0, &[]), line(PIZZA, 1000, &[(CHEESE, 1), (HAM, 0)])]) };
    assert_eq!(
        keys(&bad, &config()),
        [
            "items.0.quantity min",
            "items.1.quantity max",
            "items.1.item_options.1.quantity min",
            "tip min",
            "employee_tip invalid"
        ]
    );
    assert_eq!(keys(&Cart { tips, ..good.clone() }, &eur()), ["tip min"]);

    let with_tip = |config: Config, pickup| {
        let tips = Tips { courier_tip: Money::from(10), ..Tips::default() };
        keys(&Cart { tips, pickup, ..good.clone() }, &config)
    };
    assert_eq!(with_tip(config(), false), Vec::<String>::new());
    assert_eq!(with_tip(config(), true), ["courier_tip invalid"], "nobody brings it");
    assert_eq!(keys(&Cart { pickup: true, ..good.clone() }, &config()), Vec::<String>::new(), "no tip");
    assert_eq!(with_tip(Config { courier_tip_available: false, ..config() }, false), ["courier_tip invalid"]);

    let code = |length| Cart { coupon_code: Some("🍕".repeat(length)), ..good.clone() };
    assert_eq!(keys(&code(100), &config()), Vec::<String>::new());
    assert_eq!(keys(&code(101), &config()), ["coupon_code too_long"]);
    let choice = |promotion_id, accepted| GiftChoice { promotion_id, subproduct_id: BEER, accepted };
    let gift_choices = vec![choice(PIZZA, true), choice(BEER, true), choice(PIZZA, false)];
    assert_eq!(keys(&Cart { gift_choices, ..good.clone() }, &config()), ["gift_choices.2 not_unique"]);
    let all_differ = |count: u128| {
        let one = |id| choice(Uuid::from_u128(id), true);
        Cart { gift_choices: (0..count).map(one).collect(), ..good.clone() }
    };
    assert_eq!(keys(&all_differ(100), &config()), Vec::<String>::new());
    let gift_choices = vec![choice(PIZZA, true); 101];
    assert_eq!(keys(&Cart { gift_choices, ..good.clone() }, &config()), ["gift_choices too_long"]);

    let discount = |amount: &str| Cart {
        staff_discount: Some(StaffDiscount::Amount(money(amount))),
        by_points: money(amount),
        ..good.clone()
    };
    assert_eq!(keys(&discount("100"), &staff()), Vec::<String>::new());
    assert_eq!(keys(&discount("100"), &config()), ["staff_discount invalid"], "guests give themselves none");
    assert_eq!(keys(&discount("-1"), &staff()), ["staff_discount min", "by_points min"]);
    assert_eq!(keys(&discount("0.5"), &staff()), ["staff_discount invalid", "by_points invalid"]);
    assert_eq!(keys(&discount("1000000000"), &staff()), Vec::<String>::new());
    assert_eq!(keys(&discount("1000000001"), &staff()), ["staff_discount max", "by_points max"]);
}

#[test]
fn platforms_have_the_names_of_the_api() {
    for platform in Platform::OWN {
        assert_eq!(platform.as_str().parse(), Ok(platform));
    }
    assert!("fax".parse::<Platform>().is_err());
}

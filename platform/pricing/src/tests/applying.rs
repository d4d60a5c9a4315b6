//! Amounts that promotions take, and their distribution.

use super::*;

/// A changed promotion of 10 %; what is paid for two pizzas with cheese, for a beer, and for the delivery.
type Case = (&'static str, fn(&mut Promotion, &mut Range), [i64; 3]);

/// Pizzas 5980, cheese 600, beer 890, delivery 500.
fn run(cases: &[Case]) {
    for (name, change, [pizza, beer, delivery]) in cases {
        let (mut promotion, mut range) = (promotion(1), range(ValueKind::Percent, 10));
        change(&mut promotion, &mut range);
        promotion.ranges = vec![range];
        let cart = cart(&[line(PIZZA, 2, &[(CHEESE, 1)]), line(BEER, 1, &[])]);
        let priced = price(&catalogue(), &[promotion], &cart, &delivered(500));
        assert_eq!((paid(&priced), whole(priced.delivery_price)), (vec![*pizza, *beer], *delivery), "{name}");
        let taken = 7970 - pizza - beer - delivery;
        assert_eq!(whole(priced.discount_price), taken, "{name}");
        let expected = if taken == 0 { "no_effect".to_owned() } else { taken.to_string() };
        assert_eq!(told(&priced), [expected], "{name}");
        assert_eq!(whole(priced.original_price), 7970, "{name}");
        assert_eq!(whole(priced.delivery.discount), 500 - delivery, "{name}");
    }
}

#[test]
#[rustfmt::skip]
fn once_per_cart() {
    run(&[
        ("percent", |_, _| {}, [5982, 801, 500]),
        ("percent, on options", |_, r| r.apply_on_options = true, [5922, 801, 500]),
        ("percent, on delivery", |_, r| r.apply_on_delivery = true, [5982, 801, 450]),
        ("percent, on all", |_, r| { r.apply_on_options = true; r.apply_on_delivery = true }, [5922, 801, 450]),
        ("100 %", |_, r| r.discount_value = 100.into(), [600, 0, 500]),
        ("more than 100 % takes no more", |_, r| r.discount_value = 250.into(), [600, 0, 500]),
        ("rounded once: 15 % of 6870 is 1030.5", |_, r| r.discount_value = 15.into(), [6580 - 897, 890 - 134, 500]),
        ("a percentage may have decimals: 0.37 % of 6870 is 25.4", |_, r| r.discount_value = Decimal::new(37, 2), [6558, 887, 500]),
        // 1000 × 5980 ÷ 6870 = 870.45 and 129.55
        ("fixed, spread by largest remainder", |_, r| *r = range(ValueKind::FixedValue, 1000), [5710, 760, 500]),
        ("fixed, more than there is", |_, r| *r = range(ValueKind::FixedValue, 10_000), [600, 0, 500]),
        ("fixed, more than all", |_, r| { *r = range(ValueKind::FixedValue, 10_000); r.apply_on_options = true; r.apply_on_delivery = true }, [0, 0, 0]),
        ("overwritten: 1870 less", |_, r| *r = range(ValueKind::OverwrittenValue, 5000), [4952, 648, 500]),
        ("overwritten, with options and delivery: 2970 less", |_, r| { *r = range(ValueKind::OverwrittenValue, 5000); r.apply_on_options = true; r.apply_on_delivery = true }, [6580 - 2228 - 224, 558, 314]),
        ("no price is raised", |_, r| *r = range(ValueKind::OverwrittenValue, 6871), [6580, 890, 500]),
        ("0 % takes nothing", |_, r| r.discount_value = 0.into(), [6580, 890, 500]),
        ("0 takes nothing", |_, r| *r = range(ValueKind::FixedValue, 0), [6580, 890, 500]),
        ("a price of 0 takes nothing", |_, r| *r = range(ValueKind::OverwrittenValue, 0), [6580, 890, 500]),
        ("less than nothing takes nothing", |_, r| *r = range(ValueKind::FixedValue, -100), [6580, 890, 500]),
        ("eligible lines only", |p, _| p.products = Restriction::Inclusion(products(&[BEER], &[])), [6580, 801, 500]),
    ]);
}

#[test]
#[rustfmt::skip]
fn per_item() {
    fn each(promotion: &mut Promotion) { promotion.apply_type = ApplyType::ApplyPerItem }
    run(&[
        ("percent", |p, _| each(p), [5982, 801, 500]),
        ("rounded per line: 897 and 133.5", |p, r| { each(p); r.discount_value = 15.into() }, [5683, 756, 500]),
        ("percent, on options", |p, r| { each(p); r.apply_on_options = true }, [5922, 801, 500]),
        ("percent, on delivery", |p, r| { each(p); r.apply_on_delivery = true }, [5982, 801, 450]),
        ("fixed, per piece", |p, r| { each(p); *r = range(ValueKind::FixedValue, 100) }, [6380, 790, 500]),
        ("fixed, no more than there is", |p, r| { each(p); *r = range(ValueKind::FixedValue, 1000) }, [4580, 0, 500]),
        ("fixed, on options", |p, r| { each(p); *r = range(ValueKind::FixedValue, 3100); r.apply_on_options = true }, [380, 0, 500]),
        ("fixed, not on delivery", |p, r| { each(p); *r = range(ValueKind::FixedValue, 100); r.apply_on_delivery = true }, [6380, 790, 500]),
        ("overwritten, per piece; options stay payable", |p, r| { each(p); *r = range(ValueKind::OverwrittenValue, 500) }, [1600, 500, 500]),
        ("overwritten, with options", |p, r| { each(p); *r = range(ValueKind::OverwrittenValue, 500); r.apply_on_options = true }, [1000, 500, 500]),
        ("overwritten, not the delivery", |p, r| { each(p); *r = range(ValueKind::OverwrittenValue, 100); r.apply_on_delivery = true }, [800, 100, 500]),
        ("no price is raised", |p, r| { each(p); *r = range(ValueKind::OverwrittenValue, 900) }, [2400, 890, 500]),
        ("half of a unit per piece, rounded once: 1 and 1", |p, r| { each(p); *r = range(ValueKind::FixedValue, 0); r.discount_value = Decimal::new(5, 1) }, [6579, 889, 500]),
        ("overwritten, rounded once: 5980 less 0.5 × 2, 889.5 less", |p, r| { each(p); *r = range(ValueKind::OverwrittenValue, 0); r.discount_value = Decimal::new(5, 1) }, [601, 0, 500]),
    ]);
}

#[test]
#[rustfmt::skip]
fn free_delivery() {
    run(&[
        ("alone", |_, r| { *r = range(ValueKind::Percent, 0); r.free_delivery = true }, [6580, 890, 0]),
        ("with a value", |_, r| r.free_delivery = true, [5982, 801, 0]),
        ("before the value: nothing of it falls on the delivery", |_, r| { *r = range(ValueKind::FixedValue, 687); r.free_delivery = true; r.apply_on_delivery = true }, [5982, 801, 0]),
        ("per item", |p, r| { p.apply_type = ApplyType::ApplyPerItem; r.free_delivery = true; r.apply_on_delivery = true }, [5982, 801, 0]),
    ]);
    let free = || Range { free_delivery: true, ..range(ValueKind::Percent, 0) };
    let both = [taking(1, ApplyType::ApplyPerCart, free()), taking(2, ApplyType::ApplyPerItem, free())];
    let cart = cart(&[line(BEER, 1, &[])]);
    let priced = price(&catalogue(), &both, &cart, &delivered(500));
    assert_eq!(told(&priced), ["no_effect", "500"], "the one that acts first gives it");
    let before_values = [taking(3, ApplyType::ApplyPerItem, Range { apply_on_delivery: true, ..range(ValueKind::Percent, 10) }), both[0].clone()];
    assert_eq!(told(&price(&catalogue(), &before_values, &cart, &delivered(500))), ["89", "500"]);
    let fetched = price(&catalogue(), &both, &Cart { pickup: true, ..cart }, &delivered(500));
    assert_eq!(told(&fetched), ["no_effect", "no_effect"]);
}

#[test]
fn promotions_act_one_after_another() {
    use ApplyType::{ApplyPerCart, ApplyPerItem};
    use ValueKind::{FixedValue, OverwrittenValue, Percent};
    // Older is what acts later.
    let mut promotions = vec![
        taking(1, ApplyPerItem, range(Percent, 50)),
        taking(2, ApplyPerCart, range(FixedValue, 100)),
        taking(3, ApplyPerCart, range(Percent, 50)),
        taking(4, ApplyPerCart, range(OverwrittenValue, 1000)),
        taking(5, ApplyPerItem, range(FixedValue, 10)),
        taking(6, ApplyPerItem, range(Percent, 10)),
        taking(7, ApplyPerItem, range(OverwrittenValue, 2000)),
    ];
    promotions[0].kind = PromotionKind::Coupon;
    promotions[0].code = Some("HALF".to_owned());
    let cart = Cart {
        coupon_code: Some("half".to_owned()),
        staff_discount: Some(StaffDiscount::Percent(percent(10))),
        ..cart(&[line(PIZZA, 1, &[])])
    };
    // 2990 → 2000 → 1800 → 1790 → 1000 → 500 → 400 → 200 → 180
    for turn in 0..promotions.len() {
        promotions.rotate_left(turn);
        let priced = price(&catalogue(), &promotions, &cart, &config());
        let steps: Vec<_> = priced.explanation.iter().map(|e| (e.step.as_str(), whole(e.amount))).collect();
        assert_eq!(
            steps,
            [
                ("item", 2990),
                ("discount", -990),
                ("discount", -200),
                ("discount", -10),
                ("discount", -790),
                ("discount", -500),
                ("discount", -100),
                ("coupon", -200),
                ("staff_discount", -20)
            ]
        );
        assert_eq!(priced.explanation[1].reference, Some(Uuid::from_u128(7)));
        assert_eq!(whole(priced.total_price), 180);
        assert_eq!(whole(priced.staff_discount), 20);
    }
}

#[test]
fn among_equals_the_older_acts_first_then_the_lower_id() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = Money::from(5);
    let cart = cart(&[line(BEER, 1, &[])]);
    // 10 % of 5 is 1 when it acts first, 10 % of 2 is nothing.
    let tenth = |id| taking(id, ApplyType::ApplyPerCart, range(ValueKind::Percent, 10));
    let half = |id| taking(id, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
    assert_eq!(told(&price(&catalogue, &[half(2), tenth(1)], &cart, &config())), ["2", "1"]);
    assert_eq!(told(&price(&catalogue, &[tenth(2), half(1)], &cart, &config())), ["no_effect", "3"]);
    let same_age = |promotion: Promotion| Promotion { created_at: at(NOW), ..promotion };
    let both = [same_age(half(2)), same_age(tenth(1))];
    assert_eq!(told(&price(&catalogue, &both, &cart, &config())), ["2", "1"]);
}

/// Spreads an amount over a cart whose prices are given; answers what is taken from each part, then from the
/// delivery.
fn spread_over(prices: &[(Uuid, i64)], fee: i64, items: &[CartItem], amount: i64) -> Vec<i64> {
    let mut catalogue = catalogue();
    for (id, price) in prices {
        match catalogue.items.get_mut(id) {
            Some(item) => item.price = Money::from(*price),
            None => {
                let options = &mut catalogue.option_groups.get_mut(&TOPPINGS).unwrap().options;
                options.iter_mut().find(|option| option.id == *id).unwrap().price = Money::from(*price);
            }
        }
    }
    let everything =
        Range { apply_on_options: true, apply_on_delivery: true, ..range(ValueKind::FixedValue, amount) };
    let promotion = taking(1, ApplyType::ApplyPerCart, everything);
    let priced = price(&catalogue, &[promotion], &cart(items), &delivered(fee));
    let parts = priced.lines.iter().flat_map(|line| &line.parts);
    parts.map(|part| whole(part.discount)).chain([whole(priced.delivery.discount)]).collect()
}

#[test]
fn a_tie_of_remainders_has_an_order() {
    let of = |size| line(size, 1, &[]);
    let with = |option| line(PIZZA, 1, &[(option, 1)]);
    let no = 0;
    assert_eq!(
        spread_over(&[(PIZZA, 1), (BEER, 3)], no, &[of(PIZZA), of(BEER)], 2),
        [0, 2, 0],
        "the larger part"
    );
    for items in [[of(PIZZA), of(BEER)], [of(BEER), of(PIZZA)]] {
        let lower = items.iter().map(|item| i64::from(item.subproduct_id == PIZZA)).chain([0]);
        let expected: Vec<i64> = lower.collect();
        assert_eq!(
            spread_over(&[(PIZZA, 1), (BEER, 1)], no, &items, 1),
            expected,
            "the lower id of the size"
        );
    }
    let free = [(PIZZA, 1), (CHEESE, 0), (HAM, 0)];
    assert_eq!(spread_over(&free, no, &[with(HAM), with(CHEESE)], 1), [0, 1, 0], "then of its options");
    assert_eq!(spread_over(&free, no, &[with(HAM), of(PIZZA)], 1), [0, 1, 0]);
    let cheese = |quantity| line(PIZZA, 1, &[(CHEESE, quantity)]);
    assert_eq!(spread_over(&free, no, &[cheese(2), cheese(1)], 1), [0, 1, 0], "and of how many");
    assert_eq!(spread_over(&free, no, &[of(PIZZA), of(PIZZA)], 1), [1, 0, 0], "then the earlier line");
    assert_eq!(spread_over(&[(PIZZA, 1), (HAM, 1)], no, &[with(HAM)], 1), [1, 0, 0], "item before options");
    assert_eq!(spread_over(&[(BEER, 1)], 1, &[of(BEER)], 1), [1, 0], "the fee last");
    assert_eq!(spread_over(&[(BEER, 1)], 3, &[of(BEER)], 2), [0, 2], "but the larger part first");
}

#[test]
fn of_equal_lines_the_one_with_fewer_pieces_comes_first() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = Money::from(1);
    // A quarter of 1 is nothing, of 2 it is 1: each line has 1 left.
    let quarter = taking(1, ApplyType::ApplyPerItem, range(ValueKind::Percent, 25));
    let fixed = taking(2, ApplyType::ApplyPerCart, range(ValueKind::FixedValue, 1));
    for (items, expected) in [([1, 2], [0, 1]), ([2, 1], [1, 0])] {
        let cart = cart(&items.map(|pieces| line(BEER, pieces, &[])));
        let priced = price(&catalogue, &[quarter.clone(), fixed.clone()], &cart, &config());
        assert_eq!(paid(&priced), expected);
    }
}

#[test]
fn what_is_left_decides_the_shares() {
    let half_beer = Promotion {
        products: Restriction::Inclusion(products(&[BEER], &[])),
        ..taking(1, ApplyType::ApplyPerItem, range(ValueKind::Percent, 50))
    };
    let fixed = taking(2, ApplyType::ApplyPerCart, range(ValueKind::FixedValue, 100));
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = Money::from(1000);
    catalogue.items.get_mut(&BREAD).unwrap().price = Money::from(500);
    let cart = cart(&[line(BEER, 1, &[]), line(BREAD, 1, &[])]);
    let priced = price(&catalogue, &[half_beer, fixed], &cart, &config());
    assert_eq!(paid(&priced), [450, 450], "500 and 500 were left");
}

#[test]
fn cents_are_spread_in_cents() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = money("3.33");
    let promotion = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
    let config = Config { currency: Currency::Eur, ..config() };
    let cart = cart(&[line(BEER, 1, &[]), line(BEER, 1, &[]), line(BEER, 1, &[])]);
    let priced = price(&catalogue, &[promotion], &cart, &config);
    assert_eq!(priced.discount_price, money("5.00"), "half of 9.99, rounded once");
    let shares: Vec<_> = priced.lines.iter().map(|line| line.discount).collect();
    assert_eq!(shares, [money("1.67"), money("1.67"), money("1.66")]);
}

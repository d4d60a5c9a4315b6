//! Which promotions apply together.

use super::*;

/// Ten beers, 8900.
fn beers() -> Cart {
    cart(&[line(BEER, 10, &[])])
}

fn fixed(id: u128, amount: i64) -> Promotion {
    taking(id, ApplyType::ApplyPerCart, range(ValueKind::FixedValue, amount))
}

fn alone(promotion: Promotion) -> Promotion {
    Promotion { stackable: false, ..promotion }
}

fn of(promotion: Promotion, size: Uuid) -> Promotion {
    Promotion { products: Restriction::Inclusion(products(&[size], &[])), ..promotion }
}

fn run(promotions: &[Promotion], cart: &Cart, config: &Config) -> Vec<String> {
    told(&price(&catalogue(), promotions, cart, config))
}

#[test]
fn the_better_total_wins() {
    let chosen = |percent| {
        let single = alone(taking(3, ApplyType::ApplyPerCart, range(ValueKind::Percent, percent)));
        run(&[promotion(1), fixed(2, 500), single], &beers(), &config())
    };
    assert_eq!(chosen(15), ["890", "500", "better_without"], "1390 together, 1335 alone");
    assert_eq!(chosen(20), ["better_without", "better_without", "1780"]);
    assert_eq!(
        run(&[alone(fixed(1, 10)), alone(fixed(2, 20))], &beers(), &config()),
        ["better_without", "20"]
    );
    let coupon = Promotion { kind: PromotionKind::Coupon, code: Some("X".to_owned()), ..fixed(2, 500) };
    let with_code = Cart { coupon_code: Some("x".to_owned()), ..beers() };
    assert_eq!(run(&[promotion(1), coupon.clone()], &with_code, &config()), ["890", "500"]);
    assert_eq!(run(&[promotion(1), alone(coupon)], &with_code, &config()), ["890", "better_without"]);
}

#[test]
fn an_upsell_never_stacks() {
    let upsell = |id, amount| Promotion { kind: PromotionKind::Upsell, ..fixed(id, amount) };
    assert_eq!(run(&[promotion(1), upsell(2, 500)], &beers(), &config()), ["890", "better_without"]);
    let priced = price(&catalogue(), &[promotion(1), upsell(2, 900)], &beers(), &config());
    assert_eq!(told(&priced), ["better_without", "900"]);
    assert_eq!(priced.explanation[1].step, Step::Upsell);
}

#[test]
fn a_tie_goes_to_the_oldest_promotion_that_has_an_effect() {
    assert_eq!(
        run(&[alone(fixed(2, 500)), alone(fixed(1, 500))], &beers(), &config()),
        ["better_without", "500"]
    );
    assert_eq!(run(&[alone(fixed(2, 500)), fixed(1, 500)], &beers(), &config()), ["better_without", "500"]);
    assert_eq!(run(&[alone(fixed(1, 500)), fixed(2, 500)], &beers(), &config()), ["500", "better_without"]);
    let older_without_effect = [fixed(1, 0), alone(fixed(2, 500)), fixed(3, 500)];
    assert_eq!(run(&older_without_effect, &beers(), &config()), ["no_effect", "500", "better_without"]);
    let same_age = |id| Promotion { created_at: at(NOW), ..alone(fixed(id, 500)) };
    assert_eq!(
        run(&[same_age(2), same_age(1)], &beers(), &config()),
        ["better_without", "500"],
        "the lower id"
    );
    // Staff take all goods anyway: with a promotion or without, it costs nothing.
    let staff = Cart { staff_discount: Some(StaffDiscount::Percent(percent(100))), ..beers() };
    assert_eq!(run(&[fixed(1, 500)], &staff, &config()), ["500"], "none has no promotion with an effect");
}

#[test]
fn a_tie_goes_to_the_higher_value_of_gifts_first() {
    let gift = |subproduct_id, percentage| Gift {
        subproduct_id,
        quantity: 1,
        quantity_type: GiftQuantityType::PerCart,
        discount_percentage: percent(percentage),
    };
    let giving = |id, gifts: &[Gift]| {
        let range = Range { gifts: gifts.to_vec(), ..range(ValueKind::FixedValue, 500) };
        alone(taking(id, ApplyType::ApplyPerCart, range))
    };
    let with_bread = [fixed(1, 500), giving(2, &[gift(BREAD, 100)])];
    assert_eq!(run(&with_bread, &beers(), &config()), ["better_without", "850"]);
    let bread_or_pizza = [giving(1, &[gift(BREAD, 100)]), giving(2, &[gift(PIZZA, 100)])];
    assert_eq!(run(&bread_or_pizza, &beers(), &config()), ["better_without", "3490"]);
    let lower_total = [fixed(1, 501), giving(2, &[gift(PIZZA, 100)])];
    assert_eq!(run(&lower_total, &beers(), &config()), ["501", "better_without"], "gifts come second");
    // What is given counts, not what the gift costs: 10 % of a pizza is less than a bread.
    let accepted =
        vec![GiftChoice { promotion_id: Uuid::from_u128(1), subproduct_id: PIZZA, accepted: true }];
    let little = [giving(1, &[gift(PIZZA, 10)]), giving(2, &[gift(BREAD, 100)])];
    let cart = Cart { gift_choices: accepted, ..beers() };
    assert_eq!(run(&little, &cart, &config()), ["better_without", "850"]);
}

#[test]
fn candidates_are_compared_whole() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().service_fee = Some(true);
    let service = ServiceFee { mode: ServiceFeeMode::FlaggedItems, percent: percent(12), take_away: false };
    let here = Config { fees: Fees { service, ..Fees::default() }, ..config() };
    let cart = cart(&[line(BREAD, 1, &[]), line(BEER, 1, &[])]);
    let promotions = [alone(of(fixed(1, 100), BREAD)), alone(of(fixed(2, 100), BEER))];
    let chosen = |cart: &Cart, config: &Config| told(&price(&catalogue, &promotions, cart, config));
    assert_eq!(chosen(&cart, &here), ["100", "better_without"], "a delivery has no service fee");
    let cart = Cart { platform: Platform::SitIn, ..cart };
    assert_eq!(chosen(&cart, &here), ["better_without", "100"], "the service fee falls too");

    let free = Range { free_delivery: true, ..range(ValueKind::Percent, 0) };
    let promotions = [alone(fixed(1, 600)), alone(taking(2, ApplyType::ApplyPerCart, free))];
    assert_eq!(run(&promotions, &beers(), &delivered(500)), ["600", "better_without"]);
    let staff = Cart { staff_discount: Some(StaffDiscount::Amount(Money::from(8900))), ..beers() };
    assert_eq!(run(&promotions, &staff, &delivered(500)), ["better_without", "500"], "staff take the goods");
}

#[test]
fn what_has_no_effect_does_not_apply() {
    let free = Range { free_delivery: true, ..range(ValueKind::Percent, 0) };
    let promotions = [fixed(1, 0), taking(2, ApplyType::ApplyPerCart, free), fixed(3, 500), fixed(4, 9000)];
    let priced = price(&catalogue(), &promotions, &beers(), &config());
    assert_eq!(told(&priced), ["no_effect", "no_effect", "500", "8400"]);
    assert_eq!(priced.explanation.len(), 3, "the item and two discounts");
    let nothing_left = [fixed(1, 8900), fixed(2, 1)];
    assert_eq!(run(&nothing_left, &beers(), &config()), ["8900", "no_effect"]);
    let alone_without = [alone(fixed(1, 0)), fixed(2, 500)];
    assert_eq!(run(&alone_without, &beers(), &config()), ["no_effect", "500"]);
}

#[test]
fn a_new_promotion_never_makes_an_order_dearer() {
    let mut catalogue = catalogue();
    for size in [BEER, BREAD] {
        catalogue.items.get_mut(&size).unwrap().price = Money::from(800);
    }
    let cart = cart(&[line(BEER, 1, &[]), line(BREAD, 1, &[])]);
    let both_for_1000 = taking(1, ApplyType::ApplyPerCart, range(ValueKind::OverwrittenValue, 1000));
    let half_beer = of(taking(2, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50)), BEER);
    let less_beer = of(taking(3, ApplyType::ApplyPerItem, range(ValueKind::FixedValue, 400)), BEER);
    // 800 + 800 → 500 + 500 → 250 + 500; with the third 400 + 800 → 333 + 667 → 167 + 667.
    let before = [both_for_1000, half_beer];
    assert_eq!(whole(price(&catalogue, &before, &cart, &config()).total_price), 750);
    let [first, second] = before;
    let bread = Gift {
        subproduct_id: BREAD,
        quantity: 1,
        quantity_type: GiftQuantityType::PerCart,
        discount_percentage: percent(100),
    };
    let youngest = Range { gifts: vec![bread], ..range(ValueKind::Percent, 0) };
    let youngest = taking(4, ApplyType::ApplyPerCart, youngest);
    let priced = price(&catalogue, &[first, second, less_beer, youngest], &cart, &config());
    assert_eq!(told(&priced), ["600", "250", "better_without", "800"], "what only gives does no harm");
    assert_eq!(whole(priced.total_price), 750);
}

//! Gifts of promotions.

use super::*;

const MENU: Uuid = Uuid::from_u128(4);

fn gift(subproduct_id: Uuid, quantity: u16, percentage: i64) -> Gift {
    let quantity_type = GiftQuantityType::PerCart;
    Gift { subproduct_id, quantity, quantity_type, discount_percentage: percent(percentage) }
}

fn giving(id: u128, gifts: &[Gift]) -> Promotion {
    let range = Range { gifts: gifts.to_vec(), ..range(ValueKind::Percent, 0) };
    taking(id, ApplyType::ApplyPerCart, range)
}

fn choice(promotion: u128, subproduct_id: Uuid, accepted: bool) -> GiftChoice {
    GiftChoice { promotion_id: Uuid::from_u128(promotion), subproduct_id, accepted }
}

fn pizza_with(choices: &[GiftChoice]) -> Cart {
    Cart { gift_choices: choices.to_vec(), ..cart(&[line(PIZZA, 2, &[(HAM, 1)])]) }
}

/// The gift lines: size, pieces, list price, paid price.
fn given(priced: &Priced) -> Vec<(Uuid, u32, i64, i64)> {
    let gifts = priced.lines.iter().filter(|line| line.gift_of.is_some());
    gifts.map(|l| (l.subproduct_id, l.quantity, whole(l.total_price), whole(l.paid_price))).collect()
}

fn states(priced: &Priced) -> Vec<GiftState> {
    priced.promotions.iter().flat_map(|outcome| &outcome.gifts).map(|offer| offer.state).collect()
}

#[test]
fn a_gift_is_a_line_of_its_own() {
    let cart = Cart { platform: Platform::SitIn, ..pizza_with(&[]) };
    let promotions = [promotion(1), giving(2, &[gift(BREAD, 3, 100)])];
    let priced = price(&catalogue(), &promotions, &cart, &config());
    assert_eq!(priced.lines.len(), 2);
    assert_eq!(given(&priced), [(BREAD, 3, 1050, 0)]);
    let gift = &priced.lines[1];
    assert_eq!((gift.gift_of, gift.vat_percent), (Some(Uuid::from_u128(2)), Some(percent(18))));
    assert_eq!((whole(gift.unit_price), whole(gift.discount)), (350, 1050));
    assert!(gift.options.is_empty());
    assert_eq!(told(&priced), ["598", "1050"], "no other promotion takes from it");
    assert_eq!(
        (whole(priced.original_price), whole(priced.discount_price), whole(priced.products_price)),
        (6880 + 1050, 598 + 1050, 6282)
    );
    let steps: Vec<_> = priced.explanation.iter().map(|e| (e.step, e.reference, whole(e.amount))).collect();
    let id = |id| Some(Uuid::from_u128(id));
    assert_eq!(
        steps,
        [
            (Step::Item, Some(PIZZA), 6880),
            (Step::Gift, Some(BREAD), 1050),
            (Step::Discount, id(1), -598),
            (Step::Discount, id(2), -1050)
        ]
    );
}

#[test]
fn free_gifts_are_given_unless_declined_others_only_when_accepted() {
    use GiftState::{Declined, Given, Offered};
    let promotions = [giving(1, &[gift(BREAD, 1, 100), gift(BEER, 1, 30)])];
    let run = |choices: &[GiftChoice]| {
        let priced = price(&catalogue(), &promotions, &pizza_with(choices), &config());
        assert_eq!(whole(priced.total_price), 6880 + given(&priced).iter().map(|g| g.3).sum::<i64>());
        (given(&priced), states(&priced), told(&priced).remove(0))
    };
    let (bread, beer) = ((BREAD, 1, 350, 0), (BEER, 1, 890, 623));
    assert_eq!(run(&[]), (vec![bread], vec![Given, Offered], "350".to_owned()));
    assert_eq!(run(&[choice(1, BREAD, true)]), (vec![bread], vec![Given, Offered], "350".to_owned()));
    let accepted = (vec![bread, beer], vec![Given, Given], "617".to_owned());
    assert_eq!(run(&[choice(1, BEER, true)]), accepted);
    assert_eq!(
        run(&[choice(1, BEER, true), choice(1, BREAD, false)]),
        (vec![beer], vec![Declined, Given], "267".to_owned())
    );
    assert_eq!(
        run(&[choice(1, BEER, false), choice(1, BREAD, false)]),
        (vec![], vec![Declined, Declined], "no_effect".to_owned())
    );
    assert_eq!(run(&[choice(2, BEER, true)]).1, [Given, Offered], "of another promotion");
    let later = [choice(1, BREAD, false), choice(1, BREAD, true)];
    assert_eq!(run(&later).1, [Given, Offered], "the last word counts");
}

#[test]
fn a_gift_that_was_not_taken_is_offered_where_it_can_win() {
    let offer = giving(1, &[gift(BEER, 1, 50)]);
    let alone = |promotion: Promotion| Promotion { stackable: false, ..promotion };
    let offers =
        |promotions: &[Promotion]| states(&price(&catalogue(), promotions, &pizza_with(&[]), &config()));
    assert_eq!(offers(&[alone(offer.clone())]), [GiftState::Offered]);
    assert_eq!(offers(&[offer.clone(), promotion(2)]), [GiftState::Offered]);
    assert_eq!(offers(&[alone(offer.clone()), promotion(2)]), [], "10 % win whatever is accepted");
    assert_eq!(
        offers(&[alone(offer), giving(2, &[gift(BREAD, 1, 100)])]),
        [GiftState::Given],
        "so does a bread"
    );
}

#[test]
fn how_many_are_given() {
    let run = |price_from: i64, filter: RangeFilterType, quantity_type, eligible: Option<Uuid>, pizzas| {
        let mut promotion = giving(1, &[Gift { quantity_type, ..gift(BREAD, 2, 100) }]);
        promotion.ranges[0].price_from = price_from.into();
        promotion.range_filter_type = filter;
        if let Some(size) = eligible {
            promotion.products = Restriction::Inclusion(products(&[size], &[]));
        }
        let cart = cart(&[line(PIZZA, pizzas, &[]), line(BEER, 3, &[])]);
        given(&price(&catalogue(), &[promotion], &cart, &config())).first().map(|gift| gift.1)
    };
    use GiftQuantityType::{PerCart, PerItem};
    use RangeFilterType::{ByPrice, ByQuantity};
    for (expected, price_from, filter, quantity_type, eligible, pizzas) in [
        (Some(2), 0, ByPrice, PerCart, None, 5),
        (Some(2), 1, ByQuantity, PerCart, Some(PIZZA), 5),
        (Some(16), 0, ByPrice, PerItem, None, 5),
        (Some(10), 2990, ByPrice, PerItem, Some(PIZZA), 5),
        (None, 2990 * 5 + 1, ByPrice, PerItem, Some(PIZZA), 5),
        (Some(4), 2, ByQuantity, PerItem, Some(PIZZA), 5),
        (Some(2), 5, ByQuantity, PerItem, Some(PIZZA), 5),
        (None, 6, ByQuantity, PerItem, Some(PIZZA), 5),
        (Some(10), 0, ByQuantity, PerItem, Some(PIZZA), 5),
    ] {
        assert_eq!(run(price_from, filter, quantity_type, eligible, pizzas), expected, "{price_from}");
    }
}

#[test]
fn buy_one_get_one() {
    let mut promotion =
        giving(1, &[Gift { quantity_type: GiftQuantityType::PerItem, ..gift(PIZZA, 1, 100) }]);
    promotion.products = Restriction::Inclusion(products(&[PIZZA], &[]));
    promotion.range_filter_type = RangeFilterType::ByQuantity;
    promotion.ranges[0].price_from = 1.into();
    let priced = price(&catalogue(), &[promotion], &pizza_with(&[]), &config());
    assert_eq!(given(&priced), [(PIZZA, 2, 5980, 0)], "without the ham");
    assert_eq!(whole(priced.total_price), 6880);
}

#[test]
fn what_cannot_be_had_is_left_out_and_named() {
    type Change = fn(&mut Catalogue);
    let bread = |catalogue: &mut Catalogue, left| {
        catalogue.items.get_mut(&BREAD).unwrap().sellable_quantity = left;
    };
    let run = |change: &dyn Fn(&mut Catalogue), breads: u16| {
        let mut catalogue = catalogue();
        change(&mut catalogue);
        let mut cart = pizza_with(&[choice(1, BREAD, true)]);
        cart.items.push(line(BREAD, breads, &[]));
        let priced = price(&catalogue, &[giving(1, &[gift(BREAD, 2, 100)])], &cart, &config());
        assert_eq!(priced.promotions[0].gifts[0].subproduct_id, BREAD);
        (states(&priced)[0] == GiftState::Given, priced.missed_gifts)
    };
    let (taken, gone) = ((true, vec![]), (false, vec![0]));
    assert_eq!(run(&|c| bread(c, Some(3)), 1), taken);
    assert_eq!(run(&|c| bread(c, Some(2)), 1), gone, "the cart's own pieces go first");
    assert_eq!(run(&|c| bread(c, Some(-1)), 1), gone);
    let inactive: Change = |catalogue| catalogue.items.get_mut(&BREAD).unwrap().active = false;
    assert_eq!(run(&inactive, 1), gone);
    let unknown: Change = |catalogue| drop(catalogue.items.remove(&BREAD));
    assert_eq!(run(&unknown, 1), gone);
    let not_for_sale: Change = |catalogue| {
        let bread = catalogue.items.get_mut(&BREAD).unwrap();
        bread.visible = Visibility::NONE;
        bread.available_from = Some(at("2030-01-01T00:00:00Z"));
        bread.published_at = bread.available_from;
        bread.option_group_ids = vec![TOPPINGS];
        catalogue.option_groups.get_mut(&TOPPINGS).unwrap().min_no_options = 1;
    };
    assert_eq!(run(&not_for_sale, 1), taken, "visibility, hours and option groups do not bind gifts");
}

#[test]
fn two_promotions_for_the_last_piece() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BREAD).unwrap().sellable_quantity = Some(1);
    let both = [giving(2, &[gift(BREAD, 1, 100)]), giving(1, &[gift(BREAD, 1, 100)])];
    let priced = price(&catalogue, &both, &pizza_with(&[]), &config());
    assert_eq!(told(&priced), ["no_effect", "350"], "the one that acts first");
    assert_eq!(states(&priced), [GiftState::Unavailable, GiftState::Given]);
}

#[test]
fn a_menu_as_a_gift_needs_its_components() {
    let mut catalogue = catalogue();
    let component = |subproduct_id, pieces| Component { subproduct_id, pieces };
    let components = vec![component(BREAD, 1), component(BEER, 2), component(BEER, 1)];
    catalogue.items.insert(MENU, Item { components, ..item(1000, 27, None) });
    let run = |beers: i32| {
        let mut catalogue = catalogue.clone();
        catalogue.items.get_mut(&BEER).unwrap().sellable_quantity = Some(beers);
        price(
            &catalogue,
            &[giving(1, &[gift(MENU, 2, 50)])],
            &pizza_with(&[choice(1, MENU, true)]),
            &config(),
        )
    };
    let priced = run(6);
    assert_eq!(given(&priced), [(MENU, 2, 2000, 1000)]);
    let parts: Vec<_> =
        priced.lines[1].parts.iter().map(|p| (whole(p.total_price), whole(p.paid_price))).collect();
    // 350 : 1780 : 890 of 1000 is 115.9 : 589.4 : 294.7, rounded down, the rest to the beers; twice, and half
    // of it is paid.
    assert_eq!(parts, [(230, 115), (1182, 591), (588, 294)]);
    assert_eq!(priced.pieces()[&BEER], 6);
    assert_eq!(states(&run(5)), [GiftState::Unavailable]);
}

#[test]
fn choices_that_are_wrong_or_in_vain() {
    let promotions = [
        giving(1, &[gift(BREAD, 1, 100)]),
        Promotion { platforms: vec![], ..giving(2, &[gift(BEER, 1, 100)]) },
    ];
    let choices = [
        choice(1, BREAD, true),
        choice(1, PIZZA, true),
        choice(2, BEER, true),
        choice(9, BEER, true),
        choice(9, BEER, false),
        choice(1, BEER, false),
    ];
    let priced = price(&catalogue(), &promotions, &pizza_with(&choices), &config());
    assert_eq!(priced.missed_gifts, [1, 2, 3]);
    assert_eq!(priced.wrong_gifts, [1, 5], "of a promotion that does not give it");
    let faults: Vec<_> = priced.faults().into_iter().map(|(key, fault)| (key, fault.name())).collect();
    assert_eq!(
        faults,
        [("gift_choices.1".to_owned(), "not_exist"), ("gift_choices.5".to_owned(), "not_exist")]
    );
}

#[test]
fn gifts_move_no_limit() {
    let gift = giving(1, &[gift(BEER, 9, 100)]);
    let range_above = Promotion {
        ranges: vec![Range { price_from: 6881.into(), ..range(ValueKind::Percent, 10) }],
        ..promotion(2)
    };
    let config = Config { min_order_price: Money::from(6881), ..config() };
    let promotions = [gift, range_above];
    let priced = price(&catalogue(), &promotions, &pizza_with(&[]), &config);
    assert_eq!(told(&priced), ["8010", "range_not_reached"]);
    let reasons = acceptable(&catalogue(), &promotions, &pizza_with(&[]), &config);
    assert_eq!(reasons[0].reason, ReasonKind::MinimumNotReached);
}

#[test]
fn a_gift_that_is_paid_carries_fee_and_points() {
    let service = ServiceFee { mode: ServiceFeeMode::AllItems, percent: percent(10), take_away: false };
    let config =
        Config { fees: Fees { service, ..Fees::default() }, point_cash_ratio: percent(1), ..config() };
    let cart = Cart {
        platform: Platform::SitIn,
        customer: Some(Customer { id: None, vouched: true }),
        ..pizza_with(&[choice(1, BEER, true)])
    };
    let priced = price(&catalogue(), &[giving(1, &[gift(BEER, 1, 50)])], &cart, &config);
    assert_eq!(whole(priced.lines[1].service_fee), 45, "of 445");
    assert_eq!(whole(priced.service_fee), 733, "of 7325, rounded once");
    assert_eq!(priced.points_earned, 73);
}

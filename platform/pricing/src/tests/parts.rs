//! Parts of a line: components, options, options that stand for a size.

use super::*;

const MENU: Uuid = Uuid::from_u128(4);
const SOUP: Uuid = Uuid::from_u128(5);
const COLA: Uuid = Uuid::from_u128(6);
const DRINK_CHOICE: Uuid = Uuid::from_u128(15);
const LARGE: Uuid = Uuid::from_u128(13);
const WITH_DRINK: Uuid = Uuid::from_u128(14);

fn component(subproduct_id: Uuid, pieces: u16) -> Component {
    Component { subproduct_id, pieces }
}

/// A menu of these components, soup (5 %), cola (27 %), and options that stand for a cola: one without a
/// price, one for 250.
fn with_menu(price: i64, components: &[Component]) -> Catalogue {
    let mut catalogue = catalogue();
    let menu = Item {
        components: components.to_vec(),
        option_group_ids: vec![WITH_DRINK, TOPPINGS],
        category_ids: vec![FOOD],
        ..item(price, 18, None)
    };
    let standing_for = |id, price| ItemOption { size: Some(component(COLA, 1)), ..option(id, price) };
    let drinks = OptionGroup {
        active: true,
        visible: Visibility::ALL,
        min_no_options: 0,
        max_no_options: 0,
        options: vec![standing_for(DRINK_CHOICE, 0), standing_for(LARGE, 250)],
    };
    catalogue.items.extend([(MENU, menu), (SOUP, item(860, 5, None)), (COLA, item(610, 27, None))]);
    catalogue.items.get_mut(&PIZZA).unwrap().option_group_ids.push(WITH_DRINK);
    catalogue.option_groups.insert(WITH_DRINK, drinks);
    catalogue
}

/// The parts of the first line: kind, size, pieces, list price, VAT.
fn parts(priced: &Priced) -> Vec<(&'static str, Uuid, u32, i64, i64)> {
    let rate = |part: &PricedPart| i64::try_from(part.vat_percent.0).unwrap();
    let parts = priced.lines[0].parts.iter();
    parts.map(|p| (p.kind.as_str(), p.subproduct_id, p.quantity, whole(p.total_price), rate(p))).collect()
}

fn bought(catalogue: &Catalogue, item: CartItem) -> Priced {
    price(catalogue, &[], &cart(&[item]), &config())
}

/// List prices of the components alone.
fn shares(catalogue: &Catalogue, item: CartItem) -> Vec<i64> {
    parts(&bought(catalogue, item)).into_iter().map(|part| part.3).collect()
}

#[test]
fn a_line_without_components_is_item_and_options() {
    let priced = bought(&catalogue(), line(PIZZA, 2, &[(CHEESE, 2), (HAM, 1)]));
    assert_eq!(parts(&priced), [("item", PIZZA, 2, 5980, 27), ("options", PIZZA, 2, 2100, 27)]);
    assert_eq!(parts(&bought(&catalogue(), line(BEER, 1, &[]))), [("item", BEER, 1, 890, 27)]);
    assert_eq!(parts(&bought(&catalogue(), line(ELSEWHERE, 3, &[]))), [("item", ELSEWHERE, 3, 0, 0)]);
}

#[test]
fn the_price_of_a_menu_is_split_over_its_components() {
    let mut catalogue = with_menu(3360, &[component(PIZZA, 1), component(SOUP, 1), component(COLA, 1)]);
    catalogue.items.get_mut(&PIZZA).unwrap().price = Money::from(2580);
    let priced = bought(&catalogue, line(MENU, 1, &[]));
    // 2140.4, 713.5 and 506.1, rounded down; the rest to the one with the highest list price.
    assert_eq!(
        parts(&priced),
        [("component", PIZZA, 1, 2141, 27), ("component", SOUP, 1, 713, 5), ("component", COLA, 1, 506, 27)]
    );
    assert_eq!(priced.lines[0].vat_percent, None, "the rates differ");
    assert_eq!(shares(&catalogue, line(MENU, 2, &[])), [4282, 1426, 1012], "split per piece");
    let here = Cart { platform: Platform::SitIn, ..cart(&[line(MENU, 1, &[])]) };
    let rates: Vec<_> =
        price(&catalogue, &[], &here, &config()).lines[0].parts.iter().map(|p| p.vat_percent).collect();
    assert_eq!(rates, [percent(5), percent(5), percent(27)], "each has its own sit-in VAT");
}

#[test]
fn weights_of_components() {
    let pieces = with_menu(1000, &[component(SOUP, 1), component(COLA, 2)]);
    assert_eq!(shares(&pieces, line(MENU, 1, &[])), [413, 587], "list prices × pieces");
    assert_eq!(parts(&bought(&pieces, line(MENU, 3, &[])))[1].2, 6);
    let none = with_menu(1000, &[component(SOUP, 0), component(COLA, 1)]);
    assert_eq!(shares(&none, line(MENU, 1, &[])), [1000], "no pieces, no part");

    let mut free = with_menu(1000, &[component(SOUP, 1), component(COLA, 2)]);
    for size in [SOUP, COLA] {
        free.items.get_mut(&size).unwrap().price = Money::ZERO;
    }
    assert_eq!(shares(&free, line(MENU, 1, &[])), [333, 667], "all are free: by pieces");
    let mut even = with_menu(101, &[component(SOUP, 1), component(COLA, 1)]);
    even.items.get_mut(&COLA).unwrap().price = Money::from(860);
    assert_eq!(shares(&even, line(MENU, 1, &[])), [51, 50], "of equals the first takes the rest");

    let unknown = with_menu(1000, &[component(ELSEWHERE, 1), component(COLA, 1)]);
    assert_eq!(shares(&unknown, line(MENU, 1, &[])), [1000], "what nobody knows has no part");
    let mut deep = with_menu(1000, &[component(SOUP, 1), component(COLA, 1)]);
    deep.items.get_mut(&SOUP).unwrap().components = vec![component(MENU, 1), component(BEER, 1)];
    assert_eq!(parts(&bought(&deep, line(MENU, 1, &[])))[0].1, SOUP, "one level deep");
    assert_eq!(shares(&deep, line(MENU, 1, &[])).len(), 2);
}

#[test]
fn an_option_that_stands_for_a_size_is_taxed_as_it() {
    let catalogue = with_menu(2000, &[component(SOUP, 1)]);
    let with_price = bought(&catalogue, line(MENU, 2, &[(LARGE, 3), (CHEESE, 1)]));
    assert_eq!(
        parts(&with_price),
        [("component", SOUP, 2, 4000, 5), ("options", MENU, 2, 600, 18), ("option", COLA, 6, 1500, 27)]
    );
    assert_eq!(with_price.lines[0].parts[2].option_id, Some(LARGE));
    assert_eq!(whole(with_price.lines[0].unit_price), 2000 + 750 + 300);
    // Without a price it takes part in the split: 860 and 610 of 2000.
    let without = bought(&catalogue, line(MENU, 1, &[(DRINK_CHOICE, 1)]));
    assert_eq!(parts(&without), [("component", SOUP, 1, 1171, 5), ("option", COLA, 1, 829, 27)]);
    assert_eq!(without.lines[0].parts[1].option_id, Some(DRINK_CHOICE));
    let two = bought(&catalogue, line(MENU, 1, &[(DRINK_CHOICE, 2)]));
    assert_eq!(parts(&two), [("component", SOUP, 1, 826, 5), ("option", COLA, 2, 1174, 27)]);
    let of_pizza = bought(&catalogue, line(PIZZA, 1, &[(DRINK_CHOICE, 1)]));
    assert_eq!(
        parts(&of_pizza),
        [("item", PIZZA, 1, 2484, 27), ("option", COLA, 1, 506, 27)],
        "with the size itself"
    );
    let mut none = catalogue.clone();
    for option in &mut none.option_groups.get_mut(&WITH_DRINK).unwrap().options {
        option.size = Some(component(COLA, 0));
    }
    let none = bought(&none, line(MENU, 1, &[(LARGE, 1), (DRINK_CHOICE, 1)]));
    assert_eq!(parts(&none), [("component", SOUP, 1, 2000, 5), ("options", MENU, 1, 250, 18)], "no pieces");
    let mut lost = catalogue;
    lost.items.remove(&COLA);
    let lost = bought(&lost, line(MENU, 1, &[(LARGE, 1)]));
    assert_eq!(parts(&lost)[1], ("options", MENU, 1, 250, 18), "a size nobody knows: taxed as the item");
}

#[test]
fn discounts_fee_and_vat_are_spread_by_part() {
    let catalogue = with_menu(2000, &[component(SOUP, 1), component(PIZZA, 1)]);
    let service = ServiceFee { mode: ServiceFeeMode::AllItems, percent: percent(10), take_away: false };
    let config = Config { fees: Fees { service, ..Fees::default() }, ..config() };
    let cart = Cart { platform: Platform::SitIn, ..cart(&[line(MENU, 1, &[(LARGE, 1)])]) };
    let menu_only = Promotion { products: Restriction::Inclusion(products(&[], &[FOOD])), ..promotion(1) };
    let priced = price(&catalogue, &[menu_only], &cart, &config);
    let amounts: Vec<_> = priced.lines[0]
        .parts
        .iter()
        .map(|p| [p.total_price, p.discount, p.paid_price, p.net, p.vat].map(whole))
        .collect();
    // 860 : 2990 of 2000 is 446.75 : 1553.25. 10 % are 200, the option of 250 stays payable.
    // 5 %: 1800 and a fee of 180, 27 %: 250 and a fee of 25.
    assert_eq!(amounts, [[446, 45, 401, 382, 19], [1554, 155, 1399, 1333, 66], [250, 0, 250, 197, 53]]);
    let fees: Vec<_> = priced.lines[0]
        .parts
        .iter()
        .map(|p| [p.service_fee, p.service_fee_net, p.service_fee_vat].map(whole))
        .collect();
    assert_eq!(fees, [[40, 38, 2], [140, 133, 7], [25, 20, 5]]);
    assert_eq!(vats(&priced), [(27, 217, 58, 275), (5, 1886, 94, 1980)]);
    let line = &priced.lines[0];
    assert_eq!(
        [line.paid_price, line.net, line.service_fee, line.service_fee_vat].map(whole),
        [2050, 1912, 205, 14]
    );

    let options_too = Range { apply_on_options: true, ..range(ValueKind::Percent, 10) };
    let priced = price(&catalogue, &[taking(1, ApplyType::ApplyPerCart, options_too)], &cart, &config);
    assert_eq!(whole(priced.lines[0].parts[2].discount), 25);
}

#[test]
fn promotions_and_visibility_look_at_the_menu_itself() {
    let mut catalogue = with_menu(2000, &[component(BEER, 1), component(SOUP, 1)]);
    let of_drinks =
        Promotion { products: Restriction::Inclusion(products(&[BEER], &[DRINKS])), ..promotion(1) };
    let cart = cart(&[line(MENU, 1, &[])]);
    assert_eq!(told(&price(&catalogue, &[of_drinks], &cart, &config())), ["no_matching_product"]);
    let by_pieces = Promotion {
        range_filter_type: RangeFilterType::ByQuantity,
        ranges: vec![Range { price_from: 2.into(), ..range(ValueKind::Percent, 10) }],
        ..promotion(1)
    };
    assert_eq!(told(&price(&catalogue, &[by_pieces], &cart, &config())), ["range_not_reached"], "one piece");
    let beer = catalogue.items.get_mut(&BEER).unwrap();
    beer.visible = Visibility::NONE;
    beer.active = false;
    assert_eq!(acceptable(&catalogue, &[], &cart, &config()), []);
}

#[test]
fn components_are_taken_with_the_menu() {
    let mut catalogue = with_menu(2000, &[component(BEER, 2), component(SOUP, 1)]);
    let cart = cart(&[line(MENU, 2, &[(LARGE, 2), (DRINK_CHOICE, 1)]), line(BEER, 1, &[])]);
    let priced = price(&catalogue, &[], &cart, &config());
    let pieces: Vec<_> = priced.pieces().into_iter().collect();
    assert_eq!(pieces, [(BEER, 5), (MENU, 2), (SOUP, 2), (COLA, 6)]);

    let mut refused = |size: Uuid, left: i32| {
        catalogue.items.get_mut(&size).unwrap().sellable_quantity = Some(left);
        let reasons = acceptable(&catalogue, &[], &cart, &config());
        catalogue.items.get_mut(&size).unwrap().sellable_quantity = None;
        assert!(reasons.iter().all(|reason| reason.reason == ReasonKind::ItemSoldOut));
        reasons.into_iter().map(|r| (r.item_index, r.option_id, r.detail)).collect::<Vec<_>>()
    };
    let sold_out = |line, option: Option<Uuid>, left: &str| (Some(line), option, Some(left.to_owned()));
    assert_eq!(refused(BEER, 5), []);
    assert_eq!(refused(BEER, 3), [sold_out(0, None, "1"), sold_out(1, None, "3")], "two in each menu");
    assert_eq!(refused(COLA, 6), []);
    assert_eq!(refused(COLA, 5), [sold_out(0, Some(LARGE), "5"), sold_out(0, Some(DRINK_CHOICE), "5")]);
    assert_eq!(refused(MENU, 1), [sold_out(0, None, "1")]);

    // An option without pieces takes none of what is sold out.
    let large =
        catalogue.option_groups.values_mut().flat_map(|group| &mut group.options).find(|one| one.id == LARGE);
    large.unwrap().size = Some(component(COLA, 0));
    let only_large = super::cart(&[line(MENU, 1, &[(LARGE, 1)]), line(COLA, 3, &[])]);
    catalogue.items.get_mut(&COLA).unwrap().sellable_quantity = Some(2);
    let told: Vec<_> =
        acceptable(&catalogue, &[], &only_large, &config()).into_iter().map(|r| r.option_id).collect();
    assert_eq!(told, [None], "the line alone");
    let large =
        catalogue.option_groups.values_mut().flat_map(|group| &mut group.options).find(|one| one.id == LARGE);
    large.unwrap().size = Some(component(COLA, 1));

    let repeated = super::cart(&[line(MENU, 1, &[(LARGE, 1), (LARGE, 1)])]);
    catalogue.items.get_mut(&COLA).unwrap().sellable_quantity = Some(1);
    assert_eq!(acceptable(&catalogue, &[], &repeated, &config()).len(), 1, "one reason for one option");
}

proptest::proptest! {
    /// What is shown while a menu is put together is what an order of one then has.
    #[test]
    fn a_composition_is_split_as_an_order_splits_it(
        own in 0i64..20_000,
        pieces in proptest::array::uniform3(1u16..20),
        prices in proptest::array::uniform3(0i64..9_000),
        here: bool,
    ) {
        let sizes = [PIZZA, SOUP, COLA];
        let components: Vec<_> = sizes.iter().zip(pieces).map(|(id, pieces)| component(*id, pieces)).collect();
        let mut catalogue = with_menu(own, &components);
        for (id, price) in sizes.iter().zip(prices) {
            catalogue.items.get_mut(id).unwrap().price = Money::from(price);
        }
        let (split, vats) = composition(&catalogue, Money::from(own), &components, here, Currency::Huf);
        let platform = if here { Platform::SitIn } else { Platform::TakeAway };
        let ordered = price(&catalogue, &[], &Cart { platform, ..cart(&[line(MENU, 1, &[])]) }, &config());
        let shown: Vec<_> =
            split.iter().map(|s| (s.subproduct_id, u32::from(s.pieces), s.price, s.vat)).collect();
        let sold = ordered.lines[0].parts.iter();
        let sold: Vec<_> = sold.map(|p| (p.subproduct_id, p.quantity, p.total_price, p.vat_percent)).collect();
        proptest::prop_assert_eq!(shown, sold);
        proptest::prop_assert_eq!(vats, ordered.vats);
        proptest::prop_assert_eq!(split.iter().map(|s| s.price).sum::<Money>(), Money::from(own));
    }
}

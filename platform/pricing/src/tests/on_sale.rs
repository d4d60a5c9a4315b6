//! One piece of a size by itself.

use proptest::prelude::*;

use super::{world::worlds, *};

fn kinds(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.reason.as_str()).collect()
}

fn toppings(catalogue: &mut Catalogue) -> &mut OptionGroup {
    catalogue.option_groups.get_mut(&TOPPINGS).unwrap()
}

/// Cheese stands for a beer, ham for bread.
fn with_sizes(catalogue: &mut Catalogue, beers: Option<i32>, breads: Option<i32>) {
    catalogue.items.get_mut(&BEER).unwrap().sellable_quantity = beers;
    catalogue.items.get_mut(&BREAD).unwrap().sellable_quantity = breads;
    for (option, size) in toppings(catalogue).options.iter_mut().zip([BEER, BREAD]) {
        option.size = Some(Component { subproduct_id: size, pieces: 1 });
    }
}

#[test]
fn as_few_options_as_the_groups_ask_for_are_chosen_of_what_is_there() {
    let chosen = |change: &dyn Fn(&mut Catalogue)| {
        let mut catalogue = catalogue();
        change(&mut catalogue);
        let found = on_sale(&catalogue, PIZZA, &cart(&[]), &config());
        let options: Vec<_> =
            found.item.options.iter().map(|option| (option.option_id, option.quantity)).collect();
        (options, kinds(&found.reasons))
    };
    assert_eq!(chosen(&|_| ()), (vec![], vec![]));
    assert_eq!(chosen(&|c| toppings(c).min_no_options = 1), (vec![(CHEESE, 1)], vec![]));
    let limited = |beers, breads| {
        move |c: &mut Catalogue| {
            toppings(c).min_no_options = 2;
            with_sizes(c, beers, breads);
        }
    };
    assert_eq!(chosen(&limited(None, Some(0))), (vec![(CHEESE, 2)], vec![]));
    assert_eq!(chosen(&limited(Some(0), Some(5))), (vec![(HAM, 2)], vec![]));
    assert_eq!(chosen(&limited(Some(1), Some(1))), (vec![(CHEESE, 1), (HAM, 1)], vec![]));
    // Two are asked for, and there is one.
    assert_eq!(chosen(&limited(Some(0), Some(1))).1, ["item_sold_out"]);
    let unmet = |c: &mut Catalogue| {
        toppings(c).min_no_options = 1;
        toppings(c).options.iter_mut().for_each(|option| option.active = false);
    };
    assert_eq!(chosen(&unmet), (vec![], vec!["option_count"]));
}

#[test]
fn the_group_that_has_the_least_to_choose_from_chooses_first() {
    let mut catalogue = catalogue();
    with_sizes(&mut catalogue, Some(1), Some(1));
    toppings(&mut catalogue).min_no_options = 1;
    let (second, only) = (Uuid::from_u128(12_345), Uuid::from_u128(12_346));
    let size = Some(Component { subproduct_id: BEER, pieces: 1 });
    let group = OptionGroup {
        options: vec![ItemOption { size, ..option(only, 0) }],
        ..toppings(&mut catalogue).clone()
    };
    catalogue.option_groups.insert(second, group);
    catalogue.items.get_mut(&PIZZA).unwrap().option_group_ids.push(second);
    let found = on_sale(&catalogue, PIZZA, &cart(&[]), &config());
    assert!(found.reasons.is_empty(), "{found:?}");
}

#[test]
fn what_is_against_the_whole_order_is_told_apart() {
    let closed = Config { now: at("2025-06-11T03:00:00Z"), normal_delivery: false, ..config() };
    let far = Config { place: Place::Outside, min_order_price: Money::from(9000), ..closed };
    assert_eq!(kinds(&order_reasons(&cart(&[]), &far)), ["closed", "no_delivery_now"]);
    assert_eq!(kinds(&on_sale(&catalogue(), PIZZA, &cart(&[]), &far).reasons), Vec::<&str>::new());
    assert_eq!(kinds(&on_sale(&catalogue(), ELSEWHERE, &cart(&[]), &far).reasons), ["item_inactive"]);
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().deposit_pieces = 1;
    assert!(on_sale(&catalogue, BEER, &cart(&[]), &config()).deposit_unknown);
    let known = Config { deposit: Deposit { amount: Some(Money::from(50)), not_here: false }, ..config() };
    assert!(!on_sale(&catalogue, BEER, &cart(&[]), &known).deposit_unknown);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]
    #[test]
    fn what_is_on_sale_can_be_ordered_and_what_is_not_cannot(((mut world, _), sold) in (worlds(), proptest::collection::vec(0i32..3, 12))) {
        for (item, left) in world.catalogue.items.values_mut().zip(sold) {
            item.sellable_quantity = item.sellable_quantity.map(|_| left);
        }
        let carts = world.cart.items.clone();
        for id in world.catalogue.items.keys() {
            let found = on_sale(&world.catalogue, *id, &world.cart, &world.config);
            let one = |item: CartItem| {
                let cart = Cart { items: vec![item], ..world.cart.clone() };
                let mut reasons = acceptable(&world.catalogue, &[], &cart, &world.config);
                reasons.retain(|reason| reason.item_index.is_some());
                reasons
            };
            prop_assert_eq!(&one(found.item.clone()), &found.reasons, "they are those of the order");
            if !found.reasons.is_empty() {
                // No other choice of options would be taken either.
                for line in &carts {
                    let tried = CartItem { subproduct_id: *id, quantity: 1, options: line.options.clone() };
                    prop_assert!(!one(tried).is_empty(), "{:?}", found);
                }
            }
        }
    }
}

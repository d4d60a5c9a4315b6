//! Deposits of bottles and cans.

use super::*;

const MENU: Uuid = Uuid::from_u128(4);
const WITH_BEER: Uuid = Uuid::from_u128(15);

/// Beer has a bottle, a menu two of its own and two beers, an option stands for three beers.
fn bottles() -> Catalogue {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().deposit_pieces = 1;
    let components = vec![Component { subproduct_id: BEER, pieces: 2 }];
    let menu =
        Item { components, deposit_pieces: 2, option_group_ids: vec![TOPPINGS], ..item(2000, 27, None) };
    catalogue.items.insert(MENU, menu);
    let size = Some(Component { subproduct_id: BEER, pieces: 3 });
    let options = &mut catalogue.option_groups.get_mut(&TOPPINGS).unwrap().options;
    options.push(ItemOption { size, ..option(WITH_BEER, 100) });
    catalogue
}

fn deposit(amount: Option<i64>) -> Config {
    Config { deposit: Deposit { amount: amount.map(Money::from), not_here: false }, ..config() }
}

#[test]
fn sizes_components_and_options_count() {
    for (items, pieces) in [
        (vec![line(PIZZA, 1, &[(CHEESE, 1)])], vec![0]),
        (vec![line(BEER, 3, &[]), line(BEER, 1, &[])], vec![3, 1]),
        (vec![line(MENU, 2, &[])], vec![8]),
        (vec![line(MENU, 2, &[(WITH_BEER, 2)]), line(ELSEWHERE, 1, &[])], vec![20, 0]),
    ] {
        let priced = price(&bottles(), &[], &cart(&items), &deposit(Some(50)));
        let of_lines: Vec<_> = priced.lines.iter().map(|line| i64::from(line.deposit_pieces)).collect();
        assert_eq!(of_lines, pieces);
        let sum: i64 = pieces.iter().sum();
        assert_eq!((i64::from(priced.deposit_pieces), whole(priced.deposit)), (sum, 50 * sum));
        assert_eq!(priced.deposit, priced.lines.iter().map(|line| line.deposit).sum());
        assert_eq!(priced.total_price, priced.products_price + priced.deposit);
    }
}

#[test]
fn a_deposit_is_outside_of_everything_else() {
    let service = ServiceFee { mode: ServiceFeeMode::AllItems, percent: percent(10), take_away: false };
    let config = Config {
        fees: Fees { service, ..Fees::default() },
        min_order_price: Money::from(891),
        point_cash_ratio: percent(100),
        ..deposit(Some(50))
    };
    let vouched = Some(Customer { id: None, vouched: true });
    let cart = Cart { platform: Platform::SitIn, customer: vouched, ..cart(&[line(BEER, 1, &[])]) };
    let half = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
    let priced = price(&bottles(), &[half], &cart, &config);
    assert_eq!(vats(&priced), [(27, 386, 104, 490)]);
    assert_eq!([priced.original_price, priced.discount_price, priced.service_fee].map(whole), [890, 445, 45]);
    assert_eq!((priced.points_earned, whole(priced.total_price)), (445, 445 + 45 + 50));
    let last = priced.explanation.last().unwrap();
    assert_eq!((last.step, last.reference, whole(last.amount)), (Step::Deposit, None, 50));
    let delivery = Cart { platform: Platform::Browser, ..cart };
    let reasons = acceptable(&bottles(), &[], &delivery, &config);
    assert_eq!(reasons[0].reason, ReasonKind::MinimumNotReached, "no list value");
}

#[test]
fn it_may_be_left_out_here() {
    let config = Config { deposit: Deposit { not_here: true, ..deposit(Some(50)).deposit }, ..config() };
    let of = |platform| {
        let priced = price(&bottles(), &[], &Cart { platform, ..cart(&[line(BEER, 1, &[])]) }, &config);
        (whole(priced.deposit), priced.deposit_pieces, priced.lines[0].deposit_pieces)
    };
    assert_eq!(of(Platform::SitIn), (0, 0, 0));
    assert_eq!(of(Platform::KioskSitIn), (0, 0, 0));
    assert_eq!(of(Platform::TakeAway), (50, 1, 1));
    assert_eq!(of(Platform::Browser), (50, 1, 1));
}

#[test]
fn an_amount_that_nobody_knows_is_a_fault() {
    let faults = |config: &Config, size| {
        let priced = price(&bottles(), &[], &cart(&[line(size, 1, &[])]), config);
        assert_eq!(whole(priced.deposit), 0);
        priced.faults().into_iter().map(|(key, fault)| (key, fault.name())).collect::<Vec<_>>()
    };
    assert_eq!(faults(&deposit(None), BEER), [("deposit".to_owned(), "not_exist")]);
    assert_eq!(faults(&deposit(None), BREAD), [], "nothing has one");
    assert_eq!(faults(&deposit(Some(0)), BEER), [], "it is known to be nothing");
}

#[test]
fn a_gift_that_is_free_has_no_deposit() {
    let run = |percentage| {
        let subproduct_id = BEER;
        let quantity_type = GiftQuantityType::PerCart;
        let gift =
            Gift { subproduct_id, quantity: 2, quantity_type, discount_percentage: percent(percentage) };
        let range = Range { gifts: vec![gift], ..range(ValueKind::Percent, 0) };
        let promotion = taking(1, ApplyType::ApplyPerCart, range);
        let gift_choices = vec![GiftChoice { promotion_id: promotion.id, subproduct_id, accepted: true }];
        let cart = Cart { gift_choices, ..cart(&[line(PIZZA, 1, &[])]) };
        let priced = price(&bottles(), &[promotion], &cart, &deposit(Some(50)));
        assert_eq!(priced.lines.len(), 2);
        assert_eq!(priced.lines[1].deposit, priced.deposit, "the pizza has none");
        (whole(priced.deposit), priced.lines[1].deposit_pieces)
    };
    assert_eq!(run(100), (0, 0));
    assert_eq!(run(99), (100, 2));
}

#[test]
fn more_than_any_order_costs_is_a_fault() {
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = Money::from(MAX_TOTAL);
    let faults = |pieces| price(&catalogue, &[], &cart(&[line(BEER, pieces, &[])]), &config()).faults();
    assert_eq!(faults(1), []);
    assert_eq!(faults(2), [("items".to_owned(), kernel::Fault::Max)]);
    // Also when promotions take all of it.
    let free = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 100));
    let priced = price(&catalogue, &[free], &cart(&[line(BEER, 2, &[])]), &config());
    assert_eq!(priced.faults(), [("items".to_owned(), kernel::Fault::Max)]);
}

//! Which promotions apply, and why others do not.

use std::collections::HashSet;

use kernel::time::{RangeDay, TimeRange};

use super::*;

type Change = fn(&mut Promotion, &mut Cart, &mut Config);

/// A changed promotion, cart and configuration, and what is told of the promotion.
type Case = (&'static str, Change, &'static str);

const TABLE: Uuid = Uuid::from_u128(40);
const TERRACE: Uuid = Uuid::from_u128(41);

/// A delivery of two pizzas with cheese and a beer, 7470, of which 890 are the beer and 600 the cheese.
fn meal() -> Cart {
    cart(&[line(PIZZA, 2, &[(CHEESE, 1)]), line(BEER, 1, &[])])
}

/// 10 % of all goods without options is 687.
fn run(cases: &[Case]) {
    for (name, change, expected) in cases {
        let (mut promotion, mut cart, mut config) = (promotion(1), meal(), config());
        change(&mut promotion, &mut cart, &mut config);
        let priced = price(&catalogue(), &[promotion], &cart, &config);
        assert_eq!(told(&priced), [*expected], "{name}");
        let taken = whole(priced.discount_price);
        assert_eq!(taken, expected.parse().unwrap_or(0), "{name}: what is told is what is taken");
    }
}

fn hours(from: &str, till: &str) -> TimeRange {
    TimeRange { day: RangeDay::EveryDay, from: from.parse().unwrap(), till: till.parse().unwrap() }
}

fn guest(vouched: bool) -> Option<Customer> {
    Some(Customer { id: Some(ELSEWHERE), vouched })
}

fn uses(config: &mut Config, all: u32, customer: u32, named: bool) {
    config.uses = [(Uuid::from_u128(1), PromotionUses { all, customer, named })].into();
}

fn coupon(promotion: &mut Promotion, code: &str) {
    promotion.kind = PromotionKind::Coupon;
    promotion.code = Some(code.to_owned());
}

fn code(cart: &mut Cart, code: &str) {
    cart.coupon_code = Some(code.to_owned());
}

fn table(table_id: Option<Uuid>, location_id: Option<Uuid>) -> Option<Table> {
    Some(Table { table_id, location_id })
}

fn tables() -> TableSet {
    TableSet { table_ids: [TABLE].into(), table_category_ids: [TERRACE].into() }
}

#[test]
#[rustfmt::skip]
fn restaurant_code_and_time() {
    run(&[
        ("nothing is against it", |_, _, _| {}, "687"),
        ("of another restaurant", |p, _, _| p.restaurant_ids = Some([ELSEWHERE].into()), "other_restaurant"),
        ("of this one too", |p, _, _| p.restaurant_ids = Some([ELSEWHERE, RESTAURANT].into()), "687"),
        ("coupon, no code", |p, _, _| coupon(p, "PIZZA10"), "code_not_given"),
        ("coupon, blank code", |p, k, _| { coupon(p, " "); code(k, " ") }, "code_not_given"),
        ("coupon, another code", |p, k, _| { coupon(p, "PIZZA10"); code(k, "PIZZA1") }, "code_not_given"),
        ("coupon without a code", |p, k, _| { p.kind = PromotionKind::Coupon; code(k, "PIZZA10") }, "code_not_given"),
        ("case and outer blanks do not count", |p, k, _| { coupon(p, "\tPizza Ő10"); code(k, " pIZZA ő10 ") }, "687"),
        ("letters with several small forms", |p, k, _| { coupon(p, "ΟΔΟΣ straße"); code(k, "οδος STRASSE") }, "687"),
        ("a discount needs no code", |p, _, _| p.code = Some("PIZZA10".into()), "687"),
        ("begins in a second", |p, _, _| p.valid_from = Some(at("2025-06-11T12:00:01Z")), "not_yet_valid"),
        ("begins now", |p, _, _| p.valid_from = Some(at(NOW)), "687"),
        ("ended a second ago", |p, _, _| p.valid_till = Some(at("2025-06-11T11:59:59Z")), "expired"),
        ("ends now", |p, _, _| p.valid_till = Some(at(NOW)), "687"),
        ("validity looks at the moment of ordering", |p, k, _| { p.valid_till = Some(at(NOW)); k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, "687"),
        ("before its hours", |p, _, _| p.time_ranges = vec![hours("14:01", "18:00")], "outside_time_range"),
        ("in its last minute", |p, _, c| { p.time_ranges = vec![hours("11:00", "14:00")]; c.now = at("2025-06-11T12:00:59Z") }, "687"),
        ("after it", |p, _, c| { p.time_ranges = vec![hours("11:00", "14:00")]; c.now = at("2025-06-11T12:01:00Z") }, "outside_time_range"),
        ("equal ends are 24 hours", |p, _, _| p.time_ranges = vec![hours("18:00", "18:00")], "687"),
        ("hours look at the wanted time", |p, k, _| { p.time_ranges = vec![hours("18:00", "20:00")]; k.expected_at = Some(at("2025-06-11T17:00:00Z")) }, "687"),
    ]);
}

#[test]
#[rustfmt::skip]
fn channel_and_place() {
    run(&[
        ("apps only", |p, _, _| p.platforms = vec![Platform::Android, Platform::Ios], "platform"),
        ("any own channel may be named", |p, k, _| { p.platforms = vec![Platform::KioskSitIn]; k.platform = Platform::KioskSitIn }, "687"),
        ("a delivery platform is none", |_, k, _| k.platform = Platform::DeliveryPlatform, "platform"),
        ("not fetched", |p, k, _| { p.pickup_enabled = false; k.pickup = true }, "pickup"),
        ("not taken away", |p, k, _| { p.pickup_enabled = false; k.platform = Platform::TakeAway }, "pickup"),
        ("fetched", |_, k, _| k.pickup = true, "687"),
        ("no pickup, delivered", |p, _, _| p.pickup_enabled = false, "687"),
        ("no pickup, eaten here", |p, k, _| { p.pickup_enabled = false; k.platform = Platform::SitIn }, "687"),
        ("some tables, at none", |p, _, _| p.tables = Restriction::Inclusion(tables()), "table"),
        ("some tables, here at none", |p, k, _| { p.tables = Restriction::Inclusion(tables()); k.platform = Platform::SitIn }, "table"),
        ("some tables, at one", |p, k, _| { p.tables = Restriction::Inclusion(tables()); k.table = table(Some(TABLE), None) }, "687"),
        ("some tables, in a location", |p, k, _| { p.tables = Restriction::Inclusion(tables()); k.table = table(Some(PIZZA), Some(TERRACE)) }, "687"),
        ("some tables, at another", |p, k, _| { p.tables = Restriction::Inclusion(tables()); k.table = table(Some(PIZZA), Some(PIZZA)) }, "table"),
        ("some tables, at one known by name", |p, k, _| { p.tables = Restriction::Inclusion(tables()); k.table = table(None, None) }, "table"),
        ("not some tables, at none", |p, _, _| p.tables = Restriction::Exclusion(tables()), "687"),
        ("not some tables, at one", |p, k, _| { p.tables = Restriction::Exclusion(tables()); k.table = table(Some(TABLE), None) }, "table"),
        ("not some tables, in a location", |p, k, _| { p.tables = Restriction::Exclusion(tables()); k.table = table(None, Some(TERRACE)) }, "table"),
        ("not some tables, at another", |p, k, _| { p.tables = Restriction::Exclusion(tables()); k.table = table(Some(PIZZA), None) }, "687"),
    ]);
}

#[test]
#[rustfmt::skip]
fn customers_and_limits() {
    run(&[
        ("login, nobody", |p, _, _| p.login_needed = true, "login_needed"),
        ("login, somebody who typed a phone", |p, k, _| { p.login_needed = true; k.customer = guest(false) }, "login_needed"),
        ("login, vouched for", |p, k, _| { p.login_needed = true; k.customer = guest(true) }, "687"),
        ("locked, nobody", |p, _, _| p.locked_customers = true, "customer"),
        ("locked, not named", |p, k, _| { p.locked_customers = true; k.customer = guest(true) }, "customer"),
        ("locked, named, nobody vouches", |p, k, c| { p.locked_customers = true; k.customer = guest(false); uses(c, 0, 0, true) }, "customer"),
        ("locked, named", |p, k, c| { p.locked_customers = true; k.customer = guest(true); uses(c, 0, 0, true) }, "687"),
        ("named, but not locked", |_, _, c| uses(c, 0, 0, true), "687"),
        ("one left", |p, _, c| { p.all_max_use_qty = Some(2); uses(c, 1, 0, false) }, "687"),
        ("used up", |p, _, c| { p.all_max_use_qty = Some(2); uses(c, 2, 0, false) }, "limit_reached"),
        ("uses without a limit", |_, _, c| uses(c, 999, 999, false), "687"),
        ("a limit by customer, nobody", |p, _, _| p.customer_max_use_qty = Some(1), "customer_unknown"),
        ("a limit by customer, a new phone", |p, k, _| { p.customer_max_use_qty = Some(1); k.customer = Some(Customer { id: None, vouched: false }) }, "687"),
        ("a limit by customer, one left", |p, k, c| { p.customer_max_use_qty = Some(2); k.customer = guest(false); uses(c, 9, 1, false) }, "687"),
        ("a limit by customer, used up", |p, k, c| { p.customer_max_use_qty = Some(2); k.customer = guest(true); uses(c, 9, 2, false) }, "customer_limit_reached"),
    ]);
}

#[test]
#[rustfmt::skip]
fn products_and_ranges() {
    run(&[
        ("a size", |p, _, _| p.products = Restriction::Inclusion(products(&[BEER], &[])), "89"),
        ("a category", |p, _, _| p.products = Restriction::Inclusion(products(&[], &[DRINKS])), "89"),
        ("a category above", |p, _, _| p.products = Restriction::Inclusion(products(&[], &[FOOD])), "598"),
        ("a size or a category", |p, _, _| p.products = Restriction::Inclusion(products(&[PIZZA], &[DRINKS])), "687"),
        ("all but a size", |p, _, _| p.products = Restriction::Exclusion(products(&[BEER], &[])), "598"),
        ("all but a category", |p, _, _| p.products = Restriction::Exclusion(products(&[], &[FOOD])), "89"),
        ("none of these", |p, _, _| p.products = Restriction::Inclusion(products(&[BREAD], &[])), "no_matching_product"),
        ("all but these", |p, _, _| p.products = Restriction::Exclusion(products(&[], &[FOOD, DRINKS])), "no_matching_product"),
        ("a size is named by its origin", |p, _, _| p.products = Restriction::Inclusion(ProductSet { subproduct_ids: [BEER].into(), ..Default::default() }), "no_matching_product"),
        ("what nobody knows matches nothing", |_, k, _| k.items = vec![line(ELSEWHERE, 1, &[])], "no_matching_product"),
        ("list value with options, reached", |p, _, _| p.ranges[0].price_from = 7470.into(), "687"),
        ("missed by one", |p, _, _| p.ranges[0].price_from = 7471.into(), "range_not_reached"),
        ("of the eligible lines only", |p, _, _| { p.products = Restriction::Inclusion(products(&[BEER], &[])); p.ranges[0].price_from = 891.into() }, "range_not_reached"),
        ("for both apply types", |p, _, _| { p.apply_type = ApplyType::ApplyPerItem; p.ranges[0].price_from = 7470.into() }, "687"),
        ("pieces, reached", |p, _, _| { p.range_filter_type = RangeFilterType::ByQuantity; p.ranges[0].price_from = 3.into() }, "687"),
        ("pieces, missed", |p, _, _| { p.range_filter_type = RangeFilterType::ByQuantity; p.ranges[0].price_from = 4.into() }, "range_not_reached"),
        ("the highest that is reached", |p, _, _| p.ranges = [(0, 10), (7470, 30), (5000, 20), (7471, 40)].map(|(from, value)| Range { price_from: from.into(), ..range(ValueKind::Percent, value) }).into(), "2061"),
        ("no range", |p, _, _| p.ranges.clear(), "range_not_reached"),
        ("a fixed amount", |p, _, _| p.ranges = vec![range(ValueKind::FixedValue, 1000)], "1000"),
    ]);
}

#[test]
fn codes_that_look_alike_are_one() {
    for code in ["Café", "CAFE\u{301}", "  cafe\u{301} ", "ca\u{200b}f\u{e9}\u{feff}", "ca\u{ad}fé"] {
        assert_eq!(fold_code(code), "caf\u{e9}", "{code:?}");
    }
    assert_eq!(fold_code("\u{200b}\u{2060}"), "");
    assert_eq!(fold_code("STRASSE"), fold_code("straße"));
    assert_ne!(fold_code("👨‍👩‍👧"), fold_code("👨👩👧"), "joined signs are another picture");
}

#[test]
fn what_is_missing_to_the_next_range() {
    let ranges =
        |from: [i64; 3]| from.map(|from| Range { price_from: from.into(), ..range(ValueKind::Percent, 10) });
    let missing = |promotion: Promotion| {
        let priced = price(&catalogue(), &[promotion], &meal(), &config());
        priced.promotions[0].to_next_range.map(|missing| i64::try_from(missing).unwrap())
    };
    let by_price = |from| Promotion { ranges: ranges(from).into(), ..promotion(1) };
    assert_eq!(missing(by_price([0, 10_000, 8000])), Some(530), "the lowest that is not reached");
    assert_eq!(missing(by_price([9000, 10_000, 8000])), Some(530), "none is reached");
    assert_eq!(missing(by_price([0, 5000, 7470])), None, "all are reached");
    let by_quantity = |from| Promotion { range_filter_type: RangeFilterType::ByQuantity, ..by_price(from) };
    assert_eq!(missing(by_quantity([0, 5, 10])), Some(2), "pieces");
    assert_eq!(
        missing(Promotion { platforms: Vec::new(), ..by_price([9000, 1, 2]) }),
        None,
        "something else too"
    );
    // Another one takes more: it would be worth more there.
    let better = Promotion { stackable: false, ranges: vec![range(ValueKind::Percent, 50)], ..promotion(2) };
    let priced = price(&catalogue(), &[by_price([0, 8000, 9000]), better], &meal(), &config());
    assert_eq!(told(&priced)[0], "better_without");
    assert_eq!(priced.promotions[0].to_next_range, Some(530.into()));
    let nothing = Promotion {
        ranges: [0, 8000]
            .map(|from| Range { price_from: from.into(), ..range(ValueKind::FixedValue, 0) })
            .into(),
        ..promotion(1)
    };
    let priced = price(&catalogue(), &[nothing], &meal(), &config());
    assert_eq!(
        (told(&priced)[0].as_str(), priced.promotions[0].to_next_range),
        ("no_effect", Some(530.into()))
    );
}

#[test]
fn the_first_reason_that_holds_is_told() {
    let mut promotion = Promotion {
        restaurant_ids: Some(HashSet::new()),
        kind: PromotionKind::Coupon,
        code: Some("CODE".to_owned()),
        valid_from: Some(at("2025-06-11T12:00:01Z")),
        valid_till: Some(at("2025-06-11T11:59:59Z")),
        time_ranges: vec![hours("18:00", "20:00")],
        platforms: Vec::new(),
        pickup_enabled: false,
        tables: Restriction::Inclusion(tables()),
        login_needed: true,
        locked_customers: true,
        all_max_use_qty: Some(0),
        customer_max_use_qty: Some(0),
        products: Restriction::Inclusion(ProductSet::default()),
        ranges: Vec::new(),
        ..promotion(1)
    };
    let mut cart = Cart { pickup: true, ..meal() };
    let mut config = config();
    // Each step puts right what was told before it.
    let steps: &[(&str, Change)] = &[
        ("other_restaurant", |_, _, _| {}),
        ("code_not_given", |p, _, _| p.restaurant_ids = None),
        ("not_yet_valid", |_, k, _| code(k, "code")),
        ("expired", |p, _, _| p.valid_from = None),
        ("outside_time_range", |p, _, _| p.valid_till = None),
        ("platform", |p, _, _| p.time_ranges.clear()),
        ("pickup", |p, _, _| p.platforms = Platform::OWN.to_vec()),
        ("table", |p, _, _| p.pickup_enabled = true),
        ("login_needed", |p, _, _| p.tables = Restriction::None),
        ("customer", |p, _, _| p.login_needed = false),
        ("limit_reached", |p, _, _| p.locked_customers = false),
        ("customer_unknown", |p, _, _| p.all_max_use_qty = None),
        ("customer_limit_reached", |_, k, _| k.customer = guest(false)),
        ("no_matching_product", |p, _, _| p.customer_max_use_qty = None),
        ("range_not_reached", |p, _, _| p.products = Restriction::None),
        ("no_effect", |p, _, _| p.ranges = vec![range(ValueKind::Percent, 0)]),
        ("687", |p, _, _| p.ranges = vec![range(ValueKind::Percent, 10)]),
    ];
    for (expected, change) in steps {
        change(&mut promotion, &mut cart, &mut config);
        let priced = price(&catalogue(), &[promotion.clone()], &cart, &config);
        assert_eq!(told(&priced), [*expected]);
        let refused = acceptable(&catalogue(), &[promotion.clone()], &cart, &config);
        let details: Vec<_> = refused.iter().map(|r| (r.reason.as_str(), r.detail.as_deref())).collect();
        let expected = match *expected {
            "687" | "no_effect" | "other_restaurant" | "code_not_given" => Vec::new(),
            detail => vec![("coupon_not_applicable", Some(detail))],
        };
        let sent = cart.coupon_code.is_some();
        assert!(sent || details.is_empty(), "without a code nothing is refused");
        assert_eq!(details, expected);
    }
    let listed = PromotionReason::ALL.iter().map(|reason| reason.as_str());
    assert!(PromotionReason::ALL.is_sorted());
    let told: Vec<&str> = steps.iter().map(|(reason, _)| *reason).collect();
    let expected: Vec<&str> = listed.filter(|reason| *reason != "better_without").collect();
    assert_eq!(told[..16], expected);
}

#[test]
fn a_coupon_that_cannot_apply_refuses_the_order() {
    let refused = |promotions: &[Promotion], cart: &Cart| {
        let reasons = acceptable(&catalogue(), promotions, cart, &config());
        reasons.into_iter().map(|r| (r.reason.as_str(), r.detail)).collect::<Vec<_>>()
    };
    let coupon = |id, restaurant: Option<Uuid>| Promotion {
        kind: PromotionKind::Coupon,
        code: Some("Half".to_owned()),
        restaurant_ids: restaurant.map(|id| [id].into()),
        ..promotion(id)
    };
    let sent = |code: &str| Cart { coupon_code: Some(code.to_owned()), ..meal() };
    let unknown = vec![("coupon_not_applicable", None)];
    assert_eq!(refused(&[coupon(1, None)], &sent("half ")), []);
    assert_eq!(refused(&[coupon(1, None)], &sent("halv")), unknown, "nobody has it");
    assert_eq!(refused(&[], &sent("  ")), [], "blanks are no code");
    assert_eq!(refused(&[coupon(1, Some(ELSEWHERE))], &sent("half")), unknown, "as if nobody had it");
    let both = [coupon(1, Some(ELSEWHERE)), coupon(2, Some(RESTAURANT))];
    assert_eq!(refused(&both, &sent("half")), [], "another restaurant has the same");
    let better = Promotion { stackable: false, ranges: vec![range(ValueKind::Percent, 50)], ..promotion(3) };
    let both = [coupon(1, None), better];
    assert_eq!(refused(&both, &sent("half")), [], "it applies, and stays unused");
    assert_eq!(told(&price(&catalogue(), &both, &sent("half"), &config())), ["better_without", "3435"]);
}

#[test]
fn what_the_public_may_know() {
    type Public = (&'static str, Change, bool);
    #[rustfmt::skip]
    let cases: &[Public] = &[
        ("it applies", |_, _, _| {}, true),
        ("it applies to this customer", |p, k, c| { p.locked_customers = true; k.customer = guest(true); uses(c, 0, 0, true) }, true),
        ("of another restaurant", |p, _, _| p.restaurant_ids = Some(HashSet::new()), false),
        ("a code that was not given", |p, _, _| coupon(p, "CODE"), false),
        ("the coupon that was sent", |p, k, _| { coupon(p, "CODE"); code(k, "code"); p.valid_till = Some(at("2020-01-01T00:00:00Z")) }, true),
        ("the coupon that was sent, of another restaurant", |p, k, _| { coupon(p, "CODE"); code(k, "code"); p.restaurant_ids = Some(HashSet::new()) }, false),
        ("begins later", |p, _, _| p.valid_from = Some(at("2026-01-01T00:00:00Z")), false),
        ("over", |p, _, _| p.valid_till = Some(at("2020-01-01T00:00:00Z")), false),
        ("at other hours", |p, _, _| p.time_ranges = vec![hours("18:00", "20:00")], true),
        ("at other hours, for some", |p, _, _| { p.time_ranges = vec![hours("18:00", "20:00")]; p.locked_customers = true }, false),
        ("on other channels", |p, _, _| p.platforms.clear(), true),
        ("when delivered", |p, k, _| { p.pickup_enabled = false; k.pickup = true }, true),
        ("at tables", |p, _, _| p.tables = Restriction::Inclusion(tables()), false),
        ("used up", |p, _, _| p.all_max_use_qty = Some(0), false),
        ("for other products", |p, _, _| p.products = Restriction::Inclusion(ProductSet::default()), false),
        ("for larger carts", |p, _, _| p.ranges[0].price_from = 9999.into(), true),
        ("without effect", |p, _, _| p.ranges[0].discount_value = 0.into(), false),
    ];
    for (name, change, expected) in cases {
        let (mut promotion, mut cart, mut config) = (promotion(1), meal(), config());
        change(&mut promotion, &mut cart, &mut config);
        let outcome = price(&catalogue(), &[promotion], &cart, &config).promotions.remove(0);
        assert_eq!(outcome.public, *expected, "{name}");
    }
    let alone = |id| Promotion { stackable: false, ..promotion(id) };
    let two = price(&catalogue(), &[alone(1), alone(2)], &meal(), &config());
    assert_eq!(told(&two), ["687", "better_without"]);
    assert!(two.promotions.iter().all(|outcome| outcome.public), "better without it");
}

#[test]
fn a_browser_learns_nothing_about_customers() {
    let told_as = |change: fn(&mut Promotion, &mut Cart)| {
        let mut promotion = Promotion { customer_max_use_qty: Some(1), ..promotion(1) };
        coupon(&mut promotion, "code");
        let mut cart = Cart { coupon_code: Some("code".to_owned()), ..meal() };
        change(&mut promotion, &mut cart);
        let mut config = Config { conceal_customers: true, ..config() };
        uses(&mut config, 0, 1, false);
        let reasons = acceptable(&catalogue(), &[promotion.clone()], &cart, &config);
        let priced = price(&catalogue(), &[promotion], &cart, &config);
        (told(&priced).remove(0), reasons[0].detail.clone().unwrap())
    };
    let expected = ("customer".to_owned(), "customer".to_owned());
    assert_eq!(told_as(|_, _| {}), expected, "customer_unknown");
    assert_eq!(told_as(|_, k| k.customer = guest(false)), expected, "customer_limit_reached");
    assert_eq!(told_as(|p, _| p.locked_customers = true), expected);
    let expected = ("login_needed".to_owned(), "login_needed".to_owned());
    assert_eq!(told_as(|p, _| p.login_needed = true), expected);
}

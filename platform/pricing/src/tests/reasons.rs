//! Reasons against an order.

use std::collections::HashSet;

use kernel::time::{Holiday, HolidayType, RangeDay, SosClose, TimeRange};

use super::*;

/// A changed world and what is refused in it.
type Case = (&'static str, fn(&mut Catalogue, &mut Cart, &mut Config), &'static [&'static str]);

fn names(reasons: &[Reason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.reason.as_str()).collect()
}

/// Runs each case on a delivery, as soon as possible, of two pizzas with cheese and a beer.
fn run(cases: &[Case]) {
    for (name, change, expected) in cases {
        let (mut catalogue, mut config) = (catalogue(), config());
        let mut cart = cart(&[line(PIZZA, 2, &[(CHEESE, 1)]), line(BEER, 1, &[])]);
        change(&mut catalogue, &mut cart, &mut config);
        assert_eq!(names(&acceptable(&catalogue, &[], &cart, &config)), *expected, "{name}");
    }
}

fn pizza(catalogue: &mut Catalogue) -> &mut Item {
    catalogue.items.get_mut(&PIZZA).unwrap()
}

fn toppings(catalogue: &mut Catalogue) -> &mut OptionGroup {
    catalogue.option_groups.get_mut(&TOPPINGS).unwrap()
}

fn range(from: &str, till: &str) -> TimeRange {
    TimeRange { day: RangeDay::EveryDay, from: from.parse().unwrap(), till: till.parse().unwrap() }
}

#[test]
#[rustfmt::skip]
fn restaurant() {
    run(&[
        ("all is well", |_, _, _| {}, &[]),
        ("SOS close", |_, _, c| c.schedule.sos = SosClose::On, &["temp_no_orders"]),
        ("SOS close with an end", |_, _, c| c.schedule.sos = SosClose::Until(at("2025-06-11T12:00:01Z")), &["temp_no_orders"]),
        ("SOS close that is over", |_, _, c| c.schedule.sos = SosClose::Until(at(NOW)), &[]),
        ("SOS close binds preorders too", |_, k, c| { c.schedule.sos = SosClose::On; k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, &["temp_no_orders"]),
        ("before opening", |_, _, c| c.now = at("2025-06-11T08:59:59Z"), &["closed"]),
        ("at opening", |_, _, c| c.now = at("2025-06-11T09:00:00Z"), &[]),
        ("in the last minute", |_, _, c| c.now = at("2025-06-11T20:00:59Z"), &[]),
        ("after it", |_, _, c| c.now = at("2025-06-11T20:01:00Z"), &["closed"]),
        ("closed now, open at the wanted time", |_, k, c| { c.now = at("2025-06-11T06:00:00Z"); k.expected_at = Some(at(NOW)) }, &[]),
        ("open now, closed at the wanted time", |_, k, _| k.expected_at = Some(at("2025-06-11T21:30:00Z")), &["closed"]),
        ("holiday", |_, _, c| c.schedule.holidays = vec![closed_today()], &["closed"]),
        ("no delivery", |_, _, c| c.normal_delivery = false, &["no_delivery_now"]),
        ("no delivery, but fetched", |_, k, c| { c.normal_delivery = false; k.pickup = true }, &[]),
        ("no pickup", |_, k, c| { c.normal_pickup = false; k.pickup = true }, &["no_pickup_now"]),
        ("a kiosk is not bound by the switches of the web", |_, k, c| { c.normal_pickup = false; c.preorder_pickup = false; k.platform = Platform::KioskTakeAway }, &[]),
        ("nor is an order by phone that no staff took", |_, k, c| { c.normal_delivery = false; k.platform = Platform::Phone }, &[]),
        ("nor is one of a delivery platform", |_, k, c| { c.normal_delivery = false; k.platform = Platform::DeliveryPlatform }, &[]),
        ("a kiosk is closed with the restaurant", |_, k, c| { c.schedule.sos = SosClose::On; k.platform = Platform::KioskTakeAway; c.now = at("2025-06-11T21:00:00Z") }, &["temp_no_orders", "closed"]),
        ("here needs neither", |_, k, c| { c.normal_pickup = false; c.normal_delivery = false; k.platform = Platform::KioskSitIn }, &[]),
        ("no delivery preorder", |_, k, c| { c.preorder_delivery = false; k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, &["no_delivery_preorder"]),
        ("no pickup preorder", |_, k, c| { c.preorder_pickup = false; k.pickup = true; k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, &["no_pickup_preorder"]),
        ("a payment method that is not taken", |_, _, c| c.payable = false, &["payment_method_not_available"]),
        ("it binds staff too", |_, k, c| { c.payable = false; c.staff = true; k.platform = Platform::Phone }, &["payment_method_not_available"]),
        ("a preorder needs no normal delivery", |_, k, c| { c.normal_delivery = false; k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, &[]),
    ]);
}

fn closed_today() -> Holiday {
    let today = at(NOW).local_date(Tz::Europe__Budapest);
    Holiday {
        valid_from: today,
        valid_till: today,
        holiday_type: HolidayType::HolidayClose,
        open_at: None,
        close_at: None,
        created_at: at(NOW),
    }
}

#[test]
#[rustfmt::skip]
fn preorder_time() {
    // Ordered on Wednesday at 14:00; deliveries need an hour, pickups half of one; today to Saturday.
    run(&[
        ("too soon to deliver", |_, k, _| k.expected_at = Some(at("2025-06-11T12:59:59Z")), &["preorder_time"]),
        ("an hour ahead", |_, k, _| k.expected_at = Some(at("2025-06-11T13:00:00Z")), &[]),
        ("too soon to fetch", |_, k, _| { k.pickup = true; k.expected_at = Some(at("2025-06-11T12:29:59Z")) }, &["preorder_time"]),
        ("half an hour ahead", |_, k, _| { k.pickup = true; k.expected_at = Some(at("2025-06-11T12:30:00Z")) }, &[]),
        ("in the past", |_, k, _| k.expected_at = Some(at("2025-06-11T11:00:00Z")), &["preorder_time"]),
        ("the last day", |_, k, _| k.expected_at = Some(at("2025-06-14T20:00:00Z")), &[]),
        ("a day too far", |_, k, _| k.expected_at = Some(at("2025-06-15T09:00:00Z")), &["preorder_time"]),
        ("not today", |_, k, c| { c.min_days_to_preorder = 1; k.expected_at = Some(at("2025-06-11T18:00:00Z")) }, &["preorder_time"]),
        ("tomorrow is a day ahead", |_, k, c| { c.min_days_to_preorder = 1; k.expected_at = Some(at("2025-06-12T09:00:00Z")) }, &[]),
        ("here, past", |_, k, _| { k.table = Some(Table::default()); k.expected_at = Some(at("2025-06-11T11:59:59Z")) }, &["preorder_time"]),
        ("here, soon", |_, k, _| { k.table = Some(Table::default()); k.expected_at = Some(at("2025-06-11T12:05:00Z")) }, &[]),
    ]);
}

#[test]
#[rustfmt::skip]
fn staff_obey_only_item_and_delivery_rules() {
    run(&[
        ("everything else is off", |_, k, c| { shut(c); c.staff = true; k.platform = Platform::Phone }, &[]),
        ("the same for a guest", |_, _, c| shut(c), &["temp_no_orders", "closed", "no_delivery_now"]),
        ("a past time, far too late", |_, k, c| { shut(c); c.staff = true; k.expected_at = Some(at("2024-01-01T03:00:00Z")) }, &[]),
        ("the minimum binds", |_, _, c| { c.staff = true; c.min_order_price = Money::from(99_999) }, &["minimum_not_reached"]),
        ("items bind", |m, _, c| { c.staff = true; pizza(m).active = false; toppings(m).min_no_options = 2 }, &["item_inactive", "option_count"]),
    ]);
}

fn shut(config: &mut Config) {
    config.schedule.sos = SosClose::On;
    config.schedule.hours.clear();
    config.normal_delivery = false;
    config.normal_pickup = false;
    config.preorder_delivery = false;
    config.preorder_pickup = false;
}

#[test]
#[rustfmt::skip]
fn minimum() {
    // 2 × (2990 + 300) + 890 = 7470
    run(&[
        ("exactly reached", |_, _, c| c.min_order_price = Money::from(7470), &[]),
        ("missed by one", |_, _, c| c.min_order_price = Money::from(7471), &["minimum_not_reached"]),
        ("deliveries only", |_, k, c| { c.min_order_price = Money::from(7471); k.pickup = true }, &[]),
        ("fees do not help", |_, _, c| { c.place = delivered(500).place; c.min_order_price = Money::from(7471) }, &["minimum_not_reached"]),
        ("the region's goes first", |_, _, c| { c.place = region(Some(7471)); c.min_order_price = Money::ZERO }, &["minimum_not_reached"]),
        ("the region has none", |_, _, c| { c.place = region(None); c.min_order_price = Money::from(7471) }, &["minimum_not_reached"]),
        ("the region's is 0", |_, _, c| { c.place = region(Some(0)); c.min_order_price = Money::from(7471) }, &[]),
        ("staff give a reason", |_, _, c| { c.staff = true; c.delivery_override = true; c.min_order_price = Money::from(7471) }, &[]),
        ("a guest's reason does not count", |_, _, c| { c.delivery_override = true; c.min_order_price = Money::from(7471) }, &["minimum_not_reached"]),
    ]);
}

fn region(minimum: Option<i64>) -> Place {
    let min_order_price = minimum.map(Money::from);
    Place::Region(Region { fee: DeliveryFee::default(), min_order_price })
}

#[test]
#[rustfmt::skip]
fn place() {
    run(&[
        ("outside", |_, _, c| c.place = Place::Outside, &["no_delivery_there"]),
        ("cannot be placed", |_, _, c| c.place = Place::Unknown, &["no_delivery_there"]),
        ("fetched", |_, k, c| { c.place = Place::Outside; k.pickup = true }, &[]),
        ("at a table", |_, k, c| { c.place = Place::Unknown; k.table = Some(Table::default()) }, &[]),
        ("it binds staff", |_, k, c| { c.place = Place::Outside; c.staff = true; k.platform = Platform::Phone }, &["no_delivery_there"]),
        ("staff give a reason", |_, k, c| { c.place = Place::Outside; c.staff = true; c.delivery_override = true; k.platform = Platform::Phone }, &[]),
        ("the restaurant's minimum holds too", |_, _, c| { c.place = Place::Outside; c.min_order_price = Money::from(7471) }, &["no_delivery_there", "minimum_not_reached"]),
    ]);
    let details = [Place::Outside, Place::Unknown].map(|place| {
        let config = Config { place, ..config() };
        acceptable(&catalogue(), &[], &cart(&[line(BEER, 1, &[])]), &config)[0].detail.clone()
    });
    assert_eq!(details, [None, Some("place_unknown".to_owned())]);
}

#[test]
#[rustfmt::skip]
fn items() {
    run(&[
        ("inactive", |m, _, _| pizza(m).active = false, &["item_inactive"]),
        ("unknown", |m, _, _| { m.items.remove(&PIZZA); }, &["item_inactive"]),
        ("not online", |m, _, _| pizza(m).visible.online = false, &["item_not_visible"]),
        ("online only, by phone", |m, k, _| { pizza(m).visible = Visibility { online: true, ..Visibility::NONE }; k.platform = Platform::Phone }, &["item_not_visible"]),
        ("sit-in only, at the till", |m, k, _| { pizza(m).visible = Visibility { sit_in: true, ..Visibility::NONE }; k.platform = Platform::TakeAway }, &[]),
        ("kiosk only, at the kiosk", |m, k, _| { pizza(m).visible = Visibility { kiosk_sit_in: true, ..Visibility::NONE }; k.platform = Platform::KioskSitIn }, &[]),
        ("other kiosk only", |m, k, _| { pizza(m).visible = Visibility { kiosk_take_away: true, ..Visibility::NONE }; k.platform = Platform::KioskSitIn }, &["item_not_visible"]),
        ("not published", |m, _, _| pizza(m).published_at = Some(at("2025-06-11T12:00:01Z")), &["item_not_available"]),
        ("published just now", |m, _, _| pizza(m).published_at = Some(at(NOW)), &[]),
        ("not yet", |m, _, _| pizza(m).available_from = Some(at("2025-06-11T12:00:01Z")), &["item_not_available"]),
        ("no more", |m, _, _| pizza(m).available_to = Some(at("2025-06-11T11:59:59Z")), &["item_not_available"]),
        ("both ends count", |m, _, _| { pizza(m).available_from = Some(at(NOW)); pizza(m).available_to = Some(at(NOW)) }, &[]),
        ("not yet, but wanted then", |m, k, _| { pizza(m).available_from = Some(at("2025-06-12T00:00:00Z")); k.expected_at = Some(at("2025-06-12T12:00:00Z")) }, &[]),
        ("outside the category's hours", |m, _, _| pizza(m).time_ranges = vec![vec![range("11:00", "13:59")]], &["item_not_available"]),
        ("within", |m, _, _| pizza(m).time_ranges = vec![vec![range("11:00", "14:00")], vec![]], &[]),
        ("within, but not the parent's", |m, _, _| pizza(m).time_ranges = vec![vec![range("11:00", "14:00")], vec![range("18:00", "02:00")]], &["item_not_available"]),
        ("hours look at the wanted time", |m, k, _| { pizza(m).time_ranges = vec![vec![range("18:00", "20:00")]]; k.expected_at = Some(at("2025-06-11T17:00:00Z")) }, &[]),
        ("the last pieces", |m, _, _| pizza(m).sellable_quantity = Some(2), &[]),
        ("one too many", |m, _, _| pizza(m).sellable_quantity = Some(1), &["item_sold_out"]),
        ("sold out", |m, _, _| pizza(m).sellable_quantity = Some(0), &["item_sold_out"]),
        ("lines of an item count together", |m, k, _| { pizza(m).sellable_quantity = Some(3); k.items.push(line(PIZZA, 2, &[])) }, &["item_sold_out", "item_sold_out"]),
        ("all that hold", |m, _, _| *pizza(m) = Item { active: false, visible: Visibility::NONE, available_to: Some(at("2025-01-01T00:00:00Z")), sellable_quantity: Some(0), ..pizza(m).clone() },
            &["item_inactive", "item_not_visible", "item_not_available", "item_sold_out"]),
    ]);
}

#[test]
#[rustfmt::skip]
fn options() {
    run(&[
        ("unknown", |_, k, _| k.items[0] = line(PIZZA, 1, &[(ELSEWHERE, 1)]), &["option_not_available"]),
        ("of another item", |_, k, _| k.items[1] = line(BEER, 1, &[(CHEESE, 1)]), &["option_not_available"]),
        ("inactive", |m, _, _| toppings(m).options[0].active = false, &["option_not_available"]),
        ("inactive, not chosen", |m, _, _| toppings(m).options[1].active = false, &[]),
        ("not online", |m, _, _| toppings(m).options[0].visible.online = false, &["option_not_available"]),
        ("inactive group", |m, _, _| toppings(m).active = false, &["option_not_available"]),
        ("group not online", |m, _, _| toppings(m).visible.online = false, &["option_not_available"]),
        ("group not online, elsewhere", |m, k, _| { toppings(m).visible.online = false; k.platform = Platform::SitIn }, &[]),
        ("a group not offered does not bind", |m, k, _| { toppings(m).active = false; toppings(m).min_no_options = 1; k.items[0].options.clear() }, &[]),
        ("too few", |m, _, _| toppings(m).min_no_options = 2, &["option_count"]),
        ("none of a required group", |m, k, _| { toppings(m).min_no_options = 1; k.items[0].options.clear() }, &["option_count"]),
        ("the most", |_, k, _| k.items[0] = line(PIZZA, 5, &[(CHEESE, 1), (HAM, 2)]), &[]),
        ("quantities count", |_, k, _| k.items[0] = line(PIZZA, 1, &[(CHEESE, 2), (HAM, 2)]), &["option_count"]),
        ("the same twice counts twice", |_, k, _| k.items[0] = line(PIZZA, 1, &[(CHEESE, 2), (CHEESE, 2)]), &["option_count"]),
        ("0 is no limit", |m, k, _| { toppings(m).max_no_options = 0; k.items[0] = line(PIZZA, 1, &[(CHEESE, 999), (HAM, 999)]) }, &[]),
        ("exactly one", |m, _, _| { toppings(m).min_no_options = 1; toppings(m).max_no_options = 1 }, &[]),
        ("an unknown one named twice is one reason", |_, k, _| k.items[0] = line(PIZZA, 1, &[(ELSEWHERE, 1), (ELSEWHERE, 1)]), &["option_not_available"]),
    ]);
}

#[test]
fn an_sos_close_tells_its_end() {
    let told = |sos| {
        let mut config = config();
        config.schedule.sos = sos;
        acceptable(&catalogue(), &[], &cart(&[line(BEER, 1, &[])]), &config)[0].detail.clone()
    };
    let end = at("2025-06-11T12:00:01Z");
    assert_eq!(told(SosClose::Until(end)), Some(end.to_string()));
    assert_eq!(told(SosClose::On), None);
}

#[test]
fn a_group_without_a_most_tells_the_fewest_alone() {
    let mut catalogue = catalogue();
    (toppings(&mut catalogue).min_no_options, toppings(&mut catalogue).max_no_options) = (2, 0);
    let reasons = acceptable(&catalogue, &[], &cart(&[line(PIZZA, 1, &[(CHEESE, 1)])]), &config());
    assert_eq!(reasons[0].detail.as_deref(), Some("2-"));
}

#[test]
fn reasons_say_where_and_what() {
    let (mut catalogue, mut config) = (catalogue(), config());
    pizza(&mut catalogue).sellable_quantity = Some(3);
    toppings(&mut catalogue).min_no_options = 1;
    config.min_order_price = Money::from(20_000);
    config.now = at("2025-06-11T20:30:00Z");
    let cart = cart(&[line(BEER, 1, &[(HAM, 1)]), line(PIZZA, 4, &[])]);
    let found: Vec<_> = acceptable(&catalogue, &[], &cart, &config)
        .into_iter()
        .map(|r| (r.reason.as_str(), r.item_index, r.option_id, r.option_group_id, r.detail))
        .collect();
    assert_eq!(
        found,
        [
            ("closed", None, None, None, Some("2025-06-12T09:00:00.000Z".into())),
            ("minimum_not_reached", None, None, None, Some("20000".into())),
            ("item_sold_out", Some(1), None, None, Some("3".into())),
            ("option_not_available", Some(0), Some(HAM), None, None),
            ("option_count", Some(1), None, Some(TOPPINGS), Some("1-3".into())),
        ]
    );
}

#[test]
fn every_reason_has_its_name_and_place() {
    let listed: Vec<_> = ReasonKind::ALL.to_vec();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(listed, sorted);
    assert_eq!(listed.len(), 18);
    let names: HashSet<&str> = listed.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names.len(), 18);
}

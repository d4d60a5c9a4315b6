//! Cases and properties. The test restaurant is in Budapest, open daily from 11:00 to 22:00, and accepts
//! everything; each test changes what it examines.

use std::collections::HashMap;

use kernel::{
    money::{Currency, Money, Percent},
    time::{Day, OpeningHours, Schedule, SosClose, Timestamp, Tz},
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::*;

mod applying;
mod choosing;
mod deposits;
mod fees;
mod gifts;
mod on_sale;
mod parts;
mod preorders;
mod prices;
mod promotions;
mod properties;
mod reasons;
mod redelivery;
mod speed;
mod staff;
mod units;
mod world;

/// Wednesday 11 June 2025, 14:00 in Budapest.
const NOW: &str = "2025-06-11T12:00:00Z";

const PIZZA: Uuid = Uuid::from_u128(1);
const BEER: Uuid = Uuid::from_u128(2);
const BREAD: Uuid = Uuid::from_u128(3);
const TOPPINGS: Uuid = Uuid::from_u128(10);
const CHEESE: Uuid = Uuid::from_u128(11);
const HAM: Uuid = Uuid::from_u128(12);
const ELSEWHERE: Uuid = Uuid::from_u128(99);
/// Categories: pizzas and drinks are food.
const FOOD: Uuid = Uuid::from_u128(20);
const PIZZAS: Uuid = Uuid::from_u128(21);
const DRINKS: Uuid = Uuid::from_u128(22);
const RESTAURANT: Uuid = Uuid::from_u128(30);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn money(text: &str) -> Money {
    text.parse().unwrap()
}

fn percent(value: i64) -> Percent {
    Percent(Decimal::from(value))
}

fn item(price: i64, vat: i64, sit_in_vat: Option<i64>) -> Item {
    Item {
        price: Money::from(price),
        vat: percent(vat),
        sit_in_vat: sit_in_vat.map(percent),
        visible: Visibility::ALL,
        active: true,
        available_from: None,
        available_to: None,
        published_at: None,
        time_ranges: Vec::new(),
        sellable_quantity: None,
        service_fee: None,
        option_group_ids: Vec::new(),
        origin_id: Uuid::nil(),
        category_ids: Vec::new(),
        components: Vec::new(),
        deposit_pieces: 0,
    }
}

fn option(id: Uuid, price: i64) -> ItemOption {
    ItemOption { id, price: Money::from(price), size: None, active: true, visible: Visibility::ALL }
}

/// A pizza (27 %, here 5 %) with up to three toppings, a beer (27 %), bread (18 %).
fn catalogue() -> Catalogue {
    let toppings = OptionGroup {
        active: true,
        visible: Visibility::ALL,
        min_no_options: 0,
        max_no_options: 3,
        options: vec![option(CHEESE, 300), option(HAM, 450)],
    };
    let of = |id: Uuid, categories: &[Uuid], item: Item| {
        (id, Item { origin_id: origin(id), category_ids: categories.to_vec(), ..item })
    };
    let pizza = Item { option_group_ids: vec![TOPPINGS], ..item(2990, 27, Some(5)) };
    Catalogue {
        items: [
            of(PIZZA, &[PIZZAS, FOOD], pizza),
            of(BEER, &[DRINKS], item(890, 27, None)),
            of(BREAD, &[FOOD], item(350, 18, None)),
        ]
        .into(),
        option_groups: [(TOPPINGS, toppings)].into(),
    }
}

/// The id by which promotions name a size.
fn origin(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() + 1_000_000)
}

fn config() -> Config {
    let hour = |text: &str| text.parse().unwrap();
    let opening_hours =
        Day::ALL.map(|day| OpeningHours { day, open_at: hour("11:00"), close_at: hour("22:00") });
    Config {
        restaurant_id: RESTAURANT,
        currency: Currency::Huf,
        schedule: Schedule {
            zone: Tz::Europe__Budapest,
            hours: opening_hours.into(),
            holidays: Vec::new(),
            sos: SosClose::Off,
        },
        normal_delivery: true,
        normal_pickup: true,
        preorder_delivery: true,
        preorder_pickup: true,
        min_days_to_preorder: 0,
        days_to_preorder: 3,
        min_preorder_pickup_diff: 30,
        min_preorder_delivery_diff: 60,
        min_order_price: Money::ZERO,
        place: Place::NotAsked,
        delivery_vat: Config::DELIVERY_VAT,
        fees: Fees::default(),
        deposit: Deposit::default(),
        courier_tip_available: true,
        point_cash_ratio: Percent::ZERO,
        payable: true,
        staff: false,
        delivery_override: false,
        max_discount_percent: None,
        uses: HashMap::new(),
        conceal_customers: false,
        now: at(NOW),
    }
}

fn line(subproduct_id: Uuid, quantity: u16, options: &[(Uuid, u16)]) -> CartItem {
    let options =
        options.iter().map(|(option_id, quantity)| CartOption { option_id: *option_id, quantity: *quantity });
    CartItem { subproduct_id, quantity, options: options.collect() }
}

/// A delivery from the web shop, as soon as possible.
fn cart(items: &[CartItem]) -> Cart {
    Cart {
        platform: Platform::Browser,
        pickup: false,
        table: None,
        expected_at: None,
        items: items.to_vec(),
        tips: Tips::default(),
        coupon_code: None,
        gift_choices: Vec::new(),
        staff_discount: None,
        customer: None,
        by_points: Money::ZERO,
    }
}

fn delivered(fee: i64) -> Config {
    let fee = DeliveryFee { price: Money::from(fee), ..DeliveryFee::default() };
    Config { place: Place::Region(Region { fee, min_order_price: None }), ..config() }
}

/// A stackable discount of 10 % on all goods without options, on all channels.
fn promotion(id: u128) -> Promotion {
    Promotion {
        id: Uuid::from_u128(id),
        created_at: at("2025-01-01T00:00:00Z").plus_minutes(i64::try_from(id).unwrap()),
        kind: PromotionKind::Discount,
        code: None,
        stackable: true,
        restaurant_ids: None,
        valid_from: None,
        valid_till: None,
        time_ranges: Vec::new(),
        platforms: Platform::OWN.to_vec(),
        pickup_enabled: true,
        tables: Restriction::None,
        login_needed: false,
        locked_customers: false,
        all_max_use_qty: None,
        customer_max_use_qty: None,
        products: Restriction::None,
        range_filter_type: RangeFilterType::ByPrice,
        apply_type: ApplyType::ApplyPerCart,
        ranges: vec![range(ValueKind::Percent, 10)],
    }
}

/// From 0 on.
fn range(discount_type: ValueKind, value: i64) -> Range {
    Range {
        price_from: Decimal::ZERO,
        discount_type,
        discount_value: value.into(),
        apply_on_delivery: false,
        free_delivery: false,
        apply_on_options: false,
        gifts: Vec::new(),
    }
}

fn taking(id: u128, apply_type: ApplyType, range: Range) -> Promotion {
    Promotion { apply_type, ranges: vec![range], ..promotion(id) }
}

fn products(sizes: &[Uuid], categories: &[Uuid]) -> ProductSet {
    ProductSet {
        subproduct_ids: sizes.iter().map(|id| origin(*id)).collect(),
        product_category_ids: categories.iter().copied().collect(),
    }
}

fn whole(amount: Money) -> i64 {
    i64::try_from(amount.0).unwrap()
}

fn paid(priced: &Priced) -> Vec<i64> {
    priced.lines.iter().map(|line| whole(line.paid_price)).collect()
}

/// What became of each promotion: the amount it takes, or the reason.
fn told(priced: &Priced) -> Vec<String> {
    let outcome = |outcome: &PromotionOutcome| match outcome.reason {
        Some(reason) => reason.as_str().to_owned(),
        None => outcome.amount.to_string(),
    };
    priced.promotions.iter().map(outcome).collect()
}

/// The sums by rate as plain numbers: percent, net, VAT, gross.
fn vats(priced: &Priced) -> Vec<(i64, i64, i64, i64)> {
    let rate = |sum: &VatSum| i64::try_from(sum.percent.0).unwrap();
    priced.vats.iter().map(|sum| (rate(sum), whole(sum.net), whole(sum.vat), whole(sum.gross))).collect()
}

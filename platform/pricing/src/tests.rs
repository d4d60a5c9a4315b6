//! Cases and properties. The test restaurant is in Budapest, open daily from 11:00 to 22:00, and accepts
//! everything; each test changes what it examines.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use kernel::{
    money::{Currency, Money, Percent},
    time::{Day, OpeningHours, Schedule, SosClose, Timestamp, Tz},
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::*;

mod fees;
mod prices;
mod properties;
mod reasons;

/// Wednesday 11 June 2025, 14:00 in Budapest.
const NOW: &str = "2025-06-11T12:00:00Z";

const PIZZA: Uuid = Uuid::from_u128(1);
const BEER: Uuid = Uuid::from_u128(2);
const BREAD: Uuid = Uuid::from_u128(3);
const TOPPINGS: Uuid = Uuid::from_u128(10);
const CHEESE: Uuid = Uuid::from_u128(11);
const HAM: Uuid = Uuid::from_u128(12);
const ELSEWHERE: Uuid = Uuid::from_u128(99);

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
    }
}

fn option(id: Uuid, price: i64) -> ItemOption {
    ItemOption { id, price: Money::from(price), active: true, visible: Visibility::ALL }
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
    let pizza = Item { option_group_ids: vec![TOPPINGS], ..item(2990, 27, Some(5)) };
    Catalogue {
        items: [(PIZZA, pizza), (BEER, item(890, 27, None)), (BREAD, item(350, 18, None))].into(),
        option_groups: [(TOPPINGS, toppings)].into(),
    }
}

fn config() -> Config {
    let hour = |text: &str| text.parse().unwrap();
    let opening_hours =
        Day::ALL.map(|day| OpeningHours { day, open_at: hour("11:00"), close_at: hour("22:00") });
    Config {
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
        delivery_vat: Config::DELIVERY_VAT,
        fees: Fees::default(),
        payable: true,
        staff: false,
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
        at_table: false,
        expected_at: None,
        items: items.to_vec(),
        tips: Tips::default(),
    }
}

/// The sums by rate as plain numbers: percent, net, VAT, gross.
fn vats(priced: &Priced) -> Vec<(i64, i64, i64, i64)> {
    let whole = |value: Decimal| i64::try_from(value).unwrap();
    priced
        .vats
        .iter()
        .map(|v| (whole(v.percent.0), whole(v.net.0), whole(v.vat.0), whole(v.gross.0)))
        .collect()
}

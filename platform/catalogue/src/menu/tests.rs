//! The computed menu between two time boundaries, and the cache. Its content is tested through HTTP.

use chrono::TimeDelta;
use kernel::{
    Id,
    money::{Currency, Money, Percent},
    time::{
        Day, Holiday, HolidayType, OpeningHours, RangeDay, Schedule, SosClose, TimeOfDay, TimeRange,
        Timestamp, Tz,
    },
};
use proptest::prelude::*;
use restaurants::Facts;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    build::menu,
    builder::View,
    cache::{Cache, Computed, matches},
    rows::{CategoryRow, ProductRow, SubproductRow},
    store::{Rows, State},
    types::MenuChannel,
};
use crate::{
    flags::{all_inherited, inherited},
    product_categories::entity::TimeRanges,
    restaurant_defaults::RestaurantDefaults,
};

const VIEW: View = View { channel: MenuChannel::Online, here: false };

/// The night before the clocks go back in Budapest.
pub(crate) fn base() -> Timestamp {
    "2025-10-25T20:00:00Z".parse().unwrap()
}

pub(crate) fn minutes(count: i64) -> Timestamp {
    Timestamp(base().0 + TimeDelta::minutes(count))
}

pub(crate) fn id<T>(number: u128) -> Id<T> {
    Id::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn facts(opening_hours: Vec<OpeningHours>, holidays: Vec<Holiday>) -> Facts {
    Facts {
        id: id(1),
        name: "Próba".to_owned(),
        phone_1: None,
        contact_email: None,
        country: "HU".to_owned(),
        postcode: None,
        city: String::new(),
        street: String::new(),
        premise_number: String::new(),
        domain: None,
        coord_lat: None,
        coord_lng: None,
        currency: Currency::Huf,
        primary_language: "hu",
        secondary_language: None,
        schedule: Schedule { zone: Tz::Europe__Budapest, hours: opening_hours, holidays, sos: SosClose::Off },
        point_cash_ratio: Percent(Decimal::ZERO),
        normal_delivery: true,
        preorder_delivery: false,
        normal_pickup: true,
        preorder_pickup: false,
        min_days_to_preorder: 0,
        days_to_preorder: 1,
        min_preorder_pickup_diff: 0,
        min_preorder_delivery_diff: 0,
        preorder_notification_mins_before_expected: 60,
        min_order_price: Money::ZERO,
        vat_id: id(27),
        sit_in_vat_id: Some(id(27)),
        system_usage_fee: Money::ZERO,
        service_fee: Percent::ZERO,
        service_fee_mode: kernel::setting::ServiceFeeMode::Off,
        take_away_service_fee: true,
        default_tip: None,
        employee_tip: false,
        deposit_here: true,
        accept_at_once: false,
        daily_close_limit: 45,
        deposit_until: None,
        deposit: None,
        loyalty: false,
        delivery_vat_id: id(27),
        delivery_method: kernel::setting::DeliveryMethod::StreetBased,
        no_region: None,
        delivery_vat: Percent(Decimal::from(27)),
        order_reset_time: TimeOfDay::MIDNIGHT,
        counter_prefix: None,
        estimated_delivery_time: 30,
        busy_minutes: None,
        busy_until: None,
        escalate_after_minutes: None,
        order_accept_on_open: true,
        is_courier_tip_available: false,
        max_waiting_per_phone: 5,
        max_waiting_per_guest: 10,
        catalogue_version: 7,
    }
}

/// The times of a row: publication, and first and last instant of its window.
pub(crate) type Times = [Option<i64>; 3];

pub(crate) fn category(
    number: u128, parent: Option<u128>, ranges: Vec<TimeRange>, [expected, from, to]: Times,
) -> CategoryRow {
    inherited! { [all_inherited] CategoryRow {
        id: id(number),
        origin_id: Uuid::from_u128(number),
        parent_id: parent.map(id),
        name: format!("K{number}"),
        image_web_id: None,
        image_app_id: None,
        image_desc_id: None,
        name_sec_lang: None,
        description: None,
        description_sec_lang: None,
        active: true,
        available_from: from.map(minutes),
        available_to: to.map(minutes),
        expected_at: expected.map(minutes),
        time_ranges: Some(TimeRanges(ranges)),
    } }
}

pub(crate) fn product(number: u128, category: u128, [expected, from, to]: Times) -> ProductRow {
    inherited! { [all_inherited] ProductRow {
        id: id(number),
        product_category_id: id(category),
        name: format!("T{number}"),
        image_id: None,
        name_sec_lang: None,
        description: None,
        description_sec_lang: None,
        active: true,
        available_from: from.map(minutes),
        available_to: to.map(minutes),
        expected_at: expected.map(minutes),
    } }
}

pub(crate) fn subproduct(number: u128, product: u128, sellable_quantity: Option<i32>) -> SubproductRow {
    inherited! { [all_inherited] SubproductRow {
        id: id(number),
        origin_id: Uuid::from_u128(number),
        deposit_pieces: 0,
        product_id: id(product),
        name: format!("M{number}"),
        name_sec_lang: None,
        description: None,
        description_sec_lang: None,
        price: Money::from(1000),
        active: true,
        allergenic_ids: vec![],
        allergen_free: false,
        sellable_quantity,
    } }
}

pub(crate) fn rows(
    facts: Facts, categories: Vec<CategoryRow>, products: Vec<ProductRow>, quantity: Option<i32>,
) -> Rows {
    let vats = [(Uuid::from_u128(27), Percent(Decimal::from(27)))].into();
    let subproducts = products
        .iter()
        .map(|product| subproduct(product.id.uuid().as_u128() + 1000, product.id.uuid().as_u128(), quantity))
        .collect();
    Rows {
        facts,
        defaults: RestaurantDefaults {
            vat_id: id(27),
            sit_in_vat_id: Some(id(27)),
            ntak_category: None,
            ntak_unit: None,
            currency: Currency::Huf,
            hungarian: (true, false),
            vats,
        },
        categories,
        products,
        subproducts,
        links: [].into(),
        components: [].into(),
        groups: vec![],
        options: vec![],
        allergens: vec![],
        pictures: [].into(),
        featured: vec![],
        upsells: vec![],
        offers: vec![],
    }
}

pub(crate) fn time() -> impl Strategy<Value = TimeOfDay> {
    (0_u16..24, 0_u16..60).prop_map(|(hour, minute)| TimeOfDay::new(hour, minute).unwrap())
}

pub(crate) fn range() -> impl Strategy<Value = TimeRange> {
    let days = [RangeDay::EveryDay, RangeDay::Sat, RangeDay::Sun, RangeDay::Mon, RangeDay::Wed];
    (prop::sample::select(days.to_vec()), time(), time()).prop_map(|(day, from, till)| TimeRange {
        day,
        from,
        till,
    })
}

pub(crate) fn hours() -> impl Strategy<Value = OpeningHours> {
    (prop::sample::select(Day::ALL.to_vec()), time(), time())
        .prop_map(|(day, open_at, close_at)| OpeningHours { day, open_at, close_at })
}

pub(crate) fn holiday() -> impl Strategy<Value = Holiday> {
    (0_u64..6, 0_u64..3, any::<bool>(), prop::option::of((time(), time())), 0_i64..100).prop_map(
        |(first, length, open, own, created)| {
            let first = base().local_date(Tz::Europe__Budapest) + chrono::Days::new(first);
            Holiday {
                valid_from: first,
                valid_till: first + chrono::Days::new(length),
                holiday_type: if open { HolidayType::HolidayOpen } else { HolidayType::HolidayClose },
                open_at: own.map(|own| own.0),
                close_at: own.map(|own| own.1),
                created_at: minutes(created),
            }
        },
    )
}

pub(crate) fn times() -> impl Strategy<Value = Times> {
    [prop::option::of(-3000_i64..3000), prop::option::of(-6000_i64..3000), prop::option::of(-3000_i64..6000)]
}

pub(crate) fn world() -> impl Strategy<Value = Rows> {
    let parts = (prop::collection::vec(range(), 0..3), times(), times());
    let parts = prop::collection::vec(parts, 1..4);
    (parts, prop::collection::vec(hours(), 0..8), prop::collection::vec(holiday(), 0..3)).prop_map(
        |(parts, hours, holidays)| {
            let mut categories = Vec::new();
            let mut products = Vec::new();
            for ((ranges, own, of_product), number) in parts.into_iter().zip(100..) {
                // The first stands alone, the second opens the others.
                let parent = (number > 101).then_some(101);
                categories.push(category(number, parent, ranges, own));
                if number != 101 {
                    products.push(product(number + 100, number, of_product));
                }
            }
            rows(facts(hours, holidays), categories, products, None)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_menu_holds_until_its_boundary(rows in world(), now in -2000_i64..6000, share in 0.0_f64..1.0) {
        let now = minutes(now);
        let shown = menu(&rows, VIEW, now);
        let until = shown.valid_until.unwrap_or_else(|| Timestamp(now.0 + TimeDelta::days(20)));
        prop_assert!(until > now);
        let span = (until.0 - now.0).num_milliseconds() as f64;
        for later in [share * span, span - 1.0] {
            let at = Timestamp(now.0 + TimeDelta::milliseconds((later as i64).max(0)));
            let then = menu(&rows, VIEW, at);
            prop_assert_eq!(serde_json::to_value(&shown).unwrap(), serde_json::to_value(&then).unwrap(), "from {} to {}", now, at);
        }
    }
}

fn computed(quantity: Option<i32>, quantities: &[(Uuid, i32)]) -> Computed {
    let shown = menu(
        &rows(
            facts(vec![], vec![]),
            vec![category(100, None, vec![], [None; 3])],
            vec![product(200, 100, [None; 3])],
            quantity,
        ),
        VIEW,
        base(),
    );
    Computed::new(shown, VIEW, &State { version: 7, quantities: quantities.to_vec() }).unwrap()
}

#[test]
fn a_cached_menu_is_found_by_version_and_time() {
    let cache = Cache::default();
    let restaurant = Uuid::from_u128(1);
    cache.keep(restaurant, VIEW, computed(None, &[]));
    assert!(cache.find(restaurant, VIEW, 7, base()).is_some());
    assert!(cache.find(restaurant, VIEW, 8, base()).is_none());
    assert!(cache.find(restaurant, View { here: true, ..VIEW }, 7, base()).is_none());
    assert!(cache.find(Uuid::from_u128(2), VIEW, 7, base()).is_none());

    let mut bounded = menu(
        &rows(
            facts(vec![], vec![]),
            vec![category(100, None, vec![], [None; 3])],
            vec![product(200, 100, [None, None, Some(5)])],
            None,
        ),
        VIEW,
        base(),
    );
    assert_eq!(
        bounded.valid_until,
        Some(Timestamp(minutes(5).0 + TimeDelta::milliseconds(1))),
        "the last instant counts"
    );
    bounded.valid_until = Some(minutes(5));
    cache.keep(
        restaurant,
        VIEW,
        Computed::new(bounded, VIEW, &State { version: 7, quantities: vec![] }).unwrap(),
    );
    assert!(cache.find(restaurant, VIEW, 7, minutes(4)).is_some());
    assert!(cache.find(restaurant, VIEW, 7, minutes(5)).is_none());
}

#[test]
fn the_least_recently_used_menu_makes_room() {
    let cache = Cache::default();
    let size = computed(None, &[]).size();
    let of = |number| Uuid::from_u128(number);
    for number in 1..=3 {
        cache.keep_within(size * 3, of(number), VIEW, computed(None, &[]));
    }
    assert!(cache.find(of(1), VIEW, 7, base()).is_some());
    cache.keep_within(size * 3, of(4), VIEW, computed(None, &[]));
    let left: Vec<bool> = (1..=4).map(|number| cache.find(of(number), VIEW, 7, base()).is_some()).collect();
    assert_eq!(left, [true, false, true, true]);
}

#[test]
fn quantities_are_laid_over() {
    let item = Uuid::from_u128(1200);
    let one = computed(Some(3), &[(item, 3)]);
    let state = |left| State { version: 7, quantities: vec![(item, left)] };
    let (body, etag) = one.answer(VIEW, &state(3)).unwrap();
    assert!(String::from_utf8_lossy(&body).contains(r#""sellable_quantity":3,"available":true"#));
    let (sold_out, other) = one.answer(VIEW, &state(0)).unwrap();
    assert!(String::from_utf8_lossy(&sold_out).contains(r#""sellable_quantity":0,"available":false"#));
    assert_ne!(etag, other);
    assert_eq!(one.answer(VIEW, &state(3)).unwrap(), (body, etag));
}

#[test]
fn etags_are_compared_weakly() {
    let cases = [
        (r#"W/"1-a""#, true),
        (r#""1-a""#, true),
        (r#""0", W/"1-a""#, true),
        ("*", true),
        (r#"W/"1-b""#, false),
        ("", false),
    ];
    for (header, same) in cases {
        assert_eq!(matches(header, r#"W/"1-a""#), same, "{header}");
    }
}

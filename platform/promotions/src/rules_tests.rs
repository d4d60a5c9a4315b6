//! Rules of a promotion, without a database.

use poem_openapi::types::ParseFromJSON;
use serde_json::{Value, json};

use super::*;

fn read(kind: DiscountType, sent: Value) -> (Model, Faults) {
    let mut faults = Faults::default();
    let restaurant = Id::new();
    let mut model = blank(restaurant, "Ebéd".to_owned(), kind);
    let fields = DiscountFields::parse_from_json(Some(sent)).unwrap();
    apply(&mut model, fields, restaurant, &mut faults);
    tidy(&mut model);
    check(&model, false, &mut faults);
    set_currency(&mut model, &[Currency::Huf], &mut faults);
    (model, faults)
}

impl Faults {
    /// The fields at fault, each with its fault.
    pub(crate) fn named(&self) -> Vec<String> {
        self.keys.iter().map(|(key, fault)| format!("{key}:{}", fault.name())).collect()
    }
}

/// A body with one range that is fine, and what is added to it.
fn with(range: Value, others: Value) -> Value {
    let mut body = json!({"platforms": ["browser"]});
    body["ranges"] = json!([range]);
    body.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
    body
}

#[test]
fn a_range_is_read_with_its_defaults() {
    let (model, faults) = read(DiscountType::Discount, with(json!({}), json!({})));
    assert_eq!(faults.named(), Vec::<String>::new());
    let range = &model.ranges.0[0];
    assert_eq!(
        (range.price_from, range.discount_value, range.discount_type),
        (Money::ZERO, Money::from(10), DiscountValueType::Percent)
    );
    let fixed = with(json!({"discount_type": "fixed_value", "discount_value": 500}), json!({}));
    let (model, _) = read(DiscountType::Discount, fixed);
    assert_eq!(model.ranges.0[0].discount_type, DiscountValueType::Amount);
    assert_eq!(model.currency, Some(Currency::Huf));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let size = uuid::Uuid::nil();
    let gift = json!([{"subproduct_id": size}]);
    let pieces = |quantity: u16| json!({"gifts": [{"subproduct_id": size, "quantity": quantity}]});
    let off = |percent: &str| json!({"gifts": [{"subproduct_id": size, "discount_percentage": percent}]});
    let two_alike = json!([gift[0], gift[0]]);
    let ok = || json!({});
    let twice = json!({"ranges": [{"price_from": 1000}, {"price_from": "1000.00"}]});
    let by_quantity =
        |from: &str| json!({"range_filter_type": "by_quantity", "ranges": [{"price_from": from}]});
    let till = |till: &str| json!({"valid_from": "2026-02-01T00:00:00Z", "valid_till": till});
    let cases = [
        (with(json!({"discount_value": 0}), ok()), vec!["ranges.0.discount_value:min"]),
        (with(json!({"discount_value": 0, "gifts": gift}), ok()), vec![]),
        (with(json!({"discount_value": 0, "free_delivery": true}), ok()), vec![]),
        (with(json!({"discount_value": 0.5}), ok()), vec!["ranges.0.discount_value:min"]),
        (with(json!({"discount_value": 1}), ok()), vec![]),
        (
            with(json!({"discount_value": -1, "free_delivery": true}), ok()),
            vec!["ranges.0.discount_value:min"],
        ),
        (with(json!({"discount_value": 100}), ok()), vec![]),
        (with(json!({"discount_value": 100.01}), ok()), vec!["ranges.0.discount_value:max"]),
        (with(json!({"discount_value": "33.330"}), ok()), vec![]),
        (with(json!({"discount_value": "33.333"}), ok()), vec!["ranges.0.discount_value:invalid"]),
        (with(json!({"discount_value": 101, "discount_type": "amount"}), ok()), vec![]),
        (
            with(json!({"discount_value": 10.5, "discount_type": "amount"}), ok()),
            vec!["ranges.0.discount_value:invalid"],
        ),
        (with(json!({"discount_value": null}), ok()), vec!["ranges.0.discount_value:required"]),
        (with(json!({"price_from": null}), ok()), vec!["ranges.0.price_from:required"]),
        (with(json!({"price_from": -1}), ok()), vec!["ranges.0.price_from:min"]),
        (with(json!({"price_from": 10_000_000}), ok()), vec![]),
        (with(json!({"price_from": 10_000_001}), ok()), vec!["ranges.0.price_from:max"]),
        (with(pieces(0), ok()), vec!["ranges.0.gifts.0.quantity:min"]),
        (with(pieces(100), ok()), vec![]),
        (with(pieces(101), ok()), vec!["ranges.0.gifts.0.quantity:max"]),
        (with(json!({"gifts": two_alike}), ok()), vec!["ranges.0.gifts.1.subproduct_id:not_unique"]),
        (with(off("33.330"), ok()), vec![]),
        (with(off("33.333"), ok()), vec!["ranges.0.gifts.0.discount_percentage:invalid"]),
        (with(ok(), twice), vec!["ranges.1.price_from:not_unique"]),
        (with(ok(), by_quantity("1.5")), vec!["ranges.0.price_from:invalid"]),
        (with(ok(), by_quantity("2.0")), vec![]),
        (with(ok(), by_quantity("10000")), vec![]),
        (with(ok(), by_quantity("10001")), vec!["ranges.0.price_from:max"]),
        (with(ok(), till("2026-01-31T23:59:59Z")), vec!["valid_till:invalid"]),
        (with(ok(), till("2026-02-01T00:00:00Z")), vec![]),
        (with(ok(), json!({"platforms": []})), vec!["platforms:required"]),
        (with(ok(), json!({"ranges": []})), vec!["ranges:required"]),
        (with(ok(), json!({"code": "X"})), vec!["code:invalid"]),
        (
            with(ok(), json!({"products_for": "inclusion"})),
            vec!["product_category_ids:required", "subproduct_ids:required"],
        ),
        (
            with(ok(), json!({"tables_for": "inclusion_tables", "table_ids": [uuid::Uuid::nil()]})),
            vec!["tables_for:invalid", "table_ids:not_exist"],
        ),
        (with(ok(), json!({"tables_for": null, "table_ids": []})), vec![]),
    ];
    for (body, expected) in cases {
        let (_, faults) = read(DiscountType::Discount, body.clone());
        assert_eq!(faults.named(), expected, "{body}");
    }
}

#[test]
fn a_coupon_needs_a_code_or_a_series() {
    for (code, kept, needed) in [
        (Value::Null, None, true),
        (json!("  "), None, true),
        (json!("\u{200b}\u{ad}"), None, true),
        (json!(" Nyár "), Some("Nyár"), false),
    ] {
        let (model, _) = read(DiscountType::Coupon, with(json!({}), json!({"code": code})));
        assert_eq!(model.code.as_deref(), kept, "{code}");
        for has_series in [true, false] {
            let mut faults = Faults::default();
            check(&model, has_series, &mut faults);
            let expected: &[&str] = if needed && !has_series { &["code:required"] } else { &[] };
            assert_eq!(faults.named(), expected, "{code}, {has_series}");
        }
    }
}

#[test]
fn words_for_the_editor_are_said_once() {
    for (others, words) in [
        (json!({}), &[][..]),
        (json!({"code": "X"}), &[]),
        (json!({"products_for": "exclusion"}), &["missing_products"]),
        (json!({"platforms": [], "ranges": []}), &["missing_platforms", "missing_ranges"]),
    ] {
        let (_, faults) = read(DiscountType::Discount, with(json!({}), others.clone()));
        assert_eq!(faults.words, words, "{others}");
        let refused = !faults.keys.is_empty();
        assert_eq!(faults.refuse().is_err(), refused, "{others}");
    }
}

#[test]
fn an_empty_list_of_restaurants_is_the_present_one() {
    let (here, there, before) = (Id::new(), Id::new(), Id::new());
    for (sent, expected) in [
        (json!({}), Some(vec![before])),
        (json!({"restaurant_ids": []}), Some(vec![here])),
        (json!({"restaurant_ids": null}), None),
        (json!({"restaurant_ids": [there, before]}), Some(vec![there, before])),
    ] {
        let mut model = blank(before, "Ebéd".to_owned(), DiscountType::Discount);
        let fields = DiscountFields::parse_from_json(Some(sent.clone())).unwrap();
        apply(&mut model, fields, here, &mut Faults::default());
        let expected = expected.map(|ids| ids.into_iter().map(Id::uuid).collect::<Vec<_>>());
        assert_eq!(model.restaurant_ids, expected, "{sent}");
    }
}

#[test]
fn an_upsell_loses_nine_things_and_gets_three_platforms() {
    let everything = json!({
        "products_for": "inclusion", "subproduct_ids": [uuid::Uuid::nil()], "login_needed": true,
        "valid_from": "2026-02-01T00:00:00Z", "valid_till": "2026-01-01T00:00:00Z", "code": "X",
        "tables_for": "inclusion_tables", "table_ids": [uuid::Uuid::nil()], "all_max_use_qty": 1,
        "customer_max_use_qty": 1, "is_daily_discount_limit": true, "locked_customers": true,
        "stackable": true, "platforms": ["phone"],
        "time_ranges": [{"day": "mon", "from": "11:00", "till": "14:00"}],
    });
    let (model, faults) = read(DiscountType::Upsell, with(json!({}), everything));
    assert_eq!(faults.named(), Vec::<String>::new());
    let plain = read(DiscountType::Upsell, with(json!({}), json!({}))).0;
    let comparable = |model: Model| Model {
        id: Id::from_uuid(uuid::Uuid::nil()),
        restaurant_ids: None,
        created_at: Timestamp(Default::default()),
        ..model
    };
    assert_eq!(comparable(model.clone()), comparable(plain));
    assert_eq!(model.platforms, ["android", "ios", "browser"]);
    assert!(!model.stackable);
}

#[test]
fn amounts_need_one_currency() {
    let (mut model, _) = read(DiscountType::Discount, with(json!({"price_from": 5000}), json!({})));
    let mut faults = Faults::default();
    set_currency(&mut model, &[Currency::Huf, Currency::Eur], &mut faults);
    assert_eq!(faults.named(), ["restaurant_ids:invalid"]);
    let (mut model, _) = read(DiscountType::Discount, with(json!({}), json!({})));
    let mut faults = Faults::default();
    set_currency(&mut model, &[Currency::Huf, Currency::Eur], &mut faults);
    assert_eq!((faults.named(), model.currency), (vec![], None));
}

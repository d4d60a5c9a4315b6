//! Rules of a promotion, without a database.
#![allow(clippy::unwrap_used)]

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

fn keys(faults: &Faults) -> Vec<String> {
    faults.keys.iter().map(|(key, fault)| format!("{key}:{}", fault.name())).collect()
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
    assert_eq!(keys(&faults), Vec::<String>::new());
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
    let gift = json!([{"subproduct_id": uuid::Uuid::nil()}]);
    let empty = json!([{"subproduct_id": uuid::Uuid::nil(), "quantity": 0}]);
    let thirds = json!([{"subproduct_id": uuid::Uuid::nil(), "discount_percentage": 33.333}]);
    let two_alike = json!([gift[0], gift[0]]);
    let ok = || json!({});
    let twice = json!({"ranges": [{"price_from": 1000}, {"price_from": "1000.00"}]});
    let twice_pieces = json!({"range_filter_type": "by_quantity", "ranges": [{"price_from": 1.5}]});
    let crossed = json!({"valid_from": "2026-02-01T00:00:00Z", "valid_till": "2026-01-31T23:59:59Z"});
    let cases = [
        (with(json!({"discount_value": 0}), ok()), vec!["ranges.0.discount_value:min"]),
        (with(json!({"discount_value": 0, "gifts": gift}), ok()), vec![]),
        (with(json!({"discount_value": 0, "free_delivery": true}), ok()), vec![]),
        (with(json!({"discount_value": 0.5}), ok()), vec!["ranges.0.discount_value:min"]),
        (
            with(json!({"discount_value": -1, "free_delivery": true}), ok()),
            vec!["ranges.0.discount_value:min"],
        ),
        (with(json!({"discount_value": 100}), ok()), vec![]),
        (with(json!({"discount_value": 100.01}), ok()), vec!["ranges.0.discount_value:max"]),
        (with(json!({"discount_value": 101, "discount_type": "amount"}), ok()), vec![]),
        (
            with(json!({"discount_value": 10.5, "discount_type": "amount"}), ok()),
            vec!["ranges.0.discount_value:invalid"],
        ),
        (with(json!({"discount_value": null}), ok()), vec!["ranges.0.discount_value:required"]),
        (with(json!({"price_from": null}), ok()), vec!["ranges.0.price_from:required"]),
        (with(json!({"price_from": -1}), ok()), vec!["ranges.0.price_from:min"]),
        (with(json!({"price_from": 10_000_001}), ok()), vec!["ranges.0.price_from:max"]),
        (with(json!({"gifts": empty}), ok()), vec!["ranges.0.gifts.0.quantity:min"]),
        (with(json!({"gifts": two_alike}), ok()), vec!["ranges.0.gifts.1.subproduct_id:not_unique"]),
        (with(json!({"gifts": thirds}), ok()), vec!["ranges.0.gifts.0.discount_percentage:invalid"]),
        (with(ok(), twice), vec!["ranges.1.price_from:not_unique"]),
        (with(ok(), twice_pieces), vec!["ranges.0.price_from:invalid"]),
        (with(ok(), crossed), vec!["valid_till:invalid"]),
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
        assert_eq!(keys(&faults), expected, "{body}");
    }
    let (_, faults) = read(DiscountType::Coupon, with(ok(), json!({"code": "  "})));
    assert_eq!(keys(&faults), ["code:required"]);
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
    assert_eq!(keys(&faults), Vec::<String>::new());
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
    assert_eq!(keys(&faults), ["restaurant_ids:invalid"]);
    let (mut model, _) = read(DiscountType::Discount, with(json!({}), json!({})));
    let mut faults = Faults::default();
    set_currency(&mut model, &[Currency::Huf, Currency::Eur], &mut faults);
    assert_eq!((keys(&faults), model.currency), (vec![], None));
}

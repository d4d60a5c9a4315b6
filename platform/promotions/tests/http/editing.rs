//! What the editor saves, and what it is refused.

use serde_json::{Value, json};
use testkit::{Answer, Call, Client, Place, kit};
use uuid::Uuid;

use super::{discount, id, make, menu, path};

async fn names(client: &Client<'_>, query: &str) -> Vec<String> {
    let rows = client.get(&format!("/discounts{query}")).send().await.assert(200).json();
    rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[testkit::test]
async fn a_promotion_is_what_was_sent_and_defaults() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "discount"]).await;
    let made = make(&admin, json!({"ranges": [{}]})).await;
    for (field, expected) in [
        ("active", json!(true)),
        ("use_qty", json!(0)),
        ("isValid", json!(true)),
        ("stackable", json!(true)),
        ("pickup_enabled", json!(true)),
        ("login_needed", json!(false)),
        ("restaurant_ids", json!([place.restaurant])),
        ("range_filter_type", json!("by_price")),
        ("apply_type", json!("apply_per_cart")),
        ("products_for", Value::Null),
        ("tables_for", Value::Null),
        ("code", Value::Null),
        ("editable", json!(true)),
        ("currency", Value::Null),
        ("time_ranges", json!([])),
        (
            "ranges",
            json!([{"price_from": 0, "discount_value": 10, "discount_type": "percent",
                "apply_on_delivery": false, "free_delivery": false, "apply_on_options": false,
                "gifts": []}]),
        ),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    assert_eq!(admin.get(&path(&made)).send().await.assert(200).json(), made);
    // Clients of the specification send whole entities back: that changes nothing.
    let audit = place.count("audit").await;
    let back = admin.put(&path(&made)).json(made.clone()).send().await.assert(200);
    assert!(back.header("x-ignored-fields").unwrap().contains("isValid"));
    let mut expected = made.clone();
    expected["version"] = json!(2);
    assert_eq!(back.json(), expected);
    assert_eq!(place.count("audit").await, audit);

    let everything = json!({
        "name": "Nyár", "valid_from": "2020-06-01T00:00:00.000Z", "valid_till": "2099-08-31T22:00:00.000Z",
        "time_ranges": [{"day": "every_day", "from": "11:00", "till": "14:00"}], "pickup_enabled": false,
        "platforms": ["android", "phone", "kiosk_sit_in"], "login_needed": true, "stackable": false,
        "all_max_use_qty": 100, "customer_max_use_qty": 1, "is_daily_discount_limit": true,
        "locked_customers": true, "range_filter_type": "by_quantity", "apply_type": "apply_per_item",
        "ranges": [{"price_from": 2, "discount_value": 300, "discount_type": "amount",
            "apply_on_options": true}],
    });
    let changed = admin.put(&path(&made)).json(everything.clone()).send().await.assert(200).json();
    for (field, value) in everything.as_object().unwrap() {
        if field != "ranges" {
            assert_eq!(&changed[field], value, "{field}");
        }
    }
    assert_eq!((&changed["ranges"][0]["discount_value"], &changed["currency"]), (&json!(300), &json!("huf")));
    let cleared = json!({"valid_from": null, "valid_till": null, "time_ranges": null, "all_max_use_qty": null,
        "customer_max_use_qty": null, "code": null, "products_for": null});
    let cleared = admin.put(&path(&made)).json(cleared).send().await.assert(200).json();
    assert_eq!((&cleared["valid_from"], &cleared["time_ranges"]), (&Value::Null, &json!([])));
    let stale = admin.put(&path(&made)).json(json!({"name": "Ősz", "version": 2})).send().await;
    assert_eq!(stale.assert_problem(409, "CONFLICT").json()["current"], cleared);

    admin.delete(&path(&made)).send().await.assert(204);
    admin.get(&path(&made)).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");
    admin.delete(&path(&made)).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");
    let sql = format!(
        "select string_agg(action, ',' order by id) actions from {}.audit where record_id = $1",
        place.schema
    );
    let actions: String = place.kit.row(&sql, vec![id(&made).into()]).await.try_get("", "actions").unwrap();
    assert_eq!(actions, "discounts_create,discounts_update,discounts_update,discounts_delete");
}

#[testkit::test]
async fn refusals_name_the_field_and_the_word_of_the_editor() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let gift = |gift: Value| json!({"ranges": [{"discount_value": 0, "gifts": [gift]}]});
    let unknown = Uuid::now_v7();
    let cases: [(Value, &[&str], Value); 21] = [
        (json!({"name": " "}), &["name"], Value::Null),
        (json!({"name": "", "platforms": []}), &["name", "platforms"], json!("missing_platforms")),
        (json!({"name": "\u{200b}", "ranges": []}), &["name", "ranges"], json!("missing_ranges")),
        (json!({"name": "é".repeat(101)}), &["name"], Value::Null),
        (json!({"discount_type": "gift"}), &["discount_type"], Value::Null),
        (json!({"platforms": []}), &["platforms"], json!("missing_platforms")),
        (json!({"platforms": ["browser", "browser"]}), &["platforms"], Value::Null),
        (json!({"platforms": ["wolt"]}), &["platforms.0"], Value::Null),
        (json!({"ranges": []}), &["ranges"], json!("missing_ranges")),
        (json!({"ranges": [{"price_from": null}]}), &["ranges.0.price_from"], json!("missing_ranges")),
        (json!({"ranges": [{"discount_value": 100.5}]}), &["ranges.0.discount_value"], Value::Null),
        (json!({"ranges": [{"discount_value": 0}]}), &["ranges.0.discount_value"], Value::Null),
        (json!({"ranges": [{"price_from": 5}, {"price_from": 5}]}), &["ranges.1.price_from"], Value::Null),
        (
            json!({"valid_from": "2026-01-02T00:00:00Z", "valid_till": "2026-01-01T00:00:00Z"}),
            &["valid_till"],
            json!("datetime_error"),
        ),
        (
            json!({"products_for": "exclusion"}),
            &["product_category_ids", "subproduct_ids"],
            json!("missing_products"),
        ),
        (
            json!({"products_for": "inclusion", "subproduct_ids": [unknown]}),
            &["subproduct_ids.0"],
            Value::Null,
        ),
        (json!({"tables_for": "inclusion_tables"}), &["tables_for"], Value::Null),
        (
            json!({"all_max_use_qty": 0, "customer_max_use_qty": -1}),
            &["all_max_use_qty", "customer_max_use_qty"],
            Value::Null,
        ),
        (gift(json!({"subproduct_id": unknown})), &["ranges.0.gifts.0.subproduct_id"], Value::Null),
        (
            gift(json!({"subproduct_id": unknown, "discount_percentage": 101})),
            &["ranges.0.gifts.0.discount_percentage"],
            Value::Null,
        ),
        // All at once.
        (
            json!({"discount_type": "coupon", "platforms": [], "ranges": [{"discount_value": 0}],
                "restaurant_ids": [unknown]}),
            &["code", "platforms", "ranges.0.discount_value", "restaurant_ids.0"],
            json!("missing_platforms"),
        ),
    ];
    for (fields, keys, detail) in cases {
        let answer = admin.post("/discounts").json(discount(fields)).send().await.assert_keys(keys);
        assert_eq!(answer.json()["detail"], detail, "{keys:?}");
    }
    let zero = gift(json!({"subproduct_id": menu(&admin).await.size, "quantity": 0}));
    let zero = admin.post("/discounts").json(discount(zero)).send().await;
    assert_eq!(zero.assert_keys(&["ranges.0.gifts.0.quantity"]).json()["detail"], "gift_quantity_error");
    assert_eq!(place.count("audit").await, 2, "of the menu alone");
    let none = format!(
        "select count(*)::text from {}.discount where '{}' = any (restaurant_ids)",
        place.schema, place.restaurant
    );
    assert_eq!(place.kit.texts(&none).await, ["0"], "nothing half done");
}

#[testkit::test]
async fn the_type_is_fixed() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = make(&admin, json!({})).await;
    let change = |kind: &'static str| admin.put(&path(&made)).json(json!({"discount_type": kind})).send();
    let refused = change("upsell").await.assert_keys(&["discount_type"]);
    assert_eq!(refused.json()["detail"], "discount_type_fixed");
    change("discount").await.assert(200);
}

#[testkit::test]
async fn only_one_upsell_is_active_at_a_restaurant() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let upsell = |fields: Value| {
        let mut body = discount(fields);
        body["discount_type"] = json!("upsell");
        owner.post("/discounts").json(body).send()
    };
    let first =
        upsell(json!({"platforms": ["phone"], "stackable": true, "code": "X"})).await.assert(201).json();
    assert_eq!(
        (&first["platforms"], &first["stackable"], &first["code"]),
        (&json!(["android", "ios", "browser"]), &json!(false), &Value::Null)
    );
    let refused = upsell(json!({})).await.assert_keys(&["discount_type"]);
    assert_eq!(refused.json()["detail"], "upsell_active");
    upsell(json!({"restaurant_ids": null})).await.assert_keys(&["discount_type"]);
    upsell(json!({"restaurant_ids": [other.restaurant]})).await.assert(201);
    let second = upsell(json!({"active": false})).await.assert(201).json();
    let on = || owner.put(&path(&second)).json(json!({"active": true})).send();
    on().await.assert_keys(&["discount_type"]);
    owner.delete(&path(&first)).send().await.assert(204);
    on().await.assert(200);
}

#[testkit::test]
async fn a_change_of_an_upsell_raises_the_version_of_the_menus_where_it_holds() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let version = async |place: &Place<'_>| -> i64 {
        let sql = format!("select catalogue_version n from {}.restaurant where id = $1", place.schema);
        kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "n").unwrap()
    };
    let raised = async |what: &str, call: Call<'_>, here: i64, there: i64| -> Answer {
        let before = [version(&place).await, version(&other).await];
        let answer = call.send().await;
        let after = [version(&place).await, version(&other).await];
        assert_eq!([after[0] - before[0], after[1] - before[1]], [here, there], "{what}: {}", answer.text());
        answer
    };
    let new = |kind: &str| owner.post("/discounts").json(discount(json!({"discount_type": kind})));
    raised("a discount is none", new("discount"), 0, 0).await.assert(201);
    let upsell = raised("new", new("upsell"), 1, 0).await.assert(201).json();
    let put = |body: Value| owner.put(&path(&upsell)).json(body);
    raised("another name", put(json!({"name": "Leves"})), 1, 0).await.assert(200);
    raised("everywhere", put(json!({"restaurant_ids": null})), 1, 1).await.assert(200);
    raised("here alone", put(json!({"restaurant_ids": []})), 1, 1).await.assert(200);
    raised("another name", put(json!({"name": "Levesek"})), 1, 0).await.assert(200);
    raised("everywhere", put(json!({"restaurant_ids": null})), 1, 1).await.assert(200);
    raised("gone", owner.delete(&path(&upsell)), 1, 1).await.assert(204);
}

#[testkit::test]
async fn a_code_belongs_to_one_live_coupon_of_a_restaurant() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let coupon = async |code: &str, restaurants: Value| {
        let mut body = discount(json!({"discount_type": "coupon", "code": code}));
        body["restaurant_ids"] = restaurants;
        owner.post("/discounts").json(body).send().await
    };
    let here = || json!([place.restaurant]);
    let first = coupon(" Nyár ", here()).await.assert(201).json();
    assert_eq!(first["code"], "Nyár");
    for taken in ["Nyár", "NYÁR", "\u{a0}nyár  "] {
        coupon(taken, here()).await.assert_keys(&["code"]);
        coupon(taken, Value::Null).await.assert_keys(&["code"]);
    }
    coupon("nyár", json!([other.restaurant])).await.assert(201);
    // It keeps its own, and gives it free when it goes.
    owner.put(&path(&first)).json(json!({"code": "NYÁR"})).send().await.assert(200);
    owner.delete(&path(&first)).send().await.assert(204);
    coupon("nyár", here()).await.assert(201);

    coupon("🍕🍕", here()).await.assert(201);
    coupon("🍕🍕 ", here()).await.assert_keys(&["code"]);
    coupon(&"x".repeat(50), here()).await.assert(201);
    coupon(&"x".repeat(10_000), here()).await.assert_keys(&["code"]);
    coupon(" ", here()).await.assert_keys(&["code"]);
}

#[testkit::test]
async fn two_who_save_one_code_at_once_are_not_both_heard() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let coupon = discount(json!({"discount_type": "coupon", "code": "EGY"}));
    let send = || admin.post("/discounts").json(coupon.clone()).send();
    let answers = tokio::join!(send(), send(), send(), send());
    let mut found = [answers.0.status, answers.1.status, answers.2.status, answers.3.status];
    found.sort_unstable();
    assert_eq!(found, [201, 422, 422, 422]);
}

#[testkit::test]
async fn products_are_kept_by_origin_and_may_be_archived_later() {
    let kit = kit().await;
    let (place, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let admin = place.admin().await;
    let (own, beside, foreign) =
        (menu(&admin).await, menu(&sibling.admin().await).await, menu(&stranger.admin().await).await);
    for size in [&beside.size, &foreign.size, &json!(Uuid::now_v7())] {
        let body = discount(json!({"products_for": "inclusion", "subproduct_ids": [own.size, size]}));
        admin.post("/discounts").json(body).send().await.assert_keys(&["subproduct_ids.1"]);
    }
    let fields = json!({"products_for": "inclusion", "subproduct_ids": [own.size, own.size],
        "product_category_ids": [own.category],
        "ranges": [{"discount_value": 0, "gifts": [{"subproduct_id": own.size, "quantity": 2}]}]});
    let made = make(&admin, fields).await;
    assert_eq!(made["subproduct_ids"], json!([own.size]));
    let known = json!({"id": own.size, "name": "32 cm", "product_name": "Margherita", "archived": false});
    assert_eq!((&made["subproducts"][0], &made["ranges"][0]["gifts"][0]["subproduct"]), (&known, &known));
    assert_eq!(made["product_categories"][0]["name"], "Pizzák");

    // What was archived meanwhile stays in it, but enters no other.
    admin.delete(&own.product).send().await.assert(204);
    let mut back = admin.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(back["subproducts"][0]["archived"], true);
    back["name"] = json!("Régi");
    let back = admin.put(&path(&made)).json(back).send().await.assert(200).json();
    assert_eq!((&back["name"], &back["subproduct_ids"]), (&json!("Régi"), &json!([own.size])));
    let body = discount(json!({"products_for": "inclusion", "subproduct_ids": [own.size]}));
    admin.post("/discounts").json(body).send().await.assert_keys(&["subproduct_ids.0"]);
    let cleared = json!({"products_for": null});
    let cleared = admin.put(&path(&made)).json(cleared).send().await.assert(200).json();
    assert_eq!((&cleared["subproduct_ids"], &cleared["product_category_ids"]), (&json!([]), &json!([])));
}

#[testkit::test]
async fn amounts_across_currencies_are_refused() {
    let kit = kit().await;
    let place = kit.partner().await;
    let euros = kit.restaurant_of(place.partner).await;
    let sql = format!("update {}.restaurant set currency = 'eur' where id = $1", place.schema);
    kit.run(&sql, vec![euros.restaurant.into()]).await;
    let owner = place.partner_admin().await;
    let send = async |range: Value, restaurants: Value| {
        let body = discount(json!({"ranges": [range], "restaurant_ids": restaurants}));
        owner.post("/discounts").json(body).send().await
    };
    let amount = || json!({"discount_value": 500, "discount_type": "amount"});
    let refused = send(amount(), Value::Null).await.assert_keys(&["restaurant_ids"]);
    assert_eq!(refused.json()["detail"], "currencies_differ");
    send(json!({"discount_value": 20, "price_from": 3000}), Value::Null)
        .await
        .assert_keys(&["restaurant_ids"]);
    send(json!({"discount_value": 20}), Value::Null).await.assert(201);
    let cents = || json!({"discount_value": 1.5, "discount_type": "amount"});
    send(cents(), json!([place.restaurant])).await.assert_keys(&["ranges.0.discount_value"]);
    let made = send(cents(), json!([euros.restaurant])).await.assert(201).json();
    assert_eq!(made["currency"], "eur");
    // A restaurant with amounts keeps its currency.
    place.own_group().await;
    let change = || owner.put("/general").json(json!({"currency": "eur"})).send();
    let made = send(amount(), json!([place.restaurant])).await.assert(201).json();
    change().await.assert_problem(409, "CURRENCY_FIXED");
    owner.delete(&path(&made)).send().await.assert(204);
    change().await.assert(200);
}

#[testkit::test]
async fn a_list_has_what_is_active_unless_asked_otherwise() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    make(&admin, json!({"name": "Most"})).await;
    make(&admin, json!({"name": "Később", "valid_from": "2099-01-01T00:00:00Z"})).await;
    make(&admin, json!({"name": "Vége", "valid_till": "2020-01-01T00:00:00Z"})).await;
    make(&admin, json!({"name": "Kikapcsolva", "active": false})).await;
    let coupon = json!({"name": "Elfogyott", "discount_type": "coupon", "code": "EGY", "all_max_use_qty": 1});
    let coupon = make(&admin, coupon).await;
    let sql = format!(
        "insert into {}.promotion_use (id, discount_id, order_id, restaurant_id, business_day, amount, used_at) \
         values ($1, $2, $1, $3, current_date, 100, now())",
        place.schema
    );
    place.kit.run(&sql, vec![Uuid::now_v7().into(), id(&coupon).into(), place.restaurant.into()]).await;
    assert_eq!(names(&admin, "").await, ["Később", "Most"]);
    assert_eq!(names(&admin, "?activity=active").await, ["Később", "Most"]);
    assert_eq!(names(&admin, "?activity=inactive").await, ["Elfogyott", "Kikapcsolva", "Vége"]);
    assert_eq!(names(&admin, "?activity=all").await.len(), 5);
    assert_eq!(names(&admin, "?activity=all&type=coupon").await, ["Elfogyott"]);
    assert_eq!(names(&admin, "?activity=all&used=true").await, ["Elfogyott"]);
    assert_eq!(names(&admin, "?activity=all&used=false").await.len(), 4);
    assert_eq!(names(&admin, "?name=KESO").await, ["Később"]);
    admin.get("/discounts?activity=sometimes").send().await.assert_keys(&["activity"]);
    let valid = |row: &Value| row["isValid"].clone();
    let rows = admin.get("/discounts?activity=all").send().await.assert(200).json();
    let found: Vec<Value> = rows.as_array().unwrap().iter().map(valid).collect();
    assert_eq!(found, [json!(false), json!(false), json!(false), json!(true), json!(false)]);
}

#[testkit::test]
async fn a_repeated_post_adds_one() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let send = |body: Value| admin.post("/discounts").key("egy").json(body).send();
    let first = send(discount(json!({}))).await.assert(201).json();
    assert_eq!(send(discount(json!({}))).await.assert(201).json(), first);
    send(discount(json!({"name": "Más"}))).await.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(names(&admin, "").await.len(), 1);
}

//! The till's configuration.

use serde_json::{Value, json};
use testkit::{Client, kit};

const PATH: &str = "/pos/configs";

#[testkit::test]
async fn the_till_is_configured() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "pos_settings"]).await;
    let none = admin.get(PATH).send().await.assert(200).json();
    let fresh = json!({"restaurant_id": place.restaurant, "service_fee": 0, "service_fee_mode": "off",
        "take_away_service_fee": true, "default_tip": null, "employee_tip": false, "deposit_here": true,
        "default_delivery_region_id": null, "default_payment_method": null, "accept_at_once": false,
        "daily_close_limit": 45, "version": 0, "order_accept_on_open": true});
    assert_eq!(none, fresh);
    let put = |body: Value| admin.put(PATH).json(body).send();
    for (field, wrong) in [
        ("service_fee", json!(-1)),
        ("service_fee", json!(100.5)),
        ("service_fee", json!(12.345)),
        ("service_fee", json!(null)),
        ("service_fee_mode", json!("some_items")),
        ("take_away_service_fee", json!(null)),
        ("default_tip", json!(101)),
        ("default_tip", json!(0.001)),
        ("employee_tip", json!("yes")),
        ("deposit_here", json!(1)),
        ("accept_at_once", json!("yes")),
        ("accept_at_once", json!(null)),
        ("daily_close_limit", json!(-1)),
        ("daily_close_limit", json!(3651)),
        ("default_delivery_region_id", json!("downtown")),
        ("default_delivery_region_id", json!(place.restaurant)),
        ("default_payment_method", json!("shells")),
        ("default_payment_method", json!("x".repeat(41))),
        ("default_payment_method", json!(1)),
        ("order_accept_on_open", json!("yes")),
        ("order_accept_on_open", json!(null)),
    ] {
        put(json!({field: wrong})).await.assert_keys(&[field]);
    }
    put(json!({"service_fee": -1, "default_tip": 12.345})).await.assert_keys(&["service_fee"]);
    put(json!({"service_fee": 12.345, "default_tip": 12.345}))
        .await
        .assert_keys(&["service_fee", "default_tip"]);
    assert_eq!(admin.get(PATH).send().await.json(), fresh, "nothing half done");

    let body = json!({"service_fee": 12.5, "service_fee_mode": "all_items", "default_tip": 10, "version": 0});
    let after = put(body.clone()).await.assert(200).json();
    assert_eq!(
        (after["service_fee"].as_f64(), after["default_tip"].as_f64(), &after["service_fee_mode"]),
        (Some(12.5), Some(10.0), &json!("all_items"))
    );
    assert_eq!(after["version"], 1);
    let stale = put(body).await.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"], after);
    let off = put(json!({"default_tip": null, "take_away_service_fee": false, "version": 1})).await;
    assert_eq!(off.assert(200).json()["default_tip"], json!(null));
    assert_eq!(place.count("audit").await, 2);

    let other = place.with_keys(&["admin_login", "discount"]).await;
    other.get(PATH).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    other.put(PATH).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let neighbour = kit().await.restaurant_of(place.partner).await.admin().await;
    assert_eq!(neighbour.get(PATH).send().await.assert(200).json()["version"], 0);
}

#[testkit::test]
async fn whether_opening_accepts_is_one_value_with_the_restaurants() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let till = place.with_keys(&["admin_login", "pos_settings"]).await;
    let both = async || {
        let (pos, whole) =
            (admin.get(PATH).send().await.json(), admin.get("").send().await.assert(200).json());
        assert_eq!(pos["order_accept_on_open"], whole["order_accept_on_open"]);
        (pos["order_accept_on_open"].as_bool().unwrap(), whole["version"].as_i64().unwrap())
    };
    let (on, version) = both().await;
    assert!(on);
    let off = till.put(PATH).json(json!({"order_accept_on_open": false})).send().await.assert(200).json();
    assert_eq!(off["order_accept_on_open"], false);
    let (on, after) = both().await;
    assert!(!on && after > version, "who has opened the restaurant's settings learns of it");
    // The same again, or something else of the till, leaves it.
    for body in [json!({"order_accept_on_open": false}), json!({"default_tip": 10})] {
        assert_eq!(till.put(PATH).json(body).send().await.assert(200).json()["order_accept_on_open"], false);
        assert!(!both().await.0);
    }
    admin.put("/system").json(json!({"order_accept_on_open": true})).send().await.assert(200);
    assert!(both().await.0);
    // A stale save changes neither.
    let stale = json!({"order_accept_on_open": false, "version": 0});
    let refused = till.put(PATH).json(stale).send().await.assert_problem(409, "CONFLICT").json();
    assert_eq!(refused["current"]["order_accept_on_open"], true);
    assert!(both().await.0);
}

#[testkit::test]
async fn orders_on_the_phone_begin_with_a_region_and_a_payment_method() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body: Value| admin.put(PATH).json(body).send();
    let region = async |admin: &Client<'_>, name: &str| {
        let body = json!({"name": name, "price": 500, "min_order_price": 3000});
        admin.post("/delivery-regions").json(body).send().await.assert(201).json()["id"].clone()
    };
    let own = region(&admin, "Belváros").await;
    let foreign = region(&kit().await.restaurant_of(place.partner).await.admin().await, "Belváros").await;
    put(json!({"default_delivery_region_id": foreign, "default_payment_method": "shells"}))
        .await
        .assert_keys(&["default_delivery_region_id", "default_payment_method"]);
    let body = json!({"default_delivery_region_id": own, "default_payment_method": "card", "version": 0});
    let set = put(body).await.assert(200).json();
    assert_eq!((&set["default_delivery_region_id"], &set["default_payment_method"]), (&own, &json!("card")));
    // Who takes orders on the phone reads it, and changes nothing.
    let taker = place.with_keys(&["admin_login", "fresh_order"]).await;
    assert_eq!(taker.get(PATH).send().await.assert(200).json(), set);
    taker.put(PATH).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let settler = place.with_keys(&["admin_login", "pos_settings"]).await;
    let names = settler.get("/delivery-regions/names").send().await.assert(200).json();
    assert_eq!(names[0]["id"], own);

    let one = format!("/delivery-regions/{}", own.as_str().unwrap());
    admin.delete(&one).send().await.assert(204);
    let mut gone = set.clone();
    gone["default_delivery_region_id"] = Value::Null;
    assert_eq!(admin.get(PATH).send().await.json(), gone);
    let stale = put(json!({"version": 0, "default_tip": 5})).await.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"], gone);
    put(json!({"default_delivery_region_id": own})).await.assert_keys(&["default_delivery_region_id"]);
    let after = put(json!({"default_payment_method": null, "version": 1})).await.assert(200).json();
    assert_eq!(
        (&after["default_delivery_region_id"], &after["default_payment_method"]),
        (&Value::Null, &Value::Null)
    );
}

#[testkit::test]
async fn what_is_charged_is_public_at_once() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.admin().await;
    let shop = place.api_key(&["menu:read"]).await;
    let public = format!("/api/v3/partners/{}/restaurants/{}", place.partner, place.restaurant);
    let read = async || shop.get(&public).send().await.assert(200).json();
    let charged = |restaurant: &Value| {
        [
            "service_fee", "service_fee_mode", "take_away_service_fee", "default_tip", "employee_tip",
            "deposit", "deposit_here", "system_usage_fee", "delivery_vat_percent",
        ]
        .map(|field| restaurant[field].clone())
    };
    let before = [
        json!(0),
        json!("off"),
        json!(true),
        json!(null),
        json!(false),
        json!(50),
        json!(true),
        json!(0),
        json!(27),
    ];
    assert_eq!(charged(&read().await), before);
    let menu = async || {
        let menu = shop.get("/public/menu").send().await.assert(200);
        menu.json()["version"].as_i64().unwrap()
    };
    let version = menu().await;
    let body = json!({"service_fee": 10, "service_fee_mode": "flagged_items", "take_away_service_fee": false,
        "default_tip": 7.5, "employee_tip": true, "deposit_here": false});
    admin.put(PATH).json(body).send().await.assert(200);
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let operator = place.super_admin().await;
    for wrong in [json!(-1), json!(9.5), json!(10_000_001), json!(null)] {
        operator
            .put(&switches)
            .json(json!({"system_usage_fee": wrong}))
            .send()
            .await
            .assert_keys(&["system_usage_fee"]);
    }
    let fee = operator.put(&switches).json(json!({"system_usage_fee": 149})).send().await.assert(200).json();
    assert_eq!(fee["system_usage_fee"], 149);
    let after = [
        json!(10),
        json!("flagged_items"),
        json!(false),
        json!(7.5),
        json!(true),
        json!(50),
        json!(false),
        json!(149),
        json!(27),
    ];
    assert_eq!(charged(&read().await), after);
    assert!(menu().await > version, "kept menus are computed anew");
    // No deposit is known of another currency.
    admin.put("/general").json(json!({"currency": "eur"})).send().await.assert(200);
    assert_eq!(read().await["deposit"], json!(null));
}

//! Every reason against an order, through HTTP. See `docs/decisions/pricing.md#reasons`.

use kernel::clock;
use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::{Menu, pickup, prepared, with};

/// The reasons of the refusal; none when it is taken. The quote must say the same.
pub async fn reasons(key: &Client<'_>, order: Value) -> Vec<String> {
    let mut cart = order.clone();
    for field in ["first_name", "last_name", "phone_1", "delivery_data"] {
        cart.as_object_mut().unwrap().remove(field);
    }
    let quote = key.post("/public/orders/quote").json(cart).send().await.assert(200).json();
    let answer = key.post("/public/orders").key(&Uuid::now_v7().to_string()).json(order).send().await;
    let list = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().map(|one| one["reason"].as_str().unwrap().to_owned()).collect()
    };
    let quoted = list(&quote["reasons"]);
    let refused = if answer.status == 201 {
        vec![]
    } else {
        list(&answer.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json()["reasons"])
    };
    assert_eq!(quoted, refused, "quote and order say the same");
    refused
}

fn delivered(menu: &Menu) -> Value {
    let address =
        json!({"postcode": "1051", "city": "Budapest", "street": "Szív u.", "premise_number": "14"});
    with(with(pickup(menu), "pickup", json!(false)), "delivery_data", address)
}

fn items(id: &str, quantity: i32, options: Value) -> Value {
    json!([{"subproduct_id": id, "quantity": quantity, "item_options": options}])
}

#[testkit::test]
async fn the_restaurant_does_not_take_it_now() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    assert!(reasons(&key, pickup(&menu)).await.is_empty());

    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    assert_eq!(reasons(&key, pickup(&menu)).await, ["temp_no_orders"]);
    // Staff may still take it by phone.
    assert!(reasons(&admin, with(pickup(&menu), "platform", json!("phone"))).await.is_empty());
    admin.put("/close").json(json!({"temp_no_orders": false})).send().await.assert(200);

    admin
        .put("/delivery")
        .json(json!({"normal_delivery": false, "normal_pickup": false}))
        .send()
        .await
        .assert(200);
    assert_eq!(reasons(&key, pickup(&menu)).await, ["no_pickup_now"]);
    assert_eq!(reasons(&key, delivered(&menu)).await, ["no_delivery_now"]);
    admin
        .put("/delivery")
        .json(json!({"normal_delivery": true, "normal_pickup": true}))
        .send()
        .await
        .assert(200);

    admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200);
    assert_eq!(reasons(&key, pickup(&menu)).await, ["closed"]);
}

#[testkit::test]
async fn preorders_have_their_own_rules() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let at = |minutes: i64| {
        json!(kernel::time::Timestamp(clock::now() + chrono::Duration::minutes(minutes)).to_string())
    };
    let off = json!({"preorder_delivery": false, "preorder_pickup": false});
    admin.put("/delivery").json(off).send().await.assert(200);
    assert_eq!(reasons(&key, with(pickup(&menu), "expected_at", at(120))).await, ["no_pickup_preorder"]);
    assert_eq!(reasons(&key, with(delivered(&menu), "expected_at", at(120))).await, ["no_delivery_preorder"]);
    let on = json!({"preorder_delivery": true, "preorder_pickup": true, "min_preorder_pickup_diff": 30,
        "min_preorder_delivery_diff": 90,
                    "min_days_to_preorder": 0, "days_to_preorder": 3,
                    "preorder_notification_mins_before_expected": 60});
    admin.put("/delivery").json(on).send().await.assert(200);
    assert!(reasons(&key, with(pickup(&menu), "expected_at", at(60))).await.is_empty());
    assert_eq!(reasons(&key, with(delivered(&menu), "expected_at", at(60))).await, ["preorder_time"]);
    assert_eq!(reasons(&key, with(pickup(&menu), "expected_at", at(-60))).await, ["preorder_time"]);
    assert_eq!(reasons(&key, with(pickup(&menu), "expected_at", at(60 * 24 * 6))).await, ["preorder_time"]);
}

#[testkit::test]
async fn an_item_cannot_be_had() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let soup = |change: Value| {
        let mut item = json!({"id": menu.soup, "name": "Adag", "price": 1800});
        item.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        admin.put(&menu.soup_product).json(json!({"subproducts": [item]})).send()
    };
    let order = with(pickup(&menu), "items", items(&menu.soup, 2, json!([])));
    soup(json!({"active": false})).await.assert(200);
    assert_eq!(reasons(&key, order.clone()).await, ["item_inactive"]);
    soup(json!({"active": true, "visible_online": false})).await.assert(200);
    assert_eq!(reasons(&key, order.clone()).await, ["item_not_visible"]);
    soup(json!({"visible_online": null, "sellable_quantity": 1})).await.assert(200);
    assert_eq!(reasons(&key, order.clone()).await, ["item_sold_out"]);
    soup(json!({"sellable_quantity": null})).await.assert(200);
    let tomorrow = kernel::time::Timestamp(clock::now() + chrono::Duration::days(1)).to_string();
    admin
        .put(&format!("/product-categories/{}", menu.category))
        .json(json!({"available_from": tomorrow}))
        .send()
        .await
        .assert(200);
    assert_eq!(reasons(&key, order.clone()).await, ["item_not_available"]);
    admin
        .put(&format!("/product-categories/{}", menu.category))
        .json(json!({"available_from": null}))
        .send()
        .await
        .assert(200);
    assert!(reasons(&key, order.clone()).await.is_empty());
    // Items of other restaurants and unknown ones count as switched off.
    let other = kit().await.restaurant().await;
    let foreign = super::menu(&other.admin().await).await.soup;
    for id in [foreign, Uuid::now_v7().to_string()] {
        assert_eq!(
            reasons(&key, with(pickup(&menu), "items", items(&id, 1, json!([])))).await,
            ["item_inactive"]
        );
    }
}

#[testkit::test]
async fn options_obey_their_group() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let pizza = |options: Value| with(pickup(&menu), "items", items(&menu.pizza, 1, options));
    let choice = |id: &str, quantity: i32| json!({"option_id": id, "quantity": quantity});
    assert!(reasons(&key, pizza(json!([choice(&menu.cheese, 1), choice(&menu.ham, 1)]))).await.is_empty());
    assert_eq!(reasons(&key, pizza(json!([choice(&menu.cheese, 3)]))).await, ["option_count"]);
    assert_eq!(
        reasons(&key, pizza(json!([choice(&menu.rice, 1)]))).await,
        ["option_not_available"],
        "not an option of this item"
    );
    assert_eq!(
        reasons(&key, pizza(json!([choice(&Uuid::now_v7().to_string(), 1)]))).await,
        ["option_not_available"]
    );
    admin
        .put(&format!("/option-groups/{}/options/{}", menu.toppings, menu.ham))
        .json(json!({"active": false}))
        .send()
        .await
        .assert(200);
    assert_eq!(reasons(&key, pizza(json!([choice(&menu.ham, 1)]))).await, ["option_not_available"]);
    // What cannot be had is no part of the number: not too many with it, and too few without another.
    assert_eq!(
        reasons(&key, pizza(json!([choice(&menu.cheese, 1), choice(&menu.ham, 9)]))).await,
        ["option_not_available"]
    );
    admin
        .put(&format!("/option-groups/{}", menu.toppings))
        .json(json!({"type": "min_max", "min_no_options": 1, "max_no_options": 2}))
        .send()
        .await
        .assert(200);
    assert_eq!(
        reasons(&key, pizza(json!([choice(&menu.ham, 1)]))).await,
        ["option_not_available", "option_count"]
    );

    // An exclusive group wants exactly one.
    let soup = json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800,
        "option_group_ids": [menu.side]}]});
    admin.put(&menu.soup_product).json(soup).send().await.assert(200);
    let order = |options: Value| with(pickup(&menu), "items", items(&menu.soup, 1, options));
    assert_eq!(reasons(&key, order(json!([]))).await, ["option_count"]);
    assert!(reasons(&key, order(json!([choice(&menu.rice, 1)]))).await.is_empty());
}

#[testkit::test]
async fn a_delivery_has_a_minimum_and_every_reason_is_listed() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin.put("/delivery").json(json!({"min_order_price": 10000})).send().await.assert(200);
    assert_eq!(reasons(&key, delivered(&menu)).await, ["minimum_not_reached"]);
    assert!(reasons(&key, pickup(&menu)).await.is_empty(), "a pickup has none");
    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let all = reasons(
        &key,
        with(
            delivered(&menu),
            "items",
            items(&menu.pizza, 1, json!([{"option_id": menu.cheese, "quantity": 9}])),
        ),
    )
    .await;
    assert_eq!(all, ["temp_no_orders", "minimum_not_reached", "option_count"]);
}

#[testkit::test]
async fn a_payment_method_pays_on_the_channels_of_the_view_that_has_it() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let rows = admin.get("/payment-methods").send().await.assert(200).json();
    // The channels that each can be used on at all.
    let methods = [
        ("card", "web app phone in_place"),
        ("szep_kartya", "web app phone in_place"),
        ("voucher", "phone in_place"),
        ("room_loan", "in_place"),
        ("transfer", "phone in_place"),
    ];
    let channels = [
        (&key, "browser", "web", "web"),
        (&key, "ios", "app", "web"),
        (&admin, "phone", "phone", "pos"),
        (&admin, "take_away", "in_place", "pos"),
    ];
    for (method, usable) in methods {
        let row = rows.as_array().unwrap().iter().find(|row| row["payment_key"] == method).unwrap();
        for taken in ["web", "pos"] {
            for view in ["web", "pos"] {
                let ids = if view == taken { json!([row["id"]]) } else { json!([]) };
                let body = json!({"payment_method_ids": ids, "view": view});
                admin.put("/payment-methods").json(body).send().await.assert(200);
            }
            for (client, platform, channel, view) in channels {
                let cart = json!({"platform": platform, "pickup": true, "payment_method": method,
                    "items": pickup(&menu)["items"]});
                let quote = client.post("/public/orders/quote").json(cart).send().await.assert(200).json();
                let reasons = quote["reasons"].as_array().unwrap().iter();
                let found: Vec<_> = reasons.map(|one| one["reason"].as_str().unwrap()).collect();
                let pays = view == taken && usable.split(' ').any(|one| one == channel);
                let expected: &[&str] = if pays { &[] } else { &["payment_method_not_available"] };
                assert_eq!(found, expected, "{method}, {channel}, taken by {taken}");
            }
        }
    }
}

#[testkit::test]
async fn a_payment_method_must_be_taken_on_the_channel() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let paying = |order: Value, method: &str| with(order, "payment_method", json!(method));
    let by_phone = |order: Value| with(order, "platform", json!("phone"));
    const REFUSED: [&str; 1] = ["payment_method_not_available"];
    assert_eq!(reasons(&key, paying(pickup(&menu), "card")).await, REFUSED, "a new restaurant takes cash");
    super::takes(&admin, &["card", "voucher"]).await;
    for (name, client, order, method, taken) in [
        ("cash always", &key, pickup(&menu), "cash", true),
        ("card at the counter", &key, pickup(&menu), "card", true),
        ("card to the courier", &key, delivered(&menu), "card", true),
        ("no provider yet", &key, pickup(&menu), "card_online", false),
        ("no customers yet", &admin, by_phone(pickup(&menu)), "balance", false),
        ("none of the web's", &key, pickup(&menu), "voucher", false),
        ("one of the phone's", &admin, by_phone(pickup(&menu)), "voucher", true),
        ("switched off, by staff", &admin, by_phone(pickup(&menu)), "transfer", false),
    ] {
        let found = reasons(client, paying(order, method)).await;
        assert_eq!(found, if taken { &[][..] } else { &REFUSED[..] }, "{name}");
    }
    let unknown = json!({"platform": "browser", "pickup": true, "items": pickup(&menu)["items"],
        "payment_method": "beads"});
    key.post("/public/orders/quote").json(unknown).send().await.assert_keys(&["payment_method"]);

    // What a guest may choose is what third parties are told.
    let methods_answer = key.get("/public/payment-methods").send().await.assert(200);
    let methods_answer = methods_answer
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["payment_key"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>();
    assert_eq!(methods_answer, ["cash", "card", "voucher"]);
    place
        .api_key(&["orders:read"])
        .await
        .get("/public/payment-methods")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

//! What staff do with orders.

use serde_json::{Value, json};
use testkit::kit;

use super::{pickup, prepared, with};

fn id(order: &Value) -> String {
    order["id"].as_str().unwrap().to_owned()
}

#[testkit::test]
async fn accepting_promises_a_time_once() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let order = key.post("/public/orders").key("1").json(pickup(&menu)).send().await.assert(201).json();
    assert_eq!(order["allowed"], json!(["accept", "archive", "change", "replace"]));
    let path = format!("/orders/{}/accept", id(&order));
    place
        .with_keys(&["fresh_order"])
        .await
        .put(&path)
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin
        .put(&path)
        .json(json!({"delivery_time_minute": 0}))
        .send()
        .await
        .assert_keys(&["delivery_time_minute"]);

    let both = futures_util::future::join(
        admin.put(&path).json(json!({"delivery_time_minute": 20})).send(),
        admin.put(&path).send(),
    )
    .await;
    let (accepted, refused) = if both.0.status == 200 { (both.0, both.1) } else { (both.1, both.0) };
    let accepted = accepted.assert(200).json();
    assert_eq!(
        (&accepted["status"], &accepted["allowed"]),
        (&json!("processed"), &json!(["prepare", "take_back", "archive", "change", "replace"]))
    );
    let minutes = accepted["delivery_time_minute"].as_i64().unwrap();
    assert!(minutes == 20 || minutes == 30, "the sent minutes, or the restaurant's estimate");
    let refused = refused.assert_problem(409, "ORDER_STATE_CHANGED").json();
    assert_eq!(refused["current"]["status"], "processed");
    let seen = admin.get(&format!("/orders/{}", id(&order))).send().await.json();
    let steps: Vec<_> =
        seen["history"].as_array().unwrap().iter().map(|one| one["status"].as_str().unwrap()).collect();
    assert_eq!(steps, ["succeeded", "processed"]);
}

#[testkit::test]
async fn refusing_needs_a_reason_mails_the_guest_and_gives_pieces_back() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let limit =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 2}]});
    admin.put(&menu.soup_product).json(limit).send().await.assert(200);
    let guest = format!("{}@guest.test", place.restaurant);
    let order = with(pickup(&menu), "email", json!(guest));
    let order = key.post("/public/orders").key("1").json(order).send().await.assert(201).json();
    let path = format!("/orders/{}/archive", id(&order));
    admin.put(&path).json(json!({"reason": "other"})).send().await.assert_keys(&["reason_text"]);
    place
        .with_keys(&["order_accept"])
        .await
        .put(&path)
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let archived = admin
        .put(&path)
        .json(json!({"reason": "too_busy", "reason_text": "Tele a konyha."}))
        .send()
        .await
        .assert(200)
        .json();
    assert!(archived["archived_at"].is_string() && archived["allowed"] == json!([]));
    admin.put(&path).json(json!({})).send().await.assert_problem(409, "ORDER_STATE_CHANGED");

    let soup = admin.get(&menu.soup_product).send().await.json();
    assert_eq!(soup["subproducts"][0]["sellable_quantity"], 2);
    // Guests hear that it was received, then that it was refused; who runs the jobs may take them in either
    // order.
    let mut mail = String::new();
    for _ in 0..100 {
        mail = place.kit.mail_to(&guest).await;
        if mail.contains("nem tudtuk elvállalni") {
            break;
        }
    }
    assert!(mail.contains("Most túl sok a rendelésünk. Tele a konyha."), "{mail}");
    assert_eq!(admin.get("/orders/fresh").send().await.json(), json!([]));
}

#[testkit::test]
async fn fresh_orders_page_and_show_preorders_in_time() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin
        .put("/delivery")
        .json(json!({"preorder_pickup": true, "preorder_notification_mins_before_expected": 60}))
        .send()
        .await
        .assert(200);
    for number in 0..3 {
        key.post("/public/orders").key(&number.to_string()).json(pickup(&menu)).send().await.assert(201);
    }
    let later = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(3)).to_string();
    let preorder = key
        .post("/public/orders")
        .key("pre")
        .json(with(pickup(&menu), "expected_at", json!(later)))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!(preorder["is_preorder"], true);

    let page = admin.get("/orders/fresh?limit=2&page=0&count=true").send().await.assert(200);
    assert_eq!(page.header("x-total-count"), Some("3"));
    let counters: Vec<_> = page
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|order| order["counter"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(counters, ["1", "2"], "oldest first, the preorder not yet");
    let then = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::minutes(125)).to_string();
    let all = admin.get(&format!("/orders/fresh?till={then}")).send().await.assert(200).json();
    assert_eq!(all.as_array().unwrap().len(), 4);
    admin.get("/orders/fresh?limit=x").send().await.assert_keys(&["limit"]);
}

#[testkit::test]
async fn only_people_of_the_restaurant_call_an_order_a_try() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let tried = with(pickup(&menu), "is_test", json!(true));
    let order = admin.post("/public/orders").key("try").json(tried.clone()).send().await.assert(201).json();
    assert_eq!(order["is_test"], true);
    assert_eq!(admin.get("/orders/fresh").send().await.json()[0]["id"], order["id"], "it goes the whole way");
    let guests = key.post("/public/orders").key("guest").json(tried).send().await.assert(201).json();
    assert_eq!(guests["is_test"], false, "a guest's order always counts");
    let usual = admin.post("/public/orders").key("usual").json(pickup(&menu)).send().await.assert(201).json();
    assert_eq!(usual["is_test"], false);
}

#[testkit::test]
async fn people_try_an_order_while_the_restaurant_is_closed() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200);
    let tried = with(pickup(&menu), "is_test", json!(true));
    let order = admin.post("/public/orders").key("try").json(tried.clone()).send().await.assert(201).json();
    assert_eq!(order["is_test"], true);
    for (caller, what, body) in [(&key, "guest", tried.clone()), (&admin, "usual", pickup(&menu))] {
        let refused = caller.post("/public/orders").key(what).json(body).send().await;
        let refused = refused.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(refused["reasons"][0]["reason"], "closed", "{what}");
    }
    // Closing at once is somebody's wish: it holds for tries too.
    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let refused = admin.post("/public/orders").key("again").json(tried).send().await;
    let refused = refused.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(refused["reasons"][0]["reason"], "temp_no_orders");
}

#[testkit::test]
async fn staff_take_orders_for_times_that_somebody_means() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    let now = kernel::time::Timestamp(kernel::clock::now());
    for (minutes, taken) in [(-25 * 60, false), (-30, true), (300 * 24 * 60, true), (367 * 24 * 60, false)] {
        let cart = with(pickup(&menu), "platform", json!("phone"));
        let cart = with(cart, "expected_at", json!(now.plus_minutes(minutes).to_string()));
        let quote = ("/public/orders/quote", super::cart(&cart));
        for (path, body) in [quote, ("/public/orders", cart)] {
            let answer = admin.post(path).json(body).send().await;
            if taken {
                assert!(matches!(answer.status, 200 | 201), "{minutes}: {}", answer.text());
            } else {
                answer.assert_keys(&["expected_at"]);
            }
        }
    }
}

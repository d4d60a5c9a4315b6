//! Quotes and orders in the public scope.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{pickup, prepared, promotion, with};

#[testkit::test]
async fn a_third_party_reads_the_menu_asks_for_a_quote_orders_and_follows() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let shown = key.get("/public/menu").send().await.assert(200).json();
    assert_eq!(shown["categories"][0]["products"][0]["subproducts"][0]["price"].to_string(), "1800");

    let mut cart = pickup(&menu);
    for guest in ["first_name", "last_name", "phone_1", "payment_method"] {
        cart.as_object_mut().unwrap().remove(guest);
    }
    let quote = key.post("/public/orders/quote").json(cart).send().await.assert(200).json();
    assert_eq!(quote["total_price"].to_string(), "5900");
    assert_eq!(quote["acceptable"], true);
    let sum: i64 = quote["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["amount"].to_string().parse::<i64>().unwrap())
        .sum();
    assert_eq!(sum, 5900, "the explanation sums to the total");
    let vats = quote["vats"].as_array().unwrap();
    let gross: i64 = vats.iter().map(|one| one["gross"].to_string().parse::<i64>().unwrap()).sum();
    assert_eq!((gross, vats[0]["percent"].to_string().as_str()), (5900, "27"));

    let order = with(pickup(&menu), "total_price", quote["total_price"].clone());
    let made = key.post("/public/orders").key("first").json(order).send().await.assert(201).json();
    assert_eq!((&made["status"], &made["counter"]), (&json!("succeeded"), &json!("1")));
    assert_eq!(made["items"][1]["item_options"][0]["option"]["name"], "Sajt");
    let id = made["id"].as_str().unwrap();
    assert_eq!(key.get(&format!("/public/orders/{id}")).send().await.assert(200).json(), made);
    assert_eq!(admin.get("/orders/fresh?count=true").send().await.assert(200).json()[0]["id"], id);

    // Another key of the same restaurant does not see it; an admin does, with its history.
    let other = place.api_key(&["orders:read"]).await;
    other.get(&format!("/public/orders/{id}")).send().await.assert_problem(404, "ORDER_NOT_EXIST");
    other
        .post("/public/orders")
        .key("x")
        .json(pickup(&menu))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let seen = admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert_eq!(seen["history"][0]["status"], "succeeded");
}

#[testkit::test]
async fn later_changes_of_the_menu_never_alter_an_order() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let made = key.post("/public/orders").key("k").json(pickup(&menu)).send().await.assert(201).json();
    let change =
        json!({"name": "Halászlé", "subproducts": [{"id": menu.soup, "name": "Tál", "price": 9000}]});
    admin.put(&menu.soup_product).json(change).send().await.assert(200);
    let seen =
        key.get(&format!("/public/orders/{}", made["id"].as_str().unwrap())).send().await.assert(200).json();
    assert_eq!(seen, made);
}

#[testkit::test]
async fn the_answer_equals_the_written_row() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let settings = json!({"normal_delivery": true, "preorder_delivery": true});
    admin.put("/delivery").json(settings).send().await.assert(200);
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let tips = json!({"is_courier_tip_available": true});
    place.super_admin().await.put(&switches).json(tips).send().await.assert(200);
    let later = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(3)).to_string();
    let mut order = pickup(&menu);
    let more = json!({
        "pickup": false, "expected_at": later, "locale": "en", "external_id": " 42 ", "message": "  Csengő  ",
        "email": "guest@guest.test", "tip": 100, "courier_tip": 200, "table_name": " ",
        "delivery_data": {"postcode": "1051", "city": "Budapest", "street": "Szív u.", "premise_number": "14"},
    });
    order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = key.post("/public/orders").key("all").json(order).send().await.assert(201).json();
    assert_eq!((&made["external_id"], &made["message"]), (&json!("42"), &json!("Csengő")));
    assert_eq!((&made["table_name"], made["total_price"].to_string()), (&Value::Null, "6200".to_owned()));
    let read =
        key.get(&format!("/public/orders/{}", made["id"].as_str().unwrap())).send().await.assert(200).json();
    assert_eq!(read, made);
}

#[testkit::test]
async fn repeating_an_order_makes_no_second_one() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    let post = |name: &'static str, body: Value| key.post("/public/orders").key(name).json(body).send();
    key.post("/public/orders")
        .json(pickup(&menu))
        .send()
        .await
        .assert_problem(400, "IDEMPOTENCY_KEY_REQUIRED");
    let first = post("same", pickup(&menu)).await.assert(201);
    let again = post("same", pickup(&menu)).await.assert(201);
    assert_eq!(first.body, again.body, "byte for byte");
    post("same", with(pickup(&menu), "message", json!("más")))
        .await
        .assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(place.count("orders").await, 1);

    // Two copies at once, over two instances.
    let second = kit().await.second_instance().await;
    let there = key.at(&second);
    let copies = futures_util::future::join_all((0..6).map(|number| {
        let client = if number % 2 == 0 { key.clone() } else { there.clone() };
        client.post("/public/orders").key("copies").json(pickup(&menu)).send()
    }))
    .await;
    let body = &copies[0].body;
    assert!(
        copies.iter().all(|one| one.status == 201 && &one.body == body),
        "{:?}",
        copies.iter().map(|one| one.status).collect::<Vec<_>>()
    );
    assert_eq!(place.count("orders").await, 2);

    // Another caller's same key is another key; a refusal does not use one up.
    let other = place.api_key(&["orders:write"]).await;
    other
        .post("/public/orders")
        .key("same")
        .json(with(pickup(&menu), "items", json!([])))
        .send()
        .await
        .assert_keys(&["items"]);
    other.post("/public/orders").key("same").json(pickup(&menu)).send().await.assert(201);
    assert_eq!(place.count("orders").await, 3);
}

#[testkit::test]
async fn an_external_id_is_taken_once_for_ever() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    let order = with(pickup(&menu), "external_id", json!("A-1"));
    key.post("/public/orders").key("1").json(order.clone()).send().await.assert(201);
    let again =
        key.post("/public/orders").key("2").json(order.clone()).send().await.assert_problem(409, "CONFLICT");
    assert_eq!(again.json()["keys"], json!(["external_id"]));
    place
        .api_key(&["orders:write"])
        .await
        .post("/public/orders")
        .key("1")
        .json(order)
        .send()
        .await
        .assert(201);
}

#[testkit::test]
async fn the_server_prices_the_order() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    let cheap = with(pickup(&menu), "total_price", json!(1));
    let refused = key
        .post("/public/orders")
        .key("1")
        .json(cheap)
        .send()
        .await
        .assert_problem(409, "ORDER_PRICE_CHANGED");
    assert_eq!(refused.json()["quote"]["total_price"].to_string(), "5900");
    let shown = with(pickup(&menu), "total_price", json!("5900,00"));
    key.post("/public/orders").key("1").json(shown).send().await.assert(201);
    assert_eq!(place.count("orders").await, 1);
}

#[testkit::test]
async fn faults_of_a_body() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    let post = |body: Value| key.post("/public/orders").key(&Uuid::now_v7().to_string()).json(body).send();
    let item = |quantity: Value| json!([{"subproduct_id": menu.soup, "quantity": quantity}]);
    for (quantity, key) in [
        (json!(0), "items.0.quantity"),
        (json!(-1), "items.0.quantity"),
        (json!(1000), "items.0.quantity"),
        (json!(1.5), "items.0.quantity"),
        (json!("NaN"), "items.0.quantity"),
    ] {
        post(with(pickup(&menu), "items", item(quantity))).await.assert_keys(&[key]);
    }
    post(json!({})).await.assert_keys(&["platform", "items"]);
    post(with(pickup(&menu), "platform", json!("fax"))).await.assert_keys(&["platform"]);
    post(with(
        pickup(&menu),
        "items",
        json!([{"subproduct_id": "x", "quantity": 1, "item_options": [{"option_id": 7}]}]),
    ))
    .await
    .assert_keys(&["items.0.subproduct_id", "items.0.item_options.0.option_id"]);
    post(with(pickup(&menu), "tip", json!(-5))).await.assert_keys(&["tip"]);
    post(with(pickup(&menu), "tip", json!(0.5))).await.assert_keys(&["tip"]);
    post(with(pickup(&menu), "tip", json!(50_000_000_000_i64))).await.assert_keys(&["tip"]);
    post(with(pickup(&menu), "payment_method", json!("beads"))).await.assert_keys(&["payment_method"]);
    post(with(pickup(&menu), "email", json!("a\r\nBcc: b@c.hu"))).await.assert_keys(&["email"]);
    post(with(pickup(&menu), "last_name", json!("a\u{0}"))).await.assert_keys(&["last_name"]);
    post(with(with(pickup(&menu), "first_name", json!(null)), "last_name", json!(" ")))
        .await
        .assert_keys(&["last_name"]);
    // A delivery needs an address.
    post(with(pickup(&menu), "pickup", json!(false))).await.assert_keys(&["delivery_data"]);
    post(with(with(pickup(&menu), "pickup", json!(false)), "delivery_data", json!({"city": "Pécs"})))
        .await
        .assert_keys(&["delivery_data.street", "delivery_data.premise_number"]);
    // That the menu was made is told by a job, whenever that runs.
    let sql = format!(
        "select count(*) n from {}.event where restaurant_id = $1 and data ? 'order_id'",
        place.schema
    );
    let events: i64 = place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "n").unwrap();
    assert_eq!((place.count("orders").await, events), (0, 0), "refused requests leave nothing behind");
}

#[testkit::test]
async fn a_total_that_no_order_has_is_refused() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let dear = json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 10_000_000}]});
    admin.put(&menu.soup_product).json(dear).send().await.assert(200);
    let items: Vec<Value> = (0..20).map(|_| json!({"subproduct_id": menu.soup, "quantity": 999})).collect();
    key.post("/public/orders")
        .key("k")
        .json(with(pickup(&menu), "items", json!(items)))
        .send()
        .await
        .assert_keys(&["items"]);
    let quote = json!({"platform": "browser", "pickup": true, "items": items});
    key.post("/public/orders/quote").json(quote).send().await.assert_keys(&["items"]);
    let most = json!([{"subproduct_id": menu.soup, "quantity": 100}]);
    key.post("/public/orders").key("k").json(with(pickup(&menu), "items", most)).send().await.assert(201);
}

#[testkit::test]
async fn here_is_sit_in_vat_and_take_away_is_not() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    // Without a rate of its own, what is eaten here has the item's.
    let cart = json!({"platform": "sit_in", "items": [{"subproduct_id": menu.soup, "quantity": 1}]});
    let quote = admin.post("/public/orders/quote").json(cart).send().await.assert(200).json();
    assert_eq!(quote["vats"][0]["percent"].to_string(), "27");
    let five = json!({"sit_in_vat_id": "00000000-0000-7000-8000-000000000105"});
    admin.put("/general").json(five).send().await.assert(200);
    for (platform, percent) in [
        ("sit_in", "5"),
        ("kiosk_sit_in", "5"),
        ("kiosk_take_away", "27"),
        ("take_away", "27"),
        ("phone", "27"),
    ] {
        let cart = json!({"platform": platform, "pickup": true, "items": [{"subproduct_id": menu.soup,
            "quantity": 1}]});
        let quote = admin.post("/public/orders/quote").json(cart).send().await.assert(200).json();
        assert_eq!(quote["vats"][0]["percent"].to_string(), percent, "{platform}");
    }
}

#[testkit::test]
async fn the_last_pieces_go_to_the_first_order() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let limit =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 5}]});
    admin.put(&menu.soup_product).json(limit).send().await.assert(200);
    let order = with(pickup(&menu), "items", json!([{"subproduct_id": menu.soup, "quantity": 1}]));
    let answers = futures_util::future::join_all(
        (0..12).map(|number| key.post("/public/orders").key(&number.to_string()).json(order.clone()).send()),
    )
    .await;
    let taken = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(taken, 5);
    let refused = answers.iter().find(|answer| answer.status != 201).unwrap();
    assert_eq!((refused.status, &refused.json()["reasons"][0]["reason"]), (409, &json!("item_sold_out")));
    let mut counters: Vec<String> = answers
        .iter()
        .filter(|answer| answer.status == 201)
        .map(|answer| answer.json()["counter"].to_string())
        .collect();
    counters.sort();
    assert_eq!(counters, ["\"1\"", "\"2\"", "\"3\"", "\"4\"", "\"5\""], "gapless, no duplicate");
}

#[testkit::test]
async fn an_unpaid_online_order_waits_and_expires() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let discount = format!("/discounts/{}", promotion(&admin, json!({"all_max_use_qty": 1})).await);
    let uses = async || admin.get(&discount).send().await.assert(200).json()["use_qty"].clone();
    let guest = format!("{}@guest.test", Uuid::now_v7().simple());
    // No provider is connected yet, so such an order is of the time when a method could be switched on
    // without one.
    let made = key.post("/public/orders").key("1").json(pickup(&menu)).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap();
    assert_eq!(uses().await, 1);
    let sql = format!(
        "update {}.orders set status = 'received', counter = null, email = $2 where id = $1::uuid",
        place.schema
    );
    place.kit.run(&sql, vec![id.into(), guest.clone().into()]).await;
    let sql = "insert into control.job (partner_id, kind, args) values ($1, 'order_expire', \
        jsonb_build_object('order_id', $2::text))";
    place.kit.run(sql, vec![place.partner.into(), id.into()]).await;
    assert_eq!(admin.get("/orders/fresh").send().await.json(), json!([]));
    let mut seen = json!({});
    for _ in 0..50 {
        place.kit.run_jobs().await;
        seen = admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
        if seen["status"] == "expired" {
            break;
        }
        // Another test's process may have the job.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!((&seen["status"], &seen["history"][1]["status"]), (&json!("expired"), &json!("expired")));
    assert_eq!(uses().await, 0, "the use is given back");
    assert!(place.kit.mails_to(&guest).is_empty(), "what was never paid was never received");
}

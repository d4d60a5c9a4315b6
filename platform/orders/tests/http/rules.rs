//! Limits of an order's fields, who may read orders, test orders and preorders.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{pickup, prepared, with};

fn key() -> String {
    Uuid::now_v7().to_string()
}

#[testkit::test]
async fn unknown_fields_are_refused_at_any_depth() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    let options =
        json!([{"subproduct_id": menu.pizza, "quantity": 1, "options": [{"option_id": menu.cheese}]}]);
    let deep = json!([{"subproduct_id": menu.pizza, "quantity": 1, "item_options": [{"option_id": menu.cheese,
        "count": 2}]}]);
    let mut delivered = with(pickup(&menu), "pickup", json!(false));
    delivered["delivery_data"] =
        json!({"city": "Pécs", "street": "Fő u.", "premise_number": "1", "zip": "7621"});
    for (body, keys) in [
        (with(pickup(&menu), "items", options.clone()), &["items.0.options"][..]),
        (with(pickup(&menu), "items", deep), &["items.0.item_options.0.count"]),
        (with(pickup(&menu), "comment", json!("x")), &["comment"]),
        (delivered, &["delivery_data.zip"]),
    ] {
        for client in [&shop, &admin] {
            client.post("/public/orders").key(&key()).json(body.clone()).send().await.assert_keys(keys);
        }
    }
    let cart = json!({"platform": "browser", "pickup": true, "items": options});
    shop.post("/public/orders/quote").json(cart).send().await.assert_keys(&["items.0.options"]);
    assert_eq!(place.count("orders").await, 0);
    // The admin's own calls go on ignoring and naming them.
    let named =
        admin.put("/delivery").json(json!({"normal_pickup": true, "whatever": 1})).send().await.assert(200);
    assert_eq!(named.header("x-ignored-fields"), Some("whatever"));
}

#[test]
fn the_document_closes_schemas_against_other_fields() {
    let document = server_document();
    for (name, closed) in [
        ("NewOrder", true),
        ("Cart", true),
        ("CartItem", true),
        ("CartOption", true),
        ("OrderDeliveryData", true),
        ("Order", false),
    ] {
        let schema = &document["components"]["schemas"][name];
        assert!(schema["properties"].is_object(), "{name}");
        assert_eq!(schema["additionalProperties"] == json!(false), closed, "{name}");
    }
}

fn server_document() -> &'static Value {
    &testkit::DOCUMENT
}

#[testkit::test]
async fn a_filter_that_is_not_known_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for (path, key) in [
        ("/orders/fresh?state=succeeded", "state"),
        ("/couriers?nmae=x", "nmae"),
        ("/audit?actoin=x&limit=1", "actoin"),
    ] {
        admin.get(path).send().await.assert_keys(&[key]);
    }
    admin.get("/couriers?name=x&limit=1&page=0&count=true").send().await.assert(200);
    // Who may not read the list learns nothing of its filters.
    place
        .with_keys(&["tv"])
        .await
        .get("/orders/fresh?state=succeeded")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn names_are_one_line_and_messages_lose_only_what_is_not_seen() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    // A key has 20 calls a second; a person has as many as it takes.
    for field in ["first_name", "last_name", "phone_1", "table_name", "external_id"] {
        for text in ["a\r\nBcc: x@y.hu", "a\nb", "a\u{7}b", "a\u{85}b", "a\tb"] {
            admin
                .post("/public/orders")
                .key(&key())
                .json(with(pickup(&menu), field, json!(text)))
                .send()
                .await
                .assert_keys(&[field]);
        }
    }
    let mut delivered = with(pickup(&menu), "pickup", json!(false));
    delivered["delivery_data"] =
        json!({"city": "Pécs\n", "street": "Fő\u{1b} u.", "premise_number": "1", "doorbell": "Kis\r"});
    let keys = ["delivery_data.city", "delivery_data.street", "delivery_data.doorbell"];
    shop.post("/public/orders").key(&key()).json(delivered.clone()).send().await.assert_keys(&keys);
    delivered["delivery_data"] = json!({"city": "Pécs", "street": "Fő u.", "premise_number": "1",
        "address_notes": "hátul\r\nbalra\u{7}"});
    delivered["message"] = json!("első sor\r\nmásodik\tsor\u{0}\u{1b}[2J");
    delivered["items"][0]["message"] = json!("csípősen\u{0008}\rnagyon");
    let order = shop.post("/public/orders").key(&key()).json(delivered).send().await.assert(201).json();
    assert_eq!(order["message"], "első sor\nmásodik\tsor[2J");
    assert_eq!(order["items"][0]["message"], "csípősen\nnagyon");
    assert_eq!(order["delivery_data"]["address_notes"], "hátul\nbalra");
}

#[testkit::test]
async fn a_courier_is_tipped_where_one_comes_and_may_take_it() {
    let place = kit().await.restaurant().await;
    let (_, menu, shop) = prepared(&place).await;
    let mut delivered = with(pickup(&menu), "pickup", json!(false));
    delivered["delivery_data"] = json!({"city": "Pécs", "street": "Fő u.", "premise_number": "1"});
    let quote = |body: &Value| {
        json!({"platform": "browser", "pickup": body["pickup"], "items": body["items"],
        "courier_tip": 500})
    };
    let refused = async |body: &Value| {
        shop.post("/public/orders")
            .key(&key())
            .json(with(body.clone(), "courier_tip", json!(500)))
            .send()
            .await
            .assert_keys(&["courier_tip"]);
        shop.post("/public/orders/quote").json(quote(body)).send().await.assert_keys(&["courier_tip"]);
    };
    refused(&delivered).await;
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    place
        .super_admin()
        .await
        .put(&switches)
        .json(json!({"is_courier_tip_available": true}))
        .send()
        .await
        .assert(200);
    refused(&pickup(&menu)).await;
    let quoted = shop.post("/public/orders/quote").json(quote(&delivered)).send().await.assert(200).json();
    assert_eq!(quoted["courier_tip"].to_string(), "500");
    shop.post("/public/orders")
        .key(&key())
        .json(with(delivered, "courier_tip", json!(500)))
        .send()
        .await
        .assert(201);
    // Nothing is no tip.
    shop.post("/public/orders")
        .key(&key())
        .json(with(pickup(&menu), "courier_tip", json!(0)))
        .send()
        .await
        .assert(201);
}

#[testkit::test]
async fn an_order_is_read_by_those_who_see_orders() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    let id =
        shop.post("/public/orders").key(&key()).json(pickup(&menu)).send().await.assert(201).json()["id"]
            .as_str()
            .unwrap()
            .to_owned();
    for (keys, may) in [
        (&["order"][..], false),
        (&["order_accept"], false),
        (&["order_storno"], false),
        (&["catalog_edit"], false),
        (&["fresh_order"], true),
        (&["all_order"], true),
    ] {
        let person = place.with_keys(keys).await;
        for path in [format!("/orders/{id}"), format!("/public/orders/{id}")] {
            let answer = person.get(&path).send().await;
            if may {
                answer.assert(200)
            } else {
                answer.assert_problem(403, "USER_PERMISSION_REQUIRED")
            };
        }
    }
    // Changing an order does not reveal it either.
    let blind = place.with_keys(&["order_accept", "order_storno"]).await;
    for what in ["accept", "take-back", "prepared", "archive"] {
        let answer = blind.put(&format!("/orders/{id}/{what}")).json(json!({})).send().await;
        assert!(!answer.assert_problem(403, "USER_PERMISSION_REQUIRED").text().contains("5550100"), "{what}");
    }
    let seen = admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert_eq!(seen["status"], "succeeded");
}

#[testkit::test]
async fn a_test_takes_no_number_and_no_piece() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    let limit =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 4}]});
    admin.put(&menu.soup_product).json(limit).send().await.assert(200);
    // A prefix that reads like that of tests.
    admin.put("/system").json(json!({"counter_prefix": "T"})).send().await.assert(200);
    let left = async || {
        admin.get(&menu.soup_product).send().await.json()["subproducts"][0]["sellable_quantity"].clone()
    };
    let tried = with(pickup(&menu), "is_test", json!(true));
    let mut tests = Vec::new();
    for number in ["T1", "T2"] {
        let made =
            admin.post("/public/orders").key(&key()).json(tried.clone()).send().await.assert(201).json();
        assert_eq!((&made["counter"], &made["is_test"]), (&json!(number), &json!(true)));
        tests.push(made["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(left().await, 4);
    let guests = shop.post("/public/orders").key(&key()).json(pickup(&menu)).send().await.assert(201).json();
    assert_eq!((&guests["counter"], left().await), (&json!("T1"), json!(2)));
    // Refused, it gives back nothing that it has not taken.
    admin
        .put(&format!("/orders/{}/archive", tests[0]))
        .json(json!({"reason": "test"}))
        .send()
        .await
        .assert(200);
    assert_eq!(left().await, 2);
    admin
        .put(&format!("/orders/{}/archive", guests["id"].as_str().unwrap()))
        .json(json!({"reason": "too_busy"}))
        .send()
        .await
        .assert(200);
    assert_eq!(left().await, 4);
    // Events stay gapless, and what is sold out is sold out for a test too.
    let events = format!(
        "select count(*) n, max(number) - min(number) + 1 w from {}.event where restaurant_id = $1 and kind \
         = 'TASK_ORDERS_RELOAD'",
        place.schema
    );
    let row = place.kit.row(&events, vec![place.restaurant.into()]).await;
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), 5);
    let sold =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 1}]});
    admin.put(&menu.soup_product).json(sold).send().await.assert(200);
    admin
        .post("/public/orders")
        .key(&key())
        .json(tried)
        .send()
        .await
        .assert_problem(409, "ORDER_NOT_ACCEPTABLE");
}

#[testkit::test]
async fn an_order_for_later_is_announced_once_when_it_is_due() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    admin
        .put("/delivery")
        .json(json!({"preorder_pickup": true, "preorder_notification_mins_before_expected": 60}))
        .send()
        .await
        .assert(200);
    let at = |hours: i64| {
        json!(kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(hours)).to_string())
    };
    let make = async |body: Value| {
        shop.post("/public/orders").key(&key()).json(body).send().await.assert(201).json()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let later = make(with(pickup(&menu), "expected_at", at(3))).await;
    let refused = make(with(pickup(&menu), "expected_at", at(4))).await;
    let now = make(pickup(&menu)).await;
    admin
        .put(&format!("/orders/{refused}/archive"))
        .json(json!({"reason": "closing"}))
        .send()
        .await
        .assert(200);
    let events = async |id: &str| {
        let sql = format!(
            "select data ->> 'change' || coalesce(' ' || (data ->> 'due'), '') from {}.event where data ->> \
             'order_id' = '{id}' order by number",
            place.schema
        );
        place.kit.texts(&sql).await
    };
    assert_eq!(events(&now).await, ["created true"]);
    assert_eq!(events(&later).await, ["created false"]);
    let job = "select run_at from control.job where kind = 'order_due' and args ->> 'order_id' = $1";
    let run_at: chrono::DateTime<chrono::Utc> =
        place.kit.row(job, vec![later.clone().into()]).await.try_get("", "run_at").unwrap();
    let minutes = (run_at - kernel::clock::now()).num_minutes();
    assert!((118..=120).contains(&minutes), "{minutes}");
    // Its time comes; a job may run twice.
    let come =
        format!("update {}.orders set show_at = now() where id = any (array[$1, $2]::uuid[])", place.schema);
    place.kit.run(&come, vec![later.clone().into(), refused.clone().into()]).await;
    for _ in 0..2 {
        for id in [&later, &refused] {
            let again =
                "update control.job set run_at = now() where kind = 'order_due' and args ->> 'order_id' = $1";
            place.kit.run(again, vec![id.clone().into()]).await;
        }
        for _ in 0..200 {
            place.kit.run_jobs().await;
            let waiting = "select count(*) n from control.job where kind = 'order_due' and args ->> \
                'order_id' = any (array[$1, $2])";
            if place
                .kit
                .row(waiting, vec![later.clone().into(), refused.clone().into()])
                .await
                .try_get::<i64>("", "n")
                .unwrap()
                == 0
            {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let enqueue = "insert into control.job (partner_id, kind, key, args, run_at) values ($1, \
            'order_due', $2, jsonb_build_object('order_id', $2::text), now() + interval '1 day')";
        place.kit.run(enqueue, vec![place.partner.into(), later.clone().into()]).await;
    }
    assert_eq!(events(&later).await, ["created false", "due"]);
    assert_eq!(events(&refused).await, ["created false", "archived"], "nobody waits for what was refused");
    place.kit.run("delete from control.job where kind = 'order_due' and key = $1", vec![later.into()]).await;
}

#[testkit::test]
async fn the_first_page_has_the_longest_waiting_orders() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(
            shop.post("/public/orders").key(&key()).json(pickup(&menu)).send().await.assert(201).json()["id"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    for id in [&ids[1], &ids[3]] {
        admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
    }
    let page = async |number: usize| -> Vec<String> {
        let rows = admin.get(&format!("/orders/fresh?limit=2&page={number}")).send().await.assert(200).json();
        rows.as_array().unwrap().iter().map(|order| order["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(page(0).await, [ids[0].clone(), ids[2].clone()], "whoever waits longest");
    assert_eq!(page(1).await, [ids[4].clone(), ids[3].clone()], "then what is accepted, latest first");
    assert_eq!(page(2).await, [ids[1].clone()]);
    // Each list by itself: those that wait push no accepted ones off their page.
    for (status, number, expected, total) in [
        ("succeeded", 0, &[0, 2][..], "3"),
        ("succeeded", 1, &[4], "3"),
        ("processed", 0, &[3, 1], "2"),
        ("processed", 1, &[], "2"),
    ] {
        let path = format!("/orders/fresh?status={status}&limit=2&page={number}&count=true");
        let answer = admin.get(&path).send().await.assert(200);
        assert_eq!(answer.header("x-total-count"), Some(total), "{path}");
        let rows = answer.json();
        let found: Vec<_> =
            rows.as_array().unwrap().iter().map(|order| order["id"].as_str().unwrap()).collect();
        let expected: Vec<_> = expected.iter().map(|&at: &usize| ids[at].as_str()).collect();
        assert_eq!(found, expected, "{path}");
    }
    for status in ["prepared", "", "Succeeded"] {
        admin.get(&format!("/orders/fresh?status={status}")).send().await.assert_keys(&["status"]);
    }
}

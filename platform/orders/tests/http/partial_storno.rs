//! Partial stornos: pieces of an order are taken back.

use futures_util::future::join;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{amount, payments::Till, pickup, promotion, promotions::with_pin, text, with};

impl Till<'static> {
    async fn storno(&self, body: Value) -> testkit::Answer {
        self.admin.post(&format!("/orders/{}/stornos", self.id)).json(body).send().await
    }

    async fn child(&self, storno: &Value) -> Value {
        self.admin.get(&format!("/orders/{}", text(&storno["id"]))).send().await.assert(200).json()
    }
}

fn pieces(item: &Value, quantity: i32) -> Value {
    json!({"items": [{"order_item_id": item, "quantity": quantity}]})
}

#[testkit::test]
async fn a_piece_goes_back_as_a_child_and_the_rest_is_paid() {
    let till = Till::open().await;
    let order = till.read().await;
    let (soups, pizza) = (&order["items"][0]["id"], &order["items"][1]["id"]);
    till.storno(pieces(soups, 3)).await.assert_keys(&["items.0.quantity"]);
    till.storno(json!({"items": []})).await.assert_keys(&["items"]);
    till.storno(pieces(&json!(Uuid::now_v7()), 1)).await.assert_keys(&["items.0.order_item_id"]);
    let other = with(pieces(soups, 1), "reason", json!("other"));
    till.storno(other).await.assert_keys(&["reason_text"]);
    till.accept().await;
    let after = till.storno(with(pieces(soups, 1), "reason", json!("out_of_stock"))).await.assert(201).json();
    assert_eq!((amount(&after["due"]), amount(&after["reversed_price"])), (4100, -1800));
    assert_eq!(after["items"][0]["reversed_quantity"], json!(1));
    let order = till.read().await;
    let gross = |vats: &Value| vats.as_array().unwrap().iter().map(|vat| amount(&vat["gross"])).sum::<i64>();
    assert_eq!((gross(&order["vats"]), gross(&order["vats_left"])), (5900, 4100));
    let storno = &order["stornos"][0];
    assert_eq!((amount(&storno["total_price"]), &storno["reason"]), (-1800, &json!("out_of_stock")));
    let child = till.child(storno).await;
    assert_eq!(
        (&child["counter"], &child["order_parent_id"], amount(&child["due"]), &child["allowed"]),
        (&Value::Null, &order["id"], 0, &json!([]))
    );
    assert_eq!((&child["items"][0]["quantity"], &child["items"][0]["parent_item_id"]), (&json!(-1), soups));
    let lines = child["lines"].as_array().unwrap().iter().map(|line| amount(&line["amount"])).sum::<i64>();
    assert_eq!(lines, -1800);
    // A child is no order of its own.
    let path = |what: &str| format!("/orders/{}/{what}", text(&child["id"]));
    till.admin
        .post(&path("payments"))
        .json(json!({"payment_method": "cash"}))
        .send()
        .await
        .assert_problem(409, "ORDER_STATE_CHANGED");
    till.admin
        .post(&path("stornos"))
        .json(pieces(&child["items"][0]["id"], 1))
        .send()
        .await
        .assert_problem(409, "ORDER_STATE_CHANGED");
    till.admin.put(&path("archive")).json(json!({})).send().await.assert_problem(409, "ORDER_STATE_CHANGED");
    let fresh = till.admin.get("/orders/fresh").send().await.assert(200).json();
    assert_eq!(fresh.as_array().unwrap().len(), 1);
    // Paid, then a piece more goes back: 2,300 Ft are to be given back.
    till.pay(json!({"payment_method": "card"})).await.assert(201);
    let after = till.storno(pieces(pizza, 1)).await.assert(201).json();
    assert_eq!((amount(&after["due"]), amount(&after["refunds"][0]["amount"])), (-2300, 2300));
    assert_eq!((&after["refunds"][0]["by_storno"], &after["archived_at"]), (&json!(true), &Value::Null));
    // The last piece ends it all.
    let last = till.storno(pieces(soups, 1)).await.assert(201).json();
    assert_ne!(last["archived_at"], Value::Null);
    assert_eq!(amount(&last["due"]), -4100);
    till.storno(pieces(soups, 1)).await.assert_problem(409, "ORDER_STATE_CHANGED");
    let child = till.child(storno).await;
    assert_ne!(child["archived_at"], Value::Null);
}

#[testkit::test]
async fn steps_in_any_order_add_up_to_nothing() {
    let till = Till::open().await;
    // 20 % off, so that shares are rounded.
    promotion(&till.admin, json!({"ranges": [{"discount_value": 33, "apply_on_options": true}]})).await;
    let body = with(
        with(pickup(&till.menu), "tip", json!(137)),
        "items",
        json!([
            {"subproduct_id": till.menu.soup, "quantity": 7},
            {"subproduct_id": till.menu.pizza, "quantity": 3, "item_options": [{"option_id": till.menu.cheese}]},
        ]),
    );
    let id = till.another(body).await;
    let till = Till { id, ..till };
    let order = till.read().await;
    let total = amount(&order["total_price"]);
    let ids: Vec<Value> = order["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    for (item, quantity) in [(0, 2), (1, 1), (0, 3), (1, 2), (0, 1)] {
        till.storno(pieces(&ids[item], quantity)).await.assert(201);
    }
    let before = till.read().await;
    assert_eq!(before["archived_at"], Value::Null);
    till.storno(pieces(&ids[0], 1)).await.assert(201);
    let order = till.read().await;
    assert_eq!(amount(&order["reversed_price"]), -total, "the tip goes with the last piece");
    let mut rates: std::collections::BTreeMap<String, [i64; 3]> = std::collections::BTreeMap::new();
    let mut columns = [0; 6];
    let mut all = vec![order.clone()];
    for storno in order["stornos"].as_array().unwrap() {
        all.push(till.child(storno).await);
    }
    for one in &all {
        for vat in one["vats"].as_array().unwrap() {
            let sums = rates.entry(vat["percent"].to_string()).or_default();
            for (sum, name) in sums.iter_mut().zip(["net", "vat", "gross"]) {
                *sum += amount(&vat[name]);
            }
        }
        let names =
            ["total_price", "products_price", "discount_price", "original_price", "tip", "service_fee"];
        for (sum, name) in columns.iter_mut().zip(names) {
            *sum += amount(&one[name]);
        }
    }
    assert_eq!(columns, [0; 6]);
    assert!(rates.values().all(|sums| *sums == [0; 3]), "{rates:?}");
}

#[testkit::test]
async fn two_stornos_at_once_take_a_piece_once_and_a_waiter_needs_a_pin() {
    let till = Till::open().await;
    let pizza = till.read().await["items"][1]["id"].clone();
    let (one, two) = join(till.storno(pieces(&pizza, 1)), till.storno(pieces(&pizza, 1))).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
    let waiter =
        with_pin(&till.place, &["admin_login", "fresh_order", "order_accept"], "470041", Value::Null).await;
    with_pin(&till.place, &["admin_login", "pos_partial_storno"], "470042", Value::Null).await;
    let soups = till.read().await["items"][0]["id"].clone();
    let path = format!("/orders/{}/stornos", till.id);
    let body = pieces(&soups, 1);
    waiter.post(&path).json(body.clone()).send().await.assert_problem(403, "PIN_REQUIRED");
    waiter
        .post(&path)
        .header("x-pin", "470041")
        .json(body.clone())
        .send()
        .await
        .assert_problem(403, "PIN_INVALID");
    waiter.post(&path).header("x-pin", "470042").json(body).send().await.assert(201);
    // The same PIN cancels no whole order.
    let archive = format!("/orders/{}/archive", till.id);
    let whole = waiter.put(&archive).header("x-pin", "470042").json(json!({})).send().await;
    whole.assert_problem(403, "PIN_INVALID");
    let stranger = Till::open().await;
    stranger.admin.post(&path).json(pieces(&soups, 1)).send().await.assert_problem(404, "ORDER_NOT_EXIST");
}

#[testkit::test]
async fn pieces_are_sold_again_until_the_kitchen_is_done() {
    let till = Till::open().await;
    let limit = json!({"subproducts": [{"id": till.menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 5}]});
    till.admin.put(&till.menu.soup_product).json(limit).send().await.assert(200);
    let left = async || {
        let product = till.admin.get(&till.menu.soup_product).send().await.assert(200).json();
        amount(&product["subproducts"][0]["sellable_quantity"])
    };
    let id = till.another(pickup(&till.menu)).await;
    let second = till.another(pickup(&till.menu)).await;
    assert_eq!(left().await, 1);
    let read = till.admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    let soups = read["items"][0]["id"].clone();
    let storno = |id: &str, body: Value| till.admin.post(&format!("/orders/{id}/stornos")).json(body).send();
    storno(&id, pieces(&soups, 1)).await.assert(201);
    assert_eq!(left().await, 2);
    let archive = |id: &str| till.admin.put(&format!("/orders/{id}/archive")).json(json!({})).send();
    archive(&id).await.assert(200);
    assert_eq!(left().await, 3, "the rest of them");
    for what in ["accept", "prepared"] {
        let body = if what == "accept" { json!({}) } else { json!({"prepared": true}) };
        till.admin.put(&format!("/orders/{second}/{what}")).json(body).send().await.assert(200);
    }
    archive(&second).await.assert(200);
    assert_eq!(left().await, 3, "what was cooked is not sold again");
    // Placed yesterday, paid online today: its number is of today, its pieces are yesterday's.
    let third = till.another(pickup(&till.menu)).await;
    let placed = format!(
        "update {}.orders set created_at = created_at - interval '1 day' where id::text = $1",
        till.place.schema
    );
    till.place.kit.run(&placed, vec![third.clone().into()]).await;
    archive(&third).await.assert(200);
    assert_eq!(left().await, 1, "what yesterday had is not sold today");
}

#[testkit::test]
async fn what_is_left_rounds_by_rate() {
    let mut till = Till::open().await;
    promotion(&till.admin, json!({"ranges": [{"discount_value": 10}]})).await;
    let products = format!("/product-categories/{}/products", till.menu.category);
    let admin = till.admin.clone();
    let size = async |name: &str, price: i64| {
        let body = json!({"name": name, "subproducts": [{"name": "Adag", "price": price}]});
        text(&admin.post(&products).json(body).send().await.assert(201).json()["subproducts"][0]["id"])
    };
    // What is ordered, which pieces go back one after the other, and what is left of it by then.
    type Case<'a> = (&'a [(i64, i64)], &'a [usize], &'a [i64]);
    let cases: [Case<'_>; 6] = [
        (&[(2000, 1), (500, 2)], &[1], &[2250]),
        (&[(2000, 1), (500, 2)], &[1, 1, 0], &[2250, 1800, 0]),
        (&[(500, 3)], &[0, 0], &[900, 450]),
        (&[(999, 2), (1001, 1)], &[0, 1], &[1800, 899]),
        (&[(333, 3), (77, 7)], &[1, 1, 0, 1], &[1315, 1245, 945, 876]),
        (&[(15, 5)], &[0, 0, 0], &[54, 40, 27]),
    ];
    let sum = |rows: &Value, field: &str| {
        rows.as_array().unwrap().iter().map(|row| amount(&row[field])).sum::<i64>()
    };
    for (lines, steps, expected) in cases {
        let mut items = Vec::new();
        for (price, quantity) in lines {
            items
                .push(json!({"subproduct_id": size(&price.to_string(), *price).await, "quantity": quantity}));
        }
        let id = till.another(with(pickup(&till.menu), "items", json!(items))).await;
        till.id = id;
        let items = till.read().await["items"].clone();
        for (step, left) in steps.iter().zip(expected) {
            let after = till.storno(pieces(&items[*step]["id"], 1)).await.assert(201).json();
            let after = if after["archived_at"].is_null() { till.read().await } else { continue };
            let of_rate = ["net", "vat", "gross"].map(|field| sum(&after["vats_left"], field));
            let net = (left * 200 + 127) / 254;
            assert_eq!(of_rate, [net, left - net, *left], "{lines:?} {steps:?}");
            // Lines and their rate agree in each document.
            let last = after["stornos"].as_array().unwrap().last().unwrap().clone();
            let child = till.child(&last).await;
            assert_eq!(sum(&child["items"], "net_price"), sum(&child["vats"], "net"), "{child}");
        }
    }
    let id = till
        .another(with(
            pickup(&till.menu),
            "items",
            json!([
                {"subproduct_id": size("Tál", 2000).await, "quantity": 1},
                {"subproduct_id": size("Leves", 500).await, "quantity": 2},
            ]),
        ))
        .await;
    let till = Till { id, ..till };
    let item = till.read().await["items"][1]["id"].clone();
    till.storno(pieces(&item, 1)).await.assert(201);
    let after = till.read().await;
    let [left] = &after["vats_left"].as_array().unwrap()[..] else { panic!("{after}") };
    assert_eq!([&left["net"], &left["vat"], &left["gross"]].map(amount), [1772, 478, 2250]);
    assert!(after["items"][1]["archived_at"].is_null());
    till.storno(pieces(&item, 1)).await.assert(201);
    assert!(till.read().await["items"][1]["archived_at"].is_string());
}

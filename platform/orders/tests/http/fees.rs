//! Fees, deposits, tips, and what is eaten at a table.

use serde_json::{Value, json};
use testkit::kit;

use super::{amount, order, pickup, prepared, quoted, with};

#[testkit::test]
async fn an_order_at_a_table_has_service_fee_and_waiters_tip() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let till = json!({"service_fee": 10, "service_fee_mode": "all_items", "employee_tip": true});
    admin.put("/pos/configs").json(till).send().await.assert(200);
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    place.super_admin().await.put(&switches).json(json!({"system_usage_fee": 100})).send().await.assert(200);
    let mut body = with(pickup(&menu), "tip", json!(200));
    let away = quoted(&key, &body).await;
    assert_eq!((amount(&away["service_fee"]), amount(&away["tip"])), (0, 200), "fetched");
    assert_eq!(amount(&away["total_price"]), 5900 + 200 + 100);
    body["table_name"] = json!(" 7 ");
    for guest in ["first_name", "last_name", "phone_1"] {
        body.as_object_mut().unwrap().remove(guest);
    }
    let here = quoted(&key, &body).await;
    assert_eq!(amount(&here["total_price"]), 5900 + 590 + 200 + 100);
    let made = order(&key, with(body, "total_price", here["total_price"].clone())).await.assert(201).json();
    assert_eq!((&made["table_name"], &made["pickup"]), (&json!("7"), &json!(false)));
    assert_eq!((amount(&made["tip"]), amount(&made["employee_tip"])), (0, 200));
    assert_eq!((amount(&made["service_fee"]), amount(&made["system_usage_fee"])), (590, 100));
    let items = made["items"].as_array().unwrap();
    let sum = |field: &str| items.iter().map(|item| amount(&item[field])).sum::<i64>();
    assert_eq!(sum("service_fee"), 590);
    assert_eq!(sum("net_price") + sum("vat_price"), sum("paid_price"));
    assert_eq!(sum("service_fee_net") + sum("service_fee_vat"), 590);
    let usage = ["system_usage_fee_net_price", "system_usage_fee_vat_price", "system_usage_fee_vat_percent"];
    assert_eq!(usage.map(|field| amount(&made[field])), [79, 21, 27]);
    let taxed: i64 = made["vats"].as_array().unwrap().iter().map(|vat| amount(&vat["gross"])).sum();
    assert_eq!(taxed, 5900 + 590 + 100, "a tip is outside VAT");
}

#[testkit::test]
async fn bottles_carry_a_deposit_unless_eaten_here() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let bottles =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "deposit_pieces": 2}]});
    admin.put(&menu.soup_product).json(bottles).send().await.assert(200);
    let made = order(&key, pickup(&menu)).await.assert(201).json();
    assert_eq!((amount(&made["deposit"]), amount(&made["deposit_pieces"])), (200, 4));
    assert_eq!((amount(&made["total_price"]), amount(&made["products_price"])), (6100, 5900));
    assert_eq!((amount(&made["items"][0]["deposit"]), amount(&made["items"][1]["deposit"])), (200, 0));
    admin.put("/pos/configs").json(json!({"deposit_here": false})).send().await.assert(200);
    assert_eq!(amount(&quoted(&key, &pickup(&menu)).await["deposit"]), 200);
    let here = quoted(&key, &with(pickup(&menu), "table_name", json!("7"))).await;
    assert_eq!((amount(&here["deposit"]), amount(&here["total_price"])), (0, 5900));
}

#[testkit::test]
async fn the_parts_of_a_menu_are_kept_and_their_pieces_taken_and_given_back() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let few = |pieces: i64| json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": pieces}]});
    admin.put(&menu.soup_product).json(few(3)).send().await.assert(200);
    let components =
        json!([{"subproduct_id": menu.soup, "pieces": 1}, {"subproduct_id": menu.pizza, "pieces": 1}]);
    let size = json!({"name": "Ebédmenü", "price": 3000, "components": components});
    let products = format!("/product-categories/{}/products", menu.category);
    let lunch = admin.post(&products).json(json!({"name": "Menü", "subproducts": [size]})).send().await;
    let lunch = lunch.assert(201).json()["subproducts"][0]["id"].clone();
    let body = with(pickup(&menu), "items", json!([{"subproduct_id": lunch, "quantity": 2}]));
    let made = order(&key, body.clone()).await.assert(201).json();
    let parts = made["items"][0]["parts"].as_array().unwrap();
    let of = |field: &str| parts.iter().map(|part| part[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("kind"), ["component", "component"]);
    assert_eq!(of("quantity"), [2, 2]);
    // 3,000 as 1,800 to 2,000, per piece.
    assert_eq!(of("total_price"), [2842, 3158]);
    let left = async || {
        let soup = admin.get(&menu.soup_product).send().await.json();
        soup["subproducts"][0]["sellable_quantity"].clone()
    };
    assert_eq!(left().await, 1);
    let refused = order(&key, body).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(refused["reasons"][0]["reason"], "item_sold_out");
    let archive = format!("/orders/{}/archive", made["id"].as_str().unwrap());
    admin.put(&archive).json(json!({"reason": "too_busy"})).send().await.assert(200);
    assert_eq!(left().await, 3);
    let page = admin.get(&format!("/orders/{}", made["id"].as_str().unwrap())).send().await.json();
    let mut items = made["items"].clone();
    items[0]["archived_at"] = page["archived_at"].clone();
    assert_eq!(page["items"], items);
    assert_eq!(made["items"][0]["order_id"], made["id"]);
    assert_ne!(page["archived_at"], Value::Null);
}

//! The tax report's category, unit and quantity on the lines of an order.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{amount, payments::Till, pickup, prepared, with};

async fn id(client: &Client<'_>, main: &str, sub: &str) -> Value {
    let rows = client.get("/api/v3/admin/ntak-categories").send().await.assert(200).json();
    let mut rows = rows.as_array().unwrap().clone().into_iter();
    rows.find(|row| row["main_category"] == main && row["sub_category"] == sub).unwrap()["id"].clone()
}

/// Category, unit and quantity of a line or of a part of it.
fn reported(line: &Value) -> (Value, Value, String) {
    (line["ntak_category_id"].clone(), line["ntak_quantity_unit"].clone(), line["ntak_quantity"].to_string())
}

#[testkit::test]
async fn lines_and_their_parts_carry_what_holds_when_they_are_ordered() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let (soup, main) = (id(&admin, "ETEL", "LEVES").await, id(&admin, "ETEL", "FOETEL").await);
    let (beer, rest) = (id(&admin, "ALKOHOLOSITAL", "SOR").await, id(&admin, "ETEL", "EGYEB").await);
    let category = format!("/product-categories/{}", menu.category);
    let own = json!({"ntak_category_id": main, "ntak_quantity_unit": "piece"});
    admin.put(&category).json(own).send().await.assert(200);
    let own = json!({"ntak_category_id": soup, "subproducts": [
        {"id": menu.soup, "ntak_quantity_unit": "liter", "ntak_quantity": "0,3"}]});
    admin.put(&menu.soup_product).json(own).send().await.assert(200);
    let mug = json!({"name": "Sör", "ntak_category_id": beer, "subproducts": [{"name": "Korsó", "price": 900,
        "ntak_quantity_unit": "liter", "ntak_quantity": 0.5}]});
    let mug = admin.post(&format!("{category}/products")).json(mug).send().await.assert(201).json();
    let parts = json!([{"subproduct_id": menu.soup, "pieces": 1},
        {"subproduct_id": mug["subproducts"][0]["id"], "pieces": 2}]);
    let lunch = json!({"name": "Menü", "subproducts": [{"price": 2500, "components": parts}]});
    let lunch = admin.post(&format!("{category}/products")).json(lunch).send().await.assert(201).json();

    let mut order = pickup(&menu);
    let line = json!({"subproduct_id": lunch["subproducts"][0]["id"], "quantity": 1});
    order["items"].as_array_mut().unwrap().push(line);
    let made = key.post("/public/orders").key("first").json(order.clone()).send().await.assert(201).json();
    let own = format!("/orders/{}", made["id"].as_str().unwrap());
    let seen = admin.get(&own).send().await.assert(200).json();
    let items = &seen["items"];
    assert_eq!(reported(&items[0]), (soup.clone(), json!("liter"), "0.3".to_owned()), "product and size");
    assert_eq!(reported(&items[1]), (main.clone(), json!("piece"), "null".to_owned()), "of its category");
    let parts: Vec<_> = items[2]["parts"].as_array().unwrap().iter().map(reported).collect();
    assert_eq!(
        parts,
        [(soup.clone(), json!("liter"), "0.3".to_owned()), (beer, json!("liter"), "0.5".to_owned())],
        "each part of a menu is reported by itself"
    );

    // Later changes, in one step or one by one, never alter an order; the next one carries them.
    let rows = json!([{"level": "category", "id": menu.category, "ntak_category_id": null, "ntak_quantity_unit": null}]);
    admin.post("/ntak-changes").json(json!({"rows": rows})).send().await.assert(201);
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let default = json!({"ntak_category_id": rest, "ntak_quantity_unit": "portion"});
    place.super_admin().await.put(&switches).json(default).send().await.assert(200);
    assert_eq!(admin.get(&own).send().await.json()["items"][1], items[1]);
    let again = with(order, "message", json!("még egyszer"));
    let next = key.post("/public/orders").key("second").json(again).send().await.assert(201).json();
    let next = admin.get(&format!("/orders/{}", next["id"].as_str().unwrap())).send().await.json();
    assert_eq!(reported(&next["items"][1]), (rest, json!("portion"), "null".to_owned()), "of the restaurant");
    assert_eq!(reported(&next["items"][0]), (soup, json!("liter"), "0.3".to_owned()));
}

/// What reporters read: a column that goes or gets another name breaks them.
const COLUMNS: &str = "order_id, restaurant_id, counter, business_day, status, is_test, platform, pickup, table_name, \
    order_parent_id, replaces_id, replaced_by_id, created_at, show_at, accepted_at, closed_at, archived_at, currency, \
    total_price, discount_price, delivery_price, delivery_net_price, delivery_vat_price, delivery_vat_percent, \
    system_usage_fee, system_usage_fee_net_price, system_usage_fee_vat_price, system_usage_fee_vat_percent, service_fee, \
    tip, employee_tip, courier_tip, deposit, deposit_pieces, lines, kept";
const LINE: &str = "discount, gift_of, item_id, kind, name, net_price, ntak_category_id, ntak_quantity, \
    ntak_quantity_unit, option_id, ordered_at, paid_price, parent_item_id, part_ranking, quantity, ranking, service_fee, \
    service_fee_net, service_fee_vat, subproduct_id, total_price, vat_percent, vat_price";

#[testkit::test]
async fn a_tax_report_finds_lines_shares_and_what_methods_keep_in_one_view() {
    let till = Till::open().await;
    let (place, admin) = (&till.place, &till.admin);
    let schema = &place.schema;
    let columns = format!(
        "select string_agg(column_name, ', ' order by ordinal_position) from information_schema.columns \
        where table_schema = '{schema}' and table_name = 'order_tax'"
    );
    assert_eq!(place.kit.texts(&columns).await, [COLUMNS]);
    till.accept().await;
    let cash = till.cash(2000).await;
    till.pay(json!({"payment_method": "card", "amount": 3000, "confirmed": true})).await.assert(201);
    till.refund(&cash, json!({"amount": 500, "done": true})).await.assert(201);
    let order = till.read().await;
    let read = async |id: &str| -> Value {
        let sql = format!("select to_jsonb(t)::text from {schema}.order_tax t where order_id = '{id}'");
        serde_json::from_str(&place.kit.texts(&sql).await.remove(0)).unwrap()
    };
    let told = read(&till.id).await;
    let lines = told["lines"].as_array().unwrap();
    let keys = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(", ");
    assert!(lines.iter().all(|line| keys(line) == LINE), "{}", keys(&lines[0]));
    // Columns of money have two digits behind the point.
    let whole = |value: &Value| value.to_string().split('.').next().unwrap().parse::<i64>().unwrap();
    let sum = |of: &str| lines.iter().map(|line| whole(&line[of])).sum::<i64>();
    assert_eq!(sum("paid_price"), amount(&order["products_price"]));
    assert_eq!(sum("net_price") + sum("vat_price"), sum("paid_price"));
    let kept: Vec<_> = told["kept"].as_array().unwrap().iter().collect();
    let kept = kept.iter().map(|row| (row["payment_key"].as_str().unwrap(), whole(&row["value"])));
    assert_eq!(kept.collect::<Vec<_>>(), [("card", 3000), ("cash", 1500)]);
    // Pieces that go back are an order of their own that names the first.
    let soup = order["items"][0]["id"].clone();
    let storno = json!({"items": [{"order_item_id": soup, "quantity": 1}]});
    admin.post(&format!("/orders/{}/stornos", till.id)).json(storno).send().await.assert(201);
    let back = read(till.read().await["stornos"][0]["id"].as_str().unwrap()).await;
    assert_eq!(back["order_parent_id"], json!(till.id));
    let line = &back["lines"][0];
    assert_eq!(
        (&line["parent_item_id"], amount(&line["quantity"]), whole(&line["paid_price"])),
        (&soup, -1, -1800)
    );
}

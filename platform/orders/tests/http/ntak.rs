//! The tax report's category, unit and quantity on the lines of an order.

use serde_json::{Value, json};
use testkit::{Client, kit};

use crate::{pickup, prepared, with};

async fn id(client: &Client<'_>, main: &str, sub: &str) -> Value {
    let rows = client.get("/api/v3/admin/ntak-categories").send().await.assert(200).json();
    let mut rows = rows.as_array().unwrap().clone().into_iter();
    rows.find(|row| row["main_category"] == main && row["sub_category"] == sub).unwrap()["id"].clone()
}

/// Category, unit and quantity of a line or of a part of it.
fn reported(line: &Value) -> (Value, Value, String) {
    (line["ntak_category_id"].clone(), line["ntak_quantity_unit"].clone(), line["ntak_quantity"].to_string())
}

#[tokio::test]
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

//! The name under which an item is ordered: the size only where it says more than the product.

use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::{pickup, prepared, with};

/// A product with these sizes (name, name in the second language); the ids of the sizes.
async fn product(admin: &Client<'_>, category: &str, name: Value, sizes: &[(&str, Value)]) -> Vec<String> {
    let sizes: Vec<Value> = sizes
        .iter()
        .map(|(size, second)| json!({"name": size, "name_sec_lang": second, "price": 1000}))
        .collect();
    let body = json!({"name": name[0], "name_sec_lang": name[1], "subproducts": sizes});
    let path = format!("/product-categories/{category}/products");
    let made = admin.post(&path).json(body).send().await.assert(201).json();
    made["subproducts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|size| size["id"].as_str().unwrap().to_owned())
        .collect()
}

#[testkit::test]
async fn a_size_is_named_only_where_it_says_more() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin.put("/general").json(json!({"secondary_language": "en"})).send().await.assert(200);
    let none = Value::Null;
    let of = async |name: Value, sizes: &[(&str, Value)]| product(&admin, &menu.category, name, sizes).await;
    let same = of(json!(["Lecsó", null]), &[("Lecsó", none.clone()), ("Nagy", none.clone())]).await;
    let case =
        of(json!(["Rántott Hús", "Schnitzel"]), &[(" rántott  hus", json!("Portion")), ("XL", none.clone())])
            .await;
    let alone = of(json!(["Szódavíz", "Soda"]), &[("0,5 l", json!("Half a litre"))]).await;
    let half = of(json!(["Tea", null]), &[("Kicsi", json!("Small")), ("Nagy", json!("Tea"))]).await;
    let expected = [
        (&same[0], "Lecsó", none.clone()),
        (&same[1], "Lecsó, Nagy", none.clone()),
        (&case[0], "Rántott Hús", json!("Schnitzel")),
        (&case[1], "Rántott Hús, XL", json!("Schnitzel, XL")),
        (&alone[0], "Szódavíz", json!("Soda")),
        (&half[0], "Tea, Kicsi", json!("Tea, Small")),
        (&half[1], "Tea, Nagy", json!("Tea")),
    ];
    let items: Vec<Value> =
        expected.iter().map(|(id, ..)| json!({"subproduct_id": id, "quantity": 1})).collect();
    let names = |answer: &Value| -> Vec<(Value, Value)> {
        let items = answer["items"].as_array().unwrap();
        items.iter().map(|item| (item["name"].clone(), item["name_sec_lang"].clone())).collect()
    };
    let wanted: Vec<(Value, Value)> =
        expected.iter().map(|(_, name, second)| (json!(name), second.clone())).collect();

    let cart = json!({"platform": "browser", "pickup": true, "items": items});
    let quote = key.post("/public/orders/quote").json(cart).send().await.assert(200).json();
    assert_eq!(names(&quote), wanted);

    let guest = format!("{}@guest.test", Uuid::now_v7().simple());
    let body = with(with(pickup(&menu), "items", json!(items)), "email", json!(guest));
    let order = key.post("/public/orders").key("1").json(body.clone()).send().await.assert(201).json();
    assert_eq!(names(&order), wanted);
    let path = format!("/orders/{}", order["id"].as_str().unwrap());
    assert_eq!(names(&admin.get(&path).send().await.json()), wanted, "read back");
    let mail = place.kit.mail_to(&guest).await;
    for line in ["1 × Lecsó – 1", "1 × Lecsó, Nagy – 1", "1 × Szódavíz – 1", "1 × Rántott Hús – 1"]
    {
        assert!(mail.contains(line), "{line} in {mail}");
    }

    let english = format!("{}@guest.test", Uuid::now_v7().simple());
    let body = with(with(body, "email", json!(english)), "locale", json!("en"));
    key.post("/public/orders").key("2").json(body).send().await.assert(201);
    let mail = place.kit.mail_to(&english).await;
    for line in ["1 × Schnitzel – 1", "1 × Schnitzel, XL – 1", "1 × Soda – 1", "1 × Tea, Small – 1"]
    {
        assert!(mail.contains(line), "{line} in {mail}");
    }
}

/// Items of an earlier release have no name of their own; whether their size was alone is not known.
#[testkit::test]
async fn items_of_earlier_orders_are_named_too() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let order = key.post("/public/orders").key("1").json(pickup(&menu)).send().await.assert(201).json();
    assert_eq!(order["items"][0]["name"], "Gulyás");
    assert_eq!(order["items"][0]["name_sec_lang"], "Goulash");
    assert_eq!(order["items"][1]["name"], "Pizza, 32 cm");
    let id: Uuid = order["id"].as_str().unwrap().parse().unwrap();
    let earlier = format!(
        "update {}.order_item set name = null, name_sec_lang = null where order_id = $1",
        place.schema
    );
    place.kit.run(&earlier, vec![id.into()]).await;
    let read = admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert_eq!(read["items"][0]["name"], "Gulyás, Adag");
    // A size without a name in the second language was given that of its product.
    assert_eq!(read["items"][0]["name_sec_lang"], "Goulash");
    assert_eq!(read["items"][1]["name"], "Pizza, 32 cm");
}

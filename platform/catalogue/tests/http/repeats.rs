//! Repeated requests with one idempotency key.

use serde_json::json;
use testkit::kit;

#[testkit::test]
async fn a_repeated_creation_makes_nothing_new() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let twice = |path: String, body: serde_json::Value| {
        let admin = admin.clone();
        async move {
            let first = admin.post(&path).key("k").json(body.clone()).send().await.assert(201);
            let again = admin.post(&path).key("k").json(body).send().await.assert(201);
            assert_eq!(first.body, again.body, "{path}");
            first.json()["id"].as_str().unwrap().to_owned()
        }
    };
    let category = twice("/product-categories".into(), json!({"name": "Levesek"})).await;
    let product = json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]});
    twice(format!("/product-categories/{category}/products"), product.clone()).await;
    let group = twice("/option-groups".into(), json!({"name": "Köret", "type": "inclusive"})).await;
    twice(format!("/option-groups/{group}/options"), json!({"name": "Rizs"})).await;
    for (table, rows) in
        [("product_category", 1), ("product", 1), ("subproduct", 1), ("option_group", 1), ("option", 1)]
    {
        assert_eq!(place.count(table).await, rows, "{table}");
    }
    // The same key and body below another category is another request.
    let other = category_named(&admin, "Desszertek").await;
    let elsewhere =
        admin.post(&format!("/product-categories/{other}/products")).key("k").json(product).send().await;
    elsewhere.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
}

async fn category_named(admin: &testkit::Client<'_>, name: &str) -> String {
    admin.post("/product-categories").json(json!({ "name": name })).send().await.assert(201).json()["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

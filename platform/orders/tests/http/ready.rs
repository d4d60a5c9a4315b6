//! Ready orders of the last two hours: where a wrong call is found.

use serde_json::{Value, json};
use testkit::kit;

use super::{pickup, prepared};

#[testkit::test]
async fn a_wrong_call_is_found_and_taken_back() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let listed = async || -> Vec<Value> {
        let rows = admin.get("/orders/ready").send().await.assert(200).json();
        rows.as_array().unwrap().iter().map(|order| order["id"].clone()).collect()
    };
    let mut ids = Vec::new();
    for number in 0..4 {
        let order =
            key.post("/public/orders").key(&number.to_string()).json(pickup(&menu)).send().await.assert(201);
        let id = order.json()["id"].clone();
        admin.put(&format!("/orders/{}/accept", id.as_str().unwrap())).send().await.assert(200);
        ids.push(id);
    }
    assert_eq!(listed().await, Vec::<Value>::new(), "accepted ones are not ready");
    let path = |number: usize, what: &str| format!("/orders/{}/{what}", ids[number].as_str().unwrap());
    for number in 0..3 {
        let ready = admin.put(&path(number, "prepared")).json(json!({})).send().await.assert(200).json();
        assert!(ready["prepared_at"].is_string(), "{ready}");
    }
    assert_eq!(listed().await, [ids[2].clone(), ids[1].clone(), ids[0].clone()], "latest first");

    let back =
        admin.put(&path(1, "prepared")).json(json!({"prepared": false})).send().await.assert(200).json();
    assert_eq!((&back["status"], &back["prepared_at"]), (&json!("processed"), &Value::Null));
    admin.put(&path(2, "archive")).json(json!({"reason": "test"})).send().await.assert(200);
    assert_eq!(listed().await, [ids[0].clone()], "neither what is made again nor what was cancelled");

    let earlier = format!(
        "update {}.orders set prepared_at = prepared_at - interval '121 minutes' where restaurant_id = $1",
        place.schema
    );
    place.kit.run(&earlier, vec![place.restaurant.into()]).await;
    assert_eq!(listed().await, Vec::<Value>::new(), "after two hours it is handed over");

    place
        .with_keys(&["all_order", "order_accept"])
        .await
        .get("/orders/ready")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

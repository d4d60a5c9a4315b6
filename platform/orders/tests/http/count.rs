//! The number of waiting orders.

use serde_json::json;
use testkit::kit;

use super::{pickup, prepared, with};

#[testkit::test]
async fn the_count_covers_waiting_orders_and_needs_the_right_to_read_them() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin
        .put("/delivery")
        .json(json!({"preorder_pickup": true, "preorder_notification_mins_before_expected": 60}))
        .send()
        .await
        .assert(200);
    let counted = async || admin.get("/orders/waiting").send().await.assert(200).json();
    assert_eq!(counted().await, json!({"count": 0, "escalated": [], "escalated_total": 0}));

    let mut ids = Vec::new();
    for number in 0..3 {
        let order = key
            .post("/public/orders")
            .key(&number.to_string())
            .json(pickup(&menu))
            .send()
            .await
            .assert(201)
            .json();
        ids.push(order["id"].as_str().unwrap().to_owned());
    }
    let later = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(3)).to_string();
    key.post("/public/orders")
        .key("pre")
        .json(with(pickup(&menu), "expected_at", json!(later)))
        .send()
        .await
        .assert(201);
    assert_eq!(
        counted().await,
        json!({"count": 3, "escalated": [], "escalated_total": 0}),
        "the preorder is not due yet"
    );

    admin.put(&format!("/orders/{}/accept", ids[0])).json(json!({})).send().await.assert(200);
    admin
        .put(&format!("/orders/{}/archive", ids[1]))
        .json(json!({"reason": "test"}))
        .send()
        .await
        .assert(200);
    assert_eq!(counted().await, json!({"count": 1, "escalated": [], "escalated_total": 0}));

    // More than are named: the total says so.
    for number in 0..24 {
        let call = admin.post("/public/orders").key(&format!("rush {number}"));
        let placed = call.json(pickup(&menu)).send().await;
        placed.assert(201);
    }
    let reached = format!(
        "update {}.orders set escalation_level = 2, escalated_at = now() where restaurant_id = $1 and status = \
         'succeeded' and show_at <= now() and id <> $2::uuid",
        place.schema
    );
    place.kit.run(&reached, vec![place.restaurant.into(), ids[2].clone().into()]).await;
    let rush = counted().await;
    assert_eq!((&rush["count"], &rush["escalated_total"]), (&json!(25), &json!(24)));
    assert_eq!(rush["escalated"].as_array().unwrap().len(), 20);

    place
        .with_keys(&["order_accept"])
        .await
        .get("/orders/waiting")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = place.kit.stranger().await;
    assert_eq!(
        stranger.admin().await.get("/orders/waiting").send().await.assert(200).json(),
        json!({"count": 0, "escalated": [], "escalated_total": 0}),
        "another restaurant's"
    );
}

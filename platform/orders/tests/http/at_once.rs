//! What staff take by hand, accepted as it is placed.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{order, pickup, prepared, text, with};

async fn switch(admin: &Client<'_>, on: bool) {
    admin.put("/pos/configs").json(json!({"accept_at_once": on})).send().await.assert(200);
}

fn minutes(order: &Value) -> i64 {
    let at = |key: &str| chrono::DateTime::parse_from_rfc3339(order[key].as_str().unwrap()).unwrap();
    (at("expected_at") - at("accepted_at")).num_minutes()
}

#[testkit::test]
async fn what_staff_take_is_accepted_at_once() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let guest = format!("{}@guest.test", place.restaurant);
    let by_phone = || with(with(pickup(&menu), "platform", json!("phone")), "email", json!(guest));
    let status = |order: &Value| text(&order["status"]);
    assert_eq!(
        status(&order(&admin, by_phone()).await.assert(201).json()),
        "succeeded",
        "not unless it is set"
    );
    switch(&admin, true).await;
    let until = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(1)).to_string();
    admin.put("/busy").json(json!({"busy_minutes": 20, "busy_until": until})).send().await.assert(200);

    let taken = order(&admin, by_phone()).await.assert(201).json();
    assert_eq!(status(&taken), "processed");
    assert_eq!(taken["allowed"], json!(["prepare", "take_back", "archive", "change", "replace"]));
    assert_eq!((&taken["delivery_time_minute"], minutes(&taken)), (&json!(50), 50), "usual, and busy");
    assert_eq!(taken["accept_seconds"], Value::Null, "it has not waited");
    let path = format!("/orders/{}", text(&taken["id"]));
    let seen = admin.get(&path).send().await.assert(200).json();
    let steps: Vec<_> = seen["history"].as_array().unwrap().iter().map(|one| text(&one["status"])).collect();
    assert_eq!((status(&seen), steps), ("processed".into(), vec!["succeeded".into(), "processed".into()]));
    assert_eq!((&seen["counter"], &seen["expected_at"]), (&taken["counter"], &taken["expected_at"]));
    // It is taken back and accepted again as any other.
    admin.put(&format!("{path}/take-back")).json(json!({})).send().await.assert(200);
    admin.put(&format!("{path}/accept")).json(json!({"delivery_time_minute": 15})).send().await.assert(200);

    // A wanted time stays.
    let at = kernel::time::Timestamp(kernel::clock::now() + chrono::Duration::hours(5)).to_string();
    let later = order(&admin, with(by_phone(), "expected_at", json!(at))).await.assert(201).json();
    assert_eq!((status(&later), text(&later["expected_at"])), ("processed".into(), at));

    // Who may not accept takes it as ever, so do guests, and a try rings.
    let taker = place.with_keys(&["admin_login", "fresh_order"]).await;
    assert_eq!(status(&order(&taker, by_phone()).await.assert(201).json()), "succeeded");
    assert_eq!(status(&order(&key, pickup(&menu)).await.assert(201).json()), "succeeded");
    let shop = with(pickup(&menu), "is_test", json!(true));
    assert_eq!(
        status(&order(&admin, with(shop, "platform", json!("phone"))).await.assert(201).json()),
        "succeeded"
    );
    switch(&admin, false).await;
    assert_eq!(status(&order(&admin, by_phone()).await.assert(201).json()), "succeeded");
}

#[testkit::test]
async fn a_guest_hears_once_of_an_order_that_is_accepted_at_once() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    switch(&admin, true).await;
    let guest = format!("{}@guest.test", place.restaurant);
    let body = with(with(pickup(&menu), "platform", json!("phone")), "email", json!(guest));
    order(&admin, body).await.assert(201);
    for _ in 0..400 {
        place.kit.run_jobs().await;
        let waiting = "select count(*) n from control.job where kind like 'order_email%' and partner_id = $1";
        let left = place.kit.row(waiting, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap();
        if left == 0 && !place.kit.mails_to(&guest).is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let mails = place.kit.mails_to(&guest);
    assert!(mails.len() == 1 && !mails[0].contains("megkaptuk"), "{mails:?}");
}

//! Holidays.

use serde_json::json;
use testkit::{kit, plain_resource};

#[testkit::test]
async fn restaurant_holidays_are_a_plain_resource() {
    plain_resource("restaurant_holidays").await;
}

#[testkit::test]
async fn a_holiday_has_an_order_and_both_ends_of_its_hours() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let day = |from: &str, till: &str| {
        json!({"valid_from": from, "valid_till": till,
        "holiday_type": "holiday_open"})
    };
    let mut bad = day("2031-12-26", "2031-12-24");
    bad["open_at"] = json!("10:00");
    admin.post("/restaurant-holidays").json(bad).send().await.assert_keys(&["valid_till", "close_at"]);
    let row = admin
        .post("/restaurant-holidays")
        .json(day("2031-12-24", "2031-12-24"))
        .send()
        .await
        .assert(201)
        .json();
    let path = format!("/restaurant-holidays/{}", row["id"].as_str().unwrap());
    admin.put(&path).json(json!({"valid_till": "2031-12-23"})).send().await.assert_keys(&["valid_till"]);
    admin.put(&path).json(json!({"close_at": "22:00"})).send().await.assert_keys(&["open_at"]);
    admin
        .put(&path)
        .json(json!({"open_at": "10:00", "close_at": "22:00", "holiday_type": "holiday_open"}))
        .send()
        .await
        .assert(200);
    admin.put(&path).json(json!({"open_at": null})).send().await.assert_keys(&["open_at"]);
    admin.post("/restaurant-holidays").json(day("2031-05-01", "2031-05-01")).send().await.assert(201);
    let firsts = admin.get("/restaurant-holidays").send().await.assert(200).json();
    let firsts: Vec<_> = firsts.as_array().unwrap().iter().map(|row| row["valid_from"].clone()).collect();
    assert_eq!(firsts, ["2031-05-01", "2031-12-24"], "by their first day");
    let restaurant = admin.get("").send().await.assert(200).json();
    assert_eq!(
        (&restaurant["version"], &restaurant["catalogue_version"]),
        (&json!(1), &json!(4)),
        "guests see it, nobody's form is stale"
    );
}

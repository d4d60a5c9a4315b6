//! Opening hours.

use serde_json::json;
use testkit::kit;

#[testkit::test]
async fn the_week_is_replaced_whole() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let week = json!([
        {"day": "sat", "open_at": "18:00", "close_at": "02:00"},
        {"day": "mon", "open_at": "17:00", "close_at": "22:00"},
        {"day": "mon", "open_at": "11:00", "close_at": "15:00"},
    ]);
    let after =
        admin.put("/opening-hours").json(json!({"opening_hours": week})).send().await.assert(200).json();
    assert_eq!(after, json!({"opening_hours": [week[2], week[1], week[0]], "version": 2}), "from Monday on");
    assert_eq!(
        place.with_keys(&["admin_login"]).await.get("/opening-hours").send().await.assert(200).json(),
        after
    );
    let restaurant = admin.get("").send().await.assert(200).json();
    assert_eq!(
        (&restaurant["version"], &restaurant["catalogue_version"]),
        (&json!(2), &json!(2)),
        "guests see it"
    );
    let closed =
        admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200).json();
    assert_eq!(closed, json!({"opening_hours": [], "version": 3}));
}

#[testkit::test]
async fn a_stale_save_does_not_undo_a_newer_one() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let monday = json!([{"day": "mon", "open_at": "11:00", "close_at": "20:00"}]);
    let put = |hours: &serde_json::Value, version| {
        admin.put("/opening-hours").json(json!({"opening_hours": hours, "version": version})).send()
    };
    let seen = admin.get("/opening-hours").send().await.assert(200).json();
    assert_eq!(seen["version"], 1);
    put(&monday, json!(1)).await.assert(200);
    let late = put(&json!([]), json!(1)).await.assert_problem(409, "CONFLICT").json();
    assert_eq!(late["current"], json!({"opening_hours": monday, "version": 2}));
    // Other settings are not in the way, and without a version the last one wins.
    admin.put("/general").json(json!({"city": "Pécs"})).send().await.assert(200);
    put(&monday, json!(2)).await.assert(200);
    admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200);
    assert_eq!(admin.get("/opening-hours").send().await.assert(200).json()["version"], 4);
    // A body that equals the answer of a GET is accepted.
    let whole = admin.get("/opening-hours").send().await.assert(200).json();
    admin.put("/opening-hours").json(whole).send().await.assert(200);
}

#[testkit::test]
async fn spans_that_overlap_are_named() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |hours| admin.put("/opening-hours").json(json!({"opening_hours": hours})).send();
    put(json!([
        {"day": "mon", "open_at": "11:00", "close_at": "15:00"},
        {"day": "mon", "open_at": "14:00", "close_at": "20:00"},
        {"day": "sun", "open_at": "20:00", "close_at": "12:00"},
    ]))
    .await
    .assert_keys(&["opening_hours.0.open_at", "opening_hours.1.open_at"]);
    put(json!([{"day": "monday", "open_at": "24:00", "close_at": "9:00"}, {"day": "tue"}]))
        .await
        .assert_keys(&[
            "opening_hours.0.day",
            "opening_hours.0.open_at",
            "opening_hours.0.close_at",
            "opening_hours.1.open_at",
            "opening_hours.1.close_at",
        ]);
    let now = admin.get("/opening-hours").send().await.assert(200).json();
    assert_eq!(
        (now["opening_hours"].as_array().unwrap().len(), &now["version"]),
        (7, &json!(1)),
        "nothing has changed"
    );
    let other = place.with_keys(&["admin_login", "restaurant_general"]).await;
    other
        .put("/opening-hours")
        .json(json!({"opening_hours": []}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

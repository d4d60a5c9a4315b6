use serde_json::json;
use testkit::{Client, Place, kit, plain_resource};

/// The secret in an address.
pub(crate) fn secret_of(tv: &serde_json::Value) -> String {
    tv["tv_url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

pub(crate) fn display<'k>(place: &Place<'k>, secret: &str) -> Client<'k> {
    place.nobody().bearer(secret.to_owned())
}

#[tokio::test]
async fn guest_tvs_are_a_plain_resource() {
    plain_resource("restaurant_tvs").await;
}

#[tokio::test]
async fn an_address_opens_its_board_until_it_is_made_anew() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "tv"]).await;
    let tv = admin.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    let secret = secret_of(&tv);
    assert_eq!(tv["tv_url"], format!("http://pult.test/tv#{secret}"));
    assert!(!tv["tv_url"].as_str().unwrap().contains(tv["id"].as_str().unwrap()), "an id is no token");
    let board = display(&place, &secret).get("/api/v3/device/board").send().await.assert(200).json();
    assert_eq!((&board["preparing"], &board["ready"], &board["enable_sound"]), (&json!([]), &json!([]), &json!(true)));
    let fields: Vec<&str> = board.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["background", "background_color", "enable_sound", "language", "now", "preparing", "ready", "restaurant", "timezone"]);

    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let anew = admin.post(&format!("{path}/address")).send().await.assert(200).json();
    assert_ne!(secret_of(&anew), secret);
    display(&place, &secret).get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    display(&place, &secret_of(&anew)).get("/api/v3/device/board").send().await.assert(200);
    assert_eq!(admin.get(&path).send().await.assert(200).json()["tv_url"], anew["tv_url"]);
    // The address cannot be taken over by the display, which shows it to everybody.
    display(&place, &secret_of(&anew)).put("/api/v3/device/secret").send().await.assert_problem(409, "IN_USE");

    // Nothing in the clear: neither here nor in what is kept of answers, nor in the log.
    let found = kit()
        .await
        .texts(&format!(
            "select 'x' from control.device d where d::text like '%{secret}%' union all select 'y' from {0}.idempotency_key k where k.answer like '%{secret}%' \
             union all select 'z' from {0}.audit_detail d where d.details::text like '%{secret}%'",
            place.schema
        ))
        .await;
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn a_board_goes_dark_with_its_feature_its_tv_and_its_device() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let tv = admin.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let board = display(&place, &secret_of(&tv));
    let feature = format!("delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'tv'", place.schema);
    kit().await.run(&feature, vec![place.restaurant.into()]).await;
    board.get("/api/v3/device/board").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    admin.get("/restaurant-tvs").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    kit().await.run(&format!("insert into {}.restaurant_feature values ($1, 'tv')", place.schema), vec![place.restaurant.into()]).await;
    board.get("/api/v3/device/board").send().await.assert(200);

    let devices = admin.get("/devices").send().await.assert(200).json();
    assert_eq!((&devices[0]["by_address"], &devices[0]["shows"], &devices[0]["online"]), (&json!(true), &json!("Pult felett"), &json!(true)));
    admin.delete(&format!("/devices/{}", devices[0]["id"].as_str().unwrap())).send().await.assert(204);
    board.get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    assert_eq!(admin.get(&path).send().await.assert(200).json()["tv_url"], json!(null));
    let anew = admin.post(&format!("{path}/address")).send().await.assert(200).json();
    let board = display(&place, &secret_of(&anew));
    board.get("/api/v3/device/board").send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    board.get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    assert_eq!(admin.get("/devices").send().await.assert(200).json(), json!([]));
}

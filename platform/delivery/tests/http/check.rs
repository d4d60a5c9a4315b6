//! Where a place lies, for staff and for shops.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{KEYS, method, polygon, region, square, street};

async fn check(client: &Client<'_>, query: &str) -> Value {
    client.get(&format!("/delivery-regions/check?{query}")).send().await.assert(200).json()
}

fn whys(found: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    found["matches"].as_array().unwrap().iter().map(|one| (text(&one["name"]), text(&one["why"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, why)| ((*name).to_owned(), (*why).to_owned())).collect()
}

#[testkit::test]
async fn a_point_is_in_the_cheapest_active_region() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "gps_based").await;
    let free = check(&admin, "lat=47.05&lng=19.05").await;
    assert_eq!(
        (&free["placed"], &free["reason"], &free["winner"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    let near = region(&admin, "Közel", json!({"price": 500, "name_sec_lang": "Near"})).await;
    let wide = region(&admin, "Távol", json!({"price": 900})).await;
    let off = region(&admin, "Kikapcsolva", json!({"price": 100, "active": false})).await;
    polygon(&admin, &near, square(47.0, 19.0, 0.1)).await;
    polygon(&admin, &near, square(47.0, 19.0, 0.09)).await;
    polygon(&admin, &wide, square(46.9, 18.9, 0.5)).await;
    polygon(&admin, &off, square(46.9, 18.9, 0.5)).await;
    let found = check(&admin, "lat=47.05&lng=19.05").await;
    assert_eq!(
        whys(&found),
        pairs(&[("Közel", "lowest_price"), ("Távol", "higher_price"), ("Kikapcsolva", "inactive")])
    );
    assert_eq!(
        found["winner"],
        json!({"delivery_region_id": near["id"], "name": "Közel", "name_sec_lang": "Near", "street_id": null,
            "street": null, "price": 500, "min_order_price": 2000, "threshold_price": null,
            "price_under_threshold": null, "by": "shape"})
    );
    // On the border, and a hand's breadth beside it.
    assert_eq!(check(&admin, "lat=47.1&lng=19.05").await["winner"]["name"], json!("Közel"));
    assert_eq!(check(&admin, "lat=47.100001&lng=19.05").await["winner"]["name"], json!("Távol"));
    let beside = check(&admin, "lat=47.41&lng=19.05").await;
    assert_eq!((&beside["placed"], &beside["reason"]), (&json!(false), &json!("no_delivery_there")));
    assert_eq!(beside["nearest"]["name"], json!("Távol"));
    let metres = beside["nearest"]["distance_m"].as_i64().unwrap();
    assert!((1_110..1_115).contains(&metres), "{metres} m");

    // Shops hear of the winner alone.
    let shop = place.api_key(&["menu:read"]).await;
    let told = shop.get("/public/delivery/check?lat=47.05&lng=19.05").send().await.assert(200).json();
    assert_eq!(told["winner"], found["winner"]);
    assert!(told.get("matches").is_none());
    let told = shop.get("/public/delivery/check?lat=47.41&lng=19.05").send().await.assert(200).json();
    assert_eq!(told["nearest"], beside["nearest"]);
    let other = place.api_key(&["orders:read"]).await;
    other
        .get("/public/delivery/check?lat=1&lng=1")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_street_is_found_however_it_is_spelt() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "street_based").await;
    let near = region(&admin, "Közel", json!({"price": 500})).await;
    let far = region(&admin, "Távol", json!({"price": 300})).await;
    street(&admin, &near, json!({"name": "Petőfi Sándor utca", "postcode": "9021", "price": 400})).await;
    street(&admin, &far, json!({"name": "*", "city": "Győr"})).await;
    street(&admin, &far, json!({"name": "Petőfi Sándor tér", "postcode": "9021"})).await;
    for spelling in ["Petőfi Sándor utca", "petofi sandor u. 12", "PETŐFI SÁNDOR UTCA 3/B", "Petőfi Sándor 4"]
    {
        let found =
            check(&admin, &format!("postcode=9021&city=Győr&street={}", spelling.replace(' ', "%20"))).await;
        let expected = if spelling.ends_with(" 4") { ("Távol", 300) } else { ("Közel", 400) };
        assert_eq!(
            (&found["winner"]["name"], &found["winner"]["price"], &found["winner"]["by"]),
            (&json!(expected.0), &json!(expected.1), &json!("street")),
            "{spelling}"
        );
    }
    let found = check(&admin, "postcode=H-9021&city=gyor&street=Petofi%20Sandor%20u.").await;
    assert_eq!(whys(&found), pairs(&[("Közel", "only"), ("Távol", "less_exact"), ("Távol", "less_exact")]));
    // Anywhere else in the town; nowhere.
    assert_eq!(check(&admin, "city=Győr&street=Ismeretlen").await["winner"]["street"], json!("Győr"));
    let nowhere = check(&admin, "city=Pér&street=Fő%20utca").await;
    assert_eq!((&nowhere["reason"], &nowhere["nearest"]), (&json!("place_unknown"), &Value::Null));
    // Coordinates say nothing here.
    assert_eq!(check(&admin, "lat=47&lng=19").await["reason"], json!("place_unknown"));
    let switched_off = json!({"active": false});
    admin.put(&super::at(&far)).json(switched_off).send().await.assert(200);
    assert_eq!(check(&admin, "city=Győr&street=Ismeretlen").await["reason"], json!("no_delivery_there"));
    // By coordinates, streets are asked where there are none.
    method(&place, "gps_based").await;
    let found = check(&admin, "postcode=9021&street=Petőfi%20Sándor%20utca").await;
    assert_eq!(found["winner"]["name"], json!("Közel"));
}

#[testkit::test]
async fn half_a_place_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    for (query, keys) in [
        ("", &["lat", "lng", "street"][..]),
        ("street=%20", &["lat", "lng", "street"]),
        ("lat=47", &["lng"]),
        ("lng=19&city=Győr", &["lat"]),
        ("lat=91&lng=19", &["lat"]),
        ("lat=NaN&lng=19", &["lat"]),
        ("lat=47&lng=inf", &["lng"]),
    ] {
        let refused = admin.get(&format!("/delivery-regions/check?{query}")).send().await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(keys);
    }
    let long = "x".repeat(101);
    let refused = admin.get(&format!("/delivery-regions/check?street={long}")).send().await;
    refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["street"]);
    for (query, keys) in
        [("from=2026-02-01&till=2026-01-01", "from"), ("from=2024-01-01&till=2026-01-01", "from")]
    {
        let refused = admin.get(&format!("/delivery-regions/orders-map?{query}")).send().await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&[keys]);
    }
    assert_eq!(admin.get("/delivery-regions/orders-map").send().await.assert(200).json(), json!([]));
}

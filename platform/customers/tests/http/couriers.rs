use serde_json::json;
use testkit::{kit, plain_resource};

#[tokio::test]
async fn couriers_are_a_plain_resource() {
    plain_resource("couriers").await;
}

#[tokio::test]
async fn couriers_are_found_by_name_vehicle_and_activity() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for (first, last, vehicle, active) in
        [("Ödön", "Árvai", json!("moped"), true), ("Anna", "Bíró", json!(null), true), ("Béla", "Cukor", json!("foot"), false)]
    {
        let made = admin.post("/couriers").json(json!({"first_name": first, "last_name": last, "vehicle": vehicle, "active": active})).send().await;
        assert_eq!(made.assert(201).json()["name"], format!("{last} {first}"));
    }
    for (query, expected) in [
        ("", "Árvai Ödön, Bíró Anna, Cukor Béla"),
        ("?name=ARVAI", "Árvai Ödön"),
        ("?name=anna", "Bíró Anna"),
        ("?name=%25", ""),
        ("?active=false", "Cukor Béla"),
        ("?active=true&vehicle=moped", "Árvai Ödön"),
        ("?limit=1&page=1", "Bíró Anna"),
    ] {
        let found = admin.get(&format!("/couriers{query}")).send().await.assert(200).json();
        let names: Vec<_> = found.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert_eq!(names.join(", "), expected, "{query}");
    }
    admin.get("/couriers?vehicle=rocket").send().await.assert_problem(422, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_courier_keeps_a_name_when_changed() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = admin.post("/couriers").json(json!({"first_name": "Éva", "last_name": "Kis"})).send().await.assert(201).json();
    let path = format!("/couriers/{}", made["id"].as_str().unwrap());
    assert_eq!(admin.put(&path).json(json!({"last_name": "Nagy"})).send().await.assert(200).json()["name"], "Nagy Éva");
    admin.put(&path).json(json!({"first_name": "", "vehicle": "rocket"})).send().await.assert_keys(&["first_name", "vehicle"]);
    admin.put(&path).json(json!({"first_name": " "})).send().await.assert_keys(&["first_name"]);
}

//! Regions: what the editor saves, and what it is refused.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{KEYS, actions, at, polygon, region, square, street};

#[testkit::test]
async fn a_region_is_what_was_sent() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let made = region(&admin, " Belváros ", json!({})).await;
    for (field, expected) in [
        ("name", json!("Belváros")),
        ("restaurant_id", json!(place.restaurant)),
        ("active", json!(true)),
        ("price", json!(500)),
        ("min_order_price", json!(2000)),
        ("threshold_price", Value::Null),
        ("courier_price", Value::Null),
        ("streets", json!(0)),
        ("polygons", json!(0)),
        ("version", json!(1)),
        ("archived_at", Value::Null),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    street(&admin, &made, json!({"name": "Fő utca"})).await;
    polygon(&admin, &made, square(47.0, 19.0, 0.1)).await;
    let all = json!({"name": "Óváros", "name_sec_lang": "Old town", "active": false, "price": 0,
        "min_order_price": 0, "threshold_price": 5000, "price_under_threshold": 900, "courier_price": 300,
        "version": 1});
    let changed = admin.put(&at(&made)).json(all.clone()).send().await.assert(200).json();
    for (field, value) in all.as_object().unwrap() {
        assert!(field == "version" || &changed[field] == value, "{field}: {}", changed[field]);
    }
    assert_eq!((&changed["streets"], &changed["polygons"]), (&json!(1), &json!(1)));
    let stale = admin.put(&at(&made)).json(json!({"price": 1, "version": 1})).send().await;
    assert_eq!(stale.assert_problem(409, "CONFLICT").json()["current"], changed);
    let cleared = json!({"name_sec_lang": null, "threshold_price": null, "price_under_threshold": null,
        "courier_price": null});
    let cleared = admin.put(&at(&made)).json(cleared).send().await.assert(200).json();
    assert_eq!((&cleared["threshold_price"], &cleared["price"]), (&Value::Null, &json!(0)));

    region(&admin, "Árpád", json!({})).await;
    let names = |rows: Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let list = async |query: &str| {
        names(admin.get(&format!("/delivery-regions{query}")).send().await.assert(200).json())
    };
    assert_eq!(list("").await, ["Árpád", "Óváros"]);
    assert_eq!(list("?name=ovar").await, ["Óváros"]);
    assert_eq!(list("?active=true").await, ["Árpád"]);
    let picker = place.with_keys(&["admin_login", "order", "fresh_order"]).await;
    let short = picker.get("/delivery-regions/names").send().await.assert(200).json();
    assert_eq!(names(short.clone()), ["Árpád", "Óváros"]);
    assert_eq!(short[1], json!({"id": made["id"], "name": "Óváros", "active": false}));
    picker.get("/delivery-regions").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");

    admin.delete(&at(&made)).send().await.assert(204);
    for path in [at(&made), format!("{}/streets", at(&made)), format!("{}/polygons", at(&made))] {
        admin.get(&path).send().await.assert_problem(404, "DELIVERY_REGION_NOT_EXIST");
    }
    assert_eq!(admin.get("/delivery-regions/polygons").send().await.assert(200).json(), json!([]));
    assert_eq!(
        actions(&place, &made).await,
        "delivery_regions_create,delivery_regions_update,delivery_regions_update,delivery_regions_delete"
    );
}

#[testkit::test]
async fn refusals_name_the_field() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    for (fields, keys) in [
        (json!({"name": "  "}), &["name"][..]),
        (json!({"name": "x".repeat(81)}), &["name"]),
        (json!({"price": -1}), &["price"]),
        (json!({"price": 10.5}), &["price"]),
        (json!({"price": 10_000_001}), &["price"]),
        (json!({"min_order_price": null}), &["min_order_price"]),
        (json!({"threshold_price": 0.5, "courier_price": 0.5}), &["threshold_price", "courier_price"]),
    ] {
        let mut body = json!({"name": "Belváros", "price": 500, "min_order_price": 2000});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let refused = admin.post("/delivery-regions").json(body).send().await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(keys);
    }
    // The same key gives the first answer, and one row.
    let key = Uuid::now_v7().to_string();
    let body = json!({"name": "Belváros", "price": "500", "min_order_price": 2000});
    let first = admin.post("/delivery-regions").key(&key).json(body.clone()).send().await.assert(201).json();
    let again = admin.post("/delivery-regions").key(&key).json(body).send().await.assert(201).json();
    assert_eq!(first, again);
    assert_eq!(place.count("delivery_region").await, 1);
    // Amounts fix the currency.
    let owner = place.partner_admin().await;
    let change = owner.put("/general").json(json!({"currency": "eur"})).send().await;
    assert!(change.status != 200, "the currency stays");
}

#[testkit::test]
async fn regions_of_others_do_not_exist() {
    let kit = kit().await;
    let (mine, other) = (kit.restaurant().await, kit.restaurant().await);
    let (admin, theirs) = (mine.with_keys(KEYS).await, other.with_keys(KEYS).await);
    let foreign = region(&theirs, "Messze", json!({})).await;
    let own = region(&admin, "Közel", json!({})).await;
    let far = street(&theirs, &foreign, json!({"name": "Fő utca"})).await;
    let shape = polygon(&theirs, &foreign, square(47.0, 19.0, 0.1)).await;
    let path = at(&foreign);
    for answer in [
        admin.get(&path).send().await,
        admin.put(&path).json(json!({"price": 1})).send().await,
        admin.delete(&path).send().await,
        admin.get(&format!("{path}/streets")).send().await,
        admin.post(&format!("{path}/streets")).json(json!({"name": "Kis utca"})).send().await,
        admin.get(&format!("{path}/polygons")).send().await,
        admin.put(&format!("{path}/polygons")).json(json!({"polygons": []})).send().await,
    ] {
        answer.assert_problem(404, "DELIVERY_REGION_NOT_EXIST");
    }
    // A foreign street below an own region.
    let street = format!("{}/streets/{}", at(&own), far["id"].as_str().unwrap());
    admin
        .put(&street)
        .json(json!({"price": 1}))
        .send()
        .await
        .assert_problem(404, "DELIVERY_STREET_NOT_EXIST");
    admin.delete(&street).send().await.assert_problem(404, "DELIVERY_STREET_NOT_EXIST");
    let one = format!("/delivery-regions/polygons/{}", shape["id"].as_str().unwrap());
    admin
        .put(&one)
        .json(json!({"version": 1}))
        .send()
        .await
        .assert_problem(404, "DELIVERY_POLYGON_NOT_EXIST");
    admin.delete(&one).send().await.assert_problem(404, "DELIVERY_POLYGON_NOT_EXIST");
    let body = json!({"delivery_region_id": foreign["id"], "polygon_type": "polygon",
        "polygon_data": square(47.0, 19.0, 0.1)});
    let refused = admin.post("/delivery-regions/polygons").json(body).send().await;
    refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["delivery_region_id"]);
    let saving = json!({"save": [{"id": shape["id"], "delivery_region_id": foreign["id"],
        "polygon_type": "polygon", "polygon_data": square(47.0, 19.0, 0.2)}], "delete": [{"id": Uuid::now_v7()}]});
    let refused = admin.put("/delivery-regions/polygons").json(saving).send().await;
    refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&[
        "save.0.delivery_region_id",
        "save.0.id",
        "delete.0.id",
    ]);
    assert_eq!(theirs.get(&path).send().await.assert(200).json()["polygons"], json!(1));
}

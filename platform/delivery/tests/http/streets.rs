//! The streets of a region.

use serde_json::{Value, json};
use testkit::kit;

use super::{KEYS, actions, at, region, street};

#[testkit::test]
async fn a_street_is_what_was_sent() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    let streets = format!("{}/streets", at(&home));
    let made = street(&admin, &home, json!({"name": " Petőfi Sándor utca ", "postcode": "9021"})).await;
    assert_eq!(
        (&made["name"], &made["price"], &made["active"]),
        (&json!("Petőfi Sándor utca"), &Value::Null, &json!(true))
    );
    assert_eq!(made["delivery_region_id"], home["id"]);
    let path = format!("{streets}/{}", made["id"].as_str().unwrap());
    let all = json!({"name": "Arany János u.", "postcode": "9022", "city": "Győr", "price": 700, "active": false,
        "description": "csak páros", "legacy_id": "77", "version": 1});
    let changed = admin.put(&path).json(all.clone()).send().await.assert(200).json();
    for (field, value) in all.as_object().unwrap() {
        assert!(field == "version" || &changed[field] == value, "{field}");
    }
    assert_eq!(admin.get(&path).send().await.assert(200).json(), changed);
    let other = region(&admin, "Másik", json!({})).await;
    let elsewhere = path.replace(&at(&home), &at(&other));
    admin.get(&elsewhere).send().await.assert_problem(404, "DELIVERY_STREET_NOT_EXIST");
    let stale = admin.put(&path).json(json!({"price": 1, "version": 1})).send().await;
    assert_eq!(stale.assert_problem(409, "CONFLICT").json()["current"], changed);
    let cleared =
        json!({"postcode": null, "city": null, "price": null, "description": null, "legacy_id": null});
    let cleared = admin.put(&path).json(cleared).send().await.assert(200).json();
    assert_eq!((&cleared["postcode"], &cleared["price"]), (&Value::Null, &Value::Null));

    // Under any spelling it is there already; with another postcode or in another region it is not.
    for (body, keys) in [
        (json!({"name": "arany janos utca 12"}), &["name"][..]),
        (json!({"name": "*"}), &["postcode", "city"]),
        (json!({"name": "..."}), &["name"]),
        (json!({"name": " "}), &["name"]),
        (json!({"name": "x".repeat(121)}), &["name"]),
        (json!({"name": "Fő utca", "price": 0.5}), &["price"]),
        (json!({"name": "Fő utca", "price": -1}), &["price"]),
    ] {
        let refused = admin.post(&streets).json(body).send().await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(keys);
    }
    street(&admin, &home, json!({"name": "Arany János utca", "postcode": "9022"})).await;
    let second = street(&admin, &home, json!({"name": "*", "city": "Abda"})).await;
    let twice = admin.put(&format!("{streets}/{}", second["id"].as_str().unwrap()));
    let twice = twice.json(json!({"name": "Arany János út"})).send().await;
    twice.assert(200);
    let twice = admin.put(&path).json(json!({"city": "Abda"})).send().await;
    twice.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["name"]);

    let list = admin.get(&format!("{streets}?limit=2&count=true")).send().await.assert(200);
    assert_eq!((list.header("x-total-count"), list.json().as_array().unwrap().len()), (Some("3"), 2));
    let found = admin.get(&format!("{streets}?name=ARANY&page=0")).send().await.assert(200).json();
    assert_eq!(found.as_array().unwrap().len(), 3);
    admin.delete(&path).send().await.assert(204);
    admin.delete(&path).send().await.assert_problem(404, "DELIVERY_STREET_NOT_EXIST");
    admin.get(&path).send().await.assert_problem(404, "DELIVERY_STREET_NOT_EXIST");
    // Its name is free again.
    street(&admin, &home, json!({"name": "Arany János utca"})).await;
    assert_eq!(
        actions(&place, &made).await,
        "delivery_streets_create,delivery_streets_update,delivery_streets_update,delivery_streets_delete"
    );
}

#[testkit::test]
async fn two_who_add_one_street_add_it_once() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    let streets = format!("{}/streets", at(&home));
    let add = |name: &str| admin.post(&streets).json(json!({ "name": name })).send();
    let (one, other, third) = tokio::join!(add("Fő utca"), add("fo u."), add("FŐ UTCA 3"));
    let mut statuses = [one.status, other.status, third.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422]);
}

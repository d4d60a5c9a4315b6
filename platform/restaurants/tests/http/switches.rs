//! Switches and features of restaurants.

use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

#[testkit::test]
async fn switches_and_features_of_any_restaurant() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.super_admin().await;
    let at = format!("/api/v3/super-admin/restaurants/{}", place.restaurant);
    let before = admin.get(&format!("{at}/switches")).send().await.assert(200).json();
    assert_eq!(
        (&before["enable_kitchen_queue"], &before["delivery_method"], &before["features"]),
        (&json!(false), &json!("street_based"), &json!(["balance", "kiosk", "loyalty", "push", "tv"]))
    );
    let change = json!({"enable_kitchen_queue": true, "sandbox_payment": true, "delivery_method": "gps_based",
        "ntak_quantity_unit": "piece", "version": before["version"]});
    let after = admin.put(&format!("{at}/switches")).json(change.clone()).send().await.assert(200).json();
    assert_eq!(
        (&after["enable_kitchen_queue"], &after["autoqueue"], &after["delivery_method"]),
        (&json!(true), &json!(false), &json!("gps_based"))
    );
    let stale =
        admin.put(&format!("{at}/switches")).json(change).send().await.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"]["version"], after["version"]);
    let cleared = admin.put(&format!("{at}/switches")).json(json!({"ntak_quantity_unit": null})).send().await;
    assert_eq!(cleared.assert(200).json()["ntak_quantity_unit"], json!(null));
    // The soup of the tax report, and ids of nothing and of another kind.
    let soup = "00000000-0000-7000-8000-000000000704";
    for wrong in [Uuid::now_v7().to_string(), place.restaurant.to_string(), soup.replace("704", "11b")] {
        let ntak = json!({"ntak_category_id": wrong});
        admin.put(&format!("{at}/switches")).json(ntak).send().await.assert_keys(&["ntak_category_id"]);
    }
    let set = admin.put(&format!("{at}/switches")).json(json!({"ntak_category_id": soup})).send().await;
    assert_eq!(set.assert(200).json()["ntak_category_id"], soup);
    let cleared = admin.put(&format!("{at}/switches")).json(json!({"ntak_category_id": null})).send().await;
    assert_eq!(cleared.assert(200).json()["ntak_category_id"], json!(null));
    for (field, value) in [
        ("delivery_method", json!("guess")),
        ("autoqueue", json!("yes")),
        ("autoqueue", json!(null)),
        ("ntak_quantity_unit", json!("barrel")),
    ] {
        admin.put(&format!("{at}/switches")).json(json!({field: value})).send().await.assert_keys(&[field]);
    }
    let on = admin
        .put(&format!("{at}/features"))
        .json(json!({"features": ["tv", "kiosk"]}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(on["features"], json!(["kiosk", "tv"]));
    admin.put(&format!("{at}/features")).json(json!({"features": ["tv"]})).send().await.assert(200);
    assert_eq!(
        place.admin().await.get("/features").send().await.assert(200).json(),
        json!([{"feature": "tv"}])
    );
    admin
        .put(&format!("{at}/features"))
        .json(json!({"features": ["tv", "sauna"]}))
        .send()
        .await
        .assert_keys(&["features.1"]);
    let lines = kit
        .row(
            &format!(
                "select count(*) n from {}.audit where restaurant_id = $1 and actor_kind = 'support'",
                place.schema
            ),
            vec![place.restaurant.into()],
        )
        .await;
    assert_eq!(lines.try_get::<i64>("", "n").unwrap(), 6);
    for foreign in [Uuid::now_v7().to_string(), place.partner.to_string()] {
        admin
            .get(&format!("/api/v3/super-admin/restaurants/{foreign}/switches"))
            .send()
            .await
            .assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
    place
        .partner_admin()
        .await
        .get(&format!("{at}/switches"))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn the_operator_sets_how_far_a_key_may_go() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let boss = place.partner_admin().await;
    let key = boss.post("/api-keys").json(json!({"name": "Futárszolgálat"})).send().await.assert(201).json();
    assert_eq!(key["limit_factor"], 1);
    let admin = place.super_admin().await;
    let at = |id: &serde_json::Value| format!("/api/v3/super-admin/api-keys/{}/limits", id.as_str().unwrap());
    let own = at(&key["id"]);
    // No support access is needed: nothing of the partner's data is opened.
    assert_eq!(
        admin.put(&own).json(json!({"limit_factor": 20})).send().await.assert(200).json(),
        json!({"limit_factor": 20})
    );
    admin.put(&own).json(json!({"limit_factor": 20})).send().await.assert(200);
    assert_eq!(boss.get("/api-keys").send().await.assert(200).json()[0]["limit_factor"], 20);
    let log = boss.get("/audit?action=api_key_limits_update").send().await.assert(200).json();
    assert_eq!(
        (log.as_array().unwrap().len(), &log[0]["record_id"], &log[0]["details"]["limit_factor"]),
        (1, &key["id"], &json!([1, 20]))
    );
    let platform = admin
        .get(&format!("/api/v3/super-admin/audit?record_id={}", key["id"].as_str().unwrap()))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(platform[0]["action"], "api_key_limits_update");
    for bad in [json!(0), json!(10_001), json!("20"), json!(null)] {
        admin.put(&own).json(json!({"limit_factor": bad})).send().await.assert_keys(&["limit_factor"]);
    }
    let unknown = at(&json!(Uuid::now_v7().to_string()));
    admin
        .put(&unknown)
        .json(json!({"limit_factor": 2}))
        .send()
        .await
        .assert_problem(404, "API_KEY_NOT_EXIST");
    boss.put(&own)
        .json(json!({"limit_factor": 2}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    boss.delete(&format!("/api-keys/{}", key["id"].as_str().unwrap())).send().await.assert(204);
    admin.put(&own).json(json!({"limit_factor": 2})).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
}

#[testkit::test]
async fn super_admins_know_each_other() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.super_admin().await;
    let me = admin.get("/api/v3/admin/me").send().await.assert(200).json();
    let all = admin.get("/api/v3/super-admin/accounts").send().await.assert(200).json();
    let own = all.as_array().unwrap().iter().find(|one| one["id"] == me["id"]).unwrap();
    assert_eq!((&own["email"], &own["second_factor"]), (&me["email"], &me["second_factor"]));
    let boss = place.partner_admin().await;
    let other = boss.get("/api/v3/admin/me").send().await.assert(200).json();
    assert!(all.as_array().unwrap().iter().all(|one| one["id"] != other["id"]));
    boss.get("/api/v3/super-admin/accounts").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn switches_and_features_return_to_what_they_were() {
    let place = kit().await.restaurant().await;
    let (admin, at) =
        (place.super_admin().await, format!("/api/v3/super-admin/restaurants/{}", place.restaurant));
    let history = async |client: &Client<'_>| {
        client.get(&format!("{at}/switches/history?count=true")).send().await.assert(200).json()
    };
    let restore = async |client: &Client<'_>, line: &Value, body: Value| {
        let line = line["id"].as_str().unwrap();
        client.post(&format!("{at}/switches/history/{line}/restore")).json(body).send().await
    };
    admin.put(&format!("{at}/switches")).json(json!({"floor_map": true})).send().await.assert(200);
    admin.put(&format!("{at}/features")).json(json!({"features": ["tv"]})).send().await.assert(200);
    // Neither changes anything, so neither has a line.
    admin.put(&format!("{at}/switches")).json(json!({"floor_map": true})).send().await.assert(200);
    admin.put(&format!("{at}/features")).json(json!({"features": ["tv"]})).send().await.assert(200);
    let lines = history(&admin).await;
    assert_eq!(lines.as_array().unwrap().len(), 2);
    assert_eq!((&lines[0]["can_restore"], &lines[0]["group"]), (&json!(true), &json!("features")));
    restore(&admin, &lines[1], json!({"version": 1})).await.assert_problem(409, "CONFLICT");
    let back = restore(&admin, &lines[1], json!({"version": 2})).await.assert(200).json();
    let record =
        format!("/audit?action=settings_history_restore&record_id={}", lines[1]["id"].as_str().unwrap());
    let logged = place.admin().await.get(&record).send().await.assert(200).json();
    assert_eq!(logged.as_array().unwrap().len(), 1, "the record is the line that was returned to");
    assert_eq!(back["floor_map"], json!(false));
    assert_eq!(back["features"], json!(["balance", "kiosk", "loyalty", "push", "tv"]));
    // The return is a change like any other, of two lines: undoing both brings back what it undid.
    let written = history(&admin).await;
    assert_eq!(written.as_array().unwrap().len(), 4);
    let again = restore(&admin, &written[1], json!({})).await.assert(200).json();
    assert_eq!((&again["floor_map"], &again["features"]), (&json!(true), &json!(["tv"])));

    // A line of other settings, or of another restaurant, leads nowhere here; a partner has no such path.
    let owner = place.admin().await;
    owner.put("/system").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let foreign = owner.get("/settings-history?group=system").send().await.assert(200).json();
    restore(&admin, &foreign[0], json!({})).await.assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
    let path = format!("{at}/switches/history");
    owner.get(&path).send().await.assert(403);
    let elsewhere = place.kit.restaurant().await;
    let elsewhere = format!("/api/v3/super-admin/restaurants/{}/switches/history", elsewhere.restaurant);
    let line = lines[1]["id"].as_str().unwrap();
    let refused = admin.post(&format!("{elsewhere}/{line}/restore")).json(json!({})).send().await;
    refused.assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
}

//! The history of settings.

use serde_json::{Value, json};
use testkit::{Client, kit};

async fn lines(client: &Client<'_>, query: &str) -> Vec<Value> {
    client
        .get(&format!("/settings-history{query}"))
        .send()
        .await
        .assert(200)
        .json()
        .as_array()
        .unwrap()
        .clone()
}

async fn restore(client: &Client<'_>, line: &Value, body: Value) -> testkit::Answer {
    client
        .post(&format!("/settings-history/{}/restore", line["id"].as_str().unwrap()))
        .json(body)
        .send()
        .await
}

#[tokio::test]
async fn settings_return_to_an_earlier_state() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |path, body| admin.put(path).json(body).send();
    put("/general", json!({"name": "Első", "phone_1": "+36 1 555 0100", "min_order_price": 1500}))
        .await
        .assert(200);
    put("/general", json!({"name": "Második", "city": "Győr"})).await.assert(200);
    put("/general", json!({"name": "Harmadik", "secondary_language": "en"})).await.assert(200);
    put("/delivery", json!({"normal_pickup": false})).await.assert(200);
    let history = lines(&admin, "?group=general").await;
    assert_eq!(history.len(), 3);
    assert_eq!(
        (&history[1]["group"], &history[1]["details"]["name"]),
        (&json!("general"), &json!(["Első", "Második"]))
    );
    assert_eq!(lines(&admin, "").await.len(), 4);

    restore(&admin, &history[1], json!({"version": 1})).await.assert_problem(409, "CONFLICT");
    restore(&admin, &history[1], json!({"version": 5})).await.assert(204);
    let now = admin.get("").send().await.assert(200).json();
    assert_eq!(
        (&now["name"], &now["city"], &now["secondary_language"]),
        (&json!("Első"), &json!("Győr"), &json!(null))
    );
    assert_eq!(
        (&now["phone_1"], &now["normal_pickup"], now["min_order_price"].to_string().trim_end_matches(".00")),
        (&json!("+36 1 555 0100"), &json!(false), "1500")
    );
    let history = lines(&admin, "?group=general").await;
    assert_eq!(
        (history.len(), &history[0]["details"]["name"]),
        (4, &json!(["Harmadik", "Első"])),
        "a return is a change like any other"
    );
    restore(&admin, &history[0], json!({})).await.assert(204);
    assert_eq!(admin.get("").send().await.assert(200).json()["name"], "Harmadik", "and can be undone");
    let sql = format!(
        "select count(*)::text from {}.audit where restaurant_id = '{}' and action = \
         'settings_history_restore'",
        place.schema, place.restaurant
    );
    assert_eq!(place.kit.texts(&sql).await, ["2"]);
}

#[tokio::test]
async fn each_group_comes_back() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |path, body| admin.put(path).json(body).send();
    let week = admin.get("/opening-hours").send().await.assert(200).json();
    put("/opening-hours", json!({"opening_hours": []})).await.assert(200);
    put("/points", json!({"point_cash_ratio": 7.5})).await.assert(200);
    put("/system", json!({"counter_prefix": "A", "temp_no_orders": true})).await.assert(200);
    put("/delivery", json!({"normal_pickup": false})).await.assert(200);
    put("/socials", json!({"blog": "https://barmi.example"})).await.assert(200);
    let legal = json!({"company_name": "Kékfrankos Kft.", "tax_num": "12345678",
        "address": "9021 Győr, Fő utca 1.", "phone_1": "1"});
    put("/legal-file", legal).await.assert(200);
    put("/legal-file", json!({"company_name": "Kékfrankos Bt.", "phone_1": null})).await.assert(200);
    for (group, at) in [
        ("opening_hours", 0),
        ("points", 0),
        ("system", 0),
        ("delivery", 0),
        ("socials", 0),
        ("legal_data", 0),
    ] {
        restore(&admin, &lines(&admin, &format!("?group={group}")).await[at], json!({})).await.assert(204);
    }
    assert_eq!(
        admin.get("/opening-hours").send().await.assert(200).json()["opening_hours"],
        week["opening_hours"]
    );
    let now = admin.get("").send().await.assert(200).json();
    assert_eq!(
        (&now["counter_prefix"], &now["normal_pickup"], &now["temp_no_orders"]),
        (&json!(null), &json!(true), &json!(true)),
        "SOS close is of the moment"
    );
    assert_eq!(now["point_cash_ratio"].as_f64(), Some(0.0));
    let legal = admin.get("/legal-file").send().await.assert(200).json();
    assert_eq!(
        (&legal["company_name"], &legal["phone_1"], &legal["version"]),
        (&json!("Kékfrankos Kft."), &json!("1"), &json!(3))
    );
    // A required field without an earlier value cannot be returned to empty.
    let first = lines(&admin, "?group=legal_data").await.pop().unwrap();
    restore(&admin, &first, json!({})).await.assert(204);
    assert_eq!(admin.get("/legal-file").send().await.assert(200).json()["company_name"], "Kékfrankos Kft.");
}

#[tokio::test]
async fn a_return_is_checked_and_needs_the_key_of_its_group() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    admin
        .put("/general")
        .json(json!({"min_order_price": "12.50", "currency": "eur"}))
        .send()
        .await
        .assert(200);
    admin.put("/general").json(json!({"min_order_price": "10"})).send().await.assert(200);
    admin.put("/general").json(json!({"currency": "huf"})).send().await.assert(200);
    let history = lines(&admin, "?group=general").await;
    let worker = place.with_keys(&["admin_login", "restaurant_opening"]).await;
    assert!(lines(&worker, "").await.is_empty());
    restore(&worker, &history[0], json!({})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place
        .with_keys(&["admin_login"])
        .await
        .get("/settings-history")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let neighbour = kit().await.restaurant().await.admin().await;
    restore(&neighbour, &history[0], json!({})).await.assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
    // A line of the log that is no change of settings.
    let key = place
        .kit
        .texts(&format!(
            "select id::text from {}.audit where action not like 'restaurants_%' limit 1",
            place.schema
        ))
        .await;
    for id in key {
        restore(&admin, &json!({ "id": id }), json!({}))
            .await
            .assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
    }
    // Before the second change the minimum was 12.50, which forints do not have; the currency came later and
    // is undone too.
    restore(&admin, &history[1], json!({})).await.assert(204);
    let now = admin.get("").send().await.assert(200).json();
    assert_eq!((&now["currency"], now["min_order_price"].to_string()), (&json!("eur"), "12.50".to_owned()));
    // Emptied details bring nothing back.
    let sql = format!("update {}.audit_detail set details = '{{}}' where audit_id = $1", place.schema);
    let newest = &lines(&admin, "?group=general").await[0];
    place.kit.run(&sql, vec![newest["id"].as_str().unwrap().parse::<uuid::Uuid>().unwrap().into()]).await;
    restore(&admin, newest, json!({})).await.assert_problem(409, "CONFLICT");
}

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

#[testkit::test]
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

    // The version is that of the group: a change of another one does not count.
    assert!(history.iter().all(|line| line["version"] == 3), "{history:?}");
    let stale = restore(&admin, &history[1], json!({"version": 2})).await.assert_problem(409, "CONFLICT");
    assert_eq!(
        (&stale.json()["changed_by"], &stale.json()["current"]["version"]),
        (&history[0]["actor_name"], &json!(3))
    );
    restore(&admin, &history[1], json!({"version": 3})).await.assert(204);
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

#[testkit::test]
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
    put("/pos/configs", json!({"service_fee": 12.5, "service_fee_mode": "all_items"})).await.assert(200);
    put("/pos/configs", json!({"service_fee": 15, "default_tip": 10})).await.assert(200);
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
        ("pos_settings", 0),
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
    let pos = admin.get("/pos/configs").send().await.assert(200).json();
    assert_eq!(
        (pos["service_fee"].as_f64(), &pos["service_fee_mode"], &pos["default_tip"], &pos["version"]),
        (Some(12.5), &json!("all_items"), &json!(null), &json!(3))
    );
    // A required field without an earlier value cannot be returned to empty.
    let first = lines(&admin, "?group=legal_data").await.pop().unwrap();
    restore(&admin, &first, json!({})).await.assert(204);
    assert_eq!(admin.get("/legal-file").send().await.assert(200).json()["company_name"], "Kékfrankos Kft.");
}

#[testkit::test]
async fn a_return_is_checked_and_needs_the_key_of_its_group() {
    let place = kit().await.restaurant().await;
    place.own_group().await;
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

async fn holidays(client: &Client<'_>) -> Vec<(Value, Value, Value)> {
    let rows = client.get("/restaurant-holidays").send().await.assert(200).json();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| (row["valid_from"].clone(), row["holiday_type"].clone(), row["open_at"].clone())).collect()
}

#[testkit::test]
async fn holidays_return_as_rows() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let day = |from: &str| json!({"valid_from": from, "valid_till": from, "holiday_type": "holiday_close"});
    let christmas =
        admin.post("/restaurant-holidays").json(day("2031-12-25")).send().await.assert(201).json();
    let easter = admin.post("/restaurant-holidays").json(day("2031-04-14")).send().await.assert(201).json();
    let at = |row: &Value| format!("/restaurant-holidays/{}", row["id"].as_str().unwrap());
    let first = holidays(&admin).await;
    let hours = json!({"holiday_type": "holiday_open", "open_at": "10:00", "close_at": "14:00"});
    admin.put(&at(&christmas)).json(hours).send().await.assert(200);
    let second = holidays(&admin).await;
    admin.delete(&at(&christmas)).send().await.assert(204);
    admin.delete(&at(&easter)).send().await.assert(204);
    admin.post("/restaurant-holidays").json(day("2031-05-01")).send().await.assert(201);
    let third = holidays(&admin).await;
    let history = lines(&admin, "?group=holidays").await;
    assert_eq!(history.len(), 6);
    let actions: Vec<_> = history.iter().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(actions[1], "restaurant_holidays_delete");
    assert_eq!(
        history[1]["details"]["valid_from"],
        json!(["2031-04-14", null]),
        "a deleted row is described"
    );

    // Before Christmas was deleted: both are back, the first of May is gone.
    restore(&admin, &history[2], json!({})).await.assert(204);
    assert_eq!(holidays(&admin).await, second);
    // The first line that the return wrote undoes it.
    let now = lines(&admin, "?group=holidays").await;
    let undo = &now[now.len() - history.len() - 1];
    restore(&admin, undo, json!({})).await.assert(204);
    assert_eq!(holidays(&admin).await, third);
    // Across the changes of both rows, and again.
    for _ in 0..2 {
        restore(&admin, &history[3], json!({})).await.assert(204);
        assert_eq!(holidays(&admin).await, first);
    }
    restore(&admin, history.last().unwrap(), json!({})).await.assert(204);
    assert!(holidays(&admin).await.is_empty());
    // Whoever cannot change them neither sees nor returns them.
    let other = place.with_keys(&["admin_login", "restaurant_general"]).await;
    assert!(lines(&other, "?group=holidays").await.is_empty());
    restore(&other, &history[3], json!({})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn payment_methods_return_without_accounts() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let taken = async || {
        let settings = admin.get("/payment-methods/settings").send().await.assert(200).json();
        let methods = settings["payment_methods"].as_array().unwrap().clone();
        let on: Vec<Value> =
            methods.iter().filter(|one| one["enabled"] == true).map(|one| one["id"].clone()).collect();
        (on, settings["eur_huf_rate"].to_string(), settings["simplepay"]["merchant_id"].clone())
    };
    let all = admin.get("/payment-methods").send().await.assert(200).json();
    let free = |one: &&Value| one["needs"].as_array().unwrap().is_empty() && one["always_available"] == false;
    let ids: Vec<Value> = all.as_array().unwrap().iter().filter(free).map(|one| one["id"].clone()).collect();
    let put = |body| admin.put("/payment-methods").json(body).send();
    let first = taken().await;
    put(json!({"payment_method_ids": &ids[..1], "eur_huf_rate": "401.5"})).await.assert(200);
    let second = taken().await;
    assert_ne!(first.0, second.0);
    let account = json!({"merchant_id": "PUBLICTESTHUF", "secret_key": "titok"});
    put(json!({"payment_method_ids": &ids[..2], "simplepay": account})).await.assert(200);
    let history = lines(&admin, "?group=payment_methods").await;
    assert_eq!(history.len(), 2);
    restore(&admin, &history[0], json!({"version": 1})).await.assert_problem(409, "CONFLICT");
    restore(&admin, &history[0], json!({"version": 2})).await.assert(204);
    assert_eq!(taken().await, (second.0, second.1, json!("PUBLICTESTHUF")), "the account stays");
    restore(&admin, &history[1], json!({})).await.assert(204);
    assert_eq!(taken().await, (first.0, first.1, json!("PUBLICTESTHUF")));
    // A change of an account alone cannot be taken back.
    put(json!({"simplepay": null})).await.assert(200);
    let account = &lines(&admin, "?group=payment_methods").await[0];
    assert_eq!((&account["can_restore"], &history[0]["can_restore"]), (&json!(false), &json!(true)));
    restore(&admin, account, json!({})).await.assert_problem(409, "CONFLICT");
    let other = place.with_keys(&["admin_login", "restaurant_general"]).await;
    restore(&other, &history[0], json!({})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn mails_about_orders_return_one_kind_at_a_time() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let mail = async |kind: &str| {
        let all = admin.get("/order-emails").send().await.assert(200).json();
        let found = all.as_array().unwrap().iter().find(|one| one["kind"] == kind).unwrap().clone();
        (found["enabled"].clone(), found["subject"].clone())
    };
    let put = async |kind: &str, body: Value| {
        admin.put(&format!("/order-emails/{kind}")).json(body).send().await.assert(200);
    };
    put("received", json!({"subject": "Első"})).await;
    put("refused", json!({"subject": "Sajnáljuk"})).await;
    put("received", json!({"subject": "Második", "enabled": false})).await;
    let history = lines(&admin, "?group=order_emails").await;
    assert_eq!((history.len(), &history[1]["details"]["kind"]), (3, &json!("refused")));
    restore(&admin, &history[0], json!({})).await.assert(204);
    assert_eq!(mail("received").await, (json!(true), json!("Első")));
    restore(&admin, history.last().unwrap(), json!({})).await.assert(204);
    assert_eq!(mail("received").await, (json!(true), json!(null)));
    assert_eq!(mail("refused").await.1, "Sajnáljuk", "another mail stays");
    // The line of the return takes it back.
    restore(&admin, &lines(&admin, "?group=order_emails").await[0], json!({})).await.assert(204);
    assert_eq!(mail("received").await.1, "Első");
    // A line from before they named the kind leads nowhere back.
    let newest = lines(&admin, "?group=order_emails").await.remove(0);
    assert_eq!(newest["can_restore"], true);
    let sql = format!(
        "update {}.audit_detail set details = details - 'kind' where audit_id = '{}'",
        place.schema,
        newest["id"].as_str().unwrap()
    );
    place.kit.run(&sql, vec![]).await;
    let newest = lines(&admin, "?group=order_emails").await.remove(0);
    assert_eq!(newest["can_restore"], false);
    restore(&admin, &newest, json!({})).await.assert_problem(409, "CONFLICT");
}

#[testkit::test]
async fn who_closed_the_restaurant_is_listed_and_leads_nowhere_back() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    admin.put("/system").json(json!({"counter_prefix": "A"})).send().await.assert(200);
    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let history = lines(&admin, "?group=system").await;
    assert_eq!(
        (history.len(), &history[0]["can_restore"], &history[1]["can_restore"]),
        (2, &json!(false), &json!(true))
    );
    restore(&admin, &history[0], json!({})).await.assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
    restore(&admin, &history[1], json!({})).await.assert(204);
    let now = admin.get("").send().await.assert(200).json();
    assert_eq!((&now["counter_prefix"], &now["temp_no_orders"]), (&json!(null), &json!(true)));
}

#[testkit::test]
async fn a_move_to_another_group_is_listed() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let groups = format!("/api/v3/admin/partners/{}/restaurant-groups", place.partner);
    let group =
        owner.post(&groups).json(json!({"name": "Vidék", "currency": "huf"})).send().await.assert(201).json();
    owner.put("/group").json(json!({"restaurant_group_id": group["id"]})).send().await.assert(204);
    let history = lines(&place.admin().await, "?group=general").await;
    assert_eq!(
        (history.len(), &history[0]["action"], &history[0]["can_restore"]),
        (1, &json!("restaurants_move"), &json!(false))
    );
    let names = history[0]["names"].as_array().unwrap();
    assert!(names.iter().any(|one| one["name"] == "Vidék"), "{names:?}");
}

#[testkit::test]
async fn the_rules_of_signing_in_return_for_admins_of_the_whole_partner() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let at = format!("/api/v3/admin/partners/{}", place.partner);
    let rules = async || owner.get(&format!("{at}/sign-in-rules")).send().await.assert(200).json();
    let put = async |body: Value| {
        owner.put(&format!("{at}/sign-in-rules")).json(body).send().await.assert(200);
    };
    put(json!({"password_min_length": 9, "idle_minutes": 600})).await;
    put(json!({"password_min_length": 12})).await;
    owner.delete(&format!("{at}/sign-in-provider")).send().await.assert(404);
    let history = lines(&owner, "?group=sign_in").await;
    assert_eq!((history.len(), &history[0]["version"]), (2, &json!(2)));
    let restaurants = place.admin().await;
    assert!(lines(&restaurants, "?group=sign_in").await.is_empty(), "an admin of one restaurant");
    restore(&restaurants, &history[0], json!({})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = kit().await.stranger().await.partner_admin().await;
    restore(&stranger, &history[0], json!({})).await.assert_problem(404, "SETTINGS_CHANGE_NOT_EXIST");
    restore(&owner, &history[0], json!({"version": 1})).await.assert_problem(409, "CONFLICT");
    restore(&owner, &history[0], json!({"version": 2})).await.assert(204);
    assert_eq!(
        (&rules().await["password_min_length"], &rules().await["idle_minutes"]),
        (&json!(9), &json!(600))
    );
    restore(&owner, &history[1], json!({})).await.assert(204);
    assert_eq!(rules().await, json!({"password_min_length": 6, "idle_minutes": null, "version": 5}));
}

#[testkit::test]
async fn partners_read_the_history_of_features_and_do_not_return() {
    let place = kit().await.restaurant().await;
    let at = format!("/api/v3/super-admin/restaurants/{}", place.restaurant);
    let operator = place.super_admin().await;
    operator.put(&format!("{at}/features")).json(json!({"features": ["tv"]})).send().await.assert(200);
    operator.put(&format!("{at}/switches")).json(json!({"floor_map": true})).send().await.assert(200);
    let admin = place.admin().await;
    let history = lines(&admin, "?group=features").await;
    assert_eq!(history.len(), 2);
    assert_eq!(history[0]["details"]["floor_map"], json!([false, true]));
    assert_eq!(history[1]["details"]["features"][1], json!(["tv"]));
    for line in &history {
        assert_eq!(line["can_restore"], false);
        restore(&admin, line, json!({})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    assert_eq!(admin.get("/features").send().await.assert(200).json(), json!([{"feature": "tv"}]));
}

#[testkit::test]
async fn a_return_keeps_the_order_of_preorder_days() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body| admin.put("/delivery").json(body).send();
    put(json!({"days_to_preorder": 10})).await.assert(200);
    put(json!({"min_days_to_preorder": 8})).await.assert(200);
    // Both changes are of one group, so both are taken back.
    let history = lines(&admin, "?group=delivery").await;
    restore(&admin, &history[1], json!({})).await.assert(204);
    let now = admin.get("").send().await.assert(200).json();
    assert_eq!((&now["min_days_to_preorder"], &now["days_to_preorder"]), (&json!(0), &json!(3)));
    // Values that no longer go together are refused, as in any other change.
    let sql = format!(
        "update {}.audit_detail d set details = '{{\"days_to_preorder\": [2, 3]}}' from {0}.audit a \
         where a.id = d.audit_id and a.id = $1",
        place.schema
    );
    put(json!({"days_to_preorder": 9, "min_days_to_preorder": 5})).await.assert(200);
    put(json!({"normal_pickup": false})).await.assert(200);
    let newest = &lines(&admin, "?group=delivery").await[0];
    place.kit.run(&sql, vec![newest["id"].as_str().unwrap().parse::<uuid::Uuid>().unwrap().into()]).await;
    restore(&admin, newest, json!({})).await.assert_keys(&["days_to_preorder"]);
}

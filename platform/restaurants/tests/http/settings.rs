//! A restaurant's settings.

use serde_json::{Value, json};
use testkit::kit;

#[testkit::test]
async fn a_restaurant_begins_with_the_usual_settings() {
    let place = kit().await.restaurant().await;
    let restaurant = place.admin().await.get("").send().await.assert(200).json();
    let usual = json!({
        "id": place.restaurant.to_string(), "partner_id": place.partner.to_string(),
        "timezone": "Europe/Budapest", "currency": "huf",
        "primary_language": "hu", "secondary_language": null, "country": "HU", "order_reset_time": "01:00",
        "estimated_delivery_time": 30,
        "counter_prefix": null, "temp_no_orders": false, "normal_delivery": true, "preorder_delivery": false,
        "min_days_to_preorder": 0,
        "days_to_preorder": 3, "min_preorder_pickup_diff": 30, "min_preorder_delivery_diff": 30,
        "preorder_notification_mins_before_expected": 60, "order_accept_on_open": true, "version": 1,
        "catalogue_version": 1,
        "enable_kitchen_queue": false, "autoqueue": false, "floor_map": false, "save_to_aws": false,
        "offline_backend_enabled": false,
        "lct_enabled": false, "sandbox_payment": false, "is_courier_tip_available": false,
        "is_loyalty_card_available": false,
        "delivery_method": "street_based", "delivery_info": null, "ntak_category_id": null,
        "ntak_quantity_unit": null, "archived_at": null,
    });
    let fields = restaurant.as_object().unwrap();
    assert!(usual.as_object().unwrap().keys().all(|field| fields.contains_key(field)));
    for (field, value) in usual.as_object().unwrap() {
        assert_eq!(&restaurant[field], value, "{field}");
    }
}

#[testkit::test]
async fn general_settings_change_and_reach_the_directory() {
    let place = kit().await.restaurant().await;
    place.own_group().await;
    let admin = place.admin().await;
    let sent = json!({
        "name": "Kéknyelű", "phone_1": "+36 1 555 0100", "contact_email": "bor@example.com",
        "domain": "bor.example.com",
        "city": "Budapest", "street": "Minta utca", "premise_number": "1/B", "postcode": "1051",
        "timezone": "Europe/Vienna",
        "currency": "eur", "secondary_language": "en", "min_order_price": "12,50",
    });
    let after = admin.put("/general").json(sent.clone()).send().await.assert(200).json();
    for (field, value) in sent.as_object().unwrap().iter().filter(|(field, _)| *field != "min_order_price") {
        assert_eq!(&after[field], value, "{field}");
    }
    assert_eq!(after["min_order_price"].to_string(), "12.50");
    assert_eq!((&after["version"], &after["catalogue_version"]), (&json!(2), &json!(2)));
    assert_eq!(admin.get("").send().await.assert(200).json(), after);
    let sql = "select row_to_json(r)::text line from control.restaurant r where id = $1";
    let line: String = place.kit.row(sql, vec![place.restaurant.into()]).await.try_get("", "line").unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["name"], "Kéknyelű");
    assert_eq!(
        (&line["zone"], &line["currency"], &line["secondary_language"]),
        (&json!("Europe/Vienna"), &json!("eur"), &json!("en"))
    );

    // Absent stays, null clears what can be cleared; no minimum is 0.
    let after = admin
        .put("/general")
        .json(json!({"postcode": null, "secondary_language": null, "min_order_price": null}))
        .send()
        .await;
    let after = after.assert(200).json();
    assert_eq!(
        (&after["name"], &after["postcode"], &after["secondary_language"]),
        (&json!("Kéknyelű"), &Value::Null, &Value::Null)
    );
    assert_eq!(after["min_order_price"].to_string(), "0");
    assert_eq!(place.count("audit").await, 2);
}

#[testkit::test]
async fn faults_of_general_settings() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body| admin.put("/general").json(body).send();
    put(json!({
        "name": "", "contact_email": "nobody", "country": "hu", "city": "  ", "currency": "chf",
        "primary_language": "de", "vat_id": "x",
    }))
    .await
    .assert_keys(&["name", "contact_email", "country", "city", "currency", "primary_language", "vat_id"]);
    put(json!({"name": null, "currency": null, "postcode": null})).await.assert_keys(&["name", "currency"]);
    let random = uuid::Uuid::now_v7();
    put(json!({"timezone": "CET", "secondary_language": "hu", "min_order_price": 10.5, "vat_id": random,
        "delivery_vat_id": random}))
    .await
    .assert_keys(&["timezone", "secondary_language", "min_order_price", "vat_id", "delivery_vat_id"]);
    put(json!({"min_order_price": -1})).await.assert_keys(&["min_order_price"]);
    for domain in ["", "borozo", "bor.example.com/menu", "bor.example.com:443", "anna@bor.example.com"] {
        put(json!({"domain": domain})).await.assert_keys(&["domain"]);
    }
    assert_eq!(place.count("audit").await, 0, "refused requests leave nothing behind");
}

#[testkit::test]
async fn older_domains_become_host_names_or_none() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let write = format!("update {}.restaurant set domain = $2 where id = $1", place.schema);
    let migration = include_str!("../../../../migrations/tenant/m0024_domains.sql")
        .replace("update restaurant", &format!("update {}.restaurant", place.schema))
        .replace("from restaurant", &format!("from {}.restaurant", place.schema));
    for (older, expected) in [
        ("bor.example.com", json!("bor.example.com")),
        ("https://Bor.Example.com/", json!("bor.example.com")),
        (" HTTP://bor.example.com:8080/menu?a=1", json!("bor.example.com")),
        ("www.bor.example.com.", json!("www.bor.example.com")),
        ("bor.example.com#menu", json!("bor.example.com")),
        ("borozo", json!(null)),
        ("", json!(null)),
        ("anna@bor.example.com", json!(null)),
        ("-bor.example.com", json!(null)),
        ("10.0.0.1", json!(null)),
        ("https://étterem.hu", json!(null)),
    ] {
        place.kit.run(&write, vec![place.restaurant.into(), older.into()]).await;
        place.kit.run(&migration, vec![]).await;
        assert_eq!(admin.get("").send().await.assert(200).json()["domain"], expected, "{older}");
    }
}

#[testkit::test]
async fn a_domain_is_optional_and_a_host_name() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    assert_eq!(admin.get("").send().await.assert(200).json()["domain"], Value::Null);
    for (sent, saved) in [
        (json!("https://Bor.Example.com/"), json!("bor.example.com")),
        (json!("étterem.hu"), json!("xn--tterem-9ua.hu")),
        (json!("xn--tterem-9ua.hu"), json!("xn--tterem-9ua.hu")),
        (json!(null), json!(null)),
    ] {
        let after = admin.put("/general").json(json!({"domain": sent})).send().await.assert(200).json();
        assert_eq!(after["domain"], saved, "{sent}");
    }
    let path = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let owner = place.partner_admin().await;
    owner.post(&path).json(json!({"name": "Új", "domain": "uj"})).send().await.assert_keys(&["domain"]);
    let new = json!({"name": "Új", "domain": "https://uj.example.com"});
    assert_eq!(owner.post(&path).json(new).send().await.assert(201).json()["domain"], "uj.example.com");
}

#[testkit::test]
async fn the_last_day_of_preorders_is_not_before_the_first() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body| admin.put("/delivery").json(body).send();
    // Three days ahead hold for a new restaurant.
    put(json!({"min_days_to_preorder": 4})).await.assert_keys(&["min_days_to_preorder"]);
    put(json!({"min_days_to_preorder": 4, "days_to_preorder": 3})).await.assert_keys(&["days_to_preorder"]);
    put(json!({"min_days_to_preorder": 3})).await.assert(200);
    put(json!({"days_to_preorder": 2})).await.assert_keys(&["days_to_preorder"]);
    put(json!({"min_days_to_preorder": 5, "days_to_preorder": 5})).await.assert(200);
}

#[testkit::test]
async fn delivery_settings_keep_their_minima() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let after = admin
        .put("/delivery")
        .json(json!({"preorder_delivery": true, "min_preorder_pickup_diff": 0,
            "min_preorder_delivery_diff": -5, "min_order_price": 2000}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&after["min_preorder_pickup_diff"], &after["min_preorder_delivery_diff"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((&after["preorder_delivery"], &after["normal_pickup"]), (&json!(true), &json!(true)));
    admin
        .put("/delivery")
        .json(json!({"min_days_to_preorder": -1, "days_to_preorder": 0,
            "preorder_notification_mins_before_expected": 0, "normal_pickup": "yes"}))
        .send()
        .await
        .assert_keys(&[
            "min_days_to_preorder",
            "days_to_preorder",
            "preorder_notification_mins_before_expected",
            "normal_pickup",
        ]);
}

#[testkit::test]
async fn system_settings_and_sos_close_tell_open_windows() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body| admin.put("/system").json(body).send();
    let after =
        put(json!({"order_reset_time": "02:30", "counter_prefix": "b", "estimated_delivery_time": 600,
        "order_accept_on_open": false}))
        .await;
    let after = after.assert(200).json();
    assert_eq!((&after["order_reset_time"], &after["counter_prefix"]), (&json!("02:30"), &json!("B")));
    assert_eq!(
        (&after["estimated_delivery_time"], &after["order_accept_on_open"]),
        (&json!(600), &json!(false))
    );
    assert!(put(json!({"counter_prefix": ""})).await.assert(200).json()["counter_prefix"].is_null());
    put(json!({"counter_prefix": "AB", "order_reset_time": "24:00", "estimated_delivery_time": 601}))
        .await
        .assert_keys(&["counter_prefix", "order_reset_time", "estimated_delivery_time"]);
    put(json!({"counter_prefix": "é"})).await.assert_keys(&["counter_prefix"]);

    let cook = place.with_keys(&["admin_login", "fresh_order"]).await;
    assert_eq!(
        cook.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200).json()["temp_no_orders"],
        true
    );
    cook.put("/close").json(json!({})).send().await.assert_keys(&["temp_no_orders"]);
    cook.put("/system")
        .json(json!({"temp_no_orders": false}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let sql = format!(
        "select string_agg(kind, ',' order by number) kinds from {}.event where restaurant_id = $1",
        place.schema
    );
    let kinds: String =
        place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "kinds").unwrap();
    assert_eq!(kinds, ["TASK_RESTAURANT_RELOAD"; 3].join(","));
}

#[testkit::test]
async fn a_stale_version_is_a_conflict() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    admin.put("/close").json(json!({"temp_no_orders": true, "version": 1})).send().await.assert(200);
    let log = admin.get("/audit?action=restaurants").send().await.assert(200).json();
    let line = &log[0];
    assert_eq!(line["action"], "restaurants_close");
    admin.put("/socials").json(json!({"blog": "https://barmi.example"})).send().await.assert(200);
    for (path, body) in [
        ("/close", json!({"temp_no_orders": false, "version": 1})),
        ("/general", json!({"name": "x", "version": 1})),
        ("/delivery", json!({"normal_pickup": false, "version": 1})),
        ("/system", json!({"estimated_delivery_time": 1, "version": 1})),
    ] {
        let problem = admin.put(path).json(body).send().await.assert_problem(409, "CONFLICT").json();
        assert_eq!(
            (&problem["current"]["version"], &problem["current"]["temp_no_orders"]),
            (&json!(2), &json!(true)),
            "{path}"
        );
        // Who saved version 2, and when: a line of another resource of the restaurant is not meant.
        assert_eq!(problem["changed_by"], line["actor_name"], "{path}");
        assert_eq!(problem["changed_at"], line["at"], "{path}");
    }
}

#[testkit::test]
async fn each_part_has_its_permission() {
    let place = kit().await.restaurant().await;
    for (path, key, body) in [
        ("/general", "restaurant_general", json!({"city": "Győr"})),
        ("/delivery", "restaurant_delivery", json!({"normal_pickup": false})),
        ("/system", "system_general", json!({"estimated_delivery_time": 20})),
        ("/close", "system_general", json!({"temp_no_orders": false})),
    ] {
        place.with_keys(&["admin_login", key]).await.put(path).json(body.clone()).send().await.assert(200);
        place
            .with_keys(&["admin_login", "order", "courier"])
            .await
            .put(path)
            .json(body)
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    place.with_keys(&["admin_login"]).await.get("").send().await.assert(200);
    place.with_keys(&["admin_login"]).await.get("/features").send().await.assert(200);
}

#[testkit::test]
async fn what_super_admins_switch_is_answered_to_the_clients_that_honour_it() {
    let place = kit().await.restaurant().await;
    let switches = json!({
        "enable_kitchen_queue": true, "autoqueue": true, "floor_map": true, "save_to_aws": true,
        "offline_backend_enabled": true, "lct_enabled": true,
        "sandbox_payment": true, "is_courier_tip_available": true, "is_loyalty_card_available": true,
        "delivery_method": "gps_based",
        "ntak_quantity_unit": "piece",
    });
    let path = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let shop = place.api_key(&["menu:read"]).await;
    let before = shop
        .get(&format!("/api/v3/partners/{}/restaurants/{}", place.partner, place.restaurant))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(before["is_courier_tip_available"], false);
    place.super_admin().await.put(&path).json(switches.clone()).send().await.assert(200);
    let seen = place.admin().await.get("").send().await.assert(200).json();
    for (field, value) in switches.as_object().unwrap() {
        assert_eq!(&seen[field], value, "{field}");
    }
    let after = shop
        .get(&format!("/api/v3/partners/{}/restaurants/{}", place.partner, place.restaurant))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(after["is_courier_tip_available"], true);
}

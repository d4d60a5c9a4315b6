//! Time zone, billing details and addresses of a person, and what the signed-in account is at one partner.

use serde_json::{Value, json};
use testkit::kit;

use super::{
    account::{PASSWORD, account, client},
    admins::{ids, person},
    holders::{OWN, scene},
};

fn address(city: &str) -> Value {
    json!({"country": "HU", "state_province_county": "", "postcode": "6720", "city": city, "street": "Fő tér",
        "premise_number": "1", "building": "B", "floor": "2", "door_number": "3", "doorbell": "7",
        "address_notes": "az udvarban"})
}

fn billing(name: &str) -> Value {
    json!({"company_name": name, "tax_num": "12345678-2-41", "contact_email": "szamla@pult.test",
        "address": address("Szeged")})
}

#[testkit::test]
async fn the_own_details_are_kept_changed_and_cleared() {
    let place = kit().await.partner().await;
    let (_, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let put = |body: Value| me.put("/api/v3/admin/me").json(body).send();
    let details =
        |me: &Value| (me["timezone"].clone(), me["billing_details"].clone(), me["addresses"].clone());
    let before = me.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(details(&before), (Value::Null, Value::Null, json!([])));

    let all = json!({"timezone": "Europe/Budapest", "billing_details": billing("Mintafalat Kft."),
        "addresses": [address("Pécs"), address("Eger")]});
    let after = put(all.clone()).await.assert(200).json();
    assert_eq!(details(&after), details(&all));
    assert_eq!(after["first_name"], before["first_name"], "what is absent stays");
    let needed =
        json!({"country": "HU", "postcode": "1", "city": "Vác", "street": "Fő", "premise_number": "2"});
    let short = json!({ "addresses": [needed] });
    let one = put(short).await.assert(200).json();
    assert_eq!((&one["addresses"][0]["doorbell"], &one["timezone"]), (&json!(""), &json!("Europe/Budapest")));
    let none =
        put(json!({"timezone": null, "billing_details": null, "addresses": []})).await.assert(200).json();
    assert_eq!(details(&none), details(&before));

    for zone in ["Europe/Atlantis", "CET", ""] {
        let answer = put(json!({ "timezone": zone })).await.assert_problem(422, "USER_TIMEZONE_NOT_EXIST");
        assert_eq!(answer.json()["keys"], json!(["timezone"]));
    }
    let mut wrong = billing("Mi");
    wrong["tax_num"] = json!("12-x");
    wrong["address"]["city"] = json!("");
    put(json!({"billing_details": wrong})).await.assert_keys(&[
        "billing_details.address.city",
        "billing_details.company_name",
        "billing_details.tax_num",
    ]);
    let mut wrong = billing("Minta");
    (wrong["tax_num"], wrong["contact_email"]) = (json!("1234567"), json!("nem cím"));
    put(json!({"billing_details": wrong, "timezone": "X/Y"}))
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["billing_details.contact_email", "billing_details.tax_num", "timezone"]);
    put(json!({"addresses": vec![address("Pécs"); 11]})).await.assert_keys(&["addresses"]);
}

#[testkit::test]
async fn a_partner_writes_details_that_the_person_replaces() {
    let scene = scene().await;
    let (email, row) = scene.own().await;
    let at_q = format!("/admins/{row}");
    let me = scene.signed_in(&email, OWN).await;
    let get = |path: String| {
        let by = &scene.at_q;
        async move { by.get(&path).send().await.assert(200).json() }
    };
    me.put("/api/v3/admin/me")
        .json(json!({"timezone": "Europe/Vienna", "addresses": [address("Pécs")]}))
        .send()
        .await
        .assert(200);
    assert_eq!(get(at_q.clone()).await["timezone"], "Europe/Vienna", "what the person says is shown");

    let change = json!({"timezone": "Europe/Budapest", "billing_details": billing("Mintafalat Kft.")});
    let changed = scene.at_q.put(&at_q).json(change).send().await.assert(200).json();
    assert_eq!(
        (&changed["timezone"], &changed["billing_details"]["company_name"], &changed["addresses"][0]["city"]),
        (&json!("Europe/Budapest"), &json!("Mintafalat Kft."), &json!("Pécs"))
    );
    assert_eq!(me.get("/api/v3/admin/me").send().await.json()["timezone"], "Europe/Budapest");
    let wrong = json!({"timezone": "Europe/Atlantis"});
    scene.at_q.put(&at_q).json(wrong.clone()).send().await.assert_problem(422, "USER_TIMEZONE_NOT_EXIST");
    let list = scene.at_q.get("/admins").send().await.assert(200).json();
    let listed = list.as_array().unwrap().iter().find(|one| one["id"] == row.as_str()).unwrap();
    assert_eq!(listed["timezone"], "Europe/Budapest");

    // Another partner sees nothing of it before the person has accepted, and never what this one wrote.
    let other = scene.add(&scene.at_p, &email, "Saját Sára", None).await.assert(201).json();
    let hidden =
        |row: &Value| (row["timezone"].clone(), row["billing_details"].clone(), row["addresses"].clone());
    assert_eq!(hidden(&other), (Value::Null, Value::Null, json!([])));
    let link = scene.invitation(other["id"].as_str().unwrap()).await;
    scene.elsewhere().put(&link).json(json!({})).send().await.assert(204);
    let at_p = format!("/admins/{}", other["id"].as_str().unwrap());
    let theirs = scene.at_p.get(&at_p).send().await.assert(200).json();
    assert_eq!((&theirs["timezone"], &theirs["billing_details"]), (&json!("Europe/Vienna"), &Value::Null));
    scene.at_p.put(&at_q).json(json!({"timezone": null})).send().await.assert_problem(404, "USER_NOT_EXIST");

    // The person's own word replaces it everywhere.
    me.put("/api/v3/admin/me").json(json!({"timezone": "Europe/London"})).send().await.assert(200);
    for (by, path) in [(&scene.at_q, &at_q), (&scene.at_p, &at_p)] {
        assert_eq!(by.get(path).send().await.assert(200).json()["timezone"], "Europe/London");
    }
    // And null of a partner gives way to it.
    scene.at_q.put(&at_q).json(json!({"timezone": "Europe/Paris"})).send().await.assert(200);
    let back = scene.at_q.put(&at_q).json(json!({"timezone": null})).send().await.assert(200).json();
    assert_eq!(back["timezone"], "Europe/London");
}

#[testkit::test]
async fn me_says_what_the_account_is_at_the_place_chosen_last() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let keys = ids(&owner, &["admin_login", "user", "pos_cart_discount"]).await;
    let body = json!({"permission_ids": keys, "surfaces": ["admin", "pos"], "max_discount_percent": 12.5,
        "pin": "482913", "timezone": "Europe/Budapest", "addresses": [address("Szeged")]});
    let (row, her) = person(&place, &owner, "/admins", body).await;
    let me = her.get("/api/v3/admin/me").send().await.assert(200).json();
    for field in [
        "uid", "status", "provider", "partner_id", "target_id", "target_type", "permission_ids",
        "full_target_access", "has_pin", "max_discount_percent", "print_zone_id", "restaurant_ids",
        "surfaces", "timezone", "billing_details", "addresses", "super_admin", "email", "name", "tel",
    ] {
        let expected = if field == "uid" { &me["id"] } else { &row[field] };
        assert_eq!((field, &me[field]), (field, expected));
    }
    assert_eq!(me["targets"][0]["surfaces"], json!(["admin", "pos"]));
    assert_eq!(me["password_min_length"], 6);

    let tree = her.get("/api/v3/admin/permissions").send().await.assert(200).json();
    let user = tree.as_array().unwrap().iter().find(|one| one["key"] == "user").unwrap();
    assert_eq!(
        (&user["lang"], &user["name"], &user["description"]),
        (&json!("hu"), &user["name_hu"], &user["description_hu"])
    );
    let child = tree.as_array().unwrap().iter().find(|one| one["key"] == "pos_cart_discount").unwrap();
    assert!(
        tree.as_array()
            .unwrap()
            .iter()
            .any(|one| one["id"] == child["parent_id"] && one["key"] == "pos_admin_perms")
    );
    let platform = place.super_admin().await.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!((&platform["status"], &platform["permission_ids"]), (&json!("active"), &json!([])));
}

//! Entering and changing customers: rules of fields, who sees whom, PIN, audit.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{address, id, manager, path, person, text, without};

#[testkit::test]
async fn a_customer_is_entered_read_and_changed() {
    let place = kit().await.partner().await;
    without(&place, &["balance", "loyalty"]).await;
    let anna = manager(&place).await;
    let made = anna
        .enter(
            json!({"phone_1": "06 (30) 555-0100", "phone_2": "0036/1/555.0199", "email": "Anna@Guest.Test",
            "note": "kapucsengő rossz\nhívd fel", "external_ids": [{"platform": "bolt", "id": "B-7"}],
            "addresses": [address("Fő utca")]}),
        )
        .await;
    assert_eq!(made["name"], "Kis Anna");
    assert_eq!(made["phone_1"], "+36305550100");
    assert_eq!(made["phone_2"], "+3615550199");
    assert_eq!(made["email"], "anna@guest.test");
    assert_eq!((&made["order_number"], &made["order_total_sum"]), (&json!(0), &json!(0)));
    assert_eq!((&made["balance"], &made["points"]), (&Value::Null, &Value::Null), "the features are off");
    assert_eq!(made["addresses"][0]["street"], "Fő utca");
    let read = anna.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(read, made);
    // What is absent stays, null clears.
    let change = json!({"first_name": "Panna", "phone_2": null, "note": null, "version": made["version"]});
    let changed = anna.put(&path(&made)).json(change.clone()).send().await.assert(200).json();
    assert_eq!(changed["name"], "Kis Panna");
    assert_eq!((&changed["phone_2"], &changed["note"]), (&Value::Null, &Value::Null));
    assert_eq!(changed["phone_1"], "+36305550100");
    let stale = anna.put(&path(&made)).json(change).send().await.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"]["name"], "Kis Panna");
    // All addresses at once.
    let kept = json!([{"id": changed["addresses"][0]["id"], "city": "Pécs", "street": "Rövid utca",
        "premise_number": "2"}, address("Másik utca")]);
    let changed = anna.put(&path(&made)).json(json!({"addresses": kept})).send().await.assert(200).json();
    let streets = |row: &Value| -> Vec<String> {
        row["addresses"].as_array().unwrap().iter().map(|one| text(&one["street"])).collect()
    };
    assert_eq!(streets(&changed), ["Rövid utca", "Másik utca"]);
    let kept = json!([{"id": Uuid::now_v7(), "city": "Pécs", "street": "Fő tér", "premise_number": "2"}]);
    anna.put(&path(&made)).json(json!({"addresses": kept})).send().await.assert_keys(&["addresses.0.id"]);
    let none = anna.put(&path(&made)).json(json!({"addresses": []})).send().await.assert(200).json();
    assert_eq!(none["addresses"], json!([]));
}

#[testkit::test]
async fn ten_spellings_are_one_number_and_nobody_shares_one() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let first = anna.enter(json!({"phone_1": "+36 30 555 0100", "email": "anna@guest.test"})).await;
    let body = |phone: &str| json!({"last_name": "Más", "first_name": "Valaki", "phone_1": phone});
    for spelling in [
        "+36305550100", "+36 30 555 0100", "06305550100", "06 30 555 0100", "06-30-555-0100",
        "0036 30 555 0100", "(06) 30 555 0100", "+36 (30) 5550100", "06/30/555-0100", "36 30 555 0100",
    ] {
        anna.post("/shadow-customers").json(body(spelling)).send().await.assert_keys(&["phone_1"]);
    }
    let second = json!({"last_name": "Más", "first_name": "Valaki", "phone_2": "06305550100"});
    anna.post("/shadow-customers").json(second).send().await.assert_keys(&["phone_2"]);
    let mail = json!({"last_name": "Más", "first_name": "Valaki", "email": "ANNA@guest.test"});
    anna.post("/shadow-customers").json(mail).send().await.assert_keys(&["email"]);
    let other = anna.enter(json!({"last_name": "Más", "phone_1": "06 30 555 0101"})).await;
    let taken = json!({"phone_1": "06 30 555 0100", "email": "anna@guest.test"});
    anna.put(&path(&other)).json(taken).send().await.assert_keys(&["phone_1", "email"]);
    let twice = json!({"phone_2": "+36 30 555 0101"});
    anna.put(&path(&other)).json(twice).send().await.assert_keys(&["phone_2"]);
    for (fields, keys) in [
        (json!({"phone_1": "nincs", "phone_2": "?"}), vec!["phone_1", "phone_2"]),
        (json!({"email": "anna"}), vec!["email"]),
        (json!({"first_name": ""}), vec!["first_name"]),
        (json!({"first_name": " ", "last_name": "x".repeat(81)}), vec!["first_name", "last_name"]),
        (json!({"first_name": null}), vec!["first_name"]),
        (json!({"note": "\u{1}"}), vec!["note"]),
        (
            json!({"external_ids": [{"platform": "a", "id": "1"}, {"platform": "a", "id": "2"}]}),
            vec!["external_ids.1.platform"],
        ),
        (
            json!({"addresses": [{"city": "Pécs", "street": "Fő", "premise_number": "1",
                "coord_lat": 46.0}]}),
            vec!["addresses.0.coord_lng"],
        ),
    ] {
        anna.put(&path(&first)).json(fields).send().await.assert_keys(&keys);
    }
}

#[testkit::test]
async fn a_phone_that_is_no_number_is_kept_as_it_was_written_and_is_nobodys() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let (anna, bela) = (manager(&here).await, manager(&there).await);
    let mut ids = std::collections::BTreeSet::new();
    for written in ["+36 30", "06 1", "12", "+3630", "+363012345", "06 30 555 0100 ext 1", "30 555 0100/101"]
    {
        for who in [&anna, &bela] {
            let made = who.enter(json!({"phone_1": written, "phone_2": written})).await;
            assert_eq!((&made["phone_1"], &made["phone_2"]), (&json!(written), &json!(written)));
            assert!(ids.insert(text(&made["id"])), "{written} made two people one");
        }
    }
    // Changed into each other, and into a number that somebody has.
    let first = anna.enter(json!({"phone_1": "06 30 555 0100", "note": "első"})).await;
    let other = anna.enter(json!({"phone_1": "12", "email": "mas@guest.test"})).await;
    let change = |phone: &str| anna.put(&path(&other)).json(json!({"phone_1": phone})).send();
    assert_eq!(change("+36 30").await.assert(200).json()["phone_1"], "+36 30");
    change("6305550100").await.assert_keys(&["phone_1"]);
    assert_eq!(change("6305550101").await.assert(200).json()["phone_1"], "+36305550101");
    // A text fills nothing at somebody who is known by the e-mail.
    let known = bela.enter(json!({"phone_1": "12", "phone_2": "+36 30", "email": "mas@guest.test"})).await;
    assert_eq!(
        (&known["id"], &known["phone_1"], &known["phone_2"]),
        (&other["id"], &json!("+36305550101"), &Value::Null)
    );
    assert_eq!(first["phone_1"], "+36305550100");
}

#[testkit::test]
async fn who_is_known_elsewhere_becomes_known_here() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let (anna, bela) = (manager(&here).await, manager(&there).await);
    let made = anna.enter(json!({"phone_1": "06 30 555 0100"})).await;
    bela.get(&path(&made)).send().await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    assert_eq!(bela.names("").await, Vec::<String>::new());
    let entered =
        bela.enter(json!({"last_name": "Más", "phone_1": "06305550100", "email": "anna@guest.test"})).await;
    assert_eq!(entered["id"], made["id"]);
    assert_eq!(
        (&entered["name"], &entered["email"]),
        (&json!("Kis Anna"), &json!("anna@guest.test")),
        "what is empty is filled, nothing is replaced"
    );
    assert_eq!(bela.names("").await, ["Kis Anna"]);
}

#[testkit::test]
async fn every_call_asks_for_the_pin_and_says_first_what_is_not_there() {
    let kit = kit().await;
    let place = kit.partner().await;
    let stranger = kit.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({"addresses": [address("Fő utca")]})).await;
    let theirs = manager(&stranger).await.enter(json!({})).await;
    let one = path(&made);
    let at = format!("{one}/addresses/{}", text(&made["addresses"][0]["id"]));
    let calls: Vec<(&str, String, Value)> = vec![
        ("GET", "/shadow-customers".into(), Value::Null),
        ("POST", "/shadow-customers".into(), json!({"last_name": "Kis", "first_name": "Éva"})),
        ("GET", one.clone(), Value::Null),
        ("PUT", one.clone(), json!({"first_name": "Éva"})),
        ("GET", format!("{one}/orders"), Value::Null),
        ("POST", format!("{one}/addresses"), address("Más utca")),
        ("PUT", at.clone(), json!({"street": "Új utca"})),
        ("DELETE", at, Value::Null),
        ("GET", "/shadow-customers/balances".into(), Value::Null),
        ("GET", format!("{one}/balance"), Value::Null),
        ("GET", format!("{one}/balance/sum"), Value::Null),
        ("POST", format!("{one}/balance"), json!({"value": 1})),
        ("GET", format!("{one}/points"), Value::Null),
        ("GET", format!("{one}/points/sum"), Value::Null),
        ("POST", format!("{one}/points"), json!({"value": 1, "comment": "a"})),
        ("POST", format!("{one}/merge"), json!({"into": Uuid::now_v7()})),
        ("DELETE", format!("{one}/merge"), Value::Null),
        ("DELETE", one.clone(), Value::Null),
        ("GET", "/shadow-customers/export".into(), Value::Null),
    ];
    for (method, path, body) in calls {
        let call = |path: &str| {
            let call = anna.0.call(method.parse().unwrap(), path);
            if body.is_null() { call } else { call.json(body.clone()) }
        };
        call(&path).send().await.assert_problem(403, "PIN_REQUIRED");
        if path == one && method == "GET" {
            call(&path).header("x-pin", "000000").send().await.assert_problem(403, "PIN_INVALID");
        }
        if path.contains(&text(&made["id"])) {
            for foreign in [text(&theirs["id"]), Uuid::now_v7().to_string()] {
                let foreign = path.replace(&text(&made["id"]), &foreign);
                call(&foreign)
                    .header("x-pin", &anna.1)
                    .send()
                    .await
                    .assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
            }
        }
    }
    let read = anna.get(&one).send().await.assert(200).json();
    assert_eq!(read["version"], made["version"], "nothing was done");
    let clerk = person(&[&place], &["admin_login", "order"], false).await;
    clerk.get("/shadow-customers").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn openings_and_changes_are_lines_that_name_fields_and_tell_no_values() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({"phone_1": "06 30 555 0100", "note": "titkos"})).await;
    anna.get(&path(&made)).send().await.assert(200);
    anna.put(&path(&made)).json(json!({"first_name": "Piroska"})).send().await.assert(200);
    let lines = place.partner_admin().await.get("/audit?limit=200").send().await.assert(200).json();
    let own: Vec<&Value> =
        lines.as_array().unwrap().iter().filter(|line| line["record_id"] == made["id"]).collect();
    let actions: Vec<String> = own.iter().map(|line| text(&line["action"])).collect();
    assert_eq!(actions, ["shadow_customers_update", "shadow_customers_get", "shadow_customers_create"]);
    assert_eq!(own[0]["details"], json!({"first_name": ["…", "…"]}));
    let all = lines.to_string();
    for secret in ["Piroska", "titkos", "305550100"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[testkit::test]
async fn a_repeated_request_gets_its_first_answer_and_keeps_nobody() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let body = json!({"last_name": "Kis", "first_name": "Piroska", "phone_1": "06 30 555 0100"});
    let send = || anna.post("/shadow-customers").json(body.clone()).key("egyszer").send();
    let first = send().await.assert(201).json();
    assert_eq!(send().await.assert(201).json(), first);
    let kept = place.kit.texts(&format!("select answer from {}.idempotency_key", place.schema)).await;
    assert!(kept.iter().any(|answer| answer.contains(&text(&first["id"]))));
    assert!(!kept.iter().any(|answer| answer.contains("Piroska")), "{kept:?}");
    let street = address("Fő utca");
    let path = format!("{}/addresses", path(&first));
    let add = || anna.post(&path).json(street.clone()).key("cim").send();
    let address = add().await.assert(201).json();
    assert_eq!(add().await.assert(201).json(), address);
    let change = json!({"street": "Új utca", "coord_lat": 46.07, "coord_lng": 18.23, "version": 1});
    let one = format!("{path}/{}", text(&address["id"]));
    let changed = anna.put(&one).json(change.clone()).send().await.assert(200).json();
    assert_eq!((&changed["street"], &changed["coord_lat"]), (&json!("Új utca"), &json!(46.07)));
    anna.put(&one).json(change).send().await.assert_problem(409, "CONFLICT");
    anna.delete(&one).send().await.assert(204);
    anna.delete(&one).send().await.assert_problem(404, "SHADOW_CUSTOMER_ADDRESS_NOT_EXIST");
    assert_ne!(id(&first), Uuid::nil());
}

#[testkit::test]
async fn a_blank_name_hides_no_other_fault() {
    let place = kit().await.partner().await;
    without(&place, &["balance", "loyalty"]).await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({})).await;
    let twice = json!([{"platform": "bolt", "id": "1"}, {"platform": "bolt", "id": "2"}]);
    for name in [" ", "\u{200b}", "\u{a0}"] {
        let body = json!({"first_name": name, "last_name": name, "phone_1": "nincs", "external_ids": twice});
        let keys = ["first_name", "last_name", "phone_1", "external_ids.1.platform"];
        anna.post("/shadow-customers").json(body.clone()).send().await.assert_keys(&keys);
        anna.put(&path(&made)).json(body).send().await.assert_keys(&keys);
    }
}

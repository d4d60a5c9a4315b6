//! Payment methods and provider accounts.

use access::sealed;
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

async fn list(client: &Client<'_>) -> Vec<Value> {
    client.get("/payment-methods").send().await.assert(200).json().as_array().unwrap().clone()
}

async fn enabled(client: &Client<'_>) -> Vec<String> {
    let rows = list(client).await;
    rows.iter()
        .filter(|row| row["enabled"] == true)
        .map(|row| row["payment_key"].as_str().unwrap().to_owned())
        .collect()
}

async fn ids(client: &Client<'_>, keys: &[&str]) -> Vec<Value> {
    let rows = list(client).await;
    keys.iter().map(|key| rows.iter().find(|row| row["payment_key"] == *key).unwrap()["id"].clone()).collect()
}

#[testkit::test]
async fn a_restaurant_takes_some_of_the_reference_rows() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "payment_method"]).await;
    let rows = list(&admin).await;
    assert_eq!(rows.len(), 11);
    let cash = &rows[0];
    assert_eq!(
        (cash["payment_key"].as_str(), cash["payment_type"].as_str(), cash["short_name"].as_str()),
        (Some("cash"), Some("cash"), Some("KP"))
    );
    assert_eq!(
        (&cash["always_available"], &cash["enabled"], &cash["paid_online"]),
        (&json!(true), &json!(true), &json!(false))
    );
    let ntak: Vec<_> = rows.iter().map(|row| row["ntak_payment_method"].as_str().unwrap()).collect();
    let expected = [
        "KESZPENZHUF", "BANKKARTYA", "BANKKARTYA", "SZEPKARTYA", "SZEPKARTYA", "VOUCHER", "EGYEB",
        "SZOBAHITEL", "ATUTALAS", "EGYEB", "EGYEB",
    ];
    assert_eq!(ntak, expected, "the words of the tax report");
    assert_eq!(enabled(&admin).await, ["cash"]);

    let save = async |body: Value| admin.put("/payment-methods").json(body).send().await;
    let some = ids(&admin, &["card", "szep_kartya", "room_loan"]).await;
    save(json!({"payment_method_ids": some})).await.assert(200);
    assert_eq!(
        enabled(&admin).await,
        ["cash", "card", "szep_kartya", "room_loan"],
        "cash stays although it was not sent"
    );
    save(json!({"payment_method_ids": [some[1]], "view": "web"})).await.assert(200);
    let of_view = async |field: &str| {
        let rows = list(&admin).await.into_iter().filter(|row| row[field] == true);
        rows.map(|row| row["payment_key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of_view("enabled_web").await, ["cash", "szep_kartya"]);
    assert_eq!(of_view("enabled_pos").await, ["cash", "card", "szep_kartya", "room_loan"]);
    assert_eq!(enabled(&admin).await, ["cash", "card", "szep_kartya", "room_loan"], "enabled is either");
    save(json!({"payment_method_ids": [], "view": "pos"})).await.assert(200);
    assert_eq!(enabled(&admin).await, ["cash", "szep_kartya"], "the web keeps its own");
    assert_eq!(of_view("enabled_pos").await, ["cash"]);
    save(json!({"payment_method_ids": [some[2]], "view": "web"})).await.assert(200);
    assert_eq!(enabled(&admin).await, ["cash"], "the room loan is not of the web");
    let unknown = save(json!({"payment_method_ids": [some[0], Uuid::now_v7()]})).await.assert(422).json();
    assert_eq!(unknown["keys"], json!(["payment_method_ids.1"]));
    save(json!({"payment_method_ids": [some[0], some[0]]})).await.assert(422);
    // Every user may read them; changing them and the provider accounts needs the permission.
    let reader = place.with_keys(&["admin_login"]).await;
    assert_eq!(list(&reader).await.len(), 11);
    reader.put("/payment-methods").json(json!({})).send().await.assert(403);
    reader.get("/payment-methods/settings").send().await.assert(403);
    // Another restaurant of the same partner has its own.
    assert_eq!(enabled(&kit().await.restaurant().await.admin().await).await, ["cash"]);
}

#[testkit::test]
async fn methods_without_their_provider_cannot_be_enabled() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let waiting = ["card_online", "szep_kartya_online", "balance", "points"];
    // A new restaurant has all features.
    let off = format!("delete from {}.restaurant_feature where restaurant_id = $1", place.schema);
    place.kit.run(&off, vec![place.restaurant.into()]).await;
    let rows = list(&admin).await;
    let needs = |key: &str| rows.iter().find(|row| row["payment_key"] == key).unwrap()["needs"].clone();
    assert_eq!(needs("card_online"), json!(["simplepay", "barion"]));
    assert_eq!(
        (needs("szep_kartya_online"), needs("balance"), needs("points"), needs("cash")),
        (json!(["simplepay"]), json!(["balance"]), json!(["loyalty"]), json!([]))
    );
    for key in waiting {
        let both = ids(&admin, &["card", key]).await;
        for view in [Value::Null, json!("web"), json!("pos")] {
            let mut body = json!({ "payment_method_ids": both });
            if !view.is_null() {
                body["view"] = view;
            }
            admin.put("/payment-methods").json(body).send().await.assert_keys(&["payment_method_ids.1"]);
        }
    }
    assert_eq!(enabled(&admin).await, ["cash"], "a refused change changes nothing");

    // Switched on before there was this rule: nobody is offered it, and it does not count as chosen.
    let sql = format!(
        "insert into {}.restaurant_payment_method select $1, id from ref.payment_method where payment_key = \
         any ($2)",
        place.schema
    );
    let keys: Vec<String> = waiting.map(str::to_owned).into();
    place.kit.run(&sql, vec![place.restaurant.into(), keys.into()]).await;
    assert_eq!(enabled(&admin).await, ["cash"]);
    let answer =
        place.api_key(&["menu:read"]).await.get("/public/payment-methods").send().await.assert(200).json();
    assert_eq!(answer.as_array().unwrap().len(), 1);
}

#[testkit::test]
async fn the_rate_is_kept_and_a_stale_change_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "payment_method"]).await;
    let settings = async || admin.get("/payment-methods/settings").send().await.assert(200).json();
    let first = settings().await;
    assert_eq!((first["eur_huf_rate"].to_string(), first["version"].clone()), ("350".to_owned(), json!(1)));
    assert_eq!((&first["simplepay"], &first["barion"]), (&Value::Null, &Value::Null));
    let after = admin
        .put("/payment-methods")
        .json(json!({"eur_huf_rate": "397,25", "version": 1}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (after["eur_huf_rate"].to_string(), after["version"].clone()),
        ("397.25".to_owned(), json!(2))
    );
    let stale = admin
        .put("/payment-methods")
        .json(json!({"eur_huf_rate": 1, "version": 1}))
        .send()
        .await
        .assert(409)
        .json();
    assert_eq!(stale["current"]["eur_huf_rate"].to_string(), "397.25");
    for faulty in [json!(0), json!(-1), json!("350.123"), json!(1_000_000), json!("sok")] {
        admin.put("/payment-methods").json(json!({ "eur_huf_rate": faulty })).send().await.assert(422);
    }
    assert_eq!(settings().await["eur_huf_rate"].to_string(), "397.25");
}

async fn account(place: &Place<'_>, provider: &str) -> (Uuid, Option<Vec<u8>>) {
    let sql = format!(
        "select id, secret from {}.provider_account where restaurant_id = $1 and provider = $2",
        place.schema
    );
    let row = place.kit.row(&sql, vec![place.restaurant.into(), provider.into()]).await;
    (row.try_get("", "id").unwrap(), row.try_get("", "secret").unwrap())
}

/// The partner's own key, as it lies in the database.
async fn key(place: &Place<'_>, secrets: &access::Secrets) -> kernel::Result<sealed::DataKey> {
    let row = place
        .kit
        .row("select wrapped from control.data_key where partner_id = $1", vec![place.partner.into()])
        .await;
    sealed::DataKey::unwrap(secrets, place.partner.uuid(), &row.try_get::<Vec<u8>>("", "wrapped").unwrap())
}

#[testkit::test]
async fn secrets_of_providers_go_in_and_never_come_out() {
    const CANARY: &str = "kanari-4711-secret";
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let save = async |body: Value| admin.put("/payment-methods").json(body).send().await;
    let saved = save(json!({"simplepay": {"merchant_id": "PUBLICTESTHUF", "secret_key": CANARY},
            "barion": {"email": "bolt@example.com", "pos_key": CANARY}}))
    .await
    .assert(200);
    assert!(!saved.text().contains(CANARY));
    assert_eq!(saved.json()["simplepay"], json!({"merchant_id": "PUBLICTESTHUF", "has_secret_key": true}));
    assert_eq!(saved.json()["barion"], json!({"email": "bolt@example.com", "has_pos_key": true}));
    assert!(!admin.get("/payment-methods/settings").send().await.assert(200).text().contains(CANARY));

    // Sealed for this partner and row: elsewhere it does not open, and what lies there is not the secret.
    let (id, secret) = account(&place, "simplepay").await;
    let (row, secret) = (id.to_string(), secret.unwrap());
    let here = sealed::Place { table: "provider_account", column: "secret", row: &row };
    let secrets = &place.kit.app.settings.secrets;
    assert!(!secret.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()));
    assert_eq!(key(&place, secrets).await.unwrap().open(here, &secret).unwrap(), CANARY.as_bytes());
    assert!(
        key(&place, secrets).await.unwrap().open(sealed::Place { row: "another", ..here }, &secret).is_err()
    );

    // An absent or empty one leaves it; another account drops it; null removes the account.
    for body in [
        json!({"simplepay": {"merchant_id": "PUBLICTESTHUF"}}),
        json!({"simplepay": {"merchant_id": "PUBLICTESTHUF", "secret_key": ""}}),
    ] {
        assert_eq!(save(body).await.assert(200).json()["simplepay"]["has_secret_key"], true);
    }
    let moved = save(json!({"simplepay": {"merchant_id": "ANOTHER"}})).await.assert(200).json();
    assert_eq!(
        moved["simplepay"],
        json!({"merchant_id": "ANOTHER", "has_secret_key": false}),
        "a secret is not used with another account"
    );
    assert_eq!(save(json!({"barion": null})).await.assert(200).json()["barion"], Value::Null);
    let faulty =
        save(json!({"simplepay": {"merchant_id": ""}, "barion": {"email": "bolt"}})).await.assert(422).json();
    assert_eq!(faulty["keys"], json!(["simplepay.merchant_id", "barion.email"]));
    assert_eq!(
        save(json!({"barion": {"email": "bolt"}})).await.assert(422).json()["keys"],
        json!(["barion.email"])
    );

    // The audit log says that a secret was changed, and nothing of it.
    let log = admin.get("/audit?limit=200").send().await.assert(200);
    assert!(!log.text().contains(CANARY), "{}", log.text());
    let log = log.json();
    let lines: Vec<_> =
        log.as_array().unwrap().iter().filter(|line| line["action"] == "payment_methods_save").collect();
    assert!(lines.iter().any(|line| line.to_string().contains("simplepay_secret_key")), "{lines:?}");
}

#[testkit::test]
async fn secrets_of_partners_are_resealed_under_a_new_key() {
    let kit = kit().await.beside("seal").await;
    let place = kit.partner().await;
    let body = json!({"barion": {"email": "bolt@example.com", "pos_key": "titok"}});
    place.admin().await.put("/payment-methods").json(body).send().await.assert(200);
    let new = access::Secrets::new(vec![9; 32], vec![vec![7; 32]]);
    assert_eq!(
        sealed::reseal(kit.setup(), &new).await.unwrap(),
        sealed::Resealed { renewed: 1, current: 0, failed: 0 }
    );
    let (id, secret) = account(&place, "barion").await;
    let row = id.to_string();
    let here = sealed::Place { table: "provider_account", column: "secret", row: &row };
    let (new_only, old_only) =
        (access::Secrets::new(vec![9; 32], vec![]), access::Secrets::new(vec![7; 32], vec![]));
    assert_eq!(key(&place, &new_only).await.unwrap().open(here, &secret.unwrap()).unwrap(), b"titok");
    assert!(key(&place, &old_only).await.is_err());
    assert_eq!(sealed::reseal(kit.setup(), &new).await.unwrap().current, 1);
}

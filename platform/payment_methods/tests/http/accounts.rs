//! Accounts at providers of online payment.

use std::sync::Arc;

use contract::{Capability, Environment, Plugins};
use poem::endpoint::BoxEndpoint;
use sandbox::{Fault, barion as barion_company, simplepay as simplepay_company};
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use tokio::net::TcpListener;
use url::Url;

const PATH: &str = "/payment-methods/provider-accounts";

/// Stand-ins of both providers, and a service that has their plug-ins in this environment.
pub struct Bench {
    pub simplepay: Arc<simplepay_company::SimplePay>,
    pub barion: Arc<barion_company::Barion>,
    pub plugins: Plugins,
    pub service: BoxEndpoint<'static>,
}

pub async fn at(environments: &[Environment]) -> Bench {
    let address = |listener: &TcpListener| -> Url {
        format!("http://{}", listener.local_addr().unwrap()).parse().unwrap()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = address(&listener);
    let simplepay = Arc::new(simplepay_company::SimplePay::new(url.as_str()));
    tokio::spawn(simplepay_company::serve(listener, simplepay.clone()));
    let pays = Arc::new(simplepay::SimplePay::stand_in(&url).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = address(&listener);
    let barion = Arc::new(barion_company::Barion::default());
    tokio::spawn(barion_company::serve(listener, barion.clone()));
    let other = Arc::new(barion::Barion::stand_in(url).unwrap());
    let mut plugins = Plugins::default();
    for environment in environments {
        for (provider, capability) in [
            ("simplepay", Capability::OnlinePayment(pays.clone())),
            ("simplepay", Capability::Callback(pays.clone())),
            ("barion", Capability::OnlinePayment(other.clone())),
            ("barion", Capability::Callback(other.clone())),
        ] {
            plugins.register(provider, *environment, capability).unwrap();
        }
    }
    let service = kit().await.with_plugins(plugins.clone());
    Bench { simplepay, barion, plugins, service }
}

pub fn good(provider: &str) -> Value {
    match provider {
        "barion" => {
            json!({"provider": provider, "account": barion_company::PAYEE, "secret": barion_company::POS_KEY})
        }
        "szep" => {
            let account = simplepay_company::ACCOUNTS[1];
            json!({"provider": "simplepay", "purpose": "szep", "account": account.merchant, "secret": account.secret})
        }
        _ => {
            let account = simplepay_company::ACCOUNTS[0];
            json!({"provider": "simplepay", "account": account.merchant, "secret": account.secret})
        }
    }
}

pub async fn add(client: &Client<'_>, body: Value) -> Value {
    client.post(PATH).json(body).send().await.assert(201).json()
}

async fn list(client: &Client<'_>) -> Vec<Value> {
    client.get(PATH).send().await.assert(200).json().as_array().unwrap().clone()
}

async fn method(client: &Client<'_>, key: &str) -> Value {
    let rows = client.get("/payment-methods").send().await.assert(200).json();
    rows.as_array().unwrap().iter().find(|row| row["payment_key"] == key).unwrap().clone()
}

async fn set(place: &Place<'_>, change: &str) {
    let sql = format!("update {}.{change}", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
}

#[testkit::test]
async fn an_account_is_checked_where_it_is_saved() {
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.restaurant().await);
    let client = place.with_keys(&["admin_login", "payment_method"]).await.at(&bench.service);
    let account = add(&client, good("simplepay")).await;
    for (field, value) in [
        ("state", json!("checked")),
        ("provider", json!("simplepay")),
        ("purpose", json!("card")),
        ("currency", json!("huf")),
        ("environment", json!("live")),
        ("has_secret", json!(true)),
        ("check_code", Value::Null),
        ("called_at", Value::Null),
    ] {
        assert_eq!(account[field], value, "{field}");
    }
    let address = account["callback_url"].as_str().unwrap().to_owned();
    assert!(address.starts_with("http://pult.test/api/v3/payments/callbacks/simplepay/pc_"), "{address}");
    let path = format!("{PATH}/{}", account["id"].as_str().unwrap());
    let anew = client.post(&format!("{path}/callback-address")).send().await.assert(200).json();
    assert_ne!(anew["callback_url"], json!(address), "the address was made anew");
    assert_eq!(client.get(&path).send().await.assert(200).json()["callback_url"], anew["callback_url"]);

    // A wrong key is refused, and a right one mends it; the provider away changes no state.
    let wrong = client.put(&path).json(json!({"secret": "wrong"})).send().await.assert(200).json();
    assert_eq!(wrong["state"], "refused", "{wrong}");
    bench.simplepay.next(Fault::Refuse);
    let away = client
        .put(&path)
        .json(json!({"secret": good("simplepay")["secret"]}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&away["state"], &away["check_code"]), (&json!("unchecked"), &json!("unreachable")));
    let now = client.post(&format!("{path}/check")).send().await.assert(200).json();
    assert_eq!((&now["state"], &now["check_code"]), (&json!("checked"), &Value::Null));
    bench.simplepay.next(Fault::Status(503));
    let silent = client.post(&format!("{path}/check")).send().await.assert(200).json();
    assert_eq!(silent["state"], "checked", "an answer that says nothing changes nothing");
    // An empty secret keeps the one that is kept; blanks around a secret are cut.
    let kept = client.put(&path).json(json!({"secret": "  "})).send().await.assert(200).json();
    assert_eq!((&kept["state"], &kept["has_secret"]), (&json!("checked"), &json!(true)));
    let padded = format!("  {}  ", good("simplepay")["secret"].as_str().unwrap());
    let padded = client.put(&path).json(json!({"secret": padded})).send().await.assert(200).json();
    assert_eq!(padded["state"], "checked");
    client.put(&path).json(json!({"secret": "x", "version": 1})).send().await.assert(409);
}

#[testkit::test]
async fn an_account_that_could_not_be_asked_about_is_asked_about_again() {
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.partner().await);
    let client = place.admin().await.at(&bench.service);
    bench.barion.next(Fault::Refuse);
    let account = add(&client, good("barion")).await;
    assert_eq!(account["state"], "unchecked");
    let due =
        "update control.job set run_at = now() where kind = 'provider_account_check' and partner_id = $1";
    place.kit.run(due, vec![place.partner.into()]).await;
    place.kit.run_jobs_with(&bench.plugins).await;
    assert_eq!(list(&client).await[0]["state"], "checked");
}

#[testkit::test]
async fn a_replaced_account_stays_for_its_payments() {
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let before = add(&client, good("simplepay")).await;
    let id = before["id"].as_str().unwrap().to_owned();
    let card = method(&client, "card_online").await["id"].clone();
    let chosen = json!({"method_accounts": [{"payment_method_id": card, "account_id": id}]});
    client.put("/payment-methods").json(chosen).send().await.assert(200);
    let path = format!("{PATH}/{id}");
    let after = client.put(&path).json(json!({"account": " ANOTHER "})).send().await.assert(200).json();
    assert_ne!(after["id"], before["id"]);
    assert_eq!(
        (&after["account"], &after["has_secret"], &after["state"]),
        (&json!("ANOTHER"), &json!(false), &json!("unchecked")),
        "a secret is not used with another account"
    );
    assert_eq!(list(&client).await.len(), 1);
    client.get(&path).send().await.assert_problem(404, "PROVIDER_ACCOUNT_NOT_EXIST");
    client
        .post(&format!("{PATH}/{}/check", after["id"].as_str().unwrap()))
        .send()
        .await
        .assert_keys(&["secret"]);
    assert_eq!(method(&client, "card_online").await["account_id"], after["id"], "the choice follows");
    let tx = place.kit.unit_of_work(place.partner).await;
    let id = id.parse().unwrap();
    let paying = payment_methods::merchant(&place.kit.app, &tx, id).await.unwrap().unwrap();
    assert_eq!((paying.provider.as_str(), paying.currency.as_str()), ("simplepay", "huf"));
    assert_eq!(
        (paying.merchant.name.as_str(), paying.merchant.secret.reveal(), paying.merchant.currency.as_str()),
        ("PULTHUF", simplepay_company::ACCOUNTS[0].secret, "HUF")
    );
    assert!(payment_methods::callback_url(&place.kit.app, &tx, id).await.unwrap().is_some());
    let new = after["id"].as_str().unwrap().parse().unwrap();
    assert!(payment_methods::merchant(&place.kit.app, &tx, new).await.unwrap().is_none(), "no secret");
    drop(tx);
    // Removed: gone from the list, and nothing is chosen any more.
    client.delete(&format!("{PATH}/{}", after["id"].as_str().unwrap())).send().await.assert(204);
    assert_eq!(list(&client).await, Vec::<Value>::new());
    assert_eq!(method(&client, "card_online").await["account_id"], Value::Null);
}

#[testkit::test]
async fn a_method_works_where_a_checked_account_serves_it() {
    let environments = [Environment::Live, Environment::TestHost];
    let (bench, place) = (at(&environments).await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let both = json!(["simplepay", "barion"]);
    assert_eq!(method(&client, "card_online").await["needs"], both);
    let barion = add(&client, good("barion")).await;
    let card = method(&client, "card_online").await;
    assert_eq!((&card["needs"], &card["provider"]), (&json!([]), &json!("barion")));
    assert_eq!(method(&client, "szep_kartya_online").await["needs"], json!(["simplepay"]), "another purpose");
    add(&client, good("szep")).await;
    assert_eq!(method(&client, "szep_kartya_online").await["provider"], "simplepay");
    let simplepay = add(&client, good("simplepay")).await;
    assert_eq!(method(&client, "card_online").await["provider"], "simplepay", "the first of the order");
    let choose = |account: &Value| json!({"method_accounts": [{"payment_method_id": card["id"], "account_id": account}]});
    client.put("/payment-methods").json(choose(&barion["id"])).send().await.assert(200);
    assert_eq!(method(&client, "card_online").await["provider"], "barion");

    // Switched on, offered to guests, and no more once the provider refuses the account.
    let on = json!({"payment_method_ids": [card["id"]], "view": "web"});
    client.put("/payment-methods").json(on).send().await.assert(200);
    let key = place.api_key(&["menu:read"]).await.at(&bench.service);
    let offered = async || {
        let rows = key.get("/public/payment-methods").send().await.assert(200).json();
        rows.as_array().unwrap().iter().find(|row| row["payment_key"] == "card_online").cloned()
    };
    assert_eq!(offered().await.unwrap()["provider"], "barion");
    set(&place, "provider_account set state = 'refused' where restaurant_id = $1 and provider = 'barion'")
        .await;
    assert_eq!(offered().await, None, "the account that was chosen is the one that serves");
    client.put("/payment-methods").json(choose(&Value::Null)).send().await.assert(200);
    assert_eq!(offered().await.unwrap()["provider"], "simplepay");

    // Elsewhere other accounts serve.
    set(&place, "restaurant set sandbox_payment = true where id = $1").await;
    assert_eq!((method(&client, "card_online").await["needs"].clone(), offered().await), (both, None));
    let test = add(&client, good("simplepay")).await;
    assert_eq!((&test["environment"], &test["state"]), (&json!("test_host"), &json!("checked")));
    assert_ne!(test["id"], simplepay["id"]);
    assert_eq!(offered().await.unwrap()["provider"], "simplepay");
    // Without plug-ins nothing works, whatever was checked.
    let bare = place.admin().await;
    assert_eq!(method(&bare, "card_online").await["needs"], json!(["simplepay", "barion"]));
}

#[testkit::test]
async fn an_account_that_is_refused_later_is_told_of() {
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let account = add(&client, good("simplepay")).await;
    let id = account["id"].as_str().unwrap().parse().unwrap();
    let secret = format!("select secret from {}.provider_account where id = $1", place.schema);
    let kept: uuid::Uuid = id;
    let row = place.kit.row(&secret, vec![kept.into()]).await;
    let sealed: Vec<u8> = row.try_get("", "secret").unwrap();
    let tx = place.kit.unit_of_work(place.partner).await;
    payment_methods::refused(&tx, place.restaurant, id, b"an older one".to_vec()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(list(&client).await.remove(0)["state"], "checked", "another secret was refused");
    for _ in 0..2 {
        let tx = place.kit.unit_of_work(place.partner).await;
        payment_methods::refused(&tx, place.restaurant, id, sealed.clone()).await.unwrap();
        payment_methods::callback_came(&tx, id, "2026-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
        tx.commit().await.unwrap();
    }
    let now = list(&client).await.remove(0);
    assert_eq!((now["state"].as_str(), now["called_at"].is_null()), (Some("refused"), false), "{now}");
    assert_eq!(method(&client, "card_online").await["needs"], json!(["simplepay", "barion"]));
    let sql = format!(
        "select count(*) n from {}.event where restaurant_id = $1 and kind = 'TASK_PAYMENT_ACCOUNT_REFUSED'",
        place.schema
    );
    let row = place.kit.row(&sql, vec![place.restaurant.into()]).await;
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), 1, "once");
    let log = client.get("/audit?limit=50").send().await.assert(200).json();
    let told = |line: &&Value| line["action"] == "provider_accounts_refused";
    assert_eq!(log.as_array().unwrap().iter().filter(told).count(), 1);
}

#[testkit::test]
async fn faulty_accounts_and_those_of_others_are_refused() {
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let with = |changes: Value| {
        let mut body = good("simplepay");
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        body
    };
    let account = add(&client, good("simplepay")).await;
    for (body, keys) in [
        (good("simplepay"), &["provider"]),
        (with(json!({"provider": "barion", "purpose": "szep", "account": "a@example.com"})), &["purpose"]),
        (with(json!({"provider": "barion", "account": "bolt"})), &["account"]),
        (with(json!({"currency": "gbp"})), &["currency"]),
        (with(json!({"purpose": "szep", "currency": "eur"})), &["currency"]),
        (with(json!({"environment": "stand_in"})), &["environment"]),
        (with(json!({"environment": "test_host"})), &["environment"]),
        (with(json!({"currency": "eur", "account": "two words"})), &["account"]),
        (with(json!({"currency": "eur", "account": " "})), &["account"]),
    ] {
        client.post(PATH).json(body).send().await.assert_keys(keys);
    }
    let mine = format!("{PATH}/{}", account["id"].as_str().unwrap());
    let reader = place.with_keys(&["admin_login"]).await;
    reader.get(PATH).send().await.assert(403);
    // Of another restaurant of the partner, and of another partner.
    for other in [kit().await.restaurant().await, kit().await.stranger().await] {
        let other = other.admin().await.at(&bench.service);
        other.get(&mine).send().await.assert_problem(404, "PROVIDER_ACCOUNT_NOT_EXIST");
        other.put(&mine).json(json!({"secret": "x"})).send().await.assert(404);
        other.delete(&mine).send().await.assert(404);
        for call in ["check", "callback-address"] {
            other.post(&format!("{mine}/{call}")).send().await.assert(404);
        }
        let card = method(&other, "card_online").await;
        let chosen =
            json!({"method_accounts": [{"payment_method_id": card["id"], "account_id": account["id"]}]});
        other
            .put("/payment-methods")
            .json(chosen)
            .send()
            .await
            .assert_keys(&["method_accounts.0.account_id"]);
    }
}

#[testkit::test]
async fn a_secret_of_an_account_never_comes_out() {
    const CANARY: &str = "kanari-4712-secret";
    let (bench, place) = (at(&[Environment::Live]).await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let mut body = good("barion");
    body["secret"] = json!(CANARY);
    let created = client.post(PATH).json(body).send().await.assert(201);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let address = created.json()["callback_url"].as_str().unwrap().to_owned();
    let updated =
        client.put(&format!("{PATH}/{id}")).json(json!({"secret": CANARY})).send().await.assert(200);
    let log = client.get("/audit?limit=200").send().await.assert(200).text();
    for text in [created.text(), updated.text(), log.clone(), client.get(PATH).send().await.text()] {
        assert!(!text.contains(CANARY), "{text}");
    }
    assert!(!log.contains(&address), "the address is nobody's to read in the log");
    let sql = format!(
        "select coalesce(string_agg(k::text, ''), '') || coalesce((select string_agg(e::text, '') from \
         {0}.event e), '') kept from {0}.idempotency_key k",
        place.schema
    );
    let kept: String = place.kit.row(&sql, vec![]).await.try_get("", "kept").unwrap();
    assert!(!kept.contains(CANARY) && !kept.contains(&address));
}

//! Orders are found by number, phone and name, by who may read them.

use kernel::clock;
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{Menu, pickup, prepared, with};

const PATH: &str = "/orders/search";

async fn place_order(key: &Client<'_>, body: Value) -> String {
    let key = key.post("/public/orders").key(&uuid::Uuid::now_v7().to_string());
    key.json(body).send().await.assert(201).json()["counter"].as_str().unwrap().to_owned()
}

async fn found(client: &Client<'_>, text: &str) -> Vec<String> {
    let rows = client.post(PATH).json(json!({ "text": text })).send().await.assert(200).json();
    rows.as_array().unwrap().iter().map(|row| row["counter"].as_str().unwrap().to_owned()).collect()
}

fn guest(menu: &Menu, last: &str, first: &str, phone: &str) -> Value {
    let body = with(with(pickup(menu), "last_name", json!(last)), "first_name", json!(first));
    with(body, "phone_1", json!(phone))
}

#[testkit::test]
async fn an_order_is_found_by_number_phone_and_name() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin.put("/system").json(json!({"counter_prefix": "K"})).send().await.assert(200);
    let anna = place_order(&key, guest(&menu, "Kovács", "Anna", "+36 30 555 0187")).await;
    let bela = place_order(&key, guest(&menu, "Őri", "Béla", "06 (1) 555-0142")).await;
    assert_eq!((anna.as_str(), bela.as_str()), ("K1", "K2"));
    for text in [
        "K1", "k1", " #K1 ", "1", "Kovács", "anna kovacs", "KOV AN", "06 30 555 01 87", "0187",
        "+36305550187", "0036 30 555", "30/555",
    ] {
        assert_eq!(found(&admin, text).await, std::slice::from_ref(&anna), "{text}");
    }
    assert_eq!(found(&admin, "555 01").await, [bela.clone(), anna.clone()], "the newest first");
    assert_eq!(found(&admin, "ori bela").await, std::slice::from_ref(&bela));
    for text in ["K", "K11", "Kovács Béla", "187", "0188", "%", "_"] {
        assert_eq!(found(&admin, text).await, [""; 0], "{text}");
    }
    for text in ["", "  ", "x".repeat(101).as_str()] {
        admin.post(PATH).json(json!({ "text": text })).send().await.assert_keys(&["text"]);
    }
    // Another restaurant has its own.
    let other = kit().await.restaurant().await.admin().await;
    assert_eq!(found(&other, "0187").await, [""; 0]);
}

/// Who may not read orders is told the same, whatever is known, and a search leaves no trace of the guest.
#[testkit::test]
async fn nobody_else_learns_whether_a_phone_is_known() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    place_order(&key, guest(&menu, "Kovács", "Anna", "+36 30 555 0187")).await;
    let driver = place.with_keys(&["admin_login", "courier", "order"]).await;
    let refused = async |text: &str| {
        let answer = driver.post(PATH).json(json!({ "text": text })).send().await;
        let mut problem = answer.assert_problem(403, "USER_PERMISSION_REQUIRED").json();
        problem["request_id"] = Value::Null;
        problem
    };
    assert_eq!(refused("0187").await, refused("9999").await);
    let before = place.count("audit").await;
    for keys in [["admin_login", "fresh_order"], ["admin_login", "all_order"]] {
        assert_eq!(found(&place.with_keys(&keys).await, "0187").await.len(), 1, "{keys:?}");
    }
    assert_eq!(place.count("audit").await, before);
}

#[testkit::test(alone)]
async fn only_the_last_thirty_days_are_searched() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    place_order(&key, pickup(&menu)).await;
    let now = clock::now();
    clock::set(now + chrono::Duration::days(29));
    assert_eq!(found(&admin, "Vendég").await.len(), 1);
    clock::set(now + chrono::Duration::days(31));
    assert_eq!(found(&admin, "Vendég").await.len(), 0);
}

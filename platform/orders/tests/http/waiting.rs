//! Limits for waiting orders of a guest. See `docs/decisions/orders.md#limits-for-guests`.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::{Menu, pickup, prepared, takes, with};

const PHONE: &str = "+36 1 555 0100";

/// A restaurant with the usual limits and a phone of its own.
async fn limited() -> (Place<'static>, Client<'static>, Menu, Client<'static>) {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    admin.put("/general").json(json!({"phone_1": "+36 1 555 0199"})).send().await.assert(200);
    limits(&admin, 5, 10).await;
    (place, admin, menu, key)
}

async fn limits(admin: &Client<'_>, phone: i64, guest: i64) {
    let change = json!({"max_waiting_per_phone": phone, "max_waiting_per_guest": guest});
    let after = admin.put("/system").json(change.clone()).send().await.assert(200).json();
    assert_eq!(
        (&after["max_waiting_per_phone"], &after["max_waiting_per_guest"]),
        (&change["max_waiting_per_phone"], &change["max_waiting_per_guest"])
    );
}

async fn order(client: &Client<'_>, body: Value) -> Answer {
    client.post("/public/orders").key(&Uuid::now_v7().to_string()).json(body).send().await
}

/// A key of this kind, made through the API, with the origin of its page.
pub async fn key_of(place: &Place<'static>, admin: &Client<'_>, kind: &str) -> Client<'static> {
    let origins = if kind == "browser" { json!(["https://shop.example"]) } else { Value::Null };
    let body =
        json!({"name": kind, "kind": kind, "origins": origins, "scopes": ["menu:read", "orders:write"]});
    let made = admin.post("/api-keys").json(body).send().await.assert(201).json();
    let client = place.nobody().bearer(made["api_key"].as_str().unwrap());
    if kind == "browser" { client.header("origin", "https://shop.example") } else { client }
}

/// A guest of a browser key has five calls a second.
pub async fn next_second() {
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
}

fn phone(menu: &Menu, number: &str) -> Value {
    with(pickup(menu), "phone_1", json!(number))
}

#[testkit::test]
async fn one_phone_has_five_orders_waiting_however_it_is_written() {
    let (place, admin, menu, key) = limited().await;
    let mut ids = Vec::new();
    for written in [PHONE, "06 1 555-0100", "0036 (1) 555 0100", "+3615550100", "36 1 555 0100"] {
        ids.push(
            order(&key, phone(&menu, written)).await.assert(201).json()["id"].as_str().unwrap().to_owned(),
        );
    }
    let refused =
        order(&key, phone(&menu, "06/1/5550100")).await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
    assert_eq!(refused.json()["phone"], "+36 1 555 0199");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((3500..=3600).contains(&wait), "{wait}");
    assert_eq!(place.count("orders").await, 5, "nothing is left of it");
    // Another phone orders, and so does everybody whom staff write down.
    order(&key, phone(&menu, "+36 1 555 0101")).await.assert(201);
    order(&admin, phone(&menu, PHONE)).await.assert(201);
    // An accepted order does not wait; a refused one still counts.
    admin
        .put(&format!("/orders/{}/archive", ids[0]))
        .json(json!({"reason": "too_busy"}))
        .send()
        .await
        .assert(200);
    order(&key, phone(&menu, PHONE)).await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
    admin.put(&format!("/orders/{}/accept", ids[1])).json(json!({})).send().await.assert(200);
    order(&key, phone(&menu, PHONE)).await.assert(201);
    order(&key, phone(&menu, PHONE)).await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
    // The other restaurant of the same partner counts for itself.
    let other = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&other).await;
    order(&key, phone(&menu, PHONE)).await.assert(201);
}

#[testkit::test]
async fn what_is_no_number_counts_by_e_mail_and_address() {
    let (_, admin, menu, key) = limited().await;
    limits(&admin, 3, 4).await;
    let of = |number: &str, email: &str| with(phone(&menu, number), "email", json!(email));
    for number in ["+36 30", "12", "nincs"] {
        order(&key, of(number, "Anna@guest.test")).await.assert(201);
    }
    order(&key, of("06 1", "anna@guest.test")).await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
    // The same text is not the same guest, and a number counts by itself.
    order(&key, of("+36 30", "bela@guest.test")).await.assert(201);
    order(&key, of(PHONE, "anna@guest.test")).await.assert(201);
    // Without an e-mail too it counts by the address.
    let from = |number: &str| {
        let call = key.post("/public/orders").key(&Uuid::now_v7().to_string()).json(phone(&menu, number));
        call.header("x-guest-address", "203.0.113.77").send()
    };
    for number in ["1", "22", "333", "4444"] {
        from(number).await.assert(201);
    }
    from("55555").await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
}

#[testkit::test]
async fn an_order_counts_for_an_hour_and_no_address_is_kept_longer() {
    let (place, _, menu, key) = limited().await;
    for _ in 0..5 {
        order(&key, phone(&menu, PHONE)).await.assert(201);
    }
    let age = async |minutes: u32| {
        let sql = format!(
            "update {}.order_sender set created_at = created_at - interval '{minutes} minutes' \
             where restaurant_id = $1",
            place.schema
        );
        place.kit.run(&sql, vec![place.restaurant.into()]).await;
    };
    age(59).await;
    let refused = order(&key, phone(&menu, PHONE)).await.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    age(59).await;
    order(&key, phone(&menu, PHONE)).await.assert(201);
    assert_eq!(place.count("order_sender").await, 1, "what does not count any more is forgotten");
    // Also where no order comes any more.
    age(61).await;
    place.kit.run("select control.prune_events($1)", vec![place.partner.into()]).await;
    assert_eq!(place.count("order_sender").await, 0);
}

#[testkit::test]
async fn a_hundred_at_once_over_two_instances_are_five() {
    let (place, _, menu, key) = limited().await;
    let there = kit().await.second_instance().await;
    let other = key.at(&there);
    // A secret key has 20 calls a second.
    let raise = "update control.api_key set limit_factor = 100 where partner_id = $1 and restaurant_ids @> \
        array[$2]::uuid[]";
    place.kit.run(raise, vec![place.partner.into(), place.restaurant.into()]).await;
    let answers = join_all(
        (0..100).map(|number| order(if number % 2 == 0 { &key } else { &other }, phone(&menu, PHONE))),
    )
    .await;
    let taken = answers.iter().filter(|answer| answer.status == 201).count();
    let refused = answers
        .iter()
        .filter(|answer| answer.status == 429 && answer.json()["code"] == "TOO_MANY_WAITING_ORDERS")
        .count();
    assert_eq!(
        (taken, place.count("orders").await),
        (5, 5),
        "{:?}",
        answers.iter().map(|answer| answer.status).collect::<Vec<_>>()
    );
    assert!(refused > 0);
}

/// The guest's data in the n-th order.
type FieldOf<T = String> = fn(usize) -> T;
/// Who sends, with which phones, from where, with which header, at a table or not; how many are taken.
type Sender<'a> =
    (&'a str, &'a Client<'a>, FieldOf, Option<FieldOf>, FieldOf<Option<(&'static str, String)>>, bool, usize);

/// Of eight orders, where a phone and a guest have three.
#[testkit::test]
async fn the_counted_subject_by_caller() {
    let (place, admin, menu, secret) = limited().await;
    limits(&admin, 3, 3).await;
    takes(&admin, &["cash"]).await;
    let browser = key_of(&place, &admin, "browser").await;
    let test = key_of(&place, &admin, "test").await;
    let same: FieldOf = |_| PHONE.to_owned();
    let others: FieldOf = |number| format!("+36 20 555 {number:04}");
    let from: FieldOf = |number| format!("198.51.100.{number}");
    let here = |body: Value| with(body, "table_name", json!("7"));
    let nobody: FieldOf<Option<(&'static str, String)>> = |_| None;
    let one: FieldOf<Option<(&'static str, String)>> =
        |_| Some(("x-guest-address", "203.0.113.7".to_owned()));
    let block: FieldOf<Option<(&'static str, String)>> =
        |number| Some(("x-guest-address", format!("2001:db8:0:1::{number}")));
    let each: FieldOf<Option<(&'static str, String)>> =
        |number| Some(("x-guest-address", format!("203.0.113.{number}")));
    let table: Vec<Sender<'_>> = vec![
        ("a secret key, one phone", &secret, same, None, nobody, false, 3),
        ("a secret key that does not say its guest's address", &secret, others, None, nobody, false, 8),
        ("a secret key's guest", &secret, others, None, one, false, 3),
        ("a secret key's guest by /64", &secret, others, None, block, false, 3),
        ("a secret key's guests", &secret, others, None, each, false, 8),
        ("a secret key at a table", &secret, same, None, one, true, 8),
        ("a browser key's guest", &browser, others, None, nobody, false, 3),
        ("a browser key's guests", &browser, others, Some(from), nobody, false, 8),
        ("a browser key's word for another guest", &browser, others, None, each, false, 3),
        ("a browser key's word for a table", &browser, others, None, nobody, true, 3),
        ("a test key", &test, same, None, one, false, 8),
        ("staff", &admin, same, None, one, false, 8),
    ];
    for (who, client, phones, address, header, at_table, expected) in table {
        place
            .kit
            .run(
                &format!("delete from {}.order_sender where restaurant_id = $1", place.schema),
                vec![place.restaurant.into()],
            )
            .await;
        let mut taken = 0;
        for number in 1..=8 {
            let body = with(pickup(&menu), "phone_1", json!(phones(number)));
            let body = if at_table { here(body) } else { body };
            let call = client.post("/public/orders").key(&Uuid::now_v7().to_string()).json(body);
            let call = header(number).into_iter().fold(call, |call, (name, value)| call.header(name, value));
            let call = address
                .into_iter()
                .fold(call, |call, address| call.header("x-forwarded-for", address(number)));
            let answer = call.send().await;
            if answer.status == 201 {
                taken += 1;
            } else {
                answer.assert_problem(429, "TOO_MANY_WAITING_ORDERS");
            }
            // A guest of a browser key has five calls a second, a secret key twenty.
            tokio::time::sleep(std::time::Duration::from_millis(if who.contains("browser") {
                250
            } else {
                60
            }))
            .await;
        }
        assert_eq!(taken, expected, "{who}");
    }
    let wrong = secret
        .post("/public/orders")
        .key("wrong")
        .header("x-guest-address", "somewhere")
        .json(pickup(&menu))
        .send()
        .await;
    wrong.assert_problem(400, "BAD_REQUEST");
}

#[testkit::test]
async fn the_limits_are_settings_with_limits() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for (key, value) in [
        ("max_waiting_per_phone", 0),
        ("max_waiting_per_phone", 1001),
        ("max_waiting_per_guest", 0),
        ("max_waiting_per_guest", 1001),
    ] {
        admin.put("/system").json(json!({ key: value })).send().await.assert_keys(&[key]);
    }
    limits(&admin, 1, 1000).await;
    let shown = admin.get("").send().await.assert(200).json();
    assert_eq!((&shown["max_waiting_per_phone"], &shown["max_waiting_per_guest"]), (&json!(1), &json!(1000)));
}

//! Previous orders: filters, pages, totals.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::{amount, order, payments::Till, pickup, prepared, promotion, text, with};

async fn found(admin: &Client<'_>, query: &str) -> Vec<String> {
    let rows = admin.get(&format!("/orders?{query}")).send().await.assert(200).json();
    rows.as_array().unwrap().iter().map(|row| text(&row["id"])).collect()
}

/// The filter of a query string as the body of the totals.
fn body(query: &str) -> Value {
    let mut body = json!({});
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap();
        let value = percent(value);
        match name.strip_suffix("[]") {
            Some(list) => body[list] = json!([value]),
            None if name == "partial_storno" => body[name] = json!(value == "true"),
            None => body[name] = json!(value),
        }
    }
    body
}

fn percent(value: &str) -> String {
    url::form_urlencoded::parse(format!("x={value}").as_bytes()).next().unwrap().1.into_owned()
}

#[testkit::test]
async fn orders_are_found_by_every_filter_and_the_totals_are_the_sum_of_the_rows() {
    let till = Till::open().await;
    let guest = |first: &str, last: &str, phone: &str| {
        let body = with(pickup(&till.menu), "first_name", json!(first));
        with(with(body, "last_name", json!(last)), "phone_1", json!(phone))
    };
    let anna = till.another(guest("Anna Mária", "Kovács-Tóth", "06 30 555 1234")).await;
    let bela =
        till.another(with(guest("Béla", "Nagy_Kiss", "+36 20 444 9876"), "platform", json!("ios"))).await;
    let mut delivered = guest("Cili", "O'Hara 100%", "+36 70 333 5555");
    delivered["pickup"] = json!(false);
    delivered["delivery_data"] =
        json!({"postcode": "1061", "city": "Budapest VI.", "street": "Szív utca", "premise_number": "14/B"});
    let cili = till.another(delivered).await;
    promotion(&till.admin, json!({})).await;
    let cheap =
        till.another(with(guest("Dóra", "Kis", "+36 1 222 3333"), "payment_method", json!("card"))).await;
    let counter = |id: &str| {
        let path = format!("/orders/{id}");
        let admin = till.admin.clone();
        async move { text(&admin.get(&path).send().await.assert(200).json()["counter"]) }
    };
    let (number, method) = (counter(&anna).await, till.read().await["payment_method_id"].clone());
    let card = till.admin.get("/payment-methods").send().await.json();
    let card =
        card.as_array().unwrap().iter().find(|one| one["payment_key"] == "card").unwrap()["id"].clone();
    till.admin.put(&format!("/orders/{bela}/archive")).json(json!({})).send().await.assert(200);
    let soup = till.read().await["items"][0]["id"].clone();
    let storno = json!({"items": [{"order_item_id": soup, "quantity": 1}]});
    till.admin.post(&format!("/orders/{}/stornos", till.id)).json(storno).send().await.assert(201);
    let child = text(&till.read().await["stornos"][0]["id"]);
    let first = till.id.clone();
    let today = till.read().await["payable_transactions"].as_array().unwrap().len();
    assert_eq!(today, 0);
    let sql = format!("select business_day::text from {}.orders where id = '{first}'", till.place.schema);
    let day = till.place.kit.texts(&sql).await.remove(0);
    let all = [&first, &anna, &bela, &cili, &cheap, &child];
    for (query, expected) in [
        ("", all.to_vec()),
        ("name=kov", vec![&anna]),
        ("name=TOTH%20anna", vec![&anna]),
        ("name=mari", vec![&anna]),
        ("name=vacs", vec![]),
        ("name=nagy_k", vec![&bela]),
        ("name=nagyxk", vec![]),
        ("name=%25", vec![]),
        ("name=100%25", vec![&cili]),
        ("name=o%27hara", vec![&cili]),
        ("phone_1=5551", vec![&anna]),
        ("phone_1=0630%20555", vec![&anna]),
        ("phone_1=%2B3620444", vec![&bela]),
        ("city=buda", vec![&cili]),
        ("city=vi", vec![&cili]),
        ("street=sziv", vec![&cili]),
        ("premise_number=14", vec![&cili]),
        ("premise_number=14/b&street=utca", vec![&cili]),
        ("premise_number=4/b", vec![]),
        (&format!("counter={number}"), vec![&anna]),
        ("counter=%27k", vec![]),
        (&format!("id={cili}"), vec![&cili]),
        ("storno=only", vec![&bela]),
        ("storno=except", vec![&first, &anna, &cili, &cheap, &child]),
        ("partial_storno=true", vec![&first, &child]),
        ("storno=partial_storno", vec![&first, &child]),
        ("storno=all", all.to_vec()),
        ("q=kov", vec![&anna]),
        ("q=anna%20TOTH", vec![&anna]),
        ("q=0630%20555%201234", vec![&anna]),
        ("q=5551", vec![&anna]),
        ("q=budapest%20vi", vec![&cili]),
        ("q=sziv%20utca", vec![&cili]),
        ("q=o%27hara", vec![&cili]),
        (&format!("q=%23{number}"), vec![&anna]),
        (&format!("q={number}."), vec![&anna]),
        ("q=anna%20sziv", vec![]),
        ("q=-%27%7C%26", vec![]),
        ("q=%20", all.to_vec()),
        ("q=kov&storno=only", vec![]),
        ("has_discount=true", vec![&cheap]),
        ("has_discount=false&storno=except", vec![&first, &anna, &cili, &child]),
        ("platforms[]=ios", vec![&bela]),
        ("platforms[]=messenger", vec![]),
        (&format!("payment_methods[]={}", text(&card)), vec![&cheap]),
        (&format!("payment_methods[]={}&partial_storno=true", text(&method)), vec![&first, &child]),
        (&format!("from={day}&till={day}"), all.to_vec()),
        (&format!("from={day}&date_filter_by=show_at"), all.to_vec()),
        ("till=2020-01-01", vec![]),
        ("from=2020-01-01T00:00:00Z&till=2020-01-02T00:00:00Z", vec![]),
        (&format!("from={day}&name=anna&phone_1=5551234&storno=except"), vec![&anna]),
    ] {
        let mut ids = found(&till.admin, query).await;
        let mut expected: Vec<String> = expected.into_iter().cloned().collect();
        ids.sort();
        expected.sort();
        assert_eq!(ids, expected, "{query}");
        let rows = till.admin.get(&format!("/orders?count=true&{query}")).send().await.assert(200);
        assert_eq!(rows.header("x-total-count").unwrap(), expected.len().to_string());
        let sum: i64 = rows.json().as_array().unwrap().iter().map(|row| amount(&row["total_price"])).sum();
        let totals = till.admin.post("/orders/totals").json(body(query)).send().await.assert(200).json();
        assert_eq!(amount(&totals["total_price"]), sum, "{query}");
        let counted = amount(&totals["orders"]) + amount(&totals["partial_stornos"]);
        assert_eq!(counted, i64::try_from(expected.len()).unwrap(), "{query}");
    }
    // Found by what it was paid with, too.
    let pay = json!({"payment_method": "voucher", "amount": 100});
    till.pay(pay).await.assert(201);
    let methods = till.admin.get("/payment-methods").send().await.json();
    let voucher = methods.as_array().unwrap().iter().find(|one| one["payment_key"] == "voucher").unwrap();
    let query = format!("payment_methods[]={}", text(&voucher["id"]));
    assert_eq!(found(&till.admin, &query).await, std::slice::from_ref(&first));
    // The newest first, in pages without gaps.
    let pages = [
        found(&till.admin, "limit=2").await,
        found(&till.admin, "limit=2&page=1").await,
        found(&till.admin, "limit=2&page=2").await,
    ];
    assert_eq!(pages.concat(), found(&till.admin, "").await);
    assert_eq!(pages[0], [child, cheap]);
    let stranger = Till::open().await;
    assert_eq!(found(&stranger.admin, &format!("id={first}")).await, Vec::<String>::new());
}

#[testkit::test]
async fn totals_that_are_asked_for_at_once_are_read_once_and_only_for_who_may() {
    // Of a partner of its own: a table is held.
    let place = kit().await.partner().await;
    let ((admin, menu, key), schema) = (prepared(&place).await, &place.schema);
    order(&key, pickup(&menu)).await.assert(201);
    let hold = format!(
        "do $$ begin lock table {schema}.order_entry in access exclusive mode; perform pg_sleep(0.8); end $$"
    );
    let locks = format!(
        "select l.pid::text from pg_locks l join pg_stat_activity a using (pid) where not granted and \
            a.datname = current_database() and relation = '{schema}.order_entry'::regclass"
    );
    let stranger = place.with_keys(&["fresh_order"]).await;
    let totals = || admin.post("/orders/totals").json(json!({})).send();
    let begun = Instant::now();
    let asked = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        join_all((0..12).map(|_| totals())).await
    };
    let meanwhile = async {
        tokio::time::sleep(Duration::from_millis(400)).await;
        stranger
            .post("/orders/totals")
            .json(json!({}))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        let waiting = place.kit.texts(&locks).await;
        // Only while the table is held.
        if begun.elapsed() < Duration::from_millis(700) {
            assert_eq!(waiting.len(), 1);
        }
    };
    let (_, answers, ()) = tokio::join!(place.kit.run(&hold, vec![]), asked, meanwhile);
    for answer in answers {
        assert_eq!(amount(&answer.assert(200).json()["orders"]), 1);
    }
    // What has happened before a request is in its answer.
    for orders in 2..6 {
        order(&key, pickup(&menu)).await.assert(201);
        let (one, other) = tokio::join!(totals(), totals());
        assert_eq!([one, other].map(|answer| amount(&answer.json()["orders"])), [orders; 2]);
    }
}

#[testkit::test]
async fn what_is_no_filter_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for (query, keys) in [
        ("from=tegnap", vec!["from"]),
        ("from=2026-13-01&till=2026-02-30", vec!["from", "till"]),
        ("from=2026-02-02&till=2026-02-01", vec!["till"]),
        ("from=2000-01-01&till=2026-01-01", vec!["till"]),
        ("phone_1=123", vec!["phone_1"]),
        ("storno=some", vec!["storno"]),
        ("has_discount=maybe", vec!["has_discount"]),
        ("date_filter_by=expected_at", vec!["date_filter_by"]),
        ("partial_storno=some", vec!["partial_storno"]),
        ("id=1", vec!["id"]),
        ("payment_methods[]=cash", vec!["payment_methods[]"]),
        ("payment_method=cash", vec!["payment_method"]),
    ] {
        admin.get(&format!("/orders?{query}")).send().await.assert_keys(&keys);
    }
    let long = "x".repeat(101);
    admin.get(&format!("/orders?name={long}")).send().await.assert_keys(&["name"]);
    place
        .with_keys(&["fresh_order"])
        .await
        .get("/orders")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    assert_eq!(found(&admin, &format!("payment_methods[]={}", Uuid::now_v7())).await, Vec::<String>::new());
}

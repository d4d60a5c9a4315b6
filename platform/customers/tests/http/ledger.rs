//! Balance and points.

use serde_json::{Value, json};
use testkit::kit;

use crate::{manager, path, text, with_features, without};

fn sums(row: &Value) -> (i64, i64, i64) {
    let number = |name: &str| row[name].as_f64().unwrap() as i64;
    (number("sum"), number("in"), number("out"))
}

#[tokio::test]
async fn payments_are_rows_and_a_sum_is_the_sum_of_its_rows() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({})).await;
    let ledger = format!("{}/balance", path(&made));
    let pay = |body: Value| anna.post(&ledger).json(body).send();
    let first = pay(json!({"value": 5000, "payment_method": "cash", "comment": "előleg",
        "transaction_at": "2026-01-02T10:00:00Z"})).await.assert(201).json();
    assert_eq!((&first["value"], &first["type"], &first["payment_method"], &first["comment"]),
        (&json!(5000), &json!("payment"), &json!("cash"), &json!("előleg")));
    assert_eq!(first["actor_name"], "Teszt Próba");
    pay(json!({"value": "-1500", "payment_method": "card"})).await.assert(201);
    // As a form, as older clients send it.
    let form = "value=-4000&payment_method=transfer&transaction_at=2026-01-03T10%3A00%3A00Z&comment=";
    let sent = anna.post(&ledger).header("content-type", "application/x-www-form-urlencoded").raw(form).send().await;
    assert_eq!(sent.assert(201).json()["value"], json!(-4000));
    let sum = anna.get(&format!("{ledger}/sum")).send().await.assert(200).json();
    assert_eq!((sums(&sum), &sum["currency"]), ((-500, 5000, -5500), &json!("huf")));
    let early = format!("{ledger}/sum?from=2026-01-02&till=2026-01-02");
    assert_eq!(sums(&anna.get(&early).send().await.assert(200).json()), (5000, 5000, 0));
    let rows = anna.get(&format!("{ledger}?limit=2")).send().await.assert(200).json();
    let values: Vec<i64> = rows.as_array().unwrap().iter().map(|row| row["value"].as_i64().unwrap()).collect();
    assert_eq!(values, [-1500, -4000], "newest first");
    let read = anna.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(read["balance"], json!(-500));
    for (filter, expected) in [("all", 1), ("negative", 1), ("positive", 0), ("equal", 0)] {
        for list in ["/shadow-customers/balances", "/shadow-customers"] {
            let rows = anna.get(&format!("{list}?balance={filter}")).send().await.assert(200).json();
            assert_eq!(rows.as_array().unwrap().len(), expected, "{list} {filter}");
        }
    }
    pay(json!({"value": 500})).await.assert(201);
    anna.enter(json!({"first_name": "Nincs"})).await;
    let equal = async |list: &str| {
        let rows = anna.get(&format!("{list}?balance=equal&count=true")).send().await.assert(200);
        text(&json!(rows.header("x-total-count").unwrap()))
    };
    assert_eq!(equal("/shadow-customers/balances").await, "1", "only whose balance has ever moved");
    assert_eq!(equal("/shadow-customers").await, "2");
}

#[tokio::test]
async fn what_is_no_payment_is_refused() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({})).await;
    let ledger = format!("{}/balance", path(&made));
    without(&place, &["balance", "loyalty"]).await;
    anna.post(&ledger).json(json!({"value": 1})).send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    anna.get("/shadow-customers/balances").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    anna.get(&format!("{}/points", path(&made))).send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    with_features(&place).await;
    for (body, keys) in [
        (json!({}), vec!["value"]),
        (json!({"value": 0}), vec!["value"]),
        (json!({"value": 0.5}), vec!["value"]),
        (json!({"value": "abc"}), vec!["value"]),
        (json!({"value": 10_000_001}), vec!["value"]),
        (json!({"value": -10_000_001}), vec!["value"]),
        (json!({"value": 1e300}), vec!["value"]),
        (json!({"value": 1, "payment_method": "nincs"}), vec!["payment_method"]),
        (json!({"value": 1, "payment_method": "balance"}), vec!["payment_method"]),
        (json!({"value": 1, "transaction_at": "2099-01-01T00:00:00Z"}), vec!["transaction_at"]),
        (json!({"value": 1, "transaction_at": "tegnap"}), vec!["transaction_at"]),
        (json!({"value": 1, "comment": "x".repeat(501)}), vec!["comment"]),
    ] {
        anna.post(&ledger).json(body.clone()).send().await.assert_keys(&keys);
    }
    anna.post(&ledger).header("content-type", "text/plain").raw("value=1").send().await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    let form = anna.post(&ledger).header("content-type", "application/x-www-form-urlencoded").raw("value=&comment=a");
    form.send().await.assert_keys(&["value"]);
    for value in [json!(0), json!(10_000_001), json!(1.5)] {
        let body = json!({"value": value, "comment": "a"});
        anna.post(&format!("{}/points", path(&made))).json(body).send().await.assert_keys(&["value"]);
    }
    // Near the most that is kept.
    let sql = format!(
        "insert into {}.shadow_customer_account (shadow_customer_id, restaurant_group_id, balance) \
         select $1, restaurant_group_id, 999999999 from {0}.restaurant where id = $2",
        place.schema
    );
    place.kit.run(&sql, vec![crate::id(&made).into(), place.restaurant.into()]).await;
    anna.post(&ledger).json(json!({"value": 2})).send().await.assert_keys(&["value"]);
    anna.post(&ledger).json(json!({"value": 1})).send().await.assert(201);
}

#[tokio::test]
async fn two_payments_at_once_are_both_counted_and_one_sent_twice_once() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({})).await;
    let ledger = format!("{}/balance", path(&made));
    let pay = |value: i64| anna.post(&ledger).json(json!({"value": value})).send();
    for answer in futures_util::future::join_all((1..=6).map(pay)).await {
        answer.assert(201);
    }
    let again = || anna.post(&ledger).json(json!({"value": 100})).key("egyszer").send();
    let first = again().await.assert(201).json();
    assert_eq!(again().await.assert(201).json(), first);
    let points = format!("{}/points", path(&made));
    let give = |value: i64| anna.post(&points).json(json!({"value": value, "comment": "ajándék"})).send();
    for answer in futures_util::future::join_all([give(50), give(-80)]).await {
        answer.assert(201);
    }
    let read = anna.get(&path(&made)).send().await.assert(200).json();
    assert_eq!((&read["balance"], &read["points"]), (&json!(121), &json!(-30)));
    assert_eq!(sums(&anna.get(&format!("{points}/sum")).send().await.assert(200).json()), (-30, 50, -80));
    let rows = anna.get(&points).send().await.assert(200).json();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    let sql = format!(
        "select concat_ws('|', trim_scale(a.balance), (select trim_scale(sum(value)) from {0}.shadow_customer_balance), \
         a.points, (select sum(value) from {0}.shadow_customer_point), a.transactions) \
         from {0}.shadow_customer_account a",
        place.schema
    );
    assert_eq!(place.kit.texts(&sql).await, ["121|121|-30|-30|7"]);
}

#[tokio::test]
async fn a_ledger_is_a_groups_in_one_currency() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    there.own_group().await;
    let anna = manager(&here).await;
    let made = anna.enter(json!({"phone_1": "06 30 555 0100"})).await;
    anna.post(&format!("{}/balance", path(&made))).json(json!({"value": 700})).send().await.assert(201);
    let bela = manager(&there).await;
    let same = bela.enter(json!({"phone_1": "06 30 555 0100"})).await;
    assert_eq!((&same["id"], &same["balance"]), (&made["id"], &json!(0)));
    bela.post(&format!("{}/balance", path(&made))).json(json!({"value": -200})).send().await.assert(201);
    for (person, expected) in [(&anna, 700), (&bela, -200)] {
        let read = person.get(&path(&made)).send().await.assert(200).json();
        assert_eq!(read["balance"], json!(expected));
    }
    // Who has balances keeps the currency.
    let owner = there.partner_admin().await;
    let general = json!({"currency": "eur"});
    owner.put("/general").json(general).send().await.assert_problem(409, "CURRENCY_FIXED");
}

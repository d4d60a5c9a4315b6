//! Balance and points.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use serde_json::{Value, json};
use testkit::kit;

use super::{manager, path, text, with_features, without};

fn sums(row: &Value) -> (i64, i64, i64) {
    let number = |name: &str| row[name].as_f64().unwrap() as i64;
    (number("sum"), number("in"), number("out"))
}

#[testkit::test]
async fn payments_are_rows_and_a_sum_is_the_sum_of_its_rows() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let made = anna.enter(json!({})).await;
    let ledger = format!("{}/balance", path(&made));
    let pay = |body: Value| anna.post(&ledger).json(body).send();
    let first = pay(json!({"value": 5000, "payment_method": "cash", "comment": "előleg",
        "transaction_at": "2026-01-02T10:00:00Z"}))
    .await
    .assert(201)
    .json();
    assert_eq!(
        (&first["value"], &first["type"], &first["payment_method"], &first["comment"]),
        (&json!(5000), &json!("payment"), &json!("cash"), &json!("előleg"))
    );
    assert_eq!(first["actor_name"], "Teszt Próba");
    pay(json!({"value": "-1500", "payment_method": "card"})).await.assert(201);
    // As a form, as older clients send it.
    let form = "value=-4000&payment_method=transfer&transaction_at=2026-01-03T10%3A00%3A00Z&comment=";
    let sent =
        anna.post(&ledger).header("content-type", "application/x-www-form-urlencoded").raw(form).send().await;
    assert_eq!(sent.assert(201).json()["value"], json!(-4000));
    let sum = anna.get(&format!("{ledger}/sum")).send().await.assert(200).json();
    assert_eq!((sums(&sum), &sum["currency"]), ((-500, 5000, -5500), &json!("huf")));
    let early = format!("{ledger}/sum?from=2026-01-02&till=2026-01-02");
    assert_eq!(sums(&anna.get(&early).send().await.assert(200).json()), (5000, 5000, 0));
    let rows = anna.get(&format!("{ledger}?limit=2")).send().await.assert(200).json();
    let values: Vec<i64> =
        rows.as_array().unwrap().iter().map(|row| row["value"].as_i64().unwrap()).collect();
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

#[testkit::test]
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
        (json!({"value": 1, "transaction_at": "2010-10-10T23:00:00Z"}), vec!["transaction_at"]),
        (json!({"value": 1, "comment": "x".repeat(501)}), vec!["comment"]),
    ] {
        anna.post(&ledger).json(body.clone()).send().await.assert_keys(&keys);
    }
    anna.post(&ledger)
        .header("content-type", "text/plain")
        .raw("value=1")
        .send()
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    let form = anna
        .post(&ledger)
        .header("content-type", "application/x-www-form-urlencoded")
        .raw("value=&comment=a");
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
    place.kit.run(&sql, vec![super::id(&made).into(), place.restaurant.into()]).await;
    anna.post(&ledger).json(json!({"value": 2})).send().await.assert_keys(&["value"]);
    anna.post(&ledger).json(json!({"value": 1})).send().await.assert(201);
}

#[testkit::test]
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
        "select concat_ws('|', trim_scale(a.balance), (select trim_scale(sum(value)) from \
        {0}.shadow_customer_balance), \
         a.points, (select sum(value) from {0}.shadow_customer_point), a.transactions) \
         from {0}.shadow_customer_account a",
        place.schema
    );
    assert_eq!(place.kit.texts(&sql).await, ["121|121|-30|-30|7"]);
}

#[testkit::test]
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

/// Where what is kept of a person is not what the rows say.
fn wrong(schema: &str) -> String {
    format!(
        "with root as (select c.* from {schema}.shadow_customer c where c.root_id is null), \
         member as (select c.id, coalesce(c.root_id, c.id) root from {schema}.shadow_customer c), \
         row as (select m.root, b.value balance, 0 points, 1 one from {schema}.shadow_customer_balance b \
                join member m on m.id = b.shadow_customer_id \
            union all select m.root, 0, b.value, 0 from {schema}.shadow_customer_point b \
                join member m on m.id = b.shadow_customer_id), \
         meant as (select root, sum(balance) balance, sum(points) points, sum(one) ones from row \
            group by root), \
         ordered as (select m.root, count(*) orders, sum(o.total_price) total, max(o.created_at) last_at \
            from {schema}.orders o join member m on m.id = o.customer_id where o.archived_at is null \
            group by m.root) \
         select concat_ws('|', r.id, r.name, r.order_number, o.orders, a.balance, m.balance, a.points, \
            m.points, r.merged_search) \
         from root r left join meant m on m.root = r.id left join ordered o on o.root = r.id \
         left join {schema}.shadow_customer_account a on a.shadow_customer_id = r.id \
         where (coalesce(a.balance, 0), coalesce(a.points, 0), coalesce(a.transactions, 0)) \
                <> (coalesce(m.balance, 0), coalesce(m.points, 0), coalesce(m.ones, 0)) \
            or (r.order_number, r.order_total_sum) <> (coalesce(o.orders, 0), coalesce(o.total, 0)) \
            or r.last_order_at is distinct from o.last_at \
            or r.merged_search <> coalesce((select string_agg(' ' || c.search, '' order by c.id) \
                from {schema}.shadow_customer c where c.root_id = r.id), '')"
    )
}

/// Whatever is paid, corrected, ordered, merged and parted again, in any order.
#[testkit::test]
async fn sums_are_those_of_the_rows() {
    let step = (0_usize..7, 0_usize..4, 0_usize..4, -900_i64..900);
    let steps = proptest::collection::vec(step, 20);
    let mut runner = TestRunner::deterministic();
    run(steps.new_tree(&mut runner).unwrap().current()).await;
}

async fn run(steps: Vec<(usize, usize, usize, i64)>) {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let people = [manager(&here).await, manager(&there).await];
    let soups = [super::soup(&here).await, super::soup(&there).await];
    let mut customers = Vec::new();
    let phone = |at: usize| format!("06 30 555 010{at}");
    for at in 0..4 {
        let fields = json!({"phone_1": phone(at)});
        for person in &people {
            customers.push(person.enter(fields.clone()).await);
        }
    }
    // Entered at both restaurants, each is one customer.
    let customers: Vec<&Value> = customers.iter().step_by(2).collect();
    for (kind, one, other, value) in &steps {
        let (at, path) = (other % 2, path(customers[*one]));
        let person = &people[at];
        let answer = match kind {
            0 | 1 => person.post(&format!("{path}/balance")).json(json!({"value": value})).send().await,
            2 => {
                let body = json!({"value": value, "comment": "javítás"});
                person.post(&format!("{path}/points")).json(body).send().await
            }
            3 | 4 => {
                let into = json!({"into": customers[*other]["id"]});
                person.post(&format!("{path}/merge")).json(into).send().await
            }
            5 => person.delete(&format!("{path}/merge")).send().await,
            _ => {
                let place = [&here, &there][at];
                super::order(place, &soups[at], json!({"phone_1": phone(*one)})).await;
                continue;
            }
        };
        assert!(matches!(answer.status, 200 | 201 | 409 | 422), "{steps:?}: {}", answer.text());
        let wrong = here.kit.texts(&wrong(&here.schema)).await;
        assert!(wrong.is_empty(), "{steps:?}: {wrong:?}");
    }
}

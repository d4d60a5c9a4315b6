//! Two customers who are one.

use serde_json::{Value, json};
use testkit::{Place, kit};
use uuid::Uuid;

use super::{Person, address, id, manager, order, path, person, soup, text};

async fn merge(anna: &Person<'_>, one: &Value, into: &Value) -> testkit::Answer {
    anna.post(&format!("{}/merge", path(one))).json(json!({"into": into["id"]})).send().await
}

async fn undo(anna: &Person<'_>, one: &Value) -> testkit::Answer {
    anna.delete(&format!("{}/merge", path(one))).send().await
}

async fn read(anna: &Person<'_>, one: &Value) -> Value {
    anna.get(&path(one)).send().await.assert(200).json()
}

async fn rows_of_ledger(place: &Place<'_>) -> Vec<String> {
    let sql = format!("select t::text from {}.shadow_customer_balance t order by id", place.schema);
    place.kit.texts(&sql).await
}

#[testkit::test]
async fn the_younger_points_to_the_older_and_back() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    let older = anna
        .enter(
            json!({"first_name": "Régi", "phone_1": "06 30 555 0101", "addresses": [address("Régi utca")]}),
        )
        .await;
    let younger = anna
        .enter(json!({"first_name": "Új", "phone_1": "06 30 555 0102", "addresses": [address("Új utca")]}))
        .await;
    order(&place, &soup, json!({"phone_1": "06 30 555 0101"})).await;
    order(&place, &soup, json!({"phone_1": "06 30 555 0102"})).await;
    for (who, value) in [(&older, 100), (&younger, -30)] {
        anna.post(&format!("{}/balance", path(who))).json(json!({"value": value})).send().await.assert(201);
    }
    let before = rows_of_ledger(&place).await;
    // Whoever is named, the older stays.
    let merged = merge(&anna, &older, &younger).await.assert(201).json();
    assert_eq!(merged["id"], older["id"]);
    assert_eq!(
        (&merged["order_number"], &merged["order_total_sum"], &merged["balance"]),
        (&json!(2), &json!(4000), &json!(70))
    );
    assert_eq!(merged["addresses"].as_array().unwrap().len(), 2, "addresses are shown together");
    assert_eq!(merged["merged"][0]["id"], younger["id"]);
    assert_ne!(merged["merged"][0]["undo_until"], Value::Null);
    assert_eq!(anna.names("").await, ["Kis Régi"]);
    assert_eq!(anna.names("?name=0102").await, ["Kis Régi"], "found by the number of who was merged");
    assert_eq!(anna.names("?sort=order_number_desc").await, ["Kis Régi"]);
    assert_eq!(rows_of_ledger(&place).await, before, "no row of a ledger is touched");
    let orders = anna.get(&format!("{}/orders", path(&older))).send().await.assert(200).json();
    assert_eq!(orders.as_array().unwrap().len(), 2);
    let balance = anna.get(&format!("{}/balance", path(&older))).send().await.assert(200).json();
    assert_eq!(balance.as_array().unwrap().len(), 2);
    assert_eq!(read(&anna, &younger).await["merged_into"], older["id"]);
    anna.put(&path(&younger))
        .json(json!({"first_name": "Más"}))
        .send()
        .await
        .assert_problem(409, "SHADOW_CUSTOMER_MERGED");
    anna.delete(&path(&younger)).send().await.assert_problem(409, "SHADOW_CUSTOMER_MERGED");
    // The number of who was merged leads to the older customer.
    let next = order(&place, &soup, json!({"phone_1": "06 30 555 0102"})).await;
    assert_eq!(next["customer_id"], older["id"]);
    anna.post(&format!("{}/balance", path(&younger))).json(json!({"value": 5})).send().await.assert(201);
    assert_eq!(read(&anna, &older).await["balance"], json!(75));
    assert_eq!(read(&anna, &older).await["order_number"], json!(3));
    let back = undo(&anna, &younger).await.assert(200).json();
    assert_eq!(
        (&back["order_number"], &back["balance"], &back["merged_into"]),
        (&json!(1), &json!(-25), &Value::Null)
    );
    let older_now = read(&anna, &older).await;
    assert_eq!((&older_now["order_number"], &older_now["balance"]), (&json!(2), &json!(100)));
    assert_eq!(anna.names("").await, ["Kis Régi", "Kis Új"]);
    undo(&anna, &younger).await.assert_problem(409, "SHADOW_CUSTOMER_NOT_MERGED");
}

#[testkit::test]
async fn what_cannot_be_merged_is_said() {
    let kit = kit().await;
    let place = kit.partner().await;
    let sibling = kit.restaurant_of(place.partner).await;
    let anna = manager(&place).await;
    let (a, b, c) = (anna.enter(json!({})).await, anna.enter(json!({})).await, anna.enter(json!({})).await);
    let there = manager(&sibling).await.enter(json!({})).await;
    let stranger = manager(&kit.partner().await).await.enter(json!({})).await;
    let anna = manager(&place).await;
    for other in [&a, &there, &stranger, &json!({"id": Uuid::now_v7()})] {
        merge(&anna, &a, other).await.assert_keys(&["into"]);
    }
    merge(&anna, &there, &a).await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    merge(&anna, &b, &a).await.assert(201);
    // One who was merged: as the first it is refused, as the other it leads to the older.
    merge(&anna, &b, &c).await.assert_problem(409, "SHADOW_CUSTOMER_MERGED");
    merge(&anna, &a, &b).await.assert_keys(&["into"]);
    assert_eq!(merge(&anna, &c, &b).await.assert(201).json()["id"], a["id"]);
    assert_eq!(read(&anna, &a).await["merged"].as_array().unwrap().len(), 2);
    let gone = anna.enter(json!({})).await;
    anna.delete(&path(&gone)).send().await.assert(204);
    merge(&anna, &a, &gone).await.assert_keys(&["into"]);
    merge(&anna, &gone, &a).await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    let sql = format!(
        "update {}.shadow_customer set merged_at = now() - interval '31 days' where id = $1",
        place.schema
    );
    kit.run(&sql, vec![id(&b).into()]).await;
    undo(&anna, &b).await.assert_problem(409, "SHADOW_CUSTOMER_MERGE_OLD");
    undo(&anna, &c).await.assert(200);
}

#[testkit::test]
async fn a_chain_comes_apart_where_it_was_made() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    let mut made = Vec::new();
    for number in 1..=3 {
        let phone = format!("06 30 555 020{number}");
        made.push(anna.enter(json!({"first_name": format!("{number}"), "phone_1": phone})).await);
        order(&place, &soup, json!({"phone_1": format!("06 30 555 020{number}")})).await;
    }
    // The third into the second, the second into the first.
    merge(&anna, &made[2], &made[1]).await.assert(201);
    let first = merge(&anna, &made[1], &made[0]).await.assert(201).json();
    assert_eq!(first["order_number"], json!(3));
    let second = undo(&anna, &made[1]).await.assert(200).json();
    assert_eq!(second["order_number"], json!(2), "the third stays with the second");
    assert_eq!(read(&anna, &made[0]).await["order_number"], json!(1));
    assert_eq!(read(&anna, &made[2]).await["merged_into"], made[1]["id"]);
}

#[testkit::test]
async fn merging_both_ways_at_once_merges_once() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    for _ in 0..3 {
        let (a, b) = (anna.enter(json!({})).await, anna.enter(json!({})).await);
        let (one, other) = futures_util::future::join(merge(&anna, &a, &b), merge(&anna, &b, &a)).await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses[0], 201, "{} {}", one.text(), other.text());
        assert!(matches!(statuses[1], 409 | 422), "{} {}", one.text(), other.text());
        assert_eq!(read(&anna, &b).await["merged_into"], a["id"]);
        assert_eq!(read(&anna, &a).await["merged_into"], Value::Null);
    }
}

#[testkit::test]
async fn a_restaurant_sees_who_was_merged_into_somebody_known_elsewhere() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let older = manager(&here).await.enter(json!({"first_name": "Régi"})).await;
    let younger = manager(&there).await.enter(json!({"first_name": "Új"})).await;
    let owner = person(&[&here], &[], true).await;
    merge(&owner, &younger, &older).await.assert(201);
    assert_eq!(manager(&there).await.names("").await, ["Kis Régi"]);
    let owner = person(&[&here], &[], true).await;
    undo(&owner, &younger).await.assert(200);
    assert_eq!(manager(&there).await.names("").await, ["Kis Új"]);
    assert_eq!(text(&older["name"]), "Kis Régi");
}

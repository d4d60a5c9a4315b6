//! Customers to whom a promotion is locked.

use serde_json::{Value, json};
use testkit::{Answer, Client, kit};
use uuid::Uuid;

use super::{customer, id, make, path, with_pin};

const PIN: &str = "47115";

async fn name(client: &Client<'_>, usages: &str, customer: Uuid) -> Answer {
    let body = json!({"shadow_customer_id": customer});
    client.post(usages).header("x-pin", PIN).json(body).send().await
}

async fn list(client: &Client<'_>, usages: &str) -> Vec<Value> {
    let answer = client.get(usages).header("x-pin", PIN).send().await.assert(200).json();
    answer.as_array().unwrap().clone()
}

#[testkit::test]
async fn every_call_needs_the_own_pin() {
    let place = kit().await.restaurant().await;
    let admin = with_pin(&place, false, PIN).await;
    let made = make(&admin, json!({"locked_customers": true})).await;
    let usages = format!("{}/usages", path(&made));
    let who = customer(&place, "Kis").await;
    let usage = name(&admin, &usages, who).await.assert(201).json();
    assert_eq!(usage["shadow_customer"]["name"], "Kis Anna");
    let one = format!("{usages}/{}", usage["id"].as_str().unwrap());
    let body = json!({"shadow_customer_id": who});
    for (pin, code) in [(None, "PIN_REQUIRED"), (Some("99999"), "PIN_INVALID")] {
        let with = |call: testkit::Call<'static>| match pin {
            Some(pin) => call.header("x-pin", pin),
            None => call,
        };
        with(admin.get(&usages)).send().await.assert_problem(403, code);
        with(admin.post(&usages).json(body.clone())).send().await.assert_problem(403, code);
        with(admin.delete(&one)).send().await.assert_problem(403, code);
        with(admin.get("/shadow-customers")).send().await.assert_problem(403, code);
    }
    // What is not there is said before the PIN is asked for.
    let nowhere = format!("/discounts/{}/usages", Uuid::now_v7());
    admin.get(&nowhere).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");
    let none = format!("{usages}/{}", Uuid::now_v7());
    admin.delete(&none).send().await.assert_problem(404, "DISCOUNT_USAGE_NOT_EXIST");
    assert_eq!(list(&admin, &usages).await.len(), 1);
    assert_eq!(admin.get(&path(&made)).send().await.json()["usage_qty"], 1);

    // The log names the customer by id alone.
    let log = format!(
        "select string_agg(d.details::text, ' ') from {0}.audit a join {0}.audit_detail d on d.audit_id = a.id \
         where a.record_id = '{1}'",
        place.schema,
        usage["id"].as_str().unwrap()
    );
    let log = place.kit.texts(&log).await.remove(0);
    assert!(log.contains(&who.to_string()) && !log.contains("Kis"), "{log}");
    admin.delete(&one).header("x-pin", PIN).send().await.assert(204);
    assert_eq!(list(&admin, &usages).await.len(), 0);
}

#[testkit::test]
async fn what_the_caller_may_not_change_is_said_before_the_pin() {
    let place = kit().await.partner().await;
    let (owner, admin) = (with_pin(&place, true, PIN).await, place.admin().await);
    let made = make(&owner, json!({"locked_customers": true, "restaurant_ids": null})).await;
    let usages = format!("{}/usages", path(&made));
    let who = customer(&place, "Kis").await;
    let usage = name(&owner, &usages, who).await.assert(201).json();
    let one = format!("{usages}/{}", usage["id"].as_str().unwrap());
    admin.get(&usages).send().await.assert_problem(403, "PIN_REQUIRED");
    let post = admin.post(&usages).json(json!({"shadow_customer_id": who}));
    for change in [post, admin.delete(&one)] {
        change.send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    assert_eq!(list(&owner, &usages).await.len(), 1);
}

#[testkit::test]
async fn customers_are_forgotten_unless_the_promotion_is_locked_to_them() {
    let place = kit().await.restaurant().await;
    let admin = with_pin(&place, false, PIN).await;
    let made = make(&admin, json!({})).await;
    let usages = format!("{}/usages", path(&made));
    let who = customer(&place, "Kis").await;
    name(&admin, &usages, who).await.assert_keys(&["shadow_customer_id"]);
    admin.put(&path(&made)).json(json!({"locked_customers": true})).send().await.assert(200);
    name(&admin, &usages, who).await.assert(201);
    admin.put(&path(&made)).json(json!({"name": "Más"})).send().await.assert(200);
    assert_eq!(list(&admin, &usages).await.len(), 1);
    admin.put(&path(&made)).json(json!({"locked_customers": false})).send().await.assert(200);
    admin.put(&path(&made)).json(json!({"locked_customers": true})).send().await.assert(200);
    assert_eq!(list(&admin, &usages).await.len(), 0);
}

#[testkit::test]
async fn half_of_forty_customers_are_refused_and_the_others_stand() {
    let kit = kit().await;
    let (place, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let admin = with_pin(&place, false, PIN).await;
    let made = make(&admin, json!({"locked_customers": true})).await;
    let usages = format!("{}/usages", path(&made));
    let mut expected = Vec::new();
    for number in 0..40 {
        let name_of = format!("Vendég {number}");
        let who = match number % 4 {
            0 | 1 => customer(&place, &name_of).await,
            2 => customer(if number % 8 == 2 { &sibling } else { &stranger }, &name_of).await,
            _ => Uuid::now_v7(),
        };
        let answer = name(&admin, &usages, who).await;
        if number % 4 < 2 {
            answer.assert(201);
            expected.push(json!(who));
        } else {
            answer.assert_keys(&["shadow_customer_id"]);
        }
    }
    let named = async || -> Vec<Value> {
        list(&admin, &usages).await.into_iter().map(|row| row["shadow_customer_id"].clone()).collect()
    };
    assert_eq!(named().await, expected);
    // Sending those again that stand adds nobody.
    let first: Uuid = expected[0].as_str().unwrap().parse().unwrap();
    name(&admin, &usages, first).await.assert(201);
    assert_eq!(named().await, expected);
    // An admin of the whole partner may name customers of all its restaurants.
    let owner = with_pin(&place, true, "47116").await;
    let beside = customer(&sibling, "Szomszéd").await;
    let body = json!({"shadow_customer_id": beside});
    owner.post(&usages).header("x-pin", "47116").json(body).send().await.assert(201);
    // An admin of the one restaurant sees that somebody is named, and not who.
    let rows = list(&admin, &usages).await;
    let (last, others) = rows.split_last().unwrap();
    assert_eq!((&last["shadow_customer_id"], &last["shadow_customer"]), (&json!(beside), &Value::Null));
    assert!(others.iter().all(|row| !row["shadow_customer"].is_null()));
    let all = owner.get(&usages).header("x-pin", "47116").send().await.assert(200).json();
    assert!(all.as_array().unwrap().iter().all(|row| !row["shadow_customer"].is_null()));
}

#[testkit::test]
async fn two_who_name_one_customer_name_one() {
    let place = kit().await.restaurant().await;
    let admin = with_pin(&place, false, PIN).await;
    let made = make(&admin, json!({"locked_customers": true})).await;
    let usages = format!("{}/usages", path(&made));
    let who = customer(&place, "Kis").await;
    let answers = tokio::join!(name(&admin, &usages, who), name(&admin, &usages, who));
    let (one, other) = (answers.0.assert(201).json(), answers.1.assert(201).json());
    assert_eq!(id(&one), id(&other));
    assert_eq!(list(&admin, &usages).await.len(), 1);
}

#[testkit::test]
async fn the_picker_finds_customers_of_this_restaurant() {
    let kit = kit().await;
    let (place, sibling) = (kit.restaurant().await, kit.restaurant().await);
    let admin = with_pin(&place, false, PIN).await;
    let who = customer(&place, "Őszi").await;
    customer(&sibling, "Őszi").await;
    let phone = format!("+3630{:07}", Uuid::now_v7().as_u128() % 10_000_000);
    let sql = format!("update {}.shadow_customer set phone_1 = $2 where id = $1", place.schema);
    place.kit.run(&sql, vec![who.into(), phone.clone().into()]).await;
    let found = async |query: &str| {
        let path = format!("/shadow-customers?{query}");
        let rows = admin.get(&path).header("x-pin", PIN).send().await.assert(200).json();
        // What a picker shows; the list has more for whoever may see it.
        let short = |row: &Value| json!({"id": row["id"], "name": row["name"], "phone_1": row["phone_1"], "email": row["email"]});
        Value::Array(rows.as_array().unwrap().iter().map(short).collect())
    };
    let expected = json!([{"id": who, "name": "Őszi Anna", "phone_1": phone, "email": null}]);
    assert_eq!(found("name=anna%20OSZI").await, expected);
    assert_eq!(found(&format!("name=06%20{}", &phone[3..])).await, expected);
    assert_eq!(found("").await, expected);
    assert_eq!(found("name=senki").await, json!([]));
}

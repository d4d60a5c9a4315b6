//! Taking out who somebody was, and that nothing of it is left anywhere.

use serde_json::{Value, json};
use testkit::{Place, kit};

use super::{Person, address, finish, id, manager, order, path, person, soup, text};

/// A name that stands nowhere else.
const MARK: &str = "Kanárimadár";

/// Where the mark stands in the partner's schema.
async fn marked(place: &Place<'_>, mark: &str) -> Vec<String> {
    let tables = format!(
        "select table_name from information_schema.tables where table_schema = '{}' \
         and table_type = 'BASE TABLE'",
        place.schema
    );
    let mut found = Vec::new();
    for table in place.kit.texts(&tables).await {
        let sql = format!(
            "select '{table}: ' || t::text from {}.{table} t \
             where position(lower('{mark}') in lower(t::text)) > 0",
            place.schema
        );
        found.extend(place.kit.texts(&sql).await);
    }
    found
}

async fn delete(anna: &Person<'_>, one: &Value) -> testkit::Answer {
    anna.delete(&path(one)).send().await
}

#[testkit::test]
async fn nothing_of_a_person_is_left() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    let phone = "06 30 555 0177";
    let made = anna
        .enter(json!({"last_name": MARK, "phone_1": phone, "phone_2": "06 30 555 0178",
            "email": "kanarimadar@guest.test", "note": MARK, "comment": MARK,
            "external_ids": [{"platform": "bolt", "id": MARK}],
            "addresses": [{"city": MARK, "street": MARK, "premise_number": "1", "address_notes": MARK}]}))
        .await;
    let young = anna.enter(json!({"last_name": MARK, "first_name": "Fiatal", "note": MARK})).await;
    anna.post(&format!("{}/merge", path(&young))).json(json!({"into": made["id"]})).send().await.assert(201);
    anna.put(&path(&made)).json(json!({"first_name": MARK})).send().await.assert(200);
    for value in [500, -500] {
        let body = json!({"value": value, "comment": MARK});
        anna.post(&format!("{}/balance", path(&made))).json(body).send().await.assert(201);
    }
    let body = json!({"value": 5, "comment": MARK});
    anna.post(&format!("{}/points", path(&young))).json(body).send().await.assert(201);
    // Through a shop, whose answer is kept; sent twice.
    let shop = place.api_key(&["orders:write", "orders:read"]).await;
    let mut delivery = address(MARK);
    delivery["address_notes"] = json!(MARK);
    let body = json!({"platform": "browser", "pickup": false, "first_name": MARK, "last_name": MARK,
        "phone_1": phone, "email": "kanarimadar@guest.test", "message": MARK, "payment_method": "cash",
        "external_id": MARK, "delivery_data": delivery,
        "items": [{"subproduct_id": soup, "quantity": 1, "message": MARK}]});
    let sent = shop.post("/public/orders").json(body).key("egyszer").send().await.assert(201).json();
    assert_eq!(sent["customer_id"], made["id"]);
    // What was said first stands in what the change replaced.
    let other = json!({"first_name": "Más", "last_name": "Más", "message": "más", "email": "mas@guest.test",
        "delivery_data": address("Más utca")});
    anna.put(&format!("/orders/{}", text(&sent["id"]))).json(other).key("modositas").send().await.assert(200);
    finish(&place, &sent).await;
    let refused = order(&place, &soup, json!({"phone_1": phone, "last_name": MARK, "message": MARK})).await;
    let archive = json!({"reason": "other", "reason_text": MARK});
    let archived = format!("/orders/{}/archive", text(&refused["id"]));
    place.admin().await.put(&archived).json(archive).send().await.assert(200);
    assert!(marked(&place, MARK).await.len() > 10, "the mark stands in many places");
    delete(&anna, &young).await.assert_problem(409, "SHADOW_CUSTOMER_MERGED");
    delete(&anna, &made).await.assert(204);
    for mark in [MARK, "kanarimadar", "305550177", "305550178"] {
        assert_eq!(marked(&place, mark).await, Vec::<String>::new(), "{mark}");
    }
    delete(&anna, &made).await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    anna.get(&path(&made)).send().await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    anna.get(&path(&young)).send().await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    assert_eq!(anna.names("").await, Vec::<String>::new());
    // Amounts and days stay.
    let sql = format!(
        "select concat_ws('|', trim_scale(sum(total_price)), count(business_day), count(customer_id)) \
         from {}.orders",
        place.schema
    );
    assert_eq!(place.kit.texts(&sql).await, ["4000|2|2"]);
    let sql = format!("select count(*)::text from {}.shadow_customer_balance", place.schema);
    assert_eq!(place.kit.texts(&sql).await, ["2"]);
    // The number belongs to somebody new.
    let next = order(&place, &soup, json!({"phone_1": phone})).await;
    assert_ne!(next["customer_id"], made["id"]);
    assert_eq!(anna.names("").await, ["Nagy Béla"]);
    // The kept answer of the shop still answers, and tells nobody.
    let order = format!("/orders/{}", text(&sent["id"]));
    let read = place.admin().await.get(&order).send().await.assert(200).json();
    assert_eq!((&read["first_name"], &read["delivery_data"]), (&Value::Null, &Value::Null));
}

#[testkit::test]
async fn who_is_served_or_owes_is_not_anonymised() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    let placed = order(&place, &soup, json!({})).await;
    let rows = anna.get("/shadow-customers").send().await.assert(200).json();
    let customer = &rows[0];
    assert_eq!(customer["id"], placed["customer_id"]);
    delete(&anna, customer).await.assert_problem(409, "IN_USE");
    let accept = format!("/orders/{}/accept", text(&placed["id"]));
    place.admin().await.put(&accept).json(json!({})).send().await.assert(200);
    delete(&anna, customer).await.assert_problem(409, "IN_USE");
    let prepared = format!("/orders/{}/prepared", text(&placed["id"]));
    place.admin().await.put(&prepared).json(json!({"prepared": true})).send().await.assert(200);
    let pay = async |value: i64| {
        let body = json!({"value": value});
        anna.post(&format!("{}/balance", path(customer))).json(body).send().await.assert(201);
    };
    pay(-700).await;
    delete(&anna, customer).await.assert_problem(409, "IN_USE");
    pay(700).await;
    delete(&anna, customer).await.assert(204);
    assert_ne!(id(customer), uuid::Uuid::nil());
    // An order that is archived later still can be.
    let archive = format!("/orders/{}/archive", text(&placed["id"]));
    place.admin().await.put(&archive).json(json!({"reason": "too_busy"})).send().await.assert(200);
}

#[testkit::test]
async fn an_order_at_the_same_moment_is_somebody_new_or_holds_the_customer() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    for round in 0..4 {
        let phone = format!("06 30 555 03{round:02}");
        let made = anna.enter(json!({"phone_1": phone})).await;
        let (gone, placed) =
            futures_util::future::join(delete(&anna, &made), order(&place, &soup, json!({"phone_1": phone})))
                .await;
        match gone.status {
            204 => assert_ne!(placed["customer_id"], made["id"]),
            _ => {
                gone.assert_problem(409, "IN_USE");
                assert_eq!(placed["customer_id"], made["id"]);
            }
        }
    }
}

#[testkit::test]
async fn who_is_known_elsewhere_is_anonymised_by_who_may_act_there() {
    let here = kit().await.partner().await;
    let there = here.kit.restaurant_of(here.partner).await;
    let (anna, bela) = (manager(&here).await, manager(&there).await);
    let made = bela.enter(json!({"phone_1": "06 30 555 0188"})).await;
    // Entered here too, the customer is known here, and still not anna's alone.
    assert_eq!(anna.enter(json!({"phone_1": "+36 30 555 0188"})).await["id"], made["id"]);
    delete(&anna, &made).await.assert_problem(409, "SHADOW_CUSTOMER_ELSEWHERE");
    assert_eq!(bela.names("").await.len(), 1);
    delete(&person(&[&here, &there], &[], false).await, &made).await.assert(204);
    assert_eq!(bela.names("").await.len(), 0);
}

fn filter_key(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:x}")).collect()
}

/// Remarks to payments and refunds, also in kept answers, and saved filters that look for the person.
#[testkit::test]
async fn remarks_and_saved_filters_forget_a_person() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let admin = place.admin().await;
    let soup = soup(&place).await;
    let made =
        anna.enter(json!({"last_name": "Gólyafi", "first_name": MARK, "phone_1": "06 30 555 0166"})).await;
    let placed = order(&place, &soup, json!({"phone_1": "06 30 555 0166", "last_name": "Gólyafi"})).await;
    assert_eq!(placed["customer_id"], made["id"]);
    let path_of_order = format!("/orders/{}", text(&placed["id"]));
    let pay = json!({"payment_method": "cash", "amount": placed["total_price"], "payment_info": MARK});
    let paid = admin.post(&format!("{path_of_order}/payments")).json(pay).key("fizet").send().await;
    let paid = paid.assert(201).json();
    let payment = paid["payments"][0]["id"].as_str().or(paid["id"].as_str()).unwrap().to_owned();
    let back = json!({"amount": 100, "reason": MARK});
    admin.post(&format!("/payments/{payment}/refunds")).json(back).key("vissza").send().await.assert(201);
    finish(&place, &placed).await;
    // In every way in which somebody is looked for.
    let keep = async |name: &str, filter: Value| {
        let body = json!({"name": name, "filter": filter});
        let key = format!("szuro-{}", filter_key(name));
        admin.post("/order-filters").json(body).key(&key).send().await.assert(201);
    };
    for (name, filter) in [
        ("a", json!({"name": "gólyafi"})),
        ("b", json!({"name": "kanari goly"})),
        ("c", json!({"phone_1": "305550166"})),
        ("d", json!({"phone_1": "0630 555 0166", "city": "Pécs"})),
        ("e", json!({"phone_1": "0166"})),
        ("f", json!({"q": "Gólyafi"})),
        ("g", json!({"q": "06305550166"})),
        ("Gólyafi Kanárimadár", json!({"city": "Pécs"})),
        ("06 30 555 0166", json!({"city": "Pécs"})),
    ] {
        keep(name, filter).await;
    }
    for (name, filter) in [
        ("v", json!({"name": "Kovács"})),
        ("w", json!({"phone_1": "0167"})),
        ("x", json!({"city": "Gólyafi"})),
        ("y", json!({"name": "fi"})),
        ("z 2026", json!({})),
        ("zq", json!({"q": "0166"})),
    ] {
        keep(name, filter).await;
    }
    assert!(marked(&place, MARK).await.len() > 4);
    delete(&anna, &made).await.assert(204);
    assert_eq!(marked(&place, MARK).await, Vec::<String>::new());
    let left = admin.get("/order-filters").send().await.assert(200).json();
    let left: Vec<&str> =
        left.as_array().unwrap().iter().map(|filter| filter["name"].as_str().unwrap()).collect();
    assert_eq!(left, ["v", "w", "x", "y", "z 2026", "zq"]);
    assert!(marked(&place, "5550166").await.is_empty());
    // The kept answers are answered, and say nothing.
    let again = json!({"payment_method": "cash", "amount": placed["total_price"], "payment_info": MARK});
    let again =
        admin.post(&format!("{path_of_order}/payments")).json(again).key("fizet").send().await.assert(201);
    assert!(!again.text().contains(MARK) && again.json()["id"] == paid["id"], "{}", again.text());
}

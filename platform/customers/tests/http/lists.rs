//! Lists: filters, orders, figures, and how long they take.

use serde_json::{Value, json};
use testkit::kit;

use super::{address, finish, manager, order, path, person, soup, text, without};

#[testkit::test]
async fn customers_are_found_filtered_and_ordered() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    for (last, first, phone) in [
        ("Ágoston", "Éva", "06 30 555 0101"),
        ("Zala", "Bence", "06 30 555 0102"),
        ("Kis", "Anna", "06 30 555 0103"),
    ] {
        anna.enter(json!({"last_name": last, "first_name": first, "phone_1": phone})).await;
    }
    order(&place, &soup, json!({"phone_1": "06 30 555 0102"})).await;
    order(&place, &soup, json!({"phone_1": "06 30 555 0102"})).await;
    let third = order(&place, &soup, json!({"phone_1": "06 30 555 0103"})).await;
    order(&place, &soup, json!({"phone_1": "06 30 555 0101", "is_test": true})).await;
    let [agoston, zala, kis] = ["Ágoston Éva", "Zala Bence", "Kis Anna"];
    assert_eq!(anna.names("").await, [agoston, kis, zala]);
    for (query, expected) in [
        ("?name=agoston", vec![agoston]),
        ("?name=EVA%20%C3%81gos", vec![agoston]),
        ("?name=0630-555-0103", vec![kis]),
        ("?name=06%2030%20555%200102", vec![zala]),
        ("?name=%25", vec![]),
        ("?name=_", vec![]),
        ("?name=%5C", vec![]),
        ("?sort=name_desc", vec![zala, kis, agoston]),
        ("?sort=order_number_desc", vec![zala, kis, agoston]),
        ("?sort=order_number", vec![agoston, kis, zala]),
        ("?sort=order_total_sum_desc", vec![zala, kis, agoston]),
        ("?sort=order_total_sum", vec![agoston, kis, zala]),
        ("?sort=last_order_at_desc", vec![kis, zala, agoston]),
        ("?sort=last_order_at", vec![zala, kis, agoston]),
        ("?sort=created_at", vec![agoston, zala, kis]),
        ("?sort=created_at_desc", vec![kis, zala, agoston]),
        ("?order_count_from=1", vec![kis, zala]),
        ("?order_count_till=1", vec![agoston, kis]),
        ("?order_count_from=1&order_count_till=1", vec![kis]),
        ("?order_sum_from=2000.01", vec![zala]),
        ("?order_sum_till=0", vec![agoston]),
        ("?last_order_from=2010-10-10", vec![kis, zala]),
        ("?last_order_till=2010-10-10", vec![]),
        ("?limit=1&page=1", vec![kis]),
        ("?limit=1&page=1&sort=order_number_desc", vec![kis]),
        ("?order_count_from=1&name=zala", vec![zala]),
    ] {
        assert_eq!(anna.names(query).await, expected, "{query}");
    }
    let counted = anna.get("/shadow-customers?count=true&limit=1").send().await.assert(200);
    assert_eq!(counted.header("x-total-count"), Some("3"));
    let counted = anna.get("/shadow-customers?count=true&order_count_from=1").send().await.assert(200);
    assert_eq!(counted.header("x-total-count"), Some("2"));
    let rows = anna.get("/shadow-customers?name=zala").send().await.assert(200).json();
    assert_eq!(
        (&rows[0]["order_number"], &rows[0]["order_total_sum"], &rows[0]["balance"], &rows[0]["points"]),
        (&json!(2), &json!(4000), &json!(0), &json!(0))
    );
    // A storno takes back; who has nothing left has no last order.
    let archive = format!("/orders/{}/archive", text(&third["id"]));
    place.admin().await.put(&archive).json(json!({"reason": "too_busy"})).send().await.assert(200);
    let rows = anna.get("/shadow-customers?name=kis").send().await.assert(200).json();
    assert_eq!((&rows[0]["order_number"], &rows[0]["last_order_at"]), (&json!(0), &Value::Null));
    for (query, key) in [
        ("?order_count_from=a", "order_count_from"),
        ("?last_order_from=2026-02-30", "last_order_from"),
        ("?sort=phone", "sort"),
        ("?balance=less", "balance"),
    ] {
        let refused = anna.get(&format!("/shadow-customers{query}")).send().await;
        assert!(matches!(refused.status, 400 | 422), "{query} {}", refused.text());
        assert!(refused.text().contains(key), "{query} {}", refused.text());
    }
}

#[testkit::test]
async fn who_only_names_customers_gets_the_short_form() {
    let place = kit().await.partner().await;
    let made = manager(&place).await.enter(json!({"phone_1": "06 30 555 0101"})).await;
    let clerk = person(&[&place], &["admin_login", "discount"], false).await;
    let rows = clerk.get("/shadow-customers").send().await.assert(200).json();
    assert_eq!(rows[0]["id"], made["id"]);
    assert_eq!((&rows[0]["order_number"], &rows[0]["phone_1"]), (&Value::Null, &json!("+36305550101")));
    for query in ["?sort=order_number", "?order_count_from=1", "?balance=negative", "?sort=created_at"] {
        clerk
            .get(&format!("/shadow-customers{query}"))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    without(&place, &["balance"]).await;
    let anna = manager(&place).await;
    for query in ["?balance=negative", "?sort=balance_desc"] {
        anna.get(&format!("/shadow-customers{query}"))
            .send()
            .await
            .assert_problem(403, "FEATURE_NOT_AVAILABLE");
    }
    anna.get("/shadow-customers?balance=all").send().await.assert(200);
}

#[testkit::test]
async fn figures_are_those_of_the_restaurants_that_the_caller_may_see() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let (soup_here, soup_there) = (soup(&here).await, soup(&there).await);
    order(&here, &soup_here, json!({})).await;
    order(&there, &soup_there, json!({})).await;
    order(
        &there,
        &soup_there,
        json!({"phone_1": "06 30 555 0999", "last_name": "Csak", "first_name": "Ott"}),
    )
    .await;
    let numbers = async |places: &[&testkit::Place<'static>], whole: bool| -> Vec<(String, i64)> {
        let person = person(places, &[], whole).await;
        let rows = person.get("/shadow-customers").send().await.assert(200).json();
        let by_sum = person.get("/shadow-customers?sort=order_number&order_count_from=0").send().await;
        let by_sum = by_sum.assert(200).json();
        assert_eq!(by_sum.as_array().unwrap().len(), rows.as_array().unwrap().len());
        let orders = format!("{}/orders", path(&rows.as_array().unwrap().last().unwrap().clone()));
        let orders = person.get(&orders).send().await.assert(200).json();
        let of = |row: &Value| (text(&row["name"]), row["order_number"].as_i64().unwrap());
        let found: Vec<_> = rows.as_array().unwrap().iter().map(of).collect();
        assert_eq!(orders.as_array().unwrap().len() as i64, found.last().unwrap().1);
        found
    };
    assert_eq!(numbers(&[&here], false).await, [("Nagy Béla".to_owned(), 1)]);
    assert_eq!(numbers(&[&here, &there], false).await, [("Nagy Béla".to_owned(), 2)]);
    assert_eq!(numbers(&[&here], true).await, [("Csak Ott".to_owned(), 1), ("Nagy Béla".to_owned(), 2)]);
}

#[testkit::test]
async fn the_orders_of_a_customer_and_the_addresses_they_went_to() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let soup = soup(&place).await;
    let delivered = |street: &str| json!({"pickup": false, "delivery_data": address(street)});
    let first = order(&place, &soup, delivered("Fő utca")).await;
    finish(&place, &first).await;
    order(&place, &soup, delivered("FŐ UTCA.")).await;
    order(&place, &soup, delivered("Más utca")).await;
    order(&place, &soup, json!({"is_test": true})).await;
    let rows = anna.get("/shadow-customers").send().await.assert(200).json();
    let read = anna.get(&path(&rows[0])).send().await.assert(200).json();
    let streets: Vec<String> =
        read["addresses"].as_array().unwrap().iter().map(|one| text(&one["street"])).collect();
    assert_eq!(streets, ["Más utca", "Fő utca"], "the last used first, each once");
    let orders = anna.get(&format!("{}/orders?limit=2", path(&rows[0]))).send().await.assert(200).json();
    assert_eq!(orders.as_array().unwrap().len(), 2);
    assert_eq!(orders[0]["address"], "1111 Budapest Más utca 1");
    assert_eq!(orders[0]["items"][0]["quantity"], 1);
    let second =
        anna.get(&format!("{}/orders?limit=2&page=1", path(&rows[0]))).send().await.assert(200).json();
    assert_eq!((second.as_array().unwrap().len(), &second[0]["id"]), (1, &first["id"]));
    assert_eq!(second[0]["status"], "prepared");
}

#[testkit::test]
async fn figures_equal_what_the_orders_say_after_many_changes_at_once() {
    let place = kit().await.partner().await;
    let soup = soup(&place).await;
    let orders = futures_util::future::join_all((0..6).map(|_| order(&place, &soup, json!({})))).await;
    let admin = place.admin().await;
    let archive = |order: &Value| {
        let path = format!("/orders/{}/archive", text(&order["id"]));
        let admin = admin.clone();
        async move { admin.put(&path).json(json!({"reason": "too_busy"})).send().await.assert(200) }
    };
    let (_, more) = futures_util::future::join(
        futures_util::future::join_all(orders[..3].iter().map(archive)),
        futures_util::future::join_all((0..3).map(|_| order(&place, &soup, json!({})))),
    )
    .await;
    assert_eq!(more.len(), 3);
    let sql = format!(
        "select concat_ws('|', s.order_number, trim_scale(s.order_total_sum), s.last_order_at = o.last) \
         from {0}.shadow_customer_restaurant s, (select max(created_at) last from {0}.orders \
         where archived_at is null) o",
        place.schema
    );
    assert_eq!(place.kit.texts(&sql).await, ["6|12000|t"]);
}

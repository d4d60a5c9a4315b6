//! Filters that somebody keeps under a name.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::text;

async fn keep(client: &Client<'_>, name: &str, filter: Value) -> testkit::Answer {
    client.post("/order-filters").json(json!({"name": name, "filter": filter})).send().await
}

async fn names(client: &Client<'_>) -> Vec<String> {
    let list = client.get("/order-filters").send().await.assert(200).json();
    list.as_array().unwrap().iter().map(|row| text(&row["name"])).collect()
}

#[testkit::test]
async fn filters_are_kept_changed_and_forgotten_by_their_owner_alone() {
    let place = kit().await.restaurant().await;
    let (anna, bela) = (place.with_keys(&["all_order"]).await, place.with_keys(&["all_order"]).await);
    let filter = json!({"name": "Kanárimadár", "phone_1": "5550199", "from": "2026-05-01", "storno": "except",
        "platforms": ["ios"], "has_discount": "true", "partial_storno": true});
    let made = keep(&anna, " Élő lista ", filter.clone()).await.assert(201).json();
    assert_eq!((&made["name"], &made["version"]), (&json!("Élő lista"), &json!(1)));
    for (field, value) in filter.as_object().unwrap() {
        assert_eq!(made["filter"][field], *value, "{field}");
    }
    keep(&anna, "Élő lista", json!({})).await.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["name"]);
    keep(&anna, "  ", json!({})).await.assert_keys(&["name"]);
    keep(&anna, &"x".repeat(61), json!({})).await.assert_keys(&["name"]);
    let faulty = json!({"from": "tegnap", "phone_1": "123"});
    keep(&anna, "Hibás", faulty).await.assert_keys(&["filter.from", "filter.phone_1"]);
    for name in [" ", "\u{200b}"] {
        let faulty = json!({"from": "tegnap"});
        keep(&anna, name, faulty).await.assert_keys(&["filter.from", "name"]);
    }
    keep(&anna, "Hibás", json!({"storno": "some"})).await.assert_keys(&["filter.storno"]);
    keep(&anna, "Az első", json!({})).await.assert(201);
    // Another person may give the same name, and sees and changes only the own ones.
    keep(&bela, "Élő lista", json!({"city": "Pécs"})).await.assert(201);
    assert_eq!(
        (names(&anna).await, names(&bela).await),
        (vec!["Az első".into(), "Élő lista".into()], vec!["Élő lista".into()])
    );
    let path = format!("/order-filters/{}", text(&made["id"]));
    for client in [&bela, &place.partner_admin().await] {
        let change = json!({"name": "Enyém", "version": 1});
        client.put(&path).json(change).send().await.assert_problem(404, "ORDER_FILTER_NOT_EXIST");
        client.delete(&path).send().await.assert_problem(404, "ORDER_FILTER_NOT_EXIST");
    }
    let sibling = kit().await.restaurant().await.admin().await;
    sibling.delete(&path).send().await.assert_problem(404, "ORDER_FILTER_NOT_EXIST");
    place
        .with_keys(&["fresh_order"])
        .await
        .get("/order-filters")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    // A change takes the whole filter's place; one made on an older version is refused with the newest.
    let change = json!({"filter": {"street": "Szív"}, "version": 1});
    let changed = anna.put(&path).json(change.clone()).send().await.assert(200).json();
    assert_eq!(
        (&changed["filter"]["street"], &changed["filter"]["name"], &changed["version"]),
        (&json!("Szív"), &Value::Null, &json!(2))
    );
    let refused = anna.put(&path).json(change).send().await.assert_problem(409, "CONFLICT").json();
    assert_eq!(refused["current"]["filter"]["street"], json!("Szív"));
    anna.put(&path).json(json!({"name": "Az első"})).send().await.assert_keys(&["name"]);
    let renamed = anna.put(&path).json(json!({"name": "Élő lista"})).send().await.assert(200).json();
    assert_eq!(renamed["filter"]["street"], json!("Szív"));
    anna.put(&path).json(json!({"name": "Szív utca"})).send().await.assert(200);
    anna.delete(&path).send().await.assert(204);
    anna.delete(&path).send().await.assert_problem(404, "ORDER_FILTER_NOT_EXIST");
    assert_eq!(names(&anna).await, ["Az első"]);
    // The log has the names of filters, never what they look for; nor does the answer that is kept.
    let log = place.admin().await.get("/audit?limit=200").send().await.assert(200).json();
    let lines = log.as_array().unwrap().iter().filter(|line| line["record_id"] == made["id"]);
    let actions: Vec<&Value> = lines.map(|line| &line["action"]).collect();
    assert_eq!(actions, ["order_filters_delete", "order_filters_update", "order_filters_create"]);
    assert!(log.to_string().contains("Szív utca") && !log.to_string().contains("Kanárimadár"));
    let sql = format!(
        "select (select count(*) from {0}.idempotency_key k where k::text like '%Kanárimadár%')::text",
        place.schema
    );
    assert_eq!(place.kit.texts(&sql).await, ["0"]);
}

#[testkit::test]
async fn fifty_filters_are_enough_and_one_name_is_given_once() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["all_order"]).await;
    let twice = join_all((0..4).map(|_| keep(&admin, "Egyszerre", json!({})))).await;
    assert_eq!(twice.iter().filter(|answer| answer.status == 201).count(), 1);
    for number in 1..49 {
        keep(&admin, &number.to_string(), json!({})).await.assert(201);
    }
    let last = join_all(["a", "b", "c"].map(|name| keep(&admin, name, json!({})))).await;
    assert_eq!(last.iter().filter(|answer| answer.status == 201).count(), 1);
    keep(&admin, "még egy", json!({})).await.assert_problem(422, "VALIDATION_FAILED");
    keep(&place.with_keys(&["all_order"]).await, "másé", json!({})).await.assert(201);
    // A request that is repeated under its key keeps one filter, and answers it whole.
    let other = place.with_keys(&["all_order"]).await;
    let (key, body) = (Uuid::now_v7().to_string(), json!({"name": "Kulcs", "filter": {"name": "Anna"}}));
    let send = || other.post("/order-filters").key(&key).json(body.clone()).send();
    let (first, again) = (send().await.assert(201).json(), send().await.assert(201).json());
    assert_eq!(first, again);
    assert_eq!(names(&other).await, ["Kulcs"]);
}

#[testkit::test]
async fn what_cannot_be_read_any_more_is_left_out() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["all_order"]).await;
    keep(&admin, "Régi", json!({})).await.assert(201);
    let sql = format!(
        "update {}.order_filter set filter = \
         '{{\"city\": \"Pécs\", \"storno\": \"half\", \"from\": [5], \"courier\": \"x\", \"partial_storno\": true}}' \
         where restaurant_id = $1",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let list = admin.get("/order-filters").send().await.assert(200).json();
    let filter = &list[0]["filter"];
    assert_eq!(
        (&filter["city"], &filter["storno"], &filter["from"], &filter["partial_storno"]),
        (&json!("Pécs"), &json!("all"), &Value::Null, &json!(true))
    );
}

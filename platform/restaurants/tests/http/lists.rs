//! Lists of restaurants.

use serde_json::{Value, json};
use testkit::kit;

fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_admin_sees_the_own_restaurants() {
    let kit = kit().await;
    let first = kit.partner().await;
    let second = kit.restaurant_of(first.partner).await;
    let path = format!("/api/v3/admin/partners/{}/restaurants", first.partner);
    let (one, two) = (first.restaurant.to_string(), second.restaurant.to_string());

    let own = ids(&first.admin().await.get(&path).send().await.assert(200).json());
    assert_eq!(own, std::slice::from_ref(&one));
    let whole = first.partner_admin().await.get(&format!("{path}?count=true")).send().await.assert(200);
    assert_eq!(whole.header("x-total-count"), Some("2"));
    let mut both = ids(&whole.json());
    both.sort();
    assert_eq!(both, [one, two.clone()]);
    second.admin().await.put("/general").json(json!({"name": "Fehér Páva"})).send().await.assert(200);
    let named =
        first.partner_admin().await.get(&format!("{path}?name=feher")).send().await.assert(200).json();
    assert_eq!(ids(&named), [two]);
    assert_eq!(named[0]["name"], "Fehér Páva");

    kit.stranger()
        .await
        .partner_admin()
        .await
        .get(&path)
        .send()
        .await
        .assert_problem(404, "PARTNER_NOT_EXIST");
    first.nobody().get(&path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[tokio::test]
async fn a_partner_opens_another_restaurant() {
    let place = kit().await.partner().await;
    let path = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let boss = place.partner_admin().await;
    let made = boss
        .post(&path)
        .json(json!({"name": "Új Hely", "city": "Pécs", "currency": "eur"}))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!(
        (&made["timezone"], &made["currency"], &made["version"]),
        (&json!("Europe/Budapest"), &json!("eur"), &json!(1))
    );
    let own = format!("{path}/{}", made["id"].as_str().unwrap());
    assert_eq!(boss.get(&own).send().await.assert(200).json(), made);
    // TV, kiosk and push are there from the start; balance and loyalty wait for customers.
    let features = boss.get(&format!("{own}/features")).send().await.assert(200).json();
    assert_eq!(features, json!([{"feature": "kiosk"}, {"feature": "push"}, {"feature": "tv"}]));
    // It can number events at once.
    boss.put(&format!("{own}/close")).json(json!({"temp_no_orders": true})).send().await.assert(200);

    place
        .admin()
        .await
        .post(&path)
        .json(json!({"name": "Nem"}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let group = uuid::Uuid::now_v7();
    boss.post(&path)
        .json(json!({"name": "Nem", "timezone": "Nowhere/City", "secondary_language": "hu",
            "restaurant_group_id": group}))
        .send()
        .await
        .assert_keys(&["timezone", "secondary_language", "restaurant_group_id"]);
    boss.post(&path).json(json!({"name": " "})).send().await.assert_keys(&["name"]);
    assert_eq!(ids(&boss.get(&path).send().await.assert(200).json()).len(), 2);
}

#[tokio::test]
async fn a_super_admin_sees_every_restaurant_and_nobody_else_does() {
    let kit = kit().await;
    let place = kit.partner().await;
    let path = "/api/v3/super-admin/restaurants";
    place
        .admin()
        .await
        .put("/general")
        .json(json!({"name": "Páratlan Büfé", "city": "Eger"}))
        .send()
        .await
        .assert(200);
    let admin = place.super_admin().await;
    let found =
        admin.get(&format!("{path}?count=true&name=partner%20{}", place.partner)).send().await.assert(200);
    assert_eq!(found.header("x-total-count"), Some("1"));
    let row = found.json()[0].clone();
    assert_eq!(
        (&row["name"], &row["city"], &row["partner_id"]),
        (&json!("Páratlan Büfé"), &json!("Eger"), &json!(place.partner.to_string()))
    );
    assert_eq!(row["partner_name"], format!("Partner {}", place.partner));
    // Each word stands somewhere, accents or not; the id alone is enough.
    let short = place.partner.to_string();
    for query in [format!("name=bufe%20EGER%20{short}"), format!("id={}", place.restaurant)] {
        let found = admin.get(&format!("{path}?{query}")).send().await.assert(200).json();
        assert_eq!(ids(&found), [place.restaurant.to_string()], "{query}");
    }
    assert_eq!(
        admin.get(&format!("{path}?name=bufe%20szeged%20{short}")).send().await.assert(200).json(),
        json!([])
    );
    assert_eq!(
        admin
            .get(&format!("{path}?limit=1&page=0"))
            .send()
            .await
            .assert(200)
            .json()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    place.partner_admin().await.get(path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.nobody().get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

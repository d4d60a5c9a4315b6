//! Lists of restaurants.

use serde_json::{Value, json};
use testkit::{Client, kit};

fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[testkit::test]
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

#[testkit::test]
async fn a_partner_opens_another_restaurant() {
    let place = kit().await.partner().await;
    let path = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let boss = place.partner_admin().await;
    let groups = format!("/api/v3/admin/partners/{}/restaurant-groups", place.partner);
    let euros = json!({"name": "Euró", "currency": "eur"});
    let euros = boss.post(&groups).json(euros).send().await.assert(201).json()["id"].clone();
    let made = boss
        .post(&path)
        .json(json!({"name": "Új Hely", "city": "Pécs", "currency": "eur", "restaurant_group_id": euros}))
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

#[testkit::test]
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
    // Without a limit all of them come, more than a page of other lists holds.
    for _ in 0..45 {
        place.kit.restaurant_of(place.partner).await;
    }
    let all = admin.get(&format!("{path}?count=true&name={short}")).send().await.assert(200);
    assert_eq!(all.header("x-total-count"), Some("46"));
    assert_eq!(ids(&all.json()).len(), 46);
    // What is typed into the search of the interface does not stand in an address.
    let search = |client: &Client<'static>| {
        client.post(&format!("{path}/search")).json(json!({"text": format!(" bufe EGER {short}")})).send()
    };
    assert_eq!(ids(&search(&admin).await.assert(200).json()), [place.restaurant.to_string()]);
    let partner = place.partner_admin().await;
    partner.get(path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    search(&partner).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.nobody().get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[testkit::test]
async fn a_new_restaurant_begins_as_the_first_of_its_company() {
    let place = kit().await.partner().await;
    place.own_group().await;
    let path = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let boss = place.partner_admin().await;
    let first = json!({"timezone": "Europe/Vienna", "primary_language": "en", "secondary_language": "hu",
        "currency": "eur"});
    boss.put("/general").json(first).send().await.assert(200);
    let group = boss.get("").send().await.assert(200).json()["restaurant_group_id"].clone();
    let open = |body: Value| boss.post(&path).json(body).send();
    let begins = |made: &Value| {
        ["timezone", "primary_language", "secondary_language", "currency"].map(|field| made[field].clone())
    };
    let made = open(json!({"name": "Második", "restaurant_group_id": group})).await.assert(201).json();
    assert_eq!(begins(&made), [json!("Europe/Vienna"), json!("en"), json!("hu"), json!("eur")]);
    // The second language comes along only with the first.
    let sent = json!({"name": "Harmadik", "restaurant_group_id": group, "primary_language": "hu",
        "timezone": "Europe/Lisbon"});
    let made = open(sent).await.assert(201).json();
    assert_eq!(begins(&made), [json!("Europe/Lisbon"), json!("hu"), Value::Null, json!("eur")]);
    // The currency is the group's: of the partner's first group these are forints.
    let made = open(json!({"name": "Negyedik"})).await.assert(201).json();
    assert_eq!(made["currency"], "huf");
    open(json!({"name": "x", "currency": "huf", "restaurant_group_id": group}))
        .await
        .assert_keys(&["currency"]);
    open(json!({"name": "x", "currency": "eur"})).await.assert_keys(&["currency"]);
    // A copy has the currency of its original, and only a group of that one.
    let copied = json!({"name": "Ötödik", "copy_from": place.restaurant});
    assert_eq!(open(copied).await.assert(201).json()["currency"], "eur");
    let copied = json!({"name": "x", "copy_from": place.restaurant, "restaurant_group_id": made["restaurant_group_id"]});
    open(copied).await.assert_keys(&["restaurant_group_id"]);
}

//! What guests and third parties read of a restaurant.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};

fn public(place: &Place<'_>, what: &str) -> String {
    format!("/api/v3/partners/{}/restaurants/{}{what}", place.partner, place.restaurant)
}

#[testkit::test]
async fn guests_know_name_place_and_ways_of_getting_food() {
    let place = kit().await.restaurant().await;
    let (admin, shop) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let general = json!({
        "name": "Kékfrankos", "phone_1": "+36 1 555 0100", "contact_email": "hello@kekfrankos.example",
        "city": "Budapest", "street": "Minta utca",
        "premise_number": "1", "secondary_language": "en", "coord_lat": 47.5, "coord_lng": 19.04,
    });
    admin.put("/general").json(general.clone()).send().await.assert(200);
    let answer = shop.get(&public(&place, "")).send().await.assert(200);
    let seen = answer.json();
    for (field, value) in general.as_object().unwrap() {
        assert_eq!(&seen[field], value, "{field}");
    }
    assert_eq!(
        (&seen["open_now"], &seen["normal_delivery"], &seen["company"]),
        (&json!(true), &json!(true), &json!(null))
    );
    for secret in
        ["restaurant_group_id", "partner_id", "vat_id", "version", "counter_prefix", "order_accept_on_open"]
    {
        assert!(seen.get(secret).is_none(), "{secret}");
    }
    // Without the feature there are no points, whatever the settings say.
    admin.put("/points").json(json!({"point_cash_ratio": 5})).send().await.assert(200);
    let ratio =
        async || shop.get(&public(&place, "")).send().await.assert(200).json()["point_cash_ratio"].clone();
    assert_eq!(ratio().await.as_f64(), Some(5.0));
    let off = format!(
        "delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'loyalty'",
        place.schema
    );
    place.kit.run(&off, vec![place.restaurant.into()]).await;
    assert_eq!(ratio().await, json!(null));
    let answer = shop.get(&public(&place, "")).send().await.assert(200);
    let etag = answer.header("etag").unwrap().to_owned();
    let again = || shop.get(&public(&place, "")).header("If-None-Match", etag.clone()).send();
    again().await.assert(304);
    let legal = json!({"company_name": "Kékfrankos Kft.", "tax_num": "12345678-2-41",
        "address": "1051 Budapest, Minta utca 1."});
    admin.put("/legal-file").json(legal.clone()).send().await.assert(200);
    assert_eq!(again().await.assert(200).json()["company"], legal);
    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let seen = shop.get(&public(&place, "")).send().await.assert(200).json();
    assert_eq!(
        (&seen["open_now"], &seen["temp_no_orders"], &seen["next_opening"]),
        (&json!(false), &json!(true), &json!(null))
    );
}

#[testkit::test]
async fn third_parties_learn_the_features() {
    let place = kit().await.restaurant().await;
    let shop = place.api_key(&["menu:read"]).await;
    let first = shop.get(&public(&place, "/features")).send().await.assert(200);
    assert!(first.json().as_array().unwrap().contains(&json!({"feature": "tv"})));
    let sql = format!(
        "delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'tv'",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let second = shop
        .get(&public(&place, "/features"))
        .header("If-None-Match", first.header("etag").unwrap())
        .send()
        .await;
    assert!(!second.assert(200).json().as_array().unwrap().contains(&json!({"feature": "tv"})));
    let other = kit().await.restaurant().await;
    shop.get(&public(&other, "/features")).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    shop.get(&public(&other, "")).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
}

async fn open_steps(admin: &Client<'_>) -> Vec<String> {
    let guide = admin.get("/getting-started").send().await.assert(200).json();
    let items = guide["items"].as_array().unwrap().iter();
    let open: Vec<String> = items
        .clone()
        .filter(|item| item["done"] == false)
        .map(|item| item["key"].as_str().unwrap().to_owned())
        .collect();
    let needed = items.filter(|item| item["done"] == false && item["needed"] == true).count();
    assert_eq!(guide["complete"], needed == 0);
    open
}

/// Makes a category with a product; answers the product.
async fn pizza(admin: &Client<'_>) -> Value {
    let category =
        admin.post("/product-categories").json(json!({"name": "Pizza"})).send().await.assert(201).json();
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    admin
        .post(&products)
        .json(json!({"name": "Margherita", "base_price": 2990}))
        .send()
        .await
        .assert(201)
        .json()
}

#[testkit::test]
async fn getting_started_says_what_is_missing() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200);
    // Default values do not count as done, although orders are possible with them.
    let begins = admin.get("/getting-started").send().await.assert(200).json();
    let item = |guide: &Value, key: &str| {
        guide["items"].as_array().unwrap().iter().find(|item| item["key"] == key).unwrap().clone()
    };
    assert_eq!(item(&begins, "delivery"), json!({"key": "delivery", "done": false, "needed": false}));
    assert_eq!(
        item(&begins, "payment_methods"),
        json!({"key": "payment_methods", "done": true, "needed": false}),
        "cash is always taken"
    );
    assert_eq!(item(&begins, "menu"), json!({"key": "menu", "done": false, "needed": true}));
    admin
        .put("/delivery")
        .json(json!({"normal_delivery": false, "normal_pickup": false}))
        .send()
        .await
        .assert(200);
    let nowhere = admin.get("/getting-started").send().await.assert(200).json();
    assert_eq!(item(&nowhere, "delivery"), json!({"key": "delivery", "done": false, "needed": true}));
    let steps = ["contact", "address", "legal_data", "opening_hours", "delivery", "menu", "test_order"];
    assert_eq!(open_steps(&admin).await[..7], steps);
    let general = json!({"phone_1": "+36 1 555 0100", "contact_email": "a@example.com", "city": "Győr",
        "street": "Fő utca", "premise_number": "1"});
    admin.put("/general").json(general).send().await.assert(200);
    let legal =
        json!({"company_name": "Kékfrankos Kft.", "tax_num": "12345678", "address": "9021 Győr, Fő utca 1."});
    admin.put("/legal-file").json(legal).send().await.assert(200);
    let week = json!({"opening_hours": [{"day": "mon", "open_at": "11:00", "close_at": "20:00"}]});
    admin.put("/opening-hours").json(week).send().await.assert(200);
    // Saying that it stays as it is is an answer.
    admin.put("/delivery").json(json!({"normal_pickup": true})).send().await.assert(200);
    pizza(&admin).await;
    assert_eq!(open_steps(&admin).await[0], "test_order");

    let put = |client: &Client<'static>, dismissed: bool| {
        client.put("/getting-started").json(json!({ "dismissed": dismissed })).send()
    };
    let before = place.count("audit").await;
    assert_eq!(put(&admin, true).await.assert(200).json()["dismissed"], true);
    put(&admin, true).await.assert(200);
    assert_eq!(place.count("audit").await, before + 1);
    assert_eq!(
        place.with_keys(&["admin_login"]).await.get("/getting-started").send().await.assert(200).json()["dismissed"],
        true
    );
    place
        .with_keys(&["admin_login"])
        .await
        .put("/getting-started")
        .json(json!({"dismissed": false}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    assert_eq!(put(&admin, false).await.assert(200).json()["dismissed"], false);
}

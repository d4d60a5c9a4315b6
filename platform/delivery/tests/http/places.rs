//! Addresses as people write them, and what holds where no region is left.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{KEYS, at, method, polygon, region, square, street};

/// The regions of the file of cases, with their rows.
const CASES: &str = include_str!("../data/addresses.json");

async fn regions_of_cases(admin: &Client<'_>) -> Value {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    for one in cases["regions"].as_array().unwrap() {
        let made = region(admin, one["name"].as_str().unwrap(), json!({"price": one["price"]})).await;
        for row in one["rows"].as_array().unwrap() {
            street(admin, &made, row.clone()).await;
        }
    }
    cases
}

async fn asked(admin: &Client<'_>, ask: &Value) -> Value {
    let part = |key: &str| ask[key].as_str().map(|value| format!("{key}={}", value.replace(' ', "%20")));
    let query: Vec<String> = ["city", "postcode", "street"].into_iter().filter_map(part).collect();
    let path = format!("/delivery-regions/check?{}", query.join("&"));
    admin.get(&path).send().await.assert(200).json()
}

#[testkit::test]
async fn addresses_are_found_as_people_write_them() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "street_based").await;
    let cases = regions_of_cases(&admin).await;
    for ask in cases["asks"].as_array().unwrap() {
        assert_eq!(asked(&admin, ask).await["winner"]["name"], ask["right"], "{ask}");
    }
    for (city, postcode, street, right) in [
        // A named street goes before the whole city, whatever its price.
        ("BUDAPEST 5. ker.", None, "Október 6. utca 12", Some("V. ker")),
        ("Bp V.", None, "OKTÓBER 6 U 12", Some("V. ker")),
        ("1051 Bp.", None, "Október 6. u. 12", Some("V. ker")),
        ("Budapest, V. kerület", None, "oktober 6 utca", Some("V. ker")),
        ("1051 Budapest", None, "Október 6. u 12/B", Some("V. ker")),
        ("Budapest", Some("1051"), "Bp., V. ker. Október 6. u. 12", Some("V. ker")),
        // The postcode decides where both have one; the lower price of two whole places.
        ("Budapest", Some("1051"), "Sas utca 1", Some("Irsz 1051")),
        ("1051 Bp.", None, "Sas u. 1", Some("Irsz 1051")),
        ("Budapest", Some("1061"), "Andrássy út 1", Some("Egész Budapest")),
        // Field and city contradict each other: the field.
        ("1051 Budapest", Some("1061"), "Andrássy út 1", Some("Egész Budapest")),
        ("Budapest V. kerület", Some("1061"), "Sas utca 1", Some("Egész Budapest")),
        // A district alone leads to two, and the postcode would tell.
        ("Budapest V. kerület", None, "Sas utca 1", None),
        ("Budapest VI. kerület", None, "Andrássy út 1", Some("Egész Budapest")),
        ("Budapest", None, "Andrássy út 1", Some("Egész Budapest")),
        // Another city has no such row; a street that names none is in the cities of the others.
        ("Győr", None, "Október 6. utca 12", None),
        ("Győr", Some("9021"), "Kis tér 4", None),
        ("Bp.", None, "Kis ter 4", Some("Kis tér")),
        ("Budapest", Some("1054"), "Kis T. Pál u. 4", Some("Kis T. Pál utca")),
    ] {
        let ask = json!({"city": city, "postcode": postcode, "street": street});
        let found = asked(&admin, &ask).await;
        assert_eq!(found["winner"]["name"].as_str(), right, "{ask}: {found}");
        if right.is_none() {
            assert_eq!(found["reason"], json!("place_unknown"), "{ask}");
        }
    }
    let ask = json!({"city": "Budapest V. kerület", "street": "Sas utca 1"});
    let found = asked(&admin, &ask).await;
    let whys: Vec<&Value> = found["matches"].as_array().unwrap().iter().map(|one| &one["why"]).collect();
    assert_eq!(whys, ["postcode_missing", "postcode_missing"]);
}

#[testkit::test]
async fn districts_of_rows_stand_in_for_their_postcode() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "street_based").await;
    let (five, six) = (region(&admin, "V", json!({})).await, region(&admin, "VI", json!({})).await);
    street(&admin, &five, json!({"name": "*", "city": "Budapest V. kerület"})).await;
    street(&admin, &five, json!({"name": "*", "city": "Budapest XIII."})).await;
    street(&admin, &six, json!({"name": "*", "city": "Bp. 6. ker."})).await;
    for (city, postcode, right) in [
        ("Budapest", Some("1055"), Some("V")),
        ("Budapest", Some("1134"), Some("V")),
        ("Budapest", Some("1065"), Some("VI")),
        ("Budapest", Some("1075"), None),
        ("Bp. V.", None, Some("V")),
        ("budapest 06. kerulet", None, Some("VI")),
        ("Budapest VII. ker.", None, None),
        ("Budapest", None, None),
        ("Győr", Some("9021"), None),
    ] {
        let ask = json!({"city": city, "postcode": postcode, "street": "Ismeretlen utca 1"});
        assert_eq!(asked(&admin, &ask).await["winner"]["name"].as_str(), right, "{ask}");
    }
    // Spelt otherwise it is the same place.
    let again = json!({"name": "*", "city": "BP 5"});
    let refused = admin.post(&format!("{}/streets", at(&five))).json(again).send().await;
    refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["name"]);
}

#[testkit::test]
async fn a_row_without_place_holds_in_the_own_city_and_in_those_of_other_rows() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "street_based").await;
    let sql = format!("update {}.restaurant set city = '9021 Győr' where id = $1", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let home = region(&admin, "Itt", json!({})).await;
    street(&admin, &home, json!({"name": "Fő utca"})).await;
    street(&admin, &home, json!({"name": "*", "city": "Abda"})).await;
    for (city, right) in [("Győr", true), ("gyor", true), ("Abda", true), ("Budapest", false)] {
        let ask = json!({"city": city, "street": "Fő u. 1"});
        assert_eq!(asked(&admin, &ask).await["placed"], json!(right), "{city}");
    }
    // Where there is no city to compare, everywhere.
    assert_eq!(asked(&admin, &json!({"street": "Fő u. 1"})).await["placed"], json!(true));
    assert_eq!(asked(&admin, &json!({"postcode": "4024", "street": "Fő u. 1"})).await["placed"], json!(true));
}

#[testkit::test]
async fn streets_of_earlier_rules_get_new_keys() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    method(&place, "street_based").await;
    let home = region(&admin, "V", json!({})).await;
    let row = street(&admin, &home, json!({"name": "Kis T. Pál utca", "city": "Budapest V. kerület"})).await;
    let old = format!(
        "update {}.delivery_street set name_key = 'kis', postcode_key = null, city_key = 'budapest v kerulet' \
         where id = $1",
        place.schema
    );
    let id: uuid::Uuid = row["id"].as_str().unwrap().parse().unwrap();
    place.kit.run(&old, vec![id.into()]).await;
    let ask = json!({"city": "Bp.", "postcode": "1051", "street": "Kis T. Pál u. 4"});
    assert_eq!(asked(&admin, &ask).await["placed"], json!(false));
    let order = "insert into control.job (partner_id, kind, key, args) values ($1, 'delivery_street_keys', 'all', '{}')";
    place.kit.run(order, vec![place.partner.into()]).await;
    place.kit.run_jobs().await;
    assert_eq!(asked(&admin, &ask).await["placed"], json!(true), "the job makes the keys anew");
}

#[testkit::test]
async fn the_last_region_asks_what_holds_then() {
    let place = kit().await.restaurant().await;
    let owner = place.partner_admin().await;
    let free = json!({"placed": false, "reason": null});
    let refused = json!({"placed": false, "reason": "no_delivery_there"});
    let holds = async |expected: &Value, what: &str| {
        let found = asked(&owner, &json!({"city": "Pér", "street": "Fő utca 1"})).await;
        assert_eq!(json!({"placed": found["placed"], "reason": found["reason"]}), *expected, "{what}");
    };
    let kept = async || owner.get("").send().await.assert(200).json()["no_region"].clone();
    holds(&free, "there has been none").await;
    assert_eq!(kept().await, Value::Null);
    let (one, other) = (region(&owner, "A", json!({})).await, region(&owner, "B", json!({})).await);
    owner.delete(&format!("{}?no_region=everywhere", at(&one))).send().await.assert(204);
    assert_eq!(kept().await, Value::Null, "it was not the last one");
    owner.delete(&at(&other)).send().await.assert(204);
    assert_eq!(kept().await, json!("nowhere"));
    holds(&refused, "nothing was said").await;

    let third = region(&owner, "C", json!({})).await;
    let off = json!({"active": false, "no_region": "everywhere"});
    owner.put(&at(&third)).json(off).send().await.assert(200);
    assert_eq!(kept().await, json!("everywhere"));
    holds(&free, "the last one is off, and everybody gets it").await;
    owner.put(&at(&third)).json(json!({"active": true})).send().await.assert(200);
    holds(&json!({"placed": false, "reason": "place_unknown"}), "one is on").await;
    owner.delete(&format!("{}?no_region=somewhere", at(&third))).send().await.assert(422);
    owner.delete(&at(&third)).send().await.assert(204);
    holds(&refused, "a DELETE that does not say it").await;
    // It stands with the delivery settings.
    owner.put("/delivery").json(json!({"no_region": "everywhere"})).send().await.assert(200);
    holds(&free, "as the settings say").await;
}

#[testkit::test]
async fn of_two_who_delete_the_last_two_one_deletes_the_last() {
    let place = kit().await.restaurant().await;
    let owner = place.partner_admin().await;
    let (one, other) = (region(&owner, "A", json!({})).await, region(&owner, "B", json!({})).await);
    let (first, second) = (at(&one), at(&other));
    let (one, other) = tokio::join!(owner.delete(&first).send(), owner.delete(&second).send());
    assert_eq!((one.status, other.status), (204, 204));
    assert_eq!(owner.get("").send().await.assert(200).json()["no_region"], json!("nowhere"));
}

#[testkit::test]
async fn owners_choose_between_map_and_streets() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let changed = admin.put("/delivery-method").json(json!({"delivery_method": "gps_based"})).send().await;
    assert_eq!(changed.assert(200).json()["delivery_method"], json!("gps_based"));
    let other = place.with_keys(&["admin_login", "restaurant_delivery"]).await;
    let refused = other.put("/delivery-method").json(json!({"delivery_method": "street_based"})).send().await;
    refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let wrong = admin.put("/delivery-method").json(json!({"delivery_method": "by_heart"})).send().await;
    wrong.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["delivery_method"]);
}

#[testkit::test]
async fn the_guide_ticks_delivery_only_where_some_address_is_delivered_to() {
    let place = kit().await.restaurant().await;
    let owner = place.partner_admin().await;
    let done = async || {
        let guide = owner.get("/getting-started").send().await.assert(200).json();
        let item = guide["items"].as_array().unwrap().iter().find(|item| item["key"] == "delivery").cloned();
        item.unwrap()["done"].clone()
    };
    let delivers = json!({"normal_delivery": true, "normal_pickup": true});
    owner.put("/delivery").json(delivers).send().await.assert(200);
    assert_eq!(done().await, json!(true), "without a region everywhere");
    let home = region(&owner, "Üres", json!({})).await;
    assert_eq!(done().await, json!(false), "a region without streets");
    polygon(&owner, &home, square(47.0, 19.0, 0.1)).await;
    assert_eq!(done().await, json!(false), "shapes say nothing here");
    owner.put("/delivery-method").json(json!({"delivery_method": "gps_based"})).send().await.assert(200);
    assert_eq!(done().await, json!(true), "now they do");
    owner.delete(&at(&home)).send().await.assert(204);
    assert_eq!(done().await, json!(false), "nowhere");
    owner
        .put("/delivery")
        .json(json!({"normal_delivery": false, "preorder_delivery": false}))
        .send()
        .await
        .assert(200);
    assert_eq!(done().await, json!(true), "guests fetch it");
}

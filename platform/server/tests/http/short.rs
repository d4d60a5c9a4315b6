//! Short paths: the same answers as the full paths, at the right place. See
//! `docs/decisions/api.md#short-paths`.

use std::collections::BTreeSet;

use poem::http::Method;
use serde_json::{Value, json};
use server::document;
use testkit::{Answer, Client, kit};

use super::{operations, strings};

/// What an answer says, without what belongs to one request.
fn comparable(answer: &Answer) -> (u16, Value, Option<String>) {
    let mut body = if answer.text().is_empty() { Value::Null } else { answer.json() };
    // That the caller has just been here is no difference.
    body.as_array_mut().into_iter().flatten().for_each(|row| row["last_active_at"] = Value::Null);
    body.as_object_mut().map(|problem| problem.remove("request_id"));
    (answer.status, body, answer.header("x-total-count").map(str::to_owned))
}

fn at<'k>(client: &Client<'k>, target: impl ToString) -> Client<'k> {
    client.clone().header("x-target", target.to_string())
}

/// Short and full paths without other variables than the place, that are read, and whether they take `limit`.
fn lists() -> Vec<(String, String, bool)> {
    let document = document::full();
    let read = operations(&document).into_iter().filter(|(method, ..)| method == "GET");
    let pairs = read.flat_map(|(_, path, operation)| {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let limited = parameters.iter().any(|one| one["name"] == "limit");
        strings(&operation["x-short-path"]).into_iter().map(move |short| (short, path.clone(), limited))
    });
    let pairs: Vec<_> = pairs.filter(|(short, ..)| !short.contains('{')).collect();
    assert!(pairs.len() >= 5, "{pairs:?}");
    pairs
}

/// The calls that older clients make by a short path. Whoever removes one breaks such a client.
#[test]
fn every_call_of_older_clients_has_its_short_path() {
    let document = document::full();
    let declared: BTreeSet<_> = operations(&document)
        .iter()
        .flat_map(|(method, _, operation)| {
            strings(&operation["x-short-path"]).into_iter().map(move |short| format!("{method} {short}"))
        })
        .collect();
    let calls = include_str!("../golden/short-paths.txt").lines();
    let missing: Vec<_> = calls.filter(|call| !declared.contains(*call)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// The same short path is the key of a restaurant or of the whole partner, as the target says.
#[testkit::test]
async fn a_short_path_of_two_places_follows_the_target() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let restaurants = json!({"name": "Lánc", "restaurant_ids": [place.restaurant]});
    let partner = at(&owner, place.partner);
    let made = partner.post("/api/v3/api-keys").json(restaurants).send().await.assert(201).json();
    assert_eq!(made["restaurant_ids"], json!([place.restaurant]));
    let restaurant = at(&owner, place.restaurant);
    // Where the restaurant is known already, nothing names it.
    let body = json!({"name": "Webshop", "restaurant_ids": []});
    let made = restaurant.post("/api/v3/api-keys").json(body).send().await.assert(201);
    assert_eq!(made.header("x-ignored-fields"), Some("restaurant_ids"));
    let path = format!("/api/v3/api-keys/{}", made.json()["id"].as_str().unwrap());
    restaurant.delete(&path).send().await.assert(204);
}

#[testkit::test]
async fn a_short_path_answers_as_the_full_one() {
    let place = kit().await.partner().await;
    let (admin, owner) = (place.admin().await, place.partner_admin().await);
    let (restaurant, partner) = (place.restaurant.to_string(), place.partner.to_string());
    for (short, full, limited) in lists() {
        let full = full.replace("{partner_id}", &partner).replace("{restaurant_id}", &restaurant);
        let named = if full.contains(&restaurant) { &restaurant } else { &partner };
        let client = if full.contains(&restaurant) { &admin } else { &owner };
        let query = if limited { "?count=true&limit=1" } else { "" };
        let expected = client.get(&format!("{full}{query}")).send().await;
        // Below the connection to card terminals there is something once it has been made. Beginning it needs
        // an address.
        let status = match &full {
            path if path.ends_with("/teya/oauth") => 422,
            path if path.contains("/teya/") => 409,
            _ => 200,
        };
        assert_eq!(expected.status, status, "{full}");
        assert_eq!(
            comparable(&at(client, named).get(&format!("{short}{query}")).send().await),
            comparable(&expected),
            "{short}"
        );
    }
    // Writing too, with what is wrong, and with ids.
    let here = at(&admin, &restaurant);
    here.post("/api/v3/admins").json(json!({"name": "Minta Anna"})).send().await.assert_keys(&["email"]);
    let person =
        json!({"email": format!("{}@pult.test", uuid::Uuid::now_v7().simple()), "name": "Minta Anna"});
    let made = here.post("/api/v3/admins").json(person).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap();
    let short = comparable(&here.get(&format!("/api/v3/admins/{id}")).send().await);
    assert_eq!(short, comparable(&admin.get(&format!("/admins/{id}")).send().await));
    assert_eq!(short.0, 200);
    here.delete(&format!("/api/v3/admins/{id}")).send().await.assert(204);
    here.put("/api/v3/payment-methods").json(json!({"eur_huf_rate": 401})).send().await.assert(200);
    let other = here
        .call(Method::PATCH, "/api/v3/payment-methods")
        .send()
        .await
        .assert_problem(405, "METHOD_NOT_ALLOWED");
    assert_eq!(other.header("allow"), Some("GET, PUT"));
    // Complete paths stay what they are, and nothing else has become one.
    here.get("/api/v3/admins/help").send().await.assert(200);
    here.get("/api/v3/couriers").send().await.assert_problem(404, "NOT_FOUND");
}

#[testkit::test]
async fn the_place_is_named_or_chosen_or_the_only_one() {
    let kit = kit().await;
    let (place, stranger) = (kit.partner().await, kit.partner().await);
    let (admin, owner, key) =
        (place.admin().await, place.partner_admin().await, place.api_key(&["menu:read"]).await);
    let methods = async |client: &Client<'_>| client.get("/api/v3/payment-methods").send().await;
    // One restaurant is meant by itself, also when only the partner is named.
    admin.put("/payment-methods").json(json!({"eur_huf_rate": 401})).send().await.assert(200);
    methods(&admin).await.assert(200);
    methods(&owner).await.assert(200);
    methods(&at(&owner, place.partner)).await.assert(200);

    let sibling = kit.restaurant_of(place.partner).await;
    methods(&admin).await.assert(200);
    for client in [&owner, &at(&owner, place.partner)] {
        methods(client).await.assert_problem(409, "TARGET_REQUIRED");
    }
    owner.get("/api/v3/admins").send().await.assert_problem(409, "TARGET_REQUIRED");
    at(&owner, place.partner).get("/api/v3/admins").send().await.assert(200);
    let rate = async |client: &Client<'_>| {
        let change = client.put("/api/v3/payment-methods").json(json!({})).send().await.assert(200).json();
        change["eur_huf_rate"].to_string()
    };
    assert_eq!(rate(&at(&owner, place.restaurant)).await, "401");
    assert_eq!(rate(&at(&owner, sibling.restaurant)).await, "350");
    let choice =
        |one: &testkit::Place<'_>| json!({"partner_id": one.partner, "restaurant_id": one.restaurant});
    owner.put("/api/v3/admin/me/target").json(choice(&place)).send().await.assert(204);
    assert_eq!(rate(&owner).await, "401");
    owner.put("/api/v3/admin/me/target").json(choice(&sibling)).send().await.assert(204);
    assert_eq!(rate(&owner).await, "350");
    assert_eq!(rate(&at(&owner, place.restaurant)).await, "401", "what is named goes before the choice");
    // What the account does not see cannot be chosen, and the choice stays.
    owner
        .put("/api/v3/admin/me/target")
        .json(choice(&stranger))
        .send()
        .await
        .assert_problem(404, "RESTAURANT_NOT_EXIST");
    assert_eq!(rate(&owner).await, "350");

    for nowhere in [
        stranger.restaurant.to_string(),
        stranger.partner.to_string(),
        uuid::Uuid::now_v7().to_string(),
        "x".to_owned(),
    ] {
        methods(&at(&owner, &nowhere)).await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
    methods(&at(&admin, sibling.restaurant)).await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    // A missing credential is refused first; a key is refused because the call is for people.
    for client in [place.nobody(), at(&place.nobody(), place.restaurant), place.nobody().bearer("x.y.z")] {
        assert_eq!(methods(&client).await.status, 401);
    }
    assert_eq!(
        comparable(&methods(&at(&key, place.restaurant)).await),
        comparable(&key.get("/payment-methods").send().await)
    );
    let ended = place.admin().await;
    ended.delete("/api/v3/admins/sign_out").send().await.assert(204);
    methods(&ended).await.assert_problem(401, "USER_LOGIN_REQUIRED");
    // Support opens what it has a reason for.
    let support = place.super_admin().await;
    methods(&at(&support, place.restaurant)).await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
}

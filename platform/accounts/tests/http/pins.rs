//! PINs: unique in a restaurant, limited, unlocked, and in no log.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use access::{Pin, prelude::*};
use futures_util::future::join_all;
use poem::{Endpoint, EndpointExt, Request, http::Method, middleware::CookieJarManager};
use poem_openapi::OpenApiService;
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::admins::{at_partner, person};

const PASSWORD: &str = "szilvásgombóc";

fn own_pin(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/pin", place.partner)
}

async fn is_valid(client: &Client<'_>, pin: &str) -> Value {
    client.post("/validate-pin").json(json!({"pin": pin})).send().await.assert(200).json()["is_valid"].clone()
}

/// As if nobody had tried a PIN that is taken.
async fn forget_collisions(place: &Place<'_>) {
    let sql = "delete from control.attempt where subject in (select 'pin set ' || id from control.restaurant \
        where partner_id = $1 union all select 'pin set ' || $1::uuid)";
    place.kit.run(sql, vec![place.partner.into()]).await;
}

/// What the guide of the restaurant says about PINs.
async fn guide_item(client: &Client<'_>) -> Value {
    step(client, "pins").await
}

async fn step(client: &Client<'_>, key: &str) -> Value {
    let guide = client.get("/getting-started").send().await.assert(200).json();
    guide["items"].as_array().unwrap().iter().find(|item| item["key"] == key).unwrap().clone()
}

#[testkit::test]
async fn people_of_another_restaurant_are_no_staff_here() {
    let kit = kit().await;
    let here = kit.partner().await;
    let there = kit.restaurant_of(here.partner).await;
    let owner = here.partner_admin().await;
    there.with_keys(&["admin_login", "order"]).await;
    there.with_keys(&["admin_login"]).await;
    assert_eq!(step(&owner, "staff").await["done"], json!(false));
    here.with_keys(&["admin_login"]).await;
    assert_eq!(step(&owner, "staff").await["done"], json!(true));
}

#[testkit::test]
async fn a_pin_is_set_checked_replaced_and_removed() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (row, her) = person(&place, &owner, "/admins", json!({})).await;
    let check = |path: &'static str, pin: &'static str| her.post(path).json(json!({"pin": pin})).send();
    check("/validate-pin", "4711").await.assert_problem(403, "PIN_REQUIRED");
    check("/api/v3/admin/validate-pin", "4711").await.assert_problem(403, "PIN_REQUIRED");
    let set = |pin: &'static str, password: &'static str| {
        her.put(&own_pin(&place)).json(json!({"pin": pin, "password": password})).send()
    };
    set("4711", "almásrétes").await.assert_problem(422, "USER_WRONG_PASSWORD");
    set("471", PASSWORD).await.assert_keys(&["pin"]);
    set("123456789", PASSWORD).await.assert_keys(&["pin"]);
    set("47 1", PASSWORD).await.assert_keys(&["pin"]);
    assert_eq!(guide_item(&owner).await, json!({"key": "pins", "done": false, "needed": false}));
    set("4711", PASSWORD).await.assert(204);
    assert_eq!(guide_item(&owner).await, json!({"key": "pins", "done": true, "needed": false}));
    assert_eq!((is_valid(&her, "4711").await, is_valid(&her, "4712").await), (json!(true), json!(false)));
    assert_eq!(
        check("/api/v3/admin/validate-pin", "4711").await.assert(200).json(),
        json!({"is_valid": true})
    );
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    assert_eq!(owner.get(&path).send().await.json()["has_pin"], true);
    let kept = place.kit.row(
        "select pin_hash, encode(pin_lookup, 'hex') l from control.admin where id = $1::text::uuid",
        vec![row["id"].as_str().unwrap().into()],
    );
    let kept = kept.await;
    let (hash, lookup): (String, String) =
        (kept.try_get("", "pin_hash").unwrap(), kept.try_get("", "l").unwrap());
    assert!(hash.starts_with("$argon2id$") && lookup.len() == 64, "digest and hash only");

    owner.put(&path).json(json!({"pin": "0815", "has_pin": true})).send().await.assert(200);
    assert_eq!((is_valid(&her, "4711").await, is_valid(&her, "0815").await), (json!(false), json!(true)));
    owner.put(&path).json(json!({"has_pin": false, "pin": "1111"})).send().await.assert(200);
    check("/validate-pin", "0815").await.assert_problem(403, "PIN_REQUIRED");
    owner.put(&path).json(json!({"has_pin": true})).send().await.assert_keys(&["pin"]);
    set("4711", PASSWORD).await.assert(204);
    her.delete(&own_pin(&place)).send().await.assert(204);
    check("/validate-pin", "4711").await.assert_problem(403, "PIN_REQUIRED");
    let log = format!("select string_agg(d.details::text, ' ') t from {}.audit_detail d", place.schema);
    let text: String = place.kit.row(&log, vec![]).await.try_get("", "t").unwrap();
    assert!(!text.contains("4711") && !text.contains("0815") && text.contains("pin_changed"), "{text}");
    // A super admin has no row here, and so no PIN.
    let nobody_special = place.super_admin().await;
    nobody_special
        .post("/api/v3/admin/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(403, "PIN_REQUIRED");
}

#[testkit::test]
async fn a_pin_names_one_person_in_each_restaurant() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let at = |places: Vec<&Place<'_>>| json!(places.iter().map(|place| place.restaurant).collect::<Vec<_>>());
    let (here, _) = person(
        &place,
        &owner,
        &at_partner(&place),
        json!({"restaurant_ids": at(vec![&place]), "pin": "4711"}),
    )
    .await;
    assert_eq!(here["has_pin"], true);
    // The same PIN elsewhere is fine, but not where both could act.
    let (there, _) = person(
        &place,
        &owner,
        &at_partner(&place),
        json!({"restaurant_ids": at(vec![&sibling]), "pin": "4711"}),
    )
    .await;
    let taken = |body: Value| {
        let mut body = body;
        body["email"] = json!(super::admins::address());
        body["name"] = json!("Új Ember");
        body["pin"] = json!("4711");
        owner.post(&at_partner(&place)).json(body).send()
    };
    taken(json!({"restaurant_ids": at(vec![&place])})).await.assert_problem(409, "PIN_TAKEN");
    taken(json!({"target_type": "Partner"})).await.assert_problem(409, "PIN_TAKEN");
    let path = format!("{}/{}", at_partner(&place), there["id"].as_str().unwrap());
    forget_collisions(&place).await;
    // Neither by moving somebody who has it.
    owner
        .put(&path)
        .json(json!({"restaurant_ids": at(vec![&place, &sibling])}))
        .send()
        .await
        .assert_problem(409, "PIN_TAKEN");
    owner
        .put(&path)
        .json(json!({"target_type": "Partner", "restaurant_ids": null}))
        .send()
        .await
        .assert_problem(409, "PIN_TAKEN");
    forget_collisions(&place).await;
    // Nor somebody who has not accepted the invitation yet.
    let invited = json!({"email": super::admins::address(), "name": "Meg Hívott",
        "restaurant_ids": at(vec![&kit().await.restaurant_of(place.partner).await]), "pin": "4711"});
    let invited = owner.post(&at_partner(&place)).json(invited).send().await.assert(201).json();
    assert_eq!(invited["status"], "invited");
    let path = format!("{}/{}", at_partner(&place), invited["id"].as_str().unwrap());
    owner
        .put(&path)
        .json(json!({"restaurant_ids": at(vec![&place])}))
        .send()
        .await
        .assert_problem(409, "PIN_TAKEN");
    forget_collisions(&place).await;
    // Two who take the same one at the same moment: one gets it.
    let (one, first) = person(&place, &owner, "/admins", json!({})).await;
    let (_, second) = person(&place, &owner, "/admins", json!({})).await;
    let set = async |client: &Client<'_>| {
        client.put(&own_pin(&place)).json(json!({"pin": "9999", "password": PASSWORD})).send().await
    };
    let both = futures_util::future::join(set(&first), set(&second)).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    // Archived people keep no PIN from others.
    for row in [&here, &one] {
        owner
            .delete(&format!("{}/{}", at_partner(&place), row["id"].as_str().unwrap()))
            .send()
            .await
            .assert(204);
    }
    taken(json!({"restaurant_ids": at(vec![&place])})).await.assert(201);
}

#[testkit::test]
async fn wrong_pins_pause_and_an_admin_unlocks() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (row, her) = person(&place, &owner, "/admins", json!({"pin": "4711"})).await;
    for _ in 0..4 {
        assert_eq!(is_valid(&her, "0000").await, json!(false));
        // A right PIN in between does not reset the count.
        assert_eq!(is_valid(&her, "4711").await, json!(true));
    }
    assert_eq!(is_valid(&her, "0000").await, json!(false));
    let paused = her
        .post("/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").unwrap().parse::<u64>().unwrap() > 800);
    // Another address of the same account helps nothing, nor the call without a restaurant.
    let moved = her.clone().header("x-forwarded-for", "10.7.7.7");
    moved
        .post("/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(429, "TOO_MANY_REQUESTS");
    her.post("/api/v3/admin/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(429, "TOO_MANY_REQUESTS");
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    assert_eq!(owner.get(&path).send().await.json()["status"], "locked");
    assert_eq!(owner.get("/admins?status=locked").send().await.json().as_array().unwrap().len(), 1);
    owner.post(&format!("{path}/unlock")).send().await.assert(204);
    assert_eq!(owner.get(&path).send().await.json()["status"], "active");
    assert_eq!(is_valid(&her, "4711").await, json!(true));
    // Many accounts on one device: the device waits.
    let device = async |client: &Client<'_>| {
        client
            .clone()
            .header("x-forwarded-for", "10.8.8.8")
            .post("/validate-pin")
            .json(json!({"pin": "0000"}))
            .send()
            .await
    };
    for _ in 0..3 {
        let (_, other) = person(&place, &owner, "/admins", json!({})).await;
        let pin = uuid::Uuid::now_v7().as_u128() % 90_000_000 + 10_000_000;
        other
            .put(&own_pin(&place))
            .json(json!({"pin": pin.to_string(), "password": PASSWORD}))
            .send()
            .await
            .assert(204);
        for _ in 0..5 {
            device(&other).await.assert(200);
        }
    }
    device(&her).await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(is_valid(&her, "4711").await, json!(true), "elsewhere she goes on");
}

/// Only wrong ones count, however many are under way, and no more than five are looked at.
#[testkit::test]
async fn right_pins_at_once_pause_nobody() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (row, her) = person(&place, &owner, "/admins", json!({"pin": "4711"})).await;
    let check = async |pin: &str| her.post("/validate-pin").json(json!({"pin": pin})).send().await;
    for answer in join_all((0..20).map(|_| check("4711"))).await {
        assert_eq!(answer.assert(200).json()["is_valid"], json!(true));
    }
    let both = join_all((0..40).map(|at| check(if at % 2 == 0 { "4711" } else { "0000" }))).await;
    let (mut wrong, mut refused) = (0, 0);
    for answer in both {
        match answer.status {
            200 => wrong += i32::from(answer.json()["is_valid"] == json!(false)),
            429 => refused += 1,
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert!(wrong == 5 && refused >= 15, "{wrong} looked at, {refused} refused");
    check("4711").await.assert_problem(429, "TOO_MANY_REQUESTS");
    // After the pause she goes on, and again; after one more wrong one the pause is longer.
    let over = "update control.attempt set blocked_until = now() - interval '1 second', window_start = now() - \
        interval '16 minutes' where subject = (select 'pin account ' || account_id from control.admin where id = $1)";
    let id: Uuid = row["id"].as_str().unwrap().parse().unwrap();
    place.kit.run(over, vec![id.into()]).await;
    for (pin, valid) in [("4711", true), ("4711", true), ("0000", false)] {
        assert_eq!(is_valid(&her, pin).await, json!(valid));
    }
    let paused = check("4711").await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").unwrap().parse::<u64>().unwrap() > 2 * 900);
    // A window after the end of a pause everything is forgotten.
    let long_over = "update control.attempt set blocked_until = now() - interval '31 minutes', window_start = now() - \
        interval '80 minutes' where subject = (select 'pin account ' || account_id from control.admin where id = $1)";
    place.kit.run(long_over, vec![id.into()]).await;
    for _ in 0..5 {
        assert_eq!(is_valid(&her, "0000").await, json!(false));
    }
    let paused = check("4711").await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").unwrap().parse::<u64>().unwrap() <= 900);
}

/// A page that is left while its calls are under way has tried no wrong PIN.
#[testkit::test]
async fn who_leaves_before_the_outcome_has_tried_nothing() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (_, her) = person(&place, &owner, "/admins", json!({"pin": "4711"})).await;
    let check = async |pin: &str| her.post("/validate-pin").json(json!({"pin": pin})).send().await;
    let begun = Instant::now();
    check("4711").await.assert(200);
    let whole = begun.elapsed();
    // Thirty that leave at another moment each.
    for part in 0..30 {
        let _ = tokio::time::timeout(whole * part / 30, check("4711")).await;
    }
    check("4711").await.assert(200);
    // What is decided counts as ever.
    for _ in 0..5 {
        assert_eq!(is_valid(&her, "0000").await, json!(false));
    }
    check("4711").await.assert_problem(429, "TOO_MANY_REQUESTS");
}

/// Collects everything that is logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[testkit::test(alone)]
async fn a_pin_reaches_no_log_in_either_form() {
    let lines = Lines::default();
    let sink = lines.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || sink.clone())
        .try_init()
        .unwrap();
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (_, her) = person(&place, &owner, "/admins", json!({"pin": "48151623"})).await;
    assert_eq!(is_valid(&her, "48151623").await, json!(true));
    assert_eq!(is_valid(&her, "48151624").await, json!(false));
    // The address loses the PIN before anything looks at it, on any call.
    for path in [
        "/couriers?pin=48151623&name=x",
        "/couriers?name=x&pin=48151623",
        "/couriers?pin=48151623",
        "/couriers?p%69n=48151623",
        "/nothing?pin=48151623",
    ] {
        her.get(path).send().await;
        her.get(path).header("x-pin", "48151623").send().await;
    }
    owner.put(&own_pin(&place)).json(json!({"pin": "48151623", "password": PASSWORD})).send().await;
    let text = String::from_utf8_lossy(&lines.0.lock().unwrap()).into_owned();
    assert!(text.contains("request"), "the control: something is logged");
    for canary in ["48151623", "48151624", PASSWORD] {
        assert!(!text.contains(canary), "{canary} stands in the log");
    }
}

/// A protected screen and a protected action at the till.
struct Protected;

/// The person who approved.
#[derive(Debug, Object)]
struct Approved {
    approved_by: Id<kernel::Admin>,
    name: String,
    max_discount: Option<kernel::money::Percent>,
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/protected")]
impl Protected {
    /// A screen.
    #[oai(path = "/screen", method = "get", operation_id = "protected_screen")]
    async fn screen(&self, scope: In<Restaurant, perm::NoPermRequired>, pin: Pin) -> Result<Json<bool>> {
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        tx.commit().await?;
        Ok(Json(true))
    }

    /// An action.
    #[oai(path = "/discount", method = "post", operation_id = "protected_discount")]
    async fn discount(
        &self, scope: In<Restaurant, perm::NoPermRequired>, pin: Pin,
    ) -> Result<Json<Approved>> {
        let by = pin.approver(&scope, "pos_cart_discount").await?;
        scope.begin().await?.commit().await?;
        Ok(Json(Approved { approved_by: by.admin, name: by.name, max_discount: by.max_discount }))
    }
}

/// Whoever chose a PIN knows it: it is no way to what that person may not do, in whichever order rights came.
#[testkit::test]
async fn a_given_pin_allows_no_more_than_its_giver_may() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let service = OpenApiService::new(Protected, "x", "1")
        .with(CookieJarManager::new())
        .data(place.kit.app.clone())
        .map_to_response()
        .boxed();
    let signed_in = async |body: Value| {
        let (row, _) = person(&place, &owner, &at_partner(&place), body).await;
        let sql = "select account_id from control.admin where id = $1::text::uuid";
        let account: Uuid = place
            .kit
            .row(sql, vec![row["id"].as_str().unwrap().into()])
            .await
            .try_get("", "account_id")
            .unwrap();
        let session = Uuid::now_v7();
        let sql = "insert into control.session (id, account_id, surface, expires_at, partner_id, held) \
            values ($1, $2, 'pos', now() + interval '1 day', $3, true)";
        place.kit.run(sql, vec![session.into(), account.into(), place.partner.into()]).await;
        let token = place.kit.app.tokens.issue(account.into(), session).unwrap();
        (row, place.nobody().bearer(&token), token)
    };
    let here = json!([place.restaurant]);
    let login = super::admins::ids(&owner, &["admin_login", "user"]).await;
    let discount = super::admins::ids(&owner, &["admin_login", "pos_admin_perms", "pos_cart_discount"]).await;
    let all =
        super::admins::ids(&owner, &["admin_login", "user", "pos_admin_perms", "pos_cart_discount"]).await;
    // Of the whole partner, who may give rights that they lack.
    let (office_row, office, _) = signed_in(json!({"target_type": "Partner", "permission_ids": login})).await;
    let (_, _, waiter) = signed_in(json!({"restaurant_ids": here})).await;
    let (them, her, _) = signed_in(json!({"restaurant_ids": here})).await;
    let path = |row: &Value| format!("{}/{}", at_partner(&place), row["id"].as_str().unwrap());
    let approved = async |pin: &str| {
        let uri = format!(
            "/api/v3/admin/partners/{}/restaurants/{}/protected/discount",
            place.partner, place.restaurant
        );
        let request = Request::builder()
            .method(Method::POST)
            .uri(uri.parse().unwrap())
            .header("authorization", format!("Bearer {waiter}"))
            .header("x-pin", pin)
            .finish();
        let mut response = service.get_response(request).await;
        let forget = "delete from control.attempt where subject in (select 'pin account ' || account_id from \
            control.admin where partner_id = $1) or subject = 'pin place ' || $2::uuid or subject like \
            'pin address ' || $2::uuid || ' %'";
        place.kit.run(forget, vec![place.partner.into(), place.restaurant.into()]).await;
        let body: Value = serde_json::from_str(&response.take_body().into_string().await.unwrap()).unwrap();
        let approved = response.status().as_u16() == 200;
        assert!(approved || body["code"] == "PIN_INVALID", "{body}");
        approved.then(|| body["max_discount"].clone())
    };
    // The PIN first, the right afterwards, by the same person and by the owner.
    let given = office.put(&format!("{}/pin", path(&them))).send().await.assert(200).json();
    let pin = given["pin"].as_str().unwrap().to_owned();
    for by in [&office, &owner] {
        by.put(&path(&them)).json(json!({"permission_ids": discount})).send().await.assert(200);
        assert_eq!(approved(&pin).await, None);
    }
    // Once the giver may it too, with the giver's limit.
    let may = json!({"permission_ids": all, "max_discount_percent": 5});
    owner.put(&path(&office_row)).json(may).send().await.assert(200);
    assert_eq!(approved(&pin).await.unwrap().to_string().parse::<f64>().unwrap(), 5.0);
    owner.put(&path(&office_row)).json(json!({"permission_ids": login})).send().await.assert(200);
    assert_eq!(approved(&pin).await, None, "who has lost the right still knows the PIN");
    // The person's own is the person's.
    her.put(&own_pin(&place)).json(json!({"pin": "2580", "password": PASSWORD})).send().await.assert(204);
    assert_eq!(approved("2580").await, Some(Value::Null));
    assert_eq!(approved(&pin).await, None);
    // One that the owner gave is good, and stays so when the owner has left.
    let given = owner.put(&format!("{}/pin", path(&them))).send().await.assert(200).json();
    let pin = given["pin"].as_str().unwrap().to_owned();
    assert_eq!(approved(&pin).await, Some(Value::Null));
    let leave = "update control.admin set status = 'archived' where id = (select pin_given_by from control.admin \
        where id = $1::text::uuid)";
    place.kit.run(leave, vec![them["id"].as_str().unwrap().into()]).await;
    assert_eq!(approved(&pin).await, Some(Value::Null));
}

#[testkit::test]
async fn a_screen_takes_the_own_pin_and_an_action_any_authorised_pin() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let service = OpenApiService::new(Protected, "x", "1")
        .with(CookieJarManager::new())
        .data(place.kit.app.clone())
        .map_to_response()
        .boxed();
    let signed_in = async |body: Value| {
        let (row, _) = person(&place, &owner, &at_partner(&place), body).await;
        let account = place
            .kit
            .row(
                "select account_id from control.admin where id = $1::text::uuid",
                vec![row["id"].as_str().unwrap().into()],
            )
            .await;
        let (account, session) = (account.try_get::<Uuid>("", "account_id").unwrap(), Uuid::now_v7());
        let sql = "insert into control.session (id, account_id, surface, expires_at, partner_id, held) \
            values ($1, $2, 'pos', now() + interval '1 day', $3, true)";
        place.kit.run(sql, vec![session.into(), account.into(), place.partner.into()]).await;
        (row, place.kit.app.tokens.issue(account.into(), session).unwrap())
    };
    let here = json!([place.restaurant]);
    let discount = super::admins::ids(&owner, &["pos_cart_discount"]).await;
    let (_, waiter) = signed_in(json!({"restaurant_ids": here, "pin": "1111"})).await;
    let (manager, _) = signed_in(json!({"restaurant_ids": here, "pin": "2222", "permission_ids": discount,
            "max_discount_percent": 20, "name": "Nagy Főnök"}))
    .await;
    signed_in(json!({"restaurant_ids": [sibling.restaurant], "pin": "3333", "permission_ids": discount}))
        .await;
    let (_, without) = signed_in(json!({"restaurant_ids": here})).await;
    let call = async |method: Method, path: &str, token: &str, pin: Option<&str>| {
        let path = format!(
            "/api/v3/admin/partners/{}/restaurants/{}/protected{path}",
            place.partner, place.restaurant
        );
        let mut request = Request::builder()
            .method(method)
            .uri(path.parse().unwrap())
            .header("authorization", format!("Bearer {token}"));
        if let Some(pin) = pin {
            request = request.header("x-pin", pin);
        }
        let mut request = request.finish();
        access::hide_query_pin(&mut request);
        let mut response = service.get_response(request).await;
        let body: Value = serde_json::from_str(&response.take_body().into_string().await.unwrap()).unwrap();
        (response.status().as_u16(), body)
    };
    let refused = |answer: (u16, Value), status: u16, code: &str| {
        assert_eq!((answer.0, answer.1["code"].as_str()), (status, Some(code)))
    };
    // A screen: the own PIN, in either form.
    refused(call(Method::GET, "/screen", &waiter, None).await, 403, "PIN_REQUIRED");
    refused(call(Method::GET, "/screen", &without, Some("1111")).await, 403, "PIN_REQUIRED");
    refused(call(Method::GET, "/screen", &waiter, Some("2222")).await, 403, "PIN_INVALID");
    assert_eq!(call(Method::GET, "/screen", &waiter, Some("1111")).await.0, 200);
    assert_eq!(call(Method::GET, "/screen?x=1&pin=1111", &waiter, None).await.0, 200);
    // An action: the manager's, wherever that one may act; the own one of somebody without the right is a
    // wrong one.
    refused(call(Method::POST, "/discount", &waiter, None).await, 403, "PIN_REQUIRED");
    refused(call(Method::POST, "/discount", &waiter, Some("1111")).await, 403, "PIN_INVALID");
    refused(call(Method::POST, "/discount", &waiter, Some("3333")).await, 403, "PIN_INVALID");
    let (status, approved) = call(Method::POST, "/discount", &waiter, Some("2222")).await;
    assert_eq!(
        (status, &approved["approved_by"], &approved["name"]),
        (200, &manager["id"], &json!("Nagy Főnök"))
    );
    assert_eq!(approved["max_discount"].to_string().parse::<f64>().unwrap(), 20.0);
    // A PIN of an archived admin approves nothing.
    owner
        .delete(&format!("{}/{}", at_partner(&place), manager["id"].as_str().unwrap()))
        .send()
        .await
        .assert(204);
    refused(call(Method::POST, "/discount", &waiter, Some("2222")).await, 403, "PIN_INVALID");
    // Five wrong ones, of the account's own or of others, are enough.
    refused(call(Method::POST, "/discount", &waiter, Some("9999")).await, 403, "PIN_INVALID");
    refused(call(Method::POST, "/discount", &waiter, Some("2222")).await, 429, "TOO_MANY_REQUESTS");
    refused(call(Method::GET, "/screen", &waiter, Some("1111")).await, 429, "TOO_MANY_REQUESTS");
}

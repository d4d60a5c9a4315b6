//! Admins: adding, changing, archiving, and who may do so.

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend, Statement, TransactionTrait};
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

const PASSWORD: &str = "szilvásgombóc";

pub(crate) fn address() -> String {
    format!("{}@pult.test", Uuid::now_v7().simple())
}

/// The path of the partner's people.
pub(crate) fn at_partner(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/admins", place.partner)
}

pub(crate) async fn ids(client: &Client<'_>, keys: &[&str]) -> Vec<Value> {
    let tree = client.get("/api/v3/admin/permissions").send().await.assert(200).json();
    let id = |key: &&str| {
        tree.as_array().unwrap().iter().find(|one| one["key"] == **key).unwrap_or_else(|| panic!("{key}"))["id"].clone()
    };
    keys.iter().map(id).collect()
}

/// A person with a password in a restaurant, and a client that is signed in as them.
pub(crate) async fn person<'k>(
    place: &Place<'k>, by: &Client<'_>, path: &str, mut body: Value,
) -> (Value, Client<'k>) {
    let email = address();
    for (key, value) in [
        ("email", json!(email)),
        ("name", json!("Kovács Éva")),
        ("password", json!(PASSWORD)),
        ("password_again", json!(PASSWORD)),
    ] {
        if body.get(key).is_none() {
            body[key] = value;
        }
    }
    let made = by.post(path).json(body).send().await.assert(201).json();
    let row = place
        .kit
        .row(
            "select account_id from control.admin where id = $1::text::uuid",
            vec![made["id"].as_str().unwrap().into()],
        )
        .await;
    let account: Uuid = row.try_get("", "account_id").unwrap();
    let session = Uuid::now_v7();
    let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at, partner_id, \
        held) \
               values ($1, $2, 'admin', false, now() + interval '1 day', $3, true)";
    place.kit.run(sql, vec![session.into(), account.into(), place.partner.into()]).await;
    let token = place.kit.app.tokens.issue(account.into(), session).unwrap();
    (made, place.nobody().bearer(token))
}

#[testkit::test]
async fn a_person_is_added_signs_in_is_changed_and_archived() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let email = address();
    let body = json!({
        "email": format!(" {} ", email.to_uppercase()), "name": "Kovács Éva Mária", "tel": "+36 1 555 0101",
        "language": "en",
        "permission_ids": ids(&owner, &["admin_login", "order_accept"]).await, "surfaces": ["admin", "pos"],
        "password": PASSWORD, "password_again": PASSWORD, "super_admin": true, "target_id": Uuid::now_v7(),
    });
    let answer = owner.post("/admins").json(body).send().await.assert(201);
    assert_eq!(answer.header("x-ignored-fields"), Some("super_admin, target_id"));
    let made = answer.json();
    assert_eq!(
        (&made["email"], &made["first_name"], &made["last_name"]),
        (&json!(email), &json!("Éva Mária"), &json!("Kovács"))
    );
    assert_eq!(
        (&made["status"], &made["target_type"], &made["language"]),
        (&json!("active"), &json!("Restaurant"), &json!("en"))
    );
    assert_eq!(made["restaurant_ids"], json!([place.restaurant]));
    assert_eq!(made["permissions"], json!(["admin_login", "order", "order_accept"]));
    assert_eq!(made["permission_ids"].as_array().unwrap().len(), 3, "the parent came along");
    assert_eq!(
        (&made["super_admin"], &made["full_target_access"], &made["has_pin"]),
        (&json!(false), &json!(false), &json!(false))
    );
    assert!(made["uid"].is_null() && !made.to_string().contains("hash"));

    let sign_in = json!({"admin": {"email": email, "password": PASSWORD}});
    let signed_in = place.nobody().post("/api/v3/admins/sign_in").json(sign_in).send().await.assert(200);
    let her = place.nobody().bearer(signed_in.header("authorization").unwrap());
    her.get("/orders/fresh").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    her.get("/product-categories").send().await.assert(200);

    let path = format!("/admins/{}", made["id"].as_str().unwrap());
    let seen = owner.get(&path).send().await.assert(200).json();
    assert!(seen["uid"].is_string() && seen["last_active_at"].is_string(), "{seen}");
    let change = json!({"permission_ids": ids(&owner, &["admin_login", "fresh_order"]).await, "tel": "",
        "version": seen["version"]});
    let changed = owner.put(&path).json(change.clone()).send().await.assert(200).json();
    assert_eq!(
        changed["permissions"],
        json!(["admin_login", "fresh_order", "order"]),
        "the new child keeps the parent"
    );
    let conflict = owner.put(&path).json(change).send().await.assert_problem(409, "CONFLICT");
    assert_eq!(conflict.json()["current"]["tel"], "");
    her.get("/orders/fresh").send().await.assert(200);

    let staff = |archived: bool| {
        let sql = format!(
            "select count(*) n from {}.staff where admin_id = $1::text::uuid and name = $2 and archived = $3",
            place.schema
        );
        let values: Vec<sea_orm::Value> =
            vec![made["id"].as_str().unwrap().into(), "Nagy Éva".into(), archived.into()];
        async move { place.kit.row(&sql, values).await.try_get::<i64>("", "n").unwrap() }
    };
    owner.put(&path).json(json!({"last_name": "Nagy", "first_name": "Éva"})).send().await.assert(200);
    assert_eq!(staff(false).await, 1, "the staff copy follows");
    owner.delete(&path).send().await.assert(204);
    assert_eq!(staff(true).await, 1);
    her.get("/orders/fresh").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    owner.put(&path).json(json!({})).send().await.assert_problem(404, "USER_NOT_EXIST");
    owner.delete(&path).send().await.assert_problem(404, "USER_NOT_EXIST");
    assert_eq!(owner.get("/admins?name=nagy").send().await.json(), json!([]));
    assert_eq!(owner.get("/admins?archived=true").send().await.json()[0]["status"], "archived");

    // Added again the person comes back under the same id, by invitation.
    let again = owner
        .post("/admins")
        .json(json!({"email": email, "name": "Nagy Éva"}))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!((&again["id"], &again["status"]), (&made["id"], &json!("invited")));
    assert_eq!(again["permission_ids"], json!([]), "with new rights only");
    owner
        .post("/admins")
        .json(json!({"email": email, "name": "Nagy Éva"}))
        .send()
        .await
        .assert_problem(409, "USER_EMAIL_TAKEN");
    let log = format!(
        "select array_agg(action order by id) a from {}.audit where record_id = $1::text::uuid and action \
         like 'admins%'",
        place.schema
    );
    let actions: Vec<String> =
        place.kit.row(&log, vec![made["id"].as_str().unwrap().into()]).await.try_get("", "a").unwrap();
    assert_eq!(
        actions,
        ["admins_create", "admins_update", "admins_update", "admins_delete", "admins_create"]
    );
}

#[testkit::test]
async fn faults_of_a_person() {
    let place = kit().await.restaurant().await;
    let (owner, other) = (place.partner_admin().await, kit().await.stranger().await);
    let post = |body: Value| owner.post("/admins").json(body).send();
    post(json!({})).await.assert_keys(&["email"]);
    post(json!({"email": "eva", "name": "Éva"})).await.assert_problem(422, "USER_INVALID_EMAIL");
    post(json!({"email": "eva", "name": " "})).await.assert_keys(&["email", "name"]);
    post(json!({"email": address(), "name": "É", "surfaces": ["admin", "admin"], "language": "de",
        "pin": "12a4", "max_discount_percent": 101}))
    .await
    .assert_keys(&["language", "max_discount_percent", "pin", "surfaces"]);
    post(json!({"email": address(), "name": "É", "has_pin": true, "print_zone_id": Uuid::now_v7()}))
        .await
        .assert_keys(&["pin", "print_zone_id"]);
    let unknown = Uuid::now_v7();
    post(json!({"email": address(), "name": "É", "restaurant_ids": [place.restaurant, unknown,
        other.restaurant], "permission_ids": [unknown]}))
    .await
    .assert_keys(&["permission_ids.0", "restaurant_ids.1", "restaurant_ids.2"]);
    let with = |password: &str, again: Option<&str>| {
        post(json!({"email": address(), "name": "É", "password": password, "password_again": again}))
    };
    with(PASSWORD, None).await.assert_problem(422, "USER_PASSWORD_NOT_MATCH");
    with(PASSWORD, Some("almásrétes")).await.assert_problem(422, "USER_PASSWORD_NOT_MATCH");
    with("123456", Some("123456")).await.assert_problem(422, "USER_PASSWORD_WEAK");
    let long = format!("eva@{}.test", "nagyon-hosszu-nevu-vendeglo".repeat(2));
    let own = json!({"email": long, "first_name": "Éva", "last_name": "Szigethy", "password": long,
        "password_again": long});
    post(own.clone()).await.assert_problem(422, "USER_PASSWORD_WEAK");
    let mut named = own;
    (named["password"], named["password_again"]) = (json!("szigethy1982"), json!("szigethy1982"));
    post(named).await.assert_problem(422, "USER_PASSWORD_WEAK");
    with("", Some("")).await.assert_problem(422, "USER_PASSWORD_CANNOT_BE_EMPTY");
    with("rövid", Some("rövid")).await.assert_keys(&["password"]);
    // At the partner's level a restaurant's admin needs restaurants.
    owner
        .post(&at_partner(&place))
        .json(json!({"email": address(), "name": "É"}))
        .send()
        .await
        .assert_keys(&["restaurant_ids"]);
    let made = post(json!({"email": address(), "name": "É"})).await.assert(201).json();
    let path = format!("/admins/{}", made["id"].as_str().unwrap());
    let put = |body: Value| owner.put(&path).json(body).send();
    put(json!({"email": "x", "first_name": "", "last_name": "", "name": ""}))
        .await
        .assert_keys(&["email", "name"]);
    put(json!({"email": null, "language": null, "full_target_access": null}))
        .await
        .assert_keys(&["email", "full_target_access", "language"]);
    put(json!({"max_discount_percent": -1, "surfaces": ["moon"]}))
        .await
        .assert_keys(&["max_discount_percent", "surfaces.0"]);
    put(json!({"restaurant_ids": [unknown]})).await.assert_keys(&["restaurant_ids.0"]);
    let own = made["email"].as_str().unwrap();
    put(json!({"password": own, "password_again": own})).await.assert_problem(422, "USER_PASSWORD_WEAK");
    owner.get(&format!("/admins/{unknown}")).send().await.assert_problem(404, "USER_NOT_EXIST");
}

#[testkit::test]
async fn nobody_gives_what_they_lack_nor_reaches_beyond_their_restaurants() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let all = ids(&owner, &["admin_login", "user", "order_accept", "tv", "pos_cart_discount"]).await;
    let (_, head) = person(&place, &owner, "/admins", json!({"permission_ids": &all[..3]})).await;
    let post = |body: Value| {
        let mut body = body;
        body["email"] = json!(address());
        body["name"] = json!("Új Ember");
        head.post("/admins").json(body).send()
    };
    let waiter =
        post(json!({"permission_ids": [all[0], all[2]], "restaurant_ids": []})).await.assert(201).json();
    assert_eq!(waiter["restaurant_ids"], json!([place.restaurant]), "the own restaurant is forced in");
    post(json!({"permission_ids": [all[3]]})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    post(json!({"full_target_access": true})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    post(json!({"target_type": "Partner"})).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    post(json!({"restaurant_ids": [sibling.restaurant]})).await.assert_keys(&["restaurant_ids.0"]);
    head.get(&at_partner(&place)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    head.post(&at_partner(&place))
        .json(json!({"email": address(), "name": "x"}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");

    let path = |row: &Value| format!("/admins/{}", row["id"].as_str().unwrap());
    let put = |row: &Value, body: Value| head.put(&path(row)).json(body).send();
    put(&waiter, json!({"permission_ids": [all[0], all[3]]}))
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    put(&waiter, json!({"target_type": "Partner"})).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    put(&waiter, json!({"full_target_access": true})).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    put(&waiter, json!({"permission_ids": [all[0]]})).await.assert(200);

    // Somebody with more: the name may be changed, not what lets one act as them, nor what the editor lacks.
    let (strong, _) = person(&place, &owner, "/admins", json!({"permission_ids": all})).await;
    put(&strong, json!({"tel": "1", "permission_ids": strong["permission_ids"]})).await.assert(200);
    for body in [
        json!({"password": PASSWORD, "password_again": PASSWORD}),
        json!({"pin": "4711"}),
        json!({"email": address()}),
        json!({"surfaces": ["pos"]}),
        json!({"permission_ids": [all[0], all[1], all[2]]}),
        json!({"full_target_access": true}),
    ] {
        put(&strong, body).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    head.delete(&path(&strong)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    head.delete(&format!("{}/sessions", path(&strong)))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");

    // An admin who acts elsewhere too, or for the whole partner, is visible here and edited above.
    let both = json!({"restaurant_ids": [place.restaurant, sibling.restaurant]});
    let (wide, _) = person(&place, &owner, &at_partner(&place), both).await;
    put(&wide, json!({"tel": "1"})).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    head.delete(&path(&wide)).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    let listed = head.get("/admins?count=true").send().await.assert(200);
    let partner_row =
        listed.json().as_array().unwrap().iter().find(|row| row["target_type"] == "Partner").unwrap().clone();
    put(&partner_row, json!({"tel": "1"})).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    assert_eq!(
        listed.header("x-total-count"),
        Some(listed.json().as_array().unwrap().len().to_string().as_str())
    );
    // A row of the sibling alone does not exist here.
    let (alone, _) =
        person(&place, &owner, &at_partner(&place), json!({"restaurant_ids": [sibling.restaurant]})).await;
    put(&alone, json!({})).await.assert_problem(404, "USER_NOT_EXIST");
    owner.get(&path(&alone)).send().await.assert_problem(404, "USER_NOT_EXIST");
    owner.get(&format!("{}/{}", at_partner(&place), alone["id"].as_str().unwrap())).send().await.assert(200);
}

#[testkit::test]
async fn nobody_edits_the_own_rights_nor_a_super_admins_row() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (head_row, head) = person(&place, &owner, "/admins", json!({"full_target_access": true})).await;
    let path = format!("/admins/{}", head_row["id"].as_str().unwrap());
    for body in [
        json!({"full_target_access": false}),
        json!({"permission_ids": ids(&owner, &["tv"]).await}),
        json!({"surfaces": ["pos"]}),
        json!({"pin": "4711"}),
        json!({"password": PASSWORD, "password_again": PASSWORD}),
        json!({"email": address()}),
        json!({"target_type": "Partner"}),
    ] {
        head.put(&path).json(body).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    }
    head.put(&path).json(json!({"name": "Nagy Anna", "full_target_access": true})).send().await.assert(200);
    head.delete(&path).send().await.assert_problem(409, "USER_DELETE_NOT_ALLOWED");
    place
        .kit
        .run(
            "update control.account set super_admin = true where id = (select account_id from control.admin \
             where id = $1::text::uuid)",
            vec![head_row["id"].as_str().unwrap().into()],
        )
        .await;
    owner.put(&path).json(json!({"tel": "1"})).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    owner.delete(&path).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    assert_eq!(owner.get(&path).send().await.json()["super_admin"], true);
}

#[testkit::test]
async fn the_last_one_with_full_access_stays_even_when_two_go_at_once() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let rows = owner.get(&at_partner(&place)).send().await.assert(200).json();
    let first = format!("{}/{}", at_partner(&place), rows[0]["id"].as_str().unwrap());
    let body = json!({"target_type": "Partner", "full_target_access": true});
    let (second_row, second) = person(&place, &owner, &at_partner(&place), body).await;
    let second_path = format!("{}/{}", at_partner(&place), second_row["id"].as_str().unwrap());
    // Each removes the other at the same moment: one of them is left.
    let (one, two) = futures_util::future::join(
        owner.delete(&second_path).send(),
        second.put(&first).json(json!({"full_target_access": false})).send(),
    )
    .await;
    let done = [one.status, two.status].iter().filter(|status| **status < 300).count();
    assert_eq!(done, 1, "{} {}", one.text(), two.text());
    let left = place.kit.row(
        "select count(*) n from control.admin where partner_id = $1 and status = 'active' and \
         full_target_access and target_type = 'Partner'",
        vec![place.partner.into()],
    );
    assert_eq!(left.await.try_get::<i64>("", "n").unwrap(), 1);
    // A super admin with a support access cannot remove the last one either.
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let rows = owner.get(&at_partner(&place)).send().await.assert(200).json();
    let support = place.super_admin().await;
    let me = support.get("/api/v3/admin/me").send().await.json();
    let sql = "insert into control.support_access (id, account_id, partner_id, reason, writable, expires_at) \
        values (gen_random_uuid(), $1::text::uuid, $2, 'x', true, now() + interval '1 hour')";
    place.kit.run(sql, vec![me["id"].as_str().unwrap().into(), place.partner.into()]).await;
    let path = format!("{}/{}", at_partner(&place), rows[0]["id"].as_str().unwrap());
    support.delete(&path).send().await.assert_problem(409, "USER_DELETE_NOT_ALLOWED");
    support
        .put(&path)
        .json(json!({"full_target_access": false}))
        .send()
        .await
        .assert_problem(409, "USER_DELETE_NOT_ALLOWED");
    support
        .put(&path)
        .json(json!({"email": address()}))
        .send()
        .await
        .assert_problem(409, "USER_DELETE_NOT_ALLOWED");
}

#[testkit::test]
async fn a_removed_admin_removes_nobody() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    for _ in 0..5 {
        let body = json!({"target_type": "Partner", "full_target_access": true});
        let (one_row, one) = person(&place, &owner, &at_partner(&place), body.clone()).await;
        let (two_row, two) = person(&place, &owner, &at_partner(&place), body).await;
        let path = |row: &Value| format!("{}/{}", at_partner(&place), row["id"].as_str().unwrap());
        // There is a third with full access, so that rule stops neither.
        let (first, second) = futures_util::future::join(
            one.delete(&path(&two_row)).send(),
            two.delete(&path(&one_row)).send(),
        )
        .await;
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert!(
            statuses[0] == 204 && [403, 404].contains(&statuses[1]),
            "{} {}",
            first.text(),
            second.text()
        );
    }
}

#[testkit::test]
async fn an_account_of_two_partners_is_nobodys_to_change() {
    let (place, other) = (kit().await.partner().await, kit().await.partner().await);
    let (owner, stranger) = (place.partner_admin().await, other.partner_admin().await);
    let enters = ids(&owner, &["admin_login"]).await;
    let (row, her) =
        person(&place, &owner, "/admins", json!({"name": "Kettős Kata", "permission_ids": enters})).await;
    let there = stranger
        .post("/admins")
        .json(json!({"email": row["email"], "name": "Másutt Kata"}))
        .send()
        .await
        .assert(201)
        .json();
    let mail = place.kit.mail_to(row["email"].as_str().unwrap()).await;
    let token = mail.split("token=").nth(1).unwrap().split_whitespace().next().unwrap();
    let accepted = json!({"password": "saját túrósrétes", "password_again": "saját túrósrétes"});
    let accepted = place
        .nobody()
        .put(&format!("/api/v3/admins/invitations/{token}"))
        .json(accepted)
        .send()
        .await
        .assert(200);
    her.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    let her = place.nobody().bearer(accepted.header("authorization").unwrap());
    let (here_path, there_path) = (
        format!("/admins/{}", row["id"].as_str().unwrap()),
        format!("/admins/{}", there["id"].as_str().unwrap()),
    );
    assert_eq!(
        stranger.get(&there_path).send().await.json()["name"],
        "Kettős Kata",
        "accepted, she goes by her own name"
    );
    // Neither partner can set the password, and a name that one writes holds at that partner only.
    for (client, path) in [(&owner, &here_path), (&stranger, &there_path)] {
        let body = json!({"password": PASSWORD, "password_again": PASSWORD});
        client.put(path).json(body).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    }
    stranger.put(&there_path).json(json!({"last_name": "Könyvelő", "tel": "5"})).send().await.assert(200);
    assert_eq!(stranger.get(&there_path).send().await.json()["name"], "Könyvelő Kata");
    let here = owner.get(&here_path).send().await.json();
    assert_eq!((&here["name"], &here["tel"]), (&json!("Kettős Kata"), &json!("")));
    assert_eq!(her.get("/api/v3/admin/me").send().await.json()["name"], "Kettős Kata");
    // Removed at one, she stays at the other.
    stranger.delete(&there_path).send().await.assert(204);
    assert_eq!(her.get("/api/v3/admin/me").send().await.json()["targets"].as_array().unwrap().len(), 1);
}

#[testkit::test]
async fn people_come_in_pages_by_name() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    for name in ["Ördög Ödön", "Árva Anna", "Zrínyi Zoé"] {
        owner.post("/admins").json(json!({"email": address(), "name": name})).send().await.assert(201);
    }
    let page = async |query: &str| {
        let answer =
            owner.get(&format!("{}?count=true&{query}", at_partner(&place))).send().await.assert(200);
        let names: Vec<String> = answer
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect();
        (names, answer.header("x-total-count").unwrap().to_owned())
    };
    let (all, total) = page("limit=200").await;
    assert_eq!(total, all.len().to_string());
    let invited: Vec<String> = ["Árva Anna", "Ördög Ödön", "Zrínyi Zoé"].map(str::to_owned).into();
    assert_eq!(
        all.iter().filter(|name| invited.contains(name)).collect::<Vec<_>>(),
        invited.iter().collect::<Vec<_>>()
    );
    assert_eq!(page("status=invited").await, (invited.clone(), "3".to_owned()));
    assert_eq!(page("status=invited&limit=1&page=1").await, (invited[1..2].to_vec(), "3".to_owned()));
    assert_eq!(page("status=invited&limit=1&page=3").await, (vec![], "3".to_owned()));
    assert_eq!(page("name=ordog%20od").await, (invited[1..2].to_vec(), "1".to_owned()));
    assert_eq!(page("archived=true").await, (vec![], "0".to_owned()));
}

#[testkit::test]
async fn the_functions_behind_it_reach_the_own_partner_only() {
    let (place, other) = (kit().await.partner().await, kit().await.partner().await);
    let theirs = other.partner_admin().await;
    let enters = ids(&theirs, &["admin_login"]).await;
    let (row, her) =
        person(&other, &theirs, "/admins", json!({"pin": "4711", "permission_ids": enters})).await;
    let id = row["id"].as_str().unwrap();
    let snapshot = format!(
        "select jsonb_build_array(to_jsonb(ad), to_jsonb(ac), (select jsonb_agg(t) from control.ticket t \
         where t.admin_id = ad.id))::text line \
         from control.admin ad join control.account ac on ac.id = ad.account_id where ad.id = '{id}'"
    );
    let before: String = place.kit.row(&snapshot, vec![]).await.try_get("", "line").unwrap();
    let options = ConnectOptions::new(place.kit.database_url.to_string())
        .max_connections(1)
        .sqlx_logging(false)
        .to_owned();
    let db = Database::connect(options).await.unwrap();
    let calls = [
        format!("select count(*)::int n from control.admins('{id}', null, null, null, null, 1, 0)"),
        format!(
            "select count(*)::int n from control.admins(null, '{}', null, null, null, 1000, 0) a where \
             a.target_type = 'Restaurant'",
            other.restaurant
        ),
        format!("select control.save_admin('{id}', '{{\"full_target_access\": true}}')::int n"),
        format!("select control.set_admin_password('{id}', 'x')::int n"),
        format!("select (control.hold_password('{id}', 'x', null) = 'done')::int n"),
        format!("select coalesce(control.credentials_of('{id}'), 0)::int n"),
        format!("select count(*)::int n from control.invite_admin('{id}', 'x')"),
        format!("select count(*)::int n from control.pin_of('{id}')"),
        format!("select count(*)::int n from control.find_pin('{}', (select null::bytea))", other.restaurant),
        "select control.pin_taken(gen_random_uuid(), null, (select null::bytea))::int n".to_owned(),
        format!("select count(*)::int n from control.own_restaurants(array['{}'::uuid])", other.restaurant),
        format!(
            "select coalesce(control.readdress_admin('{id}', gen_random_uuid(), 'x@pult.test')::int, 0) n"
        ),
        format!("select 0 n from control.end_admin_sessions('{id}')"),
        format!("select 0 n from control.unlock_admin('{id}')"),
    ];
    for sql in &calls {
        let denied = db.execute_unprepared(sql).await.expect_err(sql).to_string();
        assert!(denied.contains("permission denied"), "as the login role, {sql}: {denied}");
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared(&format!("set local role {0}; set local search_path = {0}", place.schema))
            .await
            .unwrap();
        let found = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql.clone())).await;
        if let Ok(found) = found {
            assert_eq!(found.unwrap().try_get::<i32>("", "n").unwrap(), 0, "{sql}");
        }
        tx.commit().await.unwrap();
    }
    let after: String = place.kit.row(&snapshot, vec![]).await.try_get("", "line").unwrap();
    assert_eq!(before, after, "nothing of the other partner has changed");
    her.get("/api/v3/admin/me").send().await.assert(200);
}

#[testkit::test]
async fn fields_that_a_caller_may_not_set_are_ignored() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (row, _) = person(&place, &owner, "/admins", json!({})).await;
    let id = row["id"].as_str().unwrap();
    let line = "select (to_jsonb(ad) - 'version')::text ad, to_jsonb(ac)::text ac from control.admin ad join \
        control.account ac on ac.id = ad.account_id \
                where ad.id = $1::text::uuid";
    let kept = async || {
        let row = place.kit.row(line, vec![id.into()]).await;
        (row.try_get::<String>("", "ad").unwrap(), row.try_get::<String>("", "ac").unwrap())
    };
    let before = kept().await;
    let columns = "select string_agg(distinct column_name, ' ') c from information_schema.columns \
                   where table_schema = 'control' and table_name in ('admin', 'account', 'session', \
                   'ticket', 'partner')";
    let columns: String = place.kit.row(columns, vec![]).await.try_get("", "c").unwrap();
    let writable = "email first_name last_name name tel language target_type restaurant_ids \
        full_target_access surfaces pin has_pin \
                    max_discount_percent print_zone_id password password_again permission_ids version \
                    timezone billing_details addresses";
    let sensitive = "is_admin role roles admin superuser permissions permission target_id targets owner uid \
        account accounts provider oidc accepted \
                     shared password_digest pin_digest token secret session_id partner balance verified \
                     email_verified confirmed two_factor totp_secret \
                     second_factor recovery_codes last_active_at locked_until";
    let names: Vec<&str> = columns
        .split_whitespace()
        .chain(sensitive.split_whitespace())
        .filter(|name| !writable.split_whitespace().any(|one| one == *name))
        .collect();
    assert!(names.len() > 50, "{names:?}");
    for value in
        [json!(true), json!("active"), json!(Uuid::now_v7()), json!(["*"]), json!({"a": 1}), Value::Null]
    {
        let body: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), value.clone())).collect();
        let answer = owner.put(&format!("/admins/{id}")).json(body.into()).send().await.assert(200);
        assert_eq!(
            answer.header("x-ignored-fields").unwrap().split(", ").count(),
            names.iter().collect::<std::collections::BTreeSet<_>>().len()
        );
        assert_eq!(kept().await, before, "with {value}");
    }
}

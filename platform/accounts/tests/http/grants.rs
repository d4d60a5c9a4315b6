//! Grants over HTTP: a sequence of changes, roles, invitations; a removed right ends at once.

use std::collections::BTreeSet;

use access::perm;
use accounts::ROLES;
use serde_json::{Value, json};
use testkit::{Call, Client, kit};

use super::admins::{address, at_partner, ids, person};

#[testkit::test]
async fn twenty_steps_of_granting_and_revoking_hold_from_the_next_request_on_both_instances() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let second = kit().await.second_instance().await;
    let (row, her) = person(&place, &owner, "/admins", json!({})).await;
    let elsewhere = her.at(&second);
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    let tree = owner.get("/api/v3/admin/permissions").send().await.json();
    let key_of = |id: &Value| {
        tree.as_array().unwrap().iter().find(|one| one["id"] == *id).unwrap()["key"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    // The operations of each key, tried with calls that change nothing.
    let probes: &[(&str, &[&str])] = &[
        ("/product-categories", &["order", "catalog_edit", "catalog_delete", "catalog_activate"]),
        ("/orders/fresh", &["fresh_order"]),
        ("/couriers", &["courier"]),
        ("/api-keys", &["system_general"]),
        ("/admins", &["user"]),
    ];
    let steps: &[(&str, bool)] = &[
        ("order", true),
        ("fresh_order", true),
        ("order", false),
        ("fresh_order", true),
        ("courier", true),
        ("system_general", true),
        ("system", false),
        ("user", true),
        ("user", false),
        ("order_accept", true),
        ("fresh_order", false),
        ("order", false),
        ("system_general", true),
        ("courier", false),
        ("tv", true),
        ("fresh_order", true),
        ("order_accept", true),
        ("user", true),
        ("order", false),
        ("tv", false),
    ];
    let parent = |key: &str| {
        tree.as_array()
            .unwrap()
            .iter()
            .find(|one| one["key"] == key)
            .map(|one| one["parent_id"].clone())
            .filter(|id| !id.is_null())
            .map(|id| key_of(&id))
    };
    let mut reference = BTreeSet::<String>::new();
    let mut held = BTreeSet::<String>::new();
    for (at, (key, grant)) in steps.iter().enumerate() {
        if *grant {
            held.insert((*key).to_owned());
            reference.extend(parent(key));
            reference.insert((*key).to_owned());
        } else {
            held.remove(*key);
            reference.retain(|one| one != key && parent(one).as_deref() != Some(*key));
        }
        let sent: Vec<&str> = held.iter().map(String::as_str).collect();
        let answer = owner
            .put(&path)
            .json(json!({"permission_ids": ids(&owner, &sent).await}))
            .send()
            .await
            .assert(200)
            .json();
        held = answer["permissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|key| key.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(held, reference, "step {at}: {key} {grant}");
        for (probe, keys) in probes {
            let expected = if keys.iter().any(|key| reference.contains(*key)) { 200 } else { 403 };
            assert_eq!(
                elsewhere.get(probe).send().await.status,
                expected,
                "step {at}: {key} {grant}: {probe} on the second instance"
            );
            assert_eq!(her.get(probe).send().await.status, expected, "step {at}: {key} {grant}: {probe}");
        }
    }
    // Everything at once, and nothing at once.
    owner.put(&path).json(json!({"full_target_access": true})).send().await.assert(200);
    elsewhere.get("/api-keys").send().await.assert(200);
    owner
        .put(&path)
        .json(json!({"full_target_access": false, "permission_ids": []}))
        .send()
        .await
        .assert(200);
    elsewhere.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    her.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_removed_right_ends_at_once_on_both_instances() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let second = kit().await.second_instance().await;
    let refused = async |client: &Client<'_>, status: u16, code: &'static str| {
        client.get("/couriers").send().await.assert_problem(status, code);
        client.at(&second).get("/couriers").send().await.assert_problem(status, code);
    };
    let body = json!({"permission_ids": ids(&owner, &["courier"]).await, "restaurant_ids": [place.restaurant,
        sibling.restaurant]});
    let (row, her) = person(&place, &owner, &at_partner(&place), body).await;
    let path = format!("{}/{}", at_partner(&place), row["id"].as_str().unwrap());
    her.at(&second).get("/couriers").send().await.assert(200);
    // The restaurant.
    owner.put(&path).json(json!({"restaurant_ids": [sibling.restaurant]})).send().await.assert(200);
    refused(&her, 404, "RESTAURANT_NOT_EXIST").await;
    owner.put(&path).json(json!({"restaurant_ids": [place.restaurant]})).send().await.assert(200);
    her.at(&second).get("/couriers").send().await.assert(200);
    // The sessions.
    owner.delete(&format!("{path}/sessions")).send().await.assert(204);
    refused(&her, 401, "USER_LOGIN_REQUIRED").await;
    // A new password ends them too.
    let (row, her) =
        person(&place, &owner, "/admins", json!({"permission_ids": ids(&owner, &["courier"]).await})).await;
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    her.get("/couriers").send().await.assert(200);
    owner
        .put(&path)
        .json(json!({"password": "mákosguba12", "password_again": "mákosguba12"}))
        .send()
        .await
        .assert(200);
    refused(&her, 401, "USER_LOGIN_REQUIRED").await;
    let sign_in = json!({"admin": {"email": row["email"], "password": "mákosguba12"}});
    place
        .nobody()
        .post("/api/v3/admins/sign_in")
        .json(sign_in)
        .send()
        .await
        .assert_problem(403, "NO_ADMIN_ACCESS");
    // Another address: the old account is out, the new one waits for its acceptance.
    let (row, her) = person(
        &place,
        &owner,
        "/admins",
        json!({"permission_ids": ids(&owner, &["courier"]).await, "pin": "4711"}),
    )
    .await;
    let (path, new) = (format!("/admins/{}", row["id"].as_str().unwrap()), address());
    let changed = owner.put(&path).json(json!({"email": new})).send().await.assert(200).json();
    assert_eq!(
        (&changed["status"], &changed["email"], &changed["name"], &changed["has_pin"]),
        (&json!("invited"), &json!(new), &row["name"], &json!(false))
    );
    refused(&her, 401, "USER_LOGIN_REQUIRED").await;
    let (taken, _) = person(&place, &owner, "/admins", json!({})).await;
    owner
        .put(&path)
        .json(json!({"email": taken["email"]}))
        .send()
        .await
        .assert_problem(409, "USER_EMAIL_TAKEN");
}

#[testkit::test]
async fn an_invitation_does_not_reveal_whether_an_account_exists() {
    let (place, other) = (kit().await.partner().await, kit().await.partner().await);
    let (owner, stranger) = (place.partner_admin().await, other.partner_admin().await);
    let (known, _) =
        person(&other, &stranger, "/admins", json!({"name": "Valódi Név", "tel": "+36 1 555 0199"})).await;
    let (known, unknown) = (known["email"].as_str().unwrap().to_owned(), address());
    for password in [None, Some("szilvásgombóc")] {
        // The limits of mails are another test's.
        place.kit.run("delete from control.mail_sent", vec![]).await;
        let mut answers = Vec::new();
        for email in [known.clone(), unknown.clone()] {
            // Each of the two is new to this partner.
            let email = if password.is_some() && email == unknown { address() } else { email };
            let body =
                json!({"email": email, "name": "Írt Név", "password": password, "password_again": password});
            let made = owner.post("/admins").json(body).send().await.assert(201).json();
            let path = format!("/admins/{}", made["id"].as_str().unwrap());
            owner.post(&format!("{path}/invitation")).send().await.assert(204);
            let mut seen = owner.get(&path).send().await.assert(200).json();
            assert_eq!(seen["name"], "Írt Név");
            for field in ["id", "email", "version", "created_at"] {
                seen[field] = Value::Null;
            }
            answers.push(seen);
            if email == known {
                let mail = place.kit.mail_to(&known).await;
                assert!(
                    mail.contains("/meghivas?token=") && mail.contains("Írt Név") && !mail.contains("Valódi"),
                    "{mail}"
                );
                // Put away, so that the next round meets a stranger again.
                owner.delete(&path).send().await.assert(204);
            }
        }
        assert_eq!(answers[0], answers[1]);
    }
    // The account kept its own name and password.
    let sign_in = json!({"admin": {"email": known, "password": "szilvásgombóc"}});
    let refused = place.nobody().post("/api/v3/admins/sign_in").json(sign_in).send().await;
    refused.assert_problem(403, "NO_ADMIN_ACCESS");
}

#[testkit::test]
async fn an_invited_person_accepts_once() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let email = address();
    let body = json!({"email": email, "name": "Meghívott Anna", "language": "en",
        "permission_ids": ids(&owner, &["admin_login", "courier"]).await});
    let made = owner.post("/admins").json(body).send().await.assert(201).json();
    assert_eq!(made["status"], "invited");
    let path = format!("/admins/{}", made["id"].as_str().unwrap());
    let token =
        |mail: String| mail.split("token=").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let mail = place.kit.mail_to(&email).await;
    assert!(mail.contains("/invitation?token="), "{mail}");
    let first = token(mail);
    owner.post(&format!("{path}/invitation")).send().await.assert(204);
    let mut second = first.clone();
    for _ in 0..20 {
        second = token(place.kit.mail_to(&email).await);
        if second != first {
            break;
        }
    }
    let accept = |token: &str| {
        let body = json!({"first_name": "Anna", "last_name": "Meghívott", "password": "szilvásgombóc",
            "password_again": "szilvásgombóc"});
        place.nobody().put(&format!("/api/v3/admins/invitations/{token}")).json(body).send()
    };
    accept(&first).await.assert_problem(401, "USER_INVALID_TOKEN");
    accept(&second).await.assert(200);
    accept(&second).await.assert_problem(401, "USER_INVALID_TOKEN");
    assert_eq!(owner.get(&path).send().await.json()["status"], "active");
    let sign_in = json!({"admin": {"email": email, "password": "szilvásgombóc"}});
    let signed_in = place.nobody().post("/api/v3/admins/sign_in").json(sign_in).send().await.assert(200);
    place
        .nobody()
        .bearer(signed_in.header("authorization").unwrap())
        .get("/couriers")
        .send()
        .await
        .assert(200);
}

#[testkit::test]
async fn role_templates_grant_what_they_say() {
    let place = kit().await.restaurant().await;
    let client = place.with_keys(&[]).await;
    let templates = client.get("/api/v3/admin/role-templates").send().await.assert(200).json();
    let tree = client.get("/api/v3/admin/permissions").send().await.json();
    assert_eq!(templates.as_array().unwrap().len(), ROLES.len());
    for (template, role) in templates.as_array().unwrap().iter().zip(ROLES) {
        assert_eq!(template["key"], role.key);
        for key in role.keys {
            assert!(perm::ALL.contains(key) || *key == "full_target_access", "{key}");
            let id =
                tree.as_array().unwrap().iter().find(|one| one["key"] == **key).map(|one| one["id"].clone());
            assert!(
                id.is_none_or(|id| template["permission_ids"].as_array().unwrap().contains(&id)),
                "{}: {key}",
                role.key
            );
        }
        for id in template["permission_ids"].as_array().unwrap() {
            let parent = &tree.as_array().unwrap().iter().find(|one| one["id"] == *id).unwrap()["parent_id"];
            assert!(
                parent.is_null() || template["permission_ids"].as_array().unwrap().contains(parent),
                "{}: a child without its parent",
                role.key
            );
        }
    }
    assert_eq!(templates[0]["permission_ids"].as_array().unwrap().len(), perm::ALL.len());
    assert_eq!(templates[0]["full_target_access"], true);
}

/// Adds a person, with these fields instead of sound ones.
fn add<'k>(by: &Client<'k>, changes: Value) -> Call<'k> {
    let mut body = json!({"email": address(), "name": "Minta Anna"});
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    by.post("/admins").json(body)
}

#[testkit::test(alone)]
async fn each_code_about_people_is_given_or_has_a_reason() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let rights = json!({"permission_ids": ids(&owner, &["admin_login", "user"]).await});
    let (row, her) = person(&place, &owner, "/admins", rights).await;
    let own = format!("/admins/{}", row["id"].as_str().unwrap());
    let nobody = place.nobody();
    let sign_in = json!({"admin": {"email": row["email"], "password": "rossz jelszó"}});
    // A session that is still good, with a token that was made three weeks ago.
    let session = uuid::Uuid::now_v7();
    kernel::clock::set(kernel::clock::now() - chrono::Duration::days(21));
    let late = place.kit.app.tokens.issue(kernel::Id::new(), session).unwrap();
    kernel::clock::set(chrono::Utc::now());
    let new =
        json!({"password_now": "rossz jelszó", "password": "mákosguba12", "password_again": "mákosguba12"});
    // Every code that begins with USER_, with a call that it answers.
    let given = [
        ("USER_LOGIN_REQUIRED", nobody.get("/couriers")),
        ("USER_WRONG_EMAIL_OR_PW", nobody.post("/api/v3/admins/sign_in").json(sign_in)),
        ("USER_EMAIL_TAKEN", add(&owner, json!({"email": row["email"]}))),
        ("USER_INVALID_EMAIL", add(&owner, json!({"email": "eva"}))),
        (
            "USER_PASSWORD_NOT_MATCH",
            add(&owner, json!({"password": "mákosguba12", "password_again": "almásrétes12"})),
        ),
        ("USER_PASSWORD_CANNOT_BE_EMPTY", add(&owner, json!({"password": "", "password_again": ""}))),
        ("USER_TOKEN_EXPIRED", nobody.clone().bearer(late).get("/couriers")),
        ("USER_NOT_EXIST", owner.get(&format!("/admins/{}", uuid::Uuid::now_v7()))),
        ("USER_INVALID_TOKEN", nobody.clone().bearer("no.token.this").get("/couriers")),
        ("USER_WRONG_PASSWORD", her.put("/api/v3/admin/me/password").json(new)),
        ("USER_TIMEZONE_NOT_EXIST", add(&owner, json!({"timezone": "Europe/Atlantis"}))),
        ("USER_DELETE_NOT_ALLOWED", her.delete(&own)),
        ("USER_PERMISSION_REQUIRED", her.get("/couriers")),
        ("USER_TYPE_NOT_EDITABLE", add(&her, json!({"target_type": "Partner"}))),
    ];
    // And those that nothing gives, with the reason in the README.
    let never = ["USER_USER_TYPE_ERROR", "USER_HOOK_ERROR", "USER_TOKEN_EXISTS_ALREADY", "USER_SAVE_ERROR"];
    assert_eq!(given.len() + never.len(), 18, "as many as the document has");
    for (code, call) in given {
        let answer = call.send().await;
        let problem = answer.json();
        assert_eq!(problem["code"], code, "{}", answer.text());
        assert!(!problem["title"].as_str().unwrap().is_empty());
    }
    let readme = include_str!("../../README.md");
    for code in never {
        assert!(kernel::Code::parse(code).is_none() && readme.contains(&format!("`{code}` (")), "{code}");
    }
    // The replacement of the first one.
    add(&owner, json!({"target_type": "Platform"})).send().await.assert_keys(&["target_type"]);
}

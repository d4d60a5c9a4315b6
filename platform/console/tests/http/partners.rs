//! Creating, suspending and renaming partners.

use serde_json::json;
use testkit::kit;
use uuid::Uuid;

use super::{PARTNERS, becomes, new_partner, running, unique, work_off};

#[testkit::test]
async fn a_partner_is_made_with_its_first_group_restaurant_and_admin() {
    let kit = kit().await;
    let _running = running();
    let admin = kit.restaurant().await.super_admin().await;
    let (name, email) = (unique("Új Partner"), format!("{}@pult.test", Uuid::now_v7().simple()));
    let key = Uuid::now_v7().to_string();
    let made =
        admin.post(PARTNERS).json(new_partner(&name, &email)).key(&key).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    let partner = becomes(&admin, &id, "active").await;
    assert_eq!(
        (&partner["mode"], &partner["current"], &partner["restaurants"], &partner["users"]),
        (&json!("live"), &json!(true), &json!(1), &json!(1))
    );
    assert_eq!(partner["groups"][0]["name"], "Belváros");
    assert_eq!(partner["restaurant_list"][0]["name"], "Első étterem");
    assert!(partner["size_bytes"].as_i64().unwrap() > 100_000, "{partner}");

    // The same request again is the same partner; another one with its key is refused, another of its name
    // too.
    let again =
        admin.post(PARTNERS).json(new_partner(&name, &email)).key(&key).send().await.assert(201).json();
    assert_eq!(again["id"], id.as_str());
    admin
        .post(PARTNERS)
        .json(new_partner("Más", &email))
        .key(&key)
        .send()
        .await
        .assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
    admin.post(PARTNERS).json(new_partner(&name.to_uppercase(), &email)).send().await.assert_keys(&["name"]);

    let found = admin
        .get(&format!("{PARTNERS}?name={}&count=true", name.split(' ').next_back().unwrap()))
        .send()
        .await
        .assert(200);
    assert_eq!(found.header("x-total-count"), Some("1"));
    assert_eq!(found.json()[0]["id"], id.as_str());
    let mail = kit.mail_to(&email).await;
    assert!(mail.contains(&name) && mail.contains("Meghívót kaptál"), "{mail}");
    // In English, when that is the first admin's language.
    let (email, mut english) =
        (format!("{}@pult.test", Uuid::now_v7().simple()), new_partner(&unique("New Partner"), ""));
    english["admin"] = json!({"email": email, "language": "en"});
    admin.post(PARTNERS).json(english).send().await.assert(201);
    let mail = kit.mail_to(&email).await;
    assert!(mail.contains("Invitation to Pult") && mail.contains("/invitation?token="), "{mail}");
    let row = kit
        .row(
            "select status, full_target_access, target_type from control.admin where partner_id = $1",
            vec![Uuid::parse_str(&id).unwrap().into()],
        )
        .await;
    assert_eq!(
        (
            row.try_get::<String>("", "status").unwrap().as_str(),
            row.try_get::<bool>("", "full_target_access").unwrap()
        ),
        ("invited", true)
    );
    // Only super admins see it.
    let place = kit.restaurant().await;
    place.partner_admin().await.get(PARTNERS).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.nobody().get(PARTNERS).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");

    let renamed = unique("Másként");
    let after =
        admin.put(&format!("{PARTNERS}/{id}")).json(json!({"name": renamed})).send().await.assert(200).json();
    assert_eq!(after["name"], renamed.as_str());
    admin
        .put(&format!("{PARTNERS}/{}", Uuid::now_v7()))
        .json(json!({"name": "x"}))
        .send()
        .await
        .assert_problem(404, "PARTNER_NOT_EXIST");
}

#[testkit::test]
async fn required_fields_of_a_new_partner() {
    let admin = kit().await.restaurant().await.super_admin().await;
    let mut good = new_partner("Jó", "anna@pelda.hu");
    good["mode"] = json!("live");
    for (field, value, keys) in [
        ("/name", json!(""), &["name"][..]),
        ("/name", json!("   "), &["name"]),
        ("/name", json!("x".repeat(201)), &["name"]),
        ("/name", json!(7), &["name"]),
        ("/restaurant_name", json!(null), &["restaurant_name"]),
        ("/currency", json!("btc"), &["currency"]),
        ("/mode", json!("best"), &["mode"]),
        ("/admin", json!(null), &["admin"]),
        ("/admin/email", json!("anna"), &["admin.email"]),
        ("/admin/email", json!("anna@pelda.hu\r\nBcc: b@pelda.hu"), &["admin.email"]),
        ("/admin/last_name", json!("x".repeat(101)), &["admin.last_name"]),
    ] {
        let mut body = good.clone();
        *body.pointer_mut(field).unwrap() = value;
        admin.post(PARTNERS).json(body).send().await.assert_keys(keys);
    }
}

#[testkit::test]
async fn concurrent_creations_of_one_name_make_one_partner() {
    let kit = kit().await;
    let _running = running();
    let place = kit.restaurant().await;
    let (one, other) = (place.super_admin().await, place.super_admin().await);
    let (name, email) = (unique("Egyszer"), format!("{}@pult.test", Uuid::now_v7().simple()));
    let (first, second) = tokio::join!(
        one.post(PARTNERS).json(new_partner(&name, &email)).send(),
        other.post(PARTNERS).json(new_partner(&name, &email)).send()
    );
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
}

#[testkit::test]
async fn copies_of_one_request_at_once_are_one_partner() {
    let kit = kit().await;
    let _running = running();
    let admin = kit.restaurant().await.super_admin().await;
    let (name, key) = (unique("Másolat"), Uuid::now_v7().to_string());
    let body = new_partner(&name, &format!("{}@pult.test", Uuid::now_v7().simple()));
    let copies = futures_util::future::join_all(
        (0..5).map(|_| admin.post(PARTNERS).json(body.clone()).key(&key).send()),
    )
    .await;
    let ids: std::collections::BTreeSet<_> =
        copies.into_iter().map(|answer| answer.assert(201).json()["id"].to_string()).collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

#[testkit::test]
async fn a_creation_that_was_cut_short_ends_whole() {
    let kit = kit().await;
    let admin = kit.restaurant().await.super_admin().await;
    let (name, email) = (unique("Félbehagyott"), format!("{}@pult.test", Uuid::now_v7().simple()));
    // No runner in this test, as if the process with the job had died.
    let made = admin.post(PARTNERS).json(new_partner(&name, &email)).send().await.assert(201).json();
    let id = Uuid::parse_str(made["id"].as_str().unwrap()).unwrap();
    let sql = "update control.job set state = 'running', lease = 7, leased_until = now() - interval '1 \
        second' where partner_id = $1 and kind = 'partner_create'";
    kit.run(sql, vec![id.into()]).await;
    work_off(id).await;
    let partner = becomes(&admin, &id.to_string(), "active").await;
    assert_eq!((partner["error"].is_null(), partner["users"].as_i64()), (true, Some(1)));
    // A second run of the same job changes nothing.
    kit.run(
        "insert into control.job (partner_id, kind, key) values ($1, 'partner_create', 'again')",
        vec![id.into()],
    )
    .await;
    work_off(id).await;
    assert_eq!(becomes(&admin, &id.to_string(), "active").await["restaurants"], 1);
}

#[testkit::test]
async fn a_suspended_partner_is_out_from_the_next_request() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (admin, people, key) =
        (place.super_admin().await, place.admin().await, place.api_key(&["menu:read"]).await);
    let second = kit.second_instance().await;
    let email = format!("{}@pult.test", Uuid::now_v7().simple());
    let somebody = json!({"email": email, "last_name": "Kiss", "full_target_access": true,
        "password": "Kavics-Hegy-77", "password_again": "Kavics-Hegy-77"});
    place.admin().await.post("/admins").json(somebody).send().await.assert(201);
    people.get("/couriers").send().await.assert(200);
    people.at(&second).get("/couriers").send().await.assert(200);
    let at = format!("{PARTNERS}/{}", place.partner);
    admin.post(&format!("{at}/suspend")).json(json!({"reason": "x"})).send().await.assert_keys(&["reason"]);
    let suspended = admin
        .post(&format!("{at}/suspend"))
        .json(json!({"reason": "Nem fizetett"}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(suspended["status"], "suspended");
    for client in [&people, &people.at(&second)] {
        client.get("/couriers").send().await.assert_problem(403, "PARTNER_SUSPENDED");
        client
            .post("/couriers")
            .json(json!({"first_name": "Pál"}))
            .send()
            .await
            .assert_problem(403, "PARTNER_SUSPENDED");
    }
    key.get("/public/menu?channel=online").send().await.assert_problem(403, "PARTNER_SUSPENDED");
    let sign_in = json!({"admin": {"email": email, "password": "Kavics-Hegy-77"}});
    place
        .nobody()
        .post("/api/v3/admins/sign_in")
        .json(sign_in.clone())
        .send()
        .await
        .assert_problem(403, "PARTNER_SUSPENDED");
    // Repeating keeps the first reason.
    admin.post(&format!("{at}/suspend")).json(json!({"reason": "Másért"})).send().await.assert(200);
    assert_eq!(admin.get(&at).send().await.assert(200).json()["suspended_reason"], "Nem fizetett");
    assert_eq!(admin.post(&format!("{at}/reactivate")).send().await.assert(200).json()["status"], "active");
    people.get("/couriers").send().await.assert(200);
    place.nobody().post("/api/v3/admins/sign_in").json(sign_in).send().await.assert(200);
    key.get("/public/menu?channel=online").send().await.assert(200);
    let lines = kit
        .row(
            &format!(
                "select count(*) n from {}.audit where action in ('partners_suspend', 'partners_reactivate')",
                place.schema
            ),
            vec![],
        )
        .await;
    assert_eq!(lines.try_get::<i64>("", "n").unwrap(), 2);
}

#[testkit::test]
async fn concurrent_equal_actions_have_one_result() {
    let place = kit().await.partner().await;
    let (one, other) = (place.super_admin().await, place.super_admin().await);
    let at = format!("{PARTNERS}/{}", place.partner);
    let (kit, schema) = (place.kit, place.schema.clone());
    let lines = |action: &'static str| {
        let sql = format!("select count(*) n from {schema}.audit where action = $1");
        async move { kit.row(&sql, vec![action.into()]).await.try_get::<i64>("", "n").unwrap() }
    };
    let suspend = |client: &testkit::Client<'static>| {
        client.post(&format!("{at}/suspend")).json(json!({"reason": "egyszerre"})).send()
    };
    let (a, b) = tokio::join!(suspend(&one), suspend(&other));
    assert_eq!((a.status, b.status), (200, 200));
    let (a, b) = tokio::join!(
        one.post(&format!("{at}/reactivate")).send(),
        other.post(&format!("{at}/reactivate")).send()
    );
    assert_eq!((a.status, b.status), (200, 200));
    let typed = json!({"confirm": format!("Partner {}", place.partner)});
    let (a, b) =
        tokio::join!(one.delete(&at).json(typed.clone()).send(), other.delete(&at).json(typed).send());
    assert_eq!((a.status, b.status), (200, 200));
    assert_eq!(
        (lines("partners_suspend").await, lines("partners_reactivate").await, lines("partners_delete").await),
        (1, 1, 1)
    );
    let (a, b) = tokio::join!(
        one.post(&format!("{at}/undelete")).send(),
        other.post(&format!("{at}/undelete")).send()
    );
    let mut statuses = [a.status, b.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "the second finds nothing to undo");
}

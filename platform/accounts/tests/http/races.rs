//! Concurrent requests: one changes what the other has read; and what is remembered of callers between
//! requests.

use futures_util::{StreamExt, future::join_all, stream};
use serde_json::json;
use tenants::Entry;
use testkit::kit;
use uuid::Uuid;

use super::{
    account::{PASSWORD, account, client, sign_in},
    sso,
};

#[testkit::test]
async fn whether_a_super_admin_calls_is_the_sessions_not_the_accounts() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, false).await;
    let grants = "update control.admin set full_target_access = false, permission_keys = '{admin_login}' \
        where account_id = $1";
    place.kit.run(grants, vec![id.into()]).await;
    place.kit.run("update control.account set super_admin = true where id = $1", vec![id.into()]).await;
    let session = async |second_factor: bool| {
        let session = Uuid::now_v7();
        let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at) values \
            ($1, $2, 'admin', $3, now() + interval '1 day')";
        place.kit.run(sql, vec![session.into(), id.into(), second_factor.into()]).await;
        place.nobody().bearer(place.kit.app.tokens.issue(id, session).unwrap())
    };
    let (with, without) = (session(true).await, session(false).await);
    with.get("/api-keys").send().await.assert(200);
    without.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    with.get("/api-keys").send().await.assert(200);
    // Changes of the account hold at once, although the admin row is unchanged.
    place.kit.run("update control.account set super_admin = false where id = $1", vec![id.into()]).await;
    with.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert(200);
}

#[testkit::test]
async fn many_people_sign_in_from_one_address() {
    let place = kit().await.restaurant().await;
    let random = Uuid::new_v4().as_u128();
    let address = format!("172.{}.{}.{}", random >> 16 & 255, random >> 8 & 255, random & 255);
    let office = place.nobody().header("x-forwarded-for", &address);
    let (_, email) = account(&place, false).await;
    let spent = "insert into control.attempt (subject, failures) values ($1, 28)";
    place.kit.run(spent, vec![format!("sign_in address {address}").into()]).await;
    for number in 0..4 {
        let answer = sign_in(&office, &email, PASSWORD, None).await;
        assert_eq!(answer.status, 200, "{number}: {}", answer.text());
    }
    // Wrong ones count as before.
    for _ in 0..2 {
        sign_in(&office, &super::account::address(), "almásrétes", None)
            .await
            .assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    }
    sign_in(&office, &email, PASSWORD, None).await.assert_problem(429, "TOO_MANY_REQUESTS");
}

#[testkit::test]
async fn a_new_password_invalidates_calls_that_checked_the_old_one() {
    let place = kit().await.restaurant().await;
    let door = &place.kit.app.door;
    let (id, email) = account(&place, false).await;
    let hash = async || -> String {
        let row =
            place.kit.row("select password_hash from control.account where id = $1", vec![id.into()]).await;
        row.try_get("", "password_hash").unwrap()
    };
    let old = hash().await;
    let me = client(&place, &email, PASSWORD).await;
    let change = json!({"password_now": PASSWORD, "password": "mákosrétes", "password_again": "mákosrétes"});
    me.put("/api/v3/admin/me/password").json(change).send().await.assert(204);
    let new = hash().await;
    // A sign-in that had found the old one right opens nothing.
    let open = async |hash: &str| {
        let session = Uuid::now_v7();
        let values =
            [session.into(), id.into(), "admin".into(), "".into(), "".into(), 14.into(), false.into()];
        let rest = [None::<Vec<u8>>.into(), None::<Uuid>.into(), hash.to_owned().into()];
        let rows = door
            .call(
                "select control.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) done",
                values.into_iter().chain(rest),
            )
            .await
            .unwrap();
        rows[0].try_get::<bool>("", "done").unwrap()
    };
    assert_eq!((open(&old).await, open(&new).await), (false, true));
    // The old password is not set again, nor replaced by somebody who knew it.
    let values = [id.into(), old.clone().into(), "made anew".into()];
    door.call("select control.set_password_hash($1, $2, $3)::text", values).await.unwrap();
    let values = [Uuid::now_v7().into(), id.into(), old.into(), "a stranger's".into()];
    let rows = door.call("select control.change_password($1, $2, $3, $4) done", values).await.unwrap();
    assert_eq!((rows[0].try_get::<bool>("", "done").unwrap(), hash().await), (false, new));
}

#[testkit::test]
async fn four_changes_of_one_password_at_once_leave_one() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let answers = join_all((0..4).map(|number| {
        let password = format!("mákosrétes {number}");
        me.put("/api/v3/admin/me/password")
            .json(json!({"password_now": PASSWORD, "password": password, "password_again": password}))
            .send()
    }));
    let mut statuses: Vec<_> = answers.await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 422, 422, 422]);
}

#[testkit::test]
async fn pins_at_one_till_never_wait_for_each_other_in_a_circle() {
    let kit = kit().await;
    let (place, door) = (Uuid::now_v7(), &kit.app.door);
    let people: Vec<Uuid> = (0..8).map(|_| Uuid::now_v7()).collect();
    let outcomes = stream::iter(0..400).map(|number| {
        let person = people[number % people.len()];
        async move {
            let values = [person.into(), "10.9.8.7".into(), place.into()];
            let sql = if number % 2 == 0 {
                "select control.take_pin_attempt($1, $2, $3)::text"
            } else {
                "select control.end_pin_attempt($1, $2, $3, false)::text"
            };
            door.call(sql, values).await.map(drop)
        }
    });
    let failed: Vec<_> =
        outcomes.buffer_unordered(10).filter_map(|outcome| async { outcome.err() }).collect().await;
    assert!(failed.is_empty(), "{failed:?}");
}

#[testkit::test]
async fn a_duplicate_request_waits_five_seconds_for_the_first_then_fails() {
    let place = kit().await.restaurant().await;
    let email = format!("{}@pult.test", Uuid::now_v7().simple());
    let admin = tenants::AdminSpec {
        email,
        first_name: String::new(),
        last_name: "Másolat".into(),
        password_hash: None,
        super_admin: false,
        target: Some((place.partner, None)),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec![],
    };
    let (id, session, token) = place.kit.sign_in(admin).await;
    let (key, body) = (Uuid::now_v7().to_string(), json!({"first_name": "Tamás", "last_name": "Futár"}));
    // The first one is still at work: it holds the key in a transaction that has not ended.
    let entry = Entry::Session {
        session,
        account: id,
        partner: place.partner,
        restaurant: Some(place.restaurant),
        known: None,
    };
    let (tx, _) = place.kit.app.door.begin(&entry).await.unwrap().unwrap();
    let sql = "insert into idempotency_key (caller, operation, key, body_hash) values ($1, 'couriers', $2, \
        '\\x00')";
    tx.run(sql, [format!("account:{id}").into(), key.clone().into()]).await.unwrap();
    let begun = std::time::Instant::now();
    let copy = place
        .nobody()
        .bearer(token)
        .post("/couriers")
        .json(body)
        .key(&key)
        .send()
        .await
        .assert_problem(409, "IDEMPOTENCY_IN_PROGRESS");
    assert!(
        copy.header("retry-after").is_some() && begun.elapsed() > std::time::Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
    drop(tx);
}

#[testkit::test]
async fn a_providers_session_knows_of_its_partner_only_and_ends_with_the_provider() {
    let (place, idp, domain, owner) = sso::company().await;
    let email = sso::employee(&place, &domain).await;
    let other = kit().await.partner().await;
    let sql = "insert into control.admin (id, account_id, partner_id, target_type, full_target_access) \
               select gen_random_uuid(), id, $2, 'Partner', true from control.account where email = $1";
    place.kit.run(sql, vec![email.clone().into(), other.partner.into()]).await;
    // The person's PIN at another partner does not show here.
    let own = client(&place, &email, PASSWORD).await;
    own.put(&format!("/api/v3/admin/partners/{}/pin", other.partner))
        .json(json!({"pin": "4711", "password": PASSWORD}))
        .send()
        .await
        .assert(204);
    assert_eq!(
        own.post("/api/v3/admin/validate-pin").json(json!({"pin": "4711"})).send().await.assert(200).json()["is_valid"],
        true
    );
    let answer =
        sso::sso(&place, &idp, json!({ "email": email }), idp.claims("subject", &email)).await.assert(200);
    let vouched = place.nobody().bearer(answer.header("authorization").unwrap());
    vouched
        .post("/api/v3/admin/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(403, "PIN_REQUIRED");

    // Switched off, or another one in its place: who was let in by it is out; who came with the password
    // stays.
    let settings = |issuer: &str, active: bool| {
        json!({"name": "Cég", "issuer": issuer,
        "client_id": sso::CLIENT, "active": active})
    };
    owner.put(&sso::path(&place)).json(settings(&idp.issuer, true)).send().await.assert(200);
    vouched.get("/api-keys").send().await.assert(200);
    owner.put(&sso::path(&place)).json(settings(&idp.issuer, false)).send().await.assert(200);
    vouched.get("/api-keys").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    own.get("/api-keys").send().await.assert(200);

    // Whether it may enter is looked up where the session reaches.
    let secret = json!({"name": "Cég", "issuer": idp.issuer, "client_id": sso::CLIENT,
        "client_secret": "client-secret"});
    owner.put(&sso::path(&place)).json(secret).send().await.assert(200);
    let sql = "update control.admin set full_target_access = false, permission_keys = '{order}' \
               where partner_id = $2 and account_id = (select id from control.account where email = $1)";
    place.kit.run(sql, vec![email.clone().into(), place.partner.into()]).await;
    sso::sso(&place, &idp, json!({ "email": email }), idp.claims("subject", &email))
        .await
        .assert_problem(403, "NO_ADMIN_ACCESS");
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert(200);
}

#[testkit::test]
async fn a_providers_session_changes_no_more_than_the_password_though_the_account_is_its_partners_alone() {
    let (place, idp, domain, owner) = sso::company().await;
    let email = sso::employee(&place, &domain).await;
    let answer =
        sso::sso(&place, &idp, json!({ "email": email }), idp.claims("subject", &email)).await.assert(200);
    let me = answer.json();
    assert_eq!(
        (&me["bound"], &me["changeable"], &me["password_changeable"]),
        (&json!("provider"), &json!(false), &json!(true))
    );
    let vouched = place.nobody().bearer(answer.header("authorization").unwrap());
    for call in [
        vouched.put("/api/v3/admin/me").json(json!({"first_name": "X"})),
        vouched.put("/api/v3/admin/me/language").json(json!({"language": "en"})),
        vouched.post("/api/v3/admin/me/second-factor").json(json!({})),
        vouched.delete("/api/v3/admin/me/sessions"),
    ] {
        call.send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    }
    let ticket = vouched
        .post("/api/v3/admin/me/tickets")
        .json(json!({"purpose": "pos", "restaurant_id": place.restaurant}))
        .send()
        .await
        .assert(201);
    let till = place
        .nobody()
        .get(&format!("/api/v3/admin/me?ticket={}", ticket.json()["token"].as_str().unwrap()))
        .send()
        .await
        .assert(200);
    assert_eq!(till.json()["bound"], "provider");
    let till = place.nobody().bearer(till.header("authorization").unwrap());
    // Whoever knows the password of an own account changes it, and it stays own; other sessions end.
    let own = client(&place, &email, PASSWORD).await;
    let change = json!({"password_now": PASSWORD, "password": "mákosrétes", "password_again": "mákosrétes"});
    vouched.put("/api/v3/admin/me/password").json(change).send().await.assert(204);
    till.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    own.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    assert_eq!(
        client(&place, &email, "mákosrétes").await.get("/api/v3/admin/me").send().await.json()["bound"],
        json!(null)
    );
    // Where the password is not the account's own nor this partner's, there is none to change: the invitation
    // that was accepted through the provider has proved nothing.
    let invited = super::account::address();
    let token = super::account::invited(&place, &invited).await;
    let answer = sso::sso(&place, &idp, json!({ "invitation": token }), idp.claims("other", &invited))
        .await
        .assert(200);
    assert_eq!(
        (&answer.json()["bound"], &answer.json()["password_changeable"]),
        (&json!("provider"), &json!(false))
    );
    let vouched = place.nobody().bearer(answer.header("authorization").unwrap());
    let change =
        json!({"password_now": "mákosrétes", "password": "mákosrétes", "password_again": "mákosrétes"});
    vouched
        .put("/api/v3/admin/me/password")
        .json(change)
        .send()
        .await
        .assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    drop(owner);
}

#[testkit::test]
async fn losing_admin_login_is_answered_when_the_page_loads() {
    let place = kit().await.restaurant().await;
    place.with_keys(&["admin_login"]).await.get("/api/v3/admin/me").send().await.assert(200);
    place
        .with_keys(&["order"])
        .await
        .get("/api/v3/admin/me")
        .send()
        .await
        .assert_problem(403, "NO_ADMIN_ACCESS");
}

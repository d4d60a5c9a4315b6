//! The own account: name, password, sessions, forgotten password, invitations, tickets.

use futures_util::StreamExt;
use kernel::{Account, Id};
use serde_json::{Value, json};
use tenants::AdminSpec;
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

pub const PASSWORD: &str = "szilvásgombóc";

pub fn address() -> String {
    format!("{}@pult.test", Uuid::now_v7().simple())
}

/// An account with the password, and full access to the restaurant.
pub async fn account(place: &Place<'_>, super_admin: bool) -> (Id<Account>, String) {
    let email = address();
    let admin = AdminSpec {
        email: email.clone(),
        first_name: "Éva".into(),
        last_name: "Próba".into(),
        password_hash: Some(access::passwords::hash(PASSWORD.into()).await.unwrap()),
        super_admin,
        target: (!super_admin).then(|| (place.partner, Some(vec![place.restaurant]))),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec!["admin".into(), "pos".into()],
    };
    (place.kit.provisioner().save_admin(&admin).await.unwrap(), email)
}

pub async fn sign_in(client: &Client<'_>, email: &str, password: &str, code: Option<&str>) -> Answer {
    client
        .post("/api/v3/admins/sign_in")
        .json(json!({"admin": {"email": email, "password": password, "code": code}}))
        .send()
        .await
}

/// Signed in as this account with a token.
pub async fn client<'k>(place: &Place<'k>, email: &str, password: &str) -> Client<'k> {
    let answer = sign_in(&place.nobody(), email, password, None).await.assert(200);
    place.nobody().bearer(answer.header("authorization").unwrap())
}

async fn is_out(client: &Client<'_>) {
    client.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[testkit::test]
async fn the_own_name_is_changed_and_the_partners_copy_follows() {
    let place = kit().await.partner().await;
    let (id, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let changed = me
        .put("/api/v3/admin/me")
        .json(json!({"first_name": " Ági ", "tel": "+36 30 555 0101"}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&changed["name"], &changed["tel"], &changed["changeable"]),
        (&json!("Próba Ági"), &json!("+36 30 555 0101"), &json!(true))
    );
    for (field, value) in [
        ("tel", json!("call me")),
        ("tel", json!("1".repeat(41))),
        ("first_name", json!("x".repeat(101))),
        ("last_name", json!(7)),
    ] {
        me.put("/api/v3/admin/me").json(json!({ field: value })).send().await.assert_keys(&[field]);
    }
    let sql = format!(
        "select s.name from {}.staff s join control.admin a on a.id = s.admin_id where a.account_id = $1",
        place.schema
    );
    let mut name = String::new();
    for _ in 0..100 {
        place.kit.run_jobs().await;
        name = place.kit.row(&sql, vec![id.into()]).await.try_get("", "name").unwrap();
        if name == "Próba Ági" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(name, "Próba Ági");
}

#[testkit::test]
async fn a_new_password_ends_the_other_sessions() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    let (here, there) = (client(&place, &email, PASSWORD).await, client(&place, &email, PASSWORD).await);
    let put = |now: &str, one: &str, two: &str| {
        here.put("/api/v3/admin/me/password")
            .json(json!({"password_now": now, "password": one, "password_again": two}))
            .send()
    };
    put("almásrétes", "mákosrétes", "mákosrétes").await.assert_problem(422, "USER_WRONG_PASSWORD");
    put(PASSWORD, "mákosrétes", "túrósrétes").await.assert_problem(422, "USER_PASSWORD_NOT_MATCH");
    put(PASSWORD, "123456", "123456").await.assert_problem(422, "USER_PASSWORD_WEAK");
    let partner =
        place.kit.row("select name from control.partner where id = $1", vec![place.partner.into()]).await;
    let partner = partner.try_get::<String>("", "name").unwrap();
    for known in [email.as_str(), "Próba Éva 2026", &partner, &"x".repeat(33), "PultPultPult"] {
        put(PASSWORD, known, known).await.assert_problem(422, "USER_PASSWORD_WEAK");
    }
    put(PASSWORD, "", "").await.assert_keys(&["password", "password_again"]);
    there.get("/api/v3/admin/me").send().await.assert(200);
    put(PASSWORD, "mákosrétes", "mákosrétes").await.assert(204);
    here.get("/api/v3/admin/me").send().await.assert(200);
    is_out(&there).await;
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    sign_in(&place.nobody(), &email, "mákosrétes", None).await.assert(200);
    for _ in 0..5 {
        put("rossz jelszó", "x", "x").await.assert_problem(422, "USER_WRONG_PASSWORD");
    }
    put("mákosrétes", "túrósrétes", "túrósrétes").await.assert_problem(429, "TOO_MANY_REQUESTS");
}

#[testkit::test]
async fn one_sees_and_ends_ones_own_sessions_only() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    let firefox = place
        .nobody()
        .header("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
    let answer = sign_in(&firefox.clone().header("x-forwarded-for", "203.0.113.9"), &email, PASSWORD, None)
        .await
        .assert(200);
    let here = firefox.bearer(answer.header("authorization").unwrap());
    let (there, third) = (client(&place, &email, PASSWORD).await, client(&place, &email, PASSWORD).await);
    let list = |of: &Client<'static>| {
        let of = of.clone();
        async move {
            of.get("/api/v3/admin/me/sessions").send().await.assert(200).json().as_array().unwrap().clone()
        }
    };
    let sessions = list(&here).await;
    assert_eq!(sessions.len(), 3);
    let own: Vec<&Value> = sessions.iter().filter(|one| one["current"] == true).collect();
    assert_eq!(own.len(), 1);
    assert_eq!(
        (&own[0]["device"], &own[0]["same_network"], &own[0]["surface"]),
        (&json!("Firefox, Linux"), &json!(true), &json!("admin"))
    );

    // Nobody else came from there, and no raw network is answered.
    assert!(sessions.iter().all(|one| one["same_network"] == one["current"] && one["place"].is_null()));

    let stranger = {
        let (_, email) = account(&place, false).await;
        client(&place, &email, PASSWORD).await
    };
    let foreign = list(&stranger).await[0]["id"].as_str().unwrap().to_owned();
    for id in [foreign, Uuid::now_v7().to_string()] {
        here.delete(&format!("/api/v3/admin/me/sessions/{id}"))
            .send()
            .await
            .assert_problem(404, "SESSION_NOT_EXIST");
    }
    stranger.get("/api/v3/admin/me").send().await.assert(200);
    let one = list(&there).await.into_iter().find(|one| one["current"] == true).unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    here.delete(&format!("/api/v3/admin/me/sessions/{one}")).send().await.assert(204);
    here.delete(&format!("/api/v3/admin/me/sessions/{one}"))
        .send()
        .await
        .assert_problem(404, "SESSION_NOT_EXIST");
    is_out(&there).await;
    // The end holds on every instance.
    let second = kit().await.second_instance().await;
    there.at(&second).get("/api-keys").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    here.delete("/api/v3/admin/me/sessions").send().await.assert(204);
    is_out(&third).await;
    assert_eq!(list(&here).await.len(), 1);
}

#[testkit::test]
async fn last_use_is_written_now_and_then() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let sql = "update control.session set last_active_at = now() - interval '1 hour' where account_id = $1";
    place.kit.run(sql, vec![id.into()]).await;
    me.get("/api-keys").send().await.assert(200);
    place.kit.app.write_usage().await.unwrap();
    let row = place
        .kit
        .row(
            "select last_active_at > now() - interval '1 minute' recent from control.session where \
            account_id = $1",
            vec![id.into()],
        )
        .await;
    assert!(row.try_get::<bool>("", "recent").unwrap());
}

fn token_of(mail: &str) -> String {
    mail.split("token=").nth(1).expect("a link").split_whitespace().next().unwrap().to_owned()
}

#[testkit::test]
async fn a_forgotten_password_is_set_with_the_mailed_link() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    let before = client(&place, &email, PASSWORD).await;
    let ask = |email: String| {
        place.nobody().post("/api/v3/admins/password-reset").json(json!({ "email": email })).send()
    };
    ask(String::new()).await.assert_keys(&["email"]);
    for faulty in ["nobody", "a@b", "a b@pult.test", "a@b@pult.test", "@pult.test"] {
        ask(faulty.into()).await.assert_problem(422, "USER_INVALID_EMAIL");
    }
    ask("a@pult.test\r\nBcc: x@y.hu".into()).await.assert_keys(&["email"]);
    // Known and unknown: the same status and body, the same statements, each with a job.
    let (known, unknown) = (ask(email.to_uppercase()).await.assert(204), ask(address()).await.assert(204));
    assert_eq!(known.body, unknown.body);

    let mail = place.kit.mail_to(&email).await;
    assert!(mail.contains("http://pult.test/uj-jelszo?token="), "{mail}");
    let path = format!("/api/v3/admins/password-reset/{}", token_of(&mail));
    let body = json!({"password": "mákosrétes", "password_again": "mákosrétes"});
    // A guesser has paused the account meanwhile.
    for _ in 0..6 {
        sign_in(&place.nobody(), &email, "rossz jelszó", None).await;
    }
    place.nobody().put(&path).json(body.clone()).send().await.assert(204);
    place.nobody().put(&path).json(body).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    is_out(&before).await;
    sign_in(&place.nobody(), &email, "mákosrétes", None).await.assert(200);
    // Three mails in a quarter of an hour, known or not.
    for email in [email, address()] {
        for _ in 0..3 {
            ask(email.clone()).await;
        }
        ask(email).await.assert_problem(429, "TOO_MANY_REQUESTS");
    }
}

/// An admin row that waits for its person, with the link's token.
pub async fn invited(place: &Place<'_>, email: &str) -> String {
    let token = format!("invitation-{}", Uuid::now_v7());
    let admin = AdminSpec {
        email: email.to_owned(),
        first_name: String::new(),
        last_name: String::new(),
        password_hash: None,
        super_admin: false,
        target: Some((place.partner, Some(vec![place.restaurant]))),
        permission_keys: vec!["admin_login".into()],
        full_target_access: false,
        surfaces: vec!["admin".into()],
    };
    let account = place.kit.provisioner().save_admin(&admin).await.unwrap();
    place
        .kit
        .run(
            "update control.admin set status = 'invited' where account_id = $1 and partner_id = $2",
            vec![account.into(), place.partner.into()],
        )
        .await;
    // An invited person has not chosen a password yet.
    place
        .kit
        .run(
            "update control.account set own = false where id = $1 and password_hash is null",
            vec![account.into()],
        )
        .await;
    let sql = "insert into control.ticket (hash, account_id, purpose, admin_id, expires_at) select $1, \
        account_id, 'invitation', id, now() + interval '7 days' \
               from control.admin where account_id = $2 and partner_id = $3";
    place.kit.run(sql, vec![access::digest(&token).into(), account.into(), place.partner.into()]).await;
    token
}

#[testkit::test]
async fn an_invitation_is_accepted_once() {
    let place = kit().await.restaurant().await;
    let email = address();
    let token = invited(&place, &email).await;
    let path = format!("/api/v3/admins/invitations/{token}");
    sign_in(&place.nobody(), &email, "mákosrétes", None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let shown = place.nobody().get(&path).send().await.assert(200).json();
    assert_eq!((&shown["email"], &shown["has_password"]), (&json!(email), &json!(false)));
    let put = |body: Value| place.nobody().put(&path).json(body).send();
    put(json!({})).await.assert_problem(422, "USER_PASSWORD_CANNOT_BE_EMPTY");
    put(json!({"password": "mákosrétes"})).await.assert_problem(422, "USER_PASSWORD_NOT_MATCH");
    put(json!({"password": "123456", "password_again": "123456"}))
        .await
        .assert_problem(422, "USER_PASSWORD_WEAK");
    let good = json!({"first_name": "Ödön", "last_name": "Új", "password": "mákosrétes",
        "password_again": "mákosrétes"});
    let both = futures_util::future::join_all((0..20).map(|_| put(good.clone()))).await;
    assert_eq!(both.iter().filter(|answer| answer.status == 200).count(), 1);
    assert!(both.iter().filter(|answer| answer.status != 200).all(|answer| answer.status == 401));
    let signed_in = both.iter().find(|answer| answer.status == 200).unwrap();
    place
        .nobody()
        .bearer(signed_in.header("authorization").unwrap())
        .get("/api/v3/admin/me")
        .send()
        .await
        .assert(200);
    place.nobody().get(&path).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    let me = sign_in(&place.nobody(), &email, "mákosrétes", None).await.assert(200).json();
    assert_eq!((&me["name"], me["targets"].as_array().unwrap().len()), (&json!("Új Ödön"), 1));
    // Its token opens nothing else.
    place
        .nobody()
        .put(&format!("/api/v3/admins/password-reset/{token}"))
        .json(good)
        .send()
        .await
        .assert_problem(401, "USER_INVALID_TOKEN");
}

#[testkit::test]
async fn somebody_with_an_account_elsewhere_accepts_and_keeps_name_and_password() {
    let (place, other) = (kit().await.partner().await, kit().await.stranger().await);
    let (_, email) = account(&other, false).await;
    let token = invited(&place, &email).await;
    let path = format!("/api/v3/admins/invitations/{token}");
    assert_eq!(place.nobody().get(&path).send().await.assert(200).json()["has_password"], true);
    let me = client(&place, &email, PASSWORD).await;
    assert_eq!(
        me.get("/api/v3/admin/me").send().await.json()["targets"].as_array().unwrap().len(),
        1,
        "not before it is accepted"
    );
    let body = json!({"first_name": "Más", "last_name": "Valaki", "password": "mákosrétes",
        "password_again": "mákosrétes"});
    place.nobody().put(&path).json(body).send().await.assert_problem(409, "USER_HAS_PASSWORD");
    let accepted = place
        .nobody()
        .put(&path)
        .json(json!({"first_name": "Más", "last_name": "Valaki"}))
        .send()
        .await
        .assert(204);
    assert!(
        accepted.header("authorization").is_none() && accepted.header("set-cookie").is_none(),
        "the link signs nobody in"
    );
    let after = me.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!((&after["name"], after["targets"].as_array().unwrap().len()), (&json!("Próba Éva"), 2));
    sign_in(&place.nobody(), &email, "mákosrétes", None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert(200);
}

#[testkit::test]
async fn a_ticket_opens_the_till_once_and_not_for_long() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let make = |purpose: &'static str| {
        let (me, restaurant) = (me.clone(), place.restaurant);
        async move {
            me.post("/api/v3/admin/me/tickets")
                .json(json!({"purpose": purpose, "restaurant_id": restaurant}))
                .send()
                .await
                .assert(201)
                .json()
        }
    };
    let redeem = |ticket: &Value| {
        place.nobody().get(&format!("/api/v3/admin/me?ticket={}", ticket["token"].as_str().unwrap())).send()
    };
    let ticket = make("pos").await;
    assert!(ticket["url"].as_str().unwrap().starts_with("http://pult.test/pos-login?token="));
    // As many at a time as there are connections: who would wait for one too long is told so, which is no
    // answer here.
    let all: Vec<_> =
        futures_util::stream::iter(0..100).map(|_| redeem(&ticket)).buffer_unordered(10).collect().await;
    assert_eq!(
        all.iter().filter(|answer| answer.status == 200).count(),
        1,
        "a hundred at once redeem it once"
    );
    assert!(all.iter().filter(|answer| answer.status != 200).all(|answer| answer.status == 401));
    let winner = all.into_iter().find(|answer| answer.status == 200).unwrap();
    assert!(
        winner.header("set-cookie").is_none(),
        "no cookie without our header: a foreign page could make this call"
    );
    let till = place.nobody().bearer(winner.header("authorization").unwrap());
    let sessions = till.get("/api/v3/admin/me/sessions").send().await.assert(200).json();
    assert!(sessions.as_array().unwrap().iter().any(|one| one["current"] == true && one["surface"] == "pos"));
    // A builder is named: without one there is no page that would redeem the ticket.
    let mut body = json!({"purpose": "builder", "restaurant_id": place.restaurant});
    let company = place.partner_admin().await;
    let ask = |body: &Value| company.post("/api/v3/admin/me/tickets").json(body.clone()).send();
    ask(&body).await.assert_keys(&["builder"]);
    body["builder"] = json!("partner");
    redeem(&ask(&body).await.assert(201).json()).await.assert(200);

    let late = make("pos").await;
    place
        .kit
        .run("update control.ticket set expires_at = now() where account_id = $1", vec![id.into()])
        .await;
    redeem(&late).await.assert_problem(401, "USER_INVALID_TOKEN");
    // A ticket is no password link, and ends with the session that requested it.
    let other = make("pos").await;
    let password = json!({"password": "mákosrétes", "password_again": "mákosrétes"});
    let path = format!("/api/v3/admins/password-reset/{}", other["token"].as_str().unwrap());
    place.nobody().put(&path).json(password).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    me.delete("/api/v3/admins/sign_out").send().await.assert(204);
    redeem(&other).await.assert_problem(401, "USER_INVALID_TOKEN");
    for nonsense in ["", "x", "a&b"] {
        let answer = place.nobody().get(&format!("/api/v3/admin/me?ticket={nonsense}")).send().await;
        assert_eq!(answer.status, 401, "{nonsense}: {}", answer.text());
    }
    place.nobody().get("/api/v3/admin/me?ticket=%00").send().await.assert_keys(&["ticket"]);
}

#[testkit::test]
async fn tickets_need_the_right_to_what_they_open() {
    let place = kit().await.restaurant().await;
    let (sibling, stranger) = (kit().await.restaurant().await, kit().await.stranger().await);
    let cook = place.with_keys(&["admin_login"]).await;
    let ask = |purpose: &'static str, restaurant: Uuid| {
        cook.post("/api/v3/admin/me/tickets")
            .json(json!({"purpose": purpose, "restaurant_id": restaurant}))
            .send()
    };
    ask("pos", place.restaurant.uuid()).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    ask("builder", place.restaurant.uuid()).await.assert_keys(&["builder"]);
    cook.post("/api/v3/admin/me/tickets")
        .json(json!({"purpose": "builder", "builder": "partner", "restaurant_id": place.restaurant}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    for foreign in [sibling.restaurant.uuid(), stranger.restaurant.uuid(), Uuid::now_v7()] {
        ask("pos", foreign).await.assert_keys(&["restaurant_id"]);
    }
    cook.post("/api/v3/admin/me/tickets")
        .json(json!({"purpose": "kiosk", "restaurant_id": place.restaurant}))
        .send()
        .await
        .assert_keys(&["purpose"]);
}

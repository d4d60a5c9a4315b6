//! Signing in and out, sessions and their cookies.

use serde_json::json;
use tenants::AdminSpec;
use testkit::kit;
use uuid::Uuid;

async fn account(place: &testkit::Place<'_>, keys: &[&str], whole: bool, surfaces: &[&str]) -> String {
    let email = format!("{}@pult.test", Uuid::now_v7().simple());
    let admin = AdminSpec {
        email: email.clone(),
        first_name: "Éva".into(),
        last_name: "Próba".into(),
        password_hash: Some(access::passwords::hash("szilvásgombóc".into()).await.unwrap()),
        super_admin: false,
        target: Some((place.partner, Some(vec![place.restaurant]))),
        permission_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        full_target_access: whole,
        surfaces: surfaces.iter().map(|surface| (*surface).to_owned()).collect(),
    };
    place.kit.provisioner().save_admin(&admin).await.unwrap();
    email
}

#[testkit::test]
async fn signing_in_and_out_with_a_token() {
    let place = kit().await.restaurant().await;
    let email = account(&place, &[], true, &["admin"]).await;
    let body = json!({"admin": {"email": email.to_uppercase(), "password": "szilvásgombóc"}});
    let answer = place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(200);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("pult_dev=")
            && cookie.contains("HttpOnly")
            && cookie.contains("SameSite=Strict")
            && cookie.contains("Max-Age=1209600")
    );
    let me = answer.json();
    assert_eq!(me["name"], "Próba Éva");
    assert_eq!(me["targets"][0]["restaurant_ids"], json!([place.restaurant]));
    assert!(me["targets"][0]["permissions"].as_array().unwrap().contains(&json!("order_accept")));

    let signed_in = place.nobody().bearer(answer.header("authorization").unwrap());
    signed_in.get("/api/v3/admin/me").send().await.assert(200);
    let target = json!({"partner_id": place.partner, "restaurant_id": place.restaurant});
    let stranger = kit().await.stranger().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    for (partner, restaurant) in [
        (stranger.partner.uuid(), stranger.restaurant.uuid()),
        (place.partner.uuid(), stranger.restaurant.uuid()),
        (stranger.partner.uuid(), place.restaurant.uuid()),
        (place.partner.uuid(), sibling.restaurant.uuid()),
        (place.partner.uuid(), uuid::Uuid::now_v7()),
    ] {
        let foreign = json!({"partner_id": partner, "restaurant_id": restaurant});
        signed_in
            .put("/api/v3/admin/me/target")
            .json(foreign)
            .send()
            .await
            .assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
    assert_eq!(signed_in.get("/api/v3/admin/me").send().await.json()["last_target"], json!(null));
    signed_in.put("/api/v3/admin/me/target").json(target.clone()).send().await.assert(204);
    signed_in.put("/api/v3/admin/me/language").json(json!({"language": "en"})).send().await.assert(204);
    let me = signed_in.get("/api/v3/admin/me").send().await.json();
    assert_eq!((&me["last_target"], &me["language"]), (&target, &json!("en")));

    signed_in.delete("/api/v3/admins/sign_out").send().await.assert(204);
    signed_in.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    let second = kit().await.second_instance().await;
    signed_in.at(&second).get("/api-keys").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[testkit::test]
async fn a_browser_never_holds_the_token_and_a_foreign_page_achieves_nothing() {
    let place = kit().await.restaurant().await;
    let email = account(&place, &[], true, &["admin"]).await;
    let ui = place.nobody().header("x-pult-ui", "1");
    let body = json!({"admin": {"email": email, "password": "szilvásgombóc"}});
    ui.post("/api/v3/admins/sign_in").json(body.clone()).send().await.assert_problem(403, "FOREIGN_ORIGIN");
    let own = ui.clone().header("origin", "http://pult.test");
    let answer = own.post("/api/v3/admins/sign_in").json(body).send().await.assert(200);
    assert!(answer.header("authorization").is_none());
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();

    own.clone().header("cookie", &cookie).get("/api-keys").send().await.assert(200);
    ui.clone().header("cookie", &cookie).get("/api-keys").send().await.assert(200);
    // Without our header the cookie counts for nothing.
    place
        .nobody()
        .header("cookie", &cookie)
        .get("/api-keys")
        .send()
        .await
        .assert_problem(401, "USER_LOGIN_REQUIRED");
    let create = |client: testkit::Client<'static>| async move {
        client.post("/api-keys").json(json!({"name": "x"})).send().await
    };
    create(ui.clone().header("cookie", &cookie)).await.assert_problem(403, "FOREIGN_ORIGIN");
    create(ui.clone().header("cookie", &cookie).header("origin", "https://evil.example"))
        .await
        .assert_problem(403, "FOREIGN_ORIGIN");
    // Nor, in development either, a page whose name leads to this machine: `Host` is the name's owner's word.
    let rebound = ui
        .clone()
        .header("cookie", &cookie)
        .header("origin", "http://evil.example:8080")
        .header("host", "evil.example:8080");
    create(rebound).await.assert_problem(403, "FOREIGN_ORIGIN");
    create(own.clone().header("cookie", &cookie)).await.assert(201);
}

#[testkit::test]
async fn who_may_not_sign_in() {
    let place = kit().await.restaurant().await;
    let sign_in = |email: String, password: &'static str, surface: &'static str| {
        let body = json!({"admin": {"email": email, "password": password, "surface": surface}});
        place.nobody().post("/api/v3/admins/sign_in").json(body).send()
    };
    let cook = account(&place, &["order"], false, &["admin"]).await;
    sign_in(cook.clone(), "szilvásgombóc", "admin").await.assert_problem(403, "NO_ADMIN_ACCESS");
    sign_in(cook.clone(), "szilvásgombóc", "pos").await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let wrong = sign_in(cook, "almásrétes", "admin").await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let unknown = sign_in(format!("{}@pult.test", Uuid::now_v7().simple()), "almásrétes", "admin")
        .await
        .assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let without_id = |answer: testkit::Answer| {
        let mut body = answer.json();
        body["request_id"] = json!("");
        body
    };
    assert_eq!(without_id(wrong), without_id(unknown), "the answer must not tell whether an account exists");
}

#[testkit::test]
async fn five_failures_pause_an_account() {
    let place = kit().await.restaurant().await;
    let email = account(&place, &[], true, &["admin"]).await;
    let attempt = |password: &'static str| {
        let body = json!({"admin": {"email": email, "password": password}});
        // Another address each time, so that only the account's own limit counts.
        let address = format!("10.1.{}.{}", Uuid::now_v7().as_bytes()[14], Uuid::now_v7().as_bytes()[15]);
        place.nobody().post("/api/v3/admins/sign_in").header("x-forwarded-for", address).json(body).send()
    };
    for _ in 0..5 {
        attempt("rossz jelszó").await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    }
    let paused = attempt("szilvásgombóc").await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").unwrap().parse::<u64>().unwrap() > 800);
}

#[testkit::test]
async fn a_one_time_link_sets_the_password_once() {
    let place = kit().await.restaurant().await;
    let email = account(&place, &[], true, &["admin"]).await;
    let ticket = "a-ticket-of-the-test-with-enough-characters";
    let sql = "insert into control.ticket (hash, account_id, purpose, expires_at) select $1, id, 'password', \
        now() + interval '1 hour' \
               from control.account where email = $2";
    place.kit.run(sql, vec![access::digest(&format!("{ticket}{email}")).into(), email.clone().into()]).await;
    let path = format!("/api/v3/admins/password-reset/{ticket}{email}");
    let put = |password: &str, again: &str| {
        place.nobody().put(&path).json(json!({"password": password, "password_again": again})).send()
    };
    put("almásrétes", "mákosrétes").await.assert_problem(422, "USER_PASSWORD_NOT_MATCH");
    put("123456", "123456").await.assert_problem(422, "USER_PASSWORD_WEAK");
    put(&email, &email).await.assert_problem(422, "USER_PASSWORD_WEAK");
    let both =
        futures_util::future::join(put("almásrétes", "almásrétes"), put("almásrétes", "almásrétes")).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 401], "two copies at once redeem it once");
    put("almásrétes", "almásrétes").await.assert_problem(401, "USER_INVALID_TOKEN");
    let body = json!({"admin": {"email": email, "password": "almásrétes"}});
    place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(200);
}

#[testkit::test]
async fn sign_in_rehashes_a_password_with_older_parameters() {
    use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version, password_hash::SaltString};
    let place = kit().await.restaurant().await;
    let email = account(&place, &[], true, &["admin"]).await;
    let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8 * 1024, 1, 1, None).unwrap());
    let old = weak
        .hash_password("szilvásgombóc".as_bytes(), &SaltString::from_b64("c29tZXNhbHQ").unwrap())
        .unwrap()
        .to_string();
    place
        .kit
        .run(
            "update control.account set password_hash = $2 where email = $1",
            vec![email.clone().into(), old.clone().into()],
        )
        .await;
    let sign_in = |password: &'static str| {
        place
            .nobody()
            .post("/api/v3/admins/sign_in")
            .json(json!({"admin": {"email": email, "password": password}}))
            .send()
    };
    let kept = || async {
        let row = place
            .kit
            .row("select password_hash from control.account where email = $1", vec![email.clone().into()])
            .await;
        row.try_get::<String>("", "password_hash").unwrap()
    };
    sign_in("rossz jelszó").await.assert(401);
    assert_eq!(kept().await, old);
    sign_in("szilvásgombóc").await.assert(200);
    let new = kept().await;
    assert!(new != old && new.contains("m=19456,t=2"));
    sign_in("szilvásgombóc").await.assert(200);
    assert_eq!(kept().await, new);
}

#[testkit::test(alone)]
async fn known_and_unknown_accounts_cost_the_same_number_of_hashes() {
    let place = kit().await.restaurant().await;
    let known = account(&place, &[], true, &["admin"]).await;
    let mut counts = Vec::new();
    for email in [known, format!("{}@pult.test", Uuid::now_v7().simple())] {
        let before = access::passwords::evaluated();
        let body = json!({"admin": {"email": email, "password": "almásrétes"}});
        place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(401);
        place
            .nobody()
            .post("/api/v3/admins/password-reset")
            .json(json!({ "email": email }))
            .send()
            .await
            .assert(204);
        counts.push(access::passwords::evaluated() - before);
    }
    assert_eq!(counts, [1, 1]);
}

#[testkit::test]
async fn the_light_client_gets_in_only_where_a_restaurant_has_it() {
    let place = kit().await.partner().await;
    let email = account(&place, &[], true, &["lct", "admin"]).await;
    let sign_in = |surface: &'static str| {
        let body = json!({"admin": {"email": email, "password": "szilvásgombóc", "surface": surface}});
        place.nobody().post("/api/v3/admins/sign_in").json(body).send()
    };
    let switch = |on: bool| {
        let sql = format!("update {}.restaurant set lct_enabled = $2 where id = $1", place.schema);
        async move { place.kit.run(&sql, vec![place.restaurant.into(), on.into()]).await }
    };
    sign_in("lct").await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    sign_in("admin").await.assert(200);
    let sql = "select count(*) n from control.session s join control.account a on a.id = s.account_id where \
        a.email = $1 and s.surface = 'lct' and s.ended_at is null";
    let open: i64 = place.kit.row(sql, vec![email.clone().into()]).await.try_get("", "n").unwrap();
    assert_eq!(open, 0, "a refused sign-in leaves no session");

    // Another restaurant's switch lets nobody in here.
    let other = place.kit.restaurant_of(place.partner).await;
    let sql = format!("update {}.restaurant set lct_enabled = true where id = $1", place.schema);
    place.kit.run(&sql, vec![other.restaurant.into()]).await;
    sign_in("lct").await.assert_problem(403, "FEATURE_NOT_AVAILABLE");

    switch(true).await;
    let client = place.nobody().bearer(sign_in("lct").await.assert(200).header("authorization").unwrap());
    client.get("/api-keys").send().await.assert(200);
    // Switched off, it ends with the next request, reading and writing, on every instance.
    switch(false).await;
    client.get("/api-keys").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    client
        .post("/api-keys")
        .json(json!({"name": "x"}))
        .send()
        .await
        .assert_problem(403, "FEATURE_NOT_AVAILABLE");
}

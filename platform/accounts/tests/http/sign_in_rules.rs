//! A partner's own rules: the minimum length of passwords, and the limit of idle sessions.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};

use super::{
    account::{PASSWORD, account, address, client, sign_in},
    holders::{new_password, scene},
};

fn path(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/sign-in-rules", place.partner)
}

async fn set(by: &Client<'_>, place: &Place<'_>, rules: Value) -> Value {
    by.put(&path(place)).json(rules).send().await.assert(200).json()
}

/// Makes the account's sessions look unused for so many minutes.
async fn idle(place: &Place<'_>, email: &str, minutes: i32) {
    let sql = "update control.session set last_active_at = now() - make_interval(mins => $2) \
        where account_id = (select id from control.account where email = $1)";
    place.kit.run(sql, vec![email.into(), minutes.into()]).await;
}

#[testkit::test]
async fn the_rules_are_versioned_audited_and_the_whole_partners() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let rules = owner.get(&path(&place)).send().await.assert(200).json();
    assert_eq!(rules, json!({"password_min_length": 6, "idle_minutes": null, "version": 1}));
    for (field, value) in [
        ("password_min_length", 5),
        ("password_min_length", 65),
        ("idle_minutes", 4),
        ("idle_minutes", 20_161),
    ] {
        owner.put(&path(&place)).json(json!({ field: value })).send().await.assert_keys(&[field]);
    }
    let changed =
        set(&owner, &place, json!({"password_min_length": 64, "idle_minutes": 20_160, "version": 1})).await;
    assert_eq!(changed, json!({"password_min_length": 64, "idle_minutes": 20_160, "version": 2}));
    let late = owner.put(&path(&place)).json(json!({"idle_minutes": 5, "version": 1})).send().await;
    assert_eq!(late.assert_problem(409, "CONFLICT").json()["current"], changed);
    // What is absent stays, null is no limit.
    let kept = set(&owner, &place, json!({"idle_minutes": null})).await;
    assert_eq!(kept, json!({"password_min_length": 64, "idle_minutes": null, "version": 3}));
    let log = format!("/api/v3/admin/partners/{}/audit?action=sign_in_rules_update", place.partner);
    let lines = owner.get(&log).send().await.assert(200).json();
    assert_eq!(lines.as_array().unwrap().len(), 2, "{lines}");

    place
        .with_keys(&["user"])
        .await
        .get(&path(&place))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = kit().await.stranger().await.partner_admin().await;
    for answer in [
        stranger.get(&path(&place)).send().await,
        stranger.put(&path(&place)).json(json!({"idle_minutes": 5})).send().await,
    ] {
        answer.assert(404);
    }
    assert_eq!(owner.get(&path(&place)).send().await.json(), kept, "a stranger changes nothing");
}

#[testkit::test]
async fn of_two_partners_the_longer_minimum_counts_in_both_orders() {
    for (at_first, at_second) in [(9, 20), (20, 9)] {
        let scene = scene().await;
        set(&scene.at_p, &scene.p, json!({ "password_min_length": at_first })).await;
        set(&scene.at_q, &scene.q, json!({ "password_min_length": at_second })).await;
        // Somebody new chooses by the rules of who invites.
        let email = address();
        let row = scene.add(&scene.at_q, &email, "Közös Kata", None).await.assert(201).json();
        let link = scene.invitation(row["id"].as_str().unwrap()).await;
        let accept = |password: &str| scene.elsewhere().put(&link).json(new_password(password)).send();
        let told = async |link: &str| {
            scene.elsewhere().get(link).send().await.assert(200).json()["password_min_length"].clone()
        };
        assert_eq!(told(&link).await, json!(at_second));
        let letters = |count: usize| "kékszilvalekvárosbukta".chars().take(count).collect::<String>();
        accept(&letters(at_second - 1)).await.assert_keys(&["password"]);
        accept(&letters(at_second)).await.assert(200);
        // An invitation alone asks for nothing; once accepted the strictest counts.
        let row = scene.add(&scene.at_p, &email, "Közös Kata", None).await.assert(201).json();
        let me = scene.signed_in(&email, &letters(at_second)).await;
        let min = || async { me.get("/api/v3/admin/me").send().await.json()["password_min_length"].clone() };
        assert_eq!(min().await, json!(at_second), "invited only");
        let link = scene.invitation(row["id"].as_str().unwrap()).await;
        scene.elsewhere().put(&link).json(json!({})).send().await.assert(204);
        assert_eq!(min().await, json!(20));
        for (length, status) in [(19, 422), (20, 204)] {
            let now = letters(at_second);
            let body =
                json!({"password_now": now, "password": letters(length), "password_again": letters(length)});
            if letters(length) != now {
                let answer = me.put("/api/v3/admin/me/password").json(body).send().await;
                assert_eq!(answer.status, status, "{length}: {}", answer.text());
            }
        }
        // A mailed link too.
        let reset = scene.reset(&email).await;
        assert_eq!(told(&reset).await, json!(20));
        let change = |password: String| scene.elsewhere().put(&reset).json(new_password(&password)).send();
        change(letters(19)).await.assert_keys(&["password"]);
        change(letters(21)).await.assert(204);
    }
}

#[testkit::test]
async fn a_password_that_an_admin_sets_follows_the_own_rules_only() {
    let scene = scene().await;
    set(&scene.at_p, &scene.p, json!({"password_min_length": 12})).await;
    set(&scene.at_q, &scene.q, json!({"password_min_length": 40})).await;
    let add = |password: &'static str| {
        let scene = &scene;
        async move { scene.add(&scene.at_p, &address(), "Tartott Tamás", Some(password)).await }
    };
    add("szilvabukta").await.assert_keys(&["password"]);
    add("szilvabuktás").await.assert(201);
}

#[testkit::test]
async fn an_idle_session_ends_by_the_clock_but_not_at_a_till() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (_, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let body = json!({"admin": {"email": email, "password": PASSWORD, "surface": "pos"}});
    let till = place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(200);
    let till = place.nobody().bearer(till.header("authorization").unwrap());
    idle(&place, &email, 10_000).await;
    me.get("/api-keys").send().await.assert(200);
    set(&owner, &place, json!({"idle_minutes": 30})).await;
    idle(&place, &email, 29).await;
    me.get("/api-keys").send().await.assert(200);
    idle(&place, &email, 31).await;
    me.get("/api-keys").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    me.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    till.get("/api-keys").send().await.assert(200);
    let seen = till.get("/api/v3/admin/me/sessions").send().await.assert(200).json();
    assert_eq!(seen.as_array().unwrap().len(), 1, "only the till's own is left: {seen}");
    // The limit is gone: the session was never used since.
    set(&owner, &place, json!({"idle_minutes": null})).await;
    me.get("/api-keys").send().await.assert(200);
}

#[testkit::test]
async fn what_a_page_reads_by_itself_does_not_prolong_the_session() {
    let place = kit().await.partner().await;
    set(&place.partner_admin().await, &place, json!({"idle_minutes": 30})).await;
    let (id, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    const NAME: &str = "X-Pult-Background";
    for (request, prolongs) in [
        (me.get("/api-keys").header(NAME, "1"), false),
        (me.get("/api/v3/admin/me").header(NAME, "1"), false),
        (me.get("/api-keys").header(NAME, "0"), true),
        (me.get("/api/v3/admin/me"), true),
        (me.put("/api/v3/admin/me").json(json!({})).header(NAME, "1"), true),
    ] {
        idle(&place, &email, 29).await;
        let answer = request.send().await.assert(200);
        place.kit.app.write_usage().await.unwrap();
        let sql = "select last_active_at > now() - interval '1 minute' recent from control.session \
            where account_id = $1";
        let row = place.kit.row(sql, vec![id.into()]).await;
        assert_eq!(row.try_get::<bool>("", "recent").unwrap(), prolongs, "{}", answer.text());
    }
    idle(&place, &email, 31).await;
    me.get("/api-keys").header(NAME, "1").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[testkit::test]
async fn of_two_partners_the_shorter_limit_ends_the_session_in_both_orders() {
    for limited_first in [true, false] {
        let scene = scene().await;
        let (email, _) = scene.own().await;
        let row = scene.add(&scene.at_p, &email, "Saját Sára", None).await.assert(201).json();
        let link = scene.invitation(row["id"].as_str().unwrap()).await;
        scene.elsewhere().put(&link).json(json!({})).send().await.assert(204);
        let me = scene.signed_in(&email, super::holders::OWN).await;
        let at = |place: &Place<'_>| {
            me.get(&format!("/api/v3/admin/partners/{}/restaurants", place.partner)).send()
        };
        let (limited, by, free) = match limited_first {
            true => (&scene.p, &scene.at_p, &scene.q),
            false => (&scene.q, &scene.at_q, &scene.p),
        };
        set(by, limited, json!({"idle_minutes": 5})).await;
        idle(&scene.p, &email, 6).await;
        at(limited).await.assert_problem(401, "USER_LOGIN_REQUIRED");
        // A call at the other partner does not prolong it: the session ends with the next note of its use.
        at(free).await.assert(200);
        scene.p.kit.app.write_usage().await.unwrap();
        at(limited).await.assert_problem(401, "USER_LOGIN_REQUIRED");
        at(free).await.assert_problem(401, "USER_LOGIN_REQUIRED");
        sign_in(&scene.p.nobody(), &email, super::holders::OWN, None).await.assert(200);
    }
}

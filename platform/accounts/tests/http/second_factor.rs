//! The second factor, a super admin without one, and guesses at one account.

use chrono::Duration;
use kernel::clock;
use serde_json::json;
use testkit::{Client, Place, kit};

use super::account::{PASSWORD, account, client, sign_in};

const PATH: &str = "/api/v3/admin/me/second-factor";

fn later(seconds: i64) {
    clock::set(clock::now() + Duration::seconds(seconds));
}

/// Sets one up: its secret and the recovery codes.
async fn set_up(me: &Client<'_>) -> (String, Vec<String>) {
    let made = me.post(PATH).json(json!({})).send().await.assert(200).json();
    let secret = made["secret"].as_str().unwrap().to_owned();
    assert!(made["uri"].as_str().unwrap().starts_with("otpauth://totp/Pult:"));
    let on = me
        .put(PATH)
        .json(json!({"code": accounts::current_code(&secret).unwrap()}))
        .send()
        .await
        .assert(200)
        .json();
    (
        secret,
        on["recovery_codes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|code| code.as_str().unwrap().to_owned())
            .collect(),
    )
}

#[testkit::test(alone)]
async fn a_code_counts_once_and_a_recovery_code_too() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let other = client(&place, &email, PASSWORD).await;
    me.put(PATH).json(json!({"code": "123456"})).send().await.assert_problem(401, "SECOND_FACTOR_INVALID");
    let (secret, recovery) = set_up(&me).await;
    assert_eq!(recovery.len(), 10);
    other.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    let shown = me.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(
        (&shown["second_factor"], &shown["second_factor_required"], &shown["recovery_codes"]),
        (&json!(true), &json!(false), &json!(10))
    );

    let enter = |code: Option<String>| {
        let (place, email) = (place.clone(), email.clone());
        async move { sign_in(&place.nobody(), &email, PASSWORD, code.as_deref()).await }
    };
    enter(None).await.assert_problem(401, "SECOND_FACTOR_REQUIRED");
    // The code that switched it on has been used.
    enter(Some(accounts::current_code(&secret).unwrap())).await.assert_problem(401, "SECOND_FACTOR_INVALID");
    later(30);
    let code = accounts::current_code(&secret).unwrap();
    enter(Some(code.clone())).await.assert(200);
    enter(Some(code)).await.assert_problem(401, "SECOND_FACTOR_INVALID");
    let typed = recovery[0].to_lowercase().replace('-', " ");
    enter(Some(typed.clone())).await.assert(200);
    enter(Some(typed)).await.assert_problem(401, "SECOND_FACTOR_INVALID");
    assert_eq!(me.get("/api/v3/admin/me").send().await.json()["recovery_codes"], 9);
    // Of two that send the same code at once, one gets in.
    later(60);
    let code = accounts::current_code(&secret).unwrap();
    let both = futures_util::future::join_all((0..3).map(|_| enter(Some(code.clone())))).await;
    assert_eq!(both.iter().filter(|answer| answer.status == 200).count(), 1);

    // The secret lies sealed, the recovery codes as keyed hashes.
    let row = place
        .kit
        .row(
            "select encode(secret, 'escape') secret from control.second_factor where account_id = $1",
            vec![id.into()],
        )
        .await;
    assert!(!row.try_get::<String>("", "secret").unwrap().contains(&secret));

    later(60);
    me.delete(PATH).json(json!({"code": "000000"})).send().await.assert_problem(401, "SECOND_FACTOR_INVALID");
    me.post(PATH).json(json!({})).send().await.assert_problem(401, "SECOND_FACTOR_REQUIRED");
    me.delete(PATH).json(json!({"code": accounts::current_code(&secret).unwrap()})).send().await.assert(204);
    enter(None).await.assert(200);
    for body in [json!({}), json!({"code": 123_456}), json!({"code": ""}), json!({"code": "1".repeat(31)})] {
        me.put(PATH).json(body).send().await.assert_keys(&["code"]);
    }
}

#[testkit::test(alone)]
async fn wrong_codes_are_counted_as_attempts() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    let me = client(&place, &email, PASSWORD).await;
    let (secret, _) = set_up(&me).await;
    later(30);
    for _ in 0..5 {
        sign_in(&place.nobody(), &email, PASSWORD, Some("000000"))
            .await
            .assert_problem(401, "SECOND_FACTOR_INVALID");
    }
    let code = accounts::current_code(&secret).unwrap();
    sign_in(&place.nobody(), &email, PASSWORD, Some(&code)).await.assert_problem(429, "TOO_MANY_REQUESTS");
    for _ in 0..5 {
        me.delete(PATH)
            .json(json!({"code": "000000"}))
            .send()
            .await
            .assert_problem(401, "SECOND_FACTOR_INVALID");
    }
    me.delete(PATH).json(json!({"code": code})).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
}

async fn is_special(me: &Client<'_>) -> bool {
    me.get("/api/v3/super-admin/restaurants").send().await.status == 200
}

#[testkit::test(alone)]
async fn a_super_admin_without_a_second_factor_is_nobody_special() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, true).await;
    let me = client(&place, &email, PASSWORD).await;
    let shown = me.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(
        (&shown["super_admin"], &shown["second_factor_required"], &shown["targets"]),
        (&json!(false), &json!(true), &json!([]))
    );
    assert!(!is_special(&me).await);
    let (secret, _) = set_up(&me).await;
    assert!(is_special(&me).await, "set up in this session");
    let shown = me.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!((&shown["super_admin"], &shown["second_factor_required"]), (&json!(true), &json!(false)));
    later(30);
    let code = accounts::current_code(&secret).unwrap();
    me.delete(PATH).json(json!({ "code": code })).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    // A password of its own length.
    let short = json!({"password_now": PASSWORD, "password": "tizenegy111", "password_again": "tizenegy111"});
    me.put("/api/v3/admin/me/password").json(short).send().await.assert_keys(&["password"]);

    let answer = sign_in(&place.nobody(), &email, PASSWORD, Some(&code)).await.assert(200);
    let again = place.nobody().bearer(answer.header("authorization").unwrap());
    assert!(is_special(&again).await);
    let hours = "select extract(epoch from expires_at - created_at)::int / 3600 hours from control.session \
        where account_id = $1 order by created_at desc limit 1";
    assert_eq!(place.kit.row(hours, vec![id.into()]).await.try_get::<i32>("", "hours").unwrap(), 12);
    // Thirty minutes without use end it.
    place.kit.app.write_usage().await.unwrap();
    place
        .kit
        .run(
            "update control.session set last_active_at = now() - interval '31 minutes' where account_id = $1",
            vec![id.into()],
        )
        .await;
    again.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}

#[testkit::test]
async fn another_super_admin_takes_a_lost_second_factor_away() {
    let place = kit().await.restaurant().await;
    let (id, email) = account(&place, true).await;
    let me = client(&place, &email, PASSWORD).await;
    set_up(&me).await;
    let reset = format!("/api/v3/super-admin/accounts/{id}/second-factor");
    me.delete(&reset).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    place.admin().await.delete(&reset).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let other = place.super_admin().await;
    let nobody = format!("/api/v3/super-admin/accounts/{}/second-factor", uuid::Uuid::now_v7());
    other.delete(&nobody).send().await.assert_problem(404, "USER_NOT_EXIST");
    other.delete(&reset).send().await.assert(204);
    me.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    // The password alone would be enough to set up a new one, so it is gone too, and the link goes to the
    // person.
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let mail = place.kit.mail_to(&email).await;
    let token = mail.split("token=").nth(1).unwrap().split_whitespace().next().unwrap();
    let new = json!({"password": "mákosrétes 12", "password_again": "mákosrétes 12"});
    let me = place
        .nobody()
        .put(&format!("/api/v3/admins/password-reset/{token}"))
        .json(new)
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&me["second_factor"], &me["second_factor_required"]), (&json!(false), &json!(true)));
    let row = place
        .kit
        .row(
            "select count(*) n from control.platform_audit where action = 'second_factor_reset' \
            and record_id = $1",
            vec![id.into()],
        )
        .await;
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), 1);
}

/// Resident memory of this process in kB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

async fn guess(place: &Place<'_>, number: u32, email: &str) -> u16 {
    let address = format!("198.{}.{}.{}", number >> 16 & 255, number >> 8 & 255, number & 255);
    let body = json!({"admin": {"email": email, "password": format!("guess {number}")}});
    place
        .nobody()
        .post("/api/v3/admins/sign_in")
        .header("x-forwarded-for", address)
        .json(body)
        .send()
        .await
        .status
}

#[testkit::test(alone)]
async fn three_thousand_guesses_are_five_and_the_owner_still_gets_in() {
    let place = kit().await.restaurant().await;
    let (_, email) = account(&place, false).await;
    // The owner has signed in on this device before.
    let first = sign_in(&place.nobody(), &email, PASSWORD, None).await.assert(200);
    let cookies: Vec<&str> =
        first.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let device = cookies.iter().find(|cookie| cookie.starts_with("pult_device=")).expect("a device cookie");
    assert!(device.contains("HttpOnly") && device.contains("SameSite=Strict"));
    let owner = place.nobody().header("cookie", device.split(';').next().unwrap());

    let (evaluated, mut before) = (access::passwords::evaluated(), 0);
    for chunk in 0..30 {
        // The first hashes, connections and buffers are not growth.
        if chunk == 5 {
            before = memory();
        }
        let guesses = (0..100).map(|one| guess(&place, chunk * 100 + one, &email));
        let statuses = futures_util::future::join_all(guesses).await;
        // A busy machine may turn some away before they are looked at.
        assert!(statuses.iter().all(|status| [401, 429, 503].contains(status)));
    }
    assert!(
        access::passwords::evaluated() - evaluated <= 5,
        "{} were looked at",
        access::passwords::evaluated() - evaluated
    );
    assert!(memory() < before + 40_000, "{} kB more", memory() - before);
    sign_in(&place.nobody(), &email, PASSWORD, None).await.assert_problem(429, "TOO_MANY_REQUESTS");
    sign_in(&owner, &email, PASSWORD, None).await.assert(200);
    // A known device has five attempts of its own, no more; and it is known to its own accounts only.
    for _ in 0..5 {
        sign_in(&owner, &email, "rossz jelszó", None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    }
    sign_in(&owner, &email, PASSWORD, None).await.assert_problem(429, "TOO_MANY_REQUESTS");
}

#[testkit::test(alone)]
async fn hundreds_of_real_attempts_at_once_keep_the_memory_flat() {
    let place = kit().await.restaurant().await;
    let evaluated = access::passwords::evaluated();
    let mut before = 0;
    for chunk in 0..2 {
        let emails: Vec<String> = (0..100).map(|_| super::account::address()).collect();
        futures_util::future::join_all(
            emails
                .iter()
                .zip(chunk * 100..)
                .map(|(email, number)| guess(&place, 0x0100_0000 + number, email)),
        )
        .await;
        if chunk == 0 {
            before = memory();
        }
    }
    // All of them, but for those that a busy machine turned away.
    let looked_at = access::passwords::evaluated() - evaluated;
    assert!((100..=200).contains(&looked_at), "{looked_at}");
    // As much as the hashes in turn need (19 MB each), which the allocator may still hold, and no more:
    // together they took 8 GB. A thread that took over from another gives back what it holds when it ends,
    // ten seconds after its last turn.
    let turns = std::thread::available_parallelism().map_or(2, |cores| cores.get() as u64);
    let most = before + (turns + 1) * 20_000;
    for _ in 0..150 {
        if memory() < most {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(memory() < most, "{} kB more", memory() - before);
}

#[testkit::test(alone)]
async fn one_address_that_tries_many_accounts_is_paused() {
    let place = kit().await.restaurant().await;
    let evaluated = access::passwords::evaluated();
    let mut paused = 0;
    for number in 0..200 {
        let body = json!({"admin": {"email": format!("{number}-{}", super::account::address()),
            "password": "jelszó-2026"}});
        let answer = place
            .nobody()
            .post("/api/v3/admins/sign_in")
            .header("x-forwarded-for", "198.51.100.77, 127.0.0.1")
            .json(body)
            .send()
            .await;
        paused += usize::from(answer.status == 429);
    }
    assert!(paused >= 170 && access::passwords::evaluated() - evaluated <= 30, "{paused} were paused");
}

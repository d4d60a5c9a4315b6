//! Ways between rules: what one call refuses is tried by another one, in another order, twice, and at another
//! place.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::admins::{address, at_partner, ids, person};

const PASSWORD: &str = "szilvásgombóc";

fn own_pin(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/pin", place.partner)
}

fn row(person: &Value) -> String {
    format!("/admins/{}", person["id"].as_str().unwrap())
}

async fn with<'k>(
    place: &Place<'k>, owner: &Client<'_>, keys: &[&str], mut body: Value,
) -> (Value, Client<'k>) {
    body["permission_ids"] = json!(ids(owner, keys).await);
    person(place, owner, "/admins", body).await
}

async fn is_valid(client: &Client<'_>, pin: &str) -> bool {
    let answer = client.post("/validate-pin").json(json!({ "pin": pin })).send().await.assert(200);
    answer.json()["is_valid"] == true
}

#[testkit::test]
async fn a_colleagues_pin_is_not_learned() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let lead = ["admin_login", "user"];
    let (_, anna) = with(&place, &owner, &lead, json!({})).await;
    let (_, bela) = with(&place, &owner, &lead, json!({})).await;
    let (waiter, her) = with(&place, &owner, &["admin_login"], json!({})).await;
    let (_, him) = with(&place, &owner, &["admin_login"], json!({"pin": "7777"})).await;
    let (manager, boss) = with(&place, &owner, &["admin_login", "pos_cart_discount"], json!({})).await;
    boss.put(&own_pin(&place)).json(json!({"pin": "2580", "password": PASSWORD})).send().await.assert(204);

    // The service chooses, and what it has chosen says nothing of others.
    let given = anna.put(&format!("{}/pin", row(&waiter))).send().await.assert(200).json();
    let first = given["pin"].as_str().unwrap().to_owned();
    assert!(first.len() == 6 && first.bytes().all(|digit| digit.is_ascii_digit()), "{first}");
    assert!(is_valid(&her, &first).await);

    // One account by changing, one by adding, one with the own PIN: all count together.
    let guess =
        async |by: &Client<'_>, pin: &str| by.put(&row(&waiter)).json(json!({ "pin": pin })).send().await;
    guess(&anna, "1111").await.assert(200);
    for pin in ["2580", "2580"] {
        guess(&anna, pin).await.assert_problem(409, "PIN_TAKEN");
    }
    let new = json!({"email": address(), "name": "Új Ember", "pin": "2580"});
    bela.post("/admins").json(new).send().await.assert_problem(409, "PIN_TAKEN");
    guess(&bela, "7777").await.assert_problem(409, "PIN_TAKEN");
    let own = async |client: &Client<'_>, pin: &str| {
        client.put(&own_pin(&place)).json(json!({"pin": pin, "password": PASSWORD})).send().await
    };
    own(&her, "2580").await.assert_problem(409, "PIN_TAKEN");
    // From the fifth on nobody sets any there, in none of the ways.
    let paused = guess(&anna, "9182").await.assert_problem(429, "TOO_MANY_REQUESTS");
    let wait: u64 = paused.header("retry-after").unwrap().parse().unwrap();
    assert!((800..=900).contains(&wait), "{wait}");
    guess(&bela, "2580").await.assert_problem(429, "TOO_MANY_REQUESTS");
    guess(&owner, "2580").await.assert_problem(429, "TOO_MANY_REQUESTS");
    own(&him, "9183").await.assert_problem(429, "TOO_MANY_REQUESTS");
    anna.put(&format!("{}/pin", row(&waiter))).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
    let new = json!({"email": address(), "name": "Új Ember", "pin": "9184"});
    bela.post("/admins").json(new.clone()).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
    let everywhere = json!({"email": address(), "name": "Új Ember", "pin": "2580", "target_type": "Partner"});
    owner.post(&at_partner(&place)).json(everywhere).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
    // Nor by moving somebody who has one into the restaurant.
    let there = json!({"restaurant_ids": [sibling.restaurant], "pin": "2580"});
    let (mover, _) = person(&place, &owner, &at_partner(&place), there).await;
    let moved = json!({"restaurant_ids": [place.restaurant, sibling.restaurant]});
    let path = format!("{}/{}", at_partner(&place), mover["id"].as_str().unwrap());
    owner.put(&path).json(moved.clone()).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
    // Using PINs is not held up, clearing one neither; people are added without.
    assert!(is_valid(&boss, "2580").await && is_valid(&her, "1111").await && is_valid(&him, "7777").await);
    anna.put(&row(&waiter)).json(json!({"has_pin": false})).send().await.assert(200);
    person(&place, &owner, "/admins", json!({})).await;
    // Another restaurant of the partner, and another partner, go on.
    let second = sibling.partner_admin().await;
    let (_, cili) = with(&sibling, &second, &lead, json!({})).await;
    let (friend, _) = with(&sibling, &second, &["admin_login"], json!({})).await;
    cili.put(&format!("{}/pin", row(&friend))).send().await.assert(200);
    let other = kit().await.partner().await;
    let stranger = other.partner_admin().await;
    person(&other, &stranger, "/admins", json!({"pin": "2580"})).await;
    // When the time is over it goes on, and the next collision pauses for longer.
    let over = "update control.attempt set blocked_until = now() - interval '1 second', window_start = now() - \
        interval '10 minutes' where subject = 'pin set ' || $1::text";
    place.kit.run(over, vec![place.restaurant.uuid().to_string().into()]).await;
    guess(&anna, "9185").await.assert(200);
    guess(&anna, "2580").await.assert_problem(409, "PIN_TAKEN");
    let paused = guess(&anna, "9186").await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").unwrap().parse::<u64>().unwrap() > 900);
    assert!(is_valid(&boss, "2580").await, "the manager never noticed: {manager}");
}

/// The PIN of somebody who is everywhere is not tried restaurant by restaurant.
#[testkit::test]
async fn a_pin_that_counts_everywhere_is_tried_five_times_in_all() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    person(&place, &owner, &at_partner(&place), json!({"target_type": "Partner", "pin": "2580"})).await;
    let mut places = vec![place.clone()];
    for _ in 0..5 {
        places.push(kit().await.restaurant_of(place.partner).await);
    }
    let mut statuses = vec![];
    for here in &places {
        let body = json!({"email": address(), "name": "Új Ember", "pin": "2580",
            "restaurant_ids": [here.restaurant]});
        statuses.push(owner.post(&at_partner(&place)).json(body).send().await.status);
    }
    assert_eq!(statuses, [409, 409, 409, 409, 409, 429]);
    // Many at once are no more.
    let other = kit().await.partner().await;
    let boss = other.partner_admin().await;
    person(&other, &boss, "/admins", json!({"pin": "2580"})).await;
    let at_once = join_all((0..12).map(|_| {
        let body = json!({"email": address(), "name": "Új Ember", "pin": "2580"});
        boss.post("/admins").json(body).send()
    }));
    let mut counts = [0, 0];
    for answer in at_once.await {
        counts[usize::from(answer.status == 429)] += 1;
    }
    assert_eq!(counts, [5, 7]);
}

#[testkit::test]
async fn nobody_sets_the_pin_of_somebody_with_more_rights() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let (_, anna) = with(
        &place,
        &owner,
        &["admin_login", "user", "pos_cart_discount"],
        json!({
        "max_discount_percent": 10}),
    )
    .await;
    // Of the whole partner, who may grant single keys that they lack.
    let body =
        json!({"target_type": "Partner", "permission_ids": ids(&owner, &["admin_login", "user"]).await});
    let (_, office) = person(&place, &owner, &at_partner(&place), body).await;
    let somebody = async |keys: &[&str], mut body: Value| {
        body["pin"] = json!((Uuid::now_v7().as_u128() % 90_000_000 + 10_000_000).to_string());
        with(&place, &owner, keys, body).await.0
    };
    let both = json!({"restaurant_ids": [place.restaurant, sibling.restaurant]});
    let cases = [
        ("fewer rights", somebody(&["admin_login"], json!({})).await, 200, 200),
        ("a right more", somebody(&["order_storno"], json!({})).await, 403, 403),
        (
            "a larger discount",
            somebody(&["pos_cart_discount"], json!({"max_discount_percent": 20})).await,
            403,
            403,
        ),
        ("any discount", somebody(&["pos_cart_discount"], json!({})).await, 403, 403),
        (
            "no larger discount",
            somebody(&["pos_cart_discount"], json!({"max_discount_percent": 10})).await,
            200,
            403,
        ),
        ("everything", somebody(&[], json!({"full_target_access": true})).await, 403, 403),
        ("another restaurant too", somebody(&["admin_login"], both).await, 403, 200),
    ];
    for (what, them, by_anna, by_office) in &cases {
        for (client, expected, path) in [
            (&anna, by_anna, row(them)),
            (&office, by_office, format!("{}/{}", at_partner(&place), them["id"].as_str().unwrap())),
        ] {
            for answer in [
                client.put(&format!("{path}/pin")).send().await,
                client.put(&path).json(json!({"has_pin": false})).send().await,
                client
                    .put(&path)
                    .json(json!({"pin": (Uuid::now_v7().as_u128() % 90_000_000 + 10_000_000).to_string()}))
                    .send()
                    .await,
            ] {
                // Who has no PIN is not changed by taking it.
                assert_eq!(i32::from(answer.status), *expected, "{what}: {}", answer.text());
            }
        }
    }
    // A right that is given together with the PIN counts as one that is there.
    let keys = ids(&owner, &["admin_login", "order_storno"]).await;
    let new = json!({"email": address(), "name": "Új Ember", "permission_ids": keys, "pin": "2580"});
    office.post(&at_partner(&place)).json(new).send().await.assert_problem(422, "VALIDATION_FAILED");
    let new = json!({"email": address(), "name": "Új Ember", "permission_ids": keys, "pin": "2580",
        "restaurant_ids": [place.restaurant]});
    office.post(&at_partner(&place)).json(new).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let path = format!("{}/{}", at_partner(&place), cases[0].1["id"].as_str().unwrap());
    let both = json!({"permission_ids": keys, "pin": "2580"});
    office.put(&path).json(both).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    // Not the own one, not an archived person's, not a neighbour's; not without the right.
    let me = anna.get("/api/v3/admin/me").send().await.json()["targets"][0]["admin_id"].clone();
    let own = format!("/admins/{}/pin", me.as_str().unwrap());
    anna.put(&own).send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    let (gone, _) = with(&place, &owner, &["admin_login"], json!({})).await;
    owner.delete(&row(&gone)).send().await.assert(204);
    owner.put(&format!("{}/pin", row(&gone))).send().await.assert_problem(404, "USER_NOT_EXIST");
    let other = kit().await.partner().await;
    let stranger = other.partner_admin().await;
    stranger.put(&format!("{}/pin", row(&cases[0].1))).send().await.assert_problem(404, "USER_NOT_EXIST");
    let (_, plain) = with(&place, &owner, &["admin_login"], json!({})).await;
    let refused = plain.put(&format!("{}/pin", row(&cases[0].1))).send().await;
    refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn whoever_got_a_pin_is_asked_to_change_it() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (them, her) = with(&place, &owner, &["admin_login"], json!({})).await;
    let own = async || {
        let me = her.get("/api/v3/admin/me").send().await.assert(200).json();
        (me["targets"][0]["has_pin"].clone(), me["targets"][0]["pin_given"].clone())
    };
    assert_eq!(own().await, (json!(false), json!(false)));
    let pin = owner.put(&format!("{}/pin", row(&them))).send().await.assert(200).json()["pin"].clone();
    assert_eq!(own().await, (json!(true), json!(true)));
    let again = owner.put(&format!("{}/pin", row(&them))).send().await.assert(200).json()["pin"].clone();
    assert!(pin != again && !is_valid(&her, pin.as_str().unwrap()).await);
    her.put(&own_pin(&place)).json(json!({"pin": "2580", "password": PASSWORD})).send().await.assert(204);
    assert_eq!(own().await, (json!(true), json!(false)));
    owner.put(&row(&them)).json(json!({"pin": "2581"})).send().await.assert(200);
    assert_eq!(own().await, (json!(true), json!(true)));
    owner.put(&row(&them)).json(json!({"has_pin": false})).send().await.assert(200);
    assert_eq!(own().await, (json!(false), json!(false)));
    // The log has the change and no PIN.
    let log = format!("select string_agg(d.details::text, ' ') t from {}.audit_detail d", place.schema);
    let text: String = place.kit.row(&log, vec![]).await.try_get("", "t").unwrap();
    assert!(text.contains("pin_changed") && !text.contains(pin.as_str().unwrap()), "{text}");
}

/// The invitations that were mailed to an address.
async fn invitations(place: &Place<'_>, address: &str) -> usize {
    place.kit.run_jobs().await;
    place.kit.mails_to(address).len()
}

#[testkit::test]
async fn a_stranger_is_not_invited_again_and_again() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let victim = address();
    let body = json!({"email": victim, "name": "https://evil.test Nyeremény"});
    let made = owner.post("/admins").json(body.clone()).send().await.assert(201).json();
    let invite =
        async |client: &Client<'_>, path: &str| client.post(&format!("{path}/invitation")).send().await;
    assert_eq!(invitations(&place, &victim).await, 1);
    for count in 2..4 {
        invite(&owner, &row(&made)).await.assert(204);
        assert_eq!(invitations(&place, &victim).await, count);
    }
    let refused = invite(&owner, &row(&made)).await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() > 3_000);
    // Neither by removing and adding the person, nor by giving somebody else the address.
    owner.delete(&row(&made)).send().await.assert(204);
    owner.post("/admins").json(body).send().await.assert_problem(429, "TOO_MANY_REQUESTS");
    place
        .kit
        .run("delete from control.admin where id = $1::text::uuid", vec![made["id"].as_str().unwrap().into()])
        .await;
    let (other, _) = person(&place, &owner, "/admins", json!({})).await;
    let readdressed = owner.put(&row(&other)).json(json!({ "email": victim })).send().await;
    readdressed.assert_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(owner.get(&row(&other)).send().await.json()["email"], other["email"], "nothing half done");
    assert_eq!(invitations(&place, &victim).await, 3);
    for mail in place.kit.mails_to(&victim) {
        assert!(!mail.contains("evil.test") && mail.contains("Szia!"), "{mail}");
    }
    // Another partner is not told, but its mail waits.
    let second = kit().await.partner().await;
    let boss = second.partner_admin().await;
    let body = json!({"email": victim, "name": "Kovács Éva"});
    let theirs = row(&boss.post("/admins").json(body).send().await.assert(201).json());
    assert_eq!(invitations(&second, &victim).await, 3);
    let earlier = "update control.mail_sent set at = at - interval '61 minutes' where subject like '%' || $1";
    place.kit.run(earlier, vec![victim.clone().into()]).await;
    let due = "update control.job set run_at = now() where kind = 'invitation_mail' and state = 'waiting' and \
        partner_id = $1";
    place.kit.run(due, vec![second.partner.into()]).await;
    assert_eq!(invitations(&second, &victim).await, 4);
    // Ten a day, however many partners go on.
    for _ in 0..4 {
        for _ in 0..3 {
            invite(&boss, &theirs).await;
            invitations(&second, &victim).await;
        }
        place.kit.run(earlier, vec![victim.clone().into()]).await;
    }
    assert_eq!(invitations(&second, &victim).await, 10);
}

#[testkit::test]
async fn a_partner_invites_two_hundred_a_day() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let many = "insert into control.mail_sent (subject, key) select 'inviting ' || $1::text, 'x' || n from \
        generate_series(1, 199) n";
    place.kit.run(many, vec![place.partner.uuid().to_string().into()]).await;
    let add = async || owner.post("/admins").json(json!({"email": address(), "name": "Új"})).send().await;
    add().await.assert(201);
    add().await.assert_problem(429, "TOO_MANY_REQUESTS");
    let other = kit().await.partner().await;
    let boss = other.partner_admin().await;
    boss.post("/admins").json(json!({"email": address(), "name": "Új"})).send().await.assert(201);
}

#[testkit::test]
async fn names_that_hold_a_link_stay_out_of_mails() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    for name in [
        "Nyertél! http://x.hu", "HTTPS://X.HU most", "www.x.hu", "WwW.x.hu Béla", "bela@x.hu", "ftp://x",
        "írj: a@b",
    ] {
        let to = address();
        owner.post("/admins").json(json!({"email": to, "name": name})).send().await.assert(201);
        let mail = place.kit.mail_to(&to).await;
        let lower = mail.to_lowercase();
        assert!(
            !lower.contains("x.hu") && !lower.contains("ftp:") && !lower.contains("a@b"),
            "{name}: {mail}"
        );
    }
    let to = address();
    owner.post("/admins").json(json!({"email": to, "name": "Dr. Nagy W. Béla"})).send().await.assert(201);
    assert!(place.kit.mail_to(&to).await.contains("Dr. Nagy W. Béla"));
}

/// A person of two partners with an own password, and the rows there.
async fn of_two<'k>(one: &Place<'k>, two: &Place<'k>) -> (String, [(Client<'k>, String); 2]) {
    let email = address();
    let mut rows = vec![];
    for place in [one, two] {
        let boss = place.partner_admin().await;
        let keys = ids(&boss, &["admin_login", "user"]).await;
        let body = json!({"email": email, "name": "Kovács Éva", "permission_ids": keys});
        let made = boss.post("/admins").json(body).send().await.assert(201).json();
        rows.push((boss, row(&made)));
    }
    let hash = access::passwords::hash(PASSWORD.into()).await.unwrap();
    let own = "update control.account set own = true, password_hash = $2 where email = $1";
    one.kit.run(own, vec![email.clone().into(), hash.into()]).await;
    let active = "update control.admin set status = 'active' where account_id = (select id from \
        control.account where email = $1)";
    one.kit.run(active, vec![email.clone().into()]).await;
    (email, rows.try_into().ok().unwrap())
}

async fn sign_in(client: &Client<'_>, email: &str) -> Answer {
    let body = json!({"admin": {"email": email, "password": PASSWORD}});
    client.post("/api/v3/admins/sign_in").json(body).send().await
}

#[testkit::test]
async fn ended_sessions_open_nothing_here_and_go_on_elsewhere() {
    let (one, two) = (kit().await.partner().await, kit().await.partner().await);
    let (email, [(boss, at_one), (_, at_two)]) = of_two(&one, &two).await;
    let token = sign_in(&one.nobody(), &email).await.assert(200).header("authorization").unwrap().to_owned();
    let (here, there) = (one.nobody().bearer(&token), two.nobody().bearer(&token));
    let partners = async |client: &Client<'_>| {
        let me = client.get("/api/v3/admin/me").send().await.assert(200).json();
        me["targets"].as_array().unwrap().len()
    };
    here.get("/admins").send().await.assert(200);
    there.get("/admins").send().await.assert(200);
    assert_eq!(partners(&here).await, 2);
    // A ticket of before opens nothing there later either.
    let ticket = there
        .post("/api/v3/admin/me/tickets")
        .json(json!({"purpose": "pos", "restaurant_id": two.restaurant}))
        .send()
        .await;
    boss.delete(&format!("{at_one}/sessions")).send().await.assert(204);
    here.get("/admins").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    let partner = format!("/api/v3/admin/partners/{}/pin", one.partner);
    here.delete(&partner).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    there.get("/admins").send().await.assert(200);
    assert_eq!(partners(&there).await, 1);
    if ticket.status == 200 || ticket.status == 201 {
        let value = ticket.json()["ticket"].as_str().unwrap_or_default().to_owned();
        let opened = two.nobody().get(&format!("/api/v3/admin/me?ticket={value}")).send().await;
        if let Some(token) = opened.header("authorization") {
            let till = one.nobody().bearer(token);
            till.get("/admins").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
        }
    }
    // Twice is the same; a new sign-in opens both.
    boss.delete(&format!("{at_one}/sessions")).send().await.assert(204);
    let again = sign_in(&one.nobody(), &email).await.assert(200).header("authorization").unwrap().to_owned();
    one.nobody().bearer(&again).get("/admins").send().await.assert(200);
    two.nobody().bearer(&again).get("/admins").send().await.assert(200);
    there.get("/admins").send().await.assert(200);
    // With one partner alone the session ends.
    let (them, her) = with(&one, &boss, &["admin_login"], json!({})).await;
    her.get("/api/v3/admin/me").send().await.assert(200);
    boss.delete(&format!("{}/sessions", row(&them))).send().await.assert(204);
    her.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    drop(at_two);
}

#[testkit::test]
async fn what_somebody_does_at_one_partner_is_not_shown_at_another() {
    let (one, two) = (kit().await.partner().await, kit().await.partner().await);
    let (email, [(boss, at_one), (other, at_two)]) = of_two(&one, &two).await;
    let token = sign_in(&one.nobody(), &email).await.assert(200).header("authorization").unwrap().to_owned();
    let active = async |client: &Client<'_>, path: &str| {
        one.kit.app.write_usage().await.unwrap();
        client.get(path).send().await.assert(200).json()["last_active_at"].clone()
    };
    // Signing in is no use of either; the first call is, there.
    assert_eq!((active(&boss, &at_one).await, active(&other, &at_two).await), (Value::Null, Value::Null));
    let background = one.nobody().bearer(&token).header("x-pult-background", "1");
    background.get("/admins").send().await.assert(200);
    assert_eq!(active(&boss, &at_one).await, Value::Null);
    one.nobody().bearer(&token).get("/admins").send().await.assert(200);
    assert!(active(&boss, &at_one).await.is_string());
    assert_eq!(active(&other, &at_two).await, Value::Null);
}

#[testkit::test]
async fn signing_in_again_ends_the_session_that_it_replaces() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (them, _) = with(&place, &owner, &["admin_login"], json!({})).await;
    let email = them["email"].as_str().unwrap();
    let cookie = |answer: &Answer| answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let alive = async |cookie: &str| {
        let browser = place.nobody().header("cookie", cookie).header("x-pult-ui", "1");
        browser.get("/api/v3/admin/me").send().await.status == 200
    };
    let first = cookie(&sign_in(&place.nobody(), email).await.assert(200));
    let elsewhere = cookie(&sign_in(&place.nobody(), email).await.assert(200));
    let browser = place.nobody().header("cookie", &first);
    let second = cookie(&sign_in(&browser, email).await.assert(200));
    assert_eq!((alive(&first).await, alive(&second).await, alive(&elsewhere).await), (false, true, true));
    // A wrong password replaces nothing, nor does somebody else's token that is none.
    let browser = place.nobody().header("cookie", &second);
    let wrong = json!({"admin": {"email": email, "password": "nem ez az"}});
    browser.post("/api/v3/admins/sign_in").json(wrong).send().await.assert(401);
    assert!(alive(&second).await);
    let browser = place.nobody().header("cookie", "pult_dev=kitalált");
    sign_in(&browser, email).await.assert(200);
    // A client with a bearer token, and another person at the same browser.
    let (colleague, _) = with(&place, &owner, &["admin_login"], json!({})).await;
    let browser = place.nobody().header("cookie", &second);
    sign_in(&browser, colleague["email"].as_str().unwrap()).await.assert(200);
    assert!(!alive(&second).await && alive(&elsewhere).await);
}

#[testkit::test]
async fn a_new_link_for_a_password_ends_older_ones() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let (them, _) = person(&place, &owner, "/admins", json!({})).await;
    let email = them["email"].as_str().unwrap();
    let link = async |count: usize| {
        let body = json!({ "email": email });
        place.nobody().post("/api/v3/admins/password-reset").json(body).send().await.assert(204);
        while place.kit.mails_to(email).len() < count {
            place.kit.run_jobs().await;
        }
        let mail = place.kit.mails_to(email).remove(0);
        let token = mail.split("token=").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        format!("/api/v3/admins/password-reset/{token}")
    };
    let (first, second) = (link(1).await, link(2).await);
    place.nobody().get(&first).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    place.nobody().get(&second).send().await.assert(200);
    let new = json!({"password": "túrógombóc-2", "password_again": "túrógombóc-2"});
    place.nobody().put(&first).json(new.clone()).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    place.nobody().put(&second).json(new).send().await;
}

#[testkit::test]
async fn keys_of_somebody_who_leaves_are_kept_or_revoked() {
    let place = kit().await.partner().await;
    let sibling = kit().await.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let keys = ["admin_login", "user", "system_general"];
    let (them, her) = with(&place, &owner, &keys, json!({})).await;
    let (_, anna) = with(&place, &owner, &keys, json!({})).await;
    let make = async |client: &Client<'_>, name: &str| {
        client.post("/api-keys").json(json!({ "name": name })).send().await.assert(201).json()
    };
    let (kept, ended, hers) =
        (make(&her, "Webshop").await, make(&her, "Régi").await, make(&anna, "Másé").await);
    let rotated = make(&anna, "Megújított").await;
    let id = |key: &Value| key["id"].as_str().unwrap().to_owned();
    her.post(&format!("/api-keys/{}/rotate", id(&rotated))).json(json!({})).send().await.assert(200);
    let gone = make(&her, "Visszavont").await;
    her.delete(&format!("/api-keys/{}", id(&gone))).send().await.assert(204);
    let made = anna.get(&format!("{}/api-keys", row(&them))).send().await.assert(200);
    let mut names: Vec<String> =
        made.json().as_array().unwrap().iter().map(|key| key["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["Megújított", "Régi", "Webshop"]);
    assert!(!made.text().contains(kept["api_key"].as_str().unwrap()));
    // A key that is not among them, or nobody's, ends nothing and nobody.
    for wrong in [id(&hers), id(&gone), Uuid::now_v7().to_string()] {
        let path = format!("{}?revoke_keys[]={}&revoke_keys[]={wrong}", row(&them), id(&ended));
        anna.delete(&path).send().await.assert_keys(&["revoke_keys.1"]);
    }
    let opens = async |key: &Value| {
        let client = place.nobody().bearer(key["api_key"].as_str().unwrap());
        client.get("/api-keys").send().await.status
    };
    assert_eq!((opens(&kept).await, opens(&ended).await), (403, 403), "alive, without the right");
    anna.delete(&format!("{}?revoke_keys[]={}", row(&them), id(&ended))).send().await.assert(204);
    assert_eq!((opens(&kept).await, opens(&ended).await, opens(&hers).await), (403, 401, 403));
    // Nobody sees them at a neighbour, or of somebody with more rights.
    let second = sibling.partner_admin().await;
    let (_, cili) = with(&sibling, &second, &keys, json!({})).await;
    let (boss, _) = with(&place, &owner, &[], json!({"full_target_access": true})).await;
    let path = format!("{}/api-keys", row(&boss));
    cili.get(&path).send().await.assert_problem(404, "USER_NOT_EXIST");
    anna.get(&path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

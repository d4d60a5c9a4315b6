//! Links that make an account own: what they end, and what a session held by a partner may do.

use kernel::{Account, Id};
use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::{
    account::{PASSWORD, account, address, client, sign_in},
    holders::{CHOSEN, OWN, Scene, State, new_password, scene},
};

const MINE: State =
    State { own: true, held_by: None, password: true, factors: 0, identities: 0, sessions: 1, devices: 1 };

/// A till's ticket of somebody who is signed in, not used yet.
async fn ticket(scene: &Scene, of: &Client<'_>) -> String {
    let body = json!({"purpose": "pos", "restaurant_id": scene.p.restaurant});
    let made = of.post("/api/v3/admin/me/tickets").json(body).send().await.assert(201).json();
    format!("/api/v3/admin/me?ticket={}", made["token"].as_str().unwrap())
}

/// What the admin of the first partner can have prepared: sessions at two instances, a ticket, a device, and
/// what was planted.
struct Trap {
    email: String,
    row: String,
    inside: Client<'static>,
    ticket: String,
    device: String,
}

async fn trap(scene: &Scene) -> Trap {
    let (email, row) = scene.held().await;
    let answer = sign_in(&scene.p.nobody(), &email, CHOSEN, None).await.assert(200);
    let cookies: Vec<&str> =
        answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let device = cookies
        .iter()
        .find(|cookie| cookie.starts_with("pult_device="))
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let inside = scene.p.nobody().bearer(answer.header("authorization").unwrap());
    inside
        .put(&format!("/api/v3/admin/partners/{}/pin", scene.p.partner))
        .json(json!({"pin": "4711", "password": CHOSEN}))
        .send()
        .await
        .assert(204);
    let ticket = ticket(scene, &inside).await;
    scene.plant(&email).await;
    Trap { email, row, inside, ticket, device }
}

/// Nothing of the trap opens anything; the row, its rights and its PIN are as they were, and the person is
/// in.
async fn sprung(scene: &Scene, trap: &Trap, person: &Client<'static>) {
    assert_eq!(scene.state(&trap.email).await, MINE);
    scene.is_out(&trap.inside).await;
    scene.elsewhere().get(&trap.ticket).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    scene.refused(&trap.email, CHOSEN).await;
    let known = scene.p.nobody().header("cookie", &trap.device);
    sign_in(&known, &trap.email, CHOSEN, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let me = person.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(
        (&me["second_factor"], &me["bound"], &me["changeable"]),
        (&json!(false), &json!(null), &json!(true))
    );
    assert!(
        person
            .post("/api/v3/admin/validate-pin")
            .json(json!({"pin": "4711"}))
            .send()
            .await
            .assert(200)
            .json()["is_valid"]
            == true
    );
    let row = scene.at_p.get(&format!("/admins/{}", trap.row)).send().await.assert(200).json();
    assert_eq!(
        (&row["status"], &row["has_pin"], &row["permissions"]),
        (&json!("active"), &json!(true), &json!(["admin_login"]))
    );
    // The admin there has no way back in.
    scene.at_p.put(&format!("/admins/{}", trap.row)).json(json!({"tel": "1"})).send().await.assert(200);
}

#[testkit::test]
async fn the_link_of_an_invitation_ends_what_a_partner_held() {
    let scene = scene().await;
    let trap = trap(&scene).await;
    let row = scene.add(&scene.at_q, &trap.email, "Meghívott Miklós", None).await.assert(201).json();
    let link = scene.invitation(row["id"].as_str().unwrap()).await;
    let before = scene.state(&trap.email).await;
    let shown = scene.elsewhere().get(&link).send().await.assert(200).json();
    let name = format!("Partner {}", scene.p.partner);
    assert_eq!(
        (&shown["has_password"], &shown["partners"]),
        (&json!(false), &json!([{"partner_id": scene.p.partner, "partner_name": name}]))
    );
    scene
        .elsewhere()
        .put(&link)
        .json(json!({}))
        .send()
        .await
        .assert_problem(422, "USER_PASSWORD_CANNOT_BE_EMPTY");
    assert_eq!(scene.state(&trap.email).await, before, "only a password that is sent changes anything");
    trap.inside.get("/api/v3/admin/me").send().await.assert(200);
    // The admin of the first partner knows this one.
    scene
        .elsewhere()
        .put(&link)
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(422, "USER_PASSWORD_WEAK");
    let mut body = new_password(OWN);
    body["leave"] = json!([Uuid::now_v7()]);
    scene.elsewhere().put(&link).json(body.clone()).send().await.assert_keys(&["leave"]);
    body["leave"] = json!([]);
    body["first_name"] = json!("Igazi");
    let answer = scene.elsewhere().put(&link).json(body).send().await.assert(200);
    let person = scene.p.nobody().bearer(answer.header("authorization").unwrap());
    assert_eq!(answer.json()["first_name"], "Igazi");
    assert_eq!(person.get("/api/v3/admin/me").send().await.json()["targets"].as_array().unwrap().len(), 2);
    sprung(&scene, &trap, &person).await;
    // Accepted elsewhere now, so that nobody there sets the password any more.
    scene
        .at_p
        .put(&format!("/admins/{}", trap.row))
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    scene
        .elsewhere()
        .put(&link)
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(401, "USER_INVALID_TOKEN");
}

#[testkit::test]
async fn the_link_of_a_forgotten_password_does_the_same() {
    let scene = scene().await;
    let trap = trap(&scene).await;
    // Both links were requested before; one is used.
    let (link, other) = (scene.reset(&trap.email).await, scene.reset(&trap.email).await);
    let shown = scene.elsewhere().get(&link).send().await.assert(200).json();
    assert_eq!((&shown["has_password"], shown["partners"].as_array().unwrap().len()), (&json!(false), 1));
    trap.inside.get("/api/v3/admin/me").send().await.assert(200);
    let answer = scene.elsewhere().put(&link).json(new_password(OWN)).send().await.assert(200);
    let person = scene.p.nobody().bearer(answer.header("authorization").unwrap());
    sprung(&scene, &trap, &person).await;
    scene
        .elsewhere()
        .put(&other)
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(401, "USER_INVALID_TOKEN");

    // In the other order: invited elsewhere after it has become own, there is only to say yes.
    let row = scene
        .add(&scene.at_q, &trap.email, "Meghívott Miklós", Some("a másik választása"))
        .await
        .assert(201)
        .json();
    let invitation = scene.invitation(row["id"].as_str().unwrap()).await;
    scene
        .elsewhere()
        .put(&invitation)
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(409, "USER_HAS_PASSWORD");
    let yes = scene.elsewhere().put(&invitation).json(json!({"leave": [scene.p.partner]})).send().await;
    yes.assert_problem(409, "USER_HAS_PASSWORD");
    let yes = scene.elsewhere().put(&invitation).json(json!({})).send().await.assert(204);
    assert!(yes.header("authorization").is_none());
    assert_eq!(
        person.get("/api/v3/admin/me").send().await.assert(200).json()["targets"].as_array().unwrap().len(),
        2,
        "nothing was cleared"
    );
}

#[testkit::test]
async fn an_own_accounts_new_password_keeps_the_second_factor() {
    let scene = scene().await;
    let (email, _) = scene.own().await;
    let mine = scene.signed_in(&email, OWN).await;
    let secret = mine.post("/api/v3/admin/me/second-factor").json(json!({})).send().await.assert(200).json()
        ["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let code = accounts::current_code(&secret).unwrap();
    mine.put("/api/v3/admin/me/second-factor").json(json!({ "code": code })).send().await.assert(200);
    let before = scene.state(&email).await;
    let link = scene.reset(&email).await;
    assert_eq!(scene.elsewhere().get(&link).send().await.assert(200).json()["has_password"], true);
    scene
        .elsewhere()
        .put(&link)
        .json(json!({"password": CHOSEN, "password_again": CHOSEN, "leave": [scene.q.partner]}))
        .send()
        .await
        .assert_problem(409, "USER_HAS_PASSWORD");
    let answer = scene.elsewhere().put(&link).json(new_password("saját túrósrétes")).send().await.assert(204);
    assert!(answer.header("authorization").is_none());
    scene.is_out(&mine).await;
    assert_eq!(scene.state(&email).await, State { sessions: 0, devices: 0, ..before });
    sign_in(&scene.p.nobody(), &email, "saját túrósrétes", None)
        .await
        .assert_problem(401, "SECOND_FACTOR_REQUIRED");
}

#[testkit::test]
async fn taking_over_an_account_can_leave_partners() {
    let scene = scene().await;
    let (email, row) = scene.held().await;
    let link = scene.reset(&email).await;
    let mut body = new_password(OWN);
    for stranger in [Uuid::now_v7(), scene.q.partner.uuid()] {
        body["leave"] = json!([scene.p.partner, stranger]);
        scene.elsewhere().put(&link).json(body.clone()).send().await.assert_keys(&["leave"]);
    }
    body["leave"] = json!([scene.p.partner]);
    let answer = scene.elsewhere().put(&link).json(body.clone()).send().await.assert(204);
    assert!(answer.header("authorization").is_none(), "there is nowhere to enter");
    assert_eq!(scene.owner(&email).await, "own");
    let gone = scene.at_p.get(&format!("/admins/{row}")).send().await.assert(200).json();
    assert_eq!((&gone["status"], &gone["has_pin"]), (&json!("archived"), &json!(false)));
    let lines = format!(
        "select count(*) n from {}.audit where action = 'admins_leave' and record_id = $1::text::uuid",
        scene.p.schema
    );
    assert_eq!(scene.p.kit.row(&lines, vec![row.clone().into()]).await.try_get::<i64>("", "n").unwrap(), 1);
    let copy = format!("select archived from {}.staff where admin_id = $1::text::uuid", scene.p.schema);
    for _ in 0..100 {
        scene.p.kit.run_jobs().await;
        if scene.p.kit.row(&copy, vec![row.clone().into()]).await.try_get::<bool>("", "archived").unwrap() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(scene.p.kit.row(&copy, vec![row.into()]).await.try_get::<bool>("", "archived").unwrap());

    // The last one with full access stays until somebody else has it; nothing has happened then, and the link
    // is good.
    let lonely = kit().await.partner().await;
    let (email, first) = (address(), lonely.partner_admin().await);
    let body = json!({"email": email, "name": "Egyetlen Edömér", "target_type": "Partner",
        "full_target_access": true, "password": CHOSEN, "password_again": CHOSEN});
    first.post("/admins").json(body).send().await.assert(201);
    let sql = "update control.admin set status = 'archived' where partner_id = $1 and account_id <> (select \
        id from control.account where email = $2)";
    lonely.kit.run(sql, vec![lonely.partner.into(), email.clone().into()]).await;
    let link = scene.reset(&email).await;
    let mut body = new_password(OWN);
    body["leave"] = json!([lonely.partner]);
    scene.elsewhere().put(&link).json(body).send().await.assert_problem(409, "USER_DELETE_NOT_ALLOWED");
    assert_eq!(scene.state(&email).await.held_by, Some(lonely.partner.uuid()));
    scene.elsewhere().put(&link).json(new_password(OWN)).send().await.assert(200);
}

#[testkit::test]
async fn a_session_of_a_held_password_reaches_its_partner_only() {
    let scene = scene().await;
    let (email, row) = scene.held().await;
    let held = scene.signed_in(&email, CHOSEN).await;
    let there = scene.add(&scene.at_q, &email, "Tartott Tamás", None).await.assert(201).json();
    // As if that partner's provider had let it in.
    let sql = "update control.admin set status = 'active', pin_lookup = '\\x01', pin_hash = 'x' where id = \
        $1::text::uuid";
    scene.p.kit.run(sql, vec![there["id"].as_str().unwrap().into()]).await;
    let sql = "update control.account set last_partner_id = $2, last_restaurant_id = $3 where email = $1";
    scene.p.kit.run(sql, vec![email.clone().into(), scene.q.partner.into(), scene.q.restaurant.into()]).await;
    let me = held.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(
        (me["targets"].as_array().unwrap().len(), &me["last_target"], &me["bound"]),
        (1, &json!(null), &json!("password"))
    );
    let elsewhere = format!(
        "/api/v3/admin/partners/{}/restaurants/{}/product-categories",
        scene.q.partner, scene.q.restaurant
    );
    held.get(&elsewhere).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    held.post("/api/v3/admin/validate-pin")
        .json(json!({"pin": "4711"}))
        .send()
        .await
        .assert_problem(403, "PIN_REQUIRED");
    let body = json!({"purpose": "pos", "restaurant_id": scene.q.restaurant});
    held.post("/api/v3/admin/me/tickets").json(body).send().await.assert_keys(&["restaurant_id"]);
    // Of the account it changes the password and nothing else.
    let refused =
        async |answer: testkit::Call<'_>| answer.send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    refused(held.put("/api/v3/admin/me").json(json!({"first_name": "X"}))).await;
    refused(held.put("/api/v3/admin/me/language").json(json!({"language": "en"}))).await;
    refused(held.post("/api/v3/admin/me/second-factor").json(json!({}))).await;
    refused(held.delete("/api/v3/admin/me/second-factor").json(json!({"code": "123456"}))).await;
    refused(held.delete("/api/v3/admin/me/sessions")).await;
    refused(held.put("/api/v3/admin/me/second-factor").json(json!({"code": "123456"}))).await;
    // A session from a ticket is bound, too, and ends with its session and with the partner's hold.
    let path = ticket(&scene, &held).await;
    let till = scene.elsewhere().get(&path).send().await.assert(200);
    let till = scene.p.nobody().bearer(till.header("authorization").unwrap());
    assert_eq!(till.get("/api/v3/admin/me").send().await.json()["bound"], "password");
    till.get(&elsewhere).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    let change =
        json!({"password_now": CHOSEN, "password": "csapda, második", "password_again": "csapda, második"});
    held.put("/api/v3/admin/me/password").json(change).send().await.assert(204);
    scene.is_out(&till).await;
    assert_eq!((scene.owner(&email).await, held.get("/api/v3/admin/me").send().await.status), ("P", 200));
    let me = scene.signed_in(&email, "csapda, második").await.get("/api/v3/admin/me").send().await.json();
    assert_eq!(me["targets"].as_array().unwrap().len(), 1, "held stays held");
    // A provider that is switched off ends its own sessions, not these.
    scene
        .p
        .kit
        .run(
            "update control.session set partner_id = null where account_id = (select id from \
        control.account where email = $1) and ended_at is not null",
            vec![email.into()],
        )
        .await;
    let provider =
        json!({"name": "Cég", "issuer": "https://login.example.com", "client_id": "x", "active": false});
    scene
        .at_p
        .put(&format!("/api/v3/admin/partners/{}/sign-in-provider", scene.p.partner))
        .json(provider)
        .send()
        .await
        .assert(200);
    held.get("/api/v3/admin/me").send().await.assert(200);
    scene.at_p.delete(&format!("/admins/{row}/sessions")).send().await.assert(204);
    scene.is_out(&held).await;
}

#[testkit::test]
async fn of_two_at_once_the_second_is_refused_with_a_code() {
    let scene = scene().await;
    for _ in 0..3 {
        // Two invitations of an account that nobody has used.
        let email = address();
        let rows = [
            scene.add(&scene.at_p, &email, "Kettős Kata", None).await,
            scene.add(&scene.at_q, &email, "Kettős Kata", None).await,
        ];
        let mut links = vec![];
        for row in rows {
            links.push(scene.invitation(row.json()["id"].as_str().unwrap()).await);
        }
        let (one, two) = (scene.p.nobody(), scene.elsewhere());
        let both = futures_util::future::join(
            one.put(&links[0]).json(new_password(OWN)).send(),
            two.put(&links[1]).json(new_password("saját túrósrétes")).send(),
        )
        .await;
        let mut statuses = [both.0.status, both.1.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", both.0.text(), both.1.text());
        // The one that was refused is good still, and now only says yes.
        let (left, password) =
            if both.0.status == 200 { (&links[1], OWN) } else { (&links[0], "saját túrósrétes") };
        scene.elsewhere().put(left).json(json!({})).send().await.assert(204);
        assert_eq!(
            scene.signed_in(&email, password).await.get("/api/v3/admin/me").send().await.json()["targets"]
                .as_array()
                .unwrap()
                .len(),
            2
        );

        // A link and the partner's admin, who sets a password meanwhile.
        let (email, row) = scene.held().await;
        let link = scene.reset(&email).await;
        let path = format!("/admins/{row}");
        let (set, used) = futures_util::future::join(
            scene.at_p.put(&path).json(new_password("csapda, második")).send(),
            scene.elsewhere().put(&link).json(new_password(OWN)).send(),
        )
        .await;
        match (set.status, used.status) {
            (200, 409) => assert_eq!(scene.owner(&email).await, "P"),
            (409, 200) => assert_eq!(scene.owner(&email).await, "own"),
            // One after the other on a busy machine.
            (200, 200) => continue,
            _ => panic!("{} {}", set.text(), used.text()),
        }
        // The link belongs to the person; setting a password does not end it.
        if set.status == 200 {
            scene.elsewhere().put(&link).json(new_password(OWN)).send().await.assert(200);
        }
    }
    // A call that read the earlier state is refused after the other's change.
    let (email, _) = scene.held().await;
    let row = scene.add(&scene.at_q, &email, "Tartott Tamás", None).await.assert(201).json();
    let link = scene.invitation(row["id"].as_str().unwrap()).await;
    let hash = access::digest(link.rsplit('/').next().unwrap());
    let seen = scene
        .p
        .kit
        .row("select credentials from control.account where email = $1", vec![email.clone().into()])
        .await;
    let seen: i64 = seen.try_get("", "credentials").unwrap();
    let values = [hash.into(), "hash".into(), (seen - 1).into()];
    let rows = scene
        .p
        .kit
        .app
        .door
        .call("select control.use_invitation($1, null, null, $2, $3, '{}', '') outcome", values)
        .await
        .unwrap();
    assert_eq!(
        (rows[0].try_get::<String>("", "outcome").unwrap().as_str(), scene.owner(&email).await),
        ("changed", "P")
    );
    scene.elsewhere().put(&link).json(new_password(OWN)).send().await.assert(200);
}

#[testkit::test]
async fn becoming_a_super_admin_ends_earlier_credentials() {
    let scene = scene().await;
    let trap = trap(&scene).await;
    let (own, _) = scene.own().await;
    let mine = scene.signed_in(&own, OWN).await;
    let printed = scene.reset(&own).await;
    for (email, inside) in [(&trap.email, &trap.inside), (&own, &mine)] {
        let token = format!("printed-{}", Uuid::now_v7());
        let seal = |_: Id<Account>| Ok::<_, sea_orm::DbErr>(Some(vec![9_u8]));
        scene.p.kit.provisioner().make_super_admin(email, seal, access::digest(&token)).await.unwrap();
        scene.is_out(inside).await;
        for password in [CHOSEN, OWN] {
            scene.refused(email, password).await;
        }
        let after = scene.state(email).await;
        assert_eq!(
            after,
            State {
                own: false,
                held_by: None,
                password: false,
                factors: 1,
                identities: 0,
                sessions: 0,
                devices: 0
            }
        );
        // No admin holds the password of one.
        scene.add(&scene.at_q, email, "Valaki", Some("a másik választása")).await;
        scene.refused(email, "a másik választása").await;
        let path = format!("/api/v3/admins/password-reset/{token}");
        let used = scene
            .elsewhere()
            .put(&path)
            .json(new_password("tizenkét betűnél hosszabb"))
            .send()
            .await
            .assert(204);
        assert!(used.header("authorization").is_none(), "the second factor is asked");
        assert_eq!(scene.state(email).await.factors, 1);
    }
    scene
        .elsewhere()
        .put(&printed)
        .json(new_password(CHOSEN))
        .send()
        .await
        .assert_problem(401, "USER_INVALID_TOKEN");
}

#[testkit::test]
async fn the_accounts_that_exist() {
    let scene = scene().await;
    let other = kit().await.beside("accounts").await;
    let (p, q) = (other.partner().await, other.partner().await);
    // As they were before: nobody knew whose a password is.
    let former = async |at: &[kernel::Id<kernel::Partner>], super_admin: bool| {
        let (id, email) = account(&p, super_admin).await;
        other.run("delete from control.admin where account_id = $1", vec![id.into()]).await;
        for partner in at {
            let sql = "insert into control.admin (id, account_id, partner_id, target_type, \
                full_target_access, status) values (gen_random_uuid(), $1, $2, 'Partner', true, 'active')";
            other.run(sql, vec![id.into(), (*partner).into()]).await;
        }
        let me = if super_admin { None } else { Some(sign_in(&p.nobody(), &email, PASSWORD, None).await) };
        let sql = "insert into control.second_factor (account_id, secret, confirmed_at) values ($1, '\\x01', \
            now())";
        other.run(sql, vec![id.into()]).await;
        other.run("update control.account set own = false where id = $1", vec![id.into()]).await;
        (email, me.and_then(|me| me.header("authorization").map(|token| p.nobody().bearer(token))))
    };
    let one = former(&[p.partner], false).await;
    let two = former(&[p.partner, q.partner], false).await;
    let boss = former(&[], true).await;
    let none = former(&[], false).await;
    let migration = include_str!("../../../../migrations/control/m0015_credentials_so_far.sql");
    for statement in migration.split(";\n").filter(|statement| !statement.trim().is_empty()) {
        other.run(statement, vec![]).await;
    }
    let state = async |email: &str| {
        let sql = "select own, held_by, password_hash is not null password, (select count(*) from \
            control.second_factor f where f.account_id = a.id) factors, \
                   (select count(*) from control.session s where s.account_id = a.id and s.ended_at is null) \
                   sessions from control.account a where email = $1";
        let row = other.row(sql, vec![email.into()]).await;
        let numbers =
            (row.try_get::<i64>("", "factors").unwrap(), row.try_get::<i64>("", "sessions").unwrap());
        (
            row.try_get::<Option<Uuid>>("", "held_by").unwrap(),
            row.try_get::<bool>("", "password").unwrap(),
            numbers,
        )
    };
    // At one partner: held there, still signed in there; the second factor is asked as before.
    assert_eq!(state(&one.0).await, (Some(p.partner.uuid()), true, (1, 1)));
    let me = one.1.unwrap().get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!((&me["bound"], &me["changeable"]), (&json!("password"), &json!(false)));
    sign_in(&p.nobody(), &one.0, PASSWORD, None).await.assert_problem(401, "SECOND_FACTOR_REQUIRED");
    // At several, a super admin, nobody anywhere: the old password opens nothing, and trying it sends a link.
    for (email, inside) in [two, boss, none] {
        assert_eq!(state(&email).await, (None, false, (0, 0)), "{email}");
        if let Some(inside) = inside {
            inside.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
        }
        sign_in(&p.nobody(), &email, PASSWORD, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
        let mail = other.mail_to(&email).await;
        let token = mail.split("uj-jelszo?token=").nth(1).unwrap().split_whitespace().next().unwrap();
        let password = new_password("tizenkét betűnél hosszabb");
        p.nobody().put(&format!("/api/v3/admins/password-reset/{token}")).json(password).send().await;
        assert!(state(&email).await.1);
    }
    // Of an address that nobody has, nothing is sent, and the answer is the same.
    sign_in(&p.nobody(), &address(), PASSWORD, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    // Demo data and fixtures are their own.
    let (_, email) = account(&scene.p, false).await;
    let me: Value =
        client(&scene.p, &email, PASSWORD).await.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(me["bound"], json!(null));
}

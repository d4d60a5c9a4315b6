//! The owner of an account's credentials: nobody, a partner, or the person. Each case over two partners and
//! two instances, in both orders.

use kernel::{Account, Id};
use poem::endpoint::BoxEndpoint;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::account::{address, sign_in};

/// The password chosen by an admin of the first partner.
pub const CHOSEN: &str = "kiszemelt csapda";
/// The password chosen by the person.
pub const OWN: &str = "saját mákosrétes";

/// Two partners with an admin each, and a second instance.
pub struct Scene {
    pub p: Place<'static>,
    pub q: Place<'static>,
    pub at_p: Client<'static>,
    pub at_q: Client<'static>,
    second: &'static BoxEndpoint<'static>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct State {
    pub own: bool,
    pub held_by: Option<Uuid>,
    pub password: bool,
    pub factors: i64,
    pub identities: i64,
    pub sessions: i64,
    pub devices: i64,
}

pub async fn scene() -> Scene {
    let kit = kit().await;
    let (p, q) = (kit.partner().await, kit.partner().await);
    let second = Box::leak(Box::new(kit.second_instance().await));
    Scene { at_p: p.partner_admin().await, at_q: q.partner_admin().await, p, q, second }
}

pub fn new_password(password: &str) -> Value {
    json!({"password": password, "password_again": password})
}

impl Scene {
    /// Adds a person here who may enter the admin; with a password when one is given.
    pub async fn add(&self, by: &Client<'_>, email: &str, name: &str, password: Option<&str>) -> Answer {
        let keys = super::admins::ids(by, &["admin_login"]).await;
        let mut body =
            json!({"email": email, "name": name, "permission_ids": keys, "surfaces": ["admin", "pos"]});
        if let Some(password) = password {
            body["password"] = json!(password);
            body["password_again"] = json!(password);
        }
        by.post("/admins").json(body).send().await
    }

    /// An account that the first partner holds, with the row's id there.
    pub async fn held(&self) -> (String, String) {
        let email = address();
        let row = self.add(&self.at_p, &email, "Tartott Tamás", Some(CHOSEN)).await.assert(201).json();
        (email, row["id"].as_str().unwrap().to_owned())
    }

    /// The path of an invitation's link to this row; the mail's own ends with it.
    pub async fn invitation(&self, row: &str) -> String {
        let token = format!("invitation-{}", Uuid::now_v7());
        // The mail that is still to be sent has a link of its own, which ends all earlier ones. Tests of a
        // database share its jobs, so another process may be sending it.
        let waiting =
            "select exists (select from control.job where args::text like '%' || $1 || '%') waiting";
        while self.p.kit.row(waiting, vec![row.into()]).await.try_get::<bool>("", "waiting").unwrap() {
            self.p.kit.run_jobs().await;
        }
        let sql = "insert into control.ticket (hash, account_id, purpose, admin_id, expires_at) \
                   select $1, account_id, 'invitation', id, now() + interval '7 days' from control.admin \
                   where id = $2::text::uuid";
        self.p.kit.run(sql, vec![access::digest(&token).into(), row.into()]).await;
        format!("/api/v3/admins/invitations/{token}")
    }

    /// The path of a link for a new password.
    pub async fn reset(&self, email: &str) -> String {
        let token = format!("password-{}", Uuid::now_v7());
        let sql = "insert into control.ticket (hash, account_id, purpose, expires_at) \
                   select $1, id, 'password', now() + interval '1 hour' from control.account where email = \
                   $2";
        self.p.kit.run(sql, vec![access::digest(&token).into(), email.into()]).await;
        format!("/api/v3/admins/password-reset/{token}")
    }

    /// An account of one's own: invited by the second partner, and accepted.
    pub async fn own(&self) -> (String, String) {
        let email = address();
        let row = self.add(&self.at_q, &email, "Saját Sára", None).await.assert(201).json();
        let id = row["id"].as_str().unwrap().to_owned();
        let link = self.invitation(&id).await;
        self.elsewhere().put(&link).json(new_password(OWN)).send().await.assert(200);
        (email, id)
    }

    /// Nobody, at the second instance.
    pub fn elsewhere(&self) -> Client<'static> {
        self.q.nobody().at(self.second)
    }

    pub async fn signed_in(&self, email: &str, password: &str) -> Client<'static> {
        let answer = sign_in(&self.p.nobody(), email, password, None).await.assert(200);
        self.p.nobody().bearer(answer.header("authorization").unwrap())
    }

    pub async fn refused(&self, email: &str, password: &str) {
        sign_in(&self.elsewhere(), email, password, None).await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    }

    /// Out, at both instances.
    pub async fn is_out(&self, client: &Client<'_>) {
        client.get("/api/v3/admin/me").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
        client.at(self.second).get("/admins").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    }

    pub async fn id(&self, email: &str) -> Id<Account> {
        let row = self.p.kit.row("select id from control.account where email = $1", vec![email.into()]).await;
        row.try_get::<Uuid>("", "id").unwrap().into()
    }

    pub async fn state(&self, email: &str) -> State {
        let sql = "select own, held_by, password_hash is not null password, \
                   (select count(*) from control.second_factor f where f.account_id = a.id) + (select \
                   count(*) from control.recovery_code r where r.account_id = a.id) factors, \
                   (select count(*) from control.account_identity i where i.account_id = a.id) identities, \
                   (select count(*) from control.session s where s.account_id = a.id and s.ended_at is null) \
                   sessions, \
                   (select count(*) from control.session s where s.account_id = a.id and s.device is not \
                   null) devices \
                   from control.account a where email = $1";
        let row = self.p.kit.row(sql, vec![email.into()]).await;
        State {
            own: row.try_get("", "own").unwrap(),
            held_by: row.try_get("", "held_by").unwrap(),
            password: row.try_get("", "password").unwrap(),
            factors: row.try_get("", "factors").unwrap(),
            identities: row.try_get("", "identities").unwrap(),
            sessions: row.try_get("", "sessions").unwrap(),
            devices: row.try_get("", "devices").unwrap(),
        }
    }

    /// The owner of the credentials: the first partner, the second, the person, or nobody.
    pub async fn owner(&self, email: &str) -> &'static str {
        let state = self.state(email).await;
        match state.held_by {
            Some(partner) if partner == self.p.partner.uuid() => "P",
            Some(_) => "Q",
            None if state.own => "own",
            None => "nobody",
        }
    }

    /// Credentials that could exist beside a password before the person has proved the address, by a fault.
    pub async fn plant(&self, email: &str) {
        let id = self.id(email).await;
        for sql in [
            "insert into control.second_factor (account_id, secret, confirmed_at, pending) values ($1, \
             '\\x01', now(), '\\x02')",
            "insert into control.recovery_code (account_id, hash) values ($1, '\\x03')",
            "insert into control.attempt (subject, failures, blocked_until) select 'pin account ' || \
             $1::uuid, 9, now() + interval '1 hour'",
            "insert into control.attempt (subject, failures, blocked_until) select 'sign_in account ' || \
             email, 9, now() + interval '1 hour' \
             from control.account where id = $1",
        ] {
            self.p.kit.run(sql, vec![id.into()]).await;
        }
        let sql = "insert into control.account_identity (partner_id, issuer, subject, account_id) values \
            ($2, 'https://evil.example', $1::text, $1)";
        self.p.kit.run(sql, vec![id.into(), self.p.partner.into()]).await;
    }
}

fn targets(me: &Value) -> Vec<&str> {
    me["targets"].as_array().unwrap().iter().map(|target| target["partner_id"].as_str().unwrap()).collect()
}

/// What does not tell two people apart: no ids, names, addresses and moments.
fn alike(mut row: Value) -> Value {
    for field in [
        "id", "email", "name", "first_name", "last_name", "partner_id", "target_id", "restaurant_ids",
        "created_at", "version",
    ] {
        row.as_object_mut().unwrap().remove(field);
    }
    row
}

#[testkit::test]
async fn adding_a_person_with_a_password_always_answers_alike() {
    let scene = scene().await;
    // An address that nobody has; one that another partner has invited.
    let (email, _) = scene.held().await;
    assert_eq!(scene.owner(&email).await, "P");
    let invited = address();
    let before = scene.add(&scene.at_q, &invited, "Meghívott Miklós", None).await.assert(201).json();
    let answers = [
        scene.add(&scene.at_p, &address(), "Új Ubul", Some(CHOSEN)).await.assert(201).json(),
        scene.add(&scene.at_p, &invited, "Más Név", Some(CHOSEN)).await.assert(201).json(),
        // One that another partner holds; one that is somebody's own.
        scene.add(&scene.at_q, &email, "Tartott Tamás", Some("a másik választása")).await.assert(201).json(),
        scene.add(&scene.at_p, &scene.own().await.0, "Saját Sára", Some(CHOSEN)).await.assert(201).json(),
    ];
    assert!(answers.iter().all(|row| alike(row.clone()) == alike(answers[0].clone())), "{answers:?}");
    assert_eq!(answers[0]["status"], "active");
    assert_eq!((scene.owner(&invited).await, scene.owner(&email).await), ("P", "P"));
    // The password of the second is dropped; that of the first opens the first partner only, under the name
    // that was typed there.
    scene.refused(&email, "a másik választása").await;
    let held =
        scene.signed_in(&invited, CHOSEN).await.get("/api/v3/admin/me").send().await.assert(200).json();
    assert_eq!(
        (targets(&held), &held["name"]),
        (vec![scene.p.partner.to_string().as_str()], &json!("Más Név"))
    );
    assert_eq!(
        (&held["bound"], &held["changeable"], &held["password_changeable"]),
        (&json!("password"), &json!(false), &json!(true))
    );
    // The id says nothing of when the account was made.
    let id: Uuid = held["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(id.get_version_num(), 4);
    // Where it was invited first nothing has changed, and the same partner cannot add it again.
    let path = format!("/admins/{}", before["id"].as_str().unwrap());
    assert_eq!(scene.at_q.get(&path).send().await.json(), before);
    scene.add(&scene.at_p, &email, "x", Some(CHOSEN)).await.assert_problem(409, "USER_EMAIL_TAKEN");
    assert_eq!(scene.owner(&email).await, "P");
}

#[testkit::test]
async fn concurrent_additions_of_one_address_make_one_row() {
    let scene = scene().await;
    for _ in 0..3 {
        let email = address();
        let (one, two) = futures_util::future::join(
            scene.add(&scene.at_p, &email, "Egyszerre Edit", Some(CHOSEN)),
            scene.add(&scene.at_q, &email, "Egyszerre Edit", Some("a másik választása")),
        )
        .await;
        assert_eq!(alike(one.assert(201).json()), alike(two.assert(201).json()));
        let (mine, other) = if scene.owner(&email).await == "P" {
            (CHOSEN, "a másik választása")
        } else {
            ("a másik választása", CHOSEN)
        };
        scene.refused(&email, other).await;
        let me = scene.signed_in(&email, mine).await.get("/api/v3/admin/me").send().await.assert(200).json();
        assert_eq!(targets(&me).len(), 1);
    }
}

#[testkit::test]
async fn an_invitation_of_another_partner_changes_nothing_and_is_not_seen() {
    let scene = scene().await;
    let (email, id) = scene.held().await;
    let attacker = scene.signed_in(&email, CHOSEN).await;
    let path = format!("/admins/{id}");
    let (seen, me) =
        (scene.at_p.get(&path).send().await.json(), attacker.get("/api/v3/admin/me").send().await.json());
    let row = scene.add(&scene.at_q, &email, "Meghívott Miklós", None).await.assert(201).json();
    assert_eq!((&row["status"], &row["uid"]), (&json!("invited"), &json!(null)));
    let path_there = format!("/admins/{}", row["id"].as_str().unwrap());
    scene
        .at_q
        .put(&path_there)
        .json(new_password("csapda, harmadik"))
        .send()
        .await
        .assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    // Looking at the link proves nothing.
    let link = scene.invitation(row["id"].as_str().unwrap()).await;
    scene.elsewhere().get(&link).send().await.assert(200);
    assert_eq!(
        (&scene.at_p.get(&path).send().await.json(), &attacker.get("/api/v3/admin/me").send().await.json()),
        (&seen, &me)
    );
    let shared = "select shared from control.admins($1::text::uuid, null, null, null, null, 1, 0)";
    let tx = format!("set local role {}", scene.p.schema);
    assert!(!read_as_role(&scene, &tx, shared, &id).await, "only who has accepted is somebody's elsewhere");
    let there =
        format!("/api/v3/admin/partners/{}/restaurants/{}/admins", scene.q.partner, scene.q.restaurant);
    attacker.get(&there).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    assert_eq!(scene.owner(&email).await, "P");
    // The admin there still changes the name and sets the password, as if there were no invitation.
    scene.at_p.put(&path).json(json!({"last_name": "Átírt"})).send().await.assert(200);
    assert_eq!(attacker.get("/api/v3/admin/me").send().await.json()["last_name"], "Átírt");
    scene.at_p.put(&path).json(new_password("csapda, második")).send().await.assert(200);
    // An own account, invited elsewhere: nothing changes either.
    let (email, _) = scene.own().await;
    let mine = scene.signed_in(&email, OWN).await;
    scene.add(&scene.at_p, &email, "Saját Sára", None).await.assert(201);
    assert_eq!((scene.owner(&email).await, mine.get("/api/v3/admin/me").send().await.status), ("own", 200));
}

/// One boolean that a partner's role reads.
async fn read_as_role(scene: &Scene, role: &str, sql: &str, id: &str) -> bool {
    use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend, Statement, TransactionTrait};
    let options = ConnectOptions::new(scene.p.kit.database_url.to_string())
        .max_connections(1)
        .sqlx_logging(false)
        .to_owned();
    let tx = Database::connect(options).await.unwrap().begin().await.unwrap();
    tx.execute_unprepared(role).await.unwrap();
    let row = tx
        .query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, [id.into()]))
        .await
        .unwrap()
        .unwrap();
    row.try_get_by_index(0).unwrap()
}

#[testkit::test]
async fn an_admin_sets_the_password_of_whom_the_partner_holds() {
    let scene = scene().await;
    let (email, id) = scene.held().await;
    let before = scene.signed_in(&email, CHOSEN).await;
    let put = |by: &Client<'static>, id: &str, password: &str| {
        by.put(&format!("/admins/{id}")).json(new_password(password)).send()
    };
    put(&scene.at_p, &id, "csapda, második").await.assert(200);
    scene.is_out(&before).await;
    scene.refused(&email, CHOSEN).await;
    scene.signed_in(&email, "csapda, második").await;
    assert_eq!(scene.owner(&email).await, "P");
    // Let in elsewhere by that partner's provider: held as before, and no business of the other one.
    let row = scene.add(&scene.at_q, &email, "Tartott Tamás", None).await.assert(201).json();
    let there = row["id"].as_str().unwrap().to_owned();
    scene
        .p
        .kit
        .run(
            "update control.admin set status = 'active' where id = $1::text::uuid",
            vec![there.clone().into()],
        )
        .await;
    put(&scene.at_q, &there, "a másik választása").await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    put(&scene.at_p, &id, "csapda, harmadik").await.assert(200);
    let me = scene
        .signed_in(&email, "csapda, harmadik")
        .await
        .get("/api/v3/admin/me")
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        targets(&me),
        [scene.p.partner.to_string().as_str()],
        "though the account is somebody at both"
    );

    // Somebody's own, here alone: held from then on, out everywhere, and the second factor is still asked.
    let (email, id) = scene.own().await;
    let mine = scene.signed_in(&email, OWN).await;
    let secret = mine.post("/api/v3/admin/me/second-factor").json(json!({})).send().await.assert(200).json()
        ["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let code = accounts::current_code(&secret).unwrap();
    mine.put("/api/v3/admin/me/second-factor").json(json!({ "code": code })).send().await.assert(200);
    put(&scene.at_q, &id, "a másik választása").await.assert(200);
    scene.is_out(&mine).await;
    assert_eq!(scene.owner(&email).await, "Q");
    sign_in(&scene.p.nobody(), &email, "a másik választása", None)
        .await
        .assert_problem(401, "SECOND_FACTOR_REQUIRED");
    // With an accepted row elsewhere, or as a super admin: nobody's to set; with an invitation elsewhere, as
    // without.
    let (email, id) = scene.own().await;
    let row = scene.add(&scene.at_p, &email, "Saját Sára", None).await.assert(201).json();
    let link = scene.invitation(row["id"].as_str().unwrap()).await;
    scene.elsewhere().put(&link).json(json!({})).send().await.assert(204);
    put(&scene.at_q, &id, CHOSEN).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    put(&scene.at_p, row["id"].as_str().unwrap(), CHOSEN).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    let (email, id) = scene.own().await;
    scene.add(&scene.at_p, &email, "Saját Sára", None).await.assert(201);
    put(&scene.at_q, &id, CHOSEN).await.assert(200);
    let (email, id) = scene.own().await;
    scene
        .p
        .kit
        .run("update control.account set super_admin = true where email = $1", vec![email.clone().into()])
        .await;
    put(&scene.at_q, &id, CHOSEN).await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    assert_eq!(scene.owner(&email).await, "own");
}

#[testkit::test]
async fn a_changed_address_takes_the_account_along_only_when_it_is_nobodys_own() {
    let scene = scene().await;
    let count = async |email: &str| {
        let row = scene
            .p
            .kit
            .row("select count(*) n from control.account where email = $1", vec![email.into()])
            .await;
        row.try_get::<i64>("", "n").unwrap()
    };
    let (held, id) = scene.held().await;
    let inside = scene.signed_in(&held, CHOSEN).await;
    let new = address();
    let row =
        scene.at_p.put(&format!("/admins/{id}")).json(json!({"email": new})).send().await.assert(200).json();
    assert_eq!(
        (&row["status"], count(&held).await, scene.owner(&new).await),
        (&json!("invited"), 0, "nobody")
    );
    scene.is_out(&inside).await;
    scene.refused(&new, CHOSEN).await;
    // Invited elsewhere it stays, and what is held opens nothing.
    let (held, id) = scene.held().await;
    scene.add(&scene.at_q, &held, "Tartott Tamás", None).await.assert(201);
    scene.at_p.put(&format!("/admins/{id}")).json(json!({"email": address()})).send().await.assert(200);
    assert_eq!(count(&held).await, 1);
    sign_in(&scene.p.nobody(), &held, CHOSEN, None).await.assert_problem(403, "NO_ADMIN_ACCESS");
    // An own account stays.
    let (own, id) = scene.own().await;
    scene.at_q.put(&format!("/admins/{id}")).json(json!({"email": address()})).send().await.assert(200);
    assert_eq!((count(&own).await, scene.owner(&own).await), (1, "own"));
}

#[testkit::test]
async fn an_archived_person_comes_back_as_an_invitation() {
    let scene = scene().await;
    let (held, id) = scene.held().await;
    let inside = scene.signed_in(&held, CHOSEN).await;
    scene.at_p.delete(&format!("/admins/{id}")).send().await.assert(204);
    inside.get("/admins").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    let again =
        scene.add(&scene.at_p, &held, "Tartott Tamás", Some("csapda, második")).await.assert(201).json();
    assert_eq!((&again["id"], scene.owner(&held).await), (&json!(id), "P"));
    scene.refused(&held, "csapda, második").await;
    sign_in(&scene.p.nobody(), &held, CHOSEN, None).await.assert_problem(403, "NO_ADMIN_ACCESS");
    let (own, id) = scene.own().await;
    scene.at_q.delete(&format!("/admins/{id}")).send().await.assert(204);
    scene.add(&scene.at_q, &own, "Saját Sára", Some(CHOSEN)).await.assert(201);
    assert_eq!(scene.owner(&own).await, "own");
    sign_in(&scene.p.nobody(), &own, OWN, None).await.assert_problem(403, "NO_ADMIN_ACCESS");

    // Accounts held by a removed partner become empty.
    let (held, _) = scene.held().await;
    scene.add(&scene.at_q, &held, "Tartott Tamás", None).await.assert(201);
    scene.plant(&held).await;
    let sql = "update control.partner set status = 'deleting', delete_at = now() where id = $1";
    scene.p.kit.run(sql, vec![scene.p.partner.into()]).await;
    assert!(scene.p.kit.provisioner().remove(scene.p.partner).await.unwrap());
    let nothing = State {
        own: false,
        held_by: None,
        password: false,
        factors: 0,
        identities: 0,
        sessions: 0,
        devices: 0,
    };
    assert_eq!(scene.state(&held).await, nothing);
}

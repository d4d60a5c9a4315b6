//! The audit log: lines, chain, refusals, support. See `docs/decisions/security.md#audit-log`.

use kernel::{Id, Partner};
use rand::{Rng, SeedableRng, rngs::StdRng};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, Statement,
    TransactionTrait,
};
use serde_json::{Value, json};
use testkit::{Place, kit};

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Makes a courier-like history: a key that is made, renamed and revoked.
async fn history(place: &Place<'_>, name: &str) -> String {
    let admin = place.admin().await;
    let key = admin.post("/api-keys").json(json!({"name": name})).send().await.assert(201).json();
    let path = format!("/api-keys/{}", text(&key["id"]));
    admin.put(&path).json(json!({"name": format!("{name} 2")})).send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    text(&key["id"]).to_owned()
}

#[testkit::test]
async fn a_line_names_its_record_also_when_the_name_is_not_what_changed() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let key = admin.post("/api-keys").json(json!({"name": "Bolt"})).send().await.assert(201).json();
    let path = format!("/api-keys/{}", text(&key["id"]));
    admin.put(&path).json(json!({"expires_at": "2100-01-01T00:00:00Z"})).send().await.assert(200);
    let rows = admin.get("/audit").send().await.assert(200).json();
    assert_eq!((&rows[0]["record_name"], &rows[0]["details"]["name"]), (&json!("Bolt"), &json!(null)));
}

/// Makes a device, a key, a product category and a person of a restaurant, and answers their ids with its
/// own.
async fn records(place: &Place<'_>) -> Vec<String> {
    let admin = place.admin().await;
    let mut ids = vec![place.restaurant.to_string()];
    for (path, body) in
        [("/api-keys", json!({"name": "Bolt"})), ("/product-categories", json!({"name": "Levesek"}))]
    {
        ids.push(text(&admin.post(path).json(body).send().await.assert(201).json()["id"]).to_owned());
    }
    let device = "insert into control.device (id, partner_id, restaurant_id, kind, name) \
        values (gen_random_uuid(), $1, $2, 'kiosk', 'Bejárat')";
    place.kit.run(device, vec![place.partner.into(), place.restaurant.into()]).await;
    let known = format!(
        "select id::text from control.device where restaurant_id = '{0}' \
         union all (select id::text from control.admin where '{0}' = any (restaurant_ids) limit 1)",
        place.restaurant
    );
    ids.extend(place.kit.texts(&known).await);
    ids
}

#[testkit::test]
async fn names_are_those_of_the_callers_place() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (own, foreign) = (records(&place).await, records(&kit.restaurant_of(place.partner).await).await);
    let cash = kit.texts("select id::text from ref.payment_method where payment_key = 'cash'").await;
    let ids = [own.clone(), foreign.clone(), cash.clone(), records(&kit.stranger().await).await].concat();
    let write = format!(
        "with a as (insert into {0}.audit (id, restaurant_id, actor_kind, actor_name, action) \
         values (gen_random_uuid(), $1, 'job', 'teszt', 'names_test') returning id) \
         insert into {0}.audit_detail (audit_id, details) select id, $2 from a",
        place.schema
    );
    kit.run(&write, vec![place.restaurant.into(), json!({"ids": [null, ids]}).into()]).await;
    for (client, log, expected) in [
        (place.admin().await, "/audit", [own.clone(), cash.clone()].concat()),
        (place.partner_admin().await, "/audit", [own.clone(), foreign.clone(), cash.clone()].concat()),
    ] {
        let lines = client.get(&format!("{log}?action=names_test")).send().await.assert(200).json();
        let names = lines[0]["names"].as_array().unwrap();
        assert!(names.iter().all(|one| !text(&one["name"]).is_empty()), "{names:?}");
        let mut found: Vec<&str> = names.iter().map(|one| text(&one["id"])).collect();
        let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[testkit::test]
async fn the_log_is_filtered_and_paged_newest_first() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let first = history(&place, "Első").await;
    let second = history(&place, "Második").await;
    history(&other, "Másik").await;
    let admin = place.admin().await;
    let get = |query: &str| {
        let call = admin.get(&format!("/audit{query}"));
        async move { call.send().await.assert(200) }
    };
    let all = get("?count=true").await;
    assert_eq!(all.header("x-total-count"), Some("6"));
    let rows = all.json();
    assert_eq!(rows[0]["action"], "api_keys_delete");
    assert_eq!(rows[0]["record_id"], second);
    let names: Vec<&str> = rows.as_array().unwrap().iter().map(|row| text(&row["restaurant_name"])).collect();
    assert!(names.iter().all(|name| name.contains(&place.restaurant.to_string())), "only the own restaurant");
    assert_eq!((&rows[1]["actor_kind"], &rows[1]["actor_name"]), (&json!("admin"), &json!("Teszt Próba")));

    // One record's history.
    let one = get(&format!("?record_id={first}")).await.json();
    assert_eq!(one.as_array().unwrap().len(), 3);
    assert_eq!(one[1]["details"], json!({"name": ["Első", "Első 2"]}));
    let then: Vec<&str> = one.as_array().unwrap().iter().map(|row| text(&row["record_name"])).collect();
    assert_eq!(then, ["Első 2", "Első 2", "Első"], "as it was called then");
    assert!(text(&one[1]["request_id"]).len() == 32);
    for (query, count) in [
        ("?action=api_keys_update", 2),
        ("?action=api_keys", 6),
        ("?action=api_key", 0),
        ("?action=api%25", 0),
        ("?name=teszt%20proba", 6),
        ("?name=nobody", 0),
        ("?name=", 6),
        ("?from=2100-01-01T00:00:00Z", 0),
        ("?till=2100-01-01T00:00:00Z", 6),
        ("?till=2020-01-01T00:00:00Z", 0),
        ("?limit=4", 4),
        ("?limit=4&page=1", 2),
    ] {
        assert_eq!(get(query).await.json().as_array().unwrap().len(), count, "{query}");
    }
    let actor = format!("?actor={}", text(&rows[0]["actor_id"]));
    assert_eq!(get(&actor).await.json().as_array().unwrap().len(), 3);
    for (query, key) in [
        ("?from=yesterday", "from"),
        ("?actor=me", "actor"),
        ("?record_id=7", "record_id"),
        ("?limit=0", "limit"),
    ] {
        admin.get(&format!("/audit{query}")).send().await.assert_keys(&[key]);
    }

    // The partner's log has both restaurants and is for admins of the whole partner.
    let partner = format!("/api/v3/admin/partners/{}/audit", place.partner);
    admin.get(&partner).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let owner = place.partner_admin().await;
    let actions: Vec<Value> = owner
        .get(&format!("{partner}?action=api_keys"))
        .send()
        .await
        .assert(200)
        .json()
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(actions.len(), 9);
    let stranger = kit.stranger().await.partner_admin().await;
    stranger.get(&partner).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    place
        .with_keys(&["order"])
        .await
        .get("/audit")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn refusals_of_rights_are_noted_once() {
    let place = kit().await.partner().await;
    let waiter = place.with_keys(&["order"]).await;
    for _ in 0..3 {
        waiter.get("/audit").send().await.assert(403);
        waiter.post("/api-keys").json(json!({"name": "x"})).send().await.assert(403);
    }
    let rows = place.admin().await.get("/audit?action=permission_refused").send().await.assert(200).json();
    let calls: Vec<&str> =
        rows.as_array().unwrap().iter().map(|row| text(&row["details"]["call"][1])).collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0].starts_with("POST ") && calls[0].ends_with("/api-keys") && calls[1].starts_with("GET "));
}

#[testkit::test]
async fn sign_ins_stand_in_the_partners_log_and_failed_ones_in_the_platforms() {
    let kit = kit().await;
    let place = kit.partner().await;
    let email = format!("{}@pult.test", uuid::Uuid::now_v7().simple());
    let admin = tenants::AdminSpec {
        email: email.clone(),
        first_name: "Éva".into(),
        last_name: "Próba".into(),
        password_hash: Some(access::passwords::hash("szilvásgombóc".into()).await.unwrap()),
        super_admin: false,
        target: Some((place.partner, Some(vec![place.restaurant]))),
        permission_keys: vec!["admin_login".into()],
        full_target_access: false,
        surfaces: vec!["admin".into()],
    };
    kit.provisioner().save_admin(&admin).await.unwrap();
    let sign_in = |email: String, password: &str| {
        let body = json!({"admin": {"email": email, "password": password}});
        place.nobody().post("/api/v3/admins/sign_in").json(body).send()
    };
    let wrong = sign_in(email.clone(), "rossz jelszó").await.assert(401);
    let unknown = sign_in(format!("x{email}"), "rossz jelszó").await.assert(401);
    let right = sign_in(email.clone(), "szilvásgombóc").await.assert(200);
    let rows = place.admin().await.get("/audit?action=sessions_sign_in").send().await.assert(200).json();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["actor_name"]), (1, &json!("Próba Éva")));
    assert_eq!(rows[0]["request_id"], right.header("x-request-id").unwrap());
    assert_eq!(rows[0]["details"]["surface"], json!([null, "admin"]));
    let platform = place.super_admin().await;
    let failed = platform
        .get("/api/v3/super-admin/audit?action=sessions_sign_in_failed&limit=200")
        .send()
        .await
        .assert(200)
        .json();
    let of = |answer: &testkit::Answer| {
        let id = answer.header("x-request-id").unwrap().to_owned();
        failed
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["request_id"] == id.as_str())
            .cloned()
            .expect("a line of the request")
    };
    assert_eq!(of(&wrong)["actor_name"], email);
    assert_eq!(
        (&of(&unknown)["actor_name"], &of(&unknown)["actor_id"]),
        (&json!(""), &Value::Null),
        "what was typed is not kept"
    );
}

#[testkit::test]
async fn the_platforms_log_is_for_super_admins() {
    let kit = kit().await;
    let place = kit.partner().await;
    let write = "select control.audit('admin', null, 'Üzemeltető', 'partners_suspend', $1, $1, 'r', \
        '{\"reason\": [null, \"teszt\"]}')::text";
    kit.run(write, vec![place.partner.into()]).await;
    let path = format!("/api/v3/super-admin/audit?count=true&partner={}", place.partner);
    let answer = place.super_admin().await.get(&path).send().await.assert(200);
    assert_eq!(answer.header("x-total-count"), Some("1"));
    let row = &answer.json()[0];
    assert_eq!(
        (&row["action"], &row["details"]),
        (&json!("partners_suspend"), &json!({"reason": [null, "teszt"]}))
    );
    assert_eq!(row["partner_name"], format!("Partner {}", place.partner));
    assert_eq!(row["names"], json!([]));
    let named = "select control.audit('admin', null, 'Üzemeltető', 'names_test', null, $1, 'r', \
        jsonb_build_object('ids', array[$1, $2, $3]))::text";
    let account = place.partner_admin().await.get("/api/v3/admin/me").send().await.json();
    let id: uuid::Uuid = text(&account["id"]).parse().unwrap();
    kit.run(named, vec![place.partner.into(), place.restaurant.into(), id.into()]).await;
    let lines = format!("/api/v3/super-admin/audit?action=names_test&record_id={}", place.partner);
    let lines = place.super_admin().await.get(&lines).send().await.assert(200).json();
    let names = lines[0]["names"].as_array().unwrap();
    let name_of = |id: &str| names.iter().find(|one| one["id"] == id).map(|one| text(&one["name"]));
    assert_eq!(name_of(&place.partner.to_string()), Some(&*format!("Partner {}", place.partner)));
    assert!(name_of(&place.restaurant.to_string()).is_some() && name_of(text(&account["id"])).is_some());
    // It is sealed like the partners' logs.
    let sealed = "select count(*) n from control.audit_seal s join control.platform_audit a on a.id = \
        s.audit_id where a.partner_id = $1";
    let mut lines = 0;
    for _ in 0..100 {
        access::enqueue_seals(&kit.app).await.unwrap();
        kit.run_jobs().await;
        lines = kit.row(sealed, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap();
        if lines > 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(lines, 1);
    place.partner_admin().await.get(&path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

/// Does one forbidden change of the log, and answers its name.
async fn tamper(tx: &DatabaseTransaction, schema: &str, random: &mut StdRng, lines: u32) -> &'static str {
    let number = random.random_range(1..=lines);
    let other = (number + random.random_range(1..lines) - 1) % lines + 1;
    let line = format!("(select audit_id from {schema}.audit_seal where number = {number})");
    let (what, statements) = match random.random_range(0..12) {
        0 => (
            "a name",
            vec![format!("update {schema}.audit set actor_name = actor_name || 'x' where id = {line}")],
        ),
        1 => (
            "a time",
            vec![format!("update {schema}.audit set at = at + interval '1 microsecond' where id = {line}")],
        ),
        2 => ("an action", vec![format!("update {schema}.audit set action = 'nothing' where id = {line}")]),
        3 => (
            "a record",
            vec![format!("update {schema}.audit set record_id = gen_random_uuid() where id = {line}")],
        ),
        4 => (
            "names of fields",
            vec![format!("update {schema}.audit set fields = fields || '{{x}}' where id = {line}")],
        ),
        5 => (
            "details",
            vec![format!(
                "update {schema}.audit_detail set details = details || '{{\"x\": 1}}' where audit_id = {line}"
            )],
        ),
        6 => ("details removed", vec![format!("delete from {schema}.audit_detail where audit_id = {line}")]),
        7 => (
            "a line removed",
            vec![
                format!("delete from {schema}.audit_detail where audit_id = {line}"),
                format!("delete from {schema}.audit where id = {line}"),
            ],
        ),
        8 => (
            "a line removed with its seal",
            vec![
                format!("delete from {schema}.audit_detail where audit_id = {line}"),
                format!("delete from {schema}.audit where id = {line}"),
                format!("delete from {schema}.audit_seal where number = {number}"),
            ],
        ),
        9 => (
            "two lines changed places",
            vec![
                format!("update {schema}.audit_seal set number = -1 where number = {number}"),
                format!("update {schema}.audit_seal set number = {number} where number = {other}"),
                format!("update {schema}.audit_seal set number = {other} where number = -1"),
            ],
        ),
        10 => (
            "the end was cut off",
            vec![
                format!(
                    "delete from {schema}.audit_detail where audit_id in (select audit_id from \
                     {schema}.audit_seal where number >= {number})"
                ),
                format!(
                    "delete from {schema}.audit where id in (select audit_id from {schema}.audit_seal where \
                     number >= {number})"
                ),
                format!("delete from {schema}.audit_seal where number >= {number}"),
            ],
        ),
        _ => (
            "the seal",
            vec![format!("update {schema}.audit_seal set link = sha256(link) where number = {number}")],
        ),
    };
    for statement in statements {
        tx.execute_unprepared(&statement).await.unwrap();
    }
    what
}

/// Has the log sealed, until this many lines are. Jobs are shared by all tests of a database: another process
/// may do it.
async fn seal(place: &Place<'_>, lines: i64) {
    access::enqueue_seals(&place.kit.app).await.unwrap();
    let sql = "select coalesce((select number from control.audit_head where partner_id = $1), 0) number";
    for _ in 0..100 {
        place.kit.run_jobs().await;
        let sealed: i64 = place.kit.row(sql, vec![place.partner.into()]).await.try_get("", "number").unwrap();
        assert!(sealed <= lines, "{sealed} lines are sealed, and {lines} were written");
        if sealed == lines {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the log was not sealed");
}

#[testkit::test]
async fn a_new_line_does_not_wait_for_the_seal_that_a_start_has_ordered() {
    let place = kit().await.partner().await;
    let job = "insert into control.job (partner_id, kind, key, attempts, run_at) values ($1, 'audit_seal', \
        'seal', $2, now() + interval '1 hour')";
    let waits = "select count(*) n from control.job where partner_id = $1 and kind = 'audit_seal' and run_at > \
        now() + interval '50 minutes'";
    let waits =
        async || -> i64 { place.kit.row(waits, vec![place.partner.into()]).await.try_get("", "n").unwrap() };
    // One that has failed keeps its pause.
    place.kit.run(job, vec![place.partner.into(), 1.into()]).await;
    history(&place, "kulcs").await;
    access::enqueue_seals(&place.kit.app).await.unwrap();
    assert_eq!(waits().await, 1);
    place.kit.run("delete from control.job where partner_id = $1", vec![place.partner.into()]).await;
    place.kit.run(job, vec![place.partner.into(), 0.into()]).await;
    history(&place, "kulcs 3").await;
    access::enqueue_seals(&place.kit.app).await.unwrap();
    assert_eq!(waits().await, 0);
}

/// What is found wrong with a partner's log, or with the platform's own, as this transaction sees it.
async fn faults(tx: &DatabaseTransaction, partner: Option<Id<Partner>>) -> Vec<String> {
    let sql = "select fault from control.verify_audit($1)";
    let found = tx
        .query_all_raw(Statement::from_sql_and_values(
            DbBackend::Postgres,
            sql,
            [partner.map(Id::uuid).into()],
        ))
        .await
        .unwrap();
    found.iter().map(|row| row.try_get("", "fault").unwrap()).collect()
}

/// Changes the log this many times, and each time that is found.
async fn all_found(
    db: &DatabaseConnection, rounds: usize, partner: Option<Id<Partner>>, schema: &str, lines: u32,
) {
    let seed = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    for round in 0..rounds {
        let tx = db.begin().await.unwrap();
        let what = tamper(&tx, schema, &mut random, lines).await;
        assert!(!faults(&tx, partner).await.is_empty(), "round {round} of seed {seed}: {what} was not found");
        tx.rollback().await.unwrap();
    }
}

#[testkit::test]
async fn changes_of_the_platforms_own_log_are_all_found() {
    // An installation of its own: in the shared one every test writes into this log.
    let (setup, url) = kit().await.own_installation("audit").await;
    let db = Database::connect(
        ConnectOptions::new(url.as_str()).max_connections(1).sqlx_logging(false).to_owned(),
    )
    .await
    .unwrap();
    let write = async |from: u32, to: u32| {
        for number in from..to {
            let sql = "select control.audit('admin', gen_random_uuid(), 'Üzemeltető', 'partners_create', \
                gen_random_uuid(), gen_random_uuid(), 'r', \
                       jsonb_build_object('name', jsonb_build_array(null, $1::int), 'mode', '[null, \
                       \"live\"]'::jsonb))::text";
            db.query_one_raw(Statement::from_sql_and_values(
                DbBackend::Postgres,
                sql,
                [number.cast_signed().into()],
            ))
            .await
            .unwrap();
        }
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared("set local role pult_platform").await.unwrap();
        let sealed = tx
            .query_one_raw(Statement::from_string(
                DbBackend::Postgres,
                "select sealed from control.seal_audit(2000)",
            ))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(sealed.unwrap().try_get::<i32>("", "sealed").unwrap(), (to - from).cast_signed());
    };
    write(0, 15).await;
    write(15, 20).await;
    let logs = tenants::verify_audit(&setup).await.unwrap();
    assert_eq!((logs.len(), logs[0].partner, logs[0].sealed, logs[0].faults.len()), (1, None, 20, 0));
    // Removing a partner empties the details of its lines.
    let tx = db.begin().await.unwrap();
    tx.execute_unprepared("update control.platform_audit set details = null, salt = null").await.unwrap();
    assert_eq!(faults(&tx, None).await, Vec::<String>::new());
    tx.rollback().await.unwrap();
    all_found(&db, 300, None, "control", 20).await;
    // Neither the login role nor the platform's can touch a line or a seal.
    for role in ["pult_app", "pult_platform", "pult_tenant"] {
        for sql in [
            "update control.platform_audit set action = 'x'",
            "delete from control.platform_audit",
            "delete from control.audit_seal",
            "update control.platform_head set number = 0",
            "update control.audit set action = 'x'",
        ] {
            let tx = db.begin().await.unwrap();
            tx.execute_unprepared(&format!("set local role {role}")).await.unwrap();
            assert!(tx.execute_unprepared(sql).await.is_err(), "{role} may {sql}");
            tx.rollback().await.unwrap();
        }
    }
}

#[testkit::test]
async fn a_thousand_changes_of_the_sealed_log_are_all_found() {
    let kit = kit().await;
    let place = kit.partner().await;
    for number in 0..6 {
        history(&place, &format!("Kulcs {number}")).await;
    }
    seal(&place, 18).await;
    // Sealing again seals nothing twice; new lines continue the chain.
    history(&place, "Később").await;
    let lines = 21;
    seal(&place, lines.into()).await;

    let db = Database::connect(
        ConnectOptions::new(kit.owner_url.to_string()).max_connections(1).sqlx_logging(false).to_owned(),
    )
    .await
    .unwrap();
    let tx = db.begin().await.unwrap();
    assert_eq!(
        faults(&tx, Some(place.partner)).await,
        Vec::<String>::new(),
        "the untouched log is found to be good"
    );
    // Emptied details are none of it: anonymising may do that.
    tx.execute_unprepared(&format!("update {}.audit_detail set details = null, salt = null", place.schema))
        .await
        .unwrap();
    assert_eq!(faults(&tx, Some(place.partner)).await, Vec::<String>::new());
    tx.rollback().await.unwrap();

    all_found(&db, 1_000, Some(place.partner), &place.schema, lines).await;
    // A line that was put in beside the sealer.
    let tx = db.begin().await.unwrap();
    let put = format!(
        "insert into {}.audit (id, at, actor_kind, actor_name, action) values (gen_random_uuid(), now() - \
         interval '2 hours', 'admin', 'x', 'y')",
        place.schema
    );
    tx.execute_unprepared(&put).await.unwrap();
    assert_eq!(faults(&tx, Some(place.partner)).await, ["it was never sealed"]);
    tx.rollback().await.unwrap();
    let logs = tenants::verify_audit(kit.setup()).await.unwrap();
    let log = logs.iter().find(|log| log.partner == Some(place.partner)).unwrap();
    assert_eq!((log.sealed, log.faults.len()), (21, 0));
}

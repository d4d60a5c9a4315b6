//! Partners on another database server. Here that is another database of the same server; the drill `move-partner` has
//! two, and `cargo xtask nightly elsewhere` runs all tests so.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tenants::{OwnedServer, PlatformProof, Relocation, Setup};
use testkit::{Kit, kit};
use uuid::Uuid;

/// One number, as the owner of that database sees it.
async fn number(url: &url::Url, sql: &str) -> i64 {
    let mut owner = PgConnection::connect(url.as_str()).await.unwrap();
    let found = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut owner).await.unwrap();
    owner.close().await.unwrap();
    found
}

async fn east(kit: &Kit, sql: &str) -> i64 {
    number(kit.east_url().unwrap(), sql).await
}

async fn home(kit: &Kit, sql: &str) -> i64 {
    number(&kit.owner_url, sql).await
}

#[testkit::test]
async fn a_partner_on_another_server_works_and_moves_back_with_everything() {
    let kit = kit().await.beside_on_two_servers("servers").await;
    let place = kit.partner().await;
    let (schema, partner) = (place.schema.as_str(), place.partner);
    let there = format!("select count(*) from pg_namespace where nspname = '{schema}'");
    assert_eq!((home(&kit, &there).await, east(&kit, &there).await), (0, 1));

    // A row at home and a line of the log there, at once.
    let admin = place.admin().await;
    let body = json!({"name": "kulcs", "scopes": ["menu:read"]});
    let first = admin.post("/api-keys").json(body).send().await.assert(201).json();
    let id = first["id"].as_str().unwrap();
    assert_eq!(home(&kit, &format!("select count(*) from control.api_key where id = '{id}'")).await, 1);
    let line = format!(
        "select count(*) from {schema}.audit where record_id = '{id}' and action = 'api_keys_create'"
    );
    assert_eq!(east(&kit, &line).await, 1);
    assert_eq!(
        home(&kit, "select count(*) from pg_prepared_xacts where database = current_database()").await,
        0
    );
    // What is refused leaves neither.
    admin.post("/api-keys").json(json!({"name": "", "scopes": []})).send().await.assert(422);
    let keys = format!("select count(*) from control.api_key where partner_id = '{partner}'");
    assert_eq!(home(&kit, &keys).await, 1);

    // The key opens the door. The answer of a repeated request comes from there.
    let key = place.nobody().bearer(first["api_key"].as_str().unwrap());
    key.get("/public/menu").send().await.assert(200);
    let courier = json!({"first_name": "Pál", "last_name": "Futár"});
    let create =
        async || admin.post("/couriers").key("one").json(courier.clone()).send().await.assert(201).json();
    assert_eq!(create().await["id"], create().await["id"]);

    // A job is written there with what causes it, and run from the queue at home.
    let tx = kit.app.door.begin_job(&PlatformProof::runner(), partner).await.unwrap().unwrap();
    work::enqueue(&tx, "audit_seal", None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    let jobs = format!("select count(*) from control.job where partner_id = '{partner}' and key is null");
    assert_eq!((home(&kit, &jobs).await, east(&kit, &jobs).await), (0, 1));
    kit.run_jobs().await;
    assert_eq!((home(&kit, &jobs).await, east(&kit, &jobs).await), (0, 0));

    // A line that no unit of work of the partner writes comes to its log, and is sealed there.
    let owner = kit.owner_url.clone();
    let mut db = PgConnection::connect(owner.as_str()).await.unwrap();
    let account: Uuid =
        sqlx::query_scalar("select account_id from control.admin where partner_id = $1 limit 1")
            .bind(partner.uuid())
            .fetch_one(&mut db)
            .await
            .unwrap();
    sqlx::query("select control.audit_sign_in($1, null, 'admin', '127.0.0.1', 'r')")
        .bind(account)
        .execute(&mut db)
        .await
        .unwrap();
    kit.run_jobs().await;
    access::audit::seal_all(&kit.app).await.unwrap();
    db.execute("update control.job set run_at = now() where kind = 'audit_seal'").await.unwrap();
    kit.run_jobs().await;
    let lines = format!("select count(*) from {schema}.audit where action = 'sessions_sign_in'");
    assert!(east(&kit, &lines).await >= 1);
    let unsealed = format!(
        "select count(*) from {schema}.audit a where not exists (select from {schema}.audit_seal s where s.audit_id = a.id)"
    );
    assert_eq!(east(&kit, &unsealed).await, 0);
    for logs in [
        tenants::verify_audit(&kit.servers()["east"]).await.unwrap(),
        tenants::verify_audit(kit.setup()).await.unwrap(),
    ] {
        assert!(logs.iter().all(|log| log.faults.is_empty()), "{logs:?}");
    }

    // A tax rate that the platform writes later, and changes, is known there too.
    let vat = Uuid::new_v4();
    let sql = format!(
        "insert into ref.vat select (jsonb_populate_record(v, jsonb_build_object('id', '{vat}'))).* from ref.vat v limit 1"
    );
    db.execute(AssertSqlSafe(sql)).await.unwrap();
    let known = format!("select count(*) from ref.vat where id = '{vat}'");
    assert_eq!(east(&kit, &known).await, 0);
    for _ in 0..2 {
        work::carrier::carry_reference(&kit.app.door, &PlatformProof::runner(), "east").await.unwrap();
    }
    assert_eq!(east(&kit, &known).await, 1);

    // Back: every row, the chain and the numbers that go on.
    let rows = "select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) n from %I.%I', table_schema, \
        table_name), false, true, '')))[1]::text::bigint)::bigint from information_schema.tables \
        where table_type = 'BASE TABLE' and table_name <> 'seaql_migrations' and table_schema = ";
    let rows = format!("{rows}'{schema}'");
    let before = east(&kit, &rows).await;
    kit.relocate(partner, "default").await.unwrap();
    assert_eq!((home(&kit, &rows).await, east(&kit, &there).await), (before, 0));
    assert_eq!(east(&kit, &format!("select count(*) from control.partner where id = '{partner}'")).await, 0);
    key.get("/public/menu").send().await.assert(200);
    admin.put(&format!("/api-keys/{id}")).json(json!({"name": "más"})).send().await.assert(200);
    let logs = tenants::verify_audit(kit.setup()).await.unwrap();
    let log = logs.iter().find(|log| log.partner == Some(partner)).unwrap();
    assert!(log.sealed > 0 && log.faults.is_empty(), "{log:?}");
    kit.relocate(partner, "east").await.unwrap();
    admin.get("/api-keys").send().await.assert(200);

    // Removed for good: from both.
    db.execute("update control.partner set status = 'deleting', delete_at = now()").await.unwrap();
    assert!(kit.provisioner().remove(partner).await.unwrap());
    assert_eq!((home(&kit, &keys).await, east(&kit, &there).await), (0, 0));
}

/// What waits is told apart from what does not end by itself: a pause that was cut, and other work on the partner.
#[testkit::test]
async fn requests_wait_for_the_pause_of_a_move() {
    let kit = kit().await.beside_on_two_servers("pauses").await;
    let place = kit.partner().await;
    let (admin, key) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let mut db = PgConnection::connect(kit.owner_url.as_str()).await.unwrap();
    let work = |plan: &str| {
        let sql = format!(
            "update control.partner set status_before = 'active', status = 'maintenance', plan = jsonb_build_object({plan})"
        );
        AssertSqlSafe(sql)
    };
    let over = "update control.partner set status = 'active', status_before = null, plan = null";
    let courier = json!({"first_name": "Pál", "last_name": "Futár"});

    db.execute(work("'move', 'default', 'paused_at', now()")).await.unwrap();
    let begun = Instant::now();
    let waiting = async {
        let (read, menu) = (admin.get("/couriers").send(), key.get("/public/menu").send());
        let write = admin.post("/couriers").json(courier.clone()).send();
        let (read, menu, write) = tokio::join!(read, menu, write);
        for (answer, status) in [(read, 200), (menu, 200), (write, 201)] {
            answer.assert(status);
        }
        begun.elapsed()
    };
    let ending = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        db.execute(over).await.unwrap();
    };
    let (waited, ()) = tokio::join!(waiting, ending);
    assert!(waited > Duration::from_millis(650) && waited < Duration::from_secs(6), "{waited:?}");
    assert_eq!(east(&kit, &format!("select count(*) from {}.courier", place.schema)).await, 1);

    for plan in [
        "'move', 'default', 'paused_at', now() - interval '20 seconds'",
        "'move', 'default'",
        "'restore', 'x'",
    ] {
        db.execute(work(plan)).await.unwrap();
        let begun = Instant::now();
        admin.get("/couriers").send().await.assert_problem(503, "PARTNER_IN_MAINTENANCE");
        admin
            .post("/couriers")
            .json(courier.clone())
            .send()
            .await
            .assert_problem(503, "PARTNER_IN_MAINTENANCE");
        assert!(begun.elapsed() < Duration::from_secs(4), "{plan}: {:?}", begun.elapsed());
    }
    // One that ends with the partner suspended says so. What was heard just before holds for a moment.
    tokio::time::sleep(Duration::from_millis(300)).await;
    db.execute(work("'move', 'default', 'paused_at', now()")).await.unwrap();
    let ending = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        db.execute("update control.partner set status = 'suspended', plan = null").await.unwrap();
    };
    let (answer, ()) = tokio::join!(admin.get("/couriers").send(), ending);
    answer.assert_problem(403, "PARTNER_SUSPENDED");
}

#[testkit::test]
async fn a_move_refuses_no_request_and_loses_and_doubles_none() {
    let kit = kit().await.beside_on_two_servers("writers").await;
    let place = kit.partner().await;
    let staff = place.admin().await;
    let moved = AtomicBool::new(false);
    let writers = (0..6).map(|_| {
        let (staff, moved) = (&staff, &moved);
        async move {
            let mut done = 0_i64;
            while !moved.load(Ordering::Relaxed) {
                let courier = json!({"first_name": "Pál", "last_name": "Futár"});
                staff.post("/couriers").json(courier).send().await.assert(201);
                staff.get("/couriers").send().await.assert(200);
                done += 1;
            }
            done
        }
    });
    let moves = async {
        for to in ["default", "east", "default"] {
            kit.relocate(place.partner, to).await.unwrap();
        }
        moved.store(true, Ordering::Relaxed);
    };
    let (done, ()) = tokio::join!(futures_util::future::join_all(writers), moves);
    let rows = home(&kit, &format!("select count(*) from {}.courier", place.schema)).await;
    assert_eq!(rows, done.iter().sum::<i64>(), "{done:?}");
}

#[testkit::test]
async fn a_move_that_cannot_be_leaves_the_partner_at_work() {
    let kit = kit().await.beside_on_two_servers("moves").await;
    let place = kit.partner().await;
    let (schema, partner) = (&place.schema, place.partner);
    let admin = place.admin().await;
    let works = async || {
        admin.post("/api-keys").json(json!({"name": "x", "scopes": ["menu:read"]})).send().await.assert(201);
    };
    let why = async |to: &str| kit.relocate(partner, to).await.unwrap_err().to_string();
    assert!(why("east").await.contains("is there already"));

    // Somebody holds a table for longer than the partner may wait.
    let mut holder = PgConnection::connect(kit.east_url().unwrap().as_str()).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    held.execute(AssertSqlSafe(format!("lock table {schema}.orders in row exclusive mode"))).await.unwrap();
    assert!(why("default").await.contains("lock timeout"));
    held.rollback().await.unwrap();
    works().await;
    let aside = format!("select count(*) from pg_namespace where nspname = '{schema}'");
    assert_eq!((home(&kit, &aside).await, east(&kit, &aside).await), (0, 1));

    // While it is moved, and while it is migrated there, it is in maintenance.
    for (url, sql) in [
        (kit.owner_url.clone(), "update control.partner set status = 'maintenance'"),
        (kit.east_url().unwrap().clone(), "update control.partner set status = 'maintenance'"),
    ] {
        let mut db = PgConnection::connect(url.as_str()).await.unwrap();
        db.execute(sql).await.unwrap();
        admin.get("/api-keys").send().await.assert_problem(503, "PARTNER_IN_MAINTENANCE");
        if url == kit.owner_url {
            assert!(why("default").await.contains("maintenance"));
        }
        db.execute("update control.partner set status = 'active'").await.unwrap();
    }
    works().await;

    // One of another release, and a server of another installation.
    let mut db = PgConnection::connect(kit.owner_url.as_str()).await.unwrap();
    db.execute("update control.partner set schema_version = 'm0001_restaurants'").await.unwrap();
    assert!(why("default").await.contains("another release"));
    db.execute("update control.partner p set schema_version = i.schema_version from control.installation i")
        .await
        .unwrap();
    let mut there = PgConnection::connect(kit.east_url().unwrap().as_str()).await.unwrap();
    there.execute("update control.installation set schema_version = schema_version || 'x'").await.unwrap();
    assert!(why("default").await.contains("another installation or release"));
    there.execute("update control.installation set schema_version = left(schema_version, -1)").await.unwrap();
    works().await;

    // The home server under another name: what is cleared there first would be the partner itself.
    let again = async || Setup::open(kit.owner_url.as_str(), migrations::SHAPE).await.unwrap();
    let (home_again, again) = (again().await, again().await);
    let named = |name, setup, url| OwnedServer { name, setup, url };
    let (east_url, east_setup) = (kit.east_url().unwrap(), &kit.servers()["east"]);
    for (from, to) in [
        (named("east", east_setup, east_url), named("again", &again, &kit.owner_url)),
        (named("again", &again, &kit.owner_url), named("east", east_setup, east_url)),
        (named(tenants::HOME, &home_again, &kit.owner_url), named("again", &again, &kit.owner_url)),
    ] {
        let relocation = Relocation { partner, home: &home_again, from, to, at_rest: true, overwrite: false };
        for error in [relocation.run(|_| {}).await.map(drop), relocation.clear_left().await] {
            assert!(error.unwrap_err().to_string().contains("default and again are one database"));
        }
    }
    works().await;

    // A server that this instance does not know.
    db.execute("update control.partner set server = 'west'").await.unwrap();
    admin.get("/api-keys").send().await.assert(503);
    db.execute("update control.partner set server = 'east'").await.unwrap();
    works().await;

    // An instance that knows no server at all: it says so to the operator, and then to the partner.
    let door = kit.door_at_home().await;
    assert_eq!(work::platform_jobs::unknown_servers(&door).await.unwrap(), ["east"]);
    let error = door.begin_job(&PlatformProof::runner(), partner).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("PULT_DATABASE_SERVERS has no east"), "{error}");

    // As long as it is there, nobody is brought to that server.
    kit.relocate(partner, "default").await.unwrap();
    db.execute(
        "insert into control.instance (id, version, part, started_at, ready, figures, seen_at) \
         select gen_random_uuid(), 'x', 'service', now(), true, f::jsonb, now() - make_interval(secs => ago) \
         from (values ('{\"servers\": [\"east\"]}', 0), ('{\"servers\": []}', 0), ('{}', 31)) v (f, ago)",
    )
    .await
    .unwrap();
    assert!(why("east").await.contains("has no east in 1 of the instances"));
    works().await;
    db.execute("delete from control.instance where figures ->> 'servers' = '[]'").await.unwrap();

    // A move that is cut in its pause, and whose target is away: the partner stays. The role has no right to write,
    // as behind the fence.
    assert!(kit.stay(partner).await.unwrap_err().to_string().contains("no move of the partner was cut"));
    let revoke = format!("revoke insert, update, delete on all tables in schema {schema} from {schema}");
    db.execute(AssertSqlSafe(revoke)).await.unwrap();
    db.execute(
        "update control.partner set status_before = status, status = 'maintenance', plan = '{\"move\": \"gone\"}'",
    )
    .await
    .unwrap();
    admin.get("/api-keys").send().await.assert(503);
    kit.stay(partner).await.unwrap();
    works().await;

    // The home server was brought back to before a move: what is at the target may be newer.
    let arrived = format!(
        "insert into control.partner (id, name, mode, status, role, schema_version) values ('{partner}', 'x', 'live', \
         'active', '{schema}', 'x')"
    );
    there.execute(AssertSqlSafe(arrived)).await.unwrap();
    assert!(why("east").await.contains("may be newer"));
    works().await;
    there.execute("delete from control.partner").await.unwrap();
    kit.relocate(partner, "east").await.unwrap();
    works().await;
}

#[testkit::test]
async fn what_was_prepared_at_home_ends_as_the_partners_server_has_decided() {
    let kit = kit().await.beside_on_two_servers("settle").await;
    let place = kit.partner().await;
    let mut login = PgConnection::connect(kit.database_url.as_str()).await.unwrap();
    let mut there = PgConnection::connect(kit.east_url().unwrap().as_str()).await.unwrap();
    let mut name = async |decided: Option<bool>| {
        let id = Uuid::new_v4();
        let sql = format!(
            "begin; select set_config('role', '{0}', true); select control.save_restaurant('{1}', '{id}', 'Név', \
             'Europe/Budapest', 'huf', 'hu', null, ''); set local role none; prepare transaction 'pult east {id}'",
            place.schema, place.restaurant
        );
        login.execute(AssertSqlSafe(sql)).await.unwrap();
        if let Some(decided) = decided {
            sqlx::query("select control.decide($1, $2)")
                .bind(id)
                .bind(decided)
                .execute(&mut there)
                .await
                .unwrap();
        }
        let begun = Instant::now();
        while kit.app.door.settle().await.unwrap() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(20));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert!(begun.elapsed() > Duration::from_secs(4), "whoever is at work is not disturbed");
        let sql = format!("select count(*) from control.restaurant where group_id = '{id}'");
        let written = home(&kit, &sql).await == 1;
        // Whoever comes to decide now hears what was decided.
        let late: bool = sqlx::query_scalar("select control.decide($1, true)")
            .bind(id)
            .fetch_one(&mut there)
            .await
            .unwrap();
        assert_eq!(late, written);
        written
    };
    assert!(name(Some(true)).await);
    assert!(!name(Some(false)).await);
    assert!(!name(None).await, "nobody has decided: it was given up");
}

/// Two units of work of one partner that write at home at once, and one that is given up.
#[testkit::test]
async fn units_of_work_over_two_servers_are_whole() {
    let kit = kit().await.beside_on_two_servers("whole").await;
    let place = kit.partner().await;
    let admin = place.admin().await;
    let made = admin
        .post("/api-keys")
        .json(json!({"name": "0", "scopes": ["menu:read"]}))
        .send()
        .await
        .assert(201)
        .json();
    let path = format!("/api-keys/{}", made["id"].as_str().unwrap());
    let renames = (1..=20).map(|number| {
        let (admin, path) = (&admin, &path);
        async move { admin.put(path).json(json!({"name": number.to_string()})).send().await.status }
    });
    let answers = futures_util::future::join_all(renames).await;
    let done = answers.iter().filter(|status| **status == 200).count();
    assert!(done > 0 && answers.iter().all(|status| matches!(status, 200 | 409 | 503)), "{answers:?}");
    let version =
        format!("select version - 1 from control.api_key where id = '{}'", made["id"].as_str().unwrap());
    let lines = format!("select count(*) from {}.audit where action = 'api_keys_update'", place.schema);
    let done = i64::try_from(done).unwrap();
    assert_eq!((home(&kit, &version).await, east(&kit, &lines).await), (done, done));
    // Nothing of what is not committed is seen, here or there.
    let tx = kit.app.door.begin_job(&PlatformProof::runner(), place.partner).await.unwrap().unwrap();
    tx.run(
        "select control.save_restaurant($1, $1, 'x', 'Europe/Budapest', 'huf', 'hu', null, '')",
        [Uuid::new_v4().into()],
    )
    .await
    .unwrap();
    drop(tx);
    let left = "select count(*) from control.restaurant where name = 'x'";
    assert_eq!(home(&kit, left).await, 0);
}

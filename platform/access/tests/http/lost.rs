//! The database is lost while a caller is being checked: nobody gets in, and nothing is done or revealed.

use std::time::Duration;

use futures_util::FutureExt;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, TransactionTrait};
use serde_json::json;
use testkit::{Answer, kit};

/// The tables that the door and sign-in read.
const CHECKED_TABLES: &str = "control.session, control.account, control.admin, control.api_key, \
    control.restaurant, control.attempt";
const BACKENDS: &str = "pg_stat_activity where datname = current_database() and usename = 'pult_app'";

fn reveals_nothing(answer: &Answer) {
    let text = answer.text();
    assert!(answer.status >= 500, "{} {text}", answer.status);
    for secret in
        ["terminat", "administrator", "postgres", "sqlx", "control.", "permission denied", "pult_app"]
    {
        assert!(!text.to_lowercase().contains(secret), "{secret}: {text}");
    }
}

#[testkit::test]
async fn a_database_lost_inside_authorisation_lets_nobody_in() {
    let beside: &'static testkit::Kit = Box::leak(Box::new(kit().await.beside("lost").await));
    let place = beside.partner().await;
    let admin = place.admin().await;
    let made = admin.post("/api-keys").json(json!({"name": "Bolt"})).send().await.assert(201).json();
    let key = place.nobody().bearer(made["api_key"].as_str().unwrap());
    let courier = || json!({"first_name": "Elveszett", "last_name": "Futár"});
    admin.post("/couriers").json(courier()).send().await.assert(201);

    let owner = Database::connect(
        ConnectOptions::new(beside.owner_url.as_str()).max_connections(2).sqlx_logging(false).to_owned(),
    )
    .await
    .unwrap();
    // Everybody waits in the middle of being asked about, then every connection ends, until nobody tries
    // again.
    let held = owner.begin().await.unwrap();
    held.execute_unprepared(&format!("lock table {CHECKED_TABLES} in access exclusive mode")).await.unwrap();
    let nobody = place.nobody();
    let sign_in = json!({"admin": {"email": "valaki@pult.test", "password": "hosszú-jelszó-2026"}});
    let (me, menu, list, write, entered) = (
        admin.get("/api/v3/admin/me"),
        key.get("/public/menu"),
        admin.get("/api-keys"),
        admin.post("/couriers").json(courier()),
        nobody.post("/api/v3/admins/sign_in").json(sign_in.clone()),
    );
    let calls = futures_util::future::join_all(
        [me, menu, list, write, entered].map(|call| tokio::spawn(call.send())),
    );
    let waiting = format!("select count(*) n from {BACKENDS} and wait_event_type = 'Lock'");
    for _ in 0..200 {
        if beside.row(&waiting, vec![]).await.try_get::<i64>("", "n").unwrap() >= 5 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let cut = async {
        loop {
            beside.run(&format!("select pg_terminate_backend(pid) from {BACKENDS}"), vec![]).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let answers = tokio::select! {
        answers = tokio::time::timeout(Duration::from_secs(25), calls) => answers.expect("an answer"),
        () = cut => unreachable!(),
    };
    for answer in answers {
        let answer = answer.unwrap();
        assert_eq!(answer.status, 503, "{}", answer.text());
        reveals_nothing(&answer);
    }
    held.rollback().await.unwrap();

    // No request reaches the database.
    beside
        .run(
            &format!(
                "revoke connect on database \"{}\" from pult_app",
                beside.owner_url.path().trim_start_matches('/')
            ),
            vec![],
        )
        .await;
    beside.run(&format!("select pg_terminate_backend(pid) from {BACKENDS}"), vec![]).await;
    for call in
        [admin.get("/api/v3/admin/me"), key.get("/public/menu"), admin.post("/couriers").json(courier())]
    {
        reveals_nothing(&call.send().await);
    }
    reveals_nothing(&nobody.post("/api/v3/admins/sign_in").json(sign_in).send().await);
    beside
        .run(
            &format!(
                "grant connect on database \"{}\" to pult_app",
                beside.owner_url.path().trim_start_matches('/')
            ),
            vec![],
        )
        .await;

    // It is back: the same callers are let in, and nothing was done meanwhile.
    let couriers = admin.get("/couriers").send().await.assert(200).json();
    assert_eq!(couriers.as_array().unwrap().len(), 1, "{couriers}");
    key.get("/public/menu").send().await.assert(200);
}

/// Statements that connections have prepared no longer fit: each is forgotten, the request is done again.
#[testkit::test]
async fn a_column_that_gets_another_type_fails_nobody() {
    let kit = kit().await;
    let (changed, beside) = (kit.partner().await, kit.restaurant().await);
    let admins = [changed.admin().await, beside.admin().await];
    let ask = || async {
        // More at once than the pool has connections, of both partners by turns.
        let calls = (0..24).map(|number| admins[number % 2].get("/couriers").send());
        for answer in futures_util::future::join_all(calls).await {
            answer.assert(200);
        }
    };
    // Postgres plans a statement for good from its sixth use on.
    for _ in 0..6 {
        ask().await;
    }
    let sql = format!("alter table {}.courier alter column note type varchar(600)", changed.schema);
    kit.run(&sql, vec![]).await;
    for _ in 0..4 {
        ask().await;
    }
}

/// A caller leaves while his unit of work begins: nothing of it stays open on a connection of the pool.
#[testkit::test]
async fn a_unit_of_work_that_is_cut_while_it_begins_leaves_no_transaction() {
    let beside: &'static testkit::Kit = Box::leak(Box::new(kit().await.beside("cut").await));
    let admin = beside.partner().await.admin().await;
    admin.get("/couriers").send().await.assert(200);
    let open = format!("select count(*) n from {BACKENDS} and state like 'idle in transaction%'");
    // Several at once, dropped after so many steps.
    for steps in 1..16 {
        let mut calls: Vec<_> = (0..6).map(|_| Box::pin(admin.get("/couriers").send().fuse())).collect();
        for _ in 0..steps {
            for call in &mut calls {
                let _ = futures_util::poll!(call.as_mut());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(calls);
        tokio::time::sleep(Duration::from_millis(100)).await;
        let left: i64 = beside.row(&open, vec![]).await.try_get("", "n").unwrap();
        assert_eq!(left, 0, "after {steps} steps");
    }
    admin.get("/couriers").send().await.assert(200);
}

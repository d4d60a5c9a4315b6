//! Jobs over a real Postgres: written with what causes them, run at least once, finished by whoever holds the lease.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use futures_util::FutureExt;
use serde_json::json;
use tenants::{Entry, TenantTx};
use testkit::{Kit, Place, kit};
use uuid::Uuid;
use work::{Handler, Hub, Mailer, Runner};

/// A unit of work of somebody at this restaurant.
async fn unit(place: &Place<'_>) -> TenantTx {
    let admin = tenants::NewAdmin {
        email: format!("{}@pult.test", Uuid::now_v7().simple()),
        first_name: String::new(),
        last_name: "Munka".into(),
        password_hash: None,
        super_admin: false,
        target: Some((place.partner, None)),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec![],
    };
    let (account, session, _) = place.kit.sign_in(admin).await;
    let entry = Entry::Session { session, account, partner: place.partner, restaurant: Some(place.restaurant), known: None };
    place.kit.app.door.begin(&entry).await.unwrap().unwrap().0
}

fn runner(kit: &Kit, kind: &'static str, handler: Handler) -> Arc<Runner> {
    let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
    Arc::new(Runner::new(kit.app.door.clone(), mailer, Hub::default(), [(kind, handler)]))
}

/// Runs until nothing of this kind is due. A runner takes only the kinds it knows, so tests do not meet.
async fn settle(runner: &Arc<Runner>) {
    while runner.clone().round().await.unwrap() > 0 {}
}

/// State, attempts and last error of the only job of a kind.
async fn state(kit: &Kit, kind: &str) -> Option<(String, i32, Option<String>)> {
    let sql = "select count(*) n, max(state) state, max(attempts) attempts, max(last_error) error from control.job where kind = $1";
    let row = kit.row(sql, vec![kind.into()]).await;
    (row.try_get::<i64>("", "n").unwrap() > 0)
        .then(|| (row.try_get("", "state").unwrap(), row.try_get("", "attempts").unwrap(), row.try_get("", "error").unwrap()))
}

/// A kind of one test alone.
fn kind() -> &'static str {
    Box::leak(format!("test_{}", Uuid::now_v7().simple()).into_boxed_str())
}

fn counting(count: &Arc<AtomicUsize>, outcome: fn(usize) -> Result<(), String>) -> Handler {
    let count = count.clone();
    Arc::new(move |_, _| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        async move { outcome(number) }.boxed()
    })
}

#[tokio::test]
async fn a_job_is_written_with_what_causes_it_or_not_at_all() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    drop(tx);
    assert_eq!(state(kit, kind).await, None, "a rolled back unit leaves no job");
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    settle(&runner(kit, kind, counting(&count, |_| Ok(())))).await;
    assert_eq!((count.load(Ordering::SeqCst), state(kit, kind).await), (1, None), "a key waits once, and what is done is gone");
}

#[tokio::test]
async fn a_job_that_fails_or_panics_comes_back_later_and_is_set_aside_in_the_end() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    let runner = runner(kit, kind, counting(&count, |number| if number == 0 { panic!("the first time") } else { Err(format!("attempt {number}")) }));
    settle(&runner).await;
    let (waiting, attempts, error) = state(kit, kind).await.unwrap();
    assert_eq!((waiting.as_str(), attempts, error.as_deref()), ("waiting", 1, Some("the handler panicked")));
    let later = kit.row("select run_at > now() later from control.job where kind = $1", vec![kind.into()]).await;
    assert!(later.try_get::<bool>("", "later").unwrap(), "it backs off");
    for _ in 0..9 {
        kit.run("update control.job set run_at = now() where kind = $1", vec![kind.into()]).await;
        settle(&runner).await;
    }
    let (failed, attempts, error) = state(kit, kind).await.unwrap();
    assert_eq!((failed.as_str(), attempts, error.as_deref()), ("failed", 10, Some("attempt 9")));
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

#[tokio::test]
async fn a_dead_workers_job_runs_again_and_the_dead_one_cannot_finish_it() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    // The first worker hangs in its handler while its lease runs out and another one takes the job.
    let gate = Arc::new(tokio::sync::Notify::new());
    let held = gate.clone();
    let slow: Handler = Arc::new(move |_, _| {
        let held = held.clone();
        async move {
            held.notified().await;
            Ok(())
        }
        .boxed()
    });
    let first = runner(kit, kind, slow);
    let hanging = tokio::spawn(async move { first.round().await });
    while state(kit, kind).await.is_none_or(|(state, ..)| state != "running") {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    kit.run("update control.job set leased_until = now() - interval '1 second' where kind = $1", vec![kind.into()]).await;
    settle(&runner(kit, kind, counting(&count, |_| Err("not yet".into())))).await;
    assert_eq!(count.load(Ordering::SeqCst), 1, "it runs again");
    gate.notify_one();
    hanging.await.unwrap().unwrap();
    let (state_now, attempts, error) = state(kit, kind).await.expect("the first worker's success does not count");
    assert_eq!((state_now.as_str(), attempts, error.as_deref()), ("waiting", 2, Some("not yet")));
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

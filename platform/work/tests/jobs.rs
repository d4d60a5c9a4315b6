//! Jobs over a real Postgres: written with their cause, run at least once, finished by the holder of the
//! lease.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

#[path = "jobs/leases.rs"]
mod leases;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use futures_util::FutureExt;
use opentelemetry::trace::SpanKind;
use serde_json::json;
use tenants::{Entry, PlatformProof, TenantTx};
use testkit::{Kit, Place, kit};
use uuid::Uuid;
use work::{Handler, Hub, JobError, Mailer, Runner};

/// Somebody at this restaurant.
async fn entry(place: &Place<'_>) -> Entry {
    let admin = tenants::AdminSpec {
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
    Entry::Session {
        session,
        account,
        partner: place.partner,
        restaurant: Some(place.restaurant),
        known: None,
    }
}

/// A unit of work of somebody at this restaurant.
async fn unit(place: &Place<'_>) -> TenantTx {
    place.kit.app.door.begin(&entry(place).await).await.unwrap().unwrap().0
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
    let sql = "select count(*) n, max(state) state, max(attempts) attempts, max(last_error) error from \
        control.job where kind = $1";
    let row = kit.row(sql, vec![kind.into()]).await;
    (row.try_get::<i64>("", "n").unwrap() > 0).then(|| {
        (
            row.try_get("", "state").unwrap(),
            row.try_get("", "attempts").unwrap(),
            row.try_get("", "error").unwrap(),
        )
    })
}

/// A kind of one test alone.
fn kind() -> &'static str {
    Box::leak(format!("test_{}", Uuid::now_v7().simple()).into_boxed_str())
}

fn counting(count: &Arc<AtomicUsize>, outcome: fn(usize) -> Result<(), JobError>) -> Handler {
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
    assert_eq!(
        (count.load(Ordering::SeqCst), state(kit, kind).await),
        (1, None),
        "a key waits once, and what is done is gone"
    );
}

/// What failed with the same key is done when a later one with it is, of this partner and kind alone.
#[tokio::test]
async fn a_job_that_is_done_has_done_what_failed_with_its_key_before() {
    let kit = kit().await;
    let (place, other) = (kit.partner().await, kit.partner().await);
    let (one, another, count) = (kind(), kind(), Arc::new(AtomicUsize::new(0)));
    let failed = async |partner: Uuid, kind: &str, key: Option<&str>| {
        let sql = "insert into control.job (partner_id, kind, key, state, attempts) values ($1, $2, $3, 'failed', 10)";
        kit.run(sql, vec![partner.into(), kind.into(), key.map(str::to_owned).into()]).await;
    };
    let count_failed = async || -> i64 {
        let sql = "select count(*) n from control.job where kind in ($1, $2) and state = 'failed'";
        kit.row(sql, vec![one.into(), another.into()]).await.try_get("", "n").unwrap()
    };
    let mine = place.partner.uuid();
    for key in [Some("a"), Some("a"), Some("b"), None] {
        failed(mine, one, key).await;
    }
    failed(other.partner.uuid(), one, Some("a")).await;
    failed(mine, another, Some("a")).await;
    let tx = unit(&place).await;
    work::enqueue(&tx, one, Some("a"), json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    // This one fails after the other was asked for: nobody has done it.
    failed(mine, one, Some("a")).await;
    settle(&runner(kit, one, counting(&count, |_| Ok(())))).await;
    assert_eq!((count.load(Ordering::SeqCst), count_failed().await), (1, 5));
}

#[tokio::test]
async fn a_job_goes_on_with_the_trace_of_what_causes_it() {
    opentelemetry::global::set_text_map_propagator(
        opentelemetry_sdk::propagation::TraceContextPropagator::new(),
    );
    opentelemetry::global::set_tracer_provider(opentelemetry_sdk::trace::SdkTracerProvider::default());
    let kit = kit().await;
    let (place, kind, trace) = (kit.partner().await, kind(), "4bf92f3577b34da6a3ce929d0e0e4736");
    let header = format!("00-{trace}-00f067aa0ba902b7-01");
    for parent in [Some(header.as_str()), None] {
        let request = telemetry::trace::Work::begin(SpanKind::Server, "POST", parent);
        let cause = async {
            let tx = unit(&place).await;
            work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
            tx.commit().await.unwrap();
        };
        request.scope(cause).await;
    }
    let (seen, called) = (Arc::new(std::sync::Mutex::new(vec![])), "its call of another server");
    let handler: Handler = {
        let seen = seen.clone();
        Arc::new(move |_, _| {
            let call = telemetry::outgoing::Call::begin("GET", "other");
            let headers = call.headers();
            let trace = headers.get("traceparent").map_or(called, |trace| trace.to_str().unwrap()).to_owned();
            seen.lock().unwrap().push(trace);
            call.end(Some(200));
            async { Ok(()) }.boxed()
        })
    };
    settle(&runner(kit, kind, handler)).await;
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen.iter().filter(|header| header.contains(trace)).count(), 1, "{seen:?}");
}

#[tokio::test]
async fn a_job_that_fails_or_panics_comes_back_later_and_is_set_aside_in_the_end() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    let runner = runner(
        kit,
        kind,
        counting(&count, |number| {
            if number == 0 {
                panic!("the first time")
            } else {
                Err(JobError::retry(format!("attempt {number}")))
            }
        }),
    );
    settle(&runner).await;
    let (waiting, attempts, error) = state(kit, kind).await.unwrap();
    assert_eq!((waiting.as_str(), attempts, error.as_deref()), ("waiting", 1, Some("the handler panicked")));
    let later =
        kit.row("select run_at > now() later from control.job where kind = $1", vec![kind.into()]).await;
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
async fn a_job_that_no_attempt_can_do_is_set_aside_at_once() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    settle(&runner(kit, kind, counting(&count, |_| Err(JobError::give_up("no such order"))))).await;
    let (failed, attempts, error) = state(kit, kind).await.unwrap();
    assert_eq!((failed.as_str(), attempts, error.as_deref()), ("failed", 1, Some("no such order")));
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

#[tokio::test]
async fn a_job_waits_as_long_as_what_it_needs_is_away() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    // Away for longer than a job has attempts, then the partner is in maintenance as long, then it fails by itself.
    let counted = count.clone();
    let handler: Handler = Arc::new(move |context, job| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            if number < 12 {
                return Err(JobError::away("no way there"));
            }
            context.begin(&job).await?;
            Err(JobError::retry("its own fault"))
        }
        .boxed()
    });
    let runner = runner(kit, kind, handler);
    let again = async |times: usize| {
        for _ in 0..times {
            kit.run("update control.job set run_at = now() where kind = $1", vec![kind.into()]).await;
            settle(&runner).await;
        }
        state(kit, kind).await.unwrap()
    };
    let is = |state: &str, attempts, error: &str| (state.to_owned(), attempts, Some(error.to_owned()));
    assert_eq!(again(3).await, is("waiting", 3, "no way there"));
    assert_eq!(again(9).await, is("waiting", 9, "no way there"));
    let status = "update control.partner set status = $2 where id = $1";
    kit.run(status, vec![place.partner.into(), "maintenance".into()]).await;
    assert_eq!(again(12).await, is("waiting", 9, "the partner is in maintenance"));
    kit.run(status, vec![place.partner.into(), "active".into()]).await;
    assert_eq!(again(1).await, is("failed", 10, "its own fault"));
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
    kit.run(
        "update control.job set leased_until = now() - interval '1 second' where kind = $1",
        vec![kind.into()],
    )
    .await;
    settle(&runner(kit, kind, counting(&count, |_| Err(JobError::retry("not yet"))))).await;
    assert_eq!(count.load(Ordering::SeqCst), 1, "it runs again");
    gate.notify_one();
    hanging.await.unwrap().unwrap();
    let (state_now, attempts, error) =
        state(kit, kind).await.expect("the first worker's success does not count");
    assert_eq!((state_now.as_str(), attempts, error.as_deref()), ("waiting", 2, Some("not yet")));
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

/// A handler that waits to be let go on; how often it was begun.
fn waiting(begun: &Arc<AtomicUsize>, gate: &Arc<tokio::sync::Notify>) -> Handler {
    let (begun, gate) = (begun.clone(), gate.clone());
    Arc::new(move |_, _| {
        begun.fetch_add(1, Ordering::SeqCst);
        let gate = gate.clone();
        async move {
            gate.notified().await;
            Ok(())
        }
        .boxed()
    })
}

async fn until(what: impl AsyncFn() -> bool) {
    for _ in 0..3_000 {
        if what().await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("it does not come");
}

#[tokio::test]
async fn a_job_enqueued_again_runs_after_the_enqueuing_transaction() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let runner = runner(kit, kind, counting(&count, |_| Ok(())));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    // Somebody changes something and asks for the job that waits already. It must not run before it can see
    // the change.
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    runner.clone().round().await.unwrap();
    tx.commit().await.unwrap();
    let before = count.load(Ordering::SeqCst);
    settle(&runner).await;
    assert_eq!((before, count.load(Ordering::SeqCst), state(kit, kind).await), (0, 1, None));
}

#[tokio::test]
async fn a_job_asked_for_sooner_runs_sooner_unless_it_has_failed() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let runner = runner(kit, kind, counting(&count, |_| Err(JobError::retry("not yet"))));
    for at in [
        Some(kernel::clock::now() + chrono::Duration::hours(1)),
        None,
        Some(kernel::clock::now() + chrono::Duration::hours(2)),
    ] {
        let tx = unit(&place).await;
        work::enqueue(&tx, kind, Some("one"), json!({}), at).await.unwrap();
        tx.commit().await.unwrap();
    }
    settle(&runner).await;
    assert!(count.load(Ordering::SeqCst) > 0);
    kit.run("update control.job set run_at = now() + interval '1 hour' where kind = $1", vec![kind.into()])
        .await;
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    let row = kit
        .row(
            "select run_at > now() + interval '10 minutes' later from control.job where kind = $1",
            vec![kind.into()],
        )
        .await;
    assert!(row.try_get::<bool>("", "later").unwrap(), "the pause after a failure stays");
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

#[tokio::test]
async fn a_failing_job_leaves_the_waiting_duplicate() {
    let kit = kit().await;
    let (place, kind) = (kit.partner().await, kind());
    let partner = place.partner;
    // The running job is written again meanwhile, and then fails.
    let again: Handler = Arc::new(move |context, _| {
        async move {
            let proof = tenants::PlatformProof::runner();
            let tx = context.door.begin_job(&proof, partner).await.unwrap().unwrap();
            work::enqueue(
                &tx,
                kind,
                Some("one"),
                json!({}),
                Some(kernel::clock::now() + chrono::Duration::hours(1)),
            )
            .await
            .unwrap();
            tx.commit().await.unwrap();
            Err(JobError::retry("meanwhile"))
        }
        .boxed()
    });
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, Some("one"), json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    runner(kit, kind, again).round().await.unwrap();
    let sql = "select count(*) n, max(state) state, bool_and(run_at < now() + interval '1 minute') soon \
        from control.job where kind = $1";
    let row = kit.row(sql, vec![kind.into()]).await;
    let (state, soon): (String, bool) = (row.try_get("", "state").unwrap(), row.try_get("", "soon").unwrap());
    assert_eq!((row.try_get::<i64>("", "n").unwrap(), state.as_str(), soon), (1, "waiting", true));
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

#[tokio::test]
async fn a_job_that_its_workers_die_of_is_set_aside() {
    let kit = kit().await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let tx = unit(&place).await;
    work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
    tx.commit().await.unwrap();
    let died = "update control.job set state = 'running', attempts = 10, leased_until = now() - interval '1 \
        second' where kind = $1";
    kit.run(died, vec![kind.into()]).await;
    settle(&runner(kit, kind, counting(&count, |_| Ok(())))).await;
    let (state, attempts, error) = state(kit, kind).await.unwrap();
    assert_eq!(
        (count.load(Ordering::SeqCst), state.as_str(), attempts, error.as_deref()),
        (0, "failed", 10, Some("whoever ran it died"))
    );
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
}

#[tokio::test]
async fn nobody_waits_for_a_job_that_hangs_and_stopping_waits_for_what_runs() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (slow, quick) = (kind(), kind());
    let (begun, count, gate) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(tokio::sync::Notify::new()));
    let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
    let handlers = [(slow, waiting(&begun, &gate)), (quick, counting(&count, |_| Ok(())))];
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(
        Runner::new(kit.app.door.clone(), mailer, Hub::default(), handlers)
            .run(async move { drop(stopped.await) }),
    );
    let enqueue = async |kind: &str| {
        let tx = unit(&place).await;
        work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
        tx.commit().await.unwrap();
    };
    enqueue(slow).await;
    until(async || begun.load(Ordering::SeqCst) == 1).await;
    enqueue(quick).await;
    until(async || count.load(Ordering::SeqCst) == 1).await;
    stop.send(()).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert!(!running.is_finished(), "what runs may end");
    enqueue(quick).await;
    gate.notify_one();
    running.await.unwrap();
    assert_eq!((state(kit, slow).await, count.load(Ordering::SeqCst)), (None, 1), "nothing new is begun");
    kit.run("delete from control.job where kind = $1", vec![quick.into()]).await;
}

#[tokio::test]
async fn beside_others_a_partners_jobs_begin_at_a_pace() {
    let kit = kit().await;
    let (many, other, kind, count) =
        (kit.partner().await, kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let crowd = "insert into control.job (partner_id, kind) select $1, $2 from generate_series(1, 60)";
    // Its own jobs are among what it does here.
    let proof = PlatformProof::runner();
    let served = async || drop(kit.app.door.begin_job(&proof, other.partner).await.unwrap());
    served().await;
    let begun = std::time::Instant::now();
    kit.run(crowd, vec![many.partner.uuid().into(), kind.into()]).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let runner = Arc::into_inner(runner(kit, kind, counting(&count, |_| Ok(())))).unwrap();
    let running = tokio::spawn(runner.run(async move { drop(stopped.await) }));
    until(async || {
        served().await;
        count.load(Ordering::SeqCst) == 60
    })
    .await;
    let took = begun.elapsed();
    // Four at once, as nothing was known of it.
    assert!(took >= std::time::Duration::from_millis(560), "10 ms apart, not {took:?} for all");
    stop.send(()).unwrap();
    running.await.unwrap();
}

#[tokio::test]
async fn a_partner_who_waits_for_a_connection_has_one_job_under_way() {
    let kit = kit().await;
    let (busy, other, kind) = (kit.partner().await, kit.partner().await, kind());
    let (door, proof) = (kit.door(8).await, PlatformProof::runner());
    let unit = async |partner| door.begin_job(&proof, partner).await.unwrap();
    // Half of the connections are this partner's; as long as others are served one more of its units waits.
    let mut held = vec![];
    for _ in 0..4 {
        held.push(unit(busy.partner).await);
    }
    // Of each of both: how many are under way, and how many were at most.
    let counts: [Arc<[AtomicUsize; 2]>; 2] = Default::default();
    let lasting: Handler = {
        let (counts, first) = (counts.clone(), busy.partner);
        Arc::new(move |_, job| {
            let count = counts[usize::from(job.partner != Some(first))].clone();
            async move {
                let now = count[0].fetch_add(1, Ordering::SeqCst) + 1;
                count[1].fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                count[0].fetch_sub(1, Ordering::SeqCst);
                Ok(())
            }
            .boxed()
        })
    };
    let most = |which: usize| counts[which][1].load(Ordering::SeqCst);
    let crowd = "insert into control.job (partner_id, kind) select $1, $2 from generate_series(1, 24)";
    for place in [&busy, &other] {
        kit.run(crowd, vec![place.partner.uuid().into(), kind.into()]).await;
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
    let left = "select count(*) n from control.job where kind = $1 and partner_id = $2";
    let left = async |place: &Place<'_>| {
        let values = vec![kind.into(), place.partner.uuid().into()];
        kit.row(left, values).await.try_get::<i64>("", "n").unwrap()
    };
    unit(other.partner).await;
    let waits = unit(busy.partner);
    let runs = async {
        until(async || {
            unit(other.partner).await;
            !door.partners_waiting().is_empty()
        })
        .await;
        let runner = Runner::new(door.clone(), mailer, Hub::default(), [(kind, lasting)]);
        let running = tokio::spawn(runner.run(async move { drop(stopped.await) }));
        until(async || {
            unit(other.partner).await;
            left(&other).await == 0
        })
        .await;
        assert_eq!(most(0), 1);
        assert!(most(1) > 1, "the other one does not wait");
        held.clear();
        until(async || left(&busy).await == 0).await;
        assert!(most(0) > 1, "nobody waits any more");
        stop.send(()).unwrap();
        running.await.unwrap();
    };
    tokio::join!(waits, runs);
}

#[tokio::test]
async fn a_hundred_thousand_jobs_of_one_partner_delay_no_other() {
    let kit = kit().await;
    for crowd in [
        "insert into control.job (partner_id, kind, run_at) select $1, $2, now() - interval '1 hour' from \
         generate_series(1, 100000)",
        // Those whose worker died, too.
        "insert into control.job (partner_id, kind, run_at, state, leased_until) \
         select $1, $2, now() - interval '1 hour', 'running', now() - interval '1 minute' from \
         generate_series(1, 20)",
    ] {
        let (many, one, kind, seen) =
            (kit.partner().await, kit.partner().await, kind(), Arc::new(std::sync::Mutex::new(vec![])));
        kit.run(crowd, vec![many.partner.uuid().into(), kind.into()]).await;
        let tx = unit(&one).await;
        work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
        tx.commit().await.unwrap();
        let runs = seen.clone();
        let noting: Handler = Arc::new(move |_, job| {
            runs.lock().unwrap().push(job.partner);
            async { Ok(()) }.boxed()
        });
        runner(kit, kind, noting).round().await.unwrap();
        let seen = seen.lock().unwrap().clone();
        assert!(seen.contains(&Some(one.partner)), "the other's is in the first round");
        assert_eq!(seen.len(), 5, "and the other places are not all for one");
        kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;
    }
}

/// A connection keeps its plans, and those for an almost empty table read all of a full one; and who runs none of what
/// waits must not read it either.
#[tokio::test]
async fn a_queue_that_fills_up_is_not_read_as_a_whole() {
    let kit = kit().await.beside("queue").await;
    let (place, kind, count) = (kit.partner().await, kind(), Arc::new(AtomicUsize::new(0)));
    let crowd = async |many: i32| {
        let sql = "insert into control.job (partner_id, kind) select $1, $2 from generate_series(1, $3)";
        kit.run(sql, vec![place.partner.uuid().into(), kind.into(), many.into()]).await;
    };
    let read = async || -> i64 {
        let sql = "select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = \
            t.relid))::bigint n from pg_stat_user_tables t where t.relid = 'control.job'::regclass";
        kit.row(sql, vec![]).await.try_get("", "n").unwrap()
    };
    // Few kinds are looked for one by one.
    for (kinds, its) in [(1, true), (1, false), (30, true)] {
        let others = (0..kinds).map(|_| self::kind());
        let handlers: Vec<_> = others.chain(its.then_some(kind)).collect();
        let handlers = handlers.into_iter().map(|kind| (kind, counting(&count, |_| Ok(()))));
        let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
        let runner = Arc::new(Runner::new(kit.door(1).await, mailer, Hub::default(), handlers));
        // A `delete` reads them all, and a connection may count that only a second later, among what follows.
        kit.run("truncate control.job", vec![]).await;
        crowd(40).await;
        kit.run("vacuum analyze control.job", vec![]).await;
        for _ in 0..10 {
            runner.clone().round().await.unwrap();
        }
        crowd(20_000).await;
        for counted in [false, true] {
            if counted {
                kit.run("analyze control.job", vec![]).await;
            }
            let (before, done) = (read().await, count.load(Ordering::SeqCst));
            for _ in 0..10 {
                runner.clone().round().await.unwrap();
            }
            // What a connection has read is counted once a second.
            tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
            runner.clone().round().await.unwrap();
            let (rows, done) = (read().await - before, count.load(Ordering::SeqCst) - done);
            assert_eq!(done, if its { 44 } else { 0 });
            assert!(rows < 20_000, "{kinds} kinds, {its}: {rows} rows read, statistics of many: {counted}");
        }
    }
}

#[tokio::test]
async fn broken_tables_of_one_partner_do_not_block_the_cleanup_of_others() {
    let kit = kit().await;
    let (broken, sound) = (kit.partner().await, kit.partner().await);
    for place in [&broken, &sound] {
        let sql = format!(
            "insert into {}.event (restaurant_id, number, kind, data, created_at) values ($1, 1, 'TASK_X', \
             '{{}}', now() - interval '25 hours')",
            place.schema
        );
        kit.run(&sql, vec![place.restaurant.into()]).await;
    }
    kit.run(&format!("alter table {}.event rename to event_elsewhere", broken.schema), vec![]).await;
    runner(kit, kind(), counting(&Arc::default(), |_| Ok(()))).clean().await.unwrap();
    assert_eq!(sound.count("event").await, 0);
    kit.run(&format!("alter table {}.event_elsewhere rename to event", broken.schema), vec![]).await;
}

/// Something that happens in a test.
struct Rang(kernel::Id<kernel::Restaurant>);

impl work::events::Event for Rang {
    fn restaurant(&self) -> kernel::Id<kernel::Restaurant> {
        self.0
    }

    fn message(&self) -> Option<work::events::Message> {
        None
    }
}

/// The same, of which nobody wants to know.
struct Silent(Rang);

impl work::events::Event for Silent {
    fn restaurant(&self) -> kernel::Id<kernel::Restaurant> {
        self.0.0
    }

    fn message(&self) -> Option<work::events::Message> {
        None
    }
}

#[tokio::test]
async fn an_event_is_one_job_and_a_subscriber_that_fails_repeats_alone() {
    let (good, bad, later) = (kind(), kind(), kind());
    let in_an_hour = |_: &Rang| {
        let run_at = Some(kernel::clock::now() + chrono::Duration::hours(1));
        Some(work::Work { args: json!({}), run_at, ..work::Work::default() })
    };
    let at_once = |_: &Rang| Some(work::Work { args: json!({}), ..work::Work::default() });
    let table = work::Subscriptions::default().job(bad, at_once).job(good, at_once).job(later, in_an_hour);
    work::subscriptions::install(table);
    // Another process knows no subscriber of this one's, and would take the event's job as done.
    let kit = &kit().await.beside("event").await;
    let place = kit.partner().await;
    let kinds = async || {
        let sql =
            format!("select kind from control.job where partner_id = '{}' order by kind", place.partner);
        kit.texts(&sql).await
    };
    let tx = unit(&place).await;
    work::events::publish(&tx, &Silent(Rang(place.restaurant))).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(kinds().await, Vec::<String>::new(), "without a subscriber no job is written");
    let tx = unit(&place).await;
    work::events::publish(&tx, &Rang(place.restaurant)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(kinds().await, ["event"], "however many subscribe");

    let (ran, failed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let handlers = [
        (good, counting(&ran, |_| Ok(()))),
        (
            bad,
            counting(&failed, |number| if number == 0 { Err(JobError::retry("not today")) } else { Ok(()) }),
        ),
        (later, counting(&ran, |_| panic!("too early"))),
    ];
    let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
    let runner = Arc::new(Runner::new(kit.app.door.clone(), mailer, Hub::default(), handlers));
    settle(&runner).await;
    assert_eq!((ran.load(Ordering::SeqCst), failed.load(Ordering::SeqCst)), (1, 1));
    assert_eq!(kinds().await.len(), 2, "what failed, and what is for later");
    assert_eq!(state(kit, bad).await, Some(("waiting".into(), 1, Some("not today".into()))));
    assert_eq!(state(kit, later).await, Some(("waiting".into(), 0, None)));
    kit.run("update control.job set run_at = now() where kind = $1", vec![bad.into()]).await;
    settle(&runner).await;
    assert_eq!(
        (ran.load(Ordering::SeqCst), failed.load(Ordering::SeqCst)),
        (1, 2),
        "the other is not repeated"
    );
    assert_eq!(kinds().await, [later]);
}

#[tokio::test]
async fn a_subscriber_that_can_never_succeed_is_set_aside_alone() {
    let (good, never) = (kind(), kind());
    let at_once = |_: &Rang| Some(work::Work { args: json!({}), ..work::Work::default() });
    work::subscriptions::install(work::Subscriptions::default().job(never, at_once).job(good, at_once));
    let kit = kit().await;
    let place = kit.partner().await;
    let tx = unit(&place).await;
    work::events::publish(&tx, &Rang(place.restaurant)).await.unwrap();
    tx.commit().await.unwrap();
    let (ran, tried) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let handlers = [
        (good, counting(&ran, |_| Ok(()))),
        (never, counting(&tried, |_| Err(JobError::give_up("no such thing")))),
    ];
    let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
    let runner = Arc::new(Runner::new(kit.app.door.clone(), mailer, Hub::default(), handlers));
    settle(&runner).await;
    kit.run("update control.job set run_at = now() where kind = $1", vec![never.into()]).await;
    settle(&runner).await;
    assert_eq!((ran.load(Ordering::SeqCst), tried.load(Ordering::SeqCst)), (1, 1));
    assert_eq!(state(kit, never).await, Some(("failed".into(), 1, Some("no such thing".into()))));
}

//! Leases in real time, which nobody but the runners touches.

use std::{
    collections::HashSet,
    sync::Mutex,
    time::{Duration, Instant},
};

use futures_util::future::join_all;

use super::*;

/// A worker that handles both kinds until it is cut.
fn worker(handlers: &[(&'static str, Handler)]) -> tokio::task::JoinHandle<()> {
    let handlers = handlers.to_vec();
    tokio::spawn(async move {
        let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test", None).unwrap();
        let door = kit().await.app.door.clone();
        Runner::new(door, mailer, Hub::default(), handlers).run(std::future::pending()).await;
    })
}

#[tokio::test]
#[ignore = "takes a minute, for the night"]
async fn a_long_job_keeps_its_lease_and_a_dead_workers_job_comes_back_by_itself() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (long, dead) = (kind(), kind());
    let (long_begun, dead_begun) = (Arc::default(), Arc::default());
    let (end, never) = (Arc::new(tokio::sync::Notify::new()), Arc::new(tokio::sync::Notify::new()));
    let enqueue = async |kind| {
        let tx = unit(&place).await;
        work::enqueue(&tx, kind, None, json!({}), None).await.unwrap();
        tx.commit().await.unwrap();
    };
    let long_handler = (long, waiting(&long_begun, &end));
    enqueue(long).await;
    let holds = worker(std::slice::from_ref(&long_handler));
    until(async || long_begun.load(Ordering::SeqCst) == 1).await;

    let dead_handler = (dead, waiting(&dead_begun, &never));
    enqueue(dead).await;
    let dies = worker(std::slice::from_ref(&dead_handler));
    until(async || dead_begun.load(Ordering::SeqCst) == 1).await;
    dies.abort();
    let died = Instant::now();

    let other = worker(&[long_handler, dead_handler]);
    until(async || dead_begun.load(Ordering::SeqCst) == 2).await;
    let took = died.elapsed();
    assert!(took > Duration::from_secs(15) && took < Duration::from_secs(60), "{took:?}");
    // Longer than two leases, and nobody else has begun it.
    tokio::time::sleep(Duration::from_secs(65).saturating_sub(died.elapsed())).await;
    assert_eq!(long_begun.load(Ordering::SeqCst), 1);
    end.notify_one();
    until(async || state(kit, long).await.is_none()).await;
    holds.abort();
    other.abort();
    kit.run("delete from control.job where kind = $1", vec![dead.into()]).await;
}

/// Ten thousand units of work each ask for a job, and every other one is rolled back. A worker dies every five seconds in
/// the middle of its jobs, and another one begins.
#[tokio::test]
#[ignore = "takes some minutes, for the night"]
async fn of_ten_thousand_jobs_whose_workers_die_each_committed_one_is_done_and_no_other() {
    const UNITS: u64 = 10_000;
    let kit = kit().await;
    let kind = kind();
    let places: Vec<_> = join_all((0..4).map(|_| kit.partner())).await;
    let entries: Vec<_> = join_all(places.iter().map(entry)).await;
    let (effects, begun) = (Arc::new(Mutex::new(HashSet::new())), Arc::new(AtomicUsize::new(0)));
    let handler: Handler = {
        let (effects, begun) = (effects.clone(), begun.clone());
        Arc::new(move |context, job| {
            let (effects, begun) = (effects.clone(), begun.clone());
            async move {
                begun.fetch_add(1, Ordering::SeqCst);
                let tx = context.begin(&job).await?;
                // Some work, so that a worker dies in it.
                tx.run("select pg_sleep(0.02)", []).await.map_err(JobError::retry)?;
                tx.commit().await.map_err(JobError::retry)?;
                effects.lock().unwrap().insert(job.args["unit"].as_u64().unwrap());
                Ok(())
            }
            .boxed()
        })
    };
    let enqueuing = async {
        for unit in 0..UNITS {
            let at = usize::try_from(unit).unwrap() % entries.len();
            let tx = kit.app.door.begin(&entries[at]).await.unwrap().unwrap().0;
            work::enqueue(&tx, kind, None, json!({ "unit": unit }), None).await.unwrap();
            if unit / 4 % 2 == 0 {
                tx.commit().await.unwrap();
            }
        }
    };
    let handlers = [(kind, handler)];
    let mut deaths = 0;
    let working = async {
        let begun = Instant::now();
        let (mut dies, mut stays) = (worker(&handlers), worker(&handlers));
        loop {
            tokio::time::sleep(Duration::from_secs(5)).await;
            dies.abort();
            deaths += 1;
            (dies, stays) = (stays, worker(&handlers));
            let left = kit.row("select count(*) n from control.job where kind = $1", vec![kind.into()]).await;
            let done = effects.lock().unwrap().len() as u64;
            if done == UNITS / 2 && left.try_get::<i64>("", "n").unwrap() == 0 {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(600), "{done} of {} are done", UNITS / 2);
        }
        dies.abort();
        stays.abort();
    };
    tokio::join!(enqueuing, working);
    let effects = effects.lock().unwrap();
    assert!(effects.iter().all(|unit| unit / 4 % 2 == 0), "a job of a unit that was rolled back was done");
    // Of each worker that died eight jobs at most were under way.
    let repeated = begun.load(Ordering::SeqCst) - effects.len();
    assert!(repeated > 0 && repeated <= deaths * 8, "{repeated} begun again, {deaths} deaths");
}

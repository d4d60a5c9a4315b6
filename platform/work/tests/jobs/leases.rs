//! Leases in real time, which nobody but the runners touches.

use std::time::{Duration, Instant};

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

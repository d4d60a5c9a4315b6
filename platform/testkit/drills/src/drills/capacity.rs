//! All connections to the database held, and far more requests than the service can do.

use std::time::{Duration, Instant};

use rig::Result;
use sqlx::{AssertSqlSafe, Connection as _, Executor};

use super::database::probe;
use crate::{
    context::Context,
    load::{Kind, Load, Mix},
    process::{Held, most_memory},
    stage::Stage,
};

/// Connections of the instance whose pool is held.
const POOL: usize = 8;

/// See the registry.
pub async fn pool_held(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "pool-held").await?;
    stage.installation.set("PULT_DATABASE_POOL", &POOL.to_string());
    let instance = stage.serve().await?;
    let pid = instance.service.pid().ok_or("the service has ended")?;
    let load = Load::new(&stage.shop, instance.service.address, &stage.journal);
    let (calm, held) = (Duration::from_secs(3), Duration::from_secs(context.size(8, 30)));
    let recovery = Duration::from_secs(6);
    let pace = load.pace(60.0, 0.5, context.seed).await;
    context.did(format!("{pace:.0} requests a second"));
    let happening = async {
        tokio::time::sleep(calm).await;
        let before = Held::by(pid)?;
        let mut holder = stage.installation.owner().await?;
        let schema: String =
            sqlx::query_scalar("select role from control.partner").fetch_one(&mut holder).await?;
        // Whoever enters the restaurant waits for this lock and keeps its connection.
        let hold =
            format!("begin; lock table control.restaurant, {schema}.restaurant in access exclusive mode");
        let from = Instant::now();
        holder.execute(AssertSqlSafe(hold)).await?;
        let most = most_memory(pid, held).await;
        let probes = (probe(&instance, "/livez").await, probe(&instance, "/readyz").await);
        holder.execute("rollback").await?;
        let till = Instant::now();
        holder.close().await?;
        tokio::time::sleep(recovery).await;
        Result::Ok((from, till, before, most, probes))
    };
    let (from, till, before, most, probes) = load.beside(pace, context.seed, happening).await?;
    let meanwhile = load.between(from, till);
    context.did(format!("all {POOL} connections held for {} s: {meanwhile}", held.as_secs()));
    let slow = meanwhile.only(|sample| !sample.good() && sample.took > Duration::from_secs(3)).count();
    // Those that hold the connections cannot be told that they will wait: a statement gives up after ten seconds, and
    // another takes its place.
    let holders = POOL * held.as_secs().div_ceil(10).max(2) as usize;
    context.expect(
        slow <= holders,
        format!(
            "{slow} requests were turned away after more than 3 s (those that hold the {POOL} connections)"
        ),
    );
    let bad = meanwhile.failed();
    context.expect(bad == 0, format!("{bad} answers were neither done nor 503 with Retry-After"));
    if bad > 0 {
        context.did(load.strange());
    }
    context.expect(meanwhile.shed() > 0, format!("{} requests were turned away", meanwhile.shed()));
    let grown = most - before.memory;
    context.expect(
        grown <= (before.memory * 0.25).max(40.0),
        format!("memory {:.0} MB before, at most {most:.0} MB meanwhile", before.memory),
    );
    context.expect(
        probes.0 == Some(200) && probes.1 == Some(200),
        format!("/livez answered {:?}, /readyz {:?}, each within a second", probes.0, probes.1),
    );
    let after = load.between(till, Instant::now());
    let last = after.0.iter().filter(|sample| !sample.good()).map(|sample| sample.at).max();
    let back = last.map_or(Duration::ZERO, |last| last - till);
    context.expect(
        back <= Duration::from_secs(5) && after.good() > 0,
        format!("all is well {:.1} s after the connections were given back (5 s)", back.as_secs_f64()),
    );
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    stage.close(context, orders).await
}

/// The usual, with sums as statistics ask for them. One of 21 is an order: of a mix in which orders alone are more
/// than the service can do at three times its capacity, nobody can take them all.
const WITH_SUMS: Mix = &[
    (Kind::Order, 1),
    (Kind::Quote, 3),
    (Kind::Menu, 6),
    (Kind::Board, 6),
    (Kind::Settings, 3),
    (Kind::Totals, 2),
];

/// Has this program, with all its threads, use these processors alone.
fn pin(processors: &str) -> Result<()> {
    let own = std::process::id().to_string();
    let done = std::process::Command::new("taskset").args(["-acp", processors, &own]).output()?;
    if done.status.success() { Ok(()) } else { Err("the drill's threads cannot be pinned".into()) }
}

/// See the registry.
pub async fn overload(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "overload").await?;
    // Ten times of what a service can do is more than its neighbour on the same processors can ask.
    let processors = std::thread::available_parallelism()?.get();
    if processors > 1 {
        stage.installation.prefix(&["taskset", "-c", "0"]);
        pin(&format!("1-{}", processors - 1))?;
        context.did("the service has one processor, its clients the others, Postgres all");
    }
    let mut instance = stage.serve().await?;
    let load = Load::new(&stage.shop, instance.service.address, &stage.journal);
    // Warm, then measured.
    load.closed(8, WITH_SUMS, Duration::from_secs(context.size(2, 20)), context.seed).await;
    let measured = Duration::from_secs(context.size(4, 30));
    let from = Instant::now();
    load.closed(16, WITH_SUMS, measured, context.seed ^ 2).await;
    let capacity = load.between(from, Instant::now()).good() as f64 / from.elapsed().as_secs_f64();
    context.did(format!("capacity {capacity:.0} requests a second"));
    let mut peak: f64 = 0.0;
    let mut at_ten: f64 = 0.0;
    for times in context.size(&[1_u32, 3, 10][..], &[1, 2, 3, 5, 7, 10]) {
        let time = Duration::from_secs(context.size(5, 300));
        let from = Instant::now();
        load.run(capacity * f64::from(*times), WITH_SUMS, time, context.seed ^ u64::from(*times)).await;
        let step = load.between(from, Instant::now());
        let goodput = step.good() as f64 / from.elapsed().as_secs_f64();
        context.did(format!("{times} times: {goodput:.0} done a second; {step}"));
        for (kind, _) in WITH_SUMS {
            context.did(format!("  {kind:?}: {}", step.only(|sample| sample.kind == *kind)));
        }
        peak = peak.max(goodput);
        let p99 = step.percentile(0.99);
        context.expect(
            p99 <= Duration::from_secs(2),
            format!("{times} times: p99 of those done {:.0} ms (2 s)", p99.as_secs_f64() * 1e3),
        );
        let failed = step.failed();
        context.expect(
            failed == 0,
            format!("{times} times: {failed} answers were neither done nor a refusal with Retry-After"),
        );
        if *times == 3 {
            let orders = step.only(|sample| sample.kind == Kind::Order);
            let share = orders.good() as f64 / orders.count().max(1) as f64;
            context.expect(
                share >= 0.99,
                format!("3 times: {:.1} % of {} orders taken (99 %)", share * 100.0, orders.count()),
            );
        }
        if *times == 10 {
            at_ten = goodput;
        }
    }
    context.expect(
        at_ten >= peak * 0.8,
        format!("goodput at 10 times {at_ten:.0} a second, peak {peak:.0} (80 %)"),
    );
    let over = Instant::now();
    load.run(capacity * 0.3, WITH_SUMS, Duration::from_secs(context.size(5, 15)), context.seed ^ 99).await;
    let after = load.between(over, Instant::now());
    for (kind, _) in WITH_SUMS {
        context.did(format!("afterwards {kind:?}: {}", after.only(|sample| sample.kind == *kind)));
    }
    let last = after.0.iter().filter(|sample| !sample.good() || sample.took > Duration::from_secs(1));
    let back = last.map(|sample| sample.at).max().map_or(Duration::ZERO, |last| last - over);
    context.expect(
        back <= Duration::from_secs(10) && after.good() > 0,
        format!("all is normal again after {:.1} s (10 s)", back.as_secs_f64()),
    );
    context.expect(instance.service.runs(), "it never restarted");
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    if processors > 1 {
        pin(&format!("0-{}", processors - 1))?;
    }
    stage.close(context, orders).await
}

//! Half of what the service can do, for long.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use rig::{PARTNER, Result};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};

use crate::{
    context::Context,
    load::{Kind, Load, ON_AND_ON, USUAL},
    neighbours::{self, Stall},
    people,
    process::{Held, own_memory},
    sockets::Sockets,
    stage::{Instance, Stage},
};

/// Connections of the service to the database, and what they take there.
struct Backends {
    count: usize,
    /// Of the largest, and of all, in MB without what they share. Zero where this process may not see it.
    largest: u64,
    together: u64,
}

impl Backends {
    async fn now(stage: &Stage) -> Result<Self> {
        let mut owner = stage.installation.owner().await?;
        let sql = "select pid from pg_stat_activity where usename = 'pult_app'";
        let pids: Vec<i32> = sqlx::query_scalar(sql).fetch_all(&mut owner).await?;
        owner.close().await?;
        let each: Vec<u64> = pids.iter().map(|pid| own_memory(*pid).unwrap_or_default() >> 20).collect();
        let largest = each.iter().max().copied().unwrap_or_default();
        Ok(Self { count: each.len(), largest, together: each.iter().sum() })
    }
}

/// A table of this size is small, however little is left in it.
const SMALL: i64 = 16 << 20;

/// The tables of jobs and of the partner's events, and their indexes, are at most twice what is in them.
async fn bloat(context: &Context, stage: &Stage) -> Result<()> {
    let mut owner = stage.installation.owner().await?;
    owner.execute("create extension if not exists pgstattuple").await?;
    let sql = format!("select role || '.event' from control.partner where id = '{PARTNER}'");
    let events: String = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut owner).await?;
    for (what, table) in [("jobs", "control.job"), ("events", events.as_str())] {
        let rows = format!("select table_len, tuple_len from pgstattuple('{table}')");
        let leaves = format!(
            "select coalesce(sum(s.index_size), 0)::bigint, coalesce(sum(s.index_size * s.avg_leaf_density / 100) \
             filter (where s.avg_leaf_density <> 'NaN'), 0)::bigint from pg_index i, pgstatindex(i.indexrelid) s \
             where i.indrelid = '{table}'::regclass"
        );
        for (part, sql) in [("table", rows), ("indexes", leaves)] {
            let (all, used): (i64, i64) = sqlx::query_as(AssertSqlSafe(sql)).fetch_one(&mut owner).await?;
            let said = format!("{part} of {what}: {} kB for {} kB (twice, or 16 MB)", all >> 10, used >> 10);
            context.expect(all <= (used * 2).max(SMALL), said);
        }
    }
    Ok(owner.close().await?)
}

/// Restaurants of other partners, open, when nothing is left to be done for them.
async fn beside(stage: &Stage, address: SocketAddr, count: usize) -> Result<Vec<Stall>> {
    let console = people::super_admin(&stage.installation, address).await?;
    let mut stalls = vec![];
    for one in &neighbours::make(&console, count).await? {
        stalls.push(Stall::open(&console, address, one).await?);
    }
    stage.installation.lift_limits().await?;
    let mut owner = stage.installation.owner().await?;
    neighbours::quiet(&mut owner).await?;
    owner.execute("vacuum analyze").await?;
    owner.close().await?;
    Ok(stalls)
}

/// Windows have heard of every event once, and 99 of 100 messages came within two seconds of the change, as the
/// instance measures it.
async fn windows(context: &Context, stage: &Stage, instance: &Instance, windows: &Sockets) -> Result<()> {
    let (missed, events) = windows.compare(&stage.installation).await?;
    missed.iter().take(5).for_each(|what| context.did(what));
    context.expect(
        missed.is_empty(),
        format!("windows heard of all {events} events once: {} faults", missed.len()),
    );
    let all = instance.measured("pult_ws_delay_seconds_count").await?.unwrap_or(0.0);
    let in_time = instance.measured("pult_ws_delay_seconds_bucket{le=\"2\"}").await?.unwrap_or(0.0);
    let said = format!("{in_time} of {all} messages reached windows within 2 s of the change (99 %)");
    context.expect(all > 0.0 && in_time >= 0.99 * all, said);
    Ok(())
}

/// See the registry.
pub async fn soak(context: &Context) -> Result<()> {
    let stage = Stage::open(context, "soak").await?;
    let mut instance = stage.serve().await?;
    let pid = instance.service.pid().ok_or("the service has ended")?;
    let address = instance.service.address;
    let stalls = beside(&stage, address, context.size(3, 999)).await?;
    context.did(format!("{} partners", stalls.len() + 1));
    let load = Load::new(&stage.shop, address, &stage.journal).among(stalls);
    let open = Sockets::open(address, &stage.shop.staff, context.size(3, 5)).await?;
    // With many clients first: the pool opens all of its connections. An instance that has just begun may turn some away.
    let from = Instant::now();
    load.closed(40, USUAL, Duration::from_secs(context.size(3, 60)), context.seed).await;
    context.did(format!("many clients: {}", load.between(from, Instant::now())));
    let calm = Instant::now();
    load.closed(8, ON_AND_ON, Duration::from_secs(context.size(3, 30)), context.seed ^ 3).await;
    let capacity = load.between(calm, Instant::now()).good() as f64 / calm.elapsed().as_secs_f64();
    let pace = capacity / 2.0;
    // Warm at this pace, then parts of equal length.
    load.run(pace, ON_AND_ON, Duration::from_secs(context.size(3, 300)), context.seed ^ 4).await;
    context.did(format!("warm-up: {}", load.between(calm, Instant::now())));
    let part = Duration::from_secs(context.size(8, 1350));
    let (mut parts, mut largest) = (vec![], 0);
    for number in 0..context.size(4, 5_u64) {
        let from = Instant::now();
        load.run(pace, ON_AND_ON, part, context.seed ^ (10 + number)).await;
        let held = Held::by(pid)?;
        let served = load.between(from, Instant::now());
        let backends = Backends::now(&stage).await?;
        context.did(format!(
            "{:.0} MB, {} descriptors, {} connections to the database with {} MB, the largest {} MB; {served}",
            held.memory, held.descriptors, backends.count, backends.together, backends.largest
        ));
        largest = backends.largest.max(largest);
        parts.push((held, backends.count, served));
    }
    let [first, .., last] = parts.as_slice() else { return Err("too few parts".into()) };
    // In its short form it proves only that nothing leaks fast: a minute is too short for its averages.
    let (growth, slower) = context.size((0.25, 3.0), (0.05, 1.1));
    let grown = last.0.memory / first.0.memory - 1.0;
    context
        .expect(grown <= growth, format!("memory grew by {:.1} % ({:.0} %)", grown * 100.0, growth * 100.0));
    context.expect(
        last.0.descriptors <= first.0.descriptors + 8,
        format!("descriptors {} and {}", first.0.descriptors, last.0.descriptors),
    );
    context.expect(last.1 <= first.1 + 2, format!("connections to the database {} and {}", first.1, last.1));
    // As the sizes in docs/operating.md say.
    context.expect(largest <= 500, format!("the largest connection took {largest} MB there (500 MB)"));
    let (p99, then) = (first.2.percentile(0.99).as_secs_f64(), last.2.percentile(0.99).as_secs_f64());
    context.expect(
        then <= (p99 * slower).max(context.size(0.5, 0.02)),
        format!("p99 {:.0} ms at first, {:.0} ms at the end ({slower} times)", p99 * 1e3, then * 1e3),
    );
    let (all, served) = (load.all(), load.between(calm, Instant::now()));
    let bad = all.failed() + served.shed();
    context.expect(bad == 0, format!("{bad} of {} requests failed or were turned away", all.count()));
    let visits = all.only(|sample| sample.kind == Kind::Neighbour).count();
    context.did(format!("{visits} of them were of guests of the other partners"));
    context.expect(instance.service.runs(), "it never restarted");
    windows(context, &stage, &instance, &open).await?;
    drop(open);
    bloat(context, &stage).await?;
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    stage.close(context, orders).await
}

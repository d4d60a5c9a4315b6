//! Postgres restarted, behind a parted network, and without writes.

use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Connection, Result, request};
use sqlx::Executor;

use crate::{
    context::Context,
    load::{Load, Sample, Summary, USUAL},
    relay::{Relay, Way},
    stage::{Instance, Stage},
};

/// Requests a second at most.
const PACE: f64 = 40.0;
/// How long a refusal may take.
const REFUSAL: Duration = Duration::from_secs(3);
/// A moment before the fault, to see that all is well.
const CALM: Duration = Duration::from_secs(2);

/// The status of a probe, if it answers within its time of a second.
pub async fn probe(instance: &Instance, path: &str) -> Option<u16> {
    let ask = async {
        let address = ([127, 0, 0, 1], instance.metrics).into();
        Connection::open(address).await?.call(&request("GET", path, &[], None)).await
    };
    tokio::time::timeout(Duration::from_secs(1), ask).await.ok()?.ok().map(|reply| reply.status)
}

/// What the probes answered, and when they were asked.
struct Probed {
    at: Instant,
    answered: Instant,
    live: bool,
    ready: bool,
}

/// Asks for `/livez` and `/readyz` twice a second until `stop`.
async fn watch_probes(instance: &Instance, stop: &std::sync::atomic::AtomicBool) -> Vec<Probed> {
    let mut seen = Vec::new();
    while !stop.load(std::sync::atomic::Ordering::Relaxed) {
        let at = Instant::now();
        let (live, ready) = tokio::join!(probe(instance, "/livez"), probe(instance, "/readyz"));
        seen.push(Probed {
            at,
            answered: Instant::now(),
            live: live == Some(200),
            ready: ready == Some(200),
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    seen
}

/// Alive all the time; ready while the database answers, and not while it is away for longer than a moment.
fn judge_probes(context: &Context, seen: &[Probed], (from, well): (Instant, Instant), away: bool) {
    let count = |wanted: &dyn Fn(&Probed) -> bool| seen.iter().filter(|probed| wanted(probed)).count();
    let live = count(&|probed| probed.live);
    context.expect(live == seen.len(), format!("/livez was green {live} of {} times", seen.len()));
    if away {
        let noticed = from + Duration::from_secs(3);
        let meanwhile = |probed: &Probed| probed.at >= noticed && probed.answered < well;
        let (asked, green) = (count(&meanwhile), count(&|probed| meanwhile(probed) && probed.ready));
        context.expect(
            asked > 0 && green == 0,
            format!("/readyz was red all {asked} times that it was asked meanwhile ({green} times not)"),
        );
    }
    let outside = |probed: &Probed| probed.answered < from || probed.at >= well + back_within(context);
    let (asked, green) = (count(&outside), count(&|probed| outside(probed) && probed.ready));
    context.expect(
        asked > 0 && green == asked,
        format!("/readyz was green {green} of {asked} times before and afterwards"),
    );
}

/// How long after the database everything is back.
fn back_within(context: &Context) -> Duration {
    Duration::from_secs(context.size(5, 10))
}

/// From `well` on, when the last request was sent that was not done.
fn back_after(summary: &Summary, well: Instant, wanted: impl Fn(&Sample) -> bool) -> Duration {
    let after = summary.only(|sample| sample.at >= well && wanted(sample));
    let last = after.0.iter().filter(|sample| !sample.good()).map(|sample| sample.at).max();
    last.map_or(Duration::ZERO, |last| last - well)
}

/// What must hold while the database does not do what it should and afterwards.
fn judge(context: &Context, load: &Load<'_>, (from, well): (Instant, Instant)) {
    let all = load.all();
    let meanwhile = all.only(|sample| sample.at >= from && sample.at < well);
    let refused = meanwhile.only(|sample| !sample.good());
    let (no_answer, other) = (
        refused.only(|sample| sample.status.is_none()).count(),
        refused.only(|sample| sample.status.is_some() && !sample.shed()).count(),
    );
    context.did(format!("meanwhile {meanwhile}"));
    context.expect(refused.count() > 0, "the fault was met: some requests were turned away");
    context.expect(
        no_answer == 0 && other == 0,
        format!("refusals are 503 with Retry-After: {other} others, {no_answer} without an answer"),
    );
    if no_answer + other > 0 {
        context.did(load.strange());
    }
    context.expect(
        meanwhile.longest() <= REFUSAL,
        format!("no answer took more than 3 s: the longest {:.1} s", meanwhile.longest().as_secs_f64()),
    );
    let (back, within) = (back_after(&all, well, |_| true), back_within(context));
    let late = all.only(|sample| sample.at > well + within);
    context.expect(
        back <= within && late.good() > 0,
        format!(
            "all is well {:.1} s after the database ({} s), and so are {} requests later than that",
            back.as_secs_f64(),
            within.as_secs(),
            late.good()
        ),
    );
    // What was under way when it came is met by it.
    let calm = all.only(|sample| sample.at + sample.took < from);
    context.expect(calm.failed() + calm.shed() == 0, format!("before the fault {calm}"));
}

/// Runs the load while `fault` happens; then judges and reconciles. `away`: long enough for the probe to see it.
async fn under_load<F>(
    context: &Context, stage: Stage, instance: Instance, away: bool, fault: F,
) -> Result<()>
where
    F: AsyncFnOnce(&Context, &mut Stage2<'_>) -> Result<(Instant, Instant)>,
{
    let Stage { mut database, installation, shop, journal } = stage;
    let load = Load::new(&shop, instance.service.address, &journal);
    let stop = std::sync::atomic::AtomicBool::new(false);
    let pace = load.pace(PACE, 0.4, context.seed).await;
    context.did(format!("{pace:.0} requests a second"));
    let happening = async {
        tokio::time::sleep(CALM).await;
        let mut parts = Stage2 { database: &mut database, installation: &installation };
        let result = fault(context, &mut parts).await;
        if result.is_ok() {
            // Longer than it may take: who does not come back is seen.
            tokio::time::sleep(back_within(context) + Duration::from_secs(2)).await;
        }
        load.stop();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        result
    };
    let long = Duration::from_secs(3600);
    let (moments, (), probes) =
        tokio::join!(happening, load.run(pace, USUAL, long, context.seed), watch_probes(&instance, &stop));
    let moments = moments?;
    let orders = load.finish().await?;
    judge(context, &load, moments);
    judge_probes(context, &probes, moments, away);
    drop(load);
    instance.service.terminate().await?;
    Stage { database, installation, shop, journal }.close(context, orders).await
}

/// What a fault may change.
struct Stage2<'a> {
    database: &'a mut rig::Database,
    installation: &'a rig::Installation,
}

/// See the registry.
pub async fn restart(context: &Context) -> Result<()> {
    let times = context.size(3, 20);
    let stage = Stage::open(context, "restart").await?;
    let instance = stage.serve().await?;
    under_load(context, stage, instance, false, async |context, stage| {
        let mut random = StdRng::seed_from_u64(context.seed);
        let from = Instant::now();
        let mut well = from;
        for number in 0..times {
            stage.database.stop().await?;
            tokio::time::sleep(Duration::from_millis(random.random_range(100..1500))).await;
            stage.database.begin().await?;
            well = Instant::now();
            if number + 1 < times {
                tokio::time::sleep(Duration::from_millis(random.random_range(500..4000))).await;
            }
        }
        context.did(format!("Postgres was ended and started {times} times"));
        Ok((from, well))
    })
    .await
}

/// See the registry.
pub async fn away(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "away").await?;
    let relay = Relay::to(([127, 0, 0, 1], stage.database.port()).into()).await?;
    stage
        .installation
        .through(&["DATABASE_URL", "DATABASE_LISTEN_URL", "DATABASE_OWNER_URL"], relay.address)?;
    let instance = stage.serve().await?;
    let time = Duration::from_secs(context.size(8, 20));
    under_load(context, stage, instance, true, async |context, _| {
        let from = Instant::now();
        relay.set(Way::Held);
        tokio::time::sleep(time).await;
        relay.set(Way::Open);
        context.did(format!("nothing went to Postgres or came back for {} s", time.as_secs()));
        Ok((from, Instant::now()))
    })
    .await
}

/// See the registry.
pub async fn read_only(context: &Context) -> Result<()> {
    let stage = Stage::open(context, "read-only").await?;
    let instance = stage.serve().await?;
    let time = Duration::from_secs(context.size(4, 20));
    under_load(context, stage, instance, false, async |context, stage| {
        let mut owner = stage.installation.owner().await?;
        let from = Instant::now();
        owner.execute("alter system set default_transaction_read_only = on").await?;
        owner.execute("select pg_reload_conf()").await?;
        tokio::time::sleep(time).await;
        owner.execute("set default_transaction_read_only = off").await?;
        owner.execute("alter system reset default_transaction_read_only").await?;
        owner.execute("select pg_reload_conf()").await?;
        context.did(format!("Postgres took no writes for {} s", time.as_secs()));
        Ok((from, Instant::now()))
    })
    .await
}

//! Instances replaced one after another under load, with and without a new release.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rig::{Database, Installation, Journal, Result, Shop, free_port};

use crate::{
    balancer::Balancer,
    context::{CannotRun, Context},
    drills::database::probe,
    load::{Load, USUAL},
    pooler::Pooler,
    sockets::Sockets,
    stage::{Instance, SETTINGS, Stage},
};

/// How long a new instance may take until the balancer sends to it.
const START: Duration = Duration::from_secs(30);

/// Two instances behind a balancer, and a worker where these leave background work to one.
pub(super) struct Fleet {
    pub balancer: Balancer,
    pub instances: Vec<Instance>,
    worker: Option<Instance>,
    /// Jobs of workers that have ended.
    jobs: f64,
}

impl Fleet {
    pub async fn start(installation: &Installation) -> Result<Self> {
        let balancer = Balancer::start().await?;
        let mut fleet = Self { balancer, instances: vec![], worker: None, jobs: 0.0 };
        for _ in 0..2 {
            fleet.add(installation).await?;
        }
        Ok(fleet)
    }

    /// Starts a worker and waits until it is ready. The one before is asked to end; how it ended.
    async fn work(&mut self, installation: &Installation) -> Result<Vec<String>> {
        let metrics = free_port()?;
        let worker = Instance { service: installation.work(metrics)?, metrics };
        let begun = Instant::now();
        while probe(&worker, "/readyz").await != Some(200) {
            if begun.elapsed() > START {
                let log = worker.service.log_end();
                return Err(format!("a worker is not ready within {START:?}: {log}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let Some(old) = self.worker.replace(worker) else { return Ok(vec![]) };
        self.jobs += old.jobs().await?;
        let status = old.service.terminate().await?;
        Ok(if status.success() { vec![] } else { vec![format!("a worker ended with {status}")] })
    }

    /// Starts a further instance and waits until it gets requests.
    pub async fn add(&mut self, installation: &Installation) -> Result<()> {
        let (port, metrics) = (free_port()?, free_port()?);
        let service = installation.start(port, metrics)?;
        let address = service.address;
        self.balancer.add(address, metrics);
        let begun = Instant::now();
        while !self.balancer.sends_to(address) {
            if begun.elapsed() > START {
                return Err(
                    format!("an instance is not ready within {START:?}: {}", service.log_end()).into()
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.instances.push(Instance { service, metrics });
        Ok(())
    }

    /// Replaces each instance, and the worker: a new one first, then the old one is asked to end.
    async fn roll(&mut self, installation: &Installation) -> Result<Vec<String>> {
        let mut found = vec![];
        for _ in 0..2 {
            self.add(installation).await?;
            let old = self.instances.remove(0);
            let address = old.service.address;
            let begun = Instant::now();
            let status = old.service.terminate().await?;
            self.balancer.remove(address);
            if !status.success() {
                found.push(format!("an instance ended with {status}"));
            }
            if begun.elapsed() < Duration::from_secs(5) {
                found.push(format!(
                    "an instance listened only {:.1} s after SIGTERM",
                    begun.elapsed().as_secs_f64()
                ));
            }
        }
        if self.worker.is_some() {
            found.extend(self.work(installation).await?);
        }
        Ok(found)
    }
}

/// As it runs behind a balancer that ends TLS.
pub(super) fn as_in_production(installation: &mut Installation) {
    installation.unset("PULT_DEV");
    installation.set("PULT_PUBLIC_URL", "https://pult.example");
    installation.set("PULT_TRUSTED_PROXIES", "127.0.0.1");
}

/// What is done while the load runs.
struct Plan {
    name: &'static str,
    /// Rolls, each of both instances.
    rolls: usize,
    /// Through PgBouncer.
    pooled: bool,
    /// After the upgrade back to the old release, and forward again.
    back: bool,
}

/// The installation of the previous release where there is one.
async fn stage_of(context: &Context, plan: &Plan) -> Result<Stage> {
    let Some(previous) = &context.previous else { return Stage::open(context, plan.name).await };
    let database = Database::fresh(&context.programs, SETTINGS).await?;
    let installation = Installation::make(previous, &database.url(), &context.folder(plan.name)?).await?;
    let service = installation.serve(free_port()?, free_port()?).await?;
    let shop = Shop::open(&installation, service.address, context.seed).await?;
    service.terminate().await?;
    Ok(Stage { database, installation, shop, journal: Journal::default() })
}

async fn roll_under_load(context: &Context, plan: &Plan) -> Result<()> {
    let mut stage = stage_of(context, plan).await?;
    as_in_production(&mut stage.installation);
    let pooler = match plan.pooled {
        true => Some(Pooler::start(context, &stage.database, &mut stage.installation).await?),
        false => None,
    };
    stage.installation.leave_jobs();
    let mut fleet = Fleet::start(&stage.installation).await?;
    fleet.work(&stage.installation).await?;
    let address = fleet.balancer.address;
    let load = Load::new(&stage.shop, address, &stage.journal);
    let sockets = Sockets::open(address, &stage.shop.staff, context.size(10, 100)).await?;
    let calm = Duration::from_secs(context.size(4, 30));
    // One instance could carry it alone.
    let pace = load.pace(context.size(30.0, 100.0), 0.3, context.seed).await;
    context.did(format!("{pace:.0} requests a second"));
    let begun = Instant::now();
    let happening = async {
        tokio::time::sleep(calm).await;
        let from = Instant::now();
        let result = releases(context, plan, &mut stage.installation, &mut fleet).await;
        let till = Instant::now();
        tokio::time::sleep(Duration::from_secs(1)).await;
        result.map(|found| (from, till, found))
    };
    let (from, till, found) = load.beside(pace, context.seed, happening).await?;
    for what in &found {
        context.did(what);
    }
    context.expect(found.is_empty(), "each instance ended with 0, at least 5 s after SIGTERM");
    let worker = fleet.worker.take().ok_or("there is no worker")?;
    let (mut elsewhere, by_worker) = (0.0, fleet.jobs + worker.jobs().await?);
    for instance in &fleet.instances {
        elsewhere += instance.jobs().await?;
    }
    context.expect(
        by_worker > 0.0 && elsewhere == 0.0,
        format!("the workers began {by_worker} jobs, the instances without the owner's address {elsewhere}"),
    );
    let (normal, rolled) = (load.between(begun, from), load.between(from, till));
    context.did(format!("calm: {normal}"));
    context.did(format!("rolling: {rolled}"));
    let failed = load.all().count() - load.all().good();
    context.expect(
        failed == 0,
        format!("{failed} of {} requests failed or were turned away", load.all().count()),
    );
    if failed > 0 {
        context.did(load.strange());
    }
    judge_p99(context, normal.percentile(0.99), rolled.percentile(0.99));
    // The control meets only orders that were sent, so all of them are acknowledged in the end.
    control(context, &load, &mut fleet).await?;
    let orders = load.finish().await?;
    let (missed, events) = sockets.compare(&stage.installation).await?;
    for what in missed.iter().take(5) {
        context.did(what);
    }
    context.expect(
        missed.is_empty(),
        format!(
            "{} sockets heard of all {events} events once: {} faults; they came back {} times",
            context.size(10, 100),
            missed.len(),
            sockets.reconnects()
        ),
    );
    let told = sockets.sent_away();
    context.expect(told > 0, format!("they were told to come back {told} times, not cut off"));
    drop((load, sockets));
    for instance in std::mem::take(&mut fleet.instances).into_iter().chain([worker]) {
        instance.service.kill().await?;
    }
    drop(pooler);
    stage.close(context, orders).await
}

/// Rolls as planned; what was not in order.
async fn releases(
    context: &Context, plan: &Plan, installation: &mut Installation, fleet: &mut Fleet,
) -> Result<Vec<String>> {
    let mut found = vec![];
    for number in 0..plan.rolls {
        if number == 0 {
            found.extend(upgrade(context, installation, fleet).await?);
        } else {
            found.extend(fleet.roll(installation).await?);
        }
        if number == 0 && plan.back {
            if let Some(previous) = &context.previous {
                installation.use_binary(previous);
            }
            found.extend(fleet.roll(installation).await?);
            context.did("rolled back: the old release runs on the new schema");
            installation.use_binary(&context.binary);
            found.extend(fleet.roll(installation).await?);
        }
    }
    context.did(format!("{} rolls of two instances", plan.rolls + if plan.back { 2 } else { 0 }));
    Ok(found)
}

/// `pult migrate` of the new release while the old one serves, then the first roll to it.
async fn upgrade(
    context: &Context, installation: &mut Installation, fleet: &mut Fleet,
) -> Result<Vec<String>> {
    installation.use_binary(&context.binary);
    let before = newest(installation).await?;
    let begun = Instant::now();
    installation.run("migrate").await?;
    let took = begun.elapsed().as_secs_f64();
    let after = newest(installation).await?;
    match &context.previous {
        Some(previous) => {
            context.expect(
                before != after,
                format!(
                    "migrated {before} to {after} in {took:.1} s while {} served",
                    Path::new(previous).display()
                ),
            );
        }
        None => context.did(format!(
            "`pult migrate` ran meanwhile, {took:.1} s; the same release on both sides, so no schema changed"
        )),
    }
    fleet.roll(installation).await
}

/// The newest migrations of the partner and of `control`.
async fn newest(installation: &Installation) -> Result<String> {
    let mut owner = installation.owner().await?;
    let sql = "select concat_ws(' and ', p.schema_version, (select max(version) from control.seaql_migrations)) \
        from control.partner p";
    Ok(sqlx::query_scalar(sql).fetch_one(&mut owner).await?)
}

fn judge_p99(context: &Context, normal: Duration, rolled: Duration) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    // On a busy machine a new process alone takes as long as some requests.
    let floor = Duration::from_millis(context.size(1000, 150));
    context.expect(
        rolled <= (normal * 3).max(floor),
        format!(
            "p99 {:.0} ms while rolling, {:.0} ms normally (at most three times, or {:.0} ms)",
            ms(rolled),
            ms(normal),
            ms(floor)
        ),
    );
}

/// Without the handling: an instance that is killed instead of asked to end fails requests, and the load sees
/// it.
async fn control(context: &Context, load: &Load<'_>, fleet: &mut Fleet) -> Result<()> {
    let begun = Instant::now();
    let killing = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        fleet.instances.remove(0).service.kill().await
    };
    let (killed, ()) =
        tokio::join!(killing, load.closed(16, USUAL, Duration::from_millis(1500), context.seed ^ 1));
    killed?;
    let failed = load.between(begun, Instant::now()).failed();
    context
        .expect(failed > 0, format!("control: an instance killed instead of ended fails {failed} requests"));
    Ok(())
}

/// See the registry.
pub async fn restart(context: &Context) -> Result<()> {
    let rolls = context.size(1, 10);
    roll_under_load(context, &Plan { name: "rolling", rolls, pooled: false, back: false }).await
}

/// See the registry.
pub async fn upgrade_and_rollback(context: &Context) -> Result<()> {
    if context.pgbouncer.is_none() {
        return Err(CannotRun("there is no PgBouncer 1.21 or newer".to_owned()).into());
    }
    roll_under_load(context, &Plan { name: "upgrade", rolls: 1, pooled: true, back: true }).await
}

//! A partner that is moved between two database servers while it works, and units of work over both of them.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Api, Database, PARTNER, Result, Shop};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::rolling::{Fleet, as_in_production};
use crate::{
    context::Context,
    load::Load,
    neighbours,
    relay::{Relay, Way},
    sockets::Sockets,
    stage::{SETTINGS, Stage},
};

/// How long the partner may wait.
const PAUSE: Duration = Duration::from_secs(10);
/// How long somebody may wait for an answer while the partner's server is silent.
const SILENT: Duration = Duration::from_secs(4);
/// People who change the name of an API key: a row at home, and a line of the log where the partner is.
const PEOPLE: usize = 8;

/// See the registry.
pub async fn partner(context: &Context) -> Result<()> {
    let settings: Vec<&str> = SETTINGS.iter().copied().chain(["wal_level=logical"]).collect();
    let mut stage = Stage::with(context, "move-partner", &settings).await?;
    let mut east = Database::fresh(&context.programs, &settings).await?;
    // The service reaches it through a network that can be parted.
    let relay = Relay::to(([127, 0, 0, 1], east.port()).into()).await?;
    for (name, of, port) in [
        ("PULT_DATABASE_SERVERS", "PULT_DATABASE_URL", relay.address.port()),
        ("PULT_DATABASE_SERVERS_OWNER", "PULT_DATABASE_OWNER_URL", east.port()),
    ] {
        let home = format!(":{}/", stage.database.port());
        let there = stage.installation.setting(of).replace(&home, &format!(":{port}/"));
        stage.installation.set(name, &format!("east={there}"));
    }
    stage.installation.run("migrate").await?;
    as_in_production(&mut stage.installation);
    let mut fleet = Fleet::start(&stage.installation).await?;
    let address = fleet.balancer.address;
    let load = Load::new(&stage.shop, address, &stage.journal);
    let windows = context.size(10, 100);
    let sockets = Sockets::open(address, &stage.shop.staff, windows).await?;
    let pace = load.pace(context.size(20.0, 50.0), 0.3, context.seed).await;
    context.did(format!("{pace:.0} requests a second, {windows} windows"));
    let mut random = StdRng::seed_from_u64(context.seed);

    let from = Instant::now();
    let away = load.beside(pace, context.seed, async {
        for _ in 0..context.size(2, 6) {
            let mut mover = stage.installation.begin(&format!("partner move {PARTNER} east"))?;
            tokio::time::sleep(Duration::from_millis(random.random_range(100..4_000))).await;
            mover.kill().await?;
        }
        let away = relocate(&stage, "east").await?;
        lift_limits(&stage, &east).await?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(away)
    });
    let away = away.await?;
    context.expect(
        away < PAUSE,
        format!("moved away, after movers that were killed: {:.2} s of pause", away.as_secs_f64()),
    );
    unserved(context, &load, from);
    let left: i64 = sqlx::query_scalar("select count(*) from pg_namespace where nspname like 'pult\\_%'")
        .fetch_one(&mut stage.installation.owner().await?)
        .await?;
    context.expect(left == 0, "nothing of it is left at home");

    let changes = cut(context, &stage, &mut fleet, &mut east, &mut random).await?;
    context.expect(
        changes.1.is_empty(),
        format!("{} changes over both servers, each whole or not at all{}", changes.0, changes.1),
    );

    let time = Duration::from_secs(context.size(6, 20));
    let from = Instant::now();
    load.beside(pace, context.seed ^ 2, async {
        relay.set(Way::Held);
        tokio::time::sleep(time).await;
        relay.set(Way::Open);
        tokio::time::sleep(Duration::from_secs(3)).await;
        Result::Ok(())
    })
    .await?;
    let silent = load.between(from, from + time);
    context.expect(
        silent.failed() == 0 && silent.shed() > 0 && silent.longest() < SILENT,
        format!(
            "while nothing comes from the other server {} requests are told to come again, after {:.1} s at most",
            silent.shed(),
            silent.longest().as_secs_f64()
        ),
    );

    let from = Instant::now();
    let back = load.beside(pace, context.seed ^ 1, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let back = relocate(&stage, "default").await?;
        stage.installation.lift_limits().await?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(back)
    });
    let back = back.await?;
    context.expect(back < PAUSE, format!("moved back: {:.2} s of pause", back.as_secs_f64()));
    unserved(context, &load, from);

    let orders = load.finish().await?;
    let all = load.all();
    let strange = load.strange();
    context.expect(
        strange.is_empty(),
        format!("{} requests, {} told to come again, the others done {strange}", all.count(), all.shed()),
    );
    let (missed, events) = sockets.compare(&stage.installation).await?;
    context.expect(
        missed.is_empty(),
        format!("{windows} windows heard of all {events} events once: {} faults", missed.len()),
    );
    drop((load, sockets));
    for instance in std::mem::take(&mut fleet.instances) {
        instance.service.kill().await?;
    }
    east.remove().await?;
    stage.close(context, orders).await
}

/// As its clients saw it since this moment.
fn unserved(context: &Context, load: &Load<'_>, from: Instant) {
    let now = Instant::now();
    let gap = load.between(from, now).longest_gap(from, now);
    context.expect(
        gap < PAUSE,
        format!("its clients were without an answer that was good for {:.2} s at most", gap.as_secs_f64()),
    );
}

/// Moves the partner; how long it had to wait.
async fn relocate(stage: &Stage, to: &str) -> Result<Duration> {
    let said = stage.installation.run(&format!("partner move {PARTNER} {to}")).await?;
    if said.contains("already") {
        // A mover was killed after the moment in which it had moved.
        return Ok(Duration::ZERO);
    }
    let pause = said.trim().strip_suffix(" s of pause").and_then(|rest| rest.rsplit(' ').next());
    Ok(Duration::from_secs_f64(pause.ok_or(said.as_str())?.parse()?))
}

/// As for the schema at home: it came with its migrations, without what the rig has added there.
async fn lift_limits(stage: &Stage, east: &Database) -> Result<()> {
    let east = stage.installation.on(&east.url())?;
    east.lift_limits().await
}

/// People write at home and on the other server at once, while instances and the other server are killed. How many
/// changes there were, and what does not fit.
async fn cut(
    context: &Context, stage: &Stage, fleet: &mut Fleet, east: &mut Database, random: &mut StdRng,
) -> Result<(i64, String)> {
    let (address, staff) = (fleet.balancer.address, stage.shop.staff.clone());
    let key = Api::with(address, &staff)
        .call("POST", &Shop::admin("/api-keys"), Some(&json!({"name": "próba", "scopes": ["menu:read"]})))
        .await?;
    let path = Shop::admin(&format!("/api-keys/{}", key["id"].as_str().unwrap_or_default()));
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let people = futures_util::future::join_all(
        (0..PEOPLE).map(|who| rename(address, &staff, &path, who, &stop, &done)),
    );
    let killing = async {
        for round in 0..context.size(4, 30) {
            tokio::time::sleep(Duration::from_millis(random.random_range(200..900))).await;
            if round % 2 == 0 {
                let killed = fleet.instances.remove(0);
                fleet.balancer.remove(killed.service.address);
                killed.service.kill().await?;
                fleet.add(&stage.installation).await?;
            } else {
                east.kill().await?;
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.store(true, Ordering::Relaxed);
        Result::Ok(())
    };
    tokio::join!(killing, people).0?;
    let mut home = stage.installation.owner().await?;
    let begun = Instant::now();
    let prepared = "select count(*) from pg_prepared_xacts";
    while sqlx::query_scalar::<_, i64>(prepared).fetch_one(&mut home).await? > 0 {
        if begun.elapsed() > Duration::from_secs(30) {
            return Ok((0, ": prepared transactions are left at home".to_owned()));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let id = key["id"].as_str().unwrap_or_default();
    let sql = format!("select version - 1 from control.api_key where id = '{id}'");
    let changed: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut home).await?;
    let schema = neighbours::schema(&mut home, PARTNER).await?;
    let there = stage.installation.on(&east.url())?;
    let mut there: PgConnection = there.owner().await?;
    let sql = format!(
        "select count(*) from {schema}.audit where record_id = '{id}' and action = 'api_keys_update'"
    );
    let lines: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut there).await?;
    there.close().await?;
    let acknowledged = done.load(Ordering::Relaxed);
    let fits = changed == lines && changed >= i64::try_from(acknowledged)?;
    let faults = format!(": {changed} at home, {lines} lines of the log, {acknowledged} acknowledged");
    Ok((changed, if fits { String::new() } else { faults }))
}

async fn rename(
    address: SocketAddr, staff: &str, path: &str, who: usize, stop: &AtomicBool, done: &AtomicUsize,
) {
    let api = Api::with(address, staff);
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let name = json!({"name": format!("próba {who} {number}")});
        let renamed: Result<Value> = api.call("PUT", path, Some(&name)).await;
        if renamed.is_ok() {
            done.fetch_add(1, Ordering::Relaxed);
        }
    }
}

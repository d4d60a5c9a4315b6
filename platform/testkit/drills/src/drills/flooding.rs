//! One partner floods the service with requests and jobs; another must not notice.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use rig::{Api, Connection, Installation, PARTNER, Result, request};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor, PgConnection};

use crate::{
    context::Context,
    load::{Load, USUAL},
    stage::Stage,
};

const PARTNER_2: &str = "01900000-0000-7000-8000-0000000000f1";
const RESTAURANT_2: &str = "01900000-0000-7000-8000-0000000000fb";
/// The kind of the flood's jobs, and of those whose wait is measured: it ends an order that nobody pays, and
/// does nothing where there is no such order.
const JOB: &str = "order_expire";

/// Has the service make a partner, as the console does; its admin is the demo's, with a session of its own.
async fn second_partner(installation: &Installation, address: SocketAddr) -> Result<Api> {
    let mut owner = installation.owner().await?;
    let account = installation.account("partner admin")?;
    let plan = json!({"group": "01900000-0000-7000-8000-0000000000f2", "group_name": "Csoport",
        "restaurant": RESTAURANT_2, "restaurant_name": "Étterem", "currency": "huf",
        "admin": "01900000-0000-7000-8000-0000000000f3", "email": account.email, "first_name": "Anna",
        "last_name": "Minta"});
    owner
        .execute(AssertSqlSafe(format!(
            "insert into control.partner (id, name, mode, status, role, plan) select '{PARTNER_2}', 'Áradat', \
             'live', 'creating', 'pult_' || name || '_{}', '{plan}' from control.installation; \
             insert into control.job (partner_id, kind, key) values ('{PARTNER_2}', 'partner_create', \
             '{PARTNER_2}'); select pg_notify('pult_job', '')",
            PARTNER_2.replace('-', "")
        )))
        .await?;
    let made = format!("select status from control.partner where id = '{PARTNER_2}'");
    for attempt in 0.. {
        let status: String = sqlx::query_scalar(AssertSqlSafe(made.as_str())).fetch_one(&mut owner).await?;
        if status == "active" {
            break;
        }
        if attempt > 600 {
            return Err("the second partner is not made within 30 s".into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // What accepting the invitation does.
    owner
        .execute(AssertSqlSafe(format!(
            "update control.admin set status = 'active', version = version + 1 where partner_id = '{PARTNER_2}'"
        )))
        .await?;
    owner.close().await?;
    Api::sign_in(address, account).await
}

/// Sends so many requests a second in the second partner's name until `stop`; how many were answered, and how
/// many of these were refused.
async fn flood(
    address: SocketAddr, bearers: [&str; 2], per_second: f64, stop: &AtomicBool,
) -> (usize, usize) {
    let (answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let [key, session] = bearers;
    let guest = format!("/api/v3/partners/{PARTNER_2}/restaurants/{RESTAURANT_2}/menu");
    let staff =
        format!("/api/v3/admin/partners/{PARTNER_2}/restaurants/{RESTAURANT_2}/orders/fresh?limit=100");
    let asks = [
        request("GET", &guest, &[("authorization", key)], None),
        request("GET", &staff, &[("authorization", session)], None),
    ];
    let clients = 32;
    let begun = Instant::now();
    let sent = AtomicUsize::new(0);
    let client = |number: usize| {
        let (asks, sent, answered, refused) = (&asks, &sent, &answered, &refused);
        async move {
            let mut connection = None;
            while !stop.load(Ordering::Relaxed) {
                let turn = sent.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep_until((begun + Duration::from_secs_f64(turn as f64 / per_second)).into())
                    .await;
                let mut open = match connection.take() {
                    Some(open) => open,
                    None => match Connection::open(address).await {
                        Ok(open) => open,
                        Err(_) => continue,
                    },
                };
                if let Ok(reply) = open.call(&asks[(number + turn) % 2]).await {
                    answered.fetch_add(1, Ordering::Relaxed);
                    refused.fetch_add(usize::from(matches!(reply.status, 429 | 503)), Ordering::Relaxed);
                    if !reply.closes() {
                        connection = Some(open);
                    }
                }
            }
        }
    };
    futures_util::future::join_all((0..clients).map(client)).await;
    (answered.load(Ordering::Relaxed), refused.load(Ordering::Relaxed))
}

async fn many_jobs(owner: &mut PgConnection, many: usize) -> Result<()> {
    let sql = format!(
        "insert into control.job (partner_id, kind, args) select '{PARTNER_2}', '{JOB}', \
         jsonb_build_object('order_id', gen_random_uuid(), 'restaurant_id', '{RESTAURANT_2}') from \
         generate_series(1, {many}); select pg_notify('pult_job', '')"
    );
    owner.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

async fn jobs_left(owner: &mut PgConnection) -> Result<i64> {
    let sql = format!("select count(*) from control.job where partner_id = '{PARTNER_2}' and kind = '{JOB}'");
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(owner).await?)
}

/// Writes a job of the first partner now and then and waits until it is done; the waits.
async fn waits(installation: &Installation, stop: &AtomicBool) -> Result<Vec<Duration>> {
    let mut owner = installation.owner().await?;
    let mut waits = vec![];
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let sql = format!(
            "insert into control.job (partner_id, kind, args) values ('{PARTNER}', '{JOB}', \
             jsonb_build_object('order_id', gen_random_uuid(), 'restaurant_id', '{}')) returning id",
            rig::RESTAURANT
        );
        let id: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut owner).await?;
        owner.execute("select pg_notify('pult_job', '')").await?;
        let there = format!("select count(*) from control.job where id = {id} and attempts = 0");
        while sqlx::query_scalar::<_, i64>(AssertSqlSafe(there.as_str())).fetch_one(&mut owner).await? > 0 {
            if begun.elapsed() > Duration::from_secs(60) {
                return Err("a job of the other partner did not begin within a minute".into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        waits.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    owner.close().await?;
    waits.sort_unstable();
    Ok(waits)
}

/// See the registry.
pub async fn partner(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "flooding").await?;
    // As it is delivered.
    stage.installation.unset("PULT_CALLS_PER_SESSION");
    let instance = stage.serve().await?;
    let address = instance.service.address;
    let session = second_partner(&stage.installation, address).await?;
    let keys = format!("/api/v3/admin/partners/{PARTNER_2}/restaurants/{RESTAURANT_2}/api-keys");
    let made = session
        .call("POST", &keys, Some(&json!({"name": "áradat", "scopes": ["orders:write", "menu:read"]})))
        .await?;
    let key = format!("Bearer {}", made["api_key"].as_str().unwrap_or_default());
    let load = Load::new(&stage.shop, address, &stage.journal);
    let pace = load.pace(20.0, 0.2, context.seed).await;
    let alone = Duration::from_secs(context.size(6, 60));
    let from = Instant::now();
    load.run(pace, USUAL, alone, context.seed).await;
    let before = load.between(from, Instant::now());
    let jobs = context.size(5_000, 100_000);
    let mut owner = stage.installation.owner().await?;
    let stop = AtomicBool::new(false);
    many_jobs(&mut owner, jobs).await?;
    let from = Instant::now();
    let beside = async {
        load.run(pace, USUAL, alone, context.seed ^ 6).await;
        stop.store(true, Ordering::Relaxed);
    };
    // Ten times as much as the other one does, and more than a key may.
    let rate = context.size(pace * 10.0, 1000.0).max(40.0);
    let ((), (answered, refused), waits) = tokio::join!(
        beside,
        flood(address, [&key, session.bearer()], rate, &stop),
        waits(&stage.installation, &stop)
    );
    let waits = waits?;
    let during = load.between(from, Instant::now());
    let left = jobs_left(&mut owner).await?;
    // The short flood is below what a key and a session may.
    context.expect(
        refused > 0 || context.small,
        format!(
            "the flood: {answered} requests answered, {refused} of them refused; {jobs} jobs, {left} left"
        ),
    );
    context.did(format!("the other partner alone: {before}"));
    context.did(format!("beside the flood: {during}"));
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (alone, beside) = (before.percentile(0.99), during.percentile(0.99));
    // Beside others on two cores a short run has few samples beyond its 99th of a hundred.
    // The goal is 1.5 times; only more than twice fails the drill.
    let floor = Duration::from_millis(context.size(1000, 0));
    context.expect(
        beside <= alone.mul_f64(2.0).max(floor),
        format!(
            "p99 {:.0} ms alone, {:.0} ms beside the flood: {:.1} times (goal 1.5; 2, or {:.0} ms)",
            ms(alone),
            ms(beside),
            ms(beside) / ms(alone),
            ms(floor)
        ),
    );
    let bad = during.count() - during.good();
    context.expect(bad == 0, format!("{bad} of the other partner's requests failed or were turned away"));
    if bad > 0 {
        context.did(load.strange());
    }
    let p99 = waits.get(waits.len().saturating_sub(1) * 99 / 100).copied().unwrap_or_default();
    context.expect(
        p99 <= Duration::from_secs(5) && !waits.is_empty(),
        format!("{} jobs of the other partner waited at most {:.1} s (5 s)", waits.len(), p99.as_secs_f64()),
    );
    context.expect(left > 0, "the flood's jobs lasted longer than the run");
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    owner.execute(AssertSqlSafe(format!("delete from control.partner where id = '{PARTNER_2}'"))).await?;
    owner.execute(AssertSqlSafe(format!("delete from control.job where kind = '{JOB}'"))).await?;
    owner.close().await?;
    stage.close(context, orders).await
}

//! Two instances whose clocks are apart and jump. Leases, tokens and counters hold, because what several
//! instances share is measured with the database's clock.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Api, Installation, Result, free_port};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use crate::{
    balancer::Balancer,
    context::{CannotRun, Context},
    load::Load,
    stage::{Instance, Stage},
};

/// Where Debian's packages put the library that changes a program's clock.
const LIBRARIES: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
];

/// An instance whose clock is read from a file.
struct Skewed {
    instance: Instance,
    file: PathBuf,
}

impl Skewed {
    async fn start(
        installation: &Installation, library: &str, folder: &Path, name: &str, by: i64,
    ) -> Result<Self> {
        let file = folder.join(name);
        let mut installation = installation.clone();
        Self::write(&file, by)?;
        for (name, value) in [
            ("LD_PRELOAD", library),
            ("FAKETIME_TIMESTAMP_FILE", &file.display().to_string()),
            ("FAKETIME_CACHE_DURATION", "1"),
            // Only the wall clock is wrong, as when a machine's time is set.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("FAKETIME_NO_CACHE", "0"),
        ] {
            installation.set(name, value);
        }
        let (port, metrics) = (free_port()?, free_port()?);
        let service = installation.serve(port, metrics).await?;
        Ok(Self { instance: Instance { service, metrics }, file })
    }

    fn write(file: &Path, by: i64) -> Result<()> {
        Ok(std::fs::write(file, format!("{by:+}s\n"))?)
    }

    fn set(&self, by: i64) -> Result<()> {
        Self::write(&self.file, by)
    }
}

/// How many seconds the clock was ahead of this one that made this token: it has the moment of its making. The
/// date of answers does not show a jump back, because it is remembered.
fn ahead(bearer: &str) -> Result<i64> {
    let claims = bearer.split('.').nth(1).ok_or("a token without claims")?;
    let (mut text, mut bits, mut held) = (vec![], 0_u32, 0_u32);
    for letter in claims.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            _ => 63,
        };
        (bits, held) = (bits << 6 | u32::from(value), held + 6);
        if held >= 8 {
            held -= 8;
            text.push((bits >> held) as u8);
        }
    }
    let claims: serde_json::Value = serde_json::from_slice(&text)?;
    let made = claims["iat"].as_i64().ok_or("a token without its moment")?;
    Ok(made - SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() as i64)
}

/// See the registry.
pub async fn apart(context: &Context) -> Result<()> {
    let Some(library) = LIBRARIES.iter().find(|path| Path::new(path).exists()) else {
        return Err(CannotRun("there is no libfaketime (Debian: faketime)".to_owned()).into());
    };
    let stage = Stage::open(context, "clocks").await?;
    let folder = context.folder("clocks-files")?;
    let fast = Skewed::start(&stage.installation, library, &folder, "fast", 30).await?;
    let slow = Skewed::start(&stage.installation, library, &folder, "slow", -30).await?;
    let balancer = Balancer::start().await?;
    for one in [&fast, &slow] {
        balancer.add(one.instance.service.address, one.instance.metrics);
    }
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let load = Load::new(&stage.shop, balancer.address, &stage.journal);
    let pace = load.pace(20.0, 0.4, context.seed).await;
    let account = stage.installation.account("restaurant admin")?.clone();
    let jumps: i64 = context.size(3, 20);
    let pause = Duration::from_secs(context.size(3, 20));
    let mut random = StdRng::seed_from_u64(context.seed);
    let mut owner = stage.installation.owner().await?;
    owner.execute(NOTED).await?;
    let happening = async {
        tokio::time::sleep(pause).await;
        let (mut crossed, mut jumped) = (0, 0_i64);
        for _ in 0..jumps {
            let (one, other) = if random.random() { (&fast, &slow) } else { (&slow, &fast) };
            let by: i64 = if random.random() { 3600 } else { -3600 };
            // A session that one makes is good at the other, whatever their clocks say.
            let session = Api::sign_in(one.instance.service.address, &account).await?;
            one.set(by)?;
            tokio::time::sleep(pause).await;
            write_jobs(&mut owner).await?;
            // Without this the drill would prove nothing: the clock did jump.
            let meanwhile = Api::sign_in(one.instance.service.address, &account).await?;
            jumped += i64::from((ahead(meanwhile.bearer())? - by).abs() <= 5);
            let (before, during) = (session.bearer(), meanwhile.bearer());
            for (instance, bearer) in [&one.instance, &other.instance]
                .into_iter()
                .flat_map(|instance| [(instance, before), (instance, during)])
            {
                let ask = rig::request(
                    "GET",
                    &rig::Shop::admin("/opening-hours"),
                    &[("authorization", bearer)],
                    None,
                );
                let reply = rig::Connection::open(instance.service.address).await?.call(&ask).await?;
                crossed += usize::from(reply.status != 200);
            }
            one.set(if std::ptr::eq(one, &fast) { 30 } else { -30 })?;
            tokio::time::sleep(Duration::from_millis(1500)).await;
        }
        Result::Ok((crossed, jumped))
    };
    let (crossed, jumped) = load.beside(pace, context.seed, happening).await?;
    let all = load.all();
    context.did(format!("clocks 60 s apart, {jumps} jumps of an hour: {all}"));
    context.expect(jumped == jumps, format!("new sessions showed {jumped} of {jumps} jumps"));
    let bad = all.count() - all.good();
    context.expect(bad == 0, format!("{bad} requests failed or were turned away"));
    if bad > 0 {
        context.did(load.strange());
    }
    context.expect(crossed == 0, format!("{crossed} sessions were refused after a jump"));
    leases(context, &mut owner, JOBS * jumps).await?;
    owner.close().await?;
    let orders = load.finish().await?;
    drop(load);
    for one in [fast, slow] {
        one.instance.service.terminate().await?;
    }
    stage.close(context, orders).await
}

/// Jobs that are written while a clock is an hour off.
const JOBS: i64 = 50;

/// Notes each time that a worker takes one of them.
const NOTED: &str = "create table public.taken (job bigint not null); \
    create function public.taken() returns trigger language plpgsql security definer as \
    $$ begin insert into public.taken values (new.id); return null; end $$; \
    create trigger taken after update of attempts on control.job for each row \
    when (new.kind = 'order_expire' and new.attempts > old.attempts) execute function public.taken()";

async fn write_jobs(owner: &mut PgConnection) -> Result<()> {
    let sql = format!(
        "insert into control.job (partner_id, kind, args) select '{}', 'order_expire', \
         jsonb_build_object('order_id', gen_random_uuid(), 'restaurant_id', '{}') from \
         generate_series(1, {JOBS}); select pg_notify('pult_job', '')",
        rig::PARTNER,
        rig::RESTAURANT
    );
    owner.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

/// No job was taken from a worker that lives: each was taken once.
async fn leases(context: &Context, owner: &mut PgConnection, written: i64) -> Result<()> {
    let begun = Instant::now();
    let left = "select count(*) from control.job where kind = 'order_expire'";
    while sqlx::query_scalar::<_, i64>(left).fetch_one(&mut *owner).await? > 0
        && begun.elapsed() < Duration::from_secs(60)
    {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let stuck: i64 = sqlx::query_scalar(left).fetch_one(&mut *owner).await?;
    let sql = "select count(distinct job), count(*) from public.taken";
    let (jobs, taken): (i64, i64) = sqlx::query_as(sql).fetch_one(owner).await?;
    context.expect(
        stuck == 0 && jobs == written && taken == jobs,
        format!("{written} jobs were written meanwhile: {jobs} were taken, {taken} times, {stuck} are left"),
    );
    Ok(())
}

//! The whole run: prepare, record, measure in interleaved rounds, print.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::Stdio,
    time::Duration,
};

use rig::{Installation, Result, Service, free_port};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::process::{Child, Command};

use crate::{
    breakdown, cpu,
    load::{self, Measured, Request, load, load_any},
    minimal,
    prepare::{Requests, add_promotions, prepare},
    record::{Record, made_ids},
    report, start,
};

/// Where the service and the references run; the load generator has the other core, and Postgres may use
/// both.
pub(crate) const CORE: [&str; 3] = ["taskset", "-c", "0"];
const ROUNDS: usize = 5;
pub(crate) const WARM_UP: Duration = Duration::from_secs(1);

/// How long each measurement of a round takes; `PULT_BENCH_SECONDS` for trying the bench itself.
fn time() -> Duration {
    Duration::from_secs_f64(
        std::env::var("PULT_BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4.0),
    )
}

/// A measured program, and the process whose processor time is read.
pub(crate) struct Program {
    pub address: SocketAddr,
    pub pid: u32,
}

pub(crate) struct Run {
    pub measured: Measured,
    /// Milliseconds of processor time per request: of the program, and of Postgres.
    pub own_cpu: f64,
    pub postgres_cpu: f64,
}

pub(crate) async fn measure(
    program: &Program, postgres: u32, what: &Request, clients: usize, time: Duration,
) -> Result<Run> {
    measure_any(program, postgres, std::slice::from_ref(what), clients, time).await
}

/// The same with some of these, drawn at random.
async fn measure_any(
    program: &Program, postgres: u32, all: &[Request], clients: usize, time: Duration,
) -> Result<Run> {
    let before = (cpu::of_process(program.pid), cpu::of_family(postgres));
    let measured = load_any(program.address, all, clients, time).await?;
    let per_request = |seconds: f64| seconds * 1e3 / measured.requests as f64;
    let own_cpu = per_request(cpu::of_process(program.pid) - before.0);
    let postgres_cpu = per_request(cpu::of_family(postgres) - before.1);
    Ok(Run { measured, own_cpu, postgres_cpu })
}

/// A variable that `cargo xtask bench` sets.
pub(crate) fn variable(name: &str) -> Result<String> {
    Ok(std::env::var(name).map_err(|_| format!("{name} is not set; `cargo xtask bench` does it"))?)
}

/// Measures everything and prints the tables of README.md.
pub(crate) async fn run(pult: &Path, sandbox: &Path, folder: &Path) -> Result<()> {
    let server = variable("PULT_BENCH_DATABASE_URL")?;
    let log = variable("PULT_BENCH_POSTGRES_LOG")?;
    let mut installation = Installation::make(pult, &server, folder).await?;
    let mut owner = installation.owner().await?;
    let backend: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut owner).await?;
    let postgres =
        u32::try_from(backend).ok().and_then(cpu::parent).ok_or("Postgres does not run on this machine")?;

    installation.prefix(&[]);
    start::print(&installation).await?;

    installation.prefix(&CORE);
    let (cached, service) = serve(&installation).await?;
    let requests = prepare(&installation, sandbox, cached.address).await?;
    let schema: String = sqlx::query_scalar("select role from control.partner").fetch_one(&mut owner).await?;
    // E-mails and the wait for an acceptance are jobs, which is not what an order costs.
    owner
        .execute(AssertSqlSafe(format!(
            "update {schema}.restaurant set contact_email = null, escalate_after_minutes = null"
        )))
        .await?;
    let mut records = record(&mut installation, &mut owner, log.as_ref(), &requests).await?;
    breakdown::statements(&records);
    if let Some(order) = records.get_mut("/order") {
        *order = minimal::order(&mut owner, &schema, order).await?;
    }
    installation.set("PULT_MENU_CACHE", "off");
    let (computing, second) = serve(&installation).await?;
    installation.unset("PULT_MENU_CACHE");

    let file = folder.join("records.json");
    std::fs::write(&file, serde_json::to_vec(&records)?)?;
    let app = installation.setting("PULT_DATABASE_URL").to_owned();
    let fixed =
        format!("{}?options=-c%20search_path%3D{schema}", installation.setting("PULT_DATABASE_OWNER_URL"));
    let (door, _first) = reference(&file, &app, false).await?;
    let (plain, _second) = reference(&file, &fixed, true).await?;

    let as_reference = |what: &Request, path: &str| Request { path: path.to_owned(), ..what.clone() };
    let plans = [
        ("menu, computed", &computing, &requests.menu, "/menu-computed"),
        ("order", &cached, &requests.order, "/order"),
    ];
    for (_, program, what, path) in &plans {
        for (program, what) in [
            (*program, (*what).clone()),
            (&door, as_reference(what, path)),
            (&plain, as_reference(what, path)),
        ] {
            load(program.address, &what, 8, WARM_UP).await?;
        }
    }
    // Autovacuum is off here. Without statistics Postgres keeps the plans that it made for empty tables.
    owner.execute("analyze").await?;
    report::heading();
    for (name, service, what, path) in &plans {
        for clients in [1, 8] {
            let mut rounds = Vec::new();
            for _ in 0..ROUNDS {
                let service = measure(service, postgres, what, clients, time()).await?;
                let reference = measure(&door, postgres, &as_reference(what, path), clients, time()).await?;
                let plain = measure(&plain, postgres, &as_reference(what, path), clients, time()).await?;
                rounds.push([service, reference, plain]);
            }
            report::lines(name, clients, &rounds);
        }
    }
    kept(&cached, postgres, &requests.menu).await?;
    breakdown::steps(&cached, &computing, postgres, &requests, time()).await?;
    quotes(&installation, &cached, postgres, &requests.quote).await?;
    offered([&cached, &computing], &requests.order).await?;
    println!("\nMemory of the service after all this: {:.0} MB resident.", cpu::resident(cached.pid)?);
    service.kill().await?;
    second.kill().await?;
    owner.close().await?;
    drop((_first, _second));
    installation.remove().await
}

/// The menu from memory: four of five who ask have it already.
async fn kept(service: &Program, postgres: u32, menu: &Request) -> Result<()> {
    let etag = menu.once(service.address).await?.header("etag").unwrap_or_default().to_owned();
    let known = Request { headers: vec![("if-none-match", etag)], status: 304, ..menu.clone() };
    let all = [menu.clone(), known.clone(), known.clone(), known.clone(), known];
    println!("\n| menu, kept, 80 % conditional: clients | requests/s | p50 ms | p99 ms | CPU of it, ms |");
    println!("|--:|--:|--:|--:|--:|");
    for clients in [1, 8, 32] {
        load_any(service.address, &all, clients, WARM_UP).await?;
        let Run { measured, own_cpu, .. } = measure_any(service, postgres, &all, clients, time()).await?;
        let (p50, p99) = (measured.percentile(0.5), measured.percentile(0.99));
        println!("| {clients} | {:.0} | {p50:.2} | {p99:.2} | {own_cpu:.2} |", measured.per_second());
    }
    Ok(())
}

/// A quote beside one active promotion, and the same beside forty.
async fn quotes(
    installation: &Installation, service: &Program, postgres: u32, quote: &Request,
) -> Result<()> {
    let few = measure(service, postgres, quote, 1, time()).await?;
    add_promotions(installation, service.address).await?;
    load(service.address, quote, 1, WARM_UP).await?;
    let many = measure(service, postgres, quote, 1, time()).await?;
    let [few, many] = [few, many].map(|run| run.measured.percentile(0.5));
    println!("\nQuote, p50: {few:.2} ms with 1 promotion, {many:.2} ms with 40; ratio {:.2}.", many / few);
    Ok(())
}

/// Orders a second that are offered to two instances together, whether or not they can take them.
const OFFERED: f64 = 500.0;

async fn offered(instances: [&Program; 2], order: &Request) -> Result<()> {
    let each = instances.map(|one| load::offered(one.address, order, OFFERED / 2.0, time()));
    let runs = futures_util::future::try_join_all(each).await?;
    let taken: f64 = runs.iter().map(|(run, _)| run.per_second()).sum();
    let refused: u32 = runs.iter().map(|(_, refused)| refused).sum();
    let p99 = runs.iter().map(|(run, _)| run.percentile(0.99)).fold(0.0, f64::max);
    println!(
        "\n{OFFERED} orders/s offered to two instances: {taken:.0} a second taken, {refused} refused, p99 of those \
         taken {p99:.0} ms."
    );
    Ok(())
}

/// An instance of the service on free ports.
pub(crate) async fn serve(installation: &Installation) -> Result<(Program, Service)> {
    let service = installation.serve(free_port()?, free_port()?).await?;
    let pid = service.pid().ok_or("the service has ended")?;
    Ok((Program { address: service.address, pid }, service))
}

pub(crate) async fn reference(records: &Path, url: &str, plain: bool) -> Result<(Program, Child)> {
    let port = free_port()?;
    let mut command = Command::new(CORE[0]);
    command
        .args(&CORE[1..])
        .arg(std::env::current_exe()?)
        .arg("reference")
        .arg(records)
        .args([url, &port.to_string()]);
    if plain {
        command.arg("plain");
    }
    let child = command.stdin(Stdio::null()).kill_on_drop(true).spawn()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    for _ in 0..500 {
        if rig::Connection::open(address).await.is_ok() {
            return Ok((Program { address, pid: child.id().ok_or("the reference has ended")? }, child));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err("the reference does not answer".into())
}

/// Records the two requests, by the path that the references serve them under.
async fn record(
    installation: &mut Installation, owner: &mut PgConnection, log: &Path, requests: &Requests,
) -> Result<BTreeMap<String, Record>> {
    let app = |setting: &str| AssertSqlSafe(format!("alter role pult_app {setting}"));
    owner.execute(app("set log_min_duration_statement = 0")).await?;
    let mut records = BTreeMap::new();
    for (name, cache, what) in [("/menu-computed", "off", &requests.menu), ("/order", "on", &requests.order)]
    {
        installation.set("PULT_MENU_CACHE", cache);
        let (program, service) = serve(installation).await?;
        // By the tenth time statements are prepared and have their final plans.
        for number in 0..10 {
            let key = format!("recording-{number}");
            let what = Request { headers: vec![("idempotency-key", key)], ..what.clone() };
            what.once(program.address).await?;
        }
        let first = one(log, &program, what, "first").await?;
        let mut second = one(log, &program, what, "second").await?;
        second.ids = made_ids(&first.statements, &second.statements);
        records.insert(name.to_owned(), second);
        service.kill().await?;
    }
    installation.unset("PULT_MENU_CACHE");
    owner.execute(app("reset log_min_duration_statement")).await?;
    Ok(records)
}

/// The statements of the service during this request.
pub(crate) async fn one(log: &Path, program: &Program, what: &Request, key: &str) -> Result<Record> {
    let offset = std::fs::metadata(log)?.len();
    let key = format!("recorded-as-{key}");
    let what = Request { headers: vec![("idempotency-key", key.clone())], ..what.clone() };
    let reply = what.once(program.address).await?;
    // A unit of work that only read is rolled back behind the answer.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let statements = Record::read(log, offset)?;
    Ok(Record {
        statements,
        status: reply.status,
        body: reply.text(),
        ids: vec![],
        key: what.body.is_some().then_some(key),
    })
}

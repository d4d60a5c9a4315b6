//! What an order costs the home server when its partner is on another one: the home server does that for the orders of
//! all partners, so it is the ceiling of what several servers take.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rig::{Database, Installation, Result};
use sqlx::{Connection as _, PgConnection};

use super::{PARTNER, Stage};
use crate::{
    cpu,
    load::{Request, load},
    prepare::prepare,
    report::{Line, median, number},
    rounds::{CORE, Program, WARM_UP, serve},
};

const CLIENTS: usize = 8;
/// Nothing is written safely, as on the other server of the bench.
const SETTINGS: [&str; 4] = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
/// An instance says within ten seconds which servers it reaches; until then no partner is moved there.
const KNOWN: Duration = Duration::from_secs(40);

/// The processes that all others of both servers are children of.
struct Servers {
    home: u32,
    other: u32,
}

impl Servers {
    /// Milliseconds of processor time of a request at home and at the other server: medians of the rounds.
    async fn spend(&self, program: &Program, what: &Request) -> Result<(f64, f64)> {
        let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 4.0));
        load(program.address, what, CLIENTS, WARM_UP).await?;
        let (mut home, mut other) = (vec![], vec![]);
        for _ in 0..number("PULT_BENCH_ROUNDS", 3) {
            let before = (cpu::of_family(self.home), cpu::of_family(self.other));
            let requests = load(program.address, what, CLIENTS, time).await?.requests as f64;
            home.push((cpu::of_family(self.home) - before.0) * 1e3 / requests);
            other.push((cpu::of_family(self.other) - before.1) * 1e3 / requests);
        }
        Ok((median(home), median(other)))
    }
}

pub(super) async fn measure(stage: &mut Stage, sandbox: &Path) -> Result<Vec<Line>> {
    let programs: String = sqlx::query_scalar("select setting from pg_config where name = 'BINDIR'")
        .fetch_one(&mut stage.owner)
        .await?;
    let east = Database::fresh(programs.as_ref(), &SETTINGS).await?;
    let mut there = PgConnection::connect(&east.url()).await?;
    let backend: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut there).await?;
    let other = u32::try_from(backend).ok().and_then(cpu::parent).ok_or("the other server has no process")?;
    let servers = Servers { home: stage.postgres, other };

    let port: i32 = sqlx::query_scalar("select inet_server_port()").fetch_one(&mut stage.owner).await?;
    let installation = &mut stage.installation;
    let names = ["PULT_DATABASE_SERVERS", "PULT_DATABASE_SERVERS_OWNER"];
    for (name, of) in names.into_iter().zip(["PULT_DATABASE_URL", "PULT_DATABASE_OWNER_URL"]) {
        let address = installation.setting(of).replace(&format!(":{port}/"), &format!(":{}/", east.port()));
        installation.set(name, &format!("east={address}"));
    }
    installation.run("migrate").await?;
    installation.prefix(&CORE);
    let (program, service) = serve(installation).await?;
    let requests = prepare(installation, sandbox, program.address).await?;
    let at_home = servers.spend(&program, &requests.order).await?;
    relocate(installation, "east").await?;
    installation.on(&east.url())?.lift_limits().await?;
    let order = servers.spend(&program, &requests.order).await?;
    let read = servers.spend(&program, &requests.quote).await?;
    relocate(installation, "default").await?;
    service.kill().await?;
    for name in names {
        stage.installation.unset(name);
    }
    stage.installation.prefix(&super::BOTH);
    there.close().await?;
    east.remove().await?;

    println!(
        "\n| Postgres's processor time, 8 clients | home server, ms | other server, ms |\n|---|--:|--:|"
    );
    for (what, (home, other)) in [
        ("an order, its partner at home", at_home),
        ("an order, its partner on another server", order),
        ("a quote, its partner on another server: the door alone at home", read),
    ] {
        println!("| {what} | {home:.2} | {other:.2} |");
    }
    let share = order.0 / at_home.0;
    let what = "what an order elsewhere costs the home server, of what one at home costs";
    Ok(vec![Line::new(what, format!("{share:.2}"), "0.40", share <= 0.4)])
}

/// Moves the partner while it waits, once the running instance has said that it reaches the server.
async fn relocate(installation: &Installation, to: &str) -> Result<()> {
    let begun = Instant::now();
    loop {
        match installation.run(&format!("partner move {PARTNER} {to} --at-rest")).await {
            Err(error) if error.to_string().contains("of the instances") && begun.elapsed() < KNOWN => {
                tokio::time::sleep(Duration::from_secs(2)).await;
            }
            moved => return moved.map(drop),
        }
    }
}

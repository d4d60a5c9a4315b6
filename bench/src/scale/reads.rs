//! One small read of tenants that are chosen at random: the cost of many tenants compared with few, and their
//! effect on Postgres's backends.

use std::time::Duration;

use rig::{Installation, Result};
use serde_json::Value;
use sqlx::PgConnection;

use super::{FEW, Line, number, partners::MeasuredPartner};
use crate::{
    cpu,
    load::{Measured, Request, load_any},
    report::median,
    rounds::{CORE, serve},
};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
const RESTAURANT: &str = "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}";
const CLIENTS: usize = 8;
/// Seconds of a connection's life in the comparison.
const SHORT: u64 = 10;
/// A small instance has four connections; with 16, each of them grouped would see a sixteenth of all
/// partners.
const GROUPS: usize = 16;

/// How the service is set and whom it serves.
struct Variant {
    name: String,
    tenants: usize,
    lifetime: Option<u64>,
}

/// One of the measurements of a run.
type Part = fn(&Outcome) -> &Measured;

/// The result of a measurement.
struct Outcome {
    /// While the connections meet the tenants for the first time.
    cold: Measured,
    one: Measured,
    eight: Measured,
    /// Private and resident megabytes of the largest backend.
    backend: (f64, f64),
}

fn get(made: &MeasuredPartner, path: &str) -> Request {
    let path = path
        .replace("{partner_id}", &made.partner.to_string())
        .replace("{restaurant_id}", &made.restaurant.to_string());
    Request { method: "GET", path, bearer: made.bearer.clone(), headers: vec![], body: None, status: 200 }
}

/// Private and resident megabytes of the largest backend that serves the login role.
async fn largest(db: &mut PgConnection) -> Result<(f64, f64)> {
    let pids: Vec<i32> = sqlx::query_scalar(
        "select pid from pg_stat_activity where usename = 'pult_app' and datname = current_database()",
    )
    .fetch_all(db)
    .await?;
    let sizes = pids.into_iter().filter_map(|pid| {
        let pid = u32::try_from(pid).ok()?;
        Some((cpu::private(pid).ok()?, cpu::resident(pid).ok()?))
    });
    sizes.max_by(|one, other| one.0.total_cmp(&other.0)).ok_or_else(|| "the service has no connection".into())
}

async fn run(
    installation: &mut Installation, db: &mut PgConnection, variant: &Variant, all: &[MeasuredPartner],
    time: Duration,
) -> Result<Outcome> {
    if let Some(seconds) = variant.lifetime {
        installation.set("PULT_DATABASE_LIFETIME", &seconds.to_string());
    }
    let (program, service) = serve(installation).await?;
    installation.unset("PULT_DATABASE_LIFETIME");
    let reads: Vec<Request> =
        all.iter().take(variant.tenants).map(|made| get(made, &format!("{RESTAURANT}/couriers"))).collect();
    let cold = load_any(program.address, &reads, CLIENTS, time).await?;
    // Until nearly every connection has met nearly every tenant.
    load_any(program.address, &reads, CLIENTS, time * 3).await?;
    let eight = load_any(program.address, &reads, CLIENTS, time).await?;
    let one = load_any(program.address, &reads, 1, time).await?;
    let backend = largest(db).await?;
    service.kill().await?;
    Ok(Outcome { cold, one, eight, backend })
}

/// Measures all variants in turns; the lines for the summary.
pub(super) async fn measure(installation: &mut Installation, all: &[MeasuredPartner]) -> Result<Vec<Line>> {
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 5.0));
    let rounds: usize = number("PULT_BENCH_ROUNDS", 3);
    let mut db = installation.owner().await?;
    let variant =
        |name: String, tenants: usize, lifetime| Variant { name, tenants: tenants.min(all.len()), lifetime };
    let variants = [
        variant(format!("{FEW} partners"), FEW, None),
        variant(format!("{} partners", all.len()), all.len(), None),
        variant(format!("{} partners, connections live {SHORT} s", all.len()), all.len(), Some(SHORT)),
        variant(
            format!("a {GROUPS}th of them, as if connections were grouped"),
            all.len().div_ceil(GROUPS),
            None,
        ),
    ];
    installation.prefix(&CORE);
    let mut outcomes: Vec<Vec<Outcome>> = variants.iter().map(|_| vec![]).collect();
    for _ in 0..rounds {
        for (variant, outcomes) in variants.iter().zip(&mut outcomes) {
            outcomes.push(run(installation, &mut db, variant, all, time).await?);
        }
    }
    println!(
        "\n| couriers of a partner drawn at random | clients | requests/s | p50 ms | p99 ms | largest \
         backend, MB (resident) |\n|---|--:|--:|--:|--:|--:|"
    );
    for (variant, outcomes) in variants.iter().zip(&outcomes) {
        let of = |value: &dyn Fn(&Outcome) -> f64| median(outcomes.iter().map(value));
        let kinds: [(&str, usize, Part); 3] = [
            (", first seconds", CLIENTS, |run| &run.cold),
            ("", CLIENTS, |run| &run.eight),
            ("", 1, |run| &run.one),
        ];
        for (state, clients, measured) in kinds {
            println!(
                "| {}{state} | {clients} | {:.0} | {:.2} | {:.2} | {:.0} ({:.0}) |",
                variant.name,
                of(&|run| measured(run).per_second()),
                of(&|run| measured(run).percentile(0.5)),
                of(&|run| measured(run).percentile(0.99)),
                of(&|run| run.backend.0),
                of(&|run| run.backend.1),
            );
        }
    }
    let ratio = |measured: Part| {
        median(
            outcomes[0]
                .iter()
                .zip(&outcomes[1])
                .map(|(few, many)| measured(many).percentile(0.5) / measured(few).percentile(0.5)),
        )
    };
    let (one, eight) = (ratio(|run| &run.one), ratio(|run| &run.eight));
    let p99 = median(outcomes[1].iter().map(|run| run.eight.percentile(0.99)));
    let small = outcomes[1].iter().map(|run| run.backend.0).fold(0.0, f64::max);
    let (large, kinds) = everything(installation, &mut db, all, time).await?;
    installation.prefix(&[]);
    Ok(vec![
        Line::new(
            &format!("small read, p50 with {} partners beside {FEW}", all.len()),
            format!("{one:.2} (1 client), {eight:.2} ({CLIENTS}); p99 {p99:.1} ms ({CLIENTS})"),
            "at most 1.5",
            one.max(eight) <= 1.5,
        ),
        Line::new(
            "largest backend after that, private memory",
            format!("{small:.0} MB"),
            "200 MB",
            small < 200.0,
        ),
        Line::new(
            &format!("the same after {kinds} kinds of lists of every partner"),
            format!("{large:.0} MB"),
            "200 MB",
            large < 200.0,
        ),
    ])
}

/// Every list of a restaurant that the document has, of every partner: a connection can know no more of them.
/// The largest backend afterwards, and how many kinds of lists there are.
async fn everything(
    installation: &Installation, db: &mut PgConnection, all: &[MeasuredPartner], time: Duration,
) -> Result<(f64, usize)> {
    let (program, service) = serve(installation).await?;
    let first = all.first().ok_or("there are no partners")?;
    let mut paths = Vec::new();
    for path in lists()? {
        if get(first, &path).once(program.address).await.is_ok() {
            paths.push(path);
        }
    }
    let requests: Vec<Request> =
        all.iter().flat_map(|made| paths.iter().map(|path| get(made, path))).collect();
    load_any(program.address, &requests, CLIENTS, time * 12).await?;
    let found = largest(db).await?.0;
    service.kill().await?;
    Ok((found, paths.len()))
}

fn lists() -> Result<Vec<String>> {
    let document: Value = serde_json::from_slice(&std::fs::read(DOCUMENT)?)?;
    let paths = document["paths"].as_object().ok_or("the document has no paths")?;
    let fits = |path: &&String| {
        path.starts_with(RESTAURANT) && path.matches('{').count() == 2 && !paths[*path]["get"].is_null()
    };
    Ok(paths.keys().filter(fits).cloned().collect())
}

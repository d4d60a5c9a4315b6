//! Reading settings, compared with references that run the same statements and answer the same bytes.

use std::{collections::BTreeMap, time::Duration};

use rig::Result;
use sqlx::Executor as _;

use super::Stage;
use crate::{
    load::{Request, load},
    report::{self, Line, median, number},
    rounds::{CORE, Program, WARM_UP, measure as run, one, reference, variable},
};

/// What screens of settings read: the restaurant with everything that is one row, and a list of rows.
const READS: [(&str, &str); 2] = [("settings", ""), ("opening hours", "/opening-hours")];
const ROUNDS: usize = 3;
/// Calls after which statements are prepared and have their final plans.
const BEFORE: usize = 10;

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let log = variable("PULT_BENCH_POSTGRES_LOG")?;
    stage.installation.prefix(&CORE);
    stage.owner.execute("alter role pult_app set log_min_duration_statement = 0").await?;
    let recorded = stage.serve().await?;
    let program = Program { address: recorded.address, pid: recorded.pid };
    let mut records = BTreeMap::new();
    for (number, (_, path)) in READS.into_iter().enumerate() {
        let what = recorded.get(path);
        // Each connection knows its own statements: here one is enough.
        for _ in 0..BEFORE {
            what.once(program.address).await?;
        }
        records.insert(format!("/{number}"), one(log.as_ref(), &program, &what, "first").await?);
    }
    recorded.service.kill().await?;
    stage.owner.execute("alter role pult_app reset log_min_duration_statement").await?;

    let file = stage.folder.join("settings.json");
    std::fs::write(&file, serde_json::to_vec(&records)?)?;
    let app = stage.installation.setting("PULT_DATABASE_URL").to_owned();
    let fixed = format!(
        "{}?options=-c%20search_path%3D{}",
        stage.installation.setting("PULT_DATABASE_OWNER_URL"),
        stage.schema
    );
    let (door, _first) = reference(&file, &app, false).await?;
    let (plain, _second) = reference(&file, &fixed, true).await?;
    let served = stage.serve().await?;
    let program = Program { address: served.address, pid: served.pid };
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    report::heading();
    let mut worst = f64::INFINITY;
    for (number, (name, path)) in READS.into_iter().enumerate() {
        let what = served.get(path);
        let copied = Request { path: format!("/{number}"), ..what.clone() };
        for (address, what) in [(program.address, &what), (door.address, &copied), (plain.address, &copied)] {
            load(address, what, 8, WARM_UP).await?;
        }
        for clients in [1, 8] {
            let mut rounds = Vec::new();
            for _ in 0..ROUNDS {
                rounds.push([
                    run(&program, stage.postgres, &what, clients, time).await?,
                    run(&door, stage.postgres, &copied, clients, time).await?,
                    run(&plain, stage.postgres, &copied, clients, time).await?,
                ]);
            }
            report::lines(name, clients, &rounds);
            worst = worst.min(median(
                rounds
                    .iter()
                    .map(|[service, door, _]| service.measured.per_second() / door.measured.per_second()),
            ));
        }
    }
    served.service.kill().await?;
    stage.installation.prefix(&super::BOTH);
    Ok(vec![Line::new(
        "settings read, against the reference, the worst of all",
        format!("{worst:.2}"),
        "0.35",
        worst >= 0.35,
    )])
}

//! PgBouncer with and without what the service needs of it. The whole suite runs behind it at night:
//! `cargo xtask nightly pooler`.

use std::time::{Duration, Instant};

use rig::{Clients, Result};

use crate::{context::Context, drills::database::probe, pooler::Pooler, stage::Stage};

/// How long the service may take to find out.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long Postgres is away: longer than the pooler's first try and the probe's memory.
const AWAY: Duration = Duration::from_secs(3);

/// The drill.
pub async fn run(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "pooler").await?;
    let forgets = Pooler::keeping(context, &stage.database, &mut stage.installation, 0).await?;
    let said = match tokio::time::timeout(PATIENCE, stage.installation.run("serve")).await {
        Ok(Err(why)) => why.to_string(),
        Ok(Ok(_)) => "it ended without a word".to_owned(),
        Err(_) => "it serves".to_owned(),
    };
    context.expect(
        said.contains("loses prepared statements") && said.contains("max_prepared_statements"),
        format!("a pooler that forgets is refused at the start: {}", said.lines().last().unwrap_or_default()),
    );
    drop(forgets);
    let keeps = Pooler::start(context, &stage.database, &mut stage.installation).await?;
    let instance = stage.serve().await?;
    let orders = context.size(100, 2_000);
    let clients = Clients {
        shop: &stage.shop,
        address: instance.service.address,
        journal: &stage.journal,
        orders,
        clients: 20,
        same_key: true,
    };
    let restart = async {
        while stage.journal.count() < orders / 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        stage.database.stop().await?;
        tokio::time::sleep(AWAY).await;
        let noticed = probe(&instance, "/readyz").await != Some(200);
        stage.database.begin().await?;
        let well = Instant::now();
        while probe(&instance, "/readyz").await != Some(200) && well.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Result::Ok((noticed, well.elapsed()))
    };
    let ((), restarted) = tokio::join!(clients.run(), restart);
    let (noticed, back) = restarted?;
    context.did(format!("{orders} orders of 20 clients through 10 connections of the pooler"));
    context.expect(
        noticed && back <= Duration::from_secs(10),
        format!("Postgres was restarted behind it meanwhile: ready {:.1} s later (10 s)", back.as_secs_f64()),
    );
    instance.service.kill().await?;
    drop(keeps);
    stage.close(context, orders).await
}

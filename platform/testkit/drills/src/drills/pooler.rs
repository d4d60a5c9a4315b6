//! PgBouncer with and without what the service needs of it. The whole suite runs behind it at night:
//! `cargo xtask nightly pooler`.

use std::time::Duration;

use rig::{Clients, Result};

use crate::{context::Context, pooler::Pooler, stage::Stage};

/// How long the service may take to find out.
const PATIENCE: Duration = Duration::from_secs(30);

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
    clients.run().await;
    context.did(format!("{orders} orders of 20 clients through 10 connections of the pooler"));
    instance.service.kill().await?;
    drop(keeps);
    stage.close(context, orders).await
}

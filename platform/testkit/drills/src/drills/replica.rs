//! Exports read from a standby that is up to date, behind, and away.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rig::{Database, Files, Installation, PARTNER, RESTAURANT, Result};
use sqlx::{AssertSqlSafe, Connection as _, Executor, PgConnection};
use uuid::Uuid;

use crate::{
    context::Context,
    load::{Kind, Load, Mix},
    neighbours,
    stage::{Instance, SETTINGS, Stage},
};

const MIX: Mix = &[(Kind::Order, 1)];
/// Orders a second.
const PACE: f64 = 20.0;
/// How long an export may take on a busy machine, the wait for a standby included.
const PATIENCE: Duration = Duration::from_secs(60);

/// A standby of this server, which follows it.
async fn standby(context: &Context, database: &Database) -> Result<Database> {
    let files = Files::new(&context.programs)?;
    let mut copy = files.command("pg_basebackup");
    copy.arg("-D").arg(files.folder.join("db")).arg("-d").arg(database.url());
    copy.args(["-R", "-X", "stream", "-c", "fast", "--no-sync"]);
    let copied = tokio::task::spawn_blocking(move || copy.output()).await??;
    if !copied.status.success() {
        return Err(String::from_utf8_lossy(&copied.stderr).into());
    }
    Database::open(files, SETTINGS).await
}

/// Orders an export of all orders, as the service writes it down, and waits for its end; how many rows it has.
async fn export(installation: &Installation) -> Result<i32> {
    let mut owner = installation.owner().await?;
    let (schema, id) = (neighbours::schema(&mut owner, PARTNER).await?, Uuid::new_v4());
    let sql = format!(
        "insert into {schema}.export_request (id, restaurant_id, export_email, export_type, filter_type, language, \
         actor_name) values ('{id}', '{RESTAURANT}', 'drill@pult.example', 'order_export', 'created_at', 'hu', \
         'Próba'); insert into control.job (partner_id, kind, args) values ('{PARTNER}', 'export_request_make', \
         jsonb_build_object('export_id', '{id}')); select pg_notify('pult_job', '')"
    );
    owner.execute(AssertSqlSafe(sql)).await?;
    let begun = Instant::now();
    let state = format!("select status, row_count from {schema}.export_request where id = '{id}'");
    loop {
        let (status, rows): (String, Option<i32>) =
            sqlx::query_as(AssertSqlSafe(state.as_str())).fetch_one(&mut owner).await?;
        match rows {
            Some(rows) if status == "ready" => return Ok(rows),
            _ if begun.elapsed() > PATIENCE => {
                return Err(format!("an export is {status} after a minute").into());
            }
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// How often the service has left its standby.
async fn left(instance: &Instance) -> Result<u64> {
    Ok(instance.measured("pult_db_replica_fallbacks_total").await?.unwrap_or(0.0) as u64)
}

/// How many of the service's connections to the standby have worked since this moment.
async fn readers(standby: &mut PgConnection, since: DateTime<Utc>) -> Result<i64> {
    let sql = "select count(*) from pg_stat_activity where usename = 'pult_app' and state_change >= $1";
    Ok(sqlx::query_scalar(sql).bind(since).fetch_one(standby).await?)
}

/// See the registry.
pub async fn read(context: &Context) -> Result<()> {
    let settings: Vec<&str> = SETTINGS.iter().copied().chain(["wal_level=replica"]).collect();
    let mut stage = Stage::with(context, "read-replica", &settings).await?;
    let mut standby = standby(context, &stage.database).await?;
    let address = stage.installation.setting("PULT_DATABASE_URL").to_owned();
    let there = address.replace(&format!(":{}/", stage.database.port()), &format!(":{}/", standby.port()));
    stage.installation.set("PULT_DATABASE_REPLICA_URL", &there);
    let files = context.folder("files")?;
    stage.installation.set("PULT_FILES_DIR", &files.to_string_lossy());
    let instance = stage.serve().await?;
    let load = Load::new(&stage.shop, instance.service.address, &stage.journal);
    let mut owner = stage.installation.owner().await?;
    let schema = neighbours::schema(&mut owner, PARTNER).await?;
    let count = format!(
        "select count(*)::int from {schema}.orders where not is_test and restaurant_id = '{RESTAURANT}'"
    );
    let time = Duration::from_secs(context.size(2, 20));
    let database = there.rsplit('/').next().unwrap_or_default().to_owned();
    let url = standby.url().replace("/postgres", &format!("/{database}"));
    let mut reader = PgConnection::connect(&url).await?;

    let mut step = async |what: &str, seed: u64| -> Result<(i32, i32, u64)> {
        load.run(PACE, MIX, time, context.seed ^ seed).await;
        let begun = Instant::now();
        let rows = export(&stage.installation).await?;
        let all: i32 = sqlx::query_scalar(AssertSqlSafe(count.as_str())).fetch_one(&mut owner).await?;
        let left = left(&instance).await?;
        context.did(format!("{what}: {rows} rows in {:.1} s", begun.elapsed().as_secs_f64()));
        context.expect(rows == all, format!("{what}: the export has all {all} orders that were there"));
        Ok((rows, all, left))
    };
    let begun = Utc::now();
    let (.., left) = step("a standby that follows", 1).await?;
    let readers = readers(&mut reader, begun).await?;
    context.expect(readers > 0 && left == 0, format!("it was read there, over {readers} connections"));

    reader.execute("select pg_wal_replay_pause()").await?;
    let (.., left) = step("a standby that is behind", 2).await?;
    context.expect(left == 1, format!("it was left {left} times"));
    reader.execute("select pg_wal_replay_resume()").await?;
    reader.close().await?;

    standby.stop().await?;
    let (.., left) = step("a standby that is away", 3).await?;
    context.expect(left == 2, format!("it was left {left} times"));

    standby.begin().await?;
    let (.., left) = step("a standby that is back", 4).await?;
    context.expect(left == 2, format!("it was left {left} times"));

    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    standby.remove().await?;
    stage.close(context, orders).await
}

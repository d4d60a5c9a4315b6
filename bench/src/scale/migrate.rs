//! Migrating every partner by one column and one table, as `pult migrate` does.

use std::time::Instant;

use migrations::SHAPE;
use rig::{Installation, Result};
use sea_orm_migration::{
    MigrationName, MigrationTrait, MigratorTraitSelf, SchemaManager,
    async_trait::async_trait,
    sea_orm::{ConnectionTrait, DbErr},
};
use tenants::{Migrations, Provisioner, Setup, Shape};
use tokio::process::Command;

use super::{Line, number};

/// As many at once as `pult migrate` takes.
const AT_ONCE: usize = 6;
const NAME: &str = "m9999_bench";

struct ExtraMigration;

impl MigrationName for ExtraMigration {
    fn name(&self) -> &str {
        NAME
    }
}

#[async_trait]
impl MigrationTrait for ExtraMigration {
    async fn up(&self, manager: &SchemaManager) -> std::result::Result<(), DbErr> {
        let sql = "alter table courier add column badge text; \
                   create table badge (id uuid primary key, restaurant_id uuid not null references \
                   restaurant, name text not null, \
                       created_at timestamptz not null default now())";
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}

fn one_more() -> Vec<Box<dyn MigrationTrait>> {
    let mut all = SHAPE.tenant.migrations();
    all.push(Box::new(ExtraMigration));
    all
}

/// Migrates all partners of this database and prints the seconds.
pub(crate) async fn print(url: &str) -> Result<()> {
    let setup = Setup::open(url, Shape { tenant: Migrations(one_more), newest: NAME, ..SHAPE }).await?;
    let begun = Instant::now();
    let run = Provisioner::new(&setup).migrate_all(number("PULT_BENCH_AT_ONCE", AT_ONCE), |_, _| {}).await?;
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(failed) = run.failed().next() {
        return Err(format!("{}: {}", failed.name, failed.error.as_deref().unwrap_or_default()).into());
    }
    println!("{} {seconds}", run.done.len());
    Ok(())
}

/// The same in a process of its own, which may use both cores, as the operator's would.
pub(super) async fn measure(installation: &Installation) -> Result<Line> {
    let mut command = Command::new("taskset");
    command
        .args(["-c", "0,1"])
        .arg(std::env::current_exe()?)
        .args(["migrate", installation.setting("PULT_DATABASE_OWNER_URL")]);
    let output = command.output().await?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8(output.stdout)?;
    let (count, seconds) = text.trim().split_once(' ').ok_or("the migration said nothing")?;
    let seconds: f64 = seconds.parse()?;
    Ok(Line::new(
        &format!("migrate {count} partners by a column and a table"),
        format!("{seconds:.1} s"),
        "8 s",
        seconds <= 8.0,
    ))
}

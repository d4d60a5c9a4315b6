//! What follows an upload by itself: the rehearsal, and a day later the end of what is of no more use.

use std::sync::Arc;

use access::prelude::*;
use futures_util::FutureExt;
use work::{Handler, Job, JobContext};

use super::{MenuImports, plan::Menu, rehearsal, sheet::SheetFault, store};

/// Reads a file and compares it with the menu.
pub(crate) const READ: &str = "menu_import_read";
/// Lets go of files and ways back that are a day old.
pub(crate) const FORGET: &str = "menu_import_forget";

/// Who does which kind of job.
#[must_use]
pub(crate) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![
        (READ, Arc::new(|context, job| read(context, job).boxed())),
        (FORGET, Arc::new(|context, job| forget(context, job).boxed())),
    ]
}

fn import_of(job: &Job) -> Result<Id<MenuImports>, String> {
    job.args["import_id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| "the job names no import".to_owned())
}

fn said(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

/// Says how far it is, in a unit of work of its own so that everybody sees it. False when it has been changed
/// meanwhile: then another job reads it.
async fn progress(
    context: &JobContext,
    job: &Job,
    (id, version): (Id<MenuImports>, i64),
    percent: i32,
) -> Result<bool, String> {
    let tx = context.begin(job).await?;
    let mine = store::progress(&tx, id, version, percent).await.map_err(said)?;
    tx.commit().await.map_err(said)?;
    Ok(mine)
}

async fn read(context: JobContext, job: Job) -> Result<(), String> {
    let id = import_of(&job)?;
    let tx = context.begin(&job).await?;
    let Some((restaurant, row)) = store::of_job(&tx, id).await.map_err(said)? else { return Ok(()) };
    let file = store::file(&tx, id).await.map_err(said)?;
    tx.commit().await.map_err(said)?;
    let this = (id, row.version);
    let (Some(file), true) = (file, progress(&context, &job, this, 5).await?) else { return Ok(()) };
    let sheets = match rehearsal::read(file).await {
        Ok(sheets) => sheets,
        Err(fault) => return failed(&context, &job, this, fault).await,
    };
    if !progress(&context, &job, this, 50).await? {
        return Ok(());
    }
    let tx = context.begin(&job).await?;
    let (menu, known) = Menu::load(&tx, restaurant).await.map_err(said)?;
    tx.commit().await.map_err(said)?;
    let (done, menu) = match rehearsal::rehearse(sheets, row.choice, menu, known).await {
        Ok(done) => done,
        Err(fault) => return failed(&context, &job, this, fault).await,
    };
    if !progress(&context, &job, this, 90).await? {
        return Ok(());
    }
    let tx = context.begin(&job).await?;
    store::rehearsed(&tx, id, row.version, &done, menu.catalogue_version).await.map_err(said)?;
    tx.commit().await.map_err(said)
}

async fn failed(
    context: &JobContext,
    job: &Job,
    (id, version): (Id<MenuImports>, i64),
    fault: SheetFault,
) -> Result<(), String> {
    let tx = context.begin(job).await?;
    store::failed(&tx, id, version, fault.name()).await.map_err(said)?;
    tx.commit().await.map_err(said)
}

async fn forget(context: JobContext, job: Job) -> Result<(), String> {
    let id = import_of(&job)?;
    let tx = context.begin(&job).await?;
    store::forget(&tx, id).await.map_err(said)?;
    tx.commit().await.map_err(said)
}

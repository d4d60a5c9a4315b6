//! The jobs of an import: the rehearsal, and the removal of its data after a day.

use std::sync::Arc;

use access::prelude::*;
use catalogue::bulk::Menu;
use futures_util::FutureExt;
use work::{Handler, Job, JobContext, JobError};

use super::{
    rehearsal,
    sheet::SheetFault,
    store::{self, MenuImports},
};

/// Reads a file and compares it with the menu.
pub(crate) const READ: &str = "menu_import_read";
/// Lets go of files and ways back that are a day old.
pub(crate) const FORGET: &str = "menu_import_forget";

#[must_use]
pub fn handlers() -> Vec<(&'static str, Handler)> {
    vec![
        (READ, Arc::new(|context, job| read(context, job).boxed())),
        (FORGET, Arc::new(|context, job| forget(context, job).boxed())),
    ]
}

/// Says how far it is, in a unit of work of its own so that everybody sees it. False when it has been changed
/// meanwhile: then another job reads it.
async fn progress(
    context: &JobContext, job: &Job, (id, version): (Id<MenuImports>, i64), percent: i32,
) -> Result<bool, JobError> {
    let tx = context.begin(job).await?;
    let mine = store::progress(&tx, id, version, percent).await?;
    tx.commit().await?;
    Ok(mine)
}

async fn read(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<MenuImports> = job.arg("import_id")?;
    let tx = context.begin(&job).await?;
    let Some((restaurant, row)) = store::of_job(&tx, id).await? else { return Ok(()) };
    let file = store::file(&tx, id).await?;
    tx.commit().await?;
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
    let menu = Menu::load(&tx, restaurant).await?;
    tx.commit().await?;
    let (done, menu) = match rehearsal::rehearse(sheets, row.choice, menu).await {
        Ok(done) => done,
        Err(fault) => return failed(&context, &job, this, fault).await,
    };
    if !progress(&context, &job, this, 90).await? {
        return Ok(());
    }
    let tx = context.begin(&job).await?;
    store::rehearsed(&tx, id, row.version, &done, menu.catalogue_version).await?;
    Ok(tx.commit().await?)
}

async fn failed(
    context: &JobContext, job: &Job, (id, version): (Id<MenuImports>, i64), fault: SheetFault,
) -> Result<(), JobError> {
    let tx = context.begin(job).await?;
    store::failed(&tx, id, version, fault.name()).await?;
    Ok(tx.commit().await?)
}

async fn forget(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<MenuImports> = job.arg("import_id")?;
    let tx = context.begin(&job).await?;
    store::forget(&tx, id).await?;
    Ok(tx.commit().await?)
}

//! Objects that no picture needs any more. An upload orders its own sweeping before it sends anything to the store, so
//! what is cut short leaves nothing behind.

use std::sync::Arc;

use futures_util::FutureExt;
use kernel::Result;
use serde_json::json;
use tenants::TenantTx;
use work::{Handler, Job, JobContext};

use super::store;
use crate::objects::Objects;

/// Removes the objects of a `token`, unless a picture has them.
pub(crate) const SWEEP: &str = "media_sweep";

/// Removes the objects of this token now, or an hour from now, unless a picture has them then.
pub(super) async fn sweep(tx: &TenantTx, token: &str, later: bool) -> Result<()> {
    let at = later.then(|| kernel::clock::now() + chrono::Duration::hours(1));
    work::enqueue(tx, SWEEP, None, json!({"token": token}), at).await
}

/// The job that does it.
pub(crate) fn handler(objects: &Objects) -> (&'static str, Handler) {
    let objects = objects.clone();
    (SWEEP, Arc::new(move |context, job| swept(objects.clone(), context, job).boxed()))
}

async fn swept(objects: Objects, context: JobContext, job: Job) -> Result<(), String> {
    let token = job.args["token"].as_str().ok_or("the job names no objects")?.to_owned();
    let tx = context.begin(&job).await?;
    let partner = tx.partner();
    let lives = store::token_lives(&tx, &token).await.map_err(|problem| problem.reason())?;
    tx.commit().await.map_err(|error| error.to_string())?;
    if lives { Ok(()) } else { objects.remove_below(&format!("public/{partner}/{token}/")).await.map_err(|error| error.to_string()) }
}

//! Removes objects that no picture needs. An upload writes its own job before it sends anything to the store,
//! so an interrupted upload leaves nothing. See `docs/decisions/media.md#objects`.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use kernel::Result;
use object_storage::{Storage, public_prefix};
use serde_json::json;
use tenants::{TenantTx, objects::SWEEP};
use tokio::time::timeout;
use work::{Handler, Job, JobContext, JobError};

use crate::store;

/// Removes the objects of this token now, or an hour from now, unless a picture has them then.
pub(crate) async fn sweep(tx: &TenantTx, token: &str, later: bool) -> Result<()> {
    let at = later.then(|| kernel::clock::now() + chrono::Duration::hours(1));
    work::enqueue(tx, SWEEP, None, json!({"token": token}), at).await
}

#[must_use]
pub fn handlers(storage: &Storage) -> Vec<(&'static str, Handler)> {
    let storage = storage.clone();
    vec![(SWEEP, Arc::new(move |context, job| swept(storage.clone(), context, job).boxed()))]
}

/// Less than a unit of work may wait for its next statement (30 s): with it ends the leave to remove.
const PATIENCE: Duration = Duration::from_secs(20);

async fn swept(storage: Storage, context: JobContext, job: Job) -> Result<(), JobError> {
    let token: String = job.arg("token")?;
    let tx = context.begin(&job).await?;
    if !tx.may_remove_objects().await? {
        let later = kernel::clock::now() + chrono::Duration::minutes(1);
        work::enqueue(&tx, SWEEP, None, job.args.clone(), Some(later)).await?;
        return Ok(tx.commit().await?);
    }
    // What looking locks is given back at once: a migration of the table waits for no store.
    tx.run("savepoint looking", []).await?;
    let lives = store::token_lives(&tx, &token).await?;
    tx.run("rollback to savepoint looking", []).await?;
    if !lives {
        let prefix = format!("{}{token}/", public_prefix(tx.partner()));
        let removed = timeout(PATIENCE, storage.remove_below(&prefix)).await;
        removed.map_err(|_| JobError::retry("the object store is slow"))?.map_err(JobError::retry)?;
    }
    Ok(tx.commit().await?)
}

//! The job that works a message.

use std::sync::Arc;

use access::App;
use contract::Plugins;
use kernel::clock;
use work::{Handler, Job, JobContext, JobError};

use crate::{receiver::Receiver, store};

/// The job of a receiver's messages.
pub fn job(receiver: &'static dyn Receiver, app: &App, plugins: &Plugins) -> (&'static str, Handler) {
    let (app, plugins) = (app.clone(), plugins.clone());
    let handler: Handler =
        Arc::new(move |context, job| Box::pin(run(app.clone(), plugins.clone(), context, job, receiver)));
    (receiver.job_kind(), handler)
}

async fn run(
    app: App, plugins: Plugins, context: JobContext, job: Job, receiver: &'static dyn Receiver,
) -> Result<(), JobError> {
    let id = job.arg("callback_id")?;
    let tx = context.begin(&job).await?;
    // Another one has worked it, or its time is over.
    let Some(message) = store::take(&tx, id).await? else { return Ok(()) };
    receiver.work((&app, &plugins), &tx, &message).await?;
    store::worked(&tx, id, clock::now()).await?;
    Ok(tx.commit().await?)
}

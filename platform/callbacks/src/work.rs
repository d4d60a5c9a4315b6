//! The job that works a message.

use std::sync::Arc;

use access::domain::Services;
use kernel::clock;
use work::{Handler, Job, JobContext, JobError};

use crate::{receiver::Receiver, store};

/// The job of a receiver's messages.
pub fn job(receiver: &'static dyn Receiver, services: &Services) -> (&'static str, Handler) {
    let services = services.clone();
    let handler: Handler =
        Arc::new(move |context, job| Box::pin(run(services.clone(), context, job, receiver)));
    (receiver.job_kind(), handler)
}

async fn run(
    services: Services, context: JobContext, job: Job, receiver: &'static dyn Receiver,
) -> Result<(), JobError> {
    let id = job.arg("callback_id")?;
    let tx = context.begin(&job).await?;
    // Another one has worked it, or its time is over.
    let Some(message) = store::take(&tx, id).await? else { return Ok(()) };
    receiver.work(&services, &tx, &message).await?;
    store::worked(&tx, id, clock::now()).await?;
    Ok(tx.commit().await?)
}

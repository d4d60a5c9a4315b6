//! Where pictures are made: beside the requests, few at a time, so that others do not wait for a processor.

use std::{
    sync::LazyLock,
    thread::{self, available_parallelism},
    time::Duration,
};

use kernel::{Code, Fault, Problem, Result};
use restaurants::pictures::Made;
use rustix::{process::setpriority_process, thread::gettid};
use tokio::{
    fs::File,
    io::AsyncReadExt,
    sync::{Semaphore, oneshot},
    time::timeout,
};

use super::picture::{Unfit, make};

/// Half of the processors, at most four: a picture of 40 megapixels holds 160 MB while it is made.
static ROOM: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new((available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4)));
/// How far the system puts these threads behind the others (0 to 19): a request that comes takes the processor at once, and
/// where others keep all of them busy a picture still gets a third of one's share.
const NICE: i32 = 5;
/// Whoever waits longer is told to come again.
const PATIENCE: Duration = Duration::from_secs(15);

/// Makes the three sizes of an upload.
///
/// # Errors
/// `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`; `UNAVAILABLE_SERVER` when too many wait.
pub(super) async fn pictures(mut upload: File) -> Result<Made> {
    let busy = || Problem::new(Code::UNAVAILABLE_SERVER).detail("too many pictures at once").retry_after(5);
    let permit = timeout(PATIENCE, ROOM.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
    // Read only now: those who wait hold no memory.
    let mut bytes = Vec::new();
    upload.read_to_end(&mut bytes).await.map_err(|error| {
        tracing::error!(%error, "an upload cannot be read again");
        Problem::new(Code::UNKNOWN_ERROR)
    })?;
    // A thread of its own: one that has stepped back cannot come forward again.
    let (done, made) = oneshot::channel();
    let work = move || {
        if let Err(error) = setpriority_process(Some(gettid()), NICE) {
            tracing::debug!(%error, "pictures are made at the priority of requests");
        }
        let made = make(&bytes);
        drop(permit);
        let _ = done.send(made);
    };
    thread::Builder::new().name("picture".into()).spawn(work).map_err(|_| busy())?;
    match made.await {
        Ok(Ok(pictures)) => Ok(pictures),
        Ok(Err(Unfit::Kind)) => Err(Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED).detail("send a JPEG, PNG, WebP or GIF").key("image", Fault::Type)),
        Ok(Err(Unfit::Picture(what))) => Err(Problem::new(Code::IMAGE_INVALID).detail(what).key("image", Fault::Invalid)),
        Err(_) => {
            // A decoder that panics says the same as one that refuses.
            tracing::error!("a picture could not be made");
            Err(Problem::new(Code::IMAGE_INVALID).detail("the picture cannot be read").key("image", Fault::Invalid))
        }
    }
}

//! Where pictures are made: beside the requests, few at a time, so that others do not wait for a processor.

use std::{
    io::Read,
    sync::{Arc, LazyLock},
    thread::{self, available_parallelism},
    time::Duration,
};

use kernel::{Code, Fault, Problem, Result, behind::step_back};
use restaurants::pictures::Made;
use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
use tokio::{
    fs::File,
    sync::{Semaphore, oneshot},
    time::timeout,
};

use super::picture::{Unfit, make};

/// Half of the processors, at most four: a picture of 40 megapixels holds 160 MB while it is made.
static ROOM: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new((available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4)));
/// Whoever waits longer is told to come again.
const PATIENCE: Duration = Duration::from_secs(15);

/// How often the processor that makes pictures is asked to choose again whom it serves.
const BEAT: Duration = Duration::from_micros(500);

/// Puts this thread behind the others until the answer is dropped. The system's scheduler leaves a thread
/// alone for some milliseconds when others wake up beside it, whatever their priorities; but it chooses again
/// each time that one wakes up on the same processor and sleeps on, which a second thread does.
fn behind() -> Arc<()> {
    let mut here = CpuSet::new();
    here.set(sched_getcpu());
    let playing = Arc::new(());
    let ended = Arc::downgrade(&playing);
    let metronome = move || {
        while ended.strong_count() > 0 {
            thread::sleep(BEAT);
        }
    };
    // The metronome runs where this thread does, and not behind the others.
    let begun = sched_setaffinity(None, &here).map_err(Into::into);
    if let Err(error) = begun.and_then(|()| thread::Builder::new().name("metronome".into()).spawn(metronome))
    {
        tracing::debug!(%error, "requests wait longer beside a picture");
    }
    step_back();
    playing
}

/// Makes the three sizes of an upload.
///
/// # Errors
/// `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`; `UNAVAILABLE_SERVER` when too many wait.
pub(super) async fn pictures(upload: File) -> Result<Made> {
    let busy = || Problem::new(Code::UNAVAILABLE_SERVER).detail("too many pictures at once").retry_after(5);
    let permit = timeout(PATIENCE, ROOM.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
    let upload = upload.into_std().await;
    // A thread of its own: one that has stepped back cannot come forward again.
    let (done, made) = oneshot::channel();
    let work = move || {
        let _behind = behind();
        let made = read_and_made(upload);
        drop(permit);
        let _ = done.send(made);
    };
    thread::Builder::new().name("picture".into()).spawn(work).map_err(|_| busy())?;
    made.await.unwrap_or_else(|_| {
        // A decoder that panics says the same as one that refuses.
        tracing::error!("a picture could not be made");
        Err(Problem::new(Code::IMAGE_INVALID)
            .detail("the picture cannot be read")
            .key("image", Fault::Invalid))
    })
}

/// Reads it only now: those who wait hold no memory.
fn read_and_made(mut upload: std::fs::File) -> Result<Made> {
    let mut bytes = Vec::new();
    upload.read_to_end(&mut bytes).map_err(|error| {
        tracing::error!(%error, "an upload cannot be read again");
        Problem::new(Code::UNKNOWN_ERROR)
    })?;
    make(&bytes).map_err(|unfit| match unfit {
        Unfit::Kind => Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
            .detail("send a JPEG, PNG, WebP or GIF")
            .key("image", Fault::Type),
        Unfit::Picture(what) => Problem::new(Code::IMAGE_INVALID).detail(what).key("image", Fault::Invalid),
    })
}

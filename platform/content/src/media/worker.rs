//! Where pictures are made: on blocking threads, few at a time.

use std::{io::Read, sync::LazyLock, thread::available_parallelism, time::Duration};

use kernel::{Code, Fault, Problem, Result};
use restaurants::pictures::Made;
use tokio::{fs::File, sync::Semaphore, task::spawn_blocking, time::timeout};

use super::picture::{Unfit, make};

/// Half of the processors, at most four: a picture of 40 megapixels holds 160 MB while it is made.
static ROOM: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new((available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4)));
/// Whoever waits longer is told to come again.
const PATIENCE: Duration = Duration::from_secs(15);

/// Makes the three sizes of an upload.
///
/// # Errors
/// `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`; `UNAVAILABLE_SERVER` when too many wait.
pub(super) async fn pictures(upload: File) -> Result<Made> {
    let busy = || Problem::new(Code::UNAVAILABLE_SERVER).detail("too many pictures at once").retry_after(5);
    let permit = timeout(PATIENCE, ROOM.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
    let upload = upload.into_std().await;
    // The permit goes with the work: a request that is given up does not make room for another picture.
    let made = spawn_blocking(move || {
        let _permit = permit;
        read_and_made(upload)
    });
    made.await.unwrap_or_else(|error| {
        // A decoder that panics says the same as one that refuses.
        tracing::error!(%error, "a picture could not be made");
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

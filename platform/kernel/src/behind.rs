//! Work that takes a processor for longer than a request does, and that steps behind the requests: large
//! uploads on their way to a file and to the object store, pictures.

use std::{future::poll_fn, io::Result, sync::LazyLock};

use rustix::{
    process::setpriority_process,
    thread::{gettid, sched_yield},
};
use tokio::runtime::{Builder, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// How far the system puts these threads behind the others (0 to 19): where those keep all processors busy,
/// this work still gets a third of one's share.
const NICE: i32 = 5;

/// One thread, and those that wait for files.
static RUNTIME: LazyLock<Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("behind")
        .enable_all()
        .on_thread_start(step_back)
        .build()
});

/// Does this behind the requests, as long as somebody waits for it.
pub fn spawn<F>(work: F) -> AbortOnDropHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let mut work = Box::pin(work);
    let work = poll_fn(move |context| {
        let done = work.as_mut().poll(context);
        // Whoever woke up beside a step of this waited for it.
        sched_yield();
        done
    });
    AbortOnDropHandle::new(match &*RUNTIME {
        Ok(runtime) => runtime.spawn(work),
        Err(error) => {
            tracing::warn!(%error, "there are no threads behind the requests");
            tokio::spawn(work)
        }
    })
}

/// Puts this thread behind the others. It cannot come forward again.
pub fn step_back() {
    if let Err(error) = setpriority_process(Some(gettid()), NICE) {
        tracing::debug!(%error, "a thread stays beside the requests");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn work_steps_behind_and_its_caller_does_not() {
        let here = || getpriority_process(Some(gettid())).unwrap();
        let before = here();
        let work = async move {
            tokio::task::yield_now().await;
            (here(), tokio::task::spawn_blocking(here).await.unwrap())
        };
        let behind = before.max(NICE);
        assert_eq!(spawn(work).await.unwrap(), (behind, behind));
        assert_eq!(here(), before);
    }
}

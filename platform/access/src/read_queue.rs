//! Requests that need the same from the database: one asks, the others wait for what it brings.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex as Locked,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use kernel::{Code, Problem, Result};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::lock::locked;

/// How long a request waits for another one, and how many may.
const PATIENCE: Duration = Duration::from_secs(1);
const WAITING: usize = 2048;

#[derive(Debug, Default)]
pub(crate) struct ReadQueue {
    turn: Arc<Mutex<()>>,
    waiting: AtomicUsize,
}

/// The turn to ask; who waits goes on when this is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl ReadQueue {
    /// Waits for the turn; who was before may have brought the answer meanwhile. None for who has waited too long.
    /// Errors: `UNAVAILABLE_SERVER` when too many wait.
    pub(crate) async fn turn(&self) -> Result<Option<Turn>> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _counted = Counted(&self.waiting);
        if before >= WAITING {
            return Err(busy());
        }
        Ok(tokio::time::timeout(PATIENCE, self.turn.clone().lock_owned()).await.ok())
    }

    /// Whether nobody asks or waits.
    pub(crate) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.turn) == 1
    }
}

/// Others are being served.
pub(crate) fn busy() -> Problem {
    Problem::new(Code::UNAVAILABLE_SERVER)
}

/// One who waits, also when he leaves in the middle.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is dear to read, and is the same for everybody who asks the same question. One request reads at a time; who
/// comes meanwhile waits, and takes what was read after it came. So an answer is never older than its request, and
/// however many ask, the database reads once.
#[derive(Debug)]
pub struct ReadTogether<K: Eq + Hash, V>(Locked<HashMap<K, Arc<Reading<V>>>>);

#[derive(Debug)]
struct Reading<V> {
    asking: ReadQueue,
    /// What was read last, with the moment before.
    last: Locked<Option<(Instant, V)>>,
}

impl<K: Eq + Hash, V> Default for ReadTogether<K, V> {
    fn default() -> Self {
        Self(Locked::default())
    }
}

impl<V> Default for Reading<V> {
    fn default() -> Self {
        Self { asking: ReadQueue::default(), last: Locked::default() }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> ReadTogether<K, V> {
    /// Reads, or waits for another request's answer. Whether the caller may know it is checked before. Call it
    /// without a connection: those that wait would keep theirs from the one that reads. Who has waited for a second
    /// is turned away, as at the door: many readings at once would make each of them slower. A failure is told to
    /// the one that met it, and the next one reads again.
    /// Errors: `UNAVAILABLE_SERVER` when the wait is too long or too many wait; what `read` says.
    pub async fn read(&self, question: K, read: impl Future<Output = Result<V>>) -> Result<V> {
        let came = Instant::now();
        let reading = locked(&self.0).entry(question.clone()).or_default().clone();
        let together = Together { all: self, question, reading };
        let _turn = together.reading.asking.turn().await?.ok_or_else(busy)?;
        if let Some((begun, value)) = &*locked(&together.reading.last)
            && came <= *begun
        {
            return Ok(value.clone());
        }
        let begun = Instant::now();
        let value = read.await?;
        *locked(&together.reading.last) = Some((begun, value.clone()));
        Ok(value)
    }
}

/// One that reads or waits, also when it leaves in the middle. With the last one goes what was read.
struct Together<'a, K: Eq + Hash, V> {
    all: &'a ReadTogether<K, V>,
    question: K,
    reading: Arc<Reading<V>>,
}

impl<K: Eq + Hash, V> Drop for Together<'_, K, V> {
    fn drop(&mut self) {
        let mut all = locked(&self.all.0);
        // It goes under this lock: two that leave at once would each find the other one still there.
        drop(std::mem::take(&mut self.reading));
        if all.get(&self.question).is_some_and(|reading| Arc::strong_count(reading) == 1) {
            all.remove(&self.question);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[tokio::test]
    async fn who_comes_while_another_reads_takes_what_was_read_after_it_came() {
        let together = Arc::new(ReadTogether::<&str, u32>::default());
        let reads = Arc::new(AtomicU32::default());
        let ask = |question| {
            let (together, reads) = (together.clone(), reads.clone());
            tokio::spawn(async move {
                let read = async {
                    let number = reads.fetch_add(1, Ordering::Relaxed) + 1;
                    tokio::time::sleep(Duration::from_millis(if number == 8 { 1200 } else { 100 })).await;
                    if number == 4 { Err(Code::UNKNOWN_ERROR.into()) } else { Ok(number) }
                };
                together.read(question, read).await.ok()
            })
        };
        let first = ask("a");
        tokio::time::sleep(Duration::from_millis(10)).await;
        let waiting = [ask("a"), ask("a"), ask("a")];
        let other = ask("b");
        assert_eq!(first.await.unwrap(), Some(1));
        assert_eq!(other.await.unwrap(), Some(2));
        for one in waiting {
            assert_eq!(one.await.unwrap(), Some(3), "begun after all three had come");
        }
        // Nobody waits: nothing is kept, and the next one reads. What fails is read again.
        assert!(locked(&together.0).is_empty());
        let failing = ask("a");
        tokio::time::sleep(Duration::from_millis(10)).await;
        let after = ask("a");
        assert_eq!((failing.await.unwrap(), after.await.unwrap()), (None, Some(5)));
        // One that leaves in the middle lets the next one read.
        let leaves = ask("a");
        tokio::time::sleep(Duration::from_millis(10)).await;
        let next = ask("a");
        tokio::time::sleep(Duration::from_millis(10)).await;
        leaves.abort();
        assert_eq!(next.await.unwrap(), Some(7));
        // Who has waited for a second does not read beside the other one.
        let slow = ask("a");
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!((ask("a").await.unwrap(), slow.await.unwrap()), (None, Some(8)));
        assert!(locked(&together.0).is_empty());
        assert_eq!(reads.load(Ordering::Relaxed), 8);
    }
}

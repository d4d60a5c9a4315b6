//! Places at the door: who waits for a connection, for how long, and who goes first. See
//! `docs/decisions/reliability.md#overload`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use kernel::request::{self, Rank};
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many may wait. One more would not be served in time either.
const WAITING: usize = 1024;

/// As many places as the pool has connections. Only the first rank may take all of them.
#[derive(Debug)]
pub(crate) struct Places {
    all: Arc<Semaphore>,
    /// Three quarters, for the other requests and jobs.
    usual: Arc<Semaphore>,
    /// A quarter, for what can wait.
    last: Arc<Semaphore>,
    waiting: AtomicUsize,
    patience: Duration,
}

/// A place that was taken; it is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _shares: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

/// Counts one who waits, also when he leaves in the middle.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Places {
    pub(crate) fn new(connections: u32, patience: Duration) -> Self {
        let all = usize::try_from(connections.max(1)).unwrap_or(1);
        let of = |places: usize| Arc::new(Semaphore::new(places.max(1)));
        Self {
            all: of(all),
            usual: of((all * 3).div_ceil(4)),
            last: of(all / 4),
            waiting: AtomicUsize::new(0),
            patience,
        }
    }

    /// How many wait at this moment.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a place, first in the share of the request's rank: within a share, and among those who have
    /// theirs, who came first goes first.
    pub(crate) async fn take(&self) -> Result<Place, DbErr> {
        let begun = Instant::now();
        let share = match request::rank() {
            Rank::First => None,
            Rank::Usual => Some(&self.usual),
            Rank::Last => Some(&self.last),
        };
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING {
            drop(Waiting(&self.waiting));
            return Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        }
        let _waiting = Waiting(&self.waiting);
        let turn = async {
            let shares = match share {
                Some(share) => Some(share.clone().acquire_owned().await.map_err(closed)?),
                None => None,
            };
            Ok(Place { _shares: shares, _all: self.all.clone().acquire_owned().await.map_err(closed)? })
        };
        let place = tokio::time::timeout(self.patience, turn)
            .await
            .map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
        telemetry::measures::connection_wait(begun.elapsed());
        place
    }
}

/// Never: nobody closes them.
fn closed(_: tokio::sync::AcquireError) -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed)
}

#[cfg(test)]
mod tests {
    use kernel::request::Current;

    use super::*;

    fn places(connections: u32) -> Arc<Places> {
        Arc::new(Places::new(connections, Duration::from_millis(50)))
    }

    async fn taken(places: &Places, rank: Rank, most: usize) -> Vec<Place> {
        let current = Current::new(String::new(), false, rank);
        let all = async {
            let mut taken = Vec::new();
            while taken.len() < most
                && let Ok(place) = places.take().await
            {
                taken.push(place);
            }
            taken
        };
        current.scope(all).await
    }

    #[tokio::test]
    async fn each_rank_has_its_share() {
        for (connections, all, usual, last) in
            [(1, 1, 1, 1), (2, 2, 2, 1), (4, 4, 3, 1), (16, 16, 12, 4), (40, 40, 30, 10)]
        {
            for (rank, share) in [(Rank::First, all), (Rank::Usual, usual), (Rank::Last, last)] {
                assert_eq!(
                    taken(&places(connections), rank, 100).await.len(),
                    share,
                    "{connections} {rank:?}"
                );
            }
        }
    }

    #[tokio::test]
    async fn an_order_finds_a_place_while_all_others_wait() {
        let places = places(8);
        let (usual, last) = (taken(&places, Rank::Usual, 100).await, taken(&places, Rank::Last, 100).await);
        assert_eq!((usual.len(), last.len()), (6, 2));
        // All are taken: one who goes first is served as soon as any is given back.
        drop(last);
        assert_eq!(taken(&places, Rank::First, 100).await.len(), 2);
        drop(usual);
        assert_eq!(taken(&places, Rank::Last, 100).await.len(), 2, "a place that is given back can be taken");
        assert_eq!(places.waiting(), 0);
    }

    #[tokio::test]
    async fn who_leaves_while_waiting_is_not_counted_any_more() {
        let places = places(1);
        let held = places.take().await.unwrap();
        let waiting = tokio::spawn({
            let places = places.clone();
            async move { places.take().await.map(drop) }
        });
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(places.waiting(), 1);
        waiting.abort();
        assert!(waiting.await.is_err());
        assert_eq!(places.waiting(), 0);
        places.waiting.store(WAITING, Ordering::Relaxed);
        let begun = Instant::now();
        assert!(places.take().await.is_err(), "too many wait already");
        assert!(begun.elapsed() < Duration::from_millis(40), "who is turned away knows it at once");
        drop(held);
    }
}

//! Wakes readers of this instance when a restaurant has events: one listening connection for all of them.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use kernel::{Id, Restaurant};
use sqlx::postgres::PgListener;
use tokio::{
    sync::{Notify, futures::Notified, watch},
    time::timeout,
};

use crate::events::CHANNEL;

/// After so long without a word the listening connection is asked whether it still is one: on a line that is
/// dead but open nothing would ever come, and every window would be told that all is well.
const SILENCE: Duration = Duration::from_secs(10);
/// So long it has for the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The topic of readers that every event wakes.
const ALL: &str = "";

/// The wake-up calls of this instance.
#[derive(Debug, Clone)]
pub struct Hub(Arc<Inner>);

impl Default for Hub {
    fn default() -> Self {
        Self(Arc::new(Inner {
            wake: Mutex::new(Some(HashMap::new())),
            jobs: Notify::default(),
            listeners: AtomicUsize::default(),
            up: AtomicUsize::default(),
        }))
    }
}

type Topic = (Id<Restaurant>, &'static str);

#[derive(Debug)]
struct Inner {
    /// None once the service stops.
    wake: Mutex<Option<HashMap<Topic, watch::Sender<u64>>>>,
    jobs: Notify,
    /// Listening connections, one for each database server, and those that are up.
    listeners: AtomicUsize,
    up: AtomicUsize,
}

impl Hub {
    /// A receiver that changes whenever the restaurant has news. While the listener is down it changes every
    /// second, so a reader that fetches by number misses nothing.
    #[must_use]
    pub fn subscribe(&self, restaurant: Id<Restaurant>) -> watch::Receiver<u64> {
        self.subscribe_topic(restaurant, ALL)
    }

    /// The same for those events alone that wake this topic ([`crate::Subscriptions::wake`]).
    #[must_use]
    pub fn subscribe_topic(&self, restaurant: Id<Restaurant>, topic: &'static str) -> watch::Receiver<u64> {
        let mut wake = self.0.wake.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(wake) = &mut *wake else { return watch::channel(0).1 };
        wake.retain(|_, sender| sender.receiver_count() > 0);
        wake.entry((restaurant, topic)).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Ends all readers: they hear of no change any more, which is told to them as an error.
    pub fn close(&self) {
        *self.0.wake.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn job(&self) -> Notified<'_> {
        self.0.jobs.notified()
    }

    /// Wakes the readers that the payload of a notification names; without one, all of them.
    fn wake(&self, payload: Option<&str>) {
        let named = payload.and_then(|payload| {
            let mut parts = payload.split(' ');
            let restaurant: Id<Restaurant> = parts.next()?.parse().ok()?;
            Some((restaurant, parts.collect::<Vec<_>>()))
        });
        let wake = self.0.wake.lock().unwrap_or_else(PoisonError::into_inner);
        let chosen = wake.iter().flatten().filter(|((id, topic), _)| {
            named.as_ref().is_none_or(|(restaurant, topics)| {
                restaurant == id && (*topic == ALL || topics.contains(topic))
            })
        });
        chosen.for_each(|(_, sender)| sender.send_modify(|count| *count += 1));
    }

    /// Whether every listening connection is up.
    #[must_use]
    pub fn listening(&self) -> bool {
        let listeners = self.0.listeners.load(Ordering::Relaxed);
        listeners > 0 && self.0.up.load(Ordering::Relaxed) == listeners
    }

    /// Listens to one database server for ever, past a pooler (`PULT_DATABASE_LISTEN_URL`).
    pub async fn listen(self, url: String) {
        self.0.listeners.fetch_add(1, Ordering::Relaxed);
        let up = AtomicBool::new(false);
        let poll = async {
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if !up.load(Ordering::Relaxed) {
                    self.wake(None);
                    self.0.jobs.notify_waiters();
                }
            }
        };
        let listen = async {
            loop {
                if let Err(error) = self.hear(&url, &up).await {
                    tracing::warn!(%error, "the listening connection is down; polling every second");
                }
                if up.swap(false, Ordering::Relaxed) {
                    self.0.up.fetch_sub(1, Ordering::Relaxed);
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };
        tokio::join!(poll, listen);
    }

    async fn hear(&self, url: &str, up: &AtomicBool) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect(url).await?;
        listener.listen_all([CHANNEL, "pult_job"]).await?;
        up.store(true, Ordering::Relaxed);
        self.0.up.fetch_add(1, Ordering::Relaxed);
        // Wakes all, for notifications that were missed.
        self.wake(None);
        self.0.jobs.notify_waiters();
        loop {
            // Giving up the wait loses nothing: what has come in part stays in the connection's buffer.
            let Ok(received) = timeout(SILENCE, listener.try_recv()).await else {
                let ping = timeout(PATIENCE, sqlx::query("select 1").execute(&mut listener)).await;
                ping.map_err(|_| std::io::Error::from(std::io::ErrorKind::TimedOut))??;
                continue;
            };
            let Some(notification) = received? else {
                return Ok(());
            };
            match notification.channel() {
                CHANNEL => self.wake(Some(notification.payload())),
                _ => self.0.jobs.notify_waiters(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_reads_hears_that_the_service_stops() {
        let (hub, here) = (Hub::default(), Id::new());
        let mut before = hub.subscribe(here);
        hub.close();
        assert!(before.changed().await.is_err() && hub.subscribe(here).changed().await.is_err());
        hub.wake(None);
    }

    #[test]
    fn a_notification_wakes_its_restaurant_and_its_topics() {
        let (hub, here, there) = (Hub::default(), Id::new(), Id::new());
        let mut readers = [
            hub.subscribe(here),
            hub.subscribe_topic(here, "guest_tv"),
            hub.subscribe_topic(here, "kitchen"),
            hub.subscribe_topic(there, "guest_tv"),
        ];
        let mut woken = |payload: &str| {
            hub.wake(Some(payload));
            readers
                .iter_mut()
                .map(|reader| {
                    let changed = reader.has_changed().unwrap_or(false);
                    reader.mark_unchanged();
                    changed
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(woken(&here.to_string()), [true, false, false, false]);
        assert_eq!(woken(&format!("{here} guest_tv")), [true, true, false, false]);
        assert_eq!(woken(&format!("{there} kitchen guest_tv")), [false, false, false, true]);
        assert_eq!(woken("not an id"), [true; 4], "in doubt everybody looks");
    }
}

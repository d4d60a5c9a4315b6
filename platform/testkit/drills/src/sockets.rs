//! Windows of the counter: sockets that come back with their last event id, and what each has heard.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use rig::{Installation, PARTNER, RESTAURANT, Result};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, Row};
use tokio::{net::TcpStream, sync::watch, task::JoinHandle};
use tokio_tungstenite::{
    client_async,
    tungstenite::{Message, client::IntoClientRequest, protocol::frame::coding::CloseCode},
};

use crate::neighbours;

/// Longer than any drill.
const NEVER: Duration = Duration::from_secs(1_000_000);
/// How long the last events are waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often each event came to a window, and the first number that it could get.
#[derive(Default)]
struct Heard {
    from: Option<i64>,
    last: Option<i64>,
    events: BTreeMap<i64, usize>,
}

/// Windows that listen until they are dropped.
pub struct Sockets {
    heard: Vec<Arc<Mutex<Heard>>>,
    /// How often a window had to come back.
    reconnects: Arc<AtomicUsize>,
    /// How often it was told to.
    sent_away: Arc<AtomicUsize>,
    /// Within which time each connection is cut.
    within: watch::Sender<Duration>,
    tasks: Vec<JoinHandle<()>>,
}

impl Drop for Sockets {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Sockets {
    /// Opens so many and waits until all are live.
    pub async fn open(address: SocketAddr, bearer: &str, many: usize) -> Result<Self> {
        Self::open_and_cut(address, bearer, many, NEVER).await
    }

    /// The same with connections that are cut, each within this time, until [`Self::spare`].
    pub async fn open_and_cut(
        address: SocketAddr, bearer: &str, many: usize, within: Duration,
    ) -> Result<Self> {
        let (within, told) = watch::channel(within);
        let (reconnects, sent_away) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let heard: Vec<Arc<Mutex<Heard>>> = (0..many).map(|_| Arc::default()).collect();
        let tasks = heard
            .iter()
            .map(|heard| {
                let counts = (reconnects.clone(), sent_away.clone());
                tokio::spawn(stay(address, bearer.to_owned(), heard.clone(), counts, told.clone()))
            })
            .collect();
        let sockets = Self { heard, reconnects, sent_away, within, tasks };
        for _ in 0..400 {
            let live = |heard: &Arc<Mutex<Heard>>| {
                heard.lock().unwrap_or_else(PoisonError::into_inner).from.is_some()
            };
            if sockets.heard.iter().all(live) {
                sockets.reconnects.store(0, Ordering::Relaxed);
                return Ok(sockets);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err("the sockets are not live within 20 s".into())
    }

    /// Cuts no connection from now on.
    pub fn spare(&self) {
        self.within.send_replace(NEVER);
    }

    /// How often a window has come back.
    pub fn reconnects(&self) -> usize {
        self.reconnects.load(Ordering::Relaxed)
    }

    /// How often one was told to come back, because its instance stops.
    pub fn sent_away(&self) -> usize {
        self.sent_away.load(Ordering::Relaxed)
    }

    /// Compares with what was written once every window has the last of it, or after [`PATIENCE`]: events of
    /// orders that a window has not heard of, or more than once, and the number of events.
    pub async fn compare(&self, installation: &Installation) -> Result<(Vec<String>, usize)> {
        let mut owner = installation.owner().await?;
        let schema = neighbours::schema(&mut owner, PARTNER).await?;
        owner.execute(AssertSqlSafe(format!("set search_path = {schema}"))).await?;
        let rows = sqlx::query(
            "select number from event where restaurant_id = $1::uuid and data ? 'order_id' order by number",
        )
        .bind(RESTAURANT)
        .fetch_all(&mut owner)
        .await?;
        let written: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        // They come back all at once, on a machine that has other work.
        let begun = Instant::now();
        let last = |heard: &Arc<Mutex<Heard>>| heard.lock().unwrap_or_else(PoisonError::into_inner).last;
        while begun.elapsed() < PATIENCE
            && self.heard.iter().any(|heard| last(heard) < written.last().copied())
        {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // What comes twice comes now.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut found = vec![];
        for (number, heard) in self.heard.iter().enumerate() {
            let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            let from = heard.from.unwrap_or_default();
            for event in written.iter().filter(|event| **event > from) {
                match heard.events.get(event) {
                    Some(1) => {}
                    Some(times) => {
                        found.push(format!("window {number} heard {times} times of event {event}"))
                    }
                    None => found.push(format!("window {number} has not heard of event {event}")),
                }
            }
        }
        Ok((found, written.len()))
    }
}

async fn stay(
    address: SocketAddr, bearer: String, heard: Arc<Mutex<Heard>>,
    (reconnects, sent_away): (Arc<AtomicUsize>, Arc<AtomicUsize>), mut within: watch::Receiver<Duration>,
) {
    loop {
        let last = heard.lock().unwrap_or_else(PoisonError::into_inner).last;
        let longest = *within.borrow_and_update();
        let cut = tokio::time::sleep(longest.mul_f64(rand::random_range(0.05..1.0)));
        tokio::select! {
            _ = listen(address, &bearer, last, &heard, &sent_away) => {}
            () = cut => {}
            // The connections that were to be cut.
            _ = within.changed() => {}
        }
        reconnects.fetch_add(1, Ordering::Relaxed);
        // Spread, as the interface spreads them.
        tokio::time::sleep(Duration::from_millis(rand::random_range(100..800))).await;
    }
}

async fn listen(
    address: SocketAddr, bearer: &str, last: Option<i64>, heard: &Mutex<Heard>, sent_away: &AtomicUsize,
) -> Result<()> {
    let last = last.map_or_else(String::new, |last| format!("&last_event_id={last}"));
    let mut ask =
        format!("ws://{address}/fresh-orders?restaurant_id={RESTAURANT}{last}").into_client_request()?;
    ask.headers_mut().insert("authorization", bearer.parse()?);
    let (mut socket, _) = client_async(ask, TcpStream::connect(address).await?).await?;
    while let Some(message) = socket.next().await {
        let text = match message? {
            Message::Text(text) => text,
            Message::Close(Some(frame)) if frame.code == CloseCode::Restart => {
                sent_away.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            _ => continue,
        };
        let event: Value = serde_json::from_str(&text)?;
        let Some(number) = event["id"].as_i64() else { continue };
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        match event["event"].as_str().unwrap_or_default() {
            "TASK_HELLO" => {
                heard.from.get_or_insert(number);
            }
            "TASK_HEARTBEAT" => {}
            _ if event["data"]["order_id"].is_string() => *heard.events.entry(number).or_default() += 1,
            _ => {}
        }
        heard.last = heard.last.max(Some(number));
    }
    Ok(())
}

//! Clients that order, lose answers, and repeat what was not answered.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use crate::{Acknowledged, Connection, Journal, Reply, Shop, request};

/// How long a client goes on with one order.
const PATIENCE: Duration = Duration::from_secs(60);
/// One answer in so many is lost on its way: the client has gone when it comes.
const LOST: usize = 20;

/// The behaviour of the clients.
#[derive(Debug)]
pub struct Clients<'a> {
    /// Where they order.
    pub shop: &'a Shop,
    /// The service.
    pub address: SocketAddr,
    /// Takes what was answered.
    pub journal: &'a Journal,
    /// How many orders they place together.
    pub orders: usize,
    /// How many they are.
    pub clients: usize,
    /// Whether a repeated request has its first key; without, nothing tells it from a new one (the negative
    /// control).
    pub same_key: bool,
}

impl Clients<'_> {
    /// Posts all orders, each until it is acknowledged.
    pub async fn run(&self) {
        let next = AtomicUsize::new(0);
        futures_util::future::join_all((0..self.clients).map(|_| self.client(&next))).await;
    }

    async fn client(&self, next: &AtomicUsize) {
        let mut connection = None;
        loop {
            let intent = next.fetch_add(1, Ordering::Relaxed);
            if intent >= self.orders {
                return;
            }
            self.order(intent, &mut connection).await;
        }
    }

    async fn order(&self, intent: usize, connection: &mut Option<Connection>) {
        let begun = Instant::now();
        let body = self.shop.order(intent).to_string();
        for attempt in 0.. {
            assert!(
                begun.elapsed() < PATIENCE,
                "order {intent} was not taken in {PATIENCE:?} and {attempt} attempts"
            );
            let key = if self.same_key {
                format!("order {intent}")
            } else {
                format!("order {intent}, attempt {attempt}")
            };
            let headers = [("authorization", self.shop.bearer.as_str()), ("idempotency-key", &key)];
            let bytes = request("POST", &Shop::orders(), &headers, Some(&body));
            let lose = attempt == 0 && intent % LOST == LOST - 1;
            match self.post(connection, &bytes, lose).await {
                Ok(reply) if reply.status == 201 => {
                    self.journal.acknowledge(Acknowledged { intent, key, body: reply.text() });
                    return;
                }
                // The service asks for patience: the first copy is still at work, or the database was not
                // there.
                Ok(reply) if reply.header("retry-after").is_some() => {
                    tokio::time::sleep(Duration::from_millis(50)).await
                }
                Ok(reply) => panic!("order {intent} was answered {}: {}", reply.status, reply.text()),
                Err(_) => {
                    *connection = None;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }

    async fn post(
        &self, connection: &mut Option<Connection>, bytes: &[u8], lose: bool,
    ) -> std::io::Result<Reply> {
        let open = match connection.take() {
            Some(open) => open,
            None => Connection::open(self.address).await?,
        };
        let open = connection.insert(open);
        let outcome = async {
            open.send(bytes).await?;
            if lose {
                open.answered().await?;
                return Err(std::io::ErrorKind::ConnectionAborted.into());
            }
            open.reply().await
        }
        .await;
        if outcome.is_err() {
            self.journal.unanswered();
        }
        outcome
    }
}

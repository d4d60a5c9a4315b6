//! Five copies of each request at once over two instances, two of them cut: one effect, one answer, and nothing
//! left open. See `docs/decisions/reliability.md#crash-and-retry`.

use std::{net::SocketAddr, path::Path, time::Duration};

use futures_util::{StreamExt, future::join_all, stream};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{
    Acknowledged, Connection, Installation, Journal, Reply, Result, Shop, free_port, reconcile, request,
};
use serde_json::Value;
use sqlx::PgConnection;

use crate::kill::{number, seed};

/// So many requests at the same time, each with its copies.
const AT_ONCE: usize = 8;
const COPIES: usize = 5;
/// How often a copy asks again while the first is at work.
const TRIES: usize = 200;
/// Transactions in which nothing has happened for a while. Jobs that are at work have younger ones.
const OPEN: &str = "select format('%s: %s', now() - state_change, query) from pg_stat_activity \
    where datname = current_database() and state like 'idle in transaction%' \
    and state_change < now() - interval '2 seconds'";

struct Copies<'a> {
    shop: &'a Shop,
    instances: [SocketAddr; 2],
    journal: &'a Journal,
    seed: u64,
}

impl Copies<'_> {
    fn bytes(&self, intent: usize, body: &Value) -> Vec<u8> {
        let key = format!("order {intent}");
        let headers = [("authorization", self.shop.bearer.as_str()), ("idempotency-key", &key)];
        request("POST", &Shop::orders(), &headers, Some(&body.to_string()))
    }

    /// Sends all copies of one request, and another request under the same key.
    async fn run(&self, intent: usize) -> Result<()> {
        let mut order = self.shop.order(intent);
        let bytes = self.bytes(intent, &order);
        let copies = join_all((0..COPIES).map(|copy| self.copy(intent, copy, &bytes))).await;
        let mut answers = Vec::new();
        for answer in copies {
            answers.extend(answer?);
        }
        assert_eq!(answers.len(), COPIES - 2, "order {intent}: those that were not cut have an answer");
        assert!(answers.windows(2).all(|two| two[0] == two[1]), "order {intent}: {answers:#?}");
        order["last_name"] = "Más".into();
        let other = self.bytes(intent, &order);
        let refused = self.patiently(self.instances[intent % 2], &other).await?;
        assert_eq!(refused.status, 409, "another order under the key of order {intent}: {}", refused.text());
        let body = answers.swap_remove(0);
        self.journal.acknowledge(Acknowledged { intent, key: format!("order {intent}"), body });
        Ok(())
    }

    /// One copy; none where it was cut: the last while its answer begins to arrive, the one before at any moment.
    async fn copy(&self, intent: usize, copy: usize, bytes: &[u8]) -> Result<Option<String>> {
        let mut random = StdRng::seed_from_u64(self.seed ^ (intent * COPIES + copy) as u64);
        let instance = self.instances[(intent + copy) % 2];
        tokio::time::sleep(Duration::from_micros(random.random_range(0..3_000))).await;
        if copy >= COPIES - 2 {
            let mut connection = Connection::open(instance).await?;
            connection.send(bytes).await?;
            if copy == COPIES - 1 {
                connection.answered().await?;
            } else {
                tokio::time::sleep(Duration::from_micros(random.random_range(0..30_000))).await;
            }
            self.journal.unanswered();
            return Ok(None);
        }
        let reply = self.patiently(instance, bytes).await?;
        assert_eq!(reply.status, 201, "order {intent}: {}", reply.text());
        Ok(Some(reply.text()))
    }

    /// The first answer that does not ask to come again: for that the first copy is at work, or all places are taken.
    async fn patiently(&self, instance: SocketAddr, bytes: &[u8]) -> Result<Reply> {
        for _ in 0..TRIES {
            let reply = Connection::open(instance).await?.call(bytes).await?;
            if !asks_for_patience(&reply) {
                return Ok(reply);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(format!("a request was not taken in {TRIES} tries").into())
    }
}

fn asks_for_patience(reply: &Reply) -> bool {
    matches!(reply.status, 409 | 503) && reply.header("retry-after").is_some()
}

/// What cut requests have left open: each is rolled back as soon as its statement ends.
async fn left_open(owner: &mut PgConnection) -> Result<Vec<String>> {
    tokio::time::sleep(Duration::from_secs(3)).await;
    Ok(sqlx::query_scalar(OPEN).fetch_all(owner).await?)
}

#[tokio::test]
async fn five_copies_over_two_instances_some_cut_are_one_order_with_one_answer() {
    let keys = if number::<u64>("PULT_FAULT_ROUNDS").is_some() { 1_000 } else { 120 };
    let seed = seed();
    eprintln!("{keys} keys, PULT_FAULT_SEED={seed}");
    let server = std::env::var("PULT_TEST_DATABASE_URL").unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault");
    let binary = Path::new(env!("CARGO_BIN_EXE_pult"));
    let mut installation = Installation::make(binary, &server, &folder).await.unwrap();
    installation.set("PULT_LOG", "warn");
    let first = installation.serve(free_port().unwrap(), free_port().unwrap()).await.unwrap();
    let second = installation.serve(free_port().unwrap(), free_port().unwrap()).await.unwrap();
    let shop = Shop::open(&installation, first.address, seed).await.unwrap();
    let journal = Journal::default();
    let copies = Copies { shop: &shop, instances: [first.address, second.address], journal: &journal, seed };
    let copies = &copies;
    let mut done = stream::iter(0..keys).map(|intent| copies.run(intent)).buffer_unordered(AT_ONCE);
    while let Some(one) = done.next().await {
        one.unwrap();
    }
    drop(done);
    let mut owner = installation.owner().await.unwrap();
    assert_eq!(left_open(&mut owner).await.unwrap(), Vec::<String>::new());
    assert_eq!(journal.count_unanswered(), 2 * keys);
    let found = reconcile(&mut owner, &shop, keys, &journal.entries()).await;
    assert_eq!(found.iter().take(20).collect::<Vec<_>>(), Vec::<&String>::new());
    drop(owner);
    for service in [first, second] {
        service.kill().await.unwrap();
    }
    installation.remove().await.unwrap();
}

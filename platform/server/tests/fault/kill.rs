//! `kill -9` of the service: what was acknowledged survives; what was not exists once or not at all. See
//! `docs/decisions/reliability.md#crash-and-retry`.

use std::{path::Path, time::Duration};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Clients, Installation, Journal, Result, Shop, free_port, reconcile};

struct Round {
    orders: usize,
    kills: usize,
    same_key: bool,
    seed: u64,
}

/// The findings of a round, and the number of requests without an answer.
struct Outcome {
    found: Vec<String>,
    unanswered: usize,
}

pub fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

pub fn seed() -> u64 {
    number("PULT_FAULT_SEED").unwrap_or_else(rand::random)
}

impl Round {
    /// Eight clients order while the service is killed at random moments and started again.
    async fn run(&self) -> Result<Outcome> {
        eprintln!("{} orders, {} kills, PULT_FAULT_SEED={}", self.orders, self.kills, self.seed);
        let server = std::env::var("PULT_TEST_DATABASE_URL")
            .map_err(|_| "PULT_TEST_DATABASE_URL: the address of a throw-away Postgres")?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault");
        let mut installation =
            Installation::make(Path::new(env!("CARGO_BIN_EXE_pult")), &server, &folder).await?;
        installation.set("PULT_LOG", "warn");
        let (port, metrics) = (free_port()?, free_port()?);
        let mut service = installation.serve(port, metrics).await?;
        let shop = Shop::open(&installation, service.address, self.seed).await?;
        let journal = Journal::default();
        let clients = Clients {
            shop: &shop,
            address: service.address,
            journal: &journal,
            orders: self.orders,
            clients: 8,
            same_key: self.same_key,
        };
        let killing = async {
            let mut random = StdRng::seed_from_u64(self.seed);
            // Spread over the run, and never so late that nothing is under way.
            let mut moments: Vec<usize> =
                (0..self.kills).map(|_| random.random_range(1..self.orders * 9 / 10)).collect();
            moments.sort_unstable();
            for moment in moments {
                while journal.count() < moment {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                tokio::time::sleep(Duration::from_micros(random.random_range(0..20_000))).await;
                service.kill().await?;
                service = installation.serve(port, metrics).await?;
            }
            Result::Ok(service)
        };
        let ((), service) = tokio::join!(clients.run(), killing);
        service?.kill().await?;
        let unanswered = journal.count_unanswered();
        let mut found =
            reconcile(&mut installation.owner().await?, &shop, self.orders, &journal.entries()).await;
        // The first ones say enough.
        found.truncate(20);
        installation.remove().await?;
        Ok(Outcome { found, unanswered })
    }
}

#[tokio::test]
async fn killed_in_the_middle_of_its_orders_it_has_each_once() {
    let seed = seed();
    let rounds = number("PULT_FAULT_ROUNDS");
    let orders = if rounds.is_some() { 1000 } else { 400 };
    for round in 0..rounds.unwrap_or(1) {
        let outcome =
            Round { orders, kills: 5, same_key: true, seed: seed.wrapping_add(round) }.run().await.unwrap();
        assert!(
            outcome.unanswered > orders / 20,
            "only {} requests had no answer: the kills met nothing",
            outcome.unanswered
        );
        assert_eq!(outcome.found, Vec::<String>::new());
    }
}

/// The negative control: a repeated request with a new key is a new order, and the reconciler says so.
#[tokio::test]
#[ignore = "a control of the test itself, for the night"]
async fn without_the_key_the_reconciler_finds_doubled_orders() {
    let outcome = Round { orders: 100, kills: 1, same_key: false, seed: seed() }.run().await.unwrap();
    assert!(outcome.found.iter().any(|what| what.ends_with("is there 2 times")), "{:?}", outcome.found);
}

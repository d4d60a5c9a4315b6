//! Traffic at a set pace: each request is sent when its time has come, whether earlier ones were answered or
//! not, as guests do. Orders that were not acknowledged are repeated at the end under their first key.

use std::{
    collections::VecDeque,
    fmt,
    net::SocketAddr,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Acknowledged, Connection, Journal, Reply, Result, Shop, request};
use serde_json::{Value, json};

use crate::neighbours::Stall;

/// A request that has no answer after this time hangs.
const HANGS: Duration = Duration::from_secs(20);
/// How long an order that was not acknowledged is repeated in the end.
const PATIENCE: Duration = Duration::from_secs(60);
/// So many of them at a time.
const REPEATING: usize = 8;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A guest's order.
    Order,
    /// The price of one.
    Quote,
    /// The price of a delivery to an address that nobody has asked for yet.
    Address,
    /// The menu.
    Menu,
    /// Staff end the oldest order that is open; while none is, they look at the newest.
    Archive,
    /// The newest orders on the counter's screen.
    Board,
    /// Sums over orders, as statistics ask for them.
    Totals,
    /// The restaurant's opening hours, as the settings' screen reads them.
    Settings,
    /// What guests of other partners ask for, one partner after another: see [`Load::among`].
    Neighbour,
}

/// Requests and how many of each among all.
pub type Mix = &'static [(Kind, u32)];

/// What a partner's day looks like.
pub const USUAL: Mix =
    &[(Kind::Order, 3), (Kind::Quote, 3), (Kind::Menu, 6), (Kind::Board, 5), (Kind::Settings, 3)];

/// The same for days on end, and as much by other partners: orders are also ended, so that a restaurant has not
/// more of them open than any has.
pub const ON_AND_ON: Mix = &[
    (Kind::Neighbour, 23),
    (Kind::Order, 3),
    (Kind::Archive, 4),
    (Kind::Quote, 3),
    (Kind::Menu, 6),
    (Kind::Board, 4),
    (Kind::Settings, 3),
];

/// What became of a request.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// What was asked for.
    pub kind: Kind,
    /// When it was sent.
    pub at: Instant,
    /// Until its answer, or until it was clear that there is none.
    pub took: Duration,
    /// Its HTTP status; none without an answer.
    pub status: Option<u16>,
    /// Whether a refusal says when to come again.
    pub retry_after: bool,
}

impl Sample {
    /// Done as asked.
    pub fn good(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// Turned away in order: later it may be repeated.
    pub fn shed(&self) -> bool {
        matches!(self.status, Some(429 | 503)) && self.retry_after
    }
}

/// Clients of one shop.
pub struct Load<'a> {
    shop: &'a Shop,
    address: SocketAddr,
    journal: &'a Journal,
    orders: AtomicUsize,
    addresses: AtomicUsize,
    samples: Mutex<Vec<Sample>>,
    /// Orders that were sent and not acknowledged.
    open: Mutex<Vec<usize>>,
    /// Ids of acknowledged orders that nobody has ended.
    to_archive: Mutex<VecDeque<Value>>,
    idle: Mutex<Vec<Connection>>,
    neighbours: Vec<Stall>,
    visits: AtomicUsize,
    under_way: AtomicUsize,
    stopped: AtomicBool,
    /// Answers that were neither expected nor a refusal in order, the first ones.
    strange: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Load<'a> {
    /// At this address; nothing is sent yet.
    pub fn new(shop: &'a Shop, address: SocketAddr, journal: &'a Journal) -> Self {
        Self {
            shop,
            address,
            journal,
            orders: AtomicUsize::new(0),
            addresses: AtomicUsize::new(0),
            samples: Mutex::default(),
            open: Mutex::default(),
            to_archive: Mutex::default(),
            idle: Mutex::default(),
            neighbours: vec![],
            visits: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            strange: Mutex::default(),
        }
    }

    /// The same with those whom [`Kind::Neighbour`] visits.
    pub fn among(self, neighbours: Vec<Stall>) -> Self {
        Self { neighbours, ..self }
    }

    /// Ends what [`Self::run`] sends.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The same, and waits until all that was sent is answered.
    pub async fn settle(&self) {
        self.stop();
        while self.under_way.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends so many a second until the time is over or [`Self::stop`] was called, and waits for the answers.
    pub async fn run(&self, per_second: f64, mix: Mix, time: Duration, seed: u64) {
        self.stopped.store(false, Ordering::Relaxed);
        let mut random = StdRng::seed_from_u64(seed);
        let begun = Instant::now();
        let mut sent = FuturesUnordered::new();
        for number in 0_u32.. {
            let due = begun + Duration::from_secs_f64(f64::from(number) / per_second);
            if due > begun + time || self.stopped.load(Ordering::Relaxed) {
                break;
            }
            let pause = tokio::time::sleep_until(due.into());
            tokio::pin!(pause);
            loop {
                tokio::select! {
                    biased;
                    () = &mut pause => break,
                    Some(()) = sent.next(), if !sent.is_empty() => {}
                }
            }
            // Whoever waits for the end of what is under way counts on nothing new.
            if self.stopped.load(Ordering::Relaxed) {
                break;
            }
            sent.push(self.one(draw(&mut random, mix)));
        }
        while sent.next().await.is_some() {}
    }

    /// Sends the usual while something happens, and ends with it, however that ends.
    pub async fn beside<T>(
        &self, pace: f64, seed: u64, happening: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let until = async {
            let result = happening.await;
            self.stop();
            result
        };
        let long = Duration::from_secs(4 * 3600);
        tokio::join!(until, self.run(pace, USUAL, long, seed)).0
    }

    /// So many clients, each of which sends the next request when it has its answer.
    pub async fn closed(&self, clients: usize, mix: Mix, time: Duration, seed: u64) {
        let begun = Instant::now();
        let client = |number: usize| async move {
            let mut random = StdRng::seed_from_u64(seed.wrapping_add(number as u64));
            while begun.elapsed() < time {
                self.one(draw(&mut random, mix)).await;
            }
        };
        futures_util::future::join_all((0..clients).map(client)).await;
    }

    /// Warms the service up and gives a pace: the wanted one, and no more than this share of what the service can
    /// do at this moment, on a machine that may be busy with other work.
    pub async fn pace(&self, wanted: f64, share: f64, seed: u64) -> f64 {
        let (from, time) = (Instant::now(), Duration::from_millis(2_500));
        self.closed(8, USUAL, time, seed ^ 0x7ace).await;
        let capacity = self.between(from, Instant::now()).good() as f64 / from.elapsed().as_secs_f64();
        // What warmed it up is no part of what is judged.
        lock(&self.samples).clear();
        (capacity * share).clamp(2.0, wanted)
    }

    async fn one(&self, kind: Kind) {
        let intent = (kind == Kind::Order).then(|| self.orders.fetch_add(1, Ordering::Relaxed));
        let at = Instant::now();
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let reply = self.send(kind, intent).await;
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        let sample = Sample {
            kind,
            at,
            took: at.elapsed(),
            status: reply.as_ref().ok().map(|reply| reply.status),
            retry_after: reply.as_ref().is_ok_and(|reply| reply.header("retry-after").is_some()),
        };
        lock(&self.samples).push(sample);
        if !sample.good() && !sample.shed() {
            let mut strange = lock(&self.strange);
            if strange.len() < 5 {
                strange.push(match &reply {
                    Ok(reply) => format!("{kind:?} was answered {}: {}", reply.status, reply.text()),
                    Err(error) => format!("{kind:?} had no answer: {error}"),
                });
            }
        }
        if let Some(intent) = intent {
            self.note(intent, reply.ok());
        }
    }

    fn note(&self, intent: usize, reply: Option<Reply>) -> bool {
        match reply {
            Some(reply) if reply.status == 201 => {
                let order = Acknowledged { intent, key: key(intent), body: reply.text() };
                lock(&self.to_archive).push_back(order.order()["id"].take());
                self.journal.acknowledge(order);
                true
            }
            other => {
                if other.is_none() {
                    self.journal.unanswered();
                }
                lock(&self.open).push(intent);
                false
            }
        }
    }

    fn bytes(&self, kind: Kind, intent: Option<usize>) -> Vec<u8> {
        let guest = [("authorization", self.shop.bearer.as_str())];
        let staff = [("authorization", self.shop.staff.as_str())];
        match (kind, intent) {
            (Kind::Order, Some(intent)) => {
                let key = key(intent);
                let headers = [guest[0], ("idempotency-key", key.as_str())];
                request("POST", &Shop::orders(), &headers, Some(&self.shop.order(intent).to_string()))
            }
            (Kind::Order | Kind::Quote, _) => {
                let order = self.shop.order(0);
                let body = json!({"platform": "browser", "pickup": true, "items": order["items"]});
                request("POST", &format!("{}/quote", Shop::orders()), &guest, Some(&body.to_string()))
            }
            (Kind::Address, _) => {
                let body = self.shop.delivered(self.addresses.fetch_add(1, Ordering::Relaxed)).to_string();
                request("POST", &format!("{}/quote", Shop::orders()), &guest, Some(&body))
            }
            (Kind::Menu, _) => request("GET", &Shop::orders().replace("/orders", "/menu"), &guest, None),
            (Kind::Archive, _) if let Some(Value::String(id)) = lock(&self.to_archive).pop_front() => {
                request("PUT", &Shop::admin(&format!("/orders/{id}/archive")), &staff, None)
            }
            (Kind::Archive | Kind::Board, _) => {
                request("GET", &Shop::admin("/orders/fresh?limit=10"), &staff, None)
            }
            (Kind::Totals, _) => request(
                "POST",
                &Shop::admin("/orders/totals"),
                &staff,
                Some(&Value::Object(Default::default()).to_string()),
            ),
            (Kind::Settings, _) => request("GET", &Shop::admin("/opening-hours"), &staff, None),
            (Kind::Neighbour, _) => {
                let visit = self.visits.fetch_add(1, Ordering::Relaxed);
                let (which, turn) = whose_turn(visit, self.neighbours.len());
                self.neighbours[which].asks(turn)
            }
        }
    }

    async fn send(&self, kind: Kind, intent: Option<usize>) -> std::io::Result<Reply> {
        let bytes = self.bytes(kind, intent);
        let hangs = || std::io::Error::new(std::io::ErrorKind::TimedOut, "it hangs");
        tokio::time::timeout(HANGS, self.exchange(&bytes)).await.map_err(|_| hangs())?
    }

    async fn exchange(&self, bytes: &[u8]) -> std::io::Result<Reply> {
        let known = loop {
            let taken = lock(&self.idle).pop();
            match taken {
                Some(connection) if !connection.is_idle() => {}
                other => break other,
            }
        };
        let mut connection = match known {
            Some(connection) => connection,
            None => Connection::open(self.address).await?,
        };
        let reply = connection.call(bytes).await?;
        if !reply.closes() {
            lock(&self.idle).push(connection);
        }
        Ok(reply)
    }

    /// Repeats the orders that were not acknowledged until all are, and gives the number of all orders.
    pub async fn finish(&self) -> Result<usize> {
        let mut guests: FuturesUnordered<_> = (0..REPEATING).map(|_| self.repeat()).collect();
        while let Some(done) = guests.next().await {
            done?;
        }
        Ok(self.orders.load(Ordering::Relaxed))
    }

    /// Repeats one after the other until none is left.
    async fn repeat(&self) -> Result<()> {
        let mut taken = Instant::now();
        loop {
            let Some(intent) = lock(&self.open).pop() else { return Ok(()) };
            let reply = self.send(Kind::Order, Some(intent)).await;
            let text = match &reply {
                Ok(reply) => format!("{} {}", reply.status, reply.text()),
                Err(error) => error.to_string(),
            };
            if self.note(intent, reply.ok()) {
                taken = Instant::now();
                continue;
            }
            if taken.elapsed() > PATIENCE {
                return Err(format!("order {intent} is not taken after all is well again: {text}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What was sent from one moment to another.
    pub fn between(&self, from: Instant, to: Instant) -> Summary {
        let samples = lock(&self.samples);
        Summary(samples.iter().filter(|sample| sample.at >= from && sample.at < to).copied().collect())
    }

    /// Everything.
    pub fn all(&self) -> Summary {
        Summary(lock(&self.samples).clone())
    }

    /// The first answers that nothing explains.
    pub fn strange(&self) -> String {
        lock(&self.strange).join("; ")
    }
}

/// Which of so many neighbours the next visit is for, and which of what its guests ask for has its turn: all of it for
/// each of them, and not the same for all at once.
fn whose_turn(visit: usize, count: usize) -> (usize, usize) {
    let (round, which) = (visit / count, visit % count);
    (which, round + which)
}

fn key(intent: usize) -> String {
    format!("order {intent}")
}

fn draw(random: &mut StdRng, mix: Mix) -> Kind {
    let mut left = random.random_range(0..mix.iter().map(|(_, share)| share).sum());
    for (kind, share) in mix {
        if left < *share {
            return *kind;
        }
        left -= share;
    }
    mix[0].0
}

/// Some requests and what became of them.
#[derive(Debug, Clone)]
pub struct Summary(pub Vec<Sample>);

impl Summary {
    /// Only these.
    pub fn only(&self, wanted: impl Fn(&Sample) -> bool) -> Self {
        Self(self.0.iter().filter(|sample| wanted(sample)).copied().collect())
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Done as asked.
    pub fn good(&self) -> usize {
        self.0.iter().filter(|sample| sample.good()).count()
    }

    /// Turned away in order.
    pub fn shed(&self) -> usize {
        self.0.iter().filter(|sample| sample.shed()).count()
    }

    /// Neither.
    pub fn failed(&self) -> usize {
        self.count() - self.good() - self.shed()
    }

    /// The time that this share of those done did not exceed.
    pub fn percentile(&self, share: f64) -> Duration {
        let mut times: Vec<Duration> =
            self.0.iter().filter(|sample| sample.good()).map(|sample| sample.took).collect();
        times.sort_unstable();
        let last = times.len().saturating_sub(1);
        times.get((share * last as f64).round() as usize).copied().unwrap_or_default()
    }

    /// The longest time between these moments in which nothing was done as asked.
    pub fn longest_gap(&self, from: Instant, to: Instant) -> Duration {
        let good = self.0.iter().filter(|sample| sample.good());
        let mut done: Vec<Instant> =
            good.map(|sample| sample.at + sample.took).chain([from, to]).filter(|at| *at <= to).collect();
        done.sort_unstable();
        done.windows(2).map(|two| two[1] - two[0]).max().unwrap_or_default()
    }

    /// The longest of all, whatever became of it.
    pub fn longest(&self) -> Duration {
        self.0.iter().map(|sample| sample.took).max().unwrap_or_default()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} requests: {} done, {} turned away, {} failed; p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms",
            self.count(),
            self.good(),
            self.shed(),
            self.failed(),
            self.percentile(0.5).as_secs_f64() * 1e3,
            self.percentile(0.99).as_secs_f64() * 1e3,
            self.longest().as_secs_f64() * 1e3
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::neighbours::TURNS;

    #[test]
    fn each_neighbour_is_asked_for_everything() {
        for count in [1, 3, 7, 8, 999, 1000] {
            let mut asked = vec![BTreeSet::new(); count];
            for visit in 0..count * TURNS {
                let (which, turn) = whose_turn(visit, count);
                asked[which].insert(turn % TURNS);
            }
            assert!(asked.iter().all(|turns| turns.len() == TURNS), "{count}");
        }
    }

    #[test]
    fn a_gap_is_a_time_without_an_answer_that_was_good() {
        let begun = Instant::now();
        let at = |ms, status| Sample {
            kind: Kind::Menu,
            at: begun + Duration::from_millis(ms),
            took: Duration::from_millis(10),
            status: Some(status),
            retry_after: true,
        };
        let samples = vec![at(900, 200), at(0, 200), at(400, 503), at(100, 200)];
        let gap = |to| Summary(samples.clone()).longest_gap(begun, begun + Duration::from_millis(to));
        assert_eq!(gap(1000), Duration::from_millis(800));
        assert_eq!(gap(3000), Duration::from_millis(2090), "nothing came to the end");
        assert_eq!(Summary(vec![]).longest_gap(begun, begun + HANGS), HANGS);
    }
}

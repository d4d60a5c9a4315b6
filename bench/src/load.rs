//! The load generator: clients with one connection each, which send the next request when they have an
//! answer.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rig::{Connection, Result, request};
use uuid::Uuid;

/// In a body: four digits of a phone number.
pub(crate) const GUEST: &str = "GUEST";
static NEXT_GUEST: AtomicU32 = AtomicU32::new(0);

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub method: &'static str,
    pub path: String,
    pub bearer: String,
    pub headers: Vec<(&'static str, String)>,
    /// With a body goes an idempotency key, new each time unless `headers` has one. [`GUEST`] in it stands for
    /// one of a thousand guests, by turns.
    pub body: Option<String>,
    pub status: u16,
}

impl Request {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let key = Uuid::now_v7().to_string();
        let mut headers = vec![("authorization", self.bearer.as_str())];
        headers.extend(self.headers.iter().map(|(name, value)| (*name, value.as_str())));
        if self.body.is_some() && !self.headers.iter().any(|(name, _)| *name == "idempotency-key") {
            headers.push(("idempotency-key", &key));
        }
        let guest = format!("{:04}", NEXT_GUEST.fetch_add(1, Ordering::Relaxed) % 1000);
        let body = self.body.as_ref().map(|body| body.replace(GUEST, &guest));
        request(self.method, &self.path, &headers, body.as_deref())
    }

    /// Sends it once, on a connection of its own.
    pub(crate) async fn once(&self, address: SocketAddr) -> Result<rig::Reply> {
        let reply = Connection::open(address).await?.call(&self.bytes()).await?;
        self.check(reply)
    }

    pub(crate) fn check(&self, reply: rig::Reply) -> Result<rig::Reply> {
        if reply.status == self.status {
            Ok(reply)
        } else {
            Err(format!("{} {} was answered {}: {}", self.method, self.path, reply.status, reply.text())
                .into())
        }
    }
}

/// The result of a measurement.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub requests: usize,
    pub seconds: f64,
    /// Milliseconds of each request, sorted.
    pub times: Vec<f64>,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// The time that this share of all requests did not exceed.
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let last = self.times.len().saturating_sub(1);
        self.times.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
    }
}

/// A connection that has had its first answer. A freshly started service opens all database connections at
/// once, which takes time on a busy machine, so some refusals are repeated.
async fn first(address: SocketAddr, all: &[Request]) -> Result<Connection> {
    let what = all.first().ok_or("there is nothing to send")?;
    let mut connection = Connection::open(address).await?;
    for _ in 0..10 {
        let reply = connection.call(&what.bytes()).await?;
        if reply.status != 503 {
            what.check(reply)?;
            return Ok(connection);
        }
    }
    Err("the service answers nothing but 503".into())
}

/// Sends it for so long.
pub(crate) async fn load(
    address: SocketAddr, what: &Request, clients: usize, time: Duration,
) -> Result<Measured> {
    load_any(address, std::slice::from_ref(what), clients, time).await
}

/// Sends some of these for so long, drawn at random.
pub(crate) async fn load_any(
    address: SocketAddr, all: &[Request], clients: usize, time: Duration,
) -> Result<Measured> {
    let connections = futures_util::future::try_join_all((0..clients).map(|_| first(address, all))).await?;
    let begun = Instant::now();
    let work = connections.into_iter().zip(0..).map(|(mut connection, client)| async move {
        // The same requests in every run.
        let mut random = StdRng::seed_from_u64(client);
        let mut times = Vec::new();
        while begun.elapsed() < time {
            let what = all.choose(&mut random).ok_or("there is nothing to send")?;
            let bytes = what.bytes();
            let sent = Instant::now();
            let reply = connection.call(&bytes).await?;
            times.push(sent.elapsed().as_secs_f64() * 1e3);
            what.check(reply)?;
        }
        Result::Ok(times)
    });
    let times = futures_util::future::try_join_all(work).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut times: Vec<f64> = times.concat();
    times.sort_by(f64::total_cmp);
    Ok(Measured { requests: times.len(), seconds, times })
}

/// Connections of [`offered`]: far more than wait for an answer at a fifth of what a service can do.
const OPEN: usize = 32;

/// Sends it at a steady rate for so long; all of it must be answered as expected.
pub(crate) async fn steady(
    address: SocketAddr, what: &Request, per_second: f64, time: Duration,
) -> Result<Measured> {
    match offered(address, what, per_second, time).await? {
        (measured, 0) => Ok(measured),
        (_, refused) => Err(format!("{refused} requests were refused").into()),
    }
}

/// Sends it at a steady rate for so long, whether or not the answers have come. A request that found no free
/// connection when it was due is counted from that moment; that the generator itself wakes up late is not the
/// service's. Requests that are answered 503 are counted as refused and have no time.
pub(crate) async fn offered(
    address: SocketAddr, what: &Request, per_second: f64, time: Duration,
) -> Result<(Measured, u32)> {
    let all = std::slice::from_ref(what);
    let connections = futures_util::future::try_join_all((0..OPEN).map(|_| first(address, all))).await?;
    let begun = Instant::now();
    let (next, refused) = (AtomicU32::new(0), AtomicU32::new(0));
    let work = connections.into_iter().map(|mut connection| {
        let (next, refused) = (&next, &refused);
        async move {
            let mut times = Vec::new();
            loop {
                let due =
                    Duration::from_secs_f64(f64::from(next.fetch_add(1, Ordering::Relaxed)) / per_second);
                if due > time {
                    return Result::Ok(times);
                }
                let mut from = begun + due;
                if begun.elapsed() < due {
                    tokio::time::sleep_until(from.into()).await;
                    from = Instant::now();
                }
                let reply = connection.call(&what.bytes()).await?;
                if reply.status == 503 {
                    refused.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                times.push(from.elapsed().as_secs_f64() * 1e3);
                what.check(reply)?;
            }
        }
    });
    let times = futures_util::future::try_join_all(work).await?;
    let mut times: Vec<f64> = times.concat();
    times.sort_by(f64::total_cmp);
    let seconds = begun.elapsed().as_secs_f64();
    Ok((Measured { requests: times.len(), seconds, times }, refused.into_inner()))
}

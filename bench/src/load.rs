//! The load generator: some clients, each on a connection that it keeps, each sending its next request when it has the
//! answer to the last.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use rig::{Connection, Result, request};
use uuid::Uuid;

/// What is sent again and again.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub method: &'static str,
    pub path: String,
    pub bearer: String,
    /// Other headers.
    pub headers: Vec<(&'static str, String)>,
    /// With a body goes an idempotency key, new each time unless `headers` has one.
    pub body: Option<String>,
    pub status: u16,
}

impl Request {
    fn bytes(&self) -> Vec<u8> {
        let key = Uuid::now_v7().to_string();
        let mut headers = vec![("authorization", self.bearer.as_str())];
        headers.extend(self.headers.iter().map(|(name, value)| (*name, value.as_str())));
        if self.body.is_some() && !self.headers.iter().any(|(name, _)| *name == "idempotency-key") {
            headers.push(("idempotency-key", &key));
        }
        request(self.method, &self.path, &headers, self.body.as_deref())
    }

    /// Sends it once, on a connection of its own.
    pub(crate) async fn once(&self, address: SocketAddr) -> Result<rig::Reply> {
        let reply = Connection::open(address).await?.call(&self.bytes()).await?;
        self.expect(reply)
    }

    fn expect(&self, reply: rig::Reply) -> Result<rig::Reply> {
        if reply.status == self.status {
            Ok(reply)
        } else {
            Err(format!("{} {} was answered {}: {}", self.method, self.path, reply.status, reply.text()).into())
        }
    }
}

/// What came of it.
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

/// Sends it for so long.
pub(crate) async fn load(address: SocketAddr, what: &Request, clients: usize, time: Duration) -> Result<Measured> {
    let begun = Instant::now();
    let work = (0..clients).map(|_| async {
        let mut connection = Connection::open(address).await?;
        let mut times = Vec::new();
        while begun.elapsed() < time {
            let bytes = what.bytes();
            let sent = Instant::now();
            let reply = connection.call(&bytes).await?;
            times.push(sent.elapsed().as_secs_f64() * 1e3);
            what.expect(reply)?;
        }
        Result::Ok(times)
    });
    let times = futures_util::future::try_join_all(work).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut times: Vec<f64> = times.concat();
    times.sort_by(f64::total_cmp);
    Ok(Measured { requests: times.len(), seconds, times })
}

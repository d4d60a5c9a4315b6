//! Accepts connections and hands them to hyper. See `docs/decisions/security.md#edge`.
//!
//! A new connection is anonymous, so everything it may cost is limited here: the number of connections,
//! silence, the time for handshake and headers, unread answers, the size of headers.

mod answer;
mod limiter;
mod tls;
mod tracked;

use std::{
    convert::Infallible,
    future::{Future, Ready, ready},
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::BoxFuture;
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    body::{Bytes, Incoming},
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use ipnet::IpNet;
use poem::{
    Endpoint, EndpointExt, IntoEndpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{HeaderMap, Method, StatusCode, Uri, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

pub use tls::{Tls, acceptor};

use answer::Answer;
use limiter::{ConnectionLimiter, SWEEP};
use tracked::{ActiveRequest, TimedStream, TimeoutAction, TrackedConnection};

/// The most bytes that the headers of a request may have: names, values, and what stands between them.
pub const LONGEST_HEADERS: usize = 16_384;
/// The most bytes before a body: the longest headers, the longest address, and room, so that what is only a
/// little too large still gets an answer that says so.
const LONGEST_HEAD: usize = 32_768;
/// Streams that one HTTP/2 connection may have at the same time.
const STREAMS: u32 = 64;
/// The flow-control window of one HTTP/2 connection.
const AHEAD: u32 = 256 * 1024;

#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections at the same time, but for those of trusted proxies.
    pub in_all: usize,
    /// The same from one address (IPv6: from one network of 64 bits).
    pub per_address: usize,
    /// From the connection to the end of the TLS handshake, and then again to the first byte of a request.
    pub first: Duration,
    /// From the first byte of a request to the end of its headers.
    pub head: Duration,
    /// Between two requests. Longer than the default of proxies, so the proxy closes the connection: a
    /// request on a connection that the service is closing would fail.
    pub idle: Duration,
    /// The same for trusted proxies: longer than any is known to keep one unused.
    pub idle_proxy: Duration,
    /// How long an answer may wait for its reader without a byte being taken.
    pub stalled: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            in_all: 10_000,
            per_address: 512,
            first: Duration::from_secs(10),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            idle_proxy: Duration::from_secs(3_900),
            stalled: Duration::from_secs(30),
        }
    }
}

/// Lets the process have as many descriptors as the system allows it, and says how many connections fit
/// beside `others`.
#[must_use]
pub fn room(others: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let current = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    // No limit counts as more than anybody will need.
    let all = current.map_or(usize::MAX, |current| usize::try_from(current).unwrap_or(usize::MAX));
    all.saturating_sub(others).max(64)
}

/// Answers a request by its head alone, before anything is made ready for it; none when it is to be done.
pub type Shortcut = Arc<dyn Fn(&Method, &Uri, &HeaderMap) -> Option<hyper::Response<Bytes>> + Send + Sync>;

/// A port that is listened on.
pub struct Edge {
    listener: TcpListener,
    tls: Option<Tls>,
    limiter: Arc<ConnectionLimiter>,
    shortcut: Option<Shortcut>,
}

impl Edge {
    pub async fn bind(
        address: SocketAddr, tls: Option<Tls>, limits: Limits, trusted: &[IpNet],
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
        let limiter = Arc::new(ConnectionLimiter::new(limits, trusted));
        Ok(Self { listener, tls, limiter, shortcut: None })
    }

    /// Asks `shortcut` first about each request.
    #[must_use]
    pub fn with_shortcut(self, shortcut: Shortcut) -> Self {
        Self { shortcut: Some(shortcut), ..self }
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` has come, and then until all requests are answered or `patience` is over.
    pub async fn run(
        self, endpoint: impl IntoEndpoint<Endpoint: 'static>, stop: impl Future<Output = ()>,
        patience: Duration,
    ) {
        let service = Arc::new(Service {
            endpoint: endpoint.into_endpoint().map_to_response().boxed(),
            shortcut: self.shortcut.clone(),
        });
        let (stopping, stopped) = watch::channel(false);
        let mut connections = JoinSet::new();
        let mut sweep = tokio::time::interval(SWEEP);
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                _ = sweep.tick() => self.limiter.sweep(),
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, from)) => {
                        if let Some(tracked) = self.limiter.enter(from.ip()) {
                            let connection = Connection { from, tls: self.tls.clone(), service: service.clone(), stopped: stopped.clone() };
                            connections.spawn(connection.serve(stream, tracked));
                        }
                    }
                    // Of one connection that is gone already.
                    Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) => {}
                    Err(error) => {
                        // There are no descriptors left: some become free meanwhile.
                        tracing::warn!(%error, "no connection can be accepted");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        let Self { listener, limiter, .. } = self;
        drop(listener);
        stopping.send_replace(true);
        let all = async {
            loop {
                tokio::select! {
                    _ = sweep.tick() => limiter.sweep(),
                    done = connections.join_next() => if done.is_none() { break },
                }
            }
        };
        let _ = tokio::time::timeout(patience, all).await;
    }
}

struct Connection {
    from: SocketAddr,
    tls: Option<Tls>,
    service: Arc<Service>,
    stopped: watch::Receiver<bool>,
}

impl Connection {
    async fn serve(mut self, stream: TcpStream, tracked: Arc<TrackedConnection>) {
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().unwrap_or(self.from);
        let stream = TimedStream::new(stream, tracked.clone());
        let Some(tls) = self.tls.take() else {
            tracked.begin(false);
            return self.serve_http(TokioIo::new(stream), local, tracked, Scheme::HTTP, false).await;
        };
        let stream = tokio::select! {
            stream = tls.accept(stream) => stream,
            _ = tracked.clone().next_action() => return,
            () = until_stopped(self.stopped.clone()) => return,
        };
        // Somebody who speaks no TLS, or none of ours: the alert is sent, there is nothing else to say.
        let Ok(stream) = stream else { return };
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        tracked.begin(http2);
        self.serve_http(TokioIo::new(stream), local, tracked, Scheme::HTTPS, http2).await;
    }

    async fn serve_http<S>(
        self, io: TokioIo<S>, local: SocketAddr, tracked: Arc<TrackedConnection>, scheme: Scheme, http2: bool,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { from, service, stopped, .. } = self;
        let known = tracked.clone();
        let mut wake = ConnectionSignal { tracked, stop: Some(until_stopped(stopped)) };
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            if let Some(answer) = service.at_once(&request, &known) {
                return answer;
            }
            let from = (LocalAddr(local.into()), RemoteAddr(from.into()), scheme.clone());
            service.clone().answer((request, from.0, from.1, from.2).into(), known.clone())
        });
        if http2 {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder
                .max_header_list_size(16_384)
                .max_concurrent_streams(STREAMS)
                .max_pending_accept_reset_streams(20);
            builder.initial_stream_window_size(AHEAD).initial_connection_window_size(AHEAD);
            let mut connection = pin!(builder.serve_connection(io, service));
            while let Some(event) = next(connection.as_mut(), &mut wake).await {
                match event {
                    TimeoutAction::Finish => connection.as_mut().graceful_shutdown(),
                    TimeoutAction::Cut => break,
                }
            }
        } else {
            let mut builder = http1::Builder::new();
            // hyper's own limit of time would hold between requests too, where a proxy keeps its connections
            // for a minute.
            builder.header_read_timeout(None).max_buf_size(LONGEST_HEAD).max_header_size(LONGEST_HEAD);
            let mut connection = pin!(builder.serve_connection(io, service).with_upgrades());
            while let Some(event) = next(connection.as_mut(), &mut wake).await {
                match event {
                    TimeoutAction::Finish => connection.as_mut().graceful_shutdown(),
                    TimeoutAction::Cut => break,
                }
            }
        }
    }
}

/// Has hyper go on until there is an order; none when the connection is over.
async fn next<C: Future>(connection: Pin<&mut C>, wake: &mut ConnectionSignal) -> Option<TimeoutAction> {
    tokio::select! {
        _ = connection => None,
        action = wake.next() => Some(action),
    }
}

/// Signals to a connection: from its watch, and once at the end of the service.
struct ConnectionSignal {
    tracked: Arc<TrackedConnection>,
    stop: Option<BoxFuture<'static, ()>>,
}

impl ConnectionSignal {
    async fn next(&mut self) -> TimeoutAction {
        let Some(stop) = &mut self.stop else { return self.tracked.clone().next_action().await };
        tokio::select! {
            action = self.tracked.clone().next_action() => action,
            () = stop => {
                self.stop = None;
                TimeoutAction::Finish
            }
        }
    }
}

type HyperResponse = Result<hyper::Response<Answer<BoxBody<Bytes, io::Error>>>, Infallible>;

/// The service that all connections call.
struct Service {
    endpoint: BoxEndpoint<'static, Response>,
    shortcut: Option<Shortcut>,
}

impl Service {
    /// The answer to a request for which nothing is done.
    fn at_once(
        &self, request: &hyper::Request<Incoming>, tracked: &Arc<TrackedConnection>,
    ) -> Option<Answering> {
        let response = self.shortcut.as_ref()?(request.method(), request.uri(), request.headers())?;
        let active = ActiveRequest::new(tracked.clone());
        let response = response.map(|body| {
            let body = Full::new(body).map_err(|never| match never {});
            Answer::new(BoxBody::new(body), active)
        });
        Some(Answering::Done(ready(Ok(response))))
    }

    fn answer(self: Arc<Self>, request: Request, tracked: Arc<TrackedConnection>) -> Answering {
        let active = ActiveRequest::new(tracked.clone());
        Answering::UnderWay(Box::pin(async move {
            let response = self.endpoint.get_response(request).await;
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                tracked.upgrade();
            }
            Ok(hyper::Response::from(response).map(|body| Answer::new(body, active)))
        }))
    }
}

/// A type with a name: in one without, the compiler does not see that what it holds lives long enough for
/// hyper.
enum Answering {
    Done(Ready<HyperResponse>),
    UnderWay(BoxFuture<'static, HyperResponse>),
}

impl Future for Answering {
    type Output = HyperResponse;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<HyperResponse> {
        match &mut *self {
            Self::Done(done) => Pin::new(done).poll(context),
            Self::UnderWay(under_way) => under_way.as_mut().poll(context),
        }
    }
}

fn until_stopped(mut stopped: watch::Receiver<bool>) -> BoxFuture<'static, ()> {
    // A sender that is gone has stopped too.
    Box::pin(async move { stopped.wait_for(|stopped| *stopped).await.map(drop).unwrap_or_default() })
}

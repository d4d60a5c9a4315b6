//! The cost of strangers' connections, through real sockets: slow, silent and large ones beside good ones.
//! See `docs/decisions/security.md#edge`.

use std::{
    io::ErrorKind,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

use poem::{EndpointExt, IntoEndpoint, Response, Route, endpoint::make_sync, handler};
use serde_json::Value;
use server::edge::{Edge, LONGEST_HEADERS, Limits, Tls, acceptor, room};
use testkit::{kit, listen};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    time::{sleep, timeout},
};

const LARGE: usize = 64_000_000;

/// As many as a test opens, from the one address that it has.
fn many() -> Limits {
    let _ = room(0);
    Limits { per_address: 5_000, ..Limits::default() }
}

fn quick() -> Limits {
    let second = Duration::from_secs(1);
    Limits { first: second, head: second, stalled: second, idle: 3 * second, ..many() }
}

#[handler]
async fn slow() -> &'static str {
    sleep(Duration::from_secs(2)).await;
    "slow"
}

/// Nothing of the product: what is tested here comes before it.
fn plain() -> impl IntoEndpoint<Endpoint: 'static> {
    let large = bytes(LARGE);
    Route::new()
        .at("/", make_sync(|_| Response::from("ok")))
        .at("/slow", poem::get(slow))
        .at("/large", make_sync(move |_| Response::builder().body(large.clone())))
        .map_to_response()
}

fn bytes(length: usize) -> hyper::body::Bytes {
    vec![7; length].into()
}

pub(crate) async fn serve(limits: Limits, trusted: &[IpAddr], tls: bool) -> SocketAddr {
    let made = || acceptor(testkit::CERTIFICATE.as_bytes(), testkit::CERTIFICATE_KEY.as_bytes()).unwrap();
    serve_with(limits, trusted, tls.then(made)).await
}

pub(crate) async fn serve_with(limits: Limits, trusted: &[IpAddr], tls: Option<Tls>) -> SocketAddr {
    let trusted: Vec<_> = trusted.iter().copied().map(Into::into).collect();
    let edge = Edge::bind(([127, 0, 0, 1], 0).into(), tls, limits, &trusted).await.unwrap();
    let address = edge.address().unwrap();
    tokio::spawn(edge.run(plain(), std::future::pending(), Duration::ZERO));
    address
}

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

async fn ask(stream: &mut TcpStream, path: &str, headers: &str) -> rig::Result<String> {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").as_bytes()).await?;
    answer(stream).await
}

/// An answer with a length, whole.
async fn answer(stream: &mut TcpStream) -> rig::Result<String> {
    let mut text = String::new();
    loop {
        let mut part = [0; 4096];
        match stream.read(&mut part).await? {
            0 => return if text.is_empty() { Err("closed".into()) } else { Ok(text) },
            read => text.push_str(&String::from_utf8_lossy(&part[..read])),
        }
        let length = |head: &str| {
            head.lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok())
                .unwrap_or_default()
        };
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= length(head)
        {
            return Ok(text);
        }
    }
}

/// Whether the other side ends it within this time; what it says before is read.
async fn ends(stream: &mut TcpStream, within: Duration) -> bool {
    let end = async {
        let mut part = [0; 65_536];
        loop {
            match stream.read(&mut part).await {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() == ErrorKind::ConnectionReset,
            }
        }
    };
    timeout(within, end).await.unwrap_or(false)
}

/// Bytes of memory that this process holds.
fn memory() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse::<usize>()
        .unwrap();
    pages * 4096
}

#[testkit::test(alone)]
async fn three_hundred_half_open_connections_cost_at_most_20_mb() {
    let address = serve(many(), &[], false).await;
    for header in [LONGEST_HEADERS - 100, 500_000] {
        let head = format!("GET / HTTP/1.1\r\nhost: localhost\r\nx-large: {}", "a".repeat(header));
        // The first ones cost what everybody shares.
        let mut open = Vec::new();
        for _ in 0..10 {
            open.push(half(address, &head).await);
        }
        let before = memory();
        for _ in 0..300 {
            open.push(half(address, &head).await);
        }
        sleep(Duration::from_secs(1)).await;
        let grown = memory().saturating_sub(before);
        assert!(grown <= 20_000_000, "{grown} bytes with headers of {header}");
        assert!(ask(&mut connect(address).await, "/", "").await.unwrap().ends_with("ok"));
    }
}

async fn half(address: SocketAddr, head: &str) -> TcpStream {
    let mut stream = connect(address).await;
    // A body above the limit is refused while it is being sent.
    let _ = stream.write_all(head.as_bytes()).await;
    stream
}

#[testkit::test]
async fn a_thousand_silent_connections_are_closed_after_15_seconds() {
    let address = serve(many(), &[], false).await;
    let begun = Instant::now();
    let mut silent = Vec::new();
    for _ in 0..1_000 {
        silent.push(connect(address).await);
    }
    assert!(ask(&mut connect(address).await, "/", "").await.unwrap().ends_with("ok"));
    for stream in &mut silent {
        assert!(ends(stream, Duration::from_secs(15).saturating_sub(begun.elapsed())).await);
    }
    assert!(begun.elapsed() > Duration::from_secs(9), "nobody was refused");
}

#[testkit::test]
async fn headers_that_drip_are_not_waited_for() {
    let address = serve(quick(), &[], false).await;
    for request in ["GET / HTTP/1.1\r\nhost: localhost\r\nx: ", "\r\n\r\n\r\n", "GET"] {
        let mut kept = connect(address).await;
        assert!(ask(&mut kept, "/", "").await.unwrap().ends_with("ok"));
        // On a new connection and on one that has been of use.
        for mut stream in [connect(address).await, kept] {
            let begun = Instant::now();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut over = false;
            while !over && begun.elapsed() < Duration::from_secs(4) {
                over = ends(&mut stream, Duration::from_millis(200)).await;
                let _ = stream.write_all(b"a").await;
            }
            let took = begun.elapsed();
            assert!(
                over && took > Duration::from_millis(900) && took < Duration::from_secs(3),
                "{request:?}: {took:?}"
            );
        }
    }
}

#[testkit::test]
async fn headers_above_the_limit_are_refused() {
    let address = listen(&kit().await.service, false).await;
    let path = "/api/rest";
    // `host: localhost` with its end and `x: ` with its.
    let filled = |size: usize| format!("x: {}\r\n", "a".repeat(size - "host: localhost\r\nx: \r\n".len()));
    let fits = ask(&mut connect(address).await, path, &filled(LONGEST_HEADERS)).await.unwrap();
    assert!(fits.starts_with("HTTP/1.1 200 "), "{fits}");
    let mut stream = connect(address).await;
    let refused = ask(&mut stream, path, &filled(LONGEST_HEADERS + 1)).await.unwrap();
    let (head, body) = refused.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 431 ") && head.contains("application/problem+json"), "{head}");
    for header in [
        "content-security-policy: ",
        "x-content-type-options: nosniff",
        "permissions-policy: ",
        "x-request-id: ",
    ] {
        assert!(head.contains(header), "{header} in {head}");
    }
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["code"], "HEADERS_TOO_LARGE");
    assert!(
        ask(&mut stream, path, "").await.unwrap().starts_with("HTTP/1.1 200 "),
        "the connection is as good as before"
    );
    // What nobody sends by mistake is refused without a word of ours, and that was the last of it.
    for headers in [filled(60_000), "x: y\r\n".repeat(200)] {
        let mut stream = connect(address).await;
        let answer = ask(&mut stream, path, &headers).await;
        assert!(
            answer.is_err()
                || answer
                    .is_ok_and(|answer| answer.starts_with("HTTP/1.1 431 ") && !answer.contains("problem"))
        );
        assert!(ends(&mut stream, Duration::from_secs(1)).await);
    }
}

#[testkit::test]
async fn an_unread_answer_is_dropped() {
    let address = serve(quick(), &[], false).await;
    let mut stream = connect(address).await;
    let begun = Instant::now();
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    sleep(Duration::from_secs(3)).await;
    let mut rest = Vec::new();
    let _ = timeout(Duration::from_secs(5), stream.read_to_end(&mut rest)).await.expect("an end");
    assert!(rest.len() < LARGE && begun.elapsed() < Duration::from_secs(5), "{} bytes", rest.len());
    // A slow reader is none: it takes something now and then, for longer than the limit.
    let mut stream = connect(address).await;
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let (mut part, mut read) = (vec![0; 8_000_000], 0);
    while read < LARGE {
        let now = timeout(Duration::from_secs(5), stream.read(&mut part)).await.unwrap().unwrap();
        assert!(now > 0, "cut after {read}");
        read += now;
        if read % 3 == 0 && read < LARGE / 8 {
            sleep(Duration::from_millis(300)).await;
        }
    }
}

#[testkit::test]
async fn addresses_are_limited_and_trusted_proxies_are_not() {
    let limits = Limits { per_address: 3, ..quick() };
    let address = serve(limits.clone(), &[], false).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(address).await;
        ask(&mut stream, "/", "").await.unwrap();
        open.push(stream);
    }
    assert!(ends(&mut connect(address).await, Duration::from_secs(1)).await);
    open.pop();
    sleep(Duration::from_millis(100)).await;
    ask(&mut connect(address).await, "/", "").await.unwrap();

    let address = serve(limits, &["127.0.0.1".parse().unwrap()], false).await;
    let mut open = Vec::new();
    for _ in 0..10 {
        let mut stream = connect(address).await;
        ask(&mut stream, "/", "").await.unwrap();
        open.push(stream);
    }
    // And what they keep is theirs to close.
    sleep(Duration::from_secs(5)).await;
    for stream in &mut open {
        ask(stream, "/", "").await.unwrap();
    }
}

#[testkit::test]
async fn an_unused_connection_is_closed_in_the_end() {
    let address = serve(quick(), &[], false).await;
    let mut stream = connect(address).await;
    ask(&mut stream, "/", "").await.unwrap();
    sleep(Duration::from_secs(2)).await;
    // Longer than headers may take.
    ask(&mut stream, "/", "").await.unwrap();
    let begun = Instant::now();
    assert!(ends(&mut stream, Duration::from_secs(5)).await && begun.elapsed() > Duration::from_secs(2));
}

#[testkit::test]
async fn a_stop_lets_everybody_finish() {
    let edge = Edge::bind(([127, 0, 0, 1], 0).into(), None, many(), &[]).await.unwrap();
    let address = edge.address().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async { stopped.await.unwrap_or_default() };
    let service = tokio::spawn(edge.run(plain(), stopped, Duration::from_secs(25)));
    let (mut busy, mut idle, mut silent) =
        (connect(address).await, connect(address).await, connect(address).await);
    ask(&mut idle, "/", "").await.unwrap();
    let work = tokio::spawn(async move { ask(&mut busy, "/slow", "").await.map(|answer| (answer, busy)) });
    sleep(Duration::from_millis(300)).await;
    stop.send(()).unwrap();
    assert!(ends(&mut idle, Duration::from_secs(1)).await && ends(&mut silent, Duration::from_secs(1)).await);
    assert!(TcpStream::connect(address).await.is_err(), "nobody is let in any more");
    let (answer, mut busy) = work.await.unwrap().unwrap();
    assert!(answer.ends_with("slow") && ends(&mut busy, Duration::from_secs(1)).await);
    timeout(Duration::from_secs(1), service).await.expect("the end").unwrap();
}

/// As a proxy does: connections are kept, used at odd moments and closed by nobody but their owner.
async fn keep(address: SocketAddr, connection: u64, until: Instant) {
    let mut stream = connect(address).await;
    let mut requests = 0;
    while Instant::now() < until {
        let answer = ask(&mut stream, "/", "")
            .await
            .unwrap_or_else(|error| panic!("request {requests} on connection {connection}: {error}"));
        assert!(answer.ends_with("ok"));
        requests += 1;
        // Up to the minute that proxies keep a connection; the second pause is longer than headers may take.
        let pause = if requests == 2 { 12 } else { (connection * 7 + requests * 13) % 60 };
        let left = until.saturating_duration_since(Instant::now());
        sleep(Duration::from_secs(pause).min(left)).await;
    }
    assert!(ask(&mut stream, "/", "").await.is_ok());
}

async fn keep_for(seconds: u64) {
    // Not as a trusted proxy: a missing setting causes no errors either.
    let address = serve(Limits::default(), &[], false).await;
    let until = Instant::now() + Duration::from_secs(seconds);
    futures_util::future::join_all((0..20).map(|connection| keep(address, connection, until))).await;
}

#[testkit::test]
async fn a_proxy_that_keeps_its_connections_sees_no_error() {
    keep_for(14).await;
}

#[testkit::test]
#[ignore = "ten minutes; part of the nightly runs"]
async fn a_proxy_that_keeps_its_connections_sees_no_error_in_ten_minutes() {
    keep_for(600).await;
}

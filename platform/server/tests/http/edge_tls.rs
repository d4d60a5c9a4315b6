//! TLS handshakes, and limits of HTTP/2.

use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use hyper::{
    Request, Response,
    body::{Body, Bytes, Frame, Incoming},
    client::conn::http2::{SendRequest, handshake},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use server::edge::{Limits, acceptor};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, ProtocolVersion, RootCertStore, SupportedProtocolVersion,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, ServerName, pem::PemObject},
        version::{TLS12, TLS13},
    },
};

use super::edge::{serve, serve_with};

/// Another key and certificate for the same name, of tests only.
const RENEWED_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3fS68ClxCu8hOPgM
HmvquyKJB88JwYxZAaG1jdDc4CahRANCAARc25PaYUeyObye8Hve7ndmDhGLHx/F
IGp6tNGJcVdf7fnSNddE+Hgw6GWfTlbg6wK+bppYUU/PC4ZPKhR1GMDT
-----END PRIVATE KEY-----
";
const RENEWED: &str = "-----BEGIN CERTIFICATE-----
MIIBmTCCAT+gAwIBAgIUeqlY7v1gprMgGL/swLP4F6IRKagwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKUHVsdCB0ZXN0czAgFw0yNjExMjkxOTE5MjdaGA8yMTI2MTEw
NTE5MTkyN1owFTETMBEGA1UEAwwKUHVsdCB0ZXN0czBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABFzbk9phR7I5vJ7we97ud2YOEYsfH8Uganq00YlxV1/t+dI110T4
eDDoZZ9OVuDrAr5umlhRT88Lhk8qFHUYwNOjazBpMB0GA1UdDgQWBBTtLO0VPJK5
UZP/eUedJpQnOtoFtzAfBgNVHSMEGDAWgBTtLO0VPJK5UZP/eUedJpQnOtoFtzAZ
BgNVHREEEjAQgg4qLnB1bHQuaW52YWxpZDAMBgNVHRMBAf8EAjAAMAoGCCqGSM49
BAMCA0gAMEUCIQCkoMbzXk4DBMQpRH3QIrDaMLotiIYdNuL55FUfWCfAyQIgIG9e
QZP9YBjFmBNjAeIiMQ6USV4hPwCa7XASccWLp5g=
-----END CERTIFICATE-----
";

fn quick() -> Limits {
    let second = Duration::from_secs(1);
    Limits { first: second, head: second, stalled: second, idle: 3 * second, ..Limits::default() }
}

async fn shake(
    address: SocketAddr, versions: &[&'static SupportedProtocolVersion], protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    shake_with(address, testkit::CERTIFICATE, versions, protocols).await
}

/// With whoever has this certificate.
async fn shake_with(
    address: SocketAddr, certificate: &str, versions: &[&'static SupportedProtocolVersion],
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let name = ServerName::try_from("edge.pult.invalid").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, TcpStream::connect(address).await?).await
}

struct Empty;

impl Body for Empty {
    type Data = Bytes;
    type Error = Infallible;
    fn poll_frame(
        self: Pin<&mut Self>, _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(None)
    }
    fn is_end_stream(&self) -> bool {
        true
    }
}

async fn http2(address: SocketAddr) -> (SendRequest<Empty>, tokio::task::JoinHandle<hyper::Result<()>>) {
    let stream = shake(address, &[&TLS13], &["h2"]).await.unwrap();
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    (sender, tokio::spawn(connection))
}

async fn get(
    sender: &mut SendRequest<Empty>, path: &str, header: usize,
) -> hyper::Result<Response<Incoming>> {
    let request = Request::get(format!("https://edge.pult.invalid{path}"))
        .header("x", "a".repeat(header))
        .body(Empty)
        .unwrap();
    sender.send_request(request).await
}

async fn text(mut response: Response<Incoming>) -> hyper::Result<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(frame) =
        std::future::poll_fn(|context| Pin::new(response.body_mut()).poll_frame(context)).await
    {
        all.extend(frame?.into_data().unwrap_or_default());
    }
    Ok(all)
}

/// A `ClientHello` that knows nothing newer than this version.
fn hello(minor: u8) -> Vec<u8> {
    let mut body = vec![3, minor];
    body.extend([9; 32]);
    body.push(0);
    // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 for 1.2, and the same with CBC and SHA for older ones.
    body.extend([0, 4, 0xc0, 0x2b, 0xc0, 0x09, 1, 0]);
    // P-256, uncompressed points, ECDSA with SHA-256 on it.
    let extensions =
        [&[0, 10, 0, 4, 0, 2, 0, 23][..], &[0, 11, 0, 2, 1, 0], &[0, 13, 0, 4, 0, 2, 4, 3]].concat();
    body.extend([0, u8::try_from(extensions.len()).unwrap()]);
    body.extend(extensions);
    let length = |length: usize| u16::try_from(length).unwrap().to_be_bytes();
    let message = [&[1, 0][..], &length(body.len()), &body].concat();
    [&[22, 3, 1][..], &length(message.len()), &message].concat()
}

#[testkit::test]
async fn a_renewed_certificate_is_used_for_new_connections() {
    let folder = std::env::temp_dir().join(format!("pult-renewed-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir(&folder).unwrap();
    let files = ["tls.crt", "tls.key"].map(|name| folder.join(name));
    let read = [testkit::CERTIFICATE, testkit::CERTIFICATE_KEY].map(|pem| pem.as_bytes().to_vec());
    let tls = acceptor(&read[0], &read[1]).unwrap();
    let address = serve_with(Limits::default(), &[], Some(tls.clone())).await;
    let soon = Duration::from_millis(10);
    let watching = tokio::spawn(tls.renew(files.clone(), read, soon));
    let (mut open, _connection) = http2(address).await;
    let has = async |certificate: &str| {
        let shaken = shake_with(address, certificate, &[&TLS13], &["h2"]).await;
        sleep(10 * soon).await;
        shaken.is_ok()
    };
    let write = async |certificate: &str, key: &str| {
        std::fs::write(&files[0], certificate).unwrap();
        std::fs::write(&files[1], key).unwrap();
        sleep(10 * soon).await;
    };
    // Not there, nonsense, half of a pair, another's key: the one before stays.
    for (certificate, key) in [
        ("", ""),
        ("no certificate", RENEWED_KEY),
        (RENEWED, ""),
        (RENEWED, testkit::CERTIFICATE_KEY),
        (testkit::CERTIFICATE, RENEWED_KEY),
    ] {
        assert!(has(testkit::CERTIFICATE).await && !has(RENEWED).await);
        write(certificate, key).await;
    }
    assert!(has(testkit::CERTIFICATE).await);
    write(RENEWED, RENEWED_KEY).await;
    timeout(Duration::from_secs(10), async { while !has(RENEWED).await {} }).await.unwrap();
    assert!(!has(testkit::CERTIFICATE).await);
    assert_eq!(get(&mut open, "/", 1).await.unwrap().status(), 200);
    watching.abort();
    std::fs::remove_dir_all(folder).unwrap();
}

#[testkit::test]
async fn accepted_tls_handshakes() {
    let address = serve(quick(), &[], true).await;
    for (version, taken) in [(&TLS12, ProtocolVersion::TLSv1_2), (&TLS13, ProtocolVersion::TLSv1_3)] {
        for (offered, agreed) in
            [(&["h2", "http/1.1"][..], Some("h2")), (&["http/1.1"], Some("http/1.1")), (&[], None)]
        {
            let mut stream = shake(address, &[version], offered).await.unwrap();
            assert_eq!(stream.get_ref().1.protocol_version(), Some(taken));
            assert_eq!(stream.get_ref().1.alpn_protocol(), agreed.map(str::as_bytes));
            if agreed != Some("h2") {
                stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).await.unwrap();
                assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("ok"), "{answer}");
            }
        }
        assert!(shake(address, &[version], &["spdy/3"]).await.is_err());
    }
    // The same greeting is taken from 1.2 on; older versions are told by an alert (21), fatal (2), that they
    // are (70).
    for minor in [1, 2, 3] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(&hello(minor)).await.unwrap();
        let mut answer = [0; 7];
        stream.read_exact(&mut answer).await.unwrap();
        let refused = answer[0] == 21 && answer[5..] == [2, 70];
        assert!(if minor < 3 { refused } else { answer[0] == 22 }, "3.{minor}: {answer:?}");
    }
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = timeout(Duration::from_secs(1), plain.read_to_end(&mut answer)).await.expect("an end");
    assert!(!answer.starts_with(b"HTTP"));
}

#[testkit::test]
async fn a_handshake_that_stalls_is_not_waited_for() {
    let address = serve(quick(), &[], true).await;
    for begun in [&[][..], &hello(3)[..20], &[22, 3, 1, 0x3f, 0xff]] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(begun).await.unwrap();
        let since = Instant::now();
        let mut answer = Vec::new();
        let _ = timeout(Duration::from_secs(3), stream.read_to_end(&mut answer)).await.expect("an end");
        assert!(since.elapsed() > Duration::from_millis(900));
    }
    // A client that is silent after the handshake is not waited for either.
    for protocol in ["h2", "http/1.1"] {
        let mut stream = shake(address, &[&TLS13], &[protocol]).await.unwrap();
        let mut answer = Vec::new();
        let _ = timeout(Duration::from_secs(3), stream.read_to_end(&mut answer)).await.expect("an end");
    }
}

#[testkit::test]
async fn http2_has_the_same_limits() {
    let address = serve(quick(), &[], true).await;
    let (mut sender, connection) = http2(address).await;
    assert_eq!(text(get(&mut sender, "/", 10).await.unwrap()).await.unwrap(), b"ok");
    let parallel = futures_util::future::join_all((0..200).map(|_| {
        let mut sender = sender.clone();
        async move { text(get(&mut sender, "/", 10).await.unwrap()).await.unwrap() }
    }));
    assert!(parallel.await.iter().all(|answer| answer == b"ok"), "those above the limit wait for their turn");
    // Headers: 16 kB as HTTP/2 counts them (32 bytes more for each).
    assert_eq!(get(&mut sender, "/", 15_000).await.unwrap().status(), 200);
    assert!(get(&mut sender, "/", 17_000).await.fails_or(|response| response.status() == 431));
    // Unused it is closed in good form.
    timeout(Duration::from_secs(5), connection).await.expect("an end").unwrap().unwrap();

    // An answer of which a client takes as much as its window holds, and no more.
    let (mut sender, connection) = http2(address).await;
    let answer = get(&mut sender, "/large", 10).await.unwrap();
    let ended = timeout(Duration::from_secs(4), connection).await;
    assert!(ended.is_ok(), "an answer that nobody takes is kept");
    assert!(text(answer).await.is_err());
    // One that is taken late, but taken.
    let (mut sender, _connection) = http2(address).await;
    let answer = get(&mut sender, "/large", 10).await.unwrap();
    sleep(Duration::from_millis(500)).await;
    assert_eq!(text(answer).await.unwrap().len(), 64_000_000);
}

trait ErrOr<T> {
    fn fails_or(self, check: impl FnOnce(T) -> bool) -> bool;
}
impl<T, E> ErrOr<T> for Result<T, E> {
    fn fails_or(self, check: impl FnOnce(T) -> bool) -> bool {
        self.map_or(true, check)
    }
}

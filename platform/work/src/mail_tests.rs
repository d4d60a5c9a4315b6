//! Servers without a trusted certificate get neither mail nor a database password.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use super::*;

/// Signed by itself, for `localhost`, until 2126.
const KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwr50cS/W8agUVZgb
lgFjQiLkwoz5pKC0V5T9GSh2rL2hRANCAAS7NCH3lfNOs3bhK+PtHvsoitvRZOH8
m108H1EZnLzUomIxMDxNZlIiwXHIc5Vv5uq/s1T3Oxl3aPI6Pji37ZtF
-----END PRIVATE KEY-----
";
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBkzCCATqgAwIBAgIUZE9pxf1Smgnp6mHGcd6mSghL43EwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKUHVsdCB0ZXN0czAgFw0yNjExMjMwNDA4MzNaGA8yMTI2MTAz
MDA0MDgzM1owFTETMBEGA1UEAwwKUHVsdCB0ZXN0czBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABLs0IfeV806zduEr4+0e+yiK29Fk4fybXTwfURmcvNSiYjEwPE1m
UiLBcchzlW/m6r+zVPc7GXdo8jo+OLftm0WjZjBkMB0GA1UdDgQWBBSFEVp3Flfy
nT34QmJx9mzxTtd7bTAfBgNVHSMEGDAWgBSFEVp3FlfynT34QmJx9mzxTtd7bTAU
BgNVHREEDTALgglsb2NhbGhvc3QwDAYDVR0TAQH/BAIwADAKBggqhkjOPQQDAgNH
ADBEAiB7YPTVYViJ6Dg+zM/D0Y3tj2RVqoZFLS3TZQp/UWw/1AIgYoEL/Q2q6llK
f7UqII1/UVyimEa06UXXC3RSpMp/aEk=
-----END CERTIFICATE-----
";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Mail,
    Postgres,
}

/// A server with that certificate: its port, and what it was told under TLS.
async fn server(kind: Kind) -> (u16, Arc<Mutex<Vec<u8>>>) {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = Arc::new(Mutex::new(Vec::new()));
    let sink = received.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (acceptor, sink) = (acceptor.clone(), sink.clone());
            tokio::spawn(async move {
                if kind == Kind::Postgres {
                    // Whether it speaks TLS: it does.
                    let mut question = [0; 8];
                    let _ = stream.read_exact(&mut question).await;
                    let _ = stream.write_all(b"S").await;
                }
                if let Ok(stream) = acceptor.accept(stream).await {
                    listen(stream, kind, &sink).await;
                }
            });
        }
    });
    (port, received)
}

async fn listen(mut stream: impl AsyncRead + AsyncWrite + Unpin, kind: Kind, sink: &Mutex<Vec<u8>>) {
    if kind == Kind::Mail {
        let _ = stream.write_all(b"220 localhost\r\n").await;
    }
    let mut part = [0; 1024];
    while let Ok(read) = stream.read(&mut part).await
        && read > 0
    {
        sink.lock().unwrap().extend_from_slice(&part[..read]);
        let _ = stream.write_all(b"554 5.1.1 <vendeg@pult.test>: no\r\n").await;
    }
}

fn mail() -> Mail {
    Mail {
        to: "vendeg@pult.test".to_owned(),
        subject: "Titok".to_owned(),
        text: "Titok".to_owned(),
        html: None,
        reply_to: None,
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_away_and_one_that_refuses_is_not() {
    let refusing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let port = refusing.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = refusing.accept().await {
            let _ = stream.write_all(b"220 localhost\r\n").await;
            listen(stream, Kind::Postgres, &Mutex::default()).await;
        }
    });
    for (port, away) in [(closed, true), (port, false)] {
        let mailer = Mailer::new(&format!("smtp://127.0.0.1:{port}"), "pult@pult.test", None).unwrap();
        let error = mailer.send(&mail(), true).await.unwrap_err();
        assert!(error.retries() && error.is_away() == away, "{error}");
        assert!(!error.to_string().contains("vendeg"), "the server's words name the recipient: {error}");
    }
}

#[tokio::test]
async fn a_mail_server_that_nobody_vouches_for_gets_no_mail() {
    let (port, received) = server(Kind::Mail).await;
    let mail = mail();
    for url in
        [format!("smtps://user:secret@localhost:{port}"), format!("smtps://user:secret@127.0.0.1:{port}")]
    {
        let error = Mailer::new(&url, "pult@pult.test", None).unwrap().send(&mail, true).await.unwrap_err();
        assert!(error.to_string().to_lowercase().contains("certificate"), "{error}");
    }
    assert_eq!(*received.lock().unwrap(), b"");
    // One that answers in plain text where TLS was asked for.
    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = plain.local_addr().unwrap();
    let listening = tokio::spawn(async move {
        let (mut stream, _) = plain.accept().await.unwrap();
        let _ = stream.write_all(b"220 localhost\r\n").await;
        listen(stream, Kind::Postgres, &Mutex::default()).await;
    });
    assert!(
        Mailer::new(&format!("smtps://user:secret@localhost:{}", address.port()), "pult@pult.test", None)
            .unwrap()
            .send(&mail, true)
            .await
            .is_err()
    );
    listening.abort();
}

#[tokio::test]
async fn a_database_that_nobody_vouches_for_gets_no_password() {
    let (port, received) = server(Kind::Postgres).await;
    let url = |rest: &str| format!("postgres://pult_app:secret@{rest}");
    let error =
        tenants::check_server(&url(&format!("localhost:{port}/pult?sslmode=verify-full"))).await.unwrap_err();
    assert!(
        matches!(&error, tenants::ServerFault::Unfit(why) if why.to_lowercase().contains("certificate")),
        "{error:?}"
    );
    // The right certificate under another name.
    let file = std::env::temp_dir().join(format!("pult-test-{}.pem", Uuid::now_v7()));
    std::fs::write(&file, CERTIFICATE).unwrap();
    let trusting =
        |host: &str| url(&format!("{host}:{port}/pult?sslmode=verify-full&sslrootcert={}", file.display()));
    let error = tenants::check_server(&trusting("127.0.0.1")).await.unwrap_err();
    assert!(
        matches!(&error, tenants::ServerFault::Unfit(why) if why.to_lowercase().contains("certificate")),
        "{error:?}"
    );
    assert_eq!(*received.lock().unwrap(), b"", "nothing was said to it");
    // The control: with a trusted certificate the server gets the credentials.
    let _ = tenants::check_server(&trusting("localhost")).await;
    assert!(received.lock().unwrap().windows(8).any(|part| part == b"pult_app"));
    std::fs::remove_file(file).unwrap();
    // One that has no TLS is not spoken to in plain text either.
    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = plain.local_addr().unwrap().port();
    let listening = tokio::spawn(async move {
        let (mut stream, _) = plain.accept().await.unwrap();
        let mut question = [0; 8];
        let _ = stream.read_exact(&mut question).await;
        let _ = stream.write_all(b"N").await;
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        rest
    });
    assert!(
        tenants::check_server(&url(&format!("localhost:{port}/pult?sslmode=verify-full"))).await.is_err()
    );
    assert_eq!(listening.await.unwrap(), b"");
}

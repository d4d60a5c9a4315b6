//! TLS, when the service terminates it itself.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
    server::TlsStream,
};

use super::tracked::TimedStream;

/// Shakes hands, with the newest certificate.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    in_use: Arc<InUse>,
}

#[derive(Debug)]
struct InUse(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for InUse {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// TLS 1.2 and 1.3 with this certificate (with its chain) and key, both PEM; HTTP/2 for those who know it.
pub fn acceptor(certificate: &[u8], key: &[u8]) -> Result<Tls, String> {
    let in_use = Arc::new(InUse(RwLock::new(certified(certificate, key)?)));
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_cert_resolver(in_use.clone());
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), in_use })
}

fn certified(certificate: &[u8], key: &[u8]) -> Result<Arc<CertifiedKey>, String> {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(certificate)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("the certificate: {error}"))?;
    let key =
        PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("the certificate's key: {error}"))?;
    CertifiedKey::from_der(chain, key, &aws_lc_rs::default_provider())
        .map(Arc::new)
        .map_err(|error| format!("certificate and key: {error}"))
}

impl Tls {
    pub(super) async fn accept(&self, stream: TimedStream) -> io::Result<TlsStream<TimedStream>> {
        self.acceptor.accept(stream).await
    }

    /// Reads both files again and again, and uses a renewed certificate for the connections from then on.
    /// `last` is what was read at the start. A pair that does not belong together (one file is written before
    /// the other) or cannot be read changes nothing and is logged, once for each content.
    pub async fn renew(self, [certificate, key]: [PathBuf; 2], last: [Vec<u8>; 2], every: Duration) {
        let mut last = Ok(last);
        loop {
            tokio::time::sleep(every).await;
            let now = read(&certificate, &key).await.map_err(|error| error.to_string());
            if now == last {
                continue;
            }
            match now.clone().and_then(|[certificate, key]| certified(&certificate, &key)) {
                Ok(renewed) => {
                    *self.in_use.0.write().unwrap_or_else(PoisonError::into_inner) = renewed;
                    tracing::info!("the certificate was renewed");
                }
                Err(error) => {
                    tracing::warn!(%error, "the certificate cannot be renewed, the one before stays in use");
                }
            }
            last = now;
        }
    }
}

async fn read(certificate: &Path, key: &Path) -> io::Result<[Vec<u8>; 2]> {
    Ok([tokio::fs::read(certificate).await?, tokio::fs::read(key).await?])
}

//! TLS, when the service terminates it itself.

use std::sync::Arc;

use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// Shakes hands.
pub type Tls = TlsAcceptor;

/// TLS 1.2 and 1.3 with this certificate (with its chain) and key, both PEM; HTTP/2 for those who know it.
///
/// # Errors
/// What is wrong with them.
pub fn acceptor(certificate: &[u8], key: &[u8]) -> Result<Tls, String> {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(certificate)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("the certificate: {error}"))?;
    let key =
        PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("the certificate's key: {error}"))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| format!("certificate and key: {error}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

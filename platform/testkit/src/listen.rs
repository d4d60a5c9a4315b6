//! Ports of tests, served like the service's own.

use std::{net::SocketAddr, time::Duration};

use poem::IntoEndpoint;
use server::edge::{Edge, Limits, acceptor};

/// A key and a certificate for *.pult.invalid, of tests only. Names below .invalid belong to nobody (RFC
/// 2606), and unlike those below .example they have to be proven in development too.
pub const CERTIFICATE_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCjZl6URZ0vvcxOc7
cvI0ROLYW7Pb7mEs+UQkgOlsDS6hRANCAATK986KsbuZaHs380/FjAn05m1sn+G3
+8ts1p00Y/7sEmSyqrXdlSbTYIPoShMJ3+87iqAbskzYJ/EXD3bj+EWb
-----END PRIVATE KEY-----
";
/// See there.
pub const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBmDCCAT+gAwIBAgIUKUKLwc3kA01RyRoZPn3PLYYqdDEwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKUHVsdCB0ZXN0czAgFw0yNjExMjAxNDQ4MzJaGA8yMTI2MTAy
NzE0NDgzMlowFTETMBEGA1UEAwwKUHVsdCB0ZXN0czBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABMr3zoqxu5loezfzT8WMCfTmbWyf4bf7y2zWnTRj/uwSZLKqtd2V
JtNgg+hKEwnf7zuKoBuyTNgn8RcPduP4RZujazBpMB0GA1UdDgQWBBSEepkT3BEV
hINxqBqChWR2ESNqJzAfBgNVHSMEGDAWgBSEepkT3BEVhINxqBqChWR2ESNqJzAZ
BgNVHREEEjAQgg4qLnB1bHQuaW52YWxpZDAMBgNVHRMBAf8EAjAAMAoGCCqGSM49
BAMCA0cAMEQCIEXD/u75l7w4t9P6sT0SfsiswUJ9EytH1T3FNkyphCEhAiAaOdEr
KM0lb9mMFB2KjFhnfdwvGXqVizLB6TKkRXxMaA==
-----END CERTIFICATE-----
";

/// Serves on a port of its own until the test ends; with that certificate or without TLS. Its address.
pub async fn listen(endpoint: impl IntoEndpoint<Endpoint: 'static>, tls: bool) -> SocketAddr {
    let tls = tls.then(|| acceptor(CERTIFICATE.as_bytes(), CERTIFICATE_KEY.as_bytes()).unwrap());
    let edge = Edge::bind(([127, 0, 0, 1], 0).into(), tls, Limits::default(), &[]).await.unwrap();
    let address = edge.address().unwrap();
    let endpoint = endpoint.into_endpoint();
    tokio::spawn(edge.run(endpoint, std::future::pending(), Duration::ZERO));
    address
}

//! Calls to addresses that tenants wrote: https, the name resolved once and the connection pinned to it, no
//! internal networks, no redirects, ten seconds, one megabyte. See
//! `docs/decisions/security.md#outgoing-calls`.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use kernel::{Id, Partner};
use reqwest::{Certificate, redirect::Policy};
use telemetry::outgoing::{Call, Unread, read_answer};
use tokio::time::timeout;
use url::{Host, Url};

use crate::Breakers;

/// The most bytes of an answer that are read.
const LIMIT: usize = 1_000_000;
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// The body, whole.
    pub body: Vec<u8>,
}

/// Looks a name and a port up.
pub type Lookup = Arc<dyn Fn(&str, u16) -> Vec<SocketAddr> + Send + Sync>;

/// Calls out. Where nobody else reaches the service (development), plain http and addresses of this machine
/// are allowed, for the stand-ins.
#[derive(Clone)]
pub struct Outgoing {
    alone: bool,
    patience: Duration,
    lookup: Option<Lookup>,
    trusted: Option<Certificate>,
    breakers: Breakers,
}

/// Whether an address is one of the public internet. What embeds another address (mapped, translated,
/// tunnelled) is not.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || a == 0
        // Multicast, reserved, broadcast.
        || a >= 224
        // Carrier-grade NAT, protocol assignments, 6to4 relays, benchmarks.
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a == 198 && (18..20).contains(&b));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Only global unicast; in it, not Teredo and other protocols (2001::/23), documentation, 6to4.
    a & 0xe000 == 0x2000
        && !(a == 0x2001 && b < 0x200)
        && !(a == 0x2001 && b == 0xdb8)
        && a != 0x2002
        && !(a == 0x3fff && b < 0x1000)
}

impl Outgoing {
    /// Strict unless in development on this machine alone: somebody in the network would reach its other
    /// services here.
    #[must_use]
    pub fn new(alone: bool) -> Self {
        Self { alone, patience: PATIENCE, lookup: None, trusted: None, breakers: Breakers::default() }
    }

    /// With names looked up here instead of where the system says.
    #[must_use]
    pub fn with_lookup(self, lookup: Lookup) -> Self {
        Self { lookup: Some(lookup), ..self }
    }

    /// With one more root certificate (PEM). An unreadable address counts as none.
    #[must_use]
    pub fn trusting(self, pem: &[u8]) -> Self {
        Self { trusted: Certificate::from_pem(pem).ok(), ..self }
    }

    /// With another patience than ten seconds.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    #[must_use]
    pub fn with_breakers(self, breakers: Breakers) -> Self {
        Self { breakers, ..self }
    }

    /// The instance's breakers, for calls by plug-ins too.
    #[must_use]
    pub fn breakers(&self) -> &Breakers {
        &self.breakers
    }

    /// Refuses an address that may never be called, whatever it resolves to.
    pub fn check(&self, url: &Url) -> Result<(), String> {
        let plain = self.alone && url.scheme() == "http";
        if url.scheme() != "https" && !plain {
            return Err("the address does not begin with https://".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err("the address carries a name, a password or a fragment".to_owned());
        }
        match url.host() {
            None => Err("the address names no host".to_owned()),
            Some(Host::Ipv4(address)) => self.allowed(address.into()),
            Some(Host::Ipv6(address)) => self.allowed(address.into()),
            Some(Host::Domain(_)) => Ok(()),
        }
    }

    fn allowed(&self, address: IpAddr) -> Result<(), String> {
        if is_public(address) || (self.alone && address.is_loopback()) {
            Ok(())
        } else {
            Err("the address is not one of the public internet".to_owned())
        }
    }

    async fn resolve(&self, url: &Url) -> Result<Vec<SocketAddr>, String> {
        let port = url.port_or_known_default().ok_or("the address names no port")?;
        let found: Vec<SocketAddr> = match url.host() {
            Some(Host::Ipv4(address)) => vec![(address, port).into()],
            Some(Host::Ipv6(address)) => vec![(address, port).into()],
            Some(Host::Domain(name)) => match &self.lookup {
                Some(lookup) => lookup(name, port),
                None => tokio::net::lookup_host((name, port))
                    .await
                    .map_err(|_| "the host's name is not known")?
                    .collect(),
            },
            None => vec![],
        };
        if found.is_empty() {
            return Err("the host's name is not known".to_owned());
        }
        Ok(found)
    }

    /// Sends a request of a partner and reads the answer. A server that has failed this partner too often is
    /// not asked for a while. A failure is no answer, or 5xx to a `GET`: one to what a caller has written may be
    /// the caller's doing.
    pub async fn send(
        &self, partner: Id<Partner>, method: &str, url: &Url, headers: &[(&str, &str)], body: Vec<u8>,
    ) -> Result<Reply, String> {
        self.check(url)?;
        let server = format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        );
        let place = self
            .breakers
            .enter(partner, &server)
            .map_err(|_| "the other side is not asked for a while, because it failed or is slow")?;
        let call = async {
            let addresses = self.resolve(url).await?;
            // An address that may not be called says nothing of the server.
            match addresses.iter().try_for_each(|address| self.allowed(address.ip())) {
                Ok(()) => self.exchange(method, url, &addresses, headers, body).await.map(Ok),
                Err(refused) => Ok(Err(refused)),
            }
        };
        let answer = timeout(self.patience, call)
            .await
            .unwrap_or_else(|_| Err("the other side takes too long".to_owned()));
        place.end(match &answer {
            Ok(Ok(reply)) => method == "GET" && reply.status >= 500,
            Ok(Err(_)) => false,
            Err(_) => true,
        });
        answer?
    }

    async fn exchange(
        &self, method: &str, url: &Url, addresses: &[SocketAddr], headers: &[(&str, &str)], body: Vec<u8>,
    ) -> Result<Reply, String> {
        // A client for this one call: its connection goes where we looked, whatever the name resolves to
        // next.
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .https_only(!self.alone)
            .resolve_to_addrs(url.host_str().unwrap_or_default(), addresses)
            .timeout(self.patience)
            .tls_certs_merge(self.trusted.clone())
            .build()
            .map_err(|_| "no connection can be made")?;
        let method_name = method;
        let method = reqwest::Method::from_bytes(method.as_bytes()).map_err(|_| "no such method")?;
        let request = headers.iter().fold(client.request(method, url.clone()), |request, (name, value)| {
            request.header(*name, *value)
        });
        let call = Call::begin(method_name, "other");
        let sent = request.headers(call.headers()).body(body).send().await;
        let Ok(response) = sent else {
            call.end(None);
            return Err("the other side does not answer".to_owned());
        };
        let status = response.status().as_u16();
        let body = read_answer(reqwest::Body::from(response), LIMIT).await;
        call.end_read(status, body.is_ok());
        let body = body.map_err(|unread| match unread {
            Unread::Broken => "the answer breaks off",
            Unread::TooLong => "the answer is too large",
        })?;
        Ok(Reply { status, body })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn which_addresses_may_be_called() {
        let refused = [
            "http://example.com/",
            "ftp://example.com/",
            "file:///etc/passwd",
            "gopher://example.com/",
            "https://user@example.com/",
            "https://user:secret@example.com/",
            "https://example.com/#part",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://017700000001/",
            "https://127.0.0.1.:443/",
            "https://0.0.0.0/",
            "https://0/",
            "https://10.0.0.1/",
            "https://10.255.255.255/",
            "https://172.16.0.1/",
            "https://172.31.255.254/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/",
            "https://100.127.255.254/",
            "https://100.100.100.200/",
            "https://192.0.0.192/",
            "https://192.0.2.1/",
            "https://192.88.99.1/",
            "https://198.18.0.1/",
            "https://198.19.255.255/",
            "https://198.51.100.1/",
            "https://203.0.113.1/",
            "https://224.0.0.1/",
            "https://239.255.255.255/",
            "https://240.0.0.1/",
            "https://255.255.255.255/",
            "https://[::]/",
            "https://[::1]/",
            "https://[::127.0.0.1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[::ffff:8.8.8.8]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[64:ff9b:1::1]/",
            "https://[fe80::1]/",
            "https://[fec0::1]/",
            "https://[fc00::1]/",
            "https://[fd00:ec2::254]/",
            "https://[ff02::1]/",
            "https://[2001::1]/",
            "https://[2001:1ff::1]/",
            "https://[2001:db8::1]/",
            "https://[2002:7f00:1::]/",
            "https://[3fff::1]/",
            "https://[100::1]/",
            "https://[4000::1]/",
        ];
        let strict = Outgoing::new(false);
        for text in refused {
            assert!(Url::parse(text).map_or(true, |url| strict.check(&url).is_err()), "{text}");
        }
        for text in [
            "https://example.com/",
            "https://1.1.1.1/",
            "https://172.32.0.1/",
            "https://100.128.0.1/",
            "https://[2606:4700::1111]/",
        ] {
            strict.check(&text.parse().unwrap()).unwrap();
        }
        let open = Outgoing::new(true);
        open.check(&"http://127.0.0.1:8081/".parse().unwrap()).unwrap();
        assert!(
            open.check(&"http://10.0.0.1/".parse().unwrap()).is_err()
                && open.check(&"http://169.254.169.254/".parse().unwrap()).is_err()
        );
    }

    /// A server of one answer, given in full; how often it was called is counted.
    async fn stand_in(answer: Vec<u8>, then: Duration) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, calls) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let counted = calls.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = answer.clone();
                tokio::spawn(async move {
                    let mut request = [0; 2000];
                    let _ = stream.read(&mut request).await;
                    let _ = stream.write_all(&answer).await;
                    tokio::time::sleep(then).await;
                });
            }
        });
        (address, calls)
    }

    /// Names that resolve to these addresses, the n-th question to the n-th; the last one stays. Questions
    /// are counted.
    fn names(addresses: &[&[&str]]) -> (Lookup, Arc<AtomicUsize>) {
        let addresses: Vec<Vec<IpAddr>> =
            addresses.iter().map(|all| all.iter().map(|one| one.parse().unwrap()).collect()).collect();
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = requests.clone();
        let lookup = move |_: &str, port: u16| {
            let at = counted.fetch_add(1, Ordering::SeqCst).min(addresses.len() - 1);
            addresses[at].iter().map(|address| (*address, port).into()).collect()
        };
        (Arc::new(lookup), requests)
    }

    async fn get(outgoing: &Outgoing, url: &str) -> Result<Reply, String> {
        outgoing.send(Id::new(), "GET", &url.parse().unwrap(), &[], vec![]).await
    }

    const NOT_PUBLIC: &str = "the address is not one of the public internet";

    #[tokio::test]
    async fn a_name_that_rebinds_is_called_where_it_was_looked_at() {
        let (server, calls) = stand_in(
            b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".to_vec(),
            Duration::ZERO,
        )
        .await;
        let url = format!("http://rebinds.invalid:{}/", server.port());
        // In development this machine is allowed, as the public internet is elsewhere: the first answer is a
        // good one.
        let (lookup, requests) = names(&[&["127.0.0.1"], &["10.0.0.1"]]);
        let outgoing = Outgoing::new(true).with_lookup(lookup);
        let reply = get(&outgoing, &url).await.unwrap();
        assert_eq!(
            (reply.status, &reply.body[..], requests.load(Ordering::SeqCst)),
            (200, &b"ok"[..], 1),
            "looked at once, and called there"
        );
        // The next call looks again, and sees what has become of the name.
        assert_eq!(get(&outgoing, &url).await.unwrap_err(), NOT_PUBLIC);
        assert_eq!(requests.load(Ordering::SeqCst), 2);
        // One bad address among good ones is enough.
        for mixed in [
            &["127.0.0.1", "10.0.0.1"][..],
            &["127.0.0.1", "169.254.169.254"],
            &["::ffff:127.0.0.1"],
            &["fd00::1"],
        ] {
            let outgoing = Outgoing::new(true).with_lookup(names(&[mixed]).0);
            assert_eq!(get(&outgoing, &url).await.unwrap_err(), NOT_PUBLIC, "{mixed:?}");
        }
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn nothing_inside_is_ever_connected_to() {
        let (server, calls) =
            stand_in(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec(), Duration::ZERO).await;
        let url = format!("https://inside.invalid:{}/", server.port());
        for inside in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0"] {
            let strict = Outgoing::new(false).with_lookup(names(&[&[inside]]).0);
            assert_eq!(get(&strict, &url).await.unwrap_err(), NOT_PUBLIC, "{inside}");
        }
        let strict = Outgoing::new(false).with_lookup(names(&[&["1.1.1.1", "127.0.0.1"]]).0);
        assert_eq!(get(&strict, &url).await.unwrap_err(), NOT_PUBLIC);
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        // The control: the counter counts.
        get(&Outgoing::new(true), &format!("http://{server}/")).await.unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn redirects_are_answers() {
        let (inside, calls) =
            stand_in(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec(), Duration::ZERO).await;
        for status in [301, 302, 303, 307, 308] {
            let answer = format!(
                "HTTP/1.1 {status} Elsewhere\r\nlocation: http://{inside}/\r\ncontent-length: \
                 0\r\nconnection: close\r\n\r\n"
            );
            let (server, _) = stand_in(answer.into_bytes(), Duration::ZERO).await;
            assert_eq!(get(&Outgoing::new(true), &format!("http://{server}/")).await.unwrap().status, status);
        }
        assert_eq!(calls.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn large_and_slow_answers_are_cut_off() {
        let head = |length: usize| {
            format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n").into_bytes()
        };
        let of = |length: usize| [head(length), vec![b'x'; length]].concat();
        let (fits, _) = stand_in(of(LIMIT), Duration::ZERO).await;
        assert_eq!(get(&Outgoing::new(true), &format!("http://{fits}/")).await.unwrap().body.len(), LIMIT);
        let (large, _) = stand_in(of(LIMIT + 1), Duration::ZERO).await;
        assert_eq!(
            get(&Outgoing::new(true), &format!("http://{large}/")).await.unwrap_err(),
            "the answer is too large"
        );
        // No length is said, and it never ends.
        let endless = [&b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"[..], &vec![b'x'; 3 * LIMIT]].concat();
        let (endless, _) = stand_in(endless, Duration::from_secs(60)).await;
        assert_eq!(
            get(&Outgoing::new(true), &format!("http://{endless}/")).await.unwrap_err(),
            "the answer is too large"
        );
        // No answer, half of the headers, half of the body.
        for part in
            [Vec::new(), b"HTTP/1.1 200 OK\r\ncontent-le".to_vec(), [head(100), vec![b'x'; 50]].concat()]
        {
            let (slow, _) = stand_in(part, Duration::from_secs(60)).await;
            let begun = std::time::Instant::now();
            let hasty = Outgoing::new(true).with_patience(Duration::from_millis(300));
            assert!(get(&hasty, &format!("http://{slow}/")).await.is_err());
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        }
    }

    #[tokio::test]
    async fn a_name_that_resolves_to_this_machine_is_refused() {
        let refused = get(&Outgoing::new(false), "https://localhost:1/").await;
        assert_eq!(refused.unwrap_err(), "the address is not one of the public internet");
    }
}

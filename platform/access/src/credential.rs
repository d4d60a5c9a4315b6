//! The credential of a request (cookie, bearer token or API key) and its network address.

use std::net::IpAddr;

use ipnet::IpNet;
use kernel::{Account, Code, Id, Problem, Result};
use poem::{Request, http::Method};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{app::App, settings::Settings};

#[derive(Debug, Clone)]
pub enum Credential {
    /// A token of a signed-in person.
    Session { account: Id<Account>, session: Uuid },
    /// SHA-256 of an API key.
    Key(Vec<u8>),
}

/// Prefix of every API key.
pub const KEY_PREFIX: &str = "pk_";

/// SHA-256 of a secret that was made here with enough random bits.
#[must_use]
pub fn digest(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Credential {
    /// Reads the credential of a request. A cookie counts only together with our own header, and for a
    /// writing call only from a known page.
    /// Errors: `USER_LOGIN_REQUIRED` when there is none, the codes of a faulty token, `FOREIGN_ORIGIN`;
    /// `TOO_MANY_REQUESTS` when the session has made too many calls.
    pub fn of(request: &Request, app: &App) -> Result<Self> {
        Self::uncounted(request, app)?.counted(app)
    }

    /// The same of a call that a session may always make.
    pub(crate) fn uncounted(request: &Request, app: &App) -> Result<Self> {
        let bearer = request
            .header("authorization")
            .map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
        if let Some(secret) = bearer.or_else(|| request.header("x-api-key")) {
            return Self::parse(secret, app);
        }
        let token = request.cookie().get(app.cookie_name()).map(|cookie| cookie.value_str().to_owned());
        let Some(token) = token.filter(|_| request.header("x-pult-ui") == Some("1")) else {
            return Err(Code::USER_LOGIN_REQUIRED.into());
        };
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            check_origin(request, &app.settings)?;
        }
        Self::parse(&token, app)
    }

    /// Counts a call of a session, before anything is asked for: one beyond its calls costs no connection.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub fn counted(self, app: &App) -> Result<Self> {
        if let Self::Session { session, .. } = &self
            && kernel::request::note_counted()
        {
            app.session_calls.take(*session)?;
        }
        Ok(self)
    }

    /// What a request carries, a cookie also without our own header; none when that is faulty. For reading
    /// what only the bearer of an address can name.
    pub(crate) fn carried(request: &Request, app: &App) -> Option<Self> {
        let bearer = request
            .header("authorization")
            .map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
        let cookie = request.cookie().get(app.cookie_name()).map(|cookie| cookie.value_str().to_owned());
        Self::parse(bearer.or(cookie.as_deref())?, app).ok()
    }

    /// Reads a token or a key.
    pub fn parse(secret: &str, app: &App) -> Result<Self> {
        if secret.starts_with(KEY_PREFIX) {
            return Ok(Self::Key(digest(secret)));
        }
        let (account, session) = app.tokens.read(secret)?;
        Ok(Self::Session { account, session })
    }
}

/// Refuses a request whose `Origin` is not a page of ours.
/// Errors: `FOREIGN_ORIGIN`.
pub fn check_origin(request: &Request, settings: &Settings) -> Result<()> {
    let foreign = || Problem::new(Code::FOREIGN_ORIGIN);
    let origin = request.header("origin").ok_or_else(foreign)?;
    // `Host` is never trusted: the owner of any name can point it at this machine.
    if origin == settings.public_url.origin().ascii_serialization() { Ok(()) } else { Err(foreign()) }
}

/// The client's address: the peer's, or the last hop that is not a configured proxy. IPv6 counts by /64.
#[must_use]
pub fn client_address(request: &Request, settings: &Settings) -> String {
    let peer = request.remote_addr().as_socket_addr().map(std::net::SocketAddr::ip);
    // Some proxies add a line of their own instead of lengthening the client's.
    let lines = request.headers().get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
    counted(peer, lines, &settings.trusted_proxies)
}

/// The client among a peer and its forwarded hops, the nearest last.
fn counted<'a>(peer: Option<IpAddr>, lines: impl Iterator<Item = &'a str>, proxies: &[IpNet]) -> String {
    // Who listens on `[::]` sees IPv4 as ::ffff:…, all of it in one /64.
    let peer = peer.map(|peer| peer.to_canonical());
    let trusted = |address: &IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    let hops: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    // What is no address hides all before it: that may be the client's own word.
    let client = || hops.iter().rev().map_while(|hop| address_of(hop)).find(|hop| !trusted(hop));
    let address = match peer {
        Some(peer) if trusted(&peer) => client().or(Some(peer)),
        // No address: not a network connection (a Unix socket, a test), so the proxy is on this machine.
        None => client(),
        peer => peer,
    };
    address.map_or_else(|| "unknown".to_owned(), counted_as)
}

/// An address as it is counted: IPv6 by /64.
pub(crate) fn counted_as(address: IpAddr) -> String {
    match address {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        address => address.to_string(),
    }
}

/// A hop as a proxy writes it: an address, perhaps with a port.
pub(crate) fn address_of(hop: &str) -> Option<IpAddr> {
    let plain = || hop.parse::<IpAddr>().ok();
    let with_port = || hop.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    plain().or_else(with_port).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_address_counts() {
        let proxies: Vec<IpNet> =
            ["10.0.0.1/32", "10.0.0.2/32", "10.9.0.0/16"].map(|proxy| proxy.parse().unwrap()).into();
        for (peer, lines, expected) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.9.3.4", &["198.51.100.1, 10.9.200.1"], "198.51.100.1"),
            ("10.8.3.4", &["198.51.100.1"], "10.8.3.4"),
            ("10.0.0.1", &["192.0.2.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            // A proxy that adds its own line: the first one is the client's own word.
            ("10.0.0.1", &["192.0.2.1", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.1, 198.51.100.1:5678"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            // A socket for both families.
            ("::ffff:203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
            ("::ffff:10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1"),
            ("2001:db8:1:2::7", &[], "2001:db8:1:2::/64"),
        ] {
            assert_eq!(
                counted(peer.parse().ok(), lines.iter().copied(), &proxies),
                expected,
                "{peer} {lines:?}"
            );
        }
        assert_eq!(counted(None, std::iter::empty(), &proxies), "unknown");
    }
}

//! Limits the number of connections, and watches the open ones.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use ipnet::IpNet;

use super::{Limits, tracked::TrackedConnection};

/// How often the watch looks.
pub(super) const SWEEP: Duration = Duration::from_millis(500);

/// Counts the connections of one port.
pub(super) struct ConnectionLimiter {
    pub(super) limits: Limits,
    trusted: Vec<IpNet>,
    state: Mutex<LimiterState>,
}

#[derive(Default)]
struct LimiterState {
    next: u64,
    connections: HashMap<u64, Weak<TrackedConnection>>,
    /// Those of addresses that are not trusted proxies.
    untrusted: usize,
    by_network: HashMap<IpAddr, usize>,
    /// When a refusal was last written to the log.
    last_refusal_log: Option<Instant>,
}

/// A place inside, given back when dropped.
pub(super) struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    number: u64,
    /// None for a trusted proxy.
    network: Option<IpAddr>,
}

impl ConnectionLimiter {
    pub(super) fn new(limits: Limits, trusted: &[IpNet]) -> Self {
        Self { limits, trusted: trusted.to_vec(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection, or not; then the caller drops it.
    pub(super) fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Arc<TrackedConnection>> {
        let from_plain = from.to_canonical();
        let proxy = self.trusted.iter().any(|network| network.contains(&from_plain));
        let network = (!proxy).then(|| network(from));
        let mut state = self.state();
        if let Some(network) = network {
            let same = state.by_network.get(&network).copied().unwrap_or_default();
            if state.untrusted >= self.limits.in_all || same >= self.limits.per_address {
                if state.last_refusal_log.is_none_or(|at| at.elapsed() > Duration::from_secs(60)) {
                    state.last_refusal_log = Some(Instant::now());
                    tracing::warn!(
                        %from, of_this_address = same, in_all = state.untrusted,
                        "connections are refused; if this is a proxy, name it in PULT_TRUSTED_PROXIES"
                    );
                }
                return None;
            }
            state.untrusted += 1;
            *state.by_network.entry(network).or_default() += 1;
        }
        let number = state.next;
        state.next += 1;
        let tracked = Arc::new(TrackedConnection::new(
            self.limits.clone(),
            ConnectionPermit { limiter: self.clone(), number, network },
        ));
        state.connections.insert(number, Arc::downgrade(&tracked));
        Some(tracked)
    }

    /// Signals connections whose time is over.
    pub(super) fn sweep(&self) {
        let now = Instant::now();
        let connections: Vec<_> = self.state().connections.values().filter_map(Weak::upgrade).collect();
        connections.iter().for_each(|tracked| tracked.look(now));
    }
}

impl ConnectionPermit {
    pub(super) fn proxy(&self) -> bool {
        self.network.is_none()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut state = self.limiter.state();
        state.connections.remove(&self.number);
        let Some(network) = self.network else { return };
        state.untrusted -= 1;
        if let Some(left) = state.by_network.get_mut(&network) {
            *left -= 1;
            if *left == 0 {
                state.by_network.remove(&network);
            }
        }
    }
}

/// The unit of counting: an IPv4 address, or an IPv6 network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn enter(limiter: &Arc<ConnectionLimiter>, from: &str) -> Option<Arc<TrackedConnection>> {
        limiter.enter(from.parse().unwrap())
    }

    #[test]
    fn addresses_are_limited_and_proxies_are_not() {
        let limits = Limits { in_all: 5, per_address: 2, ..Limits::default() };
        let limiter = Arc::new(ConnectionLimiter::new(limits, &["10.0.0.0/31".parse().unwrap()]));
        let proxy: Vec<_> = (0..20).map(|_| enter(&limiter, "::ffff:10.0.0.1").unwrap()).collect();
        // One network of IPv6 is one address, and an address of IPv4 is the same in both forms.
        let mut state =
            vec![enter(&limiter, "2001:db8::1").unwrap(), enter(&limiter, "2001:db8::ffff:2").unwrap()];
        assert!(enter(&limiter, "2001:db8::3").is_none());
        state.extend([
            enter(&limiter, "2001:db8:0:1::1").unwrap(),
            enter(&limiter, "192.0.2.1").unwrap(),
            enter(&limiter, "::ffff:192.0.2.1").unwrap(),
        ]);
        assert!(enter(&limiter, "192.0.2.1").is_none());
        assert!(enter(&limiter, "192.0.2.2").is_none(), "five in all");
        state.pop();
        state.push(enter(&limiter, "192.0.2.2").unwrap());
        assert!(enter(&limiter, "192.0.2.1").is_none(), "its place was taken by another");
        drop((state, proxy));
        let left = limiter.state();
        assert!(left.connections.is_empty() && left.by_network.is_empty() && left.untrusted == 0);
    }
}

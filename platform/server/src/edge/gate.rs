//! Who is let in, and the watch over everybody inside.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use super::{Limits, line::Line};

/// How often the watch looks.
pub(super) const SWEEP: Duration = Duration::from_millis(500);

/// Counts the connections of one port.
pub(super) struct Gate {
    pub(super) limits: Limits,
    trusted: Vec<IpAddr>,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    next: u64,
    lines: HashMap<u64, Weak<Line>>,
    /// Those of addresses that are not trusted proxies.
    strangers: usize,
    by_network: HashMap<IpAddr, usize>,
    /// When a refusal was last written to the log.
    told: Option<Instant>,
}

/// A place inside, given back when dropped.
pub(super) struct Place {
    gate: Arc<Gate>,
    number: u64,
    /// None for a trusted proxy.
    network: Option<IpAddr>,
}

impl Gate {
    pub(super) fn new(limits: Limits, trusted: &[IpAddr]) -> Self {
        Self { limits, trusted: trusted.iter().map(IpAddr::to_canonical).collect(), inside: Mutex::default() }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in, or not: then whoever called drops it.
    pub(super) fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Arc<Line>> {
        let proxy = self.trusted.contains(&from.to_canonical());
        let network = (!proxy).then(|| network(from));
        let mut inside = self.inside();
        if let Some(network) = network {
            let same = inside.by_network.get(&network).copied().unwrap_or_default();
            if inside.strangers >= self.limits.in_all || same >= self.limits.per_address {
                if inside.told.is_none_or(|told| told.elapsed() > Duration::from_secs(60)) {
                    inside.told = Some(Instant::now());
                    tracing::warn!(
                        %from, of_this_address = same, in_all = inside.strangers,
                        "connections are refused; if this is a proxy, name it in PULT_TRUSTED_PROXIES"
                    );
                }
                return None;
            }
            inside.strangers += 1;
            *inside.by_network.entry(network).or_default() += 1;
        }
        let number = inside.next;
        inside.next += 1;
        let line = Arc::new(Line::new(self.limits.clone(), Place { gate: self.clone(), number, network }));
        inside.lines.insert(number, Arc::downgrade(&line));
        Some(line)
    }

    /// Tells those whose time is over.
    pub(super) fn sweep(&self) {
        let now = Instant::now();
        let lines: Vec<_> = self.inside().lines.values().filter_map(Weak::upgrade).collect();
        lines.iter().for_each(|line| line.look(now));
    }
}

impl Place {
    pub(super) fn proxy(&self) -> bool {
        self.network.is_none()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.gate.inside();
        inside.lines.remove(&self.number);
        let Some(network) = self.network else { return };
        inside.strangers -= 1;
        if let Some(left) = inside.by_network.get_mut(&network) {
            *left -= 1;
            if *left == 0 {
                inside.by_network.remove(&network);
            }
        }
    }
}

/// What counts as one address: who has one of IPv6 has all of its network.
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

    fn enter(gate: &Arc<Gate>, from: &str) -> Option<Arc<Line>> {
        gate.enter(from.parse().unwrap())
    }

    #[test]
    fn addresses_are_limited_and_proxies_are_not() {
        let limits = Limits { in_all: 5, per_address: 2, ..Limits::default() };
        let gate = Arc::new(Gate::new(limits, &["10.0.0.1".parse().unwrap()]));
        let proxy: Vec<_> = (0..20).map(|_| enter(&gate, "::ffff:10.0.0.1").unwrap()).collect();
        // One network of IPv6 is one address, and an address of IPv4 is the same in both forms.
        let mut inside =
            vec![enter(&gate, "2001:db8::1").unwrap(), enter(&gate, "2001:db8::ffff:2").unwrap()];
        assert!(enter(&gate, "2001:db8::3").is_none());
        inside.extend([
            enter(&gate, "2001:db8:0:1::1").unwrap(),
            enter(&gate, "192.0.2.1").unwrap(),
            enter(&gate, "::ffff:192.0.2.1").unwrap(),
        ]);
        assert!(enter(&gate, "192.0.2.1").is_none());
        assert!(enter(&gate, "192.0.2.2").is_none(), "five in all");
        inside.pop();
        inside.push(enter(&gate, "192.0.2.2").unwrap());
        assert!(enter(&gate, "192.0.2.1").is_none(), "its place was taken by another");
        drop((inside, proxy));
        let left = gate.inside();
        assert!(left.lines.is_empty() && left.by_network.is_empty() && left.strangers == 0);
    }
}

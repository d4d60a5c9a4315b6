//! Codes of a series: random, without signs that look like others.

use std::collections::HashSet;

use rand::Rng;

/// Letters and digits without those that look like others (0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B,
/// U and V) when they are printed or said.
const SIGNS: &[u8; 24] = b"34679ACDEFGHJKMNPQRTVWXY";
/// Nine signs out of 24: 41 random bits.
const LENGTH: usize = 9;

/// So many codes, all different, behind this prefix.
pub(crate) fn codes(quantity: usize, prefix: &str) -> Vec<String> {
    let mut random = rand::rng();
    let mut found = HashSet::with_capacity(quantity);
    while found.len() < quantity {
        let signs = (0..LENGTH).map(|_| char::from(SIGNS[random.random_range(0..SIGNS.len())]));
        found.insert(prefix.chars().chain(signs).collect::<String>());
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_different_and_easily_read() {
        let found = codes(10_000, "NYAR-");
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 10_000);
        for code in &found {
            let own = code.strip_prefix("NYAR-").unwrap();
            assert!(own.len() == LENGTH && own.bytes().all(|sign| SIGNS.contains(&sign)), "{code}");
        }
        // At least 40 bits.
        assert!((SIGNS.len() as u128).pow(u32::try_from(LENGTH).unwrap()) >= 1 << 40);
    }
}

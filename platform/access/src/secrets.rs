//! The installation's secrets (`PULT_SECRET_KEY`), from which all keys for signing, sealing and digests are
//! derived. See `docs/decisions/security.md#secrets-at-rest`.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Fewest bytes of a secret.
const LEAST: usize = 32;

/// The newest makes; all of them open and compare, so that what an older one made holds as long as that one
/// is kept.
#[derive(Clone)]
pub struct Secrets {
    newest: Vec<u8>,
    older: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secrets", 1 + self.older.len())
    }
}

impl Secrets {
    /// The newest, and the older ones, newest first.
    #[must_use]
    pub fn new(newest: Vec<u8>, older: Vec<Vec<u8>>) -> Self {
        Self { newest, older }
    }

    /// Reads the setting: base64 of at least 32 bytes each, the newest first, commas between. None when one
    /// is not that.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let one = |text: &str| STANDARD.decode(text.trim()).ok().filter(|secret| secret.len() >= LEAST);
        let mut all = text.split(',').map(one).collect::<Option<Vec<_>>>()?.into_iter();
        Some(Self { newest: all.next()?, older: all.collect() })
    }

    #[must_use]
    pub fn newest(&self) -> &[u8] {
        &self.newest
    }

    /// A keyed digest of a short text, under the newest secret only: for what may be lost when that changes.
    #[must_use]
    pub fn keyed(&self, purpose: &str, text: &str) -> Vec<u8> {
        derive(&derive(&self.newest, purpose), text).to_vec()
    }

    #[must_use]
    pub fn keyed_hex(&self, purpose: &str, text: &str) -> String {
        hex::encode(self.keyed(purpose, text))
    }

    /// All of them, newest first.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::once(&self.newest).chain(&self.older).map(Vec::as_slice)
    }
}

/// A key for one purpose, derived from a secret.
#[must_use]
pub fn derive(secret: &[u8], purpose: &str) -> [u8; 32] {
    // HMAC takes keys of any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return [0; 32] };
    mac.update(purpose.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_is_a_list_of_sound_secrets() {
        let one = STANDARD.encode([1; 32]);
        let two = STANDARD.encode([2; 40]);
        let both = Secrets::parse(&format!(" {two}, {one}\n")).unwrap();
        assert_eq!(
            (both.newest(), both.all().collect::<Vec<_>>()),
            (&[2; 40][..], vec![&[2; 40][..], &[1; 32][..]])
        );
        assert_eq!(Secrets::parse(&one).unwrap().all().count(), 1);
        assert_eq!(format!("{both:?}"), "2 secrets");
        for faulty in [
            "",
            ",",
            "c2hvcnQ=",
            &format!("{one},"),
            &format!("{one},c2hvcnQ="),
            &format!("{one} {two}"),
            &format!("{one};{two}"),
        ] {
            assert!(Secrets::parse(faulty).is_none(), "{faulty}");
        }
    }
}

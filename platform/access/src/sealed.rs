//! Secrets at rest: AES-256-GCM, with table, column and row as associated data, so a sealed text moved
//! elsewhere does not open. A partner's are sealed under its own random key ([`DataKey`]), which goes with
//! the partner; that key and what belongs to accounts are sealed under the installation's newest secret, and
//! [`reseal`] brings them there.

use aes_gcm::{
    Aes256Gcm, KeyInit, Nonce,
    aead::{Aead, Payload},
};
use kernel::{Code, Problem, Result};
use rand::RngCore;
use tenants::{SEALED, SealedColumn, Setup, TenantTx};
use uuid::Uuid;

use crate::{
    app::App,
    secrets::{Secrets, derive},
};

/// First byte of what is sealed under the installation's secret: the id of the key follows.
const INSTALLATION: u8 = 2;
/// First byte of what is sealed under a partner's key.
const PARTNER: u8 = 3;
const KEY_ID: usize = 4;
const NONCE: usize = 12;

/// Where a secret lies.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub table: &'a str,
    pub column: &'a str,
    pub row: &'a str,
}

/// Nonce and sealed text.
fn encrypt(key: &[u8; 32], tenant: &str, place: Place<'_>, plain: &[u8]) -> Result<Vec<u8>> {
    let mut nonce = [0_u8; NONCE];
    rand::rng().fill_bytes(&mut nonce);
    let aad = [tenant, place.table, place.column, place.row].join("\0").into_bytes();
    let sealed =
        Aes256Gcm::new(key.into()).encrypt(Nonce::from_slice(&nonce), Payload { msg: plain, aad: &aad });
    // It fails for texts of many gigabytes only.
    Ok([&nonce[..], &sealed.map_err(|_| Code::UNKNOWN_ERROR)?].concat())
}

fn decrypt(key: &[u8; 32], tenant: &str, place: Place<'_>, sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, text) = sealed.split_at_checked(NONCE)?;
    let aad = [tenant, place.table, place.column, place.row].join("\0").into_bytes();
    Aes256Gcm::new(key.into()).decrypt(Nonce::from_slice(nonce), Payload { msg: text, aad: &aad }).ok()
}

fn unopened(place: Place<'_>, why: &str) -> Problem {
    tracing::error!(table = place.table, column = place.column, "a sealed secret does not open: {why}");
    Code::UNKNOWN_ERROR.into()
}

/// The key of an installation's secret that seals.
fn key(secret: &[u8]) -> [u8; 32] {
    derive(secret, "sealed column")
}

/// Identifies a secret without revealing anything of it.
fn key_id(secret: &[u8]) -> [u8; KEY_ID] {
    let [a, b, c, d, ..] = derive(secret, "sealed key id");
    [a, b, c, d]
}

/// Seals a secret of an account for its place, under the installation's newest one.
/// Errors: `UNKNOWN_ERROR` for texts of many gigabytes.
pub fn seal(secrets: &Secrets, place: Place<'_>, plain: &[u8]) -> Result<Vec<u8>> {
    let secret = secrets.newest();
    Ok([&[INSTALLATION][..], &key_id(secret), &encrypt(&key(secret), "", place, plain)?].concat())
}

/// Opens what was sealed for this place, under any of the installation's secrets.
/// Errors: `UNKNOWN_ERROR` when it was changed, moved, or sealed under a secret that is not there any more.
pub fn open(secrets: &Secrets, place: Place<'_>, sealed: &[u8]) -> Result<Vec<u8>> {
    let plain = || {
        let (id, rest) = sealed.strip_prefix(&[INSTALLATION])?.split_at_checked(KEY_ID)?;
        let secret = secrets.all().find(|secret| key_id(secret) == id)?;
        decrypt(&key(secret), "", place, rest)
    };
    plain().ok_or_else(|| unopened(place, "was a secret taken out of PULT_SECRET_KEY?"))
}

/// A partner's own key: random, kept wrapped, gone with the partner, and with it everything that it has
/// sealed.
pub struct DataKey {
    partner: String,
    key: [u8; 32],
}

impl std::fmt::Debug for DataKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the key of {}", self.partner)
    }
}

impl DataKey {
    /// The key of the partner whose unit of work this is; made when it has none yet.
    /// Errors: `UNKNOWN_ERROR` when it does not open; what the database says.
    pub async fn of(app: &App, tx: &TenantTx) -> Result<Self> {
        const KEY: &str = "select control.data_key($1) wrapped";
        let (secrets, partner) = (&app.settings.secrets, tx.partner().uuid());
        let read = async |new: Option<Vec<u8>>| -> Result<Option<Vec<u8>>> {
            Ok(tx.value(KEY, [new.into()]).await?.ok_or(Code::UNKNOWN_ERROR)?)
        };
        let wrapped = match read(None).await? {
            Some(wrapped) => wrapped,
            None => {
                let mut new = [0_u8; 32];
                rand::rng().fill_bytes(&mut new);
                let new = seal(secrets, data_key(&partner.to_string()), &new)?;
                // Another may have been quicker: then its key is the partner's.
                read(Some(new)).await?.ok_or(Code::UNKNOWN_ERROR)?
            }
        };
        Self::unwrap(secrets, partner, &wrapped)
    }

    /// The key that was wrapped for this partner.
    /// Errors: `UNKNOWN_ERROR` when it does not open.
    pub fn unwrap(secrets: &Secrets, partner: Uuid, wrapped: &[u8]) -> Result<Self> {
        let partner = partner.to_string();
        let place = data_key(&partner);
        let key = open(secrets, place, wrapped)?.try_into().map_err(|_| unopened(place, "it is no key"))?;
        Ok(Self { partner, key })
    }

    /// Seals a secret of the partner for its place.
    /// Errors: `UNKNOWN_ERROR` for texts of many gigabytes.
    pub fn seal(&self, place: Place<'_>, plain: &[u8]) -> Result<Vec<u8>> {
        Ok([&[PARTNER][..], &encrypt(&self.key, &self.partner, place, plain)?].concat())
    }

    /// Opens a value that was sealed for this place.
    /// Errors: `UNKNOWN_ERROR` when it was changed, moved, or sealed under another key.
    pub fn open(&self, place: Place<'_>, sealed: &[u8]) -> Result<Vec<u8>> {
        let plain =
            sealed.strip_prefix(&[PARTNER]).and_then(|rest| decrypt(&self.key, &self.partner, place, rest));
        plain.ok_or_else(|| unopened(place, "was it moved, or brought from another installation?"))
    }
}

/// The result of [`reseal`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Sealed again.
    pub renewed: usize,
    /// Were under the newest secret already.
    pub current: usize,
    /// Do not open: left as they are.
    pub failed: usize,
}

/// Seals accounts' secrets and partners' keys anew that are not under the newest of the installation's
/// secrets. A value that is changed meanwhile stays as it was written; running it again is harmless.
pub async fn reseal(setup: &Setup, secrets: &Secrets) -> std::result::Result<Resealed, sea_orm::DbErr> {
    let newest = [&[INSTALLATION][..], &key_id(secrets.newest())].concat();
    let mut done = Resealed::default();
    for column in SEALED {
        for value in column.all(setup).await? {
            if value.sealed.starts_with(&newest) {
                done.current += 1;
                continue;
            }
            let row = value.row.to_string();
            let place = match column {
                // Pending and confirmed secret are the same value: it moves from one column to the other.
                SealedColumn::SecondFactor | SealedColumn::PendingSecondFactor => second_factor(&row),
                SealedColumn::DataKey => data_key(&row),
            };
            match open(secrets, place, &value.sealed).and_then(|plain| seal(secrets, place, &plain)) {
                Ok(renewed) => done.renewed += usize::from(column.replace(setup, &value, renewed).await?),
                Err(_) => done.failed += 1,
            }
        }
    }
    Ok(done)
}

#[must_use]
pub fn second_factor(account: &str) -> Place<'_> {
    Place { table: "second_factor", column: "secret", row: account }
}

fn data_key(partner: &str) -> Place<'_> {
    Place { table: "data_key", column: "wrapped", row: partner }
}

/// A partner's secret at its sign-in provider.
#[must_use]
pub fn sign_in_provider(partner: &str) -> Place<'_> {
    Place { table: "sign_in_provider", column: "client_secret", row: partner }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Place<'_> = Place { table: "payment", column: "secret", row: "1" };
    const ELSEWHERE: [Place<'_>; 3] = [
        Place { row: "2", ..HERE },
        Place { column: "pending", ..HERE },
        Place { table: "sign_in_provider", ..HERE },
    ];

    fn secrets(newest: u8, older: &[u8]) -> Secrets {
        Secrets::new(vec![newest; 32], older.iter().map(|byte| vec![*byte; 32]).collect())
    }

    fn opens_only_here(seal: impl Fn() -> Vec<u8>, open: impl Fn(Place<'_>, &[u8]) -> Result<Vec<u8>>) {
        let sealed = seal();
        assert_eq!(open(HERE, &sealed).unwrap(), b"titok");
        assert!(!sealed.windows(5).any(|part| part == b"titok"));
        assert_ne!(seal(), sealed, "each sealing has its own nonce");
        for elsewhere in ELSEWHERE {
            assert!(open(elsewhere, &sealed).is_err(), "{elsewhere:?}");
        }
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(open(HERE, &changed).is_err(), "byte {at}");
            assert!(open(HERE, &sealed[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_secret_opens_only_where_it_was_sealed() {
        let ours = secrets(1, &[]);
        opens_only_here(|| seal(&ours, HERE, b"titok").unwrap(), |place, sealed| open(&ours, place, sealed));
        let partner = DataKey { partner: "a".into(), key: [5; 32] };
        opens_only_here(
            || partner.seal(HERE, b"titok").unwrap(),
            |place, sealed| partner.open(place, sealed),
        );
        let sealed = partner.seal(HERE, b"titok").unwrap();
        for other in
            [DataKey { partner: "b".into(), key: [5; 32] }, DataKey { partner: "a".into(), key: [6; 32] }]
        {
            assert!(other.open(HERE, &sealed).is_err(), "{other:?}");
        }
    }

    #[test]
    fn a_key_opens_for_its_partner_only() {
        let (ours, partner) = (secrets(1, &[]), Uuid::now_v7());
        let wrapped = seal(&ours, data_key(&partner.to_string()), &[5; 32]).unwrap();
        assert_eq!(DataKey::unwrap(&secrets(2, &[1]), partner, &wrapped).unwrap().key, [5; 32]);
        assert!(DataKey::unwrap(&secrets(2, &[]), partner, &wrapped).is_err());
        assert!(DataKey::unwrap(&ours, Uuid::now_v7(), &wrapped).is_err());
        let short = seal(&ours, data_key(&partner.to_string()), &[5; 31]).unwrap();
        assert!(DataKey::unwrap(&ours, partner, &short).is_err());
    }

    #[test]
    fn older_secrets_open_and_the_newest_seals() {
        let old = seal(&secrets(1, &[]), HERE, b"titok").unwrap();
        for kept in [secrets(1, &[2]), secrets(2, &[1]), secrets(3, &[2, 1])] {
            assert_eq!(open(&kept, HERE, &old).unwrap(), b"titok");
        }
        for gone in [secrets(2, &[]), secrets(3, &[2])] {
            assert!(open(&gone, HERE, &old).is_err());
        }
        let new = seal(&secrets(2, &[1]), HERE, b"titok").unwrap();
        assert!(open(&secrets(1, &[]), HERE, &new).is_err() && open(&secrets(1, &[2]), HERE, &new).is_ok());
        // The id of another key does not make it that key's.
        let mut relabelled = old;
        relabelled[1..=KEY_ID].copy_from_slice(&key_id(&[2; 32]));
        assert!(open(&secrets(2, &[1]), HERE, &relabelled).is_err());
    }
}

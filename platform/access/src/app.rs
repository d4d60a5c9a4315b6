//! What every handler can reach: the door, the keys, the policy, and what is remembered between requests.

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kernel::{Account, Id, Partner};
use tenants::Door;
use url::Url;
use uuid::Uuid;

use crate::{Grants, Policy, Tokens};

/// Settings that concern who is let in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address under which browsers reach the service (`PULT_PUBLIC_URL`).
    pub public_url: Url,
    /// `PULT_DEV`: plain http, the demo partner open to super admins.
    pub development: bool,
    /// Hops whose `X-Forwarded-For` is believed (`PULT_TRUSTED_PROXIES`).
    pub trusted_proxies: Vec<std::net::IpAddr>,
    /// The installation's secret (`PULT_SECRET_KEY`).
    pub secret: Vec<u8>,
}

/// Shared by all requests of this process.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// Evaluated grants with their version.
type KnownGrants = HashMap<(Id<Account>, Id<Partner>), (i64, Arc<Grants>)>;

/// See [`App`].
pub struct Shared {
    /// The door to data.
    pub door: Door,
    /// Makes and reads access tokens.
    pub tokens: Tokens,
    /// The policy engine.
    pub policy: Policy,
    /// Settings.
    pub settings: Settings,
    grants: Mutex<KnownGrants>,
    used_keys: Mutex<HashSet<Uuid>>,
}

impl Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// Puts the parts together.
    ///
    /// # Errors
    /// When the policy cannot be read.
    pub async fn new(door: Door, settings: Settings) -> Result<Self, String> {
        let policy = Policy::load().await.map_err(|error| error.to_string())?;
        let tokens = Tokens::new(&settings.secret);
        Ok(Self(Arc::new(Shared { door, tokens, policy, settings, grants: Mutex::default(), used_keys: Mutex::default() })))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// The version of this account's grants that is already evaluated here.
    pub(crate) fn known_grants(&self, account: Id<Account>, partner: Id<Partner>) -> Option<(i64, Arc<Grants>)> {
        locked(&self.grants).get(&(account, partner)).cloned()
    }

    /// Keeps evaluated grants. The number kept is bounded: past it all are evaluated anew, 20 ms each in the worst case.
    pub(crate) fn keep_grants(&self, account: Id<Account>, partner: Id<Partner>, version: i64, grants: &Arc<Grants>) {
        let mut known = locked(&self.grants);
        if known.len() > 10_000 {
            known.clear();
        }
        known.insert((account, partner), (version, grants.clone()));
    }

    /// Notes that a key was used; written every ten seconds.
    pub(crate) fn note_key(&self, key: Uuid) {
        locked(&self.used_keys).insert(key);
    }

    /// Writes which keys were used since the last call.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn write_usage(&self) -> Result<(), sea_orm::DbErr> {
        let used: Vec<Uuid> = locked(&self.used_keys).drain().collect();
        if used.is_empty() {
            return Ok(());
        }
        self.door.call("select control.touch_api_keys($1)::text", [used.into()]).await.map(drop)
    }

    /// Name of the cookie that carries the token (security D4).
    #[must_use]
    pub fn cookie_name(&self) -> &'static str {
        if self.settings.public_url.scheme() == "https" { "__Host-pult" } else { "pult_dev" }
    }
}

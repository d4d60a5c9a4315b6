//! State that every handler can reach: the door, keys, the policy, caches.

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    sync::{Arc, Mutex},
};

use kernel::{Account, Code, Id, Partner, Result};
use poem::{Request, http::Method};
use tenants::Door;
use uuid::Uuid;
use work::Outgoing;

use crate::{
    api_keys::keys::Keys,
    audit::recent_refusals::RecentRefusals,
    grants::{Grants, Policy},
    lock::locked,
    recent_reads::RecentReads,
    session_calls::SessionCalls,
    settings::Settings,
    tokens::Tokens,
};

/// Shared by all requests of this process.
#[derive(Clone)]
pub struct App(Arc<Shared>);

type AccountAtPartner = (Id<Account>, Id<Partner>);

/// What is known of an account at a partner: evaluated once for each version. Whether the session makes a
/// super admin of it is the session's, so that stands beside.
#[derive(Debug)]
pub(crate) struct KnownGrants {
    pub version: i64,
    /// The granted keys of the row, not yet evaluated.
    pub keys: Vec<String>,
    /// Whether it was evaluated for a session of a super admin.
    pub super_admin: bool,
    pub grants: Arc<Grants>,
}

/// See [`App`].
pub struct Shared {
    pub door: Door,
    /// Makes and reads access tokens.
    pub tokens: Tokens,
    pub policy: Policy,
    pub settings: Settings,
    /// Calls addresses that tenants wrote down.
    pub outgoing: Outgoing,
    grants: Mutex<HashMap<AccountAtPartner, Arc<KnownGrants>>>,
    scope_grants: Mutex<HashMap<Vec<String>, Arc<Grants>>>,
    pub(crate) keys: Keys,
    /// What was read within the last second.
    pub recent: RecentReads,
    pub(crate) refusals: RecentRefusals,
    pub(crate) session_calls: SessionCalls,
    used_sessions: Mutex<HashSet<Uuid>>,
    /// Who did something at which partner.
    used_places: Mutex<HashSet<(Uuid, Uuid)>>,
}

impl Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// That of a request; the service puts it there.
    /// Errors: `UNKNOWN_ERROR` when nobody did.
    pub fn of(request: &Request) -> Result<&Self> {
        request.data::<Self>().ok_or_else(|| Code::UNKNOWN_ERROR.into())
    }

    /// Puts the parts together.
    pub async fn new(door: Door, settings: Settings) -> std::result::Result<Self, String> {
        let outgoing = Outgoing::new(settings.alone);
        Self::calling(door, settings, outgoing).await
    }

    /// The same with its own way to call addresses that tenants wrote down.
    pub async fn calling(
        door: Door, settings: Settings, outgoing: Outgoing,
    ) -> std::result::Result<Self, String> {
        let policy = Policy::load().await.map_err(|error| error.to_string())?;
        let tokens = Tokens::new(&settings.secrets);
        let session_calls = SessionCalls::new(settings.calls_per_session);
        Ok(Self(Arc::new(Shared {
            door,
            tokens,
            policy,
            settings,
            outgoing,
            grants: Mutex::default(),
            scope_grants: Mutex::default(),
            keys: Keys::default(),
            recent: RecentReads::default(),
            refusals: RecentRefusals::default(),
            session_calls,
            used_sessions: Mutex::default(),
            used_places: Mutex::default(),
        })))
    }
}

/// Whether a page reads this by itself, without anybody doing something. Only reads can say so.
fn is_background(request: &Request) -> bool {
    *request.method() == Method::GET && request.header("x-pult-background") == Some("1")
}

impl Shared {
    /// This account's grants as far as they are evaluated here.
    pub(crate) fn known_grants(
        &self, account: Id<Account>, partner: Id<Partner>,
    ) -> Option<Arc<KnownGrants>> {
        locked(&self.grants).get(&(account, partner)).cloned()
    }

    /// Keeps evaluated grants. The number kept is bounded: past it all are evaluated anew, 20 ms each in the
    /// worst case.
    pub(crate) fn keep_grants(&self, account: Id<Account>, partner: Id<Partner>, evaluated: KnownGrants) {
        let mut known = locked(&self.grants);
        if known.len() > 10_000 {
            known.clear();
        }
        known.insert((account, partner), Arc::new(evaluated));
    }

    /// What an API key's scopes grant, evaluated once for each set of scopes: their policy does not change
    /// while running.
    pub(crate) fn scope_grants(&self, scopes: &[String]) -> Arc<Grants> {
        let mut known = locked(&self.scope_grants);
        if let Some(grants) = known.get(scopes) {
            return grants.clone();
        }
        let granted: Vec<String> = scopes.iter().map(|scope| format!("scope:{scope}")).collect();
        let grants = Arc::new(self.policy.evaluate(granted.iter().map(String::as_str)));
        if known.len() > 10_000 {
            known.clear();
        }
        known.insert(scopes.to_vec(), grants.clone());
        grants
    }

    /// Notes that a request used a session; written every ten seconds. What a page reads by itself is no use:
    /// an open page would keep its session for ever.
    pub(crate) fn note_session(&self, request: &Request, session: Uuid) {
        if !is_background(request) {
            locked(&self.used_sessions).insert(session);
        }
    }

    /// Notes the same of a person at a partner.
    pub(crate) fn note_place(&self, request: &Request, account: Id<Account>, partner: Id<Partner>) {
        if !is_background(request) {
            locked(&self.used_places).insert((account.uuid(), partner.uuid()));
        }
    }

    /// Writes which sessions were used, and what became of the calls of keys, since the last call.
    pub async fn write_usage(&self) -> std::result::Result<(), sea_orm::DbErr> {
        self.session_calls.forget();
        let sessions: Vec<_> = locked(&self.used_sessions).drain().collect();
        if !sessions.is_empty() {
            self.door.call("select control.touch_sessions($1)::text", [sessions.into()]).await?;
        }
        let (accounts, partners): (Vec<_>, Vec<_>) = locked(&self.used_places).drain().unzip();
        if !accounts.is_empty() {
            let values = [accounts.into(), partners.into()];
            self.door.call("select control.touch_people($1, $2)::text", values).await?;
        }
        self.keys.usage.write(&self.door).await
    }

    /// Name of the cookie that carries the token.
    #[must_use]
    pub fn cookie_name(&self) -> &'static str {
        if self.settings.public_url.scheme() == "https" { "__Host-pult" } else { "pult_dev" }
    }
}

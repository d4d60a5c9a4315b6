//! [`In`]: the first argument of handlers below a partner. It authenticates, resolves partner and restaurant,
//! checks the permission, writes both into the document, and begins units of work in the partner's data. See
//! `docs/decisions/api.md#order-of-refusals`.

use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use kernel::{Account, Id, Partner, Restaurant, Result, paging::Filters};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value as Json;
use tenants::{Entry, Facts, Refusal, TenantTx};
use uuid::Uuid;

use crate::{
    admission::{Admitted, Arrival, admit_key, entry, nowhere, path_target, read},
    api_keys::calling::{self, KeyUse},
    app::App,
    audit::{self, Actor},
    caller::Caller,
    credential::Credential,
    grants::Grants,
    perm::Permission,
    places::{Scope, problem},
    read_queue::Turn,
};

/// Names under which what an extractor says reaches the raw document; the export step reads them.
pub mod marker {
    /// `x-scope`.
    pub const SCOPE: &str = "pult:scope=";
    /// One key of `x-permission`.
    pub const PERMISSION: &str = "pult:perm=";
    /// `x-whole-partner`.
    pub const WHOLE_PARTNER: &str = "pult:whole-partner";
    /// `x-feature`.
    pub const FEATURE: &str = "pult:feature=";
    /// One kind of `x-device-kind`.
    pub const DEVICE: &str = "pult:device=";
    /// `x-api-scope`.
    pub const API_SCOPE: &str = "pult:api=";
    /// The operation takes an `Idempotency-Key`.
    pub const IDEMPOTENT: &str = "pult:idempotent";
    /// The operation takes the address of a secret key's guest.
    pub const GUEST: &str = "pult:guest";
    /// The operation takes a PIN.
    pub const PIN: &str = "pult:pin";
}

/// Markers are few and live as long as the program: each text is kept once.
pub(crate) fn interned(text: String) -> &'static str {
    static INTERNED: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut known = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|one| **one == text) {
        return found;
    }
    let leaked: &'static str = Box::leak(text.into_boxed_str());
    known.push(leaked);
    leaked
}

/// A caller who may act at a place. Only the extractor makes one.
pub struct In<S: Scope, P> {
    app: App,
    caller: Caller,
    partner: Id<Partner>,
    target: S::Target,
    grants: Arc<Grants>,
    entry: Entry,
    /// Begun by the extractor when nothing slow can happen before the handler; see `enter`.
    ready: Mutex<Option<TenantTx>>,
    key_use: Option<Arc<KeyUse>>,
    recent: Option<Instant>,
    /// Others wait until this request has read what they ask for too.
    _reading: Option<Turn>,
    permission: PhantomData<P>,
}

impl<S: Scope, P> In<S, P> {
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    pub fn may(&self, key: &str) -> bool {
        self.grants.has(key)
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// The restaurant of the path; none in the scope of the partner.
    pub fn place(&self) -> Option<Id<Restaurant>> {
        self.target.into()
    }

    /// When the request came, if the door was not asked for it, because it has let the same key in within the last
    /// second: only what is as fresh ([`crate::RecentReads`]) may be answered without a unit of work.
    pub fn admitted_recently(&self) -> Option<Instant> {
        self.recent
    }

    /// The answer comes from a cache: for the limits of an API key it is a tenth of a call.
    pub fn answered_from_cache(&self) {
        self.key_use.iter().for_each(|key_use| key_use.note_cached());
    }

    /// Begins a unit of work in the partner's schema. The caller is checked in the same round trip.
    /// Errors: The codes of a closed door; `UNAVAILABLE_SERVER`.
    pub async fn begin(&self) -> Result<TenantTx> {
        if let Some(tx) = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(tx);
        }
        match self.app.door.begin(&self.entry).await? {
            Ok((tx, _)) => Ok(tx),
            Err(refusal) => Err(problem(refusal, self.place().is_some())),
        }
    }

    /// Gives back the connection that the request may hold already. Call it before what takes another one: a
    /// request that holds two can starve the pool.
    pub async fn release(&self) -> Result<()> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(tx) = ready {
            tx.commit().await?;
        }
        Ok(())
    }

    /// Writes into the audit log that the caller did this to that record.
    pub async fn audit(
        &self, tx: &TenantTx, restaurant: Option<Uuid>, action: &str, record: impl Into<Uuid>, details: Json,
    ) -> Result<()> {
        let actor = Actor::from(self.caller());
        audit::write(tx, restaurant, &actor, action, Some(record.into()), details).await
    }
}

impl<S: Scope, P> AsRef<Caller> for In<S, P> {
    fn as_ref(&self) -> &Caller {
        &self.caller
    }
}

impl<P> In<Partner, P> {
    /// The person who holds everything of the whole partner, every key in a row of their own; a super admin who helps is
    /// none.
    #[must_use]
    pub fn holder_of_everything(&self) -> Option<Id<Account>> {
        match &self.caller {
            Caller::Person { account, admin: Some(_), support: None, .. }
                if crate::perm::ALL.iter().all(|key| self.may(key)) =>
            {
                Some(*account)
            }
            _ => None,
        }
    }
}

impl<S: Scope<Target = Id<Restaurant>>, P> In<S, P> {
    pub fn restaurant(&self) -> Id<Restaurant> {
        self.target
    }
}

impl<'a, S: Scope, P: Permission> ApiExtractor<'a> for In<S, P> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        let mut marks = vec![interned(format!("{}{}", marker::SCOPE, S::NAME))];
        marks.extend(P::keys().into_iter().map(|key| interned(format!("{}{key}", marker::PERMISSION))));
        marks.extend(P::of_whole_partner().then_some(marker::WHOLE_PARTNER));
        marks.extend(P::feature().map(|feature| interned(format!("{}{feature}", marker::FEATURE))));
        marks.extend(P::api_scope().map(|scope| interned(format!("{}{scope}", marker::API_SCOPE))));
        marks
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self::let_in(request, body).await?)
    }
}

impl<S: Scope, P: Permission> In<S, P> {
    async fn let_in(request: &Request, body: &mut RequestBody) -> Result<Self> {
        let came = Instant::now();
        let app = App::of(request)?.clone();
        let credential = Credential::of(request, &app)?;
        admit_key::<P>(&app, request, &credential).await?;
        let Some((partner, target)) = path_target::<S>(request) else {
            return Err(nowhere::<S>(&app, &credential).await?);
        };
        let restaurant = target.into();
        // The version that is sent to the door is also used to read its answer, even if the cache drops it
        // meanwhile.
        let known = match &credential {
            Credential::Session { account, .. } => app.known_grants(*account, partner),
            Credential::Key(_) => None,
        };
        let entry = entry(&credential, partner, restaurant, known.as_deref())
            .ok_or_else(|| problem(Refusal::Unknown, S::RESTAURANT))?;
        let arrival = Arrival { app: &app, request, credential: &credential, entry: &entry };
        let Admitted { facts, ready, recent, reading } = arrival.ask::<S, P>(body, partner, came).await?;
        let read_only = matches!(&facts, Facts::Session(facts) if facts.read_only);
        let (caller, grants) = read(&app, &credential, partner, facts, known.as_deref())?;
        let ready = arrival.note_support(&caller, read_only, restaurant, ready).await?;
        let ready = arrival.check_permission::<P>(&caller, &grants, ready).await?;
        let ready = arrival.check_switches::<P>(&caller, restaurant, ready).await?;
        Filters::check(request)?;
        if P::api_scope().is_some() {
            kernel::request::refuse_unknown_fields();
        }
        Ok(Self {
            app,
            caller,
            partner,
            target,
            grants,
            entry,
            ready: Mutex::new(ready),
            key_use: calling::noted(request),
            recent,
            _reading: reading,
            permission: PhantomData,
        })
    }
}

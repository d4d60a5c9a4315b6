//! [`In`]: the first argument of handlers below a partner. It authenticates, resolves partner and restaurant,
//! checks the permission, writes both into the document, and begins units of work in the partner's data. See
//! `docs/decisions/api.md#order-of-refusals`.

use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::{Account, Code, Id, Partner, Problem, Restaurant, Result, paging::Filters};
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value as Json;
use tenants::{Entry, Facts, KeyFacts, Refusal, SessionFacts, TenantTx};
use uuid::Uuid;

use crate::{
    api_keys::calling::{self, KeyUse},
    app::{App, KnownGrants},
    audit::{self, Actor},
    caller::Caller,
    credential::Credential,
    grants::Grants,
    perm::Permission,
};

/// Where a permission is asked for; stands for the path's prefix.
pub trait Scope: Send + Sync + 'static {
    /// Its name in `x-scope`.
    const NAME: &'static str;
    /// Whether the path names a restaurant.
    const RESTAURANT: bool;
    /// The ids in the path below the partner.
    type Target: Copy + Send + Sync + Into<Option<Id<Restaurant>>>;
    /// The target of a path with this restaurant; none when the scope needs one and the path has none.
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target>;
}

impl Scope for Restaurant {
    const NAME: &'static str = "restaurant";
    const RESTAURANT: bool = true;
    type Target = Id<Restaurant>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        restaurant
    }
}
impl Scope for Partner {
    const NAME: &'static str = "partner";
    const RESTAURANT: bool = false;
    type Target = Option<Id<Restaurant>>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        Some(restaurant)
    }
}
/// Shops, kiosks and third parties: open to an API key with the scope, or to a signed-in admin of the
/// restaurant.
#[derive(Debug)]
pub enum Public {}
impl Scope for Public {
    const NAME: &'static str = "public";
    const RESTAURANT: bool = true;
    type Target = Id<Restaurant>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        restaurant
    }
}

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
    lately: bool,
    permission: PhantomData<P>,
}

impl<S: Scope, P> In<S, P> {
    /// The partner of the path.
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    /// The caller.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether the caller holds this key too.
    pub fn may(&self, key: &str) -> bool {
        self.grants.has(key)
    }

    /// The state shared by the process.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The restaurant of the path; none in the scope of the partner.
    pub fn place(&self) -> Option<Id<Restaurant>> {
        self.target.into()
    }

    /// Whether the door was not asked for this request, because it has let the same key in within the last
    /// second: only what is as fresh ([`crate::Lately`]) may be answered without a unit of work.
    pub fn is_let_in_lately(&self) -> bool {
        self.lately
    }

    /// The answer comes from a cache: for the limits of an API key it is a tenth of a call.
    pub fn answered_from_cache(&self) {
        self.key_use.iter().for_each(|key_use| key_use.note_cached());
    }

    /// Begins a unit of work in the partner's schema. The caller is checked in the same round trip.
    ///
    /// # Errors
    /// The codes of a closed door; `UNAVAILABLE_SERVER`.
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
    ///
    /// # Errors
    /// What the database says.
    pub async fn release(&self) -> Result<()> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(tx) = ready {
            tx.commit().await?;
        }
        Ok(())
    }

    /// Writes into the audit log that the caller did this to that record.
    ///
    /// # Errors
    /// What the database says.
    pub async fn audit(
        &self,
        tx: &TenantTx,
        restaurant: Option<Uuid>,
        action: &str,
        record: impl Into<Uuid>,
        details: Json,
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

impl<S: Scope<Target = Id<Restaurant>>, P> In<S, P> {
    /// The restaurant of the path.
    pub fn restaurant(&self) -> Id<Restaurant> {
        self.target
    }
}

pub(crate) fn problem(refusal: Refusal, restaurant: bool) -> Problem {
    match refusal {
        Refusal::Session => Problem::new(Code::USER_LOGIN_REQUIRED),
        Refusal::Key => Problem::new(Code::API_KEY_INVALID),
        Refusal::Device => Problem::new(Code::DEVICE_INVALID),
        Refusal::Unknown if restaurant => Problem::new(Code::RESTAURANT_NOT_EXIST),
        Refusal::Unknown => Problem::new(Code::PARTNER_NOT_EXIST),
        Refusal::Support => Problem::new(Code::SUPPORT_ACCESS_REQUIRED),
        Refusal::Suspended => Problem::new(Code::PARTNER_SUSPENDED),
        Refusal::Maintenance => Problem::new(Code::PARTNER_IN_MAINTENANCE).retry_after(30),
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
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self::let_in(request, body).await?)
    }
}

impl<S: Scope, P: Permission> In<S, P> {
    async fn let_in(request: &Request, body: &mut RequestBody) -> Result<Self> {
        let app = App::of(request)?.clone();
        let credential = Credential::of(request, &app)?;
        if let Credential::Key(hash) = &credential {
            if P::api_scope().is_none() {
                return Err(calling::not_for_keys(&app, request, hash).await);
            }
            // Limits are checked first, without a database connection. A caller over its limits costs no
            // connection.
            calling::admit(&app, request, hash).await?;
        }
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
        let let_in = let_in_lately::<P>(&app, request, &credential, &entry);
        let lately = let_in.is_some();
        let (facts, ready) = match let_in {
            Some(facts) => {
                calling::check_page(request, &facts)?;
                (Facts::Key(facts), None)
            }
            None => {
                let asked = app.lately.now(partner);
                let entered = enter::<S>(&app, request, body, &credential, &entry).await?;
                if let Facts::Key(facts) = &entered.0 {
                    app.lately.note(&entry, asked, facts);
                }
                entered
            }
        };
        let read_only = matches!(&facts, Facts::Session(facts) if facts.read_only);
        let (caller, grants) = read(&app, &credential, partner, facts, known.as_deref())?;
        let ready = if caller.kind() == "support" {
            support_step(&app, request, &entry, &caller, restaurant, ready).await?
        } else {
            ready
        };
        if read_only && *request.method() != Method::GET {
            let detail = "the support access is for reading only";
            return Err(Problem::new(Code::SUPPORT_ACCESS_REQUIRED).detail(detail));
        }
        if let Err(problem) = allowed::<P>(&caller, &grants) {
            audit::refusals::refused(&app, request, &entry, &caller, ready).await;
            return Err(problem);
        }
        let mut ready = ready;
        if restaurant.is_some() && caller.surface() == "lct" {
            ready = switch_step(&app, &entry, ("lct", HAS_LCT), restaurant, ready).await?;
        }
        if let Some(feature) = P::feature() {
            ready = switch_step(&app, &entry, (feature, HAS_FEATURE), restaurant, ready).await?;
        }
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
            lately,
            permission: PhantomData,
        })
    }
}

/// Partner and target of a path; none when they are missing or no ids.
fn path_target<S: Scope>(request: &Request) -> Option<(Id<Partner>, S::Target)> {
    let partner = request.raw_path_param("partner_id")?.parse().ok()?;
    let restaurant = request.raw_path_param("restaurant_id").and_then(|id| id.parse().ok());
    Some((partner, S::target(restaurant)?))
}

/// The refusal of a path without a target. A missing session is refused first.
async fn nowhere<S: Scope>(app: &App, credential: &Credential) -> Result<Problem> {
    if let Credential::Session { account, session } = credential
        && app.door.account(*session, *account).await?.is_none()
    {
        return Ok(problem(Refusal::Session, false));
    }
    Ok(problem(Refusal::Unknown, S::RESTAURANT))
}

/// What the door is asked; none for an API key outside restaurants.
fn entry(
    credential: &Credential,
    partner: Id<Partner>,
    restaurant: Option<Id<Restaurant>>,
    known: Option<&KnownGrants>,
) -> Option<Entry> {
    Some(match credential {
        Credential::Session { account, session } => Entry::Session {
            session: *session,
            account: *account,
            partner,
            restaurant,
            known: known.map(|known| known.version),
        },
        Credential::Key(hash) => Entry::Key { hash: hash.clone(), partner, restaurant: restaurant? },
    })
}

/// Reading a menu is answered from memory: where the door has let the key in within the last second, it is not
/// asked again unless the handler begins a unit of work.
const FROM_MEMORY: &str = "menu:read";

fn let_in_lately<P: Permission>(
    app: &App,
    request: &Request,
    credential: &Credential,
    entry: &Entry,
) -> Option<KeyFacts> {
    let from_memory = *request.method() == Method::GET && P::api_scope() == Some(FROM_MEMORY);
    match credential {
        Credential::Key(_) if from_memory => app.lately.let_in(entry),
        _ => None,
    }
}

/// Asks the door. The unit of work begins with the question where nothing slow can come before the handler:
/// the request has no body, or it has a short one of an API key, which is read first.
async fn enter<S: Scope>(
    app: &App,
    request: &Request,
    body: &mut RequestBody,
    credential: &Credential,
    entry: &Entry,
) -> Result<(Facts, Option<TenantTx>)> {
    // A deletion that is confirmed with a typed name has a body too.
    let bodiless = match *request.method() {
        Method::GET => true,
        Method::DELETE => request.header("content-type").is_none(),
        _ => false,
    };
    let at_once = bodiless
        || matches!(credential, Credential::Key(_)) && kernel::body::read_short(request, body).await?;
    let entered = if at_once {
        app.door.begin(entry).await?.map(|(tx, facts)| (facts, Some(tx)))
    } else {
        app.door.look(entry).await?.map(|facts| (facts, None))
    };
    let (facts, ready) = match (entered, credential) {
        (Ok(entered), _) => entered,
        (Err(Refusal::Key), Credential::Key(hash)) => {
            return Err(calling::why_dead(app, request, hash).await);
        }
        (Err(refusal), _) => return Err(problem(refusal, S::RESTAURANT)),
    };
    match (credential, &facts) {
        (Credential::Key(hash), Facts::Key(facts)) => {
            calling::note(app, hash, facts);
            calling::check_page(request, facts)?;
        }
        (Credential::Session { session, .. }, _) => app.note_session(request, *session),
        _ => {}
    }
    Ok((facts, ready))
}

/// Whether a caller with these grants may do what needs the permission.
fn allowed<P: Permission>(caller: &Caller, grants: &Grants) -> Result<()> {
    let (holds, needed) = match caller {
        Caller::Key { .. } => (
            P::api_scope().is_some_and(|scope| grants.has(&format!("api:{scope}"))),
            P::api_scope().into_iter().collect(),
        ),
        Caller::Person { .. } => {
            let keys = P::keys();
            (keys.iter().any(|key| *key == "no_perm_required" || grants.has(key)), keys)
        }
    };
    let problem = Problem::new(Code::USER_PERMISSION_REQUIRED);
    if !holds {
        return Err(problem.with("permission", needed.into()));
    }
    if P::of_whole_partner() && !caller.whole_partner() {
        return Err(problem.detail("this is for admins of the whole partner"));
    }
    Ok(())
}

const HAS_FEATURE: &str = "select 1 from restaurant_facts where id = $1 and $2 = any (features)";
/// What the light client may open; `$2` is its name.
const HAS_LCT: &str = "select 1 from restaurant_facts where id = $1 and lct_enabled and $2 = 'lct'";

/// Calls of what is switched off at the restaurant are refused before the body is read.
async fn switch_step(
    app: &App,
    entry: &Entry,
    (switch, sql): (&'static str, &'static str),
    restaurant: Option<Id<Restaurant>>,
    ready: Option<TenantTx>,
) -> Result<Option<TenantTx>> {
    let (tx, keep) = match ready {
        Some(tx) => (tx, true),
        None => {
            (app.door.begin(entry).await?.map_err(|refusal| problem(refusal, restaurant.is_some()))?.0, false)
        }
    };
    if tx.row(sql, [restaurant.map(Id::uuid).into(), switch.into()]).await?.is_none() {
        return Err(Problem::new(Code::FEATURE_NOT_AVAILABLE).with("feature", switch.into()));
    }
    Ok(keep.then_some(tx))
}

/// Every step of a support access, reads and refused ones too, is a line of the partner's audit log. It is
/// written in its own transaction, so it stays when the step fails.
async fn support_step(
    app: &App,
    request: &Request,
    entry: &Entry,
    caller: &Caller,
    restaurant: Option<Id<Restaurant>>,
    ready: Option<TenantTx>,
) -> Result<Option<TenantTx>> {
    // The begun unit of work gives its connection back: a request that holds two can starve the pool.
    drop(ready);
    let (tx, _) = app.door.begin(entry).await?.map_err(|refusal| problem(refusal, restaurant.is_some()))?;
    // Ids only stand in a path; a query may hold more and is left out.
    let details = serde_json::json!({"method": [null, request.method().as_str()], "path": [null,
        request.uri().path()]});
    audit::write(&tx, restaurant.map(Id::uuid), &Actor::from(caller), "support_step", None, details).await?;
    tx.commit().await?;
    Ok(None)
}

fn evaluated(
    app: &App,
    account: Id<Account>,
    partner: Id<Partner>,
    facts: &SessionFacts,
    keys: Vec<String>,
) -> Arc<Grants> {
    let SessionFacts { version, super_admin, full_target_access, .. } = *facts;
    let whole = full_target_access.then_some("full_target_access");
    let platform = super_admin.then_some("super_admin");
    let grants = Arc::new(app.policy.evaluate(keys.iter().map(String::as_str).chain(whole).chain(platform)));
    app.keep_grants(account, partner, KnownGrants { version, keys, super_admin, grants: grants.clone() });
    grants
}

/// What an account may do at a partner, of which the door has just told everything (an entry that knows no
/// version).
#[must_use]
pub fn grants_at(app: &App, account: Id<Account>, partner: Id<Partner>, facts: &SessionFacts) -> Arc<Grants> {
    let known = app.known_grants(account, partner);
    match known.filter(|known| known.version == facts.version && known.super_admin == facts.super_admin) {
        Some(known) => known.grants.clone(),
        None => evaluated(app, account, partner, facts, facts.permission_keys.clone().unwrap_or_default()),
    }
}

fn read(
    app: &App,
    credential: &Credential,
    partner: Id<Partner>,
    facts: Facts,
    known: Option<&KnownGrants>,
) -> Result<(Caller, Arc<Grants>)> {
    match (credential, facts) {
        (Credential::Session { account, session }, Facts::Session(facts)) => {
            let grants = match (&facts.permission_keys, known) {
                (None, Some(known)) if known.super_admin == facts.super_admin => known.grants.clone(),
                (keys, known) => {
                    let keys =
                        keys.clone().or_else(|| known.map(|known| known.keys.clone())).unwrap_or_default();
                    evaluated(app, *account, partner, &facts, keys)
                }
            };
            let whole_partner = facts.whole_partner();
            let caller = Caller::Person {
                account: *account,
                admin: facts.admin,
                name: facts.name,
                surface: facts.surface,
                session: *session,
                whole_partner,
                support: facts.support,
            };
            Ok((caller, grants))
        }
        (Credential::Key(_), Facts::Key(facts)) => {
            let grants = app.scope_grants(&facts.scopes);
            Ok((
                Caller::Key {
                    id: facts.id,
                    name: facts.name,
                    test: facts.kind == "test",
                    browser: facts.kind == "browser",
                },
                grants,
            ))
        }
        _ => Err(Code::UNKNOWN_ERROR.into()),
    }
}

//! [`In`]: what every handler asks for first. It authenticates, resolves partner and restaurant, checks the
//! permission, puts both into the document, and alone can begin a unit of work.

use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::{Account, Code, Id, Partner, Problem, Restaurant, Result, paging::Filters};
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use tenants::{Entry, Facts, Refusal, SessionFacts, TenantTx};
use uuid::Uuid;

use crate::{
    api_keys::calling::{self, KeyUse},
    app::{App, KnownGrants},
    audit,
    caller::Caller,
    credential::Credential,
    grants::Grants,
    perm::Permission,
    rows::Rows,
};

/// Where a permission is asked for; stands for the path's prefix.
pub trait Scope: Send + Sync + 'static {
    /// Its name in `x-scope`.
    const NAME: &'static str;
    /// Whether the path names a restaurant.
    const RESTAURANT: bool;
}

impl Scope for Restaurant {
    const NAME: &'static str = "restaurant";
    const RESTAURANT: bool = true;
}
impl Scope for Partner {
    const NAME: &'static str = "partner";
    const RESTAURANT: bool = false;
}
/// Shops, kiosks and third parties: open to an API key with the scope, or to a signed-in admin of the
/// restaurant.
#[derive(Debug)]
pub enum Public {}
impl Scope for Public {
    const NAME: &'static str = "public";
    const RESTAURANT: bool = true;
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
pub(crate) fn kept(text: String) -> &'static str {
    static KEPT: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut known = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|one| **one == text) {
        return found;
    }
    let leaked: &'static str = Box::leak(text.into_boxed_str());
    known.push(leaked);
    leaked
}

/// A caller who may act at a place. Only the extractor makes one.
pub struct In<S, P> {
    app: App,
    caller: Caller,
    partner: Id<Partner>,
    restaurant: Option<Id<Restaurant>>,
    grants: Arc<Grants>,
    entry: Entry,
    /// Begun by the extractor when the request has no body: then nothing slow can happen before the handler.
    ready: Mutex<Option<TenantTx>>,
    key_use: Option<Arc<KeyUse>>,
    place: PhantomData<(S, P)>,
}

impl<S, P> In<S, P> {
    /// The partner of the path.
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    /// Who is calling.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether the caller holds this key too.
    pub fn may(&self, key: &str) -> bool {
        self.grants.has(key)
    }

    /// What the process shares.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The restaurant of the path; none in the scope of the partner.
    pub fn place(&self) -> Option<Id<Restaurant>> {
        self.restaurant
    }

    /// The rows of this place in this unit of work.
    pub fn rows<'a>(&'a self, tx: &'a TenantTx) -> Rows<'a> {
        let (app, caller) = (&self.app, &self.caller);
        Rows { tx, app, caller, restaurant: self.restaurant.map(Id::uuid), parent: None }
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
            Err(refusal) => Err(problem(refusal, self.restaurant.is_some())),
        }
    }
}

impl<S, P> AsRef<Caller> for In<S, P> {
    fn as_ref(&self) -> &Caller {
        &self.caller
    }
}

impl<P> In<Restaurant, P> {
    /// The restaurant of the path.
    pub fn restaurant(&self) -> Id<Restaurant> {
        // The extractor always sets it in this scope.
        self.restaurant.unwrap_or_else(|| Id::from_uuid(Uuid::nil()))
    }
}

impl<P> In<Public, P> {
    /// The restaurant of the path.
    pub fn restaurant(&self) -> Id<Restaurant> {
        self.restaurant.unwrap_or_else(|| Id::from_uuid(Uuid::nil()))
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
        let mut marks = vec![kept(format!("{}{}", marker::SCOPE, S::NAME))];
        marks.extend(P::keys().into_iter().map(|key| kept(format!("{}{key}", marker::PERMISSION))));
        marks.extend(P::of_whole_partner().then_some(marker::WHOLE_PARTNER));
        marks.extend(P::feature().map(|feature| kept(format!("{}{feature}", marker::FEATURE))));
        marks.extend(P::api_scope().map(|scope| kept(format!("{}{scope}", marker::API_SCOPE))));
        marks
    }

    async fn from_request(
        request: &'a Request,
        _: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self::let_in(request).await?)
    }
}

impl<S: Scope, P: Permission> In<S, P> {
    async fn let_in(request: &Request) -> Result<Self> {
        let app = App::of(request)?.clone();
        let credential = Credential::of(request, &app)?;
        let unknown = || problem(Refusal::Unknown, S::RESTAURANT);
        let partner = request.raw_path_param("partner_id").and_then(|id| id.parse().ok());
        let restaurant: Option<Id<Restaurant>> =
            request.raw_path_param("restaurant_id").and_then(|id| id.parse().ok());
        let place = partner.filter(|_| restaurant.is_some() || !S::RESTAURANT);
        if let Credential::Key(hash) = &credential {
            if P::api_scope().is_none() {
                return Err(calling::not_for_keys(&app, request, hash).await);
            }
            // Limits come first: no connection is held while they are asked for, and whoever is over them
            // costs none.
            calling::admit(&app, request, hash).await?;
        }
        // What the door is told to be known here is what its answer is read with, whatever is forgotten
        // meanwhile.
        let known = match (&credential, place) {
            (Credential::Session { account, .. }, Some(partner)) => app.known_grants(*account, partner),
            _ => None,
        };
        let entry = match (&credential, place, restaurant) {
            // Whoever has no living session learns that first, even where the path is nonsense.
            (Credential::Session { account, session }, None, _) => {
                app.door
                    .account(*session, *account)
                    .await?
                    .ok_or_else(|| problem(Refusal::Session, false))?;
                return Err(unknown());
            }
            (Credential::Session { account, session }, Some(partner), restaurant) => Entry::Session {
                session: *session,
                account: *account,
                partner,
                restaurant,
                known: known.as_ref().map(|known| known.version),
            },
            (Credential::Key(hash), Some(partner), Some(restaurant)) => {
                Entry::Key { hash: hash.clone(), partner, restaurant }
            }
            (Credential::Key(_), _, _) => return Err(unknown()),
        };
        let entered = if matches!(*request.method(), Method::GET | Method::DELETE) {
            app.door.begin(&entry).await?.map(|(tx, facts)| (facts, Some(tx)))
        } else {
            app.door.look(&entry).await?.map(|facts| (facts, None))
        };
        let (facts, ready) = match (entered, &credential) {
            (Ok(entered), _) => entered,
            (Err(Refusal::Key), Credential::Key(hash)) => {
                return Err(calling::why_dead(&app, request, hash).await);
            }
            (Err(refusal), _) => return Err(problem(refusal, S::RESTAURANT)),
        };
        if let (Credential::Key(hash), Facts::Key(facts)) = (&credential, &facts) {
            calling::check_page(&app, request, hash, facts)?;
        }
        let read_only = matches!(&facts, Facts::Session(facts) if facts.read_only);
        if let (Credential::Session { session, .. }, Facts::Session(facts)) = (&credential, &facts) {
            app.note_session(*session);
            if let Some(restaurant) = restaurant.filter(|_| !facts.kept && !facts.super_admin) {
                app.note_unkept(*session, restaurant);
            }
        }
        let (caller, grants) = read(&app, &credential, partner.unwrap_or_default(), facts, known.as_deref())?;
        let ready = if caller.kind() == "support" {
            support_step(&app, request, &entry, &caller, restaurant, ready).await?
        } else {
            ready
        };
        if read_only && *request.method() != Method::GET {
            return Err(
                Problem::new(Code::SUPPORT_ACCESS_REQUIRED).detail("the support access is for reading only")
            );
        }
        let allowed = match &caller {
            Caller::Key { .. } => P::api_scope().is_some_and(|scope| grants.has(&format!("api:{scope}"))),
            Caller::Person { .. } => {
                P::keys().iter().any(|key| *key == "no_perm_required" || grants.has(key))
            }
        };
        let too_narrow = P::of_whole_partner() && !caller.whole_partner();
        if !allowed || too_narrow {
            audit::refused(&app, request, &entry, &caller, ready).await;
            let problem = Problem::new(Code::USER_PERMISSION_REQUIRED);
            let needed = match &caller {
                Caller::Key { .. } => P::api_scope().into_iter().collect(),
                Caller::Person { .. } => P::keys(),
            };
            return Err(if allowed {
                problem.detail("this is for admins of the whole partner")
            } else {
                problem.with("permission", needed.into())
            });
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
        let partner = partner.ok_or_else(unknown)?;
        Ok(Self {
            app,
            caller,
            partner,
            restaurant,
            grants,
            entry,
            ready: Mutex::new(ready),
            key_use: calling::noted(request),
            place: PhantomData,
        })
    }
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
/// written in a transaction of its own, so that it stays whatever becomes of the step.
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
    audit::write(&tx, restaurant.map(Id::uuid), &caller.into(), "support_step", None, details).await?;
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
            let caller = Caller::Person {
                account: *account,
                admin: facts.admin,
                name: facts.name,
                surface: facts.surface,
                session: *session,
                whole_partner: facts.whole_partner,
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

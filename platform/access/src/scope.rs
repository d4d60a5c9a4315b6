//! [`In`]: what every handler asks for first. It authenticates, resolves partner and restaurant, checks the permission,
//! puts both into the document, and alone can begin a unit of work.

use std::{
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::{Account, Admin, Code, Id, Partner, Problem, Restaurant, Result};
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use tenants::{Entry, Facts, Refusal, TenantTx};
use uuid::Uuid;

use crate::{app::App, credential::Credential, grants::Grants};

/// Keys of which any one is enough; or one of the words `public`, `super_admin`, `no_perm_required`.
pub trait Permission: Send + Sync + 'static {
    /// The keys.
    fn keys() -> Vec<&'static str>;
    /// What an API key needs, where one may call.
    fn api_scope() -> Option<&'static str> {
        None
    }
}

/// Any one of several permissions.
#[derive(Debug)]
pub struct AnyOf<T>(PhantomData<T>);

macro_rules! any_of {
    ($($name:ident)*) => {
        impl<$($name: Permission),*> Permission for AnyOf<($($name,)*)> {
            fn keys() -> Vec<&'static str> { [$($name::keys()),*].concat() }
        }
    };
}
any_of!(A B);
any_of!(A B C);
any_of!(A B C D);

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
/// Shops, kiosks and third parties: open to an API key with the scope, or to a signed-in admin of the restaurant.
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
    /// `x-api-scope`.
    pub const API_SCOPE: &str = "pult:api=";
    /// The operation takes an `Idempotency-Key`.
    pub const IDEMPOTENT: &str = "pult:idempotent";
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

/// Who is calling.
#[derive(Debug, Clone)]
pub enum Caller {
    /// A signed-in person.
    Person {
        /// The account.
        account: Id<Account>,
        /// The admin row at this partner; none for a super admin.
        admin: Option<Id<Admin>>,
        /// The person's name.
        name: String,
        /// Where the session was opened.
        surface: String,
        /// The session.
        session: Uuid,
        /// Whether the admin row is for the whole partner.
        whole_partner: bool,
    },
    /// An API key.
    Key {
        /// Its id.
        id: Uuid,
        /// Its name.
        name: String,
        /// Whether its orders are tests.
        test: bool,
    },
}

impl Caller {
    /// Id of the admin row or the key.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Person { admin, .. } => admin.map(Id::uuid),
            Self::Key { id, .. } => Some(*id),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name, .. } | Self::Key { name, .. } => name,
        }
    }

    /// `admin` or `api_key`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Person { .. } => "admin",
            Self::Key { .. } => "api_key",
        }
    }

    /// The surface of the session; `api` for a key.
    #[must_use]
    pub fn surface(&self) -> &str {
        match self {
            Self::Person { surface, .. } => surface,
            Self::Key { .. } => "api",
        }
    }

    /// To whom an idempotency key belongs.
    #[must_use]
    pub fn owner(&self) -> String {
        match self {
            Self::Person { account, .. } => format!("account:{account}"),
            Self::Key { id, .. } => format!("key:{id}"),
        }
    }
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
        Refusal::Unknown if restaurant => Problem::new(Code::RESTAURANT_NOT_EXIST),
        Refusal::Unknown => Problem::new(Code::PARTNER_NOT_EXIST),
        Refusal::Support => Problem::new(Code::SUPPORT_ACCESS_REQUIRED),
        Refusal::Suspended => Problem::new(Code::PARTNER_SUSPENDED),
        Refusal::Maintenance => Problem::new(Code::PARTNER_IN_MAINTENANCE).retry_after(30),
    }
}

pub(crate) fn app_of(request: &Request) -> Result<&App> {
    request.data::<App>().ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

impl<'a, S: Scope, P: Permission> ApiExtractor<'a> for In<S, P> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        let mut marks = vec![kept(format!("{}{}", marker::SCOPE, S::NAME))];
        marks.extend(P::keys().into_iter().map(|key| kept(format!("{}{key}", marker::PERMISSION))));
        marks.extend(P::api_scope().map(|scope| kept(format!("{}{scope}", marker::API_SCOPE))));
        marks
    }

    async fn from_request(request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>) -> poem::Result<Self> {
        Ok(Self::let_in(request).await?)
    }
}

impl<S: Scope, P: Permission> In<S, P> {
    async fn let_in(request: &Request) -> Result<Self> {
        let app = app_of(request)?.clone();
        let credential = Credential::of(request, &app)?;
        let unknown = || problem(Refusal::Unknown, S::RESTAURANT);
        let partner = request.raw_path_param("partner_id").and_then(|id| id.parse().ok());
        let restaurant: Option<Id<Restaurant>> = request.raw_path_param("restaurant_id").and_then(|id| id.parse().ok());
        let place = partner.filter(|_| restaurant.is_some() || !S::RESTAURANT);
        if let (Credential::Key(hash), None) = (&credential, P::api_scope()) {
            // A living key may not call this; a dead one is not even a caller.
            let rows = app.door.call("select control.key_alive($1) alive", [hash.clone().into()]).await?;
            let alive = rows.first().is_some_and(|row| row.try_get("", "alive").unwrap_or(false));
            return Err(if alive { Code::USER_PERMISSION_REQUIRED } else { Code::API_KEY_INVALID }.into());
        }
        let entry = match (&credential, place, restaurant) {
            // Whoever has no living session learns that first, even where the path is nonsense.
            (Credential::Session { account, session }, None, _) => {
                app.door.account(*session, *account).await?.ok_or_else(|| problem(Refusal::Session, false))?;
                return Err(unknown());
            }
            (Credential::Session { account, session }, Some(partner), restaurant) => Entry::Session {
                session: *session,
                account: *account,
                partner,
                restaurant,
                known: app.known_grants(*account, partner).map(|(version, _)| version),
            },
            (Credential::Key(hash), Some(partner), Some(restaurant)) => Entry::Key { hash: hash.clone(), partner, restaurant },
            (Credential::Key(_), _, _) => return Err(unknown()),
        };
        let (facts, ready) = if matches!(*request.method(), Method::GET | Method::DELETE) {
            match app.door.begin(&entry).await? {
                Ok((tx, facts)) => (facts, Some(tx)),
                Err(refusal) => return Err(problem(refusal, S::RESTAURANT)),
            }
        } else {
            (app.door.look(&entry).await?.map_err(|refusal| problem(refusal, S::RESTAURANT))?, None)
        };
        let (caller, grants) = read(&app, &credential, partner.unwrap_or_default(), facts)?;
        let allowed = match &caller {
            Caller::Key { .. } => P::api_scope().is_some_and(|scope| grants.has(&format!("api:{scope}"))),
            Caller::Person { .. } => P::keys().iter().any(|key| *key == "no_perm_required" || grants.has(key)),
        };
        if !allowed {
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).with("permission", P::keys().into()));
        }
        let partner = partner.ok_or_else(unknown)?;
        Ok(Self { app, caller, partner, restaurant, grants, entry, ready: Mutex::new(ready), place: PhantomData })
    }
}

fn read(app: &App, credential: &Credential, partner: Id<Partner>, facts: Facts) -> Result<(Caller, Arc<Grants>)> {
    match (credential, facts) {
        (Credential::Session { account, session }, Facts::Session(facts)) => {
            let grants = match (facts.permission_keys, app.known_grants(*account, partner)) {
                (None, Some((_, grants))) => grants,
                (keys, _) => {
                    let keys = keys.unwrap_or_default();
                    let whole = facts.full_target_access.then_some("full_target_access");
                    let platform = facts.super_admin.then_some("super_admin");
                    let grants = Arc::new(app.policy.evaluate(keys.iter().map(String::as_str).chain(whole).chain(platform)));
                    app.keep_grants(*account, partner, facts.version, &grants);
                    grants
                }
            };
            let caller = Caller::Person {
                account: *account,
                admin: facts.admin,
                name: facts.name,
                surface: facts.surface,
                session: *session,
                whole_partner: facts.whole_partner,
            };
            Ok((caller, grants))
        }
        (Credential::Key(_), Facts::Key(facts)) => {
            app.note_key(facts.id);
            let scopes: Vec<String> = facts.scopes.iter().map(|scope| format!("scope:{scope}")).collect();
            let grants = Arc::new(app.policy.evaluate(scopes.iter().map(String::as_str)));
            Ok((Caller::Key { id: facts.id, name: facts.name, test: facts.kind == "test" }, grants))
        }
        _ => Err(Code::UNKNOWN_ERROR.into()),
    }
}

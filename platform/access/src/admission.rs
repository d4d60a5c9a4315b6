//! The steps of the extractor [`crate::In`]: arrival the door, reading its answer, checking the permission. See
//! `docs/decisions/api.md#order-of-refusals`.

use std::{sync::Arc, time::Instant};

use kernel::{Account, Code, Id, Partner, Problem, Restaurant, Result};
use poem::{Request, RequestBody, http::Method};
use tenants::{Entry, Facts, KeyFacts, Refusal, SessionFacts, TenantTx};

use crate::{
    api_keys::calling,
    app::{App, KnownGrants},
    audit::{self, Actor},
    caller::Caller,
    credential::Credential,
    grants::Grants,
    perm::Permission,
    places::{Scope, problem},
    read_queue::Turn,
};

/// Partner and target of a path; none when they are missing or no ids.
pub(crate) fn path_target<S: Scope>(request: &Request) -> Option<(Id<Partner>, S::Target)> {
    let partner = request.raw_path_param("partner_id")?.parse().ok()?;
    let restaurant = request.raw_path_param("restaurant_id").and_then(|id| id.parse().ok());
    Some((partner, S::target(restaurant)?))
}

/// The refusal of a path without a target. A missing session is refused first.
pub(crate) async fn nowhere<S: Scope>(app: &App, credential: &Credential) -> Result<Problem> {
    if let Credential::Session { account, session } = credential
        && app.door.account(*session, *account).await?.is_none()
    {
        return Ok(problem(Refusal::Session, false));
    }
    Ok(problem(Refusal::Unknown, S::RESTAURANT))
}

/// What the door is asked; none for an API key outside restaurants.
pub(crate) fn entry(
    credential: &Credential, partner: Id<Partner>, restaurant: Option<Id<Restaurant>>,
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

/// A key may call this at all, and has calls left. Limits come before the database: a caller over its limits costs no
/// connection.
pub(crate) async fn admit_key<P: Permission>(
    app: &App, request: &Request, credential: &Credential,
) -> Result<()> {
    let Credential::Key(hash) = credential else { return Ok(()) };
    if P::api_scope().is_none() {
        return Err(calling::not_for_keys(app, request, hash).await);
    }
    calling::admit(app, request, hash).await
}

/// A caller before the door.
pub(crate) struct Arrival<'a> {
    pub app: &'a App,
    pub request: &'a Request,
    pub credential: &'a Credential,
    pub entry: &'a Entry,
}

/// The door's answer to a caller that was let in.
pub(crate) struct Admitted {
    pub facts: Facts,
    /// The unit of work that began with the question.
    pub ready: Option<TenantTx>,
    /// When the request came, if a key was let in from memory.
    pub recent: Option<Instant>,
    /// The turn to read what others wait for.
    pub reading: Option<Turn>,
}

impl Arrival<'_> {
    /// Whether the caller is alive and sees the place: from memory, or from the door.
    pub async fn ask<S: Scope, P: Permission>(
        &self, body: &mut RequestBody, partner: Id<Partner>, came: Instant,
    ) -> Result<Admitted> {
        let Self { app, request, credential, entry } = *self;
        let (let_in, reading) = if from_memory::<P>(request, credential) {
            admitted_recently(app, entry, came).await?
        } else {
            (None, None)
        };
        if let Some(facts) = let_in {
            calling::check_page(request, &facts)?;
            return Ok(Admitted { facts: Facts::Key(facts), ready: None, recent: Some(came), reading });
        }
        let asked = app.recent.now(partner);
        let (facts, ready) = enter::<S>(app, request, body, credential, entry).await?;
        if let Facts::Key(facts) = &facts {
            app.recent.note(entry, asked, facts);
        }
        Ok(Admitted { facts, ready, recent: None, reading })
    }

    /// A super admin under a support access leaves a line, and writes only where the access may.
    pub async fn note_support(
        &self, caller: &Caller, read_only: bool, restaurant: Option<Id<Restaurant>>,
        mut ready: Option<TenantTx>,
    ) -> Result<Option<TenantTx>> {
        if caller.kind() == "support" {
            ready = support_step(self.app, self.request, self.entry, caller, restaurant, ready).await?;
        }
        if read_only && *self.request.method() != Method::GET {
            let detail = "the support access is for reading only";
            return Err(Problem::new(Code::SUPPORT_ACCESS_REQUIRED).detail(detail));
        }
        Ok(ready)
    }

    /// The permission of the operation. A refusal is noted in the log.
    pub async fn check_permission<P: Permission>(
        &self, caller: &Caller, grants: &Grants, ready: Option<TenantTx>,
    ) -> Result<Option<TenantTx>> {
        match allowed::<P>(caller, grants) {
            Ok(()) => Ok(ready),
            Err(problem) => {
                audit::refusals::refused(self.app, self.request, self.entry, caller, ready).await;
                Err(problem)
            }
        }
    }

    /// The light client and the operation's feature are switched on at the restaurant.
    pub async fn check_switches<P: Permission>(
        &self, caller: &Caller, restaurant: Option<Id<Restaurant>>, mut ready: Option<TenantTx>,
    ) -> Result<Option<TenantTx>> {
        if restaurant.is_some() && caller.surface() == "lct" {
            ready = switch_step(self.app, self.entry, ("lct", HAS_LCT), restaurant, ready).await?;
        }
        if let Some(feature) = P::feature() {
            ready = switch_step(self.app, self.entry, (feature, HAS_FEATURE), restaurant, ready).await?;
        }
        Ok(ready)
    }
}

/// Reading a menu is answered from memory: where the door has let the key in within the last second, it is not
/// asked again unless the handler begins a unit of work.
const FROM_MEMORY: &str = "menu:read";

fn from_memory<P: Permission>(request: &Request, credential: &Credential) -> bool {
    matches!(credential, Credential::Key(_))
        && *request.method() == Method::GET
        && P::api_scope() == Some(FROM_MEMORY)
}

/// What the door said lately. Where it is to be asked again, one does it and those with the same question wait for
/// what it brings: then none and its turn. The request came at `came`.
async fn admitted_recently(
    app: &App, entry: &Entry, came: Instant,
) -> Result<(Option<KeyFacts>, Option<Turn>)> {
    if let Some(facts) = app.recent.let_in(entry, came) {
        return Ok((Some(facts), None));
    }
    let turn = app.recent.read_anew(entry).await?;
    if let Some(facts) = app.recent.let_in(entry, came) {
        return Ok((Some(facts), None));
    }
    if turn.is_some() {
        kernel::request::note_awaited();
    }
    Ok((None, turn))
}

/// Asks the door. The unit of work begins with the question where nothing slow can come before the handler:
/// the request has no body, or it has a short one of an API key, which is read first.
async fn enter<S: Scope>(
    app: &App, request: &Request, body: &mut RequestBody, credential: &Credential, entry: &Entry,
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
        (Credential::Session { session, account }, _) => {
            app.note_session(request, *session);
            if let Entry::Session { partner, .. } = entry {
                app.note_place(request, *account, *partner);
            }
        }
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
    app: &App, entry: &Entry, (switch, sql): (&'static str, &'static str),
    restaurant: Option<Id<Restaurant>>, ready: Option<TenantTx>,
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
    app: &App, request: &Request, entry: &Entry, caller: &Caller, restaurant: Option<Id<Restaurant>>,
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
    app: &App, account: Id<Account>, partner: Id<Partner>, facts: &SessionFacts, keys: Vec<String>,
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

pub(crate) fn read(
    app: &App, credential: &Credential, partner: Id<Partner>, facts: Facts, known: Option<&KnownGrants>,
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

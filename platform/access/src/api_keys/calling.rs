//! A call of an API key: finding the key, checking its origin and limits, counting the outcome. See
//! `docs/decisions/permissions.md#api-keys`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Code, Problem, Result, request, time::Timestamp};
use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue, StatusCode},
};
use sea_orm::FromQueryResult;
use tenants::KeyFacts;
use uuid::Uuid;

use super::{cors, keys::KnownKey, usage::Refused};
use crate::{
    app::App,
    credential::{KEY_PREFIX, client_address, digest},
    limits::{Allowance, Subject, plans},
};

/// What is known of the key of one request. The middleware creates it and uses it to finish the answer.
#[derive(Debug, Default)]
pub struct KeyUse {
    /// SHA-256 of what the request carries as a key.
    hash: Option<Vec<u8>>,
    lookup: Mutex<KeyLookup>,
}

#[derive(Debug, Default)]
struct KeyLookup {
    key: Option<Uuid>,
    /// The page that may read the answer.
    origin: Option<String>,
    allowance: Option<Allowance>,
    spent: Vec<Subject>,
    cached: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const FIND: &str = "select key_id, kind, origins, limit_factor, state from control.find_key($1)";

impl KeyUse {
    #[must_use]
    pub fn of(request: &Request) -> Arc<Self> {
        let bearer = request
            .header("authorization")
            .map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
        let secret =
            bearer.or_else(|| request.header("x-api-key")).filter(|secret| secret.starts_with(KEY_PREFIX));
        Arc::new(Self { hash: secret.map(digest), lookup: Mutex::default() })
    }

    /// The answer came from a cache: it counts a tenth of a call.
    pub(crate) fn note_cached(&self) {
        locked(&self.lookup).cached = true;
    }

    fn note_key(&self, key: &KnownKey, page: Option<&str>) {
        let mut lookup = locked(&self.lookup);
        lookup.key = Some(key.id);
        lookup.origin = page
            .filter(|page| key.kind == "browser" && key.origins.iter().any(|one| one == page))
            .map(str::to_owned);
    }

    /// Dresses the answer (limits, CORS) and notes what became of the call.
    pub fn finish(&self, app: &App, method: &str, path: &str, response: &mut Response) {
        let Some(hash) = &self.hash else { return };
        let KeyLookup { key, origin, allowance, spent, cached } = std::mem::take(&mut *locked(&self.lookup));
        // An unknown address needs no credential, but its caller is still identified.
        let Some(key) = key.or_else(|| locked(&app.keys.known).get(hash).map(|known| known.id)) else {
            return;
        };
        if cached || response.status() == StatusCode::NOT_MODIFIED {
            for subject in &spent {
                app.keys.limits.give_back(subject);
            }
        }
        let mut set = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                response.headers_mut().append(HeaderName::from_static(name), value);
            }
        };
        if let Some(allowance) = allowance {
            set("ratelimit-limit", &allowance.limit.to_string());
            set("ratelimit-remaining", &allowance.remaining.to_string());
            set("ratelimit-reset", &allowance.reset.to_string());
            set("ratelimit-policy", &allowance.policy());
        }
        if let Some(origin) = origin {
            set("access-control-allow-origin", &origin);
            set("access-control-expose-headers", cors::READABLE);
            set("vary", "origin");
        }
        let status = response.status().as_u16();
        let refused = (status >= 400).then(|| {
            let problem = response.data::<Problem>();
            Refused {
                at: Timestamp::now(),
                method: method.to_owned(),
                path: path.to_owned(),
                status,
                code: problem.map(|problem| problem.code_name().into_owned()).unwrap_or_default(),
                detail: problem.map(Problem::reason).unwrap_or_default(),
                request_id: request::id(),
            }
        });
        app.keys.usage.note(key, refused);
    }
}

fn page(request: &Request) -> Option<&str> {
    request.header("origin")
}

fn use_of(request: &Request) -> Option<&Arc<KeyUse>> {
    request.data::<Arc<KeyUse>>()
}

/// The request's own note about its key, for the handler.
pub(crate) fn noted(request: &Request) -> Option<Arc<KeyUse>> {
    use_of(request).cloned()
}

#[derive(FromQueryResult)]
struct CallingKeyRow {
    key_id: Uuid,
    kind: String,
    origins: Vec<String>,
    limit_factor: i32,
    state: String,
}

/// The key of this secret, or the reason why it is not valid.
async fn find(app: &App, request: &Request, hash: &[u8]) -> Result<KnownKey> {
    let rows: Vec<CallingKeyRow> = app.door.all(FIND, [hash.to_vec().into()]).await?;
    let invalid = |detail: &'static str| Problem::new(Code::API_KEY_INVALID).detail(detail);
    let row = rows.into_iter().next().ok_or_else(|| invalid("there is no such key"))?;
    let CallingKeyRow { key_id: id, kind, origins, limit_factor: factor, state } = row;
    let known = KnownKey { id, kind, origins, factor };
    if let Some(noted) = use_of(request) {
        noted.note_key(&known, page(request));
    }
    match state.as_str() {
        "alive" => Ok(known),
        "expired" => Err(invalid("the key has expired")),
        "replaced" => Err(invalid("the key was replaced by a newer one, and the time for both is over")),
        _ => Err(invalid("the key was revoked")),
    }
}

fn keep(app: &App, hash: &[u8], known: KnownKey) -> Arc<KnownKey> {
    let known = Arc::new(known);
    let mut all = locked(&app.keys.known);
    if all.len() >= 10_000 {
        all.clear();
    }
    all.insert(hash.to_vec(), known.clone());
    known
}

/// Before anything else is done for a key: its limits. A key that is over them costs no statement.
pub(crate) async fn admit(app: &App, request: &Request, hash: &[u8]) -> Result<()> {
    let known = locked(&app.keys.known).get(hash).cloned();
    let known = match known {
        Some(known) => known,
        None => keep(app, hash, find(app, request, hash).await?),
    };
    let Some(noted) = use_of(request) else { return Ok(()) };
    noted.note_key(&known, page(request));
    for (subject, plan) in plans(known.id, &known.kind, known.factor, &client_address(request, &app.settings))
    {
        let (allowance, refused) = app.keys.limits.take(&app.door, &subject, &plan).await?;
        let mut lookup = locked(&noted.lookup);
        lookup.allowance = Some(allowance);
        if let Some(refused) = refused {
            return Err(refused);
        }
        lookup.spent.push(subject);
    }
    Ok(())
}

/// The door has let the key in: new facts about it are stored.
pub(crate) fn note(app: &App, hash: &[u8], facts: &KeyFacts) {
    let stale = locked(&app.keys.known)
        .get(hash)
        .is_none_or(|before| before.origins != facts.origins || before.factor != facts.limit_factor);
    if stale {
        keep(app, hash, KnownKey::of(facts));
    }
}

/// A browser key that the door has let in also needs one of its pages.
pub(crate) fn check_page(request: &Request, facts: &KeyFacts) -> Result<()> {
    if let Some(noted) = use_of(request) {
        noted.note_key(&KnownKey::of(facts), page(request));
    }
    let own = page(request).is_some_and(|page| facts.origins.iter().any(|one| one == page));
    if facts.kind == "browser" && !own {
        return Err(Problem::new(Code::FOREIGN_ORIGIN)
            .detail("a browser key is for the pages that it names: their Origin is not in the request"));
    }
    Ok(())
}

/// The door has refused the key: why.
pub(crate) async fn why_dead(app: &App, request: &Request, hash: &[u8]) -> Problem {
    match find(app, request, hash).await {
        Ok(_) => Problem::new(Code::API_KEY_INVALID),
        Err(problem) => problem,
    }
}

/// A living key may not call this; a dead one is not even a caller.
pub(crate) async fn not_for_keys(app: &App, request: &Request, hash: &[u8]) -> Problem {
    match find(app, request, hash).await {
        Ok(_) => {
            Problem::new(Code::USER_PERMISSION_REQUIRED).detail("API keys may only call the public scope")
        }
        Err(problem) => problem,
    }
}

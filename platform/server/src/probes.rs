//! Probes and measurements on a port of their own. See `docs/decisions/reliability.md#probes`.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use access::App;
use migrations::SHAPE;
use poem::{Endpoint, EndpointExt, IntoResponse, Response, Route, get, handler, http::StatusCode, web::Data};

use crate::observe;

/// Whether the service is ready for requests.
#[derive(Clone)]
pub struct Readiness(Arc<State>);

struct State {
    begun: AtomicBool,
    draining: AtomicBool,
    seen: Mutex<Option<(Instant, bool)>>,
    /// One question at a time.
    asking: tokio::sync::Mutex<()>,
    app: App,
}

impl Readiness {
    /// Ready once it has begun, as long as the database answers and fits.
    #[must_use]
    pub fn new(app: App) -> Self {
        Self(Arc::new(State {
            begun: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            seen: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
            app,
        }))
    }

    /// Everything that has to be there before the first request is.
    pub fn begun(&self) {
        self.0.begun.store(true, Ordering::Relaxed);
    }

    /// From now on not ready: the service is about to stop.
    pub fn drain(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the database has been migrated for this release; none when it does not answer.
    pub async fn migrated(&self) -> Option<bool> {
        let asked = self.0.app.door.is_ready(SHAPE.newest_control, SHAPE.newest);
        tokio::time::timeout(Duration::from_secs(1), asked).await.ok()?.ok()
    }

    /// What was seen last.
    #[must_use]
    pub fn last(&self) -> bool {
        let seen = *self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
        self.open() && seen.is_none_or(|(_, ready)| ready)
    }

    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.begun.load(Ordering::Relaxed)
    }

    /// Whether the service is about to stop.
    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    fn open(&self) -> bool {
        self.has_begun() && !self.is_draining()
    }

    fn fresh(&self) -> Option<bool> {
        let seen = *self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.filter(|(at, _)| at.elapsed() < Duration::from_secs(1)).map(|(_, ready)| ready)
    }

    /// Asks the database at most once a second, however many ask us.
    pub(crate) async fn ready(&self) -> bool {
        if !self.open() {
            return false;
        }
        if let Some(ready) = self.fresh() {
            return ready;
        }
        let _one = self.0.asking.lock().await;
        if let Some(ready) = self.fresh() {
            return ready;
        }
        let ready = self.migrated().await == Some(true);
        *self.0.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), ready));
        ready
    }
}

#[handler]
fn livez() -> &'static str {
    "live"
}

fn answer(good: bool, yes: &'static str, no: &'static str) -> (StatusCode, &'static str) {
    if good { (StatusCode::OK, yes) } else { (StatusCode::SERVICE_UNAVAILABLE, no) }
}

#[handler]
async fn readyz(readiness: Data<&Readiness>) -> (StatusCode, &'static str) {
    answer(readiness.ready().await, "ready", "not ready")
}

/// Done with starting. It stays so: what the database does later is no matter of the start.
#[handler]
fn startupz(readiness: Data<&Readiness>) -> (StatusCode, &'static str) {
    answer(readiness.has_begun(), "started", "starting")
}

#[handler]
fn metrics() -> Response {
    observe::text().with_content_type("text/plain; version=0.0.4").into_response()
}

/// `/livez`, `/readyz`, `/startupz`, `/metrics`.
pub fn routes(readiness: Readiness) -> impl Endpoint {
    Route::new()
        .at("/livez", get(livez))
        .at("/readyz", get(readyz))
        .at("/startupz", get(startupz))
        .at("/metrics", get(metrics))
        .data(readiness)
}

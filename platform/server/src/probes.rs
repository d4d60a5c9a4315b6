//! Probes on a port of their own. See `docs/decisions/reliability.md#probes`.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use access::App;
use poem::{Endpoint, EndpointExt, Route, get, handler, http::StatusCode, web::Data};

/// Whether the service is ready for requests.
#[derive(Clone)]
pub struct Readiness {
    draining: Arc<AtomicBool>,
    seen: Arc<Mutex<Option<(Instant, bool)>>>,
    app: App,
}

impl Readiness {
    /// Ready as long as the database answers.
    #[must_use]
    pub fn new(app: App) -> Self {
        Self { draining: Arc::default(), seen: Arc::default(), app }
    }

    /// From now on not ready: the service is about to stop.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Asks the database at most once a second.
    async fn ready(&self) -> bool {
        if self.draining.load(Ordering::Relaxed) {
            return false;
        }
        let seen = self.seen.lock().ok().and_then(|seen| *seen);
        if let Some((at, ready)) = seen
            && at.elapsed() < Duration::from_secs(1)
        {
            return ready;
        }
        let ready =
            matches!(tokio::time::timeout(Duration::from_secs(1), self.app.door.ping()).await, Ok(Ok(())));
        if let Ok(mut seen) = self.seen.lock() {
            *seen = Some((Instant::now(), ready));
        }
        ready
    }
}

#[handler]
fn livez() -> &'static str {
    "live"
}

#[handler]
async fn readyz(readiness: Data<&Readiness>) -> (StatusCode, &'static str) {
    if readiness.ready().await {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    }
}

/// `/livez`, `/readyz`, `/startupz`.
pub fn routes(readiness: Readiness) -> impl Endpoint {
    Route::new()
        .at("/livez", get(livez))
        .at("/readyz", get(readyz))
        .at("/startupz", get(readyz))
        .data(readiness)
}

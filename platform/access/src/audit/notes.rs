//! Refusals of rights, which no handler writes.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Id, Problem};
use poem::Request;
use serde_json::json;
use tenants::{Entry, TenantTx};
use uuid::Uuid;

use super::{Actor, write};
use crate::{app::App, caller::Caller};

/// The same refusal again within this time is no new line: a page that asks every second must not fill the
/// log.
const AGAIN: Duration = Duration::from_secs(600);
/// Refusals that are remembered.
const KNOWN: usize = 10_000;

/// Refusals that were written lately, by session and call.
#[derive(Debug, Default)]
pub(crate) struct Refused(Mutex<HashMap<(Uuid, String), Instant>>);

impl Refused {
    fn is_new(&self, session: Uuid, call: String) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if known.len() >= KNOWN {
            known.retain(|_, at| now.duration_since(*at) < AGAIN);
            if known.len() >= KNOWN {
                known.clear();
            }
        }
        known.insert((session, call), now).is_none_or(|at| now.duration_since(at) >= AGAIN)
    }
}

/// Writes that somebody was refused for want of a permission. The refusal stands whether or not it can be
/// written.
pub(crate) async fn refused(
    app: &App,
    request: &Request,
    entry: &Entry,
    caller: &Caller,
    ready: Option<TenantTx>,
) {
    let (Caller::Person { session, .. }, Entry::Session { restaurant, .. }) = (caller, entry) else { return };
    let call = format!("{} {}", request.method(), request.uri().path());
    if !app.refused.is_new(*session, call.clone()) {
        return;
    }
    let written = async {
        let tx = match ready {
            Some(tx) => tx,
            None => match app.door.begin(entry).await? {
                Ok((tx, _)) => tx,
                Err(_) => return Ok(()),
            },
        };
        let details = json!({"call": [null, call.chars().take(300).collect::<String>()]});
        write(&tx, restaurant.map(Id::uuid), &Actor::from(caller), "permission_refused", None, details)
            .await?;
        tx.commit().await?;
        Ok::<(), Problem>(())
    };
    if let Err(problem) = written.await {
        tracing::warn!(%problem, "a refusal cannot be written to the audit log");
    }
}

//! Lines that no handler writes: sign-ins, and refusals of rights.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::{Account, Id, Partner, Problem, Result, request};
use poem::Request;
use sea_orm::DbErr;
use serde_json::json;
use tenants::{Entry, TenantTx};
use uuid::Uuid;

use super::{Actor, seal, write};
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

/// Writes to the log of every partner where the account is somebody that it has signed in; of this one, when
/// the session reaches no other.
pub(crate) async fn signed_in(
    app: &App,
    account: Id<Account>,
    partner: Option<Id<Partner>>,
    surface: &str,
    address: &str,
) -> Result<(), DbErr> {
    let values =
        [account.into(), partner.map(Id::uuid).into(), surface.into(), address.into(), request::id().into()];
    let rows = app
        .door
        .call("select p::uuid partner from control.audit_sign_in($1, $2, $3, $4, $5) p", values)
        .await?;
    for row in &rows {
        seal::note(Id::from_uuid(row.try_get("", "partner")?));
    }
    Ok(())
}

/// Writes to the platform's log that a password was wrong; for unknown accounts too, so that it takes as
/// long, but without what was typed: it may be anything. The person of an account without a password is
/// mailed a link to set one.
pub(crate) async fn sign_in_failed(
    app: &App,
    account: Option<Id<Account>>,
    email: &str,
    address: &str,
) -> Result<(), DbErr> {
    let values = [
        account.map(Id::uuid).into(),
        if account.is_some() { email } else { "" }.into(),
        request::id().into(),
        json!({"address": [null, address]}).into(),
    ];
    app.door.call("select control.sign_in_failed($1, $2, $3, $4)::text", values).await.map(drop)
}

/// What was written into the logs of these partners is sealed soon.
pub(crate) fn left(partners: &[Uuid]) {
    partners.iter().for_each(|partner| seal::note(Id::from_uuid(*partner)));
}

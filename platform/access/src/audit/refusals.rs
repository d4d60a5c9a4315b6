//! Writes refusals of permissions, which happen before a handler runs.

use kernel::{Id, Problem};
use poem::Request;
use serde_json::json;
use tenants::{Entry, TenantTx};

use super::line::{Actor, write};
use crate::{app::App, caller::Caller};

/// Writes that somebody was refused for want of a permission. The refusal stands whether or not it can be
/// written.
pub(crate) async fn refused(
    app: &App, request: &Request, entry: &Entry, caller: &Caller, ready: Option<TenantTx>,
) {
    let (Caller::Person { session, .. }, Entry::Session { restaurant, .. }) = (caller, entry) else { return };
    let call = format!("{} {}", request.method(), request.uri().path());
    if !app.refusals.is_new(*session, call.clone()) {
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

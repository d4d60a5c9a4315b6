//! Lines of the audit log about sign-ins, which happen outside of a partner's unit of work.

use access::{app::App, audit::note_unsealed};
use kernel::{Account, Id, Partner, request};
use sea_orm::DbErr;
use serde_json::json;

/// Writes to the log of every partner where the account is somebody that it has signed in; of this one, when
/// the session reaches no other.
pub(crate) async fn signed_in(
    app: &App, account: Id<Account>, partner: Option<Id<Partner>>, surface: &str, address: &str,
) -> Result<(), DbErr> {
    let values =
        [account.into(), partner.map(Id::uuid).into(), surface.into(), address.into(), request::id().into()];
    let sql = "select p::uuid from control.audit_sign_in($1, $2, $3, $4, $5) p";
    app.door.values(sql, values).await?.into_iter().for_each(note_unsealed);
    Ok(())
}

/// Writes to the platform's log that a password was wrong; for unknown accounts too, so that it takes as
/// long, but without what was typed: it may be anything. The person of an account without a password is
/// mailed a link to set one.
pub(crate) async fn failed(
    app: &App, account: Option<Id<Account>>, email: &str, address: &str,
) -> Result<(), DbErr> {
    let values = [
        account.map(Id::uuid).into(),
        if account.is_some() { email } else { "" }.into(),
        request::id().into(),
        json!({"address": [null, address]}).into(),
    ];
    app.door.call("select control.sign_in_failed($1, $2, $3, $4)::text", values).await.map(drop)
}

//! The beginning of every change of an admin, and the changes that leave rights as they are.

use kernel::{Code, Id, Problem, Restaurant, Result, ids::ApiKeys};
use serde_json::json;
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    mail,
    rules::{self, Editor, Rights},
    store::{self, Catalogue, Person},
    types::AdminStatus,
};
use crate::api_keys::{self, ApiKey};
use access::{Scope, caller::Caller, domain::PERSON_LEFT, scope::In};

/// The caller as an editor, read under the lock, so rights that were just taken do not count.
pub(super) async fn editor<S: Scope, P>(
    scope: &In<S, P>, tx: &TenantTx, catalogue: &Catalogue,
) -> Result<Editor> {
    let admin = match scope.caller() {
        Caller::Person { admin, .. } => admin.map(Id::uuid),
        Caller::Key { .. } => None,
    };
    let rights = match admin {
        Some(id) => {
            let own = store::find(tx, catalogue, None, id).await?;
            if own.admin.status == AdminStatus::Archived
                || !own.rights.holds("user") && !scope.may("super_admin")
            {
                return Err(Code::USER_PERMISSION_REQUIRED.into());
            }
            own.rights
        }
        None => Rights::default(),
    };
    Ok(Editor { admin, super_admin: scope.may("super_admin"), rights })
}

/// A person who is not archived.
pub(super) async fn live(
    tx: &TenantTx, catalogue: &Catalogue, from: Option<Id<Restaurant>>, id: Uuid,
) -> Result<Person> {
    let person = store::find(tx, catalogue, from, id).await?;
    if person.admin.status == AdminStatus::Archived {
        Err(Problem::not_exist::<kernel::Admin>())
    } else {
        Ok(person)
    }
}

/// Refuses to take full access from the last person of the partner who has it.
/// Errors: `USER_DELETE_NOT_ALLOWED`.
pub(super) async fn keep_full_access(tx: &TenantTx, id: Uuid) -> Result<()> {
    if store::is_last_full(tx, id).await? {
        return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED)
            .detail("somebody has to keep full access to the partner"));
    }
    Ok(())
}

/// Ends what outlives the sessions of a person who is out.
pub(super) async fn left(tx: &TenantTx, id: Uuid) -> Result<()> {
    work::enqueue(tx, PERSON_LEFT, Some(&id.to_string()), json!({ "admin_id": id }), None).await
}

/// Actions on an admin besides changing the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdminAction {
    Archive,
    Invite,
    Unlock,
    EndSessions,
}

/// The live keys that a person has made, for whoever may archive the person.
pub(super) async fn keys<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, id: Id<kernel::Admin>,
) -> Result<Vec<ApiKey>> {
    let tx = scope.begin().await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let Person { admin, rights, .. } = live(&tx, &catalogue, from, id.uuid()).await?;
    rules::may_touch(&editor, id.uuid(), admin.super_admin)?;
    rules::may_impersonate(&editor, &rights)?;
    keys_in_reach(&tx, &editor, id.uuid()).await
}

async fn keys_in_reach(tx: &TenantTx, editor: &Editor, id: Uuid) -> Result<Vec<ApiKey>> {
    let own: Vec<Uuid> = editor.rights.restaurants.iter().copied().collect();
    let everywhere = editor.super_admin || editor.rights.whole_partner;
    api_keys::made_by(tx, id, (!everywhere).then_some(own.as_slice())).await
}

/// Archives a person, of whose keys these are revoked, sends the invitation again, forgets wrong attempts, or
/// ends the sessions.
pub(super) async fn act<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, id: Id<kernel::Admin>, action: AdminAction,
    revoke: &[Id<ApiKeys>],
) -> Result<()> {
    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let Person { mut admin, rights, accepted } = live(&tx, &catalogue, from, id.uuid()).await?;
    if action == AdminAction::Archive && editor.admin == Some(id.uuid()) {
        return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED).detail("nobody removes the own row"));
    }
    rules::may_touch(&editor, id.uuid(), admin.super_admin)?;
    rules::may_impersonate(&editor, &rights)?;
    let action = match action {
        AdminAction::Archive => {
            if accepted && rights.full && rights.whole_partner {
                keep_full_access(&tx, id.uuid()).await?;
            }
            let made = keys_in_reach(&tx, &editor, id.uuid()).await?;
            api_keys::revoke_made(scope, &tx, &made, revoke).await?;
            store::archive(&tx, id.uuid()).await?;
            left(&tx, id.uuid()).await?;
            admin.status = AdminStatus::Archived;
            store::copy_to_staff(&tx, &admin).await?;
            "admins_delete"
        }
        AdminAction::Invite => {
            mail::take_room(&tx, id.uuid()).await?;
            mail::invite(&tx, id.uuid()).await?;
            "admins_invite"
        }
        AdminAction::Unlock => {
            store::unlock(&tx, id.uuid()).await?;
            "admins_unlock"
        }
        AdminAction::EndSessions => {
            store::end_sessions(&tx, id.uuid()).await?;
            "admins_sign_out"
        }
    };
    scope.audit(&tx, from.map(Id::uuid), action, id, json!({})).await?;
    tx.commit().await?;
    Ok(())
}

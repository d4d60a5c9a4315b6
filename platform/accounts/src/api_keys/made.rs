//! The keys whose secret a person has seen: those that they made or rotated. They belong to the partner and go
//! on when the person leaves, unless somebody revokes them.

use access::{audit, prelude::*};
use kernel::ids::ApiKeys;
use serde_json::json;
use uuid::Uuid;

use super::{
    store::{self, KeyFilter},
    types::ApiKey,
};

/// The live keys that this person has made or rotated, as far as all their restaurants are among these (none:
/// all of the partner).
pub(crate) async fn made_by(tx: &TenantTx, admin: Uuid, within: Option<&[Uuid]>) -> Result<Vec<ApiKey>> {
    let mut keys = store::all(tx, None, KeyFilter::Live).await?;
    let ids: Vec<Uuid> = keys.iter().map(|key| key.id.uuid()).collect();
    // The log says it also of those made by earlier releases.
    let actions = ["api_keys_create", "api_keys_rotate"];
    let seen = audit::records_of(tx, ids, admin, &actions).await?;
    keys.retain(|key| {
        let here =
            within.is_none_or(|within| key.restaurant_ids.iter().all(|id| within.contains(&id.uuid())));
        here && seen.contains(&key.id.uuid())
    });
    Ok(keys)
}

/// Ends some of these keys, each with its line in the log.
/// Errors: `VALIDATION_FAILED` at `revoke_keys` for one that is not among them.
pub(crate) async fn revoke_made<S: Scope, P>(
    scope: &In<S, P>, tx: &TenantTx, made: &[ApiKey], revoke: &[Id<ApiKeys>],
) -> Result<()> {
    let is_made = |id: &Id<ApiKeys>| made.iter().any(|key| key.id == *id);
    let unknown = revoke.iter().enumerate().filter(|(_, id)| !is_made(id));
    Problem::new(Code::VALIDATION_FAILED)
        .keys(unknown.map(|(at, _)| (format!("revoke_keys.{at}"), Fault::NotExist)))
        .if_any()?;
    for key in made.iter().filter(|key| revoke.contains(&key.id)) {
        store::revoke(tx, key.id).await?;
        let details = json!({"name": [key.name, null], "prefix": [key.prefix, null]});
        let restaurant = match key.restaurant_ids.as_slice() {
            [one] => Some(one.uuid()),
            _ => None,
        };
        scope.audit(tx, restaurant, "api_keys_delete", key.id, details).await?;
    }
    Ok(())
}

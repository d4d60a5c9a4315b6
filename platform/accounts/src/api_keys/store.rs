//! Queries about keys in `control`. The partner is that of the unit of work.

use kernel::ids::ApiKeys;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::types::{ApiKey, ApiKeyKind, ApiKeyUsage, plain};
use access::prelude::*;

const LIST: &str = "select id, name, kind, prefix, scopes, restaurant_ids, origins, created_at, \
    last_used_at, expires_at, rotated_until, revoked_at, limit_factor, version \
                    from control.api_keys($1, $2, $3)";

#[derive(FromQueryResult)]
struct ApiKeyRow {
    id: Id<ApiKeys>,
    name: String,
    kind: String,
    prefix: String,
    scopes: Vec<String>,
    restaurant_ids: Vec<Uuid>,
    origins: Vec<String>,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    rotated_until: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    limit_factor: i32,
    version: i64,
}

impl From<ApiKeyRow> for ApiKey {
    fn from(row: ApiKeyRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            kind: ApiKeyKind::parse(&row.kind),
            api_key: format!("{}…", row.prefix),
            prefix: row.prefix,
            scopes: row.scopes,
            restaurant_ids: row.restaurant_ids.into_iter().map(Id::from_uuid).collect(),
            origins: row.origins,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            rotated_until: row.rotated_until,
            revoked_at: row.revoked_at,
            limit_factor: row.limit_factor,
            version: row.version,
        }
    }
}

/// Which keys a query finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyFilter {
    Live,
    WithRevoked,
}

impl From<KeyFilter> for sea_orm::Value {
    fn from(found: KeyFilter) -> Self {
        (found == KeyFilter::WithRevoked).into()
    }
}

/// The keys of a restaurant; of the whole partner when none is named. Live ones go first.
pub(super) async fn all(
    tx: &TenantTx, restaurant: Option<Id<Restaurant>>, found: KeyFilter,
) -> Result<Vec<ApiKey>> {
    let values = [restaurant.map(Id::uuid).into(), None::<Uuid>.into(), found.into()];
    let rows: Vec<ApiKeyRow> = tx.all(LIST, values).await?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

pub(super) async fn find(
    tx: &TenantTx, restaurant: Option<Id<Restaurant>>, id: Id<ApiKeys>, found: KeyFilter,
) -> Result<ApiKey> {
    let values = [restaurant.map(Id::uuid).into(), Some(id.uuid()).into(), found.into()];
    let row: Option<ApiKeyRow> = tx.one(LIST, values).await?;
    row.map(ApiKey::from).ok_or_else(Problem::not_exist::<ApiKeys>)
}

/// Of these restaurants those that the partner does not have.
pub(super) async fn foreign(tx: &TenantTx, restaurants: &[Id<Restaurant>]) -> Result<Vec<Uuid>> {
    Ok(tx
        .values("select f::uuid id from control.foreign_restaurants($1) f", [plain(restaurants).into()])
        .await?)
}

pub(super) async fn create(tx: &TenantTx, key: &ApiKey, hash: Vec<u8>) -> Result<()> {
    let values = [
        key.id.into(),
        plain(&key.restaurant_ids).into(),
        key.name.clone().into(),
        key.kind.name().into(),
        key.prefix.clone().into(),
        hash.into(),
        key.scopes.clone().into(),
        key.origins.clone().into(),
        key.expires_at.into(),
    ];
    tx.run("select control.create_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9)", values).await?;
    Ok(())
}

/// Writes what of a key can change; its new version, none when somebody else was faster.
pub(super) async fn change(tx: &TenantTx, key: &ApiKey) -> Result<Option<i64>> {
    let values = [
        key.id.into(),
        key.version.into(),
        key.name.clone().into(),
        key.origins.clone().into(),
        key.expires_at.into(),
    ];
    Ok(tx.value("select control.change_api_key($1, $2, $3, $4, $5) version", values).await?.flatten())
}

pub(super) async fn revoke(tx: &TenantTx, id: Id<ApiKeys>) -> Result<()> {
    tx.run("select control.revoke_api_key($1)", [id.into()]).await?;
    Ok(())
}

/// Gives a key another secret; the one so far stays good for the overlap, in hours.
pub(super) async fn rotate(
    tx: &TenantTx, id: Id<ApiKeys>, prefix: &str, hash: Vec<u8>, overlap: i32,
) -> Result<()> {
    tx.run(
        "select control.rotate_api_key($1, $2, $3, $4)",
        [id.into(), prefix.into(), hash.into(), overlap.into()],
    )
    .await?;
    Ok(())
}

/// What became of the calls of a key.
pub(super) async fn usage(tx: &TenantTx, key: ApiKey) -> Result<ApiKeyUsage> {
    let ApiKey { id, name, revoked_at, .. } = key;
    let refusals =
        "select at, method, path, status, code, detail, request_id from control.api_key_refusals($1)";
    Ok(ApiKeyUsage {
        name,
        revoked_at,
        days: tx.all("select day, calls, errors from control.api_key_days($1)", [id.into()]).await?,
        refusals: tx.all(refusals, [id.into()]).await?,
    })
}

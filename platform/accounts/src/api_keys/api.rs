//! Operations on the keys of a restaurant, and the steps that they share with operations on the keys of a partner.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::ids::ApiKeys;
use poem_openapi::types::ToJSON;
use rand::RngCore;
use serde_json::{Value, json};

use super::{
    rules,
    store::{self, KeyFilter},
    types::{ApiKey, ApiKeyChange, ApiKeyKind, ApiKeyRotation, ApiKeyUsage, ApiScope, NewApiKey},
};
use access::{
    audit::difference,
    credential::{KEY_PREFIX, digest},
    prelude::*,
};

pub(crate) struct ApiKeysApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/api-keys",
    tag = "Tag::Access"
)]
impl ApiKeysApi {
    /// The restaurant's API keys, masked.
    #[oai(path = "/", method = "get", operation_id = "api_keys_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::SystemGeneral>,
        /// Also the keys that were revoked; only live ones when absent.
        with_revoked: QueryParam<bool>,
    ) -> Result<Page<ApiKey>> {
        list(&scope, with_revoked.0).await
    }

    /// Creates a key. The answer is the only place where the whole key stands.
    #[oai(path = "/", method = "post", operation_id = "api_keys_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::SystemGeneral>, body: Body<NewApiKey>,
    ) -> Result<Created<ApiKey>> {
        let NewApiKey { name, kind, scopes, origins, expires_at } = body.into_inner();
        let restaurants = vec![scope.restaurant()];
        create(
            &scope,
            KeyDraft { name, kind, scopes, restaurants, origins: origins.unwrap_or_default(), expires_at },
        )
        .await
    }

    /// Changes a key's name, origins or expiry.
    ///
    /// codes: API_KEY_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "api_keys_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>, body: Body<ApiKeyChange>,
    ) -> Result<Json<ApiKey>> {
        update(&scope, *id, body.into_inner()).await
    }

    /// Revokes a key: it is dead from the next request on every instance.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "api_keys_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>,
    ) -> Result<Done> {
        delete(&scope, *id).await
    }

    /// Gives a key another secret.
    ///
    /// The secret so far stays good for `overlap_hours`, so that the third party can replace it without a
    /// gap. Rotating again ends it at once. The answer is the only place where the new one stands.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id/rotate", method = "post", operation_id = "api_keys_rotate")]
    async fn rotate(
        &self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>, body: Body<ApiKeyRotation>,
    ) -> Result<Json<ApiKey>> {
        rotate(&scope, *id, body.overlap_hours).await
    }

    /// What became of a key's calls, at most ten seconds late.
    ///
    /// Revoked keys have it too. With it the third party's developer finds out why a call fails: each refusal
    /// has its code and `request_id`.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id/usage", method = "get", operation_id = "api_keys_usage")]
    async fn usage(
        &self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>,
    ) -> Result<Json<ApiKeyUsage>> {
        usage(&scope, *id).await
    }
}

/// A key to be made.
pub(super) struct KeyDraft {
    pub name: String,
    pub kind: Option<ApiKeyKind>,
    pub scopes: Option<Vec<ApiScope>>,
    pub restaurants: Vec<Id<Restaurant>>,
    pub origins: Vec<String>,
    pub expires_at: Option<Timestamp>,
}

/// A secret of 192 random bits, and the part of it that stays visible.
fn secret() -> (String, String) {
    let mut random = [0_u8; 24];
    rand::rng().fill_bytes(&mut random);
    let secret = format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
    let prefix = secret.chars().take(9).collect();
    (secret, prefix)
}

/// What the audit log says of a key: never its secret.
fn audited(key: &ApiKey) -> Value {
    json!({
        "name": key.name, "kind": key.kind.name(), "prefix": key.prefix, "scopes": key.scopes,
        "restaurant_ids": key.restaurant_ids,
        "origins": key.origins, "expires_at": key.expires_at.to_json(),
    })
}

pub(super) async fn list<S: Scope, P>(scope: &In<S, P>, with_revoked: Option<bool>) -> Result<Page<ApiKey>> {
    let found = if with_revoked == Some(true) { KeyFilter::WithRevoked } else { KeyFilter::Live };
    let tx = scope.begin().await?;
    Ok(Page::unpaged(store::all(&tx, scope.place(), found).await?))
}

pub(super) async fn create<S: Scope, P>(scope: &In<S, P>, wanted: KeyDraft) -> Result<Created<ApiKey>> {
    let mut faults = Vec::new();
    let name = rules::name(&wanted.name, &mut faults);
    let kind = wanted.kind.unwrap_or(ApiKeyKind::Secret);
    let scopes = rules::scopes(kind, wanted.scopes, &mut faults);
    let origins = rules::origins(kind, &wanted.origins, &mut faults);
    rules::expiry(wanted.expires_at, Timestamp::now(), &mut faults);
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let (secret, prefix) = secret();
    let key = ApiKey {
        id: Id::new(),
        name,
        kind,
        prefix,
        scopes: scopes.into_iter().map(|scope| scope.name().to_owned()).collect(),
        restaurant_ids: wanted.restaurants,
        origins,
        api_key: secret,
        created_at: Timestamp::now(),
        last_used_at: None,
        expires_at: wanted.expires_at,
        rotated_until: None,
        revoked_at: None,
        limit_factor: 1,
        version: 1,
    };
    let tx = scope.begin().await?;
    let foreign = store::foreign(&tx, &key.restaurant_ids).await?;
    let foreign = key.restaurant_ids.iter().enumerate().filter(|(_, id)| foreign.contains(&id.uuid()));
    Problem::new(Code::VALIDATION_FAILED)
        .keys(foreign.map(|(at, _)| (format!("restaurant_ids.{at}"), Fault::NotExist)))
        .if_any()?;
    store::create(&tx, &key, digest(&key.api_key)).await?;
    audit(scope, &tx, "api_keys_create", key.id, difference(&json!({}), &audited(&key))).await?;
    tx.commit().await?;
    Ok(Created(key))
}

pub(super) async fn update<S: Scope, P>(
    scope: &In<S, P>, id: Id<ApiKeys>, change: ApiKeyChange,
) -> Result<Json<ApiKey>> {
    let ApiKeyChange { name, origins, expires_at, version } = change;
    let tx = scope.begin().await?;
    let mut key = changeable(scope, &tx, id).await?;
    let logged = rows::Logged::of(id);
    rows::check_version(&tx, version, key.version, &key, logged).await?;
    let before = audited(&key);
    let mut faults = Vec::new();
    if let Some(name) = name {
        key.name = rules::name(&name, &mut faults);
    }
    if let Some(origins) = origins {
        key.origins = rules::origins(key.kind, &origins, &mut faults);
    }
    if !expires_at.is_undefined() {
        key.expires_at = expires_at.or(None);
        rules::expiry(key.expires_at, Timestamp::now(), &mut faults);
    }
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let Some(saved) = store::change(&tx, &key).await? else {
        let now = changeable(scope, &tx, id).await?;
        return Err(rows::conflict(&tx, &now, logged).await?);
    };
    key.version = saved;
    audit(scope, &tx, "api_keys_update", id, difference(&before, &audited(&key))).await?;
    tx.commit().await?;
    Ok(Json(key))
}

pub(super) async fn delete<S: Scope, P>(scope: &In<S, P>, id: Id<ApiKeys>) -> Result<Done> {
    let tx = scope.begin().await?;
    let key = changeable(scope, &tx, id).await?;
    store::revoke(&tx, id).await?;
    audit(scope, &tx, "api_keys_delete", id, json!({"name": [key.name, null], "prefix": [key.prefix, null]}))
        .await?;
    tx.commit().await?;
    Ok(Done)
}

pub(super) async fn rotate<S: Scope, P>(
    scope: &In<S, P>, id: Id<ApiKeys>, overlap: i32,
) -> Result<Json<ApiKey>> {
    let tx = scope.begin().await?;
    let before = changeable(scope, &tx, id).await?;
    let (secret, prefix) = secret();
    store::rotate(&tx, id, &prefix, digest(&secret), overlap).await?;
    audit(
        scope,
        &tx,
        "api_keys_rotate",
        id,
        json!({"prefix": [before.prefix, prefix], "overlap_hours": [null, overlap]}),
    )
    .await?;
    let mut key = store::find(&tx, scope.place(), id, KeyFilter::Live).await?;
    tx.commit().await?;
    key.api_key = secret;
    Ok(Json(key))
}

pub(super) async fn usage<S: Scope, P>(scope: &In<S, P>, id: Id<ApiKeys>) -> Result<Json<ApiKeyUsage>> {
    let tx = scope.begin().await?;
    let key = store::find(&tx, scope.place(), id, KeyFilter::WithRevoked).await?;
    Ok(Json(store::usage(&tx, key).await?))
}

/// The key, when the caller may change it: one that other restaurants use too belongs to admins of the whole
/// partner.
async fn changeable<S: Scope, P>(scope: &In<S, P>, tx: &TenantTx, id: Id<ApiKeys>) -> Result<ApiKey> {
    let key = store::find(tx, scope.place(), id, KeyFilter::Live).await?;
    if key.restaurant_ids.len() > 1 && !scope.caller().whole_partner() {
        let detail = "a key of several restaurants is changed by an admin of the whole partner";
        return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).detail(detail));
    }
    Ok(key)
}

async fn audit<S: Scope, P>(
    scope: &In<S, P>, tx: &TenantTx, action: &str, id: Id<ApiKeys>, details: Value,
) -> Result<()> {
    scope.audit(tx, scope.place().map(Id::uuid), action, id, details).await
}

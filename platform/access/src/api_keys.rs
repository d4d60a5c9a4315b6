//! API keys: shown once, kept as a hash with a visible prefix (decisions §4; security 19, D5).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rand::RngCore;
use sea_orm::QueryResult;
use serde_json::json;

use crate::{
    credential::{KEY_PREFIX, digest},
    perm::API_SCOPES,
    prelude::*,
};

pub(crate) struct ApiKeys;

impl Resource for ApiKeys {
    const NAME: &'static str = "api_keys";
    const ENTITY: &'static str = "API_KEY";
}

/// A key with which a third party calls the public scope.
#[derive(Debug, Object)]
struct ApiKey {
    id: Id<ApiKeys>,
    name: String,
    /// `secret`: from server to server.
    kind: String,
    /// The first characters, by which the key is recognised.
    prefix: String,
    /// What the key may do.
    scopes: Vec<String>,
    /// The whole key in the answer that creates it; masked ever after.
    api_key: String,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    archived_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
struct NewApiKey {
    #[oai(validator(max_length = 100))]
    name: String,
    /// What the key may do; everything a key can when absent.
    #[oai(validator(min_items = 1, max_items = 20, unique_items))]
    scopes: Option<Vec<ApiScope>>,
}

#[derive(Debug, Object)]
struct ApiKeyChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    name: Option<String>,
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
enum ApiScope {
    /// Reading the menu.
    #[oai(rename = "menu:read")]
    MenuRead,
    /// Asking for quotes and sending orders.
    #[oai(rename = "orders:write")]
    OrdersWrite,
    /// Reading the orders that the key has sent.
    #[oai(rename = "orders:read")]
    OrdersRead,
}

impl ApiScope {
    const fn name(self) -> &'static str {
        match self {
            Self::MenuRead => "menu:read",
            Self::OrdersWrite => "orders:write",
            Self::OrdersRead => "orders:read",
        }
    }
}

fn masked(prefix: &str) -> String {
    format!("{prefix}…")
}

fn read(row: &QueryResult) -> Result<ApiKey> {
    let prefix: String = row.try_get("", "prefix")?;
    Ok(ApiKey {
        id: row.try_get("", "id")?,
        name: row.try_get("", "name")?,
        kind: row.try_get("", "kind")?,
        api_key: masked(&prefix),
        prefix,
        scopes: row.try_get("", "scopes")?,
        created_at: row.try_get("", "created_at")?,
        last_used_at: row.try_get("", "last_used_at")?,
        archived_at: row.try_get("", "archived_at")?,
    })
}

async fn all(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<ApiKey>> {
    tx.rows("select * from control.api_keys($1)", [restaurant.uuid().into()]).await?.iter().map(read).collect()
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/api-keys", tag = "Tag::Access")]
impl ApiKeys {
    /// The restaurant's API keys, masked.
    #[oai(path = "/", method = "get", operation_id = "api_keys_list")]
    async fn list(&self, scope: In<Restaurant, perm::SystemGeneral>) -> Result<Page<ApiKey>> {
        let tx = scope.begin().await?;
        Ok(Page::whole(all(&tx, scope.restaurant()).await?))
    }

    /// Creates a key. The answer is the only place where the whole key stands.
    #[oai(path = "/", method = "post", operation_id = "api_keys_create")]
    async fn create(&self, scope: In<Restaurant, perm::SystemGeneral>, body: Body<NewApiKey>) -> Result<Created<ApiKey>> {
        let NewApiKey { name, scopes } = body.into_inner();
        let scopes = scopes.map_or_else(|| API_SCOPES.to_vec(), |scopes| scopes.into_iter().map(ApiScope::name).collect());
        let mut random = [0_u8; 24];
        rand::rng().fill_bytes(&mut random);
        let secret = format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
        let key = ApiKey {
            id: Id::new(),
            name: name.trim().to_owned(),
            kind: "secret".to_owned(),
            prefix: secret.chars().take(9).collect(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            api_key: secret,
            created_at: Timestamp::now(),
            last_used_at: None,
            archived_at: None,
        };
        let tx = scope.begin().await?;
        let values = [
            key.id.into(),
            scope.restaurant().into(),
            key.name.clone().into(),
            key.kind.clone().into(),
            key.prefix.clone().into(),
            digest(&key.api_key).into(),
            key.scopes.clone().into(),
        ];
        tx.run("select control.create_api_key($1, $2, $3, $4, $5, $6, $7)", values).await?;
        let details = json!({"name": key.name, "prefix": key.prefix, "scopes": key.scopes});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "api_keys_create", key.id, details).await?;
        tx.commit().await?;
        Ok(Created(key))
    }

    /// Renames a key.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id", method = "put", operation_id = "api_keys_update")]
    async fn update(&self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>, body: Body<ApiKeyChange>) -> Result<Json<ApiKey>> {
        let ApiKeyChange { name } = body.into_inner();
        let tx = scope.begin().await?;
        change(&tx, scope.restaurant(), *id, name.as_deref(), false).await?;
        scope.audit(&tx, Some(scope.restaurant().uuid()), "api_keys_update", *id, json!({ "name": name })).await?;
        let key = all(&tx, scope.restaurant()).await?.into_iter().find(|key| key.id == *id);
        tx.commit().await?;
        Ok(Json(key.ok_or_else(Problem::not_exist::<ApiKeys>)?))
    }

    /// Revokes a key: it is dead from the next request on every instance.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "api_keys_delete")]
    async fn delete(&self, scope: In<Restaurant, perm::SystemGeneral>, id: Path<Id<ApiKeys>>) -> Result<Done> {
        let tx = scope.begin().await?;
        change(&tx, scope.restaurant(), *id, None, true).await?;
        scope.audit(&tx, Some(scope.restaurant().uuid()), "api_keys_delete", *id, json!({})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

async fn change(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<ApiKeys>, name: Option<&str>, archive: bool) -> Result<()> {
    let values = [id.into(), restaurant.into(), name.map(str::to_owned).into(), archive.into()];
    let row = tx.row("select control.change_api_key($1, $2, $3, $4) found", values).await?;
    let found = row.is_some_and(|row| row.try_get("", "found").unwrap_or(false));
    if found { Ok(()) } else { Err(Problem::not_exist::<ApiKeys>()) }
}

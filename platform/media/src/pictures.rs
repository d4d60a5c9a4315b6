//! Pictures as other resources show them: a media id becomes the addresses of its three sizes.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{Partner, ids::Images};
use object_storage::public_prefix;
use sea_orm::FromQueryResult;
use serde::Serialize;
use serde_json::json;
use url::Url;
use uuid::Uuid;

/// The largest picture of the menu, in bytes.
pub const LARGEST: u64 = 15_000_000;
/// The largest picture elsewhere, in bytes.
pub const USUAL: u64 = 10_000_000;

/// The sizes of a picture, smallest first, with the longest side of each in pixels. A smaller picture is not
/// enlarged.
pub const SIZES: [(&str, u32); 3] = [("small", 320), ("medium", 960), ("original", 2048)];

/// Addresses of a picture. They never change and can be kept for ever; a picture that is replaced gets
/// others.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize)]
pub struct Picture {
    /// At most 2048 pixels wide and high.
    pub original: String,
    /// At most 960.
    pub medium: String,
    /// At most 320.
    pub small: String,
}

/// Where one size lies in the bucket.
pub(crate) fn key(partner: Id<Partner>, token: &str, size: &str) -> String {
    format!("{}{token}/{size}.webp", public_prefix(partner))
}

impl Picture {
    pub(crate) fn new(base: &Url, partner: Id<Partner>, token: &str) -> Self {
        let [small, medium, original] = SIZES.map(|(size, _)| {
            format!("{}/{}", base.as_str().trim_end_matches('/'), key(partner, token, size))
        });
        Self { original, medium, small }
    }
}

#[derive(FromQueryResult)]
struct TokenRow {
    id: Uuid,
    token: String,
}

/// The addresses of these pictures by their ids; a picture that was removed has none.
pub async fn pictures(
    tx: &TenantTx, base: &Url, ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, Picture>> {
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select id, token from media where id = any ($1) and archived_at is null";
    let rows: Vec<TokenRow> = tx.all(sql, [ids.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.id, Picture::new(base, tx.partner(), &row.token))).collect())
}

/// What is wrong with a picture that a body names: it is none of this restaurant. It stays until the
/// transaction ends.
pub async fn missing(
    tx: &TenantTx, restaurant: Id<Restaurant>, key: &str, id: Option<Id<Images>>,
) -> Result<Option<(String, Fault)>> {
    let Some(id) = id else { return Ok(None) };
    let sql = "select 1 from media where id = $1 and restaurant_id = $2 and archived_at is null for share";
    let known = tx.row(sql, [id.uuid().into(), restaurant.uuid().into()]).await?;
    Ok(known.is_none().then(|| (key.to_owned(), Fault::NotExist)))
}

/// The data of a picture whose objects are in the store.
#[derive(Debug)]
pub(crate) struct StoredPicture {
    /// Part of its addresses.
    pub token: String,
    /// SHA-256 of the upload.
    pub hash: Vec<u8>,
    /// Of the largest size, in pixels.
    pub width: i32,
    /// Of the largest size, in pixels.
    pub height: i32,
    /// Of all sizes together.
    pub bytes: i64,
}

const NEW: &str = "insert into media (id, restaurant_id, name, token, hash, width, height, bytes) values \
    ($1, $2, $3, $4, $5, $6, $7, $8)";

pub(crate) async fn add<P>(
    scope: &In<Restaurant, P>, tx: &TenantTx, name: &str, picture: StoredPicture,
) -> Result<Id<Images>> {
    let StoredPicture { token, hash, width, height, bytes } = picture;
    let id = Id::from_uuid(Uuid::now_v7());
    let restaurant = scope.restaurant();
    let values = [
        id.uuid().into(),
        restaurant.uuid().into(),
        name.into(),
        token.into(),
        hash.into(),
        width.into(),
        height.into(),
        bytes.into(),
    ];
    tx.run(NEW, values).await?;
    let details = json!({"name": [null, name], "width": [null, width], "height": [null, height],
        "bytes": [null, bytes]});
    scope.audit(tx, Some(restaurant.uuid()), "images_create", id, details).await?;
    Ok(id)
}

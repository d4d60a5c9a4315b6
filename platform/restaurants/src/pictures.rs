//! Pictures as other resources show them: a media id becomes the addresses of its three sizes. Making and
//! keeping them is the affair of `content`, which crates that take pictures in forms of their own know as
//! [`Keeper`] only.

use std::{collections::HashMap, sync::Arc};

use access::prelude::*;
use futures_util::future::BoxFuture;
use kernel::Partner;
use serde::Serialize;
use serde_json::json;
use tokio::fs::File;
use url::Url;
use uuid::Uuid;

/// Pictures of a restaurant.
#[derive(Debug)]
pub struct Images;

impl Resource for Images {
    const NAME: &'static str = "images";
    const ENTITY: &'static str = "IMAGE";
}

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
#[must_use]
pub fn key(partner: Id<Partner>, token: &str, size: &str) -> String {
    format!("public/{partner}/{token}/{size}.webp")
}

impl Picture {
    /// The addresses below this one.
    #[must_use]
    pub fn new(base: &Url, partner: Id<Partner>, token: &str) -> Self {
        let [small, medium, original] = SIZES.map(|(size, _)| {
            format!("{}/{}", base.as_str().trim_end_matches('/'), key(partner, token, size))
        });
        Self { original, medium, small }
    }
}

/// The addresses of these pictures by their ids; a picture that was removed has none.
///
/// # Errors
/// What the database says.
pub async fn pictures(
    tx: &TenantTx,
    base: &Url,
    ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, Picture>> {
    let ids: Vec<Uuid> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = tx
        .rows("select id, token from media where id = any ($1) and archived_at is null", [ids.into()])
        .await?;
    rows.iter()
        .map(|row| {
            Ok((
                row.try_get("", "id")?,
                Picture::new(base, tx.partner(), &row.try_get::<String>("", "token")?),
            ))
        })
        .collect()
}

/// What is wrong with a picture that a body names: it is none of this restaurant. It stays until the
/// transaction ends.
///
/// # Errors
/// What the database says.
pub async fn missing(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    key: &str,
    id: Option<Id<Images>>,
) -> Result<Option<(String, Fault)>> {
    let Some(id) = id else { return Ok(None) };
    let sql = "select 1 from media where id = $1 and restaurant_id = $2 and archived_at is null for share";
    let known = tx.row(sql, [id.uuid().into(), restaurant.uuid().into()]).await?;
    Ok(known.is_none().then(|| (key.to_owned(), Fault::NotExist)))
}

/// A picture in its three sizes, of which nothing is kept yet.
#[derive(Debug)]
pub struct Made {
    /// SHA-256 of what was sent.
    pub hash: Vec<u8>,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
    /// By the names of [`SIZES`].
    pub sizes: Vec<(&'static str, Vec<u8>)>,
}

/// What is new about a picture once its objects lie in the store.
#[derive(Debug)]
pub struct Kept {
    /// Part of its addresses.
    pub token: String,
    /// SHA-256 of what was sent.
    pub hash: Vec<u8>,
    /// Of the largest size, in pixels.
    pub width: i32,
    /// Of the largest size, in pixels.
    pub height: i32,
    /// Of all sizes together.
    pub bytes: i64,
}

/// Makes pictures of files and keeps them.
pub trait Keeper: Send + Sync {
    /// Checks a file and makes its sizes.
    fn make(&self, file: File) -> BoxFuture<'_, Result<Made>>;

    /// Puts the sizes into the store. `tx` only orders the sweeping of what nobody comes to name, and is
    /// committed before anything is sent.
    fn put(&self, tx: TenantTx, made: Made) -> BoxFuture<'_, Result<Kept>>;
}

/// Whoever keeps pictures, as the server hands it to operations.
pub type PictureKeeper = Arc<dyn Keeper>;

/// Makes and keeps a picture for a resource of the restaurant. No transaction is open meanwhile; who fails
/// after this leaves objects that are swept.
///
/// # Errors
/// `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`, `STORAGE_UNAVAILABLE`, `UNAVAILABLE_SERVER`.
pub async fn keep<P>(scope: &In<Restaurant, P>, keeper: &dyn Keeper, file: File) -> Result<Kept> {
    let made = keeper.make(file).await?;
    keeper.put(scope.begin().await?, made).await
}

const NEW: &str = "insert into media (id, restaurant_id, name, token, hash, width, height, bytes) values \
    ($1, $2, $3, $4, $5, $6, $7, $8)";

/// Adds a picture that is kept to those of the restaurant.
///
/// # Errors
/// What the database says.
pub async fn add<P>(scope: &In<Restaurant, P>, tx: &TenantTx, name: &str, kept: Kept) -> Result<Id<Images>> {
    let Kept { token, hash, width, height, bytes } = kept;
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

//! Queries about pictures.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{ids::Images, paging::MAX_UNPAGED};
use sea_orm::{FromQueryResult, QuerySelect};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "media")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Images>,
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    pub token: String,
    pub hash: Vec<u8>,
    pub width: i32,
    pub height: i32,
    pub bytes: i64,
    pub is_public: bool,
    pub created_at: Timestamp,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// Something that shows a picture.
#[derive(Debug, Clone, Object)]
#[oai(rename = "ImageUse")]
pub(crate) struct Use {
    /// Of which kind it is (`products`, `product_categories`, …).
    pub resource: String,
    pub id: Uuid,
    pub name: String,
}

#[derive(FromQueryResult)]
struct UseRow {
    media_id: Uuid,
    resource: String,
    id: Uuid,
    name: String,
}

/// The restaurant's pictures, newest first; those alone whose name holds this, those alone that nothing
/// shows.
pub(crate) fn found(
    restaurant: Id<Restaurant>, name: Option<&str>, unused: bool,
) -> Result<sea_orm::Select<Entity>> {
    let found = rows::named(rows::live::<Entity>(restaurant)?, Column::Name, name);
    let found = if unused {
        found.filter(Expr::cust("not exists (select from media_use u where u.media_id = media.id)"))
    } else {
        found
    };
    Ok(found.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id))
}

/// The restaurant's public pictures, newest first, as many as a list that is answered whole may have.
pub(crate) async fn public(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Model>> {
    let found = found(restaurant, None, false)?.filter(Column::IsPublic.eq(true)).limit(MAX_UNPAGED);
    Ok(found.all(tx).await?)
}

/// The uses of these pictures, by picture.
pub(crate) async fn uses(
    tx: &TenantTx, ids: impl IntoIterator<Item = Id<Images>>,
) -> Result<HashMap<Uuid, Vec<Use>>> {
    let ids: Vec<Uuid> = ids.into_iter().map(Id::uuid).collect();
    let sql = "select distinct media_id, resource, id, name from media_use where media_id = any ($1) order \
        by resource, name, id";
    let mut uses: HashMap<Uuid, Vec<Use>> = HashMap::new();
    for row in tx.all::<UseRow>(sql, [ids.into()]).await? {
        let UseRow { media_id, resource, id, name } = row;
        uses.entry(media_id).or_default().push(Use { resource, id, name });
    }
    Ok(uses)
}

/// Whether a live picture has its objects below this token.
pub(crate) async fn token_lives(tx: &TenantTx, token: &str) -> Result<bool> {
    Ok(tx
        .row(
            "select 1 from media where token = $1 and archived_at is null limit 1",
            [token.to_owned().into()],
        )
        .await?
        .is_some())
}

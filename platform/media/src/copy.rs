//! Pictures of a restaurant that is copied.

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

/// The same objects in the store: they go with the last row that names them.
const COPY: &str = "with n as materialized (select id old, gen_random_uuid() id from media where \
    restaurant_id = $1 and archived_at is null for share), \
    i as (insert into media (id, restaurant_id, kind, name, token, hash, width, height, bytes, \
          is_public) \
          select n.id, $2, m.kind, m.name, m.token, m.hash, m.width, m.height, m.bytes, m.is_public from media m join n \
          on n.old = m.id) \
    select old, id from n";

#[derive(FromQueryResult)]
struct CopiedRow {
    old: Uuid,
    id: Uuid,
}

/// Gives `to` the pictures of `from`. The answer has pairs of the old and the new id.
pub async fn copy(tx: &TenantTx, from: Id<Restaurant>, to: Id<Restaurant>) -> Result<Vec<(Uuid, Uuid)>> {
    let rows: Vec<CopiedRow> = tx.all(COPY, [from.into(), to.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.old, row.id)).collect())
}

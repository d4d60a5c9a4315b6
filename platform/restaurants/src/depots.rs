//! Depots of restaurant groups. Each group has one from its beginning; there is no stock yet that lies in it. See
//! `docs/decisions/restaurants.md#depots`.

use access::prelude::*;
use kernel::{Group, ids::Depots};
use sea_orm::FromQueryResult;

pub(crate) struct DepotPicker;

/// A depot in short, for choosing.
#[derive(Debug, Object, FromQueryResult)]
struct DepotShort {
    id: Id<Depots>,
    name: String,
}

/// The oldest first: what nobody says otherwise of is taken from it.
const PICK: &str = "select d.id, coalesce(d.name, case r.primary_language when 'hu' then 'Főraktár' \
    else 'Main store' end) as name \
    from restaurant r join depot d on d.restaurant_group_id = r.restaurant_group_id \
    where r.id = $1 and d.archived_at is null order by d.created_at, d.id";

/// The first depot of a new group, with the usual name.
pub(crate) async fn begin(tx: &TenantTx, group: Id<Group>) -> Result<()> {
    let id: Id<Depots> = Id::new();
    tx.run("insert into depot (id, restaurant_group_id) values ($1, $2)", [id.into(), group.into()]).await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/depots",
    tag = "Tag::Restaurants"
)]
impl DepotPicker {
    /// The depots of the restaurant's group in short, the first one first, for choosing.
    #[oai(path = "/", method = "get", operation_id = "depots_pick")]
    async fn list(&self, scope: In<Restaurant, perm::DepotProductRelation>) -> Result<Page<DepotShort>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(tx.all(PICK, [scope.restaurant().into()]).await?))
    }
}

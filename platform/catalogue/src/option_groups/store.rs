//! Queries of option groups.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::OptionGroups;
use crate::{copied_columns::copied_columns, options};

const USES: &str = "select l.option_group_id, count(*) uses from subproduct_option_group l join subproduct s \
    on s.id = l.subproduct_id \
    where l.restaurant_id = $1 and s.archived_at is null group by l.option_group_id";

#[derive(FromQueryResult)]
struct Uses {
    option_group_id: Uuid,
    uses: i64,
}

/// How many sub-products use each group.
pub(crate) async fn uses(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<HashMap<Uuid, i64>> {
    let rows: Vec<Uses> = tx.all(USES, [restaurant.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.option_group_id, row.uses)).collect())
}

/// The place after the last group.
pub(crate) async fn next_ranking(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i32> {
    let sql = "select coalesce(max(ranking) + 1, 0) place from option_group where restaurant_id = $1 and \
        archived_at is null";
    Ok(tx.value(sql, [restaurant.into()]).await?.unwrap_or(0))
}

/// The names of all groups.
pub(crate) async fn names(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<String>> {
    Ok(tx
        .values(
            "select name from option_group where restaurant_id = $1 and archived_at is null",
            [restaurant.into()],
        )
        .await?)
}

static COPY_OPTIONS: LazyLock<String> = LazyLock::new(|| {
    let apart = &["id", "restaurant_id", "origin_id", "option_group_id", "version", "archived_at"];
    let columns = |prefix| copied_columns::<options::entity::Entity>(prefix, apart);
    format!(
        "insert into option (id, restaurant_id, origin_id, option_group_id, {}) \
        select n.id, o.restaurant_id, n.id, $3, {} \
        from unnest($1::uuid[], $2::uuid[]) n (id, original) join option o on o.id = n.original",
        columns(""),
        columns("o."),
    )
});

/// Copies these options into a group; `ids` are the new ones, in the order of the originals.
pub(crate) async fn copy_options(
    tx: &TenantTx,
    group: Id<OptionGroups>,
    ids: Vec<Uuid>,
    originals: Vec<Uuid>,
) -> Result<()> {
    tx.run(COPY_OPTIONS.as_str(), [ids.into(), originals.into(), group.into()]).await?;
    Ok(())
}

/// Takes the group from every sub-product; says from how many.
pub(crate) async fn detach(tx: &TenantTx, group: Id<OptionGroups>) -> Result<u64> {
    Ok(tx.run("delete from subproduct_option_group where option_group_id = $1", [group.into()]).await?)
}

/// Archives the options of the group.
pub(crate) async fn archive_options(tx: &TenantTx, group: Id<OptionGroups>) -> Result<()> {
    let sql = "update option set archived_at = $2 where option_group_id = $1 and archived_at is null";
    tx.run(sql, [group.into(), kernel::clock::now().into()]).await?;
    Ok(())
}

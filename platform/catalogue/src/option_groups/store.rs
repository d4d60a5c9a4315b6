//! Queries of option groups.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    OptionGroups,
    types::{OptionGroupCategory, OptionGroupSize},
};
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
    tx: &TenantTx, group: Id<OptionGroups>, ids: Vec<Uuid>, originals: Vec<Uuid>,
) -> Result<()> {
    tx.run(COPY_OPTIONS.as_str(), [ids.into(), originals.into(), group.into()]).await?;
    Ok(())
}

/// Takes the group from every sub-product; says from how many.
pub(crate) async fn detach(tx: &TenantTx, group: Id<OptionGroups>) -> Result<u64> {
    Ok(tx.run("delete from subproduct_option_group where option_group_id = $1", [group.into()]).await?)
}

/// Archives the options of the group; their ids.
pub(crate) async fn archive_options(tx: &TenantTx, group: Id<OptionGroups>) -> Result<Vec<Uuid>> {
    let sql = "update option set archived_at = $2 where option_group_id = $1 and archived_at is null \
        returning id";
    Ok(tx.values(sql, [group.into(), kernel::clock::now().into()]).await?)
}

#[derive(FromQueryResult)]
struct OfGroup<T: FromQueryResult> {
    option_group_id: Uuid,
    #[sea_orm(nested)]
    row: T,
}

/// Rows by their group, in their order.
fn grouped<T: FromQueryResult>(rows: Vec<OfGroup<T>>) -> HashMap<Uuid, Vec<T>> {
    let mut found: HashMap<Uuid, Vec<T>> = HashMap::new();
    for OfGroup { option_group_id, row } in rows {
        found.entry(option_group_id).or_default().push(row);
    }
    found
}

const SIZES: &str = "select l.option_group_id, s.id, s.name, p.id product_id, p.name product_name, \
    p.product_category_id \
    from subproduct_option_group l join subproduct s on s.id = l.subproduct_id and s.archived_at is null \
        join product p on p.id = s.product_id join product_category c on c.id = p.product_category_id \
        left join product_category k on k.id = c.parent_id \
    where l.option_group_id = any ($1) \
    order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), c.ranking, c.id, p.ranking, p.id, s.ranking, s.id";

/// The sub-products that use these groups, in the order of the menu.
pub(crate) async fn sizes(tx: &TenantTx, groups: Vec<Uuid>) -> Result<HashMap<Uuid, Vec<OptionGroupSize>>> {
    Ok(grouped(tx.all(SIZES, [groups.into()]).await?))
}

const CATEGORIES: &str = "select u.option_group_id, c.id, c.name, k.name parent_name, u.uses subproduct_count \
    from (select l.option_group_id, p.product_category_id, count(*) uses from subproduct_option_group l \
            join subproduct s on s.id = l.subproduct_id and s.archived_at is null \
            join product p on p.id = s.product_id \
        where l.option_group_id = any ($1) group by l.option_group_id, p.product_category_id) u \
    join product_category c on c.id = u.product_category_id \
    left join product_category k on k.id = c.parent_id \
    order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), c.ranking, c.id";

/// The categories of products that use these groups, in the order of the menu.
pub(crate) async fn categories(
    tx: &TenantTx, groups: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<OptionGroupCategory>>> {
    Ok(grouped(tx.all(CATEGORIES, [groups.into()]).await?))
}

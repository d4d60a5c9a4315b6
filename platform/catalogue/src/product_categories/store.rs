//! Queries of categories.

use std::collections::HashMap;

use access::prelude::*;
use sea_orm::{FromQueryResult, QuerySelect, Select};
use uuid::Uuid;

use super::{
    ProductCategories,
    entity::{Column, Entity, Model},
};

/// How much stands below a category.
#[derive(Debug, Clone, Copy, Default, FromQueryResult)]
pub(crate) struct Counts {
    pub children: i64,
    pub products: i64,
}

/// Which categories a list shows.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub parent_id: Option<Id<ProductCategories>>,
    pub name: Option<String>,
    pub product_name: Option<String>,
}

/// The categories of a list: top-level ones first, then by parent; within a parent by ranking.
pub(crate) fn filtered(restaurant: Id<Restaurant>, filter: &Filter) -> Result<Select<Entity>> {
    let mut select = rows::named(rows::live::<Entity>(restaurant)?, Column::Name, filter.name.as_deref());
    if let Some(parent) = filter.parent_id {
        select = select.filter(Column::ParentId.eq(parent.uuid()));
    }
    if let Some(name) = &filter.product_name {
        let products = crate::products::store::named(restaurant, name)?;
        select = select.filter(Column::Id.in_subquery(products));
    }
    // `false` sorts before `true`: rows without a parent come first.
    Ok(select
        .order_by_asc(Column::ParentId.is_not_null())
        .order_by_asc(Column::ParentId)
        .order_by_asc(Column::Ranking)
        .order_by_asc(Column::Id))
}

pub(crate) async fn all(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<HashMap<Uuid, Model>> {
    let rows = rows::live::<Entity>(restaurant)?.all(tx).await?;
    Ok(rows.into_iter().map(|row| (row.id.uuid(), row)).collect())
}

/// These categories, locked in the order of their ids so that two changes never wait for each other.
pub(crate) async fn lock(
    tx: &TenantTx, restaurant: Id<Restaurant>, ids: &[Id<ProductCategories>],
) -> Result<HashMap<Uuid, Model>> {
    let ids = ids.iter().map(|id| id.uuid());
    let rows = rows::live::<Entity>(restaurant)?
        .filter(Column::Id.is_in(ids))
        .order_by_asc(Column::Id)
        .lock_exclusive()
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id.uuid(), row)).collect())
}

/// The live categories with the parent of the first of these ids that is known; those at the top when none
/// is.
pub(crate) async fn siblings(
    tx: &TenantTx, restaurant: Id<Restaurant>, ids: &[Uuid],
) -> Result<Select<Entity>> {
    let live = rows::live::<Entity>(restaurant)?;
    let known: HashMap<Uuid, Option<Uuid>> = live
        .clone()
        .filter(Column::Id.is_in(ids.iter().copied()))
        .select_only()
        .columns([Column::Id, Column::ParentId])
        .into_tuple::<(Uuid, Option<Uuid>)>()
        .all(tx)
        .await?
        .into_iter()
        .collect();
    let parent = ids.iter().find_map(|id| known.get(id).copied()).flatten();
    Ok(match parent {
        Some(parent) => live.filter(Column::ParentId.eq(parent)),
        None => live.filter(Column::ParentId.is_null()),
    })
}

#[derive(FromQueryResult)]
struct CountsRow {
    id: Uuid,
    #[sea_orm(nested)]
    counts: Counts,
}

const COUNTS: &str = "select c.id, \
    (select count(*) from product_category k where k.restaurant_id = $1 and k.parent_id = c.id and \
    k.archived_at is null) children, \
    (select count(*) from product p where p.restaurant_id = $1 and p.product_category_id = c.id and \
    p.archived_at is null) products \
    from product_category c where c.restaurant_id = $1 and c.archived_at is null";

/// How much stands below each category.
pub(crate) async fn counts(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<HashMap<Uuid, Counts>> {
    let rows: Vec<CountsRow> = tx.all(COUNTS, [restaurant.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.counts)).collect())
}

/// The place after the last sibling.
pub(crate) async fn next_ranking(
    tx: &TenantTx, restaurant: Id<Restaurant>, parent: Option<Id<ProductCategories>>,
) -> Result<i32> {
    let sql = "select coalesce(max(ranking) + 1, 0) place from product_category \
               where restaurant_id = $1 and parent_id is not distinct from $2 and archived_at is null";
    Ok(tx.value(sql, [restaurant.into(), parent.map(Id::uuid).into()]).await?.unwrap_or(0))
}

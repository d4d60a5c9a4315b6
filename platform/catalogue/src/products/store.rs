//! Queries of products and sub-products.

use std::collections::HashMap;

use access::prelude::*;
use sea_orm::{
    FromQueryResult, QuerySelect, QueryTrait, Select,
    sea_query::{ExprTrait, SelectStatement, extension::postgres::PgFunc},
};
use uuid::Uuid;

use super::{Products, Subproducts, product, subproduct, types::SubproductOptionGroup};
use crate::ProductCategories;

/// Ids of the categories that have a product of this name.
pub(crate) fn named(restaurant: Id<Restaurant>, name: &str) -> Result<SelectStatement> {
    let products = rows::named(rows::live::<product::Entity>(restaurant)?, product::Column::Name, Some(name));
    Ok(products.select_only().column(product::Column::ProductCategoryId).into_query())
}

pub(crate) fn in_category(
    restaurant: Id<Restaurant>, category: Id<ProductCategories>,
) -> Result<Select<product::Entity>> {
    let products = rows::live::<product::Entity>(restaurant)?
        .filter(product::Column::ProductCategoryId.eq(category.uuid()));
    Ok(products.order_by_asc(product::Column::Ranking).order_by_asc(product::Column::Id))
}

/// A live product of this category; locked until the end of the transaction when it is to be changed.
pub(crate) async fn find(
    tx: &TenantTx, restaurant: Id<Restaurant>, category: Id<ProductCategories>, id: Id<Products>, lock: bool,
) -> Result<product::Model> {
    let row = if lock {
        rows::lock::<product::Entity, _>(tx, restaurant, id).await?
    } else {
        rows::find::<product::Entity, _>(tx, restaurant, id).await?
    };
    if row.product_category_id == category { Ok(row) } else { Err(Problem::not_exist::<Products>()) }
}

/// The live sub-products of these products, in their order.
pub(crate) async fn subproducts(
    tx: &TenantTx, restaurant: Id<Restaurant>, products: Vec<Uuid>,
) -> Result<Vec<subproduct::Model>> {
    let of = ExprTrait::eq(Expr::col(subproduct::Column::ProductId), PgFunc::any(products));
    let select = rows::live::<subproduct::Entity>(restaurant)?.filter(of);
    let rows =
        select.order_by_asc(subproduct::Column::Ranking).order_by_asc(subproduct::Column::Id).all(tx).await?;
    let now = Timestamp::now();
    Ok(rows.into_iter().map(|row| row.at(now)).collect())
}

/// The live sub-products of a product, locked in the order of their ids, as orders lock them.
pub(crate) async fn lock_subproducts(
    tx: &TenantTx, restaurant: Id<Restaurant>, product: Id<Products>,
) -> Result<Vec<subproduct::Model>> {
    let select = rows::live::<subproduct::Entity>(restaurant)?
        .filter(subproduct::Column::ProductId.eq(product.uuid()));
    let mut rows = select.order_by_asc(subproduct::Column::Id).lock_exclusive().all(tx).await?;
    rows.sort_by_key(|row| (row.ranking, row.id));
    let now = Timestamp::now();
    Ok(rows.into_iter().map(|row| row.at(now)).collect())
}

#[derive(FromQueryResult)]
struct GroupRow {
    subproduct_id: Uuid,
    #[sea_orm(nested)]
    group: SubproductOptionGroup,
}

const GROUPS: &str = "select l.subproduct_id, g.id, g.name, g.type, g.min_no_options, g.max_no_options \
    from subproduct_option_group l join option_group g on g.id = l.option_group_id \
    where l.subproduct_id = any ($1) and g.archived_at is null order by l.ranking, g.id";

/// The option groups of these sub-products, in their order.
pub(crate) async fn groups(
    tx: &TenantTx, subproducts: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<SubproductOptionGroup>>> {
    let mut found: HashMap<Uuid, Vec<SubproductOptionGroup>> = HashMap::new();
    for GroupRow { subproduct_id, group } in tx.all(GROUPS, [subproducts.into()]).await? {
        found.entry(subproduct_id).or_default().push(group);
    }
    Ok(found)
}

/// Locks these groups before their links: deleting a group takes its locks in the same order.
const LOCK_GROUPS: &str =
    "select id from option_group where restaurant_id = $1 and id = any ($2) order by id for key share";

const ATTACH: &str = "insert into subproduct_option_group (restaurant_id, subproduct_id, option_group_id, \
    ranking) \
    select $1, l.subproduct_id, l.option_group_id, l.place from unnest($2::uuid[], $3::uuid[], $4::int[]) l \
    (subproduct_id, option_group_id, place) \
    join option_group g on g.id = l.option_group_id where g.restaurant_id = $1 and g.archived_at is null";

/// Gives each of these sub-products exactly these groups, in this order; a group that was deleted meanwhile
/// is left out.
pub(crate) async fn set_groups(
    tx: &TenantTx, restaurant: Id<Restaurant>, sets: &[(Id<Subproducts>, Vec<Uuid>)],
) -> Result<()> {
    let rows = sets
        .iter()
        .flat_map(|(id, groups)| groups.iter().zip(0_i32..).map(|(group, place)| (id.uuid(), *group, place)));
    let (mut ids, mut groups, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (id, group, place) in rows {
        ids.push(id);
        groups.push(group);
        places.push(place);
    }
    tx.run(LOCK_GROUPS, [restaurant.into(), groups.clone().into()]).await?;
    let subproducts: Vec<Uuid> = sets.iter().map(|(id, _)| id.uuid()).collect();
    tx.run("delete from subproduct_option_group where subproduct_id = any ($1)", [subproducts.into()])
        .await?;
    if !ids.is_empty() {
        tx.run(ATTACH, [restaurant.into(), ids.into(), groups.into(), places.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn archive_subproducts(tx: &TenantTx, ids: Vec<Uuid>) -> Result<()> {
    if !ids.is_empty() {
        let now = kernel::clock::now();
        tx.run(
            "update subproduct set archived_at = $2 where id = any ($1) and archived_at is null",
            [ids.into(), now.into()],
        )
        .await?;
    }
    Ok(())
}

pub(crate) async fn names(
    tx: &TenantTx, restaurant: Id<Restaurant>, category: Id<ProductCategories>,
) -> Result<Vec<String>> {
    let sql = "select name from product \
               where restaurant_id = $1 and product_category_id = $2 and archived_at is null";
    Ok(tx.values(sql, [restaurant.into(), category.into()]).await?)
}

/// The place after the last product of a category.
pub(crate) async fn next_ranking(
    tx: &TenantTx, restaurant: Id<Restaurant>, category: Id<ProductCategories>,
) -> Result<i32> {
    let sql = "select coalesce(max(ranking) + 1, 0) place from product \
               where restaurant_id = $1 and product_category_id = $2 and archived_at is null";
    Ok(tx.value(sql, [restaurant.into(), category.into()]).await?.unwrap_or(0))
}

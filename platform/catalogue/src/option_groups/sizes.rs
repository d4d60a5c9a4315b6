//! One group for many sub-products at once.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use uuid::Uuid;

use super::OptionGroups;

/// The most groups of one sub-product.
const MOST_GROUPS: i64 = 50;

/// A sub-product that is named in the change.
#[derive(Debug, FromQueryResult)]
pub(super) struct Size {
    id: Uuid,
    product_id: Uuid,
    has: bool,
    groups: i64,
}

/// Products before groups, and each in the order of ids: saves of products take their locks in the same
/// order.
const LOCK_PRODUCTS: &str = "select p.id from product p where p.restaurant_id = $1 and p.archived_at is null \
    and p.id in (select s.product_id from subproduct s where s.id = any ($2)) order by p.id for no key update";
const LOCK_GROUP: &str = "select id from option_group where id = $1 and archived_at is null for key share";
const SIZES: &str = "select s.id, s.product_id, bool_or(l.option_group_id = $3) is true has, \
    count(g.id) groups \
    from subproduct s join product p on p.id = s.product_id and p.archived_at is null \
    left join subproduct_option_group l on l.subproduct_id = s.id \
    left join option_group g on g.id = l.option_group_id and g.archived_at is null \
    where s.restaurant_id = $1 and s.id = any ($2) and s.archived_at is null group by s.id";

/// The live sub-products that are named, with their products locked.
pub(super) async fn lock(
    tx: &TenantTx, restaurant: Id<Restaurant>, group: Id<OptionGroups>, add: &[Uuid], remove: &[Uuid],
) -> Result<HashMap<Uuid, Size>> {
    let named = [add, remove].concat();
    tx.rows(LOCK_PRODUCTS, [restaurant.into(), named.clone().into()]).await?;
    if tx.row(LOCK_GROUP, [group.into()]).await?.is_none() {
        return Err(Problem::not_exist::<OptionGroups>());
    }
    let found: Vec<Size> = tx.all(SIZES, [restaurant.into(), named.into(), group.into()]).await?;
    Ok(found.into_iter().map(|size| (size.id, size)).collect())
}

/// Names each id that is no sub-product, stands in both lists, or has too many groups already.
pub(super) fn faults(
    problem: Problem, sizes: &HashMap<Uuid, Size>, add: &[Uuid], remove: &[Uuid],
) -> Problem {
    let added: HashSet<&Uuid> = add.iter().collect();
    let of_add = add.iter().enumerate().filter_map(|(at, id)| {
        let fault = match sizes.get(id) {
            None => Fault::NotExist,
            Some(size) if !size.has && size.groups >= MOST_GROUPS => Fault::Max,
            Some(_) => return None,
        };
        Some((format!("add.{at}"), fault))
    });
    let of_remove = remove.iter().enumerate().filter_map(|(at, id)| {
        let fault = match sizes.get(id) {
            None => Fault::NotExist,
            Some(_) if added.contains(id) => Fault::NotUnique,
            Some(_) => return None,
        };
        Some((format!("remove.{at}"), fault))
    });
    problem.keys(of_add).keys(of_remove)
}

const ATTACH: &str = "insert into subproduct_option_group (restaurant_id, subproduct_id, option_group_id, \
    ranking) \
    select $1, s.id, $3, coalesce((select max(l.ranking) + 1 from subproduct_option_group l \
        where l.subproduct_id = s.id), 0) from unnest($2::uuid[]) s (id)";
const DETACH: &str =
    "delete from subproduct_option_group where subproduct_id = any ($1) and option_group_id = $2";
/// A product's version stands for its sub-products too.
const NEXT_VERSION: &str = "update product set version = version + 1 where id = any ($1)";

/// Writes what differs, and tells it for the audit log; nothing where nothing differs.
pub(super) async fn write(
    tx: &TenantTx, restaurant: Id<Restaurant>, group: Id<OptionGroups>, sizes: &HashMap<Uuid, Size>,
    (mut add, mut remove): (Vec<Uuid>, Vec<Uuid>),
) -> Result<Option<Value>> {
    let has = |id: &Uuid| sizes.get(id).is_some_and(|size| size.has);
    add.retain(|id| !has(id));
    remove.retain(has);
    if add.is_empty() && remove.is_empty() {
        return Ok(None);
    }
    let details = json!({"subproducts_attached": add.len(), "subproducts_detached": remove.len()});
    let products: HashSet<Uuid> =
        add.iter().chain(&remove).filter_map(|id| sizes.get(id)).map(|size| size.product_id).collect();
    tx.run(DETACH, [remove.into(), group.into()]).await?;
    tx.run(ATTACH, [restaurant.into(), add.into(), group.into()]).await?;
    tx.run(NEXT_VERSION, [products.into_iter().collect::<Vec<_>>().into()]).await?;
    Ok(Some(details))
}

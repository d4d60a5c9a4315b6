//! What a menu is computed from: one statement per table. And the one statement of every request.

use std::collections::HashMap;

use access::prelude::*;
use restaurants::Facts;
use uuid::Uuid;

use crate::{
    house::House,
    option_groups::entity as group,
    options::entity as option,
    product_categories::entity as category,
    products::{product, subproduct},
};

/// Everything of one restaurant that a menu may show.
#[derive(Debug)]
pub(crate) struct Rows {
    pub facts: Facts,
    pub house: House,
    /// In their order, as all the others.
    pub categories: Vec<category::Model>,
    pub products: Vec<product::Model>,
    pub subproducts: Vec<subproduct::Model>,
    /// Groups by sub-product.
    pub links: HashMap<Uuid, Vec<Uuid>>,
    pub groups: Vec<group::Model>,
    pub options: Vec<option::Model>,
    /// Codes in the order of the regulation.
    pub allergens: Vec<(Uuid, String)>,
}

/// The state of a menu that every request looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Of what guests see.
    pub version: i64,
    /// Pieces that are left, by sub-product, in the order of the ids.
    pub quantities: Vec<(Uuid, i32)>,
}

const STATE: &str = "select r.catalogue_version, coalesce(q.ids, '{}') ids, coalesce(q.pieces, '{}') pieces \
    from restaurant r left join lateral ( \
        select array_agg(s.id order by s.id) ids, array_agg(s.sellable_quantity order by s.id) pieces \
        from subproduct s where s.restaurant_id = r.id and s.sellable_quantity is not null and s.archived_at is null) q on true \
    where r.id = $1";

/// Version and quantities, in one statement.
pub(crate) async fn state(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<State> {
    let row = tx.row(STATE, [restaurant.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
    let ids: Vec<Uuid> = row.try_get("", "ids")?;
    let pieces: Vec<i32> = row.try_get("", "pieces")?;
    Ok(State { version: row.try_get("", "catalogue_version")?, quantities: ids.into_iter().zip(pieces).collect() })
}

const LINKS: &str = "select subproduct_id, array_agg(option_group_id order by ranking) groups from subproduct_option_group \
    where restaurant_id = $1 group by subproduct_id";

/// Reads it all.
pub(crate) async fn rows(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Rows> {
    let links = tx.rows(LINKS, [restaurant.into()]).await?;
    let allergens = tx.rows("select id, code from ref.allergen order by ranking", []).await?;
    Ok(Rows {
        facts: restaurants::facts(tx, restaurant).await?,
        house: House::load(tx, restaurant).await?,
        categories: rows::live::<category::Entity>(restaurant)?
            .order_by_asc(category::Column::Ranking)
            .order_by_asc(category::Column::Id)
            .all(tx)
            .await?,
        products: rows::live::<product::Entity>(restaurant)?.order_by_asc(product::Column::Ranking).order_by_asc(product::Column::Id).all(tx).await?,
        subproducts: rows::live::<subproduct::Entity>(restaurant)?
            .order_by_asc(subproduct::Column::Ranking)
            .order_by_asc(subproduct::Column::Id)
            .all(tx)
            .await?,
        links: links.iter().map(|row| Ok((row.try_get("", "subproduct_id")?, row.try_get("", "groups")?))).collect::<Result<_>>()?,
        groups: crate::option_groups::store::in_order(restaurant)?.all(tx).await?,
        options: rows::live::<option::Entity>(restaurant)?.order_by_asc(option::Column::Ranking).order_by_asc(option::Column::Id).all(tx).await?,
        allergens: allergens.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "code")?))).collect::<Result<_>>()?,
    })
}

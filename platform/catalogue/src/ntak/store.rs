//! Queries about changes of the tax report's fields.

use std::collections::HashSet;

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use uuid::Uuid;

use super::{NtakChanges, change::Counts, types::NtakChangeDone};

/// For how long a change can be undone.
const DAY: chrono::Duration = chrono::Duration::hours(24);

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Id<NtakChanges>,
    categories: i32,
    products: i32,
    subproducts: i32,
    has_undo: bool,
    actor_name: String,
    created_at: Timestamp,
    undone_at: Option<Timestamp>,
}

impl From<Row> for NtakChangeDone {
    fn from(row: Row) -> Self {
        let until = Timestamp::from(chrono::DateTime::from(row.created_at) + DAY);
        Self {
            id: row.id,
            categories: row.categories,
            products: row.products,
            subproducts: row.subproducts,
            actor_name: row.actor_name,
            created_at: row.created_at,
            undo_until: Some(until).filter(|until| row.has_undo && *until > Timestamp::now()),
            undone_at: row.undone_at,
        }
    }
}

/// The newest ones.
pub(super) async fn list(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<NtakChangeDone>> {
    let sql = "select id, categories, products, subproducts, undo is not null has_undo, actor_name, created_at, \
        undone_at from ntak_change where restaurant_id = $1 order by created_at desc, id desc limit 20";
    let rows: Vec<Row> = tx.all(sql, [restaurant.into()]).await?;
    Ok(rows.into_iter().map(NtakChangeDone::from).collect())
}

/// A change, locked until the end of the transaction.
pub(super) async fn lock(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<NtakChanges>,
) -> Result<NtakChangeDone> {
    let sql = "select id, categories, products, subproducts, undo is not null has_undo, actor_name, created_at, \
        undone_at from ntak_change where restaurant_id = $1 and id = $2 for update";
    let row: Option<Row> = tx.one(sql, [restaurant.into(), id.into()]).await?;
    row.map(NtakChangeDone::from).ok_or_else(Problem::not_exist::<NtakChanges>)
}

/// Keeps a change with its way back, and lets go of the ways back that are a day old.
pub(super) async fn insert(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<NtakChanges>, counts: Counts, undo: Option<Json>,
    actor: &str,
) -> Result<()> {
    let now = Timestamp::now();
    let forget = "update ntak_change set undo = null where restaurant_id = $1 and created_at <= $2 and undo is not null";
    tx.run(forget, [restaurant.into(), (kernel::clock::now() - DAY).into()]).await?;
    let sql = "insert into ntak_change (id, restaurant_id, categories, products, subproducts, undo, actor_name, \
        created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)";
    let Counts { categories, products, subproducts } = counts;
    let values = [
        id.into(),
        restaurant.into(),
        categories.into(),
        products.into(),
        subproducts.into(),
        undo.into(),
        actor.into(),
        now.into(),
    ];
    tx.run(sql, values).await?;
    Ok(())
}

/// The way back of a change.
pub(super) async fn undo(tx: &TenantTx, id: Id<NtakChanges>) -> Result<Option<Json>> {
    Ok(tx.value("select undo from ntak_change where id = $1", [id.into()]).await?.flatten())
}

/// A change was undone; its way back is of no more use.
pub(super) async fn undone(tx: &TenantTx, id: Id<NtakChanges>) -> Result<()> {
    let sql = "update ntak_change set undone_at = $2, undo = null where id = $1";
    tx.run(sql, [id.into(), Timestamp::now().into()]).await?;
    Ok(())
}

/// The sizes that consist of others.
pub(super) async fn menus(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<HashSet<Uuid>> {
    let sql = "select distinct subproduct_id from subproduct_component where restaurant_id = $1";
    Ok(tx.values(sql, [restaurant.into()]).await?.into_iter().collect())
}

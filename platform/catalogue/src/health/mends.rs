//! Mends: corrections made by one click. Each can be undone for a day.

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use uuid::Uuid;

use super::types::{MenuHealthRule, MenuMend, MenuMends};

/// For how long a mend can be undone.
const DAY: chrono::Duration = chrono::Duration::hours(24);

#[derive(Debug, Object)]
pub(crate) struct NewMenuMend {
    pub rule: MenuHealthRule,
    /// Of the menu whose health was looked at.
    pub catalogue_version: i64,
    /// The subjects of the findings that are put right, each once.
    #[oai(validator(min_items = 1, max_items = 10000))]
    pub ids: Vec<Uuid>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Id<MenuMends>,
    rule: MenuHealthRule,
    count: i32,
    actor_name: String,
    created_at: Timestamp,
    undone_at: Option<Timestamp>,
    has_undo: bool,
}

impl From<Row> for MenuMend {
    fn from(row: Row) -> Self {
        let until = Timestamp::from(chrono::DateTime::from(row.created_at) + DAY);
        Self {
            id: row.id,
            rule: row.rule,
            count: row.count,
            actor_name: row.actor_name,
            created_at: row.created_at,
            undo_until: Some(until).filter(|until| row.has_undo && *until > Timestamp::now()),
            undone_at: row.undone_at,
        }
    }
}

/// The newest ones.
pub(super) async fn list(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<MenuMend>> {
    let sql = "select id, rule, count, actor_name, created_at, undone_at, undo is not null has_undo \
        from menu_mend where restaurant_id = $1 order by created_at desc, id desc limit 10";
    let rows: Vec<Row> = tx.all(sql, [restaurant.into()]).await?;
    Ok(rows.into_iter().map(MenuMend::from).collect())
}

/// A mend, locked until the end of the transaction.
pub(super) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<MenuMends>) -> Result<MenuMend> {
    let sql = "select id, rule, count, actor_name, created_at, undone_at, undo is not null has_undo \
        from menu_mend where restaurant_id = $1 and id = $2 for update";
    let row: Option<Row> = tx.one(sql, [restaurant.into(), id.into()]).await?;
    row.map(MenuMend::from).ok_or_else(Problem::not_exist::<MenuMends>)
}

/// Keeps a mend with its way back, and lets go of the ways back that are a day old.
pub(super) async fn insert(
    tx: &TenantTx, restaurant: Id<Restaurant>, mend: (Id<MenuMends>, MenuHealthRule, i32), undo: Json,
    actor: &str,
) -> Result<()> {
    let forget =
        "update menu_mend set undo = null where restaurant_id = $1 and created_at <= $2 and undo is not null";
    tx.run(forget, [restaurant.into(), (kernel::clock::now() - DAY).into()]).await?;
    let sql = "insert into menu_mend (id, restaurant_id, rule, count, undo, actor_name, created_at) \
        values ($1, $2, $3, $4, $5, $6, $7)";
    let (id, rule, count) = mend;
    let values = [
        id.into(),
        restaurant.into(),
        rule.into(),
        count.into(),
        undo.into(),
        actor.into(),
        Timestamp::now().into(),
    ];
    tx.run(sql, values).await?;
    Ok(())
}

/// The way back of a mend.
pub(super) async fn undo(tx: &TenantTx, id: Id<MenuMends>) -> Result<Option<Json>> {
    Ok(tx.value("select undo from menu_mend where id = $1", [id.into()]).await?.flatten())
}

/// A mend was undone; its way back is of no more use.
pub(super) async fn undone(tx: &TenantTx, id: Id<MenuMends>) -> Result<()> {
    let sql = "update menu_mend set undone_at = $2, undo = null where id = $1";
    tx.run(sql, [id.into(), Timestamp::now().into()]).await?;
    Ok(())
}

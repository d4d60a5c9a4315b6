//! Statements of the lists of the board.

use access::prelude::*;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Orders that the kitchen should see by `till`: not archived, those to be accepted first, and of these
/// whoever waits longest, so that nobody waits on a later page while others are served; then what is
/// accepted, latest first.
///
/// # Errors
/// What the database says.
pub(super) async fn fresh(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    till: DateTime<Utc>,
    limit: u64,
    offset: u64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at <= $2 \
               order by status = 'succeeded' desc, case when status = 'succeeded' then show_at end, case \
               when status = 'succeeded' then id end, \
               show_at desc, id desc limit $3 offset $4";
    let cut = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    Ok(tx.values(sql, [restaurant.into(), till.into(), cut(limit).into(), cut(offset).into()]).await?)
}

/// How many those are.
///
/// # Errors
/// What the database says.
pub(super) async fn count_fresh(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    till: DateTime<Utc>,
) -> Result<u64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at <= $2";
    let count: i64 = tx.value(sql, [restaurant.into(), till.into()]).await?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Orders for later that the kitchen should not see yet, soonest first.
///
/// # Errors
/// What the database says.
pub(super) async fn later(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    now: Timestamp,
    limit: u64,
    offset: u64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at > $2 order by show_at, id limit $3 offset $4";
    let cut = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    Ok(tx.values(sql, [restaurant.into(), now.into(), cut(limit).into(), cut(offset).into()]).await?)
}

/// How many those are.
///
/// # Errors
/// What the database says.
pub(super) async fn count_later(tx: &TenantTx, restaurant: Id<Restaurant>, now: Timestamp) -> Result<u64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at > $2";
    let count: i64 = tx.value(sql, [restaurant.into(), now.into()]).await?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Ready orders that were called so after `since`, latest first, `most` of them.
///
/// # Errors
/// What the database says.
pub(super) async fn ready(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    since: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status = 'prepared' \
        and prepared_at > $2 order by prepared_at desc, id desc limit $3";
    Ok(tx.values(sql, [restaurant.into(), since.into(), most.into()]).await?)
}

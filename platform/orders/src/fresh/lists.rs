//! Statements of the lists of the board.

use access::prelude::*;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Which of the fresh orders. Each list of the board pages by itself, so that many that wait push no accepted
/// ones off it.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum FreshStatus {
    /// To be accepted.
    Succeeded,
    /// Accepted.
    Processed,
}

/// Fresh orders: what the kitchen should see by `till`, in one state or in both.
#[derive(Clone, Copy)]
pub(super) struct Fresh {
    pub restaurant: Id<Restaurant>,
    pub till: DateTime<Utc>,
    pub status: Option<FreshStatus>,
}

impl Fresh {
    pub(super) fn values(self) -> [sea_orm::Value; 3] {
        let status = self.status.map(|status| match status {
            FreshStatus::Succeeded => "succeeded",
            FreshStatus::Processed => "processed",
        });
        [self.restaurant.into(), self.till.into(), status.into()]
    }
}

/// Not archived, those to be accepted first, and of these whoever waits longest, so that nobody waits on a later
/// page while others are served; then what is accepted, latest first.
pub(super) async fn fresh(tx: &TenantTx, fresh: Fresh, limit: u64, offset: u64) -> Result<Vec<Uuid>> {
    // Each part ends with the page: the index of its state has the order, however many wait. The state that is not
    // wanted is not looked at, whatever the plan: that is asked of the value alone.
    let sql = "select id from ( \
        (select id, show_at, true as waits from orders where restaurant_id = $1 and archived_at is null and \
        status = 'succeeded' and show_at <= $2 and ($3::text is null or $3 = 'succeeded') \
        order by show_at, id limit $6) \
        union all \
        (select id, show_at, false from orders where restaurant_id = $1 and archived_at is null and \
        status = 'processed' and show_at <= $2 and ($3::text is null or $3 = 'processed') \
        order by show_at desc, id desc limit $6)) o \
        order by waits desc, case when waits then show_at end, case when waits then id end, \
        show_at desc, id desc limit $4 offset $5";
    let page = [limit, offset, limit.saturating_add(offset)].map(cut);
    Ok(tx.values(sql, fresh.values().into_iter().chain(page)).await?)
}

fn cut(number: u64) -> sea_orm::Value {
    i64::try_from(number).unwrap_or(i64::MAX).into()
}

pub(super) async fn count_fresh(tx: &TenantTx, fresh: Fresh) -> Result<u64> {
    let sql = "select (select count(*) from orders where restaurant_id = $1 and archived_at is null and \
        status = 'succeeded' and show_at <= $2 and ($3::text is null or $3 = 'succeeded')) \
        + (select count(*) from orders where restaurant_id = $1 and archived_at is null and \
        status = 'processed' and show_at <= $2 and ($3::text is null or $3 = 'processed')) n";
    let count: i64 = tx.value(sql, fresh.values()).await?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Orders for later that the kitchen should not see yet, soonest first.
pub(super) async fn later(
    tx: &TenantTx, restaurant: Id<Restaurant>, now: Timestamp, limit: u64, offset: u64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from ( \
        (select id, show_at from orders where restaurant_id = $1 and archived_at is null and \
        status = 'succeeded' and show_at > $2 order by show_at, id limit $5) \
        union all \
        (select id, show_at from orders where restaurant_id = $1 and archived_at is null and \
        status = 'processed' and show_at > $2 order by show_at, id limit $5)) o \
        order by show_at, id limit $3 offset $4";
    let page = [limit, offset, limit.saturating_add(offset)].map(cut);
    Ok(tx.values(sql, [restaurant.into(), now.into()].into_iter().chain(page)).await?)
}

pub(super) async fn count_later(tx: &TenantTx, restaurant: Id<Restaurant>, now: Timestamp) -> Result<u64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at > $2";
    let count: i64 = tx.value(sql, [restaurant.into(), now.into()]).await?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Ready orders that were called so after `since`, latest first, `most` of them.
pub(super) async fn ready(
    tx: &TenantTx, restaurant: Id<Restaurant>, since: DateTime<Utc>, most: i64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status = 'prepared' \
        and prepared_at > $2 order by prepared_at desc, id desc limit $3";
    Ok(tx.values(sql, [restaurant.into(), since.into(), most.into()]).await?)
}

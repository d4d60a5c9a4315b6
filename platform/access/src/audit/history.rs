//! The log as the history of settings, for the domain that owns them. Lines of the whole partner belong to
//! the history of each of its restaurants: whoever asks names only actions that the reader may see.

use std::collections::HashMap;

use kernel::{Id, Page, Paging, Restaurant, Result, time::Timestamp};
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

#[derive(Debug, Clone, FromQueryResult)]
pub struct Line {
    /// Ids rise with time.
    pub id: Uuid,
    pub at: Timestamp,
    /// `admin`, `api_key`, `job` or `support`.
    pub actor_kind: String,
    pub actor_name: String,
    pub action: String,
    pub record_id: Option<Uuid>,
    /// Per field what it was and what it is. Empty where personal data have been removed.
    pub details: Json,
}

const LINES: &str = "select a.id, a.at, a.actor_kind, a.actor_name, a.action, a.record_id, \
    coalesce(d.details, '{}') details from audit a left join audit_detail d on d.audit_id = a.id \
    where (a.restaurant_id = $1 or a.restaurant_id is null) and a.action = any ($2) \
    order by a.id desc limit $3 offset $4";
const SINCE: &str = "select a.id, a.at, a.actor_kind, a.actor_name, a.action, a.record_id, \
    coalesce(d.details, '{}') details from audit a left join audit_detail d on d.audit_id = a.id \
    where (a.restaurant_id = $1 or a.restaurant_id is null) and a.action = any ($2) and a.id >= $3 \
    order by a.id";
const COUNTS: &str = "select action, count(*) total from audit \
    where (restaurant_id = $1 or restaurant_id is null) and action = any ($2) group by action";
const ACTION: &str =
    "select action from audit where (restaurant_id = $1 or restaurant_id is null) and id = $2";

/// The lines of these actions in a restaurant, newest first.
pub async fn lines(
    tx: &TenantTx, restaurant: Id<Restaurant>, actions: &[&str], paging: &Paging,
) -> Result<Page<Line>> {
    let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
    let total = if paging.count {
        let all: i64 = read_counts(tx, restaurant, actions.clone()).await?.into_values().sum();
        u64::try_from(all).ok()
    } else {
        None
    };
    let limit = paging.limit();
    // Both are bounded by Paging, far below what bigint holds.
    let [limit, offset] = [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX));
    let rows = tx.all(LINES, [restaurant.into(), actions.into(), limit.into(), offset.into()]).await?;
    Ok(Page { rows, total })
}

#[derive(FromQueryResult)]
struct ActionCount {
    action: String,
    total: i64,
}

async fn read_counts(
    tx: &TenantTx, restaurant: Id<Restaurant>, actions: Vec<String>,
) -> Result<HashMap<String, i64>> {
    let rows: Vec<ActionCount> = tx.all(COUNTS, [restaurant.into(), actions.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.action, row.total)).collect())
}

/// How many lines each of these actions has in a restaurant.
pub async fn counts(
    tx: &TenantTx, restaurant: Id<Restaurant>, actions: &[&str],
) -> Result<HashMap<String, i64>> {
    read_counts(tx, restaurant, actions.iter().map(ToString::to_string).collect()).await
}

/// The action of a line of a restaurant; none when there is no such line.
pub async fn action_of(tx: &TenantTx, restaurant: Id<Restaurant>, line: Uuid) -> Result<Option<String>> {
    Ok(tx.value(ACTION, [restaurant.into(), line.into()]).await?)
}

/// A line of a restaurant and all later ones of these actions, oldest first.
pub async fn lines_since(
    tx: &TenantTx, restaurant: Id<Restaurant>, line: Uuid, actions: &[&str],
) -> Result<Vec<Line>> {
    let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
    Ok(tx.all(SINCE, [restaurant.into(), actions.into(), line.into()]).await?)
}

const RECORDS: &str = "select distinct record_id from audit where record_id = any ($1) and actor_kind = 'admin' \
    and actor_id = $2 and action = any ($3)";

/// Those of these records to which this person has done one of these things.
pub async fn records_of(
    tx: &TenantTx, records: Vec<Uuid>, admin: Uuid, actions: &[&str],
) -> Result<Vec<Uuid>> {
    let actions: Vec<String> = actions.iter().map(|&action| action.to_owned()).collect();
    Ok(tx.values(RECORDS, [records.into(), admin.into(), actions.into()]).await?)
}

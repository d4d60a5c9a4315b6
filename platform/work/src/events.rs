//! Events of a restaurant: numbered without gaps in commit order, kept for 24 hours.

use chrono::{DateTime, Utc};
use kernel::{Id, Restaurant, Result};
use serde_json::Value;
use tenants::TenantTx;

/// Channel of `NOTIFY`; the payload is the restaurant's id and only wakes the readers.
pub const CHANNEL: &str = "pult_event";

/// One event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its number in the restaurant.
    pub number: i64,
    /// `TASK_…`.
    pub kind: String,
    /// What it is about: ids and states, never personal data.
    pub data: Value,
    /// When it was published (UTC).
    pub created_at: DateTime<Utc>,
}

const PUBLISH: &str = "with c as (update restaurant_counter set event_number = event_number + 1 where \
    restaurant_id = $1 returning event_number), \
                       e as (insert into event (restaurant_id, number, kind, data) select $1, \
                       c.event_number, $2, $3 from c) \
                       select c.event_number, pg_notify('pult_event', $1::text)::text from c";

/// Begins the numbering of a new restaurant's events.
///
/// # Errors
/// What the database says.
pub async fn start(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.run("insert into restaurant_counter (restaurant_id) values ($1)", [restaurant.into()]).await?;
    Ok(())
}

/// Publishes an event. It locks the restaurant's counter row until the commit, so call it last.
///
/// # Errors
/// What the database says.
pub async fn publish(tx: &TenantTx, restaurant: Id<Restaurant>, kind: &str, data: Value) -> Result<()> {
    tx.row(PUBLISH, [restaurant.into(), kind.into(), data.into()]).await?;
    Ok(())
}

/// What a reader that has seen `last` has missed, at most 500 at a time.
#[derive(Debug)]
pub enum Missed {
    /// These, oldest first.
    Events(Vec<Event>),
    /// More than is kept: load everything anew.
    TooOld,
}

/// The number of the newest event.
///
/// # Errors
/// What the database says.
pub async fn newest(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i64> {
    let row = tx
        .row("select event_number from restaurant_counter where restaurant_id = $1", [restaurant.into()])
        .await?;
    Ok(row.map(|row| row.try_get("", "event_number")).transpose()?.unwrap_or_default())
}

/// The events after `last`.
///
/// # Errors
/// What the database says.
pub async fn since(tx: &TenantTx, restaurant: Id<Restaurant>, last: i64) -> Result<Missed> {
    let sql = "select number, kind, data, created_at from event where restaurant_id = $1 and number > $2 \
        order by number limit 500";
    let rows = tx.rows(sql, [restaurant.into(), last.into()]).await?;
    let events = rows
        .iter()
        .map(|row| {
            Ok(Event {
                number: row.try_get("", "number")?,
                kind: row.try_get("", "kind")?,
                data: row.try_get("", "data")?,
                created_at: row.try_get("", "created_at")?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let gap = match events.first() {
        Some(first) => first.number != last + 1,
        None => newest(tx, restaurant).await? != last,
    };
    Ok(if gap { Missed::TooOld } else { Missed::Events(events) })
}

//! Events: what has happened in a restaurant. See `docs/decisions/events-and-jobs.md#events`.
//!
//! A crate has one type for all of its events. In the caller's transaction, [`publish`] writes the message to
//! open windows and the job of the subscribers ([`crate::subscriptions`]). Messages are numbered without gaps
//! in commit order and stored for 24 hours.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use kernel::{Id, Restaurant, Result};
use poem_openapi::{
    registry::{MetaSchemaRef, Registry},
    types::{ToJSON, Type},
};
use sea_orm::DbErr;
use serde_json::Value;
use tenants::TenantTx;

use crate::subscriptions;

/// Channel of `NOTIFY`. The payload is the restaurant's id, then the topics that are woken beside its
/// windows.
pub const CHANNEL: &str = "pult_event";

/// Something that has happened in a restaurant.
pub trait Event: Sized + Send + Sync + 'static {
    fn restaurant(&self) -> Id<Restaurant>;

    /// What open windows get; none when they show nothing of it.
    fn message(&self) -> Option<Message>;
}

/// The data of one kind of message to windows. Its schema stands in the published document.
pub trait LiveMessage: Type + ToJSON {
    /// The name by which windows know the message: `TASK_…`.
    const KIND: &'static str;
}

/// Adds the schema of one kind of message to the document; the name of the message and where its schema is.
pub type DescribeMessage = fn(&mut Registry) -> (&'static str, MetaSchemaRef);

/// See [`DescribeMessage`].
pub fn describe_message<M: LiveMessage>(registry: &mut Registry) -> (&'static str, MetaSchemaRef) {
    M::register(registry);
    (M::KIND, M::schema_ref())
}

/// A message to windows: ids and states, never personal data.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    kind: &'static str,
    data: Value,
}

impl Message {
    #[must_use]
    pub fn new<M: LiveMessage>(data: &M) -> Self {
        Self { kind: M::KIND, data: data.to_json().unwrap_or_default() }
    }
}

#[derive(Debug, Clone, sea_orm::FromQueryResult)]
pub struct WrittenMessage {
    pub number: i64,
    /// `TASK_…`.
    pub kind: String,
    /// What it is about: ids and states, never personal data.
    pub data: Value,
    /// Seconds from the beginning of the transaction that published it until it was read, by the database's clock.
    pub age: f64,
}

/// Begins the numbering of a new restaurant's events.
pub async fn start(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.run("insert into restaurant_counter (restaurant_id) values ($1)", [restaurant.into()]).await?;
    Ok(())
}

/// The statement that numbers and writes a message. `before` is what goes before it: common table
/// expressions, of which the last has the name `n` and one row, whose column `extra` (jsonb) is added to the
/// data. Their own values begin at $9; the restaurant is $1.
#[must_use]
pub fn publishing(before: &str) -> String {
    format!(
        "with {before}, c as (update restaurant_counter r set event_number = r.event_number + 1 from n \
            where r.restaurant_id = $1 returning r.event_number, n.extra), \
        e as (insert into event (restaurant_id, number, kind, data) \
            select $1, c.event_number, $2, $3::jsonb || c.extra from c) \
        select c.extra, pg_notify('pult_event', $4)::text, \
            case when $5::text is not null then control.enqueue($5, $6, $7, $8)::text end from c"
    )
}

static PUBLISH: LazyLock<String> = LazyLock::new(|| publishing("n as (select '{}'::jsonb as extra)"));

/// Publishes an event: what windows get, and one job at most, however many subscribe. With a message it locks
/// the restaurant's counter row until the commit, so call it last.
pub async fn publish<E: Event>(tx: &TenantTx, event: &E) -> Result<()> {
    publish_with(tx, event, PUBLISH.as_str(), []).await??;
    Ok(())
}

/// The same with a statement made by [`publishing`] and its own values, for what is written together with the
/// message. Answers what was added to the data, or what the database says. The event must have a message, else
/// nothing is numbered.
pub async fn publish_with<E: Event>(
    tx: &TenantTx, event: &E, statement: &'static str, own: impl IntoIterator<Item = sea_orm::Value>,
) -> Result<std::result::Result<Value, DbErr>> {
    let effects = subscriptions::effects(event)?;
    let Some(message) = event.message() else {
        if let Some(job) = effects.job {
            crate::enqueue(tx, &job.kind, job.key.as_deref(), job.args, job.run_at).await?;
        }
        return Ok(Ok(Value::Null));
    };
    let payload = std::iter::once(event.restaurant().to_string().as_str())
        .chain(effects.topics)
        .collect::<Vec<_>>()
        .join(" ");
    let (kind, key, args, run_at) = match effects.job {
        Some(job) => (Some(job.kind), job.key, Some(job.args), job.run_at),
        None => (None, None, None, None),
    };
    let values: [sea_orm::Value; 8] = [
        event.restaurant().into(),
        message.kind.into(),
        message.data.into(),
        payload.into(),
        kind.into(),
        key.into(),
        args.into(),
        run_at.into(),
    ];
    let written = tx.value(statement, values.into_iter().chain(own)).await;
    Ok(written.map(Option::unwrap_or_default))
}

/// When the newest event of this kind after a moment was published. The restaurant's counter stays locked until
/// the commit, so of two transactions that ask before they publish the second one sees the event of the first.
pub async fn last_of<M: LiveMessage>(
    tx: &TenantTx, restaurant: Id<Restaurant>, after: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let lock = "select event_number from restaurant_counter where restaurant_id = $1 for update";
    let _: Option<i64> = tx.value(lock, [restaurant.into()]).await?;
    let sql = "select created_at from event where restaurant_id = $1 and kind = $2 and created_at > $3 \
        order by number desc limit 1";
    Ok(tx.value(sql, [restaurant.into(), M::KIND.into(), after.into()]).await?)
}

/// What a reader that has seen `last` has missed, at most 500 at a time.
#[derive(Debug)]
pub enum Missed {
    /// These, oldest first.
    Events(Vec<WrittenMessage>),
    /// The events are older than what is stored: load everything again.
    TooOld,
}

/// The number of the newest event.
pub async fn newest(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i64> {
    Ok(tx
        .value("select event_number from restaurant_counter where restaurant_id = $1", [restaurant.into()])
        .await?
        .unwrap_or_default())
}

/// The events after `last`.
pub async fn since(tx: &TenantTx, restaurant: Id<Restaurant>, last: i64) -> Result<Missed> {
    let sql = "select number, kind, data, extract(epoch from clock_timestamp() - created_at)::float8 age \
        from event where restaurant_id = $1 and number > $2 order by number limit 500";
    let read = async || tx.all::<WrittenMessage>(sql, [restaurant.into(), last.into()]).await;
    let mut events = read().await?;
    if events.is_empty() && newest(tx, restaurant).await? != last {
        // Written between the two statements, or really gone.
        events = read().await?;
        if events.is_empty() {
            return Ok(Missed::TooOld);
        }
    }
    let gap = events.first().is_some_and(|first| first.number != last + 1);
    Ok(if gap { Missed::TooOld } else { Missed::Events(events) })
}

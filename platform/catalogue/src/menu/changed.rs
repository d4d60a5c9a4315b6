//! `menu.changed`: tells other systems that a menu is another one, at most once in ten seconds a restaurant. See
//! `docs/decisions/events-and-jobs.md#menu-changed`.

use std::sync::Arc;

use access::{CatalogueChanged, prelude::*};
use futures_util::FutureExt;
use serde_json::json;
use work::{
    Handler, Job, JobContext, JobError, Work,
    events::{self, LiveMessage, Message},
};

/// The kind of job that tells it.
pub(crate) const TELL: &str = "menu_changed";

/// At least so long from one event to the next, in seconds.
const GAP: i64 = 10;

/// What guests see has changed since the last event; sellable pieces alone change nothing. At most one in ten
/// seconds; the last change is never left out.
#[derive(Debug, Object)]
pub(crate) struct MenuChangedEvent {
    /// The `version` of the menu.
    pub version: i64,
}

impl LiveMessage for MenuChangedEvent {
    const KIND: &'static str = "menu.changed";
}

#[derive(Debug)]
struct MenuChanged {
    restaurant: Id<Restaurant>,
    version: i64,
}

impl events::Event for MenuChanged {
    fn restaurant(&self) -> Id<Restaurant> {
        self.restaurant
    }

    fn message(&self) -> Option<Message> {
        Some(Message::new(&MenuChangedEvent { version: self.version }))
    }
}

/// The job that a change wants; one that waits tells of all changes before it runs.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn telling(changed: &CatalogueChanged) -> Option<Work> {
    let restaurant = changed.0;
    let args = json!({ "restaurant_id": restaurant });
    Some(Work { key: Some(restaurant.to_string()), args, run_at: None })
}

pub(crate) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(TELL, Arc::new(|context, job| tell(context, job).boxed()))]
}

async fn tell(context: JobContext, job: Job) -> Result<(), JobError> {
    let restaurant: Id<Restaurant> = job.arg("restaurant_id")?;
    let tx = context.begin(&job).await?;
    tell_or_wait(&tx, restaurant).await?;
    Ok(tx.commit().await?)
}

const VERSION: &str = "select catalogue_version from restaurant_facts where id = $1";

async fn tell_or_wait(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    let gap = chrono::TimeDelta::seconds(GAP);
    let last = events::last_of::<MenuChangedEvent>(tx, restaurant, work::due_now(tx).await? - gap).await?;
    if let Some(last) = last {
        let args = json!({ "restaurant_id": restaurant });
        return work::enqueue(tx, TELL, Some(&restaurant.to_string()), args, Some(last + gap)).await;
    }
    let Some(version) = tx.value(VERSION, [restaurant.into()]).await? else { return Ok(()) };
    events::publish(tx, &MenuChanged { restaurant, version }).await
}

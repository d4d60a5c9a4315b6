//! The end of an SOS close: a job opens the restaurant and notifies open windows. Taking orders does not wait
//! for it: [`kernel::time::SosClose`] compares with the clock. See `docs/decisions/restaurants.md#sos-close`.

use std::sync::Arc;

use access::{Actor, prelude::*, write_audit};
use futures_util::FutureExt;
use serde_json::json;
use work::{Handler, Job, JobContext, JobError};

use super::store;
use crate::Event;

const OPEN: &str = "restaurant_open";

pub(crate) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(OPEN, Arc::new(|context, job| open(context, job).boxed()))]
}

pub(super) async fn enqueue(tx: &TenantTx, restaurant: Id<Restaurant>, until: Timestamp) -> Result<()> {
    work::enqueue(tx, OPEN, None, json!({ "restaurant_id": restaurant }), Some(until.into())).await
}

/// Opens a restaurant whose SOS close has ended, unless it was changed meanwhile.
async fn open(context: JobContext, job: Job) -> Result<(), JobError> {
    let restaurant: Id<Restaurant> = job.arg("restaurant_id")?;
    let tx = context.begin(&job).await?;
    open_again(&tx, restaurant).await?;
    Ok(tx.commit().await?)
}

async fn open_again(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    let Ok(before) = store::lock(tx, restaurant).await else { return Ok(()) };
    let now = Timestamp(work::due_now(tx).await?);
    let Some(end) = before.temp_no_orders_until.filter(|end| before.temp_no_orders && *end <= now) else {
        return Ok(());
    };
    let mut row = before.clone().into_active_model();
    (row.temp_no_orders, row.temp_no_orders_until) = (Set(false), Set(None));
    store::save(tx, &before, row).await?;
    let actor = Actor { kind: "job", id: None, name: "Pult" };
    let details = json!({"temp_no_orders": [true, false], "temp_no_orders_until": [end.to_string(),
        serde_json::Value::Null]});
    write_audit(tx, Some(restaurant.uuid()), &actor, "restaurants_close", Some(restaurant.uuid()), details)
        .await?;
    work::events::publish(tx, &Event::Changed(restaurant)).await
}

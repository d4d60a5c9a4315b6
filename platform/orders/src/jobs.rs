//! What follows an order by itself: mails to the guest, the end of an unpaid order.

use std::sync::Arc;

use access::prelude::*;
use futures_util::FutureExt;
use serde_json::json;
use uuid::Uuid;
use work::{Handler, Job, JobContext, JobError, events};

use crate::{
    emails, store,
    types::{OrderId, OrderStatus},
};

/// The mail to a refused guest, as the release before wrote it.
const REFUSED_MAIL: &str = "order_refused_mail";
/// Ends an order that was not paid within 30 minutes.
pub(crate) const EXPIRE: &str = "order_expire";

/// Tells everybody that an order which was wanted for later is due.
pub(crate) const DUE: &str = "order_due";

/// Who does which kind of job.
#[must_use]
pub fn handlers() -> Vec<(&'static str, Handler)> {
    vec![
        (emails::SEND, Arc::new(|context, job| emails::send(context, job).boxed())),
        (emails::SEND_ACCEPTED, Arc::new(|context, job| emails::send(context, job).boxed())),
        (REFUSED_MAIL, Arc::new(|context, job| emails::send(context, job).boxed())),
        (emails::TEST, Arc::new(|context, job| emails::send_test(context, job).boxed())),
        (DUE, Arc::new(|context, job| due(context, job).boxed())),
        (EXPIRE, Arc::new(|context, job| expire(context, job).boxed())),
    ]
}

async fn expire(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    let row = tx.row("select restaurant_id from orders where id = $1", [id.into()]).await?;
    let Some(row) = row else { return Ok(()) };
    let restaurant: Id<Restaurant> = row.try_get::<Uuid>("", "restaurant_id")?.into();
    let locked = store::lock(&tx, restaurant, id).await?;
    if locked.archived || locked.status != OrderStatus::Received {
        return Ok(());
    }
    store::give_back(&tx, restaurant, id, &locked).await?;
    store::expire(&tx, id).await?;
    store::note(&tx, id, "expired", None).await?;
    let data = json!({"order_id": id, "status": "expired", "change": "expired"});
    events::publish(&tx, restaurant, "TASK_ORDERS_RELOAD", data).await?;
    Ok(tx.commit().await?)
}

/// Runs when the kitchen should see the order: it rings once, on every screen, also when the service was away
/// at that time.
async fn due(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    if !store::announce(&tx, id, Timestamp::now()).await? {
        return Ok(());
    }
    let row = tx.row("select restaurant_id, counter, status from orders where id = $1", [id.into()]).await?;
    let Some(row) = row else { return Ok(()) };
    let restaurant: Id<Restaurant> = row.try_get::<Uuid>("", "restaurant_id")?.into();
    let (counter, status): (Option<String>, String) =
        (row.try_get("", "counter")?, row.try_get("", "status")?);
    let data = json!({"order_id": id, "counter": counter, "status": status, "change": "due"});
    events::publish(&tx, restaurant, "TASK_ORDERS_RELOAD", data).await?;
    Ok(tx.commit().await?)
}

//! Jobs of orders: mails to the guest, expiry of an unpaid order. See `docs/decisions/orders.md#expiry`.

use std::sync::Arc;

use access::{Secrets, prelude::*};
use futures_util::FutureExt;
use sea_orm::FromQueryResult;
use serde_json::json;
use work::{Handler, Job, JobContext, JobError, Work, events};

use crate::{
    actor::Actor,
    drawer, emails, escalation,
    events::{Event, EventOrder, publish_all},
    payments::{
        Account, PaymentState, Till,
        online::{self, End},
    },
    state::{self, Change, Outcome},
    store,
    values::{OrderId, OrderStatus},
};

/// The mail to a refused guest, as the release before wrote it.
const REFUSED_MAIL: &str = "order_refused_mail";
/// Ends an order that was not paid in time.
pub const EXPIRE: &str = "order_expire";
/// Tells everybody that an order which was wanted for later is due.
pub const DUE: &str = "order_due";

/// Subscriber: an order that waits for its payment expires.
#[must_use]
pub fn expiry(event: &Event) -> Option<Work> {
    let Event::Received { order, expires_at } = event else { return None };
    let run_at = Some((*expires_at).into());
    Some(Work { args: json!({"order_id": order.id}), run_at, ..Work::default() })
}

/// Subscriber: an order for later is announced when the kitchen should see it.
#[must_use]
pub fn announcement(event: &Event) -> Option<Work> {
    let (order, due_at) = match event {
        Event::Arrived { order, due_at: Some(due_at), .. }
        | Event::Changed { order, due_at: Some(due_at), .. }
        | Event::Replaced { order, due_at: Some(due_at), .. } => (order, due_at),
        _ => return None,
    };
    // Each time has its own: what is left of an earlier one finds that the order's time has not come.
    let key = Some(format!("{}:{}", order.id, due_at.0.timestamp_millis()));
    Some(Work { key, args: json!({"order_id": order.id}), run_at: Some((*due_at).into()) })
}

/// The handlers of this crate's jobs; links in mails lead to `public_url`, and `secrets` hide whom they went to.
#[must_use]
pub fn handlers(public_url: &str, secrets: Secrets) -> Vec<(&'static str, Handler)> {
    let base: Arc<str> = public_url.trim_end_matches('/').into();
    let (test_base, in_charge_base) = (base.clone(), base.clone());
    let send: Handler =
        Arc::new(move |context, job| emails::send(context, job, base.clone(), secrets.clone()).boxed());
    vec![
        (emails::SEND, send.clone()),
        (emails::SEND_ACCEPTED, send.clone()),
        (emails::SEND_NOTIFICATION, send.clone()),
        (emails::SEND_NOT_ACCEPTED, send.clone()),
        (emails::SEND_REFUNDED, send.clone()),
        (REFUSED_MAIL, send),
        (
            emails::TEST,
            Arc::new(move |context, job| emails::send_test(context, job, test_base.clone()).boxed()),
        ),
        (
            emails::SEND_IN_CHARGE,
            Arc::new(move |context, job| {
                emails::send_in_charge(context, job, in_charge_base.clone()).boxed()
            }),
        ),
        (escalation::ESCALATE, Arc::new(|context, job| escalation::escalate(context, job).boxed())),
        (DUE, Arc::new(|context, job| announce(context, job).boxed())),
        (drawer::ASSUME, Arc::new(|context, job| drawer::assume_job(context, job).boxed())),
        (EXPIRE, Arc::new(|context, job| expire(context, job).boxed())),
    ]
}

#[derive(FromQueryResult)]
struct Facts {
    restaurant_id: Id<Restaurant>,
    counter: Option<String>,
    status: OrderStatus,
}

/// The restaurant of an order and its message to windows; none when the order does not exist.
async fn facts(tx: &TenantTx, id: Id<OrderId>) -> Result<Option<Facts>> {
    Ok(tx.one("select restaurant_id, counter, status from orders where id = $1", [id.into()]).await?)
}

async fn expire(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    let Some(order) = facts(&tx, id).await? else { return Ok(()) };
    if order.status != OrderStatus::Received {
        return Ok(());
    }
    let now = Timestamp(work::due_now(&tx).await?);
    // It becomes what its last try was.
    let (change, provider) = match online::end(&tx, id, now).await? {
        End::At(at) => {
            work::enqueue(&tx, EXPIRE, None, json!({"order_id": id}), Some(at.into())).await?;
            return Ok(tx.commit().await?);
        }
        End::As(PaymentState::Failed, provider) => (Change::Fail, Some(provider)),
        End::As(PaymentState::Cancelled, provider) => (Change::Cancel, Some(provider)),
        End::As(..) | End::Expired => (Change::Expire, None),
    };
    let actor = provider.as_deref().map_or(Actor::Service, Actor::Provider);
    let changed = state::change(&tx, order.restaurant_id, id, &change, actor).await?;
    // An order that was paid meanwhile is not changed.
    let Outcome::Done { events, .. } = changed else { return Ok(()) };
    online::end_page(&tx, id, now).await?;
    publish_all(&tx, &events).await?;
    Ok(tx.commit().await?)
}

/// Runs when the kitchen should see the order: it rings once, on every screen, also when the service was away
/// at that time.
async fn announce(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    let Some(Facts { restaurant_id, counter, status }) = facts(&tx, id).await? else { return Ok(()) };
    Account::lock(&tx, restaurant_id, id).await?;
    let now = Timestamp(work::due_now(&tx).await?);
    // One that was accepted and paid for before closes when its time comes.
    let settings = restaurants::facts(&tx, restaurant_id).await?;
    let till = Till { tx: &tx, facts: &settings, actor: Actor::Service, now };
    let closed = till.close(id).await?;
    if store::announce(&tx, id, now).await? {
        // It sends no mail.
        let order = EventOrder { id, restaurant: restaurant_id, counter, status, has_email: false };
        events::publish(&tx, &Event::Due(order)).await?;
    }
    publish_all(&tx, &Vec::from_iter(closed)).await?;
    Ok(tx.commit().await?)
}

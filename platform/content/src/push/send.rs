//! The job that sends a notification, in batches. A device gets it at most once: its delivery is claimed and
//! committed before the call, and only calls that certainly failed are repeated.

use std::sync::Arc;

use access::prelude::*;
use contract::{Environment, Plugins, Push, PushMessage, PushOutcome, Secret};
use futures_util::{StreamExt, stream};
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::TenantTx;
use uuid::Uuid;
use work::{Job, JobContext, JobError, events};

use crate::events::Event;

pub(super) const KIND: &str = "push_send";
/// Devices of one batch; so many at most are of unknown fate after a crash.
const BATCH: i64 = 100;
const AT_ONCE: usize = 10;
/// How often a device is tried.
const ATTEMPTS: i32 = 5;

struct Notification {
    id: Uuid,
    restaurant: Id<Restaurant>,
    message: PushMessage,
    mode: String,
}

const LOCK: &str = "select n.restaurant_id, n.notification_title, n.notification_body, n.status, \
    n.scheduled_at < now() - interval '1 hour' late, \
        control.partner_mode() mode, exists (select from restaurant_facts f where f.id = \
        n.restaurant_id and f.archived_at is null and 'push' = any (f.features)) allowed \
    from push_notification n where n.id = $1 and n.run = $2 and n.archived_at is null and n.status in \
    ('waiting', 'sending') for update";
const BEGIN: &str = "update push_notification set status = 'sending', notification_sent = true, version = \
    version + 1, recipients = \
        (select count(*) from push_delivery d where d.notification_id = $1) where id = $1";
const RECIPIENTS: &str = "insert into push_delivery (notification_id, device_id) select $1, d.id from \
    push_device d where d.restaurant_id = $2";
const CLAIM: &str = "with c as (select d.device_id from push_delivery d where d.notification_id = $1 and \
    d.state = 'waiting' \
            order by d.device_id limit $2 for update skip locked), \
        u as (update push_delivery d set state = 'claimed', attempts = d.attempts + 1 from c where \
        d.notification_id = $1 and d.device_id = c.device_id \
            returning d.device_id) \
    select u.device_id, p.token from u left join push_device p on p.id = u.device_id";
const NOTE: &str = "update push_delivery set state = $3 where notification_id = $1 and device_id = $2";
const FINISH: &str = "update push_notification n set status = 'sent', sent_at = now(), version = version + \
    1, accepted = c.accepted, failed = c.failed, \
        unregistered = c.unregistered \
    from (select count(*) filter (where state = 'accepted') accepted, count(*) filter (where state = \
    'failed') failed, \
              count(*) filter (where state = 'unregistered') unregistered from push_delivery where \
              notification_id = $1) c where n.id = $1";

pub(super) async fn send(plugins: Plugins, context: JobContext, job: Job) -> Result<(), JobError> {
    let (id, run): (Uuid, Uuid) = (job.arg("notification_id")?, job.arg("run")?);
    let Some(notification) = begin(&context, &job, id, run).await? else { return Ok(()) };
    let push = plugins.push(Environment::of_mode(&notification.mode));
    let mut wait = 0;
    loop {
        let devices = claim(&context, &job, id).await?;
        if devices.is_empty() {
            break;
        }
        let outcomes = deliver(push.as_ref(), &notification.message, devices).await;
        wait = wait.max(note(&context, &job, id, outcomes).await?);
    }
    finish(&context, &job, &notification, run, wait).await
}

/// A notification that is to be sent now.
#[derive(FromQueryResult)]
struct Due {
    restaurant_id: Id<Restaurant>,
    status: String,
    /// Too late to be sent.
    late: bool,
    /// The feature is on, and the restaurant is not archived.
    allowed: bool,
    notification_title: String,
    notification_body: String,
    mode: String,
}

#[derive(FromQueryResult)]
struct ClaimedDevice {
    device_id: Uuid,
    /// None when it was taken out meanwhile.
    token: Option<String>,
}

/// Takes the notification up, for the first time or again. None when it is not for this job, or not for now.
async fn begin(
    context: &JobContext, job: &Job, id: Uuid, run: Uuid,
) -> Result<Option<Notification>, JobError> {
    let tx = context.begin(job).await?;
    let Some(due) = tx.one::<Due>(LOCK, [id.into(), run.into()]).await? else { return Ok(None) };
    let restaurant = due.restaurant_id;
    if due.status == "waiting" {
        if due.late || !due.allowed {
            tx.run(
                "update push_notification set status = 'missed', version = version + 1 where id = $1",
                [id.into()],
            )
            .await?;
            notify(&tx, restaurant, id).await?;
            tx.commit().await?;
            return Ok(None);
        }
        let old =
            "delete from push_device where restaurant_id = $1 and seen_at < now() - interval '270 days'";
        tx.run(old, [restaurant.into()]).await?;
        tx.run(RECIPIENTS, [id.into(), restaurant.into()]).await?;
        tx.run(BEGIN, [id.into()]).await?;
        notify(&tx, restaurant, id).await?;
    } else {
        // What an attempt before has claimed and not noted may have arrived: it is not sent again.
        let unknown =
            "update push_delivery set state = 'failed' where notification_id = $1 and state = 'claimed'";
        if tx.run(unknown, [id.into()]).await? > 0 {
            failure(&tx, id, "UNKNOWN_OUTCOME").await?;
        }
        let again = "update push_delivery set state = case when attempts < $2 then 'waiting' else 'failed' \
            end where notification_id = $1 and state = 'later'";
        tx.run(again, [id.into(), ATTEMPTS.into()]).await?;
    }
    tx.commit().await?;
    let message =
        PushMessage { title: due.notification_title, body: due.notification_body, id: id.to_string() };
    Ok(Some(Notification { id, restaurant, message, mode: due.mode }))
}

async fn failure(tx: &TenantTx, id: Uuid, code: &str) -> Result<(), JobError> {
    tx.run("update push_notification set failure = $2 where id = $1", [id.into(), code.into()]).await?;
    Ok(())
}

/// The last statement before a commit.
async fn notify(tx: &TenantTx, restaurant: Id<Restaurant>, id: Uuid) -> Result<(), JobError> {
    Ok(events::publish(tx, &Event::PushNotification(restaurant, id)).await?)
}

/// The next devices with their tokens; none of those that were taken out meanwhile.
async fn claim(context: &JobContext, job: &Job, id: Uuid) -> Result<Vec<(Uuid, Option<Secret>)>, JobError> {
    let tx = context.begin(job).await?;
    let devices: Vec<ClaimedDevice> = tx.all(CLAIM, [id.into(), BATCH.into()]).await?;
    tx.commit().await?;
    Ok(devices.into_iter().map(|device| (device.device_id, device.token.map(Secret::new))).collect())
}

async fn deliver(
    push: Option<&Arc<dyn Push>>, message: &PushMessage, devices: Vec<(Uuid, Option<Secret>)>,
) -> Vec<(Uuid, PushOutcome)> {
    let calls = devices.into_iter().map(|(device, token)| async move {
        let outcome = match (push, token) {
            (_, None) => PushOutcome::Unregistered,
            (None, _) => PushOutcome::Failed("NOT_CONFIGURED".to_owned()),
            (Some(push), Some(token)) => push.send(message, &token).await,
        };
        (device, outcome)
    });
    stream::iter(calls).buffer_unordered(AT_ONCE).collect().await
}

/// Writes what became of a batch; the seconds after which the other side wants to be asked again.
async fn note(
    context: &JobContext, job: &Job, id: Uuid, outcomes: Vec<(Uuid, PushOutcome)>,
) -> Result<u64, JobError> {
    let tx = context.begin(job).await?;
    let mut wait = 0;
    let mut gone = Vec::new();
    for (device, outcome) in outcomes {
        let state = match outcome {
            PushOutcome::Accepted => "accepted",
            PushOutcome::Unregistered => {
                gone.push(device);
                "unregistered"
            }
            PushOutcome::Failed(code) => {
                failure(&tx, id, &code).await?;
                "failed"
            }
            PushOutcome::Unknown => {
                failure(&tx, id, "UNKNOWN_OUTCOME").await?;
                "failed"
            }
            PushOutcome::Later(after) => {
                wait = wait.max(after.unwrap_or_default());
                "later"
            }
        };
        tx.run(NOTE, [id.into(), device.into(), state.into()]).await?;
    }
    tx.run("delete from push_device where id = any ($1)", [gone.into()]).await?;
    tx.commit().await?;
    Ok(wait)
}

/// Either some are to be tried again, with a job of its own, or all is said and counted.
async fn finish(
    context: &JobContext, job: &Job, notification: &Notification, run: Uuid, wait: u64,
) -> Result<(), JobError> {
    let id = notification.id;
    let tx = context.begin(job).await?;
    let sql = "select coalesce(max(attempts), 0) attempts from push_delivery where notification_id = $1 and \
        state = 'later'";
    let attempts: i32 = tx.value(sql, [id.into()]).await?.unwrap_or(0);
    if (1..ATTEMPTS).contains(&attempts) {
        // 2, 4, 8, 16 seconds, or what the other side asks for; an hour at most.
        let pause = wait.max(1 << attempts).min(3600);
        let at = kernel::clock::now() + chrono::Duration::seconds(i64::try_from(pause).unwrap_or(3600));
        let args = json!({"notification_id": id, "run": run});
        work::enqueue(&tx, KIND, Some(&format!("{run}:{attempts}")), args, Some(at)).await?;
    } else {
        let late = "update push_delivery set state = 'failed' where notification_id = $1 and state = 'later'";
        if tx.run(late, [id.into()]).await? > 0 {
            failure(&tx, id, "NOT_REACHED").await?;
        }
        tx.run(FINISH, [id.into()]).await?;
        // The counts stay; the list of receivers is removed.
        tx.run("delete from push_delivery where notification_id = $1", [id.into()]).await?;
        notify(&tx, notification.restaurant, id).await?;
    }
    Ok(tx.commit().await?)
}

//! Orders that wait too long to be accepted: after a while more and more people are told. See
//! `docs/decisions/orders.md#orders-that-nobody-accepts`.
//!
//! One job waits for an order's next level. It looks at the order under its lock, so a level is reached once, whatever
//! runs twice.

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::json;
use work::{Job, JobContext, JobError, Work, events};

use crate::{
    actor::Actor,
    emails,
    events::{Event, EventOrder},
    payments,
    values::{OrderId, OrderStatus},
    wait::{FIRST, SECOND, THIRD, Wait},
};

/// Takes an order that nobody accepts to its next level.
pub const ESCALATE: &str = "order_escalate";

/// Subscriber: an order that is not accepted by then reaches the next level.
#[must_use]
pub fn escalation(event: &Event) -> Option<Work> {
    let (order, at) = match event {
        Event::Arrived { order, escalate_at, .. }
        | Event::TakenBack { order, escalate_at, .. }
        | Event::Changed { order, escalate_at, .. }
        | Event::Replaced { order, escalate_at, .. } => (order, *escalate_at),
        Event::Escalated { order, next_at, .. } => (order, *next_at),
        _ => return None,
    };
    at.map(|at| job_of(order.id, at))
}

/// An order has one that waits at most: what began anew is found by the one that was there before, which then waits on.
fn job_of(order: Id<OrderId>, at: Timestamp) -> Work {
    Work { key: Some(order.to_string()), args: json!({"order_id": order}), run_at: Some(at.into()) }
}

/// An order that waits to be accepted.
#[derive(Debug, FromQueryResult)]
struct Unaccepted {
    restaurant_id: Id<Restaurant>,
    counter: Option<String>,
    status: OrderStatus,
    is_test: bool,
    #[sea_orm(nested)]
    wait: Wait,
    /// The restaurant's setting. Minutes.
    escalate_admins_after_minutes: Option<i32>,
    /// It reaches no level before the kitchen should see it, however long it has waited before.
    show_at: Timestamp,
}

const LOCK: &str = "select o.restaurant_id, o.counter, o.status, o.is_test, \
        coalesce(o.visible_at, o.show_at) visible_at, o.accept_seconds, o.taken_back_at, o.escalation_level, \
        o.escalated_at, f.escalate_after_minutes, f.escalate_admins_after_minutes, o.show_at \
    from orders o join restaurant_facts f on f.id = o.restaurant_id \
    where o.id = $1 and o.status = 'succeeded' and o.archived_at is null and f.archived_at is null \
    for no key update of o";
const REACH: &str = "update orders set escalation_level = $2, escalated_at = $3 where id = $1";

impl Unaccepted {
    /// The next level, and when it is reached by the settings of now. Nobody is mailed about a test.
    fn next(&self) -> Option<(i32, Timestamp)> {
        let second = self.wait.escalate_at()?;
        match self.wait.escalation_level {
            FIRST => Some((SECOND, second.max(self.show_at))),
            SECOND if !self.is_test => {
                let minutes = self.escalate_admins_after_minutes?;
                Some((THIRD, self.wait.escalated_at?.plus_minutes(minutes.into())))
            }
            _ => None,
        }
    }
}

/// Runs when an order's next level is due: reaches it, or waits on when the order or the settings have become others.
pub(crate) async fn escalate(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    let Some(mut order) = tx.one::<Unaccepted>(LOCK, [id.into()]).await? else { return Ok(()) };
    let Some((level, due)) = order.next() else { return Ok(()) };
    let now = Timestamp(work::due_now(&tx).await?);
    if due > now {
        let Work { key, args, run_at } = job_of(id, due);
        work::enqueue(&tx, ESCALATE, key.as_deref(), args, run_at).await?;
        return Ok(tx.commit().await?);
    }
    let waited = (now.0 - order.wait.since().0).num_minutes();
    tx.run(REACH, [id.into(), level.into(), now.into()]).await?;
    payments::history(&tx, id, "escalated", Actor::Service, json!({"level": level, "minutes": waited}))
        .await?;
    (order.wait.escalation_level, order.wait.escalated_at) = (level, Some(now));
    if level == THIRD {
        emails::tell_in_charge(&tx, order.restaurant_id, id).await?;
    }
    let next_at = order.next().map(|(_, at)| at);
    let Unaccepted { restaurant_id: restaurant, counter, status, is_test, .. } = order;
    // Who is mailed is not the guest.
    let about = EventOrder { id, restaurant, counter, status, has_email: false };
    events::publish(&tx, &Event::Escalated { order: about, level, mail: !is_test, next_at }).await?;
    Ok(tx.commit().await?)
}

//! Assumed payments: when a day or a drawer ends, the amount due of accepted orders is booked as
//! assumed, with the method that each names, dated at the time that was promised. See
//! `docs/decisions/payments.md#assumed`.

use std::collections::HashMap;

use access::prelude::*;
use serde_json::json;
use uuid::Uuid;
use work::{Job, JobContext, JobError};

use super::{
    store::{self, MOST_UNPAID, Place},
    types::UnpaidOrder,
};
use crate::{
    actor::Actor,
    events::{Event, publish_all},
    payments::{Account, Till},
};

/// Books what nobody has booked when a restaurant's day has ended.
pub const ASSUME: &str = "orders_assume";

/// After an acceptance: one job of the restaurant waits for the end of its day. It is no subscriber of the event,
/// because the day's end is not known where the mail to the guest is wanted.
pub(crate) async fn wait_for_the_end(
    tx: &TenantTx, restaurant: Id<Restaurant>, end: Timestamp,
) -> Result<()> {
    let args = json!({"restaurant_id": restaurant});
    work::enqueue(tx, ASSUME, Some(&restaurant.to_string()), args, Some(end.into())).await
}

/// The method that an order is booked with. Nobody's balance or points are taken on a guess, and several methods are
/// no method.
pub(super) fn booked_as(key: &str) -> &str {
    match key {
        "balance" | "points" | "split" => "cash",
        key => key,
    }
}

/// Books these, each under its lock: one that was paid meanwhile is left out.
pub(super) async fn book(till: Till<'_>, unpaid: &[UnpaidOrder]) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    let mut methods: HashMap<&str, Uuid> = HashMap::new();
    for order in unpaid {
        let account = Account::lock(till.tx, till.facts.id, order.order_id).await?;
        if account.free() <= kernel::money::Money::ZERO || !account.is_alive() {
            continue;
        }
        let key = booked_as(&order.payment_key);
        let method = if let Some(method) = methods.get(key) {
            *method
        } else {
            let found = payment_methods::chosen(till.tx, till.facts.id, None, Some(key)).await?;
            let method = found.ok_or(Code::UNKNOWN_ERROR)?.id;
            methods.insert(key, method);
            method
        };
        let paid_at = order.promised_at.min(till.now);
        events.extend(till.assume(&account, (method, key), order.courier_id, paid_at).await?);
    }
    Ok(events)
}

/// Runs when a day of the restaurant has ended: books the orders of ended days, and waits for the end of the next
/// one while there are others.
/// Errors: What the database says; the job runs again.
pub async fn assume_job(context: JobContext, job: Job) -> Result<(), JobError> {
    let restaurant: Id<Restaurant> = job.arg("restaurant_id")?;
    let tx = context.begin(&job).await?;
    let facts = match restaurants::facts(&tx, restaurant).await {
        Ok(facts) => facts,
        // An archived restaurant has no open orders.
        Err(problem) if problem.code() == Code::RESTAURANT_NOT_EXIST => return Ok(()),
        Err(problem) => return Err(problem.into()),
    };
    let now = Timestamp::now();
    let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
    let today = facts.business_day(now);
    let place = Place { restaurant, courier: None };
    let ended = Timestamp(today.start(zone, reset).0 - chrono::Duration::seconds(1));
    let unpaid = store::unpaid(&tx, place, ended, MOST_UNPAID).await?;
    let till = Till { tx: &tx, facts: &facts, actor: Actor::Service, now };
    let events = book(till, &unpaid).await?;
    let far = Timestamp(now.0 + chrono::Duration::days(366));
    if !store::unpaid(&tx, place, far, 1).await?.is_empty() {
        wait_for_the_end(&tx, restaurant, today.end(zone, reset)).await?;
    }
    publish_all(&tx, &events).await?;
    Ok(tx.commit().await?)
}

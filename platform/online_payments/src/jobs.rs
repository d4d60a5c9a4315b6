//! Jobs: ask, give back, take or release held money.

use std::sync::Arc;

use access::{domain::Services, prelude::*};
use futures_util::FutureExt;
use orders::{Event, online};
use serde_json::json;
use work::{Handler, Job, JobContext, JobError, Work};

use crate::{desk::Desk, way::OfJob};

pub(crate) fn handlers(services: &Services) -> Vec<(&'static str, Handler)> {
    let handler = |what: What| -> Handler {
        let services = services.clone();
        Arc::new(move |context, job| run(services.clone(), context, job, what).boxed())
    };
    vec![
        (online::ASK, handler(What::Ask)),
        (online::REFUND, handler(What::Refund)),
        (online::SETTLE, handler(What::Settle)),
        (online::RECONCILE, handler(What::Reconcile)),
    ]
}

#[derive(Clone, Copy)]
enum What {
    Ask,
    Refund,
    Settle,
    Reconcile,
}

async fn run(services: Services, context: JobContext, job: Job, what: What) -> Result<(), JobError> {
    let way = OfJob(&context, &job);
    let desk = Desk { app: &services.app, plugins: &services.plugins, way: &way, partner: job.partner()? };
    let done = match what {
        What::Ask => {
            let named = job.args.get("reference").and_then(|named| named.as_str()).map(str::to_owned);
            desk.ask(job.arg("attempt_id")?, named).await
        }
        What::Refund => desk.refund(job.arg("order_id")?).await,
        What::Reconcile => return crate::reconcile::run(&desk, &job).await,
        What::Settle => desk.settle(job.arg("order_id")?).await,
    };
    // A provider that is away says nothing of the money: it is tried until it is back.
    done.map_err(|problem| match problem.code() {
        Code::UNAVAILABLE_SERVER => JobError::away(problem),
        _ => problem.into(),
    })
}

/// Subscriber: money that came by a provider goes back by it.
#[must_use]
pub(crate) fn refund(event: &Event) -> Option<Work> {
    let Event::RefundAsked(order) = event else { return None };
    Some(Work { key: Some(order.id.to_string()), args: json!({"order_id": order.id}), run_at: None })
}

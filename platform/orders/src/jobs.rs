//! What follows an order by itself: the mail to a refused guest, the end of an unpaid order.

use std::sync::Arc;

use access::prelude::*;
use futures_util::FutureExt;
use serde_json::json;
use uuid::Uuid;
use work::{Handler, Job, JobContext, Mail, events};

use crate::{
    store,
    types::{OrderId, OrderStatus},
};

/// Tells a guest by mail that the order was refused.
pub(crate) const REFUSED_MAIL: &str = "order_refused_mail";
/// Ends an order that was not paid within 30 minutes (decisions §6).
pub(crate) const EXPIRE: &str = "order_expire";

/// Who does which kind of job.
#[must_use]
pub fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(REFUSED_MAIL, Arc::new(|context, job| refused_mail(context, job).boxed())), (EXPIRE, Arc::new(|context, job| expire(context, job).boxed()))]
}

fn order_of(job: &Job) -> Result<Id<OrderId>, String> {
    job.args["order_id"].as_str().and_then(|id| id.parse().ok()).ok_or_else(|| "the job names no order".to_owned())
}

fn said(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

async fn refused_mail(context: JobContext, job: Job) -> Result<(), String> {
    let id = order_of(&job)?;
    let tx = context.begin(&job).await?;
    let sql = "select o.email, o.counter, o.locale, o.archive_reason_text, r.name, r.phone_1 from orders o join restaurant r on r.id = o.restaurant_id \
               where o.id = $1 and o.archived_at is not null and o.email is not null";
    let Some(row) = tx.row(sql, [id.into()]).await.map_err(said)? else { return Ok(()) };
    let text = |column: &str| row.try_get::<Option<String>>("", column).map(Option::unwrap_or_default).map_err(said);
    let (to, counter, restaurant, phone, why) = (text("email")?, text("counter")?, text("name")?, text("phone_1")?, text("archive_reason_text")?);
    let mail = if text("locale")? == "en" {
        Mail {
            to,
            subject: format!("{restaurant}: your order {counter} could not be taken"),
            text: format!("Dear guest,\n\nwe are sorry: {restaurant} could not take your order {counter}.\n{why}\n\nQuestions: {phone}\n"),
        }
    } else {
        Mail {
            to,
            subject: format!("{restaurant}: a(z) {counter} rendelésedet nem tudtuk elvállalni"),
            text: format!(
                "Kedves Vendégünk!\n\nSajnáljuk, {restaurant} nem tudta elvállalni a rendelésedet ({counter}).\n{why}\n\nKérdésed van? {phone}\n"
            ),
        }
    };
    // The connection is given back before the mail server is spoken to.
    drop(tx);
    context.mailer.send(&mail).await
}

async fn expire(context: JobContext, job: Job) -> Result<(), String> {
    let id = order_of(&job)?;
    let tx = context.begin(&job).await?;
    let row = tx.row("select restaurant_id from orders where id = $1", [id.into()]).await.map_err(said)?;
    let Some(row) = row else { return Ok(()) };
    let restaurant: Id<Restaurant> = row.try_get::<Uuid>("", "restaurant_id").map_err(said)?.into();
    let locked = store::lock(&tx, restaurant, id).await.map_err(said)?;
    if locked.archived || locked.status != OrderStatus::Received {
        return Ok(());
    }
    catalogue::give_back(&tx, restaurant, &store::pieces(&tx, id).await.map_err(said)?).await.map_err(said)?;
    store::expire(&tx, id).await.map_err(said)?;
    store::note(&tx, id, "expired", None).await.map_err(said)?;
    let data = json!({"order_id": id, "status": "expired", "change": "expired"});
    events::publish(&tx, restaurant, "TASK_ORDERS_RELOAD", data).await.map_err(said)?;
    tx.commit().await.map_err(said)
}

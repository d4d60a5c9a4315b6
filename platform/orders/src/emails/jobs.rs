//! The jobs that send mails about orders.

use std::sync::Arc;

use access::{Secrets, prelude::*};
use kernel::money::Money;
use uuid::Uuid;
use work::{Job, JobContext, JobError, Mail};

use super::{
    build::{mail, sample},
    kind::{EmailKind, Lang},
    notification,
    saved::OrderEmail,
    words::{self, MailRestaurant},
};
use crate::{read, store, types::Order, values::OrderId};

/// A mail to oneself, to see how it looks.
pub(crate) const TEST: &str = "order_email_test";

fn kind_of(job: &Job) -> Result<EmailKind, JobError> {
    // Jobs of the release before know only refusals.
    let name = job.args["kind"].as_str().unwrap_or("refused");
    EmailKind::of(name).map_err(|_| JobError::give_up(format!("no mail is called {name}")))
}

/// Sends the mail about an order, when it is switched on and still true. Links begin with `base`.
pub(crate) async fn send(
    context: JobContext, job: Job, base: Arc<str>, secrets: Secrets,
) -> Result<(), JobError> {
    let kind = kind_of(&job)?;
    let id: Id<OrderId> = job.arg("order_id")?;
    let tx = context.begin(&job).await?;
    // Jobs of the release before do not say which acceptance they are about.
    let acceptance = job.args["acceptance"].as_i64().and_then(|number| i32::try_from(number).ok());
    let Some(restaurant) = still_true(&tx, kind, id, acceptance).await? else { return Ok(()) };
    let email = OrderEmail::one(&tx, restaurant, kind).await?;
    if !email.enabled {
        return Ok(());
    }
    // Without room nothing is written, so the guest does not count as told.
    let is_limited = !kind.is_for_restaurant() && kind != EmailKind::Refunded;
    if is_limited && !has_room(&tx, &secrets, id, &job).await? {
        return Ok(());
    }
    let order = read::order(&tx, restaurant, id).await?;
    let restaurant = MailRestaurant::read(&tx, restaurant).await?;
    let mail = match kind {
        kind if kind.is_for_restaurant() => to_restaurant(&email, &restaurant, &order, &base)?,
        _ => Some(to_guest(&email, &restaurant, &order, refunded(&tx, &job).await?)?),
    };
    let Some(mail) = mail else { return Ok(()) };
    // Committed, and the connection returned, before the mail is sent: so a guest who gets the mail always
    // counts as told.
    tx.commit().await?;
    context.mail(&job, &mail).await
}

/// Mails about orders that one address gets within an hour, from all restaurants of the service: who orders is
/// not always whose address it is. Money that goes back is always told.
const ROOM: &str = "select control.take_mail(array[$1], $2, array[5], array[interval '1 hour']) pause";

/// Whether the guest's address gets one more mail. It is counted without being kept.
async fn has_room(tx: &TenantTx, secrets: &Secrets, id: Id<OrderId>, job: &Job) -> Result<bool, JobError> {
    let sql = "select lower(trim(email)) from orders where id = $1 and email is not null";
    let Some(email) = tx.value::<String>(sql, [id.into()]).await? else { return Ok(true) };
    let subject = format!("order {}", secrets.keyed_hex("order mail", &email));
    let values = [subject.into(), job.id.to_string().into()];
    Ok(tx.value::<i32>(ROOM, values).await?.unwrap_or(0) == 0)
}

/// The amount of the refund that the mail is about, if it is about one.
async fn refunded(tx: &TenantTx, job: &Job) -> Result<Option<Money>, JobError> {
    if job.args.get("refund_id").is_none() {
        return Ok(None);
    }
    let refund: Uuid = job.arg("refund_id")?;
    Ok(tx.value("select amount + tip from payment_refund where id = $1", [refund.into()]).await?)
}

/// The mail to the guest, in the language of the order. Answers go to the restaurant.
fn to_guest(
    email: &OrderEmail, restaurant: &MailRestaurant, order: &Order, refunded: Option<Money>,
) -> Result<Mail, JobError> {
    let lang = Lang::of(&order.row.locale);
    let (subject, body, second) = email.templates(lang);
    let mut values = words::values(restaurant, order, lang, second);
    if let Some(refunded) = refunded {
        values.insert("refund", words::money(refunded, order.row.currency, lang));
    }
    let mail = mail(order.row.email.clone().unwrap_or_default(), (subject, body), &values, lang)?;
    Ok(Mail { reply_to: restaurant.contact_email.clone(), ..mail })
}

/// The mail to the restaurant; none without an address. Names of the menu are in its first language.
fn to_restaurant(
    email: &OrderEmail, restaurant: &MailRestaurant, order: &Order, base: &str,
) -> Result<Option<Mail>, JobError> {
    let Some(to) = restaurant.contact_email.clone() else { return Ok(None) };
    let lang = email.lang_of_restaurant(Lang::of(&order.row.locale));
    let (subject, body, _) = email.templates(lang);
    let values = notification::values(restaurant, order, lang, base);
    Ok(Some(mail(to, (subject, body), &values, lang)?))
}

/// The restaurant of an order about which this can still be said.
async fn still_true(
    tx: &TenantTx, kind: EmailKind, id: Id<OrderId>, acceptance: Option<i32>,
) -> Result<Option<Id<Restaurant>>> {
    let sql = match kind {
        EmailKind::Accepted => return store::tell_accepted(tx, id, acceptance).await,
        // The mail says the time of an accepted order, so its guest knows that it was accepted.
        EmailKind::Replaced => {
            "update orders set guest_told = guest_told or status in ('processed', 'prepared') where id = $1 \
             and email is not null and archived_at is null returning restaurant_id"
        }
        EmailKind::Notification => "select restaurant_id from orders where id = $1 and archived_at is null",
        EmailKind::Received => {
            "select restaurant_id from orders where id = $1 and email is not null and archived_at is null"
        }
        EmailKind::Refunded => "select restaurant_id from orders where id = $1 and email is not null",
        EmailKind::NotAccepted => {
            "select restaurant_id from orders where id = $1 and status = 'succeeded' and archived_at is null"
        }
        EmailKind::TakenBack => {
            "select restaurant_id from orders where id = $1 and email is not null and archived_at is null \
             and status = 'succeeded'"
        }
        EmailKind::Refused => {
            "select restaurant_id from orders where id = $1 and email is not null and archived_at is not null"
        }
    };
    Ok(tx.value::<Uuid>(sql, [id.into()]).await?.map(Id::from_uuid))
}

/// Sends the saved mail with the sample to a member of the staff. Links begin with `base`.
pub(crate) async fn send_test(context: JobContext, job: Job, base: Arc<str>) -> Result<(), JobError> {
    let kind = kind_of(&job)?;
    let (restaurant, admin): (Id<Restaurant>, Uuid) = (job.arg("restaurant_id")?, job.arg("admin_id")?);
    let lang = Lang::of(job.args["lang"].as_str().unwrap_or_default());
    let tx = context.begin(&job).await?;
    let sql = "select email from staff_contact where admin_id = $1 and not archived";
    let Some(to) = tx.value::<String>(sql, [admin.into()]).await? else { return Ok(()) };
    let email = OrderEmail::one(&tx, restaurant, kind).await?;
    let restaurant = MailRestaurant::read(&tx, restaurant).await?;
    let values = sample(kind, &restaurant, lang, &base);
    let (subject, body, _) = email.templates(lang);
    let reply_to = restaurant.contact_email.filter(|_| !kind.is_for_restaurant());
    let mail = Mail { reply_to, ..mail(to, (subject, body), &values, lang)? };
    drop(tx);
    context.mail(&job, &mail).await
}

//! The mail to the people in charge of a restaurant whose order still waits to be accepted. It is the service's own,
//! in the language of its receiver, and names no guest.

use std::sync::Arc;

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;
use work::{
    Job, JobContext, JobError,
    template::{MailText, MailWords},
};

use super::{
    kind::Lang,
    notification,
    words::{MailRestaurant, title},
};
use crate::{read, values::OrderId};

pub(crate) const SEND_IN_CHARGE: &str = "order_email_in_charge";

const TEXT: MailText = MailText {
    hu: MailWords {
        subject: "{{restaurant}}: {{minutes}} perce senki nem fogadja el: {{order}}",
        text: "Szia!\n\nEzt {{minutes}} perce senki nem fogadja el: {{restaurant}}, {{order}}. Az étterem \
            képernyői és e-mail-címe már jelezték.\n\n{{link}}\n\n\
            Az étterem telefonszáma: {{phone}}\n\nAzért kaptad ezt a levelet, mert az étterem minden joga a \
            tiéd. A határidőket a rendszerbeállításokban lehet átállítani.\n",
        button: "Rendelés megnyitása",
    },
    en: MailWords {
        subject: "{{restaurant}}: nobody has accepted {{order}} for {{minutes}} minutes",
        text: "Hello,\n\nfor {{minutes}} minutes nobody has accepted {{order}} of {{restaurant}}. The screens and \
            the e-mail address of the restaurant have been told before.\n\n{{link}}\n\n\
            Phone of the restaurant: {{phone}}\n\nYou get this mail because you hold \
            every right there. The times are changed in the system settings.\n",
        button: "Open the order",
    },
};

/// Writes a job for each of those in charge, in the transaction in which the order reaches the level.
pub(crate) async fn tell_in_charge(
    tx: &TenantTx, restaurant: Id<Restaurant>, order: Id<OrderId>,
) -> Result<()> {
    let sql = "select account_id from control.people_in_charge($1)";
    for account in tx.values::<Uuid>(sql, [restaurant.into()]).await? {
        let args = json!({"order_id": order, "account_id": account});
        work::enqueue(tx, SEND_IN_CHARGE, Some(&format!("{order}:{account}")), args, None).await?;
    }
    Ok(())
}

#[derive(FromQueryResult)]
struct Person {
    email: String,
    language: String,
}

const WAITING: &str =
    "select restaurant_id from orders where id = $1 and status = 'succeeded' and archived_at is null";

/// Sends it, when the order still waits and the person is still in charge. Links begin with `base`.
pub(crate) async fn send_in_charge(context: JobContext, job: Job, base: Arc<str>) -> Result<(), JobError> {
    let (id, account): (Id<OrderId>, Uuid) = (job.arg("order_id")?, job.arg("account_id")?);
    let tx = context.begin(&job).await?;
    let Some(restaurant) = tx.value::<Uuid>(WAITING, [id.into()]).await? else { return Ok(()) };
    let restaurant: Id<Restaurant> = Id::from_uuid(restaurant);
    let sql = "select email, language from control.people_in_charge($1) where account_id = $2";
    let person: Option<Person> = tx.one(sql, [restaurant.into(), account.into()]).await?;
    let Some(person) = person else { return Ok(()) };
    let order = read::order(&tx, restaurant, id).await?;
    let restaurant = MailRestaurant::read(&tx, restaurant).await?;
    drop(tx);
    let english = person.language == "en";
    let lang = if english { Lang::En } else { Lang::Hu };
    let values = [
        ("restaurant", restaurant.name.clone()),
        ("phone", restaurant.phone.clone()),
        ("order", title(order.row.counter.as_deref(), lang)),
        ("minutes", notification::minutes(&order).to_string()),
        ("link", notification::link(&base, restaurant.id, &format!("order/{id}"))),
    ];
    let mail = TEXT.mail(person.email, english, &values.into())?;
    context.mail(&job, &mail).await
}

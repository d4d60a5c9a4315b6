//! Jobs of exports: making the file (`make.rs`), sending its link, removing it after a day.

use std::{path::Path, sync::Arc};

use access::{App, domain::PERSON_LEFT};
use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::TenantTx;
use uuid::Uuid;
use work::{
    Handler, Job, JobContext, JobError,
    template::{self, MailText, MailWords},
};

use super::{file::ExportFormat, form::ExportType, link, make};

pub(crate) const MAKE: &str = "export_request_make";
/// Sends the link to whom it was ordered for.
pub(super) const MAIL: &str = "export_request_mail";
/// Mails the people responsible for the partner that data were exported. Each mail is a job of its own, so a
/// failing address does not repeat the others.
pub(super) const NOTIFY: &str = "export_request_tell";
pub(super) const REMOVE: &str = "export_request_remove";

pub(crate) fn handlers(app: &App) -> Vec<(&'static str, Handler)> {
    let (for_make, for_mail, for_remove) = (app.clone(), app.clone(), app.clone());
    vec![
        (MAKE, Arc::new(move |context, job| make::make(for_make.clone(), context, job).boxed())),
        (MAIL, Arc::new(move |context, job| mail(for_mail.clone(), context, job).boxed())),
        (NOTIFY, Arc::new(|context, job| notify(context, job).boxed())),
        (REMOVE, Arc::new(move |context, job| remove(for_remove.clone(), context, job).boxed())),
        (PERSON_LEFT, Arc::new(|context, job| end(context, job).boxed())),
    ]
}

const LINKED: &str = "select e.export_email, e.export_type, e.language, e.expires_at, e.actor_name, \
    e.only_for, r.name from export_request e \
     join restaurant r on r.id = e.restaurant_id where e.id = $1 and e.status = 'ready' and e.expires_at > \
     $2 and e.ended_at is null";

/// An export that can be fetched.
#[derive(FromQueryResult)]
struct Linked {
    export_email: String,
    export_type: ExportType,
    language: String,
    expires_at: DateTime<Utc>,
    actor_name: String,
    only_for: Option<Uuid>,
    name: String,
}

/// Somebody who answers for a partner.
#[derive(FromQueryResult)]
struct Answerable {
    id: Uuid,
    email: String,
    language: String,
}

fn what(kind: ExportType, english: bool) -> &'static str {
    use ExportType::{OrderExport, OrderItemExport, OrderListExport, ShadowCustomerExport};
    match (kind, english) {
        (ShadowCustomerExport, false) => "vendégek exportja",
        (OrderItemExport, false) => "rendelési tételek exportja",
        (OrderExport | OrderListExport, false) => "rendelések exportja",
        (ShadowCustomerExport, true) => "export of guests",
        (OrderItemExport, true) => "export of order items",
        (OrderExport | OrderListExport, true) => "export of orders",
    }
}

async fn mail(app: App, context: JobContext, job: Job) -> Result<(), JobError> {
    let (partner, id): (_, Uuid) = (job.partner()?, job.arg("export_id")?);
    let tx = context.begin(&job).await?;
    let Some(export) = tx.one::<Linked>(LINKED, [id.into(), kernel::clock::now().into()]).await? else {
        return Ok(());
    };
    // The connection goes back before the mail server is spoken to.
    drop(tx);
    let file = link::Opened { partner: partner.uuid(), id, only_for: export.only_for };
    let english = export.language == "en";
    let warning = match (export.only_for.is_some(), english) {
        (false, true) => "Whoever has this address can fetch it: do not pass it on.",
        (false, false) => "Aki ezt a címet ismeri, letöltheti: ne add tovább.",
        (true, true) => "It opens only to you, signed in.",
        (true, false) => "Csak neked nyílik meg, bejelentkezve.",
    };
    let values = [
        ("restaurant", export.name),
        ("what", what(export.export_type, english).to_owned()),
        ("link", link::link(&app, &file, export.expires_at)),
        ("warning", warning.to_owned()),
    ];
    let mail = READY.mail(export.export_email, english, &values.into())?;
    context.mail(&job, &mail).await
}

/// Who ordered it; somebody where the name is not for mails.
fn who(name: &str, english: bool) -> String {
    match (template::person(name), english) {
        ("", true) => "Somebody".to_owned(),
        ("", false) => "Valaki".to_owned(),
        (name, _) => name.to_owned(),
    }
}

/// Mails the link to the receiver of an export.
const READY: MailText = MailText {
    hu: MailWords {
        subject: "{{restaurant}}: elkészült: {{what}}",
        text: "Szia!\n\nElkészült a megrendelt fájl ({{restaurant}}, {{what}}). 24 óráig itt töltheted \
            le:\n\n{{link}}\n\n{{warning}}\n",
        button: "Fájl letöltése",
    },
    en: MailWords {
        subject: "{{restaurant}}: the {{what}} is ready",
        text: "Hello,\n\nthe {{what}} of {{restaurant}} is ready. You can fetch it here for 24 \
            hours:\n\n{{link}}\n\n{{warning}}\n",
        button: "Download the file",
    },
};
/// Mails the people responsible for a partner that data are exported.
const ORDERED_BY: MailText = MailText {
    hu: MailWords {
        subject: "{{restaurant}}: {{who}} exportot rendelt",
        text: "Szia!\n\n{{who}} exportot rendelt ({{restaurant}}, {{what}}). A letöltési linket ide küldtük: \
            {{to_whom}}; 24 óráig érvényes.\n\nAzért kaptad ezt a levelet, mert a cég adataiért te is \
            felelsz.\n",
        button: "",
    },
    en: MailWords {
        subject: "{{restaurant}}: {{who}} ordered an {{what}}",
        text: "Hello,\n\n{{who}} ordered an {{what}} of {{restaurant}}. The link was sent to {{to_whom}} and \
            holds for 24 hours.\n\nYou get this mail because you answer for the company's data.\n",
        button: "",
    },
};

const ANSWERABLE: &str = "select id, email, language from control.admins($1, null, null, 'active', false, \
    200, 0) \
     where target_type = 'Partner' and full_target_access order by email limit 20";

/// One mail to each admin with all rights of the whole partner, without the link: the person who ordered the
/// export chose its receiver.
async fn notify(context: JobContext, job: Job) -> Result<(), JobError> {
    let id: Uuid = job.arg("export_id")?;
    let admin: Option<Uuid> = job.args["admin_id"].as_str().and_then(|id| id.parse().ok());
    let tx = context.begin(&job).await?;
    let Some(export) = tx.one::<Linked>(LINKED, [id.into(), kernel::clock::now().into()]).await? else {
        return Ok(());
    };
    let admins: Vec<Answerable> = tx.all(ANSWERABLE, [admin.into()]).await?;
    if admin.is_none() {
        for Answerable { id: admin, .. } in admins.iter().filter(|admin| admin.email != export.export_email) {
            let args = json!({"export_id": id, "admin_id": admin});
            work::enqueue(&tx, NOTIFY, Some(&format!("{id}:{admin}")), args, None).await?;
        }
        return Ok(tx.commit().await?);
    }
    drop(tx);
    if let Some(Answerable { email, language, .. }) = admins.into_iter().next() {
        let english = language == "en";
        let values = [
            ("restaurant", export.name),
            ("who", who(&export.actor_name, english)),
            ("what", what(export.export_type, english).to_owned()),
            ("to_whom", export.export_email),
        ];
        let mail = ORDERED_BY.mail(email, english, &values.into())?;
        context.mail(&job, &mail).await?;
    }
    Ok(())
}

async fn remove(app: App, _: JobContext, job: Job) -> Result<(), JobError> {
    let (partner, id): (_, Uuid) = (job.partner()?, job.arg("export_id")?);
    for format in ExportFormat::ALL {
        remove_file(&link::file(&app, partner.uuid(), id, format)).await?;
    }
    Ok(())
}

pub(super) async fn remove_file(file: &Path) -> Result<(), JobError> {
    match tokio::fs::remove_file(file).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Files that are there go; one that is being made is made anew. One that waits is touched, so that it begins
/// after the commit.
const WITHDRAW: &str = "update export_request set expires_at = $1 \
    where status in ('waiting', 'running') or status = 'ready' and expires_at > $1 \
    returning id, status";

#[derive(FromQueryResult)]
struct Withdrawn {
    id: Uuid,
    status: String,
}

/// What somebody who has left has ordered: links end, and what is not made yet is not made.
const END: &str = "update export_request set ended_at = $1, expires_at = least(expires_at, $1), filter = null \
    where ordered_by = $2 and ended_at is null and (status <> 'ready' or expires_at > $1) \
    returning id, status";

async fn end(context: JobContext, job: Job) -> Result<(), JobError> {
    let admin: Uuid = job.arg("admin_id")?;
    let now = kernel::clock::now();
    let tx = context.begin(&job).await?;
    for Withdrawn { id, .. } in tx.all(END, [now.into(), admin.into()]).await? {
        work::enqueue(&tx, REMOVE, Some(&id.to_string()), json!({"export_id": id}), Some(now)).await?;
    }
    Ok(tx.commit().await?)
}

/// Withdraws the partner's exports, which hold data of somebody who is anonymised. Their files go with the
/// commit.
pub(crate) async fn withdraw(tx: &TenantTx) -> kernel::Result<()> {
    let now = kernel::clock::now();
    for Withdrawn { id, status } in tx.all(WITHDRAW, [now.into()]).await? {
        if status == "ready" {
            work::enqueue(tx, REMOVE, Some(&id.to_string()), json!({"export_id": id}), Some(now)).await?;
        }
    }
    Ok(())
}

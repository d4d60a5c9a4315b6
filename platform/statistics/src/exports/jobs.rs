//! Jobs of exports: making the file, sending its link, removing it after a day.

use std::{path::Path, sync::Arc};

use access::App;
use chrono::{DateTime, Duration, Utc};
use futures_util::FutureExt;
use kernel::{Id, Restaurant};
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::TenantTx;
use tokio::sync::mpsc::Sender;
use uuid::Uuid;
use work::{
    Handler, Job, JobContext, JobError,
    template::{MailText, MailWords},
};

use super::{
    form::{ExportFilterType, ExportType},
    link,
    rows::{self, Export, Place},
    sheet::{Cell, SheetWriter},
};

/// Makes the file.
pub(crate) const MAKE: &str = "export_request_make";
/// Sends the link to whom it was ordered for.
const MAIL: &str = "export_request_mail";
/// Mails the people responsible for the partner that data were exported. Each mail is a job of its own, so a
/// failing address does not repeat the others.
const NOTIFY: &str = "export_request_tell";
/// Removes the file.
const REMOVE: &str = "export_request_remove";
/// How long a link holds.
const DAY: Duration = Duration::hours(24);

/// The handlers of this crate's jobs.
pub(crate) fn handlers(app: &App) -> Vec<(&'static str, Handler)> {
    let (for_make, for_mail, for_remove) = (app.clone(), app.clone(), app.clone());
    vec![
        (MAKE, Arc::new(move |context, job| make(for_make.clone(), context, job).boxed())),
        (MAIL, Arc::new(move |context, job| mail(for_mail.clone(), context, job).boxed())),
        (NOTIFY, Arc::new(|context, job| notify(context, job).boxed())),
        (REMOVE, Arc::new(move |context, job| remove(for_remove.clone(), context, job).boxed())),
    ]
}

const ORDERED: &str = "select e.restaurant_id, e.export_type, e.filter_type, e.from_at, e.till_at, \
    e.language, e.status, r.timezone \
     from export_request e join restaurant r on r.id = e.restaurant_id where e.id = $1";

/// An export as it was ordered.
#[derive(FromQueryResult)]
struct Ordered {
    restaurant_id: Id<Restaurant>,
    export_type: ExportType,
    filter_type: ExportFilterType,
    from_at: Option<DateTime<Utc>>,
    till_at: Option<DateTime<Utc>>,
    language: String,
    status: String,
    timezone: String,
}

impl Ordered {
    fn export(self) -> Result<Export, JobError> {
        Ok(Export {
            restaurant: self.restaurant_id.uuid(),
            kind: self.export_type,
            filter: self.filter_type,
            range: self.from_at.zip(self.till_at),
            zone: self.timezone.parse().map_err(JobError::give_up)?,
            english: self.language == "en",
        })
    }
}

async fn make(app: App, context: JobContext, job: Job) -> Result<(), JobError> {
    let (partner, id): (_, Uuid) = (job.partner()?, job.arg("export_id")?);
    let tx = context.begin(&job).await?;
    let Some(ordered) = tx.one::<Ordered>(ORDERED, [id.into()]).await? else { return Ok(()) };
    if ordered.status == "ready" {
        return Ok(());
    }
    let export = ordered.export()?;
    tx.run(
        "update export_request set status = 'running', progress = 0, expires_at = null where id = $1",
        [id.into()],
    )
    .await?;
    tx.commit().await?;
    let folder = link::folder(&app, partner.uuid());
    tokio::fs::create_dir_all(&folder).await?;
    let file = link::file(&app, partner.uuid(), id);
    let outcome = write(&context, &job, id, &export, &folder, &file).await;
    let tx = context.begin(&job).await?;
    match &outcome {
        Ok((count, size)) => {
            let until = kernel::clock::now() + DAY;
            let sql = "update export_request set status = 'ready', progress = 100, row_count = $2, \
                size_bytes = $3, expires_at = $4 where id = $1 and expires_at is null";
            if tx.run(sql, [id.into(), (*count).into(), (*size).into(), until.into()]).await? == 0 {
                // Somebody was anonymised while it was made: it is made anew.
                remove_file(&file).await?;
                return Err(JobError::retry("withdrawn"));
            }
            for (kind, at) in [(MAIL, None), (NOTIFY, None), (REMOVE, Some(until))] {
                work::enqueue(&tx, kind, Some(&id.to_string()), json!({"export_id": id}), at).await?;
            }
        }
        // It is tried again by itself; meanwhile its screen says so.
        Err(_) => {
            tx.run("update export_request set status = 'failed' where id = $1", [id.into()]).await?;
        }
    }
    tx.commit().await?;
    outcome.map(drop)
}

/// Reads page by page and hands them to the writer, which works on a thread of its own; two pages wait at
/// most.
async fn write(
    context: &JobContext,
    job: &Job,
    id: Uuid,
    export: &Export,
    folder: &Path,
    file: &Path,
) -> Result<(i32, i64), JobError> {
    let (pages, mut written) = tokio::sync::mpsc::channel::<Vec<Vec<Cell>>>(2);
    let (part, parts, described) = (file.with_extension("part"), folder.to_owned(), export.clone());
    let unfinished = part.clone();
    let writer = tokio::task::spawn_blocking(move || {
        let mut writing =
            SheetWriter::begin(&parts, described.title(), described.columns(), described.flags())?;
        while let Some(page) = written.blocking_recv() {
            for row in &page {
                writing.row(row)?;
            }
        }
        writing.finish(&unfinished)
    });
    let read = read(context, job, id, export, &pages).await;
    drop(pages);
    let written = writer.await.map_err(JobError::from).and_then(|one| one.map_err(JobError::retry));
    // A part of a file holds data of guests: it is never left lying about.
    let count = match written.and(read) {
        Ok(count) => count,
        Err(error) => {
            let _ = tokio::fs::remove_file(&part).await;
            return Err(error);
        }
    };
    let size = tokio::fs::metadata(&part).await?.len();
    tokio::fs::rename(&part, file).await?;
    Ok((i32::try_from(count).unwrap_or(i32::MAX), i64::try_from(size).unwrap_or(i64::MAX)))
}

/// Hands all pages to the writer and says how many rows they had; ends early when nobody takes them any more.
async fn read(
    context: &JobContext,
    job: &Job,
    id: Uuid,
    export: &Export,
    pages: &Sender<Vec<Vec<Cell>>>,
) -> Result<i64, JobError> {
    let total = total(context, job, export).await?;
    let (mut place, mut count) = (Some(Place::Begin), 0_i64);
    while let Some(here) = place {
        let tx = context.begin(job).await?;
        let (page, next) = rows::page(&tx, export, &here).await?;
        count += i64::try_from(page.len()).unwrap_or_default();
        // The last hundredth is the file's.
        let progress =
            i32::try_from((count * 99).checked_div(total.max(1)).unwrap_or(0).clamp(0, 99)).unwrap_or(0);
        tx.run("update export_request set progress = $2 where id = $1", [id.into(), progress.into()]).await?;
        tx.commit().await?;
        if pages.send(page).await.is_err() {
            break;
        }
        place = next;
    }
    Ok(count)
}

/// About how many rows there will be, for the progress.
async fn total(context: &JobContext, job: &Job, export: &Export) -> Result<i64, JobError> {
    let sql = if export.kind == ExportType::OrderItemExport {
        "select count(*) n from order_item i join orders o on o.id = i.order_id where o.restaurant_id = $1 \
         and not o.is_test \
         and ($2::timestamptz is null or o.created_at >= $2) and ($3::timestamptz is null or o.created_at <= \
         $3)"
    } else {
        "select count(*) n from orders o where o.restaurant_id = $1 and not o.is_test \
         and ($2::timestamptz is null or o.created_at >= $2) and ($3::timestamptz is null or o.created_at <= \
         $3)"
    };
    let (from, till) = export.range.unzip();
    let tx = context.begin(job).await?;
    Ok(tx.value(sql, [export.restaurant.into(), from.into(), till.into()]).await?.unwrap_or_default())
}

const LINKED: &str = "select e.export_email, e.export_type, e.language, e.expires_at, e.actor_name, \
    e.only_for, r.name from export_request e \
     join restaurant r on r.id = e.restaurant_id where e.id = $1 and e.status = 'ready' and e.expires_at > \
     $2";

/// An export that can be fetched.
#[derive(FromQueryResult)]
struct Linked {
    export_email: String,
    export_type: ExportType,
    language: String,
    expires_at: DateTime<Utc>,
    actor_name: String,
    only_for: Option<Uuid>,
    /// Of the restaurant.
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
    use ExportType::{OrderExport, OrderItemExport, ShadowCustomerExport};
    match (kind, english) {
        (ShadowCustomerExport, false) => "vendégek exportja",
        (OrderItemExport, false) => "rendelési tételek exportja",
        (OrderExport, false) => "rendelések exportja",
        (ShadowCustomerExport, true) => "export of guests",
        (OrderItemExport, true) => "export of order items",
        (OrderExport, true) => "export of orders",
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
            ("who", export.actor_name),
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
    remove_file(&link::file(&app, partner.uuid(), id)).await
}

async fn remove_file(file: &Path) -> Result<(), JobError> {
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

/// Withdraws the partner's exports, which hold data of somebody who is anonymised. Their files go with the
/// commit.
///
/// # Errors
/// What the database says.
pub(crate) async fn withdraw(tx: &TenantTx) -> kernel::Result<()> {
    let now = kernel::clock::now();
    for Withdrawn { id, status } in tx.all(WITHDRAW, [now.into()]).await? {
        if status == "ready" {
            work::enqueue(tx, REMOVE, Some(&id.to_string()), json!({"export_id": id}), Some(now)).await?;
        }
    }
    Ok(())
}

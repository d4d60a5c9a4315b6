//! Making the file of an export.

use std::{path::Path, sync::Arc};

use access::App;
use chrono::{DateTime, Duration, Utc};
use kernel::{Id, Restaurant};
use orders::OrderFilter;
use poem_openapi::types::ParseFromJSON;
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use sheets::{Cell, Column};
use tenants::TenantTx;
use tokio::sync::mpsc::Sender;
use uuid::Uuid;
use work::{Job, JobContext, JobError, Reading};

use super::{
    columns::Export,
    file::{ExportFormat, FileWriter},
    form::{ExportFilterType, ExportType},
    jobs::{MAIL, NOTIFY, REMOVE, remove_file},
    link,
    listed::Listed,
    rows::{self, Place},
};

/// How long a link holds.
const DAY: Duration = Duration::hours(24);

const ORDERED: &str = "select e.restaurant_id, e.export_type, e.filter_type, e.from_at, e.till_at, \
    e.language, e.status, e.format, e.filter, e.guests, r.timezone \
     from export_request e join restaurant r on r.id = e.restaurant_id where e.id = $1 \
     and e.ended_at is null";

#[derive(FromQueryResult)]
struct Ordered {
    restaurant_id: Id<Restaurant>,
    export_type: ExportType,
    filter_type: ExportFilterType,
    from_at: Option<DateTime<Utc>>,
    till_at: Option<DateTime<Utc>>,
    language: String,
    status: String,
    format: ExportFormat,
    filter: Option<Value>,
    guests: bool,
    timezone: String,
}

impl Ordered {
    fn export(self) -> Result<Export, JobError> {
        // A filter of which something could not be read would find more than was asked for.
        let list = self.filter.map(|filter| OrderFilter::parse_from_json(Some(filter))).transpose();
        Ok(Export {
            restaurant: self.restaurant_id,
            kind: self.export_type,
            filter: self.filter_type,
            range: self.from_at.zip(self.till_at),
            list: list.map_err(|_| JobError::give_up("the filter cannot be read"))?.unwrap_or_default(),
            format: self.format,
            guests: self.guests,
            zone: self.timezone.parse().map_err(JobError::give_up)?,
            english: self.language == "en",
        })
    }
}

/// Makes the file of an export.
pub(super) async fn make(app: App, context: JobContext, job: Job) -> Result<(), JobError> {
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
    let file = link::file(&app, partner.uuid(), id, export.format);
    let outcome = write(&context, &job, id, export, &file).await;
    let tx = context.begin(&job).await?;
    match &outcome {
        Ok((count, size)) => {
            let until = kernel::clock::now() + DAY;
            let sql = "update export_request set status = 'ready', progress = 100, row_count = $2, \
                size_bytes = $3, expires_at = $4, filter = null where id = $1 and expires_at is null \
                and ended_at is null";
            if tx.run(sql, [id.into(), (*count).into(), (*size).into(), until.into()]).await? == 0 {
                // Somebody was anonymised while it was made: it is made anew, unless who ordered it has left.
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
    context: &JobContext, job: &Job, id: Uuid, export: Export, file: &Path,
) -> Result<(i32, i64), JobError> {
    let export = Arc::new(export);
    let mut reading = context.reading(job).await?;
    let mut source = Source::begin(&mut reading, &export).await?;
    let (pages, mut written) = tokio::sync::mpsc::channel::<Vec<Vec<Cell>>>(2);
    let (part, columns, described) =
        (file.with_extension("part"), source.columns(&export), Arc::clone(&export));
    let unfinished = part.clone();
    let writer = tokio::task::spawn_blocking(move || {
        let mut writing = FileWriter::begin(&described, columns, &unfinished)?;
        while let Some(page) = written.blocking_recv() {
            for row in &page {
                writing.row(row)?;
            }
        }
        writing.finish(&unfinished)
    });
    let read = read((context, job, &mut reading), id, &export, &mut source, &pages).await;
    drop(pages);
    let written = writer.await.map_err(JobError::from).flatten();
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
    (context, job, reading): (&JobContext, &Job, &mut Reading), id: Uuid, export: &Export,
    source: &mut Source, pages: &Sender<Vec<Vec<Cell>>>,
) -> Result<i64, JobError> {
    let mut count = 0_i64;
    loop {
        let Some(page) = source.next(reading, export).await? else { return Ok(count) };
        let tx = context.begin(job).await?;
        count += i64::try_from(page.len()).unwrap_or_default();
        // The last hundredth is the file's.
        let progress =
            i32::try_from((count * 99).checked_div(source.total()).unwrap_or(0).clamp(0, 99)).unwrap_or(0);
        tx.run("update export_request set progress = $2 where id = $1", [id.into(), progress.into()]).await?;
        tx.commit().await?;
        if pages.send(page).await.is_err() {
            return Ok(count);
        }
    }
}

/// Where the rows of an export come from.
enum Source {
    /// What lies in a range: where the next page begins, and about how many rows there will be.
    Range(Option<Place>, i64),
    /// What a filter finds.
    List(Listed),
}

impl Source {
    async fn begin(reading: &mut Reading, export: &Export) -> Result<Self, JobError> {
        let tx = reading.begin().await?;
        match Self::find(&tx, export).await {
            Err(error) if reading.leave(&error) => Self::find(&reading.begin().await?, export).await,
            found => found,
        }
    }

    async fn find(tx: &TenantTx, export: &Export) -> Result<Self, JobError> {
        if export.kind == ExportType::OrderListExport {
            return Ok(Self::List(Listed::find(tx, export).await?));
        }
        Ok(Self::Range(Some(Place::Begin), total(tx, export).await?))
    }

    fn columns(&self, export: &Export) -> Vec<Column> {
        match self {
            Self::Range(..) => export.columns(),
            Self::List(listed) => listed.columns(export),
        }
    }

    /// About how many rows there are; at least one.
    fn total(&self) -> i64 {
        match self {
            Self::Range(_, total) => *total,
            Self::List(listed) => listed.total(),
        }
        .max(1)
    }

    /// The next page; none after the last.
    async fn next(
        &mut self, reading: &mut Reading, export: &Export,
    ) -> Result<Option<Vec<Vec<Cell>>>, JobError> {
        let tx = reading.begin().await?;
        match self.page(&tx, export).await {
            Err(error) if reading.leave(&error) => self.page(&reading.begin().await?, export).await,
            page => page,
        }
    }

    /// The same in this unit of work. What fails leaves it where it was.
    async fn page(&mut self, tx: &TenantTx, export: &Export) -> Result<Option<Vec<Vec<Cell>>>, JobError> {
        match self {
            Self::List(listed) => listed.page(tx, export).await,
            Self::Range(place, _) => {
                let Some(here) = &*place else { return Ok(None) };
                let (page, next) = rows::page(tx, export, here).await?;
                *place = next;
                Ok(Some(page))
            }
        }
    }
}

/// About how many rows there will be, for the progress.
async fn total(tx: &TenantTx, export: &Export) -> Result<i64, JobError> {
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
    Ok(tx.value(sql, [export.restaurant.into(), from.into(), till.into()]).await?.unwrap_or_default())
}

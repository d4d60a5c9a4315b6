//! Documentations: files that super admins provide and every signed-in person downloads. See
//! `docs/decisions/media.md#documentations`.

use std::{io::SeekFrom, sync::Arc};

use access::{Platform, SignedIn, prelude::*};
use chrono::TimeDelta;
use futures_util::FutureExt;
use kernel::form::{Form, Upload, check_name};
use object_storage::Storage;
use poem::{Request, RequestBody, web::Data};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    payload::{Attachment, AttachmentType},
    registry::{MetaRequest, Registry},
    types::multipart,
};
use sea_orm::{ActiveModelBehavior, FromQueryResult, QuerySelect, Select};
use serde_json::json;
use tenants::ControlTx;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use uuid::Uuid;
use work::{Handler, IfWaiting, Job, JobContext, JobError, PlatformJob};

use crate::lang::MessageLanguage;

/// Operations of super admins.
pub struct Documentations;
/// Operations of all users.
pub(crate) struct DocumentationFiles;

kernel::resource!(Documentations, "documentations", "DOCUMENTATION");

/// The most bytes of a file.
const LARGEST: u64 = 20_000_000;
/// Removes a file that no documentation has.
const SWEEP: &str = "documentation_sweep";

/// A file to be downloaded.
#[derive(Debug, Object, FromQueryResult)]
struct Documentation {
    title: String,
    /// Stands in the address of the download.
    name: String,
    filename: String,
    lang: MessageLanguage,
    bytes: i64,
    updated_at: Timestamp,
}

/// A documentation as super admins see it.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "DocumentationDetails")]
#[sea_orm(table_name = "documentation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Documentations>,
    pub title: String,
    pub name: String,
    pub filename: String,
    pub lang: MessageLanguage,
    pub bytes: i64,
    pub version: i64,
    pub updated_at: Timestamp,
    /// Key of the file.
    #[oai(skip)]
    pub object: String,
}

type DocumentationDetails = Model;
entity!();

impl rows::Table for Entity {
    type Of = Documentations;
    type Tx = ControlTx;
    type Answer = DocumentationDetails;
    const HOME: rows::Home = rows::Home::Platform;
    const REMOVAL: rows::Removal = rows::Removal::Delete;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_asc(Column::Lang).order_by_asc(Column::Title).order_by_asc(Column::Id))
    }

    // A file that was replaced goes.
    async fn after(rows: &rows::Rows<'_, ControlTx>, change: rows::Change<'_, Model>) -> Result<()> {
        match change {
            rows::Change::Changed(before, after) if before.object != after.object => {
                sweep(rows.tx(), &before.object, TimeDelta::zero()).await
            }
            _ => Ok(()),
        }
    }
}

/// As the document shows it, where there is none yet.
#[derive(Debug, poem_openapi::Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct NewDocumentationForm {
    #[oai(validator(min_length = 1, max_length = 200))]
    title: String,
    lang: Option<MessageLanguage>,
    /// A PDF of at most 20 MB.
    file: multipart::Upload,
}

/// The same for a change.
#[derive(Debug, poem_openapi::Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct DocumentationForm {
    #[oai(validator(min_length = 1, max_length = 200))]
    title: Option<String>,
    lang: Option<MessageLanguage>,
    /// A PDF of at most 20 MB.
    file: Option<multipart::Upload>,
    /// In a change: the version that was read.
    version: Option<i64>,
}

#[derive(Debug)]
struct Sent<const NEW: bool = false> {
    title: Option<String>,
    lang: Option<String>,
    file: Option<Upload>,
    version: Option<i64>,
}

impl<'a, const NEW: bool> ApiExtractor<'a> for Sent<NEW> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        if NEW {
            <NewDocumentationForm as ApiExtractor>::register(registry)
        } else {
            <DocumentationForm as ApiExtractor>::register(registry)
        }
    }

    fn request_meta() -> Option<MetaRequest> {
        if NEW {
            <NewDocumentationForm as ApiExtractor>::request_meta()
        } else {
            <DocumentationForm as ApiExtractor>::request_meta()
        }
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let mut form =
            Form::read(request, body, &["file"], LARGEST, Some(&["title", "lang", "version"])).await?;
        Ok(Self {
            title: form.text("title"),
            lang: form.text("lang"),
            version: form.version()?,
            file: form.files.remove("file"),
        })
    }
}

/// A file in the store that no row names yet.
struct StoredFile {
    object: String,
    filename: String,
    bytes: i64,
}

/// Checks and keeps the file. Its sweeping is ordered before, so that nothing is left of what is cut short.
async fn store_file(caller: &Platform, storage: &Storage, mut upload: Upload) -> Result<StoredFile> {
    let unreadable = |_| Problem::new(Code::BAD_REQUEST);
    if upload.bytes > LARGEST {
        return Err(Problem::new(Code::TOO_LARGE).key("file", Fault::Max));
    }
    let mut bytes = Vec::new();
    upload.file.seek(SeekFrom::Start(0)).await.map_err(unreadable)?;
    upload.file.read_to_end(&mut bytes).await.map_err(unreadable)?;
    let tail = &bytes[bytes.len().saturating_sub(1024)..];
    if !bytes.starts_with(b"%PDF-") || !tail.windows(5).any(|window| window == b"%%EOF") {
        return Err(Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
            .detail("send a PDF")
            .key("file", Fault::Type));
    }
    // The last part alone: some browsers send whole paths. Characters that no file system takes become
    // dashes.
    let last = upload.name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let filename: String = last
        .chars()
        .map(|c| if c.is_control() || "<>:\"|?*".contains(c) { '-' } else { c })
        .take(150)
        .collect();
    let filename = if filename.to_lowercase().ends_with(".pdf") {
        filename
    } else {
        format!("{}.pdf", if filename.is_empty() { "document" } else { &filename })
    };
    let object = format!("documents/{}.pdf", Uuid::new_v4().simple());
    let tx = caller.begin().await?;
    sweep(&tx, &object, TimeDelta::hours(1)).await?;
    tx.commit().await?;
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    storage.put(&object, "application/pdf", bytes).await?;
    Ok(StoredFile { object, filename, bytes: size })
}

/// Orders that the file is removed after this time, unless a documentation has it then.
async fn sweep(tx: &ControlTx, object: &str, after: TimeDelta) -> Result<()> {
    let job = PlatformJob {
        kind: SWEEP,
        key: None,
        args: json!({"object": object}),
        run_at: Some(kernel::clock::now() + after),
        if_waiting: IfWaiting::Keep,
    };
    job.enqueue(tx).await
}

pub(crate) fn handler(storage: &Storage) -> (&'static str, Handler) {
    let storage = storage.clone();
    (SWEEP, Arc::new(move |context, job| swept(storage.clone(), context, job).boxed()))
}

async fn swept(storage: Storage, context: JobContext, job: Job) -> Result<(), JobError> {
    let object: String = job.arg("object")?;
    if job.partner.is_some() {
        return Err(JobError::give_up("the file is not a partner's"));
    }
    let known = context
        .begin_platform()
        .await?
        .row("select 1 from documentation where object = $1", [object.clone().into()])
        .await;
    if known?.is_some() { Ok(()) } else { storage.remove(&object).await.map_err(JobError::retry) }
}

/// Letters and digits of the title with dashes between, and a number where the name is taken.
async fn name_for(tx: &ControlTx, title: &str) -> Result<String> {
    let folded: Option<String> = tx.value("select ref.fold($1) folded", [title.into()]).await?;
    let folded = folded.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let plain: String = words.join("-").to_lowercase().chars().take(100).collect();
    let plain = if plain.is_empty() { "document".to_owned() } else { plain };
    let taken: Vec<String> = tx
        .values("select name from documentation where starts_with(name, $1)", [plain.clone().into()])
        .await?;
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    Ok(std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(plain))
}

fn language(problem: Problem, lang: Option<&str>) -> (Problem, Option<MessageLanguage>) {
    match lang.map(|lang| MessageLanguage::try_from_value(&lang.trim().to_owned())) {
        Some(Err(_)) => (problem.key("lang", Fault::Enum), None),
        lang => (problem, lang.and_then(Result::ok)),
    }
}

#[OpenApi(prefix_path = "/api/v3/super-admin/documentations", tag = "Tag::Platform")]
impl Documentations {
    /// All documentations, by language and title.
    #[oai(path = "/", method = "get", operation_id = "documentations_list")]
    async fn list(&self, caller: Platform, name: QueryParam<String>) -> Result<Page<DocumentationDetails>> {
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Title, name.as_deref());
        let found = <Entity as rows::Table>::order(found)?.limit(500);
        Ok(Page::unpaged(found.all(&tx).await?))
    }

    /// One documentation.
    ///
    /// codes: DOCUMENTATION_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "documentations_get")]
    async fn get(
        &self, caller: Platform, id: Path<Id<Documentations>>,
    ) -> Result<Json<DocumentationDetails>> {
        let tx = caller.begin().await?;
        caller.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a documentation: a PDF of at most 20 MB.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, VALIDATION_FAILED, STORAGE_UNAVAILABLE
    #[oai(path = "/", method = "post", operation_id = "documentations_create")]
    async fn create(
        &self, caller: Platform, storage: Data<&Storage>, form: Sent<true>,
    ) -> Result<Created<DocumentationDetails>> {
        let (problem, title) =
            check_name(Problem::new(Code::VALIDATION_FAILED), "title", form.title.as_deref());
        let (problem, lang) = language(problem, form.lang.as_deref());
        let file = form.file;
        let problem = if file.is_none() { problem.key("file", Fault::Required) } else { problem };
        problem.if_any()?;
        let Some(file) = file else { return Err(Code::BAD_REQUEST.into()) };
        let StoredFile { object, filename, bytes } = store_file(&caller, &storage, file).await?;
        let tx = caller.begin().await?;
        tx.run("select pg_advisory_xact_lock(hashtext('documentation'))::text", []).await?;
        let (name, lang) = (name_for(&tx, &title).await?, lang.unwrap_or(MessageLanguage::Hu));
        let mut row = ActiveModel::new();
        fill!(row: name, title, filename, lang, object, bytes);
        let made = caller.rows(&tx).insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(made))
    }

    /// Changes title, language or file; the address of the download stays.
    ///
    /// codes: DOCUMENTATION_NOT_EXIST, CONFLICT, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST,
    /// VALIDATION_FAILED, STORAGE_UNAVAILABLE
    #[oai(path = "/:id", method = "put", operation_id = "documentations_update")]
    async fn update(
        &self, caller: Platform, storage: Data<&Storage>, id: Path<Id<Documentations>>, form: Sent,
    ) -> Result<Json<DocumentationDetails>> {
        let Sent { title, lang, file, version } = form;
        {
            let tx = caller.begin().await?;
            caller.rows(&tx).find::<Entity>(*id).await?;
        }
        let problem = Problem::new(Code::VALIDATION_FAILED);
        let (problem, title) = match title {
            Some(title) => {
                let (problem, title) = check_name(problem, "title", Some(&title));
                (problem, Some(title))
            }
            None => (problem, None),
        };
        let (problem, lang) = language(problem, lang.as_deref());
        problem.if_any()?;
        {
            // Before the file is stored; checked again when the row is locked.
            let tx = caller.begin().await?;
            caller.rows(&tx).edit_version::<Entity>(*id, version).await?;
        }
        let stored = match file {
            Some(file) => Some(store_file(&caller, &storage, file).await?),
            None => None,
        };
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        apply!(edit.row: title, lang);
        if let Some(StoredFile { object, filename, bytes }) = stored {
            let row = &mut edit.row;
            fill!(row: object, filename, bytes);
        }
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Removes a documentation with its file.
    ///
    /// codes: DOCUMENTATION_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "documentations_delete")]
    async fn delete(&self, caller: Platform, id: Path<Id<Documentations>>) -> Result<Done> {
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let before = rows.lock::<Entity>(*id).await?;
        rows.remove::<Entity>(*id, json!({"title": [before.title, null]})).await?;
        sweep(&tx, &before.object, TimeDelta::zero()).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[derive(FromQueryResult)]
struct Download {
    object: String,
    filename: String,
}

const MINE: &str =
    "select title, name, filename, lang, bytes, updated_at, object from control.documentations($1, $2, $3)";

#[OpenApi(prefix_path = "/api/v3/admin/documentations", tag = "Tag::Content")]
impl DocumentationFiles {
    /// What can be downloaded, in the own language first.
    #[oai(path = "/", method = "get", operation_id = "documentation_files_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<Documentation>> {
        let values = [caller.session.into(), caller.account.uuid().into(), None::<String>.into()];
        Ok(Page::unpaged(caller.app.door.all(MINE, values).await?))
    }

    /// Downloads a documentation.
    ///
    /// codes: DOCUMENTATION_NOT_EXIST, STORAGE_UNAVAILABLE
    #[oai(path = "/:name/download", method = "get", operation_id = "documentation_files_download")]
    async fn download(
        &self, caller: SignedIn, storage: Data<&Storage>, name: Path<String>,
    ) -> Result<Attachment<poem::Body>> {
        let values = [caller.session.into(), caller.account.uuid().into(), Some(name.0).into()];
        let file: Option<Download> = caller.app.door.one(MINE, values).await?;
        let gone = Problem::not_exist::<Documentations>;
        let Download { object, filename } = file.ok_or_else(gone)?;
        let body = storage.get(&object).await?.ok_or_else(gone)?;
        // Header values are ASCII: letters beyond it are left to the page that offers the file.
        let plain: String = filename
            .chars()
            .map(|c| if c.is_ascii_graphic() && !"\"\\;%".contains(c) { c } else { '_' })
            .collect();
        Ok(Attachment::new(poem::Body::from_async_read(body.content))
            .attachment_type(AttachmentType::Attachment)
            .filename(plain))
    }
}

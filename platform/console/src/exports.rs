//! Exports of a partner: ordered, made by a job, fetched within a day through a link that needs no session (security D7).

use std::path::PathBuf;

use access::{Anyone, App, Caller, Platform, answers::Tag, prelude::*};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    payload::{Attachment, AttachmentType, Payload},
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::{ToJSON, Type},
};
use sea_orm::QueryResult;
use serde_json::json;
use sha2::Sha256;
use uuid::Uuid;

use crate::{partners, platform, work};

/// Exports that super admins order.
pub(crate) struct PlatformExports;
/// The export of the own company.
pub(crate) struct OwnExports;
/// The files themselves.
pub(crate) struct Downloads;

/// An export, for its error code.
pub(crate) enum Exports {}
impl Resource for Exports {
    const NAME: &'static str = "exports";
    const ENTITY: &'static str = "EXPORT";
}

/// How far an export is.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
enum ExportStatus {
    Waiting,
    Running,
    Ready,
    Failed,
}

/// All data of a partner as one archive.
#[derive(Debug, Object)]
struct Export {
    id: Id<Exports>,
    status: ExportStatus,
    size_bytes: Option<i64>,
    created_at: Timestamp,
    /// Until when the file can be fetched.
    expires_at: Option<Timestamp>,
    /// Where the file is, while it can be fetched. Whoever has this address can fetch it.
    download_url: Option<String>,
    /// Why it failed.
    error: Option<String>,
}

impl Export {
    fn read(row: &QueryResult, app: &App) -> Result<Self> {
        let id: Id<Exports> = row.try_get("", "id")?;
        let status = match row.try_get::<String>("", "status")?.as_str() {
            "running" => ExportStatus::Running,
            "ready" => ExportStatus::Ready,
            "failed" => ExportStatus::Failed,
            _ => ExportStatus::Waiting,
        };
        let expires_at: Option<Timestamp> = row.try_get("", "expires_at")?;
        let open = matches!(status, ExportStatus::Ready) && expires_at.is_some_and(|end| end > Timestamp::now());
        Ok(Self {
            id,
            status,
            size_bytes: row.try_get("", "size_bytes")?,
            created_at: row.try_get("", "created_at")?,
            expires_at,
            download_url: open.then(|| link(app, id.uuid())),
            error: row.try_get("", "error")?,
        })
    }
}

fn seal(secret: &[u8], id: Uuid) -> Option<Hmac<Sha256>> {
    let mut seal = <Hmac<Sha256> as Mac>::new_from_slice(secret).ok()?;
    seal.update(b"export ");
    seal.update(id.as_bytes());
    Some(seal)
}

/// The address of an export's file: the id and what only this installation can say about it.
pub(crate) fn link(app: &App, id: Uuid) -> String {
    let seal = seal(app.settings.secrets.newest(), id).map(|seal| seal.finalize().into_bytes().to_vec()).unwrap_or_default();
    let token = URL_SAFE_NO_PAD.encode([&id.as_bytes()[..], &seal].concat());
    format!("{}/api/v3/exports/{token}", app.settings.public_url.as_str().trim_end_matches('/'))
}

fn opened(app: &App, token: &str) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (id, sealed) = bytes.split_at_checked(16)?;
    let id = Uuid::from_slice(id).ok()?;
    let holds = |secret| seal(secret, id).is_some_and(|seal| seal.verify_slice(sealed).is_ok());
    app.settings.secrets.all().any(holds).then_some(id)
}

/// Where an export's file lies below the folder of files. Ids only: no name ever builds a path.
pub(crate) fn file(app: &App, partner: Uuid, id: Uuid) -> PathBuf {
    folder(app, partner).join(format!("{}.zip", id.simple()))
}

/// Where a partner's exports lie.
pub(crate) fn folder(app: &App, partner: Uuid) -> PathBuf {
    app.settings.files.join("exports").join(partner.simple().to_string())
}

/// 202: it will be done.
struct Accepted<T>(T);

impl<T: ToJSON> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        Json(self.0).with_status(StatusCode::ACCEPTED).into_response()
    }
}
impl<T: ToJSON> ApiResponse for Accepted<T> {
    fn meta() -> MetaResponses {
        let content = vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema: <T as Type>::schema_ref() }];
        MetaResponses { responses: vec![MetaResponse { description: "", status: Some(202), status_range: None, content, headers: vec![] }] }
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

const ORDER: &str = "insert into export (id, partner_id, account_id) values ($1, $2, $3) \
    on conflict (partner_id) where status in ('waiting', 'running') do nothing";
const LIST: &str =
    "select id, status, size_bytes, created_at, expires_at, error from export where partner_id = $1 order by created_at desc, id limit 50";

#[OpenApi(prefix_path = "/api/v3/super-admin/partners", tag = "Tag::Platform")]
impl PlatformExports {
    /// Orders an export of a partner. One that is under way is taken instead of a second.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/export", method = "post", operation_id = "platform_exports_create")]
    async fn create(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Accepted<Export>> {
        let partner = partner_id.0;
        let tx = platform::begin(&caller).await?;
        let row = tx.row("select schema_version is not null made from partner where id = $1", [partner.into()]).await?;
        if !row.ok_or_else(Problem::not_exist::<Partner>)?.try_get::<bool>("", "made")? {
            return Err(Code::PARTNER_STATE_CHANGED.into());
        }
        let id = Uuid::now_v7();
        if tx.run(ORDER, [id.into(), partner.into(), caller.0.account.into()]).await? > 0 {
            partners::enqueue(&tx, partner, work::EXPORT, json!({"export_id": id})).await?;
        }
        let row = tx.row(LIST, [partner.into()]).await?.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        let export = Export::read(&row, &caller.0.app)?;
        platform::audit(&tx, &caller, "exports_create", Some(partner.uuid()), Some(export.id.uuid()), json!({})).await?;
        platform::commit(tx, &caller, partner, None, "exports_create", json!({})).await?;
        Ok(Accepted(export))
    }

    /// The exports of a partner, newest first.
    #[oai(path = "/:partner_id/exports", method = "get", operation_id = "platform_exports_list")]
    async fn list(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Page<Export>> {
        let tx = platform::begin(&caller).await?;
        let rows = tx.rows(LIST, [partner_id.0.into()]).await?;
        if rows.is_empty() && tx.row("select 1 from partner where id = $1", [partner_id.0.into()]).await?.is_none() {
            return Err(Problem::not_exist::<Partner>());
        }
        Ok(Page::whole(rows.iter().map(|row| Export::read(row, &caller.0.app)).collect::<Result<_>>()?))
    }
}

/// Only who holds everything of the whole company takes it all away: every key of the target, or a super admin under a
/// support access.
fn holds_everything<P>(scope: &In<Partner, P>) -> Result<()> {
    if access::perm::ALL.iter().all(|key| scope.may(key)) { Ok(()) } else { Err(Code::USER_PERMISSION_REQUIRED.into()) }
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id", tag = "Tag::Restaurants")]
impl OwnExports {
    /// Orders an export of the own company; the link comes by mail and holds for 24 hours.
    ///
    /// Only admins of the whole partner with all its keys may. One that is under way is taken instead of a second.
    #[oai(path = "/export", method = "post", operation_id = "exports_create")]
    async fn create(&self, scope: In<Partner, WholePartner<perm::NoPermRequired>>) -> Result<Accepted<Export>> {
        holds_everything(&scope)?;
        let Caller::Person { account, .. } = scope.caller() else { return Err(Code::USER_PERMISSION_REQUIRED.into()) };
        let tx = scope.begin().await?;
        let sql = "select control.order_export($1, $2, true) id";
        let row = tx.row(sql, [Uuid::now_v7().into(), (*account).into()]).await?.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        let id: Uuid = row.try_get("", "id")?;
        scope.audit(&tx, None, "exports_create", id, json!({})).await?;
        let row =
            tx.row("select id, status, size_bytes, created_at, expires_at, error from control.own_exports() where id = $1", [id.into()]).await?;
        let export = Export::read(&row.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?, scope.app())?;
        tx.commit().await?;
        Ok(Accepted(export))
    }

    /// The exports of the own company, newest first.
    #[oai(path = "/exports", method = "get", operation_id = "exports_list")]
    async fn list(&self, scope: In<Partner, WholePartner<perm::NoPermRequired>>) -> Result<Page<Export>> {
        holds_everything(&scope)?;
        let tx = scope.begin().await?;
        let rows = tx.rows("select id, status, size_bytes, created_at, expires_at, error from control.own_exports()", []).await?;
        Ok(Page::whole(rows.iter().map(|row| Export::read(row, scope.app())).collect::<Result<_>>()?))
    }
}

#[OpenApi(prefix_path = "/api/v3/exports", tag = "Tag::Platform")]
impl Downloads {
    /// Fetches the file of an export. The address is secret and holds for 24 hours.
    ///
    /// codes: EXPORT_NOT_EXIST
    #[oai(path = "/:token", method = "get", operation_id = "exports_download")]
    async fn download(&self, anyone: Anyone, token: Path<String>) -> Result<Attachment<poem::Body>> {
        let gone = Problem::not_exist::<Exports>;
        let app = &anyone.app;
        let id = opened(app, &token).ok_or_else(gone)?;
        let rows = app.door.call("select partner_id from control.export_file($1)", [id.into()]).await?;
        let partner: Uuid = rows.first().ok_or_else(gone)?.try_get("", "partner_id")?;
        let file = tokio::fs::File::open(file(app, partner, id)).await.map_err(|_| gone())?;
        let body = poem::Body::from_async_read(file);
        Ok(Attachment::new(body).attachment_type(AttachmentType::Attachment).filename(format!("pult-{}.zip", id.simple())))
    }
}

//! Exports of a partner: ordered, made by a job, fetched within a day. An export that the partner ordered is
//! fetched by anybody with its link. One that a super admin ordered has a reason, is reported to the partner,
//! and is available to that super admin only. See `docs/decisions/exports.md#ordering-an-export`.

use std::path::PathBuf;

use access::{App, Opening, Platform, answers::Tag, prelude::*};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use kernel::Account;
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    payload::{Attachment, AttachmentType, Payload},
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::{ToJSON, Type},
};
use sea_orm::FromQueryResult;
use serde_json::json;
use sha2::Sha256;
use uuid::Uuid;

use crate::{partners, platform, work};

pub(crate) struct PlatformExports;
pub(crate) struct OwnExports;
/// The files themselves.
pub(crate) struct Downloads;

/// An export, for its error code.
pub(crate) enum Exports {}
kernel::resource!(Exports, "exports", "EXPORT");

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
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
    /// Where the file is, while it can be fetched, for those who may. The address of one that the partner
    /// ordered for itself opens to whoever has it, that of one of the platform only to the super admin who
    /// ordered it, signed in.
    download_url: Option<String>,
    /// Why a super admin ordered it; null when the partner did for itself.
    reason: Option<String>,
    /// Why it failed.
    error: Option<String>,
}

#[derive(FromQueryResult)]
struct ExportRow {
    id: Id<Exports>,
    status: ExportStatus,
    size_bytes: Option<i64>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    reason: Option<String>,
    error: Option<String>,
    /// Whether it is of who asks: a super admin's own, or one that the partner ordered for itself.
    mine: Option<bool>,
}

impl ExportRow {
    /// The answer; with the address only for those who may fetch the file.
    fn answer(self, app: &App) -> Export {
        let Self { id, status, size_bytes, created_at, expires_at, reason, error, mine } = self;
        let open = mine == Some(true)
            && status == ExportStatus::Ready
            && expires_at.is_some_and(|end| end > Timestamp::now());
        let download_url = open.then(|| link(app, id.uuid()));
        Export { id, status, size_bytes, created_at, expires_at, download_url, reason, error }
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
    let seal = seal(app.settings.secrets.newest(), id)
        .map(|seal| seal.finalize().into_bytes().to_vec())
        .unwrap_or_default();
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
        let content =
            vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema: <T as Type>::schema_ref() }];
        MetaResponses {
            responses: vec![MetaResponse {
                description: "",
                status: Some(202),
                status_range: None,
                content,
                headers: vec![],
            }],
        }
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

#[derive(Debug, Object)]
struct PlatformExportOrder {
    /// Why; the partner reads it in its audit log, and its admins in a mail.
    #[oai(validator(
        min_length = 5,
        max_length = 300,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    reason: String,
}

const ORDER: &str = "insert into export (id, partner_id, account_id, reason) values ($1, $2, $3, $4) \
    on conflict (partner_id) where status in ('waiting', 'running') do nothing";
const LIST: &str = "select id, status, size_bytes, created_at, expires_at, error, reason, account_id = $2 \
    and not mail mine from export \
    where partner_id = $1 and ($3::uuid is null or id = $3) order by created_at desc, id limit 50";
const UNDER_WAY: &str = "select id from export where partner_id = $1 and account_id = $2 and not mail and \
    reason = $3 and status in ('waiting', 'running')";

fn anothers() -> Problem {
    Problem::new(Code::PARTNER_STATE_CHANGED).detail(
        "an export that somebody else has ordered, or for another reason, is being made; order yours \
            when it is done",
    )
}

#[OpenApi(prefix_path = "/api/v3/super-admin/partners", tag = "Tag::Platform")]
impl PlatformExports {
    /// Orders an export of a partner, for a reason. The own one that is under way for the same reason is
    /// taken instead of a second.
    ///
    /// It is told to the partner: in its audit log, and by mail to those who hold everything of it.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/export", method = "post", operation_id = "platform_exports_create")]
    async fn create(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<PlatformExportOrder>,
    ) -> Result<Accepted<Export>> {
        let partner = partner_id.0;
        let reason = body.into_inner().reason.trim().to_owned();
        if reason.chars().count() < 5 {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("reason", Fault::TooShort(5)));
        }
        let tx = caller.begin().await?;
        let sql = "select schema_version is not null made from partner where id = $1";
        let made: Option<bool> = tx.value(sql, [partner.into()]).await?;
        if !made.ok_or_else(Problem::not_exist::<Partner>)? {
            return Err(Code::PARTNER_STATE_CHANGED.into());
        }
        let account = caller.0.account;
        let mut id = Uuid::now_v7();
        let ordered =
            tx.run(ORDER, [id.into(), partner.into(), account.into(), reason.clone().into()]).await? > 0;
        if ordered {
            partners::enqueue(&tx, partner, work::EXPORT, json!({"export_id": id})).await?;
            let details = json!({"export_id": id, "who": caller.name(), "reason": reason});
            partners::enqueue(&tx, partner, work::EXPORT_NOTICE, details).await?;
        } else {
            id = tx
                .value(UNDER_WAY, [partner.into(), account.into(), reason.clone().into()])
                .await?
                .ok_or_else(anothers)?;
        }
        let row: Option<ExportRow> = tx.one(LIST, [partner.into(), account.into(), Some(id).into()]).await?;
        let export = row.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?.answer(&caller.0.app);
        if ordered {
            let details = json!({"reason": [null, reason]});
            platform::audit(&tx, &caller, "exports_create", Some(partner.uuid()), Some(id), details.clone())
                .await?;
            platform::commit(tx, &caller, partner, None, "exports_create", details).await?;
        }
        Ok(Accepted(export))
    }

    /// The exports of a partner, newest first. Those that the partner ordered, or another super admin, have
    /// no address here.
    #[oai(path = "/:partner_id/exports", method = "get", operation_id = "platform_exports_list")]
    async fn list(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Page<Export>> {
        let tx = caller.begin().await?;
        let values = [partner_id.0.into(), caller.0.account.into(), None::<Uuid>.into()];
        let rows: Vec<ExportRow> = tx.all(LIST, values).await?;
        if rows.is_empty()
            && tx.row("select 1 from partner where id = $1", [partner_id.0.into()]).await?.is_none()
        {
            return Err(Problem::not_exist::<Partner>());
        }
        Ok(Page::unpaged(rows.into_iter().map(|row| row.answer(&caller.0.app)).collect()))
    }
}

/// Only an admin who holds everything of the whole company takes it all away. A super admin orders in the console, where
/// the partner is told.
fn holder_of_everything<P>(scope: &In<Partner, P>) -> Result<Id<Account>> {
    scope.holder_of_everything().ok_or(Code::USER_PERMISSION_REQUIRED.into())
}

const OWN: &str = "select id, status, size_bytes, created_at, expires_at, error, own mine, reason from \
    control.partner_exports() \
    where $1::uuid is null or id = $1";

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id", tag = "Tag::Restaurants")]
impl OwnExports {
    /// Orders an export of the own company; the link comes by mail and holds for 24 hours.
    ///
    /// Only admins of the whole partner with all its keys may. One that is under way is taken instead of a
    /// second.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/export", method = "post", operation_id = "exports_create")]
    async fn create(
        &self, scope: In<Partner, WholePartner<perm::NoPermRequired>>,
    ) -> Result<Accepted<Export>> {
        let account = holder_of_everything(&scope)?;
        let tx = scope.begin().await?;
        let sql = "select control.order_export($1, $2, true) id";
        let id: Uuid = tx
            .value(sql, [Uuid::now_v7().into(), account.into()])
            .await?
            .ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        let row: Option<ExportRow> = tx.one(OWN, [Some(id).into()]).await?;
        let row = row.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        if row.mine != Some(true) {
            return Err(anothers());
        }
        scope.audit(&tx, None, "exports_create", id, json!({})).await?;
        let export = row.answer(scope.app());
        tx.commit().await?;
        Ok(Accepted(export))
    }

    /// The exports of the own company, newest first. Those that a super admin ordered say why, and have no
    /// address here.
    #[oai(path = "/exports", method = "get", operation_id = "exports_list")]
    async fn list(&self, scope: In<Partner, WholePartner<perm::NoPermRequired>>) -> Result<Page<Export>> {
        holder_of_everything(&scope)?;
        let tx = scope.begin().await?;
        let rows: Vec<ExportRow> = tx.all(OWN, [None::<Uuid>.into()]).await?;
        Ok(Page::unpaged(rows.into_iter().map(|row| row.answer(scope.app())).collect()))
    }
}

/// Whose export a file is.
#[derive(FromQueryResult)]
struct Source {
    partner_id: Uuid,
    /// The partner ordered it for itself.
    own: bool,
    account_id: Option<Uuid>,
}

#[OpenApi(prefix_path = "/api/v3/exports", tag = "Tag::Platform")]
impl Downloads {
    /// Fetches the file of an export. The address is secret and holds for 24 hours; that of an export which a
    /// super admin ordered opens to that super admin alone, signed in.
    ///
    /// codes: EXPORT_NOT_EXIST, USER_LOGIN_REQUIRED
    #[oai(path = "/:token", method = "get", operation_id = "exports_download")]
    async fn download(&self, opening: Opening, token: Path<String>) -> Result<Attachment<poem::Body>> {
        let gone = Problem::not_exist::<Exports>;
        let app = opening.app.clone();
        let id = opened(&app, &token).ok_or_else(gone)?;
        let sql = "select partner_id, own, account_id from control.export_source($1)";
        let Source { partner_id: partner, own, account_id } =
            app.door.all(sql, [id.into()]).await?.pop().ok_or_else(gone)?;
        if !own {
            let caller = Platform(opening.person().await?.ok_or(Code::USER_LOGIN_REQUIRED)?);
            if !caller.0.facts.super_admin || account_id != Some(caller.0.account.uuid()) {
                return Err(gone());
            }
            let tx = caller.begin().await?;
            platform::audit(&tx, &caller, "exports_download", Some(partner), Some(id), json!({})).await?;
            platform::commit(tx, &caller, partner.into(), None, "exports_download", json!({})).await?;
        }
        let file = tokio::fs::File::open(file(&app, partner, id)).await.map_err(|_| gone())?;
        let body = poem::Body::from_async_read(file);
        Ok(Attachment::new(body)
            .attachment_type(AttachmentType::Attachment)
            .filename(format!("pult-{}.zip", id.simple())))
    }
}

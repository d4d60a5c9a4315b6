//! Operations on exports.

use access::{Caller, Opening, Pin, prelude::*};
use poem_openapi::payload::{Attachment, AttachmentType};
use sea_orm::FromQueryResult;
use serde_json::json;

use super::{
    form::{ExportFilterType, ExportType, Sent},
    jobs::MAKE,
    link,
};

/// Exports of orders and guests.
pub(crate) struct ExportRequests;
/// The files themselves.
pub(crate) struct ExportFiles;

impl Resource for ExportRequests {
    const NAME: &'static str = "export_requests";
    const ENTITY: &'static str = "EXPORT_REQUEST";
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
enum ExportRequestStatus {
    Waiting,
    Running,
    /// The link was sent.
    Ready,
    /// It is tried again by itself.
    Failed,
}

/// An export that was ordered. The file comes by mail only.
#[derive(Debug, Object, FromQueryResult)]
struct ExportRequest {
    id: Id<ExportRequests>,
    export_email: String,
    export_type: ExportType,
    filter_type: ExportFilterType,
    /// `null`: everything.
    #[sea_orm(from_alias = "from_at")]
    from: Option<Timestamp>,
    #[sea_orm(from_alias = "till_at")]
    till: Option<Timestamp>,
    status: ExportRequestStatus,
    /// Percent.
    progress: i32,
    row_count: Option<i32>,
    size_bytes: Option<i64>,
    /// Who ordered it.
    actor_name: String,
    created_at: Timestamp,
    /// Until when the link holds.
    expires_at: Option<Timestamp>,
}

const INSERT: &str = "insert into export_request (id, restaurant_id, export_email, export_type, filter_type, \
    from_at, till_at, language, actor_name, created_at, only_for) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const LIST: &str = "select id, export_email, export_type, filter_type, from_at, till_at, status, progress, \
    row_count, size_bytes, actor_name, created_at, \
     expires_at from export_request where restaurant_id = $1 and export_type = any ($2) order by created_at \
     desc, id limit 20";

type Exporters = AnyOf<(perm::OrderExport, perm::CustomerExport)>;

/// The kinds that the caller may order.
fn allowed(scope: &In<Restaurant, Exporters>) -> Vec<String> {
    let kinds = [ExportType::ShadowCustomerExport, ExportType::OrderExport, ExportType::OrderItemExport];
    kinds.into_iter().filter(|kind| scope.may(kind.permission())).map(|kind| kind.key().to_owned()).collect()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/export-requests",
    tag = "Tag::Orders"
)]
impl ExportRequests {
    /// Orders an export of orders or guests; the link to the xlsx comes by mail and holds for 24 hours.
    ///
    /// Needs the own PIN. Super admins, who have none, need a support access that may write. Guests need
    /// `customer_export`, orders `order_export`.
    ///
    /// codes: EXPORT_REQUEST_MISSING_PARAM
    #[oai(path = "/", method = "post", operation_id = "export_requests_create")]
    async fn create(
        &self,
        scope: In<Restaurant, Exporters>,
        pin: Pin,
        sent: Sent,
    ) -> Result<Created<ExportRequest>> {
        let super_admin = scope.may("super_admin");
        if !super_admin {
            pin.own(&scope).await?;
        }
        let tx = scope.begin().await?;
        let zone: String = tx
            .value("select timezone from restaurant where id = $1", [scope.restaurant().into()])
            .await?
            .ok_or(Code::UNKNOWN_ERROR)?;
        let ordered = sent.checked(super_admin, zone.parse().map_err(|_| Code::UNKNOWN_ERROR)?)?;
        if !scope.may(ordered.kind.permission()) {
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED)
                .with("permission", vec![ordered.kind.permission()].into()));
        }
        let id: Id<Self> = Id::new();
        // Whom the support access lets in takes the guests' data for nobody else.
        let only_for = match scope.caller() {
            Caller::Person { account, support: Some(_), .. } => Some(account.uuid()),
            _ => None,
        };
        let (from, till) = ordered.range.unzip();
        let language = if kernel::request::hungarian() { "hu" } else { "en" };
        let values = [
            id.into(),
            scope.restaurant().into(),
            ordered.email.clone().into(),
            ordered.kind.key().into(),
            ordered.filter.key().into(),
            from.into(),
            till.into(),
            language.into(),
            scope.caller().name().into(),
            kernel::clock::now().into(),
            only_for.into(),
        ];
        tx.run(INSERT, values).await?;
        let details = json!({
            "export_type": [null, ordered.kind.key()], "export_email": [null, ordered.email],
            "filter_type": [null, ordered.filter.key()],
            "from": [null, from], "till": [null, till],
        });
        scope.audit(&tx, Some(scope.restaurant().uuid()), "export_requests_create", id, details).await?;
        work::enqueue(&tx, MAKE, Some(&id.to_string()), json!({"export_id": id}), None).await?;
        let values = [scope.restaurant().into(), vec![ordered.kind.key().to_owned()].into()];
        let rows: Vec<ExportRequest> = tx.all(LIST, values).await?;
        let answer = rows.into_iter().find(|row| row.id == id);
        let answer = answer.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        tx.commit().await?;
        Ok(Created(answer))
    }

    /// The newest exports that the caller may order too, with their progress.
    #[oai(path = "/", method = "get", operation_id = "export_requests_list")]
    async fn list(&self, scope: In<Restaurant, Exporters>) -> Result<Page<ExportRequest>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(tx.all(LIST, [scope.restaurant().into(), allowed(&scope).into()]).await?))
    }
}

#[OpenApi(prefix_path = "/api/v3/export-files", tag = "Tag::Orders")]
impl ExportFiles {
    /// Fetches the file of an export. The address is secret and holds for 24 hours; that of an export which a
    /// super admin ordered opens to that super admin alone, signed in.
    ///
    /// codes: EXPORT_REQUEST_NOT_EXIST, USER_LOGIN_REQUIRED
    #[oai(path = "/:token", method = "get", operation_id = "export_files_download")]
    async fn download(&self, opening: Opening, token: Path<String>) -> Result<Attachment<poem::Body>> {
        let gone = Problem::not_exist::<ExportRequests>;
        let Opening { app, person } = opening;
        let link::Opened { partner, id, only_for } =
            link::opened(&app, &token, kernel::clock::now()).ok_or_else(gone)?;
        if let Some(account) = only_for {
            let person = person.ok_or(Code::USER_LOGIN_REQUIRED)?;
            if !person.facts.super_admin || person.account.uuid() != account {
                return Err(gone());
            }
        }
        let file = tokio::fs::File::open(link::file(&app, partner, id)).await.map_err(|_| gone())?;
        let body = poem::Body::from_async_read(file);
        Ok(Attachment::new(body)
            .attachment_type(AttachmentType::Attachment)
            .filename(format!("pult-{}.xlsx", id.simple())))
    }
}

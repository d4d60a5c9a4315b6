//! Operations on exports.

use access::{Opening, Pin, prelude::*};
use poem_openapi::payload::{Attachment, AttachmentType, Response};
use serde_json::json;

use super::{
    file::ExportFormat,
    form::{ExportType, Sent},
    link,
    ordering::{self, ExportRequest, LIST, NewExport},
};

pub(crate) struct ExportRequests;
pub(crate) struct ExportFiles;

kernel::resource!(ExportRequests, "export_requests", "EXPORT_REQUEST");

type Exporters = AnyOf<(perm::OrderExport, perm::CustomerExport)>;

/// The kinds that the caller may order.
fn allowed(scope: &In<Restaurant, Exporters>) -> Vec<String> {
    ExportType::ALL
        .into_iter()
        .filter(|kind| scope.may(kind.permission()))
        .map(|kind| kind.key().to_owned())
        .collect()
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
        &self, scope: In<Restaurant, Exporters>, pin: Pin, sent: Sent,
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
        let (from, till) = ordered.range.unzip();
        let details = json!({
            "export_type": [null, ordered.kind.key()], "export_email": [null, ordered.email],
            "filter_type": [null, ordered.filter.key()],
            "from": [null, from], "till": [null, till],
        });
        let new = NewExport {
            email: ordered.email,
            kind: ordered.kind,
            filter_type: ordered.filter,
            range: ordered.range,
            format: ExportFormat::Xlsx,
            filter: None,
            guests: true,
        };
        let answer = ordering::order(&scope, &tx, new, details).await?;
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
    async fn download(
        &self, opening: Opening, token: Path<String>,
    ) -> Result<Response<Attachment<poem::Body>>> {
        let gone = Problem::not_exist::<ExportRequests>;
        let app = opening.app.clone();
        let link::Opened { partner, id, only_for } =
            link::opened(&app, &token, kernel::clock::now()).ok_or_else(gone)?;
        if let Some(account) = only_for {
            let person = opening.person().await?.ok_or(Code::USER_LOGIN_REQUIRED)?;
            if !person.facts.super_admin || person.account.uuid() != account {
                return Err(gone());
            }
        }
        for format in ExportFormat::ALL {
            let Ok(file) = tokio::fs::File::open(link::file(&app, partner, id, format)).await else {
                continue;
            };
            let file = Attachment::new(poem::Body::from_async_read(file))
                .attachment_type(AttachmentType::Attachment)
                .filename(format!("pult-{}.{}", id.simple(), format.key()));
            return Ok(Response::new(file).header("content-type", format.content_type()));
        }
        Err(gone())
    }
}

//! Ordering an export of the orders that a filter of previous orders finds.

use access::{Pin, prelude::*};
use kernel::Email;
use orders::OrderFilter;
use serde_json::json;

use super::{
    file::ExportFormat,
    form::{ExportFilterType, ExportType},
    ordering::{self, ExportRequest, NewExport},
};

pub(crate) struct OrderExports;

/// An export of what a filter finds.
#[derive(Debug, Object)]
struct NewOrderExport {
    /// To whom the link is sent.
    export_email: Email,
    #[oai(default)]
    format: ExportFormat,
    /// What is looked for when the file is made.
    filter: OrderFilter,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl OrderExports {
    /// Orders an export of what a filter finds, partial stornos too; the link comes by mail and holds for 24
    /// hours.
    ///
    /// Needs `all_order` too, and the own PIN. Super admins, who have none, need a support access that may write.
    /// Guests' names, phones, addresses and messages are in it for whoever has `customer`. Test orders only when
    /// the filter names one by its id.
    #[oai(path = "/exports", method = "post", operation_id = "order_exports_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::OrderExport>, pin: Pin, body: Body<NewOrderExport>,
    ) -> Result<Created<ExportRequest>> {
        if !scope.may("all_order") {
            return Err(
                Problem::new(Code::USER_PERMISSION_REQUIRED).with("permission", vec!["all_order"].into())
            );
        }
        if !scope.may("super_admin") {
            pin.own(&scope).await?;
        }
        let NewOrderExport { export_email, format, filter } = body.into_inner();
        let tx = scope.begin().await?;
        filter.check(&tx, scope.restaurant(), "filter").await?;
        let (email, filter, guests) = (export_email.lowercase(), filter.to_keep(), scope.may("customer"));
        let kind = ExportType::OrderListExport;
        // Of the filter only what is no guest's.
        let details = json!({
            "export_type": [null, kind.key()], "export_email": [null, email], "format": [null, format.key()],
            "guests": [null, guests], "from": [null, filter.get("from")], "till": [null, filter.get("till")],
        });
        let new = NewExport {
            email,
            kind,
            filter_type: ExportFilterType::CreatedAt,
            range: None,
            format,
            filter: Some(filter),
            guests,
        };
        let answer = ordering::order(&scope, &tx, new, details).await?;
        tx.commit().await?;
        Ok(Created(answer))
    }
}

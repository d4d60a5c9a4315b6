//! Operations on reconciliations.

use access::{Caller, prelude::*};
use kernel::{Message, time::BusinessDay};
use orders::online;
use poem_openapi::payload::{Attachment, AttachmentType};
use serde_json::json;
use uuid::Uuid;

use super::{
    store::{self, Line, Reconciliation, ReconciliationLines, Reconciliations},
    workbook,
};

pub(crate) struct ReconciliationsApi;

#[derive(Debug, Object)]
struct NewReconciliation {
    /// The business day that is compared; not one that comes.
    day: BusinessDay,
}

#[derive(Debug, Object)]
struct DifferenceExplanation {
    /// Why the difference is no fault.
    #[oai(validator(min_length = 1, max_length = 200))]
    reason: Message,
}

type Scope = In<Restaurant, perm::AllOrder>;

/// The account that calls; nil for none, which has begun no comparison.
fn actor(scope: &Scope) -> Uuid {
    match scope.caller() {
        Caller::Person { account, .. } => account.uuid(),
        Caller::Key { .. } => Uuid::nil(),
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payment-reconciliations",
    tag = "Tag::Payments"
)]
impl ReconciliationsApi {
    /// The comparisons of online payments with the providers' books, newest first. The day before is compared each night.
    #[oai(path = "/", method = "get", operation_id = "payment_reconciliations_list")]
    async fn list(&self, scope: Scope, paging: Paging) -> Result<Page<Reconciliation>> {
        let tx = scope.begin().await?;
        store::list(&tx, scope.restaurant(), actor(&scope), &paging).await
    }

    /// Begins to compare a business day. One of that day that is under way is taken instead of a second.
    #[oai(path = "/", method = "post", operation_id = "payment_reconciliations_create")]
    async fn create(&self, scope: Scope, body: Body<NewReconciliation>) -> Result<Json<Reconciliation>> {
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        if body.day > facts.business_day(Timestamp::now()) {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("day", Fault::Max));
        }
        let actor = actor(&scope);
        let name = scope.caller().name();
        let (id, is_new) = store::begin(&tx, scope.restaurant(), body.day, Some((actor, name))).await?;
        if is_new {
            work::enqueue(&tx, online::RECONCILE, Some(&id.to_string()), json!({"id": id}), None).await?;
            let details = json!({"day": [null, body.day]});
            let restaurant = Some(scope.restaurant().uuid());
            scope.audit(&tx, restaurant, "payment_reconciliations_create", id, details).await?;
        }
        let begun = store::one(&tx, scope.restaurant(), actor, id).await?;
        tx.commit().await?;
        Ok(Json(begun))
    }

    /// One comparison.
    ///
    /// codes: PAYMENT_RECONCILIATION_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "payment_reconciliations_get")]
    async fn get(&self, scope: Scope, id: Path<Id<Reconciliations>>) -> Result<Json<Reconciliation>> {
        let tx = scope.begin().await?;
        store::one(&tx, scope.restaurant(), actor(&scope), *id).await.map(Json)
    }

    /// The payments of a comparison, what differs first.
    ///
    /// codes: PAYMENT_RECONCILIATION_NOT_EXIST
    #[oai(path = "/:id/lines", method = "get", operation_id = "payment_reconciliations_lines")]
    async fn lines(
        &self, scope: Scope, id: Path<Id<Reconciliations>>,
        /// Only what differs.
        differences: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Line>> {
        let tx = scope.begin().await?;
        store::one(&tx, scope.restaurant(), actor(&scope), *id).await?;
        let only = differences.0.unwrap_or_default();
        store::lines(&tx, scope.restaurant(), *id, only, &paging).await
    }

    /// Says why a difference is no fault.
    ///
    /// codes: PAYMENT_RECONCILIATION_LINE_NOT_EXIST
    #[oai(
        path = "/lines/:id/explain",
        method = "post",
        operation_id = "payment_reconciliation_lines_explain"
    )]
    async fn explain(
        &self, scope: Scope, id: Path<Id<ReconciliationLines>>, body: Body<DifferenceExplanation>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let why = body.reason.trim();
        let name = scope.caller().name();
        store::explain(&tx, scope.restaurant(), *id, (why, name)).await?;
        let details = json!({"reason": [null, why]});
        let restaurant = Some(scope.restaurant().uuid());
        scope.audit(&tx, restaurant, "payment_reconciliation_lines_explain", *id, details).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// What came and went through providers in these business days, as a workbook: with the provider's numbers, its fees
    /// where it tells them, and what differs. At most 31 days.
    #[oai(path = "/workbook", method = "get", operation_id = "payment_reconciliations_workbook")]
    async fn workbook(
        &self, scope: Scope, from: Query<BusinessDay>, /// The last day.
        till: Query<BusinessDay>,
    ) -> Result<Attachment<Vec<u8>>> {
        let (from, till) = (from.0, till.0);
        let problem = Problem::new(Code::VALIDATION_FAILED);
        if till < from {
            return Err(problem.key("till", Fault::Min));
        }
        if workbook::days(from, till) > workbook::MOST_DAYS {
            return Err(problem.key("till", Fault::Max));
        }
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let bytes = workbook::of(&tx, &facts, (from, till)).await?;
        let name = if kernel::request::hungarian() { "online-fizetesek" } else { "online-payments" };
        let name = format!("{name}-{from}-{till}.xlsx");
        Ok(Attachment::new(bytes).attachment_type(AttachmentType::Attachment).filename(name))
    }
}

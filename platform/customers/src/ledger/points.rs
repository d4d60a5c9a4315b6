//! Operations on points.

use access::{Idempotency, Pin, audit, prelude::*};
use kernel::time::CalendarDay;
use sea_orm::Value as Bound;
use serde_json::json;
use uuid::Uuid;

use super::{
    api::span,
    store::{Ledger, PointRow, add_points, beginning},
    types::{NewPointTransaction, PointSum, PointTransaction, PointTransactionType},
};
use crate::{
    ShadowCustomers,
    seen::{Seen, open},
    store::filled,
};

/// Who may see and move points.
type Here = In<Restaurant, OfFeature<feature::Loyalty, perm::Customer>>;

pub(crate) struct Points;

const LIST: &str = concat!(
    rows_of!(
        "shadow_customer_point",
        "b.id, b.value, b.type, b.transaction_at, b.order_id, n.comment, b.restaurant_id, b.actor_name, \
         b.created_at"
    ),
    " order by b.transaction_at desc, b.id desc limit $5 offset $6"
);
const COUNT: &str = rows_of!("shadow_customer_point", "count(*) total");
const SUM: &str = rows_of!(
    "shadow_customer_point",
    "coalesce(sum(b.value), 0)::bigint sum, coalesce(sum(b.value) filter (where b.value > 0), 0)::bigint \
    incoming, \
     coalesce(sum(b.value) filter (where b.value < 0), 0)::bigint outgoing"
);
const ROW: &str = "select b.id, b.value, b.type, b.transaction_at, b.order_id, n.comment, b.restaurant_id, \
    b.actor_name, b.created_at from shadow_customer_point b \
    left join shadow_customer_comment n on n.row_id = b.id where b.id = $1";

async fn row(tx: &TenantTx, id: Uuid) -> Result<PointTransaction> {
    tx.one(ROW, [id.into()]).await?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl Points {
    /// The rows of a customer's points in the restaurant's group, newest first.
    ///
    /// Needs the own PIN. Without `from` it begins on 2010-10-10; both days count.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/points", method = "get", operation_id = "shadow_customer_points_list")]
    async fn history(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, from: QueryParam<CalendarDay>,
        till: QueryParam<CalendarDay>, paging: Paging,
    ) -> Result<Page<PointTransaction>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let [from, till] = span(&seen, from.0.or_else(beginning), till.0);
        let filter: [Bound; 4] = [(*id).into(), seen.group.into(), from.into(), till.into()];
        let total = if paging.count { audit::total(&tx.rows(COUNT, filter.clone()).await?)? } else { None };
        let rows = tx.all(LIST, filter.into_iter().chain(audit::limit_offset(&paging))).await?;
        Ok(Page { rows, total })
    }

    /// What came in and went out of a customer's points, by default since 2010-10-10.
    ///
    /// Needs the own PIN.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/points/sum", method = "get", operation_id = "shadow_customer_points_sum")]
    async fn sum(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, from: QueryParam<CalendarDay>,
        till: QueryParam<CalendarDay>,
    ) -> Result<Json<PointSum>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let [from, till] = span(&seen, from.0.or_else(beginning), till.0);
        let values = [(*id).into(), seen.group.into(), from.into(), till.into()];
        let sum: Option<PointSum> = tx.one(SUM, values).await?;
        sum.map(Json).ok_or_else(|| Code::UNKNOWN_ERROR.into())
    }

    /// Gives a customer points, or takes some.
    ///
    /// Needs the own PIN.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/points", method = "post", operation_id = "shadow_customer_points_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, key: IdempotencyKey,
        body: Body<NewPointTransaction>,
    ) -> Result<Stored<PointTransaction>> {
        let (NewPointTransaction { value, comment }, raw) = body.into_parts();
        let tx = open(&scope, &pin, *id).await?;
        let first = match key.begin::<PointTransaction>(&scope, &tx, "shadow_customer_points", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(kept) => {
                let id = kept.id().unwrap_or_default();
                return Ok(Stored::new(201, &row(&tx, id).await?));
            }
        };
        let ledger = Ledger {
            customer: *id,
            restaurant: scope.restaurant(),
            actor_id: scope.caller().id(),
            actor_name: scope.caller().name(),
            order: None,
            at: Timestamp::now(),
        };
        let entered = PointRow {
            value,
            kind: PointTransactionType::Entered,
            comment: filled(Some(comment)),
            least: None,
        };
        let added = add_points(&tx, ledger, entered).await?;
        let details =
            json!({"value": [null, value], "comment": [null, "…"], "transaction_id": [null, added]});
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "shadow_customer_points_create", *id, details).await?;
        let answer = row(&tx, added).await?;
        first.keep(&tx, &Stored::new(201, &json!({"id": added}))).await?;
        tx.commit().await?;
        Ok(Stored::new(201, &answer))
    }
}

//! The report of refused and cancelled orders, by person and reason. See `docs/decisions/orders.md#report-of-stornos`.

use access::prelude::*;
use chrono::Days;
use kernel::time::BusinessDay;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::values::Amount;

pub(crate) struct StornoReports;

/// The longest range, in days.
const MOST_DAYS: u64 = 366;
/// The range when none is named, in days.
const USUAL_DAYS: u64 = 30;

/// How an order, or pieces of it, were taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum StornoKind {
    /// Nobody had accepted it.
    Refused,
    /// What was left of an accepted order.
    Storno,
    /// Pieces or fees.
    PartialStorno,
    /// What went of an order when its items were changed.
    Changed,
}

/// What one person cancelled for one reason.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct StornoReportRow {
    /// Whoever did it: a person or an API key; none where the service did.
    pub by_id: Option<Uuid>,
    pub by: String,
    pub kind: StornoKind,
    /// A standard reason.
    pub reason: Option<String>,
    /// One of the restaurant's own reasons, with the latest name that an order of it keeps.
    pub reason_id: Option<Uuid>,
    pub reason_name: Option<String>,
    pub reason_name_sec_lang: Option<String>,
    /// How many.
    pub number: i32,
    /// What they took off the totals of the orders, not below zero.
    pub total_price: Amount,
}

/// What was refused and cancelled in a range of business days.
#[derive(Debug, Object)]
pub(crate) struct StornoReport {
    pub from: BusinessDay,
    /// The last day.
    pub till: BusinessDay,
    /// The most expensive first.
    pub rows: Vec<StornoReportRow>,
}

/// Whole orders count what partial stornos had left of them; who took the last piece has cancelled no whole
/// order as well.
const REPORT: &str = "with done as ( \
        select h.actor_id by_id, h.actor_name \"by\", case when o.status = 'succeeded' then 'refused' else 'storno' \
                end kind, o.archive_reason, o.archive_reason_id, o.archive_reason_name, \
            o.archive_reason_name_sec_lang, o.archived_at as at, \
            o.total_price + coalesce(c.total_price, 0) total_price, c.total_price is not null partly \
        from orders o \
            join lateral (select actor_id, actor_name from order_history where order_id = o.id \
                and status = 'archived' order by id desc limit 1) h on true \
            left join lateral (select sum(total_price) total_price from orders where order_parent_id = o.id) c on true \
        where o.restaurant_id = $1 and o.archived_at >= $2 and o.archived_at < $3 and o.order_parent_id is null \
            and o.replaced_by_id is null and not o.is_test \
        union all \
        select h.actor_id, h.actor_name, 'changed', null, null, null, null, o.archived_at, g.gone, false \
        from orders o \
            join lateral (select actor_id, actor_name from order_history where order_id = o.id \
                and status = 'replaced' limit 1) h on true \
            join lateral (select sum(round(coalesce(i.paid_price, i.total_price) * (i.quantity - k.kept) / i.quantity, \
                    case o.currency when 'huf' then 0 else 2 end)) gone \
                from order_item i, lateral (select coalesce(sum(k.quantity), 0) kept from order_item_kept k \
                    where k.old_item_id = i.id) k \
                where i.order_id = o.id and i.quantity > k.kept) g on g.gone is not null \
        where o.restaurant_id = $1 and o.archived_at >= $2 and o.archived_at < $3 \
            and o.replaced_by_id is not null and not o.is_test \
        union all \
        select o.admin_id, coalesce(o.admin_name, ''), 'partial_storno', o.archive_reason, o.archive_reason_id, \
            o.archive_reason_name, o.archive_reason_name_sec_lang, o.created_at, -o.total_price, false \
        from orders o where o.restaurant_id = $1 and o.created_at >= $2 and o.created_at < $3 \
            and o.order_parent_id is not null and not o.is_test) \
    select by_id, \"by\", kind, archive_reason reason, archive_reason_id reason_id, \
        (array_agg(archive_reason_name order by at desc))[1] reason_name, \
        (array_agg(archive_reason_name_sec_lang order by at desc))[1] reason_name_sec_lang, \
        count(*)::int number, sum(total_price) total_price \
    from done where not (partly and total_price = 0) \
    group by by_id, \"by\", kind, archive_reason, archive_reason_id \
    order by sum(total_price) desc, count(*) desc, \"by\", kind, archive_reason, archive_reason_id";

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl StornoReports {
    /// What was refused and cancelled between two business days, by person and reason. It counts on the day on
    /// which it was done; test orders are left out.
    #[oai(path = "/storno-report", method = "get", operation_id = "orders_storno_report")]
    async fn report(
        &self, scope: In<Restaurant, perm::AllOrder>,
        /// The first day; 30 days up to the last one when absent.
        from: QueryParam<BusinessDay>,
        /// The last day; today when absent.
        till: QueryParam<BusinessDay>,
    ) -> Result<Json<StornoReport>> {
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let till = till.0.unwrap_or_else(|| facts.business_day(Timestamp::now()));
        let usual = || BusinessDay(till.0.checked_sub_days(Days::new(USUAL_DAYS - 1)).unwrap_or(till.0));
        let from = from.0.unwrap_or_else(usual);
        let invalid = |fault| Err(Problem::new(Code::VALIDATION_FAILED).key("till", fault));
        if till < from {
            return invalid(Fault::Min);
        }
        if from.0.checked_add_days(Days::new(MOST_DAYS)).is_none_or(|most| till.0 >= most) {
            return invalid(Fault::Max);
        }
        let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
        let values = [facts.id.into(), from.start(zone, reset).into(), till.end(zone, reset).into()];
        let rows = tx.all(REPORT, values).await?;
        Ok(Json(StornoReport { from, till, rows }))
    }
}

//! Which orders a filter finds. See `docs/decisions/orders.md#previous-orders`.

use access::{audit, prelude::*};
use sea_orm::{FromQueryResult, Value as Bound};
use uuid::Uuid;

use super::filter::OrderFilter;
use crate::values::Amount;

/// The conditions of a filter on an entry `e`; `$1` to `$24` are the filter's values.
macro_rules! filtered {
    () => {
        "e.restaurant_id = $1 and ($4::date is null or e.business_day >= $4) \
         and ($5::date is null or e.business_day <= $5) \
         and ($6::timestamptz is null or case when $8 then e.show_at else e.created_at end >= $6) \
         and ($7::timestamptz is null or case when $8 then e.show_at else e.created_at end < $7) \
         and (not $9 or e.words @@ order_query($10, $11, $12, $13, $14, $15)) \
         and ($16::uuid is null or e.order_id = $16) \
         and ($17::boolean is null or e.archived = $17) \
         and (not $18 or e.has_children or e.is_child) \
         and ($19::boolean is null or e.has_discount = $19) \
         and ($20::uuid[] is null or e.payment_method_ids && $20) \
         and ($21::text[] is null or e.platform = any ($21)) \
         and ($22::text is null or e.words @@ (coalesce(order_query($22, '', '', '', '', ''), '') \
            || coalesce(order_query('', $23, '', '', '', ''), '') || coalesce(order_query('', '', $22, '', '', ''), '') \
            || coalesce(order_query('', '', '', $22, '', ''), '') || coalesce(order_query('', '', '', '', '', $24), '')))"
    };
}
/// Orders and partial stornos apart, as the indexes have them. A partial storno's day is its parent's, so the bounds
/// of days hold for orders alone.
macro_rules! found {
    ($columns:literal) => {
        found!($columns, "")
    };
    ($columns:literal, $first:literal) => {
        concat!(
            "((select ",
            $columns,
            " from order_entry e where not e.is_child \
                and ($2::date is null or e.business_day >= $2) and ($3::date is null or e.business_day <= $3) and ",
            filtered!(),
            $first,
            ") union all (select ",
            $columns,
            " from order_entry e where e.is_child and ",
            filtered!(),
            $first,
            ")) found"
        )
    };
}

/// Each part ends by itself, by its index: Postgres would sort all of them otherwise.
const IDS: &str = concat!(
    "select order_id from ",
    found!(
        "e.order_id, e.business_day, e.created_at",
        " order by e.business_day desc, e.created_at desc, e.order_id desc limit $25::bigint + $26::bigint"
    ),
    " order by business_day desc, created_at desc, order_id desc limit $25 offset $26"
);
/// The same of all orders. Planning the conditions of a filter costs more than to read this.
const NEWEST: &str = "select order_id from ( \
    (select e.order_id, e.business_day, e.created_at from order_entry e where e.restaurant_id = $1 and not e.is_child \
        order by e.business_day desc, e.created_at desc, e.order_id desc limit $2::bigint + $3::bigint) \
    union all (select e.order_id, e.business_day, e.created_at from order_entry e where e.restaurant_id = $1 and e.is_child \
        order by e.business_day desc, e.created_at desc, e.order_id desc limit $2::bigint + $3::bigint)) found \
    order by business_day desc, created_at desc, order_id desc limit $2 offset $3";

/// One array, so that a hundred thousand ids are no hundred thousand rows. Tests only where one is named by its id.
const ALL_IDS: &str = concat!(
    "select coalesce(array_agg(order_id order by business_day desc, created_at desc, order_id desc), array[]::uuid[]) ids from ",
    found!("e.order_id, e.business_day, e.created_at, e.is_test"),
    " where not is_test or $16::uuid is not null"
);
const TOTALS: &str = concat!(
    "select count(*) filter (where not is_child) orders, count(*) filter (where is_child) partial_stornos, \
        coalesce(sum(total_price), 0) total_price, \
        count(*) filter (where archived and not is_child) archived_orders, \
        coalesce(sum(total_price) filter (where archived), 0) archived_price from ",
    found!("e.is_child, e.archived, e.total_price")
);
const COUNT: &str = concat!("select count(*) total from ", found!("e.order_id"));
/// Fresh orders are few: the filter is asked of each.
macro_rules! fresh {
    ($columns:literal) => {
        concat!(
            "select ",
            $columns,
            " from orders o join order_entry e on e.order_id = o.id and not e.is_child \
                and ($2::date is null or e.business_day >= $2) and ($3::date is null or e.business_day <= $3) \
            where o.restaurant_id = $1 and o.archived_at is null and o.status in ('succeeded', 'processed') \
                and o.show_at <= $25 and ($26::text is null or o.status = $26) and ",
            filtered!()
        )
    };
}
const FRESH: &str = concat!(
    fresh!("o.id"),
    " order by o.status = 'succeeded' desc, case when o.status = 'succeeded' then o.show_at end, \
    case when o.status = 'succeeded' then o.id end, o.show_at desc, o.id desc limit $27 offset $28"
);
const FRESH_COUNT: &str = fresh!("count(*) total");

/// Fresh orders that a filter finds, in the order of the board; with their number when it is asked for. `fresh`
/// are the values of the cut-off and of the state.
pub(crate) async fn fresh(
    tx: &TenantTx, values: Vec<Bound>, fresh: [Bound; 2], paging: &Paging,
) -> Result<(Vec<Uuid>, Option<u64>)> {
    let values: Vec<Bound> = values.into_iter().chain(fresh).collect();
    let total = if paging.count { audit::total(&tx.rows(FRESH_COUNT, values.clone()).await?)? } else { None };
    let found = tx.values(FRESH, values.into_iter().chain(audit::limit_offset(paging))).await?;
    Ok((found, total))
}

pub(crate) async fn ids(tx: &TenantTx, values: Vec<Bound>, paging: &Paging) -> Result<Vec<Uuid>> {
    tx.plan_with_values().await?;
    let found = tx.values(IDS, values.into_iter().chain(audit::limit_offset(paging))).await?;
    tx.plan_once().await?;
    Ok(found)
}

/// The orders of a page without a filter.
pub(crate) async fn newest(tx: &TenantTx, restaurant: Id<Restaurant>, paging: &Paging) -> Result<Vec<Uuid>> {
    let values = [Bound::from(restaurant)].into_iter().chain(audit::limit_offset(paging));
    Ok(tx.values(NEWEST, values).await?)
}

/// The ids of everything that a filter finds, in the list's order: orders and partial stornos. Test orders are left
/// out unless the filter names an id.
/// Errors: `VALIDATION_FAILED` when the filter is none; what the database says.
pub async fn filtered(tx: &TenantTx, restaurant: Id<Restaurant>, filter: &OrderFilter) -> Result<Vec<Uuid>> {
    let facts = restaurants::facts(tx, restaurant).await?;
    let values = filter.values(restaurant, &facts)?;
    tx.plan_with_values().await?;
    Ok(tx.value(ALL_IDS, values).await?.unwrap_or_default())
}

pub(crate) async fn count(tx: &TenantTx, values: Vec<Bound>) -> Result<Option<u64>> {
    tx.plan_with_values().await?;
    audit::total(&tx.rows(COUNT, values).await?)
}

/// The sums of what a filter finds.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct OrderTotals {
    pub orders: i64,
    pub partial_stornos: i64,
    /// The sum of `total_price` of all rows, those of partial stornos below zero.
    pub total_price: Amount,
    /// Of the orders those that were cancelled whole, and what of the sum is theirs.
    pub archived_orders: i64,
    pub archived_price: Amount,
}

pub(crate) async fn totals(tx: &TenantTx, values: Vec<Bound>) -> Result<OrderTotals> {
    tx.plan_with_values().await?;
    tx.one(TOTALS, values).await?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

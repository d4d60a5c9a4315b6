//! A page ordered by figures of some restaurants, without adding up those of everybody. Once it is told who would
//! be the last of a page that has only some of the customers, nobody behind that one can be on the page.

use access::{audit, prelude::*};
use rust_decimal::Decimal;
use sea_orm::{FromQueryResult, Value as Bound};
use uuid::Uuid;

use crate::{
    seen::Seen,
    types::{CustomerRow, ShadowCustomerSort as Sort},
};

/// The last of a page of the first customers by their figure here alone. `$13`: how many of the list stand
/// before. None where a sum is below zero: then more restaurants need not mean a higher sum.
macro_rules! last {
    ($first:literal, $order:literal) => {
        concat!(
            "with first as (select h.shadow_customer_id id from shadow_customer_restaurant h \
                where h.restaurant_id = $1",
            $first,
            " limit case when $3 = '' then 1000 else 3000 end) \
             select f.order_number, f.order_total_sum, f.last_order_at, c.id \
             from first join shadow_customer c on c.id = first.id cross join lateral (select ",
            sums!(),
            " from shadow_customer_restaurant s where s.shadow_customer_id = c.id \
                and s.restaurant_id = any ($4)) f",
            account!(),
            " where not exists (select from restaurant_facts r where (select min(n.order_total_sum) \
                from shadow_customer_restaurant n where n.restaurant_id = r.id) < 0) and ",
            found!(),
            figures!(),
            " order by ",
            $order,
            " offset $13 limit 1"
        )
    };
}
/// The statement that finds the last of a page and the one that finds the page up to there: `$15` to `$18` are
/// the figures and the id of the last.
macro_rules! up_to_last {
    ($order:literal, $first:literal, $limit:literal) => {
        Some((last!($first, $order), page!(few($limit), $order)))
    };
}

/// Nobody has a higher figure at some restaurants than at all of the partner, and a high one has a share at one
/// of them that is not below the average. Nobody has a lower one than here.
fn statements(sort: Sort) -> Option<(&'static str, &'static str)> {
    match sort {
        Sort::OrderNumber => up_to_last!(
            "f.order_number nulls first, c.id desc",
            " order by h.order_number nulls first, h.shadow_customer_id desc",
            " and h.order_number <= $15::bigint \
                and (h.order_number < $15::bigint or h.shadow_customer_id >= $18::uuid)"
        ),
        Sort::OrderNumberDesc => up_to_last!(
            "f.order_number desc nulls last, c.id",
            " order by h.order_number desc nulls last, h.shadow_customer_id",
            " and c.order_number >= $15::bigint and c.id in (select o.shadow_customer_id \
                from shadow_customer_restaurant o where o.restaurant_id = any ($4) \
                and o.order_number >= $15::bigint / cardinality($4))"
        ),
        Sort::OrderTotalSum => up_to_last!(
            "f.order_total_sum nulls first, c.id desc",
            " order by h.order_total_sum nulls first, h.shadow_customer_id desc",
            " and h.order_total_sum <= $16::numeric \
                and (h.order_total_sum < $16::numeric or h.shadow_customer_id >= $18::uuid)"
        ),
        Sort::OrderTotalSumDesc => up_to_last!(
            "f.order_total_sum desc nulls last, c.id",
            " order by h.order_total_sum desc nulls last, h.shadow_customer_id",
            " and c.order_total_sum >= $16::numeric and c.id in (select o.shadow_customer_id \
                from shadow_customer_restaurant o where o.restaurant_id = any ($4) \
                and o.order_total_sum >= trunc($16::numeric / cardinality($4), 2))"
        ),
        Sort::LastOrderAt => up_to_last!(
            "f.last_order_at nulls last, c.id",
            " and h.last_order_at is not null \
                order by h.last_order_at nulls first, h.shadow_customer_id desc",
            " and (h.last_order_at <= $17::timestamptz or h.last_order_at is null) \
                and c.id in (select o.shadow_customer_id from shadow_customer_restaurant o \
                where o.restaurant_id = any ($4) and o.last_order_at <= $17::timestamptz)"
        ),
        Sort::LastOrderAtDesc => up_to_last!(
            "f.last_order_at desc nulls last, c.id",
            " order by h.last_order_at desc nulls last, h.shadow_customer_id",
            " and c.id in (select o.shadow_customer_id from shadow_customer_restaurant o \
                where o.restaurant_id = any ($4) and o.last_order_at >= $17::timestamptz)"
        ),
        Sort::Name | Sort::NameDesc | Sort::CreatedAt | Sort::CreatedAtDesc => None,
        Sort::Balance | Sort::BalanceDesc => None,
    }
}

/// Further pages are found otherwise: of the first customers too few would be left for their last.
const BEFORE: u64 = 500;

#[derive(Debug, FromQueryResult)]
struct Last {
    order_number: i64,
    order_total_sum: Decimal,
    last_order_at: Option<Timestamp>,
    id: Uuid,
}

/// The rows of a page. None where figures are not added up at some restaurants, where its last cannot be told
/// beforehand, and where that one has moved since.
pub(super) async fn rows(
    tx: &TenantTx, seen: &Seen, values: &[Bound; 12], sort: Sort, paging: &Paging,
) -> Result<Option<Vec<CustomerRow>>> {
    let limit = paging.limit();
    let before = paging.offset(limit).saturating_add(limit).checked_sub(1);
    let before = before.filter(|before| *before < BEFORE && !seen.whole && seen.summed.len() > 1);
    let (Some((last, page)), Some(before)) = (statements(sort), before) else { return Ok(None) };
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let Some(last) = tx.one::<Last>(last, values.iter().cloned().chain([before.into()])).await? else {
        return Ok(None);
    };
    let Last { order_number, order_total_sum, last_order_at, id } = last;
    let last: [Bound; 4] = [order_number.into(), order_total_sum.into(), last_order_at.into(), id.into()];
    let values = values.iter().cloned().chain(audit::limit_offset(paging)).chain(last);
    let rows = tx.all(page, values).await?;
    // An order in between may have taken somebody off the page, and who follows stands behind its last. The
    // same where that one has never ordered: then nobody is found.
    Ok(u64::try_from(rows.len()).is_ok_and(|found| found == limit).then_some(rows))
}

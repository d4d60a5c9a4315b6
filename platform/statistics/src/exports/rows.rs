//! The rows of exports, page by page: each page begins after the last row of the previous one.

use chrono::{DateTime, Utc};
use sea_orm::{DbErr, FromQueryResult};
use sheets::Cell;
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    columns::Export,
    form::{ExportFilterType, ExportType},
};

/// Rows read at a time.
const PAGE: i64 = 1_000;

/// Where the next page begins.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    Begin,
    /// After the order of this instant and id.
    Order(DateTime<Utc>, Uuid),
    /// After this customer.
    Guest(Uuid),
}

/// The restaurant's placed orders without tests and unpaid ones. `place` is the instant by which the export
/// selects.
macro_rules! orders {
    ($place:literal) => {
        concat!(
            "(select o.id, o.created_at, o.",
            $place,
            " place, o.email, o.phone_1, o.total_price, o.archived_at from orders o \
             where o.restaurant_id = $1 and not o.is_test and o.status in ('succeeded', 'processed', \
             'prepared'))"
        )
    };
}
macro_rules! page {
    ($place:literal) => {
        concat!(
            "with page as (select o.id, o.place from ",
            orders!($place),
            " o where o.place is not null and ($2::timestamptz is null or o.place >= $2) and \
             ($3::timestamptz is null or o.place <= $3) \
             and ($4::timestamptz is null or (o.place, o.id) > ($4, $5)) order by o.place, o.id limit $6) "
        )
    };
}
/// Postcode, city and the rest of the address of an order `o`.
macro_rules! address {
    () => {
        "o.delivery_data->>'postcode' postcode, o.delivery_data->>'city' city, concat_ws(' ', \
         nullif(o.delivery_data->>'street', ''), \
         nullif(o.delivery_data->>'premise_number', ''), nullif(o.delivery_data->>'building', ''), \
         nullif(o.delivery_data->>'floor', ''), \
         nullif(o.delivery_data->>'door_number', '')) address"
    };
}
macro_rules! order_rows {
    ($place:literal) => {
        concat!(
            page!($place),
            "select p.place, o.id, null::uuid item_id, o.counter, o.business_day, o.created_at, \
             o.expected_at, o.accepted_at, o.status, o.archived_at, \
             concat_ws(': ', nullif(o.archive_reason, ''), nullif(o.archive_reason_text, '')) reason, \
             o.platform, o.pickup, o.is_preorder, \
             o.last_name, o.first_name, o.email, o.phone_1, ",
            address!(),
            ", o.table_name, m.name payment_name, m.name_en payment_name_en, o.currency, o.coupon_code, \
             o.original_price, o.products_price, o.discount_price, o.delivery_price, o.service_fee, o.deposit, \
             o.tip, o.employee_tip, o.courier_tip, o.system_usage_fee, o.total_price, o.message, o.external_id \
             from page p join orders o on o.id = p.id left join ref.payment_method m on m.id = \
             o.payment_method_id order by p.place, o.id"
        )
    };
}
macro_rules! item_rows {
    ($place:literal) => {
        concat!(
            page!($place),
            "select p.place, o.id, o.counter, o.business_day, o.created_at, o.status, o.archived_at, \
             o.platform, o.currency, i.id item_id, \
             i.product_name, i.subproduct_name, i.quantity::numeric quantity, i.unit_price, i.total_price, \
             i.discount, coalesce(i.paid_price, i.total_price) paid_price, i.vat_percent, i.net_price, \
             i.vat_price, i.service_fee, i.deposit, i.gift_of is not null gift, i.message, \
             (select string_agg(case when x.quantity > 1 then x.quantity || ' × ' else '' end || \
             x.option_name, ', ' order by x.ranking, x.id) \
              from order_item_option x where x.order_item_id = i.id) options \
             from page p join orders o on o.id = p.id left join order_item i on i.order_id = o.id order by \
             p.place, o.id, i.ranking, i.id"
        )
    };
}
/// The address of a customer `c` that was used last.
macro_rules! last_address {
    () => {
        " left join lateral (select a.postcode, a.city, concat_ws(' ', a.street, a.premise_number, \
        a.building, \
            a.floor, a.door_number) address from shadow_customer_address a join shadow_customer m \
            on m.id = a.shadow_customer_id where m.id = c.id or m.root_id = c.id \
            order by a.last_used_at desc nulls last, a.created_at, a.id limit 1) a on true "
    };
}
/// Customers of the restaurant with all their orders there; who was merged into another is not there.
const ALL_GUESTS: &str = concat!(
    "with page as (select f.* from shadow_customer_restaurant f join shadow_customer c \
        on c.id = f.shadow_customer_id where f.restaurant_id = $1 and c.archived_at is null \
        and c.merged_into is null and ($2::uuid is null or c.id > $2) order by c.id limit $3) \
     select c.id guest, c.last_name, c.first_name, c.email, c.phone_1, a.postcode, a.city, a.address, \
        p.first_order_at first_at, p.last_order_at last_at, p.order_number::numeric orders, \
        p.order_total_sum total, r.currency \
     from page p join shadow_customer c on c.id = p.shadow_customer_id \
        join restaurant r on r.id = p.restaurant_id",
    last_address!(),
    "order by c.id"
);
/// Customers who ordered in the range, with their orders of that time.
macro_rules! guest_rows {
    ($place:literal) => {
        concat!(
            "with page as (select coalesce(c.root_id, c.id) guest, min(o.created_at) first_at, \
                max(o.created_at) last_at, count(*) filter (where o.order_parent_id is null)::numeric \
                orders, \
                sum(o.total_price) total \
             from customer_order o join shadow_customer c on c.id = o.customer_id \
             where o.restaurant_id = $1 and o.counts and c.archived_at is null and o.",
            $place,
            " between $4 and $5 and ($2::uuid is null or coalesce(c.root_id, c.id) > $2) \
             group by 1 order by 1 limit $3) \
             select c.id guest, c.last_name, c.first_name, c.email, c.phone_1, a.postcode, a.city, \
             a.address, \
                p.first_at, p.last_at, p.orders, p.total, r.currency \
             from page p join shadow_customer c on c.id = p.guest join restaurant r on r.id = $1",
            last_address!(),
            "order by c.id"
        )
    };
}

/// Where a row of an order stands, and which item of it.
#[derive(FromQueryResult)]
struct OrderRow {
    place: DateTime<Utc>,
    id: Uuid,
    item_id: Option<Uuid>,
}

/// Where a row of a guest stands.
#[derive(FromQueryResult)]
struct GuestRow {
    guest: Uuid,
}

/// One page: its rows, and where the next one begins; none when it was the last.
pub(crate) async fn page(
    tx: &TenantTx, export: &Export, place: &Place,
) -> Result<(Vec<Vec<Cell>>, Option<Place>), DbErr> {
    let (from, till) = export.range.unzip();
    let wanted = export.filter == ExportFilterType::ExpectedAt;
    if export.kind == ExportType::ShadowCustomerExport {
        return guests(tx, export, place).await;
    }
    let (at, id) = if let Place::Order(at, id) = place { (Some(*at), Some(*id)) } else { (None, None) };
    let values = [export.restaurant.into(), from.into(), till.into(), at.into(), id.into(), PAGE.into()];
    let items = export.kind == ExportType::OrderItemExport;
    let sql = match (items, wanted) {
        (false, false) => order_rows!("created_at"),
        (false, true) => order_rows!("expected_at"),
        (true, false) => item_rows!("created_at"),
        (true, true) => item_rows!("expected_at"),
    };
    let rows = tx.rows(sql, values).await?;
    let mut cells = Vec::with_capacity(rows.len());
    let (mut orders, mut last) = (0, None);
    for row in &rows {
        let OrderRow { place, id, item_id } = OrderRow::from_query_result(row, "")?;
        let here = (place, id);
        orders += i64::from(last != Some(here));
        last = Some(here);
        // An order without items stands in its page, so that the next one begins after it.
        if !items || item_id.is_some() {
            cells.push(export.cells(row)?);
        }
    }
    Ok((cells, last.filter(|_| orders == PAGE).map(|(at, id)| Place::Order(at, id))))
}

/// One page of customers.
async fn guests(
    tx: &TenantTx, export: &Export, place: &Place,
) -> Result<(Vec<Vec<Cell>>, Option<Place>), DbErr> {
    let after = if let Place::Guest(guest) = place { Some(*guest) } else { None };
    let own = [export.restaurant.into(), after.into(), PAGE.into()];
    let rows = match (export.range, export.filter) {
        (None, _) => tx.rows(ALL_GUESTS, own).await?,
        (Some((from, till)), ExportFilterType::CreatedAt) => {
            tx.rows(guest_rows!("created_at"), own.into_iter().chain([from.into(), till.into()])).await?
        }
        (Some((from, till)), ExportFilterType::ExpectedAt) => {
            tx.rows(guest_rows!("expected_at"), own.into_iter().chain([from.into(), till.into()])).await?
        }
    };
    let cells = rows.iter().map(|row| export.cells(row)).collect::<Result<Vec<_>, _>>()?;
    let last = rows.last().filter(|_| rows.len() as i64 == PAGE);
    let last = last.map(|row| GuestRow::from_query_result(row, "")).transpose()?;
    Ok((cells, last.map(|row| Place::Guest(row.guest))))
}

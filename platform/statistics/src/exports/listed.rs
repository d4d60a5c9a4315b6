//! The rows of an export by a filter of previous orders: one for each order and each partial storno, in the list's
//! order, with columns for each VAT rate and each payment method that occurs. See
//! `docs/decisions/exports.md#what-a-filter-finds`.

use std::collections::HashMap;

use kernel::money::{Currency, Money, Percent};
use orders::OrderStatus;
use rust_decimal::Decimal;
use sea_orm::{FromJsonQueryResult, FromQueryResult};
use serde::{Deserialize, Serialize};
use sheets::{Cell, Column};
use tenants::TenantTx;
use uuid::Uuid;
use work::JobError;

use super::columns::Export;

/// Orders read at a time.
const PAGE: usize = 1_000;

/// What was found, and how far it has been read.
pub(crate) struct Listed {
    ids: Vec<Uuid>,
    read: usize,
    /// The VAT rates that occur, the highest first.
    rates: Vec<Decimal>,
    methods: Vec<Method>,
}

/// A payment method by which something was paid; of some earlier payments it is not known.
#[derive(FromQueryResult)]
struct Method {
    id: Option<Uuid>,
    name: Option<String>,
    name_en: Option<String>,
}

const RATES: &str = "select distinct (v.vat ->> 'percent')::numeric percent \
    from orders o, jsonb_array_elements(o.vats) v (vat) where o.id = any ($1) order by percent desc";
const METHODS: &str = "select t.id, m.name, m.name_en \
    from (select distinct p.payment_method_id id from payable_transaction p where p.order_id = any ($1)) t \
    left join ref.payment_method m on m.id = t.id order by m.name, t.id";
const ROWS: &str = "select o.id, o.order_parent_id is not null is_child, p.counter storno_of, o.counter, \
        o.business_day, o.created_at, o.expected_at, o.accepted_at, o.closed_at, o.status, o.archived_at, \
        concat_ws(': ', nullif(o.archive_reason, ''), case when $3 then nullif(o.archive_reason_text, '') end) reason, \
        o.platform, o.pickup, o.is_preorder, o.admin_name, o.last_name, o.first_name, o.email, o.phone_1, \
        o.delivery_data->>'postcode' postcode, o.delivery_data->>'city' city, concat_ws(' ', \
            nullif(o.delivery_data->>'street', ''), nullif(o.delivery_data->>'premise_number', ''), \
            nullif(o.delivery_data->>'building', ''), nullif(o.delivery_data->>'floor', ''), \
            nullif(o.delivery_data->>'door_number', '')) address, \
        o.table_name, m.name payment_name, m.name_en payment_name_en, o.currency, o.coupon_code, o.original_price, \
        o.products_price, o.discount_price, o.delivery_price, o.service_fee, o.deposit, o.tip, o.employee_tip, \
        o.courier_tip, o.system_usage_fee, o.total_price, o.message, o.external_id, o.vats, \
        (select coalesce(sum(c.total_price), 0) from orders c where c.order_parent_id = o.id) reversed_price \
    from unnest($2::uuid[]) with ordinality w (id, at) join orders o on o.id = w.id and o.restaurant_id = $1 \
        left join orders p on p.id = o.order_parent_id \
        left join ref.payment_method m on m.id = o.payment_method_id \
    order by w.at";
const PAID: &str = "select t.order_id, t.payment_method_id, sum(t.value) value, sum(t.tip) tip \
    from payable_transaction t where t.order_id = any ($1) group by t.order_id, t.payment_method_id";

/// What a row's computed cells are made of.
#[derive(FromQueryResult)]
struct OrderRow {
    id: Uuid,
    is_child: bool,
    status: OrderStatus,
    archived_at: Option<chrono::DateTime<chrono::Utc>>,
    currency: Currency,
    total_price: Money,
    /// What partial stornos took off, below zero.
    reversed_price: Money,
    vats: Vats,
}

#[derive(Serialize, Deserialize, FromJsonQueryResult)]
struct Vats(Vec<VatSum>);

#[derive(Serialize, Deserialize)]
struct VatSum {
    percent: Percent,
    net: Money,
    vat: Money,
}

/// What was paid of an order by one method, less what went back.
#[derive(FromQueryResult)]
struct Paid {
    order_id: Uuid,
    payment_method_id: Option<Uuid>,
    value: Decimal,
    tip: Decimal,
}

impl Listed {
    /// Looks for the orders, and for what occurs in them.
    pub(crate) async fn find(tx: &TenantTx, export: &Export) -> Result<Self, JobError> {
        let ids = orders::filtered(tx, export.restaurant, &export.list).await?;
        let rates: Vec<Decimal> = tx.values(RATES, [ids.clone().into()]).await?;
        let methods = tx.all(METHODS, [ids.clone().into()]).await?;
        Ok(Self { ids, read: 0, rates: rates.iter().map(Decimal::normalize).collect(), methods })
    }

    pub(crate) fn total(&self) -> i64 {
        i64::try_from(self.ids.len()).unwrap_or(i64::MAX)
    }

    /// The headings: those of orders, then sums of money, net and VAT by rate, and what was paid by method.
    pub(crate) fn columns(&self, export: &Export) -> Vec<Column> {
        let mut columns = export.columns();
        let mut add = |hu: String, en: String, width: f64| {
            columns.push((if export.english { en } else { hu }.into(), width));
        };
        add("Fizetve".into(), "Paid".into(), 12.0);
        add("Még fizetendő".into(), "Still due".into(), 12.0);
        add("Fizetéskor adott borravaló".into(), "Tips given with payments".into(), 14.0);
        for rate in &self.rates {
            let hungarian = rate.to_string().replace('.', ",");
            add(format!("Nettó {hungarian}%"), format!("Net {rate}%"), 12.0);
            add(format!("Áfa {hungarian}%"), format!("VAT {rate}%"), 12.0);
        }
        for method in &self.methods {
            let name = |name: &Option<String>, other: &str| name.clone().unwrap_or_else(|| other.to_owned());
            let (hu, en) = (name(&method.name, "egyéb"), name(&method.name_en, "other"));
            add(format!("Fizetve: {hu}"), format!("Paid: {en}"), 14.0);
        }
        columns
    }

    /// The next page; none after the last. What fails leaves it where it was.
    pub(crate) async fn page(
        &mut self, tx: &TenantTx, export: &Export,
    ) -> Result<Option<Vec<Vec<Cell>>>, JobError> {
        let ids = self.ids.iter().skip(self.read).take(PAGE).copied().collect::<Vec<_>>();
        if ids.is_empty() {
            return Ok(None);
        }
        let count = ids.len();
        let mut paid: HashMap<Uuid, Vec<Paid>> = HashMap::new();
        for one in tx.all::<Paid>(PAID, [ids.clone().into()]).await? {
            paid.entry(one.order_id).or_default().push(one);
        }
        let rows = tx.rows(ROWS, [export.restaurant.into(), ids.into(), export.guests.into()]).await?;
        let mut page = Vec::with_capacity(rows.len());
        for row in &rows {
            let order = OrderRow::from_query_result(row, "")?;
            let paid = paid.remove(&order.id).unwrap_or_default();
            let mut cells = export.cells(row)?;
            cells.extend(self.computed(&order, &paid)?);
            page.push(cells);
        }
        self.read += count;
        Ok(Some(page))
    }

    /// The cells of money, VAT and payments.
    fn computed(&self, order: &OrderRow, paid: &[Paid]) -> Result<Vec<Cell>, JobError> {
        let sum: Decimal = paid.iter().map(|one| one.value).sum();
        // What a partial storno takes back is due, or not, with its order.
        let due = if order.is_child {
            Money::ZERO
        } else {
            let total = order.total_price + order.reversed_price;
            orders::due(order.status, order.archived_at.is_some(), total, Money(sum))
        };
        let tips = paid.iter().map(|one| one.tip).sum();
        let amount =
            |money: Option<Money>| money.map_or(Cell::Empty, |money| Cell::Money(money, order.currency));
        let mut cells = [Money(sum), due, Money(tips)].map(|money| amount(Some(money))).to_vec();
        // Of its own rates, and of the methods it was paid by, every one has a column; none else may be lost.
        let mut known = 0;
        for rate in &self.rates {
            let sums = order.vats.0.iter().find(|sums| sums.percent.0 == *rate);
            known += usize::from(sums.is_some());
            cells.extend([sums.map(|sums| sums.net), sums.map(|sums| sums.vat)].map(amount));
        }
        for method in &self.methods {
            let by = paid.iter().find(|one| one.payment_method_id == method.id);
            known += usize::from(by.is_some());
            cells.push(amount(by.map(|one| Money(one.value))));
        }
        if known < order.vats.0.len() + paid.len() {
            return Err(JobError::retry("a rate or a way to pay has come meanwhile"));
        }
        Ok(cells)
    }
}

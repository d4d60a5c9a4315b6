//! Orders as they are answered: four statements for any number of them.

use std::{collections::HashMap, str::FromStr};

use access::prelude::*;
use kernel::money::{Money, Percent};
use sea_orm::QueryResult;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::types::{
    Explanation, LocalizedName, Order, OrderHistory, OrderId, OrderItem, OrderItemOption, OrderStatus,
    PayableTransaction, PaymentMethod, VatSum,
};

const ORDERS: &str = "select o.id, o.counter, o.status, o.platform, o.locale, o.pickup, o.is_preorder, \
    o.is_test, o.message, o.first_name, o.last_name, \
    o.email, o.phone_1, o.payment_method_id, o.currency, o.products_price, o.delivery_price, \
    o.discount_price, o.original_price, o.service_fee, \
    o.tip, o.employee_tip, o.courier_tip, o.system_usage_fee, o.total_price, o.vats, o.explanation, \
    o.expected_at, o.show_at, \
    o.delivery_time_minute, o.table_id, o.table_name, o.admin_id, o.admin_name, o.courier_id, \
    o.delivery_data, o.external_id, o.created_at, \
    o.accepted_at, o.archived_at, o.archive_reason, o.archive_reason_text, o.version, \
    m.payment_key, m.payment_type, m.name method_name, m.name_en method_name_en, m.paid_online \
    from orders o left join ref.payment_method m on m.id = o.payment_method_id where o.restaurant_id = $1 \
    and o.id = any ($2)";
const ITEMS: &str = "select i.id, i.order_id, i.subproduct_id, i.product_name, i.product_name_sec_lang, \
    i.subproduct_name, i.subproduct_name_sec_lang, \
    i.quantity, i.unit_price, i.total_price, i.vat_percent, i.message from order_item i where i.order_id = \
    any ($1) order by i.order_id, i.ranking";
const OPTIONS: &str = "select p.order_item_id, p.option_id, p.group_name, p.option_name, \
    p.option_name_sec_lang, p.quantity, p.unit_price, p.total_price \
    from order_item_option p join order_item i on i.id = p.order_item_id where i.order_id = any ($1) order \
    by p.order_item_id, p.ranking";
const PAYMENTS: &str = "select id, order_id, value, status, payment_method_id, paid_at from \
    payable_transaction where order_id = any ($1) order by created_at, id";

/// The orders with these ids, in the order of the ids.
///
/// # Errors
/// What the database says.
pub(crate) async fn orders(tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>) -> Result<Vec<Order>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut options: HashMap<Uuid, Vec<OrderItemOption>> = HashMap::new();
    for row in tx.rows(OPTIONS, [ids.clone().into()]).await? {
        options.entry(row.try_get("", "order_item_id")?).or_default().push(option(&row)?);
    }
    let mut items: HashMap<Uuid, Vec<OrderItem>> = HashMap::new();
    for row in tx.rows(ITEMS, [ids.clone().into()]).await? {
        let id: Uuid = row.try_get("", "id")?;
        items
            .entry(row.try_get("", "order_id")?)
            .or_default()
            .push(item(&row, options.remove(&id).unwrap_or_default())?);
    }
    let mut payments: HashMap<Uuid, Vec<PayableTransaction>> = HashMap::new();
    for row in tx.rows(PAYMENTS, [ids.clone().into()]).await? {
        payments.entry(row.try_get("", "order_id")?).or_default().push(payment(&row)?);
    }
    let mut orders: HashMap<Uuid, Order> = HashMap::new();
    for row in tx.rows(ORDERS, [restaurant.into(), ids.clone().into()]).await? {
        let mut order = read(&row)?;
        order.items = items.remove(&order.id.uuid()).unwrap_or_default();
        order.payable_transactions = payments.remove(&order.id.uuid()).unwrap_or_default();
        orders.insert(order.id.uuid(), order);
    }
    Ok(ids.iter().filter_map(|id| orders.remove(id)).collect())
}

/// One order.
///
/// # Errors
/// `ORDER_NOT_EXIST`.
pub(crate) async fn order(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Order> {
    orders(tx, restaurant, vec![id.uuid()]).await?.pop().ok_or_else(Problem::not_exist::<OrderId>)
}

/// Every change of state of an order, oldest first.
///
/// # Errors
/// What the database says.
pub(crate) async fn history(tx: &TenantTx, id: Id<OrderId>) -> Result<Vec<OrderHistory>> {
    let rows = tx
        .rows(
            "select status, at, actor_name, surface from order_history where order_id = $1 order by id",
            [id.into()],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(OrderHistory {
                status: row.try_get("", "status")?,
                at: row.try_get("", "at")?,
                by: row.try_get("", "actor_name")?,
                surface: row.try_get("", "surface")?,
            })
        })
        .collect()
}

/// An amount without the zeros that the column's scale adds: 1700, not 1700.00.
fn amount(row: &QueryResult, column: &str) -> Result<Money> {
    Ok(Money(row.try_get::<Money>("", column)?.0.normalize()))
}

fn json<T: DeserializeOwned>(row: &QueryResult, column: &str) -> Result<T> {
    let value: serde_json::Value = row.try_get("", column)?;
    serde_json::from_value(value).map_err(|error| {
        tracing::error!(%error, column, "an order's JSON cannot be read");
        Problem::new(Code::UNKNOWN_ERROR)
    })
}

fn read(row: &QueryResult) -> Result<Order> {
    let status = OrderStatus::parse(&row.try_get::<String>("", "status")?);
    let archived_at: Option<Timestamp> = row.try_get("", "archived_at")?;
    let currency: String = row.try_get("", "currency")?;
    let payment_method_id: Option<Uuid> = row.try_get("", "payment_method_id")?;
    let payment_method = match (payment_method_id, row.try_get::<Option<String>>("", "payment_key")?) {
        (Some(id), Some(payment_key)) => Some(PaymentMethod {
            id,
            payment_key,
            payment_type: row.try_get("", "payment_type")?,
            name: row.try_get("", "method_name")?,
            name_en: row.try_get("", "method_name_en")?,
            paid_online: row.try_get("", "paid_online")?,
        }),
        _ => None,
    };
    let has_address =
        row.try_get::<Option<serde_json::Value>>("", "delivery_data")?.is_some_and(|value| !value.is_null());
    Ok(Order {
        id: row.try_get("", "id")?,
        counter: row.try_get("", "counter")?,
        status,
        platform: row.try_get("", "platform")?,
        locale: row.try_get("", "locale")?,
        pickup: row.try_get("", "pickup")?,
        is_preorder: row.try_get("", "is_preorder")?,
        is_test: row.try_get("", "is_test")?,
        message: row.try_get("", "message")?,
        first_name: row.try_get("", "first_name")?,
        last_name: row.try_get("", "last_name")?,
        email: row.try_get("", "email")?,
        phone_1: row.try_get("", "phone_1")?,
        payment_method_id,
        payment_method,
        currency: FromStr::from_str(&currency).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?,
        products_price: amount(row, "products_price")?,
        delivery_price: amount(row, "delivery_price")?,
        discount_price: amount(row, "discount_price")?,
        original_price: amount(row, "original_price")?,
        service_fee: amount(row, "service_fee")?,
        tip: amount(row, "tip")?,
        employee_tip: amount(row, "employee_tip")?,
        courier_tip: amount(row, "courier_tip")?,
        system_usage_fee: amount(row, "system_usage_fee")?,
        total_price: amount(row, "total_price")?,
        vats: json::<Vec<VatSum>>(row, "vats")?,
        lines: json::<Vec<Explanation>>(row, "explanation")?,
        expected_at: row.try_get("", "expected_at")?,
        show_at: row.try_get("", "show_at")?,
        delivery_time_minute: row.try_get("", "delivery_time_minute")?,
        table_id: row.try_get("", "table_id")?,
        table_name: row.try_get("", "table_name")?,
        admin_id: row.try_get("", "admin_id")?,
        admin_name: row.try_get("", "admin_name")?,
        courier_id: row.try_get("", "courier_id")?,
        delivery_data: if has_address { Some(json(row, "delivery_data")?) } else { None },
        items: Vec::new(),
        payable_transactions: Vec::new(),
        external_id: row.try_get("", "external_id")?,
        created_at: row.try_get("", "created_at")?,
        accepted_at: row.try_get("", "accepted_at")?,
        archive_reason: row.try_get("", "archive_reason")?,
        archive_reason_text: row.try_get("", "archive_reason_text")?,
        version: row.try_get("", "version")?,
        allowed: allowed(status, archived_at.is_some()).iter().map(|what| (*what).to_owned()).collect(),
        archived_at,
        history: None,
    })
}

/// What can be done with an order in this state.
pub(crate) const fn allowed(status: OrderStatus, archived: bool) -> &'static [&'static str] {
    match (archived, status) {
        (false, OrderStatus::Succeeded) => &["accept", "archive"],
        (false, OrderStatus::Processed) => &["prepare", "take_back", "archive"],
        (false, OrderStatus::Prepared) => &["recall", "archive"],
        _ => &[],
    }
}

fn item(row: &QueryResult, item_options: Vec<OrderItemOption>) -> Result<OrderItem> {
    Ok(OrderItem {
        id: row.try_get("", "id")?,
        subproduct_id: row.try_get("", "subproduct_id")?,
        product: LocalizedName {
            name: row.try_get("", "product_name")?,
            name_sec_lang: row.try_get("", "product_name_sec_lang")?,
        },
        subproduct: LocalizedName {
            name: row.try_get("", "subproduct_name")?,
            name_sec_lang: row.try_get("", "subproduct_name_sec_lang")?,
        },
        quantity: row.try_get("", "quantity")?,
        unit_price: amount(row, "unit_price")?,
        total_price: amount(row, "total_price")?,
        vat_percent: Percent(row.try_get::<Percent>("", "vat_percent")?.0.normalize()),
        message: row.try_get("", "message")?,
        item_options,
    })
}

fn option(row: &QueryResult) -> Result<OrderItemOption> {
    Ok(OrderItemOption {
        option_id: row.try_get("", "option_id")?,
        option: LocalizedName {
            name: row.try_get("", "option_name")?,
            name_sec_lang: row.try_get("", "option_name_sec_lang")?,
        },
        group_name: row.try_get("", "group_name")?,
        quantity: row.try_get("", "quantity")?,
        unit_price: amount(row, "unit_price")?,
        total_price: amount(row, "total_price")?,
    })
}

fn payment(row: &QueryResult) -> Result<PayableTransaction> {
    Ok(PayableTransaction {
        id: row.try_get("", "id")?,
        value: amount(row, "value")?,
        status: row.try_get("", "status")?,
        payment_method_id: row.try_get("", "payment_method_id")?,
        paid_at: row.try_get("", "paid_at")?,
    })
}

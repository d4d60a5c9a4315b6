//! Orders as answers: four statements for any number of them. See `docs/decisions/orders.md#reading`.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use kernel::money::Percent;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    row::{ItemRow, OptionRow, OrderRow},
    state,
    types::{
        LocalizedName, Order, OrderHistory, OrderItem, OrderItemOption, PayableTransaction, PaymentMethod,
    },
    values::OrderId,
};

/// An order with its payment method, when it has one.
#[derive(FromQueryResult)]
struct PaidOrderRow {
    #[sea_orm(nested)]
    row: OrderRow,
    #[sea_orm(nested(prefix = "method_"))]
    method: Option<PaymentMethod>,
}

static ORDERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {}, m.id method_id, m.payment_key method_payment_key, m.payment_type method_payment_type, \
            m.name method_name, m.name_en method_name_en, m.paid_online method_paid_online \
        from orders o left join ref.payment_method m on m.id = o.payment_method_id \
        where o.restaurant_id = $1 and o.id = any ($2)",
        OrderRow::columns("o.")
    )
});
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let columns = ItemRow::columns("i.");
    format!("select {columns} from order_item i where i.order_id = any ($1) order by i.order_id, i.ranking")
});
static OPTIONS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {} from order_item_option p join order_item i on i.id = p.order_item_id \
        where i.order_id = any ($1) order by p.order_item_id, p.ranking",
        OptionRow::columns("p.")
    )
});
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
    let options: Vec<OptionRow> = tx.all(OPTIONS.as_str(), [ids.clone().into()]).await?;
    let rows: Vec<ItemRow> = tx.all(ITEMS.as_str(), [ids.clone().into()]).await?;
    let mut items = items(rows, options);
    let mut payments: HashMap<Uuid, Vec<PayableTransaction>> = HashMap::new();
    for payment in tx.all::<PayableTransaction>(PAYMENTS, [ids.clone().into()]).await? {
        payments.entry(payment.order_id).or_default().push(payment);
    }
    let mut orders: HashMap<Uuid, Order> = HashMap::new();
    let rows: Vec<PaidOrderRow> = tx.all(ORDERS.as_str(), [restaurant.into(), ids.clone().into()]).await?;
    for PaidOrderRow { row, method } in rows {
        let id = row.id.uuid();
        let mut order = Order::new(row, method, items.remove(&id).unwrap_or_default());
        order.payable_transactions = payments.remove(&id).unwrap_or_default();
        orders.insert(id, order);
    }
    Ok(ids.iter().filter_map(|id| orders.remove(id)).collect())
}

impl Order {
    /// An order that nothing has been paid of.
    pub fn new(row: OrderRow, payment_method: Option<PaymentMethod>, items: Vec<OrderItem>) -> Self {
        let allowed = state::allowed(row.status, row.archived_at.is_some());
        let allowed = allowed.map(|action| action.name().to_owned()).collect();
        Self { row, payment_method, items, payable_transactions: Vec::new(), allowed, history: None }
    }
}

/// The lines of orders, with their options, by order.
pub(crate) fn items(rows: Vec<ItemRow>, options: Vec<OptionRow>) -> HashMap<Uuid, Vec<OrderItem>> {
    let mut by_item: HashMap<Uuid, Vec<OrderItemOption>> = HashMap::new();
    for row in options {
        by_item.entry(row.order_item_id).or_default().push(row.into());
    }
    let mut items: HashMap<Uuid, Vec<OrderItem>> = HashMap::new();
    for row in rows {
        let options = by_item.remove(&row.id).unwrap_or_default();
        items.entry(row.order_id.uuid()).or_default().push(item(row, options));
    }
    items
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
    let sql = "select status, at, actor_name, surface from order_history where order_id = $1 order by id";
    Ok(tx.all(sql, [id.into()]).await?)
}

fn item(row: ItemRow, item_options: Vec<OrderItemOption>) -> OrderItem {
    let (product, subproduct) = (
        LocalizedName { name: row.product_name, name_sec_lang: row.product_name_sec_lang },
        LocalizedName { name: row.subproduct_name, name_sec_lang: row.subproduct_name_sec_lang },
    );
    let (name, name_sec_lang) = match row.name {
        Some(name) => (name, row.name_sec_lang),
        // Of an earlier release: whether it was its product's only size is not known.
        None => catalogue::ordered_name(
            (&product.name, product.name_sec_lang.as_deref()),
            (&subproduct.name, subproduct.name_sec_lang.as_deref()),
            false,
        ),
    };
    OrderItem {
        id: row.id,
        subproduct_id: row.subproduct_id,
        product,
        subproduct,
        name,
        name_sec_lang,
        quantity: row.quantity,
        unit_price: row.unit_price,
        total_price: row.total_price,
        vat_percent: Percent(row.vat_percent.0.normalize()),
        message: row.message,
        item_options,
    }
}

impl From<OptionRow> for OrderItemOption {
    fn from(row: OptionRow) -> Self {
        Self {
            option_id: row.option_id,
            option: LocalizedName { name: row.option_name, name_sec_lang: row.option_name_sec_lang },
            group_name: row.group_name,
            quantity: row.quantity,
            unit_price: row.unit_price,
            total_price: row.total_price,
        }
    }
}

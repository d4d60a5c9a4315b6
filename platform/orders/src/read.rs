//! Orders as answers: five statements for any number of them. See `docs/decisions/orders.md#reading`.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use kernel::money::{Percent, Quantity};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    row::{ItemRow, OptionRow, OrderRow, PartRow},
    state,
    types::{
        LocalizedName, Order, OrderHistory, OrderItem, OrderItemOption, OrderItemPart, PayableTransaction,
        PaymentMethod,
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
static PARTS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {} from order_item_part p join order_item i on i.id = p.order_item_id \
        where i.order_id = any ($1) order by p.order_item_id, p.ranking",
        PartRow::columns("p.")
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
    let parts: Vec<PartRow> = tx.all(PARTS.as_str(), [ids.clone().into()]).await?;
    let mut lines: HashMap<Uuid, Vec<ItemRow>> = HashMap::new();
    for line in tx.all::<ItemRow>(ITEMS.as_str(), [ids.clone().into()]).await? {
        lines.entry(line.order_id.uuid()).or_default().push(line);
    }
    let mut of_item = OfItem::new(options, parts);
    let mut payments: HashMap<Uuid, Vec<PayableTransaction>> = HashMap::new();
    for payment in tx.all::<PayableTransaction>(PAYMENTS, [ids.clone().into()]).await? {
        payments.entry(payment.order_id).or_default().push(payment);
    }
    let mut orders: HashMap<Uuid, Order> = HashMap::new();
    let rows: Vec<PaidOrderRow> = tx.all(ORDERS.as_str(), [restaurant.into(), ids.clone().into()]).await?;
    for PaidOrderRow { row, method } in rows {
        let id = row.id.uuid();
        let lines = lines.remove(&id).unwrap_or_default();
        let items = items(lines, &mut of_item, row.created_at);
        let mut order = Order::new(row, method, items);
        order.payable_transactions = payments.remove(&id).unwrap_or_default();
        orders.insert(id, order);
    }
    Ok(ids.iter().filter_map(|id| orders.remove(id)).collect())
}

impl Order {
    /// An order that nothing has been paid of.
    pub fn new(mut row: OrderRow, payment_method: Option<PaymentMethod>, items: Vec<OrderItem>) -> Self {
        row.delivery_vat_percent = row.delivery_vat_percent.map(bare);
        row.system_usage_fee_vat_percent = row.system_usage_fee_vat_percent.map(bare);
        let allowed = state::allowed(row.status, row.archived_at.is_some());
        let allowed = allowed.map(|action| action.name().to_owned()).collect();
        Self { row, payment_method, items, payable_transactions: Vec::new(), allowed, history: None }
    }
}

/// A rate without the zeros that the column's scale adds.
fn bare(percent: Percent) -> Percent {
    Percent(percent.0.normalize())
}

/// Options and parts by the line they belong to.
pub(crate) struct OfItem {
    options: HashMap<Uuid, Vec<OrderItemOption>>,
    parts: HashMap<Uuid, Vec<OrderItemPart>>,
}

impl OfItem {
    /// Those of any number of lines.
    pub fn new(options: Vec<OptionRow>, parts: Vec<PartRow>) -> Self {
        let mut of_item = Self { options: HashMap::new(), parts: HashMap::new() };
        for row in options {
            of_item.options.entry(row.order_item_id).or_default().push(row.into());
        }
        for row in parts {
            of_item.parts.entry(row.order_item_id).or_default().push(row.into());
        }
        of_item
    }
}

/// The lines of an order that was placed then, with their options and parts.
pub(crate) fn items(rows: Vec<ItemRow>, of_item: &mut OfItem, placed_at: Timestamp) -> Vec<OrderItem> {
    rows.into_iter().map(|row| item(row, of_item, placed_at)).collect()
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

fn item(row: ItemRow, of_item: &mut OfItem, placed_at: Timestamp) -> OrderItem {
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
        order_id: row.order_id,
        subproduct_id: row.subproduct_id,
        product,
        subproduct,
        name,
        name_sec_lang,
        gift_of: row.gift_of,
        quantity: row.quantity,
        unit_price: row.unit_price,
        total_price: row.total_price,
        discount: row.discount,
        paid_price: row.paid_price.unwrap_or(row.total_price),
        vat_percent: row.vat_percent.map(bare),
        net_price: row.net_price,
        vat_price: row.vat_price,
        service_fee: row.service_fee,
        service_fee_net: row.service_fee_net,
        service_fee_vat: row.service_fee_vat,
        deposit: row.deposit,
        deposit_pieces: row.deposit_pieces,
        ntak_category_id: row.ntak_category_id,
        ntak_quantity_unit: row.ntak_quantity_unit,
        ntak_quantity: row.ntak_quantity.map(exact),
        created_at: row.created_at.unwrap_or(placed_at),
        message: row.message,
        item_options: of_item.options.remove(&row.id).unwrap_or_default(),
        parts: of_item.parts.remove(&row.id).unwrap_or_default(),
    }
}

/// A quantity without the zeros that the column's scale adds.
fn exact(quantity: Quantity) -> Quantity {
    Quantity(quantity.0.normalize())
}

impl From<PartRow> for OrderItemPart {
    fn from(row: PartRow) -> Self {
        Self {
            kind: row.kind,
            subproduct_id: row.subproduct_id,
            option_id: row.option_id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            quantity: row.quantity,
            total_price: row.total_price,
            discount: row.discount,
            paid_price: row.paid_price,
            vat_percent: bare(row.vat_percent),
            net_price: row.net_price,
            vat_price: row.vat_price,
            service_fee: row.service_fee,
            service_fee_net: row.service_fee_net,
            service_fee_vat: row.service_fee_vat,
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            ntak_quantity: row.ntak_quantity.map(exact),
        }
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

//! Orders as lists answer them: whole, or (`view=row`) what a row of a list shows. See
//! `docs/decisions/orders.md#rows-of-lists`.

use access::prelude::*;
use checkout::DeliveryData;
use poem_openapi::{Union, types::ToJSON};
use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::{
    payments::PayableTransaction,
    read::{self, Depth},
    types::{LocalizedName, Order, OrderItem, OrderItemOption, PaymentMethod, RemovedItem},
    values::{Amount, OrderId, OrderStatus},
    wait::FIRST,
};

/// How much of each order a list answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum OrderView {
    /// What a row shows: some fields of the order, without those that are null, false, empty or as usual.
    Row,
}

/// An order of a list: whole, or with `view=row` some fields of it.
#[derive(Debug, Union, Serialize)]
#[serde(untagged)]
pub(crate) enum ListedOrder {
    Whole(Box<Order>),
    Row(Box<OrderSummary>),
}

/// What a row of a list shows of an order. The fields are those of the order; one that is absent is null, false or
/// empty there, and `reversed_price` is 0, `escalation_level` 1, `show_at` the same as `created_at`.
#[derive(Debug, Object)]
#[oai(skip_serializing_if_is_none)]
pub(crate) struct OrderSummary {
    id: Id<OrderId>,
    counter: Option<String>,
    replaces_counter: Option<String>,
    replaced_by_counter: Option<String>,
    replaces_id: Option<Uuid>,
    status: OrderStatus,
    platform: String,
    pickup: Option<bool>,
    is_preorder: Option<bool>,
    is_test: Option<bool>,
    message: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone_1: Option<String>,
    customer_id: Option<Uuid>,
    shadow_customer: Option<SummaryCustomer>,
    payment_method: Option<SummaryPaymentMethod>,
    total_price: Amount,
    paid: Amount,
    due: Amount,
    pays_with: Option<Amount>,
    change_due: Option<Amount>,
    reversed_price: Option<Amount>,
    expected_at: Option<Timestamp>,
    show_at: Option<Timestamp>,
    table_name: Option<String>,
    admin_id: Option<Uuid>,
    admin_name: Option<String>,
    delivery_data: Option<SummaryAddress>,
    delivery_region_name: Option<String>,
    delivery_found_by: Option<String>,
    delivery_address_region_name: Option<String>,
    order_parent_id: Option<Uuid>,
    created_at: Timestamp,
    accepted_at: Option<Timestamp>,
    escalation_level: Option<i32>,
    prepared_at: Option<Timestamp>,
    archived_at: Option<Timestamp>,
    changed_at: Option<Timestamp>,
    changed_fields: Option<Vec<String>>,
    allowed: Vec<String>,
    /// Its lines; only in the list of fresh orders.
    items: Option<Vec<SummaryItem>>,
    /// What the order that it took the place of had more; only in the list of fresh orders.
    removed_items: Option<Vec<RemovedItem>>,
    /// Not in the list of fresh orders.
    payable_transactions: Option<Vec<SummaryPayment>>,
    version: i64,
}

/// A payment method as a row names it.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryPaymentMethod", skip_serializing_if_is_none)]
struct SummaryPaymentMethod {
    name: String,
    name_en: String,
    paid_online: Option<bool>,
}

/// How often a customer has ordered here, once it is more than once.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryCustomer")]
struct SummaryCustomer {
    order_number: i32,
}

/// Where an order goes, as a row shows it.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryAddress", skip_serializing_if_is_none)]
struct SummaryAddress {
    postcode: Option<String>,
    city: String,
    street: String,
    premise_number: String,
    building: Option<String>,
    floor: Option<String>,
    door_number: Option<String>,
    doorbell: Option<String>,
    address_notes: Option<String>,
}

/// A line as a row shows it.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryItem", skip_serializing_if_is_none)]
struct SummaryItem {
    name: String,
    name_sec_lang: Option<String>,
    quantity: i32,
    reversed_quantity: Option<i32>,
    new_quantity: Option<i32>,
    message: Option<String>,
    item_options: Option<Vec<SummaryOption>>,
}

/// An option of a line as a row shows it.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryOption")]
struct SummaryOption {
    option: SummaryName,
    /// Per piece.
    quantity: i32,
}

/// A name in the languages that it has.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryName", skip_serializing_if_is_none)]
struct SummaryName {
    name: String,
    name_sec_lang: Option<String>,
}

/// Money that has moved or waits, as a row shows it.
#[derive(Debug, Object)]
#[oai(rename = "OrderSummaryPayment", skip_serializing_if_is_none)]
struct SummaryPayment {
    status: String,
    value: Amount,
    payment_key: Option<String>,
}

impl Serialize for OrderSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// The orders with these ids, in the order of the ids, as `view` wants them; rows with their `lines`, or with their
/// payments.
pub(crate) async fn listed(
    tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>, view: Option<OrderView>, lines: bool,
) -> Result<Vec<ListedOrder>> {
    Ok(match view {
        None => {
            let orders = read::orders(tx, restaurant, ids).await?;
            orders.into_iter().map(|order| ListedOrder::Whole(Box::new(order))).collect()
        }
        Some(OrderView::Row) => {
            let depth = if lines { Depth::Lines } else { Depth::Head };
            let orders = read::orders_with(tx, restaurant, ids, depth).await?;
            orders.into_iter().map(|order| ListedOrder::Row(Box::new(summary(order, lines)))).collect()
        }
    })
}

/// `Some` of what says something.
fn told(flag: bool) -> Option<bool> {
    flag.then_some(true)
}

fn some<T, U: From<T>>(list: Vec<T>) -> Option<Vec<U>> {
    (!list.is_empty()).then(|| list.into_iter().map(U::from).collect())
}

fn summary(order: Order, lines: bool) -> OrderSummary {
    let Order { row, payment_method, items, payable_transactions, .. } = order;
    OrderSummary {
        id: row.id,
        counter: row.counter,
        replaces_id: row.replaces_id,
        replaces_counter: order.replaces_counter,
        replaced_by_counter: order.replaced_by_counter,
        status: row.status,
        platform: row.platform,
        pickup: told(row.pickup),
        is_preorder: told(row.is_preorder),
        is_test: told(row.is_test),
        message: row.message,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        phone_1: row.phone_1,
        customer_id: row.customer_id,
        shadow_customer: order
            .shadow_customer
            .filter(|customer| customer.order_number > 1)
            .map(|customer| SummaryCustomer { order_number: customer.order_number }),
        payment_method: payment_method.map(Into::into),
        total_price: row.total_price,
        paid: order.paid,
        due: order.due,
        pays_with: row.pays_with,
        change_due: order.change_due,
        reversed_price: (!order.reversed_price.0.is_zero()).then_some(order.reversed_price),
        expected_at: row.expected_at,
        show_at: (row.show_at != row.created_at).then_some(row.show_at),
        table_name: row.table_name,
        admin_id: row.admin_id,
        admin_name: row.admin_name,
        delivery_data: row.delivery_data.map(Into::into),
        delivery_region_name: row.delivery_region_name,
        delivery_found_by: row.delivery_found_by,
        delivery_address_region_name: row.delivery_address_region_name,
        order_parent_id: row.order_parent_id,
        created_at: row.created_at,
        accepted_at: row.accepted_at,
        escalation_level: (row.escalation_level != FIRST).then_some(row.escalation_level),
        prepared_at: row.prepared_at,
        archived_at: row.archived_at,
        changed_at: order.changed_at,
        changed_fields: some(order.changed_fields),
        allowed: order.allowed,
        items: some(items),
        removed_items: some(order.removed_items),
        payable_transactions: if lines { None } else { some(payable_transactions) },
        version: row.version,
    }
}

impl From<PaymentMethod> for SummaryPaymentMethod {
    fn from(method: PaymentMethod) -> Self {
        Self { name: method.name, name_en: method.name_en, paid_online: told(method.paid_online) }
    }
}

impl From<DeliveryData> for SummaryAddress {
    fn from(to: DeliveryData) -> Self {
        Self {
            postcode: to.postcode,
            city: to.city,
            street: to.street,
            premise_number: to.premise_number,
            building: to.building,
            floor: to.floor,
            door_number: to.door_number,
            doorbell: to.doorbell,
            address_notes: to.address_notes.map(String::from),
        }
    }
}

impl From<OrderItem> for SummaryItem {
    fn from(item: OrderItem) -> Self {
        Self {
            name: item.name,
            name_sec_lang: item.name_sec_lang,
            quantity: item.quantity,
            reversed_quantity: (item.reversed_quantity != 0).then_some(item.reversed_quantity),
            new_quantity: (item.new_quantity != 0).then_some(item.new_quantity),
            message: item.message,
            item_options: some(item.item_options),
        }
    }
}

impl From<OrderItemOption> for SummaryOption {
    fn from(option: OrderItemOption) -> Self {
        let LocalizedName { name, name_sec_lang } = option.option;
        Self { option: SummaryName { name, name_sec_lang }, quantity: option.quantity }
    }
}

impl From<PayableTransaction> for SummaryPayment {
    fn from(row: PayableTransaction) -> Self {
        Self { status: row.status, value: row.value, payment_key: row.payment_key }
    }
}

//! Answers about orders.

use access::prelude::*;
use kernel::money::{Currency, Money, Percent};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    row::OrderRow,
    values::{Amount, Explanation, VatSum},
};

/// A name in both languages of the menu.
#[derive(Debug, Clone, Object)]
#[oai(rename = "OrderedName")]
pub(crate) struct LocalizedName {
    pub name: String,
    pub name_sec_lang: Option<String>,
}

/// A priced cart.
#[derive(Debug, Object)]
pub(crate) struct Quote {
    pub currency: Currency,
    pub items: Vec<QuoteItem>,
    /// What is paid for the goods.
    pub products_price: Money,
    pub delivery_price: Money,
    pub discount_price: Money,
    /// Goods and delivery at list price.
    pub original_price: Money,
    pub service_fee: Money,
    pub tip: Money,
    pub courier_tip: Money,
    pub system_usage_fee: Money,
    /// What the guest pays.
    pub total_price: Money,
    pub vats: Vec<VatSum>,
    /// How the total came about: the amounts add up to it.
    pub lines: Vec<Explanation>,
    /// Whether the order would be taken now.
    pub acceptable: bool,
    /// Every reason why not.
    pub reasons: Vec<Reason>,
}

/// A priced line.
#[derive(Debug, Object)]
pub(crate) struct QuoteItem {
    pub subproduct_id: Uuid,
    /// As an order's item names it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub quantity: i32,
    /// One piece with its options.
    pub unit_price: Money,
    pub total_price: Money,
    pub vat_percent: Percent,
}

/// A reason why an order is refused.
#[derive(Debug, Object)]
#[oai(rename = "OrderRefusalReason")]
pub(crate) struct Reason {
    /// `temp_no_orders`, `closed`, `item_sold_out`, …
    pub reason: String,
    /// The line it is about, from 0.
    pub item_index: Option<i32>,
    pub option_id: Option<Uuid>,
    pub option_group_id: Option<Uuid>,
    /// A value that helps: the next opening, the minimum, the number left, the limits.
    pub detail: Option<String>,
}

/// An order.
#[derive(Debug, Object)]
pub(crate) struct Order {
    #[oai(flatten)]
    pub row: OrderRow,
    pub payment_method: Option<PaymentMethod>,
    pub items: Vec<OrderItem>,
    pub payable_transactions: Vec<PayableTransaction>,
    /// What can be done with it now: `accept`, `take_back`, `prepare`, `recall`, `archive`.
    pub allowed: Vec<String>,
    /// Every change of state; only where one order is asked for.
    pub history: Option<Vec<OrderHistory>>,
}

/// How an order is paid.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "OrderPaymentMethod")]
pub(crate) struct PaymentMethod {
    pub id: Uuid,
    pub payment_key: String,
    pub payment_type: String,
    pub name: String,
    pub name_en: String,
    pub paid_online: bool,
}

/// A line of an order: names, prices and VAT are copies.
#[derive(Debug, Object)]
pub(crate) struct OrderItem {
    pub id: Uuid,
    pub subproduct_id: Uuid,
    pub product: LocalizedName,
    pub subproduct: LocalizedName,
    /// Product and size in one; without the size where that says nothing more: the product's only one, or one
    /// that is called like it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub quantity: i32,
    pub unit_price: Amount,
    pub total_price: Amount,
    pub vat_percent: Percent,
    pub message: Option<String>,
    pub item_options: Vec<OrderItemOption>,
}

/// An option of a line.
#[derive(Debug, Object)]
pub(crate) struct OrderItemOption {
    pub option_id: Uuid,
    pub option: LocalizedName,
    pub group_name: String,
    /// Per piece.
    pub quantity: i32,
    pub unit_price: Amount,
    pub total_price: Amount,
}

/// A payment or, when negative, a refund.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct PayableTransaction {
    pub id: Uuid,
    #[oai(skip)]
    pub order_id: Uuid,
    pub value: Amount,
    pub status: String,
    pub payment_method_id: Option<Uuid>,
    pub paid_at: Option<Timestamp>,
}

/// A change of state.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct OrderHistory {
    pub status: String,
    pub at: Timestamp,
    #[sea_orm(from_alias = "actor_name")]
    pub by: String,
    pub surface: String,
}

//! Answers about orders.

use access::prelude::*;
use checkout::VatSum;
use customers::ShadowCustomers;
use kernel::money::{Percent, Quantity};
use sea_orm::FromQueryResult;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    payments::{PayableTransaction, PaymentRefund},
    row::{self, OrderRow},
    values::{Amount, OrderId},
};

/// A name in both languages of the menu.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "OrderedName")]
pub(crate) struct LocalizedName {
    pub name: String,
    pub name_sec_lang: Option<String>,
}

/// An order.
#[derive(Debug, Object, Serialize)]
pub(crate) struct Order {
    #[oai(flatten)]
    #[serde(flatten, serialize_with = "row::answered")]
    pub row: OrderRow,
    pub payment_method: Option<PaymentMethod>,
    /// How it is paid online; only in the answer to placing it.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<OrderPayment>,
    pub items: Vec<OrderItem>,
    /// Money that has moved, oldest first, then payments that wait.
    pub payable_transactions: Vec<PayableTransaction>,
    /// Money that went back, is to go back, or could not.
    pub refunds: Vec<PaymentRefund>,
    /// What has been paid and not given back; tips given with a payment are not in it.
    pub paid: Amount,
    /// What is still to be paid; below zero is to be given back.
    pub due: Amount,
    /// What comes back of `pays_with` when what is due is paid in cash; null where nothing is due, or it is not
    /// enough by now.
    pub change_due: Option<Amount>,
    /// What partial stornos took off the total, below zero.
    pub reversed_price: Amount,
    /// The customer whose it is, as this restaurant knows them: null without one, in the answer to placing it, and for
    /// API keys.
    pub shadow_customer: Option<OrderCustomer>,
    /// Who brings it.
    pub courier_name: Option<String>,
    /// The number of the order that it took the place of.
    pub replaces_counter: Option<String>,
    /// The number of the order that took its place.
    pub replaced_by_counter: Option<String>,
    /// What the order that it took the place of had more.
    pub removed_items: Vec<RemovedItem>,
    /// The fee of the courier who brings it or has brought it: the region's, as it was ordered. Null while nobody
    /// brings it, and where the region has none.
    pub courier_price: Option<Amount>,
    /// When it was changed last, but for its courier; null when it never was.
    pub changed_at: Option<Timestamp>,
    /// What was changed since it was placed, but for its courier: `first_name`, `last_name`, `phone_1`, `email`,
    /// `pickup`, `delivery_data`, `coordinates`, `delivery_region_id`, `delivery_override_reason`, `expected_at`,
    /// `payment_method_id`, `pays_with`, `message`.
    pub changed_fields: Vec<String>,
    /// What can be done with it now: `accept`, `take_back`, `prepare`, `recall`, `archive`, `change`, `replace` (change its items).
    pub allowed: Vec<String>,
    /// What happened to it; only where one order is asked for.
    pub history: Option<Vec<OrderHistory>>,
    /// Its partial stornos, oldest first; only where one order is asked for.
    pub stornos: Option<Vec<OrderStorno>>,
    /// `vats` without what partial stornos took back; only where one order is asked for.
    pub vats_left: Option<Vec<VatSum>>,
}

/// The online payment of an order.
#[derive(Debug, Clone, Object, Serialize)]
pub struct OrderPayment {
    pub state: OrderPaymentState,
    /// The page of ours on which the guest pays; only in the answer to placing the order. It is a secret of the guest.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When the order ends if it is not paid; a try moves it.
    pub expires_at: Timestamp,
}

/// State of the online payment of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum OrderPaymentState {
    /// No try is open: the guest may pay.
    Unpaid,
    /// The guest is at the provider.
    Pending,
    /// The provider cannot say yet whether it is paid.
    Checking,
    /// It is paid, or its money is held.
    Paid,
    /// The order is over: its payment failed, was given up, or its time was over; or it was refused or cancelled, and what
    /// was paid goes back.
    Ended,
}

/// The customer of an order, without what lies behind the customers' PIN.
#[derive(Debug, Object, FromQueryResult, Serialize)]
pub(crate) struct OrderCustomer {
    /// Of who was merged: the older one's.
    pub id: Id<ShadowCustomers>,
    /// Last name first.
    pub name: String,
    /// Orders at this restaurant that count.
    pub order_number: i32,
}

/// Pieces of a line that went when items were changed.
#[derive(Debug, Object, FromQueryResult, Serialize)]
#[oai(rename = "OrderRemovedItem")]
pub(crate) struct RemovedItem {
    /// The order that took the place of the one with the line.
    #[oai(skip)]
    #[serde(skip)]
    pub order_id: Uuid,
    /// The line.
    pub order_item_id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// How many pieces.
    pub quantity: i32,
    /// The names of its options.
    pub options: Vec<String>,
    pub options_sec_lang: Vec<String>,
}

/// A partial storno of an order.
#[derive(Debug, Object, FromQueryResult, Serialize)]
pub(crate) struct OrderStorno {
    /// It can be read as an order too.
    pub id: Id<OrderId>,
    /// What it takes back, below zero.
    pub total_price: Amount,
    #[oai(rename = "reason")]
    #[serde(rename = "reason")]
    pub archive_reason: Option<String>,
    #[oai(rename = "reason_id")]
    #[serde(rename = "reason_id")]
    pub archive_reason_id: Option<Uuid>,
    #[oai(rename = "reason_name")]
    #[serde(rename = "reason_name")]
    pub archive_reason_name: Option<String>,
    #[oai(rename = "reason_name_sec_lang")]
    #[serde(rename = "reason_name_sec_lang")]
    pub archive_reason_name_sec_lang: Option<String>,
    #[oai(rename = "reason_text")]
    #[serde(rename = "reason_text")]
    pub archive_reason_text: Option<String>,
    /// Who cancelled the pieces.
    pub by: Option<String>,
    pub created_at: Timestamp,
}

/// How an order is paid.
#[derive(Debug, Clone, Object, FromQueryResult, Serialize)]
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
#[derive(Debug, Object, Serialize)]
pub(crate) struct OrderItem {
    pub id: Uuid,
    pub order_id: Id<OrderId>,
    /// In a partial storno: the line it takes pieces of.
    pub parent_item_id: Option<Uuid>,
    /// Pieces that partial stornos took back.
    pub reversed_quantity: i32,
    pub subproduct_id: Uuid,
    pub product: LocalizedName,
    pub subproduct: LocalizedName,
    /// Product and size in one; without the size where that says nothing more: the product's only one, or one
    /// that is called like it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// The promotion that gives it; null for what the guest ordered.
    pub gift_of: Option<Uuid>,
    pub quantity: i32,
    /// List price of one piece with its options.
    pub unit_price: Amount,
    /// `unit_price` × `quantity`.
    pub total_price: Amount,
    /// What promotions and staff took.
    pub discount: Amount,
    /// What is paid for it: `total_price` less `discount`.
    pub paid_price: Amount,
    /// Null where its parts have several rates.
    pub vat_percent: Option<Percent>,
    /// Net of `paid_price`.
    pub net_price: Amount,
    /// VAT of `paid_price`.
    pub vat_price: Amount,
    /// Its share of the service fee.
    pub service_fee: Amount,
    /// Net of `service_fee`.
    pub service_fee_net: Amount,
    /// VAT of `service_fee`.
    pub service_fee_vat: Amount,
    /// Deposit of its bottles and cans.
    pub deposit: Amount,
    pub deposit_pieces: i32,
    /// As they were effective for the tax report; null where nobody had set any.
    pub ntak_category_id: Option<Uuid>,
    pub ntak_quantity_unit: Option<String>,
    pub ntak_quantity: Option<Quantity>,
    /// When it was added.
    pub created_at: Timestamp,
    pub message: Option<String>,
    /// It came when items were changed.
    pub is_new: bool,
    /// Pieces that came with the last change of items.
    pub new_quantity: i32,
    /// When its last piece was taken back.
    pub archived_at: Option<Timestamp>,
    pub item_options: Vec<OrderItemOption>,
    /// Its parts, each with VAT and tax category of its own; empty where it is one part, its size.
    pub parts: Vec<OrderItemPart>,
}

/// A part of a line.
#[derive(Debug, Object, Serialize)]
pub(crate) struct OrderItemPart {
    /// `item` (the size), `component` (of a menu), `options` (all that stand for no size), `option` (one that
    /// stands for a size).
    pub kind: String,
    /// The size by which it is taxed.
    pub subproduct_id: Uuid,
    pub option_id: Option<Uuid>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// Pieces in the whole line.
    pub quantity: i32,
    pub total_price: Amount,
    pub discount: Amount,
    pub paid_price: Amount,
    pub vat_percent: Percent,
    pub net_price: Amount,
    pub vat_price: Amount,
    pub service_fee: Amount,
    pub service_fee_net: Amount,
    pub service_fee_vat: Amount,
    pub ntak_category_id: Option<Uuid>,
    pub ntak_quantity_unit: Option<String>,
    pub ntak_quantity: Option<Quantity>,
}

/// An option of a line.
#[derive(Debug, Object, Serialize)]
pub(crate) struct OrderItemOption {
    pub option_id: Uuid,
    pub option: LocalizedName,
    pub group_name: String,
    /// Per piece.
    pub quantity: i32,
    pub unit_price: Amount,
    pub total_price: Amount,
}

/// Something that happened to an order: a change of state, a payment, a refund.
#[derive(Debug, Object, FromQueryResult, Serialize)]
pub(crate) struct OrderHistory {
    pub status: String,
    pub at: Timestamp,
    #[sea_orm(from_alias = "actor_name")]
    pub by: String,
    pub surface: String,
    /// Amounts and reasons, by name; null where there is nothing more to say.
    pub details: Option<Json>,
    /// Of a change: the old and the new value of each field, and of the prices that followed. Null for anything else,
    /// and once the customer was anonymised.
    pub changes: Option<Json>,
}

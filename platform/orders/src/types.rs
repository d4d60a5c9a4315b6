//! Answers about orders.

use access::prelude::*;
use kernel::money::{Currency, Money, Percent};
use sea_orm::{ColIdx, FromJsonQueryResult, FromQueryResult, QueryResult, TryGetError, TryGetable};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::row::{Amount, OrderRow};

/// Marker of ids of orders.
#[derive(Debug)]
pub enum OrderId {}
impl Resource for OrderId {
    const NAME: &'static str = "orders";
    const ENTITY: &'static str = "ORDER";
}

/// Where an order comes from; the own channels of a restaurant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum OrderPlatform {
    Browser,
    Android,
    Ios,
    Messenger,
    Phone,
    TakeAway,
    SitIn,
    KioskSitIn,
    KioskTakeAway,
}

impl OrderPlatform {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Android => "android",
            Self::Ios => "ios",
            Self::Messenger => "messenger",
            Self::Phone => "phone",
            Self::TakeAway => "take_away",
            Self::SitIn => "sit_in",
            Self::KioskSitIn => "kiosk_sit_in",
            Self::KioskTakeAway => "kiosk_take_away",
        }
    }
}

impl OrderPlatform {
    /// Which of a payment method's channels it is.
    pub(crate) const fn pays_as(self) -> payments::Channel {
        match self {
            Self::Browser | Self::Messenger => payments::Channel::Web,
            Self::Android | Self::Ios => payments::Channel::App,
            Self::Phone => payments::Channel::Phone,
            Self::TakeAway | Self::SitIn | Self::KioskSitIn | Self::KioskTakeAway => {
                payments::Channel::InPlace
            }
        }
    }
}

/// State of an order. An archived order is a storno.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum OrderStatus {
    /// Waits for an online payment.
    Received,
    /// In the fresh list, not accepted.
    Succeeded,
    /// Accepted.
    Processed,
    /// Done in the kitchen.
    Prepared,
    Canceled,
    /// Not paid within 30 minutes.
    Expired,
    Failed,
}

impl OrderStatus {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Succeeded => "succeeded",
            Self::Processed => "processed",
            Self::Prepared => "prepared",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    fn parse(name: &str) -> Self {
        match name {
            "received" => Self::Received,
            "succeeded" => Self::Succeeded,
            "processed" => Self::Processed,
            "prepared" => Self::Prepared,
            "canceled" => Self::Canceled,
            "expired" => Self::Expired,
            _ => Self::Failed,
        }
    }
}

impl TryGetable for OrderStatus {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> std::result::Result<Self, TryGetError> {
        String::try_get_by(row, index).map(|name| Self::parse(&name))
    }
}

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
    pub name: String,
    pub quantity: i32,
    /// One piece with its options.
    pub unit_price: Money,
    pub total_price: Money,
    pub vat_percent: Percent,
}

/// The sums of one VAT rate.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "OrderVat")]
pub(crate) struct VatSum {
    pub percent: Percent,
    pub net: Money,
    pub vat: Money,
    pub gross: Money,
}

/// A step on the way to the total.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "PriceExplanation")]
pub(crate) struct Explanation {
    /// `product`, `delivery_fee`, `service_fee`, `tip`, …
    pub step: String,
    /// The sub-product of a line.
    #[oai(rename = "ref")]
    #[serde(rename = "ref")]
    pub reference: Option<Uuid>,
    pub amount: Money,
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
#[derive(Debug, Clone, Object)]
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

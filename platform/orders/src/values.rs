//! What both the rows of an order and the bodies of calls are made of.

use access::prelude::*;
use kernel::{
    Message,
    money::{Money, Percent},
};
use poem_openapi::NewType;
use sea_orm::{ColIdx, FromJsonQueryResult, FromQueryResult, QueryResult, TryGetError, TryGetable};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
    const ALL: [Self; 9] = [
        Self::Browser,
        Self::Android,
        Self::Ios,
        Self::Messenger,
        Self::Phone,
        Self::TakeAway,
        Self::SitIn,
        Self::KioskSitIn,
        Self::KioskTakeAway,
    ];

    /// The one with this name; none for a platform that is none of our own.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.name() == name)
    }

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
    /// Its guest did not pay.
    Canceled,
    /// Not paid within 30 minutes.
    Expired,
    /// Its payment failed.
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

// Derived rows read a status from its word.
impl TryGetable for OrderStatus {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> std::result::Result<Self, TryGetError> {
        String::try_get_by(row, index).map(|name| Self::parse(&name))
    }
}

/// The sums of one VAT rate.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult, FromQueryResult)]
#[oai(rename = "OrderVat")]
pub(crate) struct VatSum {
    pub percent: Percent,
    pub net: Money,
    pub vat: Money,
    pub gross: Money,
}

/// A step on the way to the total.
#[derive(Debug, Clone, PartialEq, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "PriceExplanation")]
pub(crate) struct Explanation {
    /// `item`, `gift`, `discount`, `coupon`, `upsell`, `staff_discount`, `delivery_fee`, `service_fee`,
    /// `tip`, `employee_tip`, `courier_tip`, `deposit`, `system_usage_fee`.
    #[oai(validator(max_length = 40))]
    pub step: String,
    /// The sub-product of an item or gift, the promotion.
    #[oai(rename = "ref")]
    #[serde(rename = "ref")]
    pub reference: Option<Uuid>,
    pub amount: Money,
}

/// A promotion that an order used: name and code are copies.
#[derive(Debug, Clone, PartialEq, Object, Serialize, Deserialize, FromJsonQueryResult)]
pub(crate) struct OrderPromotion {
    pub promotion_id: Uuid,
    pub name: String,
    /// `discount`, `coupon`, `upsell`.
    pub discount_type: String,
    /// The code that was named.
    pub code: Option<String>,
    /// What it took off goods, delivery and its gifts.
    pub amount: Money,
    /// What of it was taken off the delivery; none in orders of earlier releases.
    #[oai(skip)]
    pub of_delivery: Option<Money>,
    /// It makes the delivery free, whatever that costs; none in orders of earlier releases.
    #[oai(skip)]
    pub free_delivery: Option<bool>,
}

/// Where an order is delivered.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "OrderDeliveryData")]
pub(crate) struct DeliveryData {
    #[oai(validator(max_length = 60))]
    pub country: Option<String>,
    #[oai(validator(max_length = 100))]
    pub state_province_county: Option<String>,
    #[oai(validator(max_length = 20))]
    pub postcode: Option<String>,
    #[oai(validator(max_length = 100))]
    pub city: String,
    #[oai(validator(max_length = 100))]
    pub street: String,
    #[oai(validator(max_length = 30))]
    pub premise_number: String,
    #[oai(validator(max_length = 30))]
    pub building: Option<String>,
    #[oai(validator(max_length = 30))]
    pub floor: Option<String>,
    #[oai(validator(max_length = 30))]
    pub door_number: Option<String>,
    #[oai(validator(max_length = 30))]
    pub doorbell: Option<String>,
    #[oai(validator(max_length = 500))]
    pub address_notes: Option<Message>,
}

/// What a delivery region costs: copies.
#[derive(Debug, Clone, PartialEq, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "OrderDeliveryPrices")]
pub(crate) struct DeliveryPrices {
    /// Of a delivery: the street's, else the region's.
    pub price: Money,
    /// Least list value.
    pub min_order_price: Money,
    /// Strictly below this list value a delivery costs at least `price_under_threshold`.
    pub threshold_price: Option<Money>,
    pub price_under_threshold: Option<Money>,
    /// What a courier gets; guests do not hear of it.
    #[oai(skip)]
    pub courier_price: Option<Money>,
}

// An amount without the zeros that the column's scale adds: 1700, not 1700.00.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, NewType)]
#[oai(from_parameter = false, from_multipart = false, to_header = false)]
pub(crate) struct Amount(pub Money);

impl From<Money> for Amount {
    fn from(money: Money) -> Self {
        Self(Money(money.0.normalize()))
    }
}

// Derived rows read an amount without the zeros that its column adds.
impl TryGetable for Amount {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> std::result::Result<Self, TryGetError> {
        Money::try_get_by(row, index).map(Self::from)
    }
}

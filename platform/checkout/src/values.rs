//! Parts of a cart and its price that quotes and orders share.

use access::prelude::*;
use kernel::{
    Message,
    money::{Money, Percent},
};
use sea_orm::{FromJsonQueryResult, FromQueryResult};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Where an order comes from; the own channels of a restaurant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub enum OrderPlatform {
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
    const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The one with this name; none for a platform that is none of our own.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|platform| platform.name() == name)
    }

    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

impl OrderPlatform {
    pub const fn pays_as(self) -> payment_methods::Channel {
        match self {
            Self::Browser | Self::Messenger => payment_methods::Channel::Web,
            Self::Android | Self::Ios => payment_methods::Channel::App,
            Self::Phone => payment_methods::Channel::Phone,
            Self::TakeAway | Self::SitIn | Self::KioskSitIn | Self::KioskTakeAway => {
                payment_methods::Channel::InPlace
            }
        }
    }
}

/// The sums of one VAT rate.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult, FromQueryResult)]
#[oai(rename = "OrderVat")]
pub struct VatSum {
    pub percent: Percent,
    pub net: Money,
    pub vat: Money,
    pub gross: Money,
}

/// A step on the way to the total.
#[derive(Debug, Clone, PartialEq, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "PriceExplanation")]
pub struct Explanation {
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

/// Where an order is delivered.
#[derive(Debug, Clone, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "OrderDeliveryData")]
pub struct DeliveryData {
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
pub struct DeliveryPrices {
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

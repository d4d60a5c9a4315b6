//! Values that the rows of an order and the bodies of operations share.

use access::prelude::*;
use kernel::money::Money;
use poem_openapi::NewType;
use sea_orm::{ColIdx, FromJsonQueryResult, QueryResult, TryGetError, TryGetable};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug)]
pub enum OrderId {}
kernel::resource!(OrderId, "orders", "ORDER");

/// State of an order. An archived order is a storno.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
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
        self.into_str()
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

/// Why an order was refused or cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub(crate) enum ArchiveReason {
    OutOfStock,
    TooBusy,
    Closing,
    CannotDeliver,
    GuestRequest,
    Duplicate,
    Test,
    /// Of pieces: something else was made or brought.
    Wrong,
    /// Of pieces.
    Cold,
    /// Of pieces: it was not there.
    Missing,
    /// Of pieces.
    Complaint,
    /// Says more in `reason_text`.
    Other,
}

impl ArchiveReason {
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Whether it says why goods went back, which is no reason to refuse or cancel an order.
    pub(crate) const fn is_of_goods(self) -> bool {
        matches!(self, Self::Wrong | Self::Cold | Self::Missing | Self::Complaint)
    }
}

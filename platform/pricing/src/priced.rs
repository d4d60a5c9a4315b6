//! The result of pricing. All amounts are gross, in whole units of the currency, unless they say otherwise.

use kernel::money::{Money, Percent};
use serde::Serialize;
use uuid::Uuid;

use crate::Tips;

/// A priced cart. `original_price − discount_price = products_price + delivery_price`, and with service fee,
/// tips and usage fee that is `total_price`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Priced {
    /// One for each line of the cart, in its order.
    pub lines: Vec<PricedLine>,
    /// Sums by VAT rate, highest first. Tips are in none. Rates without an amount are left out.
    pub vats: Vec<VatSum>,
    /// What is paid for the goods.
    pub products_price: Money,
    /// The price of the delivery.
    pub delivery_price: Money,
    /// The discount of promotions on goods and delivery.
    pub discount_price: Money,
    /// Goods and delivery at list price.
    pub original_price: Money,
    /// Service fee.
    pub service_fee: Money,
    /// The three tips.
    #[serde(flatten)]
    pub tips: Tips,
    /// System usage fee.
    pub system_usage_fee: Money,
    /// What the guest pays.
    pub total_price: Money,
    /// How the total came about; the amounts add up to it.
    pub explanation: Vec<Explanation>,
}

/// A line of a priced cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PricedLine {
    /// What.
    pub subproduct_id: Uuid,
    /// Pieces.
    pub quantity: u16,
    /// List price of one piece with its options.
    pub unit_price: Money,
    /// `unit_price` × `quantity`, before promotions.
    pub total_price: Money,
    /// `total_price` after promotions.
    pub paid_price: Money,
    /// Its share of the service fee.
    pub service_fee: Money,
    /// Its VAT rate on this channel.
    pub vat_percent: Percent,
    /// Net of `paid_price` and `service_fee` together, spread from the net of the rate.
    pub net: Money,
    /// VAT of `paid_price` and `service_fee` together.
    pub vat: Money,
    /// Its options, in the cart's order; already part of the line's prices.
    pub options: Vec<PricedOption>,
}

/// An option of a priced line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PricedOption {
    /// Which.
    pub option_id: Uuid,
    /// Its group; `None` when the item has no such option.
    pub option_group_id: Option<Uuid>,
    /// How many on each piece.
    pub quantity: u16,
    /// List price of one.
    pub unit_price: Money,
    /// `unit_price` × `quantity` × the pieces of the line.
    pub total_price: Money,
}

/// The sums of one VAT rate: `net` is rounded once, `vat` = `gross` − `net`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VatSum {
    /// The rate.
    pub percent: Percent,
    /// Without VAT.
    pub net: Money,
    /// The VAT.
    pub vat: Money,
    /// With VAT.
    pub gross: Money,
}

/// A step on the way to the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Which step.
    pub step: Step,
    /// What it is about: the sub-product of a line; nothing for fees and tips.
    #[serde(rename = "ref")]
    pub reference: Option<Uuid>,
    /// Its share of the total.
    pub amount: Money,
}

/// The steps that exist, in their order. Those of promotions come between products and delivery fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A line at list price with its options; one for each line of the cart.
    Product,
    /// Delivery.
    DeliveryFee,
    /// Service.
    ServiceFee,
    /// Tip for the house.
    Tip,
    /// Tip for the waiter.
    EmployeeTip,
    /// Tip for the courier.
    CourierTip,
    /// System usage fee.
    SystemUsageFee,
}

impl Step {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::DeliveryFee => "delivery_fee",
            Self::ServiceFee => "service_fee",
            Self::Tip => "tip",
            Self::EmployeeTip => "employee_tip",
            Self::CourierTip => "courier_tip",
            Self::SystemUsageFee => "system_usage_fee",
        }
    }
}

//! The result of pricing. All amounts are gross, in whole units of the currency, unless they say otherwise.

use std::collections::BTreeMap;

use kernel::{
    Fault,
    money::{Money, Percent},
};
use serde::Serialize;
use uuid::Uuid;

use crate::{MAX_TOTAL, PromotionOutcome, Tips};

/// A priced cart. `original_price − discount_price = products_price + delivery_price`, and with service fee,
/// tips, deposit and usage fee that is `total_price`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Priced {
    /// One for each line of the cart, in its order; then the gifts.
    pub lines: Vec<PricedLine>,
    /// Sums by VAT rate, highest first. Tips and deposit are in none. Rates without an amount are left out.
    pub vats: Vec<VatSum>,
    /// What is paid for the goods, gifts included.
    pub products_price: Money,
    pub delivery_price: Money,
    pub delivery: PricedFee,
    /// The discount of promotions and staff on goods, gifts and delivery.
    pub discount_price: Money,
    pub staff_discount: Money,
    /// Goods, gifts and delivery at list price.
    pub original_price: Money,
    pub service_fee: Money,
    #[serde(flatten)]
    pub tips: Tips,
    pub deposit: Money,
    /// Bottles and cans with a deposit.
    pub deposit_pieces: u32,
    /// Bottles and cans carry a deposit, and nobody said how much; see [`Priced::faults`].
    pub deposit_unknown: bool,
    pub system_usage_fee: Money,
    /// The system usage fee in detail.
    pub usage: PricedFee,
    /// What the guest pays.
    pub total_price: Money,
    /// Points that the customer earns with it.
    pub points_earned: i64,
    /// What became of each promotion, in the order given.
    pub promotions: Vec<PromotionOutcome>,
    /// Choices of the cart that accepted a gift, and brought none; by their place.
    pub missed_gifts: Vec<usize>,
    /// Choices of the cart that name one of the promotions, but none of its gifts; by their place.
    pub wrong_gifts: Vec<usize>,
    /// How the total came about; the amounts add up to it.
    pub explanation: Vec<Explanation>,
}

impl Priced {
    /// Why it cannot be an order, whatever the restaurant says; as dotted paths of the request's fields:
    /// `deposit` (`not_exist`) when the amount of a deposit is not known, `gift_choices.0` (`not_exist`) for
    /// a choice of what is no gift, `items` (`max`) for more than any order costs, also before promotions.
    pub fn faults(&self) -> Vec<(String, Fault)> {
        let wrong_gifts = self.wrong_gifts.iter();
        let mut faults: Vec<_> =
            wrong_gifts.map(|index| (format!("gift_choices.{index}"), Fault::NotExist)).collect();
        if self.deposit_unknown {
            faults.push(("deposit".to_owned(), Fault::NotExist));
        }
        if self.total_price.max(self.original_price) > Money::from(MAX_TOTAL) {
            faults.push(("items".to_owned(), Fault::Max));
        }
        faults
    }

    /// Pieces of each size that the order takes: those of lines, gifts, components and options.
    pub fn pieces(&self) -> BTreeMap<Uuid, u64> {
        let mut pieces: BTreeMap<Uuid, u64> = BTreeMap::new();
        for line in &self.lines {
            let parts = line.parts.iter().filter(|part| part.kind.is_another_size());
            let parts = parts.map(|part| (part.subproduct_id, part.quantity));
            for (subproduct_id, count) in parts.chain([(line.subproduct_id, line.quantity)]) {
                let sum = pieces.entry(subproduct_id).or_default();
                *sum = sum.saturating_add(count.into());
            }
        }
        pieces
    }
}

/// A line of a priced cart: the sum of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PricedLine {
    pub subproduct_id: Uuid,
    /// The promotion that gives it; `None` for a line of the cart.
    pub gift_of: Option<Uuid>,
    pub quantity: u32,
    /// List price of one piece with its options.
    pub unit_price: Money,
    /// `unit_price` × `quantity`, before promotions.
    pub total_price: Money,
    /// What promotions and staff take.
    pub discount: Money,
    /// `total_price` less `discount`.
    pub paid_price: Money,
    /// Net of `paid_price`, spread from the net of the rate.
    pub net: Money,
    /// VAT of `paid_price`.
    pub vat: Money,
    pub service_fee: Money,
    /// Net of `service_fee`.
    pub service_fee_net: Money,
    /// VAT of `service_fee`.
    pub service_fee_vat: Money,
    /// The VAT rate of its parts; `None` where they differ.
    pub vat_percent: Option<Percent>,
    /// Bottles and cans with a deposit.
    pub deposit_pieces: u32,
    /// Their deposit; no part of the prices above.
    pub deposit: Money,
    /// Its parts, at least one.
    pub parts: Vec<PricedPart>,
    /// Its options, in the cart's order; already part of the line's prices.
    pub options: Vec<PricedOption>,
}

/// A part of a line: what has a VAT rate and a tax category of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PricedPart {
    pub kind: PartKind,
    /// The size by whose VAT and tax category it is taxed.
    pub subproduct_id: Uuid,
    /// The option that stands for the size.
    pub option_id: Option<Uuid>,
    /// Pieces of the size in the whole line.
    pub quantity: u32,
    /// List price of all of them.
    pub total_price: Money,
    /// What promotions and staff take.
    pub discount: Money,
    /// `total_price` less `discount`.
    pub paid_price: Money,
    /// Its VAT rate on this channel.
    pub vat_percent: Percent,
    /// Net of `paid_price`.
    pub net: Money,
    /// VAT of `paid_price`.
    pub vat: Money,
    pub service_fee: Money,
    /// Net of `service_fee`.
    pub service_fee_net: Money,
    /// VAT of `service_fee`.
    pub service_fee_vat: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// The size of the line itself.
    Item,
    Component,
    /// All options that stand for no size together, when they cost something. Taxed as the item.
    Options,
    /// An option that stands for a size.
    Option,
}

impl PartKind {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }

    /// Whether it is pieces of a size beside the line's own.
    pub(crate) const fn is_another_size(self) -> bool {
        matches!(self, Self::Component | Self::Option)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PricedOption {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PricedFee {
    /// List price.
    pub total_price: Money,
    /// What promotions take.
    pub discount: Money,
    /// `total_price` less `discount`.
    pub paid_price: Money,
    pub vat_percent: Percent,
    /// Net of `paid_price`.
    pub net: Money,
    /// VAT of `paid_price`.
    pub vat: Money,
}

/// The sums of one VAT rate: `net` is rounded once, `vat` = `gross` − `net`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VatSum {
    pub percent: Percent,
    /// Without VAT.
    pub net: Money,
    pub vat: Money,
    pub gross: Money,
}

/// A step on the way to the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub step: Step,
    /// What it is about: the sub-product of a line or gift, the promotion; nothing for the others.
    #[serde(rename = "ref")]
    pub reference: Option<Uuid>,
    /// Its share of the total; below zero for what is taken off.
    pub amount: Money,
}

/// The steps, in their order.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A line at list price with its options; one for each line of the cart.
    Item,
    /// A gift at list price.
    Gift,
    /// What a discount takes from goods, delivery and its gifts.
    Discount,
    Coupon,
    Upsell,
    /// What staff take off the goods.
    StaffDiscount,
    /// Delivery at list price.
    DeliveryFee,
    ServiceFee,
    Tip,
    EmployeeTip,
    CourierTip,
    Deposit,
    SystemUsageFee,
}

impl Step {
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }
}

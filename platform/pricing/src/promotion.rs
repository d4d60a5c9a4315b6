//! Promotions: discounts, coupons and upsells. See `docs/decisions/pricing.md#promotions`.

use std::collections::HashSet;

use kernel::{
    money::{Money, Percent},
    time::{TimeRange, Timestamp},
};
use rust_decimal::Decimal;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

use crate::Platform;

/// A promotion that is not archived.
#[derive(Debug, Clone)]
pub struct Promotion {
    /// Its id; the lower goes first where two are of one age.
    pub id: Uuid,
    pub created_at: Timestamp,
    pub kind: PromotionKind,
    /// The code of a coupon; others have none.
    pub code: Option<String>,
    /// Applies together with others that do; otherwise alone. An upsell always applies alone.
    pub stackable: bool,
    /// The restaurants where it holds; `None`: all of the partner.
    pub restaurant_ids: Option<HashSet<Uuid>>,
    /// First instant, of ordering.
    pub valid_from: Option<Timestamp>,
    /// Last instant, of ordering.
    pub valid_till: Option<Timestamp>,
    /// When the order is wanted, in local wall time; empty is any time.
    pub time_ranges: Vec<TimeRange>,
    /// The channels on which it holds.
    pub platforms: Vec<Platform>,
    /// Holds for orders that the guest fetches too.
    pub pickup_enabled: bool,
    pub tables: Restriction<TableSet>,
    /// Only for a customer for whom somebody vouches.
    pub login_needed: bool,
    /// Only for the customers that are named with it ([`crate::PromotionUses::named`]).
    pub locked_customers: bool,
    /// Most uses by everybody; `None` is no limit.
    pub all_max_use_qty: Option<u32>,
    /// Most uses by one customer; `None` is no limit.
    pub customer_max_use_qty: Option<u32>,
    pub products: Restriction<ProductSet>,
    pub range_filter_type: RangeFilterType,
    /// Taken once, or from each line.
    pub apply_type: ApplyType,
    /// What it takes, by the value of the cart.
    pub ranges: Vec<Range>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotionKind {
    Discount,
    /// Applies to whoever knows its code.
    Coupon,
    /// Offered with the cart.
    Upsell,
}

/// What a promotion is restricted to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Restriction<T> {
    #[default]
    None,
    Inclusion(T),
    Exclusion(T),
}

/// Products, by origin: the ids of [`crate::Item::origin_id`] and [`crate::Item::category_ids`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProductSet {
    pub subproduct_ids: HashSet<Uuid>,
    /// Categories, with all below them.
    pub product_category_ids: HashSet<Uuid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableSet {
    pub table_ids: HashSet<Uuid>,
    /// Locations, with all their tables.
    pub table_category_ids: HashSet<Uuid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RangeFilterType {
    /// The list value of the eligible lines.
    #[default]
    ByPrice,
    /// The pieces of the eligible lines.
    ByQuantity,
}

/// From what a promotion takes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApplyType {
    /// Once from the sum of the eligible lines.
    #[default]
    ApplyPerCart,
    /// From each eligible line; amounts are per piece.
    ApplyPerItem,
}

/// What a promotion takes from some value of the cart on. The range with the highest `price_from` that is
/// reached counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The least value: an amount, or pieces.
    pub price_from: Decimal,
    /// How `discount_value` is meant.
    pub discount_type: ValueKind,
    /// A percentage or an amount; 0 takes nothing.
    pub discount_value: Decimal,
    /// Takes from the delivery fee too: once per cart, or a percentage per item.
    pub apply_on_delivery: bool,
    pub free_delivery: bool,
    /// Takes from options too; otherwise they stay payable.
    pub apply_on_options: bool,
    /// What is given with the cart.
    pub gifts: Vec<Gift>,
}

/// What the value of a range means. The order is the one in which promotions of a step act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// The price becomes this; no price is raised.
    OverwrittenValue,
    /// This share is taken (`percent`).
    Percent,
    /// This much is taken (`fixed_value`; `amount` means the same).
    FixedValue,
}

/// Something given with the cart, as a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gift {
    /// The size, as the restaurant's own row.
    pub subproduct_id: Uuid,
    pub quantity: u16,
    /// Once, or as often as something is bought.
    pub quantity_type: GiftQuantityType,
    /// How much of its list price is given; 100 is free.
    pub discount_percentage: Percent,
}

/// How often a gift is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GiftQuantityType {
    /// Once.
    #[default]
    PerCart,
    /// For each eligible piece; where ranges look at pieces, for each full multiple of `price_from`.
    PerItem,
}

/// Why a promotion does not apply: the first of these that holds, in this order.
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
pub enum PromotionReason {
    /// It is not for this restaurant.
    OtherRestaurant,
    /// It is a coupon, and its code was not given.
    CodeNotGiven,
    /// It begins later.
    NotYetValid,
    /// It is over.
    Expired,
    /// It does not hold at the wanted time.
    OutsideTimeRange,
    /// It does not hold on this channel.
    Platform,
    /// It does not hold for orders that the guest fetches.
    Pickup,
    /// It does not hold at this table, or only at tables.
    Table,
    /// Nobody vouches for the customer.
    LoginNeeded,
    /// It is for other customers. With [`crate::Config::conceal_customers`] it stands for `CustomerUnknown`
    /// and `CustomerLimitReached` too.
    Customer,
    LimitReached,
    /// It counts uses by customer, and nothing says who this is.
    CustomerUnknown,
    CustomerLimitReached,
    /// Nothing in the cart is eligible.
    NoMatchingProduct,
    /// The eligible lines are worth too little, or are too few.
    RangeNotReached,
    /// The order costs less, or has better gifts, with other promotions.
    BetterWithout,
    /// It takes nothing from this cart.
    NoEffect,
}

impl PromotionReason {
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }

    /// What a caller is told who must not learn about customers.
    pub(crate) const fn concealed(self) -> Self {
        match self {
            Self::CustomerUnknown | Self::CustomerLimitReached => Self::Customer,
            other => other,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromotionOutcome {
    pub promotion_id: Uuid,
    pub kind: PromotionKind,
    /// What it takes from goods, delivery and its gifts; 0 when it does not apply.
    pub amount: Money,
    /// What of it is taken from the delivery fee.
    pub of_delivery: Money,
    /// It makes the delivery free, whatever that costs.
    pub free_delivery: bool,
    /// Why it does not apply; `None` when it does, and then it is used once.
    pub reason: Option<PromotionReason>,
    /// What the eligible lines miss for the next range: an amount, or pieces.
    pub to_next_range: Option<Decimal>,
    /// The gifts of its range, where it applies or could only give gifts that were not taken.
    pub gifts: Vec<GiftOffer>,
    /// May be told in public: it applies, it is the coupon that was sent, or anybody can still reach it.
    pub public: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GiftOffer {
    pub subproduct_id: Uuid,
    pub quantity: u32,
    /// How much of its list price is given; 100 is free.
    pub discount_percentage: Percent,
    pub state: GiftState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GiftState {
    /// It is a line of the order.
    Given,
    /// The guest declined it.
    Declined,
    /// It is not free, and the guest has not accepted it.
    Offered,
    /// It is switched off or sold out.
    Unavailable,
}

/// A coupon code for comparison: without blanks around it and signs that nobody sees, in lower case, letters
/// and their accents composed. Codes that fold alike are one code.
pub fn fold_code(code: &str) -> String {
    let seen = |sign: &char| !matches!(sign, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}');
    let seen: String = code.chars().filter(seen).collect();
    // Upper case first: letters with two small forms (σ, ς) or none of their own (ß) become one.
    seen.trim().chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

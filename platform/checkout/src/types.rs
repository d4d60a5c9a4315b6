//! The answer of a quote.

use access::prelude::*;
use delivery::DeliveryRegions;
use kernel::money::{Currency, Money, Percent};
use pricing::RangeFilterType;
use uuid::Uuid;

use crate::values::{DeliveryPrices, Explanation, VatSum};

/// A priced cart.
#[derive(Debug, Object)]
pub struct Quote {
    pub currency: Currency,
    /// Those of the cart in its order, then gifts.
    pub items: Vec<QuoteItem>,
    /// What is paid for the goods.
    pub products_price: Money,
    /// What is paid for the delivery.
    pub delivery_price: Money,
    /// The delivery at list price.
    pub delivery_original_price: Money,
    /// What promotions and staff take off goods, gifts and delivery.
    pub discount_price: Money,
    /// What of it staff take.
    pub staff_discount: Money,
    /// Goods, gifts and delivery at list price.
    pub original_price: Money,
    pub service_fee: Money,
    pub tip: Money,
    /// Tip for the waiter.
    pub employee_tip: Money,
    pub courier_tip: Money,
    /// Deposit of bottles and cans.
    pub deposit: Money,
    /// Bottles and cans with a deposit.
    pub deposit_pieces: i32,
    pub system_usage_fee: Money,
    /// What the guest pays.
    pub total_price: Money,
    /// Points that the customer gets for it.
    pub points_earned: i64,
    pub vats: Vec<VatSum>,
    /// How the total came about: the amounts add up to it.
    pub lines: Vec<Explanation>,
    /// What became of promotions. An API key hears of those that apply, of its coupon, and of those that
    /// anybody can still reach.
    pub promotions: Vec<QuotePromotion>,
    /// What the restaurant offers with the cart.
    pub upsells: Vec<QuoteUpsell>,
    /// The delivery region; null where nothing is delivered, the restaurant has no regions, or the place is in
    /// none.
    pub delivery_region: Option<QuoteDeliveryRegion>,
    /// Minutes that an order for now takes, `busy_minutes` included; null where a time is wanted.
    pub estimated_delivery_time: Option<i32>,
    /// What of it is more than usual, because the restaurant is busy; null where nothing is.
    pub busy_minutes: Option<i32>,
    /// When that ends by itself.
    pub busy_until: Option<Timestamp>,
    /// Whether the order would be taken now.
    pub acceptable: bool,
    /// Every reason why not.
    pub reasons: Vec<Reason>,
}

/// The delivery region of a quote.
#[derive(Debug, Object)]
pub struct QuoteDeliveryRegion {
    pub id: Id<DeliveryRegions>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// The street of the region, where it was found by one.
    pub street: Option<String>,
    /// `shape`, `street`, `geocoded` (a shape has the geocoder's place of the address), or `staff` who chose it.
    pub found_by: String,
    pub prices: DeliveryPrices,
    /// The region that the address leads to, where the coordinates, which count, lie in another.
    pub address_region_name: Option<String>,
}

/// A priced line.
#[derive(Debug, Object)]
pub struct QuoteItem {
    pub subproduct_id: Uuid,
    /// As an order's item names it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// The promotion that gives it; null for what the cart has.
    pub gift_of: Option<Uuid>,
    pub quantity: i32,
    /// List price of one piece with its options.
    pub unit_price: Money,
    /// `unit_price` × `quantity`.
    pub total_price: Money,
    /// What promotions and staff take.
    pub discount: Money,
    /// What is paid for it.
    pub paid_price: Money,
    /// Null where its parts have several rates.
    pub vat_percent: Option<Percent>,
    /// Net of `paid_price`.
    pub net_price: Money,
    /// VAT of `paid_price`.
    pub vat_price: Money,
    /// Its share of the service fee.
    pub service_fee: Money,
    /// Deposit of its bottles and cans.
    pub deposit: Money,
}

/// What became of a promotion.
#[derive(Debug, Object)]
pub struct QuotePromotion {
    pub promotion_id: Uuid,
    pub name: String,
    /// `discount`, `coupon`, `upsell`.
    pub discount_type: String,
    /// What it takes off goods, delivery and its gifts; 0 when it does not apply.
    pub amount: Money,
    /// Why it does not apply: `range_not_reached`, `outside_time_range`, `limit_reached`, …; null when it
    /// does.
    pub reason: Option<String>,
    /// What is missing for its next range: an amount, or pieces, as `range_filter_type` says.
    pub to_next_range: Option<Money>,
    pub range_filter_type: QuoteRangeFilterType,
    /// Its gifts, where it applies or only gives what was not taken.
    pub gifts: Vec<QuoteGift>,
}

/// A gift of a promotion.
#[derive(Debug, Object)]
pub struct QuoteGift {
    pub subproduct_id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub quantity: i32,
    /// List price of one.
    pub unit_price: Money,
    /// How much of its price is given; 100 is free.
    pub discount_percentage: Percent,
    /// `given`, `declined`, `offered` (accept it in `gift_choices`), `unavailable`.
    pub state: String,
}

/// Something that the restaurant offers with the cart.
#[derive(Debug, Object)]
pub struct QuoteUpsell {
    /// The upsell: accept it in `gift_choices`.
    pub promotion_id: Uuid,
    pub subproduct_id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub quantity: i32,
    /// List price of one.
    pub unit_price: Money,
    /// How much of its price is given; 100 is free.
    pub discount_percentage: Percent,
    /// What the cart lacks for it, an amount or pieces, as `range_filter_type` says; null when it can be had
    /// now.
    pub missing: Option<Money>,
    pub range_filter_type: QuoteRangeFilterType,
}

/// What the ranges of a promotion look at.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub enum QuoteRangeFilterType {
    /// The list value of the eligible items.
    ByPrice,
    /// Their pieces.
    ByQuantity,
}

impl From<RangeFilterType> for QuoteRangeFilterType {
    fn from(by: RangeFilterType) -> Self {
        match by {
            RangeFilterType::ByPrice => Self::ByPrice,
            RangeFilterType::ByQuantity => Self::ByQuantity,
        }
    }
}

/// A reason why an order is refused.
#[derive(Debug, Object)]
#[oai(rename = "OrderRefusalReason")]
pub struct Reason {
    /// `temp_no_orders`, `closed`, `item_sold_out`, …
    pub reason: String,
    /// The line it is about, from 0.
    pub item_index: Option<i32>,
    pub option_id: Option<Uuid>,
    pub option_group_id: Option<Uuid>,
    /// A value that helps: the next opening, the minimum, the number left, the limits.
    pub detail: Option<String>,
}

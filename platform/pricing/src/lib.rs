//! The price of an order, and whether it may be taken: two pure functions over a catalogue, promotions, a cart
//! and the restaurant's configuration. No clock, no database, no randomness: the same input gives the same
//! result, so quote, order and tests share the code. See `docs/decisions/pricing.md`.
//!
//! - [`price`] prices any cart, acceptable or not, and explains the total line by line.
//! - [`acceptable`] returns every reason against the order; none means that it may be taken.
//!
//! An order that is placed is not priced again. [`Redelivery`] says what its delivery costs when it goes elsewhere.

mod acceptable;
mod applicable;
mod apply;
mod basket;
mod candidates;
mod cart;
mod catalogue;
mod composition;
mod config;
mod fees;
mod gifts;
mod lines;
mod on_sale;
mod platform;
mod price;
mod price_lines;
mod priced;
mod promotion;
mod reason;
mod redelivery;
mod units;
mod vat;

#[cfg(test)]
mod tests;

pub use acceptable::{acceptable, delivery_reasons};
pub use cart::{
    Cart, CartItem, CartOption, Customer, GiftChoice, MAX_COUPON_CODE, MAX_GIFT_CHOICES, MAX_LINES,
    MAX_QUANTITY, MAX_TIP, MAX_TOTAL, StaffDiscount, Table, Tips,
};
pub use catalogue::{Catalogue, Component, Item, ItemOption, OptionGroup, Visibility};
pub use composition::{Share, composition};
pub use config::{
    Config, DeliveryFee, Deposit, Fees, Place, PromotionUses, Region, ServiceFee, ServiceFeeMode,
};
pub use on_sale::{OnSale, on_sale, order_reasons};
pub use platform::{Fulfilment, MenuChannel, Platform, UnknownPlatform};
pub use price::price;
pub use priced::{
    Explanation, PartKind, Priced, PricedFee, PricedLine, PricedOption, PricedPart, Step, VatSum,
};
pub use promotion::{
    ApplyType, Gift, GiftOffer, GiftQuantityType, GiftState, ProductSet, Promotion, PromotionKind,
    PromotionOutcome, PromotionReason, Range, RangeFilterType, Restriction, TableSet, ValueKind, fold_code,
};
pub use reason::{Reason, ReasonKind};
pub use redelivery::{Delivery, Redelivery};

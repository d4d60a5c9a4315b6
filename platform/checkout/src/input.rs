//! Carts, and orders to be taken, as they are sent.

use access::prelude::*;
use customers::ShadowCustomers;
use delivery::DeliveryRegions;
use kernel::{
    Email, Message,
    money::{Money, Percent},
};
use uuid::Uuid;

use crate::values::{DeliveryData, Explanation, OrderPlatform};

/// What a guest wants, before it is an order.
#[derive(Debug, Object)]
pub struct Cart {
    pub platform: OrderPlatform,
    /// The guest fetches it; only read where the platform leaves it open.
    #[oai(default)]
    pub pickup: bool,
    /// The table where it is eaten; it makes an order of any platform one that is eaten here.
    #[oai(validator(max_length = 60))]
    pub table_name: Option<String>,
    /// When it is wanted; as soon as possible when absent.
    pub expected_at: Option<Timestamp>,
    #[oai(validator(min_items = 1, max_items = 200))]
    pub items: Vec<CartItem>,
    /// Tip for the house, outside VAT. At tables and at the till it is the waiter's where the restaurant says
    /// so.
    #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
    pub tip: Option<Money>,
    /// Tip for the courier, outside VAT.
    #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
    pub courier_tip: Option<Money>,
    /// How it is to be paid, as far as that is known yet: a method that may not be used is one of the
    /// `reasons`.
    pub payment_method_id: Option<Uuid>,
    /// The method by its key (`cash`, `card`), instead of its id.
    #[oai(validator(max_length = 40))]
    pub payment_method: Option<String>,
    /// A coupon. Case and blanks around it do not count.
    #[oai(validator(max_length = 100))]
    pub coupon_code: Option<String>,
    /// What the guest says about gifts. Free ones are given unless declined, others when accepted.
    #[oai(validator(max_items = 100))]
    pub gift_choices: Option<Vec<GiftChoice>>,
    /// What staff take off the goods. An order needs the PIN of somebody with `pos_cart_discount` (`X-Pin`).
    pub staff_discount: Option<StaffDiscount>,
    /// The customer, by whoever vouches for it: people of the restaurant and secret keys.
    pub customer_id: Option<Id<ShadowCustomers>>,
    /// Of the guest.
    #[oai(validator(max_length = 40))]
    pub phone_1: Option<String>,
    /// Of the guest.
    pub email: Option<Email>,
    /// Where it is delivered. An order of a delivery needs it; a quote is told the fee by it.
    pub delivery_data: Option<DeliveryData>,
    /// Degrees north of the place of a delivery, by the guest's map or the till's pin; together with
    /// `coord_lng`. They go before the address where the restaurant looks for regions by coordinates.
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub coord_lat: Option<f64>,
    /// Degrees east.
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub coord_lng: Option<f64>,
    /// The delivery region, chosen by staff who take the order; the order says who did.
    pub delivery_region_id: Option<Id<DeliveryRegions>>,
    /// Why staff who take the order deliver below the minimum, or where nothing is delivered.
    #[oai(validator(max_length = 200, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub override_reason: Option<String>,
}

/// Whether a guest wants a gift.
#[derive(Debug, Clone, Object)]
pub struct GiftChoice {
    /// The promotion that gives it.
    pub promotion_id: Uuid,
    /// The size that is given.
    pub subproduct_id: Uuid,
    #[oai(default = "rows::yes")]
    pub accepted: bool,
}

/// What staff take off the goods as promotions left them: a share or an amount, one of the two.
#[derive(Debug, Clone, Object)]
#[oai(rename = "CartStaffDiscount")]
pub struct StaffDiscount {
    pub percent: Option<Percent>,
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub amount: Option<Money>,
}

/// A line of a cart.
#[derive(Debug, Clone, Object)]
pub struct CartItem {
    pub subproduct_id: Uuid,
    /// Whole pieces.
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub quantity: i32,
    /// A wish for this line.
    #[oai(validator(max_length = 500))]
    pub message: Option<Message>,
    #[oai(validator(max_items = 100))]
    pub item_options: Option<Vec<CartOption>>,
}

/// An option of a line; its quantity is per piece.
#[derive(Debug, Clone, Object)]
pub struct CartOption {
    pub option_id: Uuid,
    #[oai(default = "one", validator(minimum(value = "1"), maximum(value = "999")))]
    pub quantity: i32,
}

const fn one() -> i32 {
    1
}

/// An order to be taken: a cart, the guest, and where it goes.
#[derive(Debug, Object)]
pub struct NewOrder {
    #[oai(flatten)]
    pub cart: Cart,
    /// A try: it goes the whole way and counts nowhere. People of the restaurant say it, also while it is closed
    /// by its hours; orders of test keys are tests anyway.
    pub is_test: Option<bool>,
    /// The client's own id of the order: unique per restaurant and API key for ever.
    #[oai(validator(max_length = 100))]
    pub external_id: Option<String>,
    #[oai(validator(max_length = 100))]
    pub first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub last_name: Option<String>,
    /// A wish for the whole order.
    #[oai(validator(max_length = 1000))]
    pub message: Option<Message>,
    /// What the guest pays with in cash, so that the change is brought along: not less than the total as coins
    /// pay it, and only with `cash` or before a method is named.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub pays_with: Option<Money>,
    /// Language of the guest: `hu` or `en`.
    #[oai(validator(max_length = 5, pattern = "^(hu|en)$"))]
    pub locale: Option<String>,
    /// Where the guest goes on after paying online: a page of the key's origins, or of the restaurant's domain.
    #[oai(validator(max_length = 500, pattern = r"^https?://[^\s\x00-\x1F\x7F-\x9F]+$"))]
    pub return_url: Option<String>,
    /// The total that the guest was shown; a difference refuses the order with the new quote.
    pub total_price: Option<Money>,
    /// The quote that the guest was shown; it is compared and never trusted.
    pub quoted: Option<Quoted>,
}

/// The part of a quote that an order sends back.
#[derive(Debug, Clone, Object)]
#[oai(rename = "OrderQuoted")]
pub struct Quoted {
    /// The explanation: the `lines` of the quote.
    #[oai(validator(max_items = 1000))]
    pub lines: Option<Vec<Explanation>>,
    /// The `items` of the quote, gifts included.
    #[oai(validator(max_items = 1000))]
    pub items: Option<Vec<QuotedItem>>,
}

/// An item of a quote that an order sends back.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename = "OrderQuotedItem")]
pub struct QuotedItem {
    pub unit_price: Money,
    pub paid_price: Money,
}

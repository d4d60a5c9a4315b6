//! Bodies and answers.

use access::prelude::*;
use catalogue::{ProductCategories, Subproducts};
use kernel::{
    money::{Currency, Money, Percent},
    time::TimeRange,
};
use uuid::Uuid;

use crate::{
    entity::Discounts,
    values::{
        ApplyType, DiscountPlatform, DiscountType, DiscountValueType, GiftQuantityType, ProductsFor,
        RangeFilterType,
    },
};

/// A discount, a coupon or an upsell.
#[derive(Debug, Clone, Object)]
pub struct Discount {
    pub(crate) id: Id<Discounts>,
    pub(crate) name: String,
    /// Fixed once it is saved.
    pub(crate) discount_type: DiscountType,
    /// The code of a coupon; null when only codes of its series are good.
    pub(crate) code: Option<String>,
    /// Switched on.
    pub(crate) active: bool,
    /// How many orders have used it.
    pub(crate) use_qty: i64,
    /// Switched on, and its dates and its limit for everybody hold at this moment.
    #[oai(rename = "isValid")]
    pub(crate) is_valid: bool,
    /// First moment of ordering.
    pub(crate) valid_from: Option<Timestamp>,
    /// Last moment of ordering.
    pub(crate) valid_till: Option<Timestamp>,
    /// When the order is wanted, in the restaurant's wall time; empty is any time.
    pub(crate) time_ranges: Vec<TimeRange>,
    /// Holds for orders that the guest fetches too.
    pub(crate) pickup_enabled: bool,
    pub(crate) platforms: Vec<DiscountPlatform>,
    /// Null: every restaurant of the partner.
    pub(crate) restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// The same with names.
    pub(crate) restaurants: Vec<DiscountRestaurant>,
    /// Only for customers for whom somebody vouches.
    pub(crate) login_needed: bool,
    /// Applies together with others that do.
    pub(crate) stackable: bool,
    /// Most orders of everybody; null is no limit.
    pub(crate) all_max_use_qty: Option<i32>,
    /// Most orders of one customer; null is no limit.
    pub(crate) customer_max_use_qty: Option<i32>,
    /// Both limits hold for a business day.
    pub(crate) is_daily_discount_limit: bool,
    /// Null: for all products.
    pub(crate) products_for: Option<ProductsFor>,
    /// Categories with all below them. By this restaurant's own ids where it has them, else by the ids of
    /// their origins.
    pub(crate) product_category_ids: Vec<Id<ProductCategories>>,
    pub(crate) product_categories: Vec<DiscountCategory>,
    /// Sizes, by ids as above.
    pub(crate) subproduct_ids: Vec<Id<Subproducts>>,
    pub(crate) subproducts: Vec<DiscountSubproduct>,
    /// Always null: there are no tables yet.
    pub(crate) tables_for: Option<String>,
    /// Always empty: there are no tables yet.
    pub(crate) table_ids: Vec<Uuid>,
    /// Always empty: there are no tables yet.
    pub(crate) table_category_ids: Vec<Uuid>,
    /// Only for the customers that are named with it.
    pub(crate) locked_customers: bool,
    /// How many these are.
    pub(crate) usage_qty: i64,
    /// How many codes its series has.
    pub(crate) series_qty: i64,
    pub(crate) range_filter_type: RangeFilterType,
    pub(crate) apply_type: ApplyType,
    pub(crate) ranges: Vec<DiscountRange>,
    /// The currency of its amounts; null when it has none.
    pub(crate) currency: Option<Currency>,
    /// Whether the caller may change it: all its restaurants are among the caller's.
    pub(crate) editable: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) version: i64,
}

/// A restaurant of a promotion.
#[derive(Debug, Clone, Object)]
pub(crate) struct DiscountRestaurant {
    pub id: Id<Restaurant>,
    pub name: String,
}

/// A category of a promotion.
#[derive(Debug, Clone, Object)]
pub(crate) struct DiscountCategory {
    pub id: Id<ProductCategories>,
    pub name: String,
    /// It is on no menu any more.
    pub archived: bool,
}

/// A size of a promotion.
#[derive(Debug, Clone, Object)]
pub(crate) struct DiscountSubproduct {
    pub id: Id<Subproducts>,
    /// Of the size.
    pub name: String,
    pub product_name: String,
    /// It is on no menu any more.
    pub archived: bool,
}

/// What a promotion takes from some value of the cart on; the highest range that is reached counts.
#[derive(Debug, Clone, Object)]
pub(crate) struct DiscountRange {
    /// The least list value of the eligible items, or with `by_quantity` the fewest pieces.
    pub price_from: Money,
    /// A percentage or an amount; 0 takes nothing.
    pub discount_value: Money,
    pub discount_type: DiscountValueType,
    /// Takes from the delivery fee too.
    pub apply_on_delivery: bool,
    pub free_delivery: bool,
    /// Takes from options too; otherwise they stay payable.
    pub apply_on_options: bool,
    pub gifts: Vec<DiscountGift>,
}

/// Something given with the cart.
#[derive(Debug, Clone, Object)]
pub(crate) struct DiscountGift {
    /// The size, by this restaurant's own id where it has it.
    pub subproduct_id: Id<Subproducts>,
    pub subproduct: Option<DiscountSubproduct>,
    pub quantity: u16,
    pub quantity_type: GiftQuantityType,
    /// How much of its list price is given; 100 is free.
    pub discount_percentage: Percent,
}

/// A range that is sent.
#[derive(Debug, Object)]
pub(crate) struct NewDiscountRange {
    /// 0 when absent; null is refused.
    pub price_from: Clearable<Money>,
    /// 10 when absent; null is refused. From 1 on, or 0 where the range has a gift or free delivery.
    pub discount_value: Clearable<Money>,
    /// `percent` when absent.
    pub discount_type: Option<DiscountValueType>,
    #[oai(default)]
    pub apply_on_delivery: bool,
    #[oai(default)]
    pub free_delivery: bool,
    #[oai(default)]
    pub apply_on_options: bool,
    #[oai(default, validator(max_items = 20))]
    pub gifts: Vec<NewDiscountGift>,
}

/// A gift that is sent.
#[derive(Debug, Object)]
pub(crate) struct NewDiscountGift {
    pub subproduct_id: Id<Subproducts>,
    /// From 1 to 100; 1 when absent.
    pub quantity: Option<u16>,
    /// `per_cart` when absent.
    pub quantity_type: Option<GiftQuantityType>,
    /// 100 when absent.
    #[oai(validator(minimum(value = "1")))]
    pub discount_percentage: Option<Percent>,
}

/// A promotion that is sent: the body of a `POST` and, with `version`, of a `PUT`. An upsell keeps neither
/// products, dates, tables, limits, `login_needed`, time ranges, code nor customers, is never stackable, and
/// holds in both apps and in the web shop.
#[derive(Debug, Object)]
pub struct NewDiscount {
    #[oai(validator(max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub(crate) name: String,
    pub(crate) discount_type: DiscountType,
    #[oai(flatten)]
    pub(crate) fields: DiscountFields,
}

/// A change of a promotion.
#[derive(Debug, Object)]
pub(crate) struct DiscountChange {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: Option<String>,
    /// Only the one it has.
    pub discount_type: Option<DiscountType>,
    #[oai(flatten)]
    pub fields: DiscountFields,
    pub version: Option<i64>,
}

/// What a new promotion and a change of one have in common.
#[derive(Debug, Object)]
pub(crate) struct DiscountFields {
    /// A coupon needs one, unless it has a series. Case and outer blanks do not count.
    #[oai(validator(max_length = 50))]
    pub code: Clearable<String>,
    /// On when absent in a new one.
    pub active: Option<bool>,
    pub valid_from: Clearable<Timestamp>,
    pub valid_till: Clearable<Timestamp>,
    #[oai(validator(max_items = 50))]
    pub time_ranges: Clearable<Vec<TimeRange>>,
    /// On when absent in a new one.
    pub pickup_enabled: Option<bool>,
    #[oai(validator(max_items = 9, unique_items))]
    pub platforms: Option<Vec<DiscountPlatform>>,
    /// The present restaurant when absent in a new one, or empty. Null, every restaurant of the partner, is for
    /// admins of the whole partner.
    #[oai(validator(max_items = 1000))]
    pub restaurant_ids: Clearable<Vec<Id<Restaurant>>>,
    pub login_needed: Option<bool>,
    /// On when absent in a new one.
    pub stackable: Option<bool>,
    #[oai(validator(minimum(value = "1")))]
    pub all_max_use_qty: Clearable<i32>,
    #[oai(validator(minimum(value = "1")))]
    pub customer_max_use_qty: Clearable<i32>,
    pub is_daily_discount_limit: Option<bool>,
    pub products_for: Clearable<ProductsFor>,
    /// Ids of categories of this restaurant, or of origins.
    #[oai(validator(max_items = 1000))]
    pub product_category_ids: Clearable<Vec<Id<ProductCategories>>>,
    /// Ids of sizes of this restaurant, or of origins.
    #[oai(validator(max_items = 1000))]
    pub subproduct_ids: Clearable<Vec<Id<Subproducts>>>,
    /// Only null: there are no tables yet.
    #[oai(validator(max_length = 50))]
    pub tables_for: Clearable<String>,
    /// Only empty: there are no tables yet.
    pub table_ids: Clearable<Vec<Uuid>>,
    /// Only empty: there are no tables yet.
    pub table_category_ids: Clearable<Vec<Uuid>>,
    /// Switched off, it forgets the customers that were named with it.
    pub locked_customers: Option<bool>,
    pub range_filter_type: Option<RangeFilterType>,
    pub apply_type: Option<ApplyType>,
    #[oai(validator(max_items = 20))]
    pub ranges: Option<Vec<NewDiscountRange>>,
}

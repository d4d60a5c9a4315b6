//! Table `discount`.

use access::prelude::*;
use catalogue::Subproducts;
use kernel::{
    money::{Currency, Money, Percent},
    time::TimeRange,
};
use sea_orm::{FromJsonQueryResult, Select};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    types::Discount,
    values::{ApplyType, DiscountType, DiscountValueType, GiftQuantityType, ProductsFor, RangeFilterType},
};

#[derive(Debug)]
pub struct Discounts;

kernel::resource!(Discounts, "discounts", "DISCOUNT");

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct TimeRanges(pub(crate) Vec<TimeRange>);

/// Ranges as they lie in the database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Ranges(pub(crate) Vec<RangeRow>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RangeRow {
    pub price_from: Money,
    pub discount_value: Money,
    pub discount_type: DiscountValueType,
    pub apply_on_delivery: bool,
    pub free_delivery: bool,
    pub apply_on_options: bool,
    pub gifts: Vec<GiftRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GiftRow {
    /// The size's origin.
    pub subproduct_id: Id<Subproducts>,
    pub quantity: u16,
    pub quantity_type: GiftQuantityType,
    pub discount_percentage: Percent,
}

#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "discount")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Discounts>,
    pub name: String,
    pub discount_type: DiscountType,
    pub code: Option<String>,
    pub code_key: Option<String>,
    pub active: bool,
    pub valid_from: Option<Timestamp>,
    pub valid_till: Option<Timestamp>,
    #[sea_orm(column_type = "JsonBinary")]
    pub time_ranges: TimeRanges,
    pub pickup_enabled: bool,
    pub platforms: Vec<String>,
    pub restaurant_ids: Option<Vec<Uuid>>,
    pub login_needed: bool,
    pub stackable: bool,
    pub all_max_use_qty: Option<i32>,
    pub customer_max_use_qty: Option<i32>,
    pub is_daily_discount_limit: bool,
    pub(crate) products_for: Option<ProductsFor>,
    pub product_category_ids: Vec<Uuid>,
    pub subproduct_ids: Vec<Uuid>,
    pub locked_customers: bool,
    pub(crate) range_filter_type: RangeFilterType,
    pub(crate) apply_type: ApplyType,
    #[sea_orm(column_type = "JsonBinary")]
    pub ranges: Ranges,
    pub currency: Option<Currency>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

entity!();

impl Model {
    /// The sizes of all gifts, by origin.
    pub(crate) fn gift_ids(&self) -> impl Iterator<Item = Uuid> {
        self.ranges.0.iter().flat_map(|range| &range.gifts).map(|gift| gift.subproduct_id.uuid())
    }

    pub(crate) fn holds_at(&self, restaurant: Id<Restaurant>) -> bool {
        self.restaurant_ids.as_ref().is_none_or(|ids| ids.contains(&restaurant.uuid()))
    }
}

impl rows::Table for Entity {
    type Of = Discounts;
    type Tx = TenantTx;
    type Answer = Discount;
    const HOME: rows::Home = rows::Home::Partner;
    const DERIVED: &'static [&'static str] = &[
        "use_qty", "isValid", "restaurants", "product_categories", "subproducts", "usage_qty", "series_qty",
        "editable",
    ];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }

    async fn after(rows: &rows::Rows<'_>, change: rows::Change<'_, Model>) -> Result<()> {
        crate::store::tell_menus(rows.tx(), change).await
    }
}

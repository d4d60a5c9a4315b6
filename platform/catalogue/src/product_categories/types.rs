//! Bodies and answers about categories.

use access::prelude::*;
use kernel::{
    ids::{Images, NtakCategories},
    setting::NtakQuantityUnit,
    time::TimeRange,
};
use media::{Picture, Pictured};

use super::ProductCategories;
use crate::{
    effective::Effective,
    flags::{Inheritable, InheritableChange},
    products::Product,
    reference::PosColors,
};

/// A category of the menu. `null` in a field that is inherited means: as the level above says.
#[derive(Debug, Object)]
pub(crate) struct ProductCategory {
    pub id: Id<ProductCategories>,
    /// The category above; `null` on the first level.
    pub parent_id: Option<Id<ProductCategories>>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Place among its siblings.
    pub ranking: i32,
    /// Guests see it, and what is below it, only while it is active.
    pub active: bool,
    pub archived_at: Option<Timestamp>,
    #[oai(flatten)]
    pub own: Inheritable,
    /// First instant of the period in which it is on the menu; `null` is open.
    pub available_from: Option<Timestamp>,
    /// Last instant of that period; `null` is open.
    pub available_to: Option<Timestamp>,
    /// Publication date: before it guests do not see the category.
    pub expected_at: Option<Timestamp>,
    /// When its products can be had, in the restaurant's wall time; `null` is always.
    pub time_ranges: Option<Vec<TimeRange>>,
    /// Category of the tax report; `null` is inherited.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// Unit of the tax report; `null` is inherited.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub pos_color_id: Option<Id<PosColors>>,
    /// Picture of the web shop.
    pub image_web_id: Option<Id<Images>>,
    /// Addresses of the web shop's picture.
    pub image_web: Option<Picture>,
    /// Picture of the app.
    pub image_app_id: Option<Id<Images>>,
    /// Addresses of the app's picture.
    pub image_app: Option<Picture>,
    /// Picture beside the description.
    pub image_desc_id: Option<Id<Images>>,
    /// Addresses of the picture beside the description.
    pub image_desc: Option<Picture>,
    /// The first of its kind, where rows were copied between restaurants; its own id otherwise.
    pub origin_id: Id<ProductCategories>,
    pub version: i64,
    /// The values that hold, with the level they come from.
    pub effective: Effective,
    /// Sub-categories.
    pub children_count: i64,
    /// Products directly in it.
    pub product_count: i64,
    /// Its products; only with `all_products`.
    #[oai(skip_serializing_if_is_none)]
    pub products: Option<Vec<Product>>,
}

#[derive(Debug, Object)]
pub(crate) struct NewProductCategory {
    /// A top-level category without products; `null` makes a top-level one.
    pub parent_id: Option<Id<ProductCategories>>,
    #[oai(validator(max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: String,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Option<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description: Option<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description_sec_lang: Option<String>,
    /// Default: true.
    pub active: Option<bool>,
    #[oai(flatten)]
    pub own: Inheritable,
    pub available_from: Option<Timestamp>,
    pub available_to: Option<Timestamp>,
    pub expected_at: Option<Timestamp>,
    #[oai(validator(max_items = 100))]
    pub time_ranges: Option<Vec<TimeRange>>,
    /// Category of the tax report; `null` is inherited.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// Unit of the tax report; `null` is inherited.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub pos_color_id: Option<Id<PosColors>>,
    pub image_web_id: Option<Id<Images>>,
    pub image_app_id: Option<Id<Images>>,
    pub image_desc_id: Option<Id<Images>>,
}

#[derive(Debug, Object)]
pub(crate) struct ProductCategoryChange {
    pub parent_id: Clearable<Id<ProductCategories>>,
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Clearable<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description: Clearable<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description_sec_lang: Clearable<String>,
    pub active: Option<bool>,
    #[oai(flatten)]
    pub own: InheritableChange,
    pub available_from: Clearable<Timestamp>,
    pub available_to: Clearable<Timestamp>,
    pub expected_at: Clearable<Timestamp>,
    #[oai(validator(max_items = 100))]
    pub time_ranges: Clearable<Vec<TimeRange>>,
    /// Category of the tax report; `null` inherits.
    pub ntak_category_id: Clearable<Id<NtakCategories>>,
    /// Unit of the tax report; `null` inherits.
    pub ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    pub pos_color_id: Clearable<Id<PosColors>>,
    pub image_web_id: Clearable<Id<Images>>,
    pub image_app_id: Clearable<Id<Images>>,
    pub image_desc_id: Clearable<Id<Images>>,
    pub version: Option<i64>,
}

#[derive(Debug, Object)]
pub(crate) struct ProductCategoryRanking {
    /// The categories in their new order.
    #[oai(validator(max_items = 2000))]
    pub product_category_ids: Vec<Id<ProductCategories>>,
}

impl Pictured for NewProductCategory {
    const PICTURES: &'static [&'static str] = &["image_web", "image_app", "image_desc"];
}

impl Pictured for ProductCategoryChange {
    const PICTURES: &'static [&'static str] = &["image_web", "image_app", "image_desc"];
}

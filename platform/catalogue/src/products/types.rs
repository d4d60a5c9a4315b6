//! Bodies and answers about products.

use access::prelude::*;
use kernel::{
    ids::{Images, NtakCategories},
    money::Quantity,
    setting::NtakQuantityUnit,
};
use media::{Picture, Pictured};
use sea_orm::FromQueryResult;

use super::{Products, Subproducts};
use crate::{
    OptionGroups, ProductCategories,
    effective::Effective,
    external_ids::{ProductIds, ProductIdsChange, SubproductIds, SubproductIdsChange},
    flags::{Inheritable, InheritableChange},
    option_groups::OptionGroupType,
    price::SalePrice,
    reference::{Allergens, PosColors},
};

/// A product with its sub-products. `null` in a field that is inherited means: as the level above says.
#[derive(Debug, Object)]
pub(crate) struct Product {
    pub id: Id<Products>,
    pub product_category_id: Id<ProductCategories>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Place within the category.
    pub ranking: i32,
    /// Guests see it only while it is active.
    pub active: bool,
    pub archived_at: Option<Timestamp>,
    #[oai(flatten)]
    pub own: Inheritable,
    /// First instant of the period in which it is on the menu; `null` is open.
    pub available_from: Option<Timestamp>,
    /// Last instant of that period; `null` is open.
    pub available_to: Option<Timestamp>,
    /// Publication date: before it guests do not see the product.
    pub expected_at: Option<Timestamp>,
    /// Category of the tax report; `null` is inherited.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// Unit of the tax report; `null` is inherited.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub pos_color_id: Option<Id<PosColors>>,
    pub ean_code: Option<String>,
    #[oai(flatten)]
    pub ids: ProductIds,
    pub image_id: Option<Id<Images>>,
    /// Addresses of the picture.
    pub image: Option<Picture>,
    /// The price where there is one sub-product; `null` where there are several.
    pub base_price: Option<SalePrice>,
    /// In their order; at least one.
    pub subproducts: Vec<Subproduct>,
    pub version: i64,
    /// The values that hold, with the level they come from.
    pub effective: Effective,
}

/// A size or variant of a product: what is priced and ordered.
#[derive(Debug, Object)]
pub(crate) struct Subproduct {
    pub id: Id<Subproducts>,
    pub product_id: Id<Products>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Gross, in the restaurant's currency.
    pub price: SalePrice,
    pub active: bool,
    /// Place within the product.
    pub ranking: i32,
    #[oai(flatten)]
    pub own: Inheritable,
    /// What guests choose with it, in the order in which they are asked.
    pub option_groups: Vec<SubproductOptionGroup>,
    /// The ids of the same groups: what a save sends.
    pub option_group_ids: Vec<Id<OptionGroups>>,
    pub allergenic_ids: Vec<Id<Allergens>>,
    /// Somebody has said in the health of the menu that it has none. It ends when one is named.
    pub allergen_free: bool,
    pub ean_code: Option<String>,
    #[oai(flatten)]
    pub ids: SubproductIds,
    /// Category of the tax report; `null` is inherited.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// Unit of the tax report; `null` is inherited.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// How much one piece is in that unit; `null` counts as 1.
    pub ntak_quantity: Option<Quantity>,
    /// Pieces that may still be sold; `null`: nobody counts.
    pub sellable_quantity: Option<i32>,
    /// Pieces to which it refills when a business day begins; `null`: it does not. Set on its own screen.
    pub daily_quantity: Option<i32>,
    /// Not sold until then, when the next business day begins. Set on the screen of quantities.
    pub off_until: Option<Timestamp>,
    /// Bottles and cans with a deposit in one piece; those of its components count too.
    pub deposit_pieces: i32,
    /// What one piece consists of, each part with its own VAT and tax category, in their order; empty for
    /// anything but a menu. The price is split over them by their list prices.
    pub components: Vec<ComponentRow>,
    /// The values that hold, with the level they come from.
    pub effective: Effective,
}

/// A size within another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename = "SubproductComponent")]
pub(crate) struct ComponentRow {
    pub subproduct_id: Id<Subproducts>,
    /// How many pieces of it.
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub pieces: i32,
}

/// An option group of a sub-product, in short.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct SubproductOptionGroup {
    pub id: Id<OptionGroups>,
    pub name: String,
    pub r#type: OptionGroupType,
    pub min_no_options: i32,
    /// 0: no limit.
    pub max_no_options: i32,
}

#[derive(Debug, Object)]
pub(crate) struct NewProduct {
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
    /// Category of the tax report; `null` is inherited.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// Unit of the tax report; `null` is inherited.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub pos_color_id: Option<Id<PosColors>>,
    #[oai(validator(max_length = 50))]
    pub ean_code: Option<String>,
    #[oai(flatten)]
    pub ids: ProductIdsChange,
    pub image_id: Option<Id<Images>>,
    /// The price where there is one sub-product.
    pub base_price: Option<SalePrice>,
    /// When absent, one is made with the product's name and `base_price`.
    #[oai(validator(min_items = 1, max_items = 100))]
    pub subproducts: Option<Vec<SubproductRow>>,
}

#[derive(Debug, Object)]
pub(crate) struct ProductChange {
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
    /// Category of the tax report; `null` inherits.
    pub ntak_category_id: Clearable<Id<NtakCategories>>,
    /// Unit of the tax report; `null` inherits.
    pub ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    pub pos_color_id: Clearable<Id<PosColors>>,
    #[oai(validator(max_length = 50))]
    pub ean_code: Clearable<String>,
    #[oai(flatten)]
    pub ids: ProductIdsChange,
    pub image_id: Clearable<Id<Images>>,
    /// The price where there is one sub-product; without effect where there are several.
    pub base_price: Option<SalePrice>,
    /// All sub-products in their order: those with an id are changed, those without are created, those that
    /// are missing are archived. When absent, they stay as they are.
    #[oai(validator(min_items = 1, max_items = 100))]
    pub subproducts: Option<Vec<SubproductRow>>,
    pub version: Option<i64>,
}

/// A sub-product in a save of its product. In one that exists, what is absent stays as it is.
#[derive(Debug, Object)]
pub(crate) struct SubproductRow {
    /// Which one; absent in a new one.
    pub id: Option<Id<Subproducts>>,
    /// Default in a new one: the product's name.
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Clearable<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description: Clearable<String>,
    #[oai(validator(max_length = 2000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub description_sec_lang: Clearable<String>,
    /// Gross; needed in a new one, unless it is the only one and `base_price` is sent.
    pub price: Option<SalePrice>,
    /// Default in a new one: true.
    pub active: Option<bool>,
    #[oai(flatten)]
    pub own: InheritableChange,
    /// In the order in which guests are asked.
    #[oai(validator(max_items = 50, unique_items))]
    pub option_group_ids: Option<Vec<Id<OptionGroups>>>,
    #[oai(validator(max_items = 50, unique_items))]
    pub allergenic_ids: Option<Vec<Id<Allergens>>>,
    #[oai(validator(max_length = 50))]
    pub ean_code: Clearable<String>,
    #[oai(flatten)]
    pub ids: SubproductIdsChange,
    /// Category of the tax report; `null` inherits.
    pub ntak_category_id: Clearable<Id<NtakCategories>>,
    /// Unit of the tax report; `null` inherits.
    pub ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    /// How much one piece is in that unit: more than 0, at most 100,000, with at most 4 decimals.
    #[oai(validator(minimum(value = "0", exclusive = "true"), maximum(value = "100000")))]
    pub ntak_quantity: Clearable<Quantity>,
    /// Pieces that may still be sold; `null`: nobody counts. Orders lower it meanwhile: send it only to set
    /// it anew.
    #[oai(validator(minimum(value = "0"), maximum(value = "100000")))]
    pub sellable_quantity: Clearable<i32>,
    /// Default in a new one: 0.
    #[oai(validator(minimum(value = "0"), maximum(value = "999")))]
    pub deposit_pieces: Option<i32>,
    /// Sizes without components. A size that is one itself, or that an option stands for, takes none.
    #[oai(validator(max_items = 50))]
    pub components: Option<Vec<ComponentRow>>,
}

impl SubproductRow {
    /// A row in which nothing was sent.
    pub(crate) fn absent() -> Self {
        use Clearable::Undefined;
        Self {
            id: None,
            name: None,
            name_sec_lang: Undefined,
            description: Undefined,
            description_sec_lang: Undefined,
            price: None,
            active: None,
            own: InheritableChange::default(),
            option_group_ids: None,
            allergenic_ids: None,
            ean_code: Undefined,
            ids: SubproductIdsChange::default(),
            ntak_category_id: Undefined,
            ntak_quantity_unit: Undefined,
            ntak_quantity: Undefined,
            sellable_quantity: Undefined,
            deposit_pieces: None,
            components: None,
        }
    }
}

#[derive(Debug, Object)]
pub(crate) struct ProductMove {
    /// A category without sub-categories.
    pub new_product_category_id: Id<ProductCategories>,
}

#[derive(Debug, Object)]
pub(crate) struct ProductRanking {
    /// The category's products in their new order.
    #[oai(validator(max_items = 2000))]
    pub product_ids: Vec<Id<Products>>,
}

/// A product in short, for choosing.
#[derive(Debug, Object)]
pub(crate) struct ProductShort {
    pub id: Id<Products>,
    pub name: String,
    pub active: bool,
    pub product_category_id: Id<ProductCategories>,
    pub subproducts: Vec<SubproductShort>,
}

/// A sub-product in short, for choosing.
#[derive(Debug, Object)]
pub(crate) struct SubproductShort {
    pub id: Id<Subproducts>,
    pub name: String,
    pub active: bool,
    pub product_id: Id<Products>,
    pub product_name: String,
    pub product_category_id: Id<ProductCategories>,
    pub price: SalePrice,
}

impl Pictured for NewProduct {
    const PICTURES: &'static [&'static str] = &["image"];
}

impl Pictured for ProductChange {
    const PICTURES: &'static [&'static str] = &["image"];
}

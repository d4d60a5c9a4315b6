//! Changes of a whole menu, and undoing them, in a few statements for any size.
//!
//! The rows are not those of the resources: they hold only what a bulk change compares and writes. They are
//! stored for the undo, which must not restore other fields.

mod menu;
mod undo;
mod write;

use kernel::setting::NtakQuantityUnit;
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::option_groups::OptionGroupType;

pub use menu::Menu;
pub use undo::Undo;
pub use write::write;
pub(crate) use write::{Touched, lock};

/// What is wrong with a quantity of the tax report: more than 0, at most 100,000, at most 4 decimals.
#[must_use]
pub fn ntak_quantity_fault(quantity: Decimal) -> Option<kernel::Fault> {
    crate::products::ntak_quantity_fault(kernel::money::Quantity(quantity))
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub struct CategoryRow {
    pub id: Uuid,
    pub parent_id: Option<Uuid>,
    pub name: String,
    /// The name in the second language.
    pub name_sec_lang: Option<String>,
    /// Its place among its siblings.
    pub ranking: i32,
    /// Its own rate; none is inherited.
    pub vat_id: Option<Uuid>,
    /// Its own rate for sitting in; none is inherited.
    pub sit_in_vat_id: Option<Uuid>,
    /// Its own category of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_category_id: Option<Uuid>,
    /// Its own unit of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub struct ProductRow {
    pub id: Uuid,
    pub product_category_id: Uuid,
    pub name: String,
    /// The name in the second language.
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Its place among its siblings.
    pub ranking: i32,
    pub active: bool,
    /// Its own rate; none is inherited.
    pub vat_id: Option<Uuid>,
    /// Its own rate for sitting in; none is inherited.
    pub sit_in_vat_id: Option<Uuid>,
    /// Its own category of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_category_id: Option<Uuid>,
    /// Its own unit of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub ean_code: Option<String>,
    pub version: i64,
}

/// A sub-product as a bulk change sees it.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub struct SubproductRow {
    pub id: Uuid,
    pub product_id: Uuid,
    pub name: String,
    pub price: Decimal,
    /// Its place among its siblings.
    pub ranking: i32,
    pub active: bool,
    /// Its own rate; none is inherited.
    pub vat_id: Option<Uuid>,
    /// Its own rate for sitting in; none is inherited.
    pub sit_in_vat_id: Option<Uuid>,
    /// Its own category of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_category_id: Option<Uuid>,
    /// Its own unit of the tax report; none is inherited.
    #[serde(default)]
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// How much one piece is in that unit; none counts as 1.
    #[serde(default)]
    pub ntak_quantity: Option<Decimal>,
    pub allergenic_ids: Vec<Uuid>,
    pub ean_code: Option<String>,
    /// In the order in which guests are asked.
    pub option_group_ids: Vec<Uuid>,
    /// Bottles and cans with a deposit in one piece. None in what was stored before these three were known: then
    /// all three stay as they are.
    #[serde(default)]
    pub deposit_pieces: Option<i32>,
    /// The sizes that it consists of, in their order.
    #[serde(default)]
    pub component_ids: Vec<Uuid>,
    /// How many of each, by the same places.
    #[serde(default)]
    pub component_pieces: Vec<i32>,
}

impl SubproductRow {
    /// A new size: switched on, with nothing of its own but name and price.
    #[must_use]
    pub fn new(product_id: Uuid, name: String, price: Decimal) -> Self {
        Self {
            id: Uuid::now_v7(),
            product_id,
            name,
            price,
            ranking: 0,
            active: true,
            vat_id: None,
            sit_in_vat_id: None,
            ntak_category_id: None,
            ntak_quantity_unit: None,
            ntak_quantity: None,
            allergenic_ids: vec![],
            ean_code: None,
            option_group_ids: vec![],
            deposit_pieces: Some(0),
            component_ids: vec![],
            component_pieces: vec![],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub struct OptionGroupRow {
    pub id: Uuid,
    pub name: String,
    /// The name in the second language.
    pub name_sec_lang: Option<String>,
    /// How many of its options a piece takes.
    pub r#type: OptionGroupType,
    pub min_no_options: i32,
    /// The most options; 0 is no limit.
    pub max_no_options: i32,
    /// Its place among its siblings.
    pub ranking: i32,
    pub version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub struct OptionRow {
    pub id: Uuid,
    pub option_group_id: Uuid,
    pub name: String,
    /// The name in the second language.
    pub name_sec_lang: Option<String>,
    pub price: Decimal,
    /// Its place among its siblings.
    pub ranking: i32,
    pub active: bool,
    pub allergenic_ids: Vec<Uuid>,
    /// The size that it stands for.
    #[serde(default)]
    pub subproduct_id: Option<Uuid>,
    /// How many pieces of it. None in what was stored before these two were known: then both stay as they are.
    #[serde(default)]
    pub subproduct_pieces: Option<i32>,
    pub version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct Allergen {
    pub id: Uuid,
    pub code: String,
    /// Its Hungarian name.
    pub name: String,
    pub name_en: String,
    /// Its number on the list that the law gives.
    pub ranking: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct NtakCategoryRow {
    pub id: Uuid,
    pub main_category: String,
    /// Its Hungarian name.
    pub main_category_name: String,
    pub main_category_name_en: String,
    pub sub_category: String,
    /// Its Hungarian name.
    pub sub_category_name: String,
    pub sub_category_name_en: String,
    /// Whether it can be chosen now.
    pub valid: bool,
}

impl NtakCategoryRow {
    /// Both words, as `ETEL/LEVES`.
    #[must_use]
    pub fn code(&self) -> String {
        format!("{}/{}", self.main_category, self.sub_category)
    }
}

/// What would be written: new rows, and present ones as they will be.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    pub new_categories: Vec<CategoryRow>,
    /// Products to be made.
    pub new_products: Vec<ProductRow>,
    pub new_subproducts: Vec<SubproductRow>,
    pub new_option_groups: Vec<OptionGroupRow>,
    pub new_options: Vec<OptionRow>,
    pub categories: Vec<CategoryRow>,
    pub products: Vec<ProductRow>,
    pub subproducts: Vec<SubproductRow>,
    pub option_groups: Vec<OptionGroupRow>,
    pub options: Vec<OptionRow>,
}

impl Plan {
    /// Whether nothing would be written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether something that is there would be switched on or off.
    #[must_use]
    pub fn switches(&self, menu: &Menu) -> bool {
        let product =
            |row: &ProductRow| menu.products.get(&row.id).is_some_and(|was| was.active != row.active);
        let present = |row: &SubproductRow| {
            menu.subproducts.get(&row.product_id).into_iter().flatten().find(|was| was.id == row.id)
        };
        let subproduct = |row: &SubproductRow| present(row).is_some_and(|was| was.active != row.active);
        let present = |row: &OptionRow| {
            menu.options.get(&row.option_group_id).into_iter().flatten().find(|was| was.id == row.id)
        };
        let option = |row: &OptionRow| present(row).is_some_and(|was| was.active != row.active);
        self.products.iter().any(product)
            || self.subproducts.iter().any(subproduct)
            || self.options.iter().any(option)
    }
}

//! What an import would write, and the way back. A few statements, however long the menu is.
//!
//! The rows are not those of the resources: they hold what an import compares and writes and nothing else,
//! because they are kept as the way back, and what an import never touches must not come back with them.

mod menu;
mod undo;
mod write;

use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::option_groups::OptionGroupType;

pub(crate) use menu::Menu;
pub(crate) use undo::Undo;
pub(crate) use write::write;

/// A category with what an import looks at.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub(crate) struct CategoryRow {
    pub id: Uuid,
    pub parent_id: Option<Uuid>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub ranking: i32,
    pub vat_id: Option<Uuid>,
    pub sit_in_vat_id: Option<Uuid>,
    pub version: i64,
}

/// A product with what an import looks at.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub(crate) struct ProductRow {
    pub id: Uuid,
    pub product_category_id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub ranking: i32,
    pub active: bool,
    pub vat_id: Option<Uuid>,
    pub sit_in_vat_id: Option<Uuid>,
    pub ean_code: Option<String>,
    pub version: i64,
}

/// A sub-product with what an import looks at.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub(crate) struct SubproductRow {
    pub id: Uuid,
    pub product_id: Uuid,
    pub name: String,
    pub price: Decimal,
    pub ranking: i32,
    pub active: bool,
    pub vat_id: Option<Uuid>,
    pub sit_in_vat_id: Option<Uuid>,
    pub allergenic_ids: Vec<Uuid>,
    pub ean_code: Option<String>,
    /// In the order in which guests are asked.
    pub option_group_ids: Vec<Uuid>,
}

/// An option group with what an import looks at.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub(crate) struct OptionGroupRow {
    pub id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    pub min_no_options: i32,
    pub max_no_options: i32,
    pub ranking: i32,
    pub version: i64,
}

/// An option with what an import looks at.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult, Serialize, Deserialize)]
pub(crate) struct OptionRow {
    pub id: Uuid,
    pub option_group_id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub price: Decimal,
    pub ranking: i32,
    pub active: bool,
    pub allergenic_ids: Vec<Uuid>,
    pub version: i64,
}

/// What would be written: new rows, and present ones as they will be.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    pub new_categories: Vec<CategoryRow>,
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
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether something that is there would be switched on or off.
    pub(crate) fn switches(&self, menu: &Menu) -> bool {
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

//! Bodies and answers about option groups.

use std::collections::HashMap;

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{OptionGroups, entity::Model, rules::OptionGroupType};
use crate::{
    ProductCategories, Products, Subproducts,
    external_ids::{OptionGroupIds, OptionGroupIdsChange},
    flags::{Visible, VisibleChange},
    options::OptionRow,
};

/// A group of options that guests choose from with a sub-product.
#[derive(Debug, Object)]
pub(crate) struct OptionGroup {
    pub id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    /// Fewest options of one piece.
    pub min_no_options: i32,
    /// Most options of one piece; 0: no limit.
    pub max_no_options: i32,
    /// Place among the groups.
    pub ranking: i32,
    /// Guests see it only while it is active.
    pub active: bool,
    pub archived_at: Option<Timestamp>,
    #[oai(flatten)]
    pub visible: Visible,
    #[oai(flatten)]
    pub ids: OptionGroupIds,
    /// Its options in their order; only with `all_options`, and in answers about one group.
    #[oai(skip_serializing_if_is_none)]
    pub options: Option<Vec<OptionRow>>,
    /// Sub-products that use it.
    pub subproduct_count: i64,
    /// These, in the order of the menu; only in answers about one group.
    #[oai(skip_serializing_if_is_none)]
    pub subproducts: Option<Vec<OptionGroupSize>>,
    /// The categories of their products, in the order of the menu; only in answers about one group.
    #[oai(skip_serializing_if_is_none)]
    pub product_categories: Option<Vec<OptionGroupCategory>>,
    pub version: i64,
}

#[derive(Debug, Object)]
pub(super) struct NewOptionGroup {
    #[oai(validator(max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: String,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    /// Only in `min_max`; default 1.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub min_no_options: Option<i32>,
    /// Only in `min_max`; default 3; 0: no limit.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub max_no_options: Option<i32>,
    /// Default: true.
    pub active: Option<bool>,
    #[oai(flatten)]
    pub visible: Visible,
    #[oai(flatten)]
    pub ids: OptionGroupIdsChange,
}

#[derive(Debug, Object)]
pub(super) struct OptionGroupChange {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Clearable<String>,
    pub r#type: Option<OptionGroupType>,
    /// Only in `min_max`.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub min_no_options: Option<i32>,
    /// Only in `min_max`; 0: no limit.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub max_no_options: Option<i32>,
    pub active: Option<bool>,
    #[oai(flatten)]
    pub visible: VisibleChange,
    #[oai(flatten)]
    pub ids: OptionGroupIdsChange,
    pub version: Option<i64>,
}

#[derive(Debug, Object)]
pub(super) struct OptionGroupRanking {
    /// The groups in their new order.
    #[oai(validator(max_items = 2000))]
    pub option_group_ids: Vec<Id<OptionGroups>>,
}

#[derive(Debug, Object)]
pub(super) struct OptionGroupSizes {
    /// Sub-products that get the group, as their last one. One that has it keeps it where it is.
    #[oai(validator(max_items = 5000, unique_items))]
    pub add: Option<Vec<Id<Subproducts>>>,
    /// Sub-products that lose the group.
    #[oai(validator(max_items = 5000, unique_items))]
    pub remove: Option<Vec<Id<Subproducts>>>,
}

/// A sub-product that uses a group.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct OptionGroupSize {
    pub id: Id<Subproducts>,
    pub name: String,
    pub product_id: Id<Products>,
    pub product_name: String,
    pub product_category_id: Id<ProductCategories>,
}

/// A category with products that use a group.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct OptionGroupCategory {
    pub id: Id<ProductCategories>,
    pub name: String,
    /// The category above it.
    pub parent_name: Option<String>,
    /// How many sub-products of it use the group.
    pub subproduct_count: i64,
}

/// A row as an answer; it says neither what uses it nor how it is called elsewhere.
pub(super) fn answer(row: Model, uses: &HashMap<Uuid, i64>, options: Option<Vec<OptionRow>>) -> OptionGroup {
    OptionGroup {
        visible: row.visible(),
        id: row.id,
        name: row.name,
        name_sec_lang: row.name_sec_lang,
        r#type: row.r#type,
        min_no_options: row.min_no_options,
        max_no_options: row.max_no_options,
        ranking: row.ranking,
        active: row.active,
        archived_at: row.archived_at,
        options,
        subproduct_count: uses.get(&row.id.uuid()).copied().unwrap_or_default(),
        subproducts: None,
        product_categories: None,
        ids: OptionGroupIds::default(),
        version: row.version,
    }
}

//! Bodies and answers about options.

use access::prelude::*;
use kernel::money::Currency;

use super::{Options, entity::Model};
use crate::{
    OptionGroups, Subproducts,
    external_ids::{OptionIds, OptionIdsChange},
    flags::{Visible, VisibleChange},
    price::SalePrice,
    reference::Allergens,
};

/// An option of a group.
#[derive(Debug, Object)]
#[oai(rename = "Option")]
pub(crate) struct OptionRow {
    pub id: Id<Options>,
    pub option_group_id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// Gross, of one, in the restaurant's currency; taxed as its item, or as the size it stands for.
    pub price: SalePrice,
    /// Guests see it only while it is active.
    pub active: bool,
    /// Place within the group.
    pub ranking: i32,
    pub archived_at: Option<Timestamp>,
    #[oai(flatten)]
    pub visible: Visible,
    pub allergenic_ids: Vec<Id<Allergens>>,
    #[oai(flatten)]
    pub ids: OptionIds,
    /// The size that it stands for, such as the drink of a menu; null: none.
    pub subproduct_id: Option<Id<Subproducts>>,
    /// How many pieces of that size one option is.
    pub subproduct_pieces: i32,
    pub version: i64,
}

#[derive(Debug, Object)]
pub(super) struct NewOption {
    #[oai(validator(max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: String,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Option<String>,
    /// Default: 0.
    pub price: Option<SalePrice>,
    /// Default: true.
    pub active: Option<bool>,
    #[oai(flatten)]
    pub visible: Visible,
    #[oai(validator(max_items = 50, unique_items))]
    pub allergenic_ids: Option<Vec<Id<Allergens>>>,
    #[oai(flatten)]
    pub ids: OptionIdsChange,
    /// The size that it stands for: one without components.
    pub subproduct_id: Option<Id<Subproducts>>,
    /// How many pieces of that size one option is; default: 1.
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub subproduct_pieces: Option<i32>,
}

#[derive(Debug, Object)]
pub(super) struct OptionChange {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub name_sec_lang: Clearable<String>,
    /// `null` is 0.
    pub price: Clearable<SalePrice>,
    pub active: Option<bool>,
    #[oai(flatten)]
    pub visible: VisibleChange,
    #[oai(validator(max_items = 50, unique_items))]
    pub allergenic_ids: Option<Vec<Id<Allergens>>>,
    #[oai(flatten)]
    pub ids: OptionIdsChange,
    /// The size that it stands for: one without components; `null`: none.
    pub subproduct_id: Clearable<Id<Subproducts>>,
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub subproduct_pieces: Option<i32>,
    pub version: Option<i64>,
}

#[derive(Debug, Object)]
pub(super) struct OptionMove {
    pub option_group_id: Id<OptionGroups>,
}

#[derive(Debug, Object)]
pub(super) struct OptionRanking {
    /// The group's options in their new order.
    #[oai(validator(max_items = 2000))]
    pub option_ids: Vec<Id<Options>>,
}

pub(super) fn answer(row: Model, currency: Currency, ids: OptionIds) -> OptionRow {
    OptionRow {
        visible: row.visible(),
        id: row.id,
        option_group_id: row.option_group_id,
        name: row.name,
        name_sec_lang: row.name_sec_lang,
        price: SalePrice::shown(row.price, currency),
        active: row.active,
        ranking: row.ranking,
        archived_at: row.archived_at,
        allergenic_ids: row.allergenic_ids.into_iter().map(Id::from_uuid).collect(),
        ids,
        subproduct_id: row.subproduct_id,
        subproduct_pieces: row.subproduct_pieces,
        version: row.version,
    }
}

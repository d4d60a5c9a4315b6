//! Bodies and answers about the tax report's fields of a whole menu.

use access::prelude::*;
use kernel::{ids::NtakCategories, money::Quantity, setting::NtakQuantityUnit};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    NtakChanges,
    propose::{Place, Proposal},
};
use crate::{ProductCategories, Products, bulk::Menu};

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum NtakLevel {
    Category,
    Product,
    Subproduct,
}

/// What the names of the menu speak for: a row of a change, with what holds there now.
#[derive(Debug, Object)]
pub(crate) struct NtakProposal {
    pub level: NtakLevel,
    /// Id of the category, product or sub-product.
    pub id: Uuid,
    pub product_category_id: Id<ProductCategories>,
    /// `null` for a category.
    pub product_id: Option<Id<Products>>,
    /// Name of the category; one above it stands before a `>`.
    pub category: String,
    /// Name of the product.
    pub product: Option<String>,
    /// Name of the sub-product, where it is not called like its product.
    pub subproduct: Option<String>,
    /// Proposed; `null`: it stays as it is, as in the two that follow.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// Only for a sub-product.
    pub ntak_quantity: Option<Quantity>,
    /// What holds there now, its own or inherited.
    pub current_ntak_category_id: Option<Id<NtakCategories>>,
    pub current_ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// Of a sub-product.
    pub current_ntak_quantity: Option<Quantity>,
    /// Something that holds now would get another value.
    pub replaces: bool,
}

/// The proposals of a menu.
#[derive(Debug, Object)]
pub(crate) struct NtakProposals {
    /// The menu that they were made for: a change that names it is refused when the menu has changed.
    pub catalogue_version: i64,
    /// In the order of the menu; a row stands below what it inherits from.
    pub proposals: Vec<NtakProposal>,
}

/// A row of a change. A field that is absent stays as it is, `null` inherits (of the quantity: counts as 1).
#[derive(Debug, Clone, Object)]
pub(crate) struct NtakChangeRow {
    pub level: NtakLevel,
    /// Id of a category, product or sub-product, as `level` says.
    pub id: Uuid,
    pub ntak_category_id: Clearable<Id<NtakCategories>>,
    pub ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    /// Only of a sub-product: more than 0, at most 100,000, with at most 4 decimals.
    #[oai(validator(minimum(value = "0", exclusive = "true"), maximum(value = "100000")))]
    pub ntak_quantity: Clearable<Quantity>,
}

#[derive(Debug, Object)]
pub(crate) struct NewNtakChange {
    /// Of the menu that somebody has looked at.
    pub catalogue_version: Option<i64>,
    /// Each row once.
    #[oai(validator(min_items = 1, max_items = 10000))]
    pub rows: Vec<NtakChangeRow>,
}

/// A change of many rows.
#[derive(Debug, Object)]
pub(crate) struct NtakChangeDone {
    pub id: Id<NtakChanges>,
    /// How many categories got another value.
    pub categories: i32,
    pub products: i32,
    pub subproducts: i32,
    pub actor_name: String,
    pub created_at: Timestamp,
    /// Until when it can be undone.
    pub undo_until: Option<Timestamp>,
    pub undone_at: Option<Timestamp>,
}

/// As numbers are shown.
fn quantity(value: Option<Decimal>) -> Option<Quantity> {
    value.map(|value| Quantity(value.normalize()))
}

impl NtakProposal {
    /// A proposal with the names of its row; none for a row that is not in the menu.
    pub fn of(menu: &Menu, proposal: &Proposal) -> Option<Self> {
        let (level, id) = match proposal.place {
            Place::Category(id) => (NtakLevel::Category, id),
            Place::Product(id) => (NtakLevel::Product, id),
            Place::Subproduct(id) => (NtakLevel::Subproduct, id),
        };
        let size = || menu.subproducts.values().flatten().find(|row| row.id == id);
        let size = if level == NtakLevel::Subproduct { Some(size()?) } else { None };
        let product = size.map_or(id, |row| row.product_id);
        let product = if level == NtakLevel::Category { None } else { Some(menu.products.get(&product)?) };
        let category = menu.categories.get(&product.map_or(id, |row| row.product_category_id))?;
        let parent = category.parent_id.and_then(|id| menu.categories.get(&id));
        let path = parent
            .map_or_else(|| category.name.clone(), |parent| format!("{} > {}", parent.name, category.name));
        Some(Self {
            level,
            id,
            product_category_id: Id::from_uuid(category.id),
            product_id: product.map(|row| Id::from_uuid(row.id)),
            category: path,
            product: product.map(|row| row.name.clone()),
            subproduct: size
                .filter(|size| product.is_none_or(|product| product.name != size.name))
                .map(|size| size.name.clone()),
            ntak_category_id: proposal.set.category.map(Id::from_uuid),
            ntak_quantity_unit: proposal.set.unit,
            ntak_quantity: quantity(proposal.quantity),
            current_ntak_category_id: proposal.holds.category.map(Id::from_uuid),
            current_ntak_quantity_unit: proposal.holds.unit,
            current_ntak_quantity: quantity(proposal.has_quantity),
            replaces: proposal.replaces,
        })
    }
}

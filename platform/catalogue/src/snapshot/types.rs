//! The part of a catalogue that orders read.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{ids::NtakCategories, money::Quantity, setting::NtakQuantityUnit};
use pricing::{Catalogue, Item, OptionGroup};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::fold::fold;

/// What a cart refers to.
#[derive(Debug, Clone, Copy, Default)]
pub struct SnapshotRequest<'a> {
    pub subproducts: &'a [Uuid],
    pub options: &'a [Uuid],
    /// What promotions may give.
    pub gifts: &'a [Uuid],
}

/// Pricing data of some sub-products, and the names that an order copies.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// For `pricing`: with everything inherited resolved, VAT as percents.
    pub catalogue: Catalogue,
    pub item_names: HashMap<Uuid, ItemNames>,
    pub option_names: HashMap<Uuid, OptionNames>,
    /// What the tax report wants to know, by sub-product.
    pub tax: HashMap<Uuid, TaxFields>,
}

/// The fields of the tax report as they are effective; empty where no level has set one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaxFields {
    pub category_id: Option<Id<NtakCategories>>,
    pub unit: Option<NtakQuantityUnit>,
    /// How much one piece is in that unit.
    pub quantity: Option<Quantity>,
}

/// The names of a sub-product and its product, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct ItemNames {
    pub product_id: Uuid,
    pub product_category_id: Uuid,
    pub product: String,
    /// In the second language.
    pub product_sec_lang: Option<String>,
    pub subproduct: String,
    /// In the second language.
    pub subproduct_sec_lang: Option<String>,
    /// Whether it is the only sub-product of its product; archived ones do not count.
    pub alone: bool,
}

impl ItemNames {
    /// The name under which it is ordered; see [`ordered_name`].
    #[must_use]
    pub fn ordered(&self) -> (String, Option<String>) {
        ordered_name(
            (&self.product, self.product_sec_lang.as_deref()),
            (&self.subproduct, self.subproduct_sec_lang.as_deref()),
            self.alone,
        )
    }
}

/// The name under which a sub-product is ordered, and the same in the second language where one of the names
/// is written in it: the product's name, and the sub-product's where that says more. It says nothing more
/// when the sub-product is the only one (`alone`), or is called like its product, case, accents and blanks
/// aside. What is left out in the first language is left out in the second too.
#[must_use]
pub fn ordered_name(
    product: (&str, Option<&str>), subproduct: (&str, Option<&str>), alone: bool,
) -> (String, Option<String>) {
    let left_out = |product: &str, subproduct: &str| {
        let subproduct = fold(subproduct);
        alone || subproduct.is_empty() || fold(product) == subproduct
    };
    let without_size = left_out(product.0, subproduct.0);
    let name = if without_size { product.0.to_owned() } else { format!("{}, {}", product.0, subproduct.0) };
    let written = |name: Option<&'_ str>| name.filter(|name| !name.is_empty()).map(str::to_owned);
    let (product_sec_lang, subproduct_sec_lang) = (written(product.1), written(subproduct.1));
    if product_sec_lang.is_none() && (without_size || subproduct_sec_lang.is_none()) {
        return (name, None);
    }
    let product = product_sec_lang.unwrap_or_else(|| product.0.to_owned());
    let subproduct = subproduct_sec_lang.unwrap_or_else(|| subproduct.0.to_owned());
    let without_size = without_size || left_out(&product, &subproduct);
    let name_sec_lang = if without_size { product } else { format!("{product}, {subproduct}") };
    (name, Some(name_sec_lang))
}

/// The names of an option and its group, in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionNames {
    pub option_group_id: Uuid,
    pub option: String,
    /// In the second language.
    pub option_sec_lang: Option<String>,
    pub group: String,
    /// In the second language.
    pub group_sec_lang: Option<String>,
}

/// A sub-product as it stands; its pieces are those of when it was read.
#[derive(Debug)]
pub(super) struct KeptItem {
    /// Neither it nor its product or category is archived.
    pub live: bool,
    pub names: ItemNames,
    pub tax: TaxFields,
    pub item: Item,
}

/// An option group with the names of its options.
#[derive(Debug)]
pub(super) struct KeptGroup {
    pub id: Uuid,
    pub group: OptionGroup,
    pub names: Vec<(Uuid, OptionNames)>,
}

/// The groups of the lines' sub-products, each once.
pub(super) fn groups_of<'a>(
    wanted: SnapshotRequest<'_>, item: impl Fn(Uuid) -> Option<&'a KeptItem>,
) -> Vec<Uuid> {
    let items = wanted.subproducts.iter().filter_map(|id| item(*id)).filter(|item| item.live);
    let mut groups: Vec<Uuid> = items.flat_map(|item| item.item.option_group_ids.iter().copied()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

impl Snapshot {
    /// Adds a sub-product, unless it is archived and stands on a line or is a gift.
    pub(super) fn add_item(&mut self, id: Uuid, kept: &KeptItem, wanted: SnapshotRequest<'_>) {
        if kept.live || !wanted.subproducts.contains(&id) && !wanted.gifts.contains(&id) {
            self.catalogue.items.insert(id, kept.item.clone());
            self.item_names.insert(id, kept.names.clone());
            self.tax.insert(id, kept.tax);
        }
    }

    pub(super) fn add_group(&mut self, kept: Option<&KeptGroup>) {
        if let Some(KeptGroup { id, group, names }) = kept {
            self.catalogue.option_groups.insert(*id, group.clone());
            self.option_names.extend(names.iter().cloned());
        }
    }
}

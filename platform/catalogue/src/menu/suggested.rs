//! What the restaurant puts before its guests of a menu: products first, categories after others.

use std::collections::HashMap;

use kernel::Id;
use uuid::Uuid;

use super::{
    store::Rows,
    types::{MenuCategory, MenuCategoryUpsell},
};
use crate::Products;

/// Places of categories and products in the menu.
#[derive(Default)]
struct Shown {
    categories: HashMap<Uuid, usize>,
    products: HashMap<Uuid, usize>,
}

impl Shown {
    fn add(&mut self, category: &MenuCategory) {
        self.categories.insert(category.id.uuid(), self.categories.len());
        for product in &category.products {
            self.products.insert(product.id.uuid(), self.products.len());
        }
        category.children.iter().for_each(|child| self.add(child));
    }
}

/// Featured products in their order, and upsells by the places of their categories: those of every cart first.
/// What the menu does not show is left out.
pub(super) fn suggested(
    rows: &Rows,
    categories: &[MenuCategory],
) -> (Vec<Id<Products>>, Vec<MenuCategoryUpsell>) {
    let mut shown = Shown::default();
    categories.iter().for_each(|category| shown.add(category));
    let featured = rows.featured.iter().filter(|id| shown.products.contains_key(id));
    let place = |id: &Uuid| shown.categories.get(id).copied();
    let mut upsells: Vec<_> = rows
        .upsells
        .iter()
        .filter_map(|row| {
            let after = match &row.product_category_id {
                Some(id) => Some(place(id)?),
                None => None,
            };
            Some(((after, place(&row.suggested_category_id)?), row))
        })
        .collect();
    upsells.sort_by_key(|(places, _)| *places);
    let upsells = upsells.into_iter().map(|(_, row)| MenuCategoryUpsell {
        product_category_id: row.product_category_id.map(Id::from_uuid),
        suggested_category_id: Id::from_uuid(row.suggested_category_id),
    });
    (featured.copied().map(Id::from_uuid).collect(), upsells.collect())
}

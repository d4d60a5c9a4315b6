//! The suggestions of a menu: featured products, categories that follow others, promotions that
//! are offered with the cart.

use std::collections::HashMap;

use kernel::Id;
use uuid::Uuid;

use super::{
    builder::{Builder, product_part},
    store::{OfferGift, OfferRange, Rows},
    types::{MenuCategory, MenuCategoryUpsell, MenuChannel, MenuUpsell, MenuUpsellGift, MenuUpsellRange},
};
use crate::{Products, ordered_name, price::SalePrice};

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
    rows: &Rows, categories: &[MenuCategory],
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

/// The promotions that are offered with carts of this channel. A gift that nobody can order now is left out, and a
/// range that offers nothing.
pub(super) fn offered(rows: &Rows, builder: &Builder<'_>, channel: MenuChannel) -> Vec<MenuUpsell> {
    // They hold in the web shop and the apps.
    if channel != MenuChannel::Online {
        return Vec::new();
    }
    let range = |range: &OfferRange| {
        let gifts: Vec<_> = range.gifts.iter().filter_map(|gift| offered_gift(rows, builder, gift)).collect();
        let offers = !gifts.is_empty() || range.free_delivery || range.discount_value.value() > 0.into();
        offers.then(|| MenuUpsellRange {
            price_from: range.price_from,
            discount_type: range.discount_type.clone(),
            discount_value: range.discount_value,
            free_delivery: range.free_delivery,
            gifts,
        })
    };
    let upsell = |offer: &super::store::Offer| {
        let mut ranges: Vec<_> = offer.ranges.0.iter().filter_map(range).collect();
        ranges.sort_by_key(|range| range.price_from);
        (!ranges.is_empty()).then(|| MenuUpsell {
            promotion_id: offer.id,
            name: offer.name.clone(),
            range_filter_type: offer.range_filter_type.clone(),
            ranges,
        })
    };
    rows.offers.iter().filter_map(upsell).collect()
}

/// A gift, as this restaurant has it; whether guests see it by itself does not matter.
fn offered_gift(rows: &Rows, builder: &Builder<'_>, gift: &OfferGift) -> Option<MenuUpsellGift> {
    let size = rows.subproducts.iter().find(|size| size.origin_id == gift.subproduct_id)?;
    let product = rows.products.iter().find(|product| product.id == size.product_id)?;
    let category = rows.categories.iter().find(|category| category.id == product.product_category_id)?;
    let parent = category.parent_id.and_then(|id| rows.categories.iter().find(|category| category.id == id));
    let item = builder.item(size, &product_part(product), [Some(category), parent]);
    let alone = rows.subproducts.iter().filter(|other| other.product_id == product.id).count() == 1;
    let (name, name_sec_lang) = ordered_name(
        (&product.name, product.name_sec_lang.as_deref()),
        (&size.name, size.name_sec_lang.as_deref()),
        alone,
    );
    item.active.then(|| MenuUpsellGift {
        subproduct_id: size.id,
        name,
        name_sec_lang,
        price: SalePrice(item.price),
        quantity: gift.quantity.into(),
        quantity_type: gift.quantity_type.clone(),
        discount_percentage: gift.discount_percentage,
    })
}

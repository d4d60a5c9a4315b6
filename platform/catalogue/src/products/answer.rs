//! Rows of products and sub-products as answers.

use std::collections::HashMap;

use access::prelude::*;
use media::pictures;
use uuid::Uuid;

use super::{
    components, product, store, subproduct,
    types::{ComponentRow, Product, Subproduct, SubproductOptionGroup},
};
use crate::{
    effective::{Own, ValueOrigin, effective},
    external_ids::{Loaded, ProductIds, SubproductIds},
    price::SalePrice,
    product_categories::entity::Model as Category,
    restaurant_defaults::RestaurantDefaults,
};

/// What sub-products refer to, by sub-product, and what they and their products are called elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub groups: HashMap<Uuid, Vec<SubproductOptionGroup>>,
    pub components: HashMap<Uuid, Vec<ComponentRow>>,
    pub product_ids: HashMap<Uuid, ProductIds>,
    pub size_ids: HashMap<Uuid, SubproductIds>,
}

impl Links {
    /// Those of these products and of their sub-products, with three statements.
    pub(crate) async fn load(tx: &TenantTx, products: Vec<Uuid>, subproducts: Vec<Uuid>) -> Result<Self> {
        let ids = Loaded::load(tx, [products.clone(), subproducts.clone()].concat()).await?;
        Ok(Self {
            product_ids: products.into_iter().map(|row| (row, ids.of(row))).collect(),
            size_ids: subproducts.iter().map(|row| (*row, ids.of(*row))).collect(),
            groups: store::groups(tx, subproducts.clone()).await?,
            components: components::of(tx, subproducts).await?,
        })
    }
}

/// The levels above a product.
pub(crate) struct Above<'a> {
    pub categories: &'a HashMap<Uuid, Category>,
    pub defaults: &'a RestaurantDefaults,
}

impl Above<'_> {
    fn levels(&self, row: &product::Model) -> Vec<(ValueOrigin, Own)> {
        let category = self.categories.get(&row.product_category_id.uuid());
        let parent =
            category.and_then(|category| category.parent_id).and_then(|id| self.categories.get(&id.uuid()));
        let above = [(ValueOrigin::Category, category), (ValueOrigin::ParentCategory, parent)];
        let above = above.into_iter().filter_map(|(origin, row)| row.map(|row| (origin, row.own())));
        std::iter::once((ValueOrigin::Product, row.own())).chain(above).collect()
    }

    /// A product with these sub-products, which stand in their order.
    pub(crate) fn answer(
        &self, row: product::Model, subproducts: &[subproduct::Model], links: &Links,
    ) -> Product {
        let mut levels = self.levels(&row);
        let own = effective(&levels, self.defaults);
        levels.insert(0, (ValueOrigin::Subproduct, Own::default()));
        let subproducts: Vec<Subproduct> = subproducts
            .iter()
            .map(|row| {
                levels[0].1 = row.own();
                self.subproduct(row, &levels, links)
            })
            .collect();
        Product {
            base_price: match subproducts.as_slice() {
                [only] => Some(only.price),
                _ => None,
            },
            subproducts,
            effective: own,
            own: row.inheritable(),
            id: row.id,
            product_category_id: row.product_category_id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            description: row.description,
            description_sec_lang: row.description_sec_lang,
            ranking: row.ranking,
            active: row.active,
            archived_at: row.archived_at,
            available_from: row.available_from,
            available_to: row.available_to,
            expected_at: row.expected_at,
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            pos_color_id: row.pos_color_id,
            ean_code: row.ean_code,
            ids: links.product_ids.get(&row.id.uuid()).cloned().unwrap_or_default(),
            image_id: row.image_id,
            image: None,
            version: row.version,
        }
    }

    fn subproduct(
        &self, row: &subproduct::Model, levels: &[(ValueOrigin, Own)], links: &Links,
    ) -> Subproduct {
        let groups = links.groups.get(&row.id.uuid()).cloned().unwrap_or_default();
        Subproduct {
            id: row.id,
            product_id: row.product_id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            price: SalePrice::shown(row.price, self.defaults.currency),
            active: row.active,
            ranking: row.ranking,
            own: row.inheritable(),
            option_group_ids: groups.iter().map(|group| group.id).collect(),
            option_groups: groups,
            allergenic_ids: row.allergenic_ids.iter().copied().map(Id::from_uuid).collect(),
            allergen_free: row.allergen_free,
            ean_code: row.ean_code.clone(),
            ids: links.size_ids.get(&row.id.uuid()).cloned().unwrap_or_default(),
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            ntak_quantity: row
                .ntak_quantity
                .map(|quantity| kernel::money::Quantity(quantity.value().normalize())),
            sellable_quantity: row.sellable_quantity,
            daily_quantity: row.daily_quantity,
            off_until: row.off_until,
            deposit_pieces: row.deposit_pieces,
            components: links.components.get(&row.id.uuid()).cloned().unwrap_or_default(),
            effective: effective(levels, self.defaults),
        }
    }

    /// These products, with four statements for all of them.
    pub(crate) async fn answers(
        &self, tx: &TenantTx, restaurant: Id<Restaurant>, products: Vec<product::Model>,
    ) -> Result<Vec<Product>> {
        let ids: Vec<Uuid> = products.iter().map(|row| row.id.uuid()).collect();
        let rows = store::subproducts(tx, restaurant, ids.clone()).await?;
        let links = Links::load(tx, ids, rows.iter().map(|row| row.id.uuid()).collect()).await?;
        let mut of: HashMap<Uuid, Vec<subproduct::Model>> = HashMap::new();
        for row in rows {
            of.entry(row.product_id.uuid()).or_default().push(row);
        }
        Ok(products
            .into_iter()
            .map(|row| {
                let subproducts = of.remove(&row.id.uuid()).unwrap_or_default();
                self.answer(row, &subproducts, &links)
            })
            .collect())
    }
}

/// Adds the addresses of the pictures, with one statement for all.
pub(crate) async fn pictured<'a, S: Scope, P>(
    scope: &In<S, P>, tx: &TenantTx, products: impl IntoIterator<Item = &'a mut Product>,
) -> Result<()> {
    let mut shown: Vec<&mut Product> =
        products.into_iter().filter(|product| product.image_id.is_some()).collect();
    let ids: Vec<Uuid> = shown.iter().filter_map(|product| product.image_id.map(Id::uuid)).collect();
    let found = pictures(tx, &scope.app().settings.objects.public_url, ids).await?;
    for product in &mut shown {
        product.image = product.image_id.and_then(|id| found.get(&id.uuid()).cloned());
    }
    Ok(())
}

/// Every product of the restaurant by category, in their order.
pub(crate) async fn by_category(
    tx: &TenantTx, restaurant: Id<Restaurant>, categories: &HashMap<Uuid, Category>,
    defaults: &RestaurantDefaults,
) -> Result<HashMap<Uuid, Vec<Product>>> {
    let products = rows::live::<product::Entity>(restaurant)?
        .order_by_asc(product::Column::Ranking)
        .order_by_asc(product::Column::Id)
        .all(tx)
        .await?;
    let mut found: HashMap<Uuid, Vec<Product>> = HashMap::new();
    for product in (Above { categories, defaults }).answers(tx, restaurant, products).await? {
        found.entry(product.product_category_id.uuid()).or_default().push(product);
    }
    Ok(found)
}

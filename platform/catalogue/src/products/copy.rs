//! The copy of a product.

use access::prelude::*;
use sea_orm::IntoActiveModel;
use uuid::Uuid;

use super::{
    Products, Subproducts, answer::Links, components, product, store, subproduct, types::ComponentRow,
};
use crate::{copy_name::copy_name, restaurant_defaults::RestaurantDefaults};

/// Copies a product with its sub-products, their groups and components, as the last of its category. The copy
/// is inactive, because nobody has looked at it yet; it has no EAN codes, which are of one article, no ids
/// in other systems, and nobody counts its pieces.
pub(super) async fn copy(tx: &TenantTx, original: product::Model) -> Result<product::Model> {
    let (restaurant, category) = (original.restaurant_id, original.product_category_id);
    let hungarian = RestaurantDefaults::load(tx, restaurant).await?.hungarian;
    let taken = store::names(tx, restaurant, category).await?;
    let sizes = store::subproducts(tx, restaurant, vec![original.id.uuid()]).await?;
    let of = sizes.iter().map(|size| size.id.uuid()).collect();
    let Links { groups, components: consisting, .. } = Links::load(tx, vec![], of).await?;
    let id: Id<Products> = Id::new();
    let second = original.name_sec_lang.as_deref();
    let row = product::Model {
        id,
        origin_id: id,
        name: copy_name(&original.name, hungarian.0, |name| taken.iter().any(|other| other == name)),
        name_sec_lang: second.map(|name| copy_name(name, hungarian.1, |_| false)),
        ranking: store::next_ranking(tx, restaurant, category).await?,
        active: false,
        ean_code: None,
        version: 1,
        ..original.clone()
    };
    let mut copies = Vec::with_capacity(sizes.len());
    let mut sets: Vec<(Id<Subproducts>, Vec<Uuid>)> = Vec::with_capacity(sizes.len());
    let mut menus: Vec<(Id<Subproducts>, Vec<ComponentRow>)> = Vec::new();
    for size in sizes {
        let new: Id<Subproducts> = Id::new();
        let of_size = groups.get(&size.id.uuid()).map_or(&[][..], Vec::as_slice);
        sets.push((new, of_size.iter().map(|group| group.id.uuid()).collect()));
        menus.extend(consisting.get(&size.id.uuid()).map(|components| (new, components.clone())));
        // A size that is called like its product goes on being called like it.
        let (name, name_sec_lang) = if size.name == original.name {
            (row.name.clone(), row.name_sec_lang.clone())
        } else {
            (size.name.clone(), size.name_sec_lang.clone())
        };
        let copy = subproduct::Model {
            id: new,
            origin_id: new,
            product_id: id,
            name,
            name_sec_lang,
            ean_code: None,
            sellable_quantity: None,
            daily_quantity: None,
            refill_at: None,
            off_until: None,
            quantity_version: 1,
            ..size
        };
        copies.push(copy.into_active_model().reset_all());
    }
    let row = row.into_active_model().reset_all().insert(tx).await?;
    subproduct::Entity::insert_many(copies).exec_without_returning(tx).await?;
    store::set_groups(tx, restaurant, &sets).await?;
    components::set(tx, restaurant, &menus).await?;
    Ok(row)
}

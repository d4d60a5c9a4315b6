//! Rows of the four levels as one sellable item with all inherited values. Menu and orders both use it, so
//! they cannot disagree.

use kernel::time::Timestamp;
use pricing::{Component, Item, ItemOption, OptionGroup};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    effective::{Own, ValueOrigin, effective, visibility},
    flags::{Inheritable, Ntak, Visible},
    price::SalePrice,
    product_categories::entity::TimeRanges,
    restaurant_defaults::RestaurantDefaults,
};

#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct CategoryPart {
    pub origin_id: Uuid,
    pub active: bool,
    #[sea_orm(nested)]
    pub own: Inheritable,
    pub available_from: Option<Timestamp>,
    pub available_to: Option<Timestamp>,
    pub expected_at: Option<Timestamp>,
    pub time_ranges: Option<TimeRanges>,
}

#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct ProductPart {
    pub active: bool,
    #[sea_orm(nested)]
    pub own: Inheritable,
    pub available_from: Option<Timestamp>,
    pub available_to: Option<Timestamp>,
    pub expected_at: Option<Timestamp>,
}

/// The values of the sub-product itself.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct SubproductPart {
    pub origin_id: Uuid,
    pub active: bool,
    #[sea_orm(nested)]
    pub own: Inheritable,
    pub price: kernel::money::Money,
    pub sellable_quantity: Option<i32>,
    pub option_group_ids: Vec<Uuid>,
    pub deposit_pieces: i32,
    /// What it consists of, in order.
    pub component_ids: Vec<Uuid>,
    pub component_pieces: Vec<i32>,
}

/// A number of pieces as prices take it.
pub(crate) fn pieces(number: i32) -> u16 {
    u16::try_from(number).unwrap_or_default()
}

/// The item; `above` is its category, then the parent category where there is one.
pub(crate) fn item(
    subproduct: SubproductPart, product: &ProductPart, above: &[&CategoryPart], defaults: &RestaurantDefaults,
) -> Item {
    let categories = [ValueOrigin::Category, ValueOrigin::ParentCategory]
        .into_iter()
        .zip(above.iter().map(|category| category.own));
    // Nothing of an item depends on the tax report's fields.
    let levels: Vec<_> = [(ValueOrigin::Subproduct, subproduct.own), (ValueOrigin::Product, product.own)]
        .into_iter()
        .chain(categories)
        .map(|(origin, inheritable)| (origin, Own { inheritable, ntak: Ntak::default() }))
        .collect();
    let values = effective(&levels, defaults);
    let all = |own: Option<Timestamp>, of: fn(&CategoryPart) -> Option<Timestamp>| {
        own.into_iter().chain(above.iter().filter_map(move |part| of(part)))
    };
    Item {
        price: SalePrice::shown(subproduct.price, defaults.currency).0,
        vat: values.vat.percent,
        sit_in_vat: Some(values.sit_in_vat.percent),
        visible: values.visibility(),
        active: subproduct.active && product.active && above.iter().all(|category| category.active),
        available_from: all(product.available_from, |part| part.available_from).max(),
        available_to: all(product.available_to, |part| part.available_to).min(),
        published_at: all(product.expected_at, |part| part.expected_at).max(),
        time_ranges: above
            .iter()
            .filter_map(|category| category.time_ranges.as_ref())
            .filter(|ranges| !ranges.0.is_empty())
            .map(|ranges| ranges.0.clone())
            .collect(),
        sellable_quantity: subproduct.sellable_quantity,
        service_fee: values.has_tip.value,
        option_group_ids: subproduct.option_group_ids,
        origin_id: subproduct.origin_id,
        category_ids: above.iter().map(|category| category.origin_id).collect(),
        components: subproduct
            .component_ids
            .into_iter()
            .zip(subproduct.component_pieces)
            .map(|(subproduct_id, count)| Component { subproduct_id, pieces: pieces(count) })
            .collect(),
        deposit_pieces: pieces(subproduct.deposit_pieces),
    }
}

/// An option as its row says.
pub(crate) struct OptionOf {
    pub id: Uuid,
    pub price: SalePrice,
    /// The size that it stands for, with how many pieces of it.
    pub size: Option<(Uuid, i32)>,
    pub active: bool,
    /// Its own visibility, then that of its group.
    pub visible: [Visible; 2],
}

/// The option as prices and reasons take it.
pub(crate) fn item_option(row: OptionOf) -> ItemOption {
    let size = row.size.map(|(subproduct_id, count)| Component { subproduct_id, pieces: pieces(count) });
    ItemOption { id: row.id, price: row.price.0, size, active: row.active, visible: visibility(&row.visible) }
}

/// The group as prices and reasons take it; `limits` are its fewest and most options.
pub(crate) fn option_group(
    active: bool, visible: Visible, limits: (i32, i32), options: Vec<ItemOption>,
) -> OptionGroup {
    OptionGroup {
        active,
        visible: visibility(&[visible]),
        min_no_options: limits.0,
        max_no_options: limits.1,
        options,
    }
}

#[cfg(test)]
mod tests {
    use kernel::{
        money::{Currency, Money, Percent},
        time::TimeRange,
    };
    use rust_decimal::Decimal;

    use super::*;

    fn defaults() -> RestaurantDefaults {
        let id = |n| kernel::Id::from_uuid(Uuid::from_u128(n));
        let vats = [
            (Uuid::from_u128(27), Percent(Decimal::from(27))),
            (Uuid::from_u128(5), Percent(Decimal::from(5))),
        ]
        .into();
        RestaurantDefaults {
            vat_id: id(27),
            sit_in_vat_id: Some(id(5)),
            ntak_category: None,
            ntak_unit: None,
            currency: Currency::Huf,
            hungarian: (true, false),
            vats,
        }
    }

    fn category() -> CategoryPart {
        CategoryPart {
            origin_id: Uuid::nil(),
            active: true,
            own: Inheritable::default(),
            available_from: None,
            available_to: None,
            expected_at: None,
            time_ranges: None,
        }
    }

    fn product() -> ProductPart {
        ProductPart {
            active: true,
            own: Inheritable::default(),
            available_from: None,
            available_to: None,
            expected_at: None,
        }
    }

    fn subproduct() -> SubproductPart {
        SubproductPart {
            origin_id: Uuid::nil(),
            active: true,
            own: Inheritable::default(),
            price: "1990.00".parse().unwrap(),
            sellable_quantity: None,
            option_group_ids: vec![],
            deposit_pieces: 1,
            component_ids: vec![Uuid::from_u128(7), Uuid::from_u128(8)],
            component_pieces: vec![1, 2],
        }
    }

    #[test]
    fn one_inactive_level_is_enough() {
        let off = CategoryPart { active: false, ..category() };
        let on = category();
        assert!(item(subproduct(), &product(), &[&on, &on], &defaults()).active);
        assert!(
            !item(SubproductPart { active: false, ..subproduct() }, &product(), &[&on], &defaults()).active
        );
        assert!(!item(subproduct(), &ProductPart { active: false, ..product() }, &[&on], &defaults()).active);
        assert!(!item(subproduct(), &product(), &[&off], &defaults()).active);
        assert!(!item(subproduct(), &product(), &[&on, &off], &defaults()).active);
    }

    #[test]
    fn the_narrowest_window_holds_and_every_list_of_ranges() {
        let at = |day: u32| Some(format!("2026-05-{day:02}T10:00:00Z").parse().unwrap());
        let ranges = Some(TimeRanges(vec![TimeRange {
            day: kernel::time::RangeDay::EveryDay,
            from: "11:00".parse().unwrap(),
            till: "15:00".parse().unwrap(),
        }]));
        let parent = CategoryPart {
            available_from: at(3),
            available_to: at(20),
            expected_at: at(1),
            time_ranges: ranges.clone(),
            ..category()
        };
        let own = CategoryPart { available_from: at(2), time_ranges: ranges, ..category() };
        let product = ProductPart { available_to: at(25), expected_at: at(2), ..product() };
        let item = item(subproduct(), &product, &[&own, &parent], &defaults());
        assert_eq!((item.available_from, item.available_to, item.published_at), (at(3), at(20), at(2)));
        assert_eq!(item.time_ranges.len(), 2);
    }

    #[test]
    fn values_of_nobody_are_the_restaurants() {
        let item = item(subproduct(), &product(), &[&category()], &defaults());
        assert_eq!(item.vat, Percent(Decimal::from(27)));
        assert_eq!(item.sit_in_vat, Some(Percent(Decimal::from(5))));
        assert_eq!(item.service_fee, None);
        assert_eq!(item.visible, pricing::Visibility::ALL);
        assert_eq!(item.price, Money::from(1990));
        assert_eq!(item.price.to_string(), "1990");
    }

    #[test]
    fn components_deposits_and_what_promotions_name() {
        let (own, parent) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let above = [own, parent].map(|origin_id| CategoryPart { origin_id, ..category() });
        let size = SubproductPart { origin_id: Uuid::from_u128(3), ..subproduct() };
        let item = item(size, &product(), &[&above[0], &above[1]], &defaults());
        assert_eq!((item.origin_id, item.category_ids), (Uuid::from_u128(3), vec![own, parent]));
        let component = |id, pieces| Component { subproduct_id: Uuid::from_u128(id), pieces };
        assert_eq!((item.components, item.deposit_pieces), (vec![component(7, 1), component(8, 2)], 1));
    }
}

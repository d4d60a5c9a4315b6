//! The part of the catalogue that an order refers to, in two statements: sub-products with inherited values,
//! and their option groups with options.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use kernel::money::{Currency, Money};
use pricing::{Catalogue, ItemOption, OptionGroup};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    effective::visibility,
    flags::{Inheritable, Visible},
    fold::fold,
    price::SalePrice,
    resolve::{CategoryPart, ProductPart, SubproductPart, item},
    restaurant_defaults::{self, DefaultsRow, RestaurantDefaults},
};

/// Pricing data of some sub-products, and the names that an order copies.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// For `pricing`: with everything inherited resolved, VAT as percents.
    pub catalogue: Catalogue,
    /// Names by sub-product.
    pub item_names: HashMap<Uuid, ItemNames>,
    /// Names by option.
    pub option_names: HashMap<Uuid, OptionNames>,
}

/// The names of a sub-product and its product, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct ItemNames {
    /// The product.
    pub product_id: Uuid,
    /// Its category.
    pub product_category_id: Uuid,
    /// The product's name.
    pub product: String,
    /// In the second language.
    pub product_sec_lang: Option<String>,
    /// The sub-product's name.
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

/// The name under which a sub-product is ordered, and the same in the second language where one of the names is
/// written in it: the product's name, and the sub-product's where that says more. It says nothing more when the
/// sub-product is the only one (`alone`), or is called like its product, case, accents and blanks aside. What is
/// left out in the first language is left out in the second too.
#[must_use]
pub fn ordered_name(
    product: (&str, Option<&str>),
    subproduct: (&str, Option<&str>),
    alone: bool,
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
    /// The group.
    pub option_group_id: Uuid,
    /// The option's name.
    pub option: String,
    /// In the second language.
    pub option_sec_lang: Option<String>,
    /// The group's name.
    pub group: String,
    /// In the second language.
    pub group_sec_lang: Option<String>,
}

/// Columns of a table, each under its name after `prefix`.
fn columns(table: &str, prefix: &str, names: &[&[&str]]) -> String {
    names.concat().iter().map(|name| format!("{table}.{name} {prefix}{name}")).collect::<Vec<_>>().join(", ")
}

/// A sub-product with all that it inherits from, and its names. What it says of the tax report is not read:
/// nothing of an order depends on it.
#[derive(FromQueryResult)]
struct ItemRow {
    id: Uuid,
    #[sea_orm(nested)]
    names: ItemNames,
    #[sea_orm(nested(prefix = "s_"))]
    subproduct: SubproductPart,
    #[sea_orm(nested(prefix = "p_"))]
    product: ProductPart,
    #[sea_orm(nested(prefix = "c_"))]
    category: CategoryPart,
    #[sea_orm(nested(prefix = "k_"))]
    parent: Option<CategoryPart>,
    #[sea_orm(nested)]
    defaults: DefaultsRow,
}

/// One row per sub-product: s itself, p its product, c the category, k the parent category, r the restaurant.
/// Archived rows are not found; what is not found counts as inactive.
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let times: &[&str] = &["available_from", "available_to", "expected_at"];
    let (active, ranges): (&[&str], &[&str]) = (&["active"], &["origin_id", "time_ranges"]);
    let own = Inheritable::COLUMNS;
    format!(
        "select s.id, s.product_id, p.product_category_id, p.name product, p.name_sec_lang \
            product_sec_lang, s.name subproduct, s.name_sec_lang subproduct_sec_lang, \
            not exists (select from subproduct o where o.product_id = s.product_id and o.id <> s.id and \
            o.archived_at is null) alone, \
            s.origin_id s_origin_id, s.price s_price, s.sellable_quantity s_sellable_quantity, \
            array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = s.id order \
            by l.ranking) s_option_group_ids, \
            {}, {}, {}, {}, {} \
        from subproduct s join product p on p.id = s.product_id join product_category c on c.id = \
        p.product_category_id \
        left join product_category k on k.id = c.parent_id join restaurant_facts r on r.id = s.restaurant_id \
        where s.restaurant_id = $1 and s.id = any ($2) and s.archived_at is null and p.archived_at is null \
        and c.archived_at is null",
        columns("s", "s_", &[active, own]),
        columns("p", "p_", &[active, own, times]),
        columns("c", "c_", &[active, own, times, ranges]),
        columns("k", "k_", &[active, own, times, ranges]),
        restaurant_defaults::COLUMNS,
    )
});

/// An option of a group, or a group without options.
#[derive(FromQueryResult)]
struct OptionRow {
    group_id: Uuid,
    group_name: String,
    group_name_sec_lang: Option<String>,
    min_no_options: i32,
    max_no_options: i32,
    g_active: bool,
    #[sea_orm(nested(prefix = "g_"))]
    group_visible: Visible,
    #[sea_orm(nested(prefix = "o_"))]
    option: Option<OptionPart>,
}

/// What an option says.
#[derive(FromQueryResult)]
struct OptionPart {
    id: Uuid,
    name: String,
    name_sec_lang: Option<String>,
    price: Money,
    active: bool,
    #[sea_orm(nested)]
    visible: Visible,
}

/// One row per option of the groups of these sub-products; a group without options has one row without an
/// option.
static GROUPS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select g.id group_id, g.name group_name, g.name_sec_lang group_name_sec_lang, g.min_no_options, \
            g.max_no_options, {}, {} \
        from option_group g left join option o on o.option_group_id = g.id and o.archived_at is null \
        where g.restaurant_id = $1 and g.archived_at is null \
        and g.id in (select l.option_group_id from subproduct_option_group l where l.subproduct_id = any \
        ($2)) \
        order by g.id, o.ranking, o.id",
        columns("g", "g_", &[&["active"], Visible::COLUMNS]),
        columns("o", "o_", &[&["id", "name", "name_sec_lang", "price", "active"], Visible::COLUMNS]),
    )
});

/// The data of these sub-products of a restaurant. Those that do not exist, are archived or belong to another
/// restaurant are left out: pricing then says that they are inactive.
///
/// # Errors
/// What the database says.
pub async fn snapshot(tx: &TenantTx, restaurant: Id<Restaurant>, subproducts: &[Uuid]) -> Result<Snapshot> {
    let mut found = Snapshot::default();
    let ids = subproducts.to_vec();
    let rows: Vec<ItemRow> = tx.all(ITEMS.as_str(), [restaurant.into(), ids.clone().into()]).await?;
    let mut currency = None;
    for row in rows {
        let ItemRow { id, names, subproduct, product, category, parent, defaults } = row;
        let above: Vec<&CategoryPart> = std::iter::once(&category).chain(&parent).collect();
        let defaults = RestaurantDefaults::from(defaults);
        found.catalogue.items.insert(id, item(subproduct, &product, &above, &defaults));
        found.item_names.insert(id, names);
        currency = Some(defaults.currency);
    }
    let with_options = found.catalogue.items.values().any(|item| !item.option_group_ids.is_empty());
    if let Some(currency) = currency.filter(|_| with_options) {
        let rows = tx.all(GROUPS.as_str(), [restaurant.into(), ids.into()]).await?;
        add_groups(rows, currency, &mut found);
    }
    Ok(found)
}

fn add_groups(rows: Vec<OptionRow>, currency: Currency, found: &mut Snapshot) {
    for row in rows {
        let group = found.catalogue.option_groups.entry(row.group_id).or_insert_with(|| OptionGroup {
            active: row.g_active,
            visible: visibility(&[row.group_visible]),
            min_no_options: row.min_no_options,
            max_no_options: row.max_no_options,
            options: Vec::new(),
        });
        let Some(option) = row.option else { continue };
        group.options.push(ItemOption {
            id: option.id,
            price: SalePrice::shown(option.price, currency).0,
            size: None,
            active: option.active,
            visible: visibility(&[option.visible, row.group_visible]),
        });
        let names = OptionNames {
            option_group_id: row.group_id,
            option: option.name,
            option_sec_lang: option.name_sec_lang,
            group: row.group_name,
            group_sec_lang: row.group_name_sec_lang,
        };
        found.option_names.insert(option.id, names);
    }
}

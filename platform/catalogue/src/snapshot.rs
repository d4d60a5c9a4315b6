//! The part of the catalogue that an order refers to, in two statements: sub-products with inherited values,
//! and their option groups with options.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use kernel::{
    ids::NtakCategories,
    money::{Currency, Money, Quantity},
    setting::NtakQuantityUnit,
};
use pricing::{Catalogue, Component, ItemOption, OptionGroup};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    effective::visibility,
    flags::{Inheritable, Visible},
    fold::fold,
    price::SalePrice,
    resolve::{CategoryPart, ProductPart, SubproductPart, item, pieces},
    restaurant_defaults::{self, DefaultsRow, RestaurantDefaults},
};

/// What a cart refers to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The sub-products of its lines.
    pub subproducts: &'a [Uuid],
    /// The options of its lines.
    pub options: &'a [Uuid],
    /// What promotions may give.
    pub gifts: &'a [Uuid],
}

/// Pricing data of some sub-products, and the names that an order copies.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// For `pricing`: with everything inherited resolved, VAT as percents.
    pub catalogue: Catalogue,
    /// Names by sub-product.
    pub item_names: HashMap<Uuid, ItemNames>,
    /// Names by option.
    pub option_names: HashMap<Uuid, OptionNames>,
    /// What the tax report wants to know, by sub-product.
    pub tax: HashMap<Uuid, TaxFields>,
}

/// The fields of the tax report as they are effective; empty where no level has set one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaxFields {
    /// Its category.
    pub category_id: Option<Id<NtakCategories>>,
    /// Its unit.
    pub unit: Option<NtakQuantityUnit>,
    /// How much one piece is in that unit.
    pub quantity: Option<Quantity>,
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

/// The name under which a sub-product is ordered, and the same in the second language where one of the names
/// is written in it: the product's name, and the sub-product's where that says more. It says nothing more
/// when the sub-product is the only one (`alone`), or is called like its product, case, accents and blanks
/// aside. What is left out in the first language is left out in the second too.
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

/// A sub-product with all that it inherits from, and its names.
#[derive(FromQueryResult)]
struct ItemRow {
    id: Uuid,
    /// Neither it nor its product or category is archived; a component may be.
    live: bool,
    ntak_category_id: Option<Id<NtakCategories>>,
    ntak_quantity_unit: Option<NtakQuantityUnit>,
    ntak_quantity: Option<Quantity>,
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
/// Those of lines ($2) and gifts ($4) are not found when they are archived; what is not found counts as
/// inactive. Their components, and what the options ($3) stand for, are found in any case: they are parts of a
/// price.
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let times: &[&str] = &["available_from", "available_to", "expected_at"];
    let (active, ranges): (&[&str], &[&str]) = (&["active"], &["time_ranges"]);
    let (origin, own_only): (&[&str], &[&str]) =
        (&["origin_id"], &["price", "sellable_quantity", "deposit_pieces"]);
    let own = Inheritable::COLUMNS;
    format!(
        "with listed as (select unnest($2::uuid[] || $4::uuid[]) id), \
        wanted as (select id, true listed from listed \
            union select l.component_id, false from subproduct_component l join listed w on \
            w.id = l.subproduct_id \
            union select o.subproduct_id, false from option o where o.id = any ($3) and o.subproduct_id is \
            not null), \
        one as (select id, bool_or(listed) listed from wanted group by id) \
        select s.id, s.archived_at is null and p.archived_at is null and c.archived_at is null live, \
            coalesce(s.ntak_category_id, c.ntak_category_id, k.ntak_category_id) ntak_category_id, \
            coalesce(s.ntak_quantity_unit, c.ntak_quantity_unit, k.ntak_quantity_unit, \
            r.ntak_quantity_unit) ntak_quantity_unit, s.ntak_quantity, s.product_id, p.product_category_id, p.name product, p.name_sec_lang \
            product_sec_lang, s.name subproduct, s.name_sec_lang subproduct_sec_lang, \
            not exists (select from subproduct o where o.product_id = s.product_id and o.id <> s.id and \
            o.archived_at is null) alone, \
            array(select l.component_id from subproduct_component l where l.subproduct_id = s.id \
            order by l.ranking, l.component_id) s_component_ids, \
            array(select l.pieces from subproduct_component l where l.subproduct_id = s.id \
            order by l.ranking, l.component_id) s_component_pieces, \
            array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = s.id order \
            by l.ranking) s_option_group_ids, \
            {}, {}, {}, {}, {} \
        from one w join subproduct s on s.id = w.id join product p on p.id = s.product_id \
        join product_category c on c.id = p.product_category_id \
        left join product_category k on k.id = c.parent_id join restaurant_facts r on r.id = s.restaurant_id \
        where s.restaurant_id = $1 and (not w.listed or s.archived_at is null and p.archived_at is null \
        and c.archived_at is null)",
        columns("s", "s_", &[origin, active, own, own_only]),
        columns("p", "p_", &[active, own, times]),
        columns("c", "c_", &[origin, active, own, times, ranges]),
        columns("k", "k_", &[origin, active, own, times, ranges]),
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
    subproduct_id: Option<Uuid>,
    subproduct_pieces: i32,
    #[sea_orm(nested)]
    visible: Visible,
}

/// One row per option of the groups of these sub-products; a group without options has one row without an
/// option.
static GROUPS: LazyLock<String> = LazyLock::new(|| {
    let option: &[&str] =
        &["id", "name", "name_sec_lang", "price", "active", "subproduct_id", "subproduct_pieces"];
    format!(
        "select g.id group_id, g.name group_name, g.name_sec_lang group_name_sec_lang, g.min_no_options, \
            g.max_no_options, {}, {} \
        from option_group g left join option o on o.option_group_id = g.id and o.archived_at is null \
        where g.restaurant_id = $1 and g.archived_at is null \
        and g.id in (select l.option_group_id from subproduct_option_group l where l.subproduct_id = any \
        ($2)) \
        order by g.id, o.ranking, o.id",
        columns("g", "g_", &[&["active"], Visible::COLUMNS]),
        columns("o", "o_", &[option, Visible::COLUMNS]),
    )
});

/// The data of what a cart refers to, and of what that consists of. Sub-products that do not exist, are archived
/// or belong to another restaurant are left out: pricing then says that they are inactive.
///
/// # Errors
/// What the database says.
pub async fn snapshot(tx: &TenantTx, restaurant: Id<Restaurant>, wanted: Wanted<'_>) -> Result<Snapshot> {
    let mut found = Snapshot::default();
    let ids = wanted.subproducts.to_vec();
    let values =
        [restaurant.into(), ids.clone().into(), wanted.options.to_vec().into(), wanted.gifts.to_vec().into()];
    let rows: Vec<ItemRow> = tx.all(ITEMS.as_str(), values).await?;
    let mut currency = None;
    for row in rows {
        let ItemRow { id, live, names, subproduct, product, category, parent, defaults, .. } = row;
        let tax = TaxFields {
            category_id: row.ntak_category_id,
            unit: row.ntak_quantity_unit,
            quantity: row.ntak_quantity.map(|quantity| Quantity(quantity.value().normalize())),
        };
        found.tax.insert(id, tax);
        let subproduct = SubproductPart { active: subproduct.active && live, ..subproduct };
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
            size: option
                .subproduct_id
                .map(|subproduct_id| Component { subproduct_id, pieces: pieces(option.subproduct_pieces) }),
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

//! The part of the catalogue that an order refers to, in two statements: sub-products with inherited values,
//! and their option groups with options.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::Money;
use pricing::{Catalogue, Item, ItemOption, OptionGroup};
use sea_orm::QueryResult;
use uuid::Uuid;

use crate::{
    effective::{Own, visibility},
    flags::{Inheritable, Ntak, Visible},
    house::{House, vats},
    price::SalePrice,
    product_categories::entity::TimeRanges,
    resolve::{CategoryPart, ProductPart, SubproductPart, item},
};

/// What pricing needs to know of some sub-products, and the names that an order copies.
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

impl ItemNames {
    /// Both names in one line; a sub-product that is called like its product adds nothing.
    #[must_use]
    pub fn full(&self) -> String {
        if self.product == self.subproduct {
            self.product.clone()
        } else {
            format!("{} – {}", self.product, self.subproduct)
        }
    }
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

/// Columns of the own visibility of a table, each with a prefix.
macro_rules! visible_columns {
    ($table:literal) => {
        concat!(
            $table,
            ".visible_online ",
            $table,
            "_visible_online, ",
            $table,
            ".visible_sit_in ",
            $table,
            "_visible_sit_in, ",
            $table,
            ".visible_phone ",
            $table,
            "_visible_phone, ",
            $table,
            ".visible_kiosk_sit_in ",
            $table,
            "_visible_kiosk_sit_in, ",
            $table,
            ".visible_kiosk_take_away ",
            $table,
            "_visible_kiosk_take_away, ",
            $table,
            ".active ",
            $table,
            "_active"
        )
    };
}

/// Columns of what a level of the product tree says, each with a prefix.
macro_rules! own_columns {
    ($table:literal) => {
        concat!(
            visible_columns!($table),
            ", ",
            $table,
            ".vat_id ",
            $table,
            "_vat_id, ",
            $table,
            ".sit_in_vat_id ",
            $table,
            "_sit_in_vat_id, ",
            $table,
            ".has_tip ",
            $table,
            "_has_tip"
        )
    };
}

/// Columns of the times of a level, each with a prefix.
macro_rules! time_columns {
    ($table:literal) => {
        concat!(
            $table,
            ".available_from ",
            $table,
            "_available_from, ",
            $table,
            ".available_to ",
            $table,
            "_available_to, ",
            $table,
            ".expected_at ",
            $table,
            "_expected_at"
        )
    };
}

/// One row per sub-product: s itself, p its product, c the category, k the parent category, r the restaurant.
/// Archived rows are not found; what is not found counts as inactive.
const ITEMS: &str = concat!(
    "select s.id, s.product_id, p.product_category_id, p.name product_name, p.name_sec_lang \
     product_name_sec_lang, s.name, s.name_sec_lang, \
     s.price, s.sellable_quantity, k.id parent_id, c.time_ranges c_time_ranges, k.time_ranges k_time_ranges, ",
    own_columns!("s"),
    ", ",
    own_columns!("p"),
    ", ",
    own_columns!("c"),
    ", ",
    own_columns!("k"),
    ", ",
    time_columns!("p"),
    ", ",
    time_columns!("c"),
    ", ",
    time_columns!("k"),
    ", \
     array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = s.id order by \
     l.ranking) group_ids, \
     r.vat_id, r.sit_in_vat_id, r.currency, r.primary_language, r.secondary_language, \
     array(select id from ref.vat order by id) vats, array(select percent from ref.vat order by id) percents \
     from subproduct s join product p on p.id = s.product_id join product_category c on c.id = \
     p.product_category_id \
     left join product_category k on k.id = c.parent_id join restaurant_facts r on r.id = s.restaurant_id \
     where s.restaurant_id = $1 and s.id = any ($2) and s.archived_at is null and p.archived_at is null and \
     c.archived_at is null"
);

/// One row per option of the groups of these sub-products; a group without options has one row without an
/// option.
const GROUPS: &str = concat!(
    "select g.id group_id, g.name group_name, g.name_sec_lang group_name_sec_lang, g.min_no_options, \
     g.max_no_options, \
     o.id option_id, o.name, o.name_sec_lang, o.price, ",
    visible_columns!("g"),
    ", ",
    visible_columns!("o"),
    " from option_group g left join option o on o.option_group_id = g.id and o.archived_at is null \
     where g.restaurant_id = $1 and g.archived_at is null \
       and g.id in (select l.option_group_id from subproduct_option_group l where l.subproduct_id = any \
       ($2)) \
     order by g.id, o.ranking, o.id"
);

fn read_visible(row: &QueryResult, prefix: &str) -> Result<Visible> {
    Ok(Visible {
        visible_online: row.try_get(prefix, "visible_online")?,
        visible_sit_in: row.try_get(prefix, "visible_sit_in")?,
        visible_phone: row.try_get(prefix, "visible_phone")?,
        visible_kiosk_sit_in: row.try_get(prefix, "visible_kiosk_sit_in")?,
        visible_kiosk_take_away: row.try_get(prefix, "visible_kiosk_take_away")?,
    })
}

fn read_own(row: &QueryResult, prefix: &str) -> Result<Own> {
    let inheritable = Inheritable {
        vat_id: row.try_get(prefix, "vat_id")?,
        sit_in_vat_id: row.try_get(prefix, "sit_in_vat_id")?,
        has_tip: row.try_get(prefix, "has_tip")?,
        visible: read_visible(row, prefix)?,
    };
    // Prices do not depend on the tax report.
    Ok(Own { inheritable, ntak: Ntak::default() })
}

fn read_category(row: &QueryResult, prefix: &str) -> Result<CategoryPart> {
    Ok(CategoryPart {
        active: row.try_get(prefix, "active")?,
        own: read_own(row, prefix)?,
        available_from: row.try_get(prefix, "available_from")?,
        available_to: row.try_get(prefix, "available_to")?,
        expected_at: row.try_get(prefix, "expected_at")?,
        time_ranges: row.try_get::<Option<TimeRanges>>(prefix, "time_ranges")?.unwrap_or_default().0,
    })
}

fn read_item(row: &QueryResult, house: &House) -> Result<Item> {
    let subproduct = SubproductPart {
        active: row.try_get("s_", "active")?,
        own: read_own(row, "s_")?,
        price: row.try_get("", "price")?,
        sellable_quantity: row.try_get("", "sellable_quantity")?,
        option_group_ids: row.try_get("", "group_ids")?,
    };
    let product = ProductPart {
        active: row.try_get("p_", "active")?,
        own: read_own(row, "p_")?,
        available_from: row.try_get("p_", "available_from")?,
        available_to: row.try_get("p_", "available_to")?,
        expected_at: row.try_get("p_", "expected_at")?,
    };
    let category = read_category(row, "c_")?;
    let parent = match row.try_get::<Option<Uuid>>("", "parent_id")? {
        Some(_) => Some(read_category(row, "k_")?),
        None => None,
    };
    let above: Vec<&CategoryPart> = std::iter::once(&category).chain(&parent).collect();
    Ok(item(subproduct, &product, &above, house))
}

fn read_house(row: &QueryResult) -> Result<House> {
    Ok(House {
        vat_id: row.try_get("", "vat_id")?,
        sit_in_vat_id: row.try_get("", "sit_in_vat_id")?,
        // What is tax reported is no matter of an order yet.
        ntak_unit: None,
        currency: row.try_get("", "currency")?,
        hungarian: (true, false),
        vats: vats(row)?,
    })
}

/// What is known of these sub-products of a restaurant. Those that do not exist, are archived or belong to
/// another restaurant are left out: pricing then says that they are inactive.
///
/// # Errors
/// What the database says.
pub async fn snapshot(tx: &TenantTx, restaurant: Id<Restaurant>, subproducts: &[Uuid]) -> Result<Snapshot> {
    let mut found = Snapshot::default();
    let ids = subproducts.to_vec();
    let rows = tx.rows(ITEMS, [restaurant.into(), ids.clone().into()]).await?;
    let Some(first) = rows.first() else {
        return Ok(found);
    };
    let house = read_house(first)?;
    for row in &rows {
        let id: Uuid = row.try_get("", "id")?;
        found.catalogue.items.insert(id, read_item(row, &house)?);
        let names = ItemNames {
            product_id: row.try_get("", "product_id")?,
            product_category_id: row.try_get("", "product_category_id")?,
            product: row.try_get("", "product_name")?,
            product_sec_lang: row.try_get("", "product_name_sec_lang")?,
            subproduct: row.try_get("", "name")?,
            subproduct_sec_lang: row.try_get("", "name_sec_lang")?,
        };
        found.item_names.insert(id, names);
    }
    if found.catalogue.items.values().any(|item| !item.option_group_ids.is_empty()) {
        read_groups(&tx.rows(GROUPS, [restaurant.into(), ids.into()]).await?, &house, &mut found)?;
    }
    Ok(found)
}

fn read_groups(rows: &[QueryResult], house: &House, found: &mut Snapshot) -> Result<()> {
    for row in rows {
        let id: Uuid = row.try_get("", "group_id")?;
        let of_group = read_visible(row, "g_")?;
        let group = match found.catalogue.option_groups.entry(id) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(OptionGroup {
                active: row.try_get("g_", "active")?,
                visible: visibility(&[of_group]),
                min_no_options: row.try_get("", "min_no_options")?,
                max_no_options: row.try_get("", "max_no_options")?,
                options: Vec::new(),
            }),
        };
        let Some(option) = row.try_get::<Option<Uuid>>("", "option_id")? else {
            continue;
        };
        group.options.push(ItemOption {
            id: option,
            price: SalePrice::shown(row.try_get::<Money>("", "price")?, house.currency).0,
            active: row.try_get("o_", "active")?,
            visible: visibility(&[read_visible(row, "o_")?, of_group]),
        });
        let names = OptionNames {
            option_group_id: id,
            option: row.try_get("", "name")?,
            option_sec_lang: row.try_get("", "name_sec_lang")?,
            group: row.try_get("", "group_name")?,
            group_sec_lang: row.try_get("", "group_name_sec_lang")?,
        };
        found.option_names.insert(option, names);
    }
    Ok(())
}

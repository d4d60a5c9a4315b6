//! A whole menu, read with one statement per table.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use kernel::{money::Currency, setting::NtakQuantityUnit};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Allergen, CategoryRow, NtakCategoryRow, OptionGroupRow, OptionRow, ProductRow, SubproductRow};
use crate::restaurant_defaults::percents;

/// The menu that is there, and what its rows may refer to.
#[derive(Debug, Default)]
pub struct Menu {
    pub categories: HashMap<Uuid, CategoryRow>,
    pub products: HashMap<Uuid, ProductRow>,
    pub subproducts: HashMap<Uuid, Vec<SubproductRow>>,
    pub option_groups: HashMap<Uuid, OptionGroupRow>,
    pub options: HashMap<Uuid, Vec<OptionRow>>,
    /// The restaurant's rate, which every level inherits.
    pub vat_id: Uuid,
    /// The same for sitting in; none where an item's own rate holds there too.
    pub sit_in_vat_id: Option<Uuid>,
    pub currency: Currency,
    pub percents: HashMap<Uuid, Decimal>,
    pub archived_vats: HashSet<Uuid>,
    pub allergens: HashMap<Uuid, Allergen>,
    /// Categories of the tax report by id, also those that cannot be chosen.
    pub ntak_categories: HashMap<Uuid, NtakCategoryRow>,
    /// The restaurant's category of the tax report, which every level inherits.
    pub ntak_category_id: Option<Uuid>,
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// The version of what guests see, read before everything else.
    pub catalogue_version: i64,
}

/// What a bulk change needs of the restaurant.
#[derive(FromQueryResult)]
struct Settings {
    vat_id: Uuid,
    sit_in_vat_id: Option<Uuid>,
    currency: Currency,
    catalogue_version: i64,
    vats: Vec<Uuid>,
    percents: Vec<Decimal>,
    archived_vats: Vec<Uuid>,
    ntak_category_id: Option<Uuid>,
    ntak_quantity_unit: Option<NtakQuantityUnit>,
}

const SETTINGS: &str = "select vat_id, sit_in_vat_id, currency, catalogue_version, \
     array(select id from ref.vat order by id) vats, array(select percent from ref.vat order by id) percents, \
     array(select id from ref.vat where archived_at is not null) archived_vats, \
     ntak_category_id, ntak_quantity_unit \
     from restaurant_facts where id = $1";
const ALLERGENS: &str = "select id, code, name, name_en, ranking from ref.allergen";
const NTAK_CATEGORIES: &str = "select id, main_category, main_category_name, main_category_name_en, \
    sub_category, sub_category_name, sub_category_name_en, \
    ref.ntak_valid(valid_from, valid_until, $1) valid from ref.ntak_category";
const CATEGORIES: &str = "select id, parent_id, name, name_sec_lang, ranking, vat_id, sit_in_vat_id, \
    ntak_category_id, ntak_quantity_unit, version from product_category \
     where restaurant_id = $1 and archived_at is null";
const PRODUCTS: &str = "select id, product_category_id, name, name_sec_lang, description, \
    description_sec_lang, ranking, active, vat_id, sit_in_vat_id, \
     ntak_category_id, ntak_quantity_unit, ean_code, version from product where restaurant_id = $1 and archived_at is null";
const SUBPRODUCTS: &str = "select id, product_id, name, price, ranking, active, vat_id, sit_in_vat_id, \
    ntak_category_id, ntak_quantity_unit, ntak_quantity, allergenic_ids, ean_code, deposit_pieces, \
     array(select l.component_id from subproduct_component l where l.subproduct_id = subproduct.id \
     order by l.ranking, l.component_id) component_ids, \
     array(select l.pieces from subproduct_component l where l.subproduct_id = subproduct.id \
     order by l.ranking, l.component_id) component_pieces, \
     array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = subproduct.id \
     order by l.ranking, l.option_group_id) option_group_ids \
     from subproduct where restaurant_id = $1 and archived_at is null order by product_id, ranking, id";
const OPTION_GROUPS: &str = "select id, name, name_sec_lang, type, min_no_options, max_no_options, ranking, \
    version from option_group \
     where restaurant_id = $1 and archived_at is null";
const OPTIONS: &str = "select id, option_group_id, name, name_sec_lang, price, ranking, active, \
    allergenic_ids, subproduct_id, subproduct_pieces, version from option \
     where restaurant_id = $1 and archived_at is null order by option_group_id, ranking, id";

/// Rows by what they belong to, in their order.
fn grouped<T>(rows: Vec<T>, of: impl Fn(&T) -> Uuid) -> HashMap<Uuid, Vec<T>> {
    let mut groups: HashMap<Uuid, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(of(&row)).or_default().push(row);
    }
    groups
}

impl Menu {
    /// The rates that rows may get, by percent: those that are not archived, and those that the menu uses. Of
    /// several with one percent the one that is not archived counts, and of those the first.
    #[must_use]
    pub fn vats(&self) -> HashMap<Decimal, Uuid> {
        let categories = self.categories.values().map(|row| (row.vat_id, row.sit_in_vat_id));
        let products = self.products.values().map(|row| (row.vat_id, row.sit_in_vat_id));
        let sizes = self.subproducts.values().flatten().map(|row| (row.vat_id, row.sit_in_vat_id));
        let own = categories.chain(products).chain(sizes).flat_map(|(vat, sit_in)| [vat, sit_in]);
        let used: HashSet<Uuid> = own.flatten().chain([self.vat_id]).chain(self.sit_in_vat_id).collect();
        let is_archived = |id: &Uuid| self.archived_vats.contains(id);
        let mut rates: Vec<(&Uuid, &Decimal)> =
            self.percents.iter().filter(|(id, _)| !is_archived(id) || used.contains(id)).collect();
        // The last one of a percent is the one that stays in the map.
        rates.sort_by_key(|(id, _)| std::cmp::Reverse((is_archived(id), **id)));
        rates.into_iter().map(|(id, percent)| (*percent, *id)).collect()
    }

    /// Reads the menu.
    /// Errors: `RESTAURANT_NOT_EXIST`; what the database reports.
    pub async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        // The version is read first: rows that are read after it may be newer, never older.
        let settings: Option<Settings> = tx.one(SETTINGS, [restaurant.into()]).await?;
        let settings = settings.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let percents = percents(settings.vats, settings.percents);
        let allergens: Vec<Allergen> = tx.all(ALLERGENS, []).await?;
        let ntak_categories: Vec<NtakCategoryRow> =
            tx.all(NTAK_CATEGORIES, [kernel::clock::now().into()]).await?;
        let categories: Vec<CategoryRow> = tx.all(CATEGORIES, [restaurant.into()]).await?;
        let products: Vec<ProductRow> = tx.all(PRODUCTS, [restaurant.into()]).await?;
        let option_groups: Vec<OptionGroupRow> = tx.all(OPTION_GROUPS, [restaurant.into()]).await?;
        Ok(Self {
            categories: categories.into_iter().map(|row| (row.id, row)).collect(),
            products: products.into_iter().map(|row| (row.id, row)).collect(),
            subproducts: grouped(tx.all(SUBPRODUCTS, [restaurant.into()]).await?, |row: &SubproductRow| {
                row.product_id
            }),
            option_groups: option_groups.into_iter().map(|row| (row.id, row)).collect(),
            options: grouped(tx.all(OPTIONS, [restaurant.into()]).await?, |row: &OptionRow| {
                row.option_group_id
            }),
            currency: settings.currency,
            vat_id: settings.vat_id,
            sit_in_vat_id: settings.sit_in_vat_id,
            percents: percents.into_iter().map(|(id, percent)| (id, percent.0)).collect(),
            archived_vats: settings.archived_vats.into_iter().collect(),
            allergens: allergens.into_iter().map(|row| (row.id, row)).collect(),
            ntak_categories: ntak_categories.into_iter().map(|row| (row.id, row)).collect(),
            ntak_category_id: settings.ntak_category_id,
            ntak_quantity_unit: settings.ntak_quantity_unit,
            catalogue_version: settings.catalogue_version,
        })
    }
}

//! The menu as an import sees it.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{CategoryRow, OptionGroupRow, OptionRow, ProductRow, SubproductRow};
use crate::import::{columns::fold, lines::Known};

/// The menu that is there.
#[derive(Debug, Default)]
pub(crate) struct Menu {
    pub categories: HashMap<Uuid, CategoryRow>,
    pub products: HashMap<Uuid, ProductRow>,
    /// By product, in their order.
    pub subproducts: HashMap<Uuid, Vec<SubproductRow>>,
    pub option_groups: HashMap<Uuid, OptionGroupRow>,
    /// By group, in their order.
    pub options: HashMap<Uuid, Vec<OptionRow>>,
    pub vat_id: Uuid,
    pub sit_in_vat_id: Uuid,
    pub percents: HashMap<Uuid, Decimal>,
    /// Names of allergens.
    pub allergens: HashMap<Uuid, String>,
    pub catalogue_version: i64,
}

const HOUSE: &str = "select vat_id, sit_in_vat_id, currency, catalogue_version, \
     array(select id from ref.vat order by id) vats, array(select percent from ref.vat order by id) percents \
     from restaurant_facts where id = $1";
const ALLERGENS: &str = "select id, code, name, name_en, ranking from ref.allergen";
const CATEGORIES: &str = "select id, parent_id, name, name_sec_lang, ranking, vat_id, sit_in_vat_id, version \
    from product_category \
     where restaurant_id = $1 and archived_at is null";
const PRODUCTS: &str = "select id, product_category_id, name, name_sec_lang, description, \
    description_sec_lang, ranking, active, vat_id, sit_in_vat_id, \
     ean_code, version from product where restaurant_id = $1 and archived_at is null";
const SUBPRODUCTS: &str = "select id, product_id, name, price, ranking, active, vat_id, sit_in_vat_id, \
    allergenic_ids, ean_code, \
     array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = subproduct.id \
     order by l.ranking, l.option_group_id) option_group_ids \
     from subproduct where restaurant_id = $1 and archived_at is null order by product_id, ranking, id";
const OPTION_GROUPS: &str = "select id, name, name_sec_lang, type, min_no_options, max_no_options, ranking, \
    version from option_group \
     where restaurant_id = $1 and archived_at is null";
const OPTIONS: &str = "select id, option_group_id, name, name_sec_lang, price, ranking, active, \
    allergenic_ids, version from option \
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
    /// Reads the menu, and what a file may refer to.
    pub(crate) async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<(Self, Known)> {
        // The version first: whatever is read after it may be newer, never older.
        let house = tx.row(HOUSE, [restaurant.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let percents = crate::house::vats(&house)?;
        let percents: HashMap<Uuid, Decimal> =
            percents.into_iter().map(|(id, percent)| (id, percent.0.normalize())).collect();
        let currency: Currency = house.try_get("", "currency")?;
        let mut known = Known {
            currency,
            vats: percents.iter().map(|(id, percent)| (*percent, *id)).collect(),
            ..Known::default()
        };
        let mut allergens = HashMap::new();
        for row in tx.rows(ALLERGENS, []).await? {
            let id: Uuid = row.try_get("", "id")?;
            for column in ["code", "name", "name_en"] {
                known.allergens.insert(fold(&row.try_get::<String>("", column)?), id);
            }
            known.allergens.insert(row.try_get::<i32>("", "ranking")?.to_string(), id);
            allergens.insert(id, row.try_get("", "name")?);
        }
        let categories: Vec<CategoryRow> = tx.all(CATEGORIES, [restaurant.into()]).await?;
        let products: Vec<ProductRow> = tx.all(PRODUCTS, [restaurant.into()]).await?;
        let option_groups: Vec<OptionGroupRow> = tx.all(OPTION_GROUPS, [restaurant.into()]).await?;
        let menu = Self {
            categories: categories.into_iter().map(|row| (row.id, row)).collect(),
            products: products.into_iter().map(|row| (row.id, row)).collect(),
            subproducts: grouped(tx.all(SUBPRODUCTS, [restaurant.into()]).await?, |row: &SubproductRow| {
                row.product_id
            }),
            option_groups: option_groups.into_iter().map(|row| (row.id, row)).collect(),
            options: grouped(tx.all(OPTIONS, [restaurant.into()]).await?, |row: &OptionRow| {
                row.option_group_id
            }),
            vat_id: house.try_get("", "vat_id")?,
            sit_in_vat_id: house.try_get("", "sit_in_vat_id")?,
            percents,
            allergens,
            catalogue_version: house.try_get("", "catalogue_version")?,
        };
        Ok((menu, known))
    }

    /// Option groups by folded name; of equals the first one is meant.
    pub(crate) fn groups_by_name(&self) -> HashMap<String, Uuid> {
        let mut rows: Vec<&OptionGroupRow> = self.option_groups.values().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.ranking), std::cmp::Reverse(row.id)));
        rows.into_iter().map(|row| (fold(&row.name), row.id)).collect()
    }
}

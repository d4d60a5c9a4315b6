//! Queries of the checks besides the rows of the menu, and the writing of changes.

use access::prelude::*;
use kernel::ids::{NtakCategories, Vats};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use super::{
    changes::{Change, Field, Table, by_column},
    look::Tax,
};
use crate::bulk::{Touched, lock};

#[derive(FromQueryResult)]
struct OwnCategory {
    id: Uuid,
    ntak_category_id: Id<NtakCategories>,
}

const TAXED: &str = "select id, ntak_category_id from product_category \
    where restaurant_id = $1 and archived_at is null and ntak_category_id is not null \
    union all select id, ntak_category_id from product \
    where restaurant_id = $1 and archived_at is null and ntak_category_id is not null \
    union all select id, ntak_category_id from subproduct \
    where restaurant_id = $1 and archived_at is null and ntak_category_id is not null";

#[derive(FromQueryResult)]
struct MainCategory {
    id: Uuid,
    main_category: String,
}

const MAINS: &str = "select id, main_category from ref.ntak_category";

/// The categories of the tax report that rows have themselves, and the main one of each.
pub(super) async fn tax(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Tax> {
    let own: Vec<OwnCategory> = tx.all(TAXED, [restaurant.into()]).await?;
    let mains: Vec<MainCategory> = tx.all(MAINS, []).await?;
    Ok(Tax {
        own: own.into_iter().map(|row| (row.id, row.ntak_category_id)).collect(),
        mains: mains.into_iter().map(|row| (row.id, row.main_category)).collect(),
    })
}

/// A rate of 27 % that can be chosen; of several the restaurant's own, then the first.
const STANDARD: &str = "select v.id from ref.vat v join restaurant_facts r on r.id = $1 \
    where v.percent = 27 and v.archived_at is null order by v.id <> r.vat_id, v.id limit 1";

pub(super) async fn standard(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Option<Id<Vats>>> {
    Ok(tx.value(STANDARD, [restaurant.into()]).await?)
}

/// Statements of one column: the names of rows that hold something else than was expected, and the change.
macro_rules! column {
    ($table:literal, $column:literal, $type:literal) => {
        [
            concat!(
                "select t.name from ",
                $table,
                " t join jsonb_to_recordset($2) r (id uuid, before text) on \
                 t.id = r.id where t.restaurant_id = $1 and (t.archived_at is not null or t.",
                $column,
                "::text is distinct from r.before) order by t.name limit 20"
            ),
            concat!(
                "update ",
                $table,
                " t set ",
                $column,
                " = r.after::",
                $type,
                " from jsonb_to_recordset($2) r \
                 (id uuid, after text) where t.id = r.id and t.restaurant_id = $1"
            ),
        ]
    };
}

const fn statements(table: Table, field: Field) -> [&'static str; 2] {
    match (table, field) {
        (Table::ProductCategory, Field::NameSecLang) => column!("product_category", "name_sec_lang", "text"),
        (Table::ProductCategory, Field::VatId) => column!("product_category", "vat_id", "uuid"),
        (Table::ProductCategory, Field::SitInVatId) => column!("product_category", "sit_in_vat_id", "uuid"),
        (Table::Product, Field::NameSecLang) => column!("product", "name_sec_lang", "text"),
        (Table::Product, Field::VatId) => column!("product", "vat_id", "uuid"),
        (Table::Product, Field::SitInVatId) => column!("product", "sit_in_vat_id", "uuid"),
        (Table::Subproduct, Field::NameSecLang) => column!("subproduct", "name_sec_lang", "text"),
        (Table::Subproduct, Field::VatId) => column!("subproduct", "vat_id", "uuid"),
        (Table::Subproduct, Field::SitInVatId) => column!("subproduct", "sit_in_vat_id", "uuid"),
        (_, Field::AllergenFree) => column!("subproduct", "allergen_free", "boolean"),
        (Table::OptionGroup, _) => column!("option_group", "name_sec_lang", "text"),
        (Table::Option, _) => column!("option", "name_sec_lang", "text"),
    }
}

/// Versions of rows; that of a product stands for its sizes too.
const VERSIONS: [&str; 4] = [
    "update product_category set version = version + 1 where restaurant_id = $1 and id = any ($2)",
    "update product set version = version + 1 where restaurant_id = $1 and id = any ($2)",
    "update option_group set version = version + 1 where restaurant_id = $1 and id = any ($2)",
    "update option set version = version + 1 where restaurant_id = $1 and id = any ($2)",
];

const PRODUCTS_OF: &str =
    "select distinct product_id from subproduct where restaurant_id = $1 and id = any ($2)";
const GROUPS_OF: &str =
    "select distinct option_group_id from option where restaurant_id = $1 and id = any ($2)";

/// Writes all of the changes, or none: the names of rows that hold something else than they expect. The caller
/// raises the version of the menu.
pub(super) async fn write(
    tx: &TenantTx, restaurant: Id<Restaurant>, changes: &[Change],
) -> Result<Vec<String>> {
    let ids = |table| {
        let mut ids: Vec<Uuid> =
            changes.iter().filter(|change| change.table == table).map(|change| change.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let (subproducts, options) = (ids(Table::Subproduct), ids(Table::Option));
    let mut products: Vec<Uuid> =
        tx.values(PRODUCTS_OF, [restaurant.into(), subproducts.clone().into()]).await?;
    products.extend(ids(Table::Product));
    let mut option_groups: Vec<Uuid> =
        tx.values(GROUPS_OF, [restaurant.into(), options.clone().into()]).await?;
    option_groups.extend(ids(Table::OptionGroup));
    let categories = ids(Table::ProductCategory);
    let touched = Touched {
        categories: categories.clone(),
        products: products.clone(),
        subproducts,
        option_groups,
        options: options.clone(),
    };
    lock(tx, restaurant, touched).await?;
    let columns = by_column(changes);
    let mut others: Vec<String> = Vec::new();
    for ((table, field), changes) in &columns {
        let [others_of, _] = statements(*table, *field);
        let rows = json!(changes);
        others.extend(tx.values::<String>(others_of, [restaurant.into(), rows.into()]).await?);
    }
    if !others.is_empty() {
        others.truncate(20);
        return Ok(others);
    }
    for ((table, field), changes) in &columns {
        let [_, set] = statements(*table, *field);
        tx.run(set, [restaurant.into(), json!(changes).into()]).await?;
    }
    for (sql, ids) in VERSIONS.into_iter().zip([categories, products, ids(Table::OptionGroup), options]) {
        tx.run(sql, [restaurant.into(), ids.into()]).await?;
    }
    Ok(others)
}

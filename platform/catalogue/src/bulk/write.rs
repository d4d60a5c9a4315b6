//! Writing a plan into the menu for which it was made.

use access::prelude::*;
use serde::Serialize;
use uuid::Uuid;

use super::{CategoryRow, OptionGroupRow, OptionRow, Plan, ProductRow, SubproductRow};
use crate::products::components;

const LOCK_CATEGORIES: &str =
    "select id from product_category where restaurant_id = $1 and id = any ($2) order by id for update";
const LOCK_PRODUCTS: &str =
    "select id from product where restaurant_id = $1 and id = any ($2) order by id for update";
const LOCK_SUBPRODUCTS: &str =
    "select id from subproduct where restaurant_id = $1 and id = any ($2) order by id for update";
const LOCK_OPTION_GROUPS: &str =
    "select id from option_group where restaurant_id = $1 and id = any ($2) order by id for update";
const LOCK_OPTIONS: &str =
    "select id from option where restaurant_id = $1 and id = any ($2) order by id for update";

/// The locked rows.
#[derive(Default)]
pub(crate) struct Touched {
    pub categories: Vec<Uuid>,
    pub products: Vec<Uuid>,
    pub subproducts: Vec<Uuid>,
    pub option_groups: Vec<Uuid>,
    pub options: Vec<Uuid>,
}

/// Locks in the order in which everybody does: categories, products, sub-products, option groups, options,
/// each by id.
pub(crate) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>, touched: Touched) -> Result<()> {
    let Touched { categories, products, subproducts, option_groups, options } = touched;
    for (sql, ids) in [
        (LOCK_CATEGORIES, categories),
        (LOCK_PRODUCTS, products),
        (LOCK_SUBPRODUCTS, subproducts),
        (LOCK_OPTION_GROUPS, option_groups),
        (LOCK_OPTIONS, options),
    ] {
        if !ids.is_empty() {
            tx.rows(sql, [restaurant.into(), ids.into()]).await?;
        }
    }
    Ok(())
}

const NEW_CATEGORIES: &str = "insert into product_category (id, restaurant_id, origin_id, parent_id, name, \
    name_sec_lang, ranking, ntak_category_id, ntak_quantity_unit) \
     select id, $1, id, parent_id, name, name_sec_lang, ranking, ntak_category_id, ntak_quantity_unit \
     from jsonb_to_recordset($2) r (id uuid, parent_id uuid, name text, name_sec_lang text, ranking int, \
     ntak_category_id uuid, ntak_quantity_unit text) \
     order by parent_id is not null";
const NEW_PRODUCTS: &str = "insert into product (id, restaurant_id, origin_id, product_category_id, name, \
    name_sec_lang, description, \
     description_sec_lang, ranking, active, vat_id, sit_in_vat_id, ntak_category_id, ntak_quantity_unit, \
     ean_code) \
     select id, $1, id, product_category_id, name, name_sec_lang, description, description_sec_lang, \
     ranking, active, vat_id, sit_in_vat_id, ntak_category_id, ntak_quantity_unit, ean_code \
     from jsonb_to_recordset($2) r (id uuid, product_category_id uuid, name text, name_sec_lang text, \
     description text, description_sec_lang text, \
     ranking int, active boolean, vat_id uuid, sit_in_vat_id uuid, ntak_category_id uuid, \
     ntak_quantity_unit text, ean_code text)";
const NEW_SUBPRODUCTS: &str = "insert into subproduct (id, restaurant_id, origin_id, product_id, name, \
    price, ranking, active, vat_id, sit_in_vat_id, ntak_category_id, ntak_quantity_unit, ntak_quantity, \
     allergenic_ids, ean_code, deposit_pieces) \
     select id, $1, id, product_id, name, price, ranking, active, vat_id, sit_in_vat_id, ntak_category_id, \
     ntak_quantity_unit, ntak_quantity, allergenic_ids, ean_code, coalesce(deposit_pieces, 0) \
     from jsonb_to_recordset($2) r (id uuid, product_id uuid, name text, price numeric, ranking int, active \
     boolean, vat_id uuid, sit_in_vat_id uuid, ntak_category_id uuid, ntak_quantity_unit text, \
     ntak_quantity numeric, allergenic_ids uuid[], ean_code text, deposit_pieces int)";
const SET_CATEGORIES: &str = "update product_category c set name_sec_lang = r.name_sec_lang, \
     ntak_category_id = r.ntak_category_id, ntak_quantity_unit = r.ntak_quantity_unit, version = \
    c.version + 1 \
     from jsonb_to_recordset($2) r (id uuid, name_sec_lang text, ntak_category_id uuid, \
     ntak_quantity_unit text) where c.id = r.id and c.restaurant_id = $1";
const SET_PRODUCTS: &str = "update product p set name = r.name, name_sec_lang = r.name_sec_lang, description \
    = r.description, \
     description_sec_lang = r.description_sec_lang, active = r.active, vat_id = r.vat_id, sit_in_vat_id = \
     r.sit_in_vat_id, ntak_category_id = r.ntak_category_id, ntak_quantity_unit = r.ntak_quantity_unit, \
     ean_code = r.ean_code, version = p.version + 1 \
     from jsonb_to_recordset($2) r (id uuid, name text, name_sec_lang text, description text, \
     description_sec_lang text, active boolean, vat_id uuid, \
     sit_in_vat_id uuid, ntak_category_id uuid, ntak_quantity_unit text, ean_code text) where p.id = r.id and p.restaurant_id = $1";
const SET_SUBPRODUCTS: &str = "update subproduct s set name = r.name, price = r.price, active = r.active, \
    vat_id = r.vat_id, \
     sit_in_vat_id = r.sit_in_vat_id, ntak_category_id = r.ntak_category_id, ntak_quantity_unit = \
     r.ntak_quantity_unit, ntak_quantity = r.ntak_quantity, allergenic_ids = r.allergenic_ids, ean_code = \
     r.ean_code, deposit_pieces = coalesce(r.deposit_pieces, s.deposit_pieces), \
     allergen_free = s.allergen_free and cardinality(r.allergenic_ids) = 0 \
     from jsonb_to_recordset($2) r (id uuid, name text, price numeric, active boolean, vat_id uuid, \
     sit_in_vat_id uuid, ntak_category_id uuid, ntak_quantity_unit text, ntak_quantity numeric, \
     allergenic_ids uuid[], ean_code text, deposit_pieces int) where s.id = r.id and s.restaurant_id = $1";
const NEW_OPTION_GROUPS: &str = "insert into option_group (id, restaurant_id, origin_id, name, \
    name_sec_lang, type, min_no_options, max_no_options, \
     ranking) select id, $1, id, name, name_sec_lang, type, min_no_options, max_no_options, ranking \
     from jsonb_to_recordset($2) r (id uuid, name text, name_sec_lang text, type text, min_no_options int, \
     max_no_options int, ranking int)";
const NEW_OPTIONS: &str = "insert into option (id, restaurant_id, origin_id, option_group_id, name, \
    name_sec_lang, price, ranking, active, \
     allergenic_ids, subproduct_id, subproduct_pieces) select id, $1, id, option_group_id, name, name_sec_lang, \
     price, ranking, active, allergenic_ids, subproduct_id, coalesce(subproduct_pieces, 1) \
     from jsonb_to_recordset($2) r (id uuid, option_group_id uuid, name text, name_sec_lang text, price \
     numeric, ranking int, active boolean, \
     allergenic_ids uuid[], subproduct_id uuid, subproduct_pieces int)";
const SET_OPTION_GROUPS: &str = "update option_group g set name_sec_lang = r.name_sec_lang, type = r.type, \
    min_no_options = r.min_no_options, \
     max_no_options = r.max_no_options, version = g.version + 1 \
     from jsonb_to_recordset($2) r (id uuid, name_sec_lang text, type text, min_no_options int, \
     max_no_options int) \
     where g.id = r.id and g.restaurant_id = $1";
const SET_OPTIONS: &str = "update option o set name = r.name, name_sec_lang = r.name_sec_lang, price = \
    r.price, active = r.active, \
     allergenic_ids = r.allergenic_ids, \
     subproduct_id = case when r.subproduct_pieces is null then o.subproduct_id else (select s.id from subproduct s \
         where s.id = r.subproduct_id and s.restaurant_id = $1 and s.archived_at is null) end, \
     subproduct_pieces = coalesce(r.subproduct_pieces, o.subproduct_pieces), version = o.version + 1 \
     from jsonb_to_recordset($2) r (id uuid, name text, name_sec_lang text, price numeric, active boolean, \
     allergenic_ids uuid[], subproduct_id uuid, subproduct_pieces int) \
     where o.id = r.id and o.restaurant_id = $1";
const UNLINK: &str = "delete from subproduct_option_group l using jsonb_to_recordset($2) r (id uuid) where \
    l.subproduct_id = r.id and l.restaurant_id = $1";
// A group that somebody deleted since is not brought back.
const LINK: &str = "insert into subproduct_option_group (subproduct_id, option_group_id, restaurant_id, \
    ranking) \
     select r.id, g.id, $1, l.place - 1 \
     from jsonb_to_recordset($2) r (id uuid, option_group_ids uuid[]), unnest(r.option_group_ids) with \
     ordinality l (option_group_id, place) \
     join option_group g on g.id = l.option_group_id where g.restaurant_id = $1 and g.archived_at is null";

const PART: &str = "delete from subproduct_component l using jsonb_to_recordset($2) r (id uuid, deposit_pieces int) \
    where l.subproduct_id = r.id and l.restaurant_id = $1 and r.deposit_pieces is not null";
// A size that somebody archived since is not brought back.
const JOIN: &str = "insert into subproduct_component (subproduct_id, component_id, restaurant_id, pieces, ranking) \
    select r.id, s.id, $1, l.pieces, l.place - 1 \
    from jsonb_to_recordset($2) r (id uuid, component_ids uuid[], component_pieces int[]), \
    unnest(r.component_ids, r.component_pieces) with ordinality l (component_id, pieces, place) \
    join subproduct s on s.id = l.component_id where s.restaurant_id = $1 and s.archived_at is null";

async fn put<T: Serialize>(
    tx: &TenantTx, restaurant: Id<Restaurant>, sql: &'static str, rows: &[T],
) -> Result<()> {
    if !rows.is_empty() {
        let rows = serde_json::to_value(rows).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        tx.run(sql, [restaurant.into(), rows.into()]).await?;
    }
    Ok(())
}

/// Present rows as they will be, with the groups that sub-products ask for and what they consist of.
pub(super) async fn set(
    tx: &TenantTx, restaurant: Id<Restaurant>, categories: &[CategoryRow], products: &[ProductRow],
    subproducts: &[SubproductRow], option_groups: &[OptionGroupRow], options: &[OptionRow],
) -> Result<()> {
    put(tx, restaurant, SET_CATEGORIES, categories).await?;
    put(tx, restaurant, SET_PRODUCTS, products).await?;
    put(tx, restaurant, SET_SUBPRODUCTS, subproducts).await?;
    put(tx, restaurant, SET_OPTION_GROUPS, option_groups).await?;
    put(tx, restaurant, SET_OPTIONS, options).await?;
    put(tx, restaurant, UNLINK, subproducts).await?;
    put(tx, restaurant, LINK, subproducts).await?;
    put(tx, restaurant, PART, subproducts).await?;
    put(tx, restaurant, JOIN, subproducts).await
}

/// Writes the plan into the menu that it was made for.
/// Errors: `outdated` when the menu has changed since then; then nothing is to be kept of the transaction.
pub async fn write(
    tx: &TenantTx, restaurant: Id<Restaurant>, plan: &Plan, version: i64, outdated: Code,
) -> Result<()> {
    // Those that get something are locked with those that change, so that nobody deletes them meanwhile.
    let mut categories: Vec<Uuid> = plan.categories.iter().map(|row| row.id).collect();
    categories.extend(plan.new_categories.iter().filter_map(|row| row.parent_id));
    categories.extend(plan.new_products.iter().map(|row| row.product_category_id));
    let mut option_groups: Vec<Uuid> = plan.option_groups.iter().map(|row| row.id).collect();
    option_groups.extend(plan.new_options.iter().chain(&plan.options).map(|row| row.option_group_id));
    option_groups.extend(
        plan.new_subproducts
            .iter()
            .chain(&plan.subproducts)
            .flat_map(|row| row.option_group_ids.iter().copied()),
    );
    let touched = Touched {
        categories,
        products: plan.products.iter().map(|row| row.id).collect(),
        subproducts: plan.subproducts.iter().map(|row| row.id).collect(),
        option_groups,
        options: plan.options.iter().map(|row| row.id).collect(),
    };
    components::lock(tx, restaurant).await?;
    lock(tx, restaurant, touched).await?;
    let (above, below): (Vec<_>, Vec<_>) =
        plan.new_categories.iter().partition(|row| row.parent_id.is_none());
    put(tx, restaurant, NEW_CATEGORIES, &above).await?;
    put(tx, restaurant, NEW_CATEGORIES, &below).await?;
    put(tx, restaurant, NEW_PRODUCTS, &plan.new_products).await?;
    put(tx, restaurant, NEW_SUBPRODUCTS, &plan.new_subproducts).await?;
    put(tx, restaurant, NEW_OPTION_GROUPS, &plan.new_option_groups).await?;
    put(tx, restaurant, NEW_OPTIONS, &plan.new_options).await?;
    put(tx, restaurant, LINK, &plan.new_subproducts).await?;
    put(tx, restaurant, JOIN, &plan.new_subproducts).await?;
    set(
        tx, restaurant, &plan.categories, &plan.products, &plan.subproducts, &plan.option_groups,
        &plan.options,
    )
    .await?;
    // The last write, as in every change of the menu; here it also proves that nobody else changed it.
    if access::menu_changed_from(tx, restaurant, version).await? { Ok(()) } else { Err(outdated.into()) }
}

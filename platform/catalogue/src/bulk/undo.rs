//! Undoing a bulk change. See `docs/decisions/catalogue.md#menu-import`.

use access::prelude::*;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    CategoryRow, Menu, OptionGroupRow, OptionRow, Plan, ProductRow, SubproductRow,
    write::{Touched, lock, set},
};
use crate::{featured_products, product_category_upsells, products::components};

/// What undoing a bulk change needs: new rows, and old values.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Undo {
    new_categories: Vec<Uuid>,
    new_products: Vec<Uuid>,
    new_subproducts: Vec<Uuid>,
    new_option_groups: Vec<Uuid>,
    new_options: Vec<Uuid>,
    categories: Vec<CategoryRow>,
    products: Vec<ProductRow>,
    subproducts: Vec<SubproductRow>,
    option_groups: Vec<OptionGroupRow>,
    options: Vec<OptionRow>,
}

/// What somebody has changed since: rows with another version than the import left, rows that are gone, and
/// rows that were put into what the import made or given groups that it made.
const CHANGED: &str = "\
    select c.name from product_category c left join jsonb_to_recordset($2) r (id uuid, version bigint) on \
    r.id = c.id \
    where c.restaurant_id = $1 and ((r.id is not null and (c.version <> r.version + 1 or c.archived_at is \
    not null)) \
      or (c.id = any ($3) and (c.version <> 1 or c.archived_at is not null)) \
      or (c.parent_id = any ($3) and c.archived_at is null and c.id <> all ($3))) \
    union all select p.name from product p left join jsonb_to_recordset($4) r (id uuid, version bigint, \
    product_category_id uuid) on r.id = p.id \
    where p.restaurant_id = $1 and ((r.id is not null and (p.version <> r.version + 1 or p.archived_at is \
    not null or p.product_category_id <> r.product_category_id)) \
      or (p.id = any ($5) and (p.version <> 1 or p.archived_at is not null)) \
      or (p.product_category_id = any ($3) and p.archived_at is null and p.id <> all ($5))) \
    union all select g.name from option_group g left join jsonb_to_recordset($6) r (id uuid, version bigint) \
    on r.id = g.id \
    where g.restaurant_id = $1 and ((r.id is not null and (g.version <> r.version + 1 or g.archived_at is \
    not null)) \
      or (g.id = any ($7) and (g.version <> 1 or g.archived_at is not null))) \
    union all select o.name from option o left join jsonb_to_recordset($8) r (id uuid, version bigint) on \
    r.id = o.id \
    where o.restaurant_id = $1 and ((r.id is not null and (o.version <> r.version + 1 or o.archived_at is \
    not null)) \
      or (o.id = any ($9) and (o.version <> 1 or o.archived_at is not null)) \
      or (o.option_group_id = any ($7) and o.archived_at is null and o.id <> all ($9))) \
    union all select s.name from subproduct_option_group l join subproduct s on s.id = l.subproduct_id \
    where l.restaurant_id = $1 and l.option_group_id = any ($7) and s.archived_at is null and s.id <> all \
    ($10) \
    union all select s.name from subproduct_component l join subproduct s on s.id = l.subproduct_id \
    where l.restaurant_id = $1 and l.component_id = any ($11) and s.archived_at is null and s.id <> all ($11) \
    union all select o.name from option o where o.restaurant_id = $1 and o.subproduct_id = any ($11) \
    and o.archived_at is null and o.id <> all ($9) \
    union all select s.name from jsonb_to_recordset($12) r (id uuid, component_ids uuid[]) \
    join subproduct s on s.id = r.id \
    where cardinality(r.component_ids) > 0 and (exists (select from subproduct_component l \
        join subproduct m on m.id = l.subproduct_id and m.archived_at is null and m.id <> all ($10) \
        where m.id = any (r.component_ids) or l.component_id = r.id) \
      or exists (select from option o where o.subproduct_id = r.id and o.archived_at is null and o.id <> all ($9))) \
    order by 1 limit 20";

const ARCHIVE: [&str; 5] = [
    "update subproduct set archived_at = $3 where restaurant_id = $1 and id = any ($2)",
    "update product set archived_at = $3, version = version + 1 where restaurant_id = $1 and id = any ($2)",
    "update product_category set archived_at = $3, version = version + 1 where restaurant_id = $1 and id = \
     any ($2)",
    "update option set archived_at = $3, version = version + 1 where restaurant_id = $1 and id = any ($2)",
    "update option_group set archived_at = $3, version = version + 1 where restaurant_id = $1 and id = any \
     ($2)",
];
const UNLINK: &str =
    "delete from subproduct_option_group where restaurant_id = $1 and option_group_id = any ($2)";

impl Menu {
    /// The way back: the present state of what the plan changes, and which rows it makes.
    #[must_use]
    pub fn undo(&self, plan: &Plan) -> Undo {
        let was = |row: &SubproductRow| {
            self.subproducts.get(&row.product_id).into_iter().flatten().find(|was| was.id == row.id).cloned()
        };
        let option = |row: &OptionRow| {
            self.options.get(&row.option_group_id).into_iter().flatten().find(|was| was.id == row.id).cloned()
        };
        Undo {
            new_categories: plan.new_categories.iter().map(|row| row.id).collect(),
            new_products: plan.new_products.iter().map(|row| row.id).collect(),
            new_subproducts: plan.new_subproducts.iter().map(|row| row.id).collect(),
            new_option_groups: plan.new_option_groups.iter().map(|row| row.id).collect(),
            new_options: plan.new_options.iter().map(|row| row.id).collect(),
            categories: plan
                .categories
                .iter()
                .filter_map(|row| self.categories.get(&row.id).cloned())
                .collect(),
            products: plan.products.iter().filter_map(|row| self.products.get(&row.id).cloned()).collect(),
            subproducts: plan.subproducts.iter().filter_map(was).collect(),
            option_groups: plan
                .option_groups
                .iter()
                .filter_map(|row| self.option_groups.get(&row.id).cloned())
                .collect(),
            options: plan.options.iter().filter_map(option).collect(),
        }
    }
}
impl Undo {
    /// Restores the earlier state: present rows get their old values, rows of the import are archived.
    /// Errors: `changed`, with the names of what somebody has changed since.
    pub async fn write(&self, tx: &TenantTx, restaurant: Id<Restaurant>, changed: Code) -> Result<()> {
        let of = |made: &[Uuid], rows: Vec<Uuid>| made.iter().copied().chain(rows).collect::<Vec<_>>();
        let subproducts = of(&self.new_subproducts, self.subproducts.iter().map(|row| row.id).collect());
        let touched = Touched {
            categories: of(&self.new_categories, self.categories.iter().map(|row| row.id).collect()),
            products: of(&self.new_products, self.products.iter().map(|row| row.id).collect()),
            subproducts: subproducts.clone(),
            option_groups: of(&self.new_option_groups, self.option_groups.iter().map(|row| row.id).collect()),
            options: of(&self.new_options, self.options.iter().map(|row| row.id).collect()),
        };
        components::lock(tx, restaurant).await?;
        lock(tx, restaurant, touched).await?;
        let rows = |value: serde_json::Result<serde_json::Value>| {
            value.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))
        };
        let values = [
            restaurant.into(),
            rows(serde_json::to_value(&self.categories))?.into(),
            self.new_categories.clone().into(),
            rows(serde_json::to_value(&self.products))?.into(),
            self.new_products.clone().into(),
            rows(serde_json::to_value(&self.option_groups))?.into(),
            self.new_option_groups.clone().into(),
            rows(serde_json::to_value(&self.options))?.into(),
            self.new_options.clone().into(),
            subproducts.into(),
            self.new_subproducts.clone().into(),
            rows(serde_json::to_value(&self.subproducts))?.into(),
        ];
        let names: Vec<String> = tx.values(CHANGED, values).await?;
        if !names.is_empty() {
            return Err(Problem::new(changed).with("changed", names.into()));
        }
        set(
            tx, restaurant, &self.categories, &self.products, &self.subproducts, &self.option_groups,
            &self.options,
        )
        .await?;
        if !self.new_option_groups.is_empty() {
            tx.run(UNLINK, [restaurant.into(), self.new_option_groups.clone().into()]).await?;
        }
        let now = kernel::clock::now();
        let made = [
            &self.new_subproducts, &self.new_products, &self.new_categories, &self.new_options,
            &self.new_option_groups,
        ];
        for (sql, ids) in ARCHIVE.into_iter().zip(made).filter(|(_, ids)| !ids.is_empty()) {
            tx.run(sql, [restaurant.into(), ids.clone().into(), now.into()]).await?;
        }
        featured_products::forget(tx, restaurant, self.new_products.clone()).await?;
        product_category_upsells::forget(tx, restaurant, self.new_categories.clone()).await?;
        crate::restaurant_defaults::touched(tx, restaurant).await
    }
}

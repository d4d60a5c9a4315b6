//! The part of the catalogue that an order refers to, in two statements: sub-products with inherited values,
//! and their option groups with options. What was read is kept (`kept.rs`); only pieces are read each time.

use std::sync::{Arc, LazyLock};

use access::prelude::*;
use kernel::{
    ids::NtakCategories,
    money::{Currency, Money, Quantity},
    setting::NtakQuantityUnit,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    cache::{self, Place},
    types::{ItemNames, KeptGroup, KeptItem, OptionNames, Snapshot, SnapshotRequest, TaxFields, groups_of},
};
use crate::{
    flags::{Inheritable, Visible},
    price::SalePrice,
    resolve::{self, CategoryPart, ProductPart, SubproductPart, item},
    restaurant_defaults::{self, DefaultsRow, RestaurantDefaults},
};

/// Columns of a table, each under its name after `prefix`.
fn columns(table: &str, prefix: &str, names: &[&[&str]]) -> String {
    names.concat().iter().map(|name| format!("{table}.{name} {prefix}{name}")).collect::<Vec<_>>().join(", ")
}

/// A sub-product with all that it inherits from, and its names.
#[derive(FromQueryResult)]
struct ItemRow {
    id: Uuid,
    catalogue_version: i64,
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
/// Besides those of lines and gifts ($2) their components, and what the options ($3) stand for.
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let times: &[&str] = &["available_from", "available_to", "expected_at"];
    let (active, ranges): (&[&str], &[&str]) = (&["active"], &["time_ranges"]);
    let (origin, own_only): (&[&str], &[&str]) = (&["origin_id"], &["price", "deposit_pieces"]);
    let own = Inheritable::COLUMNS;
    format!(
        "with wanted as (select unnest($2::uuid[]) id \
            union select l.component_id from subproduct_component l where l.subproduct_id = any ($2) \
            union select o.subproduct_id from option o where o.id = any ($3) and o.subproduct_id is not null) \
        select s.id, r.catalogue_version, \
            s.archived_at is null and p.archived_at is null and c.archived_at is null live, \
            coalesce(s.ntak_category_id, p.ntak_category_id, c.ntak_category_id, k.ntak_category_id, \
            r.ntak_category_id) ntak_category_id, \
            coalesce(s.ntak_quantity_unit, p.ntak_quantity_unit, c.ntak_quantity_unit, k.ntak_quantity_unit, \
            r.ntak_quantity_unit) ntak_quantity_unit, s.ntak_quantity, s.product_id, \
            p.product_category_id, p.name product, p.name_sec_lang product_sec_lang, s.name subproduct, s.name_sec_lang subproduct_sec_lang, \
            not exists (select from subproduct o where o.product_id = s.product_id and o.id <> s.id and \
            o.archived_at is null) alone, \
            array(select l.component_id from subproduct_component l where l.subproduct_id = s.id \
            order by l.ranking, l.component_id) s_component_ids, \
            array(select l.pieces from subproduct_component l where l.subproduct_id = s.id \
            order by l.ranking, l.component_id) s_component_pieces, \
            pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, s.off_until, $4) s_sellable_quantity, \
            array(select l.option_group_id from subproduct_option_group l where l.subproduct_id = s.id order \
            by l.ranking) s_option_group_ids, \
            {}, {}, {}, {}, {} \
        from wanted w join subproduct s on s.id = w.id join product p on p.id = s.product_id \
        join product_category c on c.id = p.product_category_id \
        left join product_category k on k.id = c.parent_id join restaurant_facts r on r.id = s.restaurant_id \
        where s.restaurant_id = $1",
        columns("s", "s_", &[origin, active, own, own_only]),
        columns("p", "p_", &[active, own, times]),
        columns("c", "c_", &[origin, active, own, times, ranges]),
        columns("k", "k_", &[origin, active, own, times, ranges]),
        restaurant_defaults::COLUMNS,
    )
});

/// An option of a group. A group without options has one row without an option; one that is archived or does
/// not exist has one row without a group.
#[derive(FromQueryResult)]
struct OptionRow {
    id: Uuid,
    catalogue_version: i64,
    #[sea_orm(nested(prefix = "g_"))]
    group: Option<GroupPart>,
    #[sea_orm(nested(prefix = "o_"))]
    option: Option<OptionPart>,
}

#[derive(FromQueryResult)]
struct GroupPart {
    name: String,
    name_sec_lang: Option<String>,
    min_no_options: i32,
    max_no_options: i32,
    active: bool,
    #[sea_orm(nested)]
    visible: Visible,
}

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

/// The options of these groups ($2), in their order.
static GROUPS: LazyLock<String> = LazyLock::new(|| {
    let group: &[&str] = &["name", "name_sec_lang", "min_no_options", "max_no_options", "active"];
    let option: &[&str] =
        &["id", "name", "name_sec_lang", "price", "active", "subproduct_id", "subproduct_pieces"];
    format!(
        "select w.id, r.catalogue_version, {}, {} \
        from restaurant_facts r cross join unnest($2::uuid[]) w (id) \
        left join option_group g on g.id = w.id and g.restaurant_id = r.id and g.archived_at is null \
        left join option o on o.option_group_id = g.id and o.archived_at is null \
        where r.id = $1 order by w.id, o.ranking, o.id",
        columns("g", "g_", &[group, Visible::COLUMNS]),
        columns("o", "o_", &[option, Visible::COLUMNS]),
    )
});

/// The data of what a cart refers to, and of what that consists of. Sub-products of lines and gifts that do
/// not exist, are archived or belong to another restaurant are left out: pricing then says that they are
/// inactive. Components, and what options stand for, are found in any case: they are parts of a price.
/// `version`: the restaurant's `catalogue_version`, as this unit of work has read it.
pub async fn snapshot(
    tx: &TenantTx, restaurant: Id<Restaurant>, version: i64, wanted: SnapshotRequest<'_>,
) -> Result<Snapshot> {
    let place = Place { partner: tx.partner(), restaurant };
    if let Some(mut found) = cache::find(place, version, wanted) {
        count(tx, restaurant, &mut found).await?;
        return Ok(found);
    }
    let ids = [wanted.subproducts, wanted.gifts].concat();
    let now = kernel::clock::now();
    let values = [restaurant.into(), ids.into(), wanted.options.to_vec().into(), now.into()];
    let rows: Vec<ItemRow> = tx.all(ITEMS.as_str(), values).await?;
    let currency = rows.first().map(|row| row.defaults.currency);
    let items: Vec<_> = rows.into_iter().map(ItemRow::read).collect();
    let mut groups = Vec::new();
    let linked =
        groups_of(wanted, |id| items.iter().find(|(_, one, _)| *one == id).map(|(.., item)| &**item));
    if let Some(currency) = currency.filter(|_| !linked.is_empty()) {
        let rows = tx.all(GROUPS.as_str(), [restaurant.into(), linked.into()]).await?;
        groups = read_groups(rows, currency);
    }
    let mut found = Snapshot::default();
    for (_, id, item) in &items {
        found.add_item(*id, item, wanted);
    }
    for (.., group) in &groups {
        found.add_group(group.as_deref());
    }
    cache::keep(place, items, groups);
    Ok(found)
}

/// Reads again how many pieces are left of what is sold in limited numbers: orders take pieces without raising
/// the version.
async fn count(tx: &TenantTx, restaurant: Id<Restaurant>, found: &mut Snapshot) -> Result<()> {
    let counted = found.catalogue.items.iter().filter(|(_, item)| item.sellable_quantity.is_some());
    let counted: Vec<Uuid> = counted.map(|(id, _)| *id).collect();
    if counted.is_empty() {
        return Ok(());
    }
    let sql = "select id, pieces_left(sellable_quantity, daily_quantity, refill_at, off_until, $3) sellable_quantity \
        from subproduct where restaurant_id = $1 and id = any ($2)";
    let values = [restaurant.into(), counted.into(), kernel::clock::now().into()];
    for Pieces { id, sellable_quantity } in tx.all(sql, values).await? {
        if let Some(item) = found.catalogue.items.get_mut(&id) {
            item.sellable_quantity = sellable_quantity;
        }
    }
    Ok(())
}

#[derive(FromQueryResult)]
struct Pieces {
    id: Uuid,
    sellable_quantity: Option<i32>,
}

impl ItemRow {
    /// With the version to which it belongs.
    fn read(self) -> (i64, Uuid, Arc<KeptItem>) {
        let Self { id, catalogue_version, live, names, product, category, parent, .. } = self;
        let tax = TaxFields {
            category_id: self.ntak_category_id,
            unit: self.ntak_quantity_unit,
            quantity: self.ntak_quantity.map(|quantity| Quantity(quantity.value().normalize())),
        };
        let subproduct = SubproductPart { active: self.subproduct.active && live, ..self.subproduct };
        let above: Vec<&CategoryPart> = std::iter::once(&category).chain(&parent).collect();
        let item = item(subproduct, &product, &above, &RestaurantDefaults::from(self.defaults));
        (catalogue_version, id, Arc::new(KeptItem { live, names, tax, item }))
    }
}

/// Each group with the version to which it belongs; the rows of a group stand together.
fn read_groups(rows: Vec<OptionRow>, currency: Currency) -> Vec<(i64, Uuid, Option<Arc<KeptGroup>>)> {
    let mut read: Vec<(i64, Uuid, Option<KeptGroup>)> = Vec::new();
    for OptionRow { id, catalogue_version, group, option } in rows {
        let Some(part) = group else {
            read.push((catalogue_version, id, None));
            continue;
        };
        if read.last().is_none_or(|(_, last, _)| *last != id) {
            let limits = (part.min_no_options, part.max_no_options);
            let group = resolve::option_group(part.active, part.visible, limits, Vec::new());
            read.push((catalogue_version, id, Some(KeptGroup { id, group, names: Vec::new() })));
        }
        let (Some(option), Some((.., Some(kept)))) = (option, read.last_mut()) else { continue };
        kept.group.options.push(resolve::item_option(resolve::OptionOf {
            id: option.id,
            price: SalePrice::shown(option.price, currency),
            size: option.subproduct_id.map(|id| (id, option.subproduct_pieces)),
            active: option.active,
            visible: [option.visible, part.visible],
        }));
        let names = OptionNames {
            option_group_id: id,
            option: option.name,
            option_sec_lang: option.name_sec_lang,
            group: part.name,
            group_sec_lang: part.name_sec_lang,
        };
        kept.names.push((option.id, names));
    }
    read.into_iter().map(|(version, id, group)| (version, id, group.map(Arc::new))).collect()
}

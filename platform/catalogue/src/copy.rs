//! Copies a restaurant's menu: live rows only, each with its origin, and all columns but those that are left
//! out by name. Sellable quantities are not copied, because each kitchen counts its own. See
//! `docs/decisions/catalogue.md#copies-and-origins`.

use std::sync::LazyLock;

use access::{domain::Copying, prelude::*};

use crate::{copied_columns::copied_columns, option_groups, options, product_categories, products};

/// The depot of a row where the copy is in the same group; else none.
fn depot(row: &str) -> String {
    format!(
        "select d.id from depot_place d join restaurant_facts r on r.restaurant_group_id = d.restaurant_group_id \
        where d.id = {row}.depot_id and r.id = $2"
    )
}

/// A category's parent is a category too, so new ids are given first.
static CATEGORIES: LazyLock<String> = LazyLock::new(|| {
    let apart = &[
        "id", "restaurant_id", "parent_id", "depot_id", "image_web_id", "image_app_id", "image_desc_id",
        "version", "archived_at",
    ];
    let columns = |prefix| copied_columns::<product_categories::entity::Entity>(prefix, apart);
    format!(
        "with n as materialized (select id old, gen_random_uuid() id from product_category \
        where restaurant_id = $1 and archived_at is null), \
        m as (select old, id from unnest($3::uuid[], $4::uuid[]) t (old, id)) \
        insert into product_category (id, restaurant_id, parent_id, depot_id, image_web_id, image_app_id, \
            image_desc_id, {}) \
        select n.id, $2, p.id, ({}), (select id from m where old = c.image_web_id), \
            (select id from m where old = c.image_app_id), (select id from m where old = c.image_desc_id), {} \
        from product_category c join n on n.old = c.id left join n p on p.old = c.parent_id \
        where c.parent_id is null or p.id is not null",
        columns(""),
        depot("c"),
        columns("c."),
    )
});

static PRODUCTS: LazyLock<String> = LazyLock::new(|| {
    let apart =
        &["id", "restaurant_id", "product_category_id", "depot_id", "image_id", "version", "archived_at"];
    let columns = |prefix| copied_columns::<products::product::Entity>(prefix, apart);
    format!(
        "with m as (select old, id from unnest($3::uuid[], $4::uuid[]) t (old, id)) \
        insert into product (id, restaurant_id, product_category_id, depot_id, image_id, {}) \
        select gen_random_uuid(), $2, c.id, ({}), (select id from m where old = p.image_id), {} \
        from product p join product_category o on o.id = p.product_category_id \
            join product_category c on c.restaurant_id = $2 and c.origin_id = o.origin_id \
        where p.restaurant_id = $1 and p.archived_at is null and o.archived_at is null",
        columns(""),
        depot("p"),
        columns("p."),
    )
});

static SUBPRODUCTS: LazyLock<String> = LazyLock::new(|| {
    let apart = &[
        "id", "restaurant_id", "product_id", "sellable_quantity", "daily_quantity", "refill_at", "off_until",
        "quantity_version", "archived_at",
    ];
    let columns = |prefix| copied_columns::<products::subproduct::Entity>(prefix, apart);
    format!(
        "insert into subproduct (id, restaurant_id, product_id, {}) \
        select gen_random_uuid(), $2, p.id, {} \
        from subproduct s join product o on o.id = s.product_id join product p on p.restaurant_id = $2 and \
        p.origin_id = o.origin_id \
        where s.restaurant_id = $1 and s.archived_at is null and o.archived_at is null",
        columns(""),
        columns("s."),
    )
});

static GROUPS: LazyLock<String> = LazyLock::new(|| {
    let apart = &["id", "restaurant_id", "version", "archived_at"];
    let columns = copied_columns::<option_groups::entity::Entity>("", apart);
    format!(
        "insert into option_group (id, restaurant_id, {columns}) \
        select gen_random_uuid(), $2, {columns} \
        from option_group where restaurant_id = $1 and archived_at is null"
    )
});

static OPTIONS: LazyLock<String> = LazyLock::new(|| {
    let apart = &["id", "restaurant_id", "option_group_id", "subproduct_id", "version", "archived_at"];
    let columns = |prefix| copied_columns::<options::entity::Entity>(prefix, apart);
    format!(
        "insert into option (id, restaurant_id, option_group_id, subproduct_id, {}) \
        select gen_random_uuid(), $2, g.id, (select s.id from subproduct so join subproduct s on \
            s.restaurant_id = $2 and s.origin_id = so.origin_id where so.id = x.subproduct_id), {} \
        from option x join option_group o on o.id = x.option_group_id join option_group g on \
        g.restaurant_id = $2 and g.origin_id = o.origin_id \
        where x.restaurant_id = $1 and x.archived_at is null and o.archived_at is null",
        columns(""),
        columns("x."),
    )
});

const LINKS: &str = "insert into subproduct_option_group (subproduct_id, option_group_id, restaurant_id, \
    ranking) \
    select s.id, g.id, $2, l.ranking from subproduct_option_group l join subproduct so on so.id = \
    l.subproduct_id join option_group go on go.id = l.option_group_id \
        join subproduct s on s.restaurant_id = $2 and s.origin_id = so.origin_id join option_group g on \
        g.restaurant_id = $2 and g.origin_id = go.origin_id \
    where l.restaurant_id = $1";

const COMPONENTS: &str = "insert into subproduct_component (subproduct_id, component_id, restaurant_id, pieces, \
    ranking) \
    select s.id, c.id, $2, l.pieces, l.ranking from subproduct_component l \
        join subproduct so on so.id = l.subproduct_id join subproduct co on co.id = l.component_id \
        join subproduct s on s.restaurant_id = $2 and s.origin_id = so.origin_id \
        join subproduct c on c.restaurant_id = $2 and c.origin_id = co.origin_id \
    where l.restaurant_id = $1";

const FEATURED: &str = "insert into featured_product (id, restaurant_id, product_id, ranking) \
    select gen_random_uuid(), $2, p.id, f.ranking from featured_product f join product o on o.id = f.product_id \
        join product p on p.restaurant_id = $2 and p.origin_id = o.origin_id \
    where f.restaurant_id = $1 and f.archived_at is null";

const UPSELLS: &str = "insert into product_category_upsell (id, restaurant_id, suggested_category_id, \
    product_category_id) \
    select gen_random_uuid(), $2, s.id, c.id from product_category_upsell u \
        join product_category so on so.id = u.suggested_category_id \
        join product_category s on s.restaurant_id = $2 and s.origin_id = so.origin_id \
        left join product_category co on co.id = u.product_category_id \
        left join product_category c on c.restaurant_id = $2 and c.origin_id = co.origin_id \
    where u.restaurant_id = $1 and u.archived_at is null and (co.id is null or c.id is not null)";

/// Copies the menu into a restaurant that has none.
pub async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    let pair = || [copying.from.into(), copying.to.into()];
    let (old, new): (Vec<_>, Vec<_>) = copying.pictures.iter().copied().unzip();
    for with_pictures in [CATEGORIES.as_str(), PRODUCTS.as_str()] {
        tx.run(
            with_pictures,
            [copying.from.into(), copying.to.into(), old.clone().into(), new.clone().into()],
        )
        .await?;
    }
    for plain in
        [SUBPRODUCTS.as_str(), GROUPS.as_str(), OPTIONS.as_str(), LINKS, COMPONENTS, FEATURED, UPSELLS]
    {
        tx.run(plain, pair()).await?;
    }
    Ok(())
}

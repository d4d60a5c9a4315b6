//! Copies a restaurant's menu: live rows only, each with its origin. Sellable quantities are not copied,
//! because each kitchen counts its own. See `docs/decisions/catalogue.md#copies-and-origins`.

use access::prelude::*;
use restaurants::Copying;

/// A category's parent is a category too, so new ids are given first.
const CATEGORIES: &str = "with n as materialized (select id old, gen_random_uuid() id from product_category \
    where restaurant_id = $1 and archived_at is null), \
    m as (select old, id from unnest($3::uuid[], $4::uuid[]) t (old, id)) \
    insert into product_category (id, restaurant_id, origin_id, parent_id, name, name_sec_lang, description, \
    description_sec_lang, ranking, active, \
        visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away, \
        available_from, available_to, expected_at, \
        time_ranges, has_tip, vat_id, sit_in_vat_id, ntak_category_id, ntak_quantity_unit, pos_color_id, \
        image_web_id, image_app_id, image_desc_id) \
    select n.id, $2, c.origin_id, p.id, c.name, c.name_sec_lang, c.description, c.description_sec_lang, \
    c.ranking, c.active, \
        c.visible_online, c.visible_sit_in, c.visible_phone, c.visible_kiosk_sit_in, \
        c.visible_kiosk_take_away, c.available_from, c.available_to, \
        c.expected_at, c.time_ranges, c.has_tip, c.vat_id, c.sit_in_vat_id, c.ntak_category_id, \
        c.ntak_quantity_unit, c.pos_color_id, \
        (select id from m where old = c.image_web_id), (select id from m where old = c.image_app_id), \
        (select id from m where old = c.image_desc_id) \
    from product_category c join n on n.old = c.id left join n p on p.old = c.parent_id where c.parent_id is \
    null or p.id is not null";

const PRODUCTS: &str = "with m as (select old, id from unnest($3::uuid[], $4::uuid[]) t (old, id)) \
    insert into product (id, restaurant_id, origin_id, product_category_id, name, name_sec_lang, \
    description, description_sec_lang, ranking, active, \
        visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away, \
        available_from, available_to, expected_at, \
        has_tip, vat_id, sit_in_vat_id, pos_color_id, ean_code, image_id) \
    select gen_random_uuid(), $2, p.origin_id, c.id, p.name, p.name_sec_lang, p.description, \
    p.description_sec_lang, p.ranking, p.active, \
        p.visible_online, p.visible_sit_in, p.visible_phone, p.visible_kiosk_sit_in, \
        p.visible_kiosk_take_away, p.available_from, p.available_to, \
        p.expected_at, p.has_tip, p.vat_id, p.sit_in_vat_id, p.pos_color_id, p.ean_code, (select id from m \
        where old = p.image_id) \
    from product p join product_category o on o.id = p.product_category_id \
        join product_category c on c.restaurant_id = $2 and c.origin_id = o.origin_id \
    where p.restaurant_id = $1 and p.archived_at is null and o.archived_at is null";

const SUBPRODUCTS: &str = "insert into subproduct (id, restaurant_id, origin_id, product_id, name, \
    name_sec_lang, description, description_sec_lang, price, \
        ranking, active, visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, \
        visible_kiosk_take_away, has_tip, vat_id, sit_in_vat_id, \
        allergenic_ids, ean_code, ntak_category_id, ntak_quantity_unit, ntak_quantity) \
    select gen_random_uuid(), $2, s.origin_id, p.id, s.name, s.name_sec_lang, s.description, \
    s.description_sec_lang, s.price, \
        s.ranking, s.active, s.visible_online, s.visible_sit_in, s.visible_phone, s.visible_kiosk_sit_in, \
        s.visible_kiosk_take_away, s.has_tip, s.vat_id, \
        s.sit_in_vat_id, s.allergenic_ids, s.ean_code, s.ntak_category_id, s.ntak_quantity_unit, \
        s.ntak_quantity \
    from subproduct s join product o on o.id = s.product_id join product p on p.restaurant_id = $2 and \
    p.origin_id = o.origin_id \
    where s.restaurant_id = $1 and s.archived_at is null and o.archived_at is null";

const GROUPS: &str = "insert into option_group (id, restaurant_id, origin_id, name, name_sec_lang, type, \
    min_no_options, max_no_options, ranking, active, \
        visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away) \
    select gen_random_uuid(), $2, origin_id, name, name_sec_lang, type, min_no_options, max_no_options, \
    ranking, active, \
        visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away \
    from option_group where restaurant_id = $1 and archived_at is null";

const OPTIONS: &str = "insert into option (id, restaurant_id, origin_id, option_group_id, name, \
    name_sec_lang, price, ranking, active, \
        visible_online, visible_sit_in, visible_phone, visible_kiosk_sit_in, visible_kiosk_take_away, \
        allergenic_ids) \
    select gen_random_uuid(), $2, x.origin_id, g.id, x.name, x.name_sec_lang, x.price, x.ranking, x.active, \
        x.visible_online, x.visible_sit_in, x.visible_phone, x.visible_kiosk_sit_in, \
        x.visible_kiosk_take_away, x.allergenic_ids \
    from option x join option_group o on o.id = x.option_group_id join option_group g on g.restaurant_id = \
    $2 and g.origin_id = o.origin_id \
    where x.restaurant_id = $1 and x.archived_at is null and o.archived_at is null";

const LINKS: &str = "insert into subproduct_option_group (subproduct_id, option_group_id, restaurant_id, \
    ranking) \
    select s.id, g.id, $2, l.ranking from subproduct_option_group l join subproduct so on so.id = \
    l.subproduct_id join option_group go on go.id = l.option_group_id \
        join subproduct s on s.restaurant_id = $2 and s.origin_id = so.origin_id join option_group g on \
        g.restaurant_id = $2 and g.origin_id = go.origin_id \
    where l.restaurant_id = $1";

/// Copies the menu into a restaurant that has none.
///
/// # Errors
/// What the database says.
pub async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    let pair = || [copying.from.into(), copying.to.into()];
    let (old, new): (Vec<_>, Vec<_>) = copying.pictures.iter().copied().unzip();
    for with_pictures in [CATEGORIES, PRODUCTS] {
        tx.run(
            with_pictures,
            [copying.from.into(), copying.to.into(), old.clone().into(), new.clone().into()],
        )
        .await?;
    }
    for plain in [SUBPRODUCTS, GROUPS, OPTIONS, LINKS] {
        tx.run(plain, pair()).await?;
    }
    Ok(())
}

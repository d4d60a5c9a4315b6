//! A copied restaurant takes its live regions along, with their streets and shapes.

use access::{domain::Copying, prelude::*};

const COPY: &str = "with n as materialized (select id old, gen_random_uuid() id from delivery_region \
        where restaurant_id = $1 and archived_at is null), \
    r as (insert into delivery_region (id, restaurant_id, name, name_sec_lang, active, price, min_order_price, \
            threshold_price, price_under_threshold, courier_price, created_at) \
        select n.id, $2, o.name, o.name_sec_lang, o.active, o.price, o.min_order_price, o.threshold_price, \
            o.price_under_threshold, o.courier_price, o.created_at \
        from delivery_region o join n on n.old = o.id), \
    s as (insert into delivery_street (id, restaurant_id, delivery_region_id, name, name_key, postcode_key, \
            city_key, description, postcode, city, price, active) \
        select gen_random_uuid(), $2, n.id, o.name, o.name_key, o.postcode_key, o.city_key, o.description, \
            o.postcode, o.city, o.price, o.active \
        from delivery_street o join n on n.old = o.delivery_region_id where o.archived_at is null) \
    insert into delivery_polygon (id, restaurant_id, delivery_region_id, polygon_type, points, center_lat, \
        center_lng, radius, min_lat, max_lat, min_lng, max_lng, area) \
    select gen_random_uuid(), $2, n.id, o.polygon_type, o.points, o.center_lat, o.center_lng, o.radius, \
        o.min_lat, o.max_lat, o.min_lng, o.max_lng, o.area \
    from delivery_polygon o join n on n.old = o.delivery_region_id";

/// Copies them. The age of a region decides between equal ones, so it is kept.
pub(crate) async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    tx.run(COPY, [copying.from.into(), copying.to.into()]).await?;
    Ok(())
}

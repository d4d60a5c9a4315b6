-- Upsells that are switched on, for menus: another crate owns these.
create view menu_upsell as
select d.id, d.restaurant_ids, d.currency, d.name, d.range_filter_type, d.ranges, d.created_at
from discount d where d.discount_type = 'upsell' and d.active and d.archived_at is null;

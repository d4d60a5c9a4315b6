-- What a tax report needs of an order, one row each: its times and sums, its lines with their parts, and what each
-- method of payment keeps. Reports read this view and no table of orders. A partial storno is a row of its own with the
-- day and times of its order, but for created_at; what was paid back for it stands at its order.
create view order_tax as
select o.id order_id, o.restaurant_id, o.counter, o.business_day, o.status, o.is_test, o.platform, o.pickup, o.table_name,
    -- A partial storno names the order that it takes pieces of; an order with other items the one it took the place of.
    o.order_parent_id, o.replaces_id, o.replaced_by_id,
    o.created_at, o.show_at, o.accepted_at, o.closed_at, o.archived_at,
    o.currency, o.total_price, o.discount_price,
    o.delivery_price, o.delivery_net_price, o.delivery_vat_price, o.delivery_vat_percent,
    o.system_usage_fee, o.system_usage_fee_net_price, o.system_usage_fee_vat_price, o.system_usage_fee_vat_percent,
    o.service_fee, o.tip, o.employee_tip, o.courier_tip, o.deposit, o.deposit_pieces,
    -- A line that is one part is its size; any other is its parts, which add up to it.
    (select coalesce(jsonb_agg(to_jsonb(l) order by l.ranking, l.part_ranking), '[]') from (
        select i.id item_id, i.parent_item_id, i.ranking, 0 part_ranking, 'item' kind,
            coalesce(i.name, i.product_name) name, i.subproduct_id, null::uuid option_id, i.gift_of, i.quantity,
            i.total_price, i.discount, coalesce(i.paid_price, i.total_price) paid_price,
            i.vat_percent, i.net_price, i.vat_price, i.service_fee, i.service_fee_net, i.service_fee_vat,
            i.ntak_category_id, i.ntak_quantity_unit, i.ntak_quantity, coalesce(i.created_at, o.created_at) ordered_at
        from order_item i where i.order_id = o.id
            and not exists (select from order_item_part p where p.order_item_id = i.id)
        union all
        select i.id, i.parent_item_id, i.ranking, p.ranking, p.kind, p.name, p.subproduct_id, p.option_id, i.gift_of,
            p.quantity, p.total_price, p.discount, p.paid_price, p.vat_percent, p.net_price, p.vat_price,
            p.service_fee, p.service_fee_net, p.service_fee_vat,
            p.ntak_category_id, p.ntak_quantity_unit, p.ntak_quantity, coalesce(i.created_at, o.created_at)
        from order_item i join order_item_part p on p.order_item_id = i.id where i.order_id = o.id) l) lines,
    -- Less what went back; what was moved to the order that took the place of this one is kept there.
    (select coalesce(jsonb_agg(to_jsonb(k) order by k.payment_key), '[]') from (
        select t.payment_method_id, t.payment_key, sum(t.value) value, sum(t.tip) tip, sum(t.rounding) rounding
        from payable_transaction t where t.order_id = o.id
        group by t.payment_method_id, t.payment_key
        having sum(t.value) <> 0 or sum(t.tip) <> 0 or sum(t.rounding) <> 0) k) kept
from orders o;

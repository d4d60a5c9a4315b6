-- What the tax report needs of the menu, on every level: a category (ref.ntak_category) and a unit on restaurant, category, product
-- and size, and a quantity on the size.

alter table product
    add column ntak_category_id   uuid,
    add column ntak_quantity_unit text
        check (ntak_quantity_unit in ('liter', 'kilogram', 'unit', 'piece', 'portion'));

-- Nothing is sold by nothing.
update subproduct set ntak_quantity = null where ntak_quantity <= 0;

create or replace view restaurant_facts as
select r.id, r.restaurant_group_id, r.name, r.phone_1, r.timezone, r.currency, r.primary_language, r.secondary_language,
    r.vat_id, r.sit_in_vat_id, r.ntak_quantity_unit, r.catalogue_version, r.lct_enabled, r.archived_at,
    array(select f.feature from restaurant_feature f where f.restaurant_id = r.id order by 1) as features,
    r.contact_email, r.escalate_after_minutes, r.escalate_admins_after_minutes, r.ntak_category_id
from restaurant r;

-- The ways back of imports so far name neither category nor unit; they would take them away.
update menu_import i set undo = i.undo || jsonb_build_object(
    'categories', coalesce((
        select jsonb_agg(e.one || jsonb_build_object('ntak_category_id', c.ntak_category_id, 'ntak_quantity_unit',
            c.ntak_quantity_unit) order by e.place)
        from jsonb_array_elements(i.undo -> 'categories') with ordinality e (one, place)
        left join product_category c on c.id = (e.one ->> 'id')::uuid), '[]'),
    'subproducts', coalesce((
        select jsonb_agg(e.one || jsonb_build_object('ntak_category_id', s.ntak_category_id, 'ntak_quantity_unit',
            s.ntak_quantity_unit, 'ntak_quantity', s.ntak_quantity) order by e.place)
        from jsonb_array_elements(i.undo -> 'subproducts') with ordinality e (one, place)
        left join subproduct s on s.id = (e.one ->> 'id')::uuid), '[]'))
where i.undo is not null;

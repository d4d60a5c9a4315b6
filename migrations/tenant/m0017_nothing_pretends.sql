-- What is paid online waits for its provider and `balance` for customers: nobody was ever paid with them, and neither can be
-- switched on any more.
delete from restaurant_payment_method where payment_method_id in ('00000000-0000-7000-8000-000000000403',
    '00000000-0000-7000-8000-000000000405', '00000000-0000-7000-8000-000000000407');

-- The account that alone may fetch the file: that of the super admin who ordered it.
alter table export_request add column only_for uuid;

-- TV, kiosk and push are on unless a super admin takes them away.
insert into restaurant_feature (restaurant_id, feature)
select id, feature from restaurant, unnest(array['kiosk', 'push', 'tv']) feature on conflict do nothing;

-- The tax report's unit of the restaurant is one of the units, as it is on every level below.
update restaurant set ntak_quantity_unit = case when lower(trim(ntak_quantity_unit)) in ('liter', 'kilogram', 'unit', 'piece', 'portion')
    then lower(trim(ntak_quantity_unit)) end
where ntak_quantity_unit is not null;
alter table restaurant add constraint restaurant_ntak_quantity_unit_check
    check (ntak_quantity_unit in ('liter', 'kilogram', 'unit', 'piece', 'portion'));

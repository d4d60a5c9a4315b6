-- What somebody has decided: the guide ticks that, and not what a new restaurant begins with.
alter table restaurant add column delivery_set_at timestamptz;
alter table payment_settings add column methods_set_at timestamptz;
-- A restaurant with orders works as it is; what was saved before was decided.
update restaurant r set delivery_set_at = now()
where exists (select 1 from orders o where o.restaurant_id = r.id and not o.is_test)
   or exists (select 1 from audit a where a.restaurant_id = r.id and a.action = 'restaurants_delivery');
update payment_settings set methods_set_at = now();
insert into payment_settings (restaurant_id, methods_set_at)
select distinct m.restaurant_id, now() from restaurant_payment_method m on conflict do nothing;

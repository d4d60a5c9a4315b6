-- What holds where no region is active, once somebody has said it: null is a restaurant that never had to.
alter table restaurant
    add column no_region text check (no_region in ('nowhere', 'everywhere'));

-- Which cities the rows of a restaurant name is asked for every street that names none itself.
drop index delivery_street_city;
create index delivery_street_city on delivery_street (restaurant_id, city_key) where archived_at is null;

-- Streets are compared by other rules: the service writes their keys anew.
insert into control.job (partner_id, kind, key, args)
    select p.id, 'delivery_street_keys', 'all', '{}'
    from control.partner p
    where p.role = current_schema() and exists (select from delivery_street where archived_at is null)
    on conflict do nothing;

-- Whether a delivery can be ordered to any address at all: an active region has a street, or a shape where shapes
-- are asked; without an active region, as it was said.
create view delivery_reach as
select r.id as restaurant_id,
    case when exists (select from delivery_region g where g.restaurant_id = r.id and g.archived_at is null and g.active)
        then exists (select from delivery_region g where g.restaurant_id = r.id and g.archived_at is null and g.active
            and (exists (select from delivery_street s where s.delivery_region_id = g.id and s.archived_at is null and s.active)
                or r.delivery_method = 'gps_based'
                    and exists (select from delivery_polygon p where p.delivery_region_id = g.id)))
        when r.no_region is not null then r.no_region = 'everywhere'
        else not exists (select from delivery_region g where g.restaurant_id = r.id and g.archived_at is null)
    end as anywhere
from restaurant r;

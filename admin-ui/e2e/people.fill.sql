-- What people.measure.ts looks at: ten thousand people, partners, jobs and audit lines, two thousand restaurants and groups. Run twice it adds nothing.
-- :partner is the demo partner, :schema its schema, :restaurant one of its restaurants.
begin;
insert into control.account (id, email, first_name, last_name, own)
select md5('account' || n)::uuid, 'meres' || n || '@pult.example', (array['Ödön', 'Anna', 'Béla', 'Júlia'])[1 + n % 4], 'Mérő ' || lpad(n::text, 5, '0'), true
from generate_series(1, 10000) n on conflict do nothing;
-- Every tenth acts for the whole partner, half hold a dozen rights, the rest all of the menu and orders.
insert into control.admin (id, account_id, partner_id, target_type, restaurant_ids, permission_keys, surfaces, status)
select md5('admin' || n)::uuid, md5('account' || n)::uuid, :'partner', case when n % 10 = 0 then 'Partner' else 'Restaurant' end,
    case when n % 10 > 0 then array[:'restaurant'::uuid] end,
    (select array_agg(key order by ranking) from (select key, ranking from ref.permission order by ranking limit case when n % 2 = 0 then 12 else 40 end) p),
    '{admin,pos}', case when n % 50 = 0 then 'invited' else 'active' end
from generate_series(1, 10000) n on conflict do nothing;
insert into control.session (id, account_id, surface, expires_at, last_active_at)
select md5('session' || n)::uuid, md5('account' || n)::uuid, 'admin', now() + interval '1 hour', now() - n * interval '1 minute'
from generate_series(1, 10000) n where n % 50 > 0 on conflict do nothing;

-- Without schemas of their own: set aside, so that no background work looks for them.
insert into control.partner (id, name, mode, status, role, schema_version)
select md5('partner' || n)::uuid, 'Mérő Étterem Kft. ' || lpad(n::text, 5, '0'), 'live', 'maintenance', 'pult_none_' || n, 'm0001'
from generate_series(1, 10000) n on conflict do nothing;
insert into control.restaurant (id, partner_id, group_id, name, zone, city)
select md5('other' || n)::uuid, md5('partner' || n)::uuid, md5('group' || n)::uuid, 'Vendéglő ' || lpad(n::text, 5, '0'), 'Europe/Budapest', 'Szeged'
from generate_series(1, 10000) n on conflict do nothing;

insert into control.job (partner_id, kind, state, attempts, last_error)
select md5('partner' || n)::uuid, 'partner_export', 'failed', 10, 'the store did not answer'
from generate_series(1, greatest(0, 10000 - (select count(*) from control.job where state = 'failed'))) n;
insert into control.platform_audit (id, at, actor_kind, actor_name, action, partner_id, record_id, request_id, details)
select md5('platform' || n)::uuid, now() - n * interval '1 minute', 'admin', 'Super Sára', 'partners_update', md5('partner' || n)::uuid, md5('partner' || n)::uuid, md5('r' || n), '{"name": ["Régi", "Új"]}'
from generate_series(1, 10000) n on conflict do nothing;

set local search_path = :"schema", pg_catalog;
insert into audit (id, restaurant_id, at, actor_kind, actor_name, action, record_id, request_id, fields)
select md5('audit' || n)::uuid, case when n % 5 > 0 then :'restaurant'::uuid end, now() - n * interval '1 minute', 'admin', 'Mérő ' || n % 100, 'couriers_update', md5('courier' || n % 50)::uuid, md5('r' || n), '{phone_1,vehicle}'
from generate_series(1, 12500) n on conflict do nothing;
insert into audit_detail (audit_id, details)
select md5('audit' || n)::uuid, '{"phone_1": ["+3611111", "+3622222"], "vehicle": ["foot", "moped"]}' from generate_series(1, 12500) n on conflict do nothing;
insert into restaurant_group (id, name) select md5('mygroup' || n)::uuid, 'Csoport ' || lpad(n::text, 4, '0') from generate_series(1, 2000) n on conflict do nothing;
insert into restaurant (id, restaurant_group_id, name, city)
select md5('mine' || n)::uuid, (select restaurant_group_id from restaurant where id = :'restaurant'), 'Zséb étterem ' || lpad(n::text, 4, '0'), (array['Győr', 'Pécs', 'Eger'])[1 + n % 3]
from generate_series(1, 2000) n on conflict do nothing;
insert into control.restaurant (id, partner_id, group_id, name, zone, city)
select r.id, :'partner', r.restaurant_group_id, r.name, r.timezone, r.city from restaurant r on conflict do nothing;
commit;
analyze;

-- Devices: TVs, kiosks, displays, agents, tills. One identity and one secret each.
create table control.device (
    id            uuid primary key,
    partner_id    uuid not null references control.partner on delete cascade,
    restaurant_id uuid not null references control.restaurant on delete cascade,
    -- Fixes what it may call.
    kind          text not null check (kind in ('guest_tv', 'kiosk', 'kitchen_display', 'printer_agent', 'terminal_agent', 'till')),
    name          text not null,
    -- The guest TV or kiosk that it is: a row of the tenant.
    subject_id    uuid,
    -- SHA-256 of its secret; none before it is paired.
    hash          bytea unique,
    -- The secret before it made itself a new one, and until when that is still good.
    old_hash      bytea unique,
    rotated_until timestamptz,
    -- Of a device that is paired by its address alone (the `tv_url` of a guest TV): the secret, sealed, to be shown again.
    sealed        bytea,
    -- What pairs it: a six-digit code (keyed digest) or a link (SHA-256), for some minutes and once.
    code_hash     bytea unique,
    link_hash     bytea unique,
    pairing_until timestamptz,
    paired_at     timestamptz,
    last_seen_at  timestamptz,
    address       text not null default '',
    user_agent    text not null default '',
    created_at    timestamptz not null default now(),
    revoked_at    timestamptz
);
create index on control.device (partner_id, restaurant_id);
create index on control.device (subject_id) where subject_id is not null;
alter table control.device enable row level security;
create policy own on control.device to pult_control using (partner_id = nullif(current_setting('pult.partner', true), '')::uuid);
create policy everything on control.device to pult_platform, pult_definer using (true) with check (true);
grant select, insert, update, delete on control.device to pult_platform, pult_definer;

-- The first statement of a device's call. A revoked or replaced secret is none.
create function control.enter_device(p_hash bytea)
    returns table (status text, role text, device_id uuid, kind text, name text, partner_id uuid, restaurant_id uuid, subject_id uuid,
                   last_seen_at timestamptz)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    d record;
begin
    select de.id, de.partner_id, de.restaurant_id, de.kind, de.name, de.subject_id, de.last_seen_at into d
    from control.device de
    where (de.hash = p_hash or de.old_hash = p_hash and de.rotated_until > now()) and de.revoked_at is null;
    if not found then
        status := 'device';
        return next;
        return;
    end if;
    select re.partner_role, case re.partner_status when 'active' then 'ok' else re.partner_status end into role, status
    from control.restaurant re
    where re.id = d.restaurant_id and re.archived_at is null and re.partner_status not in ('creating', 'deleting');
    if not found then
        status := 'device';
        return next;
        return;
    end if;
    device_id := d.id;
    kind := d.kind;
    name := d.name;
    partner_id := d.partner_id;
    restaurant_id := d.restaurant_id;
    subject_id := d.subject_id;
    last_seen_at := d.last_seen_at;
    return next;
end $$;

-- That it was there, from where and with what; written now and then.
create function control.touch_device(p_id uuid, p_address text, p_agent text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.device set last_seen_at = now(), address = p_address, user_agent = left(p_agent, 300) where id = p_id;
end;

-- Exchanges a code or a link for a secret, once. What the device had before is dead.
create function control.pair_device(p_pairing bytea, p_hash bytea, p_address text, p_agent text) returns uuid
    language sql security definer set search_path = ''
begin atomic
    update control.device set hash = p_hash, old_hash = null, rotated_until = null, code_hash = null, link_hash = null, pairing_until = null,
        paired_at = now(), last_seen_at = now(), address = p_address, user_agent = left(p_agent, 300)
    where (code_hash = p_pairing or link_hash = p_pairing) and pairing_until > now() and revoked_at is null
    returning id;
end;

-- A secret that the device has made itself; the one before is good for ten minutes, should the answer be lost.
create function control.renew_device(p_old bytea, p_hash bytea) returns boolean
    language sql security definer set search_path = ''
begin atomic
    with d as (update control.device set old_hash = hash, rotated_until = now() + interval '10 minutes', hash = p_hash
               where hash = p_old and revoked_at is null and sealed is null returning id)
    select exists (select from d);
end;

-- The devices of a restaurant; one of them, or those that are one guest TV or kiosk.
create function control.devices(p_restaurant uuid, p_id uuid, p_subject uuid)
    returns table (id uuid, kind text, name text, subject_id uuid, sealed bytea, pairing_until timestamptz, paired_at timestamptz,
                   last_seen_at timestamptz, address text, user_agent text, created_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select d.id, d.kind, d.name, d.subject_id, d.sealed, case when d.pairing_until > now() then d.pairing_until end, d.paired_at,
        d.last_seen_at, d.address, d.user_agent, d.created_at
    from control.device d
    where d.partner_id = control.current_partner() and d.restaurant_id = p_restaurant and d.revoked_at is null
      and (p_id is null or d.id = p_id) and (p_subject is null or d.subject_id = p_subject)
    order by d.created_at, d.id;
end;

create function control.create_device(p_id uuid, p_restaurant uuid, p_kind text, p_name text, p_subject uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null or not exists (select from control.restaurant r where r.id = p_restaurant and r.partner_id = v_partner) then
        raise exception 'control.create_device for a restaurant of another partner' using errcode = '42501';
    end if;
    insert into control.device (id, partner_id, restaurant_id, kind, name, subject_id) values (p_id, v_partner, p_restaurant, p_kind, p_name, p_subject);
end $$;

create function control.rename_device(p_id uuid, p_name text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.device set name = p_name where id = p_id and partner_id = control.current_partner() and revoked_at is null;
end;

-- Opens the pairing of a device for some minutes; false when another device waits with the same code.
create function control.open_pairing(p_id uuid, p_code bytea, p_link bytea, p_minutes int) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.device set code_hash = null, link_hash = null, pairing_until = null where code_hash = p_code and pairing_until <= now();
    update control.device set code_hash = p_code, link_hash = p_link, pairing_until = now() + make_interval(mins => p_minutes)
    where id = p_id and partner_id = control.current_partner() and revoked_at is null and sealed is null
      and not exists (select from control.device o where o.code_hash = p_code and o.id <> p_id);
    return found;
exception when unique_violation then
    return false;
end $$;

-- Gives a device that is known by its address a secret; the address before is dead at once.
create function control.link_device(p_id uuid, p_hash bytea, p_sealed bytea) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.device set hash = p_hash, sealed = p_sealed, paired_at = now(), old_hash = null, rotated_until = null
    where id = p_id and partner_id = control.current_partner() and revoked_at is null;
end;

-- Dead from the next request on every instance.
create function control.revoke_device(p_id uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.device set revoked_at = now(), hash = null, old_hash = null, sealed = null, code_hash = null, link_hash = null
    where id = p_id and partner_id = control.current_partner() and revoked_at is null;
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('enter_device', 'touch_device', 'pair_device', 'renew_device', 'devices', 'create_device',
            'rename_device', 'open_pairing', 'link_device', 'revoke_device')
    loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.enter_device, control.touch_device, control.pair_device, control.renew_device to pult_app;
grant execute on function control.devices, control.create_device, control.rename_device, control.open_pairing, control.link_device,
    control.revoke_device to pult_tenant;

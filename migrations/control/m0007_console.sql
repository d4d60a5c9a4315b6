-- What the super admins' console needs: the life of a partner, its exports, the restaurants' directory.

alter table control.partner drop constraint partner_status_check;
alter table control.partner add constraint partner_status_check check (status in ('creating', 'active', 'suspended', 'maintenance', 'deleting'));
alter table control.partner
    add column suspended_reason text,
    -- What an undelete, or a restore that is given up, brings back.
    add column status_before    text,
    -- End of the 30 days in which a deletion can be undone.
    add column delete_at        timestamptz,
    -- Why the last creation, migration, restore or removal failed.
    add column error            text,
    -- What is still to be made (first group, restaurant, admin; an archive to be restored); emptied when it is.
    add column plan             jsonb,
    -- Whence the partner was restored or cloned: archive, instant and which id became which.
    add column origin           jsonb,
    -- Caller and Idempotency-Key of the creation, with the hash of its body.
    add column request_key      text unique,
    add column request_hash     bytea;

create table control.export (
    id         uuid primary key,
    partner_id uuid not null references control.partner on delete cascade,
    -- Who ordered it; gets the link by mail when asked for.
    account_id uuid references control.account on delete set null,
    mail       boolean not null default false,
    status     text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed')),
    size_bytes bigint,
    error      text,
    created_at timestamptz not null default now(),
    expires_at timestamptz
);
create index on control.export (partner_id, created_at);
-- Two orders at once are one export.
create unique index export_under_way on control.export (partner_id) where status in ('waiting', 'running');

alter table control.export enable row level security;
create policy own on control.export to pult_control using (partner_id = nullif(current_setting('pult.partner', true), '')::uuid);
create policy everything on control.export to pult_platform, pult_definer using (true) with check (true);
grant select, insert, update, delete on control.export to pult_platform, pult_definer;

-- Orders an export of the own company: one under way is taken instead of a second.
create function control.order_export(p_id uuid, p_account uuid, p_mail boolean) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
    v_id uuid;
begin
    if v_partner is null then
        raise exception 'control.order_export outside a tenant transaction' using errcode = '42501';
    end if;
    insert into control.export (id, partner_id, account_id, mail) values (p_id, v_partner, p_account, p_mail)
    on conflict (partner_id) where status in ('waiting', 'running') do nothing returning id into v_id;
    if v_id is null then
        select e.id into v_id from control.export e where e.partner_id = v_partner and e.status in ('waiting', 'running');
    else
        perform control.enqueue('partner_export', v_id::text, jsonb_build_object('export_id', v_id), now());
    end if;
    return v_id;
end $$;

create function control.own_exports()
    returns table (id uuid, status text, size_bytes bigint, created_at timestamptz, expires_at timestamptz, error text)
    language sql stable security definer set search_path = ''
begin atomic
    select e.id, e.status, e.size_bytes, e.created_at, e.expires_at, e.error from control.export e
    where e.partner_id = control.current_partner() order by e.created_at desc, e.id limit 50;
end;

-- The file behind a link that has not expired.
create function control.export_file(p_id uuid) returns table (partner_id uuid, partner_name text)
    language sql stable security definer set search_path = ''
begin atomic
    select e.partner_id, p.name from control.export e join control.partner p on p.id = e.partner_id
    where e.id = p_id and e.status = 'ready' and e.expires_at > now();
end;

-- A restaurant goes to another group of its partner.
create function control.move_restaurant(p_id uuid, p_group uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.restaurant set group_id = p_group where id = p_id and partner_id = control.current_partner();
end;

-- A line of the partner's log about a support access, also when it has ended: what no unit of work of the partner can say.
-- Says whose log it is; null when the partner has none.
create function control.support_line(p_support uuid, p_restaurant uuid, p_action text, p_request text, p_details jsonb) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    s record;
    v_id uuid := gen_random_uuid();
begin
    select sa.partner_id, pa.role, coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name into s
    from control.support_access sa join control.partner pa on pa.id = sa.partner_id join control.account ac on ac.id = sa.account_id
    where sa.id = p_support and pa.schema_version is not null;
    if not found then
        return null;
    end if;
    execute format('insert into %I.audit (id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, fields)
                    values ($1, $2, ''support'', $3, $4, $5, $6, $7, array(select jsonb_object_keys($8)))', s.role)
        using v_id, p_restaurant, p_support, s.name, p_action, case when p_action = 'support_end' then s.partner_id end, p_request, p_details;
    execute format('insert into %I.audit_detail (audit_id, details) values ($1, $2)', s.role) using v_id, p_details;
    return s.partner_id;
end $$;

-- The end of a support access whose hour is over, once: in the platform's log and the partner's. One that is still open is
-- looked at again when its hour is over.
create function control.end_support(p_support uuid) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    s record;
    v_details jsonb := '{"expired": [null, true]}';
begin
    insert into control.job (partner_id, kind, key, args, run_at)
    select sa.partner_id, 'support_end', sa.id::text, jsonb_build_object('support_id', sa.id), sa.expires_at
    from control.support_access sa where sa.id = p_support and sa.ended_at is null and sa.expires_at > now()
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do nothing;
    update control.support_access sa set ended_at = sa.expires_at from control.account ac
    where sa.id = p_support and sa.ended_at is null and sa.expires_at <= now() and ac.id = sa.account_id
    returning sa.partner_id, ac.id as account_id, coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name into s;
    if not found then
        return null;
    end if;
    perform control.audit('admin', s.account_id, s.name, 'support_end', s.partner_id, p_support, '', v_details);
    return control.support_line(p_support, null, 'support_end', '', v_details);
end $$;

do $$
declare f text;
begin
    foreach f in array array['support_line(uuid, uuid, text, text, jsonb)', 'end_support(uuid)'] loop
        -- They write the tenants' tables, so they stay with pult_owner, who owns those.
        execute format('revoke all on function control.%s from public', f);
    end loop;
    foreach f in array array['order_export(uuid, uuid, boolean)', 'own_exports()', 'export_file(uuid)', 'move_restaurant(uuid, uuid)'] loop
        execute format('alter function control.%s owner to pult_definer', f);
        execute format('revoke all on function control.%s from public', f);
    end loop;
end $$;
grant execute on function control.order_export, control.own_exports, control.move_restaurant to pult_tenant;
grant execute on function control.export_file to pult_app;
grant execute on function control.support_line to pult_app, pult_platform;
grant execute on function control.end_support to pult_platform;

-- Partners on several database servers: see docs/decisions/tenancy.md#servers. Each server has this schema. In the home
-- server's, `partner.server` names where a partner's schema is. In another server's, a row stands for each partner that
-- is there, and all that its units of work write here: jobs, until they are carried home, and the head of its log.
alter table control.partner add constraint partner_server check (server ~ '^[a-z][a-z0-9-]{0,31}$');

-- Where a partner's schema is, and its mode, by its role.
create function control.place_of(p_role text) returns table (server text, partner_mode text)
    language sql stable security definer set search_path = ''
begin atomic select pa.server, pa.mode from control.partner pa where pa.role = p_role; end;

-- The mode of the partner of this unit of work. On another server the door says it: the row there may be older.
create or replace function control.partner_mode() returns text
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(nullif(current_setting('pult.mode', true), ''),
        (select pa.mode from control.partner pa where pa.id = control.current_partner()));
end;

-- Whether a partner's schema is on this server: at work, as control.enter_job, or in whatever state, as control.enter_made.
create function control.here(p_partner uuid, p_made boolean) returns table (role text)
    language sql stable security definer set search_path = ''
begin atomic
    select pa.role from control.partner pa
    where pa.id = p_partner and pa.server = 'default' and (p_made or pa.status in ('active', 'suspended'));
end;

-- The reference data that the platform writes at home, for the other servers. Rows are archived, never removed.
create function control.reference() returns jsonb
    language plpgsql stable security definer set search_path = ''
as $$
declare
    t text;
    v_rows jsonb;
    v_all jsonb := '{}';
begin
    foreach t in array array['vat', 'allergen', 'pos_color', 'payment_method', 'deposit', 'ntak_category'] loop
        execute format('select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from ref.%I r', t) into v_rows;
        v_all := v_all || jsonb_build_object(t, v_rows);
    end loop;
    return v_all;
end $$;

-- Takes them over on another server.
create function control.take_reference(p_all jsonb) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    t text;
    v_columns text;
    v_old text;
    v_new text;
    v_key text;
begin
    foreach t in array array['vat', 'allergen', 'pos_color', 'payment_method', 'deposit', 'ntak_category'] loop
        select string_agg(quote_ident(a.attname), ', '), string_agg(format('o.%I', a.attname), ', '),
            string_agg(format('excluded.%I', a.attname), ', ')
        into v_columns, v_old, v_new
        from pg_catalog.pg_attribute a
        where a.attrelid = format('ref.%I', t)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
        select string_agg(quote_ident(a.attname), ', ') into v_key
        from pg_catalog.pg_index i join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indrelid = format('ref.%I', t)::regclass and i.indisprimary;
        execute format('insert into ref.%1$I as o (%2$s) select %2$s from jsonb_populate_recordset(null::ref.%1$I, $1)
            on conflict (%3$s) do update set (%2$s) = row(%5$s) where row(%4$s) is distinct from row(%5$s)',
            t, v_columns, v_key, v_old, v_new) using p_all -> t;
    end loop;
end $$;

-- Takes jobs that were written on another server into the queue, in the order of their keys, as everybody locks those
-- that wait. One that has failed keeps its pause.
create function control.take_jobs(p_jobs jsonb) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.job (partner_id, kind, key, args, run_at, trace)
    select pa.id, j.kind, j.key, j.args, j.run_at, j.trace
    from jsonb_to_recordset(p_jobs) j (partner_id uuid, kind text, key text, args jsonb, run_at timestamptz, trace text)
        join control.partner pa on pa.id = j.partner_id
    order by pa.id, j.kind, j.key
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting'
        do update set run_at = least(job.run_at, excluded.run_at) where job.attempts = 0;
end;

-- What became of a unit of work that also wrote at home: its server decides, and home follows.
create table control.decision (
    id         uuid primary key,
    committed  boolean not null,
    created_at timestamptz not null default now()
);
alter table control.decision enable row level security;
create policy everything on control.decision to pult_definer using (true) with check (true);
grant select, insert, delete on control.decision to pult_definer;

-- Says so for a unit of work, or learns it. Whoever comes second waits for the first and gets what that said: a unit of
-- work that nobody has decided by then will never be committed.
create function control.decide(p_id uuid, p_committed boolean) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    insert into control.decision (id, committed) values (p_id, p_committed) on conflict do nothing;
    return (select d.committed from control.decision d where d.id = p_id);
end $$;

-- Prepared transactions of the service that nobody has ended for some seconds. With the rights of the owner, who may see
-- what is prepared.
create function control.undecided() returns table (gid text)
    language sql stable security definer set search_path = ''
begin atomic
    select p.gid from pg_catalog.pg_prepared_xacts p
    where p.database = current_database() and p.owner = 'pult_app' and p.gid like 'pult %' and p.prepared < now() - interval '5 seconds'
    order by p.prepared;
end;

create function control.forget_decisions() returns void
    language sql security definer set search_path = ''
begin atomic delete from control.decision where created_at < now() - interval '30 days'; end;

-- Written where a partner is, once nobody can write for it any more: when it has come to where the partner goes, so has
-- everything before.
create table control.move_mark (id uuid primary key);

-- Background work of the partners whose schema is here.
create or replace function control.partners_alive() returns table (id uuid, role text)
    language sql stable security definer set search_path = ''
begin atomic
    select pa.id, pa.role from control.partner pa where pa.status in ('active', 'suspended') and pa.server = 'default';
end;

-- A transaction that may be prepared cannot notify. Who prepares it does so afterwards.
create function control.wake_runners() returns void
    language plpgsql set search_path = ''
as $$
begin
    if coalesce(current_setting('pult.prepared', true), '') = '' then
        perform pg_notify('pult_job', '');
    end if;
end $$;

create or replace function control.enqueue(p_kind text, p_key text, p_args jsonb, p_run_at timestamptz) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null then
        raise exception 'control.enqueue outside a tenant transaction' using errcode = '42501';
    end if;
    -- One that waits already is locked until the commit, so that nobody takes it before it can see what this transaction
    -- has done. What has failed before keeps its pause.
    insert into control.job (partner_id, kind, key, args, run_at) values (v_partner, p_kind, p_key, p_args, p_run_at)
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting'
        do update set run_at = least(job.run_at, excluded.run_at) where job.attempts = 0;
    -- What is for later is found by who looks then; clocks may differ a little.
    if p_run_at < clock_timestamp() + interval '10 seconds' and coalesce(current_setting('pult.prepared', true), '') = '' then
        perform pg_notify('pult_job', '');
    end if;
end $$;

create or replace function control.copy_staff(p_account uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    insert into control.job (partner_id, kind, key, args)
    select ad.partner_id, 'staff_copy', ad.id::text, jsonb_build_object('admin_id', ad.id) from control.admin ad where ad.account_id = p_account
    order by ad.id
    -- One that waits is locked, as in control.enqueue.
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do update set run_at = job.run_at;
    perform control.wake_runners();
end $$;

create or replace function control.mail_password_link(p_account uuid, p_reason text) returns void
    language plpgsql set search_path = ''
as $$
begin
    insert into control.job (kind, args) values ('password_reset_mail', jsonb_build_object('account_id', p_account, 'reason', p_reason));
    perform control.wake_runners();
end $$;

-- Lines of logs of partners that are elsewhere, until a job has carried them there.
create table control.line_elsewhere (
    id            uuid primary key,
    partner_id    uuid not null references control.partner on delete cascade,
    at            timestamptz not null default now(),
    restaurant_id uuid,
    actor_kind    text not null,
    actor_id      uuid,
    actor_name    text not null,
    action        text not null,
    record_id     uuid,
    request_id    text not null,
    details       jsonb not null
);
create index on control.line_elsewhere (partner_id, at);
alter table control.line_elsewhere enable row level security;
create policy own on control.line_elsewhere to pult_control using (partner_id = nullif(current_setting('pult.partner', true), '')::uuid);
create policy everything on control.line_elsewhere to pult_platform, pult_definer using (true) with check (true);
grant select, update, delete on control.line_elsewhere to pult_platform;

-- A line of a partner's log that no unit of work of the partner writes.
create function control.write_line(p_partner uuid, p_restaurant uuid, p_kind text, p_actor uuid, p_name text, p_action text,
                                   p_record uuid, p_request text, p_details jsonb) returns void
    language plpgsql set search_path = ''
as $$
declare
    v_id uuid := gen_random_uuid();
    pa control.partner;
begin
    -- A move that begins waits for this; while it is under way lines wait at home.
    select * into pa from control.partner where id = p_partner for share;
    if pa.server = 'default' and not coalesce(pa.plan ? 'move', false) then
        execute format('insert into %I.audit (id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, fields)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, array(select jsonb_object_keys($9)))', pa.role)
            using v_id, p_restaurant, p_kind, p_actor, p_name, p_action, p_record, p_request, p_details;
        execute format('insert into %I.audit_detail (audit_id, details) values ($1, $2)', pa.role) using v_id, p_details;
    else
        insert into control.line_elsewhere (id, partner_id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, details)
        values (v_id, p_partner, p_restaurant, p_kind, p_actor, p_name, p_action, p_record, p_request, p_details);
        insert into control.job (partner_id, kind, key) values (p_partner, 'audit_carry', 'lines')
        on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do update set run_at = job.run_at;
        perform control.wake_runners();
    end if;
end $$;

create or replace function control.support_line(p_support uuid, p_restaurant uuid, p_action text, p_request text, p_details jsonb) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    s record;
begin
    select sa.partner_id, coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name into s
    from control.support_access sa join control.partner pa on pa.id = sa.partner_id join control.account ac on ac.id = sa.account_id
    where sa.id = p_support and pa.schema_version is not null;
    if not found then
        return null;
    end if;
    perform control.write_line(s.partner_id, p_restaurant, 'support', p_support, s.name, p_action,
        case when p_action = 'support_end' then s.partner_id end, p_request, p_details);
    return s.partner_id;
end $$;

create or replace function control.note_leaving(p_admin uuid, p_request text) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    a record;
begin
    select pa.id, coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email) as name into a
    from control.admin ad join control.partner pa on pa.id = ad.partner_id join control.account ac on ac.id = ad.account_id
    where ad.id = p_admin and pa.schema_version is not null;
    if found then
        perform control.write_line(a.id, null, 'admin', p_admin, a.name, 'admins_leave', p_admin, p_request, '{}');
    end if;
end $$;

create or replace function control.audit_sign_in(p_account uuid, p_partner uuid, p_surface text, p_address text, p_request text) returns setof uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    a record;
begin
    for a in
        select ad.id, pa.id partner_id, ad.restaurant_ids,
            coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name
        from control.admin ad join control.partner pa on pa.id = ad.partner_id join control.account ac on ac.id = ad.account_id
        where ad.account_id = p_account and ad.status = 'active' and pa.status in ('active', 'suspended') and (p_partner is null or pa.id = p_partner)
        order by ad.id
    loop
        perform control.write_line(a.partner_id, case when cardinality(a.restaurant_ids) = 1 then a.restaurant_ids[1] end, 'admin', a.id,
            a.name, 'sessions_sign_in', a.id, p_request,
            jsonb_build_object('surface', jsonb_build_array(null, p_surface), 'address', jsonb_build_array(null, p_address)));
        return next a.partner_id;
    end loop;
end $$;

do $$
declare f regprocedure;
begin
    foreach f in array array['control.place_of(text)', 'control.here(uuid, boolean)', 'control.take_jobs(jsonb)',
        'control.decide(uuid, boolean)', 'control.forget_decisions()']::regprocedure[] loop
        execute format('alter function %s owner to pult_definer', f);
    end loop;
    foreach f in array array['control.place_of(text)', 'control.here(uuid, boolean)', 'control.take_jobs(jsonb)',
        'control.decide(uuid, boolean)', 'control.reference()', 'control.take_reference(jsonb)', 'control.forget_decisions()', 'control.undecided()', 'control.wake_runners()',
        'control.write_line(uuid, uuid, text, uuid, text, text, uuid, text, jsonb)']::regprocedure[] loop
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.place_of, control.here, control.undecided to pult_app;
grant execute on function control.take_jobs, control.reference, control.take_reference to pult_platform;
grant execute on function control.decide to pult_app, pult_tenant;
grant execute on function control.forget_decisions to pult_platform;
grant execute on function control.wake_runners to pult_definer;

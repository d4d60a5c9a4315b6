-- The functions through which the login role and tenant roles reach `control`. Owned by pult_definer, path pinned.

-- An account whose session lives. A super admin is one only with a second factor, and idle sessions of one end.
create function control.living_session(p_session uuid, p_account uuid)
    returns table (surface text, super_admin boolean, first_name text, last_name text, email text, language text,
                   last_partner_id uuid, last_restaurant_id uuid, partner_id uuid)
    -- Neither definer nor with a path of its own, so that it becomes part of the query that asks.
    language sql stable
begin atomic
    select se.surface, ac.super_admin and se.second_factor and se.partner_id is null, ac.first_name, ac.last_name, ac.email, ac.language,
        ac.last_partner_id, ac.last_restaurant_id, se.partner_id
    from control.session se join control.account ac on ac.id = se.account_id
    where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now() and not ac.locked
      and (not ac.super_admin or se.last_active_at > now() - interval '30 minutes');
end;

-- What a restaurant keeps of its partner, whatever is written. It is taken under the lock of an update of the partner: whoever
-- changes that has either done so, or waits and finds this restaurant.
create function control.partner_of_row() returns trigger
    language plpgsql security definer set search_path = ''
as $$
begin
    select pa.role, pa.status, pa.mode into new.partner_role, new.partner_status, new.partner_mode
    from control.partner pa where pa.id = new.partner_id for share;
    return new;
end $$;
create trigger partner_of_row before insert or update of partner_id, partner_role, partner_status, partner_mode on control.restaurant
    for each row execute function control.partner_of_row();

create function control.rows_of_partner() returns trigger
    language plpgsql security definer set search_path = ''
as $$
begin
    -- A snapshot that is older than the lock could miss a restaurant that was made meanwhile.
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'partners are changed in read committed';
    end if;
    update control.restaurant set partner_role = new.role, partner_status = new.status, partner_mode = new.mode where partner_id = new.id;
    return null;
end $$;
create trigger rows_of_partner after update of role, status, mode on control.partner
    for each row when ((old.role, old.status, old.mode) is distinct from (new.role, new.status, new.mode))
    execute function control.rows_of_partner();

-- What control.enter answered is forgotten with the change that may alter it. control.keep_passes holds the rows that an
-- answer comes from until it is kept: whoever changes one of them waits, and finds it.
create function control.forget_passes() returns trigger
    language plpgsql security definer set search_path = ''
as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'what the door asks is changed in read committed';
    end if;
    case tg_table_name
        when 'session' then delete from control.pass where session_id = old.id;
        when 'account' then delete from control.pass where account_id = old.id;
        when 'admin' then delete from control.pass where admin_id = old.id;
        when 'restaurant' then delete from control.pass where restaurant_id = old.id;
    end case;
    return null;
end $$;
create trigger forget_passes after update on control.session
    for each row when ((old.account_id, old.surface, old.partner_id, old.expires_at, old.ended_at)
                       is distinct from (new.account_id, new.surface, new.partner_id, new.expires_at, new.ended_at))
    execute function control.forget_passes();
create trigger forget_passes after update on control.account
    for each row when ((old.first_name, old.last_name, old.email, old.super_admin, old.locked)
                       is distinct from (new.first_name, new.last_name, new.email, new.super_admin, new.locked))
    execute function control.forget_passes();
create trigger forget_passes after update on control.admin
    for each row when (old is distinct from new) execute function control.forget_passes();
create trigger forget_passes after update on control.restaurant
    for each row when ((old.partner_id, old.partner_role, old.partner_status, old.partner_mode, old.archived_at)
                       is distinct from (new.partner_id, new.partner_role, new.partner_status, new.partner_mode, new.archived_at))
    execute function control.forget_passes();

-- First statement of each unit of work: is everything alive, may this session open this restaurant, under which role.
-- The caller sets role and search_path from the answer (set_config('role') is not possible in here). Rows are read into
-- single variables, few statements, each of few tables: that is what it costs (bench/README.md).
create function control.enter(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid, p_known bigint, p_development boolean)
    returns table (status text, role text, admin_id uuid, version bigint, permission_keys text[], full_target_access boolean,
                   super_admin boolean, surface text, name text, target_type text, mode text, support_id uuid, read_only boolean, kept boolean)
    language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_sign_in_partner uuid;
    v_status text;
    v_writable boolean;
begin
    read_only := false;
    select pa.role, pa.admin_id, pa.version, pa.full_target_access, false, pa.surface, pa.name, pa.target_type, pa.mode
    into role, admin_id, version, full_target_access, super_admin, surface, name, target_type, mode
    from control.pass pa
    where pa.session_id = p_session and pa.restaurant_id = p_restaurant and pa.account_id = p_account and pa.partner_id = p_partner
      and pa.version = p_known and pa.expires_at > now();
    kept := found;
    if kept then
        status := 'ok';
        return next;
        return;
    end if;
    full_target_access := false;
    select l.surface, l.super_admin, coalesce(nullif(trim(l.last_name || ' ' || l.first_name), ''), l.email), l.partner_id
    into surface, super_admin, name, v_sign_in_partner
    from control.living_session(p_session, p_account) l;
    if not found then
        super_admin := false;
        status := 'session';
        return next;
        return;
    end if;
    if p_restaurant is null then
        select pa.role, pa.status, pa.mode into role, v_status, mode from control.partner pa
        where pa.id = p_partner and pa.status not in ('creating', 'deleting') and (v_sign_in_partner is null or v_sign_in_partner = pa.id);
    else
        select re.partner_role, re.partner_status, re.partner_mode into role, v_status, mode from control.restaurant re
        where re.id = p_restaurant and re.partner_id = p_partner and re.archived_at is null
          and re.partner_status not in ('creating', 'deleting') and (v_sign_in_partner is null or v_sign_in_partner = re.partner_id);
    end if;
    if not found then
        surface := null;
        super_admin := false;
        name := null;
        status := 'unknown';
        return next;
        return;
    end if;
    status := case v_status when 'active' then 'ok' else v_status end;
    select ad.id, ad.version, case when ad.version is distinct from p_known then ad.permission_keys end, ad.full_target_access, ad.target_type
    into admin_id, version, permission_keys, full_target_access, target_type
    from control.admin ad
    where ad.account_id = p_account and ad.partner_id = p_partner and ad.status = 'active'
      and (ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids) or (p_restaurant is null and cardinality(ad.restaurant_ids) > 0));
    if found then
        return next;
        return;
    end if;
    full_target_access := false;
    if super_admin then
        version := 0;
        -- What a super admin holds never changes: once known it need not be evaluated again.
        permission_keys := case when p_known is distinct from 0 then '{}'::text[] end;
        target_type := 'Partner';
        -- Opening a partner's data needs a support access; the demo partner is exempt in development.
        select sa.id, sa.writable into support_id, v_writable from control.support_access sa
        where sa.account_id = p_account and sa.partner_id = p_partner and sa.ended_at is null and sa.expires_at > now()
        order by sa.writable desc, sa.expires_at desc limit 1;
        if found then
            read_only := not v_writable;
            -- Who supports a suspended partner must see it.
            status := case v_status when 'suspended' then 'ok' else status end;
        elsif not (p_development and mode = 'demo') then
            status := 'support';
            role := null;
        end if;
    else
        status := 'unknown';
        role := null;
    end if;
    return next;
end $$;

-- A signed-in account without a partner: /admin/me and the like.
create function control.enter_account(p_session uuid, p_account uuid)
    returns table (email text, first_name text, last_name text, language text, super_admin boolean, surface text, last_partner_id uuid, last_restaurant_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select l.email, l.first_name, l.last_name, l.language, l.super_admin, l.surface, l.last_partner_id, l.last_restaurant_id
    from control.living_session(p_session, p_account) l;
end;

-- What the account of a living session is, at which partners.
create function control.targets(p_session uuid, p_account uuid, p_development boolean)
    returns table (admin_id uuid, target_type text, partner_id uuid, partner_name text, mode text, restaurant_ids uuid[], permission_keys text[], full_target_access boolean, has_pin boolean, super_admin boolean, status text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, ad.target_type, pa.id, pa.name, pa.mode, ad.restaurant_ids, ad.permission_keys, ad.full_target_access, ad.pin_hash is not null, false, pa.status
    from control.living_session(p_session, p_account) l, control.admin ad join control.partner pa on pa.id = ad.partner_id
    where ad.account_id = p_account and ad.status = 'active' and pa.status not in ('creating', 'deleting')
      and (l.partner_id is null or l.partner_id = pa.id)
    union all
    select null, 'Partner', pa.id, pa.name, pa.mode, null, '{}', false, false, true, pa.status
    from control.living_session(p_session, p_account) l, control.partner pa
    where l.super_admin and pa.status not in ('creating', 'deleting')
      and (p_development and pa.mode = 'demo' or exists (select from control.support_access sa
          where sa.account_id = p_account and sa.partner_id = pa.id and sa.ended_at is null and sa.expires_at > now()))
      and not exists (select from control.admin ad where ad.account_id = p_account and ad.partner_id = pa.id and ad.status = 'active');
end;

-- Sign-in. Attempts are taken before the password is looked at: at most p_limit within p_window, then a pause that grows.
create function control.take_attempt(p_subject text, p_limit int, p_window interval) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    a control.attempt;
begin
    insert into control.attempt as t (subject, failures) values (p_subject, 1)
    on conflict (subject) do update set
        failures = case when t.blocked_until > now() then t.failures
                        when t.window_start < now() - p_window and coalesce(t.blocked_until, '-infinity') < now() - p_window then 1 else t.failures + 1 end,
        window_start = case when t.window_start < now() - p_window and not coalesce(t.blocked_until > now(), false) then now() else t.window_start end,
        blocked_until = case when t.blocked_until > now() then t.blocked_until
                             when t.failures + 1 > p_limit and t.window_start >= now() - p_window
                             then now() + p_window * least(t.failures + 1 - p_limit, 8) end
    returning * into a;
    return case when a.blocked_until > now() then ceil(extract(epoch from a.blocked_until - now()))::int else 0 end;
end $$;

create function control.forget_attempts(p_subject text) returns void
    language sql security definer set search_path = ''
begin atomic delete from control.attempt where subject = p_subject; end;

-- Of one partner only, when it is that partner's provider which vouches for the person.
create function control.sign_in_grants(p_account uuid, p_partner uuid)
    returns table (permission_keys text[], full_target_access boolean, surfaces text[], super_admin boolean, suspended boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.permission_keys, ad.full_target_access, ad.surfaces, false, pa.status = 'suspended'
    from control.admin ad join control.partner pa on pa.id = ad.partner_id
    where ad.account_id = p_account and ad.status = 'active' and pa.status not in ('creating', 'deleting')
      and (p_partner is null or pa.id = p_partner)
    union all
    select '{}', true, '{admin}', true, false from control.account ac where ac.id = p_account and ac.super_admin and p_partner is null;
end;

create function control.end_session(p_session uuid, p_account uuid) returns void
    language sql security definer set search_path = ''
begin atomic update control.session set ended_at = now() where id = p_session and account_id = p_account and ended_at is null; end;

-- The same password under newer parameters, unless it has been changed meanwhile.
create function control.set_password_hash(p_account uuid, p_before text, p_hash text) returns void
    language sql security definer set search_path = ''
begin atomic update control.account set password_hash = p_hash where id = p_account and password_hash = p_before; end;

create function control.save_target(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.account set last_partner_id = p_partner, last_restaurant_id = p_restaurant
    where id = p_account and exists (select from control.session se where se.id = p_session and se.account_id = p_account and se.ended_at is null);
end;

create function control.save_language(p_session uuid, p_account uuid, p_language text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.account set language = p_language
    where id = p_account and exists (select from control.session se where se.id = p_session and se.account_id = p_account and se.ended_at is null);
end;

-- Whose a one-time link is.
create function control.ticket_owner(p_hash bytea) returns table (account_id uuid, email text, super_admin boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, ac.email, ac.super_admin from control.ticket ti join control.account ac on ac.id = ti.account_id
    where ti.hash = p_hash and ti.purpose = 'password' and ti.used_at is null and ti.expires_at > now();
end;

-- From inside a tenant transaction: the partner comes from the role, never from an argument.
create function control.current_partner() returns uuid
    language sql stable security definer set search_path = ''
begin atomic select id from control.partner where role = current_setting('role'); end;

create function control.enqueue(p_kind text, p_key text, p_args jsonb, p_run_at timestamptz) returns void
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
    if p_run_at < clock_timestamp() + interval '10 seconds' then
        perform pg_notify('pult_job', '');
    end if;
end $$;

-- How many milliseconds what follows in this transaction waits for a lock; 0 is as long as a statement may take.
create function control.lock_patience(p_milliseconds int) returns text
    -- Not definer: it concerns the caller's own transaction only.
    language sql volatile
begin atomic select pg_catalog.set_config('lock_timeout', p_milliseconds::text, true); end;

-- The directory row follows the tenant's restaurant.
create function control.save_restaurant(p_id uuid, p_group uuid, p_name text, p_zone text, p_currency text, p_primary_language text,
    p_secondary_language text, p_city text) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null then
        raise exception 'control.save_restaurant outside a tenant transaction' using errcode = '42501';
    end if;
    insert into control.restaurant (id, partner_id, group_id, name, zone, currency, primary_language, secondary_language, city)
    values (p_id, v_partner, p_group, p_name, p_zone, p_currency, p_primary_language, p_secondary_language, p_city)
    on conflict (id) do update set group_id = excluded.group_id, name = excluded.name, zone = excluded.zone, currency = excluded.currency,
        primary_language = excluded.primary_language, secondary_language = excluded.secondary_language, city = excluded.city
    where restaurant.partner_id = v_partner;
end $$;

-- Every restaurant of the platform, for a super admin with a living session; nothing for anybody else.
create function control.restaurants_for(p_session uuid, p_account uuid, p_id uuid, p_name text)
    returns table (id uuid, name text, partner_id uuid, partner_name text, group_id uuid, zone text, currency text, primary_language text,
                   secondary_language text, city text)
    language sql stable security definer set search_path = ''
begin atomic
    select r.id, r.name, r.partner_id, pa.name, r.group_id, r.zone, r.currency, r.primary_language, r.secondary_language, r.city
    from control.restaurant r join control.partner pa on pa.id = r.partner_id
    where r.archived_at is null and pa.status not in ('creating', 'deleting')
      and exists (select from control.living_session(p_session, p_account) l where l.super_admin)
      and (p_id is null or r.id = p_id)
      -- Each word stands somewhere in the names or the city.
      and (coalesce(p_name, '') = '' or (select bool_and(position(word in ref.fold(r.name || ' ' || pa.name || ' ' || r.city)) > 0)
                                         from regexp_split_to_table(ref.fold(p_name), '\s+') word));
end;

-- The tenants that background work goes over.
create function control.partners_alive() returns table (id uuid, role text)
    language sql stable security definer set search_path = ''
begin atomic select pa.id, pa.role from control.partner pa where pa.status in ('active', 'suspended'); end;

-- Removes a partner's events and idempotency keys older than 24 hours: `event` is a ledger, insert-only for its tenant role.
create function control.prune_events(p_partner uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_schema text;
begin
    select role into v_schema from control.partner where id = p_partner;
    if v_schema is not null then
        execute format('delete from %I.event where created_at < now() - interval ''24 hours''', v_schema);
        execute format('delete from %I.idempotency_key where created_at < now() - interval ''24 hours''', v_schema);
    end if;
end $$;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'control' loop
        -- prune_events alone needs the tables of the tenants, which pult_owner owns.
        if f <> 'control.prune_events(uuid)'::regprocedure then
            execute format('alter function %s owner to pult_definer', f);
        end if;
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.enter, control.enter_account, control.targets,
    control.take_attempt, control.forget_attempts, control.sign_in_grants, control.end_session,
    control.set_password_hash, control.save_target, control.save_language, control.ticket_owner,
    control.restaurants_for to pult_app;
grant execute on function control.current_partner, control.enqueue, control.lock_patience, control.save_restaurant to pult_tenant;
grant execute on function control.partners_alive, control.prune_events to pult_platform;

-- The socket's address names the restaurant only.
create function control.partner_of_restaurant(p_restaurant uuid) returns uuid
    language sql stable security definer set search_path = ''
begin atomic select partner_id from control.restaurant where id = p_restaurant and archived_at is null; end;
alter function control.partner_of_restaurant owner to pult_definer;
revoke all on function control.partner_of_restaurant from public;
grant execute on function control.partner_of_restaurant to pult_app;

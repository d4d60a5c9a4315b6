-- The functions through which the login role and tenant roles reach `control`. Owned by pult_definer, path pinned.

-- First statement of each unit of work: is everything alive, may this session open this restaurant, under which role.
-- The caller sets role and search_path from the answer (set_config('role') is not possible in here).
create function control.enter(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid, p_known bigint, p_development boolean)
    returns table (status text, role text, admin_id uuid, version bigint, permission_keys text[], full_target_access boolean,
                   super_admin boolean, surface text, name text, target_type text, mode text)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    s record;
    p record;
    a record;
begin
    select se.surface, ac.super_admin, ac.first_name, ac.last_name, ac.email into s
    from control.session se join control.account ac on ac.id = se.account_id
    where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now() and not ac.locked;
    if not found then
        return query select 'session', null::text, null::uuid, null::bigint, null::text[], false, false, null::text, null::text, null::text, null::text;
        return;
    end if;
    select pa.role, pa.status, pa.mode into p from control.partner pa where pa.id = p_partner and pa.status <> 'creating';
    if not found or (p_restaurant is not null and not exists (
        select from control.restaurant r where r.id = p_restaurant and r.partner_id = p_partner and r.archived_at is null)) then
        return query select 'unknown', null::text, null::uuid, null::bigint, null::text[], false, false, null::text, null::text, null::text, null::text;
        return;
    end if;
    select ad.id, ad.version, ad.permission_keys, ad.full_target_access, ad.target_type, ad.restaurant_ids into a
    from control.admin ad where ad.account_id = p_account and ad.partner_id = p_partner and ad.status = 'active';
    if found and (a.restaurant_ids is null or p_restaurant = any (a.restaurant_ids)
                  or (p_restaurant is null and cardinality(a.restaurant_ids) > 0)) then
        null;
    elsif s.super_admin then
        -- Opening a partner's data needs a support access (decisions §5); the demo partner is exempt in development.
        if not (p_development and p.mode = 'demo') then
            return query select 'support', null::text, null::uuid, null::bigint, null::text[], false, true, null::text, null::text, null::text, p.mode;
            return;
        end if;
        return query select case p.status when 'active' then 'ok' else p.status end, p.role, null::uuid, 0::bigint, '{}'::text[], false, true, s.surface,
            nullif(trim(s.last_name || ' ' || s.first_name), ''), 'Partner', p.mode;
        return;
    else
        return query select 'unknown', null::text, null::uuid, null::bigint, null::text[], false, false, null::text, null::text, null::text, null::text;
        return;
    end if;
    return query select case p.status when 'active' then 'ok' else p.status end, p.role, a.id, a.version,
        case when a.version is distinct from p_known then a.permission_keys end, a.full_target_access, s.super_admin, s.surface,
        coalesce(nullif(trim(s.last_name || ' ' || s.first_name), ''), s.email), a.target_type, p.mode;
end $$;

-- The same for an API key.
create function control.enter_key(p_hash bytea, p_partner uuid, p_restaurant uuid)
    returns table (status text, role text, key_id uuid, scopes text[], kind text, name text, mode text)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    k record;
begin
    select ak.id, ak.partner_id, ak.restaurant_ids, ak.scopes, ak.kind, ak.name, pa.role, pa.status, pa.mode into k
    from control.api_key ak join control.partner pa on pa.id = ak.partner_id
    where ak.hash = p_hash and ak.archived_at is null and pa.status <> 'creating';
    if not found then
        return query select 'key', null::text, null::uuid, null::text[], null::text, null::text, null::text;
    elsif k.partner_id <> p_partner or not p_restaurant = any (k.restaurant_ids)
        or not exists (select from control.restaurant r where r.id = p_restaurant and r.partner_id = p_partner and r.archived_at is null) then
        return query select 'unknown', null::text, null::uuid, null::text[], null::text, null::text, null::text;
    else
        return query select case k.status when 'active' then 'ok' else k.status end, k.role, k.id, k.scopes, k.kind, k.name, k.mode;
    end if;
end $$;

-- Whether a key exists at all: to tell an unknown key (401) from one that is used where keys may not call (403).
create function control.key_alive(p_hash bytea) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from control.api_key where hash = p_hash and archived_at is null);

-- A signed-in account without a partner: /admin/me and the like.
create function control.enter_account(p_session uuid, p_account uuid)
    returns table (email text, first_name text, last_name text, language text, super_admin boolean, surface text, last_partner_id uuid, last_restaurant_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, ac.first_name, ac.last_name, ac.language, ac.super_admin, se.surface, ac.last_partner_id, ac.last_restaurant_id
    from control.session se join control.account ac on ac.id = se.account_id
    where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now() and not ac.locked;
end;

-- What the account of a living session is, at which partners.
create function control.targets(p_session uuid, p_account uuid, p_development boolean)
    returns table (admin_id uuid, target_type text, partner_id uuid, partner_name text, mode text, restaurant_ids uuid[], permission_keys text[], full_target_access boolean, super_admin boolean, status text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, ad.target_type, pa.id, pa.name, pa.mode, ad.restaurant_ids, ad.permission_keys, ad.full_target_access, false, pa.status
    from control.admin ad join control.partner pa on pa.id = ad.partner_id
    where ad.account_id = p_account and ad.status = 'active' and pa.status <> 'creating'
      and exists (select from control.session se where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now())
    union all
    select null, 'Partner', pa.id, pa.name, pa.mode, null, '{}', false, true, pa.status
    from control.account ac, control.partner pa
    where ac.id = p_account and ac.super_admin and p_development and pa.mode = 'demo' and pa.status <> 'creating'
      and not exists (select from control.admin ad where ad.account_id = p_account and ad.partner_id = pa.id and ad.status = 'active')
      and exists (select from control.session se where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now());
end;

create function control.sessions_alive(p_sessions uuid[]) returns setof uuid
    language sql stable security definer set search_path = ''
begin atomic
    select se.id from control.session se join control.account ac on ac.id = se.account_id
    where se.id = any (p_sessions) and se.ended_at is null and se.expires_at > now() and not ac.locked;
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

create function control.find_sign_in(p_email text) returns table (account_id uuid, password_hash text)
    language sql stable security definer set search_path = ''
begin atomic select id, ac.password_hash from control.account ac where ac.email = lower(p_email) and not ac.locked; end;

create function control.sign_in_grants(p_account uuid) returns table (permission_keys text[], full_target_access boolean, surfaces text[], super_admin boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.permission_keys, ad.full_target_access, ad.surfaces, false from control.admin ad where ad.account_id = p_account and ad.status = 'active'
    union all
    select '{}', true, '{admin}', true from control.account ac where ac.id = p_account and ac.super_admin;
end;

create function control.open_session(p_id uuid, p_account uuid, p_surface text, p_agent text, p_address text, p_days int) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.session (id, account_id, surface, user_agent, address, expires_at)
    values (p_id, p_account, p_surface, left(p_agent, 300), p_address, now() + make_interval(days => p_days));
end;

create function control.end_session(p_session uuid, p_account uuid) returns void
    language sql security definer set search_path = ''
begin atomic update control.session set ended_at = now() where id = p_session and account_id = p_account and ended_at is null; end;

create function control.set_password_hash(p_account uuid, p_hash text) returns void
    language sql security definer set search_path = ''
begin atomic update control.account set password_hash = p_hash where id = p_account; end;

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

-- Whose a one-time link is; redeeming it sets the password and ends every session, once.
create function control.ticket_owner(p_hash bytea) returns table (account_id uuid, email text, super_admin boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, ac.email, ac.super_admin from control.ticket ti join control.account ac on ac.id = ti.account_id
    where ti.hash = p_hash and ti.purpose = 'password' and ti.used_at is null and ti.expires_at > now();
end;

create function control.redeem_password_ticket(p_hash bytea, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
begin
    update control.ticket set used_at = now()
    where hash = p_hash and purpose = 'password' and used_at is null and expires_at > now() returning account_id into v_account;
    if not found then
        return false;
    end if;
    update control.account set password_hash = p_password_hash where id = v_account;
    update control.session set ended_at = now() where account_id = v_account and ended_at is null;
    return true;
end $$;

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
    insert into control.job (partner_id, kind, key, args, run_at) values (v_partner, p_kind, p_key, p_args, p_run_at)
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do nothing;
    perform pg_notify('pult_job', '');
end $$;

create function control.api_keys(p_restaurant uuid)
    returns table (id uuid, name text, kind text, prefix text, scopes text[], created_at timestamptz, last_used_at timestamptz, archived_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select ak.id, ak.name, ak.kind, ak.prefix, ak.scopes, ak.created_at, ak.last_used_at, ak.archived_at from control.api_key ak
    where ak.partner_id = control.current_partner() and p_restaurant = any (ak.restaurant_ids) and ak.archived_at is null
    order by ak.created_at, ak.id;
end;

create function control.create_api_key(p_id uuid, p_restaurant uuid, p_name text, p_kind text, p_prefix text, p_hash bytea, p_scopes text[]) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.api_key (id, partner_id, restaurant_ids, name, kind, prefix, hash, scopes)
    select p_id, r.partner_id, array[r.id], p_name, p_kind, p_prefix, p_hash, p_scopes
    from control.restaurant r where r.id = p_restaurant and r.partner_id = control.current_partner();
end;

create function control.change_api_key(p_id uuid, p_restaurant uuid, p_name text, p_archive boolean) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.api_key set name = coalesce(p_name, name), archived_at = case when p_archive then now() end
    where id = p_id and partner_id = control.current_partner() and p_restaurant = any (restaurant_ids) and archived_at is null;
    return found;
end $$;

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
create function control.restaurants_for(p_session uuid, p_account uuid, p_name text)
    returns table (id uuid, name text, partner_id uuid, partner_name text, group_id uuid, zone text, currency text, primary_language text,
                   secondary_language text, city text)
    language sql stable security definer set search_path = ''
begin atomic
    select r.id, r.name, r.partner_id, pa.name, r.group_id, r.zone, r.currency, r.primary_language, r.secondary_language, r.city
    from control.restaurant r join control.partner pa on pa.id = r.partner_id
    where r.archived_at is null and pa.status <> 'creating'
      and exists (select from control.session se join control.account ac on ac.id = se.account_id
                  where se.id = p_session and se.account_id = p_account and ac.super_admin and not ac.locked
                    and se.ended_at is null and se.expires_at > now())
      and (coalesce(p_name, '') = '' or position(ref.fold(p_name) in ref.fold(r.name)) > 0 or position(ref.fold(p_name) in ref.fold(pa.name)) > 0);
end;

-- Usage of keys, added up in memory and written now and then.
create function control.touch_api_keys(p_ids uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic update control.api_key set last_used_at = now() where id = any (p_ids); end;

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
grant execute on function control.enter, control.enter_key, control.key_alive, control.enter_account, control.targets, control.sessions_alive,
    control.take_attempt, control.forget_attempts, control.find_sign_in, control.sign_in_grants, control.open_session, control.end_session,
    control.set_password_hash, control.save_target, control.save_language, control.ticket_owner, control.redeem_password_ticket,
    control.touch_api_keys, control.restaurants_for to pult_app;
grant execute on function control.current_partner, control.enqueue, control.api_keys, control.create_api_key, control.change_api_key,
    control.save_restaurant to pult_tenant;
grant execute on function control.partners_alive, control.prune_events to pult_platform;

-- The socket's address names the restaurant only.
create function control.partner_of_restaurant(p_restaurant uuid) returns uuid
    language sql stable security definer set search_path = ''
begin atomic select partner_id from control.restaurant where id = p_restaurant and archived_at is null; end;
alter function control.partner_of_restaurant owner to pult_definer;
revoke all on function control.partner_of_restaurant from public;
grant execute on function control.partner_of_restaurant to pult_app;

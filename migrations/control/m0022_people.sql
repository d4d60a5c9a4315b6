-- People: time zone, billing details and addresses. Partners: the shortest password and how long a session may be idle.

alter table control.account
    add column timezone text,
    add column billing jsonb,
    add column addresses jsonb not null default '[]';
-- What the partner wrote after the person did; null: what the account has. Cleared when the person changes the account's.
alter table control.admin
    add column timezone text,
    add column billing jsonb,
    add column addresses jsonb;

alter table control.partner
    add column password_min_length int not null default 6 check (password_min_length between 6 and 64),
    add column idle_minutes int check (idle_minutes between 5 and 20160),
    add column sign_in_rules_version bigint not null default 1;
-- A copy, like the partner's role: the door reads one row less.
alter table control.restaurant add column partner_idle_minutes int;

create or replace function control.partner_of_row() returns trigger
    language plpgsql security definer set search_path = ''
as $$
begin
    select pa.role, pa.status, pa.mode, pa.idle_minutes
    into new.partner_role, new.partner_status, new.partner_mode, new.partner_idle_minutes
    from control.partner pa where pa.id = new.partner_id for share;
    return new;
end $$;
create or replace function control.rows_of_partner() returns trigger
    language plpgsql security definer set search_path = ''
as $$
begin
    -- A snapshot that is older than the lock could miss a restaurant that was made meanwhile.
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'partners are changed in read committed';
    end if;
    update control.restaurant set partner_role = new.role, partner_status = new.status, partner_mode = new.mode,
        partner_idle_minutes = new.idle_minutes
    where partner_id = new.id;
    return null;
end $$;
create or replace trigger rows_of_partner after update of role, status, mode, idle_minutes on control.partner
    for each row when ((old.role, old.status, old.mode, old.idle_minutes) is distinct from (new.role, new.status, new.mode, new.idle_minutes))
    execute function control.rows_of_partner();

-- Whether a session was not used for longer than the strictest of its account's partners allows. Tills are shared and stay open.
create function control.is_idle(p_session uuid) returns boolean
    language sql stable
begin atomic
    select exists (
        select from control.session se
        join control.admin ad on ad.account_id = se.account_id and ad.status = 'active' and (se.partner_id is null or se.partner_id = ad.partner_id)
        join control.partner pa on pa.id = ad.partner_id
        where se.id = p_session and se.surface <> 'pos' and se.last_active_at <= now() - make_interval(mins => pa.idle_minutes));
end;

create or replace function control.enter_account(p_session uuid, p_account uuid)
    returns table (email text, first_name text, last_name text, language text, super_admin boolean, surface text, last_partner_id uuid, last_restaurant_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select l.email, l.first_name, l.last_name, l.language, l.super_admin, l.surface, l.last_partner_id, l.last_restaurant_id
    from control.living_session(p_session, p_account) l where not control.is_idle(p_session);
end;

-- Use of sessions, added up in memory and written now and then. One that was idle for too long ends: a call at a partner without
-- a limit does not prolong it.
create or replace function control.touch_sessions(p_sessions uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.session se set last_active_at = case when used.idle then se.last_active_at else now() end,
        ended_at = case when used.idle then now() end
    from (select id, control.is_idle(id) idle from unnest(p_sessions) id) used
    where se.id = used.id and se.ended_at is null;
end;

create or replace function control.my_sessions(p_session uuid, p_account uuid)
    returns table (id uuid, surface text, user_agent text, address text, created_at timestamptz, last_active_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select se.id, se.surface, se.user_agent, se.address, se.created_at, se.last_active_at
    from control.session se, control.session own
    where own.id = p_session and own.account_id = p_account and se.account_id = p_account
      and (own.partner_id is null or se.partner_id = own.partner_id)
      and exists (select from control.living_session(se.id, p_account)) and not control.is_idle(se.id)
    order by se.last_active_at desc, se.id;
end;

-- See m0020. The partner's limit counts for its people; a super admin's session has one of its own.
create or replace function control.enter(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid, p_known bigint, p_development boolean)
    returns table (status text, role text, admin_id uuid, version bigint, permission_keys text[], full_target_access boolean,
                   super_admin boolean, surface text, name text, target_type text, mode text, support_id uuid, read_only boolean)
    language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_sign_in_partner uuid;
    v_status text;
    v_writable boolean;
    v_idle int;
begin
    read_only := false;
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
        select pa.role, pa.status, pa.mode, pa.idle_minutes into role, v_status, mode, v_idle from control.partner pa
        where pa.id = p_partner and pa.status not in ('creating', 'deleting') and (v_sign_in_partner is null or v_sign_in_partner = pa.id);
    else
        select re.partner_role, re.partner_status, re.partner_mode, re.partner_idle_minutes into role, v_status, mode, v_idle
        from control.restaurant re
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
        if v_idle is not null and surface <> 'pos' and exists (select from control.session se
                where se.id = p_session and se.last_active_at <= now() - make_interval(mins => v_idle)) then
            status := 'session';
            role := null;
        end if;
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

-- The rules of the own partner, and their change; false for another version.
create function control.sign_in_rules() returns table (password_min_length int, idle_minutes int, version bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select pa.password_min_length, pa.idle_minutes, pa.sign_in_rules_version from control.partner pa where pa.id = control.current_partner();
end;
create function control.save_sign_in_rules(p_version bigint, p_password_min_length int, p_idle_minutes int) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.partner set password_min_length = p_password_min_length, idle_minutes = p_idle_minutes,
        sign_in_rules_version = sign_in_rules_version + 1
    where id = control.current_partner() and sign_in_rules_version = p_version;
    return found;
end $$;

-- The shortest password that all partners of an account take which it has accepted, and one more that sets or invites.
create function control.password_min_length(p_account uuid, p_partner uuid) returns int
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(max(pa.password_min_length), 6) from control.partner pa
    where pa.id = p_partner
       or pa.id in (select ad.partner_id from control.admin ad where ad.account_id = p_account and ad.status in ('active', 'locked'));
end;

-- The same for the account of a mailed link, with the partner that invites.
create function control.link_password_min_length(p_hash bytea) returns int
    language sql stable security definer set search_path = ''
begin atomic
    select control.password_min_length(ti.account_id, ad.partner_id)
    from control.ticket ti left join control.admin ad on ad.id = ti.admin_id where ti.hash = p_hash;
end;

-- What a session's account is at its partners, beside control.targets.
create function control.my_admins(p_session uuid, p_account uuid)
    returns table (partner_id uuid, status text, oidc boolean, surfaces text[], permission_ids uuid[], max_discount_percent numeric,
                   print_zone_id uuid, timezone text, billing jsonb, addresses jsonb)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.partner_id, control.admin_status(ad, ac), si.oidc, ad.surfaces,
        array(select p.id from ref.permission p where p.key = any (ad.permission_keys) order by p.ranking),
        ad.max_discount_percent, ad.print_zone_id, ad.timezone, ad.billing, ad.addresses
    from control.living_session(p_session, p_account) l join control.account ac on ac.id = p_account
    join control.admin ad on ad.account_id = ac.id and ad.status = 'active' and (l.partner_id is null or l.partner_id = ad.partner_id),
        lateral control.signs_in_with(ac.id, ad.partner_id) si;
end;

drop function control.my_account(uuid, uuid);
create function control.my_account(p_session uuid, p_account uuid)
    returns table (email text, tel text, password_hash text, super_admin boolean, secret bytea, pending bytea, recovery_codes int, whole boolean,
                   bound text, timezone text, billing jsonb, addresses jsonb, password_min_length int)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, ac.tel, case when ac.own or ac.held_by = se.partner_id then ac.password_hash end, ac.super_admin and se.partner_id is null,
        sf.secret, sf.pending,
        (select count(*)::int from control.recovery_code rc where rc.account_id = ac.id and rc.used_at is null),
        se.partner_id is null, case when se.held then 'password' when se.partner_id is not null then 'provider' end,
        ac.timezone, ac.billing, ac.addresses, control.password_min_length(ac.id, null)
    from control.living_session(p_session, p_account) l
    join control.session se on se.id = p_session
    join control.account ac on ac.id = p_account
    left join control.second_factor sf on sf.account_id = ac.id;
end;

-- Time zone, billing details and addresses, as far as they are named: the person's word counts at every partner.
create function control.save_my_details(p_account uuid, p_changes jsonb) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.account set
        timezone = case when p_changes ? 'timezone' then p_changes ->> 'timezone' else timezone end,
        billing = case when p_changes ? 'billing' then nullif(p_changes -> 'billing', 'null') else billing end,
        addresses = coalesce(p_changes -> 'addresses', addresses)
    where id = p_account;
    update control.admin set
        timezone = case when not p_changes ? 'timezone' then timezone end,
        billing = case when not p_changes ? 'billing' then billing end,
        addresses = case when not p_changes ? 'addresses' then addresses end
    where account_id = p_account and status = 'active'
      and (p_changes ? 'timezone' and timezone is not null or p_changes ? 'billing' and billing is not null
           or p_changes ? 'addresses' and addresses is not null);
end $$;

-- The same of a person of the own partner. Nothing of the account is shown before it has accepted.
create function control.admin_details(p_id uuid) returns table (timezone text, billing jsonb, addresses jsonb)
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(ad.timezone, case when ad.status = 'active' then ac.timezone end),
        coalesce(ad.billing, case when ad.status = 'active' then ac.billing end),
        coalesce(ad.addresses, case when ad.status = 'active' then ac.addresses end, '[]')
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_id and ad.partner_id = control.current_partner();
end;
create function control.save_admin_details(p_id uuid, p_changes jsonb) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.admin set
        timezone = case when p_changes ? 'timezone' then p_changes ->> 'timezone' else timezone end,
        billing = case when p_changes ? 'billing' then nullif(p_changes -> 'billing', 'null') else billing end,
        addresses = coalesce(p_changes -> 'addresses', addresses)
    where id = p_id and partner_id = control.current_partner();
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('is_idle', 'sign_in_rules', 'save_sign_in_rules', 'password_min_length', 'link_password_min_length', 'my_admins',
            'my_account', 'save_my_details', 'admin_details', 'save_admin_details')
    loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.password_min_length, control.link_password_min_length, control.my_admins, control.my_account, control.save_my_details to pult_app;
grant execute on function control.sign_in_rules, control.save_sign_in_rules, control.admin_details, control.save_admin_details to pult_tenant;

-- Ways around rules: PINs that somebody else gave, PINs found out by setting them, sessions that a partner has ended, and mails that
-- strangers get.

alter table control.admin
    -- The PIN was given by somebody else; `pin_given_by` is that person's row, null for a super admin. Null: no. Rows of older
    -- archives come without it.
    add column pin_given boolean,
    add column pin_given_by uuid references control.admin on delete set null,
    -- What was signed in before opens nothing at this partner any more.
    add column sessions_since timestamptz;
create index on control.admin (pin_given_by) where pin_given_by is not null;

-- When the person proved who they are; a session that was opened by another one is as old as that one.
alter table control.session add column proved_at timestamptz not null default now();
update control.session set proved_at = created_at;

-- When a person last did something at a partner. By partner, because one says nothing of another. No column of control.admin: a
-- change there makes all instances evaluate the rights again.
create table control.admin_use (
    admin_id       uuid primary key references control.admin on delete cascade,
    last_active_at timestamptz not null
);
grant select, insert, update, delete on control.admin_use to pult_definer;
grant select on control.admin_use to pult_platform;
-- Use of an account with several partners could be that of any of them.
insert into control.admin_use (admin_id, last_active_at)
select ad.id, max(se.last_active_at)
from control.admin ad join control.session se on se.account_id = ad.account_id and (se.partner_id = ad.partner_id or se.partner_id is null
    and not exists (select from control.admin other where other.account_id = ad.account_id and other.id <> ad.id and other.status = 'active'))
where ad.status = 'active' group by ad.id;

create or replace view control.partner_use with (security_invoker = true) as
    select pa.id as partner_id,
        (select count(*) from control.admin a where a.partner_id = pa.id and a.status <> 'archived') as users,
        greatest((select max(u.last_active_at) from control.admin a join control.admin_use u on u.admin_id = a.id
                  where a.partner_id = pa.id and a.status = 'active'),
                 (select max(k.last_used_at) from control.api_key k where k.partner_id = pa.id)) as last_activity_at
    from control.partner pa;

create function control.touch_people(p_accounts uuid[], p_partners uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.admin_use (admin_id, last_active_at)
    select ad.id, now()
    from (select distinct account_id, partner_id from unnest(p_accounts, p_partners) u (account_id, partner_id)) used
    join control.admin ad on ad.account_id = used.account_id and ad.partner_id = used.partner_id and ad.status = 'active'
    order by ad.id
    on conflict (admin_id) do update set last_active_at = excluded.last_active_at;
end;

-- PINs.

-- Columns of one person; see m0014. With whose the PIN is.
create or replace function control.save_admin(p_id uuid, p_row jsonb) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin;
    v_alone boolean;
begin
    select * into v from control.admin ad where ad.id = p_id and ad.partner_id = control.current_partner() for update;
    if not found then
        return false;
    end if;
    v := jsonb_populate_record(v, p_row);
    v_alone := v.status = 'active'
        and not exists (select from control.admin other where other.account_id = v.account_id and other.id <> p_id and other.status = 'active')
        and not exists (select from control.account ac where ac.id = v.account_id and ac.super_admin);
    if v_alone then
        update control.account ac set first_name = coalesce(v.first_name, ac.first_name), last_name = coalesce(v.last_name, ac.last_name),
            tel = coalesce(v.tel, ac.tel), language = coalesce(v.language, ac.language)
        where ac.id = v.account_id;
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    update control.admin set target_type = v.target_type, restaurant_ids = v.restaurant_ids, permission_keys = v.permission_keys,
        full_target_access = v.full_target_access, surfaces = v.surfaces, status = v.status, first_name = v.first_name, last_name = v.last_name,
        tel = v.tel, language = v.language, pin_lookup = v.pin_lookup, pin_hash = v.pin_hash,
        pin_given = coalesce(v.pin_given and v.pin_hash is not null, false),
        pin_given_by = case when v.pin_given and v.pin_hash is not null then v.pin_given_by end,
        max_discount_percent = v.max_discount_percent, print_zone_id = v.print_zone_id, archived_at = v.archived_at
    where id = p_id;
    return true;
end $$;

-- Whose PIN this is; see m0005. One that somebody else gave, who may still act for the partner, comes with the rights of that person.
drop function control.find_pin(uuid, bytea);
create function control.find_pin(p_restaurant uuid, p_lookup bytea)
    returns table (id uuid, name text, pin_hash text, permission_keys text[], full_target_access boolean, max_discount_percent numeric,
                   given boolean, giver_keys text[], giver_full boolean, giver_max_discount_percent numeric)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email), ad.pin_hash,
        ad.permission_keys, ad.full_target_access, ad.max_discount_percent,
        gi.id is not null, coalesce(gi.permission_keys, '{}'), coalesce(gi.full_target_access, false), gi.max_discount_percent
    from control.admin ad join control.account ac on ac.id = ad.account_id
    left join control.admin gi on gi.id = ad.pin_given_by and gi.id <> ad.id and gi.partner_id = ad.partner_id and gi.status = 'active'
    where ad.partner_id = control.current_partner() and ad.pin_lookup = p_lookup and ad.status = 'active' and not ac.locked
      and (ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids));
end;

-- That a PIN is taken tells that it is somebody's, so it counts as a wrong one wherever the two could meet: in the restaurants of both,
-- and at the whole partner when one of them is everywhere. Changes of people wait for each other, so no two count at once.
create function control.note_pin_taken(p_id uuid, p_restaurants uuid[], p_lookups bytea[]) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_place uuid;
begin
    for v_place in
        select coalesce(re, control.current_partner()) place from (select 1) one left join lateral unnest(p_restaurants) re on true
        union
        select coalesce(re, ad.partner_id) from control.admin ad left join lateral unnest(ad.restaurant_ids) re on true
        where ad.partner_id = control.current_partner() and ad.id is distinct from p_id and ad.pin_lookup = any (p_lookups)
          and ad.status <> 'archived' and (p_restaurants is null or ad.restaurant_ids is null or ad.restaurant_ids && p_restaurants)
        order by 1
    loop
        -- The fifth pauses.
        perform control.take_attempt('pin set ' || v_place, 4, interval '15 minutes');
    end loop;
end $$;

-- For how many seconds no PIN is set in any of these restaurants (null: in all of the partner).
create function control.pin_setting_pause(p_restaurants uuid[]) returns int
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(max(ceil(extract(epoch from t.blocked_until - now()))), 0)::int
    from control.attempt t
    where t.blocked_until > now()
      and t.subject = any (array(
          select 'pin set ' || control.current_partner()
          union all
          select 'pin set ' || re.id from control.restaurant re
          where re.partner_id = control.current_partner() and (p_restaurants is null or re.id = any (p_restaurants))));
end;

-- Sessions.

create function control.outlived(p_session uuid, p_since timestamptz) returns boolean
    language sql stable
begin atomic
    select p_since is not null and exists (select from control.session se where se.id = p_session and se.proved_at <= p_since);
end;

-- Ends every session of a person as far as it reaches this partner. One that reaches others too lives on for them.
create or replace function control.end_admin_sessions(p_id uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
    v_partner uuid := control.current_partner();
    v_elsewhere boolean;
begin
    select ad.account_id into v_account from control.admin ad
    where ad.id = p_id and ad.partner_id = v_partner and ad.status = 'active' for update;
    if not found then
        return;
    end if;
    select ac.super_admin or exists (select from control.admin other where other.account_id = v_account and other.id <> p_id and other.status = 'active')
    into v_elsewhere from control.account ac where ac.id = v_account;
    update control.admin set sessions_since = clock_timestamp() where id = p_id;
    update control.session set ended_at = coalesce(ended_at, now()), device = null
    where account_id = v_account and (ended_at is null or device is not null)
      and (partner_id = v_partner or partner_id is null and not v_elsewhere);
end $$;

-- See m0003; not what this session has outlived.
create or replace function control.targets(p_session uuid, p_account uuid, p_development boolean)
    returns table (admin_id uuid, target_type text, partner_id uuid, partner_name text, mode text, restaurant_ids uuid[], permission_keys text[], full_target_access boolean, has_pin boolean, super_admin boolean, status text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, ad.target_type, pa.id, pa.name, pa.mode, ad.restaurant_ids, ad.permission_keys, ad.full_target_access, ad.pin_hash is not null, false, pa.status
    from control.living_session(p_session, p_account) l, control.admin ad join control.partner pa on pa.id = ad.partner_id
    where ad.account_id = p_account and ad.status = 'active' and pa.status not in ('creating', 'deleting')
      and (l.partner_id is null or l.partner_id = pa.id) and not control.outlived(p_session, ad.sessions_since)
    union all
    select null, 'Partner', pa.id, pa.name, pa.mode, null, '{}', false, false, true, pa.status
    from control.living_session(p_session, p_account) l, control.partner pa
    where l.super_admin and pa.status not in ('creating', 'deleting')
      and (p_development and pa.mode = 'demo' or exists (select from control.support_access sa
          where sa.account_id = p_account and sa.partner_id = pa.id and sa.ended_at is null and sa.expires_at > now()))
      and not exists (select from control.admin ad where ad.account_id = p_account and ad.partner_id = pa.id and ad.status = 'active');
end;

drop function control.my_admins(uuid, uuid);
create function control.my_admins(p_session uuid, p_account uuid)
    returns table (partner_id uuid, status text, oidc boolean, surfaces text[], permission_ids uuid[], max_discount_percent numeric,
                   print_zone_id uuid, timezone text, billing jsonb, addresses jsonb, pin_given boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.partner_id, control.admin_status(ad, ac), si.oidc, ad.surfaces,
        array(select p.id from ref.permission p where p.key = any (ad.permission_keys) order by p.ranking),
        ad.max_discount_percent, ad.print_zone_id, ad.timezone, ad.billing, ad.addresses,
        coalesce(ad.pin_given and ad.pin_hash is not null, false)
    from control.living_session(p_session, p_account) l join control.account ac on ac.id = p_account
    join control.admin ad on ad.account_id = ac.id and ad.status = 'active' and (l.partner_id is null or l.partner_id = ad.partner_id)
        and not control.outlived(p_session, ad.sessions_since),
        lateral control.signs_in_with(ac.id, ad.partner_id) si;
end;

create or replace function control.own_pins(p_session uuid, p_account uuid) returns table (partner_id uuid, pin_lookup bytea, pin_hash text, password_hash text)
    language sql stable security definer set search_path = ''
begin atomic
    -- A session that a partner's provider opened knows of that partner only.
    select ad.partner_id, ad.pin_lookup, ad.pin_hash, ac.password_hash
    from control.living_session(p_session, p_account) l join control.account ac on ac.id = p_account
    left join control.admin ad on ad.account_id = ac.id and ad.status = 'active' and (l.partner_id is null or l.partner_id = ad.partner_id)
        and not control.outlived(p_session, ad.sessions_since);
end;

-- See m0022. What a partner has ended opens nothing there.
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
    v_since timestamptz;
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
    select ad.id, ad.version, case when ad.version is distinct from p_known then ad.permission_keys end, ad.full_target_access, ad.target_type,
        ad.sessions_since
    into admin_id, version, permission_keys, full_target_access, target_type, v_since
    from control.admin ad
    where ad.account_id = p_account and ad.partner_id = p_partner and ad.status = 'active'
      and (ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids) or (p_restaurant is null and cardinality(ad.restaurant_ids) > 0));
    if found then
        if v_since is not null and control.outlived(p_session, v_since)
           or v_idle is not null and surface <> 'pos' and exists (select from control.session se
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

-- See m0014. A session that another one opens is as old as that one.
create or replace function control.open_session(p_id uuid, p_account uuid, p_surface text, p_agent text, p_address text, p_days int, p_second_factor boolean,
    p_device bytea, p_partner uuid, p_password_hash text, p_from uuid default null) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    ac control.account;
    v_partner uuid := p_partner;
    v_held boolean := false;
    v_second_factor boolean := p_second_factor;
    v_known boolean;
    v_proved timestamptz := clock_timestamp();
begin
    select * into ac from control.account where id = p_account and not locked for no key update;
    if not found then
        return false;
    end if;
    if p_password_hash is not null then
        if p_password_hash is distinct from ac.password_hash or not (ac.own or ac.held_by is not null)
           -- It was switched on after the password was looked at.
           or not p_second_factor and exists (select from control.second_factor where account_id = p_account and secret is not null) then
            return false;
        end if;
        v_partner := ac.held_by;
        v_held := ac.held_by is not null;
    elsif p_from is not null then
        select se.partner_id, se.held, se.second_factor, se.proved_at into v_partner, v_held, v_second_factor, v_proved from control.session se
        where se.id = p_from and exists (select from control.living_session(p_from, p_account));
        if not found then
            return false;
        end if;
    elsif p_partner is not null then
        v_known := exists (select from control.account_identity where partner_id = p_partner and account_id = p_account);
        -- Of the release before: a ticket of a session that was opened with a held password.
        v_held := not v_known and ac.held_by is not distinct from p_partner;
        if ac.super_admin or not (v_known or v_held) then
            return false;
        end if;
    elsif not ac.own then
        return false;
    end if;
    insert into control.session (id, account_id, surface, user_agent, address, second_factor, expires_at, device, partner_id, held, proved_at)
    values (p_id, p_account, p_surface, left(p_agent, 300), p_address, v_second_factor,
        now() + case when ac.super_admin then interval '12 hours' else make_interval(days => p_days) end, p_device, v_partner, v_held, v_proved);
    -- Where it reaches one partner, it is a use there; of several, what is done at them says so.
    insert into control.admin_use (admin_id, last_active_at)
    select ad.id, now() from control.admin ad
    where ad.account_id = p_account and ad.status = 'active' and (ad.partner_id = v_partner or v_partner is null
        and not exists (select from control.admin other where other.account_id = p_account and other.id <> ad.id and other.status = 'active'))
    on conflict (admin_id) do update set last_active_at = excluded.last_active_at;
    return true;
end $$;

-- See m0014. Last used here, whatever is done elsewhere.
create or replace function control.admins(p_id uuid, p_restaurant uuid, p_name text, p_status text, p_archived boolean, p_limit bigint, p_offset bigint)
    returns table (id uuid, account_id uuid, email text, first_name text, last_name text, tel text, language text, status text, accepted boolean,
                   shared boolean, second_factor boolean, oidc boolean, target_type text, restaurant_ids uuid[], permission_keys text[], full_target_access boolean,
                   super_admin boolean, surfaces text[], has_pin boolean, max_discount_percent numeric, print_zone_id uuid, last_active_at timestamptz,
                   version bigint, created_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, ad.account_id, ac.email, coalesce(ad.first_name, ac.first_name), coalesce(ad.last_name, ac.last_name), coalesce(ad.tel, ac.tel),
        coalesce(ad.language, ac.language),
        control.admin_status(ad, ac), ad.status = 'active', sh.yes, ad.status = 'active' and si.second_factor, ad.status = 'active' and si.oidc, ad.target_type, ad.restaurant_ids, ad.permission_keys, ad.full_target_access,
        ac.super_admin and ad.status = 'active', ad.surfaces, ad.pin_hash is not null, ad.max_discount_percent, ad.print_zone_id,
        case when ad.status = 'active' then (select u.last_active_at from control.admin_use u where u.admin_id = ad.id) end,
        ad.version, ad.created_at
    from (select f.id, f.sort_name from control.found_admins(p_id, p_restaurant, p_name, p_status, p_archived) f
          order by f.sort_name, f.id limit p_limit offset p_offset) found
        join control.admin ad on ad.id = found.id join control.account ac on ac.id = ad.account_id,
        lateral (select exists (select from control.admin other where other.account_id = ac.id and other.id <> ad.id and other.status = 'active')
                     or ac.super_admin as yes) sh,
        lateral control.signs_in_with(ac.id, ad.partner_id) si
    order by found.sort_name, ad.id;
end;

-- See m0014. With whose the PIN is.
create or replace function control.add_admin(p_id uuid, p_account uuid, p_email text, p_password_hash text, p_row jsonb)
    returns table (id uuid, invited boolean)
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin := jsonb_populate_record(null::control.admin, p_row);
    a record;
    ac control.account;
begin
    v.partner_id := control.current_partner();
    select * into a from control.account_for(p_account, p_email, v, null);
    select * into ac from control.account acc where acc.id = a.account_id for update;
    v.status := case when p_password_hash is not null and not ac.own and ac.held_by is null and not ac.super_admin and not ac.locked
                         and not exists (select from control.admin ad where ad.account_id = ac.id and (ad.status = 'active' or ad.partner_id = v.partner_id))
                     then 'active' else 'invited' end;
    if v.status = 'active' then
        -- What another partner wrote about somebody who has never been here stays with its invitation.
        update control.account acc set password_hash = p_password_hash, held_by = v.partner_id, credentials = acc.credentials + 1,
            first_name = coalesce(v.first_name, ''), last_name = coalesce(v.last_name, ''), tel = coalesce(v.tel, ''),
            language = coalesce(v.language, 'hu')
        where acc.id = ac.id;
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    return query
    insert into control.admin as ad (id, account_id, partner_id, target_type, restaurant_ids, permission_keys, full_target_access, surfaces, status,
        first_name, last_name, tel, language, shown_active, pin_lookup, pin_hash, pin_given, pin_given_by, max_discount_percent, print_zone_id)
    values (p_id, a.account_id, v.partner_id, v.target_type, v.restaurant_ids, v.permission_keys, v.full_target_access, v.surfaces, v.status,
        v.first_name, v.last_name, v.tel, v.language, p_password_hash is not null, v.pin_lookup, v.pin_hash,
        coalesce(v.pin_given, false), v.pin_given_by, v.max_discount_percent, v.print_zone_id)
    on conflict (account_id, partner_id) do update set target_type = excluded.target_type, restaurant_ids = excluded.restaurant_ids,
        permission_keys = excluded.permission_keys, full_target_access = excluded.full_target_access, surfaces = excluded.surfaces,
        status = excluded.status, first_name = excluded.first_name, last_name = excluded.last_name, tel = excluded.tel, language = excluded.language,
        shown_active = excluded.shown_active, pin_lookup = excluded.pin_lookup, pin_hash = excluded.pin_hash,
        pin_given = excluded.pin_given, pin_given_by = excluded.pin_given_by, max_discount_percent = excluded.max_discount_percent, print_zone_id = excluded.print_zone_id, archived_at = null
    where ad.status = 'archived'
    returning ad.id, ad.status = 'invited';
end $$;

-- Mails to addresses that somebody else wrote down. One row for each, for a day.
create table control.mail_sent (
    subject text not null,
    -- What is sent, so that a repeated attempt is no second mail.
    key     text not null,
    at      timestamptz not null default now(),
    primary key (subject, key)
);
create index on control.mail_sent (subject, at);
grant select, insert, update, delete on control.mail_sent to pult_definer;

-- Counts one mail for each of these subjects, or for none: the seconds until there is room for it at all of them, or 0.
create function control.take_mail(p_subjects text[], p_key text, p_limits int[], p_windows interval[]) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_pause int;
begin
    perform pg_advisory_xact_lock(hashtextextended('control.mail ' || s.subject, 0))
    from (select distinct subject from unnest(p_subjects) subject order by subject) s;
    delete from control.mail_sent m where m.subject = any (p_subjects) and m.at < now() - interval '1 day';
    select max(ceil(extract(epoch from full_until - now())))::int into v_pause
    from unnest(p_subjects, p_limits, p_windows) w (subject, most, span),
        lateral (select nth.at + w.span full_until from control.mail_sent nth
                 where nth.subject = w.subject and nth.key <> p_key and nth.at > now() - w.span
                 order by nth.at desc offset w.most - 1 limit 1) last;
    if v_pause is not null then
        return greatest(v_pause, 1);
    end if;
    insert into control.mail_sent (subject, key) select distinct subject, p_key from unnest(p_subjects) subject on conflict do nothing;
    return 0;
end $$;

-- See m0006; and mails that nothing is counted by any more.
create or replace function control.prune_sign_in() returns void
    language sql security definer set search_path = ''
begin atomic
    delete from control.attempt where window_start < now() - interval '1 day' and coalesce(blocked_until, '-infinity') < now() - interval '1 day';
    delete from control.ticket where expires_at < now() - interval '1 day';
    delete from control.sso_state where expires_at < now();
    delete from control.session where least(ended_at, expires_at) < now() - interval '90 days';
    delete from control.mail_sent where at < now() - interval '1 day';
end;

-- Room for one more invitation of this partner to the address of this row. What other partners send is not told by the answer;
-- control.take_invitation_mail counts it when the mail goes out.
create function control.take_invitation(p_id uuid, p_key text) returns int
    language sql security definer set search_path = ''
begin atomic
    select control.take_mail(
        array['invited ' || ad.partner_id || ' ' || ac.email, 'invited ' || ad.partner_id || ' ' || ac.email, 'inviting ' || ad.partner_id],
        p_key, array[3, 10, 200], array[interval '1 hour', interval '1 day', interval '1 day'])
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_id and ad.partner_id = control.current_partner();
end;
-- The same for all partners together, as the mail goes out.
create function control.take_invitation_mail(p_id uuid, p_key text) returns int
    language sql security definer set search_path = ''
begin atomic
    select control.take_mail(array['invitation ' || ac.email, 'invitation ' || ac.email], p_key, array[3, 10],
        array[interval '1 hour', interval '1 day'])
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'invited';
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('touch_people', 'find_pin', 'note_pin_taken', 'pin_setting_pause', 'outlived', 'my_admins',
            'take_mail', 'take_invitation', 'take_invitation_mail')
    loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.touch_people, control.my_admins, control.take_mail to pult_app;
grant execute on function control.find_pin, control.note_pin_taken, control.pin_setting_pause, control.take_mail, control.take_invitation,
    control.take_invitation_mail to pult_tenant;

-- See m0038. What outlives sessions ends with the person.
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
        insert into control.job (partner_id, kind, key, args)
        values (a.id, 'person_left', p_admin::text, jsonb_build_object('admin_id', p_admin))
        on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do update set run_at = job.run_at;
        perform control.wake_runners();
    end if;
end $$;

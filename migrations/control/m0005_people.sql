-- People: what an admin row holds besides grants, PINs, invitations, and the functions of the users screen.
alter table control.account add column tel text not null default '';

alter table control.admin
    -- What the partner wrote about somebody whose account is not theirs alone; null: what the account says.
    add column first_name text,
    add column last_name text,
    add column tel text,
    add column language text check (language in ('hu', 'en')),
    -- Invited with a password: shown as active, because a stranger must not learn that the address has an account.
    add column shown_active boolean not null default false,
    -- Null: no limit of one's own.
    add column max_discount_percent numeric(5, 2) check (max_discount_percent between 0 and 100),
    add column print_zone_id uuid,
    add column archived_at timestamptz,
    add check ((pin_lookup is null) = (pin_hash is null));
create index admin_pin on control.admin (partner_id, pin_lookup) where pin_lookup is not null;

-- Versions never repeat, whoever writes: instances keep evaluated grants by account, partner and version,
-- and an account can leave a partner and come back under another row.
create sequence control.admin_version;
grant usage on sequence control.admin_version to pult_definer, pult_platform;
create function control.raise_admin_version() returns trigger
    language plpgsql set search_path = ''
as $$
begin
    new.version := nextval('control.admin_version');
    -- Who has accepted goes by the own name.
    if tg_op = 'UPDATE' and old.status = 'invited' and new.status = 'active' then
        new.first_name := null; new.last_name := null; new.tel := null; new.language := null; new.shown_active := false;
    end if;
    return new;
end $$;
create trigger raise_version before insert or update on control.admin for each row execute function control.raise_admin_version();

-- `admin_id`: the row that an invitation is for.
alter table control.ticket
    add column admin_id uuid references control.admin on delete cascade,
    drop constraint ticket_purpose_check,
    add constraint ticket_purpose_check check (purpose in ('password', 'invitation', 'pos', 'builder'));
create index on control.ticket (admin_id);

-- Changes of a partner's people happen one after another: rules about all of them (the last one with full access,
-- a PIN that is unique in a restaurant) hold for what is there at the commit.
create function control.lock_admins() returns void
    language sql security definer set search_path = ''
begin atomic select pg_advisory_xact_lock(hashtextextended('control.admin ' || control.current_partner()::text, 0)); end;

-- How an account signs in. (The tables are made by the next file, which is why this is not one of those that are bound at once.)
create function control.signs_in_with(p_account uuid, p_partner uuid, out second_factor boolean, out oidc boolean)
    language plpgsql stable set search_path = ''
as $$
begin
    second_factor := exists (select from control.second_factor sf where sf.account_id = p_account and sf.secret is not null);
    oidc := exists (select from control.account_identity ai where ai.account_id = p_account and ai.partner_id = p_partner);
end $$;

-- How the users screen names the state of a person.
create function control.admin_status(p_admin control.admin, p_account control.account) returns text
    language sql stable
begin atomic
    select case when p_admin.status = 'invited' and p_admin.shown_active then 'active'
                when p_admin.status = 'active' and (p_account.locked or exists (select from control.attempt t
                    where t.subject in ('sign_in account ' || p_account.email, 'pin account ' || p_account.id) and t.blocked_until > now())) then 'locked'
                else p_admin.status end;
end;

-- Which people a list shows: without a state all that are archived, or all that are not. Only what the choice needs is looked
-- at, because a partner may have thousands.
create function control.found_admins(p_id uuid, p_restaurant uuid, p_name text, p_status text, p_archived boolean)
    returns table (id uuid, sort_name text)
    language sql stable
begin atomic
    select ad.id, ref.fold(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name))
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.partner_id = control.current_partner()
      and (p_id is null or ad.id = p_id)
      and (p_restaurant is null or ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids))
      and (coalesce(p_name, '') = ''
           or position(ref.fold(p_name) in ref.fold(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name))) > 0
           or position(lower(p_name) in ac.email) > 0)
      and case when p_status is null then p_archived is null or (ad.status = 'archived') = p_archived else control.admin_status(ad, ac) = p_status end;
end;

create function control.count_admins(p_restaurant uuid, p_name text, p_status text, p_archived boolean) returns bigint
    language sql stable security definer set search_path = ''
begin atomic select count(*) from control.found_admins(null, p_restaurant, p_name, p_status, p_archived); end;

-- The people of a partner as the users screen shows them, by name. What an account does elsewhere is not shown before it has
-- accepted: `accepted` says whether it has, `shared` whether the account is somebody's at another partner too.
create function control.admins(p_id uuid, p_restaurant uuid, p_name text, p_status text, p_archived boolean, p_limit bigint, p_offset bigint)
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
        case when ad.status = 'active' then (select max(se.last_active_at) from control.session se where se.account_id = ac.id) end,
        ad.version, ad.created_at
    from (select f.id, f.sort_name from control.found_admins(p_id, p_restaurant, p_name, p_status, p_archived) f
          order by f.sort_name, f.id limit p_limit offset p_offset) found
        join control.admin ad on ad.id = found.id join control.account ac on ac.id = ad.account_id,
        lateral (select exists (select from control.admin other where other.account_id = ac.id and other.id <> ad.id) or ac.super_admin as yes) sh,
        lateral control.signs_in_with(ac.id, ad.partner_id) si
    order by found.sort_name, ad.id;
end;

-- The account of this address, made when there is none. Also whether it was made now.
create function control.account_for(p_id uuid, p_email text, p_row control.admin, p_password_hash text, out account_id uuid, out made boolean)
    language plpgsql set search_path = ''
as $$
begin
    insert into control.account (id, email, first_name, last_name, tel, language, password_hash)
    values (p_id, lower(p_email), coalesce(p_row.first_name, ''), coalesce(p_row.last_name, ''), coalesce(p_row.tel, ''),
            coalesce(p_row.language, 'hu'), p_password_hash)
    on conflict (email) do nothing;
    made := found;
    select ac.id into account_id from control.account ac where ac.email = lower(p_email);
end $$;

-- Adds a person; `p_row` holds columns of control.admin. Answers the row's id and whether an invitation is due, or no row when
-- the address is already an admin of this partner. Who was archived comes back under the old id. Only a new account
-- takes the password; every other one is invited.
create function control.add_admin(p_id uuid, p_account uuid, p_email text, p_password_hash text, p_row jsonb)
    returns table (id uuid, invited boolean)
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin := jsonb_populate_record(null::control.admin, p_row);
    a record;
begin
    v.partner_id := control.current_partner();
    select * into a from control.account_for(p_account, p_email, v, p_password_hash);
    v.status := case when a.made and p_password_hash is not null then 'active' else 'invited' end;
    if v.status = 'active' then
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    return query
    insert into control.admin as ad (id, account_id, partner_id, target_type, restaurant_ids, permission_keys, full_target_access, surfaces, status,
        first_name, last_name, tel, language, shown_active, pin_lookup, pin_hash, max_discount_percent, print_zone_id)
    values (p_id, a.account_id, v.partner_id, v.target_type, v.restaurant_ids, v.permission_keys, v.full_target_access, v.surfaces, v.status,
        v.first_name, v.last_name, v.tel, v.language, p_password_hash is not null, v.pin_lookup, v.pin_hash, v.max_discount_percent, v.print_zone_id)
    on conflict (account_id, partner_id) do update set target_type = excluded.target_type, restaurant_ids = excluded.restaurant_ids,
        permission_keys = excluded.permission_keys, full_target_access = excluded.full_target_access, surfaces = excluded.surfaces,
        status = excluded.status, first_name = excluded.first_name, last_name = excluded.last_name, tel = excluded.tel, language = excluded.language,
        shown_active = excluded.shown_active, pin_lookup = excluded.pin_lookup, pin_hash = excluded.pin_hash,
        max_discount_percent = excluded.max_discount_percent, print_zone_id = excluded.print_zone_id, archived_at = null
    where ad.status = 'archived'
    returning ad.id, ad.status = 'invited';
end $$;

-- Changes columns of one person: those that `p_row` names. Names, phone and language go to the account where it is the partner's alone.
create function control.save_admin(p_id uuid, p_row jsonb) returns boolean
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
    v_alone := v.status = 'active' and not exists (select from control.admin other where other.account_id = v.account_id and other.id <> p_id)
        and not exists (select from control.account ac where ac.id = v.account_id and ac.super_admin);
    if v_alone then
        update control.account ac set first_name = coalesce(v.first_name, ac.first_name), last_name = coalesce(v.last_name, ac.last_name),
            tel = coalesce(v.tel, ac.tel), language = coalesce(v.language, ac.language)
        where ac.id = v.account_id;
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    update control.admin set target_type = v.target_type, restaurant_ids = v.restaurant_ids, permission_keys = v.permission_keys,
        full_target_access = v.full_target_access, surfaces = v.surfaces, status = v.status, first_name = v.first_name, last_name = v.last_name,
        tel = v.tel, language = v.language, pin_lookup = v.pin_lookup, pin_hash = v.pin_hash, max_discount_percent = v.max_discount_percent,
        print_zone_id = v.print_zone_id, archived_at = v.archived_at
    where id = p_id;
    return true;
end $$;

-- Gives a row to the account of another address, as an invitation: the old account is out at once. False when that
-- address is an admin of the partner already. An account that was only ever invited, and nowhere else, is removed.
create function control.readdress_admin(p_id uuid, p_account uuid, p_email text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin;
    v_account uuid;
begin
    select * into v from control.admin ad where ad.id = p_id and ad.partner_id = control.current_partner() for update;
    if not found then
        return false;
    end if;
    select coalesce(v.first_name, ac.first_name), coalesce(v.last_name, ac.last_name), coalesce(v.tel, ac.tel), coalesce(v.language, ac.language)
    into v.first_name, v.last_name, v.tel, v.language from control.account ac where ac.id = v.account_id;
    select a.account_id into v_account from control.account_for(p_account, p_email, v, null) a;
    if exists (select from control.admin ad where ad.account_id = v_account and ad.partner_id = v.partner_id) then
        return false;
    end if;
    update control.admin set account_id = v_account, status = 'invited', shown_active = false, first_name = v.first_name, last_name = v.last_name,
        tel = v.tel, language = v.language, pin_lookup = null, pin_hash = null
    where id = p_id;
    delete from control.ticket where admin_id = p_id;
    delete from control.account ac where ac.id = v.account_id and ac.password_hash is null and not ac.super_admin
        and not exists (select from control.admin ad where ad.account_id = ac.id)
        and not exists (select from control.session se where se.account_id = ac.id);
    return true;
end $$;

-- Sets the password of an account that is an admin of this partner alone, and ends its sessions.
create function control.set_admin_password(p_id uuid, p_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
begin
    update control.account ac set password_hash = p_hash
    from control.admin ad
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'active' and ac.id = ad.account_id and not ac.super_admin
      and not exists (select from control.admin other where other.account_id = ac.id and other.id <> p_id)
    returning ac.id into v_account;
    if v_account is null then
        return false;
    end if;
    perform control.end_other_sessions(null, v_account);
    return true;
end $$;

-- Ends every session of a person of this partner, and what they could still do: tickets, known devices.
create function control.end_admin_sessions(p_id uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    perform control.end_other_sessions(null, ad.account_id) from control.admin ad
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'active';
end $$;

-- Forgets the wrong PINs and passwords of a person of this partner.
create function control.unlock_admin(p_id uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    delete from control.attempt t using control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'active'
      and (t.subject in ('sign_in account ' || ac.email, 'pin account ' || ac.id)
           or t.subject like 'sign_in device %' and right(t.subject, length(ac.email) + 1) = ' ' || ac.email);
end;

-- How many can do everything for the whole partner, besides this one.
create function control.full_admins_besides(p_id uuid) returns bigint
    language sql stable security definer set search_path = ''
begin atomic
    select count(*) from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.partner_id = control.current_partner() and ad.id <> p_id and ad.status = 'active' and ad.full_target_access
      and ad.target_type = 'Partner' and not ac.locked;
end;

-- Which of these restaurants are this partner's.
create function control.own_restaurants(p_ids uuid[]) returns setof uuid
    language sql stable security definer set search_path = ''
begin atomic select r.id from control.restaurant r where r.id = any (p_ids) and r.partner_id = control.current_partner() and r.archived_at is null; end;

-- An invitation to be mailed: a new ticket in place of earlier ones. No row when there is nothing to accept (any more).
create function control.invite_admin(p_id uuid, p_hash bytea)
    returns table (email text, name text, language text, partner_name text)
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
begin
    select ad.account_id into v_account from control.admin ad where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'invited';
    if not found then
        return;
    end if;
    delete from control.ticket where admin_id = p_id;
    insert into control.ticket (hash, account_id, purpose, admin_id, expires_at) values (p_hash, v_account, 'invitation', p_id, now() + interval '7 days');
    return query
    select ac.email, trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ac.language, pa.name
    from control.admin ad join control.account ac on ac.id = ad.account_id join control.partner pa on pa.id = ad.partner_id where ad.id = p_id;
end $$;

-- PINs. Of one person of this partner; of anybody who may act in a restaurant of it; of an account wherever it is an admin.
create function control.pin_of(p_id uuid) returns table (pin_lookup bytea, pin_hash text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.pin_lookup, ad.pin_hash from control.admin ad
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status <> 'archived' and ad.pin_hash is not null;
end;

create function control.find_pin(p_restaurant uuid, p_lookup bytea)
    returns table (id uuid, name text, pin_hash text, permission_keys text[], full_target_access boolean, max_discount_percent numeric)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email), ad.pin_hash,
        ad.permission_keys, ad.full_target_access, ad.max_discount_percent
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.partner_id = control.current_partner() and ad.pin_lookup = p_lookup and ad.status = 'active' and not ac.locked
      and (ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids));
end;

create function control.own_pins(p_session uuid, p_account uuid) returns table (partner_id uuid, pin_lookup bytea, pin_hash text, password_hash text)
    language sql stable security definer set search_path = ''
begin atomic
    -- A session that a partner's provider opened knows of that partner only.
    select ad.partner_id, ad.pin_lookup, ad.pin_hash, ac.password_hash
    from control.living_session(p_session, p_account) l join control.account ac on ac.id = p_account
    left join control.admin ad on ad.account_id = ac.id and ad.status = 'active' and (l.partner_id is null or l.partner_id = ad.partner_id);
end;

-- Whether somebody else who may act in one of these restaurants (null: all) has this PIN.
create function control.pin_taken(p_id uuid, p_restaurants uuid[], p_lookup bytea) returns boolean
    language sql stable security definer set search_path = ''
begin atomic
    select exists (select from control.admin ad where ad.partner_id = control.current_partner() and ad.id <> p_id and ad.pin_lookup = p_lookup
        and ad.status <> 'archived' and (p_restaurants is null or ad.restaurant_ids is null or ad.restaurant_ids && p_restaurants));
end;

-- A PIN that is about to be looked at: seconds to wait, or 0. Counted for the account, for the device's address in the
-- place, and for the place, so that neither many accounts on one device nor many devices can go through all PINs.
create function control.take_pin_attempt(p_account uuid, p_address text, p_place uuid) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_pause int := control.take_attempt('pin account ' || p_account, 5, interval '15 minutes');
begin
    if v_pause = 0 then
        v_pause := control.take_attempt('pin address ' || coalesce(p_place::text, '-') || ' ' || p_address, 15, interval '15 minutes');
    end if;
    if v_pause = 0 and p_place is not null then
        v_pause := control.take_attempt('pin place ' || p_place, 60, interval '15 minutes');
    end if;
    return v_pause;
end $$;

-- A right PIN was no attempt.
create function control.return_pin_attempt(p_account uuid, p_address text, p_place uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_subject text;
begin
    -- One after the other and in the order in which they are taken: two at one till never wait for each other in a circle.
    foreach v_subject in array array['pin account ' || p_account, 'pin address ' || coalesce(p_place::text, '-') || ' ' || p_address, 'pin place ' || p_place] loop
        update control.attempt set failures = failures - 1 where subject = v_subject and failures > 0;
    end loop;
end $$;

-- Which of these sessions may (still) be in these restaurants, and under which version of their grants: for open sockets.
create function control.places_alive(p_sessions uuid[], p_restaurants uuid[], p_development boolean)
    returns table (session_id uuid, restaurant_id uuid, version bigint, support_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select pl.session_id, pl.restaurant_id, en.version, en.support_id
    from unnest(p_sessions, p_restaurants) pl (session_id, restaurant_id)
    join control.session se on se.id = pl.session_id join control.restaurant re on re.id = pl.restaurant_id,
        lateral control.enter(se.id, se.account_id, re.partner_id, re.id, null, p_development) en
    where en.status = 'ok';
end;

do $$
declare f text;
begin
    foreach f in array array['raise_admin_version', 'lock_admins', 'signs_in_with', 'admin_status', 'found_admins', 'count_admins', 'admins', 'account_for', 'add_admin', 'save_admin', 'readdress_admin', 'set_admin_password',
        'end_admin_sessions', 'unlock_admin', 'full_admins_besides', 'own_restaurants', 'invite_admin', 'pin_of', 'find_pin', 'own_pins', 'pin_taken', 'take_pin_attempt',
        'return_pin_attempt', 'places_alive'] loop
        execute format('alter function control.%I owner to pult_definer', f);
        execute format('revoke all on function control.%I from public', f);
    end loop;
end $$;
grant execute on function control.lock_admins, control.count_admins, control.admins, control.add_admin, control.save_admin, control.readdress_admin, control.set_admin_password,
    control.end_admin_sessions, control.unlock_admin, control.full_admins_besides, control.own_restaurants, control.invite_admin, control.pin_of,
    control.find_pin, control.pin_taken to pult_tenant;
grant execute on function control.own_pins, control.take_pin_attempt, control.return_pin_attempt, control.places_alive to pult_app;

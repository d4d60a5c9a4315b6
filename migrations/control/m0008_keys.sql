-- API keys: what they may, until when, how much, and what became of their calls. And the audit of what concerns no
-- tenant's own data, with the heads of the tenants' chains.
alter table control.api_key
    -- Of browser keys: the pages that may call with it (scheme, host, port).
    add column origins       text[] not null default '{}',
    add column expires_at    timestamptz,
    -- The secret before the last rotation, and until when it is still good.
    add column old_hash      bytea unique,
    add column rotated_until timestamptz,
    -- How many times the usual limits this key has; raised by the operator for a large third party.
    add column limit_factor  int not null default 1 check (limit_factor between 1 and 10000);

-- Units spent, in tenths of a call; one row per key, or per key and guest. Nothing is lost when a crash empties it.
create unlogged table control.allowance (
    subject      text primary key,
    second       bigint not null,
    second_used  int not null,
    quarter      bigint not null,
    quarter_used int not null
) with (fillfactor = 50);
create index on control.allowance (quarter);

create table control.api_key_day (
    key_id uuid not null references control.api_key on delete cascade,
    -- UTC
    day    date not null,
    calls  bigint not null,
    errors bigint not null,
    primary key (key_id, day)
);

-- The last 100 refusals of each key, so that a third party's developer can find out alone why a call fails.
create table control.api_key_refusal (
    id         bigint generated always as identity primary key,
    key_id     uuid not null references control.api_key on delete cascade,
    at         timestamptz not null,
    method     text not null,
    path       text not null,
    status     int not null,
    code       text not null,
    detail     text not null,
    request_id text not null
);
create index on control.api_key_refusal (key_id, id);

-- What happened on the platform: partners made, suspended, opened for support. Insert-only.
create table control.platform_audit (
    id         uuid primary key,
    at         timestamptz not null default now(),
    actor_kind text not null check (actor_kind in ('admin', 'api_key', 'job', 'support')),
    actor_id   uuid,
    actor_name text not null,
    action     text not null,
    -- No foreign key: the line outlives the partner.
    partner_id uuid,
    record_id  uuid,
    request_id text not null default '',
    -- As in the partners' logs: names of fields are part of the line, details may be emptied together with their salt.
    fields     text[] not null default '{}',
    details    jsonb default '{}',
    salt       bytea default uuid_send(gen_random_uuid())
);
create index on control.platform_audit (at);
create index on control.platform_audit (partner_id, at);

-- How far each tenant's audit log is sealed. A clone begins a new chain: its first link is the old head.
create table control.audit_head (
    partner_id uuid primary key references control.partner on delete cascade,
    first_link bytea not null default '\x',
    number     bigint not null default 0,
    link       bytea not null default '\x',
    sealed_at  timestamptz not null default '-infinity',
    -- The day on which the head was last written to the service's log, which lies elsewhere.
    anchored_on date not null default '-infinity'
);

-- The platform's own log in the shape of a partner's, so that the same functions seal and verify it: the place of a line is
-- its partner.
create view control.audit as
    select id, at, actor_kind, actor_id, actor_name, action, record_id, partner_id as restaurant_id, request_id, fields from control.platform_audit;
create view control.audit_detail as select id as audit_id, details, salt from control.platform_audit;
create table control.audit_seal (
    number       bigint primary key,
    audit_id     uuid not null unique,
    details_hash bytea not null,
    link         bytea not null
);
create table control.platform_head (
    only_row   boolean primary key default true check (only_row),
    first_link bytea not null default '\x',
    number     bigint not null default 0,
    link       bytea not null default '\x',
    sealed_at  timestamptz not null default '-infinity',
    anchored_on date not null default '-infinity'
);
insert into control.platform_head default values;
grant select on control.audit_seal, control.platform_head to pult_definer;

do $$
declare t text;
begin
    foreach t in array array['platform_audit', 'audit_head'] loop
        execute format('alter table control.%I enable row level security', t);
        execute format('create policy own on control.%I to pult_control using (partner_id = nullif(current_setting(''pult.partner'', true), '''')::uuid)', t);
        execute format('create policy everything on control.%I to pult_platform, pult_definer using (true) with check (true)', t);
    end loop;
end $$;
grant select, insert, update, delete on control.allowance, control.api_key_day, control.api_key_refusal to pult_definer;
grant select on control.api_key_day, control.api_key_refusal to pult_platform;
grant select, insert on control.platform_audit to pult_platform, pult_definer;
grant select, insert, update on control.audit_head to pult_platform;

-- The first statement of a call with an API key. Revoked, expired and replaced ones are no keys.
create function control.enter_key(p_hash bytea, p_partner uuid, p_restaurant uuid)
    returns table (status text, role text, key_id uuid, scopes text[], kind text, name text, mode text, origins text[], limit_factor int)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    k record;
begin
    select ak.id, ak.partner_id, ak.restaurant_ids, ak.scopes, ak.kind, ak.name, ak.origins, ak.limit_factor, ak.expires_at into k
    from control.api_key ak where ak.hash = p_hash and ak.archived_at is null;
    if not found then
        select ak.id, ak.partner_id, ak.restaurant_ids, ak.scopes, ak.kind, ak.name, ak.origins, ak.limit_factor, ak.expires_at into k
        from control.api_key ak where ak.old_hash = p_hash and ak.archived_at is null and ak.rotated_until > now();
    end if;
    if not found or k.expires_at <= now() then
        status := 'key';
        return next;
        return;
    end if;
    select re.partner_role, re.partner_mode, case re.partner_status when 'active' then 'ok' else re.partner_status end into role, mode, status
    from control.restaurant re
    where re.id = p_restaurant and re.partner_id = p_partner and re.archived_at is null and re.partner_status not in ('creating', 'deleting')
      and re.partner_id = k.partner_id and re.id = any (k.restaurant_ids);
    if not found then
        status := 'unknown';
        return next;
        return;
    end if;
    key_id := k.id;
    scopes := k.scopes;
    kind := k.kind;
    name := k.name;
    origins := k.origins;
    limit_factor := k.limit_factor;
    return next;
end $$;

-- Whose secret this is or was, and what became of it: for limits, usage, and saying why it is refused.
create function control.find_key(p_hash bytea)
    returns table (key_id uuid, kind text, origins text[], limit_factor int, state text)
    language sql stable security definer set search_path = ''
begin atomic
    select ak.id, ak.kind, ak.origins, ak.limit_factor,
        case when ak.archived_at is not null then 'revoked'
             when ak.expires_at <= now() then 'expired'
             when ak.hash <> p_hash and ak.rotated_until <= now() then 'replaced'
             else 'alive' end
    from control.api_key ak where ak.hash = p_hash or ak.old_hash = p_hash;
end;

-- Whether a page of this origin may call the restaurant with some browser key: what a preflight, which carries no key, asks.
create function control.origin_allowed(p_partner uuid, p_restaurant uuid, p_origin text) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from control.api_key ak
        where ak.partner_id = p_partner and p_restaurant = any (ak.restaurant_ids) and p_origin = any (ak.origins)
          and ak.kind = 'browser' and ak.archived_at is null and (ak.expires_at is null or ak.expires_at > now()));

-- Takes a block of units, in tenths of a call, from the row of a key or of its guest: at most what is left of the second
-- and of the quarter of an hour. Says what is left of the quarter, and the milliseconds until both end.
create function control.take_units(p_subject text, p_second int, p_second_limit int, p_quarter int, p_quarter_limit int)
    returns table (second_given int, quarter_given int, quarter_left int, second_ms int, quarter_ms int)
    language plpgsql security definer set search_path = ''
as $$
declare
    a control.allowance;
    v_now double precision;
begin
    -- One statement: a row of the quarter before may be cleared away at any moment.
    insert into control.allowance as al (subject, second, second_used, quarter, quarter_used) values (p_subject, 0, 0, 0, 0)
    on conflict (subject) do update set second = al.second returning al.* into a;
    -- The clock after the lock: whoever waited for it is in the second that it got it.
    v_now := extract(epoch from clock_timestamp());
    if a.second <> floor(v_now) then
        a.second := floor(v_now);
        a.second_used := 0;
    end if;
    if a.quarter <> floor(v_now / 900) then
        a.quarter := floor(v_now / 900);
        a.quarter_used := 0;
    end if;
    second_given := greatest(0, least(p_second, p_second_limit - a.second_used));
    quarter_given := greatest(0, least(p_quarter, p_quarter_limit - a.quarter_used));
    update control.allowance set second = a.second, second_used = a.second_used + second_given,
        quarter = a.quarter, quarter_used = a.quarter_used + quarter_given
    where subject = p_subject;
    quarter_left := p_quarter_limit - a.quarter_used - quarter_given;
    second_ms := ceil((a.second + 1 - v_now) * 1000);
    quarter_ms := ceil(((a.quarter + 1) * 900 - v_now) * 1000);
    return next;
end $$;

-- What became of the calls of keys since the last time: {"keys": [[id, calls, errors]], "refusals": [{…}]}.
create function control.write_usage(p_usage jsonb) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    -- In one order, so that two instances that write at once do not wait for each other in a circle.
    perform from control.api_key where id in (select (u ->> 0)::uuid from jsonb_array_elements(p_usage -> 'keys') u) order by id for no key update;
    update control.api_key set last_used_at = now()
    where id in (select (u ->> 0)::uuid from jsonb_array_elements(p_usage -> 'keys') u);
    insert into control.api_key_day as d (key_id, day, calls, errors)
    select ak.id, (now() at time zone 'UTC')::date, (u ->> 1)::bigint, (u ->> 2)::bigint
    from jsonb_array_elements(p_usage -> 'keys') u join control.api_key ak on ak.id = (u ->> 0)::uuid order by ak.id
    on conflict (key_id, day) do update set calls = d.calls + excluded.calls, errors = d.errors + excluded.errors;
    insert into control.api_key_refusal (key_id, at, method, path, status, code, detail, request_id)
    select r.key_id, r.at, r.method, left(r.path, 300), r.status, r.code, left(r.detail, 300), r.request_id
    from rows from (jsonb_to_recordset(p_usage -> 'refusals')
        as (key_id uuid, at timestamptz, method text, path text, status int, code text, detail text, request_id text)) with ordinality r
    -- Two of the same millisecond stay in the order in which they happened.
    join control.api_key ak on ak.id = r.key_id order by r.at, r.ordinality;
    delete from control.api_key_refusal f
    using (select distinct (r ->> 'key_id')::uuid key_id from jsonb_array_elements(p_usage -> 'refusals') r) k
    where f.key_id = k.key_id
      and f.id <= (select o.id from control.api_key_refusal o where o.key_id = k.key_id order by o.id desc offset 100 limit 1);
    delete from control.api_key_day where day < current_date - 400
      and key_id in (select (u ->> 0)::uuid from jsonb_array_elements(p_usage -> 'keys') u);
    -- Guests' addresses are not kept for longer than they are counted.
    delete from control.allowance where quarter < floor(extract(epoch from now()) / 900);
end $$;

-- The keys of a restaurant, or of the whole partner; one of them by its id.
create function control.api_keys(p_restaurant uuid, p_id uuid)
    returns table (id uuid, name text, kind text, prefix text, scopes text[], restaurant_ids uuid[], origins text[], created_at timestamptz,
                   last_used_at timestamptz, expires_at timestamptz, rotated_until timestamptz, limit_factor int, version bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select ak.id, ak.name, ak.kind, ak.prefix, ak.scopes, ak.restaurant_ids, ak.origins, ak.created_at, ak.last_used_at, ak.expires_at,
        case when ak.rotated_until > now() then ak.rotated_until end, ak.limit_factor, ak.version
    from control.api_key ak
    where ak.partner_id = control.current_partner() and (p_restaurant is null or p_restaurant = any (ak.restaurant_ids))
      and (p_id is null or ak.id = p_id) and ak.archived_at is null
    order by ak.created_at, ak.id;
end;

-- Of these restaurants those that the partner does not have.
create function control.foreign_restaurants(p_restaurants uuid[]) returns setof uuid
    language sql stable security definer set search_path = ''
begin atomic
    select u from unnest(p_restaurants) u
    where not exists (select from control.restaurant r where r.id = u and r.partner_id = control.current_partner() and r.archived_at is null);
end;

create function control.create_api_key(p_id uuid, p_restaurants uuid[], p_name text, p_kind text, p_prefix text, p_hash bytea, p_scopes text[],
                                       p_origins text[], p_expires_at timestamptz) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null or exists (select from control.foreign_restaurants(p_restaurants)) then
        raise exception 'control.create_api_key for restaurants of another partner' using errcode = '42501';
    end if;
    insert into control.api_key (id, partner_id, restaurant_ids, name, kind, prefix, hash, scopes, origins, expires_at)
    values (p_id, v_partner, p_restaurants, p_name, p_kind, p_prefix, p_hash, p_scopes, p_origins, p_expires_at);
end $$;

-- The new version; null when the key is not of this version any more.
create function control.change_api_key(p_id uuid, p_version bigint, p_name text, p_origins text[], p_expires_at timestamptz) returns bigint
    language sql security definer set search_path = ''
begin atomic
    update control.api_key set name = p_name, origins = p_origins, expires_at = p_expires_at, version = version + 1
    where id = p_id and version = p_version and partner_id = control.current_partner() and archived_at is null
    returning version;
end;

-- Its secrets are dead from the next request on every instance.
create function control.revoke_api_key(p_id uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.api_key set archived_at = now() where id = p_id and partner_id = control.current_partner() and archived_at is null;
end;

-- A new secret; the one before is good for a while, the one before that no longer.
create function control.rotate_api_key(p_id uuid, p_prefix text, p_hash bytea, p_overlap_hours int) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.api_key set old_hash = hash, rotated_until = now() + make_interval(hours => p_overlap_hours), hash = p_hash, prefix = p_prefix
    where id = p_id and partner_id = control.current_partner() and archived_at is null;
end;

create function control.api_key_days(p_id uuid) returns table (day date, calls bigint, errors bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select g.day::date, coalesce(d.calls, 0), coalesce(d.errors, 0)
    from control.api_key ak
    cross join generate_series((now() at time zone 'UTC')::date - 29, (now() at time zone 'UTC')::date, interval '1 day') g (day)
    left join control.api_key_day d on d.key_id = ak.id and d.day = g.day::date
    where ak.id = p_id and ak.partner_id = control.current_partner() order by g.day;
end;

create function control.api_key_refusals(p_id uuid)
    returns table (at timestamptz, method text, path text, status int, code text, detail text, request_id text)
    language sql stable security definer set search_path = ''
begin atomic
    select f.at, f.method, f.path, f.status, f.code, f.detail, f.request_id
    from control.api_key_refusal f join control.api_key ak on ak.id = f.key_id
    where ak.id = p_id and ak.partner_id = control.current_partner() order by f.id desc limit 100;
end;

-- One line of what happened on the platform. For callers that act for the platform; a tenant's own log is its table `audit`.
create function control.audit(p_actor_kind text, p_actor_id uuid, p_actor_name text, p_action text, p_partner uuid, p_record uuid,
                              p_request text, p_details jsonb) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.platform_audit (id, actor_kind, actor_id, actor_name, action, partner_id, record_id, request_id, details, fields)
    values (gen_random_uuid(), p_actor_kind, p_actor_id, p_actor_name, p_action, p_partner, p_record, p_request, coalesce(p_details, '{}'),
            array(select jsonb_object_keys(coalesce(p_details, '{}'))));
end;

-- The platform's lines, for a super admin with a living session; nothing for anybody else.
create function control.platform_lines(p_session uuid, p_account uuid, p_from timestamptz, p_till timestamptz, p_actor uuid, p_action text,
                                       p_record uuid, p_partner uuid, p_name text)
    returns table (id uuid, at timestamptz, actor_kind text, actor_id uuid, actor_name text, action text, partner_id uuid, partner_name text,
                   record_id uuid, request_id text, details jsonb)
    language sql stable security definer set search_path = ''
begin atomic
    select a.id, a.at, a.actor_kind, a.actor_id, a.actor_name, a.action, a.partner_id, pa.name, a.record_id, a.request_id,
        coalesce(a.details, '{}')
    from control.platform_audit a left join control.partner pa on pa.id = a.partner_id
    where exists (select from control.living_session(p_session, p_account) l where l.super_admin)
      and (p_from is null or a.at >= p_from) and (p_till is null or a.at < p_till)
      and (p_actor is null or a.actor_id = p_actor) and (p_record is null or a.record_id = p_record)
      and (p_partner is null or a.partner_id = p_partner)
      and (p_action is null or a.action = p_action or starts_with(a.action, p_action || '_'))
      and (coalesce(p_name, '') = '' or position(ref.fold(p_name) in ref.fold(a.actor_name)) > 0);
end;

-- Writes into the log of every partner where the account is somebody that it has signed in.
create function control.audit_sign_in(p_account uuid, p_surface text, p_address text, p_request text) returns setof uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    a record;
    v_id uuid;
begin
    for a in
        select ad.id, pa.id partner_id, pa.role, ad.restaurant_ids,
            coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name
        from control.admin ad join control.partner pa on pa.id = ad.partner_id join control.account ac on ac.id = ad.account_id
        where ad.account_id = p_account and ad.status = 'active' and pa.status in ('active', 'suspended')
    loop
        v_id := gen_random_uuid();
        execute format('insert into %I.audit (id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, fields)
                        values ($1, $2, ''admin'', $3, $4, ''sessions_sign_in'', $3, $5, ''{address,surface}'')', a.role)
            using v_id, case when cardinality(a.restaurant_ids) = 1 then a.restaurant_ids[1] end, a.id, a.name, p_request;
        execute format('insert into %I.audit_detail (audit_id, details) values ($1, $2)', a.role)
            using v_id, jsonb_build_object('surface', jsonb_build_array(null, p_surface), 'address', jsonb_build_array(null, p_address));
        return next a.partner_id;
    end loop;
end $$;

-- What the chain says of a line: everything but the details' values, which anonymising may empty.
create function control.audit_envelope(p_id uuid, p_at timestamptz, p_kind text, p_actor uuid, p_name text, p_action text, p_record uuid,
                                       p_restaurant uuid, p_request text, p_fields text[]) returns bytea
    language sql immutable set search_path = ''
    return sha256(convert_to(jsonb_build_array(p_id, (extract(epoch from p_at) * 1000000)::bigint, p_kind, p_actor, p_name, p_action, p_record,
        p_restaurant, p_request, p_fields)::text, 'UTF8'));

-- Seals the lines of this partner that are not sealed yet: each gets a number and the hash of the link before, its envelope
-- and the salted hash of its details. As pult_platform it does so for the platform's own log. One at a time per log, by the
-- lock on the head. Says how many it were, and once a day the new head, to be written elsewhere.
create function control.seal_audit(p_limit int) returns table (sealed int, head_number bigint, head_link text)
    language plpgsql security definer set search_path = ''
as $$
declare
    v_platform boolean := current_setting('role') = 'pult_platform';
    v_partner uuid := control.current_partner();
    v_schema text := case when v_platform then 'control' else current_setting('role') end;
    h control.audit_head;
    r record;
    numbers bigint[] := '{}';
    ids uuid[] := '{}';
    hashes bytea[] := '{}';
    links bytea[] := '{}';
begin
    if v_partner is null and not v_platform then
        raise exception 'control.seal_audit outside a unit of work' using errcode = '42501';
    end if;
    if v_platform then
        select null, p.first_link, p.number, p.link, p.sealed_at, p.anchored_on into h from control.platform_head p for update;
    else
        insert into control.audit_head (partner_id) values (v_partner) on conflict do nothing;
        select * into h from control.audit_head where partner_id = v_partner for update;
    end if;
    -- No transaction lasts an hour, so nothing older can have come since the last time.
    for r in execute format('select a.id, control.audit_envelope(a.id, a.at, a.actor_kind, a.actor_id, a.actor_name, a.action, a.record_id,
                a.restaurant_id, a.request_id, a.fields) envelope,
            coalesce(sha256(d.salt || convert_to(d.details::text, ''UTF8'')), ''\x'') details
        from %1$I.audit a left join %1$I.audit_detail d on d.audit_id = a.id
        where a.at > $1 and not exists (select from %1$I.audit_seal s where s.audit_id = a.id)
        order by a.at, a.id limit $2', v_schema) using h.sealed_at - interval '1 hour', p_limit
    loop
        h.number := h.number + 1;
        h.link := sha256(h.link || int8send(h.number) || r.envelope || r.details);
        numbers := numbers || h.number;
        ids := ids || r.id;
        hashes := hashes || r.details;
        links := links || h.link;
    end loop;
    execute format('insert into %I.audit_seal (number, audit_id, details_hash, link) select * from unnest($1, $2, $3, $4)', v_schema)
        using numbers, ids, hashes, links;
    -- What the limit left over is still to be found the next time.
    if v_platform then
        update control.platform_head set number = h.number, link = h.link, anchored_on = case when h.number > 0 then current_date else anchored_on end,
            sealed_at = case when cardinality(ids) < p_limit then now() else sealed_at end;
    else
        update control.audit_head set number = h.number, link = h.link, anchored_on = case when h.number > 0 then current_date else anchored_on end,
            sealed_at = case when cardinality(ids) < p_limit then now() else sealed_at end
        where partner_id = v_partner;
    end if;
    sealed := cardinality(ids);
    if h.anchored_on < current_date and h.number > 0 then
        head_number := h.number;
        head_link := encode(h.link, 'hex');
    end if;
    return next;
end $$;

-- What is wrong with a partner's log: lines changed, removed, put elsewhere, cut off or never sealed. No row: nothing.
create function control.verify_audit(p_partner uuid) returns table (number bigint, audit_id uuid, fault text)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    v_schema text;
    h control.audit_head;
begin
    if p_partner is null then
        v_schema := 'control';
        select null, p.first_link, p.number, p.link, p.sealed_at, p.anchored_on into h from control.platform_head p;
    else
        select role into v_schema from control.partner where id = p_partner;
        select * into h from control.audit_head where partner_id = p_partner;
    end if;
    return query execute format('
        with chain as (
            select s.number, s.audit_id, s.link, s.details_hash, row_number() over o place, lag(s.link, 1, $1) over o before, a.id line,
                control.audit_envelope(a.id, a.at, a.actor_kind, a.actor_id, a.actor_name, a.action, a.record_id, a.restaurant_id,
                    a.request_id, a.fields) envelope,
                d.audit_id detail, d.details, d.salt, lead(s.number) over o following
            from %1$I.audit_seal s left join %1$I.audit a on a.id = s.audit_id left join %1$I.audit_detail d on d.audit_id = s.audit_id
            window o as (order by s.number)
        )
        select c.number, c.audit_id, case
            when c.line is null then ''the line is gone''
            when c.number <> c.place then ''lines before it are gone''
            when c.link is distinct from sha256(c.before || int8send(c.number) || c.envelope || c.details_hash) then ''the line was changed, or stood elsewhere''
            when c.following is null and (c.number <> $2 or c.link <> $3) then ''lines after it are gone''
            when c.detail is null and c.details_hash <> ''\x'' then ''its details are gone''
            when c.details is not null and c.details_hash <> coalesce(sha256(c.salt || convert_to(c.details::text, ''UTF8'')), ''\x'') then ''its details were changed''
        end
        from chain c
        where c.line is null or c.number <> c.place or c.link is distinct from sha256(c.before || int8send(c.number) || c.envelope || c.details_hash)
           or c.following is null and (c.number <> $2 or c.link <> $3)
           or c.detail is null and c.details_hash <> ''\x''
           or c.details is not null and c.details_hash <> coalesce(sha256(c.salt || convert_to(c.details::text, ''UTF8'')), ''\x'')
        union all
        select null, null, ''every line is gone'' where $2 > 0 and not exists (select from %1$I.audit_seal)
        union all
        select null, a.id, ''it was never sealed'' from %1$I.audit a
        where a.at < greatest($4 - interval ''1 minute'', now() - interval ''10 minutes'') and not exists (select from %1$I.audit_seal s where s.audit_id = a.id)
        order by 1 nulls last', v_schema)
        using coalesce(h.first_link, '\x'), coalesce(h.number, 0), coalesce(h.link, '\x'), coalesce(h.sealed_at, '-infinity');
end $$;

-- Jobs that seal the logs of these partners; of all, spread over a minute, when none are named. The platform's own log is
-- looked at each time.
create function control.enqueue_seals(p_partners uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.job (partner_id, kind, key, args, run_at)
    select pa.id, 'audit_seal', 'seal', '{}', case when p_partners is null then now() + random() * interval '1 minute' else now() end
    from control.partner pa where pa.status in ('active', 'suspended') and (p_partners is null or pa.id = any (p_partners)) order by pa.id
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do nothing;
    insert into control.job (kind, key)
    select 'audit_seal', 'seal'
    where exists (select from control.platform_audit a, control.platform_head h where a.at > h.sealed_at - interval '1 hour'
                  and not exists (select from control.audit_seal s where s.audit_id = a.id))
      and not exists (select from control.job j where j.kind = 'audit_seal' and j.partner_id is null and j.state = 'waiting');
    select pg_notify('pult_job', '') where exists (select from control.job j where j.kind = 'audit_seal' and j.state = 'waiting' and j.run_at <= now());
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('enter_key', 'find_key', 'origin_allowed', 'take_units', 'write_usage', 'api_keys',
            'foreign_restaurants', 'create_api_key', 'change_api_key', 'revoke_api_key', 'rotate_api_key', 'api_key_days', 'api_key_refusals',
            'audit', 'platform_lines', 'audit_sign_in', 'audit_envelope', 'seal_audit', 'verify_audit', 'enqueue_seals')
    loop
        -- Those that read and write the tenants' tables stay with pult_owner, who owns them.
        if f::text !~ '^(control\.)?(audit_sign_in|audit_envelope|seal_audit|verify_audit)\(' then
            execute format('alter function %s owner to pult_definer', f);
        end if;
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.enter_key, control.find_key, control.origin_allowed, control.take_units, control.write_usage,
    control.platform_lines, control.audit_sign_in, control.enqueue_seals to pult_app;
grant execute on function control.audit to pult_app, pult_platform;
grant execute on function control.api_keys, control.foreign_restaurants, control.create_api_key, control.change_api_key, control.revoke_api_key,
    control.rotate_api_key, control.api_key_days, control.api_key_refusals, control.seal_audit to pult_tenant;
grant execute on function control.seal_audit to pult_platform;

-- Addresses at which a partner's providers call us. The token in an address finds partner, restaurant, provider and account.
create table control.callback_address (
    -- SHA-256 of the token.
    hash          bytea primary key,
    partner_id    uuid not null references control.partner on delete cascade,
    restaurant_id uuid not null references control.restaurant on delete cascade,
    provider      text not null,
    -- The account at the provider: a row of the tenant. It has one address.
    account_id    uuid not null,
    created_at    timestamptz not null default now(),
    unique (partner_id, account_id)
);
create index on control.callback_address (restaurant_id);
alter table control.callback_address enable row level security;
create policy own on control.callback_address to pult_control using (partner_id = nullif(current_setting('pult.partner', true), '')::uuid);
create policy everything on control.callback_address to pult_platform, pult_definer using (true) with check (true);
grant select, insert, update, delete on control.callback_address to pult_platform, pult_definer;

-- The first statement of a provider's call. Archived restaurants and suspended partners get their messages too: what was paid there
-- is to be known.
create function control.enter_callback(p_hash bytea)
    returns table (status text, role text, partner_id uuid, restaurant_id uuid, provider text, account_id uuid, mode text)
    language plpgsql stable security definer set search_path = ''
as $$
begin
    select case re.partner_status when 'maintenance' then 'maintenance' else 'ok' end, re.partner_role, ca.partner_id, ca.restaurant_id,
        ca.provider, ca.account_id, re.partner_mode
    into status, role, partner_id, restaurant_id, provider, account_id, mode
    from control.callback_address ca
    join control.restaurant re on re.id = ca.restaurant_id
    where ca.hash = p_hash and re.partner_status not in ('creating', 'deleting');
    if not found then
        status := 'unknown';
    elsif status <> 'ok' then
        role := null;
    end if;
    return next;
end $$;

-- Gives an account its address; the one before is dead at once. Without a hash it has none any more.
create function control.set_callback_address(p_restaurant uuid, p_provider text, p_account uuid, p_hash bytea) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null or not exists (select from control.restaurant r where r.id = p_restaurant and r.partner_id = v_partner) then
        raise exception 'control.set_callback_address for a restaurant of another partner' using errcode = '42501';
    end if;
    delete from control.callback_address where partner_id = v_partner and account_id = p_account;
    if p_hash is not null then
        insert into control.callback_address (hash, partner_id, restaurant_id, provider, account_id)
        values (p_hash, v_partner, p_restaurant, p_provider, p_account);
    end if;
end $$;

-- Of a call that waits for the end of a partner's move, by what it came with.
create or replace function control.pause_of(p_partner uuid, p_device bytea) returns text
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce((
        select case
            when pa.status in ('active', 'suspended') then 'at_work'
            when pa.status = 'maintenance' and pa.plan ? 'move'
                and (pa.plan ->> 'paused_at')::timestamptz > now() - interval '12 seconds' then 'moving'
            else 'no' end
        from control.partner pa
        where pa.id = coalesce(p_partner, (select de.partner_id from control.device de where de.hash = p_device or de.old_hash = p_device limit 1),
            (select ca.partner_id from control.callback_address ca where ca.hash = p_device))
    ), 'no');
end;

-- Messages of providers are kept for 90 days.
create or replace function control.prune_events(p_partner uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_schema text;
begin
    select role into v_schema from control.partner where id = p_partner;
    if v_schema is not null then
        execute format('delete from %I.event where created_at < now() - interval ''24 hours''', v_schema);
        execute format('delete from %I.idempotency_key where created_at < now() - interval ''24 hours''', v_schema);
        -- Partners are migrated one after another.
        if to_regclass(format('%I.order_sender', v_schema)) is not null then
            execute format('delete from %I.order_sender where created_at < now() - interval ''1 hour''', v_schema);
        end if;
        if to_regclass(format('%I.delivery_place', v_schema)) is not null then
            execute format('delete from %1$I.delivery_place where kept_until < now() or kept_until <= '
                '(select kept_until from %1$I.delivery_place order by kept_until desc offset 20000 limit 1)', v_schema);
        end if;
        if to_regclass(format('%I.callback', v_schema)) is not null then
            execute format('delete from %I.callback where received_at < now() - interval ''90 days''', v_schema);
        end if;
    end if;
end $$;

do $$
declare f regprocedure;
begin
    foreach f in array array['control.enter_callback(bytea)', 'control.set_callback_address(uuid, text, uuid, bytea)']::regprocedure[] loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.enter_callback to pult_app;
grant execute on function control.set_callback_address to pult_tenant;

-- Addresses of one payment end; those of an account do not.
alter table control.callback_address add column ends_at timestamptz;
create index callback_address_ends on control.callback_address (ends_at) where ends_at is not null;

-- The same as without an end, for something that ends: after that its address is taken away.
create function control.set_callback_address(p_restaurant uuid, p_provider text, p_account uuid, p_hash bytea, p_ends_at timestamptz)
    returns void
    language sql security definer set search_path = ''
begin atomic
    select control.set_callback_address(p_restaurant, p_provider, p_account, p_hash);
    update control.callback_address set ends_at = p_ends_at where hash = p_hash;
end;

-- Takes away the addresses of a partner that have ended.
create function control.prune_callback_addresses(p_partner uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    delete from control.callback_address where partner_id = p_partner and ends_at < now();
end;

do $$
declare f regprocedure;
begin
    foreach f in array array['control.set_callback_address(uuid, text, uuid, bytea, timestamptz)',
            'control.prune_callback_addresses(uuid)']::regprocedure[] loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.set_callback_address(uuid, text, uuid, bytea, timestamptz) to pult_tenant;
grant execute on function control.prune_callback_addresses to pult_platform;

-- Whether a key of the partner names this page (scheme, host and port), so that a guest may be led back to it.
create function control.key_has_origin(p_key uuid, p_origin text) returns boolean
    language sql stable security definer set search_path = ''
begin atomic
    select exists (select from control.api_key ak where ak.id = p_key and ak.partner_id = control.current_partner()
        and p_origin = any (ak.origins));
end;
alter function control.key_has_origin(uuid, text) owner to pult_definer;
revoke all on function control.key_has_origin(uuid, text) from public;
grant execute on function control.key_has_origin to pult_tenant;

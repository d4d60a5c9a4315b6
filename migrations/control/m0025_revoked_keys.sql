-- Revoked keys can be listed, and their usage read. Whoever changes a key still finds live ones only.
drop function control.api_keys(uuid, uuid);

-- The keys of a restaurant, or of the whole partner; one of them by its id. Live ones go first.
create function control.api_keys(p_restaurant uuid, p_id uuid, p_with_revoked boolean)
    returns table (id uuid, name text, kind text, prefix text, scopes text[], restaurant_ids uuid[], origins text[], created_at timestamptz,
                   last_used_at timestamptz, expires_at timestamptz, rotated_until timestamptz, revoked_at timestamptz, limit_factor int,
                   version bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select ak.id, ak.name, ak.kind, ak.prefix, ak.scopes, ak.restaurant_ids, ak.origins, ak.created_at, ak.last_used_at, ak.expires_at,
        case when ak.rotated_until > now() and ak.archived_at is null then ak.rotated_until end, ak.archived_at, ak.limit_factor, ak.version
    from control.api_key ak
    where ak.partner_id = control.current_partner() and (p_restaurant is null or p_restaurant = any (ak.restaurant_ids))
      and (p_id is null or ak.id = p_id) and (p_with_revoked or ak.archived_at is null)
    order by ak.archived_at is not null, ak.created_at, ak.id;
end;
alter function control.api_keys(uuid, uuid, boolean) owner to pult_definer;
revoke all on function control.api_keys(uuid, uuid, boolean) from public;
grant execute on function control.api_keys(uuid, uuid, boolean) to pult_tenant;

-- Archiving a restaurant, and bringing it back within 30 days. The tenant's row changes in the same transaction.

-- The name of who archived it: a label for people.
alter table control.restaurant add column archived_by text;

-- False for the partner's last restaurant, which stays.
create function control.archive_restaurant(p_id uuid, p_by text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    -- Locked in one order: of two callers who archive the last two restaurants, the second finds one left.
    perform from control.restaurant where partner_id = v_partner order by id for no key update;
    if not exists (select from control.restaurant where partner_id = v_partner and id <> p_id and archived_at is null) then
        return false;
    end if;
    update control.restaurant set archived_at = now(), archived_by = p_by
    where id = p_id and partner_id = v_partner and archived_at is null;
    return found;
end $$;

-- The partner's archived restaurants, or one of them. `restorable` says whether the 30 days still run.
create function control.archived_restaurants(p_id uuid)
    returns table (id uuid, name text, city text, restaurant_group_id uuid, archived_at timestamptz, archived_by text,
                   restorable_until timestamptz, restorable boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select r.id, r.name, r.city, r.group_id, r.archived_at, coalesce(r.archived_by, ''), r.archived_at + interval '30 days',
        now() < r.archived_at + interval '30 days'
    from control.restaurant r
    where r.partner_id = control.current_partner() and r.archived_at is not null and (p_id is null or r.id = p_id)
    order by r.archived_at desc, r.id;
end;

-- Brings one back; false when it is not archived, or for longer than 30 days.
create function control.restore_restaurant(p_id uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.restaurant set archived_at = null, archived_by = null
    where id = p_id and partner_id = control.current_partner() and now() < archived_at + interval '30 days';
    return found;
end $$;

-- Whether every restaurant that the person may open is archived is known when signing in, so that the refusal can say so.
drop function control.sign_in_grants(uuid, uuid);
create function control.sign_in_grants(p_account uuid, p_partner uuid)
    returns table (permission_keys text[], full_target_access boolean, surfaces text[], super_admin boolean, suspended boolean, archived boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.permission_keys, ad.full_target_access, ad.surfaces, false, pa.status = 'suspended',
        coalesce(cardinality(ad.restaurant_ids) > 0, false) and not exists (
            select from control.restaurant r where r.id = any (ad.restaurant_ids) and r.partner_id = pa.id and r.archived_at is null)
    from control.admin ad join control.partner pa on pa.id = ad.partner_id
    where ad.account_id = p_account and ad.status = 'active' and pa.status not in ('creating', 'deleting')
      and (p_partner is null or pa.id = p_partner)
    union all
    select '{}', true, '{admin}', true, false, false from control.account ac where ac.id = p_account and ac.super_admin and p_partner is null;
end;

-- The first statement of a device's call. A revoked or replaced secret is none: the device forgets it. In an archived restaurant
-- the device is only refused, and keeps its secret for the day on which the restaurant comes back.
create or replace function control.enter_device(p_hash bytea)
    returns table (status text, role text, device_id uuid, kind text, name text, partner_id uuid, restaurant_id uuid, subject_id uuid,
                   last_seen_at timestamptz)
    language plpgsql stable security definer set search_path = ''
as $$
declare
    d record;
    v_archived boolean;
begin
    select de.id, de.partner_id, de.restaurant_id, de.kind, de.name, de.subject_id, de.last_seen_at into d
    from control.device de
    where (de.hash = p_hash or de.old_hash = p_hash and de.rotated_until > now()) and de.revoked_at is null;
    if not found then
        status := 'device';
        return next;
        return;
    end if;
    select re.partner_role, case re.partner_status when 'active' then 'ok' else re.partner_status end, re.archived_at is not null
    into role, status, v_archived
    from control.restaurant re
    where re.id = d.restaurant_id and re.partner_status not in ('creating', 'deleting');
    if not found or v_archived then
        role := null;
        status := case when v_archived then 'unknown' else 'device' end;
        return next;
        return;
    end if;
    device_id := d.id;
    kind := d.kind;
    name := d.name;
    partner_id := d.partner_id;
    restaurant_id := d.restaurant_id;
    subject_id := d.subject_id;
    last_seen_at := d.last_seen_at;
    return next;
end $$;

do $$
declare f regprocedure;
begin
    foreach f in array array['control.archive_restaurant(uuid, text)', 'control.archived_restaurants(uuid)',
                             'control.restore_restaurant(uuid)', 'control.sign_in_grants(uuid, uuid)']::regprocedure[] loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.archive_restaurant, control.archived_restaurants, control.restore_restaurant to pult_tenant;
grant execute on function control.sign_in_grants to pult_app;

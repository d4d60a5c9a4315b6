-- The door looks up session, account, restaurant and grants at each request and keeps no answer: keeping it took four
-- triggers and a job, and saved less than a tenth of a small read over HTTP.

drop trigger forget_passes on control.session;
drop trigger forget_passes on control.account;
drop trigger forget_passes on control.admin;
drop trigger forget_passes on control.restaurant;
drop function control.forget_passes();
drop function control.keep_passes(uuid[], uuid[]);
drop function control.places_alive(uuid[], uuid[], boolean);
drop function control.enter(uuid, uuid, uuid, uuid, bigint, boolean);
drop table control.pass;

-- First statement of each unit of work: is everything alive, may this session open this restaurant, under which role.
-- The caller sets role and search_path from the answer (set_config('role') is not possible in here). Rows are read into
-- single variables, few statements, each of few tables: that is what it costs.
create function control.enter(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid, p_known bigint, p_development boolean)
    returns table (status text, role text, admin_id uuid, version bigint, permission_keys text[], full_target_access boolean,
                   super_admin boolean, surface text, name text, target_type text, mode text, support_id uuid, read_only boolean)
    language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_sign_in_partner uuid;
    v_status text;
    v_writable boolean;
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
alter function control.enter(uuid, uuid, uuid, uuid, bigint, boolean) owner to pult_definer;
revoke all on function control.enter(uuid, uuid, uuid, uuid, bigint, boolean) from public;
grant execute on function control.enter(uuid, uuid, uuid, uuid, bigint, boolean) to pult_app;

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
alter function control.places_alive(uuid[], uuid[], boolean) owner to pult_definer;
revoke all on function control.places_alive(uuid[], uuid[], boolean) from public;
grant execute on function control.places_alive(uuid[], uuid[], boolean) to pult_app;

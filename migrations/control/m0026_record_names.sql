-- What the log's readers call people, devices and API keys that lines name by their ids: those of the own partner, or only those
-- of one restaurant. A person's name is the partner's own (table `staff`), so it is null here.
create function control.record_names(p_ids uuid[], p_restaurant uuid) returns table (id uuid, name text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, null::text from control.admin ad
    where ad.id = any (p_ids) and ad.partner_id = control.current_partner()
      and (p_restaurant is null or ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids))
    union all
    select de.id, de.name from control.device de
    where de.id = any (p_ids) and de.partner_id = control.current_partner() and (p_restaurant is null or de.restaurant_id = p_restaurant)
    union all
    select ak.id, ak.name from control.api_key ak
    where ak.id = any (p_ids) and ak.partner_id = control.current_partner()
      and (p_restaurant is null or p_restaurant = any (ak.restaurant_ids));
end;

-- The same for the platform's log: partners, their restaurants and keys, people; nothing for anybody but a super admin.
create function control.platform_names(p_session uuid, p_account uuid, p_ids uuid[]) returns table (id uuid, name text, name_en text)
    language sql stable security definer set search_path = ''
begin atomic
    select n.id, n.name, n.name_en from (
        select pa.id, pa.name, pa.name from control.partner pa where pa.id = any (p_ids)
        union all select re.id, re.name, re.name from control.restaurant re where re.id = any (p_ids)
        union all select ak.id, ak.name, ak.name from control.api_key ak where ak.id = any (p_ids)
        union all select va.id, va.name_local, va.name_en from ref.vat va where va.id = any (p_ids)
        union all
        select pe.id, coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email),
            coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email)
        from (select own.id, own.id account_id from control.account own where own.id = any (p_ids)
              union all select ad.id, ad.account_id from control.admin ad where ad.id = any (p_ids)) pe
            join control.account ac on ac.id = pe.account_id
    ) n (id, name, name_en)
    where exists (select from control.living_session(p_session, p_account) l where l.super_admin);
end;

alter function control.record_names(uuid[], uuid) owner to pult_definer;
alter function control.platform_names(uuid, uuid, uuid[]) owner to pult_definer;
revoke all on function control.record_names(uuid[], uuid), control.platform_names(uuid, uuid, uuid[]) from public;
grant execute on function control.record_names(uuid[], uuid) to pult_tenant;
grant execute on function control.platform_names(uuid, uuid, uuid[]) to pult_app;

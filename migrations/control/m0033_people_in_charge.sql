-- Who is in charge of a restaurant: whoever holds everything of it or of the whole partner, and can sign in.
create function control.people_in_charge(p_restaurant uuid) returns table (account_id uuid, email text, language text)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, ac.email, ac.language
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.partner_id = control.current_partner() and ad.status = 'active' and ad.full_target_access and not ac.locked
      and (ad.restaurant_ids is null or p_restaurant = any (ad.restaurant_ids))
    order by ac.id;
end;
alter function control.people_in_charge(uuid) owner to pult_definer;
revoke all on function control.people_in_charge(uuid) from public;
grant execute on function control.people_in_charge(uuid) to pult_tenant;

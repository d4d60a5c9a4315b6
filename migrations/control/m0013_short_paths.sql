-- Short forms of paths: which place is meant by a call that does not name it in its path.

-- A restaurant that is named says everything. A partner, or nobody, leaves to what the account sees there: its last choice,
-- else what there is only one of. Whether the caller may be there is not asked here: the full path goes through the door.
create function control.place_meant(p_named uuid, p_session uuid, p_account uuid, p_development boolean)
    returns table (partner_id uuid, group_id uuid, restaurant_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    with named as (select r.partner_id, r.group_id, r.id from control.restaurant r where r.id = p_named),
    seen as (
        select t.partner_id, r.group_id, r.id, p_named is null and coalesce(r.id = l.last_restaurant_id, false) last
        from control.living_session(p_session, p_account) l, control.targets(p_session, p_account, p_development) t
            left join control.restaurant r on r.partner_id = t.partner_id and r.archived_at is null
                and (t.restaurant_ids is null or r.id = any (t.restaurant_ids))
        where (p_named is null or t.partner_id = p_named) and not exists (select from named)
    ),
    chosen as (select * from seen where last or not exists (select from seen where last))
    select n.partner_id, n.group_id, n.id from named n
    union all
    select case when count(distinct c.partner_id) = 1 then (array_agg(c.partner_id))[1] end,
        case when count(distinct c.group_id) = 1 then (array_agg(distinct c.group_id))[1] end,
        case when count(distinct c.id) = 1 then (array_agg(distinct c.id))[1] end
    from chosen c
    having not exists (select from named) and exists (select from control.living_session(p_session, p_account));
end;
alter function control.place_meant owner to pult_definer;
revoke all on function control.place_meant from public;
grant execute on function control.place_meant to pult_app;

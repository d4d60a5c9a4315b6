-- What a request should do that the door has just refused because the partner is being worked on: `moving` while a move to
-- another database server is in its pause, which is over within seconds, `at_work` when that is over by now, else `no`. One
-- that was cut in its pause says `no` once the pause would have ended by itself.
create function control.pause_of(p_partner uuid, p_device bytea) returns text
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce((
        select case
            when pa.status in ('active', 'suspended') then 'at_work'
            when pa.status = 'maintenance' and pa.plan ? 'move'
                and (pa.plan ->> 'paused_at')::timestamptz > now() - interval '12 seconds' then 'moving'
            else 'no' end
        from control.partner pa
        where pa.id = coalesce(p_partner, (select de.partner_id from control.device de where de.hash = p_device or de.old_hash = p_device limit 1))
    ), 'no');
end;
alter function control.pause_of(uuid, bytea) owner to pult_definer;
revoke all on function control.pause_of(uuid, bytea) from public;
grant execute on function control.pause_of(uuid, bytea) to pult_app;

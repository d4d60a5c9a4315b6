-- What an event has caused and what fails is late since it was written, not since its next attempt is due: a mail server
-- that refuses everything would otherwise look like one that is done.
create or replace function control.backlog(p_outbox text[], out waiting bigint, out dead bigint,
        out lag double precision, out outbox_lag double precision, out maintenance bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select j.*, (select count(*) from control.partner where status = 'maintenance')
    from (select count(*) filter (where state = 'waiting' and run_at <= now()),
            count(*) filter (where state = 'failed'),
            coalesce(extract(epoch from now() - min(run_at) filter (where state = 'waiting' and run_at <= now())), 0)::float8,
            coalesce(extract(epoch from now() - min(case when attempts > 0 then created_at else run_at end)
                filter (where state = 'waiting' and (attempts > 0 or run_at <= now()) and kind = any (p_outbox))), 0)::float8
        from control.job) j;
end;

-- The trace that a job belongs to (W3C's traceparent): of the unit of work that wrote it. A release that does not
-- set it writes none.
alter table control.job add column trace text;
alter table control.job alter column trace set default nullif(current_setting('pult.trace', true), '');

-- Whether the database has been migrated for a release with these newest migrations. A newer one is good: it only
-- adds.
create function control.is_migrated(p_control text, p_tenant text) returns boolean
    language sql stable security definer set search_path = ''
begin atomic
    select exists (select from control.installation i where i.schema_version >= p_tenant)
        and exists (select from control.seaql_migrations m where m.version >= p_control);
end;
alter function control.is_migrated(text, text) owner to pult_definer;
grant select on control.seaql_migrations, control.installation to pult_definer;
revoke execute on function control.is_migrated(text, text) from public;
grant execute on function control.is_migrated(text, text) to pult_app;

-- What waits: jobs that are due, jobs set aside, seconds since the oldest that is due was due, the same of those that
-- events wrote, and partners that a migration or a restore keeps from work.
create function control.backlog(p_outbox text[], out waiting bigint, out dead bigint, out lag double precision,
        out outbox_lag double precision, out maintenance bigint)
    language sql stable security definer set search_path = ''
begin atomic
    select j.*, (select count(*) from control.partner where status = 'maintenance')
    from (select count(*) filter (where state = 'waiting' and run_at <= now()),
            count(*) filter (where state = 'failed'),
            coalesce(extract(epoch from now() - min(run_at) filter (where state = 'waiting' and run_at <= now())), 0)::float8,
            coalesce(extract(epoch from now() - min(run_at) filter (where state = 'waiting' and run_at <= now()
                and kind = any (p_outbox))), 0)::float8
        from control.job) j;
end;
alter function control.backlog(text[]) owner to pult_definer;
revoke execute on function control.backlog(text[]) from public;
grant execute on function control.backlog(text[]) to pult_app;

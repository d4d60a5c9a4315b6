-- A job that is done has done the work of those with its key that failed before it; they are looked for each time.
create index job_failed on control.job (partner_id, kind, key) where key is not null and state = 'failed';

-- As m0038 has it; a job without a time is due at once by the database's clock, not by that of the instance which
-- writes it.
create or replace function control.enqueue(p_kind text, p_key text, p_args jsonb, p_run_at timestamptz) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
    v_run_at  timestamptz := coalesce(p_run_at, clock_timestamp());
begin
    if v_partner is null then
        raise exception 'control.enqueue outside a tenant transaction' using errcode = '42501';
    end if;
    -- One that waits already is locked until the commit, so that nobody takes it before it can see what this transaction
    -- has done. What has failed before keeps its pause.
    insert into control.job (partner_id, kind, key, args, run_at) values (v_partner, p_kind, p_key, p_args, v_run_at)
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting'
        do update set run_at = least(job.run_at, excluded.run_at) where job.attempts = 0;
    -- What is for later is found by who looks then; clocks may differ a little.
    if v_run_at < clock_timestamp() + interval '10 seconds' and coalesce(current_setting('pult.prepared', true), '') = '' then
        perform pg_notify('pult_job', '');
    end if;
end $$;

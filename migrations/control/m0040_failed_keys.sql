-- A job that is done has done the work of those with its key that failed before it; they are looked for each time.
create index job_failed on control.job (partner_id, kind, key) where key is not null and state = 'failed';

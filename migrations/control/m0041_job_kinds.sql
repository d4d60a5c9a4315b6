-- Those who run a few kinds find theirs without reading the jobs of all others, however many wait.
create index job_kind on control.job (kind, turn_of, run_at) where state = 'waiting';

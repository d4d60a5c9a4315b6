-- What the operator sees of the instances: who is there, and what their requests cost, a row a minute, for an hour.
create table control.instance (
    id         uuid primary key,
    version    text not null,
    -- 'service', 'service_and_work' or 'work'.
    part       text not null check (part in ('service', 'service_and_work', 'work')),
    started_at timestamptz not null,
    seen_at    timestamptz not null default now(),
    ready      boolean not null,
    -- Memory in bytes, connections to the database, units of work that wait for one, windows.
    figures    jsonb not null
);

create table control.load (
    minute      timestamptz not null,
    -- 'operation': method and template of the path; 'partner': an id.
    subject     text not null check (subject in ('operation', 'partner')),
    name        text not null,
    instance_id uuid not null,
    requests    bigint not null,
    -- Answered with 500 or more.
    failed      bigint not null,
    total_ms    double precision not null,
    worst_ms    double precision not null,
    primary key (minute, subject, name, instance_id)
);
grant select on control.instance, control.load to pult_platform;
grant select, insert, update, delete on control.instance, control.load to pult_definer;

-- An instance says that it is there, and what it did since it said so last.
create function control.note_load(p_instance uuid, p_version text, p_part text, p_started timestamptz, p_ready boolean,
        p_figures jsonb, p_load jsonb) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    insert into control.instance (id, version, part, started_at, ready, figures)
    values (p_instance, p_version, p_part, p_started, p_ready, p_figures)
    on conflict (id) do update set seen_at = now(), ready = excluded.ready, figures = excluded.figures;
    insert into control.load (minute, subject, name, instance_id, requests, failed, total_ms, worst_ms)
    select date_trunc('minute', now()), l.subject, l.name, p_instance, l.requests, l.failed, l.total_ms, l.worst_ms
    from jsonb_to_recordset(p_load)
        l (subject text, name text, requests bigint, failed bigint, total_ms double precision, worst_ms double precision)
    on conflict (minute, subject, name, instance_id) do update
        set requests = load.requests + excluded.requests, failed = load.failed + excluded.failed,
            total_ms = load.total_ms + excluded.total_ms, worst_ms = greatest(load.worst_ms, excluded.worst_ms);
    delete from control.load where minute < now() - interval '1 hour';
    delete from control.instance where seen_at < now() - interval '1 hour';
end $$;
alter function control.note_load(uuid, text, text, timestamptz, boolean, jsonb, jsonb) owner to pult_definer;
revoke execute on function control.note_load(uuid, text, text, timestamptz, boolean, jsonb, jsonb) from public;
grant execute on function control.note_load(uuid, text, text, timestamptz, boolean, jsonb, jsonb) to pult_app;

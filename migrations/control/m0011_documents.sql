-- Documentations that everybody who is signed in can download. The files lie in the object store.
create table control.documentation (
    id         uuid primary key,
    -- Stands in the address of the download.
    name       text not null unique check (name ~ '^[a-z0-9-]{1,120}$'),
    title      text not null check (length(title) between 1 and 200),
    -- As it was called where it was uploaded, and as it is called where it is downloaded.
    filename   text not null,
    -- The language it is written in.
    lang       text not null check (lang in ('hu', 'en')),
    -- Key in the object store.
    object     text not null,
    bytes      bigint not null,
    version    bigint not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
grant select, insert, update, delete on control.documentation to pult_platform, pult_definer;

-- For the person of a living session, those in the own language first; one alone when it is named.
create function control.documentations(p_session uuid, p_account uuid, p_name text)
    returns table (title text, name text, filename text, lang text, bytes bigint, updated_at timestamptz, object text)
    language sql stable security definer set search_path = ''
begin atomic
    select d.title, d.name, d.filename, d.lang, d.bytes, d.updated_at, d.object
    from control.living_session(p_session, p_account) l cross join control.documentation d
    where p_name is null or d.name = p_name
    order by d.lang <> l.language, d.title, d.id limit 500;
end;

do $$
begin
    alter function control.documentations(uuid, uuid, text) owner to pult_definer;
    revoke all on function control.documentations(uuid, uuid, text) from public;
end $$;
grant execute on function control.documentations to pult_app;

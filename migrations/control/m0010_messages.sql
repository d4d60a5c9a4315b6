-- What the platform tells the people who use it: announcements and release infos, each in one language.
create table control.announcement (
    id          uuid primary key,
    message     text not null,
    lang        text not null check (lang in ('hu', 'en')),
    -- Shown from then on, until it is archived.
    show_at     timestamptz not null,
    version     bigint not null default 1,
    archived_at timestamptz,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);

create table control.announcement_confirmation (
    account_id      uuid not null references control.account on delete cascade,
    announcement_id uuid not null references control.announcement on delete cascade,
    confirmed_at    timestamptz not null default now(),
    primary key (account_id, announcement_id)
);
create index on control.announcement_confirmation (announcement_id);

create table control.release_info (
    id            uuid primary key,
    version_code  text not null,
    release_type  text not null check (release_type in ('backend', 'pos', 'admin', 'frontend', 'site_builder')),
    lang          text not null check (lang in ('hu', 'en')),
    is_draft      boolean not null default true,
    release_at    timestamptz not null,
    -- [{"title": …, "description": sanitised html}]
    bullet_points jsonb not null,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);

create table control.release_info_confirmation (
    account_id      uuid not null references control.account on delete cascade,
    release_info_id uuid not null references control.release_info on delete cascade,
    confirmed_at    timestamptz not null default now(),
    primary key (account_id, release_info_id)
);
create index on control.release_info_confirmation (release_info_id);

grant select, insert, update, delete on control.announcement, control.announcement_confirmation, control.release_info,
    control.release_info_confirmation to pult_platform, pult_definer;

-- As super admins see and change them: with how many people have confirmed each.
create view control.announcement_details with (security_invoker = true) as
    select a.*, (select count(*) from control.announcement_confirmation c where c.announcement_id = a.id) confirmations
    from control.announcement a;
create view control.release_info_details with (security_invoker = true) as
    select r.*, (select count(*) from control.release_info_confirmation c where c.release_info_id = r.id) confirmations
    from control.release_info r;
grant select, insert, update on control.announcement_details, control.release_info_details to pult_platform;

-- What the person of a living session has not confirmed yet, in the own language, oldest first.
create function control.my_announcements(p_session uuid, p_account uuid)
    returns table (id uuid, message text, lang text, show_at timestamptz, archived_at timestamptz, created_at timestamptz, updated_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select a.id, a.message, a.lang, a.show_at, a.archived_at, a.created_at, a.updated_at
    from control.living_session(p_session, p_account) l join control.announcement a on a.lang = l.language
    where a.show_at <= now() and a.archived_at is null
      and not exists (select from control.announcement_confirmation c where c.account_id = p_account and c.announcement_id = a.id)
    order by a.show_at, a.id;
end;

-- Whether there is such an announcement; twice is once.
create function control.confirm_announcement(p_session uuid, p_account uuid, p_id uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not exists (select from control.living_session(p_session, p_account) l join control.announcement a on a.lang = l.language
                   where a.id = p_id and a.show_at <= now()) then
        return false;
    end if;
    insert into control.announcement_confirmation (account_id, announcement_id) values (p_account, p_id) on conflict do nothing;
    return true;
end $$;

-- What was released, newest first, in the own language. News is what came out since the account was made and is not
-- confirmed yet.
create function control.my_release_infos(p_session uuid, p_account uuid, p_only_news boolean)
    returns table (id uuid, version_code text, release_type text, lang text, is_draft boolean, release_at timestamptz, bullet_points jsonb,
                   is_news boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select r.id, r.version_code, r.release_type, r.lang, r.is_draft, r.release_at, r.bullet_points, n.is_news
    from control.living_session(p_session, p_account) l join control.release_info r on r.lang = l.language
    join control.account ac on ac.id = p_account
    cross join lateral (select r.release_at >= ac.created_at and not exists (
        select from control.release_info_confirmation c where c.account_id = p_account and c.release_info_id = r.id) is_news) n
    where not r.is_draft and r.release_at <= now() and r.archived_at is null and (n.is_news or not p_only_news)
    order by r.release_at desc, r.id desc limit 200;
end;

create function control.confirm_release_info(p_session uuid, p_account uuid, p_id uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not exists (select from control.living_session(p_session, p_account) l join control.release_info r on r.lang = l.language
                   where r.id = p_id and not r.is_draft and r.release_at <= now()) then
        return false;
    end if;
    insert into control.release_info_confirmation (account_id, release_info_id) values (p_account, p_id) on conflict do nothing;
    return true;
end $$;

do $$
declare f text;
begin
    foreach f in array array['my_announcements(uuid, uuid)', 'confirm_announcement(uuid, uuid, uuid)', 'my_release_infos(uuid, uuid, boolean)',
                             'confirm_release_info(uuid, uuid, uuid)'] loop
        execute format('alter function control.%s owner to pult_definer', f);
        execute format('revoke all on function control.%s from public', f);
    end loop;
end $$;
grant execute on function control.my_announcements, control.confirm_announcement, control.my_release_infos, control.confirm_release_info to pult_app;

-- Schema `control`: accounts, admins, sessions, directories, jobs. Reached by the service only through the
-- functions below (as the login role or a tenant role) or through ControlTx (roles pult_control, pult_platform).
grant usage on schema control to pult_app, pult_tenant, pult_control, pult_platform, pult_definer;
grant usage on schema ref to public;

create table control.installation (
    only_row       boolean primary key default true check (only_row),
    name           text not null check (name ~ '^[a-z0-9]{1,16}$'),
    -- What a partner's schema_version is after all migrations of the newest release that was brought here.
    schema_version text not null
);

create table control.partner (
    id             uuid primary key,
    name           text not null,
    mode           text not null default 'live' check (mode in ('live', 'sandbox', 'demo')),
    status         text not null default 'active' check (status in ('creating', 'active', 'suspended', 'maintenance')),
    role           text not null unique,
    server         text not null default 'default',
    schema_version text,
    created_at     timestamptz not null default now()
);

create table control.restaurant (
    id         uuid primary key,
    partner_id uuid not null references control.partner on delete cascade,
    -- What the door asks of the partner, kept by triggers: one row less to find with every request.
    partner_role   text not null,
    partner_status text not null,
    partner_mode   text not null,
    group_id   uuid not null,
    name       text not null,
    zone       text not null,
    -- What a selector shows besides, so that the list of all restaurants opens no tenant's schema.
    currency   text not null default 'huf',
    primary_language text not null default 'hu',
    secondary_language text,
    city       text not null default '',
    archived_at timestamptz
);
create index on control.restaurant (partner_id);

create table control.account (
    id              uuid primary key,
    email           text not null check (email = lower(email)),
    first_name      text not null default '',
    last_name       text not null default '',
    language        text not null default 'hu' check (language in ('hu', 'en')),
    password_hash   text,
    super_admin     boolean not null default false,
    locked          boolean not null default false,
    last_partner_id    uuid,
    last_restaurant_id uuid,
    created_at      timestamptz not null default now()
);
create unique index account_email on control.account (email);

create table control.admin (
    id                 uuid primary key,
    account_id         uuid not null references control.account on delete cascade,
    partner_id         uuid not null references control.partner on delete cascade,
    target_type        text not null check (target_type in ('Partner', 'Restaurant')),
    restaurant_ids     uuid[],
    permission_keys    text[] not null default '{}',
    full_target_access boolean not null default false,
    surfaces           text[] not null default '{admin}',
    status             text not null default 'active' check (status in ('invited', 'active', 'locked', 'archived')),
    -- A keyed digest finds the PIN's row, Argon2id confirms it.
    pin_lookup         bytea,
    pin_hash           text,
    -- Raised with every change of what this row grants; instances keep evaluated grants by (id, version).
    version            bigint not null default 1,
    created_at         timestamptz not null default now(),
    check ((target_type = 'Partner') = (restaurant_ids is null)),
    unique (account_id, partner_id)
);
create index on control.admin (partner_id);

create table control.session (
    id         uuid primary key,
    account_id uuid not null references control.account on delete cascade,
    surface    text not null,
    user_agent text not null default '',
    address    text not null default '',
    -- Opened with a second factor: without, a super admin is nobody special.
    second_factor boolean not null default false,
    -- Opened by this partner's sign-in provider: reaches this partner only.
    partner_id uuid references control.partner on delete cascade,
    created_at timestamptz not null default now(),
    -- Written now and then; a super admin's session ends after 30 idle minutes.
    last_active_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at   timestamptz
);
create index on control.session (account_id);
create index on control.session (partner_id) where partner_id is not null;

-- What control.enter answered a session at a restaurant, kept for its next requests: one row to look up instead of four.
-- Written by control.keep_passes, removed by whatever changes one of the four (control.forget_passes).
create table control.pass (
    session_id    uuid not null references control.session on delete cascade,
    restaurant_id uuid not null references control.restaurant on delete cascade,
    account_id    uuid not null references control.account on delete cascade,
    partner_id    uuid not null,
    admin_id      uuid not null references control.admin on delete cascade,
    version       bigint not null,
    expires_at    timestamptz not null,
    role          text not null,
    full_target_access boolean not null,
    surface       text not null,
    name          text not null,
    target_type   text not null,
    mode          text not null,
    primary key (session_id, restaurant_id)
);
create index on control.pass (restaurant_id);
create index on control.pass (account_id);
create index on control.pass (admin_id);

-- A super admin inside a partner's data: for a reason, for an hour, reading only unless asked for.
create table control.support_access (
    id         uuid primary key,
    account_id uuid not null references control.account on delete cascade,
    partner_id uuid not null references control.partner on delete cascade,
    reason     text not null,
    writable   boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at   timestamptz
);
create index on control.support_access (account_id, partner_id);

create table control.api_key (
    id             uuid primary key,
    partner_id     uuid not null references control.partner on delete cascade,
    restaurant_ids uuid[] not null,
    name           text not null,
    kind           text not null default 'secret' check (kind in ('secret', 'browser', 'test')),
    prefix         text not null,
    hash           bytea not null unique,
    scopes         text[] not null,
    version        bigint not null default 1,
    created_at     timestamptz not null default now(),
    last_used_at   timestamptz,
    archived_at    timestamptz
);
create index on control.api_key (partner_id);

-- One-time links: only the hash is kept, bound to the account and the purpose.
create table control.ticket (
    hash       bytea primary key,
    account_id uuid not null references control.account on delete cascade,
    purpose    text not null check (purpose in ('password')),
    expires_at timestamptz not null,
    used_at    timestamptz
);

-- Failed attempts, counted one by one; `subject` is an account or an address with its purpose.
create table control.attempt (
    subject      text primary key,
    failures     int not null default 0,
    window_start timestamptz not null default now(),
    blocked_until timestamptz
);

create table control.job (
    id           bigint generated always as identity primary key,
    partner_id   uuid references control.partner on delete cascade,
    -- Whose turn it uses up: the partner's, or that of the platform itself.
    turn_of      uuid not null generated always as (coalesce(partner_id, '00000000-0000-0000-0000-000000000000')) stored,
    kind         text not null,
    -- A second job with a key that is still waiting is not written.
    key          text,
    args         jsonb not null default '{}',
    state        text not null default 'waiting' check (state in ('waiting', 'running', 'failed')),
    run_at       timestamptz not null default now(),
    attempts     int not null default 0,
    last_error   text,
    -- The fencing token: raised with every lease, so a worker that lost its lease cannot finish the job.
    lease        bigint not null default 0,
    leased_until timestamptz,
    created_at   timestamptz not null default now()
);
create index job_turn on control.job (turn_of, run_at) where state = 'waiting';
create index job_lease on control.job (leased_until) where state = 'running';
create unique index job_key on control.job (partner_id, kind, key) where key is not null and state = 'waiting';

-- Row security by partner on every table with a partner_id: ControlTx for one partner sets pult.partner.
do $$
declare t text;
begin
    foreach t in array array['partner', 'restaurant', 'admin', 'pass', 'support_access', 'api_key', 'job'] loop
        execute format('alter table control.%I enable row level security', t);
        execute format('create policy own on control.%I to pult_control using (%I = nullif(current_setting(''pult.partner'', true), '''')::uuid)',
            t, case t when 'partner' then 'id' else 'partner_id' end);
        execute format('create policy everything on control.%I to pult_platform, pult_definer using (true) with check (true)', t);
    end loop;
end $$;
alter table control.account enable row level security;
create policy own on control.account for select to pult_control using (exists (
    select from control.admin a where a.account_id = account.id and a.partner_id = nullif(current_setting('pult.partner', true), '')::uuid));
create policy everything on control.account to pult_platform, pult_definer using (true) with check (true);

grant select, insert, update, delete on all tables in schema control to pult_platform, pult_definer;
grant select on control.partner, control.restaurant, control.admin, control.api_key to pult_control;
grant select (id, email, first_name, last_name, language) on control.account to pult_control;

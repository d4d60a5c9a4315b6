-- Payment methods of a restaurant, its accounts at payment providers, card terminals.
create table restaurant_payment_method (
    restaurant_id     uuid not null references restaurant,
    -- A row of ref.payment_method. What is always available has no row here.
    payment_method_id uuid not null,
    primary key (restaurant_id, payment_method_id)
);

create table payment_settings (
    restaurant_id uuid primary key references restaurant,
    -- Forints for one euro in cash.
    eur_huf_rate  numeric(8, 2) not null default 350 check (eur_huf_rate > 0),
    -- Of everything that the two screens of payment methods save.
    version       bigint not null default 1
);

create table provider_account (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    provider      text not null check (provider in ('simplepay', 'barion')),
    -- The merchant id, or the payee's e-mail address.
    account       text not null,
    -- Sealed for this row; belongs to this account and no other.
    secret        bytea,
    unique (restaurant_id, provider)
);

-- Terminals that are known: of the store of a connection. A terminal that is not reported any more is archived.
create table card_terminal (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    terminal_type text not null check (terminal_type in ('ospi', 'teya')),
    -- The maker's id; what a scheme names.
    terminal_id   text not null,
    device_id     text,
    name          text not null,
    ip            text,
    manufacturer  text,
    last_health_check_at timestamptz,
    archived_at   timestamptz,
    unique (restaurant_id, terminal_type, terminal_id)
);

-- Which terminal a till or a kiosk uses.
create table terminal_scheme (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    terminal_id   text not null,
    terminal_type text not null default 'ospi' check (terminal_type in ('ospi', 'teya')),
    -- An admin of `control`, named in `staff`.
    admin_id      uuid,
    restaurant_kiosk_id uuid,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now(),
    check (admin_id is not null or restaurant_kiosk_id is not null)
);
create index on terminal_scheme (restaurant_id);

-- A restaurant's connection to the company behind its card terminals.
create table card_terminal_connection (
    id            uuid primary key,
    restaurant_id uuid not null unique references restaurant,
    -- Whether it is to the real company or to its stand-in: the tokens of one are never sent to the other.
    live          boolean not null,
    -- Sealed for this row: the tokens of whoever signed in and the client that was registered for the store.
    secret        bytea not null,
    -- Raised whenever the secret changes; the result of a call that began with an older one is dropped.
    generation    bigint not null default 1,
    -- Whoever renews the token has taken the job until then; the others wait.
    renewing_until timestamptz,
    -- Once the company has refused to renew: somebody has to sign in again.
    broken_at     timestamptz,
    store_id      text,
    store_name    text,
    connected_by  uuid,
    connected_at  timestamptz not null
);

-- Restaurants, their settings, and what every resource stands on: staff, audit, events, idempotency.
create table restaurant_group (
    id          uuid primary key,
    name        text not null,
    currency    text not null default 'huf',
    archived_at timestamptz,
    created_at  timestamptz not null default now()
);

create table restaurant (
    id                  uuid primary key,
    restaurant_group_id uuid not null references restaurant_group,
    name                text not null,
    phone_1             text,
    contact_email       text,
    country             text not null default 'HU',
    state_province_county text,
    city                text not null default '',
    street              text not null default '',
    premise_number      text not null default '',
    postcode            text,
    domain              text,
    currency            text not null default 'huf' check (currency in ('huf', 'eur', 'usd', 'dkk', 'gbp')),
    timezone            text not null default 'Europe/Budapest',
    primary_language    text not null default 'hu',
    secondary_language  text,
    min_order_price     numeric(12, 2) not null default 0 check (min_order_price >= 0),
    temp_no_orders      boolean not null default false,
    estimated_delivery_time int not null default 30 check (estimated_delivery_time between 0 and 600),
    order_reset_time    text not null default '01:00',
    counter_prefix      text check (counter_prefix ~ '^[0-9A-Z]$'),
    normal_delivery     boolean not null default true,
    preorder_delivery   boolean not null default false,
    normal_pickup       boolean not null default true,
    preorder_pickup     boolean not null default false,
    min_days_to_preorder int not null default 0 check (min_days_to_preorder >= 0),
    days_to_preorder    int not null default 3 check (days_to_preorder >= 1),
    min_preorder_pickup_diff int not null default 30 check (min_preorder_pickup_diff >= 1),
    min_preorder_delivery_diff int not null default 30 check (min_preorder_delivery_diff >= 1),
    preorder_notification_mins_before_expected int not null default 60 check (preorder_notification_mins_before_expected >= 1),
    order_accept_on_open boolean not null default true,
    vat_id              uuid not null default '00000000-0000-7000-8000-00000000011b',
    sit_in_vat_id       uuid not null default '00000000-0000-7000-8000-000000000105',
    delivery_vat_id     uuid not null default '00000000-0000-7000-8000-00000000011b',
    -- Raised once per transaction that changes what guests see.
    catalogue_version   bigint not null default 1,
    version             bigint not null default 1,
    archived_at         timestamptz,
    created_at          timestamptz not null default now()
);

-- Locked at the very end of a transaction: numbers of events and orders are gapless and in commit order.
create table restaurant_counter (
    restaurant_id uuid primary key references restaurant,
    event_number  bigint not null default 0,
    business_day  date,
    order_number  int not null default 0
);

create table opening_hours (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    day           text not null check (day in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')),
    open_at       text not null,
    close_at      text not null
);
create index on opening_hours (restaurant_id);

create table restaurant_holiday (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    valid_from    date not null,
    valid_till    date not null,
    holiday_type  text not null check (holiday_type in ('holiday_open', 'holiday_close')),
    open_at       text,
    close_at      text,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on restaurant_holiday (restaurant_id);

create table restaurant_feature (
    restaurant_id uuid not null references restaurant,
    feature       text not null,
    primary key (restaurant_id, feature)
);

-- Names that outlive the account.
create table staff (
    admin_id uuid primary key,
    name     text not null,
    email    text not null,
    archived boolean not null default false
);

-- Ledger: who did what. The details lie beside it because anonymising may empty them.
create table audit (
    id            uuid primary key,
    restaurant_id uuid,
    at            timestamptz not null default now(),
    actor_kind    text not null check (actor_kind in ('admin', 'api_key', 'job', 'support')),
    actor_id      uuid,
    actor_name    text not null,
    action        text not null,
    record_id     uuid,
    request_id    text not null default ''
);
create index on audit (restaurant_id, at);
create table audit_detail (
    audit_id uuid primary key references audit,
    details  jsonb not null
);

-- Ledger: what sockets and webhooks get, numbered per restaurant.
create table event (
    restaurant_id uuid not null references restaurant,
    number        bigint not null,
    kind          text not null,
    data          jsonb not null,
    created_at    timestamptz not null default now(),
    primary key (restaurant_id, number)
);
create index on event (created_at);

create table idempotency_key (
    caller     text not null,
    operation  text not null,
    key        text not null,
    body_hash  bytea not null,
    status     int,
    answer     text,
    created_at timestamptz not null default now(),
    primary key (caller, operation, key)
);
create index on idempotency_key (created_at);

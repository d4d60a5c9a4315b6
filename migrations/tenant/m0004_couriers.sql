create table courier (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    first_name    text not null,
    last_name     text not null,
    phone_1       text,
    vehicle       text check (vehicle in ('foot', 'bicycle', 'moped', 'car')),
    note          text,
    active        boolean not null default true,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on courier (restaurant_id);

-- Couriers.
create table courier (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    first_name    text not null,
    last_name     text not null,
    -- Last name first, as Hungarian names are written: for lists, pickers and the name filter.
    name          text not null generated always as (trim(last_name || ' ' || first_name)) stored,
    phone_1       text,
    vehicle       text check (vehicle in ('foot', 'bicycle', 'moped', 'car')),
    note          text,
    active        boolean not null default true,
    ranking       int not null default 0,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on courier (restaurant_id, ranking);

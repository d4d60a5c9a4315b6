-- Why orders are refused and cancelled, in the restaurant's own words. Without rows the standard reasons are offered.
create table storno_reason (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    name          text not null,
    name_sec_lang text,
    used_for      text not null check (used_for in ('both', 'refusal', 'storno')),
    -- Whoever chooses it says more in words.
    text_required boolean not null default false,
    active        boolean not null default true,
    ranking       int not null default 0,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on storno_reason (restaurant_id, ranking);

-- The names are copies: a reason that is renamed changes no order.
alter table orders
    add column archive_reason_id            uuid references storno_reason,
    add column archive_reason_name          text,
    add column archive_reason_name_sec_lang text;
-- For the report of what was cancelled; few orders stand in it.
create index orders_archived on orders (restaurant_id, archived_at) where archived_at is not null;
create index orders_children on orders (restaurant_id, created_at) where order_parent_id is not null;

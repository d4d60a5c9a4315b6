-- The drawer of cash: what goes in and out beside orders, and how it was counted. A drawer is the restaurant's or a
-- courier's.

alter table pos_config
    -- So many days back closes of drawers are listed.
    add column daily_close_limit int not null default 45 check (daily_close_limit between 0 and 3650);

-- Accepted orders of which something may be left to pay.
create index orders_open on orders (restaurant_id, expected_at)
    where closed_at is null and archived_at is null and status in ('processed', 'prepared');

create table drawer_movement (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    -- in, out: of this drawer; hand_in: from the courier to the restaurant.
    kind          text not null check (kind in ('in', 'out', 'hand_in')),
    value         numeric(12, 2) not null check (value > 0),
    currency      text not null,
    reason        text not null,
    courier_id    uuid,
    actor_kind    text not null,
    actor_id      uuid,
    actor_name    text not null,
    business_day  date not null,
    created_at    timestamptz not null default now(),
    check (kind <> 'hand_in' or courier_id is not null)
);
create index on drawer_movement (restaurant_id, created_at);

create table drawer_close (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    -- Whose drawer: null is the restaurant's.
    courier_id    uuid,
    business_day  date not null,
    note          text,
    actor_kind    text not null,
    actor_id      uuid,
    actor_name    text not null,
    created_at    timestamptz not null default now()
);
create index on drawer_close (restaurant_id, created_at desc);

-- Sums by method and currency.
create table drawer_close_line (
    close_id    uuid not null references drawer_close,
    payment_key text not null,
    currency    text not null,
    -- What the close before left, what came in and went out since, and what should be there.
    left_before numeric(12, 2) not null,
    taken       numeric(12, 2) not null,
    given_back  numeric(12, 2) not null,
    moved       numeric(12, 2) not null,
    expected    numeric(12, 2) not null,
    counted     numeric(12, 2),
    left_over   numeric(12, 2) not null,
    primary key (close_id, payment_key, currency)
);

-- Which rows a close has counted: each row once for a drawer. What is entered later is in the next close.
create table drawer_close_row (
    row_id   uuid not null,
    -- The courier, else the restaurant.
    place    uuid not null,
    close_id uuid not null references drawer_close,
    primary key (row_id, place)
);
create index on drawer_close_row (close_id);

-- What customers paid into balances, for readers.
create view balance_payment as
select b.id, b.restaurant_id, b.value, b.currency, b.payment_method, b.actor_name, b.created_at
from shadow_customer_balance b where b.type = 'payment' and b.payment_method is not null;
create index on shadow_customer_balance (restaurant_id, created_at) where type = 'payment';

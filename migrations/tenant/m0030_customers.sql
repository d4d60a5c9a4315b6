-- Customers: fields of the editor, addresses, what they ordered where, merging, balance and points.

alter table shadow_customer
    -- The id of an account that a shop keeps.
    add column customer_id text,
    -- E.164.
    add column phone_2     text check (phone_2 ~ '^\+[0-9]{3,15}$'),
    add column note        text,
    add column comment     text,
    -- [{platform, id}]
    add column external_ids jsonb not null default '[]',
    -- The older customer who turned out to be the same person, when, and who is at the end of that way.
    add column merged_into uuid references shadow_customer,
    add column merged_at   timestamptz,
    add column root_id     uuid references shadow_customer,
    add column updated_at  timestamptz not null default now(),
    -- What the words of a search are looked for in. A hundred thousand are read through in some hundredths of a
    -- second, so there is no index.
    add column search      text not null generated always as
        (ref.fold(trim(last_name || ' ' || first_name) || ' ' || coalesce(email, '')) || ' ' || coalesce(phone_1, '')
        || ' ' || coalesce(phone_2, '')) stored,
    add check ((merged_into is null) = (root_id is null)),
    add check ((merged_into is null) = (merged_at is null)),
    add check (merged_into <> id and root_id <> id);
create unique index shadow_customer_phone_2 on shadow_customer (phone_2) where archived_at is null;
create index shadow_customer_name on shadow_customer (ref.fold(name), id)
    where archived_at is null and merged_into is null;
create index shadow_customer_created on shadow_customer (created_at desc, id)
    where archived_at is null and merged_into is null;
create index on shadow_customer (merged_into) where merged_into is not null;
create index on shadow_customer (root_id) where root_id is not null;

-- What counts of a customer's orders, those of the customers merged into this one included. Written by
-- count_customer_orders alone; a test proves that the figures are those of the orders.
alter table shadow_customer_restaurant
    add column order_number    int not null default 0,
    add column order_total_sum numeric(14, 2) not null default 0,
    add column first_order_at  timestamptz,
    add column last_order_at   timestamptz,
    -- A merge made it, so its undo takes it back.
    add column by_merge        boolean not null default false;
create index shadow_customer_last_order on shadow_customer_restaurant
    (restaurant_id, last_order_at desc nulls last, shadow_customer_id);
create index shadow_customer_orders on shadow_customer_restaurant
    (restaurant_id, order_number desc nulls last, shadow_customer_id);
create index shadow_customer_sum on shadow_customer_restaurant
    (restaurant_id, order_total_sum desc nulls last, shadow_customer_id);

-- The fields are those of an order's delivery data.
create table shadow_customer_address (
    id                 uuid primary key,
    shadow_customer_id uuid not null references shadow_customer,
    name               text,
    country            text,
    state_province_county text,
    postcode           text,
    city               text not null,
    street             text not null,
    premise_number     text not null,
    building           text,
    floor              text,
    door_number        text,
    doorbell           text,
    address_notes      text,
    coord_lat          double precision check (coord_lat between -90 and 90),
    coord_lng          double precision check (coord_lng between -180 and 180),
    -- When an order went there.
    last_used_at       timestamptz,
    version            bigint not null default 1,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    -- As two spellings of one address are compared.
    address_key        text not null generated always as (regexp_replace(ref.fold(coalesce(postcode, '') || '|' || city
        || '|' || street || '|' || premise_number || '|' || coalesce(building, '') || '|' || coalesce(floor, '')
        || '|' || coalesce(door_number, '')), '[\s.,/-]+', '', 'g')) stored,
    check ((coord_lat is null) = (coord_lng is null))
);
create index on shadow_customer_address (shadow_customer_id, created_at);

-- Ledgers, by customer and group of restaurants: rows are added, never changed.
create table shadow_customer_balance (
    id                  uuid primary key,
    shadow_customer_id  uuid not null references shadow_customer,
    restaurant_group_id uuid not null references restaurant_group,
    -- Where it was entered.
    restaurant_id       uuid not null references restaurant,
    type                text not null check (type in ('payment', 'order', 'storno')),
    value               numeric(12, 2) not null check (value <> 0),
    currency            text not null,
    payment_method      text,
    transaction_at      timestamptz not null,
    order_id            uuid,
    actor_id            uuid,
    actor_name          text not null,
    created_at          timestamptz not null default now()
);
create index on shadow_customer_balance (shadow_customer_id, restaurant_group_id, transaction_at desc, id desc);
create index on shadow_customer_balance (restaurant_group_id, restaurant_id);

create table shadow_customer_point (
    id                  uuid primary key,
    shadow_customer_id  uuid not null references shadow_customer,
    restaurant_group_id uuid not null references restaurant_group,
    restaurant_id       uuid not null references restaurant,
    type                text not null check (type in ('entered', 'earned', 'order', 'storno')),
    value               bigint not null check (value <> 0),
    transaction_at      timestamptz not null,
    order_id            uuid,
    actor_id            uuid,
    actor_name          text not null,
    created_at          timestamptz not null default now()
);
create index on shadow_customer_point (shadow_customer_id, restaurant_group_id, transaction_at desc, id desc);

-- What somebody wrote to a row of either ledger: it goes when the customer is anonymised, the row stays.
create table shadow_customer_comment (
    row_id             uuid primary key,
    shadow_customer_id uuid not null references shadow_customer,
    comment            text not null
);
create index on shadow_customer_comment (shadow_customer_id);

-- The sums of both ledgers, for lists: those of the customers merged into this one included. A test proves that they
-- are the sums of the rows.
create table shadow_customer_account (
    shadow_customer_id  uuid not null references shadow_customer,
    restaurant_group_id uuid not null references restaurant_group,
    balance             numeric(12, 2) not null default 0,
    points              bigint not null default 0,
    -- Rows of the balance.
    transactions        int not null default 0,
    last_transaction_at timestamptz,
    primary key (shadow_customer_id, restaurant_group_id)
);
create index on shadow_customer_account (restaurant_group_id, balance, shadow_customer_id);

-- Views for readers.

-- Orders of customers. `counts`: for numbers and sums; a partial cancellation (`order_parent_id`) for sums alone.
create view customer_order as
select o.id, o.customer_id, o.restaurant_id, o.order_parent_id, o.counter, o.status, o.platform, o.pickup, o.is_preorder,
    o.created_at, o.business_day, o.expected_at, o.total_price, o.currency, o.payment_method_id, o.archived_at,
    o.delivery_data,
    not o.is_test and o.archived_at is null and o.status in ('succeeded', 'processed', 'prepared') as counts,
    not o.is_test and o.status in ('succeeded', 'processed', 'prepared') as placed,
    not o.is_test and o.archived_at is null and o.status in ('received', 'succeeded', 'processed') as under_way
from orders o where o.customer_id is not null;

create view customer_order_item as
select i.order_id, i.ranking, i.id, i.subproduct_id, coalesce(i.name, i.product_name) as name, i.quantity
from order_item i;

-- Customers who were merged into others, and who stands for them.
create view customer_root as
select c.id, c.root_id from shadow_customer c where c.root_id is not null;

-- Functions. Locks are taken in this order: the order, the customers by id, what belongs to them.

-- Locks these customers and answers those who live and stand for themselves. What was read before may not hold any
-- more: read again.
create function lock_customers(p_ids uuid[]) returns setof uuid language plpgsql as $$
begin
    perform 1 from shadow_customer c where c.id = any (p_ids) order by c.id for no key update;
    return query select c.id from shadow_customer c
        where c.id = any (p_ids) and c.archived_at is null and c.root_id is null;
end $$;

-- Locks the customer whose balance and points are about to change, and answers who stands for the person; null when
-- there is nobody any more.
create function lock_customer_ledger(p_customer uuid) returns uuid language plpgsql as $$
declare
    v_root uuid;
    v_seen uuid;
begin
    select coalesce(root_id, id) into v_root from shadow_customer where id = p_customer;
    loop
        perform 1 from shadow_customer where id = v_root for no key update;
        -- Another merge may have been faster.
        select coalesce(c.root_id, c.id) into v_seen from shadow_customer c where c.id = p_customer;
        exit when v_seen is not distinct from v_root;
        v_root := v_seen;
    end loop;
    return (select id from shadow_customer where id = v_root and archived_at is null);
end $$;

-- Counts a customer's orders at a restaurant anew, for who stands for the person. Each statement sees what was
-- committed before it began, so the figures are right once the row is locked. Answers whether there is such a
-- customer: one who was anonymised meanwhile has no orders any more. Until the end of the transaction the customer
-- is neither merged nor anonymised.
create function count_customer_orders(p_customer uuid, p_restaurant uuid) returns boolean language plpgsql as $$
declare
    v_root     uuid;
    v_archived boolean;
begin
    perform 1 from shadow_customer where id = p_customer for share;
    select coalesce(c.root_id, c.id), c.archived_at is not null into v_root, v_archived
    from shadow_customer c where c.id = p_customer;
    if v_root is null or v_archived then
        return false;
    end if;
    insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) values (v_root, p_restaurant)
    on conflict do nothing;
    perform 1 from shadow_customer_restaurant
    where shadow_customer_id = v_root and restaurant_id = p_restaurant for update;
    update shadow_customer_restaurant s
    set (order_number, order_total_sum, first_order_at, last_order_at) = (
        select count(*) filter (where o.order_parent_id is null), coalesce(sum(o.total_price), 0),
            min(o.created_at), max(o.created_at) filter (where o.order_parent_id is null)
        from customer_order o
        where o.restaurant_id = p_restaurant and o.counts
          and o.customer_id in (select c.id from shadow_customer c where c.id = v_root or c.root_id = v_root))
    where s.shadow_customer_id = v_root and s.restaurant_id = p_restaurant;
    return true;
end $$;

-- Makes the figures of somebody who stands for a person anew, at all restaurants and in all groups: after a merge and
-- its undo. The customers concerned are locked.
create function refresh_customer(p_root uuid) returns void language plpgsql as $$
declare
    v_members uuid[];
begin
    select array_agg(id) into v_members from shadow_customer where id = p_root or root_id = p_root;
    insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id, by_merge)
    select distinct p_root, s.restaurant_id, true from shadow_customer_restaurant s
    where s.shadow_customer_id = any (v_members)
    on conflict do nothing;
    delete from shadow_customer_restaurant s
    where s.shadow_customer_id = p_root and s.by_merge
      and not exists (select from shadow_customer_restaurant m
        where m.restaurant_id = s.restaurant_id and m.shadow_customer_id = any (v_members)
          and m.shadow_customer_id <> p_root)
      and not exists (select from customer_order o
        where o.restaurant_id = s.restaurant_id and o.customer_id = any (v_members));
    perform count_customer_orders(p_root, s.restaurant_id) from (select restaurant_id from shadow_customer_restaurant
        where shadow_customer_id = p_root order by restaurant_id) s;
    delete from shadow_customer_account where shadow_customer_id = p_root;
    insert into shadow_customer_account (shadow_customer_id, restaurant_group_id, balance, points, transactions,
        last_transaction_at)
    select p_root, t.restaurant_group_id, sum(t.balance), sum(t.points), sum(t.one), max(t.transaction_at)
    from (select restaurant_group_id, value as balance, 0 as points, 1 as one, transaction_at
          from shadow_customer_balance where shadow_customer_id = any (v_members)
          union all
          select restaurant_group_id, 0, value, 0, null from shadow_customer_point
          where shadow_customer_id = any (v_members)) t
    group by t.restaurant_group_id;
end $$;

-- Customers of earlier releases: what they have ordered so far.
update shadow_customer_restaurant s
set (order_number, order_total_sum, first_order_at, last_order_at) = (
    select count(*) filter (where o.order_parent_id is null), coalesce(sum(o.total_price), 0), min(o.created_at),
        max(o.created_at) filter (where o.order_parent_id is null)
    from customer_order o
    where o.restaurant_id = s.restaurant_id and o.counts and o.customer_id = s.shadow_customer_id);

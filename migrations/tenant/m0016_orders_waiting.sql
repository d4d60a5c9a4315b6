-- Accepting can be taken back: which time it was accepted, and whether the guest has been told of the time that holds.
alter table orders
    add column acceptance int not null default 0,
    add column guest_told boolean not null default false,
    -- A preorder is announced once, when it is due.
    add column announced_at timestamptz;
update orders set guest_told = true
    where status in ('processed', 'prepared') and archived_at is null and email is not null and accepted_at > now() - interval '2 days';

alter table order_email drop constraint order_email_kind_check;
alter table order_email add constraint order_email_kind_check check (kind in ('received', 'accepted', 'taken_back', 'refused'));

-- Test orders are numbered by themselves (T1, T2, …): what they read like takes no number from a guest's order.
alter table restaurant_counter
    add column test_number int not null default 0,
    add column test_day date;
drop index order_counter;
create unique index order_counter on orders (restaurant_id, business_day, counter) where counter is not null and not is_test;
create unique index order_test_counter on orders (restaurant_id, business_day, counter) where counter is not null and is_test;

-- How many orders that nobody has paid or accepted yet one phone, or one guest, may have within an hour.
alter table restaurant
    add column max_waiting_per_phone int not null default 5 check (max_waiting_per_phone between 1 and 1000),
    add column max_waiting_per_guest int not null default 10 check (max_waiting_per_guest between 1 and 1000);
-- Who sent an order, as far as those limits need it. A row is removed after the hour in which it counts.
create table order_sender (
    order_id      uuid primary key references orders on delete cascade,
    restaurant_id uuid not null references restaurant,
    phone         text,
    guest         text,
    created_at    timestamptz not null
);
create index on order_sender (restaurant_id, phone);
create index on order_sender (restaurant_id, guest);
create index on order_sender (restaurant_id, created_at);

-- Preorders that were placed before are announced when they are due, like those that come.
insert into control.job (partner_id, kind, key, args, run_at)
    select p.id, 'order_due', o.id::text, jsonb_build_object('order_id', o.id), o.show_at
    from orders o, control.partner p
    where p.role = current_schema() and o.is_preorder and o.archived_at is null and o.status in ('received', 'succeeded', 'processed') and o.show_at > now()
    on conflict do nothing;

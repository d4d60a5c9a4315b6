-- People who ordered or were entered, without an account of their own. They belong to the partner.
create table shadow_customer (
    id         uuid primary key,
    first_name text not null default '',
    last_name  text not null default '',
    -- Last name first, as Hungarian names are written.
    name       text not null generated always as (trim(last_name || ' ' || first_name)) stored,
    -- E.164.
    phone_1    text check (phone_1 ~ '^\+[0-9]{3,15}$'),
    email      text check (email = lower(email)),
    version    bigint not null default 1,
    archived_at timestamptz,
    created_at timestamptz not null default now()
);
-- An order finds its customer by either, so each leads to one.
create unique index shadow_customer_phone on shadow_customer (phone_1) where archived_at is null;
create unique index shadow_customer_email on shadow_customer (email) where archived_at is null;

-- Where a customer ordered or was entered: only these restaurants see the customer.
create table shadow_customer_restaurant (
    shadow_customer_id uuid not null references shadow_customer,
    restaurant_id      uuid not null references restaurant,
    created_at         timestamptz not null default now(),
    primary key (shadow_customer_id, restaurant_id)
);
create index on shadow_customer_restaurant (restaurant_id);

-- Discounts, coupons and upsells.
create table discount (
    id              uuid primary key,
    name            text not null,
    discount_type   text not null check (discount_type in ('discount', 'coupon', 'upsell')),
    code            text,
    -- The code as it is compared.
    code_key        text,
    active          boolean not null default true,
    valid_from      timestamptz,
    valid_till      timestamptz,
    time_ranges     jsonb not null default '[]',
    pickup_enabled  boolean not null default true,
    platforms       text[] not null,
    -- null: every restaurant of the partner.
    restaurant_ids  uuid[],
    login_needed    boolean not null default false,
    stackable       boolean not null default true,
    all_max_use_qty int check (all_max_use_qty > 0),
    customer_max_use_qty int check (customer_max_use_qty > 0),
    is_daily_discount_limit boolean not null default false,
    products_for    text check (products_for in ('inclusion', 'exclusion')),
    -- Origins, as are the sizes of gifts in the ranges.
    product_category_ids uuid[] not null default '{}',
    subproduct_ids  uuid[] not null default '{}',
    locked_customers boolean not null default false,
    range_filter_type text not null default 'by_price' check (range_filter_type in ('by_price', 'by_quantity')),
    apply_type      text not null default 'apply_per_cart' check (apply_type in ('apply_per_cart', 'apply_per_item')),
    ranges          jsonb not null,
    -- The currency of the amounts in the ranges; null where there are none.
    currency        text,
    version         bigint not null default 1,
    archived_at     timestamptz,
    created_at      timestamptz not null default now(),
    check (restaurant_ids <> '{}'),
    check (platforms <> '{}')
);
create index discount_live on discount (created_at) where archived_at is null;
create index discount_code_key on discount (code_key) where archived_at is null;

-- The customers to whom a promotion is locked.
create table discount_usage (
    id                 uuid primary key,
    discount_id        uuid not null references discount,
    shadow_customer_id uuid not null references shadow_customer,
    version            bigint not null default 1,
    created_at         timestamptz not null default now(),
    unique (discount_id, shadow_customer_id)
);

-- Codes of a series: each belongs to a coupon and is used once.
create table discount_code (
    id          uuid primary key,
    discount_id uuid not null references discount,
    code        text not null,
    code_key    text not null unique,
    order_id    uuid,
    used_at     timestamptz,
    created_at  timestamptz not null default now()
);
create index on discount_code (discount_id, created_at, code);
create index on discount_code (order_id) where order_id is not null;

-- Which order used which promotion. A use that was given back stays as a row.
create table promotion_use (
    id            uuid primary key,
    discount_id   uuid not null references discount,
    order_id      uuid not null,
    restaurant_id uuid not null references restaurant,
    customer_id   uuid,
    business_day  date not null,
    -- What the promotion took from the order, in the currency of the restaurant.
    amount        numeric(12, 2) not null,
    used_at       timestamptz not null,
    given_back_at timestamptz
);
create unique index promotion_use_order on promotion_use (order_id, discount_id) where given_back_at is null;
create index promotion_use_day on promotion_use (discount_id, business_day) where given_back_at is null;
create index promotion_use_customer on promotion_use (customer_id, discount_id) where given_back_at is null;

-- Uses of promotions that have a limit. A row is made when it is first asked for, by counting; a promotion without
-- limits has none, so its orders do not wait for each other. No customer: everybody. `-infinity`: all days.
create table discount_counter (
    discount_id  uuid not null references discount,
    customer_id  uuid not null,
    business_day date not null,
    qty          int not null,
    primary key (discount_id, customer_id, business_day)
);

-- The uses of a promotion whose row is locked. Every statement in here sees what was committed before it began, so
-- the count is right once the lock is held.
create function counted_uses(p_discount uuid, p_customer uuid, p_day date) returns int language plpgsql as $$
declare
    v_qty int;
begin
    select qty into v_qty from discount_counter
    where discount_id = p_discount and customer_id = p_customer and business_day = p_day;
    if found then
        return v_qty;
    end if;
    -- Counters of past days are no longer asked for; late orders of the last days may be.
    delete from discount_counter
    where discount_id = p_discount and business_day > '-infinity' and business_day < p_day - 7;
    insert into discount_counter (discount_id, customer_id, business_day, qty)
    select p_discount, p_customer, p_day, count(*) from promotion_use u
    where u.discount_id = p_discount and u.given_back_at is null
      and (p_day = '-infinity' or u.business_day = p_day)
      and (p_customer = '00000000-0000-0000-0000-000000000000' or u.customer_id = p_customer)
    returning qty into v_qty;
    return v_qty;
end $$;

-- Takes one use of each of these promotions for an order, or none at all: then it answers those whose limit is lost.
create function take_promotions(p_order uuid, p_restaurant uuid, p_customer uuid, p_day date, p_code text, p_ids uuid[],
    p_amounts numeric[], p_at timestamptz) returns uuid[] language plpgsql as $$
declare
    c_everybody constant uuid := '00000000-0000-0000-0000-000000000000';
    v_limited record;
    v_day     date;
    v_lost    uuid[] := '{}';
begin
    for v_limited in
        select d.id, d.all_max_use_qty, d.customer_max_use_qty, d.is_daily_discount_limit from discount d
        where d.id = any (p_ids) and (d.all_max_use_qty is not null or d.customer_max_use_qty is not null)
        order by d.id for no key update
    loop
        v_day := case when v_limited.is_daily_discount_limit then p_day else '-infinity' end;
        if v_limited.all_max_use_qty <= counted_uses(v_limited.id, c_everybody, v_day)
            or v_limited.customer_max_use_qty is not null and (p_customer is null
                or v_limited.customer_max_use_qty <= counted_uses(v_limited.id, p_customer, v_day)) then
            v_lost := v_lost || v_limited.id;
        end if;
    end loop;
    if p_code is not null then
        for v_limited in
            select c.discount_id as id, c.order_id from discount_code c
            where c.code_key = p_code and c.discount_id = any (p_ids) for no key update
        loop
            if v_limited.order_id is not null and not v_limited.id = any (v_lost) then
                v_lost := v_lost || v_limited.id;
            end if;
        end loop;
    end if;
    if v_lost <> '{}' then
        return v_lost;
    end if;
    insert into promotion_use (id, discount_id, order_id, restaurant_id, customer_id, business_day, amount, used_at)
    select gen_random_uuid(), t.id, p_order, p_restaurant, p_customer, p_day, t.amount, p_at
    from unnest(p_ids, p_amounts) t (id, amount);
    update discount_counter set qty = qty + 1
    where discount_id = any (p_ids) and customer_id in (c_everybody, p_customer)
      and business_day in ('-infinity', p_day);
    if p_code is not null then
        update discount_code set order_id = p_order, used_at = p_at
        where code_key = p_code and discount_id = any (p_ids);
    end if;
    return v_lost;
end $$;

-- Gives back what an order has used. Doing it again changes nothing.
create function give_back_promotions(p_order uuid, p_at timestamptz) returns void language plpgsql as $$
begin
    perform 1 from discount d
    where d.id in (select u.discount_id from promotion_use u where u.order_id = p_order and u.given_back_at is null)
      and (d.all_max_use_qty is not null or d.customer_max_use_qty is not null)
    order by d.id for no key update;
    with back as (
        update promotion_use set given_back_at = p_at where order_id = p_order and given_back_at is null
        returning discount_id, customer_id, business_day)
    update discount_counter c set qty = c.qty - 1 from back
    where c.discount_id = back.discount_id and c.business_day in ('-infinity', back.business_day)
      and c.customer_id in ('00000000-0000-0000-0000-000000000000', back.customer_id);
    update discount_code set order_id = null, used_at = null where order_id = p_order;
end $$;

-- Views for readers.
create view subproduct_name as
select s.id, s.restaurant_id, s.origin_id, s.name, (select p.name from product p where p.id = s.product_id) as product_name,
    s.archived_at is not null or exists (select from product p where p.id = s.product_id and p.archived_at is not null)
        as archived
from subproduct s;

create view product_category_name as
select c.id, c.restaurant_id, c.origin_id, c.name, c.archived_at is not null as archived from product_category c;

-- What an order came to, its partial cancellations included.
create index on orders (order_parent_id) where order_parent_id is not null;
create view order_total as
select o.id, o.restaurant_id, o.currency,
    o.total_price + coalesce((select sum(c.total_price) from orders c where c.order_parent_id = o.id), 0) as total_price
from orders o;

create or replace view record_name as
select id, id as restaurant_id, name, name as name_en from restaurant
union all select id, null, name, name from restaurant_group
union all select id, restaurant_id, name, name from product_category
union all select id, restaurant_id, name, name from product
union all select id, restaurant_id, name, name from subproduct
union all select id, restaurant_id, name, name from option_group
union all select id, restaurant_id, name, name from option
union all select id, restaurant_id, name, name from courier
union all select id, restaurant_id, name, name from card_terminal
union all select s.id, s.restaurant_id, coalesce(t.name, s.terminal_id), coalesce(t.name, s.terminal_id)
    from terminal_scheme s left join card_terminal t on t.restaurant_id = s.restaurant_id
        and t.terminal_type = s.terminal_type and t.terminal_id = s.terminal_id
union all select id, restaurant_id, name, name from media
union all select id, restaurant_id, name, name from kiosk
union all select id, restaurant_id, name, name from restaurant_tv
union all select id, restaurant_id, file_name, file_name from menu_import
union all select id, null, name, name from discount
union all select id, null, name_local, name_en from ref.vat
union all select id, null, name, name_en from ref.allergen
union all select id, null, name, name_en from ref.pos_color
union all select id, null, name, name_en from ref.payment_method;

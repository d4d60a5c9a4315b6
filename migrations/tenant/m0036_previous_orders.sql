-- Orders as lists find them: one narrow row an order, so that a list reads this table and then only the orders of its
-- page. Written by write_order_entry, and with an order's number.

-- What is looked for in an order, each lexeme behind a letter that says what it is: words of the guest's name (n), city
-- (c) and street (s), the premise number (p), the ends of the phone from four digits on (t), the number with and without
-- its prefix (k).
create function order_words(p_first text, p_last text, p_phone text, p_delivery jsonb, p_counter text) returns tsvector
    language sql immutable parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct w), '{}')) from (
        select 'n:' || word as w
            from regexp_split_to_table(ref.fold(concat_ws(' ', p_last, p_first)), '[\s.,;:/()"-]+') word where word <> ''
        union all
        select 't:' || substr(digits, at)
            from (select regexp_replace(coalesce(p_phone, ''), '\D', '', 'g') digits) phone,
                generate_series(1, length(digits) - 3) at
        union all
        select 'c:' || word
            from regexp_split_to_table(ref.fold(coalesce(p_delivery ->> 'city', '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all
        select 's:' || word
            from regexp_split_to_table(ref.fold(coalesce(p_delivery ->> 'street', '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all
        select 'p:' || trim(ref.fold(p_delivery ->> 'premise_number')) where p_delivery ->> 'premise_number' <> ''
        union all
        select 'k:' || number from (values (upper(p_counter)), (regexp_replace(p_counter, '^\D+', ''))) k (number)
            where number <> ''
    ) t
$$;

-- The same the other way round: what has to be found of each. A phone is digits.
create function order_query(p_name text, p_phone text, p_city text, p_street text, p_premise text, p_counter text)
    returns tsquery language sql immutable parallel safe as $$
    select string_agg('''' || replace(replace(w, '\', '\\'), '''', '''''') || ''':*' , ' & ')::tsquery from (
        select 'n:' || word as w from regexp_split_to_table(ref.fold(coalesce(p_name, '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all select 't:' || p_phone where p_phone <> ''
        union all select 'c:' || word from regexp_split_to_table(ref.fold(coalesce(p_city, '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all
        select 's:' || word from regexp_split_to_table(ref.fold(coalesce(p_street, '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all select 'p:' || trim(ref.fold(p_premise)) where p_premise <> ''
    ) t
$$;

create table order_entry (
    order_id      uuid primary key references orders,
    restaurant_id uuid not null references restaurant,
    -- That of its parent for a partial storno; of an order without a number the day of its time.
    business_day  date not null,
    created_at    timestamptz not null,
    show_at       timestamptz not null,
    archived      boolean not null default false,
    is_child      boolean not null default false,
    has_children  boolean not null default false,
    is_test       boolean not null,
    has_discount  boolean not null,
    platform      text not null,
    -- The one that was named, and those by which it was paid.
    payment_method_ids uuid[] not null default '{}',
    total_price   numeric(12, 2) not null,
    words         tsvector not null
);
-- Partial stornos stand apart: they are few, and were made long after their day.
create index order_entry_list on order_entry (restaurant_id, business_day desc, created_at desc, order_id desc)
    where not is_child;
create index order_entry_children on order_entry (restaurant_id, business_day desc, created_at desc, order_id desc)
    where is_child;
create index order_entry_words on order_entry using gin (words);

-- Writes an order's row anew. The day is that of its time where the order has none of its own.
create function write_order_entry(p_order uuid, p_day date) returns void language sql as $$
    insert into order_entry as e (order_id, restaurant_id, business_day, created_at, show_at, archived, is_child,
        has_children, is_test, has_discount, platform, payment_method_ids, total_price, words)
    select o.id, o.restaurant_id, coalesce(o.business_day, p_day), o.created_at, o.show_at, o.archived_at is not null,
        o.order_parent_id is not null, exists (select from orders c where c.order_parent_id = o.id), o.is_test,
        o.discount_price <> 0, o.platform,
        array(select m from (select o.payment_method_id as m union
            select t.payment_method_id from payable_transaction t where t.order_id = o.id) used where m is not null),
        o.total_price, order_words(o.first_name, o.last_name, o.phone_1, o.delivery_data, o.counter)
    from orders o where o.id = p_order
    on conflict (order_id) do update set business_day = excluded.business_day, show_at = excluded.show_at,
        archived = excluded.archived, has_children = excluded.has_children,
        payment_method_ids = excluded.payment_method_ids, total_price = excluded.total_price, words = excluded.words
$$;

select write_order_entry(o.id, (o.created_at at time zone o.timezone)::date) from orders o;

-- Filters that somebody keeps.
create table order_filter (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    -- An admin of control, or the support access of a super admin.
    owner_id      uuid not null,
    name          text not null,
    filter        jsonb not null,
    version       bigint not null default 1,
    created_at    timestamptz not null default now(),
    unique (restaurant_id, owner_id, name)
);

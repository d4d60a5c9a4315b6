-- What lists look for lies in the customer's own row, so that every list reads one table. A limit by customer counts
-- those who were merged into one together.

alter table shadow_customer
    -- What counts of the orders at all restaurants of the partner, for lists; whatever the currency. Written by
    -- sum_customer_orders alone. Without indexes: a hundred thousand are ordered in some hundredths of a second, and an
    -- order changes the row in its place.
    add column order_number    int not null default 0,
    add column order_total_sum numeric(14, 2) not null default 0,
    add column last_order_at   timestamptz,
    -- What is looked for in those who were merged into this one, each after a blank. Written by refresh_customer alone.
    add column merged_search   text not null default '',
    drop column search,
    add column search          text not null generated always as
        (ref.fold(trim(last_name || ' ' || first_name) || ' ' || coalesce(email, '')) || ' ' || coalesce(phone_1, '')
        || ' ' || coalesce(phone_2, '') || merged_search) stored;

-- Adds up what a customer, who is locked, ordered at all restaurants.
create function sum_customer_orders(p_root uuid) returns void language sql as $$
    update shadow_customer c set (order_number, order_total_sum, last_order_at) = (
        select coalesce(sum(s.order_number), 0), coalesce(sum(s.order_total_sum), 0), max(s.last_order_at)
        from shadow_customer_restaurant s where s.shadow_customer_id = c.id)
    where c.id = p_root;
$$;

-- Counts a customer's orders at a restaurant anew, for who stands for the person. Each statement sees what was
-- committed before it began, so the figures are right once the customer is locked. Answers whether there is such a
-- customer: one who was anonymised meanwhile has no orders any more. Until the end of the transaction the customer
-- is neither merged nor anonymised.
create or replace function count_customer_orders(p_customer uuid, p_restaurant uuid) returns boolean
    language plpgsql as $$
declare
    v_root uuid := lock_customer_ledger(p_customer);
begin
    if v_root is null then
        return false;
    end if;
    insert into shadow_customer_restaurant as s (shadow_customer_id, restaurant_id, order_number, order_total_sum,
        first_order_at, last_order_at)
    select v_root, p_restaurant, count(*) filter (where o.order_parent_id is null), coalesce(sum(o.total_price), 0),
        min(o.created_at), max(o.created_at) filter (where o.order_parent_id is null)
    from customer_order o
    where o.restaurant_id = p_restaurant and o.counts
      and o.customer_id in (select c.id from shadow_customer c where c.id = v_root or c.root_id = v_root)
    on conflict (shadow_customer_id, restaurant_id) do update set order_number = excluded.order_number,
        order_total_sum = excluded.order_total_sum, first_order_at = excluded.first_order_at,
        last_order_at = excluded.last_order_at;
    perform sum_customer_orders(v_root);
    return true;
end $$;

-- Makes what is kept of somebody who stands for a person anew, at all restaurants and in all groups: after a merge and
-- its undo. The customers concerned are locked.
create or replace function refresh_customer(p_root uuid) returns void language plpgsql as $$
declare
    v_members uuid[];
begin
    select array_agg(id) into v_members from shadow_customer where id = p_root or root_id = p_root;
    update shadow_customer c set merged_search = coalesce((
        select string_agg(' ' || m.search, '' order by m.id) from shadow_customer m where m.root_id = p_root), '')
    where c.id = p_root;
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
    perform sum_customer_orders(p_root);
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

-- Customers of earlier releases.
update shadow_customer c set (order_number, order_total_sum, last_order_at) = (
        select coalesce(sum(s.order_number), 0), coalesce(sum(s.order_total_sum), 0), max(s.last_order_at)
        from shadow_customer_restaurant s where s.shadow_customer_id = c.id),
    merged_search = coalesce((select string_agg(' ' || m.search, '' order by m.id)
        from shadow_customer m where m.root_id = c.id), '');

-- The uses of a promotion, whose row is locked, by a customer and by those who were merged into this one. Each keeps a
-- counter of the own uses, so the undo of a merge parts them again.
create function uses_of_person(p_discount uuid, p_customer uuid, p_day date) returns int language sql as $$
    select sum(counted_uses(p_discount, m.id, p_day))::int
    from (select p_customer as id union all select r.id from customer_root r where r.root_id = p_customer) m;
$$;

-- Takes one use of each of these promotions for an order, or none at all: then it answers those whose limit is lost.
create or replace function take_promotions(p_order uuid, p_restaurant uuid, p_customer uuid, p_day date,
    p_code text, p_ids uuid[], p_amounts numeric[], p_at timestamptz) returns uuid[] language plpgsql as $$
declare
    c_everybody constant uuid := '00000000-0000-0000-0000-000000000000';
    v_limited record;
    v_day     date;
    v_lost    uuid[] := '{}';
begin
    perform 1 from discount d where d.id = any (p_ids) order by d.id for key share;
    for v_limited in
        select d.id, d.all_max_use_qty, d.customer_max_use_qty, d.is_daily_discount_limit from discount d
        where d.id = any (p_ids) and (d.all_max_use_qty is not null or d.customer_max_use_qty is not null)
        order by d.id for no key update
    loop
        v_day := case when v_limited.is_daily_discount_limit then p_day else '-infinity' end;
        if v_limited.all_max_use_qty <= counted_uses(v_limited.id, c_everybody, v_day)
            or v_limited.customer_max_use_qty is not null and (p_customer is null
                or v_limited.customer_max_use_qty <= uses_of_person(v_limited.id, p_customer, v_day)) then
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

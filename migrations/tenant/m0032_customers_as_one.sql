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
-- counter of the own uses, so the undo of a merge parts them again. Everybody is nobody's root.
alter function counted_uses(uuid, uuid, date) rename to counted_own_uses;
create function counted_uses(p_discount uuid, p_customer uuid, p_day date) returns int language sql as $$
    select sum(counted_own_uses(p_discount, m.id, p_day))::int
    from (select p_customer as id union all select r.id from customer_root r where r.root_id = p_customer) m;
$$;

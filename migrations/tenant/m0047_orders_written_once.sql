-- An order is written once, with its number, and what every order does besides takes fewer statements.

-- The orders of a day, for how long they waited. An order that is visible from when it was placed is found by that
-- moment (orders_restaurant_id_created_at_idx); this index has the others alone.
drop index orders_visible;
create index orders_visible on orders (restaurant_id, visible_at)
    where visible_at is not null and visible_at <> created_at and not is_test;

-- Adds a new order to the figures of whoever stands for its customer, as m0035 says. Most customers stand for
-- themselves: then the row is locked by writing it. Whoever was merged or archived meanwhile is not written, and asked
-- for in the longer way.
create or replace function add_customer_order(p_customer uuid, p_restaurant uuid, p_total numeric, p_at timestamptz)
    returns boolean language plpgsql as $$
declare
    v_root uuid := p_customer;
    v_one  int  := case when p_total is null then 0 else 1 end;
begin
    update shadow_customer c set order_number = c.order_number + 1, order_total_sum = c.order_total_sum + p_total,
        last_order_at = greatest(c.last_order_at, p_at)
    where v_one = 1 and c.id = p_customer and c.root_id is null and c.archived_at is null;
    if not found then
        v_root := lock_customer_ledger(p_customer);
        if v_root is null then
            return false;
        end if;
        update shadow_customer c set order_number = c.order_number + 1, order_total_sum = c.order_total_sum + p_total,
            last_order_at = greatest(c.last_order_at, p_at)
        where v_one = 1 and c.id = v_root;
    end if;
    insert into shadow_customer_restaurant as s (shadow_customer_id, restaurant_id, order_number, order_total_sum,
        first_order_at, last_order_at)
    values (v_root, p_restaurant, v_one, coalesce(p_total, 0), case when v_one = 1 then p_at end,
        case when v_one = 1 then p_at end)
    on conflict (shadow_customer_id, restaurant_id) do update set order_number = s.order_number + excluded.order_number,
        order_total_sum = s.order_total_sum + excluded.order_total_sum,
        first_order_at = least(s.first_order_at, excluded.first_order_at),
        last_order_at = greatest(s.last_order_at, excluded.last_order_at);
    return true;
end $$;

-- Room in each page, so that the figures of a customer are written anew beside the row and leave its indexes alone.
alter table shadow_customer set (fillfactor = 85);

-- The uses of a promotion by a customer and by those who were merged into this one, as m0032 says. Nobody was merged into
-- everybody.
create or replace function counted_uses(p_discount uuid, p_customer uuid, p_day date) returns int
    language plpgsql as $$
declare
    v_qty    int := counted_own_uses(p_discount, p_customer, p_day);
    v_member uuid;
begin
    if p_customer = '00000000-0000-0000-0000-000000000000' then
        return v_qty;
    end if;
    for v_member in select r.id from customer_root r where r.root_id = p_customer loop
        v_qty := v_qty + counted_own_uses(p_discount, v_member, p_day);
    end loop;
    return v_qty;
end $$;

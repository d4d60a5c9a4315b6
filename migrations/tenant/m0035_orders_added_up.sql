-- Adds a new order to the figures of whoever stands for its customer: a total of null counts nowhere yet. What
-- count_customer_orders makes anew this only adds up, under the same lock, so the cost of an order does not grow with
-- those before it. Answers whether there is such a customer.
create function add_customer_order(p_customer uuid, p_restaurant uuid, p_total numeric, p_at timestamptz)
    returns boolean language plpgsql as $$
declare
    v_root uuid := lock_customer_ledger(p_customer);
    v_one  int  := case when p_total is null then 0 else 1 end;
begin
    if v_root is null then
        return false;
    end if;
    insert into shadow_customer_restaurant as s (shadow_customer_id, restaurant_id, order_number, order_total_sum,
        first_order_at, last_order_at)
    values (v_root, p_restaurant, v_one, coalesce(p_total, 0), case when v_one = 1 then p_at end,
        case when v_one = 1 then p_at end)
    on conflict (shadow_customer_id, restaurant_id) do update set order_number = s.order_number + excluded.order_number,
        order_total_sum = s.order_total_sum + excluded.order_total_sum,
        first_order_at = least(s.first_order_at, excluded.first_order_at),
        last_order_at = greatest(s.last_order_at, excluded.last_order_at);
    if v_one = 1 then
        update shadow_customer c set order_number = c.order_number + 1, order_total_sum = c.order_total_sum + p_total,
            last_order_at = greatest(c.last_order_at, p_at)
        where c.id = v_root;
    end if;
    return true;
end $$;

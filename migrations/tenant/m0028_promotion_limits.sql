-- A limit that is set on a promotion without one counts what was used before. Orders hold every promotion that they
-- use from before they look at its limits, those without limits as well: whoever saves it waits for them, and orders
-- do not wait for each other.

-- Takes one use of each of these promotions for an order, or none at all: then it answers those whose limit is lost.
create or replace function take_promotions(p_order uuid, p_restaurant uuid, p_customer uuid, p_day date, p_code text, p_ids uuid[],
    p_amounts numeric[], p_at timestamptz) returns uuid[] language plpgsql as $$
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
create or replace function give_back_promotions(p_order uuid, p_at timestamptz) returns void language plpgsql as $$
begin
    perform 1 from discount d
    where d.id in (select u.discount_id from promotion_use u where u.order_id = p_order and u.given_back_at is null)
    order by d.id for key share;
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

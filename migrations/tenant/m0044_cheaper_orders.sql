-- What every order calls keeps its plan: Postgres plans the statement of an SQL function that it cannot inline anew
-- each time.

-- The words by which lists find an order; what they are says m0036.
create or replace function order_words(p_first text, p_last text, p_phone text, p_delivery jsonb, p_counter text)
    returns tsvector language plpgsql immutable parallel safe as $$
begin
    return (select array_to_tsvector(coalesce(array_agg(distinct w), '{}')) from (
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
    ) t);
end $$;

-- What has to be found of each, by its beginning, but the number whole, which m0036 left out. A phone is digits.
create or replace function order_query(p_name text, p_phone text, p_city text, p_street text, p_premise text,
    p_counter text) returns tsquery language sql immutable parallel safe as $$
    select string_agg('''' || replace(replace(w, '\', '\\'), '''', '''''') || '''' || suffix, ' & ')::tsquery from (
        select 'n:' || word as w, ':*' as suffix
            from regexp_split_to_table(ref.fold(coalesce(p_name, '')), '[\s.,;:/()"-]+') word where word <> ''
        union all select 't:' || p_phone, ':*' where p_phone <> ''
        union all
        select 'c:' || word, ':*' from regexp_split_to_table(ref.fold(coalesce(p_city, '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all
        select 's:' || word, ':*' from regexp_split_to_table(ref.fold(coalesce(p_street, '')), '[\s.,;:/()"-]+') word
            where word <> ''
        union all select 'p:' || trim(ref.fold(p_premise)), ':*' where p_premise <> ''
        union all select 'k:' || p_counter, '' where p_counter <> ''
    ) t
$$;

-- The uses of a promotion by a customer and by those who were merged into this one, as m0032 says.
create or replace function counted_uses(p_discount uuid, p_customer uuid, p_day date) returns int
    language plpgsql as $$
declare
    v_qty    int := counted_own_uses(p_discount, p_customer, p_day);
    v_member uuid;
begin
    for v_member in select r.id from customer_root r where r.root_id = p_customer loop
        v_qty := v_qty + counted_own_uses(p_discount, v_member, p_day);
    end loop;
    return v_qty;
end $$;

-- The same index stands twice: orders_parent.
drop index orders_order_parent_id_idx;

-- The answer of an order is its widest column; where Postgres was built with lz4, that packs it in a third of the time.
do $$ begin
    alter table idempotency_key alter column answer set compression lz4;
exception when feature_not_supported then
    null;
end $$;

-- The uses are taken by the same few statements for any list of promotions; plans for each list would cost as much as
-- running them.
alter function take_promotions(uuid, uuid, uuid, date, text, uuid[], numeric[], timestamptz)
    set plan_cache_mode = force_generic_plan;

-- The orders of a guest since p_since that nobody has paid or accepted, oldest first, and whether they have the phone
-- or the network address. Until the commit nobody else asks for the same p_keys: the order's own row is counted by
-- whoever asks next. Refused and expired orders count on, because fake ones end so.
create function waiting_orders(p_keys text[], p_restaurant uuid, p_phone text, p_guest text, p_since timestamptz)
    returns table (created_at timestamptz, by_phone boolean, by_guest boolean) language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(key, 7306)) from unnest(p_keys) key;
    return query select s.created_at, coalesce(s.phone = p_phone, false), coalesce(s.guest = p_guest, false)
        from order_sender s join orders o on o.id = s.order_id
        where s.restaurant_id = p_restaurant and s.created_at > p_since and (s.phone = p_phone or s.guest = p_guest)
          and o.acceptance = 0 and o.accepted_at is null
          and not exists (select from payable_transaction p where p.order_id = o.id and p.value > 0)
        order by s.created_at;
end $$;

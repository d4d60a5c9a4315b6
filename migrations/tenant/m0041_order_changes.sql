-- Changes of orders: what each replaced. Beside the history, which is never changed: old and new values name guests and
-- go when their customer is anonymised.
create table order_change (
    id          uuid primary key,
    order_id    uuid not null references orders,
    -- What somebody changed, and what followed from it but the prices.
    fields      text[] not null,
    -- By field: the old and the new value; prices too. Null once the customer was anonymised.
    old_and_new jsonb,
    created_at  timestamptz not null
);
create index on order_change (order_id);

-- Who may be given an order: with `active`.
create or replace view courier_name as select c.id, c.restaurant_id, c.name, c.archived_at, c.active from courier c;

-- An order that is changed may lose its only discount, that of a delivery.
create or replace function write_order_entry(p_order uuid, p_day date) returns void language sql as $$
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
        archived = excluded.archived, has_children = excluded.has_children, has_discount = excluded.has_discount,
        payment_method_ids = excluded.payment_method_ids, total_price = excluded.total_price, words = excluded.words
$$;

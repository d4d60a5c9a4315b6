-- A phone of a customer is a number in E.164 that one customer has, or a text that identifies nobody and that several may have.
-- Numbers of earlier releases that no country has stay where they are: nothing that is looked for is equal to them.
alter table shadow_customer
    drop constraint shadow_customer_phone_1_check,
    drop constraint shadow_customer_phone_2_check,
    add column phone_1_text boolean not null default false,
    add column phone_2_text boolean not null default false,
    add constraint shadow_customer_phone_1_check check (phone_1_text or phone_1 ~ '^\+[0-9]{3,15}$'),
    add constraint shadow_customer_phone_2_check check (phone_2_text or phone_2 ~ '^\+[0-9]{3,15}$');
drop index shadow_customer_phone;
drop index shadow_customer_phone_2;
create unique index shadow_customer_phone on shadow_customer (phone_1, (case when phone_1_text then id::text else '' end))
    where archived_at is null and phone_1 is not null;
create unique index shadow_customer_phone_2 on shadow_customer (phone_2, (case when phone_2_text then id::text else '' end))
    where archived_at is null and phone_2 is not null;

-- An order whose phone is no number counts among those that wait by its e-mail.
alter table order_sender add column email text;
create index on order_sender (restaurant_id, email) where email is not null;
-- As in m0044, with the e-mail.
create function waiting_orders(p_keys text[], p_restaurant uuid, p_phone text, p_email text, p_guest text, p_since timestamptz)
    returns table (created_at timestamptz, by_phone boolean, by_guest boolean) language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(key, 7306)) from unnest(p_keys) key;
    return query select s.created_at, coalesce(s.phone = p_phone, false) or coalesce(s.email = p_email, false),
            coalesce(s.guest = p_guest, false)
        from order_sender s join orders o on o.id = s.order_id
        where s.restaurant_id = p_restaurant and s.created_at > p_since
          and (s.phone = p_phone or s.email = p_email or s.guest = p_guest)
          and o.acceptance = 0 and o.accepted_at is null
          and not exists (select from payable_transaction p where p.order_id = o.id and p.value > 0)
        order by s.created_at;
end $$;

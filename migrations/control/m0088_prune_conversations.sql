-- What was said between us and a provider about a payment is kept for 90 days, like its messages.
create or replace function control.prune_events(p_partner uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_schema text;
begin
    select role into v_schema from control.partner where id = p_partner;
    if v_schema is not null then
        execute format('delete from %I.event where created_at < now() - interval ''24 hours''', v_schema);
        execute format('delete from %I.idempotency_key where created_at < now() - interval ''24 hours''', v_schema);
        -- Partners are migrated one after another.
        if to_regclass(format('%I.order_sender', v_schema)) is not null then
            execute format('delete from %I.order_sender where created_at < now() - interval ''1 hour''', v_schema);
        end if;
        if to_regclass(format('%I.delivery_place', v_schema)) is not null then
            execute format('delete from %1$I.delivery_place where kept_until < now() or kept_until <= '
                '(select kept_until from %1$I.delivery_place order by kept_until desc offset 20000 limit 1)', v_schema);
        end if;
        if to_regclass(format('%I.callback', v_schema)) is not null then
            execute format('delete from %I.callback where received_at < now() - interval ''90 days''', v_schema);
        end if;
        execute format('delete from %I.payment_event where at < now() - interval ''90 days''', v_schema);
    end if;
end $$;

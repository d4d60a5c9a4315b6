-- Each call of a handler with an idempotency key sets it twice; PL/pgSQL keeps the plan.
create or replace function control.lock_patience(p_milliseconds int) returns text
    language plpgsql security definer set search_path = '' as $$
begin
    return set_config('lock_timeout', p_milliseconds::text, true);
end $$;

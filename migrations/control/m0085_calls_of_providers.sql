-- One call of p_limit within p_window, which begins with its first call: seconds to wait, or 0. Calls above the limit do not
-- lengthen it: nobody guesses anything, and a provider that sent too many is to be heard again.
create function control.take_call(p_subject text, p_limit int, p_window interval) returns int
    language sql security definer set search_path = ''
begin atomic
    insert into control.attempt as t (subject, failures) values (p_subject, 1)
    on conflict (subject) do update set
        failures = case when t.window_start <= now() - p_window then 1 else t.failures + 1 end,
        window_start = case when t.window_start <= now() - p_window then now() else t.window_start end
    returning case when failures > p_limit then ceil(extract(epoch from window_start + p_window - now()))::int else 0 end;
end;

-- As m0080 has it; a partner that is being made or removed is asked to wait as in maintenance. A provider that hears 404 sends no more,
-- also when the partner is there again.
create or replace function control.enter_callback(p_hash bytea)
    returns table (status text, role text, partner_id uuid, restaurant_id uuid, provider text, account_id uuid, mode text)
    language plpgsql stable security definer set search_path = ''
as $$
begin
    select case when re.partner_status in ('active', 'suspended') then 'ok' else 'maintenance' end, re.partner_role, ca.partner_id,
        ca.restaurant_id, ca.provider, ca.account_id, re.partner_mode
    into status, role, partner_id, restaurant_id, provider, account_id, mode
    from control.callback_address ca
    join control.restaurant re on re.id = ca.restaurant_id
    where ca.hash = p_hash;
    if not found then
        status := 'unknown';
    elsif status <> 'ok' then
        role := null;
    end if;
    return next;
end $$;

alter function control.take_call owner to pult_definer;
revoke all on function control.take_call from public;
grant execute on function control.take_call to pult_app;

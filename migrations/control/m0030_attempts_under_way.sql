-- Attempts that are decided within a moment (a PIN, a coupon's code). Those under way are counted before they are looked at,
-- so that nobody gets more guesses than the limit; but only wrong ones pause: whoever sends several right ones at once waits.
alter table control.attempt
    -- How many of `failures` are not decided yet, and when the last of them began. After 10 s they count as wrong: whoever
    -- looked at them is gone.
    add column under_way int not null default 0,
    add column under_way_at timestamptz;

-- An attempt begins: 0, the seconds of the pause, or -1 when the room left is taken by attempts under way: ask again.
create function control.begin_attempt(p_subject text, p_limit int, p_window interval) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    a control.attempt;
    v_fresh boolean;
begin
    insert into control.attempt as t (subject) values (p_subject)
    on conflict (subject) do update set subject = t.subject returning * into a;
    if a.blocked_until > now() then
        return ceil(extract(epoch from a.blocked_until - now()));
    end if;
    if coalesce(a.under_way_at, '-infinity') < now() - interval '10 seconds' then
        a.under_way := 0;
    end if;
    v_fresh := a.window_start >= now() - p_window;
    if not v_fresh and coalesce(a.blocked_until, '-infinity') < now() - p_window then
        a.failures := a.under_way;
    end if;
    if v_fresh and a.failures >= p_limit then
        if a.under_way > 0 then
            return -1;
        end if;
        update control.attempt set failures = a.failures + 1, under_way = 0,
            blocked_until = now() + p_window * least(a.failures + 1 - p_limit, 8)
            where subject = p_subject returning * into a;
        return ceil(extract(epoch from a.blocked_until - now()));
    end if;
    update control.attempt set failures = a.failures + 1, under_way = a.under_way + 1, under_way_at = now(),
        window_start = case when v_fresh then a.window_start else now() end where subject = p_subject;
    return 0;
end $$;

-- How it went: `right` and `untried` were no attempts, `wrong` counts. What came after a pause is gone with it too: the next one
-- is looked at, and after a wrong one the next pause is longer, however many right ones lay between.
create function control.end_attempt(p_subject text, p_limit int, p_outcome text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.attempt set under_way = greatest(under_way - 1, 0),
        failures = case p_outcome when 'wrong' then failures else greatest(failures - 1, 0) end,
        window_start = case when p_outcome <> 'wrong' and failures > p_limit then '-infinity' else window_start end
    where subject = p_subject;
end;

-- Counted for the account, for the device's address in the place, and for the place, so that neither many accounts on one
-- device nor many devices can go through all PINs. One after the other and always in this order: two at one till never wait
-- for each other in a circle.
create or replace function control.take_pin_attempt(p_account uuid, p_address text, p_place uuid) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account text := 'pin account ' || p_account;
    v_address text := 'pin address ' || coalesce(p_place::text, '-') || ' ' || p_address;
    v_pause int := control.begin_attempt(v_account, 5, interval '15 minutes');
begin
    if v_pause <> 0 then
        return v_pause;
    end if;
    v_pause := control.begin_attempt(v_address, 15, interval '15 minutes');
    if v_pause <> 0 then
        perform control.end_attempt(v_account, 5, 'untried');
        return v_pause;
    end if;
    if p_place is not null then
        v_pause := control.begin_attempt('pin place ' || p_place, 60, interval '15 minutes');
        if v_pause <> 0 then
            perform control.end_attempt(v_account, 5, 'untried'), control.end_attempt(v_address, 15, 'untried');
        end if;
    end if;
    return v_pause;
end $$;

create function control.end_pin_attempt(p_account uuid, p_address text, p_place uuid, p_outcome text) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    perform control.end_attempt('pin account ' || p_account, 5, p_outcome);
    perform control.end_attempt('pin address ' || coalesce(p_place::text, '-') || ' ' || p_address, 15, p_outcome);
    perform control.end_attempt('pin place ' || p_place, 60, p_outcome);
end $$;

drop function control.return_pin_attempt(uuid, text, uuid);
drop function control.return_attempt(text);
do $$
declare f text;
begin
    foreach f in array array['begin_attempt', 'end_attempt', 'end_pin_attempt'] loop
        execute format('alter function control.%I owner to pult_definer', f);
        execute format('revoke all on function control.%I from public', f);
    end loop;
end $$;
grant execute on function control.begin_attempt, control.end_attempt, control.end_pin_attempt to pult_app;

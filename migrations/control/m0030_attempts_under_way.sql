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

-- How it went. What was not wrong was no attempt. After a pause its trace goes too: the next one is looked at, and after a wrong
-- one the next pause is longer, however many right ones lay between.
create function control.end_attempt(p_subject text, p_limit int, p_wrong boolean) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.attempt set under_way = greatest(under_way - 1, 0),
        failures = case when p_wrong then failures else greatest(failures - 1, 0) end,
        window_start = case when not p_wrong and failures > p_limit then '-infinity' else window_start end
    where subject = p_subject;
end;

-- Where PINs count, with how many wrong ones: for the account, for the device's address in the place, and for the place, so that
-- neither many accounts on one device nor many devices can go through all PINs. Always in this order: two at one till never wait
-- for each other in a circle.
create function control.pin_counters(p_account uuid, p_address text, p_place uuid) returns table (subject text, most int)
    language sql immutable set search_path = ''
begin atomic
    select c.subject, c.most
    from (values (1, 'pin account ' || p_account, 5),
                 (2, 'pin address ' || coalesce(p_place::text, '-') || ' ' || p_address, 15),
                 (3, 'pin place ' || p_place, 60)) c (place, subject, most)
    where c.subject is not null order by c.place;
end;

create or replace function control.take_pin_attempt(p_account uuid, p_address text, p_place uuid) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_counter record;
    v_begun record;
    v_pause int;
begin
    for v_counter in select * from control.pin_counters(p_account, p_address, p_place) loop
        v_pause := control.begin_attempt(v_counter.subject, v_counter.most, interval '15 minutes');
        if v_pause <> 0 then
            -- What was begun before is not looked at.
            for v_begun in select * from control.pin_counters(p_account, p_address, p_place) loop
                exit when v_begun.subject = v_counter.subject;
                perform control.end_attempt(v_begun.subject, v_begun.most, false);
            end loop;
            return v_pause;
        end if;
    end loop;
    return 0;
end $$;

create function control.end_pin_attempt(p_account uuid, p_address text, p_place uuid, p_wrong boolean) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_counter record;
begin
    for v_counter in select * from control.pin_counters(p_account, p_address, p_place) loop
        perform control.end_attempt(v_counter.subject, v_counter.most, p_wrong);
    end loop;
end $$;

drop function control.return_pin_attempt(uuid, text, uuid);
drop function control.return_attempt(text);
do $$
declare f text;
begin
    foreach f in array array['begin_attempt', 'end_attempt', 'pin_counters', 'end_pin_attempt'] loop
        execute format('alter function control.%I owner to pult_definer', f);
        execute format('revoke all on function control.%I from public', f);
    end loop;
end $$;
grant execute on function control.begin_attempt, control.end_attempt, control.end_pin_attempt to pult_app;

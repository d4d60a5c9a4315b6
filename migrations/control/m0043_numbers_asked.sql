-- One attempt of p_limit within p_window, unless what has this digest was tried within it already; p_again: then too. Seconds to wait; 0
-- lets it be looked at.
create function control.take_attempt_at(p_subject text, p_what bytea, p_again boolean, p_limit int, p_window interval) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_tried text := p_subject || ' ' || encode(p_what, 'hex');
    v_pause int;
begin
    if not p_again and exists (select from control.attempt t where t.subject = v_tried and t.window_start >= now() - p_window) then
        return 0;
    end if;
    v_pause := control.take_attempt(p_subject, p_limit, p_window);
    -- What was refused was not looked at.
    if v_pause = 0 then
        insert into control.attempt as t (subject) values (v_tried)
        on conflict (subject) do update set window_start = now();
    end if;
    return v_pause;
end $$;
alter function control.take_attempt_at owner to pult_definer;
revoke all on function control.take_attempt_at from public;
grant execute on function control.take_attempt_at to pult_app;

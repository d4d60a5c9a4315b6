-- A code that was right was no attempt.
create function control.return_attempt(p_subject text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.attempt set failures = failures - 1 where subject = p_subject and failures > 0;
end;
alter function control.return_attempt owner to pult_definer;
revoke all on function control.return_attempt from public;
grant execute on function control.return_attempt to pult_app;

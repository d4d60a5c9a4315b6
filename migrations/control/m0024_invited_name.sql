-- The name that the inviting partner wrote for the holder of an invitation's link, to be shown in the form that sets the
-- password. None of an own account: a link tells nothing about it. Never the account's names: other partners wrote them.
create function control.invited_name(p_hash bytea) returns table (first_name text, last_name text)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.first_name, ad.last_name
    from control.ticket ti join control.admin ad on ad.id = ti.admin_id join control.account ac on ac.id = ad.account_id
    where ti.hash = p_hash and ti.purpose = 'invitation' and not ac.own and exists (select from control.invitation(p_hash));
end;
alter function control.invited_name(bytea) owner to pult_definer;
revoke all on function control.invited_name(bytea) from public;
grant execute on function control.invited_name(bytea) to pult_app;

-- Whose the passwords are that exist. An account that is somebody at one partner: it is held there, because an admin there may have chosen
-- it. At several, or nowhere, nobody can tell whose it is, and a super admin's has to be beyond doubt: it opens nothing any more, and what
-- was set up beside it goes too. Who tries to sign in then gets a link.
update control.account ac set held_by = r.partner_id
from (select account_id, min(partner_id::text)::uuid partner_id from control.admin group by account_id having count(*) = 1) r
where r.account_id = ac.id and ac.password_hash is not null and not ac.super_admin and not ac.own and ac.held_by is null;

update control.session se set partner_id = ac.held_by, held = true
from control.account ac where ac.id = se.account_id and ac.held_by is not null and se.partner_id is null;

update control.session se set ended_at = coalesce(se.ended_at, now()), device = null
from control.account ac
where ac.id = se.account_id and not ac.own and ac.held_by is null and (se.partner_id is null or ac.super_admin)
  and (se.ended_at is null or se.device is not null);
delete from control.recovery_code rc using control.account ac where ac.id = rc.account_id and not ac.own and ac.held_by is null;
delete from control.second_factor sf using control.account ac where ac.id = sf.account_id and not ac.own and ac.held_by is null;
update control.account set password_hash = null, credentials = credentials + 1 where password_hash is not null and not own and held_by is null;

-- Whose the credentials of an account are. What counts is who chose them, not whether the mailbox was ever proved:
-- `own` were set through a link to the account's address, or in a session of an own account; those of `held_by` were set by an
-- admin of that partner, and open sessions that reach this partner only. Neither: nothing signs in but a partner's provider.
alter table control.account
    add column own boolean not null default false,
    add column held_by uuid references control.partner on delete set null,
    -- Raised with every new password and holder: what was looked at before is not done after.
    add column credentials bigint not null default 0,
    add check (not own or held_by is null);
create index on control.account (held_by) where held_by is not null;
-- Opened with a password that `partner_id` holds; else a session with a partner was opened by that partner's provider.
alter table control.session add column held boolean not null default false;

-- What a session is worth follows the account: without a partner it lives while the credentials are the account's own.
create or replace function control.living_session(p_session uuid, p_account uuid)
    returns table (surface text, super_admin boolean, first_name text, last_name text, email text, language text,
                   last_partner_id uuid, last_restaurant_id uuid, partner_id uuid)
    -- Neither definer nor with a path of its own, so that it becomes part of the query that asks.
    language sql stable
begin atomic
    select se.surface, ac.super_admin and se.second_factor and se.partner_id is null, ac.first_name, ac.last_name, ac.email, ac.language,
        case when se.partner_id is null or se.partner_id = ac.last_partner_id then ac.last_partner_id end,
        case when se.partner_id is null or se.partner_id = ac.last_partner_id then ac.last_restaurant_id end, se.partner_id
    from control.session se join control.account ac on ac.id = se.account_id
    where se.id = p_session and se.account_id = p_account and se.ended_at is null and se.expires_at > now() and not ac.locked
      and (not ac.super_admin or se.last_active_at > now() - interval '30 minutes')
      and case when se.held then ac.held_by = se.partner_id when se.partner_id is null then ac.own else true end;
end;

create or replace trigger forget_passes after update on control.account
    for each row when ((old.first_name, old.last_name, old.email, old.super_admin, old.locked, old.own, old.held_by)
                       is distinct from (new.first_name, new.last_name, new.email, new.super_admin, new.locked, new.own, new.held_by))
    execute function control.forget_passes();

-- The order of locks: the people of the partners concerned (control.lock_admins), their rows, the account, all else.
create function control.lock_people(p_partners uuid[]) returns void
    language plpgsql set search_path = ''
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('control.admin ' || p.id::text, 0))
    from (select distinct id from unnest(p_partners) id order by id) p;
end $$;

-- Ends the account's sessions but one, as far as they reach this partner (null: all, and mailed links too), and what they could still do:
-- tickets, known devices.
create function control.end_sessions_at(p_account uuid, p_but uuid, p_partner uuid) returns void
    language plpgsql set search_path = ''
as $$
begin
    update control.session set ended_at = coalesce(ended_at, now()), device = null
    where account_id = p_account and id is distinct from p_but and (ended_at is null or device is not null)
      and (p_partner is null or partner_id is null or partner_id = p_partner);
    -- Tickets of a session die with it. A link that was mailed is the person's: no partner takes it away.
    delete from control.ticket where account_id = p_account and purpose = 'password' and p_partner is null;
end $$;

create function control.end_pauses(p_account uuid) returns void
    language sql set search_path = ''
begin atomic
    delete from control.attempt t using control.account ac
    where ac.id = p_account
      and (t.subject = 'sign_in account ' || ac.email
           or t.subject in ('pin account ' || ac.id, 'pin change ' || ac.id, 'password account ' || ac.id, 'password_now account ' || ac.id,
                            'second_factor account ' || ac.id)
           or t.subject like 'sign_in device %' and right(t.subject, length(ac.email) + 1) = ' ' || ac.email);
end;

-- Nothing that was chosen until now signs in any more. Rows, rights and PINs at partners stay, invitations too.
create function control.clear_credentials(p_account uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    perform from control.account where id = p_account for update;
    update control.account set password_hash = null, own = false, held_by = null, credentials = credentials + 1 where id = p_account;
    delete from control.recovery_code where account_id = p_account;
    delete from control.second_factor where account_id = p_account;
    delete from control.account_identity where account_id = p_account;
    perform control.end_sessions_at(p_account, null, null);
    delete from control.ticket where account_id = p_account and purpose <> 'invitation';
    perform control.end_pauses(p_account);
end $$;

-- A line in the log of a partner that somebody has left it. With the rights of the owner, because the log is the tenant's.
create function control.note_leaving(p_admin uuid, p_request text) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    a record;
    v_id uuid := gen_random_uuid();
begin
    select pa.role, coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email) as name into a
    from control.admin ad join control.partner pa on pa.id = ad.partner_id join control.account ac on ac.id = ad.account_id
    where ad.id = p_admin and pa.schema_version is not null;
    if found then
        execute format('insert into %I.audit (id, actor_kind, actor_id, actor_name, action, record_id, request_id, fields)
                        values ($1, ''admin'', $2, $3, ''admins_leave'', $2, $4, ''{}'')', a.role) using v_id, p_admin, a.name, p_request;
        execute format('insert into %I.audit_detail (audit_id, details) values ($1, ''{}'')', a.role) using v_id;
    end if;
end $$;

-- The person at the account's address has set a password, by a link: the account is the person's own. A password that a partner
-- held, and all that was set up beside it, end now. False when one of the partners to be left has nobody else with full access.
create function control.take_account(p_account uuid, p_password_hash text, p_leave uuid[], p_request text) returns boolean
    language plpgsql set search_path = ''
as $$
declare
    v_leaving uuid[] := array(select ad.id from control.admin ad
        where ad.account_id = p_account and ad.partner_id = any (p_leave) and ad.status = 'active' order by ad.id);
begin
    if exists (select from control.admin ad where ad.id = any (v_leaving) and ad.full_target_access and ad.target_type = 'Partner'
               and not exists (select from control.admin other join control.account ac on ac.id = other.account_id
                   where other.partner_id = ad.partner_id and other.id <> ad.id and other.status = 'active' and other.full_target_access
                     and other.target_type = 'Partner' and not ac.locked)) then
        return false;
    end if;
    if exists (select from control.account where id = p_account and held_by is not null) then
        perform control.clear_credentials(p_account);
    end if;
    delete from control.ticket where account_id = p_account and purpose = 'password';
    perform control.end_pauses(p_account);
    update control.account set password_hash = p_password_hash, own = true, held_by = null, credentials = credentials + 1 where id = p_account;
    perform control.note_leaving(id, p_request) from unnest(v_leaving) id;
    update control.admin set status = 'archived', archived_at = now(), shown_active = false, pin_lookup = null, pin_hash = null
    where id = any (v_leaving);
    return true;
end $$;

-- Invitations. `has_password`: accepting is all there is to do.
create or replace function control.invitation(p_hash bytea)
    returns table (email text, partner_id uuid, partner_name text, has_password boolean, surfaces text[], account_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, pa.id, pa.name, ac.own, ad.surfaces, ac.id
    from control.ticket ti join control.admin ad on ad.id = ti.admin_id join control.account ac on ac.id = ad.account_id
    join control.partner pa on pa.id = ad.partner_id
    where ti.hash = p_hash and ti.purpose = 'invitation' and ti.used_at is null and ti.expires_at > now() and ad.status = 'invited'
      and pa.status not in ('creating', 'deleting') and not ac.locked;
end;

-- Whose a mailed link is, an invitation's or a password's: with the state of the credentials, which has to be the same when it is used,
-- and the hash of a password that somebody else chose, which the person may not choose again.
create function control.link_account(p_hash bytea)
    returns table (account_id uuid, email text, own boolean, super_admin boolean, credentials bigint, held_password text)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, ac.email, ac.own, ac.super_admin, ac.credentials, case when not ac.own then ac.password_hash end
    from control.ticket ti join control.account ac on ac.id = ti.account_id
    where ti.hash = p_hash and ti.purpose in ('invitation', 'password') and ti.used_at is null and ti.expires_at > now() and not ac.locked
      and (ti.purpose = 'password' or exists (select from control.invitation(p_hash)));
end;

-- Where the person of a link is somebody already, who becomes the owner of the account by it.
create function control.link_partners(p_hash bytea) returns table (partner_id uuid, partner_name text)
    language sql stable security definer set search_path = ''
begin atomic
    select pa.id, pa.name
    from control.link_account(p_hash) li join control.admin ad on ad.account_id = li.account_id join control.partner pa on pa.id = ad.partner_id
    where not li.own and ad.status = 'active' and pa.status not in ('creating', 'deleting')
    order by ref.fold(pa.name), pa.id;
end;

-- The row of an invitation counts from now on, and its links are used. The names that the partner wrote are kept for an account without any.
create function control.activate_admin(p_admin uuid, p_first_name text, p_last_name text, p_names boolean) returns void
    language plpgsql set search_path = ''
as $$
declare
    v record;
begin
    select ad.account_id, ad.first_name, ad.last_name, ad.tel into v from control.admin ad where ad.id = p_admin;
    update control.ticket set used_at = now() where admin_id = p_admin and purpose = 'invitation' and used_at is null;
    update control.admin set status = 'active' where id = p_admin;
    if p_names then
        update control.account set
            first_name = coalesce(nullif(p_first_name, ''), nullif(first_name, ''), v.first_name, ''),
            last_name = coalesce(nullif(p_last_name, ''), nullif(last_name, ''), v.last_name, ''),
            tel = coalesce(nullif(tel, ''), v.tel, '')
        where id = v.account_id;
    end if;
    perform control.copy_staff(v.account_id);
end $$;

-- Accepts an invitation. An own account only says yes, any other one becomes own by the password that has to be sent. Answers `accepted`,
-- `taken`, or why not: `token` is used or unknown, the account has a password of its `own`, none was sent (`password`), the
-- credentials have `changed` since they were looked at, or nobody else would have full access to a partner that is left (`last`).
create function control.use_invitation(p_hash bytea, p_first_name text, p_last_name text, p_password_hash text, p_credentials bigint,
                                       p_leave uuid[], p_request text) returns text
    language plpgsql security definer set search_path = ''
as $$
declare
    v record;
    ac control.account;
begin
    select ti.admin_id, ad.account_id, ad.partner_id into v from control.ticket ti join control.admin ad on ad.id = ti.admin_id
    where ti.hash = p_hash and ti.purpose = 'invitation';
    if not found then
        return 'token';
    end if;
    perform control.lock_people(p_leave || v.partner_id);
    perform from control.admin ad where ad.account_id = v.account_id and (ad.id = v.admin_id or ad.partner_id = any (p_leave)) order by ad.id for update;
    select * into ac from control.account where id = v.account_id for update;
    if not exists (select from control.invitation(p_hash) i where i.account_id = v.account_id) then
        return 'token';
    end if;
    if ac.own then
        if p_password_hash is not null or cardinality(p_leave) > 0 then
            return 'own';
        end if;
        perform control.activate_admin(v.admin_id, null, null, false);
        return 'accepted';
    end if;
    if p_password_hash is null then
        return 'password';
    end if;
    if p_credentials <> ac.credentials then
        return 'changed';
    end if;
    if not control.take_account(v.account_id, p_password_hash, p_leave, p_request) then
        return 'last';
    end if;
    perform control.activate_admin(v.admin_id, p_first_name, p_last_name, true);
    return 'taken';
end $$;

-- The same call of the release before.
create or replace function control.accept_invitation(p_hash bytea, p_first_name text, p_last_name text, p_password_hash text) returns boolean
    language sql security definer set search_path = ''
begin atomic
    select control.use_invitation(p_hash, p_first_name, p_last_name, p_password_hash, null, '{}', '') in ('accepted', 'taken');
end;

-- Sets a password by a mailed link. The second factor of an own account stays. Answers as control.use_invitation does.
create function control.use_password_link(p_hash bytea, p_password_hash text, p_credentials bigint, p_leave uuid[], p_request text) returns text
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
    ac control.account;
begin
    select ti.account_id into v_account from control.ticket ti where ti.hash = p_hash and ti.purpose = 'password';
    if not found then
        return 'token';
    end if;
    perform control.lock_people(p_leave);
    perform from control.admin ad where ad.account_id = v_account and ad.partner_id = any (p_leave) order by ad.id for update;
    select * into ac from control.account where id = v_account and not locked for update;
    if not found or not exists (select from control.ticket ti where ti.hash = p_hash and ti.used_at is null and ti.expires_at > now()) then
        return 'token';
    end if;
    if p_credentials <> ac.credentials then
        return 'changed';
    end if;
    if not ac.own then
        if not control.take_account(v_account, p_password_hash, p_leave, p_request) then
            return 'last';
        end if;
        perform control.copy_staff(v_account);
        return 'taken';
    end if;
    if cardinality(p_leave) > 0 then
        return 'own';
    end if;
    update control.account set password_hash = p_password_hash, credentials = credentials + 1 where id = v_account;
    update control.second_factor set pending = null where account_id = v_account;
    perform control.end_other_sessions(null, v_account);
    perform control.end_pauses(v_account);
    return 'accepted';
end $$;

-- The same call of the release before.
create or replace function control.redeem_password_ticket(p_hash bytea, p_password_hash text) returns boolean
    language sql security definer set search_path = ''
begin atomic
    select control.use_password_link(p_hash, p_password_hash, null, '{}', '') in ('accepted', 'taken');
end;

-- Signing in.

-- A password that is nobody's is none.
drop function control.find_sign_in(text);
create function control.find_sign_in(p_email text)
    returns table (account_id uuid, password_hash text, super_admin boolean, secret bytea, held_by uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, case when ac.own or ac.held_by is not null then ac.password_hash end, ac.super_admin, sf.secret, ac.held_by
    from control.account ac left join control.second_factor sf on sf.account_id = ac.id
    where ac.email = p_email and not ac.locked;
end;

-- The line of a sign-in that failed, for unknown addresses too. Where there is no password that could be right, the person gets a link
-- to set one, as often as by asking for it.
create function control.sign_in_failed(p_account uuid, p_email text, p_request text, p_details jsonb) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    perform control.audit('admin', p_account, p_email, 'sessions_sign_in_failed', null, p_account, p_request, p_details);
    if exists (select from control.account where id = p_account and not own and held_by is null and not locked)
       and control.take_attempt('forgot_password account ' || p_email, 3, interval '15 minutes') = 0 then
        perform control.mail_password_link(p_account, 'sign_in');
    end if;
end $$;

create function control.mail_password_link(p_account uuid, p_reason text) returns void
    language plpgsql set search_path = ''
as $$
begin
    insert into control.job (kind, args) values ('password_reset_mail', jsonb_build_object('account_id', p_account, 'reason', p_reason));
    perform pg_notify('pult_job', '');
end $$;

-- Under the account's lock: not when it was locked, or has another password than the one that was shown, since it was looked at. What
-- the session reaches is decided here: a held password opens one of its partner. `p_from` is the session of a ticket: it must still
-- live, and what it opens reaches as far as it does.
drop function control.open_session(uuid, uuid, text, text, text, int, boolean, bytea, uuid, text);
create function control.open_session(p_id uuid, p_account uuid, p_surface text, p_agent text, p_address text, p_days int, p_second_factor boolean,
    p_device bytea, p_partner uuid, p_password_hash text, p_from uuid default null) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    ac control.account;
    v_partner uuid := p_partner;
    v_held boolean := false;
    v_second_factor boolean := p_second_factor;
    v_known boolean;
begin
    select * into ac from control.account where id = p_account and not locked for no key update;
    if not found then
        return false;
    end if;
    if p_password_hash is not null then
        if p_password_hash is distinct from ac.password_hash or not (ac.own or ac.held_by is not null)
           -- It was switched on after the password was looked at.
           or not p_second_factor and exists (select from control.second_factor where account_id = p_account and secret is not null) then
            return false;
        end if;
        v_partner := ac.held_by;
        v_held := ac.held_by is not null;
    elsif p_from is not null then
        select se.partner_id, se.held, se.second_factor into v_partner, v_held, v_second_factor from control.session se
        where se.id = p_from and exists (select from control.living_session(p_from, p_account));
        if not found then
            return false;
        end if;
    elsif p_partner is not null then
        v_known := exists (select from control.account_identity where partner_id = p_partner and account_id = p_account);
        -- Of the release before: a ticket of a session that was opened with a held password.
        v_held := not v_known and ac.held_by is not distinct from p_partner;
        if ac.super_admin or not (v_known or v_held) then
            return false;
        end if;
    elsif not ac.own then
        return false;
    end if;
    insert into control.session (id, account_id, surface, user_agent, address, second_factor, expires_at, device, partner_id, held)
    values (p_id, p_account, p_surface, left(p_agent, 300), p_address, v_second_factor,
        now() + case when ac.super_admin then interval '12 hours' else make_interval(days => p_days) end, p_device, v_partner, v_held);
    return true;
end $$;

-- See m0006; with the session that made the ticket.
drop function control.redeem_sign_in_ticket(bytea);
create function control.redeem_sign_in_ticket(p_hash bytea)
    returns table (account_id uuid, purpose text, second_factor boolean, bound_partner_id uuid, partner_id uuid, restaurant_id uuid, session_id uuid)
    language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
    return query
    with used as (
        update control.ticket ti set used_at = now()
        where ti.hash = p_hash and ti.purpose in ('pos', 'builder') and ti.used_at is null and ti.expires_at > now()
        returning ti.account_id, ti.purpose, ti.session_id, ti.restaurant_id)
    select us.account_id, us.purpose, se.second_factor, se.partner_id, re.partner_id, us.restaurant_id, us.session_id
    from used us join control.session se on se.id = us.session_id join control.restaurant re on re.id = us.restaurant_id
    where exists (select from control.living_session(us.session_id, us.account_id));
end $$;

-- In the log of every partner that the session reaches (null: all).
create function control.audit_sign_in(p_account uuid, p_partner uuid, p_surface text, p_address text, p_request text) returns setof uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    a record;
    v_id uuid;
begin
    for a in
        select ad.id, pa.id partner_id, pa.role, ad.restaurant_ids,
            coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) as name
        from control.admin ad join control.partner pa on pa.id = ad.partner_id join control.account ac on ac.id = ad.account_id
        where ad.account_id = p_account and ad.status = 'active' and pa.status in ('active', 'suspended') and (p_partner is null or pa.id = p_partner)
    loop
        v_id := gen_random_uuid();
        execute format('insert into %I.audit (id, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, fields)
                        values ($1, $2, ''admin'', $3, $4, ''sessions_sign_in'', $3, $5, ''{address,surface}'')', a.role)
            using v_id, case when cardinality(a.restaurant_ids) = 1 then a.restaurant_ids[1] end, a.id, a.name, p_request;
        execute format('insert into %I.audit_detail (audit_id, details) values ($1, $2)', a.role)
            using v_id, jsonb_build_object('surface', jsonb_build_array(null, p_surface), 'address', jsonb_build_array(null, p_address));
        return next a.partner_id;
    end loop;
end $$;

-- The own account.

-- `whole`: the session may change the account; one that reaches one partner only may at most change the password, where that is the
-- account's own or held by this very partner. Then the hash comes along. `bound` says by what the session is bound to a partner.
drop function control.my_account(uuid, uuid);
create function control.my_account(p_session uuid, p_account uuid)
    returns table (email text, tel text, password_hash text, super_admin boolean, secret bytea, pending bytea, recovery_codes int, whole boolean,
                   bound text)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, ac.tel, case when ac.own or ac.held_by = se.partner_id then ac.password_hash end, ac.super_admin and se.partner_id is null,
        sf.secret, sf.pending,
        (select count(*)::int from control.recovery_code rc where rc.account_id = ac.id and rc.used_at is null),
        se.partner_id is null, case when se.held then 'password' when se.partner_id is not null then 'provider' end
    from control.living_session(p_session, p_account) l
    join control.session se on se.id = p_session
    join control.account ac on ac.id = p_account
    left join control.second_factor sf on sf.account_id = ac.id;
end;

-- In place of the password that was shown, in a session that lives and may. What is held stays held; its holder ends what reaches it only.
create or replace function control.change_password(p_session uuid, p_account uuid, p_before text, p_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    ac control.account;
    v_partner uuid;
begin
    select * into ac from control.account where id = p_account for update;
    select l.partner_id into v_partner from control.living_session(p_session, p_account) l;
    if not found or p_before is distinct from ac.password_hash or not (ac.own or ac.held_by is not distinct from v_partner) then
        return false;
    end if;
    update control.account set password_hash = p_hash, credentials = credentials + 1 where id = p_account;
    if ac.own then
        perform control.end_other_sessions(p_session, p_account);
    else
        perform control.end_sessions_at(p_account, p_session, v_partner);
    end if;
    return true;
end $$;

create or replace function control.save_language(p_session uuid, p_account uuid, p_language text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.account set language = p_language
    where id = p_account and exists (select from control.living_session(p_session, p_account) l where l.partner_id is null);
end;

-- Second factor: only in a session that lives and reaches as far as the account does.
create function control.may_manage(p_session uuid, p_account uuid) returns boolean
    language plpgsql set search_path = ''
as $$
begin
    perform from control.account where id = p_account for update;
    return exists (select from control.living_session(p_session, p_account) l where l.partner_id is null);
end $$;

create function control.begin_second_factor(p_session uuid, p_account uuid, p_pending bytea) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not control.may_manage(p_session, p_account) then
        return false;
    end if;
    perform control.begin_second_factor(p_account, p_pending);
    return true;
end $$;

create or replace function control.confirm_second_factor(p_session uuid, p_account uuid, p_pending bytea, p_step bigint, p_codes bytea[]) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not control.may_manage(p_session, p_account) then
        return false;
    end if;
    update control.second_factor set secret = pending, pending = null, confirmed_at = now(), last_step = p_step
    where account_id = p_account and pending = p_pending;
    if not found then
        return false;
    end if;
    delete from control.recovery_code where account_id = p_account;
    insert into control.recovery_code (account_id, hash) select p_account, unnest(p_codes);
    -- Sessions opened without it were opened by whoever knew the password.
    perform control.end_other_sessions(p_session, p_account);
    update control.session set second_factor = true where id = p_session and account_id = p_account;
    return true;
end $$;

create function control.drop_second_factor(p_session uuid, p_account uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not control.may_manage(p_session, p_account) then
        return false;
    end if;
    perform control.drop_second_factor(p_account);
    return true;
end $$;

-- Another super admin takes a lost second factor away; every session of the account ends. A super admin's password goes with it: it alone
-- would be enough to set up a new one. Then a link is mailed.
create or replace function control.reset_second_factor(p_session uuid, p_account uuid, p_target uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_super_admin boolean;
begin
    if p_account = p_target or not exists (select from control.living_session(p_session, p_account) l where l.super_admin) then
        return false;
    end if;
    select ac.super_admin into v_super_admin from control.account ac where ac.id = p_target for update;
    if not found then
        return false;
    end if;
    if v_super_admin then
        perform control.clear_credentials(p_target);
        perform control.mail_password_link(p_target, 'second_factor');
    else
        perform control.drop_second_factor(p_target);
        perform control.end_other_sessions(null, p_target);
    end if;
    return true;
end $$;

-- A partner's people.

-- Adds a person; see m0005. The password is taken, and then held by this partner, where nobody has signed in to the account and nobody
-- but this partner has let it in. In every other case the person is invited, and shown as active.
create or replace function control.add_admin(p_id uuid, p_account uuid, p_email text, p_password_hash text, p_row jsonb)
    returns table (id uuid, invited boolean)
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin := jsonb_populate_record(null::control.admin, p_row);
    a record;
    ac control.account;
begin
    v.partner_id := control.current_partner();
    select * into a from control.account_for(p_account, p_email, v, null);
    select * into ac from control.account acc where acc.id = a.account_id for update;
    v.status := case when p_password_hash is not null and not ac.own and ac.held_by is null and not ac.super_admin and not ac.locked
                         and not exists (select from control.admin ad where ad.account_id = ac.id and (ad.status = 'active' or ad.partner_id = v.partner_id))
                     then 'active' else 'invited' end;
    if v.status = 'active' then
        -- What another partner wrote about somebody who has never been here stays with its invitation.
        update control.account acc set password_hash = p_password_hash, held_by = v.partner_id, credentials = acc.credentials + 1,
            first_name = coalesce(v.first_name, ''), last_name = coalesce(v.last_name, ''), tel = coalesce(v.tel, ''),
            language = coalesce(v.language, 'hu')
        where acc.id = ac.id;
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    return query
    insert into control.admin as ad (id, account_id, partner_id, target_type, restaurant_ids, permission_keys, full_target_access, surfaces, status,
        first_name, last_name, tel, language, shown_active, pin_lookup, pin_hash, max_discount_percent, print_zone_id)
    values (p_id, a.account_id, v.partner_id, v.target_type, v.restaurant_ids, v.permission_keys, v.full_target_access, v.surfaces, v.status,
        v.first_name, v.last_name, v.tel, v.language, p_password_hash is not null, v.pin_lookup, v.pin_hash, v.max_discount_percent, v.print_zone_id)
    on conflict (account_id, partner_id) do update set target_type = excluded.target_type, restaurant_ids = excluded.restaurant_ids,
        permission_keys = excluded.permission_keys, full_target_access = excluded.full_target_access, surfaces = excluded.surfaces,
        status = excluded.status, first_name = excluded.first_name, last_name = excluded.last_name, tel = excluded.tel, language = excluded.language,
        shown_active = excluded.shown_active, pin_lookup = excluded.pin_lookup, pin_hash = excluded.pin_hash,
        max_discount_percent = excluded.max_discount_percent, print_zone_id = excluded.print_zone_id, archived_at = null
    where ad.status = 'archived'
    returning ad.id, ad.status = 'invited';
end $$;

-- The people of a partner; see m0005. `shared` counts where the account has accepted, and its use elsewhere is not shown.
create or replace function control.admins(p_id uuid, p_restaurant uuid, p_name text, p_status text, p_archived boolean, p_limit bigint, p_offset bigint)
    returns table (id uuid, account_id uuid, email text, first_name text, last_name text, tel text, language text, status text, accepted boolean,
                   shared boolean, second_factor boolean, oidc boolean, target_type text, restaurant_ids uuid[], permission_keys text[], full_target_access boolean,
                   super_admin boolean, surfaces text[], has_pin boolean, max_discount_percent numeric, print_zone_id uuid, last_active_at timestamptz,
                   version bigint, created_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select ad.id, ad.account_id, ac.email, coalesce(ad.first_name, ac.first_name), coalesce(ad.last_name, ac.last_name), coalesce(ad.tel, ac.tel),
        coalesce(ad.language, ac.language),
        control.admin_status(ad, ac), ad.status = 'active', sh.yes, ad.status = 'active' and si.second_factor, ad.status = 'active' and si.oidc, ad.target_type, ad.restaurant_ids, ad.permission_keys, ad.full_target_access,
        ac.super_admin and ad.status = 'active', ad.surfaces, ad.pin_hash is not null, ad.max_discount_percent, ad.print_zone_id,
        case when ad.status = 'active' then (select max(se.last_active_at) from control.session se
            where se.account_id = ac.id and (se.partner_id is null or se.partner_id = ad.partner_id)) end,
        ad.version, ad.created_at
    from (select f.id, f.sort_name from control.found_admins(p_id, p_restaurant, p_name, p_status, p_archived) f
          order by f.sort_name, f.id limit p_limit offset p_offset) found
        join control.admin ad on ad.id = found.id join control.account ac on ac.id = ad.account_id,
        lateral (select exists (select from control.admin other where other.account_id = ac.id and other.id <> ad.id and other.status = 'active')
                     or ac.super_admin as yes) sh,
        lateral control.signs_in_with(ac.id, ad.partner_id) si
    order by found.sort_name, ad.id;
end;

-- Changes columns of one person; see m0005. Where the account has only been invited elsewhere it is this partner's alone.
create or replace function control.save_admin(p_id uuid, p_row jsonb) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin;
    v_alone boolean;
begin
    select * into v from control.admin ad where ad.id = p_id and ad.partner_id = control.current_partner() for update;
    if not found then
        return false;
    end if;
    v := jsonb_populate_record(v, p_row);
    v_alone := v.status = 'active'
        and not exists (select from control.admin other where other.account_id = v.account_id and other.id <> p_id and other.status = 'active')
        and not exists (select from control.account ac where ac.id = v.account_id and ac.super_admin);
    if v_alone then
        update control.account ac set first_name = coalesce(v.first_name, ac.first_name), last_name = coalesce(v.last_name, ac.last_name),
            tel = coalesce(v.tel, ac.tel), language = coalesce(v.language, ac.language)
        where ac.id = v.account_id;
        v.first_name := null; v.last_name := null; v.tel := null; v.language := null;
    end if;
    update control.admin set target_type = v.target_type, restaurant_ids = v.restaurant_ids, permission_keys = v.permission_keys,
        full_target_access = v.full_target_access, surfaces = v.surfaces, status = v.status, first_name = v.first_name, last_name = v.last_name,
        tel = v.tel, language = v.language, pin_lookup = v.pin_lookup, pin_hash = v.pin_hash, max_discount_percent = v.max_discount_percent,
        print_zone_id = v.print_zone_id, archived_at = v.archived_at
    where id = p_id;
    return true;
end $$;

-- Gives a row to another address; see m0005. An account that is left without rows goes, unless it is somebody's own.
create or replace function control.readdress_admin(p_id uuid, p_account uuid, p_email text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v control.admin;
    v_account uuid;
begin
    select * into v from control.admin ad where ad.id = p_id and ad.partner_id = control.current_partner() for update;
    if not found then
        return false;
    end if;
    select coalesce(v.first_name, ac.first_name), coalesce(v.last_name, ac.last_name), coalesce(v.tel, ac.tel), coalesce(v.language, ac.language)
    into v.first_name, v.last_name, v.tel, v.language from control.account ac where ac.id = v.account_id;
    select a.account_id into v_account from control.account_for(p_account, p_email, v, null) a;
    if exists (select from control.admin ad where ad.account_id = v_account and ad.partner_id = v.partner_id) then
        return false;
    end if;
    update control.admin set account_id = v_account, status = 'invited', shown_active = false, first_name = v.first_name, last_name = v.last_name,
        tel = v.tel, language = v.language, pin_lookup = null, pin_hash = null
    where id = p_id;
    delete from control.ticket where admin_id = p_id;
    delete from control.account ac where ac.id = v.account_id and not ac.own and not ac.super_admin
        and not exists (select from control.admin ad where ad.account_id = ac.id);
    return true;
end $$;

create function control.credentials_of(p_id uuid) returns bigint
    language sql stable security definer set search_path = ''
begin atomic
    select ac.credentials from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_id and ad.partner_id = control.current_partner();
end;

-- Sets the password of a person of this partner, which holds it from then on: one that it holds already, or that of an account which has
-- accepted nowhere else. Answers `done`, `elsewhere`, or `changed` when the credentials are others than were looked at.
create function control.hold_password(p_id uuid, p_hash text, p_credentials bigint) returns text
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
    ac control.account;
begin
    select acc.* into ac from control.account acc
    where acc.id = (select ad.account_id from control.admin ad where ad.id = p_id and ad.partner_id = v_partner and ad.status = 'active') for update;
    if not found or ac.super_admin or ac.held_by <> v_partner
       or ac.held_by is null and exists (select from control.admin other where other.account_id = ac.id and other.partner_id <> v_partner and other.status = 'active') then
        return 'elsewhere';
    end if;
    if p_credentials <> ac.credentials then
        return 'changed';
    end if;
    update control.account set password_hash = p_hash, own = false, held_by = v_partner, credentials = credentials + 1 where id = ac.id;
    perform control.end_sessions_at(ac.id, null, v_partner);
    return 'done';
end $$;

-- The same call of the release before.
create or replace function control.set_admin_password(p_id uuid, p_hash text) returns boolean
    language sql security definer set search_path = ''
begin atomic
    select control.hold_password(p_id, p_hash, null) = 'done';
end;

-- Ends every session of a person that reaches this partner, and what they could still do: tickets, known devices.
create or replace function control.end_admin_sessions(p_id uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    perform control.end_sessions_at(ad.account_id, null, ad.partner_id) from control.admin ad
    where ad.id = p_id and ad.partner_id = control.current_partner() and ad.status = 'active';
end $$;

drop function control.staff_name(uuid);
create function control.staff_name(p_admin uuid) returns table (name text, email text, archived boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email), ac.email,
        ad.status = 'archived'
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_admin and ad.partner_id = control.current_partner();
end;

-- Providers.

-- What a provider says lets the row in, and changes nothing of the account's credentials. See m0006.
create or replace function control.sso_account(p_partner uuid, p_issuer text, p_subject text, p_email text, p_domain text, p_invitation bytea) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
    v record;
begin
    select ai.account_id into v_account from control.account_identity ai
    where ai.partner_id = p_partner and ai.issuer = p_issuer and ai.subject = p_subject;
    if p_invitation is not null and p_email is not null then
        perform control.lock_people(array[p_partner]);
        select ti.admin_id, ac.id as account_id, (not ac.own and ac.held_by is null) as named into v
        from control.invitation(p_invitation) i join control.ticket ti on ti.hash = p_invitation join control.account ac on ac.id = i.account_id
        where i.partner_id = p_partner and i.email = p_email and (v_account is null or v_account = i.account_id)
        for update of ti;
        if not found then
            return null;
        end if;
        v_account := v.account_id;
        perform control.activate_admin(v.admin_id, null, null, v.named);
    elsif v_account is null and p_email is not null then
        select ac.id into v_account
        from control.account ac join control.admin ad on ad.account_id = ac.id and ad.partner_id = p_partner and ad.status = 'active'
        where ac.email = p_email
          and exists (select from control.sign_in_domain sd where sd.partner_id = p_partner and sd.domain = p_domain and sd.proven_at is not null);
    end if;
    if not exists (select from control.account ac join control.admin ad on ad.account_id = ac.id and ad.partner_id = p_partner and ad.status = 'active'
                   where ac.id = v_account and not ac.locked and not ac.super_admin) then
        return null;
    end if;
    -- One person of the provider for each account: a reused address does not inherit it.
    if exists (select from control.account_identity ai where ai.partner_id = p_partner and ai.issuer = p_issuer and ai.account_id = v_account
               and ai.subject <> p_subject) then
        return null;
    end if;
    insert into control.account_identity (partner_id, issuer, subject, account_id) values (p_partner, p_issuer, p_subject, v_account)
    on conflict do nothing;
    return v_account;
end $$;

-- Sessions that a held password opened are not the provider's. See m0006.
create or replace function control.save_sign_in_provider(p_version bigint, p_name text, p_issuer text, p_client_id text, p_client_secret bytea, p_active boolean,
                                              p_domains text[]) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if v_partner is null then
        raise exception 'control.save_sign_in_provider outside a tenant transaction' using errcode = '42501';
    end if;
    insert into control.sign_in_provider as sp (partner_id, name, issuer, client_id, client_secret, active)
    values (v_partner, p_name, p_issuer, p_client_id, p_client_secret, p_active)
    on conflict (partner_id) do update set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id, active = excluded.active,
        -- A secret belongs to its issuer and client: it is never sent to another address than the one it was given for.
        client_secret = coalesce(excluded.client_secret,
            case when sp.issuer = excluded.issuer and sp.client_id = excluded.client_id then sp.client_secret end),
        version = sp.version + 1 where sp.version = p_version;
    if not found then
        return false;
    end if;
    -- Who was let in by a provider that is no longer asked is out.
    update control.session se set ended_at = now() where se.partner_id = v_partner and not se.held and se.ended_at is null
      and (not p_active or not exists (select from control.account_identity ai
           where ai.partner_id = v_partner and ai.account_id = se.account_id and ai.issuer = p_issuer));
    delete from control.sign_in_domain where partner_id = v_partner and domain <> all (p_domains);
    insert into control.sign_in_domain (partner_id, domain) select v_partner, unnest(p_domains) on conflict do nothing;
    return true;
end $$;

create or replace function control.remove_sign_in_provider() returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    delete from control.sign_in_provider where partner_id = control.current_partner();
    if not found then
        return false;
    end if;
    update control.session set ended_at = now() where partner_id = control.current_partner() and not held and ended_at is null;
    delete from control.account_identity where partner_id = control.current_partner();
    return true;
end $$;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname = any (array['lock_people', 'end_sessions_at', 'end_pauses', 'clear_credentials', 'take_account',
            'link_account', 'link_partners', 'activate_admin', 'use_invitation', 'use_password_link', 'find_sign_in', 'sign_in_failed',
            'mail_password_link', 'open_session', 'redeem_sign_in_ticket', 'my_account', 'may_manage', 'begin_second_factor', 'drop_second_factor', 'credentials_of',
            'hold_password', 'staff_name']) loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
    -- They write the tenants' tables, so they stay with pult_owner, who owns those.
    revoke all on function control.note_leaving, control.audit_sign_in(uuid, uuid, text, text, text) from public;
    grant execute on function control.note_leaving to pult_definer;
end $$;
grant execute on function control.link_account, control.link_partners, control.use_invitation, control.use_password_link, control.find_sign_in,
    control.sign_in_failed, control.open_session, control.redeem_sign_in_ticket, control.audit_sign_in(uuid, uuid, text, text, text), control.my_account,
    control.begin_second_factor(uuid, uuid, bytea), control.begin_second_factor(uuid, bytea),
    control.drop_second_factor(uuid, uuid), control.drop_second_factor(uuid) to pult_app;
grant execute on function control.credentials_of, control.hold_password, control.staff_name to pult_tenant;

-- The account itself: sign-in from known devices, second factor, one-time tickets, sign-in with a partner's provider.

-- m0005 makes these too; either file may come first in an installation's history.
alter table control.account add column if not exists tel text not null default '';
alter table control.ticket add column if not exists admin_id uuid references control.admin on delete cascade;
alter table control.ticket drop constraint if exists ticket_purpose_check;
alter table control.ticket add constraint ticket_purpose_check check (purpose in ('password', 'invitation', 'pos', 'builder'));

-- SHA-256 of the browser's device cookie: a device that has signed in to the account before has attempts of
-- its own, so a stranger's guesses cannot lock its owner out. Forgotten when the session is ended by hand.
alter table control.session add column device bytea;
create index on control.session (account_id, device) where device is not null;

-- A ticket for a till or a builder dies with the session that asked for it.
alter table control.ticket add column session_id uuid references control.session on delete cascade;
alter table control.ticket add column restaurant_id uuid references control.restaurant on delete cascade;
create index on control.ticket (account_id);

-- Secrets are sealed by the service (AES-256-GCM); the database never sees them.
create table control.second_factor (
    account_id   uuid primary key references control.account on delete cascade,
    secret       bytea,
    confirmed_at timestamptz,
    -- The newest time step whose code was taken: an older or equal one is a replay.
    last_step    bigint not null default 0,
    -- Shown, but not confirmed by a code yet.
    pending      bytea,
    check ((secret is null) = (confirmed_at is null))
);
create table control.recovery_code (
    account_id uuid not null references control.account on delete cascade,
    hash       bytea not null,
    used_at    timestamptz,
    primary key (account_id, hash)
);

-- Each partner's own key for its secrets, wrapped by the installation's. It goes with the partner, and
-- whatever it has sealed, in backups too, opens no more.
create table control.data_key (
    partner_id uuid primary key references control.partner on delete cascade,
    wrapped    bytea not null,
    created_at timestamptz not null default now()
);
create table control.sign_in_provider (
    partner_id    uuid primary key references control.partner on delete cascade,
    name          text not null,
    issuer        text not null,
    client_id     text not null,
    client_secret bytea,
    active        boolean not null default true,
    version       bigint not null default 1,
    created_at    timestamptz not null default now()
);
-- A domain says whose people are sent to a provider, once the partner has proven that it is its own.
create table control.sign_in_domain (
    partner_id uuid not null references control.sign_in_provider on delete cascade,
    domain     text not null check (domain = lower(domain)),
    proven_at  timestamptz,
    primary key (partner_id, domain)
);
create unique index sign_in_domain_proven on control.sign_in_domain (domain) where proven_at is not null;
-- Who somebody of a provider is here. Bound to issuer and subject, never to an e-mail address, and to the partner:
-- what one partner's provider says counts at that partner only.
create table control.account_identity (
    partner_id uuid not null references control.partner on delete cascade,
    issuer     text not null,
    subject    text not null,
    account_id uuid not null references control.account on delete cascade,
    created_at timestamptz not null default now(),
    primary key (partner_id, issuer, subject)
);
create index on control.account_identity (account_id);
create table control.sso_state (
    hash       bytea primary key,
    partner_id uuid not null references control.partner on delete cascade,
    invitation bytea,
    expires_at timestamptz not null
);

do $$
declare t text;
begin
    foreach t in array array['data_key', 'sign_in_provider', 'sign_in_domain', 'account_identity', 'sso_state'] loop
        execute format('alter table control.%I enable row level security', t);
        execute format('create policy own on control.%I to pult_control using (partner_id = nullif(current_setting(''pult.partner'', true), '''')::uuid)', t);
        execute format('create policy everything on control.%I to pult_platform, pult_definer using (true) with check (true)', t);
        execute format('grant select, insert, update, delete on control.%I to pult_platform, pult_definer', t);
    end loop;
end $$;
grant select, insert, update, delete on control.second_factor, control.recovery_code to pult_platform, pult_definer;

-- Signing in.

-- One attempt of this address and of this account, or of this device when the account has been signed in to on it.
-- Does the same for accounts that do not exist. Seconds to wait; 0 lets the attempt be looked at.
create function control.take_sign_in(p_email text, p_device bytea, p_address text) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_pause int;
    v_known boolean;
begin
    v_pause := control.take_attempt('sign_in address ' || p_address, 30, interval '10 minutes');
    if v_pause > 0 then
        return v_pause;
    end if;
    select exists (select from control.account ac join control.session se on se.account_id = ac.id
        where ac.email = p_email and se.device = p_device) into v_known;
    return control.take_attempt(case when v_known then 'sign_in device ' || encode(p_device, 'hex') || ' ' || p_email
                                     else 'sign_in account ' || p_email end, 5, interval '15 minutes');
end $$;

-- A right password: the account's failures are over, and for its address it was none, so that a whole house behind one
-- address can begin its day.
create function control.forget_sign_in(p_email text, p_device bytea, p_address text) returns void
    language sql security definer set search_path = ''
begin atomic
    update control.attempt set failures = failures - 1 where subject = 'sign_in address ' || p_address and failures > 0;
    delete from control.attempt where subject in ('sign_in account ' || p_email, 'sign_in device ' || encode(p_device, 'hex') || ' ' || p_email);
end;

-- The sealed secret of the second factor comes with the password's hash, so that asking takes no statement of its own.
create function control.find_sign_in(p_email text) returns table (account_id uuid, password_hash text, super_admin boolean, secret bytea)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.id, ac.password_hash, ac.super_admin, sf.secret from control.account ac left join control.second_factor sf on sf.account_id = ac.id
    where ac.email = p_email and not ac.locked;
end;

-- Not when the account was locked, or has another password than the one that was shown, since it was looked at: whoever
-- changes that ends the sessions that are there, and holds the row meanwhile.
create function control.open_session(p_id uuid, p_account uuid, p_surface text, p_agent text, p_address text, p_days int, p_second_factor boolean,
    p_device bytea, p_partner uuid, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    perform from control.account ac
    where ac.id = p_account and not ac.locked and (p_password_hash is null or ac.password_hash = p_password_hash) for no key update;
    if not found then
        return false;
    end if;
    insert into control.session (id, account_id, surface, user_agent, address, second_factor, expires_at, device, partner_id)
    select p_id, p_account, p_surface, left(p_agent, 300), p_address, p_second_factor,
        now() + case when ac.super_admin then interval '12 hours' else make_interval(days => p_days) end, p_device, p_partner
    from control.account ac where ac.id = p_account;
    return true;
end $$;

-- A code counts once: the step it belongs to is taken before anything is granted.
create function control.use_code_step(p_account uuid, p_step bigint) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.second_factor set last_step = p_step where account_id = p_account and last_step < p_step;
    return found;
end $$;

create function control.use_recovery_code(p_account uuid, p_hash bytea) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.recovery_code set used_at = now() where account_id = p_account and hash = p_hash and used_at is null;
    return found;
end $$;

-- Use of sessions, added up in memory and written now and then.
create function control.touch_sessions(p_sessions uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic update control.session set last_active_at = now() where id = any (p_sessions) and ended_at is null; end;

-- Keeps what the door answers sessions at restaurants (control.pass), but for super admins, whose sessions end when they are
-- idle.
create function control.keep_passes(p_sessions uuid[], p_restaurants uuid[]) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_sessions uuid[];
    v_restaurants uuid[];
begin
    -- Held until the commit. What is being changed at this moment is left for the next request instead of being waited for.
    select array_agg(held.session_id), array_agg(held.restaurant_id) into v_sessions, v_restaurants
    from (
        select se.id session_id, re.id restaurant_id
        from unnest(p_sessions, p_restaurants) used (session_id, restaurant_id)
        join control.session se on se.id = used.session_id
        join control.account ac on ac.id = se.account_id
        join control.restaurant re on re.id = used.restaurant_id
        join control.admin ad on ad.account_id = se.account_id and ad.partner_id = re.partner_id
        where not ac.super_admin and not exists (select from control.pass pa where pa.session_id = se.id and pa.restaurant_id = re.id)
        for share of se, ac, re, ad skip locked) held;
    -- A statement of its own: it sees what was changed before the rows were held.
    insert into control.pass (session_id, restaurant_id, account_id, partner_id, admin_id, version, expires_at, role, full_target_access,
        surface, name, target_type, mode)
    select se.id, re.id, se.account_id, re.partner_id, e.admin_id, e.version, se.expires_at, e.role, e.full_target_access,
        e.surface, e.name, e.target_type, e.mode
    from unnest(v_sessions, v_restaurants) held (session_id, restaurant_id)
    join control.session se on se.id = held.session_id
    join control.restaurant re on re.id = held.restaurant_id
    cross join lateral control.enter(se.id, se.account_id, re.partner_id, re.id, null, false) e
    where e.status = 'ok'
    on conflict do nothing;
end $$;

-- The own account.

-- What only the account itself learns. `whole`: the session may change the account; one that a partner's provider
-- opened may not when the account is more than that partner's.
create function control.my_account(p_session uuid, p_account uuid)
    returns table (email text, tel text, password_hash text, super_admin boolean, secret bytea, pending bytea, recovery_codes int, whole boolean)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, ac.tel, ac.password_hash, ac.super_admin and se.partner_id is null, sf.secret, sf.pending,
        (select count(*)::int from control.recovery_code rc where rc.account_id = ac.id and rc.used_at is null),
        se.partner_id is null or not ac.super_admin and not exists (
            select from control.admin ad where ad.account_id = ac.id and ad.partner_id <> se.partner_id and ad.status <> 'archived')
    from control.living_session(p_session, p_account) l
    join control.session se on se.id = p_session
    join control.account ac on ac.id = p_account
    left join control.second_factor sf on sf.account_id = ac.id;
end;

-- The support accesses of a super admin that are open, the newest first.
create function control.my_support(p_session uuid, p_account uuid)
    returns table (partner_id uuid, partner_name text, reason text, writable boolean, expires_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select sa.partner_id, pa.name, sa.reason, sa.writable, sa.expires_at
    from control.living_session(p_session, p_account) l, control.support_access sa join control.partner pa on pa.id = sa.partner_id
    where l.super_admin and sa.account_id = p_account and sa.ended_at is null and sa.expires_at > now()
    order by sa.created_at desc, sa.id;
end;

-- A line of the platform's log about an account; the caller's statement makes it part of the change.
create function control.note_account(p_account uuid, p_action text, p_record uuid, p_request text) returns void
    language plpgsql security definer set search_path = ''
as $$
declare
    v_name text;
begin
    select coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) into v_name from control.account ac where ac.id = p_account;
    perform control.audit('admin', p_account, v_name, p_action, null, p_record, p_request, '{}');
end $$;

-- Each partner's staff row is a copy that a job of that partner renews.
create function control.copy_staff(p_account uuid) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    insert into control.job (partner_id, kind, key, args)
    select ad.partner_id, 'staff_copy', ad.id::text, jsonb_build_object('admin_id', ad.id) from control.admin ad where ad.account_id = p_account
    order by ad.id
    -- One that waits is locked, as in control.enqueue.
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do update set run_at = job.run_at;
    perform pg_notify('pult_job', '');
end $$;

create function control.save_me(p_account uuid, p_first_name text, p_last_name text, p_tel text) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.account set first_name = coalesce(p_first_name, first_name), last_name = coalesce(p_last_name, last_name),
        tel = coalesce(p_tel, tel) where id = p_account;
    perform control.copy_staff(p_account);
end $$;

create function control.staff_name(p_admin uuid) returns table (name text, email text)
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(nullif(trim(coalesce(ad.last_name, ac.last_name) || ' ' || coalesce(ad.first_name, ac.first_name)), ''), ac.email), ac.email
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.id = p_admin and ad.partner_id = control.current_partner();
end;

-- Ends the account's sessions but this one, and with them what they could still do: tickets, known devices.
create function control.end_other_sessions(p_session uuid, p_account uuid) returns int
    language plpgsql security definer set search_path = ''
as $$
declare
    v_count int;
begin
    update control.session set ended_at = coalesce(ended_at, now()), device = null
    where account_id = p_account and id is distinct from p_session and (ended_at is null or device is not null);
    get diagnostics v_count = row_count;
    delete from control.ticket where account_id = p_account and (purpose = 'password' or session_id is distinct from p_session and purpose <> 'invitation');
    return v_count;
end $$;

-- With the hash of the password that was shown, only while that is still the password.
create function control.change_password(p_session uuid, p_account uuid, p_before text, p_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.account set password_hash = p_hash where id = p_account and (p_before is null or password_hash = p_before);
    if not found then
        return false;
    end if;
    perform control.end_other_sessions(p_session, p_account);
    return true;
end $$;

create function control.my_sessions(p_session uuid, p_account uuid)
    returns table (id uuid, surface text, user_agent text, address text, created_at timestamptz, last_active_at timestamptz)
    language sql stable security definer set search_path = ''
begin atomic
    select se.id, se.surface, se.user_agent, se.address, se.created_at, se.last_active_at
    from control.session se, control.session own
    where own.id = p_session and own.account_id = p_account and se.account_id = p_account
      and (own.partner_id is null or se.partner_id = own.partner_id)
      and exists (select from control.living_session(se.id, p_account))
    order by se.last_active_at desc, se.id;
end;

create function control.end_my_session(p_session uuid, p_account uuid, p_id uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.session se set ended_at = now(), device = null
    where se.id = p_id and se.account_id = p_account and se.ended_at is null and se.expires_at > now()
      and exists (select from control.session own where own.id = p_session and own.account_id = p_account
                  and (own.partner_id is null or se.partner_id = own.partner_id));
    return found;
end $$;

-- Forgotten password. Known and unknown addresses make a row each, so that both cost the same; the job tells them apart.
create function control.ask_password_reset(p_email text) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    insert into control.job (kind, args)
    values ('password_reset_mail', jsonb_build_object('account_id', (select ac.id from control.account ac where ac.email = p_email and not ac.locked)));
    perform pg_notify('pult_job', '');
end $$;

-- Whoever has the mail may sign in again at once: the pauses of the account end with its sessions.
create function control.redeem_password_ticket(p_hash bytea, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
begin
    update control.ticket set used_at = now()
    where hash = p_hash and purpose = 'password' and used_at is null and expires_at > now() returning account_id into v_account;
    if not found then
        return false;
    end if;
    perform control.change_password(null, v_account, null, p_password_hash);
    delete from control.attempt where subject = 'sign_in account ' || (select email from control.account where id = v_account);
    return true;
end $$;

-- Invitations: an admin row waits until its person accepts.
create function control.invitation(p_hash bytea)
    returns table (email text, partner_id uuid, partner_name text, has_password boolean, surfaces text[], account_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select ac.email, pa.id, pa.name, ac.password_hash is not null, ad.surfaces, ac.id
    from control.ticket ti join control.admin ad on ad.id = ti.admin_id join control.account ac on ac.id = ad.account_id
    join control.partner pa on pa.id = ad.partner_id
    where ti.hash = p_hash and ti.purpose = 'invitation' and ti.used_at is null and ti.expires_at > now() and ad.status = 'invited'
      and pa.status not in ('creating', 'deleting');
end;

-- Names and password are set only for an account that nobody has used yet.
create function control.accept_invitation(p_hash bytea, p_first_name text, p_last_name text, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    v_admin uuid;
    v_account uuid;
    v record;
begin
    update control.ticket set used_at = now()
    where hash = p_hash and purpose = 'invitation' and used_at is null and expires_at > now() returning admin_id into v_admin;
    if not found then
        return false;
    end if;
    -- The names that the partner wrote go with the acceptance; they are kept for an account that has none.
    select ad.first_name, ad.last_name, ad.tel into v from control.admin ad where ad.id = v_admin;
    update control.admin set status = 'active', version = version + 1 where id = v_admin and status = 'invited' returning account_id into v_account;
    if not found then
        return false;
    end if;
    update control.account set
        first_name = coalesce(nullif(p_first_name, ''), nullif(first_name, ''), v.first_name, ''),
        last_name = coalesce(nullif(p_last_name, ''), nullif(last_name, ''), v.last_name, ''),
        tel = coalesce(nullif(tel, ''), v.tel, ''),
        password_hash = coalesce(p_password_hash, password_hash)
    where id = v_account and password_hash is null;
    update control.ticket set used_at = now() where admin_id = v_admin and purpose = 'invitation' and used_at is null;
    perform control.copy_staff(v_account);
    return true;
end $$;

-- A way in for a till or a builder: 60 seconds, once, and only while the session that asked lives.
create function control.create_sign_in_ticket(p_session uuid, p_account uuid, p_hash bytea, p_purpose text, p_restaurant uuid) returns timestamptz
    language plpgsql security definer set search_path = ''
as $$
declare
    v_expires timestamptz := now() + interval '60 seconds';
begin
    insert into control.ticket (hash, account_id, purpose, session_id, restaurant_id, expires_at)
    values (p_hash, p_account, p_purpose, p_session, p_restaurant, v_expires);
    return v_expires;
end $$;

create function control.redeem_sign_in_ticket(p_hash bytea)
    returns table (account_id uuid, purpose text, second_factor boolean, bound_partner_id uuid, partner_id uuid, restaurant_id uuid)
    language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
    return query
    with used as (
        update control.ticket ti set used_at = now()
        where ti.hash = p_hash and ti.purpose in ('pos', 'builder') and ti.used_at is null and ti.expires_at > now()
        returning ti.account_id, ti.purpose, ti.session_id, ti.restaurant_id)
    select us.account_id, us.purpose, se.second_factor, se.partner_id, re.partner_id, us.restaurant_id
    from used us join control.session se on se.id = us.session_id join control.restaurant re on re.id = us.restaurant_id
    where exists (select from control.living_session(us.session_id, us.account_id));
end $$;

-- Second factor.
create function control.begin_second_factor(p_account uuid, p_pending bytea) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.second_factor (account_id, pending) values (p_account, p_pending)
    on conflict (account_id) do update set pending = excluded.pending;
end;

-- The pending secret becomes the secret, when it is still the one that the code was made with.
create function control.confirm_second_factor(p_session uuid, p_account uuid, p_pending bytea, p_step bigint, p_codes bytea[]) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
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

create function control.drop_second_factor(p_account uuid) returns void
    language sql security definer set search_path = ''
begin atomic
    delete from control.recovery_code where account_id = p_account;
    delete from control.second_factor where account_id = p_account;
end;

-- Another super admin takes a lost second factor away; every session of the account ends.
create function control.reset_second_factor(p_session uuid, p_account uuid, p_target uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    if not exists (select from control.living_session(p_session, p_account) l where l.super_admin) or p_account = p_target
       or not exists (select from control.account where id = p_target) then
        return false;
    end if;
    perform control.drop_second_factor(p_target);
    perform control.end_other_sessions(null, p_target);
    return true;
end $$;

-- The wrapped key of the partner whose transaction this is. The one that is sent becomes it when there is none yet.
create function control.data_key(p_new bytea) returns bytea
    language plpgsql security definer set search_path = ''
as $$
declare
    v_partner uuid := control.current_partner();
begin
    if p_new is not null then
        insert into control.data_key (partner_id, wrapped) values (v_partner, p_new) on conflict (partner_id) do nothing;
    end if;
    return (select dk.wrapped from control.data_key dk where dk.partner_id = v_partner);
end $$;

-- Sign-in with a partner's provider. From inside a tenant transaction: the partner comes from the role.
create function control.sign_in_provider()
    returns table (name text, issuer text, client_id text, has_client_secret boolean, active boolean, version bigint, domains text[], proven text[])
    language sql stable security definer set search_path = ''
begin atomic
    select sp.name, sp.issuer, sp.client_id, sp.client_secret is not null, sp.active, sp.version,
        array(select sd.domain from control.sign_in_domain sd where sd.partner_id = sp.partner_id order by sd.domain),
        array(select sd.domain from control.sign_in_domain sd where sd.partner_id = sp.partner_id and sd.proven_at is not null order by sd.domain)
    from control.sign_in_provider sp where sp.partner_id = control.current_partner();
end;

-- False when the provider is not of this version any more (null: there was none).
create function control.save_sign_in_provider(p_version bigint, p_name text, p_issuer text, p_client_id text, p_client_secret bytea, p_active boolean,
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
    update control.session se set ended_at = now() where se.partner_id = v_partner and se.ended_at is null
      and (not p_active or not exists (select from control.account_identity ai
           where ai.partner_id = v_partner and ai.account_id = se.account_id and ai.issuer = p_issuer));
    delete from control.sign_in_domain where partner_id = v_partner and domain <> all (p_domains);
    insert into control.sign_in_domain (partner_id, domain) select v_partner, unnest(p_domains) on conflict do nothing;
    return true;
end $$;

create function control.remove_sign_in_provider() returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    delete from control.sign_in_provider where partner_id = control.current_partner();
    if not found then
        return false;
    end if;
    update control.session set ended_at = now() where partner_id = control.current_partner() and ended_at is null;
    delete from control.account_identity where partner_id = control.current_partner();
    return true;
end $$;

-- False when another partner has proven the domain before.
create function control.prove_sign_in_domain(p_domain text) returns boolean
    language plpgsql security definer set search_path = ''
as $$
begin
    update control.sign_in_domain set proven_at = coalesce(proven_at, now()) where partner_id = control.current_partner() and domain = p_domain;
    return found;
exception when unique_violation then
    return false;
end $$;

-- Which provider an address is sent to: by its proven domain, or by the invitation.
create function control.find_provider(p_domain text, p_invitation bytea)
    returns table (partner_id uuid, issuer text, client_id text, client_secret bytea, data_key bytea)
    language sql stable security definer set search_path = ''
begin atomic
    select sp.partner_id, sp.issuer, sp.client_id, sp.client_secret, dk.wrapped
    from control.sign_in_provider sp join control.partner pa on pa.id = sp.partner_id left join control.data_key dk on dk.partner_id = pa.id
    where sp.active and pa.status = 'active' and sp.partner_id = case when p_invitation is null
        then (select sd.partner_id from control.sign_in_domain sd where sd.domain = p_domain and sd.proven_at is not null)
        else (select i.partner_id from control.invitation(p_invitation) i) end;
end;

create function control.begin_sso(p_hash bytea, p_partner uuid, p_invitation bytea) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.sso_state (hash, partner_id, invitation, expires_at) values (p_hash, p_partner, p_invitation, now() + interval '10 minutes');
end;

-- A state is taken once, whatever comes of it.
create function control.take_sso(p_hash bytea)
    returns table (partner_id uuid, invitation bytea, issuer text, client_id text, client_secret bytea, data_key bytea)
    language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
    return query
    with taken as (delete from control.sso_state st where st.hash = p_hash returning st.partner_id, st.invitation, st.expires_at)
    select ta.partner_id, ta.invitation, sp.issuer, sp.client_id, sp.client_secret, dk.wrapped
    from taken ta join control.sign_in_provider sp on sp.partner_id = ta.partner_id and sp.active
    join control.partner pa on pa.id = ta.partner_id and pa.status = 'active'
    left join control.data_key dk on dk.partner_id = pa.id
    where ta.expires_at > now();
end $$;

-- The account that issuer and subject stand for. One that is not bound yet is bound by its invitation, or by an
-- address of a proven domain that is an admin of this partner; both need an address that the provider has verified.
-- Super admins are never signed in by a partner's provider.
create function control.sso_account(p_partner uuid, p_issuer text, p_subject text, p_email text, p_domain text, p_invitation bytea) returns uuid
    language plpgsql security definer set search_path = ''
as $$
declare
    v_account uuid;
begin
    select ai.account_id into v_account from control.account_identity ai
    where ai.partner_id = p_partner and ai.issuer = p_issuer and ai.subject = p_subject;
    if p_invitation is not null and p_email is not null then
        select i.account_id into v_account from control.invitation(p_invitation) i
        where i.partner_id = p_partner and i.email = p_email and (v_account is null or v_account = i.account_id);
        if v_account is not null and not control.accept_invitation(p_invitation, null, null, null) then
            return null;
        end if;
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

-- What signing in leaves behind and nobody needs any more.
create function control.prune_sign_in() returns void
    language sql security definer set search_path = ''
begin atomic
    delete from control.attempt where window_start < now() - interval '1 day' and coalesce(blocked_until, '-infinity') < now() - interval '1 day';
    delete from control.ticket where expires_at < now() - interval '1 day';
    delete from control.sso_state where expires_at < now();
    delete from control.session where least(ended_at, expires_at) < now() - interval '90 days';
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname = any (array['take_sign_in', 'forget_sign_in', 'find_sign_in', 'open_session', 'use_code_step',
            'use_recovery_code', 'touch_sessions', 'keep_passes', 'my_account', 'my_support', 'note_account', 'copy_staff', 'save_me', 'staff_name', 'end_other_sessions', 'change_password',
            'my_sessions', 'end_my_session', 'ask_password_reset', 'redeem_password_ticket', 'invitation', 'accept_invitation',
            'create_sign_in_ticket', 'redeem_sign_in_ticket', 'begin_second_factor', 'confirm_second_factor', 'drop_second_factor',
            'reset_second_factor', 'data_key', 'sign_in_provider', 'save_sign_in_provider', 'remove_sign_in_provider', 'prove_sign_in_domain', 'find_provider',
            'begin_sso', 'take_sso', 'sso_account', 'prune_sign_in']) loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.take_sign_in, control.forget_sign_in, control.find_sign_in, control.open_session, control.use_code_step,
    control.use_recovery_code, control.touch_sessions, control.keep_passes, control.my_account, control.my_support, control.note_account, control.save_me, control.end_other_sessions, control.change_password,
    control.my_sessions, control.end_my_session, control.ask_password_reset, control.redeem_password_ticket, control.invitation,
    control.accept_invitation, control.create_sign_in_ticket, control.redeem_sign_in_ticket, control.begin_second_factor,
    control.confirm_second_factor, control.drop_second_factor, control.reset_second_factor, control.find_provider, control.begin_sso,
    control.take_sso, control.sso_account to pult_app;
grant execute on function control.staff_name, control.data_key, control.sign_in_provider, control.save_sign_in_provider, control.remove_sign_in_provider,
    control.prove_sign_in_domain to pult_tenant;
grant execute on function control.prune_sign_in to pult_platform;

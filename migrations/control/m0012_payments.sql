-- What the tax report calls each payment method, the state of a partner, and people on their way back from a provider of
-- card terminals.
alter table ref.payment_method add column ntak_payment_method text not null default 'EGYEB'
    check (ntak_payment_method in ('KESZPENZHUF', 'KESZPENZEUR', 'BANKKARTYA', 'SZEPKARTYA', 'VOUCHER', 'ATUTALAS', 'SZOBAHITEL', 'EGYEB'));
update ref.payment_method set ntak_payment_method = case payment_key
    when 'cash' then 'KESZPENZHUF' when 'card' then 'BANKKARTYA' when 'card_online' then 'BANKKARTYA'
    when 'szep_kartya' then 'SZEPKARTYA' when 'szep_kartya_online' then 'SZEPKARTYA' when 'voucher' then 'VOUCHER'
    when 'transfer' then 'ATUTALAS' when 'room_loan' then 'SZOBAHITEL' else 'EGYEB' end;

-- Somebody was sent to a provider's page to connect a restaurant's terminals; bound to the session and the restaurant.
create table control.terminal_state (
    hash          bytea primary key,
    partner_id    uuid not null references control.partner on delete cascade,
    restaurant_id uuid not null,
    session_id    uuid not null,
    -- A page of ours, to which the person comes back.
    return_to     text not null,
    expires_at    timestamptz not null
);
create index on control.terminal_state (expires_at);
alter table control.terminal_state enable row level security;
create policy own on control.terminal_state to pult_control using (partner_id = nullif(current_setting('pult.partner', true), '')::uuid);
create policy everything on control.terminal_state to pult_definer using (true) with check (true);
grant select, insert, delete on control.terminal_state to pult_definer;

-- The four below are called from inside a tenant transaction: the partner comes from the role.
create function control.partner_mode() returns text
    language sql stable security definer set search_path = ''
begin atomic select mode from control.partner where id = control.current_partner(); end;

create function control.begin_terminal_connect(p_hash bytea, p_restaurant uuid, p_session uuid, p_return_to text) returns void
    language plpgsql security definer set search_path = ''
as $$
begin
    delete from control.terminal_state where expires_at < now();
    insert into control.terminal_state (hash, partner_id, restaurant_id, session_id, return_to, expires_at)
    values (p_hash, control.current_partner(), p_restaurant, p_session, p_return_to, now() + interval '10 minutes');
end $$;

-- A state is taken once, whatever comes of it.
create function control.take_terminal_connect(p_hash bytea, p_restaurant uuid, p_session uuid) returns boolean
    language plpgsql security definer set search_path = ''
as $$
declare
    s control.terminal_state;
begin
    delete from control.terminal_state where hash = p_hash returning * into s;
    return coalesce(s.partner_id = control.current_partner() and s.restaurant_id = p_restaurant and s.session_id = p_session
        and s.expires_at > now(), false);
end $$;

-- Where the provider's page sends people back to. From outside a transaction of a tenant; nothing is taken.
create function control.terminal_return(p_hash bytea) returns text
    language sql stable security definer set search_path = ''
begin atomic select return_to from control.terminal_state where hash = p_hash and expires_at > now(); end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('partner_mode', 'begin_terminal_connect', 'take_terminal_connect', 'terminal_return') loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.partner_mode, control.begin_terminal_connect, control.take_terminal_connect to pult_tenant;
grant execute on function control.terminal_return to pult_app;

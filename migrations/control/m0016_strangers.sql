-- What a stranger, or somebody of another partner, must not be able to do.

-- What everybody knows about the owner of a password: the account's own names, address and partners that it has accepted; or, where an admin of
-- a partner sets it, no more than that partner knows.
create function control.password_words(p_account uuid, p_admin uuid, p_partner uuid) returns text[]
    language sql stable security definer set search_path = ''
begin atomic
    select coalesce(array_agg(distinct w.word) filter (where w.word <> ''), '{}')
    from (
        select unnest(array[ac.email, ac.first_name, ac.last_name]) from control.account ac where ac.id = p_account
        union all
        select unnest(array[ad.first_name, ad.last_name, pa.name]) from control.admin ad join control.partner pa on pa.id = ad.partner_id
        where ad.account_id = p_account and ad.status in ('active', 'locked')
        union all
        select unnest(array[ac.email, ad.first_name, ad.last_name]) from control.admin ad join control.account ac on ac.id = ad.account_id
        where ad.id = p_admin and ad.partner_id = p_partner
        union all
        select pa.name from control.partner pa where pa.id = p_partner
    ) w (word);
end;

-- Remembers the chosen restaurant; false for one that the account does not see.
create function control.choose_target(p_session uuid, p_account uuid, p_partner uuid, p_restaurant uuid, p_development boolean) returns boolean
    language sql security definer set search_path = ''
begin atomic
    with chosen as (
        update control.account set last_partner_id = p_partner, last_restaurant_id = p_restaurant
        where id = p_account and exists (
            select from control.targets(p_session, p_account, p_development) t join control.restaurant r on r.partner_id = t.partner_id
            where t.partner_id = p_partner and r.id = p_restaurant and r.archived_at is null
              and (t.restaurant_ids is null or r.id = any (t.restaurant_ids)))
        returning 1)
    select exists (select from chosen);
end;

-- Exchanges a code or a link for a secret, once, where the device is of the kind that asks (any, when none is said). What it
-- had before is dead. A device of another kind keeps its code, and only its kind is said. Being paired is not being there:
-- a device has been seen when it has come with its secret.
create function control.take_pairing(p_pairing bytea, p_hash bytea, p_address text, p_agent text, p_kind text) returns table (id uuid, kind text)
    language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
    return query update control.device d set hash = p_hash, old_hash = null, rotated_until = null, code_hash = null, link_hash = null,
        pairing_until = null, paired_at = now(), last_seen_at = null, address = p_address, user_agent = left(p_agent, 300)
    where (d.code_hash = p_pairing or d.link_hash = p_pairing) and d.pairing_until > now() and d.revoked_at is null
      and (p_kind is null or d.kind = p_kind)
    returning d.id, d.kind;
    if not found then
        return query select null::uuid, d.kind from control.device d
        where (d.code_hash = p_pairing or d.link_hash = p_pairing) and d.pairing_until > now() and d.revoked_at is null;
    end if;
end $$;

-- Why a super admin takes a partner's data along. An export that the partner has ordered for itself is mailed (`mail`) and
-- has none.
alter table control.export add column reason text;

-- The exports of the own company, and which of them the platform has ordered.
create function control.partner_exports()
    returns table (id uuid, status text, size_bytes bigint, created_at timestamptz, expires_at timestamptz, error text, own boolean, reason text)
    language sql stable security definer set search_path = ''
begin atomic
    select e.id, e.status, e.size_bytes, e.created_at, e.expires_at, e.error, e.mail, e.reason from control.export e
    where e.partner_id = control.current_partner() order by e.created_at desc, e.id limit 50;
end;

-- The file behind a link that has not expired, and for whom alone it is: nobody in particular when the partner ordered it.
create function control.export_source(p_id uuid) returns table (partner_id uuid, own boolean, account_id uuid)
    language sql stable security definer set search_path = ''
begin atomic
    select e.partner_id, e.mail, e.account_id from control.export e where e.id = p_id and e.status = 'ready' and e.expires_at > now();
end;

do $$
declare f regprocedure;
begin
    for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'control' and p.proname in ('password_words', 'choose_target', 'take_pairing', 'partner_exports', 'export_source')
    loop
        execute format('alter function %s owner to pult_definer', f);
        execute format('revoke all on function %s from public', f);
    end loop;
end $$;
grant execute on function control.password_words, control.choose_target, control.take_pairing, control.export_source to pult_app;
grant execute on function control.partner_exports to pult_tenant;

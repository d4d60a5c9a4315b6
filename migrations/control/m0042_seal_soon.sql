-- As in m0008, but a seal that waits for its turn after a start, up to a minute, is drawn near when lines were written. One
-- that has failed keeps its pause.
create or replace function control.enqueue_seals(p_partners uuid[]) returns void
    language sql security definer set search_path = ''
begin atomic
    insert into control.job as j (partner_id, kind, key, args, run_at)
    select pa.id, 'audit_seal', 'seal', '{}', case when p_partners is null then now() + random() * interval '1 minute' else now() end
    from control.partner pa where pa.status in ('active', 'suspended') and (p_partners is null or pa.id = any (p_partners)) order by pa.id
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting'
        do update set run_at = excluded.run_at where j.attempts = 0 and j.run_at > excluded.run_at;
    insert into control.job (kind, key)
    select 'audit_seal', 'seal'
    where exists (select from control.platform_audit a, control.platform_head h where a.at > h.sealed_at - interval '1 hour'
                  and not exists (select from control.audit_seal s where s.audit_id = a.id))
      and not exists (select from control.job j where j.kind = 'audit_seal' and j.partner_id is null and j.state = 'waiting');
    select pg_notify('pult_job', '') where exists (select from control.job j where j.kind = 'audit_seal' and j.state = 'waiting' and j.run_at <= now());
end;

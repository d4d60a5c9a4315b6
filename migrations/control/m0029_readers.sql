-- What crates that do not own these tables may read of them.
create view control.partner_facts with (security_invoker = true) as
    select id, name, mode, status from control.partner;
create view control.account_contact with (security_invoker = true) as
    select id, email, language, locked, super_admin from control.account;
-- People of a partner, without those who have left; `responsible` is who answers for the whole of it.
create view control.partner_person with (security_invoker = true) as
    select ad.partner_id, ad.account_id, ac.email, ac.language,
        ad.status = 'active' and ad.target_type = 'Partner' and ad.full_target_access as responsible
    from control.admin ad join control.account ac on ac.id = ad.account_id
    where ad.status <> 'archived';
create view control.partner_use with (security_invoker = true) as
    select pa.id as partner_id,
        (select count(*) from control.admin a where a.partner_id = pa.id and a.status <> 'archived') as users,
        greatest((select max(s.last_active_at) from control.admin a join control.session s on s.account_id = a.account_id
                  where a.partner_id = pa.id and a.status = 'active'),
                 (select max(k.last_used_at) from control.api_key k where k.partner_id = pa.id)) as last_activity_at
    from control.partner pa;
create view control.restaurant_entry with (security_invoker = true) as
    select id, partner_id, group_id, name, city, archived_at, archived_by from control.restaurant;
create view control.job_state with (security_invoker = true) as
    select id, kind, partner_id, state, attempts, last_error, run_at, created_at from control.job;
grant select on control.partner_facts, control.account_contact, control.partner_person, control.partner_use,
    control.restaurant_entry, control.job_state to pult_platform;

-- Accounts at providers of online payment: one for each purpose, currency and environment. An account that was replaced or
-- removed (archived_at) stays for questions about its payments and for refunds.
alter table provider_account
    add column purpose        text not null default 'card' check (purpose in ('card', 'szep')),
    add column currency       text not null default 'huf',
    add column environment    text not null default 'live' check (environment in ('live', 'test_host', 'stand_in')),
    add column state          text not null default 'unchecked' check (state in ('unchecked', 'checked', 'refused')),
    add column checked_at     timestamptz,
    -- The provider's code for the refusal, or why it could not be asked.
    add column check_code     text,
    -- The token of the address that the provider calls, sealed for this row.
    add column callback_token bytea,
    -- When the provider called last.
    add column called_at      timestamptz,
    add column version        bigint not null default 1,
    add column archived_at    timestamptz;

-- Of accounts that exist nobody knows more than the mode of their partner.
update provider_account a set currency = r.currency, environment = case
    when p.mode <> 'live' then 'stand_in' when r.sandbox_payment then 'test_host' else 'live' end
from restaurant r, control.partner p
where r.id = a.restaurant_id and p.role = current_schema();

alter table provider_account alter column environment drop default;
alter table provider_account drop constraint provider_account_restaurant_id_provider_key;
create unique index provider_account_one on provider_account (restaurant_id, provider, purpose, currency, environment)
    where archived_at is null;
create index on provider_account (restaurant_id);

-- The account that serves a method; none: the first of its purpose. A row of a method that is off keeps the choice.
alter table restaurant_payment_method
    add column account_id uuid references provider_account;
create index on restaurant_payment_method (account_id) where account_id is not null;

create or replace view restaurant_facts as
select r.id, r.restaurant_group_id, r.name, r.phone_1, r.timezone, r.currency, r.primary_language, r.secondary_language,
    r.vat_id, r.sit_in_vat_id, r.ntak_quantity_unit, r.catalogue_version, r.lct_enabled, r.archived_at,
    array(select f.feature from restaurant_feature f where f.restaurant_id = r.id order by 1) as features,
    r.contact_email, r.escalate_after_minutes, r.escalate_admins_after_minutes, r.ntak_category_id, r.sandbox_payment
from restaurant r;

-- The accounts that may serve a method that is paid online, in whatever environment.
create view serving_account as
select a.restaurant_id, m.id as payment_method_id, jsonb_agg(jsonb_build_object('id', a.id, 'provider', a.provider,
    'environment', a.environment, 'state', a.state, 'is_chosen', coalesce(a.id = e.account_id, false),
    'sandbox_payment', r.sandbox_payment)) as accounts
from provider_account a
join restaurant r on r.id = a.restaurant_id and r.currency = a.currency
join ref.payment_method m
    on m.payment_type = case a.purpose when 'szep' then 'szep_kartya_online' else 'card_online' end
left join restaurant_payment_method e on e.restaurant_id = a.restaurant_id and e.payment_method_id = m.id
where a.archived_at is null
group by a.restaurant_id, m.id;

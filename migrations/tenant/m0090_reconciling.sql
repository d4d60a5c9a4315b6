-- A partner that was brought back to a moment, or is a clone, asks for no money until a person lets it go on: what providers
-- have booked since that moment is not known here.
create table payment_pause (
    only_row   boolean primary key default true check (only_row),
    kind       text not null check (kind in ('restored', 'cloned')),
    -- The moment to which it went back.
    since      timestamptz not null,
    created_at timestamptz not null default now()
);

-- Through which accounts a method can be paid online; none while that is paused.
create or replace view serving_account as
select a.restaurant_id, m.id as payment_method_id, jsonb_agg(jsonb_build_object('id', a.id, 'provider', a.provider,
    'environment', a.environment, 'state', a.state, 'is_chosen', coalesce(a.id = e.account_id, false),
    'sandbox_payment', r.sandbox_payment)) as accounts
from provider_account a
join restaurant r on r.id = a.restaurant_id and r.currency = a.currency
join ref.payment_method m
    on m.payment_type = case a.purpose when 'szep' then 'szep_kartya_online' else 'card_online' end
left join restaurant_payment_method e on e.restaurant_id = a.restaurant_id and e.payment_method_id = m.id
where a.archived_at is null and not exists (select from payment_pause)
group by a.restaurant_id, m.id;

-- A business day's online payments beside the provider's word.
create table payment_reconciliation (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    day           date not null,
    state         text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
    -- Percent.
    progress      int not null default 0,
    -- The person who asked for it; none at night.
    actor_id      uuid,
    actor_name    text,
    payments      int not null default 0,
    created_at    timestamptz not null default now(),
    finished_at   timestamptz
);
create index on payment_reconciliation (restaurant_id, id desc);
create unique index payment_reconciliation_once on payment_reconciliation (restaurant_id, day)
    where state in ('waiting', 'running');

create table payment_reconciliation_line (
    id                uuid primary key,
    restaurant_id     uuid not null references restaurant,
    reconciliation_id uuid not null references payment_reconciliation,
    -- None of what only the provider knows.
    attempt_id        uuid references payment_attempt,
    provider          text not null,
    reference         text,
    currency          text not null,
    state             text,
    captured          numeric(12, 2) not null,
    refunded          numeric(12, 2) not null,
    seen_state        text,
    seen_amount       numeric(12, 2),
    seen_refunded     numeric(12, 2),
    fee               numeric(12, 2),
    difference        text check (difference in ('missing_there', 'missing_here', 'state', 'amount', 'refunded', 'not_asked')),
    -- Why it is no fault: it was booked just now, or a person says so.
    explained         text,
    explained_by      text
);
create index on payment_reconciliation_line (reconciliation_id, id);
create index on payment_reconciliation_line (attempt_id) where attempt_id is not null;
create index on payment_reconciliation_line (restaurant_id);

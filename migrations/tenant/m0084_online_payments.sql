-- Orders that are paid on a provider's page.
create table order_payment_page (
    order_id      uuid primary key references orders,
    restaurant_id uuid not null references restaurant,
    -- Where the guest goes on after the page of ours.
    return_url    text,
    -- When the order ends if it is not paid; a try moves it.
    pay_until     timestamptz not null,
    -- When it was paid or ended without: a day later the page is gone.
    ended_at      timestamptz,
    created_at    timestamptz not null
);
create index on order_payment_page (restaurant_id);

alter table payment_attempt
    -- The account at the provider, and whether money is real there.
    add column account_id  uuid,
    add column environment text check (environment in ('live', 'test_host', 'stand_in')),
    -- The money is only held until the order is accepted.
    add column hold        boolean not null default false,
    -- Where the guest pays.
    add column page_url    text,
    -- The provider was called from here on, as far as we know; one process calls it.
    add column claimed_at  timestamptz,
    -- How often the provider was asked in this state, and when last.
    add column asks        int not null default 0,
    add column asked_at    timestamptz,
    -- The provider contradicts what is written here: a person has to look.
    add column conflict    boolean not null default false,
    -- What the provider keeps for itself.
    add column fee         numeric(12, 2);
create index payment_attempt_online on payment_attempt (account_id, provider_ref) where account_id is not null;

alter table payment_refund
    -- When the provider was called; what had gone back before, by its own word.
    add column sent_at         timestamptz,
    add column refunded_before numeric(12, 2),
    -- Why the provider refused it.
    add column decline_code    text;

-- Payments of orders: a ledger of money that has moved; attempts and refunds, which have states; the drawer of cash.

alter table orders
    -- Accepted, nothing left to pay, and its time had come: the latest of the three. Never taken back.
    add column closed_at timestamptz,
    -- Share of the goods that is earned as points, as it was when the order was placed.
    add column point_cash_ratio numeric(5, 2) not null default 0;

-- More about a line of history: amounts and reasons from a list, nothing personal.
alter table order_history add column details jsonb;

-- One try to move money towards the restaurant.
create table payment_attempt (
    id                uuid primary key,
    restaurant_id     uuid not null references restaurant,
    order_id          uuid not null references orders,
    kind              text not null check (kind in ('by_hand', 'online', 'terminal')),
    payment_method_id uuid not null,
    payment_key       text not null,
    provider          text,
    account           text,
    terminal_id       uuid,
    -- What it covers of the order, in the order's currency, and the tip beside it.
    amount            numeric(12, 2) not null check (amount >= 0),
    tip               numeric(12, 2) not null default 0 check (tip >= 0),
    currency          text not null,
    -- Cash: what the guest gives, in which currency and at which rate.
    handed_currency   text not null,
    handed_over       numeric(12, 2),
    rate              numeric(8, 2),
    issuer            text check (issuer in ('otp', 'mbh', 'kh')),
    authorisation_number text,
    -- Who holds the money: this courier, else the restaurant.
    courier_id        uuid,
    payment_info      text,
    state             text not null check (state in ('created', 'pending', 'authorised', 'captured', 'failed', 'cancelled',
        'expired', 'refunded', 'unknown')),
    provider_ref      text,
    provider_state    text,
    decline_code      text,
    decline_text      text,
    card              jsonb,
    captured          numeric(12, 2) not null default 0 check (captured >= 0),
    refunded          numeric(12, 2) not null default 0 check (refunded between 0 and captured),
    -- Money came for a try that was closed, or another amount than was asked.
    late              boolean not null default false,
    amount_mismatch   boolean not null default false,
    assumed           boolean not null default false,
    actor_kind        text not null,
    actor_id          uuid,
    actor_name        text not null,
    surface           text not null,
    version           bigint not null default 1,
    created_at        timestamptz not null default now(),
    expires_at        timestamptz,
    final_at          timestamptz
);
create index on payment_attempt (order_id, id);
create index payment_attempt_open on payment_attempt (restaurant_id, id)
    where state in ('created', 'pending', 'authorised', 'unknown');

-- The lines of an order that a payment is for, by pieces.
create table payment_attempt_item (
    attempt_id    uuid not null references payment_attempt,
    order_item_id uuid not null references order_item,
    quantity      int not null check (quantity > 0),
    primary key (attempt_id, order_item_id)
);
create index on payment_attempt_item (order_item_id);

-- What happened to an attempt, as it was told; the digest keeps a repeated message from counting twice.
create table payment_event (
    id         bigint generated always as identity primary key,
    attempt_id uuid not null references payment_attempt,
    provider   text not null default '',
    source     text not null check (source in ('callback', 'query', 'terminal', 'person', 'call')),
    digest     text,
    state      text not null,
    body       jsonb not null default '{}',
    actor_name text,
    at         timestamptz not null default now()
);
create unique index on payment_event (provider, digest) where digest is not null;
create index on payment_event (attempt_id, id);

-- Money that goes back: asked, under way, done, failed, or unknown. Only a done one is a row of the ledger.
create table payment_refund (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    order_id      uuid not null references orders,
    attempt_id    uuid not null references payment_attempt,
    amount        numeric(12, 2) not null check (amount >= 0),
    tip           numeric(12, 2) not null default 0 check (tip >= 0),
    state         text not null check (state in ('created', 'pending', 'succeeded', 'failed', 'unknown')),
    reason        text,
    -- A storno asked for it, no person.
    by_storno     boolean not null default false,
    provider_ref  text,
    actor_kind    text not null,
    actor_id      uuid,
    actor_name    text not null,
    surface       text not null,
    approved_by   uuid,
    approved_by_name text,
    -- Who said that it is done, or that it did not work.
    done_by_name  text,
    version       bigint not null default 1,
    created_at    timestamptz not null default now(),
    final_at      timestamptz,
    check (amount + tip > 0)
);
create index on payment_refund (order_id);
create index on payment_refund (attempt_id);
create index payment_refund_open on payment_refund (restaurant_id, id) where state in ('created', 'pending', 'unknown');

-- The ledger. `value` is what it covers of the order, `rounding` what cash adds to that and to the tip; a refund is a
-- negative row that names the row it takes back.
alter table payable_transaction
    add column restaurant_id uuid references restaurant,
    add column attempt_id    uuid references payment_attempt,
    add column refund_id     uuid references payment_refund,
    add column refunds_id    uuid references payable_transaction,
    add column payment_key   text,
    add column rounding      numeric(12, 2) not null default 0,
    add column tip           numeric(12, 2) not null default 0,
    add column currency      text,
    -- Cash: what was handed over in `currency`, at which rate, and what went back of it in the order's currency.
    add column handed_over   numeric(12, 2),
    add column rate          numeric(8, 2),
    add column change_given  numeric(12, 2) not null default 0,
    add column courier_id    uuid,
    add column issuer        text,
    add column authorisation_number text,
    add column provider_ref  text,
    add column business_day  date,
    -- Nobody said so: it is believed because the day ended.
    add column assumed       boolean not null default false,
    add column actor_kind    text,
    add column actor_id      uuid,
    add column actor_name    text,
    add column surface       text;
create index payable_transaction_new on payable_transaction (restaurant_id, created_at);
create unique index on payable_transaction (refund_id) where refund_id is not null;
create unique index payable_transaction_attempt on payable_transaction (attempt_id)
    where attempt_id is not null and refunds_id is null;

-- A partial storno is a child order with negative quantities: each of its lines names the one it takes pieces of.
create index orders_parent on orders (order_parent_id) where order_parent_id is not null;
alter table order_item add column parent_item_id uuid references order_item;
create index order_item_parent on order_item (parent_item_id) where parent_item_id is not null;

-- Views for readers.
create view courier_name as select c.id, c.restaurant_id, c.name, c.archived_at from courier c;

-- What an order earned.
create index on shadow_customer_point (order_id) where order_id is not null;

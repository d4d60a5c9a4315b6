-- Messages of providers as they came, before anything is done with them.
create table callback (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    provider      text not null,
    -- The account at the provider that the address belongs to.
    account_id    uuid not null,
    -- SHA-256 of query and body: a message that comes again is the same one.
    digest        bytea not null,
    -- Whether the provider signed it. What is not signed says nothing by itself; it makes us ask.
    is_signed     boolean not null,
    query         text not null,
    body          bytea not null,
    received_at   timestamptz not null,
    worked_at     timestamptz,
    unique (account_id, digest)
);
create index on callback (restaurant_id);
create index on callback (received_at);

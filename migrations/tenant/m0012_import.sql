-- A menu that somebody is importing, or has imported: the file until it is applied (a day at most), what became of the
-- rehearsal, and for a day the way back.
create table menu_import (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    file_name     text not null,
    file_size     int not null check (file_size >= 0),
    -- The file as it came; gone when it is of no more use.
    file          bytea,
    -- What was chosen; null: what is recognised.
    sheet         text,
    header_row    int check (header_row >= 0),
    mapping       jsonb,
    skip_faulty   boolean not null default false,
    status        text not null default 'waiting' check (status in ('waiting', 'reading', 'ready', 'failed', 'applied', 'undone')),
    progress      int not null default 0 check (progress between 0 and 100),
    error         text check (error in ('kind', 'broken', 'too_large', 'locked', 'empty')),
    -- What was recognised and counted; the faults and the lines are lists of their own.
    summary       jsonb,
    faults        jsonb,
    lines         jsonb,
    -- The menu that the rehearsal was compared with.
    catalogue_version bigint,
    undo          jsonb,
    actor_name    text not null,
    version       bigint not null default 1,
    applied_at    timestamptz,
    undone_at     timestamptz,
    created_at    timestamptz not null default now()
);
create index on menu_import (restaurant_id, created_at);

-- Exports that somebody ordered by mail. The file lies outside, under the id.
create table export_request (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    export_email  text not null,
    export_type   text not null check (export_type in ('shadow_customer_export', 'order_export', 'order_item_export')),
    filter_type   text not null check (filter_type in ('created_at', 'expected_at')),
    -- Both null: everything.
    from_at       timestamptz,
    till_at       timestamptz,
    language      text not null check (language in ('hu', 'en')),
    status        text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed')),
    progress      int not null default 0 check (progress between 0 and 100),
    row_count     int,
    size_bytes    bigint,
    actor_name    text not null,
    expires_at    timestamptz,
    created_at    timestamptz not null default now(),
    check ((from_at is null) = (till_at is null)),
    check (till_at >= from_at)
);
create index on export_request (restaurant_id, created_at);

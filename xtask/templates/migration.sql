create table {{one}} (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    name          text not null,
    name_sec_lang text,
    kind          text not null check (kind in ('first', 'second')),
    price         numeric(12, 2) not null check (price >= 0),
    {{ref_column}} uuid references {{ref_one}},
    active        boolean not null default true,
    ranking       int not null default 0,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on {{one}} (restaurant_id, ranking);
create index on {{one}} ({{ref_id}});

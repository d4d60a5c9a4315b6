create table {{schema}}{{one}} (
    id            uuid primary key,
{{?restaurant}}
    restaurant_id uuid not null references restaurant,
{{/}}
{{?parent}}
    {{parent_column}} uuid not null references {{parent_one}},
{{/}}
    name          text not null,
    name_sec_lang text,
    kind          text not null check (kind in ('first', 'second')),
    price         numeric(12, 2) not null check (price >= 0),
    {{ref_column}} uuid references {{schema}}{{ref_one}},
    active        boolean not null default true,
    ranking       int not null default 0,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on {{schema}}{{one}} ({{place_columns}}ranking);
create index on {{schema}}{{one}} ({{ref_id}});
{{?platform}}
grant select, insert, update on control.{{one}} to pult_platform;
{{/}}

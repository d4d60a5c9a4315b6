-- The deposit of one bottle or can, by country, from a day on.
create table ref.deposit (
    id         uuid primary key,
    country    text not null check (country ~ '^[A-Z]{2}$'),
    currency   text not null,
    valid_from date not null,
    amount     numeric(12, 2) not null check (amount >= 0),
    unique (country, currency, valid_from)
);
insert into ref.deposit (id, country, currency, valid_from, amount)
values ('00000000-0000-7000-8000-000000000601', 'HU', 'huf', '2024-01-01', 50);

grant select on ref.deposit to public;
grant insert, update, delete on ref.deposit to pult_platform;

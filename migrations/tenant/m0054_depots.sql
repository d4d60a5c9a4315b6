-- Depots of restaurant groups. Each group has one from the beginning.
create table depot (
    id                  uuid primary key,
    restaurant_group_id uuid not null references restaurant_group,
    -- null: the usual name, Főraktár in a Hungarian restaurant, else Main store.
    name                text check (name <> ''),
    version             bigint not null default 1,
    archived_at         timestamptz,
    created_at          timestamptz not null default now()
);
create index on depot (restaurant_group_id, created_at, id);

insert into depot (id, restaurant_group_id) select gen_random_uuid(), g.id from restaurant_group g;

-- From where products are taken; null: as the level above says, in the end the group's oldest depot.
alter table product_category add column depot_id uuid references depot;
alter table product add column depot_id uuid references depot;

create view depot_place as
select d.id, d.restaurant_group_id, d.created_at from depot d where d.archived_at is null;

-- As before, with depots.
create or replace view record_name as
select id, id as restaurant_id, name, name as name_en from restaurant
union all select id, null, name, name from restaurant_group
union all select id, restaurant_id, name, name from product_category
union all select id, restaurant_id, name, name from product
union all select id, restaurant_id, name, name from subproduct
union all select id, restaurant_id, name, name from option_group
union all select id, restaurant_id, name, name from option
union all select id, restaurant_id, name, name from courier
union all select id, restaurant_id, name, name from card_terminal
union all select s.id, s.restaurant_id, coalesce(t.name, s.terminal_id), coalesce(t.name, s.terminal_id)
    from terminal_scheme s left join card_terminal t on t.restaurant_id = s.restaurant_id
        and t.terminal_type = s.terminal_type and t.terminal_id = s.terminal_id
union all select id, restaurant_id, name, name from media
union all select id, restaurant_id, name, name from kiosk
union all select id, restaurant_id, name, name from restaurant_tv
union all select id, restaurant_id, file_name, file_name from menu_import
union all select id, null, coalesce(name, 'Főraktár'), coalesce(name, 'Main store') from depot
union all select id, null, name, name from discount
union all select id, restaurant_id, name, coalesce(name_sec_lang, name) from delivery_region
union all select id, restaurant_id, name, name from delivery_street
union all select f.id, f.restaurant_id, p.name, p.name from featured_product f join product p on p.id = f.product_id
union all select u.id, u.restaurant_id, c.name, c.name from product_category_upsell u
    join product_category c on c.id = u.suggested_category_id
union all select id, null, name_local, name_en from ref.vat
union all select id, null, name, name_en from ref.allergen
union all select id, null, name, name_en from ref.pos_color
union all select id, null, name, name_en from ref.payment_method;

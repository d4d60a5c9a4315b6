-- Which category is suggested to a guest whose cart has something of another one; of any where none is named.
create table product_category_upsell (
    id                    uuid primary key,
    restaurant_id         uuid not null references restaurant,
    suggested_category_id uuid not null references product_category,
    product_category_id   uuid references product_category,
    version               bigint not null default 1,
    archived_at           timestamptz,
    created_at            timestamptz not null default now(),
    check (suggested_category_id is distinct from product_category_id)
);
create unique index on product_category_upsell (restaurant_id, suggested_category_id, product_category_id)
    nulls not distinct where archived_at is null;
create index on product_category_upsell (suggested_category_id);
create index on product_category_upsell (product_category_id);

-- As before, with featured products and upsells.
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

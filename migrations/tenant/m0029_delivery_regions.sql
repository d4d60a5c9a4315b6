-- Where a restaurant delivers, and for how much: regions with their streets and shapes on the map.

create table delivery_region (
    id              uuid primary key,
    restaurant_id   uuid not null references restaurant,
    name            text not null,
    name_sec_lang   text,
    active          boolean not null default true,
    price           numeric(12, 2) not null check (price between 0 and 10000000),
    -- Least list value of an order.
    min_order_price numeric(12, 2) not null check (min_order_price between 0 and 10000000),
    -- Strictly below this list value the delivery costs at least price_under_threshold.
    threshold_price numeric(12, 2) check (threshold_price between 0 and 10000000),
    price_under_threshold numeric(12, 2) check (price_under_threshold between 0 and 10000000),
    -- What a courier gets for a delivery.
    courier_price   numeric(12, 2) check (courier_price between 0 and 10000000),
    version         bigint not null default 1,
    archived_at     timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
create index on delivery_region (restaurant_id) where archived_at is null;

create table delivery_street (
    id              uuid primary key,
    restaurant_id   uuid not null references restaurant,
    delivery_region_id uuid not null references delivery_region,
    -- `*`: the whole of the postcode or city.
    name            text not null,
    -- The name, the postcode and the city as they are compared.
    name_key        text not null,
    postcode_key    text,
    city_key        text,
    description     text,
    postcode        text,
    city            text,
    -- null: the region's.
    price           numeric(12, 2) check (price between 0 and 10000000),
    active          boolean not null default true,
    legacy_id       text,
    version         bigint not null default 1,
    archived_at     timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
create unique index delivery_street_name on delivery_street (delivery_region_id, name_key, coalesce(postcode_key, ''), coalesce(city_key, ''))
    where archived_at is null;
create index delivery_street_found on delivery_street (restaurant_id, name_key) where archived_at is null;
create index delivery_street_postcode on delivery_street (restaurant_id, postcode_key) where archived_at is null and name_key = '*';
create index delivery_street_city on delivery_street (restaurant_id, city_key) where archived_at is null and name_key = '*';

create table delivery_polygon (
    id              uuid primary key,
    restaurant_id   uuid not null references restaurant,
    delivery_region_id uuid not null references delivery_region,
    polygon_type    text not null check (polygon_type in ('polygon', 'circle')),
    -- A ring, closed without saying so: latitude and longitude by turns. Empty for a circle.
    points          float8[] not null default '{}',
    center_lat      float8,
    center_lng      float8,
    -- Metres.
    radius          int check (radius between 1 and 100000),
    -- The box around it: only shapes whose box has a place are looked at.
    min_lat         float8 not null,
    max_lat         float8 not null,
    min_lng         float8 not null,
    max_lng         float8 not null,
    -- Square metres.
    area            bigint not null,
    version         bigint not null default 1,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now(),
    check (polygon_type = 'circle' and center_lat is not null and center_lng is not null and radius is not null and points = '{}'
        or polygon_type = 'polygon' and center_lat is null and center_lng is null and radius is null and cardinality(points) >= 6)
);
create index on delivery_polygon (restaurant_id, min_lat, max_lat, min_lng, max_lng);
create index on delivery_polygon (delivery_region_id);

-- Where an order goes, as it was found when it was placed.
alter table orders
    add column coord_lat float8,
    add column coord_lng float8,
    add column delivery_region_id uuid references delivery_region,
    add column delivery_region_name text,
    add column delivery_street text,
    -- shape, street, staff; outside and unknown where staff deliver without a region.
    add column delivery_found_by text check (delivery_found_by in ('shape', 'street', 'staff', 'outside', 'unknown')),
    -- The region's prices and the street's, as they were.
    add column delivery_prices jsonb,
    -- Who chose the region or let the order pass, and why.
    add column delivery_chosen_by uuid,
    add column delivery_chosen_by_name text,
    add column delivery_override_reason text,
    -- The region that the address leads to, where it is not that of the coordinates.
    add column delivery_address_region_id uuid references delivery_region,
    add column delivery_address_region_name text,
    add constraint order_coordinates check ((coord_lat is null) = (coord_lng is null));

-- Where orders went, without names: for the map of regions.
create view order_place as
select id, restaurant_id, business_day, created_at, coord_lat, coord_lng, delivery_region_id
from orders where coord_lat is not null and order_parent_id is null and archived_at is null and not is_test and business_day is not null;

-- As before, with regions and streets.
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
union all select id, null, name_local, name_en from ref.vat
union all select id, null, name, name_en from ref.allergen
union all select id, null, name, name_en from ref.pos_color
union all select id, null, name, name_en from ref.payment_method;

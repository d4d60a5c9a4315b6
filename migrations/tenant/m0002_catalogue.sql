-- The menu. What is null is inherited: sub-product, product, category, parent category, restaurant.
create table product_category (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    origin_id     uuid not null,
    parent_id     uuid references product_category,
    name          text not null,
    name_sec_lang text,
    description   text,
    description_sec_lang text,
    ranking       int not null default 0,
    active        boolean not null default true,
    visible_online boolean,
    visible_sit_in boolean,
    visible_phone  boolean,
    visible_kiosk_sit_in boolean,
    visible_kiosk_take_away boolean,
    available_from timestamptz,
    available_to   timestamptz,
    expected_at    timestamptz,
    time_ranges    jsonb,
    has_tip        boolean,
    vat_id         uuid,
    sit_in_vat_id  uuid,
    ntak_category_id uuid,
    ntak_quantity_unit text,
    pos_color_id   uuid,
    version        bigint not null default 1,
    archived_at    timestamptz,
    created_at     timestamptz not null default now(),
    unique (restaurant_id, origin_id)
);
create index on product_category (restaurant_id, parent_id, ranking);

create table product (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    origin_id     uuid not null,
    product_category_id uuid not null references product_category,
    name          text not null,
    name_sec_lang text,
    description   text,
    description_sec_lang text,
    ranking       int not null default 0,
    active        boolean not null default true,
    visible_online boolean,
    visible_sit_in boolean,
    visible_phone  boolean,
    visible_kiosk_sit_in boolean,
    visible_kiosk_take_away boolean,
    available_from timestamptz,
    available_to   timestamptz,
    expected_at    timestamptz,
    has_tip        boolean,
    vat_id         uuid,
    sit_in_vat_id  uuid,
    pos_color_id   uuid,
    ean_code       text,
    version        bigint not null default 1,
    archived_at    timestamptz,
    created_at     timestamptz not null default now(),
    unique (restaurant_id, origin_id)
);
create index on product (restaurant_id, product_category_id, ranking);

create table subproduct (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    origin_id     uuid not null,
    product_id    uuid not null references product,
    name          text not null,
    name_sec_lang text,
    description   text,
    description_sec_lang text,
    price         numeric(12, 2) not null check (price >= 0),
    ranking       int not null default 0,
    active        boolean not null default true,
    visible_online boolean,
    visible_sit_in boolean,
    visible_phone  boolean,
    visible_kiosk_sit_in boolean,
    visible_kiosk_take_away boolean,
    has_tip        boolean,
    vat_id         uuid,
    sit_in_vat_id  uuid,
    allergenic_ids uuid[] not null default '{}',
    ean_code       text,
    ntak_category_id uuid,
    ntak_quantity_unit text,
    ntak_quantity  numeric(12, 4),
    -- null: the feature is off for this item.
    sellable_quantity int check (sellable_quantity >= 0),
    archived_at    timestamptz,
    created_at     timestamptz not null default now(),
    unique (restaurant_id, origin_id)
);
create index on subproduct (restaurant_id);
create index on subproduct (product_id, ranking);

create table option_group (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    origin_id     uuid not null,
    name          text not null,
    name_sec_lang text,
    type          text not null check (type in ('exclusive', 'inclusive', 'min_max')),
    min_no_options int not null check (min_no_options >= 0),
    -- 0: no limit.
    max_no_options int not null check (max_no_options >= 0),
    ranking       int not null default 0,
    active        boolean not null default true,
    visible_online boolean,
    visible_sit_in boolean,
    visible_phone  boolean,
    visible_kiosk_sit_in boolean,
    visible_kiosk_take_away boolean,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now(),
    check (max_no_options = 0 or max_no_options >= min_no_options),
    unique (restaurant_id, origin_id)
);
create index on option_group (restaurant_id, ranking);

create table option (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    origin_id     uuid not null,
    option_group_id uuid not null references option_group,
    name          text not null,
    name_sec_lang text,
    price         numeric(12, 2) not null default 0 check (price >= 0),
    ranking       int not null default 0,
    active        boolean not null default true,
    visible_online boolean,
    visible_sit_in boolean,
    visible_phone  boolean,
    visible_kiosk_sit_in boolean,
    visible_kiosk_take_away boolean,
    allergenic_ids uuid[] not null default '{}',
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now(),
    unique (restaurant_id, origin_id)
);
create index on option (restaurant_id);
create index on option (option_group_id, ranking);

create table subproduct_option_group (
    subproduct_id   uuid not null references subproduct,
    option_group_id uuid not null references option_group,
    restaurant_id   uuid not null references restaurant,
    ranking         int not null default 0,
    primary key (subproduct_id, option_group_id)
);
create index on subproduct_option_group (restaurant_id);
create index on subproduct_option_group (option_group_id);

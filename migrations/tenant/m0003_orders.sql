-- Orders. Names, prices and VAT are copies: the catalogue may change afterwards.
create table orders (
    id              uuid primary key,
    restaurant_id   uuid not null references restaurant,
    counter         text,
    business_day    date,
    timezone        text not null,
    status          text not null check (status in ('received', 'succeeded', 'processed', 'prepared', 'canceled', 'expired', 'failed')),
    platform        text not null,
    locale          text not null default 'hu',
    pickup          boolean not null,
    is_preorder     boolean not null default false,
    is_test         boolean not null default false,
    order_parent_id uuid references orders,
    message         text,
    first_name      text,
    last_name       text,
    email           text,
    phone_1         text,
    payment_method_id uuid,
    currency        text not null,
    products_price  numeric(12, 2) not null,
    delivery_price  numeric(12, 2) not null default 0,
    discount_price  numeric(12, 2) not null default 0,
    original_price  numeric(12, 2) not null,
    service_fee     numeric(12, 2) not null default 0,
    tip             numeric(12, 2) not null default 0,
    employee_tip    numeric(12, 2) not null default 0,
    courier_tip     numeric(12, 2) not null default 0,
    system_usage_fee numeric(12, 2) not null default 0,
    total_price     numeric(12, 2) not null,
    vats            jsonb not null,
    explanation     jsonb not null,
    expected_at     timestamptz,
    show_at         timestamptz not null,
    delivery_time_minute int,
    table_id        uuid,
    table_name      text,
    admin_id        uuid,
    admin_name      text,
    courier_id      uuid,
    delivery_data   jsonb,
    api_key_id      uuid,
    external_id     text,
    version         bigint not null default 1,
    accepted_at     timestamptz,
    archived_at     timestamptz,
    archive_reason  text,
    archive_reason_text text,
    created_at      timestamptz not null default now()
);
create unique index order_external on orders (restaurant_id, api_key_id, external_id) where external_id is not null;
create unique index order_counter on orders (restaurant_id, business_day, counter) where counter is not null;
create index order_fresh on orders (restaurant_id, show_at) where archived_at is null and status in ('succeeded', 'processed');
create index on orders (restaurant_id, created_at);

create table order_item (
    id            uuid primary key,
    order_id      uuid not null references orders,
    ranking       int not null,
    subproduct_id uuid not null,
    product_name  text not null,
    product_name_sec_lang text,
    subproduct_name text not null,
    subproduct_name_sec_lang text,
    quantity      int not null,
    unit_price    numeric(12, 2) not null,
    total_price   numeric(12, 2) not null,
    vat_percent   numeric(5, 2) not null,
    net_price     numeric(12, 2) not null,
    vat_price     numeric(12, 2) not null,
    message       text
);
create index on order_item (order_id, ranking);

create table order_item_option (
    id            uuid primary key,
    order_item_id uuid not null references order_item,
    ranking       int not null,
    option_id     uuid not null,
    option_group_id uuid not null,
    group_name    text not null,
    option_name   text not null,
    option_name_sec_lang text,
    quantity      int not null,
    unit_price    numeric(12, 2) not null,
    total_price   numeric(12, 2) not null
);
create index on order_item_option (order_item_id, ranking);

-- Ledger: every change of state.
create table order_history (
    id       bigint generated always as identity primary key,
    order_id uuid not null references orders,
    status   text not null,
    at       timestamptz not null default now(),
    actor_kind text not null,
    actor_id uuid,
    actor_name text not null,
    surface  text not null
);
create index on order_history (order_id, id);

-- Ledger: payments and refunds (negative).
create table payable_transaction (
    id                uuid primary key,
    order_id          uuid not null references orders,
    payment_method_id uuid,
    value             numeric(12, 2) not null,
    status            text not null default 'succeeded',
    payment_info      text,
    paid_at           timestamptz,
    created_at        timestamptz not null default now()
);
create index on payable_transaction (order_id);

-- Products that a restaurant puts first, in its order. A product stands in it once.
create table featured_product (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    product_id    uuid not null references product,
    ranking       int not null default 0,
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create unique index on featured_product (restaurant_id, product_id) where archived_at is null;
create index on featured_product (product_id);

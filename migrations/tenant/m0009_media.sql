-- Pictures: one table for all; what shows one names its row. The bytes lie in the object store, in three
-- sizes, below public/<partner>/<token>/.
create table media (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    kind          text not null default 'image' check (kind in ('image')),
    name          text not null check (length(name) between 1 and 200),
    -- The unguessable part of the addresses. Copies of a restaurant may share it: objects go with the last row.
    token         text not null check (token ~ '^[0-9a-f]{32}$'),
    -- SHA-256 of what was uploaded.
    hash          bytea not null,
    -- Of the largest size, in pixels.
    width         int not null check (width > 0),
    height        int not null check (height > 0),
    -- Of all sizes together.
    bytes         bigint not null check (bytes > 0),
    created_at    timestamptz not null default now(),
    version       bigint not null default 1,
    archived_at   timestamptz
);
create index on media (restaurant_id, created_at) where archived_at is null;
create index on media (token);

alter table product
    add column image_id uuid references media;
create index on product (image_id) where image_id is not null;
alter table product_category
    add column image_web_id  uuid references media,
    add column image_app_id  uuid references media,
    add column image_desc_id uuid references media;
create index on product_category (image_web_id) where image_web_id is not null;
create index on product_category (image_app_id) where image_app_id is not null;
create index on product_category (image_desc_id) where image_desc_id is not null;

-- What shows which picture. A migration that adds another image field adds its rows here (create or replace view).
create view media_use with (security_invoker = true) as
    select image_id as media_id, 'products' as resource, id, name from product where image_id is not null and archived_at is null
    union all
    select i.media_id, 'product_categories', c.id, c.name
    from product_category c, unnest(array[c.image_web_id, c.image_app_id, c.image_desc_id]) i (media_id)
    where i.media_id is not null and c.archived_at is null;

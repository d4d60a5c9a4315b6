-- Kiosks and guest TVs; when an order became ready, for the boards that show it.
create table kiosk (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    name          text not null,
    -- Typed at the kiosk itself to open its settings; readable by who holds the key.
    pin           text not null check (pin ~ '^[0-9]{4,8}$'),
    version       bigint not null default 1,
    archived_at   timestamptz,
    created_at    timestamptz not null default now()
);
create index on kiosk (restaurant_id);
-- Its own name, so that a refusal can say which field it was.
create unique index kiosk_pin on kiosk (restaurant_id, pin) where archived_at is null;

create table restaurant_tv (
    id               uuid primary key,
    restaurant_id    uuid not null references restaurant,
    name             text not null,
    background_color text not null default '#10222b' check (background_color ~ '^#[0-9a-fA-F]{6}$'),
    -- Behind a veil of that colour, so that the numbers can be read on any picture.
    background_id    uuid references media,
    enable_sound     boolean not null default true,
    -- Which orders it shows.
    sit_in_order     boolean not null default true,
    take_away_order  boolean not null default true,
    online_order     boolean not null default true,
    phone_order      boolean not null default true,
    version          bigint not null default 1,
    archived_at      timestamptz,
    created_at       timestamptz not null default now()
);
create index on restaurant_tv (restaurant_id);
create index on restaurant_tv (background_id) where background_id is not null;
create or replace view media_use with (security_invoker = true) as
    select image_id as media_id, 'products' as resource, id, name from product where image_id is not null and archived_at is null
    union all
    select i.media_id, 'product_categories', c.id, c.name
    from product_category c, unnest(array[c.image_web_id, c.image_app_id, c.image_desc_id]) i (media_id)
    where i.media_id is not null and c.archived_at is null
    union all
    select background_id, 'restaurant_tvs', id, name from restaurant_tv where background_id is not null and archived_at is null;

alter table orders add column prepared_at timestamptz;
-- What a board asks for each time something happens: the orders that are being made or were ready lately.
create index order_board on orders (restaurant_id, accepted_at) where archived_at is null and status in ('processed', 'prepared');

-- Devices do things too: that one was paired stands in the log under its own name.
alter table audit drop constraint audit_actor_kind_check;
alter table audit add constraint audit_actor_kind_check check (actor_kind in ('admin', 'api_key', 'job', 'support', 'device'));

-- What rows of the menu are called in other systems: delivery platforms, the ordering integration, a till. Such an id is of
-- one row of its kind in the restaurant, but for the products of that till, which several options may be.
create table external_id (
    restaurant_id uuid not null references restaurant,
    entity_kind   text not null check (entity_kind in ('product', 'subproduct', 'option_group', 'option')),
    entity_id     uuid not null,
    platform      text not null
        check (platform in ('wolt', 'foodora', 'bolt', 'ordering', 'hiopos', 'hiopos_size', 'hiopos_product')),
    value         text not null check (value <> ''),
    primary key (entity_id, platform)
);
create unique index on external_id (restaurant_id, entity_kind, platform, value) where platform <> 'hiopos_product';
create index on external_id (restaurant_id, platform, value);

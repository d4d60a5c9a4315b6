-- Changes of the tax report's fields of many rows at once, with the way back, which is kept for a day.

create table ntak_change (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    -- How many rows of each kind.
    categories    int not null,
    products      int not null,
    subproducts   int not null,
    undo          jsonb,
    actor_name    text not null,
    created_at    timestamptz not null,
    undone_at     timestamptz
);
create index ntak_change_place on ntak_change (restaurant_id, created_at desc, id desc);

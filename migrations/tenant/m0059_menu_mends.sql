-- What one click has mended on a menu, with the way back, which is kept for a day.

create table menu_mend (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    rule          text not null,
    -- How many findings it put right.
    count         int not null,
    undo          jsonb,
    actor_name    text not null,
    created_at    timestamptz not null,
    undone_at     timestamptz
);
create index menu_mend_place on menu_mend (restaurant_id, created_at desc, id desc);

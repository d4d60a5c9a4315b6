-- Where a geocoder found guests' addresses. Of an address there is only a keyed digest, so nobody reads one here,
-- and no row leads to a guest.
create table delivery_place (
    address_key     bytea primary key,
    -- Degrees north and east; null: the geocoder knows no such place.
    lat             float8,
    lng             float8,
    kept_until      timestamptz not null,
    check ((lat is null) = (lng is null))
);
create index on delivery_place (kept_until);

-- geocoded: by a geocoder's place of the address, which the coordinates are then.
alter table orders drop constraint orders_delivery_found_by_check;
alter table orders add constraint orders_delivery_found_by_check
    check (delivery_found_by in ('shape', 'street', 'geocoded', 'staff', 'outside', 'unknown'));

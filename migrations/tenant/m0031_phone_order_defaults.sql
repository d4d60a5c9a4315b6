-- What an order on the phone begins with.

alter table pos_config
    -- The region of a delivery whose place is not known.
    add column default_delivery_region_id uuid references delivery_region,
    -- Key of a row of ref.payment_method.
    add column default_payment_method text;

-- The live regions of a restaurant, for those who name one.
create view delivery_region_name as
select id, restaurant_id, name, active from delivery_region where archived_at is null;

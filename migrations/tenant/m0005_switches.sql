-- The fields of a restaurant that super admins switch, and groups that several people edit.
alter table restaurant_group
    add column version bigint not null default 1;

alter table restaurant
    add column enable_kitchen_queue       boolean not null default false,
    add column autoqueue                  boolean not null default false,
    add column floor_map                  boolean not null default false,
    add column save_to_aws                boolean not null default false,
    add column offline_backend_enabled    boolean not null default false,
    add column lct_enabled                boolean not null default false,
    add column sandbox_payment            boolean not null default false,
    add column is_courier_tip_available   boolean not null default false,
    add column is_loyalty_card_available  boolean not null default false,
    -- Whether a delivery's region is found by coordinates or by postcode and street.
    add column delivery_method            text not null default 'street_based' check (delivery_method in ('gps_based', 'street_based')),
    add column ntak_category_id           uuid,
    add column ntak_quantity_unit         text;

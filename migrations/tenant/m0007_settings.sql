-- Settings of a restaurant: holidays that several people edit, an SOS close that ends by itself, the place on
-- the map, points, legal data, socials, and what the guide remembers.
alter table restaurant_holiday
    add column version bigint not null default 1,
    add check (valid_from <= valid_till),
    add check ((open_at is null) = (close_at is null));

alter table restaurant
    -- Of the week in opening_hours.
    add column opening_hours_version bigint not null default 1,
    -- SOS close ends here; null is "until somebody opens again". Means something only while temp_no_orders is set.
    add column temp_no_orders_until timestamptz,
    add column point_cash_ratio     numeric(5, 2) not null default 0 check (point_cash_ratio between 0 and 100),
    add column coord_lat            double precision check (coord_lat between -90 and 90),
    add column coord_lng            double precision check (coord_lng between -180 and 180),
    add column guide_dismissed_at   timestamptz,
    add check ((coord_lat is null) = (coord_lng is null));

-- The company behind the restaurant: at most one row each.
create table restaurant_legal (
    restaurant_id uuid primary key references restaurant,
    company_name  text not null check (length(company_name) >= 3),
    tax_num       text not null check (length(tax_num) >= 8),
    address       text not null check (length(address) >= 10),
    phone_1       text,
    contact_email text,
    version       bigint not null default 1
);

-- Addresses on the networks: at most one row each.
create table restaurant_socials (
    restaurant_id uuid primary key references restaurant,
    facebook      text check (starts_with(facebook, 'https://')),
    instagram     text check (starts_with(instagram, 'https://')),
    youtube       text check (starts_with(youtube, 'https://')),
    twitter       text check (starts_with(twitter, 'https://')),
    blog          text check (starts_with(blog, 'https://')),
    tumblr        text check (starts_with(tumblr, 'https://')),
    version       bigint not null default 1
);

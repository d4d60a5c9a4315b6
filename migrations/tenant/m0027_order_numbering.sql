-- Numbers of orders are the orders' own; `restaurant_counter` numbers events.
-- The row of a restaurant is written with its first order, and locked at the end of a transaction, before the
-- row of `restaurant_counter`.
create table order_numbering (
    restaurant_id uuid primary key references restaurant,
    business_day  date,
    -- When that day ends, by the settings with which it began: changed ones hold from the next day.
    day_ends_at   timestamptz,
    order_number  int not null default 0,
    -- Test orders are numbered by themselves.
    test_day      date,
    test_number   int not null default 0
);
insert into order_numbering (restaurant_id, business_day, day_ends_at, order_number, test_day, test_number)
    select restaurant_id, business_day, day_ends_at, order_number, test_day, test_number from restaurant_counter
    where business_day is not null or test_day is not null;
alter table restaurant_counter
    drop column business_day,
    drop column day_ends_at,
    drop column order_number,
    drop column test_day,
    drop column test_number;

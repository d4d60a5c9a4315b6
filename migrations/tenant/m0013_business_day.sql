-- When the business day of the counter ends, by the settings with which it began: changed ones hold from the
-- next day. Null before the first order.
alter table restaurant_counter add column day_ends_at timestamptz;

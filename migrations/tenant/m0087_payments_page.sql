-- Somebody has looked at what was odd about a payment: until something new happens, it wants no attention.
alter table payment_attempt add column looked_at timestamptz;
create index payment_attempt_newest on payment_attempt (restaurant_id, id desc);
-- By it what is older than 90 days is removed.
create index on payment_event (at);

-- A list's count leaves out the few customers who were archived or merged. An order changes neither, so it costs it
-- nothing.
create index shadow_customer_gone on shadow_customer (id) where archived_at is not null or merged_into is not null;

-- Three other indexes begin with the restaurant. Each order would write this one too, and the count of a restaurant's
-- customers reads an index alone once this one is no cheaper choice.
drop index shadow_customer_restaurant_restaurant_id_idx;

-- The name under which an item was ordered: product and size, the size only where it says more. Items of earlier
-- orders have none; theirs is made of both names when they are read.
alter table order_item
    add column name text,
    add column name_sec_lang text;

-- Ready orders of the last hours: a wrong call is found and taken back.
create index order_ready on orders (restaurant_id, prepared_at) where status = 'prepared' and archived_at is null;

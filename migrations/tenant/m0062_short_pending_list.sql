-- What lists look for in orders is added to the index in batches. With the batch of Postgres' default (4 MB) one order in ten
-- thousand waits for a quarter of a second until it is added, and with it all others, because its number is locked by then.
-- Small batches cost the same in all, none takes longer than some milliseconds, and searches have less to read besides the index.
alter index order_entry_words set (gin_pending_list_limit = 64);

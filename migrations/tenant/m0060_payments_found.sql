-- Payments that are assumed, and what one of them is taken back by, are few among all: the drawer finds them without
-- reading the others.
create index payable_transaction_assumed on payable_transaction (restaurant_id) where assumed and refunds_id is null;
create index payable_transaction_refunds on payable_transaction (refunds_id) where refunds_id is not null;

-- A closed order that a change made dearer owes money again, and stays closed: the drawer finds it by this.
alter table orders add column due_again boolean not null default false;
create index orders_due_again on orders (restaurant_id, expected_at) where due_again;

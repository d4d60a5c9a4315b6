-- Orders whose items were changed: a new order takes the place of the old one, which is archived. What stayed of it, and
-- the money that goes with it.
alter table orders
    add column replaces_id    uuid references orders,
    add column replaced_by_id uuid references orders,
    -- Whether somebody vouched for its customer when it was placed; null in orders of earlier releases.
    add column vouched        boolean;
-- An order is replaced once.
create unique index orders_replaces on orders (replaces_id) where replaces_id is not null;

-- The line came when items were changed.
alter table order_item add column is_new boolean not null default false;

-- The pieces of a line that the order before had, by the line that had them.
create table order_item_kept (
    order_item_id uuid not null references order_item,
    old_item_id   uuid not null references order_item,
    quantity      int not null check (quantity > 0),
    primary key (order_item_id, old_item_id)
);
create index on order_item_kept (old_item_id);

-- Money that goes from an order to the one that replaces it: a row below zero there and one above zero here, of one
-- instant. Nobody has taken or given any, so no drawer counts them. The attempt goes along: it has one row an order.
alter table payable_transaction add column moved boolean not null default false;
drop index payable_transaction_attempt;
create unique index payable_transaction_attempt on payable_transaction (attempt_id, order_id)
    where attempt_id is not null and refunds_id is null;

-- Orders of customers, as m0030 says: `replaced_by_id` is the order that stands for it by now.
create or replace view customer_order as
select o.id, o.customer_id, o.restaurant_id, o.order_parent_id, o.counter, o.status, o.platform, o.pickup, o.is_preorder,
    o.created_at, o.business_day, o.expected_at, o.total_price, o.currency, o.payment_method_id, o.archived_at,
    o.delivery_data,
    not o.is_test and o.archived_at is null and o.status in ('succeeded', 'processed', 'prepared') as counts,
    not o.is_test and o.status in ('succeeded', 'processed', 'prepared') as placed,
    not o.is_test and o.archived_at is null and o.status in ('received', 'succeeded', 'processed') as under_way,
    o.replaced_by_id
from orders o where o.customer_id is not null;

-- The mail to the guest of a changed order.
alter table order_email drop constraint order_email_kind_check;
alter table order_email add constraint order_email_kind_check
    check (kind in ('received', 'accepted', 'replaced', 'taken_back', 'refused', 'notification', 'not_accepted'));

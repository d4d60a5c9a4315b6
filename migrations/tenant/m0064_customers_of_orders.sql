-- Whose an order is, for those who read orders at this restaurant: the customer who stands for the one of the order, with the
-- number of orders here. Nothing that lies behind the PIN.
create view order_customer as
select c.id as customer_id, h.restaurant_id, w.id, w.name, h.order_number
from shadow_customer c
join shadow_customer w on w.id = coalesce(c.root_id, c.id) and w.archived_at is null
join shadow_customer_restaurant h on h.shadow_customer_id = w.id;

-- Change for cash in another currency stands apart from refunds. Closes keep what should have been there: only what
-- `given_back` mixed is told apart, by the rows that each close has counted.
alter table drawer_close_line add column change_given numeric(12, 2) not null default 0;

update drawer_close_line l set change_given = c.change_given, given_back = l.given_back - c.change_given
from (
    select x.close_id, o.currency, -sum(t.change_given) change_given
    from drawer_close_row x
        join payable_transaction t on t.id = x.row_id
        join orders o on o.id = t.order_id
    where t.currency <> o.currency and t.change_given <> 0 and not o.is_test
    group by x.close_id, o.currency
) c
where l.close_id = c.close_id and l.payment_key = 'cash' and l.currency = c.currency;

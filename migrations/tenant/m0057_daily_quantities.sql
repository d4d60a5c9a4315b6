-- A quantity that refills by itself when the business day begins, and sizes that are off until then. What has ended by
-- the clock stays until the next change of the row; pieces_left says what holds at a moment.
alter table subproduct
    -- So many pieces each business day; null: nothing refills.
    add column daily_quantity int check (daily_quantity between 1 and 100000),
    -- The first instant at which sellable_quantity no longer holds and daily_quantity does.
    add column refill_at timestamptz,
    -- Off until then; null or past: not off for today.
    add column off_until timestamptz,
    -- Rises with each change that people make of what is left, not with orders.
    add column quantity_version bigint not null default 1,
    add constraint subproduct_daily check ((daily_quantity is null) = (refill_at is null)
        and (daily_quantity is null or sellable_quantity is not null));

-- Pieces that may be sold at this moment; null: nobody counts.
create function pieces_left(p_quantity int, p_daily int, p_refill_at timestamptz, p_off_until timestamptz,
    p_at timestamptz) returns int language sql immutable parallel safe
return case when p_off_until > p_at then 0 when p_refill_at <= p_at then p_daily else p_quantity end;

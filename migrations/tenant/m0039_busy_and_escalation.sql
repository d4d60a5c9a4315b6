-- Busy: for a while orders take longer. And orders that nobody accepts are told of to more and more people.

alter table restaurant
    -- So many minutes more until then. What has ended by the clock stays until the next change.
    add column busy_minutes int check (busy_minutes in (10, 20, 30)),
    add column busy_until timestamptz,
    add constraint restaurant_busy check ((busy_minutes is null) = (busy_until is null)),
    -- An order that waits so long to be accepted reaches the second level, and so long after that the third; null is
    -- never. Restaurants that were here before begin without, so that nobody gets mails that nobody asked for.
    add column escalate_after_minutes int check (escalate_after_minutes between 1 and 120),
    add column escalate_admins_after_minutes int check (escalate_admins_after_minutes between 1 and 120);
alter table restaurant
    alter column escalate_after_minutes set default 5,
    alter column escalate_admins_after_minutes set default 10;

alter table orders
    -- From when it could be accepted: the later of its arrival and show_at. Null before it has arrived, and in orders of
    -- earlier releases.
    add column visible_at timestamptz,
    -- When the last acceptance was taken back.
    add column taken_back_at timestamptz,
    -- How long it waited to be accepted, from visible_at. Null while it is not accepted, and when it was before.
    add column accept_seconds int check (accept_seconds >= 0),
    add column escalation_level int not null default 1 check (escalation_level between 1 and 3),
    add column escalated_at timestamptz;
-- The orders of a day, for how long they waited.
create index orders_visible on orders (restaurant_id, visible_at) where visible_at is not null and not is_test;

-- The restaurant is mailed about an order that nobody accepts.
alter table order_email drop constraint order_email_kind_check;
alter table order_email add constraint order_email_kind_check
    check (kind in ('received', 'accepted', 'taken_back', 'refused', 'notification', 'not_accepted'));

create or replace view restaurant_facts as
select r.id, r.restaurant_group_id, r.name, r.phone_1, r.timezone, r.currency, r.primary_language, r.secondary_language,
    r.vat_id, r.sit_in_vat_id, r.ntak_quantity_unit, r.catalogue_version, r.lct_enabled, r.archived_at,
    array(select f.feature from restaurant_feature f where f.restaurant_id = r.id order by 1) as features,
    r.contact_email, r.escalate_after_minutes, r.escalate_admins_after_minutes
from restaurant r;

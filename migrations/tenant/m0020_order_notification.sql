-- The restaurant itself gets a mail about an order, with a text of its own, at the address that it names to its guests.
alter table order_email drop constraint order_email_kind_check;
alter table order_email add constraint order_email_kind_check
    check (kind in ('received', 'accepted', 'taken_back', 'refused', 'notification'));

create or replace view restaurant_facts as
select r.id, r.restaurant_group_id, r.name, r.phone_1, r.timezone, r.currency, r.primary_language, r.secondary_language,
    r.vat_id, r.sit_in_vat_id, r.ntak_quantity_unit, r.catalogue_version, r.lct_enabled, r.archived_at,
    array(select f.feature from restaurant_feature f where f.restaurant_id = r.id order by 1) as features,
    r.contact_email
from restaurant r;

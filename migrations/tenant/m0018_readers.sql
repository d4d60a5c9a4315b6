-- Views for readers: what other parts of the service may join of a table that is not theirs. They name columns
-- that stay; the table behind them may change. Nobody writes through them.

create view restaurant_facts as
select r.id, r.restaurant_group_id, r.name, r.phone_1, r.timezone, r.currency, r.primary_language, r.secondary_language,
    r.vat_id, r.sit_in_vat_id, r.ntak_quantity_unit, r.catalogue_version, r.lct_enabled, r.archived_at,
    array(select f.feature from restaurant_feature f where f.restaurant_id = r.id order by 1) as features
from restaurant r;

create view kiosk_name as select k.id, k.restaurant_id, k.name, k.archived_at from kiosk k;

create view staff_contact as select s.admin_id, s.name, s.email, s.archived from staff s;

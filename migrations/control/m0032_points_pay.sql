-- Orders are paid with points too; what balance and points wait for is a feature of the restaurant.
insert into ref.payment_method (id, payment_key, payment_type, name, name_en, short_name, paid_online, always_available,
    has_callback, type_web, type_app, type_phone, type_in_place, type_delivery)
values ('00000000-0000-7000-8000-00000000040b', 'points', 'other', 'Pontok', 'Points', 'PONT', false, false, false, false,
    false, true, true, false);

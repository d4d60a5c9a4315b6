-- What the log's readers call a record that a line names by its id. Archived records keep their names.
create view record_name as
select id, name, name as name_en from restaurant
union all select id, name, name from restaurant_group
union all select admin_id, name, name from staff
union all select id, name, name from product_category
union all select id, name, name from product
union all select id, name, name from subproduct
union all select id, name, name from option_group
union all select id, name, name from option
union all select id, name, name from courier
union all select id, name, name from card_terminal
union all select id, name, name from media
union all select id, name, name from kiosk
union all select id, name, name from restaurant_tv
union all select id, name_local, name_en from ref.vat
union all select id, name, name_en from ref.allergen
union all select id, name, name_en from ref.pos_color;

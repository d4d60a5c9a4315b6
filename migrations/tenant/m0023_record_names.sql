-- What the log's readers call a record that a line names by its id, with the restaurant that it belongs to; null where it is
-- everybody's. Archived records keep their names. People, devices and API keys are known to control.record_names.
create view record_name as
select id, id as restaurant_id, name, name as name_en from restaurant
union all select id, null, name, name from restaurant_group
union all select id, restaurant_id, name, name from product_category
union all select id, restaurant_id, name, name from product
union all select id, restaurant_id, name, name from subproduct
union all select id, restaurant_id, name, name from option_group
union all select id, restaurant_id, name, name from option
union all select id, restaurant_id, name, name from courier
union all select id, restaurant_id, name, name from card_terminal
union all select s.id, s.restaurant_id, coalesce(t.name, s.terminal_id), coalesce(t.name, s.terminal_id)
    from terminal_scheme s left join card_terminal t on t.restaurant_id = s.restaurant_id
        and t.terminal_type = s.terminal_type and t.terminal_id = s.terminal_id
union all select id, restaurant_id, name, name from media
union all select id, restaurant_id, name, name from kiosk
union all select id, restaurant_id, name, name from restaurant_tv
union all select id, restaurant_id, file_name, file_name from menu_import
union all select id, null, name_local, name_en from ref.vat
union all select id, null, name, name_en from ref.allergen
union all select id, null, name, name_en from ref.pos_color
union all select id, null, name, name_en from ref.payment_method;

-- Pictures that third parties may read with an API key: only those that the restaurant has marked.
alter table media add column is_public boolean not null default false;
create index on media (restaurant_id, created_at) where is_public and archived_at is null;

-- Which payment methods a restaurant takes, for each of the two screens that show them: `web` is for orders of the page and
-- the app, `pos` for those of the phone and in the restaurant. What was taken is taken wherever the method can be used.
-- Both are on by default, as a service that does not know them yet enables methods.
alter table restaurant_payment_method add column web boolean not null default true, add column pos boolean not null default true;
update restaurant_payment_method e set web = m.type_web or m.type_app, pos = m.type_phone or m.type_in_place
from ref.payment_method m where m.id = e.payment_method_id;

-- The guide asks for the methods themselves.
alter table payment_settings drop column methods_set_at;

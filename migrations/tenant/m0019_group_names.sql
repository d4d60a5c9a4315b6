-- The names of a partner's groups, for those who may not read the table.
create view restaurant_group_name as select g.id, g.name from restaurant_group g where g.archived_at is null;

-- Raises the version of what guests see of a restaurant, for parts of the service that lie below the restaurants.
create function raise_catalogue_version(p_restaurant uuid) returns void language sql
begin atomic
    update restaurant set catalogue_version = catalogue_version + 1 where id = p_restaurant;
end;

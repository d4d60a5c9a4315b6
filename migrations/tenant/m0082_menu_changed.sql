-- Raises the version of what guests see for a change that was prepared on this version; false when another came between.
create function raise_catalogue_version_from(p_restaurant uuid, p_version bigint) returns boolean language sql
begin atomic
    with raised as (
        update restaurant set catalogue_version = catalogue_version + 1
        where id = p_restaurant and catalogue_version = p_version returning 1)
    select exists (select from raised);
end;

//! Rights that Postgres grants to everybody and that a partner's role must not have. See
//! `docs/decisions/tenancy.md#what-a-role-can-reach`.

use sea_orm::DbErr;

use crate::door::Door;

/// Takes from everybody what would lead out of a partner's schema within one statement. Run with each
/// migration: a newer Postgres, a restored database or somebody else's GRANT may have brought something back.
/// Only the owner of the catalogue (the server's first superuser) can; for others it changes nothing.
///
/// - what changes the role or the path: `set_config`, UPDATE of `pg_settings`;
/// - what runs a text, a cursor or a whole schema: it would do so with the rights of the moment;
/// - large objects, which lie beside all schemas;
/// - what names and counts others' tables: the catalogue but what a driver asks about types, statistics,
///   sizes, definitions.
pub(crate) const REVOKE_PUBLIC_RIGHTS: &str = "do $$
declare
    relations text;
    functions text;
begin
    if not pg_has_role(current_user, (select proowner from pg_proc where oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure), 'usage') then
        return;
    end if;
    select string_agg(c.oid::regclass::text, ', ') into relations
    from pg_class c
    where c.relnamespace = 'pg_catalog'::regnamespace and c.relkind in ('r', 'v')
      and c.relname not in ('pg_type', 'pg_enum', 'pg_range', 'pg_attribute')
      and exists (select from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a where a.grantee = 0);
    if relations is not null then
        execute format('revoke all on %s from public', relations);
        execute format('grant select on %s to pult_owner, pg_monitor, pg_read_all_data', relations);
    end if;
    select string_agg(p.oid::regprocedure::text, ', ') into functions
    from pg_proc p
    where p.prokind = 'f'
      and (p.pronamespace = 'pg_catalog'::regnamespace and (p.oid = 'pg_catalog.ts_rewrite(tsquery, text)'::regprocedure
              or p.proname ~ '^(set_config|(query|cursor|table|schema|database)_to_xml.*|ts_stat|lo_.*|loread|lowrite|pg_stat_get_.*|pg_get_.*def|pg_get_function_sqlbody|pg_(relation|table|indexes|total_relation|database|tablespace)_size)$')
           or p.proname ~ '^(dblink.*|crosstab.*|connectby|xpath_table)$' and exists (select from pg_depend d
               where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'))
      and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0);
    if functions is not null then
        execute format('revoke execute on function %s from public', functions);
        execute format('grant execute on function %s to pult_owner, pg_monitor, pg_read_all_data', functions);
    end if;
    revoke usage on language plpgsql from public;
    grant usage on language plpgsql to pult_owner;
    -- The previous release enters a job's partner as pult_platform; the one after this takes that from it.
    grant execute on function pg_catalog.set_config(text, text, boolean) to pult_app, pult_platform;
    -- The list of partners says how much room each takes.
    grant select on pg_catalog.pg_class to pult_platform;
    grant execute on function pg_catalog.pg_total_relation_size(regclass) to pult_platform;
end $$";

/// One of each kind.
const GAPS: &str = "select name from unnest(array['set_config(text, text, boolean)', 'query_to_xml(text, \
    boolean, boolean, text)', \
        'table_to_xml(regclass, boolean, boolean, text)', 'ts_stat(text)', 'lo_get(oid)', \
        'pg_relation_size(regclass, text)', \
        'pg_stat_get_live_tuples(oid)']) with ordinality f (name, place) \
        where has_function_privilege('pult_tenant', 'pg_catalog.' || name, 'execute') \
    union all select 'pg_class' where has_table_privilege('pult_tenant', 'pg_catalog.pg_class', 'select')";

impl Door {
    /// What this Postgres leaves to partners' roles of that which would lead out of their schemas; nothing
    /// when all of it was taken.
    pub async fn gaps(&self) -> Result<Vec<String>, DbErr> {
        let names: Vec<String> = self.values(GAPS, []).await?;
        Ok(names.iter().map(|name| name.split('(').next().unwrap_or_default().to_owned()).collect())
    }
}

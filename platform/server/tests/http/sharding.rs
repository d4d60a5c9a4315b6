//! Schemas that may be spread over several servers: what Citus' schema-based sharding refuses must not come into
//! partners' schemas, and what stands in its way today must not grow. See `docs/past-one-machine.md#citus`.

use std::collections::BTreeSet;

use regex::Regex;
use testkit::{Kit, kit};

use super::statements::{Sql, statements};

/// What a partner's schema must not have, as queries that name it. A schema lies on one server as a whole; what
/// binds it to another schema, or what Citus does not take over to that server, is refused there.
const REFUSED: &[(&str, &str)] = &[
    (
        "a foreign key out of the schema or into it",
        "select k.conrelid::regclass || ' ' || k.conname from pg_constraint k join pg_class c on c.oid = \
         k.conrelid join pg_class d on d.oid = k.confrelid where k.contype = 'f' and c.relnamespace <> \
         d.relnamespace and $1::regnamespace in (c.relnamespace, d.relnamespace)",
    ),
    (
        "a trigger",
        "select t.tgrelid::regclass || ' ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid \
         where not t.tgisinternal and c.relnamespace = $1::regnamespace",
    ),
    (
        "a rule",
        "select r.ev_class::regclass || ' ' || r.rulename from pg_rewrite r join pg_class c on c.oid = \
         r.ev_class where r.rulename <> '_RETURN' and c.relnamespace = $1::regnamespace",
    ),
    (
        "a foreign or partitioned table, or a materialised view",
        "select oid::regclass::text from pg_class where relkind in ('f', 'p', 'm') and relnamespace = \
         $1::regnamespace",
    ),
    (
        "a table that inherits, or one of a type",
        "select c.oid::regclass::text from pg_class c where c.relnamespace = $1::regnamespace and (c.reloftype \
         <> 0 or c.relkind = 'r' and exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)))",
    ),
    (
        "a table without a primary key",
        "select c.oid::regclass::text from pg_class c where c.relkind = 'r' and c.relnamespace = \
         $1::regnamespace and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)",
    ),
    (
        "a sequence below bigint",
        "select s.seqrelid::regclass::text from pg_sequence s join pg_class c on c.oid = s.seqrelid where \
         s.seqtypid <> 'bigint'::regtype and c.relnamespace = $1::regnamespace",
    ),
    (
        "a type of its own",
        "select t.typname::text from pg_type t left join pg_class c on c.oid = t.typrelid where t.typnamespace = \
         $1::regnamespace and (t.typtype in ('e', 'd', 'r', 'm') or c.relkind = 'c')",
    ),
    (
        "row security",
        "select oid::regclass::text from pg_class where relrowsecurity and relnamespace = $1::regnamespace",
    ),
    (
        "something of an extension",
        "select c.oid::regclass::text from pg_class c join pg_depend d on d.classid = 'pg_class'::regclass and \
         d.objid = c.oid and d.deptype = 'e' where c.relnamespace = $1::regnamespace",
    ),
    (
        "a view over tables of another schema than its own or ref",
        "select distinct v.oid::regclass || ' ' || c.oid::regclass from pg_class v join pg_rewrite r on \
         r.ev_class = v.oid join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and \
         d.refclassid = 'pg_class'::regclass join pg_class c on c.oid = d.refobjid where v.relnamespace = \
         $1::regnamespace and c.relnamespace not in ($1::regnamespace, 'ref'::regnamespace, \
         'pg_catalog'::regnamespace)",
    ),
    (
        "a function of control in a view, a default, a check or an index",
        "select distinct d.classid::regclass || ' ' || p.oid::regprocedure from pg_depend d join pg_proc p on \
         d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid left join pg_rewrite r on d.classid = \
         'pg_rewrite'::regclass and r.oid = d.objid left join pg_attrdef a on d.classid = \
         'pg_attrdef'::regclass and a.oid = d.objid left join pg_constraint k on d.classid = \
         'pg_constraint'::regclass and k.oid = d.objid join pg_class c on c.oid in (r.ev_class, a.adrelid, \
         k.conrelid, case when d.classid = 'pg_class'::regclass then d.objid end) where p.pronamespace = \
         'control'::regnamespace and c.relnamespace = $1::regnamespace",
    ),
];

/// Files with statements that name a partner's table and something of `control` at once: with `control` on one
/// server and the schema on another, Postgres cannot run them there. Each is to become two before schemas are
/// spread; the list may only get shorter.
const MIXED: &[&str] = &[
    "platform/access/src/idempotency.rs",
    "platform/content/src/push/mod.rs",
    "platform/content/src/push/send.rs",
    "platform/delivery/src/guest_place.rs",
    "platform/work/src/events.rs",
];

async fn names(kit: &Kit, sql: &str, schema: &str) -> Vec<String> {
    let sql = format!("select coalesce(string_agg(n.name, ', '), '') names from ({sql}) n (name)");
    let row = kit.row(&sql, vec![schema.into()]).await;
    let names: String = row.try_get("", "names").unwrap();
    if names.is_empty() { vec![] } else { names.split(", ").map(str::to_owned).collect() }
}

#[testkit::test]
async fn a_partners_schema_has_nothing_that_binds_it_to_its_server() {
    let kit = kit().await;
    let schema = kit.restaurant().await.schema;
    for (what, sql) in REFUSED {
        assert_eq!(names(kit, sql, &schema).await, Vec::<String>::new(), "{what}");
    }
}

/// Each of the queries finds what it looks for.
#[testkit::test]
async fn what_would_bind_a_schema_is_found() {
    let kit = kit().await;
    let beside = kit.beside("sharding").await;
    let made = "create schema bound; create schema elsewhere; create table elsewhere.other (id uuid primary key); \
        create type bound.kind as enum ('a'); create domain bound.short as text; \
        create table bound.one (id serial primary key, other uuid references elsewhere.other); \
        create table bound.loose (id int); create table bound.child () inherits (bound.one); \
        create table bound.parts (id int primary key) partition by list (id); \
        alter table bound.one enable row level security; \
        create function bound.f() returns trigger language plpgsql as 'begin return null;end'; \
        create trigger t before insert on bound.one for each row execute function bound.f(); \
        create rule r as on delete to bound.one do nothing; \
        create view bound.v as select id from elsewhere.other; \
        create function control.drill_f() returns int language sql as 'select 1'; \
        alter table bound.loose alter column id set default control.drill_f()";
    for statement in made.split("; ") {
        beside.run(statement, vec![]).await;
    }
    // Not every build of Postgres brings extensions along.
    let there = "select count(*) n from pg_available_extensions where name = 'pg_stat_statements'";
    let extensions = beside.row(there, vec![]).await.try_get::<i64>("", "n").unwrap() > 0;
    if extensions {
        beside.run("create extension pg_stat_statements schema bound", vec![]).await;
    }
    for (what, sql) in REFUSED {
        if !extensions && what.contains("extension") {
            continue;
        }
        assert_ne!(names(&beside, sql, "bound").await, Vec::<String>::new(), "{what}");
    }
}

/// The statements of the crates that name a partner's table, and of which this holds. `tenants` moves whole schemas as
/// the owner, server by server.
async fn of_partners_tables(holds: impl Fn(&str) -> bool) -> Vec<Sql> {
    let kit = kit().await;
    let schema = kit.restaurant().await.schema;
    let sql =
        "select relname::text from pg_class where relkind in ('r', 'v') and relnamespace = $1::regnamespace";
    let relations: BTreeSet<String> = names(kit, sql, &schema).await.into_iter().collect();
    assert!(relations.len() > 50);
    let named = Regex::new(r"\b(?:from|join|into|update|using)\s+(?:only\s+)?([a-z_.]+)").unwrap();
    let mixed = statements(false).into_iter().filter(|one| {
        let of_partner = named.captures_iter(&one.text).any(|name| relations.contains(&name[1]));
        one.owner != "tenants" && of_partner && holds(&one.text)
    });
    mixed.collect()
}

/// A statement of a unit of work is run on one server: the partner's, or the one with the directory.
#[testkit::test]
async fn no_statement_names_the_directory_and_a_partners_table() {
    let mixed = of_partners_tables(tenants::asks_home).await;
    let mixed: Vec<String> = mixed.into_iter().map(|one| format!("{}: {}", one.file, one.text)).collect();
    assert_eq!(mixed, Vec::<String>::new());
}

#[testkit::test]
async fn no_more_statements_need_control_and_a_partners_tables_on_one_server() {
    let mixed = of_partners_tables(|text| text.contains("control.")).await;
    let found: BTreeSet<String> = mixed.into_iter().map(|one| one.file).collect();
    let new: Vec<&String> = found.iter().filter(|file| !MIXED.contains(&file.as_str())).collect();
    assert_eq!(new, Vec::<&String>::new(), "these need control and a partner's tables on one server");
}

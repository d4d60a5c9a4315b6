//! What remains closed if a statement of the service ever carried a stranger's SQL: known ways from one
//! partner's transaction to another partner's rows, or to their number. See `docs/decisions/security.md#sql`.

use kernel::Id;
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, Statement,
    TransactionTrait,
};
use tenants::{Door, DoorSettings, PlatformProof};
use testkit::{Kit, kit};

async fn connect(url: &url::Url) -> DatabaseConnection {
    Database::connect(ConnectOptions::new(url.as_str()).max_connections(1).sqlx_logging(false).to_owned())
        .await
        .unwrap()
}

/// What one statement says when it is sent as the service sends all of its own: prepared, alone.
async fn outcome(tx: &DatabaseTransaction, sql: &str) -> String {
    let inner = tx.begin().await.unwrap();
    match inner.query_all_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, [])).await {
        Ok(rows) => format!("{} rows", rows.len()),
        Err(error) => error.to_string(),
    }
}

/// The ways that a tenant's role has been seen to take, and their siblings. `B` is the other partner's schema
/// and role.
const WAYS: &[&str] = &[
    "select set_config('role', 'B', true)",
    "select set_config('role', 'B', true), query_to_xml('select * from B.restaurant', true, true, '')",
    "select set_config('search_path', 'B', true)",
    "select set_config('pult.partner', 'B', true)",
    "update pg_settings set setting = 'B' where name = 'role'",
    "select query_to_xml('select 1', true, true, '')",
    "select query_to_xmlschema('select 1', true, true, '')",
    "select query_to_xml_and_xmlschema('select 1', true, true, '')",
    "select cursor_to_xml('c', 1, true, true, '')",
    "select table_to_xml('restaurant', true, true, '')",
    "select schema_to_xml('A', true, true, '')",
    "select database_to_xml(true, true, '')",
    "select ts_stat('select to_tsvector(name) from restaurant')",
    "select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, ''b''::tsquery')",
    "select lo_from_bytea(0, 'x')",
    "select lo_get(1)",
    "select loread(lo_open(1, 262144), 10)",
    "select pg_read_file('PG_VERSION')",
    "select pg_read_binary_file('PG_VERSION')",
    "select pg_ls_dir('.')",
    "select pg_ls_waldir()",
    "select lo_import('PG_VERSION')",
    "do $$ begin perform 1; end $$",
    "select nspname from pg_namespace",
    "select relname, reltuples from pg_class",
    "select prosrc from pg_proc",
    "select rolname from pg_roles",
    "select 1 from pg_auth_members",
    "select 1 from pg_tables",
    "select 1 from pg_indexes",
    "select 1 from pg_stats",
    "select 1 from pg_stat_user_tables",
    "select 1 from pg_stat_activity",
    "select 1 from pg_locks",
    "select 1 from pg_database",
    "select 1 from pg_constraint",
    "select 1 from pg_depend",
    "select 1 from pg_largeobject_metadata",
    "select pg_stat_get_live_tuples('B.restaurant'::regclass)",
    "select pg_stat_get_tuples_inserted('B.restaurant'::regclass)",
    "select pg_relation_size('B.restaurant'::regclass)",
    "select pg_total_relation_size('B.restaurant'::regclass)",
    "select pg_database_size(current_database())",
    "select pg_get_functiondef('control.enter_account'::regproc)",
];

#[testkit::test]
async fn a_statement_of_somebody_else_stays_within_its_partner() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.stranger().await);
    let db = connect(&kit.database_url).await;
    for (role, path) in [(place.schema.as_str(), place.schema.as_str()), ("pult_platform", "control")] {
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared(&format!("set local role {role}; set local search_path = {path}"))
            .await
            .unwrap();
        for way in WAYS {
            let sql = way
                .replace("'A'", &format!("'{}'", place.schema))
                .replace("'B", &format!("'{}", other.schema))
                .replace("B.", &format!("{}.", other.schema));
            let outcome = outcome(&tx, &sql).await;
            // What the platform needs: the sizes of partners in its list, and for one release what the
            // previous one calls.
            let allowed = ["set_config(", "pg_class", "pg_total_relation_size"]
                .iter()
                .any(|allowed| way.contains(allowed))
                && !way.contains("query_to");
            if role == "pult_platform" && (allowed || way.contains("control.")) {
                continue;
            }
            assert!(outcome.contains("permission denied"), "{role}: {sql}: {outcome}");
        }
        // The driver's query for an unknown type.
        let types = "select t.oid, (select count(*) from pg_catalog.pg_enum where enumtypid = t.oid), \
            r.rngsubtype, \
                     (select count(*) from pg_catalog.pg_attribute where attrelid = t.typrelid) \
                     from pg_catalog.pg_type t left join pg_catalog.pg_range r on t.oid = r.rngtypid where \
                     t.typname = 'tsquery'";
        assert_eq!(outcome(&tx, types).await, "1 rows", "{role}");
        let who = tx
            .query_one_raw(Statement::from_string(DbBackend::Postgres, "select current_user::text u"))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(who.try_get::<String>("", "u").unwrap(), role);
    }
}

/// A function that runs the text as a statement fails with this error.
const TEXT: &str = "select no_such_column";
const UNKNOWN_COLUMN: &str = "column \"no_such_column\" does not exist";

/// Calls every function of Postgres that takes a text, with a statement in each such place; answers which
/// took it for one, and how many were called.
async fn that_run_a_text(tx: &DatabaseTransaction, kit: &Kit, role: &str) -> (Vec<String>, usize) {
    let calls = kit
        .texts(&format!(
            "select format('%s(%s)', p.oid::regproc, \
                 (select string_agg(coalesce(v.value, '1') || '::' || t::regtype, ', ' order by n) \
                  from unnest(p.proargtypes::oid[]) with ordinality a (t, n) left join (values \
                      ('text', '$t${TEXT}$t$'), ('cstring', '$t${TEXT}$t$'), ('refcursor', '$t${TEXT}$t$'), \
                      ('text[]', 'array[$t${TEXT}$t$]'), \
                      ('name', '$$control$$'), ('boolean', 'true'), ('\"char\"', '$$a$$'), ('regclass', \
                      '$$control.partner$$'), ('bytea', '$$a$$'), \
                      ('tsquery', '$$a$$'), ('tsvector', '$$a$$'), ('json', '$${{}}$$'), ('jsonb', \
                      '$${{}}$$'), ('xml', '$$<a/>$$')) v (type, value) \
                      on v.type = t::regtype::text)) \
             from pg_proc p where p.prokind = 'f' and p.pronamespace = 'pg_catalog'::regnamespace \
               and p.proargtypes::oid[] && array['text', 'cstring', 'text[]', 'refcursor']::regtype[]::oid[] \
               and has_function_privilege('{role}', p.oid, 'execute') order by p.oid"
        ))
        .await;
    let mut ran = Vec::new();
    for call in &calls {
        let inner = tx.begin().await.unwrap();
        let outcome = inner.execute_unprepared(&format!("select {call}")).await;
        if outcome.is_err_and(|error| error.to_string().contains(UNKNOWN_COLUMN)) {
            ran.push(call.split('(').next().unwrap().trim_start_matches("pg_catalog.").to_owned());
        }
        inner.rollback().await.unwrap();
    }
    (ran, calls.len())
}

/// Also what a later version of Postgres brings is found.
#[testkit::test]
async fn no_function_within_reach_runs_a_text() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let tx = connect(&kit.database_url).await.begin().await.unwrap();
    tx.execute_unprepared(&format!("set local role {}", place.schema)).await.unwrap();
    let (ran, called) = that_run_a_text(&tx, kit, &place.schema).await;
    assert!(called > 200, "{called} functions were called");
    assert!(ran.is_empty(), "{ran:?}");
    // The same calls by a privileged role: the known functions are found.
    let tx = connect(&kit.owner_url).await.begin().await.unwrap();
    let (ran, _) = that_run_a_text(&tx, kit, "pult_owner").await;
    for known in ["query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "ts_stat", "ts_rewrite"]
    {
        assert!(ran.iter().any(|name| name == known), "{known}: {ran:?}");
    }
}

/// An installation from before, one that was restored or has a newer Postgres: each `pult migrate` shuts what
/// is open.
#[testkit::test]
async fn the_next_migration_revokes_rights_that_were_open() {
    let beside = kit().await.beside("wall").await;
    let door = &beside.app.door;
    let place = beside.partner().await;
    assert_eq!(door.gaps().await.unwrap(), Vec::<String>::new());
    beside
        .run("grant execute on function pg_catalog.set_config(text, text, boolean) to public", vec![])
        .await;
    beside
        .run(
            "grant execute on function pg_catalog.query_to_xml(text, boolean, boolean, text) to public",
            vec![],
        )
        .await;
    beside.run("grant select on pg_catalog.pg_class to public", vec![]).await;
    assert_eq!(door.gaps().await.unwrap(), ["set_config", "query_to_xml", "pg_class"]);
    // Twice: the second finds nothing to do.
    for _ in 0..2 {
        beside.migrate_control_again().await;
        assert_eq!(door.gaps().await.unwrap(), Vec::<String>::new());
    }
    // The work goes on.
    place.admin().await.get("/api-keys").send().await.assert(200);
    assert!(door.begin_job(&PlatformProof::runner(), place.partner).await.unwrap().is_some());
    let tx = door.begin_platform(&PlatformProof::runner()).await.unwrap();
    let tx = tx.enter(place.partner).await.unwrap().unwrap();
    assert_eq!(tx.rows("select id from restaurant", []).await.unwrap().len(), 1);
}

/// An owner that is no superuser, as with a managed Postgres: the installation works, and open rights are
/// reported.
#[testkit::test]
async fn a_postgres_without_superuser_reports_the_open_rights() {
    let kit = kit().await;
    let (setup, url) = kit.managed_installation("managed").await;
    let partner = tenants::PartnerSpec {
        id: Id::new(),
        name: "Próba".into(),
        mode: "live",
        group: Id::new(),
        restaurants: vec![],
    };
    tenants::Provisioner::new(&setup).create(&partner).await.unwrap();
    let mut login = kit.database_url.clone();
    login.set_path(url.path());
    let door = Door::open(&DoorSettings {
        url: login.into(),
        connections: 1,
        lifetime: DoorSettings::LIFETIME,
        patience: std::time::Duration::from_secs(5),
        development: true,
    })
    .await
    .unwrap();
    let gaps = door.gaps().await.unwrap();
    assert!(gaps.iter().any(|gap| gap == "set_config"), "{gaps:?}");
    let tx = door.begin_job(&PlatformProof::runner(), partner.id).await.unwrap().unwrap();
    assert!(tx.rows("select id from restaurant", []).await.unwrap().is_empty());
}

//! Migrating many partners, with a broken one among them.

use std::cell::RefCell;

use kernel::{Group, Id, Partner};
use migrations::SHAPE;
use sea_orm_migration::{
    MigrationName, MigrationTrait, MigratorTraitSelf, SchemaManager,
    async_trait::async_trait,
    sea_orm::{
        ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, Statement,
        TransactionTrait,
    },
};
use tenants::{Migrations, PartnerSpec, Provisioner, Setup, Shape};
use testkit::kit;

struct Sql(&'static str, &'static str);

impl MigrationName for Sql {
    fn name(&self) -> &str {
        self.0
    }
}

#[async_trait]
impl MigrationTrait for Sql {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(self.1).await.map(drop)
    }
}

fn more() -> Vec<Box<dyn MigrationTrait>> {
    let mut all = SHAPE.tenant.migrations();
    all.push(Box::new(Sql(
        "m9001_more",
        "alter table courier add column badge text; create table badge (id uuid primary key)",
    )));
    all
}

/// No runner can take this one.
fn faulty() -> Vec<Box<dyn MigrationTrait>> {
    let mut all = more();
    all.push(Box::new(Sql("m9002_faulty", "alter table nobody_has_this add column x int")));
    all
}

async fn number(db: &DatabaseConnection, sql: &str) -> i64 {
    db.query_one_raw(sea_orm_migration::sea_orm::Statement::from_string(
        db.get_database_backend(),
        sql.to_owned(),
    ))
    .await
    .unwrap()
    .unwrap()
    .try_get_by_index(0)
    .unwrap()
}

#[testkit::test]
async fn thirty_partners_with_a_broken_one() {
    // A database of its own: this migration is nobody else's.
    let (setup, url) = kit().await.own_installation("migrate").await;
    let provisioner = Provisioner::new(&setup);
    let mut partners = Vec::new();
    for number in 0..30 {
        let id = Id::new();
        partners.push(id);
        let mode = if number == 3 { "sandbox" } else { "live" };
        provisioner
            .create(&PartnerSpec {
                id,
                name: format!("P{number}"),
                mode,
                group: Id::<Group>::new(),
                restaurants: vec![],
            })
            .await
            .unwrap();
    }
    assert_eq!(provisioner.migration_plan().await.unwrap(), 0);
    let db = Database::connect(
        ConnectOptions::new(url.as_str()).max_connections(2).sqlx_logging(false).to_owned(),
    )
    .await
    .unwrap();
    let role = format!("select role from control.partner where id = '{}'", partners[17]);
    let role = db.query_one_raw(Statement::from_string(DbBackend::Postgres, role)).await.unwrap().unwrap();
    let broken: String = role.try_get("", "role").unwrap();
    db.execute_unprepared(&format!("create table {broken}.badge (x int)")).await.unwrap();

    let setup = Setup::open(url.as_str(), Shape { tenant: Migrations(more), newest: "m9001_more", ..SHAPE })
        .await
        .unwrap();
    let provisioner = Provisioner::new(&setup);
    let seen = RefCell::new(Vec::new());
    let run = provisioner
        .migrate_all(4, |one, total| seen.borrow_mut().push((one.name.clone(), total)))
        .await
        .unwrap();
    assert_eq!((run.done.len(), run.left, run.failed().count()), (30, 0, 1));
    assert_eq!(run.failed().next().unwrap().partner, partners[17]);
    assert_eq!(seen.borrow()[0], ("P3".to_owned(), 30), "the canary is one that is not live");
    assert_eq!(
        number(
            &db,
            "select count(*) from control.partner where status = 'maintenance' and error like \
            '%badge%' and schema_version <> 'm9001_more'"
        )
        .await,
        1
    );
    assert_eq!(
        number(
            &db,
            "select count(*) from control.partner where status = 'active' and schema_version = 'm9001_more'"
        )
        .await,
        29
    );
    assert_eq!(number(&db, "select count(*) from pg_tables where tablename = 'badge'").await, 30);

    // The cause is mended; the next run takes only the one that is left, and it comes back.
    db.execute_unprepared(&format!("drop table {broken}.badge")).await.unwrap();
    let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.failed().count()), (1, 0));
    assert_eq!(
        number(
            &db,
            "select count(*) from control.partner where status = 'active' and error is null and \
            schema_version = 'm9001_more'"
        )
        .await,
        30
    );

    // A migration that nobody can take stops after the canaries; nobody is set aside for it.
    let setup =
        Setup::open(url.as_str(), Shape { tenant: Migrations(faulty), newest: "m9002_faulty", ..SHAPE })
            .await
            .unwrap();
    let provisioner = Provisioner::new(&setup);
    let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.left, run.failed().count(), run.gave_up), (3, 27, 3, true));
    assert_eq!(number(&db, "select count(*) from control.partner where status = 'active'").await, 30);
    // Nor when there are fewer than three, and nobody has it: an upgrade must not go on.
    let aside = "select count(*) from control.partner where status = 'maintenance'";
    let others = "update control.partner set schema_version = $1 where id not in (select id from control.partner \
        order by id limit $2)";
    let others = async |version: Option<&str>, but: i64| {
        let values = [version.into(), but.into()];
        db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, others, values)).await.unwrap();
    };
    others(None, 2).await;
    let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.left, run.gave_up, number(&db, aside).await), (2, 0, true, 0));
    // Unless somebody on another server has it.
    let run = Provisioner::new(&setup).proved(true).migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.gave_up, number(&db, aside).await), (2, false, 2));
    db.execute_unprepared("update control.partner set status = 'active'").await.unwrap();
    // Where others have it, the partner is at fault; who was set aside before is no canary.
    others(Some("m9002_faulty"), 2).await;
    let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.gave_up, number(&db, aside).await), (2, false, 2));
    db.execute_unprepared(
        "update control.partner set schema_version = 'm9001_more' where id = (select id from control.partner \
         order by id offset 2 limit 1)",
    )
    .await
    .unwrap();
    let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
    assert_eq!((run.done.len(), run.gave_up, number(&db, aside).await), (3, false, 3));
    // One that is suspended has no maintenance: it is known by its error, and stops only the first run.
    db.execute_unprepared(
        "update control.partner set status = 'suspended', error = null where status = 'maintenance'",
    )
    .await
    .unwrap();
    for gave_up in [true, false] {
        let run = provisioner.migrate_all(4, |_, _| {}).await.unwrap();
        assert_eq!((run.done.len(), run.gave_up, number(&db, aside).await), (3, gave_up, 0));
    }
    db.execute_unprepared("update control.partner set schema_version = 'm9001_more', status = 'active'")
        .await
        .unwrap();

    // Nor does an instance of another release than the installation's make partners: nobody would migrate
    // them.
    let new = PartnerSpec {
        id: Id::new(),
        name: "Q".to_owned(),
        mode: "live",
        group: Id::<Group>::new(),
        restaurants: vec![],
    };
    assert!(provisioner.create(&new).await.unwrap_err().to_string().contains("m9002_faulty"));
    assert_eq!(number(&db, "select count(*) from control.partner").await, 30);

    an_older_release(&db, url.as_str(), partners[17]).await;
    // Two runners at once: the second is refused while the first is blocked.
    let held = db.begin().await.unwrap();
    held.execute_unprepared("lock table control.partner").await.unwrap();
    let runs = (0..2).map(|_| Box::pin(provisioner.migrate_all(1, |_, _| {})));
    let (first, _, mut others) = futures_util::future::select_all(runs).await;
    assert!(first.unwrap_err().to_string().contains("another"));
    held.rollback().await.unwrap();
    assert_eq!(others.remove(0).await.unwrap().left, 27);
    let _ = db.close().await;
}

/// One that is brought back changes nothing: neither says that a partner is mended, nor what the installation is of.
async fn an_older_release(db: &DatabaseConnection, url: &str, partner: Id<Partner>) {
    let older = Setup::open(url, SHAPE).await.unwrap();
    assert_eq!(older.newer().await.unwrap(), None);
    let before = older.version().await.unwrap().unwrap();
    older.stay_at("m9001_more").await.unwrap();
    assert_eq!(older.newer().await.unwrap().as_deref(), Some("m9001_more"));
    let aside = format!(
        "update control.partner set status = 'maintenance', schema_version = '{before}' where id = '{partner}'"
    );
    db.execute_unprepared(&aside).await.unwrap();
    let outcome = Provisioner::new(&older).migrate_partner(partner).await.unwrap().unwrap();
    assert!(outcome.error.unwrap().contains("the installation of m9001_more"));
    let left =
        format!("select count(*) from control.partner where id = '{partner}' and status = 'maintenance'");
    assert_eq!(number(db, &left).await, 1);
    // As `docs/runbooks/maintenance.md` lets partners out after a rollback.
    let out = "update control.partner set status = 'active' where status = 'maintenance' and plan is null \
        and schema_version <> (select schema_version from control.installation)";
    let freed = db.execute_unprepared(out).await.unwrap();
    assert_eq!((freed.rows_affected(), number(db, &left).await), (1, 0));
    older.stay_at(&before).await.unwrap();
    let mended = "update control.partner set status = 'active', error = null, schema_version = 'm9001_more'";
    db.execute_unprepared(mended).await.unwrap();
}

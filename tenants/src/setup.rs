//! Making an installation: the database, the roles, `control` and `ref`.

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, FromQueryResult, RuntimeErr,
    TransactionTrait,
};
use sea_orm_migration::MigratorTraitSelf;

use crate::{
    migrate::patiently,
    public_rights::REVOKE_PUBLIC_RIGHTS,
    shape::Shape,
    tx::{is_true, statement, value},
};

/// The connection of an owner: may create roles and become `pult_owner` (`PULT_DATABASE_OWNER_URL`).
pub struct Setup {
    pub(crate) db: DatabaseConnection,
    pub(crate) shape: Shape,
}

/// The roles of the platform. None but the login role can sign in; the login role owns nothing and inherits
/// nothing.
const ROLES: &str = "do $$
declare r text;
begin
    perform pg_advisory_xact_lock(7305);
    foreach r in array array['pult_owner', 'pult_definer', 'pult_platform', 'pult_control', 'pult_tenant'] loop
        if not exists (select from pg_roles where rolname = r) then
            execute format('create role %I nologin', r);
        end if;
    end loop;
    if not exists (select from pg_roles where rolname = 'pult_app') then
        create role pult_app login noinherit;
    end if;
    execute format('alter role pult_app password %L', current_setting('pult.password'));
    alter role pult_app set search_path = '';
    alter role pult_app set statement_timeout = '10s';
    alter role pult_app set idle_in_transaction_session_timeout = '30s';
    -- A request's statements take milliseconds. Compiling one takes more, and is decided by estimates alone.
    alter role pult_app set jit = off;
    grant pult_platform, pult_control to pult_app;
    grant pult_definer to pult_owner;
    -- Since Postgres 16 whoever makes a role is a member that may only hand it on.
    if not pg_has_role(current_user, 'pult_owner', 'usage') then
        execute format('grant pult_owner to %I', current_user);
    end if;
    execute format('grant create on database %I to pult_owner', current_database());
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to pult_app', current_database());
    revoke all on schema public from public;
    create schema if not exists control authorization pult_owner;
    create schema if not exists ref authorization pult_owner;
    grant create on schema control to pult_definer;
end $$";

/// Refuses two names of one database, whatever their addresses: what is cleared at the one would be gone at the other.
pub async fn check_apart(servers: &[(&str, &Setup)]) -> Result<(), DbErr> {
    for (at, (name, server)) in servers.iter().enumerate() {
        for (other, there) in &servers[..at] {
            if name != other && there.is_same_database(server).await? {
                return Err(DbErr::Custom(format!("{other} and {name} are one database")));
            }
        }
    }
    Ok(())
}

impl Setup {
    /// A lock of the one is then held for the other.
    async fn is_same_database(&self, other: &Self) -> Result<bool, DbErr> {
        let (key, _) = uuid::Uuid::new_v4().as_u64_pair();
        let lock = || statement("select pg_try_advisory_xact_lock($1) alone", [key.cast_signed().into()]);
        let (here, there) = (self.db.begin().await?, other.db.begin().await?);
        here.query_one_raw(lock()).await?;
        Ok(!is_true(there.query_one_raw(lock()).await?.as_slice()))
    }

    /// Connects as the owner; creates the database named in the address when it is missing. New schemas have
    /// this shape.
    pub async fn open(owner_url: &str, shape: Shape) -> Result<Self, DbErr> {
        let connect = |url: String| async move {
            let mut options = ConnectOptions::new(url);
            options.max_connections(8).sqlx_logging(false);
            Database::connect(options).await
        };
        match connect(owner_url.to_owned()).await {
            Err(error) if is_missing_database(&error) => {
                let mut url = url::Url::parse(owner_url)
                    .map_err(|error| DbErr::Custom(format!("PULT_DATABASE_OWNER_URL: {error}")))?;
                let name = url.path().trim_start_matches('/').to_owned();
                url.set_path("/postgres");
                let db = connect(url.into()).await?;
                db.execute_unprepared(&format!(
                    "create database \"{}\" template template0 encoding 'UTF8'",
                    name.replace('"', "")
                ))
                .await?;
                drop(db);
                Ok(Self { db: connect(owner_url.to_owned()).await?, shape })
            }
            opened => Ok(Self { db: opened?, shape }),
        }
    }

    /// A connection of the owner that is opened when it is first needed: a service may start before its
    /// database.
    pub async fn lazy(owner_url: &str, shape: Shape) -> Result<Self, DbErr> {
        let mut options = ConnectOptions::new(owner_url);
        options.max_connections(8).min_connections(0).connect_lazy(true).sqlx_logging(false);
        Ok(Self { db: Database::connect(options).await?, shape })
    }

    /// Whether this server only reads now: one that follows another, or that was brought back to a moment in
    /// the past and waits there.
    pub async fn only_reads(&self) -> Result<bool, DbErr> {
        let row = self.db.query_one_raw(statement("select pg_is_in_recovery()", [])).await?;
        Ok(is_true(row.as_slice()))
    }

    /// The newest migration here that this release does not know.
    pub async fn newer(&self) -> Result<Option<String>, DbErr> {
        if self.version().await?.is_none() {
            return Ok(None);
        }
        let sql = "select coalesce((select max(version) from control.seaql_migrations where version > $1), \
            (select schema_version from control.installation where schema_version > $2))";
        value(&self.db, sql, [self.shape.newest_control.into(), self.shape.newest.into()])
            .await
            .map(Option::flatten)
    }

    /// The schemas' version that the installation is of; none before the first migration.
    pub async fn version(&self) -> Result<Option<String>, DbErr> {
        let there = "select to_regclass('control.installation') is not null";
        if !is_true(self.db.query_one_raw(statement(there, [])).await?.as_slice()) {
            return Ok(None);
        }
        value(&self.db, "select schema_version from control.installation", []).await
    }

    /// The installation is of this version again: no partner came to a newer one.
    pub async fn stay_at(&self, version: &str) -> Result<(), DbErr> {
        let sql = "update control.installation set schema_version = $1";
        self.db.execute_raw(statement(sql, [version.into()])).await.map(drop)
    }

    /// Makes the roles and brings `control` and `ref` up to date, whole or not at all.
    /// `app_password` becomes the login role's password; `installation` is kept from the first time.
    pub async fn migrate_control(&self, app_password: &str, installation: &str) -> Result<(), DbErr> {
        patiently(|| self.migrate_control_once(app_password, installation)).await
    }

    async fn migrate_control_once(&self, app_password: &str, installation: &str) -> Result<(), DbErr> {
        let tx = self.db.begin().await?;
        tx.execute_raw(statement("select set_config('pult.password', $1, true)", [app_password.into()]))
            .await?;
        tx.execute_unprepared(ROLES).await?;
        tx.execute_unprepared(REVOKE_PUBLIC_RIGHTS).await?;
        tx.execute_unprepared(
            "set local role pult_owner; set local search_path = control; set local lock_timeout = '2s'",
        )
        .await?;
        self.shape.control.up(&tx, None).await?;
        let sql = "insert into control.installation (name, schema_version) values ($1, $2) \
                   on conflict (only_row) do update set schema_version = greatest(installation.schema_version, \
                   excluded.schema_version)";
        tx.execute_raw(statement(sql, [installation.into(), self.shape.newest.into()])).await?;
        tx.commit().await
    }
}

fn is_missing_database(error: &DbErr) -> bool {
    matches!(error, DbErr::Conn(RuntimeErr::SqlxError(error))
        if error.as_database_error().and_then(|error| error.code()).as_deref() == Some("3D000"))
}

#[derive(Default, FromQueryResult)]
struct Server {
    version: i32,
    locks: i32,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ServerFault {
    /// It does not answer; it may later.
    Away(String),
    /// It answers, and does not fit: somebody has to change something.
    Unfit(String),
}

/// What the service asks of a server before it starts: a version it was written for, room for many schemas'
/// locks, and no pooler that loses prepared statements.
pub async fn check_server(url: &str) -> Result<(), ServerFault> {
    let connect = || async {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).acquire_timeout(std::time::Duration::from_secs(5)).sqlx_logging(false);
        Database::connect(options).await.map_err(unanswered)
    };
    let (db, other) = tokio::try_join!(connect(), connect())?;
    let question = || {
        statement(
            "select current_setting('server_version_num')::int version, \
             current_setting('max_locks_per_transaction')::int locks",
            [],
        )
    };
    let row = db.query_one_raw(question()).await.map_err(unprepared)?;
    // A transaction takes the server's connection that prepared the statement, if there is a pooler in
    // between: then the statement has to be known on another one too.
    let busy = other.begin().await.map_err(unanswered)?;
    busy.query_one_raw(statement("select 1", [])).await.map_err(unprepared)?;
    db.query_one_raw(question()).await.map_err(unprepared)?;
    drop(busy);
    let Server { version, locks } =
        row.and_then(|row| Server::from_query_result(&row, "").ok()).unwrap_or_default();
    if version < 150_000 {
        return Err(ServerFault::Unfit("Postgres 15 or newer is needed".to_owned()));
    }
    if locks < 256 {
        return Err(ServerFault::Unfit(format!(
            "max_locks_per_transaction is {locks}; set it to at least 256 (1024 is good)"
        )));
    }
    Ok(())
}

/// What the home server needs where partners are on other servers: transactions that can be prepared.
pub async fn check_prepares(url: &str) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let db = Database::connect(options).await?;
    let row = db
        .query_one_raw(statement("select current_setting('max_prepared_transactions')::int >= 16 enough", []))
        .await?;
    if is_true(row.as_slice()) {
        return Ok(());
    }
    let reason =
        "PULT_DATABASE_SERVERS is set: max_prepared_transactions of the home server must be at least 16";
    Err(DbErr::Custom(reason.to_owned()))
}

/// The meaning of an error of the first statements: a prepared statement that is missing, or exists already,
/// points to a pooler.
fn unprepared(error: DbErr) -> ServerFault {
    if matches!(code(&error).as_str(), "26000" | "42P05") {
        let reason = "the pooler before the database loses prepared statements; PgBouncer 1.21 or newer with \
            max_prepared_statements above 0 keeps them";
        return ServerFault::Unfit(reason.to_owned());
    }
    unanswered(error)
}

/// A refusal of the role, its password or the server's certificate stays one. The database that is missing may still be made, and a
/// server that starts, stops or has no room comes back.
fn unanswered(error: DbErr) -> ServerFault {
    let refused = code(&error).starts_with("28") || error.to_string().contains("certificate");
    let reason = format!("the database does not answer: {error}");
    if refused { ServerFault::Unfit(reason) } else { ServerFault::Away(reason) }
}

/// Postgres's code of an error; empty when it is not one of Postgres.
fn code(error: &DbErr) -> String {
    let (DbErr::Conn(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return String::new();
    };
    error.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned()
}

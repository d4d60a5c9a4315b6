//! Units of work. Each is a transaction, rolled back unless committed.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Id, Partner, request::Turn};
use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, FromQueryResult,
    QueryResult, Statement, TryGetable, Value,
};

use telemetry::trace;

use crate::{
    door::{Door, REMEMBER_ANEW, code},
    home_side::HomeSide,
    places::Place,
    pool::note_outdated,
    servers::asks_home,
};

/// A unit of work in one partner's schema, as the partner's role. Rolled back unless committed.
#[derive(Debug)]
pub struct TenantTx {
    tx: DatabaseTransaction,
    partner: Id<Partner>,
    /// Of a partner on another server: what is asked of `control` at home.
    home: Option<Box<HomeSide>>,
    wakes: bool,
    /// Partners may be moved to other servers here.
    may_move: bool,
    // Given back after the connection.
    _place: Place,
}

/// A unit of work in `control`: for one partner under row security, or for the platform.
#[derive(Debug)]
pub struct ControlTx {
    tx: DatabaseTransaction,
    door: Door,
    /// Runners are woken at the commit.
    wakes: AtomicBool,
    _place: Place,
}

pub(crate) fn statement(sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

/// Each row as a `T`: every field from the column of its name.
pub(crate) fn read<T: FromQueryResult>(rows: &[QueryResult]) -> Result<Vec<T>, DbErr> {
    rows.iter().map(|row| T::from_query_result(row, "")).collect()
}

/// The first column of each row.
pub(crate) fn column<T: TryGetable>(rows: &[QueryResult]) -> Result<Vec<T>, DbErr> {
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// The first column of the first row; none without a row.
pub fn first<T: TryGetable>(rows: &[QueryResult]) -> Result<Option<T>, DbErr> {
    rows.first().map(|row| row.try_get_by_index(0)).transpose()
}

/// Whether the first column of the first row is `true`; nothing else is an error.
pub(crate) fn is_true(rows: &[QueryResult]) -> bool {
    matches!(first(rows), Ok(Some(true)))
}

/// The rows of one statement, each as a `T`: every field from the column of its name.
pub(crate) async fn all<T: FromQueryResult>(
    db: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>,
) -> Result<Vec<T>, DbErr> {
    read(&db.query_all_raw(statement(sql, values)).await?)
}

/// The first row of one statement as a `T`.
pub(crate) async fn one<T: FromQueryResult>(
    db: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, DbErr> {
    let row = db.query_one_raw(statement(sql, values)).await?;
    row.map(|row| T::from_query_result(&row, "")).transpose()
}

/// The first column of the first row of one statement.
pub(crate) async fn value<T: TryGetable>(
    db: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, DbErr> {
    first(db.query_one_raw(statement(sql, values)).await?.as_slice())
}

impl TenantTx {
    pub(crate) fn new(
        tx: DatabaseTransaction, partner: Id<Partner>, home: Option<HomeSide>, may_move: bool, place: Place,
    ) -> Self {
        Self { tx, partner, home: home.map(Box::new), wakes: false, may_move, _place: place }
    }

    /// What a statement failed with. A partner that is moved may not write any more where it was, and its schema goes:
    /// a request that was in the middle of something is done again where the partner is then.
    fn explained(&self, error: DbErr) -> DbErr {
        note_outdated(&error);
        let gone = self.may_move && matches!(code(&error).as_deref(), Some("42501" | "42P01" | "3F000"));
        if gone { DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed) } else { error }
    }

    /// The transaction that this statement belongs to.
    async fn on(&self, sql: &str) -> Result<&DatabaseTransaction, DbErr> {
        match &self.home {
            Some(home) if asks_home(sql) => home.transaction().await,
            _ => Ok(&self.tx),
        }
    }

    /// Makes the work last.
    pub async fn commit(self) -> Result<(), DbErr> {
        let commit = async {
            match self.home {
                None => commit(self.tx, self.wakes).await,
                Some(home) => home.commit(self.tx).await,
            }
        };
        trace::statement("commit").answer(commit).await
    }

    #[must_use]
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    /// Has what follows in this unit of work planned with its values: the plan of a list for a rare word is not
    /// that for none. Without helpers, because each of them would add up everything by itself.
    pub async fn plan_with_values(&self) -> Result<(), DbErr> {
        let sql =
            "set local plan_cache_mode = force_custom_plan; set local max_parallel_workers_per_gather = 0";
        self.tx.execute_unprepared(sql).await?;
        Ok(())
    }

    /// Ends [`Self::plan_with_values`]: what follows costs more to plan than to run.
    pub async fn plan_once(&self) -> Result<(), DbErr> {
        self.tx.execute_unprepared("set local plan_cache_mode = auto").await?;
        Ok(())
    }
}

/// The methods of every unit of work.
macro_rules! unit_of_work {
    ($($name:ident)*) => { $(impl $name {
        /// Runs one statement; the values are bound.
        pub async fn run(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
            Ok(trace::statement(sql).answer(self.on(sql).await?.execute_raw(statement(sql, values))).await.map_err(|error| self.explained(error))?.rows_affected())
        }

        /// The rows of one statement; the values are bound.
        pub async fn rows(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<QueryResult>, DbErr> {
            trace::statement(sql).answer(self.on(sql).await?.query_all_raw(statement(sql, values))).await.map_err(|error| self.explained(error))
        }

        /// The first row of one statement; the values are bound.
        pub async fn row(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<QueryResult>, DbErr> {
            trace::statement(sql).answer(self.on(sql).await?.query_one_raw(statement(sql, values))).await.map_err(|error| self.explained(error))
        }
    }

    /// Entities are read and written through the unit of work itself.
    #[async_trait::async_trait]
    impl ConnectionTrait for $name {
        fn get_database_backend(&self) -> DbBackend {
            DbBackend::Postgres
        }
        async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
            trace::statement(&statement.sql).answer(self.on(&statement.sql).await?.execute_raw(statement)).await.map_err(|error| self.explained(error))
        }
        async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
            trace::statement(sql).answer(self.tx.execute_unprepared(sql)).await
        }
        async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
            trace::statement(&statement.sql).answer(self.on(&statement.sql).await?.query_one_raw(statement)).await.map_err(|error| self.explained(error))
        }
        async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
            trace::statement(&statement.sql).answer(self.on(&statement.sql).await?.query_all_raw(statement)).await.map_err(|error| self.explained(error))
        }
    })* };
}
unit_of_work!(TenantTx ControlTx);

/// The methods that read the rows of `$rows`, and the one of `$row`, as types.
macro_rules! readers {
    ($($name:ident: $rows:ident $row:ident)*) => { $(impl $name {
        /// The rows of one statement, each as a `T`: every field from the column of its name.
        pub async fn all<T: FromQueryResult>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, DbErr> {
            read(&self.$rows(sql, values).await?)
        }

        /// The first row of one statement as a `T`.
        pub async fn one<T: FromQueryResult>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, DbErr> {
            self.$row(sql, values).await?.map(|row| T::from_query_result(&row, "")).transpose()
        }

        /// The first column of the first row of one statement.
        pub async fn value<T: TryGetable>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, DbErr> {
            first(self.$row(sql, values).await?.as_slice())
        }

        /// The first column of the rows of one statement.
        pub async fn values<T: TryGetable>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, DbErr> {
            column(&self.$rows(sql, values).await?)
        }
    })* };
}
readers!(TenantTx: rows row  ControlTx: rows row  Door: call call_one);

async fn commit(tx: DatabaseTransaction, wakes: bool) -> Result<(), DbErr> {
    if wakes {
        tx.execute_unprepared("select pg_notify('pult_job', '')").await?;
    }
    tx.commit().await
}

impl ControlTx {
    pub(crate) fn new(door: Door, tx: DatabaseTransaction, place: Place) -> Self {
        Self { tx, door, wakes: AtomicBool::new(false), _place: place }
    }

    #[allow(clippy::unused_self, reason = "as that of a partner's unit of work")]
    fn explained(&self, error: DbErr) -> DbErr {
        note_outdated(&error);
        error
    }

    #[allow(clippy::unused_async, reason = "as that of a partner's unit of work")]
    async fn on(&self, _: &str) -> Result<&DatabaseTransaction, DbErr> {
        Ok(&self.tx)
    }

    /// Wakes the runners of jobs once the work lasts.
    pub fn wake_runners(&self) {
        self.wakes.store(true, Ordering::Relaxed);
    }

    /// Makes the work last.
    pub async fn commit(self) -> Result<(), DbErr> {
        trace::statement("commit").answer(commit(self.tx, self.wakes.into_inner())).await
    }

    /// Goes on in the schema of this partner, in the same transaction: what the platform does to a partner
    /// and the line in the partner's audit log are one. None (and nothing done) when there is no such schema
    /// yet.
    pub async fn enter(self, partner: Id<Partner>) -> Result<Option<TenantTx>, DbErr> {
        let Self { tx, door, wakes, _place: place } = self;
        let wakes = wakes.into_inner();
        // Only the login role may become a partner's role. Earlier work of this transaction cannot be
        // repeated, unlike at the door.
        tx.execute_unprepared(&format!("set local role none; {REMEMBER_ANEW}")).await?;
        if let Some(elsewhere) = door.servers.of_made(&tx, partner).await? {
            let Some((there, home, there_place)) = elsewhere.begin(&door, partner, Turn::Platform).await?
            else {
                // It has just left that server.
                return Err(DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed));
            };
            let home = home.begun(tx, place).await?;
            return Ok(Some(TenantTx::new(there, partner, Some(home), true, there_place)));
        }
        let sql = "select set_config('role', p.role, true), set_config('search_path', p.role, true) from \
            control.enter_made($1) p";
        let row = tx.query_one_raw(statement(sql, [partner.uuid().into()])).await?;
        door.places.wear().note(partner);
        let may_move = !door.servers.is_empty();
        Ok(row.map(|_| TenantTx { wakes, ..TenantTx::new(tx, partner, None, may_move, place) }))
    }
}

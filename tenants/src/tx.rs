//! Units of work. Each is a transaction, rolled back unless committed.

use kernel::{Id, Partner};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, FromQueryResult, QueryResult,
    Statement, TryGetable, Value,
};

use telemetry::trace;

use crate::{
    door::{Door, REMEMBER_ANEW},
    places::Place,
    pool::note_outdated,
};

/// A unit of work in one partner's schema, as the partner's role. Rolled back unless committed.
#[derive(Debug)]
pub struct TenantTx {
    pub(crate) tx: DatabaseTransaction,
    pub(crate) partner: Id<Partner>,
    // Given back after the connection.
    pub(crate) _place: Place,
}

/// A unit of work in `control`: for one partner under row security, or for the platform.
#[derive(Debug)]
pub struct ControlTx {
    pub(crate) tx: DatabaseTransaction,
    pub(crate) _place: Place,
}

/// A statement with bound values.
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
///
/// # Errors
/// When the column is of another type, or null for a `T` that cannot be.
pub fn first<T: TryGetable>(rows: &[QueryResult]) -> Result<Option<T>, DbErr> {
    rows.first().map(|row| row.try_get_by_index(0)).transpose()
}

/// Whether the first column of the first row is `true`; nothing else is an error.
pub(crate) fn is_true(rows: &[QueryResult]) -> bool {
    matches!(first(rows), Ok(Some(true)))
}

/// The rows of one statement, each as a `T`: every field from the column of its name.
pub(crate) async fn all<T: FromQueryResult>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<T>, DbErr> {
    read(&db.query_all_raw(statement(sql, values)).await?)
}

/// The first row of one statement as a `T`.
pub(crate) async fn one<T: FromQueryResult>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, DbErr> {
    let row = db.query_one_raw(statement(sql, values)).await?;
    row.map(|row| T::from_query_result(&row, "")).transpose()
}

/// The first column of the first row of one statement.
pub(crate) async fn value<T: TryGetable>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, DbErr> {
    first(db.query_one_raw(statement(sql, values)).await?.as_slice())
}

impl TenantTx {
    /// The partner this unit of work belongs to.
    #[must_use]
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    /// Has what follows in this unit of work planned with its values: the plan of a list for a rare word is not
    /// that for none. Without helpers, because each of them would add up everything by itself.
    ///
    /// # Errors
    /// What the database says.
    pub async fn plan_with_values(&self) -> Result<(), DbErr> {
        let sql =
            "set local plan_cache_mode = force_custom_plan; set local max_parallel_workers_per_gather = 0";
        self.tx.execute_unprepared(sql).await?;
        Ok(())
    }

    /// Ends [`Self::plan_with_values`]: what follows costs more to plan than to run.
    ///
    /// # Errors
    /// What the database says.
    pub async fn plan_once(&self) -> Result<(), DbErr> {
        self.tx.execute_unprepared("set local plan_cache_mode = auto").await?;
        Ok(())
    }
}

/// The methods of every unit of work.
macro_rules! unit_of_work {
    ($($name:ident)*) => { $(impl $name {
        /// Makes the work last.
        ///
        /// # Errors
        /// When the database does not confirm it.
        pub async fn commit(self) -> Result<(), DbErr> {
            trace::statement("commit").answer(self.tx.commit()).await
        }

        /// Runs one statement; the values are bound.
        ///
        /// # Errors
        /// What the database says.
        pub async fn run(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
            Ok(trace::statement(sql).answer(self.tx.execute_raw(statement(sql, values))).await.inspect_err(note_outdated)?.rows_affected())
        }

        /// The rows of one statement; the values are bound.
        ///
        /// # Errors
        /// What the database says.
        pub async fn rows(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<QueryResult>, DbErr> {
            trace::statement(sql).answer(self.tx.query_all_raw(statement(sql, values))).await.inspect_err(note_outdated)
        }

        /// The first row of one statement; the values are bound.
        ///
        /// # Errors
        /// What the database says.
        pub async fn row(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<QueryResult>, DbErr> {
            trace::statement(sql).answer(self.tx.query_one_raw(statement(sql, values))).await.inspect_err(note_outdated)
        }
    }

    /// Entities are read and written through the unit of work itself.
    #[async_trait::async_trait]
    impl ConnectionTrait for $name {
        fn get_database_backend(&self) -> DbBackend {
            DbBackend::Postgres
        }
        async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
            trace::statement(&statement.sql).answer(self.tx.execute_raw(statement)).await.inspect_err(note_outdated)
        }
        async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
            trace::statement(sql).answer(self.tx.execute_unprepared(sql)).await
        }
        async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
            trace::statement(&statement.sql).answer(self.tx.query_one_raw(statement)).await.inspect_err(note_outdated)
        }
        async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
            trace::statement(&statement.sql).answer(self.tx.query_all_raw(statement)).await.inspect_err(note_outdated)
        }
    })* };
}
unit_of_work!(TenantTx ControlTx);

/// The methods that read the rows of `$rows`, and the one of `$row`, as types.
macro_rules! readers {
    ($($name:ident: $rows:ident $row:ident)*) => { $(impl $name {
        /// The rows of one statement, each as a `T`: every field from the column of its name.
        ///
        /// # Errors
        /// What the database says, and when a column is missing or of another type.
        pub async fn all<T: FromQueryResult>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, DbErr> {
            read(&self.$rows(sql, values).await?)
        }

        /// The first row of one statement as a `T`.
        ///
        /// # Errors
        /// As [`Self::all`].
        pub async fn one<T: FromQueryResult>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, DbErr> {
            self.$row(sql, values).await?.map(|row| T::from_query_result(&row, "")).transpose()
        }

        /// The first column of the first row of one statement.
        ///
        /// # Errors
        /// What the database says, and when the column is of another type, or null for a `T` that cannot be.
        pub async fn value<T: TryGetable>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, DbErr> {
            first(self.$row(sql, values).await?.as_slice())
        }

        /// The first column of the rows of one statement.
        ///
        /// # Errors
        /// As [`Self::value`].
        pub async fn values<T: TryGetable>(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, DbErr> {
            column(&self.$rows(sql, values).await?)
        }
    })* };
}
readers!(TenantTx: rows row  ControlTx: rows row  Door: call call_one);

impl ControlTx {
    /// Goes on in the schema of this partner, in the same transaction: what the platform does to a partner
    /// and the line in the partner's audit log are one. None (and nothing done) when there is no such schema
    /// yet.
    ///
    /// # Errors
    /// What the database says.
    pub async fn enter(self, partner: Id<Partner>) -> Result<Option<TenantTx>, DbErr> {
        let sql = "select set_config('role', p.role, true), set_config('search_path', p.role, true) from \
            control.enter_made($1) p";
        // Only the login role may become a partner's role. Earlier work of this transaction cannot be
        // repeated, unlike at the door.
        self.tx.execute_unprepared(&format!("set local role none; {REMEMBER_ANEW}")).await?;
        let row = self.tx.query_one_raw(statement(sql, [partner.uuid().into()])).await?;
        Ok(row.map(|_| TenantTx { tx: self.tx, partner, _place: self._place }))
    }
}

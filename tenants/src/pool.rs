//! Connections: how a pool is set up, which of them it keeps, and how a transaction on one begins.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::error::{is_lost_behind_pooler, is_outdated};
use sea_orm::{ConnectOptions, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr, TransactionTrait};
use sqlx::Connection as _;

use crate::wear::Wear;

/// When a prepared statement last did not fit its tables any more.
static OUTDATED: Mutex<Option<Instant>> = Mutex::new(None);
/// For so long connections forget their statements when they are given back. Each of the pool may have old ones; those
/// that are met later begin it again.
const FORGETTING: Duration = Duration::from_secs(10);

/// Has connections forget the statements that they have prepared, where this says that a column has got another type
/// while they were open. See `docs/decisions/reliability.md#deployment`.
pub(crate) fn note_outdated(error: &DbErr) {
    if is_outdated(error) {
        *OUTDATED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

fn statements_are_outdated() -> bool {
    let seen = *OUTDATED.lock().unwrap_or_else(PoisonError::into_inner);
    seen.is_some_and(|seen| seen.elapsed() < FORGETTING)
}

/// Has the pool replace worn connections and forget outdated statements, whenever one is given back.
pub(crate) fn renew_connections(options: &mut ConnectOptions, wear: Arc<Wear>) {
    options.map_sqlx_postgres_pool_opts(move |pool| {
        let (opened, wear) = (wear.clone(), wear.clone());
        let pool = pool.after_connect(move |_, _| {
            opened.opened();
            Box::pin(async { Ok(()) })
        });
        pool.after_release(move |connection, state| {
            let worn = wear.is_worn(state.age, Instant::now());
            Box::pin(async move {
                if !worn && statements_are_outdated() {
                    connection.clear_cached_statements().await?;
                }
                Ok(!worn)
            })
        })
    });
}

pub(crate) fn options(url: &str, lifetime: Duration, connections: u32, patience: Duration) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(0)
        .acquire_timeout(patience)
        .connect_timeout(Duration::from_secs(5))
        .max_lifetime(lifetime)
        .test_before_acquire_if_idle_for(Duration::from_secs(5))
        .set_application_name("pult")
        .sqlx_logging(false)
        .connect_lazy(true);
    options
}

/// Begins a transaction on a task of its own, which goes on when its caller is cut. sqlx forgets a transaction whose
/// BEGIN was under way when its future was dropped (`PgTransactionManager::begin`): the connection would go back to the
/// pool with it, and the next unit of work would have the time of that one as its `now()`.
pub(crate) async fn begin(pool: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let pool = pool.clone();
    let begun = tokio::spawn(async move { retry_lost(|| pool.begin()).await });
    begun.await.map_err(|error| DbErr::Custom(error.to_string()))?
}

/// A pooled connection may have died with a restart of the database: the first statement of a unit of work, or one
/// that only reads, is tried again on another one, a few times. Nothing has been done before it, so nothing is done
/// twice.
pub(crate) async fn retry_lost<T, F: Future<Output = Result<T, DbErr>>>(
    attempt: impl FnMut() -> F,
) -> Result<T, DbErr> {
    retry(attempt, |error| is_lost(error) || is_lost_behind_pooler(error)).await
}

/// The same for a function that writes by itself. A pooler does not say whether the server has lost the statement or
/// its answer, so then it is not tried again.
pub(crate) async fn retry_call<T, F: Future<Output = Result<T, DbErr>>>(
    attempt: impl FnMut() -> F,
) -> Result<T, DbErr> {
    retry(attempt, is_lost).await
}

async fn retry<T, F: Future<Output = Result<T, DbErr>>>(
    mut attempt: impl FnMut() -> F, again: impl Fn(&DbErr) -> bool,
) -> Result<T, DbErr> {
    for _ in 0..3 {
        match attempt().await {
            Err(error) if again(&error) => continue,
            done => return done,
        }
    }
    attempt().await
}

fn is_lost(error: &DbErr) -> bool {
    let (DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    match &**error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| code.starts_with("57P0")),
        _ => false,
    }
}

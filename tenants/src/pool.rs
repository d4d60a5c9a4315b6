//! Connections: how a pool is set up, which of them it keeps, and how a transaction on one begins.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kernel::error::is_outdated;
use sea_orm::{ConnectOptions, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr, TransactionTrait};
use sqlx::Connection as _;

/// After so many uses of a connection, on average, the oldest is replaced. With each use a backend may meet
/// another table of another partner, which Postgres remembers in about 30 kB as long as the backend lives:
/// this many keep it below 200 MB.
const USES: u32 = 3_500;

/// How often the pool's connections were used since the oldest was replaced, and the greatest age seen
/// meanwhile.
#[derive(Debug, Default)]
struct ConnectionWear {
    uses: u32,
    oldest: Duration,
}

impl ConnectionWear {
    /// A connection of this age was used. Whether it is to be replaced: each comes to be the oldest in its
    /// turn, so with ten of them each lives for ten times [`USES`] of the pool, [`USES`] of its own.
    fn used(&mut self, age: Duration) -> bool {
        self.uses += 1;
        // The oldest may have been closed by something else: then any will do.
        if self.uses >= USES && age >= self.oldest || self.uses >= USES * 2 {
            *self = Self::default();
            return true;
        }
        self.oldest = self.oldest.max(age);
        false
    }
}

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
pub(crate) fn renew_connections(options: &mut ConnectOptions) {
    options.map_sqlx_postgres_pool_opts(|pool| {
        let wear = Mutex::new(ConnectionWear::default());
        pool.after_release(move |connection, state| {
            let worn = wear.lock().unwrap_or_else(PoisonError::into_inner).used(state.age);
            Box::pin(async move {
                if !worn && statements_are_outdated() {
                    connection.clear_cached_statements().await?;
                }
                Ok(!worn)
            })
        })
    });
}

/// How a pool connects.
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

/// A pooled connection may have died with a restart of the database: the first statement of a unit of work
/// is tried again on another one, a few times. Nothing has been done before it, so nothing is done twice.
pub(crate) async fn retry_lost<T, F: Future<Output = Result<T, DbErr>>>(
    mut attempt: impl FnMut() -> F,
) -> Result<T, DbErr> {
    for _ in 0..3 {
        match attempt().await {
            Err(error) if is_lost(&error) => continue,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Connections used in turns: each is replaced after as many uses of its own as a backend is to live.
    #[test]
    fn a_connection_is_replaced_once_it_is_worn() {
        for connections in [1, 3, 10] {
            let mut wear = ConnectionWear::default();
            // When each was opened, and how often it was used.
            let mut pool = vec![(0, 0); connections];
            let mut replaced = Vec::new();
            for now in 0..USES * 60 {
                let (opened, uses) = &mut pool[now as usize % connections];
                *uses += 1;
                if wear.used(Duration::from_millis((now - *opened).into())) {
                    replaced.push(*uses);
                    (*opened, *uses) = (now, 0);
                }
            }
            // The first were all opened together.
            for uses in replaced.into_iter().skip(connections) {
                assert!((USES * 9 / 10..=USES * 12 / 10).contains(&uses), "{connections}: {uses}");
            }
        }
    }

    /// When the oldest is gone for another reason another one is replaced instead.
    #[test]
    fn a_lost_connection_does_not_block_requests() {
        let mut wear = ConnectionWear::default();
        wear.used(Duration::from_secs(1000));
        let uses = (1..).find(|_| wear.used(Duration::from_secs(1)));
        assert_eq!(uses, Some(USES * 2 - 1));
    }
}

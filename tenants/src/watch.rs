//! Whether the database is there and fits, and how much of the pool is taken: what probes, measurements and requests
//! that wait are told. See `docs/decisions/reliability.md#probes`.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DbErr};

use crate::{
    door::{Door, code},
    pool::retry_lost,
    tx::{is_true, statement},
};

/// A database that says nothing for so long is away. Who waits for it is answered within three seconds: a second
/// passes at most until it is asked.
const SILENCE: Duration = Duration::from_millis(1500);

impl Door {
    /// Whether the database answers and has been migrated to these newest migrations, on a connection of its own.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn is_ready(&self, newest_control: &str, newest: &str) -> Result<bool, DbErr> {
        let statement =
            statement("select control.is_migrated($1, $2)", [newest_control.into(), newest.into()]);
        match retry_lost(|| self.probe.query_one_raw(statement.clone())).await {
            Ok(row) => Ok(row.is_some_and(|row| is_true(&[row]))),
            // Neither the schema nor the function is there before the first migration of a release that asks.
            Err(error) if matches!(code(&error).as_deref(), Some("42883" | "3F000" | "42501")) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Asks once a second, on the probes' connection, whether the database answers, until the process ends. A
    /// parted network gives no sign on the connections that wait for an answer; this notices.
    pub async fn watch(self) {
        loop {
            let asked = self.probe.query_one_raw(statement("select 1", []));
            let silent = match tokio::time::timeout(SILENCE, asked).await {
                // The connection of the question before is still silent.
                Err(_) | Ok(Err(DbErr::ConnectionAcquire(_))) => true,
                // A database that is down says so to everybody.
                Ok(_) => false,
            };
            if self.silent.send_if_modified(|known| std::mem::replace(known, silent) != silent) {
                tracing::warn!(silent, "the database is silent, or answers again");
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Ends when the database is silent, or at once when it is by now.
    pub async fn silent(&self) {
        // Its sender lives as long as this.
        let _ = self.silent.subscribe().wait_for(|silent| *silent).await;
    }

    /// Connections in use, connections at rest, and units of work that wait for one.
    #[must_use]
    pub fn load(&self) -> [usize; 3] {
        let pool = self.pool.get_postgres_connection_pool();
        let (all, idle) = (pool.size() as usize, pool.num_idle());
        [all.saturating_sub(idle), idle, self.places.waiting()]
    }
}

//! Whether the database is there and fits, and how much of the pool is taken: what probes, measurements and requests
//! that wait are told. See `docs/decisions/reliability.md#probes`.

use std::time::Duration;

use kernel::{Id, Partner};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};

use crate::{
    door::{Door, code},
    pool::retry_lost,
    servers::HOME,
    tx::{is_true, statement},
};

/// A database that says nothing for so long is away. Who waits for it is answered within three seconds: a second
/// passes at most until it is asked.
const SILENCE: Duration = Duration::from_millis(1500);

/// What came of asking a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Answers,
    /// It says so to everybody.
    Down,
    Silent,
}

/// Asks a server once a second whether it answers, and tells what came of it; `tell` answers whether it was silent
/// before.
pub(crate) async fn ask(probe: &DatabaseConnection, name: &str, tell: impl Fn(Asked) -> bool) {
    loop {
        let asked = probe.query_one_raw(statement("select 1", []));
        let asked = match tokio::time::timeout(SILENCE, asked).await {
            // The connection of the question before is still silent.
            Err(_) | Ok(Err(DbErr::ConnectionAcquire(_))) => Asked::Silent,
            Ok(Err(_)) => Asked::Down,
            Ok(Ok(_)) => Asked::Answers,
        };
        let silent = asked == Asked::Silent;
        if tell(asked) != silent {
            tracing::warn!(name, silent, "a database server is silent, or answers again");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

impl Door {
    /// Whether the database answers and has been migrated to these newest migrations, on a connection of its own.
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

    /// Asks once a second, on the probes' connections, whether the databases answer, until the process ends. A
    /// parted network gives no sign on the connections that wait for an answer; this notices.
    pub async fn watch(self) {
        let home = ask(&self.probe, HOME, |asked| {
            let silent = asked == Asked::Silent;
            let mut before = silent;
            self.silent.send_if_modified(|known| {
                before = std::mem::replace(known, silent);
                before != silent
            });
            before
        });
        tokio::join!(home, self.watch_servers());
    }

    /// Ends when the database that the request under way needs is silent, or at once when it is by now.
    pub async fn silent(&self) {
        let mut home = self.silent.subscribe();
        tokio::select! {
            // Its sender lives as long as this.
            _ = home.wait_for(|silent| *silent) => {}
            () = self.silent_elsewhere() => {}
        }
    }

    /// The partners of whom a unit of work waits for a connection; of all database servers.
    #[must_use]
    pub fn partners_waiting(&self) -> Vec<Id<Partner>> {
        self.pools().flat_map(|(_, places)| places.partners_waiting()).collect()
    }

    /// Connections in use, connections at rest, and units of work that wait for one; of all database servers.
    #[must_use]
    pub fn load(&self) -> [usize; 3] {
        self.pools().fold([0; 3], |[used, resting, waiting], (pool, places)| {
            let pool = pool.get_postgres_connection_pool();
            let (all, idle) = (pool.size() as usize, pool.num_idle());
            [used + all.saturating_sub(idle), resting + idle, waiting + places.waiting()]
        })
    }
}

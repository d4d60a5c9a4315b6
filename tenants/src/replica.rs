//! Long reads from a standby, which may be a moment late and leave the primary alone. See
//! `docs/decisions/reliability.md#read-replica`.

use std::time::Duration;

use kernel::{Id, Partner};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
use telemetry::trace;
use tokio::time::Instant;

use crate::{
    door::{Door, ENTER_JOB, ENTER_JOB_ANYWHERE, PlatformProof},
    places::Place,
    pool::{begin, retry_lost},
    tx::{TenantTx, is_true, statement},
};

/// How long a reader waits for a standby that is behind.
const BEHIND: Duration = Duration::from_secs(5);
/// Between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A position in the primary's log. A standby that has replayed it knows all that was committed before.
#[derive(Debug, Clone)]
pub struct LogPosition(String);

/// The answer of a server that is no standby is as good: it knows everything.
const HAS_REPLAYED: &str = "select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn";

impl Door {
    /// The same door with a standby beside (`PULT_DATABASE_REPLICA_URL`). Nothing is sent until it is needed.
    pub async fn with_replica(mut self, url: &str, connections: u32) -> Result<Self, DbErr> {
        self.replica = Some(Self::connect(url, connections.div_ceil(4)).await?);
        Ok(self)
    }

    /// Where the primary's log stands at this moment; none without a standby, because nobody needs it then, and none
    /// for a partner on another server, of which the standby has nothing.
    pub async fn log_position(&self, partner: Id<Partner>) -> Result<Option<LogPosition>, DbErr> {
        if self.replica.is_none() || self.servers.has_seen(partner) {
            return Ok(None);
        }
        let position = self.value("select pg_current_wal_insert_lsn()::text", []).await?;
        Ok(position.map(LogPosition))
    }

    /// Begins a unit of work for a job of this partner on the standby, once that knows everything up to this
    /// position. It can only read. None when the partner is gone or being worked on there.
    /// Errors: When there is no standby, it does not answer, or it is behind for longer than five seconds.
    pub async fn begin_read_job(
        &self, _proof: &PlatformProof, partner: Id<Partner>, since: &LogPosition,
    ) -> Result<Option<TenantTx>, DbErr> {
        let replica = self.replica.as_ref().ok_or_else(|| DbErr::Custom("there is no standby".to_owned()))?;
        has_replayed(replica, since).await?;
        let tx = trace::statement("begin").answer(begin(replica)).await?;
        let enter = if self.servers.is_empty() { ENTER_JOB } else { ENTER_JOB_ANYWHERE };
        let question = statement(enter, [partner.uuid().into(), trace::header().into()]);
        let row = trace::statement(enter).answer(tx.query_one_raw(question)).await?;
        if self.servers.of_row(Some(partner), row.as_ref())?.is_some() {
            return Err(DbErr::Custom("the partner is on another server".to_owned()));
        }
        Ok(row.map(|_| TenantTx::new(tx, partner, None, false, Place::elsewhere())))
    }
}

/// Waits until it has.
async fn has_replayed(replica: &DatabaseConnection, since: &LogPosition) -> Result<(), DbErr> {
    let until = Instant::now() + BEHIND;
    loop {
        let question = statement(HAS_REPLAYED, [since.0.clone().into()]);
        let asked = retry_lost(|| replica.query_all_raw(question.clone()));
        if is_true(&trace::statement(HAS_REPLAYED).answer(asked).await?) {
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(DbErr::Custom("the standby is behind".to_owned()));
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

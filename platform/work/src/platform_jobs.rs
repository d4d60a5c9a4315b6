//! Jobs that the platform writes in `control`, and what its operator does with those that stand there.

use chrono::{DateTime, Utc};
use kernel::{Id, Partner, Result};
use sea_orm::{DbErr, FromQueryResult};
use serde_json::Value;
use tenants::{ControlTx, Door, PlatformProof};
use uuid::Uuid;

use crate::subscriptions;

/// What waits, for whoever watches the service.
#[derive(Debug, Clone, Copy, Default, FromQueryResult)]
pub struct Backlog {
    /// Jobs that are due and have not begun.
    pub waiting: i64,
    /// Jobs that were set aside and wait for a person.
    pub dead: i64,
    /// Seconds since the oldest job that is due was due.
    pub lag: f64,
    /// The same of jobs that events wrote.
    pub outbox_lag: f64,
    /// Partners that a migration or a restore keeps from work.
    pub maintenance: i64,
}

/// Counts what waits.
pub async fn backlog(door: &Door) -> Result<Backlog, DbErr> {
    let kinds: Vec<String> =
        subscriptions::installed_kinds().chain([subscriptions::FAN_OUT]).map(str::to_owned).collect();
    Ok(door.one("select * from control.backlog($1)", [kinds.into()]).await?.unwrap_or_default())
}

/// What becomes of a job with the same partner, kind and key that waits already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfWaiting {
    /// It stays as it is, and no second one is written.
    Keep,
    /// It gets the new time, and all its attempts again.
    Renew,
}

#[derive(Debug, Clone)]
pub struct PlatformJob<'a> {
    pub kind: &'a str,
    /// With a key, a second one of the same partner and kind does not wait beside it.
    pub key: Option<String>,
    /// Ids, never personal data.
    pub args: Value,
    /// Not before then (UTC); at once when absent.
    pub run_at: Option<DateTime<Utc>>,
    /// What becomes of one that waits already.
    pub if_waiting: IfWaiting,
}

const KEEP: &str = "insert into job (partner_id, kind, key, args, run_at) \
    select p.id, $2, $3, $4, coalesce($5, now()) from unnest(coalesce($1, array[null::uuid])) p (id) order by p.id \
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' do nothing";
const RENEW: &str = "insert into job (partner_id, kind, key, args, run_at) \
    select p.id, $2, $3, $4, coalesce($5, now()) from unnest(coalesce($1, array[null::uuid])) p (id) order by p.id \
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' \
        do update set run_at = excluded.run_at, attempts = 0";

impl PlatformJob<'_> {
    pub async fn enqueue(self, tx: &ControlTx) -> Result<()> {
        self.write(tx, None).await
    }

    /// Writes one for each of these partners.
    pub async fn enqueue_for(self, tx: &ControlTx, partners: &[Id<Partner>]) -> Result<()> {
        self.write(tx, Some(partners.iter().map(|partner| partner.uuid()).collect())).await
    }

    async fn write(self, tx: &ControlTx, partners: Option<Vec<Uuid>>) -> Result<()> {
        let sql = match self.if_waiting {
            IfWaiting::Keep => KEEP,
            IfWaiting::Renew => RENEW,
        };
        let values =
            [partners.into(), self.kind.into(), self.key.into(), self.args.into(), self.run_at.into()];
        tx.run(sql, values).await?;
        tx.wake_runners();
        Ok(())
    }
}

/// Discards the jobs of a partner of this kind, all or those with a key. One that runs goes on.
pub async fn discard(tx: &ControlTx, partner: Id<Partner>, kind: &str, key: Option<String>) -> Result<()> {
    let sql = "delete from job where partner_id = $1 and kind = $2 and ($3::text is null or key = $3) \
        and state <> 'running'";
    tx.run(sql, [partner.into(), kind.into(), key.into()]).await?;
    Ok(())
}

/// The servers that partners are on and the settings do not name.
pub async fn unknown_servers(door: &Door) -> Result<Vec<String>, DbErr> {
    door.unknown_servers(&PlatformProof::runner()).await
}

/// Failed jobs of a kind, all or those that share the key of one, are not needed while another with their key
/// waits: it does the same work.
const FORGET: &str = "delete from job j where kind = $1 and state = 'failed' \
    and ($2::bigint is null or (partner_id, key) = (select o.partner_id, o.key from job o where o.id = $2)) \
    and exists (select from job o where o.partner_id = j.partner_id and o.kind = j.kind and o.key = j.key \
        and o.state = 'waiting')";

/// Has all failed jobs of a kind run now, with all their attempts again, and says how many. Of those with the
/// same key the newest does the work of all; when one with that key waits already, it does. The others are
/// discarded.
pub async fn run_failed(tx: &ControlTx, kind: &str) -> Result<u64> {
    let sql = "update job j set state = 'waiting', run_at = now(), attempts = 0 where kind = $1 \
        and state = 'failed' and not exists (select from job o where o.partner_id = j.partner_id \
            and o.kind = j.kind and o.key = j.key \
            and (o.state = 'waiting' or o.state = 'failed' and o.id > j.id))";
    let count = tx.run(sql, [kind.into()]).await?;
    tx.run(FORGET, [kind.into(), None::<i64>.into()]).await?;
    if count > 0 {
        tx.wake_runners();
    }
    Ok(count)
}

/// A job that is locked until the commit.
#[derive(Debug, FromQueryResult)]
pub struct LockedJob {
    id: i64,
    pub kind: String,
    /// None for the platform's own.
    pub partner_id: Option<Uuid>,
}

/// Locks a job; none when it is done and gone.
pub async fn lock(tx: &ControlTx, id: i64) -> Result<Option<LockedJob>> {
    Ok(tx.one("select id, kind, partner_id from job where id = $1 for update", [id.into()]).await?)
}

impl LockedJob {
    /// Has it run now, with all its attempts again. One that runs goes on, and one whose time has not come waits
    /// for it: early it would find nothing to do, and be done. When a second one with its key waits already, that
    /// one does the same work; failed ones with its key are discarded.
    pub async fn run_again(&self, tx: &ControlTx) -> Result<()> {
        let sql = "update job j set state = 'waiting', run_at = now(), attempts = 0 where id = $1 \
            and (state = 'failed' or state = 'waiting' and (attempts > 0 or run_at <= now())) \
            and not exists (select from job o where o.partner_id = j.partner_id \
                and o.kind = j.kind and o.key = j.key and o.id <> j.id and o.state = 'waiting')";
        if tx.run(sql, [self.id.into()]).await? > 0 {
            tx.wake_runners();
        }
        tx.run(FORGET, [self.kind.clone().into(), self.id.into()]).await?;
        Ok(())
    }

    /// Discards it; false when it runs.
    pub async fn discard(&self, tx: &ControlTx) -> Result<bool> {
        Ok(tx.run("delete from job where id = $1 and state <> 'running'", [self.id.into()]).await? > 0)
    }
}

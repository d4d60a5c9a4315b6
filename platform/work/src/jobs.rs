//! Jobs: rows written in the transaction that causes them, and what their handlers work with.

use std::{str::FromStr, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use kernel::{Id, Partner, Result};
use sea_orm::FromQueryResult;
use serde_json::Value;
use telemetry::measures;
use tenants::{ControlTx, Door, LogPosition, PlatformProof, TenantTx};
use uuid::Uuid;

use crate::{JobError, Mail, Mailer};

/// Attempts before a job is set aside for a super admin; those for which something was away do not count.
pub(crate) const ATTEMPTS: i32 = 10;
#[derive(Debug, Clone, FromQueryResult)]
pub struct Job {
    pub id: i64,
    /// The partner it belongs to; none for the platform's own.
    #[sea_orm(from_alias = "partner_id")]
    pub partner: Option<Id<Partner>>,
    pub kind: String,
    /// Ids, never personal data.
    pub args: Value,
    pub(crate) lease: i64,
    pub(crate) attempts: i32,
    /// In seconds.
    pub(crate) waited: f64,
    pub(crate) trace: Option<String>,
}

impl Job {
    /// Whether it is not tried again by itself when it fails now.
    #[must_use]
    pub fn last_attempt(&self) -> bool {
        self.attempts >= ATTEMPTS
    }

    /// The argument of this name, such as an id.
    /// Errors: The job was written without it: no attempt will find it.
    pub fn arg<T: FromStr>(&self, name: &str) -> Result<T, JobError> {
        let value = self.args[name].as_str().and_then(|text| text.parse().ok());
        value.ok_or_else(|| JobError::give_up(format!("the job has no {name}")))
    }

    pub fn partner(&self) -> Result<Id<Partner>, JobError> {
        self.partner.ok_or_else(|| JobError::give_up("the job has no partner"))
    }

    /// Since it was due.
    pub(crate) fn waited(&self) -> Duration {
        Duration::try_from_secs_f64(self.waited).unwrap_or_default()
    }

    /// The owner of its turn: its partner, or the platform.
    pub(crate) fn turn(&self) -> Uuid {
        self.partner.map_or(Uuid::nil(), |partner| partner.uuid())
    }
}

/// What a handler works with.
#[derive(Clone)]
pub struct JobContext {
    pub door: Door,
    pub(crate) mailer: Mailer,
    pub(crate) proof: Arc<PlatformProof>,
}

impl JobContext {
    /// Begins a unit of work of the job's partner.
    pub async fn begin(&self, job: &Job) -> Result<TenantTx, JobError> {
        let partner = job.partner()?;
        match self.door.begin_job(&self.proof, partner).await? {
            Some(tx) => Ok(tx),
            None => Err(self.not_at_work(partner).await?),
        }
    }

    /// Why a partner has no unit of work.
    async fn not_at_work(&self, partner: Id<Partner>) -> Result<JobError, JobError> {
        let tx = self.begin_platform().await?;
        let sql = "select status = 'maintenance' from partner_facts where id = $1";
        Ok(match tx.value(sql, [partner.into()]).await? {
            Some(true) => JobError::away("the partner is in maintenance"),
            // A deletion can be undone: then they go on.
            _ => JobError::away("the partner is gone"),
        })
    }

    /// For a job that reads much: from the standby, if there is one, and what it does not have from the primary.
    /// What is read is never older than this moment.
    pub async fn reading(&self, job: &Job) -> Result<Reading, JobError> {
        let partner = job.partner()?;
        let since = self.door.log_position(partner).await?;
        Ok(Reading { context: self.clone(), partner, since })
    }

    /// Begins a unit of work in `control`, for the platform's own jobs.
    pub async fn begin_platform(&self) -> Result<ControlTx, JobError> {
        Ok(self.door.begin_platform(&self.proof).await?)
    }

    /// Sends a mail. Of a partner that is not live nobody hears but its own people: what is for others goes
    /// to the sink or to nobody. End the unit of work first: a mail server may be slow.
    pub async fn mail(&self, job: &Job, mail: &Mail) -> Result<(), JobError> {
        let outside = match job.partner {
            None => true,
            Some(partner) => {
                let tx = self.begin_platform().await?;
                tx.value(MAY_GET, [partner.into(), mail.to.clone().into()]).await?.unwrap_or(false)
            }
        };
        if !outside {
            tracing::info!(job = job.id, kind = job.kind, "this mail is not sent: the partner is not live");
        }
        self.mailer.send(mail, outside).await
    }
}

/// Units of work that only read. See `docs/decisions/reliability.md#read-replica`.
pub struct Reading {
    context: JobContext,
    partner: Id<Partner>,
    /// What a standby has to know; none when the primary is read.
    since: Option<LogPosition>,
}

impl Reading {
    /// Begins a unit of work that only reads: on the standby as long as that goes well, then on the primary.
    pub async fn begin(&mut self) -> Result<TenantTx, JobError> {
        let JobContext { door, proof, .. } = &self.context;
        if let Some(since) = &self.since {
            match door.begin_read_job(proof, self.partner, since).await {
                Ok(Some(tx)) => return Ok(tx),
                Ok(None) => return Err(self.context.not_at_work(self.partner).await?),
                Err(error) => _ = self.leave(&error),
            }
        }
        let JobContext { door, proof, .. } = &self.context;
        match door.begin_job(proof, self.partner).await? {
            Some(tx) => Ok(tx),
            None => Err(self.context.not_at_work(self.partner).await?),
        }
    }

    /// What was read has failed. True when that was on the standby: from now on the primary is read, and it is worth
    /// reading again.
    pub fn leave(&mut self, error: &dyn std::fmt::Display) -> bool {
        let left = self.since.take().is_some();
        if left {
            tracing::warn!(%error, "read from the primary, because the standby fails");
            measures::left_standby();
        }
        left
    }
}

/// Whether an address may get mail of a partner: any while the partner is live, else those of its own people
/// and of super admins, who try it out.
const MAY_GET: &str = "select exists (select from partner_facts p where p.id = $1 and (p.mode = 'live' \
    or exists (select from account_contact ac where ac.email = lower($2) and ac.super_admin) \
    or exists (select from partner_person pe where pe.email = lower($2) and pe.partner_id = p.id))) may";

/// Does one kind of job. It may run twice. What it fails with is tried again or not, as the error says.
pub type Handler = Arc<dyn Fn(JobContext, Job) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync>;

/// Writes a job in the caller's transaction, due at once without a time. With a `key`, a second one that is still
/// waiting is not written.
pub async fn enqueue(
    tx: &TenantTx, kind: &str, key: Option<&str>, args: Value, run_at: Option<DateTime<Utc>>,
) -> Result<()> {
    tx.run(
        "select control.enqueue($1, $2, $3, $4)",
        [kind.into(), key.map(str::to_owned).into(), args.into(), run_at.into()],
    )
    .await?;
    Ok(())
}

/// The time by which jobs are due (UTC): the database's, or this instance's where that is ahead. By its own clock alone
/// an instance that is behind would find a job too early that is due, and be done with it.
pub async fn due_now(tx: &TenantTx) -> Result<DateTime<Utc>> {
    let own = kernel::clock::now();
    Ok(tx.value("select greatest(now(), $1::timestamptz)", [own.into()]).await?.unwrap_or(own))
}

//! Jobs of all partners: list, run again, discard. See `docs/decisions/events-and-jobs.md#jobs`.

use ::work::platform_jobs::{self, LockedJob};
use access::{Platform, answers::Tag, prelude::*};
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::ControlTx;

use crate::platform;

pub(crate) struct JobsApi;

/// A job, for its error code.
enum Jobs {}
kernel::resource!(Jobs, "jobs", "JOB");

/// What a job is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
enum JobState {
    Waiting,
    Running,
    /// Set aside after too many attempts.
    Failed,
}

impl JobState {
    const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Failed => "failed",
        }
    }
}

/// A piece of background work.
#[derive(Debug, Object, FromQueryResult)]
struct Job {
    id: i64,
    /// What is done.
    kind: String,
    /// Null for the platform's own.
    partner_id: Option<Id<Partner>>,
    partner_name: Option<String>,
    state: JobState,
    /// How many times it was begun.
    attempts: i32,
    /// Why the last attempt failed.
    last_error: Option<String>,
    /// When it is due.
    run_at: Timestamp,
    created_at: Timestamp,
}

/// Jobs that failed, and may run again together.
#[derive(Debug, Object)]
struct FailedJobs {
    /// What they do.
    #[oai(validator(max_length = 100, pattern = "^[a-z][a-z0-9_]*$"))]
    kind: String,
}

/// How many jobs are to run again.
#[derive(Debug, Object)]
struct JobsStarted {
    count: u64,
}

const LIST: &str = "select j.id, j.kind, j.partner_id, p.name partner_name, j.state, j.attempts, \
    j.last_error, j.run_at, j.created_at \
    from job_state j left join partner p on p.id = j.partner_id \
    where ($1::text is null or j.state = $1) and ($2::text is null or j.kind = $2) and ($3::uuid is null or \
    j.partner_id = $3) and ($4::bool is null or (j.run_at <= now()) = $4) \
    order by j.id desc limit $5 offset $6";
const ONE: &str = "select j.id, j.kind, j.partner_id, p.name partner_name, j.state, j.attempts, \
    j.last_error, j.run_at, j.created_at \
    from job_state j left join partner p on p.id = j.partner_id where j.id = $1";
const COUNT: &str = "select count(*) total from job_state j \
    where ($1::text is null or j.state = $1) and ($2::text is null or j.kind = $2) and ($3::uuid is null or \
    j.partner_id = $3) and ($4::bool is null or (j.run_at <= now()) = $4)";

#[OpenApi(prefix_path = "/api/v3/super-admin/jobs", tag = "Tag::Platform")]
impl JobsApi {
    /// Background work of all partners, newest first.
    #[oai(path = "/", method = "get", operation_id = "jobs_list")]
    async fn list(
        &self, caller: Platform, state: QueryParam<JobState>, kind: QueryParam<String>,
        partner_id: QueryParam<Id<Partner>>,
        /// Only those whose time has come, or has not.
        due: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Job>> {
        let tx = caller.begin().await?;
        let filter = || {
            [
                state.0.map(JobState::name).into(),
                kind.0.clone().into(),
                partner_id.0.map(Id::uuid).into(),
                due.0.into(),
            ]
        };
        let total = if paging.count {
            tx.value::<i64>(COUNT, filter()).await?.and_then(|total| total.try_into().ok())
        } else {
            None
        };
        let limit = paging.limit();
        let cut = [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX).into());
        Ok(Page { rows: tx.all(LIST, filter().into_iter().chain(cut)).await?, total })
    }

    /// One job.
    ///
    /// It is gone once it is done.
    ///
    /// codes: JOB_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "jobs_get")]
    async fn get(&self, caller: Platform, id: Path<i64>) -> Result<Json<Job>> {
        let tx = caller.begin().await?;
        Ok(Json(tx.one(ONE, [id.0.into()]).await?.ok_or_else(Problem::not_exist::<Jobs>)?))
    }

    /// Runs a job now, with all its attempts before it again. One that runs goes on, and one that has not failed
    /// waits for its time.
    ///
    /// Failed ones that do the same work are discarded, and so is this one when another waits that does it.
    ///
    /// codes: JOB_NOT_EXIST
    #[oai(path = "/:id/run", method = "post", operation_id = "jobs_run")]
    async fn run(&self, caller: Platform, id: Path<i64>) -> Result<Done> {
        let tx = caller.begin().await?;
        locked(&tx, &caller, id.0, "jobs_run").await?.run_again(&tx).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Runs all failed jobs of a kind now, with all their attempts before them again: what they need is back.
    ///
    /// Of several that do the same work, one runs; the others are discarded.
    #[oai(path = "/run-failed", method = "post", operation_id = "jobs_run_failed")]
    async fn run_failed(&self, caller: Platform, body: Body<FailedJobs>) -> Result<Json<JobsStarted>> {
        let tx = caller.begin().await?;
        let FailedJobs { kind } = body.into_inner();
        let count = platform_jobs::run_failed(&tx, &kind).await?;
        if count > 0 {
            let details = json!({"kind": [null, kind], "count": [null, count]});
            platform::audit(&tx, &caller, "jobs_run", None, None, details).await?;
        }
        tx.commit().await?;
        Ok(Json(JobsStarted { count }))
    }

    /// Discards a job that waits or has failed.
    ///
    /// codes: JOB_NOT_EXIST, IN_USE
    #[oai(path = "/:id", method = "delete", operation_id = "jobs_delete")]
    async fn delete(&self, caller: Platform, id: Path<i64>) -> Result<Done> {
        let tx = caller.begin().await?;
        if !locked(&tx, &caller, id.0, "jobs_delete").await?.discard(&tx).await? {
            return Err(Problem::new(Code::IN_USE).detail("the job is running"));
        }
        tx.commit().await?;
        Ok(Done)
    }
}

/// The job, locked, with the line of the audit log written; refuses when there is no such job.
async fn locked(tx: &ControlTx, caller: &Platform, id: i64, action: &str) -> Result<LockedJob> {
    let job = platform_jobs::lock(tx, id).await?.ok_or_else(Problem::not_exist::<Jobs>)?;
    let details = json!({"id": [id, null], "kind": [job.kind, null]});
    platform::audit(tx, caller, action, job.partner_id, None, details).await?;
    Ok(job)
}

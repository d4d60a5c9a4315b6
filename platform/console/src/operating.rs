//! The operator's overview: instances, waiting and failed work, slow operations, partners that cause load.

use ::work::platform_jobs;
use access::{Platform, answers::Tag, prelude::*};
use sea_orm::FromQueryResult;

pub(crate) struct OperatingApi;

/// A process of the service.
#[derive(Debug, Object, FromQueryResult)]
struct ServiceInstance {
    id: Uuid,
    /// Of its release.
    version: String,
    /// `service`, `service_and_work` or `work`.
    part: String,
    started_at: Timestamp,
    /// When it said last that it is there.
    seen_at: Timestamp,
    /// Whether it has said so within the last 30 seconds.
    alive: bool,
    /// Whether requests are welcome there.
    ready: bool,
    /// Resident memory in MB.
    memory_mb: i64,
    /// Connections to the database in use.
    connections: i64,
    /// Units of work that wait for a connection.
    waiting: i64,
    /// Open windows and displays.
    windows: i64,
}

/// Background work.
#[derive(Debug, Object)]
struct JobBacklog {
    /// Jobs that are due and have not begun.
    waiting: i64,
    /// Jobs set aside for a person.
    dead: i64,
    /// Seconds since the oldest job that is due was due.
    lag_seconds: i64,
    /// Partners that a migration or a restore keeps from work.
    maintenance: i64,
}

/// Jobs of a kind that failed: mails, notifications, exports and other things that did not arrive.
#[derive(Debug, Object, FromQueryResult)]
struct JobFailure {
    kind: String,
    /// Set aside after too many attempts.
    dead: i64,
    /// Tried again.
    repeated: i64,
    /// Why the newest of them failed.
    last_error: Option<String>,
    /// When the oldest of them was written.
    since: Timestamp,
}

/// An operation and what it cost.
#[derive(Debug, Object, FromQueryResult)]
struct OperationLoad {
    /// Method and template of the path.
    operation: String,
    requests: i64,
    /// Answered with 500 or more.
    failed: i64,
    /// Milliseconds, on average.
    mean_ms: i64,
    /// Milliseconds of the slowest.
    worst_ms: i64,
}

/// A partner and what its requests cost.
#[derive(Debug, Object, FromQueryResult)]
struct PartnerLoad {
    partner_id: Id<Partner>,
    partner_name: String,
    requests: i64,
    failed: i64,
    /// Milliseconds of all requests together.
    total_ms: i64,
    /// Its part of the time of all partners, in per cent.
    share: i64,
}

/// What an operator looks at first.
#[derive(Debug, Object)]
struct Operating {
    /// Those of the last hour, the newest first.
    instances: Vec<ServiceInstance>,
    backlog: JobBacklog,
    /// Kinds of jobs that failed, the most first.
    failures: Vec<JobFailure>,
    /// The slowest operations on average, of those with at least ten requests; at most twenty.
    slowest: Vec<OperationLoad>,
    /// The partners whose requests took most time; at most twenty.
    partners: Vec<PartnerLoad>,
}

const INSTANCES: &str = "select id, version, part, started_at, seen_at, seen_at > now() - interval '30 seconds' alive, \
    ready and seen_at > now() - interval '30 seconds' ready, coalesce((figures->>'memory')::bigint / 1000000, 0) \
    memory_mb, coalesce((figures->>'connections')::bigint, 0) connections, coalesce((figures->>'waiting')::bigint, 0) \
    waiting, coalesce((figures->>'windows')::bigint, 0) windows from instance order by started_at desc, id limit 100";
const FAILURES: &str = "select kind, count(*) filter (where state = 'failed') dead, \
    count(*) filter (where state <> 'failed') repeated, (array_agg(last_error order by id desc))[1] last_error, \
    min(created_at) since from job_state where last_error is not null group by kind \
    order by dead desc, repeated desc, kind limit 50";
const SLOWEST: &str = "select name operation, sum(requests)::bigint requests, sum(failed)::bigint failed, \
    (sum(total_ms) / sum(requests))::bigint mean_ms, max(worst_ms)::bigint worst_ms from load \
    where subject = 'operation' and minute > now() - $1 * interval '1 minute' group by name \
    having sum(requests) >= 10 order by sum(total_ms) / sum(requests) desc, name limit 20";
const PARTNERS: &str = "select p.id partner_id, p.name partner_name, sum(l.requests)::bigint requests, \
    sum(l.failed)::bigint failed, sum(l.total_ms)::bigint total_ms, \
    coalesce(100 * sum(l.total_ms) / nullif(sum(sum(l.total_ms)) over (), 0), 0)::bigint share \
    from load l join partner p on p.id = l.name::uuid \
    where l.subject = 'partner' and l.minute > now() - $1 * interval '1 minute' group by p.id, p.name \
    order by sum(l.total_ms) desc, p.name limit 20";

#[OpenApi(prefix_path = "/api/v3/super-admin/operating", tag = "Tag::Platform")]
impl OperatingApi {
    /// Instances, what waits and what failed now, and the load of the last minutes.
    ///
    /// Figures are written every ten seconds and kept for an hour.
    #[oai(path = "/", method = "get", operation_id = "operating_get")]
    async fn get(
        &self, caller: Platform,
        /// The load of so many minutes.
        #[oai(validator(minimum(value = "1"), maximum(value = "60")))]
        minutes: QueryParam<i32>,
    ) -> Result<Json<Operating>> {
        let since = || [f64::from(minutes.0.unwrap_or(15)).into()];
        // As `/metrics` counts it.
        let backlog = platform_jobs::backlog(&caller.0.app.door).await?;
        let tx = caller.begin().await?;
        Ok(Json(Operating {
            instances: tx.all(INSTANCES, []).await?,
            backlog: JobBacklog {
                waiting: backlog.waiting,
                dead: backlog.dead,
                #[allow(clippy::cast_possible_truncation)]
                lag_seconds: backlog.lag as i64,
                maintenance: backlog.maintenance,
            },
            failures: tx.all(FAILURES, []).await?,
            slowest: tx.all(SLOWEST, since()).await?,
            partners: tx.all(PARTNERS, since()).await?,
        }))
    }
}

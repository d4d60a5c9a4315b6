//! Runs jobs, each at least once: leases of 30 s with a heartbeat and a fencing token, so that a worker that lost its
//! lease cannot finish the job.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use kernel::{Id, Partner, error::is_unique_violation};
use opentelemetry::{KeyValue, trace::SpanKind};
use rand::Rng;
use sea_orm::DbErr;
use serde::Serialize;
use telemetry::{measures, trace::Work};
use tenants::{Door, PlatformProof};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    Hub, JobError, Mailer, carrier,
    jobs::{ATTEMPTS, Handler, Job, JobContext},
    pace::Pace,
    subscriptions::{self, FAN_OUT, NewJob},
};

/// Jobs that a runner has under way at the same time.
const AT_ONCE: usize = 8;
/// How many of these are of one partner at most: the other places are for others, even when all of its jobs
/// hang.
const OF_ONE: usize = 4;

/// A runner of so many kinds looks for the jobs of each.
const FEW: usize = 16;

/// Until it is looked again who waits for a connection, while jobs are under way.
const GIVE_WAY: Duration = Duration::from_millis(100);

/// How long nobody looks for jobs that have become due.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// How often the outcome of a job is tried to be written again.
const FINISHES: usize = 5;

/// Runs jobs of all partners on this instance.
pub struct Runner {
    context: JobContext,
    hub: Hub,
    handlers: HashMap<&'static str, Handler>,
    proof: PlatformProof,
}

/// Partners take turns: first those of whom least is under way here ($4), and of each the job that is due
/// longest. `turns` hops from partner to partner over the index, so a hundred thousand jobs of one cost the
/// others nothing. Who runs few kinds ($6) hops from partner to partner of each kind (`kinds`), so those of
/// other kinds cost nothing either; rows are compared whole there, which one index alone can do. A job whose
/// workers die again and again is perhaps what they die of: it is set aside like one that fails. [`AT_ONCE`],
/// and four times as many, stand in the text: a plan for an unknown number reads all.
const LEASE: &str = "with recursive deadly as (update job set state = 'failed', last_error = 'whoever ran it \
    died' \
        where id in (select id from job where kind = any ($1) and state = 'running' and leased_until < now() \
        and attempts >= $3 for update skip locked)), \
    turns (turn_of) as ((select turn_of from job where state = 'waiting' and not $6 order by turn_of limit 1) \
        union all select (select j.turn_of from job j where j.state = 'waiting' and j.turn_of > t.turn_of \
        order by j.turn_of limit 1) \
        from turns t where t.turn_of is not null), \
    kinds (kind, turn_of) as (select k, (select case when j.kind = k then j.turn_of end from job j \
            where j.state = 'waiting' and (j.kind, j.turn_of) >= (k, '00000000-0000-0000-0000-000000000000') \
            order by j.kind, j.turn_of limit 1) from unnest($1) k where $6 \
        union all select t.kind, (select case when j.kind = t.kind then j.turn_of end from job j \
            where j.state = 'waiting' and (j.kind, j.turn_of) > (t.kind, t.turn_of) \
            order by j.kind, j.turn_of limit 1) \
        from kinds t where t.turn_of is not null), \
    busy as (select turn_of, count(*) n from unnest($4::uuid[]) turn_of group by turn_of), \
    ready as (select id, turn_of, run_at from job where kind = any ($1) and state = 'running' and \
    leased_until < now() and attempts < $3 \
        union all select j.id, t.turn_of, j.run_at from turns t, lateral (select id, run_at from job \
            where turn_of = t.turn_of and state = 'waiting' and run_at <= now() and kind = any ($1) order by \
            run_at limit 8) j \
        union all select j.id, t.turn_of, j.run_at from kinds t, lateral (select id, run_at from job \
            where state = 'waiting' and (kind, turn_of, run_at) >= (t.kind, t.turn_of, '-infinity') \
            and (kind, turn_of, run_at) <= (t.kind, t.turn_of, now()) order by kind, turn_of, run_at limit 8) j), \
    due as (select id, place from (select id, run_at, coalesce(b.n, 0) + row_number() over (partition by \
    turn_of order by run_at) place \
            from ready left join busy b using (turn_of)) placed where place <= $5 order by place, run_at \
            limit 32) \
    update job set state = 'running', lease = lease + 1, attempts = attempts + 1, leased_until = now() + \
    interval '30 seconds' \
    where id in (select j.id from job j join due d using (id) where j.state = 'waiting' or j.leased_until < \
    now() \
        order by d.place, j.run_at limit $2 for update of j skip locked) \
    returning id, partner_id, kind, args, lease, attempts, greatest(extract(epoch from clock_timestamp() - \
    run_at), 0)::float8 waited, trace";
/// It has done the work of those with its key that failed before it was written, too.
const DONE: &str = "with done as (delete from job where id = $1 and lease = $2 returning id, partner_id, kind, key) \
    delete from job j using done d where j.partner_id = d.partner_id and j.kind = d.kind and j.key = d.key \
    and j.state = 'failed' and j.id < d.id";
/// Another with the same key that waits by now does the same work, at the sooner time of both: then this one is not
/// needed any more.
const FAIL: &str = "with sooner as (update job o set run_at = least(o.run_at, now() + make_interval(secs => $5)) \
        from job j where j.id = $1 and j.lease = $2 and $3 <> 'failed' and o.partner_id = j.partner_id \
            and o.kind = j.kind and o.key = j.key and o.id <> j.id and o.state = 'waiting' and o.attempts = 0), \
    kept as (update job j set state = $3, last_error = left($4, 2000), run_at = now() + \
    make_interval(secs => $5), attempts = least(attempts, $6) \
        where id = $1 and lease = $2 and ($3 = 'failed' or not exists (select from job o \
            where o.partner_id = j.partner_id and o.kind = j.kind and o.key = j.key and o.id <> j.id and \
            o.state = 'waiting')) returning id) \
    delete from job where id = $1 and lease = $2 and not exists (select from kept)";

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What is left of a job that runs several becomes jobs of their own, in the moment in which that one is
/// gone. One with the same key that waits by now does the same work, at the sooner time of both.
const SPLIT: &str = "with gone as (delete from job where id = $1 and lease = $2 returning partner_id) \
    insert into job (partner_id, kind, key, args, run_at, attempts, last_error, state) \
    select g.partner_id, l.kind, l.key, l.args, coalesce(l.run_at, now()), l.attempts, left(l.error, 2000), \
    case when l.set_aside then 'failed' else 'waiting' end \
    from gone g, jsonb_to_recordset($3) l (kind text, key text, args jsonb, run_at timestamptz, attempts int, \
    error text, set_aside boolean) \
    on conflict (partner_id, kind, key) where key is not null and state = 'waiting' \
        do update set run_at = least(job.run_at, excluded.run_at) where job.attempts = 0";

/// A part of a job that is not done.
#[derive(Debug, Serialize)]
struct LeftOver {
    #[serde(flatten)]
    job: NewJob,
    attempts: i32,
    error: Option<String>,
    /// No further attempt changes anything.
    set_aside: bool,
}

/// Seconds until a job that has failed so many times is tried again: 2, 4, 8 …, an hour at most, with jitter
/// so that a crowd does not come back at once.
fn pause(attempts: i32) -> i64 {
    let pause = (1_i64 << attempts.clamp(1, 11)).min(3600);
    rand::rng().random_range(pause / 2..=pause)
}

impl Runner {
    #[must_use]
    pub fn new(
        door: Door, mailer: Mailer, hub: Hub, handlers: impl IntoIterator<Item = (&'static str, Handler)>,
    ) -> Self {
        let context = JobContext { door, mailer, proof: Arc::new(PlatformProof::runner()) };
        Self { context, hub, handlers: handlers.into_iter().collect(), proof: PlatformProof::runner() }
    }

    /// Runs until `stop`, and then until what is under way has ended: woken when a job is written that is
    /// due, and every five seconds for those that became due. Nobody's job waits for another's to end as long
    /// as not all places are taken.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let runner = Arc::new(self);
        let mut stop = pin!(stop);
        let mut under_way = JoinSet::new();
        // The owner of each one's turn.
        let mut turns = HashMap::new();
        let mut pace = Pace::default();
        let mut cleaning = tokio::time::interval_at(
            tokio::time::Instant::now() + Duration::from_secs(60),
            Duration::from_secs(3600),
        );
        loop {
            // Who calls while we are looking is heard.
            let mut called = pin!(runner.hub.job());
            called.as_mut().enable();
            let waiting = runner.context.door.partners_waiting();
            let found = match AT_ONCE - under_way.len() {
                0 => Ok(vec![]),
                room => runner.lease(room, runner.used(&turns, &pace, &waiting)).await,
            };
            let may_soon = found.is_ok() && !waiting.is_empty();
            let found = found
                .inspect_err(|error| tracing::warn!(%error, "jobs cannot be leased"))
                .unwrap_or_default();
            for job in found {
                let (runner, turn) = (runner.clone(), job.turn());
                pace.begin(turn, job.waited(), Instant::now());
                turns.insert(under_way.spawn(async move { runner.one(job).await }).id(), turn);
            }
            let room = under_way.len() < AT_ONCE;
            let pause = if may_soon && !under_way.is_empty() { GIVE_WAY } else { LOOK_AGAIN };
            let pause = pace.wait(Instant::now()).unwrap_or(pause);
            tokio::select! {
                () = &mut stop => break,
                mut ended = under_way.join_next_with_id(), if !under_way.is_empty() => while let Some(job) = ended {
                    turns.remove(&job.map_or_else(|error| error.id(), |(id, ())| id));
                    ended = under_way.try_join_next_with_id();
                },
                () = called, if room => {}
                () = tokio::time::sleep(pause), if room => {}
                _ = cleaning.tick() => {
                    let runner = runner.clone();
                    tokio::spawn(async move {
                        if let Err(error) = runner.clean().await {
                            tracing::warn!(%error, "old events cannot be removed");
                        }
                    });
                }
            }
        }
        while under_way.join_next().await.is_some() {}
    }

    /// A place of a turn for each of its jobs under way; beside others also for each that may not begin yet. A partner
    /// who waits for a connection has one job under way: its requests share its connections with its jobs, and wait for
    /// each other's changes.
    fn used(
        &self, under_way: &HashMap<tokio::task::Id, Uuid>, pace: &Pace, waiting: &[Id<Partner>],
    ) -> Vec<Uuid> {
        let mut used: Vec<_> = under_way.values().copied().collect();
        for (turn, may) in pace.short(OF_ONE, Instant::now()) {
            if !turn.is_nil() && self.context.door.serves_beside(turn.into()) {
                let busy = used.iter().filter(|other| **other == turn).count();
                used.extend(std::iter::repeat_n(turn, (OF_ONE - may).saturating_sub(busy)));
            }
        }
        for turn in waiting.iter().map(|partner| partner.uuid()) {
            let works = under_way.values().any(|other| *other == turn);
            let busy = used.iter().filter(|other| **other == turn).count();
            used.extend(std::iter::repeat_n(turn, (OF_ONE - usize::from(!works)).saturating_sub(busy)));
        }
        used
    }

    /// Runs what is due now; how many jobs that was. Tests call it until nothing is left.
    pub async fn round(self: Arc<Self>) -> Result<usize, DbErr> {
        for server in self.context.door.servers() {
            carrier::carry(&self.context.door, &self.proof, &server).await?;
        }
        let jobs = self.lease(AT_ONCE, vec![]).await?;
        let count = jobs.len();
        let work = jobs.into_iter().map(|job| {
            let runner = self.clone();
            tokio::spawn(async move { runner.one(job).await })
        });
        futures_util::future::join_all(work.collect::<Vec<_>>()).await;
        Ok(count)
    }

    /// Takes so many jobs that are due, at most, beside those that use up these turns already.
    async fn lease(&self, most: usize, turns: Vec<Uuid>) -> Result<Vec<Job>, DbErr> {
        let tx = self.context.door.begin_queue(&self.proof).await?;
        // Kinds of a newer release wait for an instance that knows them.
        let subscribed = subscriptions::any_of(|kind| self.handlers.contains_key(kind)).then_some(FAN_OUT);
        let kinds: Vec<String> =
            self.handlers.keys().copied().chain(subscribed).map(ToOwned::to_owned).collect();
        let few = kinds.len() <= FEW;
        let values = [
            kinds.into(),
            whole(most).into(),
            ATTEMPTS.into(),
            turns.into(),
            whole(OF_ONE).into(),
            few.into(),
        ];
        let jobs = tx.all(LEASE, values).await?;
        tx.commit().await?;
        Ok(jobs)
    }

    async fn one(&self, job: Job) {
        measures::job_begun(&job.kind, job.waited());
        let work = Work::begin(SpanKind::Consumer, job.kind.clone(), job.trace.as_deref());
        let work = work.logged_with([KeyValue::new("job", job.id), KeyValue::new("kind", job.kind.clone())]);
        let failed = work.scope(self.attempt(&job)).await;
        let known = || {
            let (id, attempt) = (job.id.to_string(), job.attempts.to_string());
            (None, [("pult.job.id", id), ("pult.job.attempt", attempt)])
        };
        work.end(known, failed.then_some("failed"));
    }

    /// One attempt; whether it failed.
    async fn attempt(&self, job: &Job) -> bool {
        let outcome = tokio::select! {
            outcome = self.perform(job) => outcome,
            () = self.heartbeat(job) => Err(JobError::retry("the lease was lost")),
        };
        if outcome.is_err() {
            measures::job_failed(&job.kind);
        }
        let mut written = self.finish(job, &outcome).await;
        // While the lease lasts: a busy moment would have the whole job run again.
        for _ in 0..FINISHES {
            match &written {
                Ok(()) => break,
                // One with the same key came in this moment; it is seen now.
                Err(error) if is_unique_violation(error) => {}
                Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
            }
            written = self.finish(job, &outcome).await;
        }
        if let Err(error) = written {
            tracing::warn!(%error, job = job.id, "a job's outcome cannot be written; it will run again");
        }
        outcome.is_err()
    }

    /// What is left to do of a job that was done: of one that runs several, those that failed or are not due.
    async fn perform(&self, job: &Job) -> Result<Vec<LeftOver>, JobError> {
        if job.kind == FAN_OUT {
            return self.fan_out(job).await;
        }
        self.handle(job.clone()).await.map(|()| vec![])
    }

    async fn handle(&self, job: Job) -> Result<(), JobError> {
        let Some(handler) = self.handlers.get(job.kind.as_str()) else {
            return Err(JobError::retry(format!("nobody handles {}", job.kind)));
        };
        let work = AssertUnwindSafe(handler(self.context.clone(), job)).catch_unwind();
        work.await.unwrap_or_else(|_| Err(JobError::retry("the handler panicked")))
    }

    /// Runs what the subscribers of an event want, one after the other. What fails, what is for later and
    /// what nobody here handles goes on as a job of its own: it does not repeat the work of the others.
    async fn fan_out(&self, job: &Job) -> Result<Vec<LeftOver>, JobError> {
        let wanted: Vec<NewJob> =
            serde_json::from_value(job.args["jobs"].clone()).map_err(JobError::give_up)?;
        let mut left = vec![];
        for wanted in wanted {
            let due = wanted.run_at.is_none_or(|at| at <= kernel::clock::now());
            if !due || !self.handlers.contains_key(wanted.kind.as_str()) {
                left.push(LeftOver { job: wanted, attempts: 0, error: None, set_aside: false });
                continue;
            }
            let part =
                Job { kind: wanted.kind.clone(), args: wanted.args.clone(), attempts: 1, ..job.clone() };
            if let Err(error) = self.handle(part).await {
                tracing::warn!(job = job.id, kind = wanted.kind, %error, "a subscriber failed");
                measures::job_failed(&wanted.kind);
                let run_at = kernel::clock::now() + chrono::Duration::seconds(pause(1));
                let wanted = NewJob { run_at: Some(run_at), ..wanted };
                let (set_aside, error) = (!error.retries(), Some(error.to_string()));
                left.push(LeftOver { job: wanted, attempts: 1, error, set_aside });
            }
        }
        Ok(left)
    }

    /// Renews the lease every ten seconds; ends when another worker has it.
    async fn heartbeat(&self, job: &Job) {
        loop {
            tokio::time::sleep(Duration::from_secs(10)).await;
            let renew = async {
                let tx = self.context.door.begin_queue(&self.proof).await?;
                let sql = "update job set leased_until = now() + interval '30 seconds' where id = $1 and \
                    lease = $2 and state = 'running'";
                let renewed = tx.run(sql, [job.id.into(), job.lease.into()]).await?;
                tx.commit().await?;
                Ok::<_, DbErr>(renewed)
            };
            if let Ok(0) = renew.await {
                return;
            }
        }
    }

    async fn finish(&self, job: &Job, outcome: &Result<Vec<LeftOver>, JobError>) -> Result<(), DbErr> {
        let tx = self.context.door.begin_queue(&self.proof).await?;
        match outcome {
            Ok(left) if left.is_empty() => tx.run(DONE, [job.id.into(), job.lease.into()]).await?,
            Ok(left) => {
                let left = serde_json::to_value(left).map_err(|error| DbErr::Json(error.to_string()))?;
                tx.run(SPLIT, [job.id.into(), job.lease.into(), left.into()]).await?
            }
            Err(error) => {
                tracing::warn!(job = job.id, kind = job.kind, attempt = job.attempts, %error, "a job failed");
                let ended = !error.retries() || (job.last_attempt() && !error.is_away());
                // The last attempt is kept for when what was away is back.
                let counted = if error.is_away() { ATTEMPTS - 1 } else { ATTEMPTS };
                let pause = pause(job.attempts);
                #[allow(clippy::cast_precision_loss)]
                tx.run(
                    FAIL,
                    [
                        job.id.into(),
                        job.lease.into(),
                        if ended { "failed" } else { "waiting" }.into(),
                        error.to_string().into(),
                        (pause as f64).into(),
                        counted.into(),
                    ],
                )
                .await?
            }
        };
        tx.commit().await
    }

    /// Removes events and idempotency keys older than 24 hours, and what sign-ins leave behind. Each partner
    /// is a transaction: one whose tables are busy or broken keeps nobody else's.
    pub async fn clean(&self) -> Result<(), DbErr> {
        let door = &self.context.door;
        let tx = door.begin_platform(&self.proof).await?;
        tx.run("select control.prune_sign_in()", []).await?;
        tx.commit().await?;
        self.clean_server(None).await?;
        for server in door.servers() {
            if let Err(error) = self.clean_server(Some(&server)).await {
                tracing::warn!(%error, server, "old events of the partners of a server cannot be removed");
            }
        }
        Ok(())
    }

    /// The home server's partners, or those of another one.
    async fn clean_server(&self, server: Option<&str>) -> Result<(), DbErr> {
        let begin = || async move {
            match server {
                None => self.context.door.begin_platform(&self.proof).await,
                Some(server) => self.context.door.begin_platform_on(&self.proof, server).await,
            }
        };
        let tx = begin().await?;
        tx.run("select control.forget_decisions()", []).await?;
        let partners: Vec<Uuid> = tx.values("select id from control.partners_alive()", []).await?;
        tx.commit().await?;
        for partner in partners {
            let done = async {
                let tx = begin().await?;
                tx.run(
                    "select control.prune_events($1), control.prune_callback_addresses($1)",
                    [partner.into()],
                )
                .await?;
                tx.commit().await
            };
            if let Err(error) = done.await {
                tracing::warn!(%error, %partner, "a partner's old events cannot be removed");
            }
        }
        Ok(())
    }
}

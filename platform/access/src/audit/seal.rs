//! Sealing: within ten seconds each line gets its number and its link in the partner's chain. See
//! `docs/decisions/security.md#audit-log`.
//!
//! Lines are written in the transaction that does the work and do not wait. Memory holds which partners have
//! unsealed lines; a job per partner seals them, so failures are visible and repeated. At its start an
//! instance searches for lines that a crash left unsealed.

use std::{
    collections::{HashSet, VecDeque},
    mem,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use futures_util::FutureExt;
use kernel::{Id, Partner};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;
use work::{Handler, Job, JobContext, JobError};

use crate::app::App;

const SEAL: &str = "audit_seal";
/// Lines sealed in one transaction.
const LINES: i32 = 2_000;
/// The number of runs of [`enqueue_seals`], one every five seconds, that outlasts every transaction, so late
/// commits are found.
const PASSES: usize = 8;

#[derive(Debug, Default)]
struct Unsealed {
    fresh: HashSet<Uuid>,
    passed: VecDeque<HashSet<Uuid>>,
}

/// Partners with lines that this process has written.
static UNSEALED: LazyLock<Mutex<Unsealed>> = LazyLock::new(Mutex::default);

fn unsealed() -> MutexGuard<'static, Unsealed> {
    UNSEALED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a line of this partner is being written, so that it is sealed soon.
pub fn note_unsealed(partner: Id<Partner>) {
    unsealed().fresh.insert(partner.uuid());
}

/// Makes jobs for the partners with new lines, and one for the platform's own log when it has some; call it
/// every five seconds.
/// Errors: When the database does not answer; then they are kept for the next time.
pub async fn enqueue_seals(app: &App) -> Result<(), DbErr> {
    let (fresh, late) = {
        let mut unsealed = unsealed();
        let fresh = mem::take(&mut unsealed.fresh);
        let late = if unsealed.passed.len() >= PASSES { unsealed.passed.pop_front() } else { None };
        unsealed.passed.push_back(fresh.clone());
        (fresh, late.unwrap_or_default())
    };
    let due: Vec<Uuid> = fresh.union(&late).copied().collect();
    let done = app.door.call("select control.enqueue_seals($1)::text", [due.clone().into()]).await;
    if done.is_err() {
        unsealed().fresh.extend(due);
    }
    done.map(drop)
}

/// Makes jobs for all partners, spread over a minute: for lines that were written before a crash.
pub async fn seal_all(app: &App) -> Result<(), DbErr> {
    app.door.call("select control.enqueue_seals($1)::text", [None::<Vec<Uuid>>.into()]).await.map(drop)
}

pub(super) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(SEAL, Arc::new(|context, job| seal(context, job).boxed()))]
}

/// What sealing some lines came to: how many, and the head of the chain.
#[derive(FromQueryResult)]
struct Sealed {
    sealed: i32,
    head_number: Option<i64>,
    head_link: Option<String>,
}

const SEAL_LINES: &str = "select sealed, head_number, head_link from control.seal_audit($1)";

/// Seals the log of the job's partner, or the platform's own when it has none.
async fn seal(context: JobContext, job: Job) -> Result<(), JobError> {
    loop {
        let row: Option<Sealed> = if job.partner.is_some() {
            let tx = context.begin(&job).await?;
            let row = tx.one(SEAL_LINES, [LINES.into()]).await?;
            tx.commit().await?;
            row
        } else {
            let tx = context.begin_platform().await?;
            let row = tx.one(SEAL_LINES, [LINES.into()]).await?;
            tx.commit().await?;
            row
        };
        let row = row.ok_or_else(|| JobError::retry("the database answered nothing"))?;
        if let (Some(number), Some(link)) = (row.head_number, row.head_link) {
            // Under the target that operators keep: with it a log that was cut off and sealed anew is found.
            let partner = job.partner.map(|partner| partner.to_string()).unwrap_or_default();
            tracing::info!(target: "work::audit", partner, number, link, "head of the audit log");
        }
        if row.sealed < LINES {
            return Ok(());
        }
    }
}

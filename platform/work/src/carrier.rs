//! Jobs that units of work of partners on other database servers have written there, with what causes them: they are
//! carried into the queue at home. See `docs/decisions/tenancy.md#servers`.

use std::{pin::pin, time::Duration};

use sea_orm::DbErr;
use serde_json::Value;
use tenants::{Door, PlatformProof};

use crate::Hub;

/// Between two looks at the reference data.
const REFERENCE: Duration = Duration::from_secs(60);
/// Jobs carried in one go.
const AT_ONCE: i64 = 500;
/// They are removed there once they are here. Who dies in between leaves them in both places: a job runs at least once.
const TAKE: &str = "with taken as (delete from job where id in (select id from job order by id limit $1 for update skip \
    locked) returning partner_id, kind, key, args, run_at, trace) \
    select coalesce(jsonb_agg(to_jsonb(t)), '[]') jobs from taken t";

/// Carries what is there now; how many jobs that was.
/// Errors: When one of both servers does not answer: then they are still there.
pub async fn carry(door: &Door, proof: &PlatformProof, server: &str) -> Result<usize, DbErr> {
    let there = door.begin_platform_on(proof, server).await?;
    let jobs: Value = there.value(TAKE, [AT_ONCE.into()]).await?.unwrap_or_default();
    let count = jobs.as_array().map_or(0, Vec::len);
    if count > 0 {
        let here = door.begin_platform(proof).await?;
        here.rows("select control.take_jobs($1)::text", [jobs.into()]).await?;
        here.wake_runners();
        here.commit().await?;
    }
    there.commit().await?;
    Ok(count)
}

/// Brings the reference data that the platform writes at home to a server: tax rates, NTAK's categories and the like.
pub async fn carry_reference(door: &Door, proof: &PlatformProof, server: &str) -> Result<(), DbErr> {
    let here = door.begin_platform(proof).await?;
    let all: Option<Value> = here.value("select control.reference()", []).await?;
    drop(here);
    let there = door.begin_platform_on(proof, server).await?;
    there.rows("select control.take_reference($1)::text", [all.into()]).await?;
    there.commit().await
}

/// Carries until it is dropped: whenever a job is written somewhere, and every five seconds.
pub async fn run(door: Door, hub: Hub, server: String) {
    let proof = PlatformProof::runner();
    let mut reference = tokio::time::interval(REFERENCE);
    loop {
        let mut called = pin!(hub.job());
        called.as_mut().enable();
        match carry(&door, &proof, &server).await {
            Ok(count) if i64::try_from(count).is_ok_and(|count| count == AT_ONCE) => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(server, %error, "jobs cannot be carried"),
        }
        tokio::select! {
            () = called => {}
            () = tokio::time::sleep(Duration::from_secs(5)) => {}
            _ = reference.tick() => {
                if let Err(error) = carry_reference(&door, &proof, &server).await {
                    tracing::warn!(server, %error, "reference data cannot be carried");
                }
            }
        }
    }
}

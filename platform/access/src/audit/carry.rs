//! Lines of the logs of partners on other database servers that no unit of work of the partner writes, a sign-in for
//! example. They wait at home and are carried by a job. See `docs/decisions/tenancy.md#servers`.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use work::{Handler, Job, JobContext, JobError};

use super::seal;

/// The job; `control.write_line` writes it.
const CARRY: &str = "audit_carry";
const TAKE: &str = "select coalesce(jsonb_agg(to_jsonb(l)), '[]') lines from (select id, at, restaurant_id, actor_kind, \
    actor_id, actor_name, action, record_id, request_id, details from line_elsewhere where partner_id = $1 order by at, id limit 500 for update skip locked) l";
const FORGET: &str =
    "delete from line_elsewhere l using jsonb_to_recordset($1) c (id uuid) where l.id = c.id";
/// Sealing looks back for an hour: a line that comes later stands there as of now.
const WRITE: &str = "with c as (select c.* from jsonb_to_recordset($1) c (id uuid, at timestamptz, restaurant_id uuid, \
        actor_kind text, actor_id uuid, actor_name text, action text, record_id uuid, request_id text, details jsonb)), \
    a as (insert into audit (id, at, restaurant_id, actor_kind, actor_id, actor_name, action, record_id, request_id, \
            fields) \
        select c.id, case when c.at > now() - interval '30 minutes' then c.at else now() end, c.restaurant_id, \
            c.actor_kind, c.actor_id, c.actor_name, c.action, c.record_id, c.request_id, \
            array(select jsonb_object_keys(c.details)) \
        from c on conflict (id) do nothing returning id) \
    insert into audit_detail (audit_id, details) select c.id, c.details from c join a using (id)";

pub(super) fn handler() -> (&'static str, Handler) {
    (CARRY, Arc::new(|context, job| carry(context, job).boxed()))
}

async fn carry(context: JobContext, job: Job) -> Result<(), JobError> {
    let partner = job.partner()?;
    loop {
        let home = context.begin_platform().await?;
        let lines: Value = home.value(TAKE, [partner.into()]).await?.unwrap_or_default();
        if lines.as_array().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let there = context.begin(&job).await?;
        there.run(WRITE, [lines.clone().into()]).await?;
        there.commit().await?;
        home.run(FORGET, [lines.into()]).await?;
        home.commit().await?;
        seal::note_unsealed(partner);
    }
}

//! Queries about partners.

use std::time::Duration;

use ::work::{IfWaiting, PlatformJob};
use access::{Platform, prelude::*};
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use tenants::ControlTx;
use uuid::Uuid;

use super::types::{Mode, PartnerDetails, PartnerRow, PartnerStatus};

/// Sizes and activity are read for the rows of the page only.
const LIST: &str = "select p.id, p.name, p.mode, p.status, p.schema_version, \
        coalesce(p.schema_version = (select i.schema_version from installation i), false) current, \
        p.created_at, p.delete_at, p.error, p.suspended_reason, \
        (select count(*) from restaurant_entry r where r.partner_id = p.id and r.archived_at is null) \
        restaurants, u.users, \
        case when p.server = 'default' then \
            (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c \
             where c.relnamespace = to_regnamespace(p.role) and c.relkind = 'r') end size_bytes, \
        nullif(p.server, 'default') server, \
        u.last_activity_at \
    from (select q.* from partner q where ($1::uuid is null or q.id = $1) and (coalesce($2, '') = '' or \
    position(ref.fold($2) in ref.fold(q.name)) > 0) \
            and ($3::text is null or q.status = $3) order by ref.fold(q.name), q.id limit $4 offset $5) p \
            left join partner_use u on u.partner_id = p.id order by ref.fold(p.name), p.id";
const COUNT: &str = "select count(*) total from partner q where (coalesce($1, '') = '' or \
    position(ref.fold($1) in ref.fold(q.name)) > 0) \
            and ($2::text is null or q.status = $2)";

pub(super) async fn list(
    tx: &ControlTx, name: Option<String>, status: Option<PartnerStatus>, paging: Paging,
) -> Result<Page<PartnerRow>> {
    let status = status.map(PartnerStatus::name);
    let total = if paging.count {
        tx.value::<i64>(COUNT, [name.clone().into(), status.into()])
            .await?
            .and_then(|total| total.try_into().ok())
    } else {
        None
    };
    let limit = paging.limit();
    // Both are bounded by Paging, far below what bigint holds.
    let [limit, offset] = [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX));
    let values = [None::<Uuid>.into(), name.into(), status.into(), limit.into(), offset.into()];
    Ok(Page { rows: tx.all(LIST, values).await?, total })
}

pub(crate) async fn one(tx: &ControlTx, id: Id<Partner>) -> Result<PartnerRow> {
    let values = [id.into(), None::<String>.into(), None::<String>.into(), 1_i64.into(), 0_i64.into()];
    tx.one(LIST, values).await?.ok_or_else(Problem::not_exist::<Partner>)
}

/// One partner with its groups, which only its own schema names.
pub(super) async fn details(tx: ControlTx, id: Id<Partner>) -> Result<PartnerDetails> {
    let row = one(&tx, id).await?;
    let sql = "select id, name, group_id, city from restaurant_entry where partner_id = $1 and archived_at is null \
        order by ref.fold(name), id";
    let restaurant_list = tx.all(sql, [id.into()]).await?;
    let sql = "select id, name, city, archived_at, coalesce(archived_by, '') archived_by, \
        archived_at + interval '30 days' restorable_until, now() < archived_at + interval '30 days' restorable \
        from restaurant_entry where partner_id = $1 and archived_at is not null order by archived_at desc, id";
    let archived_restaurants = tx.all(sql, [id.into()]).await?;
    let groups = match tx.enter(id).await? {
        Some(tx) => {
            tx.all("select id, name from restaurant_group_name order by ref.fold(name), id", []).await?
        }
        None => vec![],
    };
    let suspended_reason = row.suspended_reason.clone();
    Ok(PartnerDetails { suspended_reason, row, groups, restaurant_list, archived_restaurants })
}

pub(crate) struct PendingPartner {
    pub id: Id<Partner>,
    pub name: String,
    pub mode: Mode,
    pub plan: Value,
    /// Caller and `Idempotency-Key` with the hash of the body.
    pub request: Option<(String, Vec<u8>)>,
}

const INSERT: &str = "insert into partner (id, name, mode, status, role, plan, request_key, request_hash) \
    select $1, $2, $3, 'creating', 'pult_' || i.name || '_' || replace($1::uuid::text, '-', ''), $4, $5, $6 \
    from installation i \
    on conflict (request_key) do nothing";

/// Writes the row and the job of a new partner; false when a request with the same key was first.
pub(super) async fn insert(tx: &ControlTx, new: &PendingPartner, job: &str) -> Result<bool> {
    let (key, hash) = new.request.clone().unzip();
    let values = [
        new.id.into(),
        new.name.clone().into(),
        new.mode.name().into(),
        new.plan.clone().into(),
        key.into(),
        hash.into(),
    ];
    if tx.run(INSERT, values).await? == 0 {
        return Ok(false);
    }
    // The archive's name outlives the plan: a crash after the last step still leaves a job that knows what to
    // clear away.
    let args = new.plan.get("restore").map_or_else(|| json!({}), |stored| json!({"restore": stored}));
    enqueue(tx, new.id, job, args).await?;
    Ok(true)
}

/// Makes a partner out of an archive or another partner: name free, row and job written.
pub(crate) async fn set_beside(tx: &ControlTx, new: &PendingPartner, job: &str) -> Result<()> {
    free_name(tx, &new.name, new.id).await?;
    insert(tx, new, job).await.map(drop)
}

#[derive(FromQueryResult)]
struct RequestedPartner {
    id: Id<Partner>,
    request_hash: Vec<u8>,
}

/// The partner that a request with this key has made before, with the hash of its body.
pub(super) async fn by_request(tx: &ControlTx, key: &str) -> Result<Option<(Id<Partner>, Vec<u8>)>> {
    let sql = "select id, request_hash from partner where request_key = $1";
    let row: Option<RequestedPartner> = tx.one(sql, [key.into()]).await?;
    Ok(row.map(|row| (row.id, row.request_hash)))
}

/// From here to the commit nobody else takes a name.
pub(super) async fn lock_names(tx: &ControlTx) -> Result<()> {
    tx.rows("select pg_advisory_xact_lock(hashtextextended('partner name', 0))::text", []).await?;
    Ok(())
}

/// Refuses a name that another partner has. Of two who make the same partner at once one is refused.
pub(super) async fn free_name(tx: &ControlTx, name: &str, own: Id<Partner>) -> Result<()> {
    lock_names(tx).await?;
    let taken = tx
        .row(
            "select 1 from partner where ref.fold(name) = ref.fold($1) and id <> $2",
            [name.into(), own.into()],
        )
        .await?;
    if taken.is_some() {
        Err(Problem::new(Code::VALIDATION_FAILED).key("name", Fault::NotUnique))
    } else {
        Ok(())
    }
}

/// Writes a job of this partner, due at once; one that waits already is enough.
pub(crate) async fn enqueue(tx: &ControlTx, partner: Id<Partner>, kind: &str, args: Value) -> Result<()> {
    let key = args["export_id"].as_str().map_or_else(|| partner.to_string(), str::to_owned);
    let job = PlatformJob { kind, key: Some(key), args, run_at: None, if_waiting: IfWaiting::Renew };
    job.enqueue_for(tx, &[partner]).await
}

#[derive(FromQueryResult)]
struct LockedPartner {
    status: PartnerStatus,
    name: String,
    planned: bool,
}

/// Locks the row of a partner; its status, name, and whether a plan is under way.
pub(super) async fn lock(tx: &ControlTx, id: Id<Partner>) -> Result<(PartnerStatus, String, bool)> {
    let sql = "select status, name, plan is not null planned from partner where id = $1 for update";
    let row: Option<LockedPartner> = tx.one(sql, [id.into()]).await?;
    let row = row.ok_or_else(Problem::not_exist::<Partner>)?;
    Ok((row.status, row.name, row.planned))
}

/// Waits until the partner has left this status, two seconds at most. The jobs are quick, so the page usually
/// shows the outcome without polling.
pub(crate) async fn wait(caller: &Platform, id: Id<Partner>, leaves: PartnerStatus) -> Result<PartnerRow> {
    for _ in 0..40 {
        let tx = caller.begin().await?;
        let status: Option<PartnerStatus> =
            tx.value("select status from partner where id = $1", [id.into()]).await?;
        drop(tx);
        if status != Some(leaves) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    one(&caller.begin().await?, id).await
}

//! Support access: a super admin inside a partner's data, for a reason, for an hour, reading only unless
//! asked for. Every step under it is a line of the partner's audit log (`In` writes it); the reason stands in
//! the first. See `docs/decisions/accounts.md#support-access`.

use ::work::{IfWaiting, PlatformJob, platform_jobs};
use access::{Platform, answers::Tag, prelude::*};
use serde_json::json;
use uuid::Uuid;

use crate::platform;

pub(crate) struct SupportApi;

/// A support access that is open.
#[derive(Debug, Object)]
struct SupportAccess {
    partner_id: Id<Partner>,
    reason: String,
    /// Whether it is for writing too.
    writable: bool,
    expires_at: Timestamp,
}

#[derive(Debug, Object)]
struct NewSupportAccess {
    /// Why; the partner can read it in its audit log.
    #[oai(validator(
        min_length = 5,
        max_length = 300,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    reason: String,
    /// For writing too; for reading only when absent.
    writable: Option<bool>,
}

const END: &str = "update support_access set ended_at = now() where account_id = $1 and partner_id = $2 and \
    ended_at is null and expires_at > now() \
                   returning id";
const BEGIN: &str = "insert into support_access (id, account_id, partner_id, reason, writable, expires_at) \
                     values ($1, $2, $3, $4, $5, now() + interval '60 minutes') returning expires_at";

#[OpenApi(prefix_path = "/api/v3/super-admin/partners", tag = "Tag::Platform")]
impl SupportApi {
    /// Opens the partner's data to the caller for 60 minutes.
    ///
    /// One that is open already ends, so that the partner sees which reason held when.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/access", method = "post", operation_id = "support_accesses_create")]
    async fn create(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<NewSupportAccess>,
    ) -> Result<Created<SupportAccess>> {
        let partner = partner_id.0;
        let NewSupportAccess { reason, writable } = body.into_inner();
        let (reason, writable) = (reason.trim().to_owned(), writable.unwrap_or(false));
        if reason.chars().count() < 5 {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("reason", Fault::TooShort(5)));
        }
        let tx = caller.begin().await?;
        let status: String = tx
            .value("select status from partner where id = $1 for no key update", [partner.into()])
            .await?
            .ok_or_else(Problem::not_exist::<Partner>)?;
        if !matches!(status.as_str(), "active" | "suspended") {
            return Err(Problem::new(Code::PARTNER_STATE_CHANGED).detail(format!("the partner is {status}")));
        }
        let ended: Vec<Uuid> = tx.values(END, [caller.0.account.into(), partner.into()]).await?;
        for id in ended {
            let details = json!({"replaced": [null, true]});
            forget(&tx, partner, id).await?;
            platform::audit(&tx, &caller, "support_end", Some(partner.uuid()), Some(id), details.clone())
                .await?;
            let sql = "select control.support_line($1, null, 'support_end', $2, $3)::text";
            tx.rows(sql, [id.into(), kernel::request::id().into(), details.into()]).await?;
        }
        let id = Uuid::now_v7();
        let values =
            [id.into(), caller.0.account.into(), partner.into(), reason.clone().into(), writable.into()];
        let expires_at: Timestamp =
            tx.value(BEGIN, values).await?.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        // A job writes the end of the hour to the logs.
        let job = PlatformJob {
            kind: access::SUPPORT_END,
            key: Some(id.to_string()),
            args: json!({"support_id": id}),
            run_at: Some(expires_at.into()),
            if_waiting: IfWaiting::Keep,
        };
        job.enqueue_for(&tx, &[partner]).await?;
        let details = json!({"reason": [null, reason], "writable": [null, writable], "expires_at": [null,
            expires_at.to_string()]});
        platform::audit(&tx, &caller, "support_begin", Some(partner.uuid()), Some(id), details.clone())
            .await?;
        platform::commit(tx, &caller, partner, Some(id), "support_begin", details).await?;
        Ok(Created(SupportAccess { partner_id: partner, reason, writable, expires_at }))
    }

    /// Ends the caller's support access, from the next request on.
    #[oai(path = "/:partner_id/access", method = "delete", operation_id = "support_accesses_delete")]
    async fn delete(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Done> {
        let partner = partner_id.0;
        let tx = caller.begin().await?;
        let ended: Vec<Uuid> = tx.values(END, [caller.0.account.into(), partner.into()]).await?;
        if let Some(id) = ended.first().copied() {
            forget(&tx, partner, id).await?;
            platform::audit(&tx, &caller, "support_end", Some(partner.uuid()), Some(id), json!({})).await?;
            platform::commit(tx, &caller, partner, Some(id), "support_end", json!({})).await?;
        }
        Ok(Done)
    }
}

/// The job that would have said that it ran out.
async fn forget(tx: &tenants::ControlTx, partner: Id<Partner>, support: Uuid) -> Result<()> {
    platform_jobs::discard(tx, partner, access::SUPPORT_END, Some(support.to_string())).await
}

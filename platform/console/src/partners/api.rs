//! Operations on partners.

use ::work::{IfWaiting, PlatformJob, platform_jobs};
use access::{IdempotencyKey, Platform, answers::Tag, prelude::*};
use accounts::AdminLanguage;
use serde_json::json;
use tenants::FirstSteps;
use uuid::Uuid;

use super::{
    store::{self, PendingPartner},
    types::{
        Mode, NewPartner, PartnerChange, PartnerClone, PartnerDeletion, PartnerDetails, PartnerRow,
        PartnerStatus, PartnerSuspension,
    },
};
use crate::{platform, work};

pub(crate) struct PartnersApi;

fn other_state(status: PartnerStatus) -> Problem {
    Problem::new(Code::PARTNER_STATE_CHANGED).detail(format!("the partner is {}", status.name()))
}

#[OpenApi(prefix_path = "/api/v3/super-admin/partners", tag = "Tag::Platform")]
impl PartnersApi {
    /// Every partner, by name.
    ///
    /// `name` is looked for in the names, `status` leaves only partners in that state.
    #[oai(path = "/", method = "get", operation_id = "partners_list")]
    async fn list(
        &self, caller: Platform, name: QueryParam<String>, status: QueryParam<PartnerStatus>, paging: Paging,
    ) -> Result<Page<PartnerRow>> {
        let tx = caller.begin().await?;
        store::list(&tx, name.0, status.0, paging).await
    }

    /// Makes a partner with its first group, restaurant and admin, who is invited by mail.
    ///
    /// The row and the job that makes the rest are written together; the answer waits for it, at most two
    /// seconds, and then says `creating`.
    #[oai(path = "/", method = "post", operation_id = "partners_create")]
    async fn create(
        &self, caller: Platform, key: IdempotencyKey, body: Body<NewPartner>,
    ) -> Result<Created<PartnerRow>> {
        let request = key.of(caller.0.account, body.raw());
        let NewPartner { name, mode, group_name, restaurant_name, currency, admin } = body.into_inner();
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        let (name, restaurant_name) = (name.trim().to_owned(), restaurant_name.trim().to_owned());
        for (field, text) in [("name", &name), ("restaurant_name", &restaurant_name)] {
            if text.is_empty() {
                problem = problem.key(field, Fault::Required);
            }
        }
        problem.if_any()?;
        let steps = FirstSteps {
            group: Uuid::now_v7(),
            group_name: group_name
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| name.clone()),
            restaurant: Uuid::now_v7(),
            restaurant_name,
            currency: currency.unwrap_or_default().as_str().to_owned(),
            admin: Uuid::now_v7(),
            email: admin.email.lowercase(),
            first_name: admin.first_name.unwrap_or_default().trim().to_owned(),
            last_name: admin.last_name.unwrap_or_default().trim().to_owned(),
            language: admin.language.unwrap_or(AdminLanguage::Hu).name().to_owned(),
        };
        let plan = serde_json::to_value(&steps).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        let new = PendingPartner { id: Id::new(), name, mode: mode.unwrap_or(Mode::Live), plan, request };

        let tx = caller.begin().await?;
        // Before the look for an earlier request: a copy that waits here for the first one finds what that
        // has made.
        store::lock_names(&tx).await?;
        if let Some((key, hash)) = &new.request
            && let Some((id, first)) = store::by_request(&tx, key).await?
        {
            drop(tx);
            return if first == *hash {
                again(&caller, id).await
            } else {
                Err(Code::IDEMPOTENCY_KEY_REUSED.into())
            };
        }
        store::free_name(&tx, &new.name, new.id).await?;
        if !store::insert(&tx, &new, work::CREATE).await? {
            return Err(Problem::new(Code::IDEMPOTENCY_IN_PROGRESS).retry_after(1));
        }
        let details = json!({"name": [null, new.name], "mode": [null, new.mode.name()]});
        platform::audit(&tx, &caller, "partners_create", Some(new.id.uuid()), Some(new.id.uuid()), details)
            .await?;
        tx.commit().await?;
        again(&caller, new.id).await
    }

    /// One partner with its groups and restaurants.
    #[oai(path = "/:partner_id", method = "get", operation_id = "partners_get")]
    async fn get(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Json<PartnerDetails>> {
        let tx = caller.begin().await?;
        Ok(Json(store::details(tx, partner_id.0).await?))
    }

    /// Renames a partner.
    #[oai(path = "/:partner_id", method = "put", operation_id = "partners_update")]
    async fn update(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<PartnerChange>,
    ) -> Result<Json<PartnerDetails>> {
        let id = partner_id.0;
        let tx = caller.begin().await?;
        let (_, before, _) = store::lock(&tx, id).await?;
        if let Some(name) = body.into_inner().name.map(|name| name.trim().to_owned()) {
            if name.is_empty() {
                return Err(Problem::new(Code::VALIDATION_FAILED).key("name", Fault::Required));
            }
            store::free_name(&tx, &name, id).await?;
            tx.run("update partner set name = $2 where id = $1", [id.into(), name.clone().into()]).await?;
            let details = json!({"name": [before, name]});
            platform::audit(
                &tx,
                &caller,
                "partners_update",
                Some(id.uuid()),
                Some(id.uuid()),
                details.clone(),
            )
            .await?;
            platform::commit(tx, &caller, id, None, "partners_update", details).await?;
        }
        Ok(Json(store::details(caller.begin().await?, id).await?))
    }

    /// Suspends a partner: its people and its keys get `PARTNER_SUSPENDED` from the next request on.
    /// Everything is kept.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/suspend", method = "post", operation_id = "partners_suspend")]
    async fn suspend(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<PartnerSuspension>,
    ) -> Result<Json<PartnerRow>> {
        let id = partner_id.0;
        let reason = body.into_inner().reason;
        let tx = caller.begin().await?;
        match store::lock(&tx, id).await? {
            // Two who suspend it at once leave one suspension, with the first reason.
            (PartnerStatus::Suspended, ..) => {}
            (PartnerStatus::Active, ..) => {
                tx.run(
                    "update partner set status = 'suspended', suspended_reason = $2 where id = $1",
                    [id.into(), reason.clone().into()],
                )
                .await?;
                let details = json!({"status": ["active", "suspended"], "reason": [null, reason]});
                platform::audit(
                    &tx,
                    &caller,
                    "partners_suspend",
                    Some(id.uuid()),
                    Some(id.uuid()),
                    details.clone(),
                )
                .await?;
                platform::commit(tx, &caller, id, None, "partners_suspend", details).await?;
            }
            (status, ..) => return Err(other_state(status)),
        }
        Ok(Json(store::one(&caller.begin().await?, id).await?))
    }

    /// Ends a suspension, from the next request on.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/reactivate", method = "post", operation_id = "partners_reactivate")]
    async fn reactivate(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Json<PartnerRow>> {
        let id = partner_id.0;
        let tx = caller.begin().await?;
        match store::lock(&tx, id).await? {
            (PartnerStatus::Active, ..) => {}
            (PartnerStatus::Suspended, ..) => {
                // A partner whose migration failed meanwhile stays in maintenance.
                let sql = "update partner set status = case when schema_version = (select i.schema_version \
                    from installation i) then 'active' \
                           else 'maintenance' end, suspended_reason = null where id = $1";
                tx.run(sql, [id.into()]).await?;
                let details = json!({"status": ["suspended", "active"]});
                platform::audit(
                    &tx,
                    &caller,
                    "partners_reactivate",
                    Some(id.uuid()),
                    Some(id.uuid()),
                    details.clone(),
                )
                .await?;
                platform::commit(tx, &caller, id, None, "partners_reactivate", details).await?;
            }
            (status, ..) => return Err(other_state(status)),
        }
        Ok(Json(store::one(&caller.begin().await?, id).await?))
    }

    /// Deletes a partner: at once nobody finds it any more, after 30 days it is removed for good.
    ///
    /// `confirm` is the partner's name, typed. Until `delete_at` the deletion can be undone.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id", method = "delete", operation_id = "partners_delete")]
    async fn delete(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<PartnerDeletion>,
    ) -> Result<Json<PartnerRow>> {
        let id = partner_id.0;
        let tx = caller.begin().await?;
        let (status, name, _) = store::lock(&tx, id).await?;
        if body.confirm.trim() != name.trim() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("confirm", Fault::Invalid));
        }
        if status != PartnerStatus::Deleting {
            let sql = "update partner set status_before = case when status = 'maintenance' then \
                coalesce(status_before, status) else status end, \
                           status = 'deleting', delete_at = now() + interval '30 days' where id = $1 \
                           returning delete_at";
            let delete_at: Option<Timestamp> = tx.value(sql, [id.into()]).await?;
            let job = PlatformJob {
                kind: work::PURGE,
                key: Some(id.to_string()),
                args: json!({}),
                run_at: delete_at.map(Into::into),
                if_waiting: IfWaiting::Renew,
            };
            job.enqueue_for(&tx, &[id]).await?;
            let details = json!({"status": [status.name(), "deleting"]});
            platform::audit(
                &tx,
                &caller,
                "partners_delete",
                Some(id.uuid()),
                Some(id.uuid()),
                details.clone(),
            )
            .await?;
            platform::commit(tx, &caller, id, None, "partners_delete", details).await?;
        }
        Ok(Json(store::one(&caller.begin().await?, id).await?))
    }

    /// Undoes a deletion within the days of grace.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/undelete", method = "post", operation_id = "partners_undelete")]
    async fn undelete(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Json<PartnerRow>> {
        let id = partner_id.0;
        let tx = caller.begin().await?;
        let (status, ..) = store::lock(&tx, id).await?;
        let over = "select 1 from partner where id = $1 and delete_at <= now()";
        // After its days of grace its files may be gone already.
        if status != PartnerStatus::Deleting || tx.value::<i32>(over, [id.into()]).await?.is_some() {
            return Err(other_state(status));
        }
        // A restore into the partner that the deletion cut off is given up; what was still being made is
        // taken up again, and a move that was cut can still be ended or undone. As after a suspension, a partner
        // whose migration failed meanwhile stays in maintenance.
        let sql = "update partner set status = case when plan ? 'move' then 'maintenance' \
                       when coalesce(status_before, 'active') = 'active' \
                           and schema_version is distinct from (select i.schema_version from installation i) \
                           then 'maintenance' \
                       else coalesce(status_before, 'active') end, delete_at = null, \
                       status_before = case when plan ? 'move' then status_before end, \
                       plan = case when status_before = 'creating' or plan ? 'move' then plan end where id = $1 \
                       returning plan";
        let plan: Option<Option<serde_json::Value>> = tx.value(sql, [id.into()]).await?;
        let plan = plan.ok_or_else(Problem::not_exist::<Partner>)?;
        if let Some(plan) = plan.filter(|plan| plan["move"].is_null()) {
            let job = if plan["restore"].is_string() {
                work::RESTORE
            } else if plan["clone"].is_string() {
                work::CLONE
            } else {
                work::CREATE
            };
            store::enqueue(&tx, id, job, json!({})).await?;
        }
        platform_jobs::discard(&tx, id, work::PURGE, None).await?;
        let details = json!({"status": ["deleting", null]});
        platform::audit(&tx, &caller, "partners_undelete", Some(id.uuid()), Some(id.uuid()), details.clone())
            .await?;
        platform::commit(tx, &caller, id, None, "partners_undelete", details).await?;
        Ok(Json(store::one(&caller.begin().await?, id).await?))
    }

    /// Makes a copy of a partner in the sandbox, with customers' personal data replaced.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/clone", method = "post", operation_id = "partners_clone")]
    async fn sandbox(
        &self, caller: Platform, partner_id: Path<Id<Partner>>, body: Body<PartnerClone>,
    ) -> Result<Created<PartnerRow>> {
        let from = partner_id.0;
        let name = body.into_inner().name.trim().to_owned();
        if name.is_empty() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("name", Fault::Required));
        }
        let tx = caller.begin().await?;
        match store::lock(&tx, from).await? {
            (PartnerStatus::Active | PartnerStatus::Suspended, ..) => {}
            (status, ..) => return Err(other_state(status)),
        }
        let new = PendingPartner {
            id: Id::new(),
            name,
            mode: Mode::Sandbox,
            plan: json!({"clone": from}),
            request: None,
        };
        store::set_beside(&tx, &new, work::CLONE).await?;
        let details = json!({"name": [null, new.name], "from": [null, from]});
        platform::audit(&tx, &caller, "partners_clone", Some(new.id.uuid()), Some(new.id.uuid()), details)
            .await?;
        platform::commit(tx, &caller, from, None, "partners_clone", json!({"clone": [null, new.id]})).await?;
        again(&caller, new.id).await
    }

    /// Tries the migration of a partner again that was set aside.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/:partner_id/migrate", method = "post", operation_id = "partners_migrate")]
    async fn migrate(&self, caller: Platform, partner_id: Path<Id<Partner>>) -> Result<Json<PartnerRow>> {
        let id = partner_id.0;
        let tx = caller.begin().await?;
        let (status, _, planned) = store::lock(&tx, id).await?;
        if planned || matches!(status, PartnerStatus::Creating | PartnerStatus::Deleting) {
            return Err(other_state(status));
        }
        store::enqueue(&tx, id, work::MIGRATE, json!({})).await?;
        platform::audit(&tx, &caller, "partners_migrate", Some(id.uuid()), Some(id.uuid()), json!({}))
            .await?;
        tx.commit().await?;
        Ok(Json(if status == PartnerStatus::Maintenance {
            store::wait(&caller, id, PartnerStatus::Maintenance).await?
        } else {
            store::one(&caller.begin().await?, id).await?
        }))
    }
}

/// The answer to creating a partner, for the first request and its repeats.
async fn again(caller: &Platform, id: Id<Partner>) -> Result<Created<PartnerRow>> {
    Ok(Created(store::wait(caller, id, PartnerStatus::Creating).await?))
}

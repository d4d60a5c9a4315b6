//! Operations that read the audit log of a restaurant, a partner or the platform, with the same filters,
//! newest first.

use sea_orm::{FromQueryResult, Value};
use serde_json::Value as Json;
use uuid::Uuid;

use access::{
    audit::{
        AuditFilters, AuditRow, RecordName, filled, limit_offset, names_within, page, platform_names, total,
    },
    people::Platform,
    prelude::*,
};

pub(crate) struct AuditApi;
pub(crate) struct PartnerAudit;
pub(crate) struct PlatformAudit;

/// Who did what on the platform, when.
#[derive(Debug, Object, FromQueryResult)]
struct PlatformAuditRow {
    id: Uuid,
    at: Timestamp,
    /// `admin`, `api_key`, `job` or `support`.
    actor_kind: String,
    actor_id: Option<Uuid>,
    actor_name: String,
    /// What was done: `partners_create`.
    action: String,
    record_id: Option<Uuid>,
    /// The partner concerned, which may be gone.
    partner_id: Option<Id<Partner>>,
    partner_name: Option<String>,
    request_id: String,
    /// Per field what it was and what it is.
    details: Json,
    /// What partners, restaurants, API keys, people and VAT rates are called whose ids stand in `details`.
    #[sea_orm(skip)]
    names: Vec<RecordName>,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/audit",
    tag = "Tag::Access"
)]
impl AuditApi {
    /// What was done in the restaurant, newest first.
    ///
    /// With `record_id` it is the history of one record.
    #[oai(path = "/", method = "get", operation_id = "audit_list")]
    #[allow(clippy::too_many_arguments)]
    async fn list(
        &self, scope: In<Restaurant, perm::SystemGeneral>,
        /// From this instant on.
        from: QueryParam<Timestamp>,
        /// Before this instant.
        till: QueryParam<Timestamp>,
        /// By this admin, key or support access.
        actor: QueryParam<Uuid>,
        /// This action (`couriers_update`), or every action of a resource (`couriers`).
        action: QueryParam<String>,
        /// To this record.
        record_id: QueryParam<Uuid>,
        /// By somebody of this name; accents and case ignored.
        name: QueryParam<String>,
        paging: Paging,
    ) -> Result<Page<AuditRow>> {
        let wanted = AuditFilters {
            from: from.0,
            till: till.0,
            actor: actor.0,
            action: action.0,
            record_id: record_id.0,
            name: name.0,
        };
        let within = names_within(scope.caller(), scope.place());
        page(&scope.begin().await?, scope.place(), within, wanted, &paging).await
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/audit", tag = "Tag::Access")]
impl PartnerAudit {
    /// What was done at the partner, newest first. For admins of the whole partner.
    ///
    /// With `record_id` it is the history of one record.
    #[oai(path = "/", method = "get", operation_id = "partner_audit_list")]
    #[allow(clippy::too_many_arguments)]
    async fn list(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>,
        /// From this instant on.
        from: QueryParam<Timestamp>,
        /// Before this instant.
        till: QueryParam<Timestamp>,
        /// By this admin, key or support access.
        actor: QueryParam<Uuid>,
        /// This action (`couriers_update`), or every action of a resource (`couriers`).
        action: QueryParam<String>,
        /// To this record.
        record_id: QueryParam<Uuid>,
        /// By somebody of this name; accents and case ignored.
        name: QueryParam<String>,
        paging: Paging,
    ) -> Result<Page<AuditRow>> {
        let wanted = AuditFilters {
            from: from.0,
            till: till.0,
            actor: actor.0,
            action: action.0,
            record_id: record_id.0,
            name: name.0,
        };
        page(&scope.begin().await?, scope.place(), None, wanted, &paging).await
    }
}

const PLATFORM: &str = "select id, at, actor_kind, actor_id, actor_name, action, partner_id, partner_name, \
    record_id, request_id, details \
                        from control.platform_lines($1, $2, $3, $4, $5, $6, $7, $8, $9) order by at desc, id \
                        desc limit $10 offset $11";
const PLATFORM_COUNT: &str =
    "select count(*) total from control.platform_lines($1, $2, $3, $4, $5, $6, $7, $8, $9)";

#[OpenApi(prefix_path = "/api/v3/super-admin/audit", tag = "Tag::Access")]
impl PlatformAudit {
    /// What was done on the platform, newest first: partners made, suspended, opened for support; sign-ins
    /// that failed.
    #[oai(path = "/", method = "get", operation_id = "platform_audit_list")]
    #[allow(clippy::too_many_arguments)]
    async fn list(
        &self, caller: Platform, /// From this instant on.
        from: QueryParam<Timestamp>,
        /// Before this instant.
        till: QueryParam<Timestamp>,
        /// By this account.
        actor: QueryParam<Uuid>,
        /// This action (`partners_create`), or every action of a resource (`partners`).
        action: QueryParam<String>,
        /// To this record.
        record_id: QueryParam<Uuid>,
        /// Concerning this partner.
        partner: QueryParam<Id<Partner>>,
        /// By somebody of this name; accents and case ignored.
        name: QueryParam<String>,
        paging: Paging,
    ) -> Result<Page<PlatformAuditRow>> {
        let Platform(caller) = caller;
        let door = &caller.app.door;
        let filter: [Value; 9] = [
            caller.session.into(),
            caller.account.into(),
            from.0.into(),
            till.0.into(),
            actor.0.into(),
            filled(action.0).into(),
            record_id.0.into(),
            partner.0.map(Id::uuid).into(),
            filled(name.0).into(),
        ];
        let total =
            if paging.count { total(&door.call(PLATFORM_COUNT, filter.clone()).await?)? } else { None };
        let mut rows: Vec<PlatformAuditRow> =
            door.all(PLATFORM, filter.into_iter().chain(limit_offset(&paging))).await?;
        let names = platform_names(&caller, rows.iter().map(|row| &row.details)).await?;
        for (row, names) in rows.iter_mut().zip(names) {
            row.names = names;
        }
        Ok(Page { rows, total })
    }
}

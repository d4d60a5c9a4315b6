//! Reading the log: a restaurant's, a partner's, the platform's. The same filters everywhere; newest first.

use sea_orm::{FromQueryResult, QueryResult, Value};
use serde_json::Value as Json;
use uuid::Uuid;

use access::{people::Platform, prelude::*};

pub(crate) struct AuditApi;
pub(crate) struct PartnerAudit;
pub(crate) struct PlatformAudit;

/// Who did what, when.
#[derive(Debug, Object, FromQueryResult)]
struct AuditRow {
    id: Uuid,
    at: Timestamp,
    /// `admin`, `api_key`, `job`, or `support`: somebody of the platform's operator.
    actor_kind: String,
    /// The admin, the key or the support access.
    actor_id: Option<Uuid>,
    /// The name at that time.
    actor_name: String,
    /// What was done, mostly an operation's id: `couriers_update`.
    action: String,
    /// What it was done to.
    record_id: Option<Uuid>,
    /// The name it had then, as far as the log knows.
    record_name: Option<String>,
    restaurant_id: Option<Id<Restaurant>>,
    restaurant_name: Option<String>,
    /// The request that did it; a third party or support can name it.
    request_id: String,
    /// Per field what it was and what it is: `{"name": ["old", "new"]}`. Empty where personal data have been
    /// removed.
    details: Json,
}

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
}

macro_rules! columns {
    ($what:literal) => {
        concat!(
            "select ", $what, " from audit a left join audit_detail d on d.audit_id = a.id left join \
                restaurant_facts r on r.id = a.restaurant_id \
             where ($1::uuid is null or a.restaurant_id = $1) and ($2::timestamptz is null or a.at >= $2) \
             and ($3::timestamptz is null or a.at < $3) \
             and ($4::uuid is null or a.actor_id = $4) and ($5::text is null or a.action = $5 or \
             starts_with(a.action, $5 || '_')) \
             and ($6::uuid is null or a.record_id = $6) and ($7::text is null or position(ref.fold($7) in \
             ref.fold(a.actor_name)) > 0)"
        )
    };
}

const LIST: &str = concat!(
    columns!(
        "a.id, a.at, a.actor_kind, a.actor_id, a.actor_name, a.action, a.record_id, a.restaurant_id, r.name \
         restaurant_name, a.request_id, \
         coalesce(d.details, '{}') details, (select n.details #>> '{name,1}' from audit b join audit_detail \
         n on n.audit_id = b.id \
         where b.record_id = a.record_id and b.at <= a.at and n.details #>> '{name,1}' is not null order by \
         b.at desc, b.id desc limit 1) record_name"
    ),
    " order by a.at desc, a.id desc limit $8 offset $9"
);
const COUNT: &str = columns!("count(*) total");

/// Filters, as they stand in the query.
struct AuditFilters {
    from: Option<Timestamp>,
    till: Option<Timestamp>,
    actor: Option<Uuid>,
    action: Option<String>,
    record_id: Option<Uuid>,
    name: Option<String>,
}

fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn cut(paging: &Paging) -> [Value; 2] {
    let limit = paging.limit();
    // Both are bounded by Paging, far below what bigint holds.
    [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX).into())
}

fn total(rows: &[QueryResult]) -> Result<Option<u64>> {
    let total = rows.first().map(|row| row.try_get::<i64>("", "total")).transpose()?;
    Ok(total.and_then(|total| total.try_into().ok()))
}

async fn page<S: Scope, P>(
    scope: &In<S, P>,
    wanted: AuditFilters,
    paging: &Paging,
) -> Result<Page<AuditRow>> {
    let tx = scope.begin().await?;
    let AuditFilters { from, till, actor, action, record_id, name } = wanted;
    let place = scope.place().map(Id::uuid);
    let filter: [Value; 7] = [
        place.into(),
        from.into(),
        till.into(),
        actor.into(),
        filled(action).into(),
        record_id.into(),
        filled(name).into(),
    ];
    let total = if paging.count { total(&tx.rows(COUNT, filter.clone()).await?)? } else { None };
    Ok(Page { rows: tx.all(LIST, filter.into_iter().chain(cut(paging))).await?, total })
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
        &self,
        scope: In<Restaurant, perm::SystemGeneral>,
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
        page(&scope, wanted, &paging).await
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
        &self,
        scope: In<Partner, WholePartner<perm::SystemGeneral>>,
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
        page(&scope, wanted, &paging).await
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
        &self,
        caller: Platform,
        /// From this instant on.
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
        Ok(Page { rows: door.all(PLATFORM, filter.into_iter().chain(cut(&paging))).await?, total })
    }
}

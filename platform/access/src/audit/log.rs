//! Reading a partner's log: filters and pages.

use kernel::{Id, Page, Paging, Restaurant, Result, time::Timestamp};
use poem_openapi::Object;
use sea_orm::{FromQueryResult, QueryResult, Value};
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

use super::names::{RecordName, record_names};

/// Who did what, when.
#[derive(Debug, Object, FromQueryResult)]
pub struct AuditRow {
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
    /// What the records are called whose ids stand in `details`, as far as they still exist.
    #[sea_orm(skip)]
    names: Vec<RecordName>,
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

#[derive(Debug, Default)]
pub struct AuditFilters {
    pub from: Option<Timestamp>,
    pub till: Option<Timestamp>,
    /// By this admin, key or support access.
    pub actor: Option<Uuid>,
    pub action: Option<String>,
    pub record_id: Option<Uuid>,
    /// By somebody of this name; accents and case ignored.
    pub name: Option<String>,
}

/// A text that says something.
#[must_use]
pub fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[must_use]
pub fn limit_offset(paging: &Paging) -> [Value; 2] {
    let limit = paging.limit();
    // Both are bounded by Paging, far below what bigint holds.
    [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX).into())
}

/// The number that the only column of a count holds.
pub fn total(rows: &[QueryResult]) -> Result<Option<u64>> {
    Ok(tenants::first(rows)?.and_then(|total: i64| total.try_into().ok()))
}

/// The lines of a restaurant, or of the whole partner, newest first. `within`: see [`record_names`].
pub async fn page(
    tx: &TenantTx, restaurant: Option<Id<Restaurant>>, within: Option<Id<Restaurant>>, wanted: AuditFilters,
    paging: &Paging,
) -> Result<Page<AuditRow>> {
    let AuditFilters { from, till, actor, action, record_id, name } = wanted;
    let filter: [Value; 7] = [
        restaurant.map(Id::uuid).into(),
        from.into(),
        till.into(),
        actor.into(),
        filled(action).into(),
        record_id.into(),
        filled(name).into(),
    ];
    let total = if paging.count { total(&tx.rows(COUNT, filter.clone()).await?)? } else { None };
    let mut rows: Vec<AuditRow> = tx.all(LIST, filter.into_iter().chain(limit_offset(paging))).await?;
    let names = record_names(tx, within, rows.iter().map(|row| &row.details)).await?;
    for (row, names) in rows.iter_mut().zip(names) {
        row.names = names;
    }
    Ok(Page { rows, total })
}

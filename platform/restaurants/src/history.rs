//! The history of a restaurant's settings: who changed what, and returning to an earlier state. The history
//! is read from the audit log. A return is a change like any other, checked and logged. Each group is declared
//! by the crate whose tables hold it ([`Domain::settings`]). See `docs/decisions/restaurants.md#history`.
//!
//! [`Domain::settings`]: access::domain::Domain::settings

use access::{
    AuditLine, Permission, RecordName, audit_action, audit_lines, audit_lines_since,
    domain::{Domains, Restore, SettingsGroup, SettingsOf, SettingsScope, earlier_values, no_earlier_values},
    prelude::*,
    record_names,
};
use futures_util::FutureExt;
use kernel::{body, time::OpeningHours};
use poem::web::Data;
use poem_openapi::types::ToJSON;
use serde_json::{Map, Value, json};

use crate::{
    Event, holidays, legal,
    opening_hours::{self, OpeningHoursChange},
    settings, socials,
};

pub(crate) struct SettingsHistory;

/// A line of the history.
#[derive(Debug)]
pub(crate) enum SettingsChanges {}
impl Resource for SettingsChanges {
    const NAME: &'static str = "settings_history";
    const ENTITY: &'static str = "SETTINGS_CHANGE";
}

/// The groups whose tables this crate has.
pub(crate) fn own_settings() -> Vec<SettingsOf> {
    use SettingsGroup::{
        Delivery, Features, General, Holidays, LegalData, OpeningHours, Points, Socials, System,
    };
    let general = <perm::RestaurantGeneral as Permission>::keys;
    let opening = <perm::RestaurantOpening as Permission>::keys;
    let system = <perm::SystemGeneral as Permission>::keys;
    vec![
        SettingsOf {
            group: General,
            actions: &["restaurants_general"],
            noted: &[],
            keys: general,
            restore: Some(|to| general_before(to).boxed()),
        },
        SettingsOf {
            group: Delivery,
            actions: &["restaurants_delivery"],
            noted: &[],
            keys: <perm::RestaurantDelivery as Permission>::keys,
            restore: Some(|to| delivery_before(to).boxed()),
        },
        SettingsOf {
            group: System,
            actions: &["restaurants_system"],
            noted: &["restaurants_close"],
            keys: system,
            restore: Some(|to| system_before(to).boxed()),
        },
        SettingsOf {
            group: Points,
            actions: &["restaurants_points"],
            noted: &[],
            keys: general,
            restore: Some(|to| points_before(to).boxed()),
        },
        SettingsOf {
            group: OpeningHours,
            actions: &["opening_hours_update"],
            noted: &[],
            keys: opening,
            restore: Some(|to| opening_hours_before(to).boxed()),
        },
        SettingsOf {
            group: Holidays,
            actions: &holidays::ACTIONS,
            noted: &[],
            keys: opening,
            restore: Some(|to| holidays::before(to).boxed()),
        },
        SettingsOf {
            group: LegalData,
            actions: &["legal_file_update"],
            noted: &[],
            keys: general,
            restore: Some(|to| legal_data_before(to).boxed()),
        },
        SettingsOf {
            group: Socials,
            actions: &["socials_update"],
            noted: &[],
            keys: general,
            restore: Some(|to| socials_before(to).boxed()),
        },
        SettingsOf {
            group: Features,
            actions: &crate::switches::ACTIONS,
            noted: &[],
            keys: system,
            restore: None,
        },
    ]
}

/// The earlier values as a change, without those that stay as they are.
fn change_of<T: poem_openapi::types::ParseFromJSON + 'static>(
    to: &Restore<'_>,
    stays: impl Fn(&str, &Value) -> bool,
) -> Result<T> {
    let mut fields: Map<String, Value> =
        earlier_values(to.changes).into_iter().filter(|(field, value)| !stays(field, value)).collect();
    if fields.is_empty() {
        return Err(no_earlier_values());
    }
    if let Some(version) = to.version {
        fields.insert("version".to_owned(), version.into());
    }
    body::checked(Value::Object(fields))
}

/// What is required cannot be emptied again.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

async fn general_before(to: Restore<'_>) -> Result<()> {
    let required = ["phone_1", "contact_email", "city", "street", "premise_number"];
    let change = change_of(&to, |field, value| is_empty(value) && required.contains(&field))?;
    settings::changes::general(to.tx, to.scope, to.domains, change).await.map(drop)
}

async fn delivery_before(to: Restore<'_>) -> Result<()> {
    let change = change_of(&to, |_, _| false)?;
    settings::changes::delivery(to.tx, to.scope, change).await.map(drop)
}

async fn system_before(to: Restore<'_>) -> Result<()> {
    // SOS close is for the moment.
    let change = change_of(&to, |field, _| field.starts_with("temp_no_orders"))?;
    settings::changes::system(to.tx, to.scope, to.domains, change).await.map(drop)
}

async fn points_before(to: Restore<'_>) -> Result<()> {
    let change = change_of(&to, |_, _| false)?;
    settings::changes::points(to.tx, to.scope, change).await.map(drop)
}

async fn legal_data_before(to: Restore<'_>) -> Result<()> {
    let required = ["company_name", "tax_num", "address"];
    let change = change_of(&to, |field, value| {
        field == "restaurant_id" || value.is_null() && required.contains(&field)
    })?;
    legal::change(to.tx, to.scope, change).await.map(drop)
}

async fn socials_before(to: Restore<'_>) -> Result<()> {
    let change = change_of(&to, |field, _| field == "restaurant_id")?;
    socials::change(to.tx, to.scope, change).await.map(drop)
}

async fn opening_hours_before(to: Restore<'_>) -> Result<()> {
    let week = earlier_values(to.changes).remove("opening_hours").ok_or_else(no_earlier_values)?;
    let opening_hours: Vec<OpeningHours> = serde_json::from_value(week).map_err(|_| no_earlier_values())?;
    let change = OpeningHoursChange { opening_hours, version: to.version };
    opening_hours::change(to.tx, to.scope, change).await.map(drop)
}

/// A change of settings.
#[derive(Debug, Object)]
pub(crate) struct SettingsChange {
    id: Id<SettingsChanges>,
    at: Timestamp,
    /// `admin`, `api_key`, `job`, or `support`: somebody of the platform's operator.
    actor_kind: String,
    /// The name at that time.
    actor_name: String,
    group: SettingsGroup,
    /// What was done, by its name in the audit log: `restaurant_holidays_create`.
    action: String,
    /// Per field what it was and what it is: `{"name": ["old", "new"]}`. Empty where personal data have been
    /// removed.
    details: Value,
    /// What the records are called whose ids stand in `details`, as far as they still exist.
    names: Vec<RecordName>,
    /// Whether the partner can return to what was before it.
    can_restore: bool,
}

impl SettingsChange {
    /// The history's lines of these lines of the log. `of_line` answers the group of an action, and whether the
    /// caller can return to what was before it.
    ///
    /// # Errors
    /// What the database says.
    pub(crate) async fn all(
        tx: &TenantTx,
        lines: Vec<AuditLine>,
        of_line: impl Fn(&str) -> Option<(SettingsGroup, bool)>,
    ) -> Result<Vec<Self>> {
        let names = record_names(tx, lines.iter().map(|line| &line.details)).await?;
        let rows = lines.into_iter().zip(names).filter_map(|(line, names)| {
            let (group, leads_back) = of_line(&line.action)?;
            let AuditLine { id, at, actor_kind, actor_name, action, details, .. } = line;
            let id = Id::from_uuid(id);
            let can_restore = leads_back && details.as_object().is_some_and(|fields| !fields.is_empty());
            Some(Self { id, at, actor_kind, actor_name, group, action, details, names, can_restore })
        });
        Ok(rows.collect())
    }
}

#[derive(Debug, Object)]
pub(crate) struct SettingsRestore {
    /// Of what is changed: the restaurant, its opening hours, its legal data, its socials, its payment methods
    /// or the mail. Holidays have none together.
    pub(crate) version: Option<i64>,
}

/// The groups that the caller may change, or whose history the caller may read.
fn groups_of(domains: Domains, scope: &SettingsScope) -> Vec<SettingsOf> {
    let all = domains.iter().flat_map(|domain| domain.settings());
    all.filter(|one| (one.keys)().iter().any(|key| scope.may(key))).collect()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/settings-history",
    tag = "Tag::Restaurants"
)]
impl SettingsHistory {
    /// Who changed which settings, newest first. Groups that the caller may not change are left out.
    #[oai(path = "/", method = "get", operation_id = "settings_history_list")]
    async fn list(
        &self,
        scope: SettingsScope,
        domains: Data<&Domains>,
        /// Only this group.
        group: QueryParam<SettingsGroup>,
        paging: Paging,
    ) -> Result<Page<SettingsChange>> {
        let mut groups = groups_of(domains.0, &scope);
        groups.retain(|one| group.0.is_none_or(|wanted| wanted == one.group));
        let actions: Vec<&str> =
            groups.iter().flat_map(|one| one.actions.iter().chain(one.noted)).copied().collect();
        let tx = scope.begin().await?;
        let page = audit_lines(&tx, scope.restaurant(), &actions, &paging).await?;
        let of_line = |action: &str| {
            let mut with = groups.iter();
            let of = with.find(|one| one.actions.contains(&action) || one.noted.contains(&action))?;
            Some((of.group, of.restore.is_some() && of.actions.contains(&action)))
        };
        Ok(Page { rows: SettingsChange::all(&tx, page.rows, of_line).await?, total: page.total })
    }

    /// Returns a group of settings to what it was before a change, undoing also the later ones of the group.
    ///
    /// It is checked like any other change and stands in the history as one, so it can be undone too. What
    /// super admins switch is refused.
    ///
    /// codes: SETTINGS_CHANGE_NOT_EXIST, CONFLICT, CURRENCY_FIXED
    #[oai(path = "/:id/restore", method = "post", operation_id = "settings_history_restore")]
    async fn restore(
        &self,
        scope: SettingsScope,
        domains: Data<&Domains>,
        id: Path<Id<SettingsChanges>>,
        body: Body<SettingsRestore>,
    ) -> Result<Done> {
        let SettingsRestore { version } = body.into_inner();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        settings::lock(&tx, restaurant).await?;
        let action = audit_action(&tx, restaurant, id.uuid()).await?;
        let mut all = domains.0.iter().flat_map(|domain| domain.settings());
        let of = action
            .and_then(|action| all.find(|one| one.actions.contains(&action.as_str())))
            .ok_or_else(Problem::not_exist::<SettingsChanges>)?;
        let restore = of
            .restore
            .filter(|_| (of.keys)().iter().any(|key| scope.may(key)))
            .ok_or(Code::USER_PERMISSION_REQUIRED)?;
        let changes = audit_lines_since(&tx, restaurant, id.uuid(), of.actions).await?;
        let details = json!({"group": [null, of.group.to_json()]});
        scope.audit(&tx, Some(restaurant.uuid()), "settings_history_restore", *id, details).await?;
        restore(Restore { tx: &tx, scope: &scope, changes: &changes, version, domains: domains.0 }).await?;
        work::events::publish(&tx, &Event::Changed(restaurant)).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

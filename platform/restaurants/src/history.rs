//! The history of a restaurant's settings: changes with their authors, and the return to an earlier state. The history
//! is read from the audit log. A return is a change like any other, checked and logged. Each group is
//! declared by the crate whose tables hold it ([`Domain::settings`]). See
//! `docs/decisions/restaurants.md#history`.
//!
//! [`Domain::settings`]: access::domain::Domain::settings

use std::collections::HashMap;

use access::{
    AuditLine, Permission, RecordName, audit_action, audit_counts, audit_lines, audit_lines_since,
    domain::{
        Domains, Restore, SettingsGroup, SettingsOf, SettingsScope, earlier, earlier_values,
        no_earlier_values,
    },
    names_within,
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
    pos_config, settings, socials,
};

pub(crate) struct SettingsHistory;

/// A line of the history.
#[derive(Debug)]
pub(crate) enum SettingsChanges {}
kernel::resource!(SettingsChanges, "settings_history", "SETTINGS_CHANGE");

/// The groups whose tables this crate has.
pub(crate) fn own_settings() -> Vec<SettingsOf> {
    use SettingsGroup::{
        Delivery, Features, General, Holidays, LegalData, OpeningHours, Points, PosSettings, Socials, System,
    };
    let general = <perm::RestaurantGeneral as Permission>::keys;
    let opening = <perm::RestaurantOpening as Permission>::keys;
    let system = <perm::SystemGeneral as Permission>::keys;
    vec![
        SettingsOf {
            noted: &["restaurants_move"],
            ..SettingsOf::new(General, &["restaurants_general"], general)
        }
        .with(|to| general_before(to).boxed()),
        SettingsOf {
            noted: &["restaurants_delivery_method"],
            leads_back: |details| earlier(details).any(|(field, _)| field != "delivery_method"),
            ..SettingsOf::new(
                Delivery,
                &["restaurants_delivery"],
                <perm::RestaurantDelivery as Permission>::keys,
            )
        }
        .with(|to| delivery_before(to).boxed()),
        SettingsOf {
            noted: &["restaurants_close"],
            leads_back: |details| earlier(details).any(|(field, _)| !is_sos_close(field)),
            ..SettingsOf::new(System, &["restaurants_system"], system)
        }
        .with(|to| system_before(to).boxed()),
        SettingsOf::new(Points, &["restaurants_points"], general).with(|to| points_before(to).boxed()),
        SettingsOf::new(OpeningHours, &["opening_hours_update"], opening)
            .with(|to| opening_hours_before(to).boxed()),
        SettingsOf::new(Holidays, &holidays::ACTIONS, opening).with(|to| holidays::before(to).boxed()),
        SettingsOf::new(LegalData, &["legal_file_update"], general).with(|to| legal_data_before(to).boxed()),
        SettingsOf::new(Socials, &["socials_update"], general).with(|to| socials_before(to).boxed()),
        SettingsOf::new(PosSettings, &["pos_configs_update"], <perm::PosSettings as Permission>::keys)
            .with(|to| pos_config_before(to).boxed()),
        SettingsOf::new(Features, &crate::features::ACTIONS, system),
    ]
}

/// SOS close is for the moment: it never comes back.
fn is_sos_close(field: &str) -> bool {
    field.starts_with("temp_no_orders")
}

/// The earlier values as a change, without those that stay as they are.
fn change_of<T: poem_openapi::types::ParseFromJSON + 'static>(
    to: &Restore<'_>, stays: impl Fn(&str, &Value) -> bool,
) -> Result<T> {
    let fields: Map<String, Value> =
        earlier_values(to.changes).into_iter().filter(|(field, value)| !stays(field, value)).collect();
    if fields.is_empty() {
        return Err(no_earlier_values());
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
    let change = change_of(&to, |field, _| is_sos_close(field))?;
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

async fn pos_config_before(to: Restore<'_>) -> Result<()> {
    let change = change_of(&to, |field, _| field == "restaurant_id")?;
    pos_config::change(to.tx, to.scope, change).await.map(drop)
}

async fn opening_hours_before(to: Restore<'_>) -> Result<()> {
    let week = earlier_values(to.changes).remove("opening_hours").ok_or_else(no_earlier_values)?;
    let opening_hours: Vec<OpeningHours> = serde_json::from_value(week).map_err(|_| no_earlier_values())?;
    let change = OpeningHoursChange { opening_hours, version: None };
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
    /// Whether one can return to what was before it.
    can_restore: bool,
    /// How many changes of the group there are: what a return takes as its `version`.
    version: i64,
}

/// What a line of the history belongs to.
pub(crate) struct LineOf {
    pub(crate) group: SettingsGroup,
    /// Whether one can return to what was before it.
    pub(crate) can_restore: bool,
    /// How many changes of the group there are.
    pub(crate) version: i64,
}

impl SettingsChange {
    /// The history's lines of these lines of the log, of which `of_line` says what each belongs to. `within`:
    /// see [`record_names`].
    pub(crate) async fn all(
        tx: &TenantTx, lines: Vec<AuditLine>, within: Option<Id<Restaurant>>,
        of_line: impl Fn(&AuditLine) -> Option<LineOf>,
    ) -> Result<Vec<Self>> {
        let names = record_names(tx, within, lines.iter().map(|line| &line.details)).await?;
        let rows = lines.into_iter().zip(names).filter_map(|(line, names)| {
            let LineOf { group, can_restore, version } = of_line(&line)?;
            let AuditLine { id, at, actor_kind, actor_name, action, details, .. } = line;
            let id = Id::from_uuid(id);
            Some(Self { id, at, actor_kind, actor_name, group, action, details, names, can_restore, version })
        });
        Ok(rows.collect())
    }
}

#[derive(Debug, Object)]
pub(crate) struct SettingsRestore {
    /// The `version` of the line: refused when the group was changed since the history was read.
    pub(crate) version: Option<i64>,
}

/// Refuses a return that was chosen from an older history. `changes` are the line and all later ones.
pub(crate) fn check_version(sent: Option<i64>, version: i64, changes: &[AuditLine]) -> Result<()> {
    if sent.is_none_or(|sent| sent == version) {
        return Ok(());
    }
    let problem = Problem::new(Code::CONFLICT).with("current", json!({ "version": version }));
    Err(match changes.last() {
        Some(newest) => problem
            .with("changed_by", newest.actor_name.clone().into())
            .with("changed_at", newest.at.to_json().unwrap_or_default()),
        None => problem,
    })
}

pub(crate) fn version_of(counts: &HashMap<String, i64>, actions: &[&str]) -> i64 {
    actions.iter().filter_map(|action| counts.get(*action)).sum()
}

/// Whether the caller may change a group, and so read its history.
fn may(scope: &SettingsScope, one: &SettingsOf) -> bool {
    (one.keys)().iter().any(|key| scope.may(key)) && (!one.of_partner || scope.caller().whole_partner())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/settings-history",
    tag = "Tag::Restaurants"
)]
impl SettingsHistory {
    /// Who changed which settings, newest first. Groups that the caller may not change are left out.
    #[oai(path = "/", method = "get", operation_id = "settings_history_list")]
    async fn list(
        &self, scope: SettingsScope, domains: Data<&Domains>,
        /// Only this group.
        group: QueryParam<SettingsGroup>, paging: Paging,
    ) -> Result<Page<SettingsChange>> {
        let all = domains.0.iter().flat_map(|domain| domain.settings());
        let groups: Vec<SettingsOf> =
            all.filter(|one| may(&scope, one) && group.0.is_none_or(|wanted| wanted == one.group)).collect();
        let actions: Vec<&str> =
            groups.iter().flat_map(|one| one.actions.iter().chain(one.noted)).copied().collect();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let page = audit_lines(&tx, restaurant, &actions, &paging).await?;
        let counts = audit_counts(&tx, restaurant, &actions).await?;
        let of_line = |line: &AuditLine| {
            let is = |actions: &[&str]| actions.contains(&line.action.as_str());
            let of = groups.iter().find(|one| is(one.actions) || is(one.noted))?;
            let can_restore = of.restore.is_some() && is(of.actions) && (of.leads_back)(&line.details);
            Some(LineOf { group: of.group, can_restore, version: version_of(&counts, of.actions) })
        };
        let within = names_within(scope.caller(), Some(restaurant));
        Ok(Page { rows: SettingsChange::all(&tx, page.rows, within, of_line).await?, total: page.total })
    }

    /// Returns a group of settings to what it was before a change, undoing also the later ones of the group.
    ///
    /// It is checked like any other change and stands in the history as one, so it can be undone too. What
    /// super admins switch is refused.
    ///
    /// codes: SETTINGS_CHANGE_NOT_EXIST, CONFLICT, CURRENCY_FIXED
    #[oai(path = "/:id/restore", method = "post", operation_id = "settings_history_restore")]
    async fn restore(
        &self, scope: SettingsScope, domains: Data<&Domains>, id: Path<Id<SettingsChanges>>,
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
        let restore = of.restore.filter(|_| may(&scope, &of)).ok_or(Code::USER_PERMISSION_REQUIRED)?;
        let changes = audit_lines_since(&tx, restaurant, id.uuid(), of.actions).await?;
        let counts = audit_counts(&tx, restaurant, of.actions).await?;
        check_version(version, version_of(&counts, of.actions), &changes)?;
        let details = json!({"group": [null, of.group.to_json()]});
        let place = (!of.of_partner).then(|| restaurant.uuid());
        scope.audit(&tx, place, "settings_history_restore", *id, details).await?;
        restore(Restore { tx: &tx, scope: &scope, changes: &changes, domains: domains.0 }).await?;
        work::events::publish(&tx, &Event::Changed(restaurant)).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

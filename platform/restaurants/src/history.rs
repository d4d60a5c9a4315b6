//! The history of a restaurant's settings: who changed what, and returning to an earlier state. The history
//! is read from the audit log. A return is a change like any other, checked and logged. See
//! `docs/decisions/restaurants.md#history`.

use access::{audit_lines, audit_lines_since, prelude::*};
use kernel::{body, time::OpeningHours};
use poem_openapi::types::ToJSON;
use serde_json::{Map, Value, json};

use crate::{
    legal,
    opening_hours::{self, OpeningHoursChange},
    settings, socials,
};

pub(crate) struct SettingsHistory;

/// A line of the history.
#[derive(Debug)]
enum SettingsChanges {}
impl Resource for SettingsChanges {
    const NAME: &'static str = "settings_history";
    const ENTITY: &'static str = "SETTINGS_CHANGE";
}

/// Settings that are changed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum SettingsGroup {
    General,
    Delivery,
    System,
    Points,
    OpeningHours,
    LegalData,
    Socials,
}

impl SettingsGroup {
    const ALL: [Self; 7] = [
        Self::General,
        Self::Delivery,
        Self::System,
        Self::Points,
        Self::OpeningHours,
        Self::LegalData,
        Self::Socials,
    ];

    /// How its changes stand in the audit log.
    const fn action(self) -> &'static str {
        match self {
            Self::General => "restaurants_general",
            Self::Delivery => "restaurants_delivery",
            Self::System => "restaurants_system",
            Self::Points => "restaurants_points",
            Self::OpeningHours => "opening_hours_update",
            Self::LegalData => "legal_file_update",
            Self::Socials => "socials_update",
        }
    }

    /// The key that changing it needs.
    fn key(self) -> &'static str {
        let keys = match self {
            Self::General | Self::Points | Self::LegalData | Self::Socials => {
                <perm::RestaurantGeneral as access::Permission>::keys()
            }
            Self::Delivery => <perm::RestaurantDelivery as access::Permission>::keys(),
            Self::System => <perm::SystemGeneral as access::Permission>::keys(),
            Self::OpeningHours => <perm::RestaurantOpening as access::Permission>::keys(),
        };
        keys.first().copied().unwrap_or_default()
    }

    /// What a return leaves as it is: SOS close is for the moment, and what is required cannot be emptied
    /// again.
    fn stays(self, field: &str, earlier: &Value) -> bool {
        match self {
            Self::System => field.starts_with("temp_no_orders"),
            Self::General => {
                let empty = earlier.is_null() || earlier.as_str() == Some("");
                empty
                    && matches!(
                        field,
                        "phone_1" | "contact_email" | "domain" | "city" | "street" | "premise_number"
                    )
            }
            Self::LegalData => {
                field == "restaurant_id"
                    || earlier.is_null() && matches!(field, "company_name" | "tax_num" | "address")
            }
            Self::Socials => field == "restaurant_id",
            _ => false,
        }
    }
}

/// A change of settings.
#[derive(Debug, Object)]
struct SettingsChange {
    id: Id<SettingsChanges>,
    at: Timestamp,
    /// `admin`, `api_key`, `job`, or `support`: somebody of the platform's operator.
    actor_kind: String,
    /// The name at that time.
    actor_name: String,
    group: SettingsGroup,
    /// Per field what it was and what it is: `{"name": ["old", "new"]}`. Empty where personal data have been
    /// removed.
    details: Value,
}

#[derive(Debug, Object)]
struct SettingsRestore {
    /// Of what is changed: the restaurant, its opening hours, its legal data or its socials.
    version: Option<i64>,
}

/// The fields of a group as they were before the first of these changes: a field's earliest value is the one
/// from then.
fn earlier(group: SettingsGroup, changes: &[access::AuditLine]) -> Map<String, Value> {
    let mut fields = Map::new();
    for (field, both) in changes.iter().filter_map(|change| change.details.as_object()).flatten() {
        let value = both.get(0).cloned().unwrap_or_default();
        if !fields.contains_key(field) && !group.stays(field, &value) {
            fields.insert(field.clone(), value);
        }
    }
    fields
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
        scope: In<
            Restaurant,
            AnyOf<(
                perm::RestaurantGeneral,
                perm::RestaurantDelivery,
                perm::SystemGeneral,
                perm::RestaurantOpening,
            )>,
        >,
        /// Only this group.
        group: QueryParam<SettingsGroup>,
        paging: Paging,
    ) -> Result<Page<SettingsChange>> {
        let groups = SettingsGroup::ALL
            .into_iter()
            .filter(|one| group.0.is_none_or(|wanted| wanted == *one) && scope.may(one.key()));
        let actions: Vec<&str> = groups.map(SettingsGroup::action).collect();
        let tx = scope.begin().await?;
        let page = audit_lines(&tx, scope.restaurant(), &actions, &paging).await?;
        let total = page.total;
        let rows = page.rows.into_iter().filter_map(|line| {
            let group = SettingsGroup::ALL.into_iter().find(|group| group.action() == line.action)?;
            let access::AuditLine { id, at, actor_kind, actor_name, details, .. } = line;
            Some(SettingsChange { id: Id::from_uuid(id), at, actor_kind, actor_name, group, details })
        });
        Ok(Page { rows: rows.collect(), total })
    }

    /// Returns a group of settings to what it was before a change, undoing also the later ones of the group.
    ///
    /// It is checked like any other change and stands in the history as one, so it can be undone too.
    ///
    /// codes: SETTINGS_CHANGE_NOT_EXIST, CONFLICT
    #[oai(path = "/:id/restore", method = "post", operation_id = "settings_history_restore")]
    async fn restore(
        &self,
        scope: In<
            Restaurant,
            AnyOf<(
                perm::RestaurantGeneral,
                perm::RestaurantDelivery,
                perm::SystemGeneral,
                perm::RestaurantOpening,
            )>,
        >,
        id: Path<Id<SettingsChanges>>,
        body: Body<SettingsRestore>,
    ) -> Result<Done> {
        let SettingsRestore { version } = body.into_inner();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        settings::lock(&tx, restaurant).await?;
        let changes = audit_lines_since(&tx, restaurant, id.uuid()).await?;
        let group = changes
            .first()
            .and_then(|first| SettingsGroup::ALL.into_iter().find(|group| group.action() == first.action));
        let group = group.ok_or_else(Problem::not_exist::<SettingsChanges>)?;
        if !scope.may(group.key()) {
            return Err(Code::USER_PERMISSION_REQUIRED.into());
        }
        let mut fields = earlier(group, &changes);
        if fields.is_empty() {
            return Err(Problem::new(Code::CONFLICT)
                .detail("the earlier values are not kept any more, or cannot be brought back"));
        }
        let details =
            json!({"group": [null, group.to_json()], "fields": [null, fields.keys().collect::<Vec<_>>()]});
        // First, because the change of system settings ends with an event.
        scope.audit(&tx, Some(restaurant.uuid()), "settings_history_restore", *id, details).await?;
        if group == SettingsGroup::OpeningHours {
            let week: Vec<OpeningHours> =
                serde_json::from_value(fields.remove("opening_hours").unwrap_or_default())
                    .map_err(|_| Problem::new(Code::CONFLICT).detail("the earlier values cannot be read"))?;
            opening_hours::change(&tx, &scope, OpeningHoursChange { opening_hours: week, version }).await?;
        } else {
            if let Some(version) = version {
                fields.insert("version".to_owned(), version.into());
            }
            let change = Value::Object(fields);
            match group {
                SettingsGroup::General => {
                    drop(settings::changes::general(&tx, &scope, body::checked(change)?).await?)
                }
                SettingsGroup::Delivery => {
                    drop(settings::changes::delivery(&tx, &scope, body::checked(change)?).await?)
                }
                SettingsGroup::Points => {
                    drop(settings::changes::points(&tx, &scope, body::checked(change)?).await?)
                }
                SettingsGroup::LegalData => drop(legal::change(&tx, &scope, body::checked(change)?).await?),
                SettingsGroup::Socials => drop(socials::change(&tx, &scope, body::checked(change)?).await?),
                SettingsGroup::System => {
                    drop(settings::changes::system(&tx, &scope, body::checked(change)?).await?)
                }
                SettingsGroup::OpeningHours => {}
            }
        }
        tx.commit().await?;
        Ok(Done)
    }
}

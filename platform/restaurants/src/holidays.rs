//! Holidays: days that differ from the week's opening hours. See `docs/decisions/restaurants.md#holidays`.

use std::collections::BTreeMap;

use access::{
    AuditLine,
    domain::{Restore, earlier_values},
    prelude::*,
};
use kernel::{
    body,
    time::{CalendarDay, HolidayType, TimeOfDay},
};
use poem_openapi::types::ToJSON;
use sea_orm::{QuerySelect, Select};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Event;

pub struct RestaurantHolidays;

kernel::resource!(RestaurantHolidays, "restaurant_holidays", "RESTAURANT_HOLIDAY");

/// Days on which a restaurant is open or closed otherwise than in the week. Where two overlap, the latest
/// created wins.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "RestaurantHoliday")]
#[sea_orm(table_name = "restaurant_holiday")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<RestaurantHolidays>,
    pub restaurant_id: Id<Restaurant>,
    /// First calendar day in the restaurant's zone.
    pub valid_from: CalendarDay,
    /// Last calendar day, which counts too.
    pub valid_till: CalendarDay,
    pub holiday_type: HolidayType,
    /// Own hours of an open day, together with `close_at`; without them the weekday's hold.
    pub open_at: Option<TimeOfDay>,
    /// May lie past midnight; the hours belong to the day on which they begin.
    pub close_at: Option<TimeOfDay>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
struct NewRestaurantHoliday {
    valid_from: CalendarDay,
    valid_till: CalendarDay,
    holiday_type: HolidayType,
    open_at: Option<TimeOfDay>,
    close_at: Option<TimeOfDay>,
}

#[derive(Debug, Object)]
struct RestaurantHolidayChange {
    valid_from: Option<CalendarDay>,
    valid_till: Option<CalendarDay>,
    holiday_type: Option<HolidayType>,
    open_at: Clearable<TimeOfDay>,
    close_at: Clearable<TimeOfDay>,
    version: Option<i64>,
}

type RestaurantHoliday = Model;
entity!();

impl rows::Table for Entity {
    type Of = RestaurantHolidays;
    type Tx = TenantTx;
    type Answer = RestaurantHoliday;
    const HOME: rows::Home = rows::Home::Restaurant;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_asc(Column::ValidFrom).order_by_asc(Column::Id))
    }

    async fn after(rows: &rows::Rows<'_>, _: rows::Change<'_, Model>) -> Result<()> {
        access::menu_changed_silently(rows.tx(), rows.restaurant()?).await?;
        work::events::publish(rows.tx(), &Event::Changed(rows.restaurant()?)).await
    }
}

/// The last day is not before the first; hours have both ends or none.
fn check(row: &ActiveModel) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if row.valid_till.as_ref() < row.valid_from.as_ref() {
        problem = problem.key("valid_till", Fault::Min);
    }
    let hour = |value: &sea_orm::ActiveValue<Option<TimeOfDay>>| value.try_as_ref().copied().flatten();
    match (hour(&row.open_at), hour(&row.close_at)) {
        (Some(_), None) => problem = problem.key("close_at", Fault::Required),
        (None, Some(_)) => problem = problem.key("open_at", Fault::Required),
        _ => {}
    }
    problem.if_any()
}

const CREATED: &str = "restaurant_holidays_create";
/// How changes of holidays stand in the audit log.
pub(crate) const ACTIONS: [&str; 3] = [CREATED, "restaurant_holidays_update", "restaurant_holidays_delete"];
/// What a holiday says, for the audit log.
const FIELDS: [&str; 5] = ["valid_from", "valid_till", "holiday_type", "open_at", "close_at"];

/// What the audit log says of a row that is gone: everything, because a return brings it back.
fn gone(row: &Model) -> Value {
    let json = row.to_json().unwrap_or_default();
    let present = FIELDS.iter().filter(|field| !json[**field].is_null());
    Value::Object(present.map(|field| ((*field).to_owned(), json!([json[*field], null]))).collect())
}

async fn remove(rows: &rows::Rows<'_>, id: Id<RestaurantHolidays>) -> Result<()> {
    let row = rows.lock::<Entity>(id).await?;
    rows.remove::<Entity>(id, gone(&row)).await
}

/// Makes the holidays what they were before the first of these changes: rows that were added later are
/// archived, rows that were there come back with their values.
pub(crate) async fn before(to: Restore<'_>) -> Result<()> {
    let mut changes: BTreeMap<Uuid, Vec<AuditLine>> = BTreeMap::new();
    for change in to.changes {
        changes.entry(change.record_id.unwrap_or_default()).or_default().push(change.clone());
    }
    let rows = to.scope.rows(to.tx);
    for (id, changes) in changes {
        let found = rows.here::<Entity>()?.filter(Column::Id.eq(id)).lock_exclusive().one(to.tx).await?;
        let Some(row) = found else { continue };
        let was_there = changes.first().is_some_and(|first| first.action != CREATED);
        match (was_there, row.archived_at.is_none()) {
            (false, true) => remove(&rows, row.id).await?,
            (false, false) => {}
            (true, _) => bring_back(&to, row, &changes).await?,
        }
    }
    Ok(())
}

/// Gives a holiday its values from before these changes, and makes it live again.
async fn bring_back(to: &Restore<'_>, row: Model, changes: &[AuditLine]) -> Result<()> {
    let mut fields = earlier_values(changes);
    fields.retain(|field, _| FIELDS.contains(&field.as_str()));
    let now = row.to_json().unwrap_or_default();
    if row.archived_at.is_none() && fields.iter().all(|(field, value)| now[field] == *value) {
        return Ok(());
    }
    let RestaurantHolidayChange { valid_from, valid_till, holiday_type, open_at, close_at, .. } =
        body::checked(Value::Object(fields))?;
    if row.archived_at.is_none() {
        let rows = to.scope.rows(to.tx);
        let mut edit = rows.edit::<Entity>(row.id).await?;
        apply!(edit.row: valid_from, valid_till, holiday_type, open_at, close_at);
        check(&edit.row)?;
        return rows.save(edit).await.map(drop);
    }
    let version = row.version + 1;
    let mut row = row.into_active_model();
    apply!(row: valid_from, valid_till, holiday_type, open_at, close_at);
    check(&row)?;
    (row.archived_at, row.version) = (Set(None), Set(version));
    let row = row.update(to.tx).await?;
    let restaurant = to.scope.restaurant();
    // As a new one: so a return to a time before it archives the row again.
    let details = access::difference(&json!({}), &row.to_json().unwrap_or_default());
    to.scope.audit(to.tx, Some(restaurant.uuid()), CREATED, row.id, details).await?;
    access::menu_changed_silently(to.tx, restaurant).await
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/restaurant-holidays",
    tag = "Tag::Restaurants"
)]
impl RestaurantHolidays {
    /// The restaurant's holidays, by their first day.
    #[oai(path = "/", method = "get", operation_id = "restaurant_holidays_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, paging: Unpaged,
    ) -> Result<Page<RestaurantHoliday>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.list(rows.live::<Entity>()?, paging).await
    }

    /// One holiday.
    ///
    /// codes: RESTAURANT_HOLIDAY_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "restaurant_holidays_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, id: Path<Id<RestaurantHolidays>>,
    ) -> Result<Json<RestaurantHoliday>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a holiday.
    #[oai(path = "/", method = "post", operation_id = "restaurant_holidays_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, key: IdempotencyKey,
        body: Body<NewRestaurantHoliday>,
    ) -> Result<Stored<RestaurantHoliday>> {
        let (NewRestaurantHoliday { valid_from, valid_till, holiday_type, open_at, close_at }, raw) =
            body.into_parts();
        let row = async {
            let mut row = ActiveModel::new();
            fill!(row: valid_from, valid_till, holiday_type);
            (row.open_at, row.close_at) = (Set(open_at), Set(close_at));
            check(&row)?;
            Ok(row)
        };
        let tx = scope.begin().await?;
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a holiday.
    ///
    /// codes: RESTAURANT_HOLIDAY_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "restaurant_holidays_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, id: Path<Id<RestaurantHolidays>>,
        body: Body<RestaurantHolidayChange>,
    ) -> Result<Json<RestaurantHoliday>> {
        let RestaurantHolidayChange { valid_from, valid_till, holiday_type, open_at, close_at, version } =
            body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        apply!(edit.row: valid_from, valid_till, holiday_type, open_at, close_at);
        check(&edit.row)?;
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a holiday: its days are as in the week again.
    ///
    /// codes: RESTAURANT_HOLIDAY_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "restaurant_holidays_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::RestaurantOpening>, id: Path<Id<RestaurantHolidays>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        remove(&scope.rows(&tx), *id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

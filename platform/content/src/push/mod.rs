//! Push notifications: written and scheduled by staff, sent by a job to registered devices. See
//! `docs/decisions/messages.md#push-notifications`.

mod devices;
mod send;

use std::sync::Arc;

use access::{Caller, prelude::*};
use contract::{Environment, Plugins};
use futures_util::FutureExt;
use poem::web::Data;
use poem_openapi::types::ToJSON;
use sea_orm::Select;
use serde_json::json;
use tenants::TenantTx;
use uuid::Uuid;
use work::Handler;

pub(crate) use devices::PushDevices;

/// How late a notification may be; a later one is not sent but shown as missed.
const LATEST_MINUTES: i64 = 60;

pub struct PushNotifications;

kernel::resource!(PushNotifications, "push_notifications", "PUSH_NOTIFICATION");

/// A message to the devices of a restaurant's guests.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "PushNotification")]
#[sea_orm(table_name = "push_notification")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<PushNotifications>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    /// When it is sent.
    pub scheduled_at: Timestamp,
    /// At most 65 characters.
    pub notification_title: String,
    /// At most 240 characters.
    pub notification_body: String,
    /// Sending has begun: nothing can be changed any more.
    pub notification_sent: bool,
    pub status: PushStatus,
    #[oai(skip)]
    pub run: Uuid,
    /// Who wrote it.
    pub admin_id: Option<Uuid>,
    pub admin_name: Option<String>,
    /// Devices that were registered when sending began.
    pub recipients: i32,
    /// Devices to which it goes.
    pub accepted: i32,
    pub failed: i32,
    /// Devices that take no notifications any more; they are forgotten.
    pub unregistered: i32,
    /// Why the last one failed, in the sender's own code.
    pub failure: Option<String>,
    pub sent_at: Option<Timestamp>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PushStatus {
    /// Its time has not come.
    Waiting,
    Sending,
    Sent,
    /// Its time was over for an hour before it could be sent: it was not. A new time sends it after all.
    Missed,
}

/// Characters are counted as Unicode code points, as the database and the app's developers do.
#[derive(Debug, Object)]
struct NewPushNotification {
    /// Not more than an hour ago; what is due is sent at once.
    scheduled_at: Timestamp,
    #[oai(validator(min_length = 1, max_length = 65))]
    notification_title: String,
    #[oai(validator(
        min_length = 1,
        max_length = 240,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    notification_body: String,
}

#[derive(Debug, Object)]
struct PushNotificationChange {
    scheduled_at: Option<Timestamp>,
    #[oai(validator(min_length = 1, max_length = 65))]
    notification_title: Option<String>,
    #[oai(validator(
        min_length = 1,
        max_length = 240,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    notification_body: Option<String>,
    version: Option<i64>,
}

/// Whom a notification would reach now.
#[derive(Debug, Object)]
struct PushReach {
    /// Registered devices.
    devices: i64,
    /// Whether the installation can send at all.
    available: bool,
}

type PushNotification = Model;
entity!();

impl rows::Table for Entity {
    type Of = PushNotifications;
    type Tx = TenantTx;
    type Answer = PushNotification;
    const HOME: rows::Home = rows::Home::Restaurant;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_desc(Column::ScheduledAt).order_by_desc(Column::Id))
    }

    // Has it sent at its time. A job of an earlier schedule names another run and does nothing.
    async fn after(rows: &rows::Rows<'_>, change: rows::Change<'_, Model>) -> Result<()> {
        let (rows::Change::Created(row) | rows::Change::Changed(_, row)) = change else { return Ok(()) };
        let args = json!({"notification_id": row.id, "run": row.run});
        let at = Some(row.scheduled_at.into());
        work::enqueue(rows.tx(), send::KIND, Some(&row.run.to_string()), args, at).await
    }
}

type MayPush = OfFeature<feature::Push, perm::PushNotification>;

/// A time that lies too far back would never be sent; blanks are nothing to read.
fn check(scheduled_at: Option<Timestamp>, title: Option<&str>, body: Option<&str>) -> Result<()> {
    let late = scheduled_at.is_some_and(|at| at < Timestamp::now().plus_minutes(-LATEST_MINUTES));
    let blank = |text: Option<&str>| text.is_some_and(|text| text.trim().is_empty());
    let faults = [
        (late, "scheduled_at", Fault::Min),
        (blank(title), "notification_title", Fault::Required),
        (blank(body), "notification_body", Fault::Required),
    ];
    Problem::new(Code::VALIDATION_FAILED)
        .keys(faults.into_iter().filter(|fault| fault.0).map(|(_, key, fault)| (key.to_owned(), fault)))
        .if_any()
}

/// The row, locked, while it can still be changed.
async fn open(rows: &rows::Rows<'_>, id: Id<PushNotifications>) -> Result<rows::Edit<Entity>> {
    let edit = rows.edit::<Entity>(id).await?;
    if edit.before.notification_sent {
        let problem = Problem::new(Code::CONFLICT).detail("it is being sent, or has been");
        return Err(problem.with("current", edit.current.to_json().unwrap_or_default()));
    }
    Ok(edit)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/push-notifications",
    tag = "Tag::People"
)]
impl PushNotifications {
    /// The restaurant's notifications, the latest time first.
    #[oai(path = "/", method = "get", operation_id = "push_notifications_list")]
    async fn list(
        &self, scope: In<Restaurant, MayPush>, name: QueryParam<String>, status: QueryParam<PushStatus>,
        paging: Paging,
    ) -> Result<Page<PushNotification>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::NotificationTitle, name.as_deref());
        rows.list(rows::matching(found, Column::Status, status.0), paging).await
    }

    /// Whom a notification would reach now.
    #[oai(path = "/reach", method = "get", operation_id = "push_notifications_reach")]
    async fn reach(
        &self, scope: In<Restaurant, MayPush>, plugins: Data<&Plugins>,
    ) -> Result<Json<PushReach>> {
        let tx = scope.begin().await?;
        let sql = "select count(*) devices, control.partner_mode() mode from push_device \
            where restaurant_id = $1";
        #[derive(sea_orm::FromQueryResult)]
        struct Reach {
            devices: i64,
            mode: String,
        }
        let Reach { devices, mode } =
            tx.one(sql, [scope.restaurant().into()]).await?.ok_or(Code::UNKNOWN_ERROR)?;
        Ok(Json(PushReach { devices, available: plugins.push(Environment::of_mode(&mode)).is_some() }))
    }

    /// One notification with its report.
    ///
    /// codes: PUSH_NOTIFICATION_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "push_notifications_get")]
    async fn get(
        &self, scope: In<Restaurant, MayPush>, id: Path<Id<PushNotifications>>,
    ) -> Result<Json<PushNotification>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Writes a notification and schedules it.
    #[oai(path = "/", method = "post", operation_id = "push_notifications_create")]
    async fn create(
        &self, scope: In<Restaurant, MayPush>, key: IdempotencyKey, body: Body<NewPushNotification>,
    ) -> Result<Stored<PushNotification>> {
        let (NewPushNotification { scheduled_at, notification_title, notification_body }, raw) =
            body.into_parts();
        let row = async {
            check(Some(scheduled_at), Some(&notification_title), Some(&notification_body))?;
            let mut row = ActiveModel::new();
            fill!(row: scheduled_at, notification_title, notification_body);
            row.run = Set(Uuid::now_v7());
            if let Caller::Person { admin, name, .. } = scope.caller() {
                row.admin_id = Set(admin.map(Id::uuid));
                row.admin_name = Set(Some(name.clone()));
            }
            Ok(row)
        };
        let tx = scope.begin().await?;
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a notification that is not being sent yet.
    ///
    /// codes: PUSH_NOTIFICATION_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "push_notifications_update")]
    async fn update(
        &self, scope: In<Restaurant, MayPush>, id: Path<Id<PushNotifications>>,
        body: Body<PushNotificationChange>,
    ) -> Result<Json<PushNotification>> {
        let PushNotificationChange { scheduled_at, notification_title, notification_body, version } =
            body.into_inner();
        check(scheduled_at, notification_title.as_deref(), notification_body.as_deref())?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = open(&rows, *id).await?;
        edit.check(&tx, version).await?;
        apply!(edit.row: scheduled_at, notification_title, notification_body);
        edit.row.run = Set(Uuid::now_v7());
        edit.row.status = Set(PushStatus::Waiting);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Deletes a notification that is not being sent yet.
    ///
    /// codes: PUSH_NOTIFICATION_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "delete", operation_id = "push_notifications_delete")]
    async fn delete(&self, scope: In<Restaurant, MayPush>, id: Path<Id<PushNotifications>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        open(&rows, *id).await?;
        rows.delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

pub(crate) fn handler(plugins: &Plugins) -> (&'static str, Handler) {
    let plugins = plugins.clone();
    (send::KIND, Arc::new(move |context, job| send::send(plugins.clone(), context, job).boxed()))
}

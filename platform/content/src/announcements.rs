//! Announcements of super admins to everybody, at a time, in a language. See
//! `docs/decisions/messages.md#announcements-and-release-notes`.

use std::sync::Arc;

use access::{Platform, SignedIn, prelude::*};
use futures_util::FutureExt;
use sea_orm::{ActiveModelBehavior, FromQueryResult, Select};
use serde_json::json;
use tenants::ControlTx;
use uuid::Uuid;
use work::{Handler, IfWaiting, Job, JobContext, JobError, PlatformJob, events};

use crate::{events::Event, html, lang::MessageLanguage, messages};

/// Makes a partner's open windows read announcements again.
const NOTIFY: &str = "announcement_tell";

pub struct Announcements;
pub(crate) struct MyAnnouncements;

kernel::resource!(Announcements, "announcements", "ANNOUNCEMENT");

/// What everybody is to read who uses the product in this language.
#[derive(Debug, Object, FromQueryResult)]
struct Announcement {
    id: Id<Announcements>,
    /// HTML of text alone: paragraphs, lists, emphasis, headings, links.
    message: String,
    lang: MessageLanguage,
    /// Shown from then on.
    show_at: Timestamp,
    /// Not shown any more.
    archived_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// An announcement as super admins see it.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "AnnouncementDetails")]
#[sea_orm(table_name = "announcement_details")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Announcements>,
    pub message: String,
    pub lang: MessageLanguage,
    /// Shown from then on.
    pub show_at: Timestamp,
    /// Not shown any more.
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// How many people have confirmed it.
    pub confirmations: i64,
    pub version: i64,
}

type Details = Model;
entity!();

impl rows::Table for Entity {
    type Of = Announcements;
    type Tx = ControlTx;
    type Answer = Details;
    const HOME: rows::Home = rows::Home::Platform;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_desc(Column::ShowAt).order_by_desc(Column::Id))
    }

    async fn after(rows: &rows::Rows<'_, ControlTx>, change: rows::Change<'_, Details>) -> Result<()> {
        match change {
            rows::Change::Created(row) | rows::Change::Changed(_, row) => {
                notify(rows.tx(), row.id, row.show_at).await
            }
            rows::Change::Removed(id) => notify(rows.tx(), Id::from_uuid(id), Timestamp::now()).await,
            rows::Change::Ranked => Ok(()),
        }
    }
}

#[derive(Debug, Object)]
struct NewAnnouncement {
    /// HTML; what is not text is left out, and so kept nowhere.
    #[oai(validator(
        min_length = 1,
        max_length = 2000,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    message: String,
    lang: MessageLanguage,
    /// Now when absent.
    show_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
struct AnnouncementChange {
    /// HTML; what is not text is left out, and so kept nowhere.
    #[oai(validator(
        min_length = 1,
        max_length = 2000,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    message: Option<String>,
    lang: Option<MessageLanguage>,
    show_at: Option<Timestamp>,
    version: Option<i64>,
}

/// A message with nothing but text, of which there is some.
fn written(message: &str) -> Result<String> {
    let mut faults = Vec::new();
    let message = messages::written(&mut faults, "message", html::clean(message));
    if faults.is_empty() && html::is_blank(&message) {
        faults.push(("message".to_owned(), Fault::Required));
    }
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    Ok(message)
}

/// Has all open windows read their announcements again at this time: one waiting job per partner and
/// announcement, which a new time moves.
async fn notify(tx: &ControlTx, id: Id<Announcements>, at: Timestamp) -> Result<()> {
    let sql = "select id from partner_facts where status in ('active', 'suspended')";
    let partners: Vec<Id<Partner>> = tx.values(sql, []).await?;
    let job = PlatformJob {
        kind: NOTIFY,
        key: Some(id.to_string()),
        args: json!({}),
        run_at: Some(at.max(Timestamp::now()).into()),
        if_waiting: IfWaiting::Renew,
    };
    job.enqueue_for(tx, &partners).await
}

#[OpenApi(prefix_path = "/api/v3/super-admin/announcements", tag = "Tag::Platform")]
impl Announcements {
    /// All announcements, newest first.
    #[oai(path = "/", method = "get", operation_id = "announcements_list")]
    async fn list(
        &self, caller: Platform, name: QueryParam<String>, lang: QueryParam<MessageLanguage>,
        archived: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Details>> {
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let found = if archived.0.unwrap_or(false) {
            rows.here::<Entity>()?.filter(Column::ArchivedAt.is_not_null())
        } else {
            rows.live::<Entity>()?
        };
        let found = rows::named(found, Column::Message, name.as_deref());
        rows.list(rows::matching(found, Column::Lang, lang.0), paging).await
    }

    /// One announcement.
    ///
    /// codes: ANNOUNCEMENT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "announcements_get")]
    async fn get(&self, caller: Platform, id: Path<Id<Announcements>>) -> Result<Json<Details>> {
        let tx = caller.begin().await?;
        caller.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds an announcement. It appears in open windows when its time comes.
    #[oai(path = "/", method = "post", operation_id = "announcements_create")]
    async fn create(&self, caller: Platform, body: Body<NewAnnouncement>) -> Result<Created<Details>> {
        let NewAnnouncement { message, lang, show_at } = body.into_inner();
        let (message, show_at) = (written(&message)?, show_at.unwrap_or_else(Timestamp::now));
        let mut row = ActiveModel::new();
        fill!(row: message, lang, show_at);
        let tx = caller.begin().await?;
        let made = caller.rows(&tx).insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(made))
    }

    /// Changes an announcement. Who has confirmed it does not see it again.
    ///
    /// codes: ANNOUNCEMENT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "announcements_update")]
    async fn update(
        &self, caller: Platform, id: Path<Id<Announcements>>, body: Body<AnnouncementChange>,
    ) -> Result<Json<Details>> {
        let AnnouncementChange { message, lang, show_at, version } = body.into_inner();
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        let message = message.as_deref().map(written).transpose()?;
        apply!(edit.row: message, lang, show_at);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives an announcement: nobody sees it any more.
    ///
    /// codes: ANNOUNCEMENT_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "announcements_delete")]
    async fn delete(&self, caller: Platform, id: Path<Id<Announcements>>) -> Result<Done> {
        let tx = caller.begin().await?;
        caller.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/announcements", tag = "Tag::Session")]
impl MyAnnouncements {
    /// What the caller has not confirmed yet, in the own language, oldest first. The first is to be shown.
    #[oai(path = "/", method = "get", operation_id = "my_announcements_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<Announcement>> {
        let sql = "select id, message, lang, show_at, archived_at, created_at, updated_at from \
            control.my_announcements($1, $2)";
        let mut found: Vec<Announcement> =
            caller.app.door.all(sql, [caller.session.into(), caller.account.into()]).await?;
        // Those of a version that kept them as they were written.
        found.iter_mut().for_each(|one| one.message = html::clean(&one.message));
        Ok(Page::unpaged(found))
    }

    /// The caller has read it. Twice is once.
    ///
    /// codes: ANNOUNCEMENT_NOT_EXIST
    #[oai(path = "/:id/confirm", method = "post", operation_id = "my_announcements_confirm")]
    async fn confirm(&self, caller: SignedIn, id: Path<Id<Announcements>>) -> Result<Done> {
        messages::confirm::<Announcements>(&caller, "select control.confirm_announcement($1, $2, $3)", *id)
            .await
    }
}

pub(crate) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(NOTIFY, Arc::new(|context, job| notify_partner(context, job).boxed()))]
}

/// One event in each restaurant of the partner. Told twice is harmless: windows only read again.
async fn notify_partner(context: JobContext, job: Job) -> Result<(), JobError> {
    let tx = context.begin(&job).await?;
    // In the order of their ids, as every job that locks several counters.
    let sql = "select id from restaurant_facts where archived_at is null order by id";
    for restaurant in tx.values::<Uuid>(sql, []).await? {
        events::publish(&tx, &Event::Announced(restaurant.into())).await?;
    }
    Ok(tx.commit().await?)
}

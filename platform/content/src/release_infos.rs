//! Release infos: news about a part of the product, in a language. See
//! `docs/decisions/messages.md#announcements-and-release-notes`.

use access::{Platform, SignedIn, prelude::*};
use poem_openapi::NewType;
use sea_orm::{ActiveModelBehavior, FromJsonQueryResult, FromQueryResult, Select};
use serde::{Deserialize, Serialize};
use tenants::ControlTx;

use crate::{html, lang::MessageLanguage, messages};

pub struct ReleaseInfos;
pub(crate) struct MyReleaseInfos;

kernel::resource!(ReleaseInfos, "release_infos", "RELEASE_INFO");

/// The part of the product that was released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum ReleaseType {
    Backend,
    Pos,
    Admin,
    Frontend,
    SiteBuilder,
}

/// One thing that is new.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct BulletPoint {
    #[oai(validator(min_length = 1, max_length = 120))]
    title: String,
    /// HTML: paragraphs, lists, emphasis and links; everything else is taken out when it is saved.
    #[oai(validator(max_length = 5000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    description: String,
}

// As they lie in the database.
#[derive(Debug, Clone, PartialEq, Eq, Default, NewType, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(from_parameter = false, from_multipart = false, to_header = false)]
#[serde(transparent)]
pub struct BulletPoints(Vec<BulletPoint>);

impl BulletPoints {
    /// Titles without blanks around them, descriptions sanitised.
    fn clean(faults: &mut Vec<(String, Fault)>, points: Vec<BulletPoint>) -> Self {
        let clean = |(at, point): (usize, BulletPoint)| BulletPoint {
            title: messages::written(faults, format!("bullet_points.{at}.title"), point.title),
            description: html::clean(&point.description),
        };
        Self(points.into_iter().enumerate().map(clean).collect())
    }
}

/// What was released.
#[derive(Debug, Object, FromQueryResult)]
struct ReleaseInfo {
    id: Id<ReleaseInfos>,
    version_code: String,
    release_type: ReleaseType,
    lang: MessageLanguage,
    /// Only super admins see a draft.
    is_draft: bool,
    /// Nobody else sees it before.
    release_at: Timestamp,
    bullet_points: BulletPoints,
}

/// What was released, for somebody who may have read it.
#[derive(Debug, Object, FromQueryResult)]
struct MyReleaseInfo {
    #[oai(flatten)]
    #[sea_orm(nested)]
    info: ReleaseInfo,
    /// Came out since the account was made, and the caller has not confirmed it.
    is_news: bool,
}

/// A release info as super admins see it.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "ReleaseInfoDetails")]
#[sea_orm(table_name = "release_info_details")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<ReleaseInfos>,
    pub version_code: String,
    pub release_type: ReleaseType,
    pub lang: MessageLanguage,
    /// Only super admins see a draft.
    pub is_draft: bool,
    /// Nobody else sees it before.
    pub release_at: Timestamp,
    pub bullet_points: BulletPoints,
    /// How many people have confirmed it.
    pub confirmations: i64,
    pub version: i64,
    #[oai(skip)]
    pub archived_at: Option<Timestamp>,
}

type Details = Model;
entity!();

impl rows::Table for Entity {
    type Of = ReleaseInfos;
    type Tx = ControlTx;
    type Answer = Details;
    const HOME: rows::Home = rows::Home::Platform;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_desc(Column::ReleaseAt).order_by_desc(Column::Id))
    }
}

#[derive(Debug, Object)]
struct NewReleaseInfo {
    #[oai(validator(min_length = 1, max_length = 40))]
    version_code: String,
    release_type: ReleaseType,
    lang: MessageLanguage,
    #[oai(default = "rows::yes")]
    is_draft: bool,
    /// Now when absent.
    release_at: Option<Timestamp>,
    #[oai(validator(min_items = 1, max_items = 30))]
    bullet_points: Vec<BulletPoint>,
}

#[derive(Debug, Object)]
struct ReleaseInfoChange {
    #[oai(validator(min_length = 1, max_length = 40))]
    version_code: Option<String>,
    release_type: Option<ReleaseType>,
    lang: Option<MessageLanguage>,
    is_draft: Option<bool>,
    release_at: Option<Timestamp>,
    /// All of them: those that are left out are gone.
    #[oai(validator(min_items = 1, max_items = 30))]
    bullet_points: Option<Vec<BulletPoint>>,
    version: Option<i64>,
}

#[OpenApi(prefix_path = "/api/v3/super-admin/release-infos", tag = "Tag::Platform")]
impl ReleaseInfos {
    /// All release infos with their drafts, newest first.
    #[oai(path = "/", method = "get", operation_id = "release_infos_list")]
    async fn list(
        &self, caller: Platform, name: QueryParam<String>, release_type: QueryParam<ReleaseType>,
        lang: QueryParam<MessageLanguage>, is_draft: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Details>> {
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let found = rows.live::<Entity>()?;
        let found =
            rows::matching(rows::matching(found, Column::ReleaseType, release_type.0), Column::Lang, lang.0);
        let found = rows::matching(found, Column::IsDraft, is_draft.0);
        // In its points as well as in its version.
        let named = "position(ref.fold($1) in ref.fold(version_code || ' ' || bullet_points::text)) > 0";
        let found = found.filter(Expr::cust_with_values(named, [name.0.unwrap_or_default().trim()]));
        rows.list(found, paging).await
    }

    /// One release info.
    ///
    /// codes: RELEASE_INFO_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "release_infos_get")]
    async fn get(&self, caller: Platform, id: Path<Id<ReleaseInfos>>) -> Result<Json<Details>> {
        let tx = caller.begin().await?;
        caller.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a release info.
    #[oai(path = "/", method = "post", operation_id = "release_infos_create")]
    async fn create(&self, caller: Platform, body: Body<NewReleaseInfo>) -> Result<Created<Details>> {
        let NewReleaseInfo { version_code, release_type, lang, is_draft, release_at, bullet_points } =
            body.into_inner();
        let mut faults = Vec::new();
        let version_code = messages::written(&mut faults, "version_code", version_code);
        let bullet_points = BulletPoints::clean(&mut faults, bullet_points);
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        let release_at = release_at.unwrap_or_else(Timestamp::now);
        let mut row = ActiveModel::new();
        fill!(row: version_code, release_type, lang, is_draft, release_at, bullet_points);
        let tx = caller.begin().await?;
        let made = caller.rows(&tx).insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(made))
    }

    /// Changes a release info. Who has confirmed it does not get it as news again.
    ///
    /// codes: RELEASE_INFO_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "release_infos_update")]
    async fn update(
        &self, caller: Platform, id: Path<Id<ReleaseInfos>>, body: Body<ReleaseInfoChange>,
    ) -> Result<Json<Details>> {
        let ReleaseInfoChange {
            version_code,
            release_type,
            lang,
            is_draft,
            release_at,
            bullet_points,
            version,
        } = body.into_inner();
        let mut faults = Vec::new();
        let version_code = version_code.map(|code| messages::written(&mut faults, "version_code", code));
        let bullet_points = bullet_points.map(|points| BulletPoints::clean(&mut faults, points));
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        apply!(edit.row: version_code, release_type, lang, is_draft, release_at, bullet_points);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a release info: nobody sees it any more.
    ///
    /// codes: RELEASE_INFO_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "release_infos_delete")]
    async fn delete(&self, caller: Platform, id: Path<Id<ReleaseInfos>>) -> Result<Done> {
        let tx = caller.begin().await?;
        caller.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[OpenApi(prefix_path = "/api/v3/release-infos", tag = "Tag::Session")]
impl MyReleaseInfos {
    /// What was released, newest first, in the caller's language; the newest 200.
    #[oai(path = "/", method = "get", operation_id = "my_release_infos_list")]
    async fn list(
        &self, caller: SignedIn,
        /// Only what the caller has not confirmed yet.
        show_only_news: QueryParam<bool>,
    ) -> Result<Page<MyReleaseInfo>> {
        let sql = "select id, version_code, release_type, lang, is_draft, release_at, bullet_points, is_news \
                   from control.my_release_infos($1, $2, $3)";
        let values = [caller.session.into(), caller.account.into(), show_only_news.0.unwrap_or(false).into()];
        Ok(Page::unpaged(caller.app.door.all(sql, values).await?))
    }

    /// The caller has read it. Twice is once.
    ///
    /// codes: RELEASE_INFO_NOT_EXIST
    #[oai(path = "/:id/confirm", method = "post", operation_id = "my_release_infos_confirm")]
    async fn confirm(&self, caller: SignedIn, id: Path<Id<ReleaseInfos>>) -> Result<Done> {
        messages::confirm::<ReleaseInfos>(&caller, "select control.confirm_release_info($1, $2, $3)", *id)
            .await
    }
}

//! Categories of the tax report (NTAK): everybody who is signed in reads them, super admins add pairs and end
//! others. See `docs/decisions/catalogue.md#categories-of-the-tax-report`.

use access::{Platform, SignedIn, prelude::*};
use chrono::NaiveDate;
use kernel::{Page, ids::NtakCategories, time::CalendarDay};
use sea_orm::{ActiveModelBehavior, Select};
use tenants::ControlTx;

use crate::text;

/// Whether a pair can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum NtakCategoryState {
    /// Its first day is still to come.
    Coming,
    /// It can be chosen.
    Valid,
    /// It has ended: it can no longer be chosen, and stays on what uses it.
    Ended,
}

/// A category of the tax report: a pair of a main and a sub-category.
#[derive(Debug, Object)]
pub(crate) struct NtakCategory {
    id: Id<NtakCategories>,
    /// The word of the report.
    main_category: String,
    /// In Hungarian.
    main_category_name: String,
    main_category_name_en: String,
    /// The word of the report; it may stand below several main ones.
    sub_category: String,
    /// In Hungarian.
    sub_category_name: String,
    sub_category_name_en: String,
    /// The first day, in Hungary; `null` is open.
    valid_from: Option<CalendarDay>,
    /// The last day, in Hungary; `null` is open.
    valid_until: Option<CalendarDay>,
    state: NtakCategoryState,
    version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "ref", table_name = "ntak_category")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    id: Id<NtakCategories>,
    main_category: String,
    main_category_name: String,
    main_category_name_en: String,
    sub_category: String,
    sub_category_name: String,
    sub_category_name_en: String,
    valid_from: Option<NaiveDate>,
    valid_until: Option<NaiveDate>,
    place: i32,
    version: i64,
}

entity!();

impl rows::Table for Entity {
    type Of = NtakCategories;
    type Tx = ControlTx;
    type Answer = NtakCategory;
    const HOME: rows::Home = rows::Home::Platform;
    const REMOVAL: rows::Removal = rows::Removal::Delete;
    const DERIVED: &'static [&'static str] = &["state"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_asc(Column::Place).order_by_asc(Column::Id))
    }
}

impl rows::Answer<Entity> for NtakCategory {
    async fn of(_: &rows::Rows<'_, ControlTx>, found: Vec<Model>) -> Result<Vec<Self>> {
        Ok(found.into_iter().map(Self::from).collect())
    }
}

/// Today in Hungary, where the report is made.
fn today() -> NaiveDate {
    Timestamp::now().local_date(chrono_tz::Europe::Budapest)
}

fn state(from: Option<NaiveDate>, until: Option<NaiveDate>, today: NaiveDate) -> NtakCategoryState {
    if until.is_some_and(|until| until < today) {
        NtakCategoryState::Ended
    } else if from.is_some_and(|from| from > today) {
        NtakCategoryState::Coming
    } else {
        NtakCategoryState::Valid
    }
}

impl From<Model> for NtakCategory {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            main_category: row.main_category,
            main_category_name: row.main_category_name,
            main_category_name_en: row.main_category_name_en,
            sub_category: row.sub_category,
            sub_category_name: row.sub_category_name,
            sub_category_name_en: row.sub_category_name_en,
            valid_from: row.valid_from.map(CalendarDay),
            valid_until: row.valid_until.map(CalendarDay),
            state: state(row.valid_from, row.valid_until, today()),
            version: row.version,
        }
    }
}

#[derive(Debug, Object)]
struct NewNtakCategory {
    /// The word of the report: capital letters, digits and underscores. It never changes.
    #[oai(validator(min_length = 1, max_length = 60, pattern = "^[A-Z][A-Z0-9_]*$"))]
    main_category: String,
    /// In Hungarian; needed for a new main category, and the present name of any other.
    #[oai(validator(max_length = 100))]
    main_category_name: Option<String>,
    #[oai(validator(max_length = 100))]
    main_category_name_en: Option<String>,
    /// The word of the report; once below each main category. It never changes.
    #[oai(validator(min_length = 1, max_length = 60, pattern = "^[A-Z][A-Z0-9_]*$"))]
    sub_category: String,
    /// In Hungarian.
    #[oai(validator(min_length = 1, max_length = 100))]
    sub_category_name: String,
    #[oai(validator(min_length = 1, max_length = 100))]
    sub_category_name_en: String,
    /// The first day, in Hungary.
    valid_from: Option<CalendarDay>,
    /// The last day, in Hungary.
    valid_until: Option<CalendarDay>,
}

#[derive(Debug, Object)]
struct NtakCategoryChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    sub_category_name: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    sub_category_name_en: Option<String>,
    /// The first day, in Hungary.
    valid_from: Clearable<CalendarDay>,
    /// The last day, in Hungary: with a day that has passed the pair ends at once, `null` opens it again.
    valid_until: Clearable<CalendarDay>,
    version: Option<i64>,
}

/// The name of a main category: the present one, or what was sent for a new one.
fn main_name(problem: Problem, key: &str, sent: Option<String>, present: Option<&str>) -> (Problem, String) {
    let sent = text::optional(sent);
    match (sent, present) {
        (None, Some(present)) => (problem, present.to_owned()),
        (None, None) => (problem.key(key, Fault::Required), String::new()),
        (Some(sent), Some(present)) if sent != present => (problem.key(key, Fault::Invalid), sent),
        (Some(sent), _) => (problem, sent),
    }
}

fn window(problem: Problem, from: Option<NaiveDate>, until: Option<NaiveDate>) -> Problem {
    let ends_before = from.zip(until).is_some_and(|(from, until)| until < from);
    if ends_before { problem.key("valid_until", Fault::Invalid) } else { problem }
}

fn day(sent: Clearable<CalendarDay>) -> Clearable<NaiveDate> {
    match sent {
        Clearable::Value(day) => Clearable::Value(day.0),
        Clearable::Null => Clearable::Null,
        Clearable::Undefined => Clearable::Undefined,
    }
}

/// Two super admins add one after the other, so that a pair is there once and places differ.
const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('ntak categories', 0))::text";

pub(crate) struct NtakCategoriesApi;

#[OpenApi(prefix_path = "/api/v3/admin/ntak-categories", tag = "Tag::Catalogue")]
impl NtakCategoriesApi {
    /// The categories of the tax report that can be chosen, in its order.
    #[oai(path = "/", method = "get", operation_id = "ntak_categories_list")]
    async fn list(
        &self, caller: SignedIn,
        /// Those too that have ended or are still to come.
        all: QueryParam<bool>,
    ) -> Result<Page<NtakCategory>> {
        let sql = "select id, main_category, main_category_name, main_category_name_en, sub_category, \
            sub_category_name, sub_category_name_en, valid_from, valid_until, place, version \
            from ref.ntak_category where $1 or ref.ntak_valid(valid_from, valid_until, $2) \
            order by place, id";
        let values = [all.0.unwrap_or_default().into(), kernel::clock::now().into()];
        let rows: Vec<Model> = caller.app.door.all(sql, values).await?;
        Ok(Page::unpaged(rows.into_iter().map(NtakCategory::from).collect()))
    }

    /// One category of the tax report, also one that has ended.
    ///
    /// codes: NTAK_CATEGORY_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "ntak_categories_get")]
    async fn get(&self, caller: SignedIn, id: Path<Id<NtakCategories>>) -> Result<Json<NtakCategory>> {
        let sql = "select id, main_category, main_category_name, main_category_name_en, sub_category, \
            sub_category_name, sub_category_name_en, valid_from, valid_until, place, version \
            from ref.ntak_category where id = $1";
        let row: Option<Model> = caller.app.door.all(sql, [id.0.into()]).await?.pop();
        Ok(Json(row.ok_or_else(Problem::not_exist::<NtakCategories>)?.into()))
    }

    /// Adds a pair, as the last of its main category.
    #[oai(path = "/", method = "post", operation_id = "ntak_categories_create")]
    async fn create(&self, caller: Platform, body: Body<NewNtakCategory>) -> Result<Created<NtakCategory>> {
        let NewNtakCategory {
            main_category,
            main_category_name,
            main_category_name_en,
            sub_category,
            sub_category_name,
            sub_category_name_en,
            valid_from,
            valid_until,
        } = body.into_inner();
        let tx = caller.begin().await?;
        tx.rows(LOCK, []).await?;
        let rows = caller.rows(&tx);
        let there = <Entity as rows::Table>::order(rows.live()?)?.all(&tx).await?;
        let of_main = || there.iter().filter(|row| row.main_category == main_category);
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if of_main().any(|row| row.sub_category == sub_category) {
            problem = problem.key("sub_category", Fault::NotUnique);
        }
        let first = of_main().next();
        let name = first.map(|row| row.main_category_name.as_str());
        let name_en = first.map(|row| row.main_category_name_en.as_str());
        let (problem, main_category_name) =
            main_name(problem, "main_category_name", main_category_name, name);
        let (problem, main_category_name_en) =
            main_name(problem, "main_category_name_en", main_category_name_en, name_en);
        let (problem, sub_category_name) = text::name(problem, "sub_category_name", Some(sub_category_name));
        let (problem, sub_category_name_en) =
            text::name(problem, "sub_category_name_en", Some(sub_category_name_en));
        let [valid_from, valid_until] = [valid_from, valid_until].map(|day| day.map(|day| day.0));
        window(problem, valid_from, valid_until).if_any()?;
        let place = of_main().next_back().or(there.last()).map_or(1, |row| row.place + 1);
        let mut row = ActiveModel::new();
        fill!(row: main_category, main_category_name, main_category_name_en, sub_category, sub_category_name,
            sub_category_name_en);
        row.valid_from = Set(valid_from);
        row.valid_until = Set(valid_until);
        row.place = Set(place);
        tx.run("update ref.ntak_category set place = place + 1 where place >= $1", [place.into()]).await?;
        let made = rows.insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(made))
    }

    /// Changes the names and the validity of a pair. One that ends stays on what uses it.
    ///
    /// codes: NTAK_CATEGORY_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "ntak_categories_update")]
    async fn update(
        &self, caller: Platform, id: Path<Id<NtakCategories>>, body: Body<NtakCategoryChange>,
    ) -> Result<Json<NtakCategory>> {
        let NtakCategoryChange { sub_category_name, sub_category_name_en, valid_from, valid_until, version } =
            body.into_inner();
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let mut edit = rows.edit::<Entity>(*id).await?;
        let problem = Problem::new(Code::VALIDATION_FAILED);
        let (problem, sub_category_name) = text::name(problem, "sub_category_name", sub_category_name);
        let (problem, sub_category_name_en) =
            text::name(problem, "sub_category_name_en", sub_category_name_en);
        let [valid_from, valid_until] = [valid_from, valid_until].map(day);
        apply!(edit.row: sub_category_name, sub_category_name_en, valid_from, valid_until);
        window(problem, *edit.row.valid_from.as_ref(), *edit.row.valid_until.as_ref()).if_any()?;
        edit.check(&tx, version).await?;
        let saved = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(saved))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn date(day: i32) -> NaiveDate {
        NaiveDate::from_num_days_from_ce_opt(730_000 + day).unwrap()
    }

    proptest! {
        #[test]
        fn a_pair_is_valid_from_its_first_to_its_last_day(from in proptest::option::of(0..20), length in proptest::option::of(0..20), today in -5..45) {
            let until = length.map(|length| from.unwrap_or(0) + length);
            let expected = if until.is_some_and(|until| today > until) {
                NtakCategoryState::Ended
            } else if from.is_some_and(|from| today < from) {
                NtakCategoryState::Coming
            } else {
                NtakCategoryState::Valid
            };
            prop_assert_eq!(state(from.map(date), until.map(date), date(today)), expected);
        }
    }

    #[test]
    fn a_main_category_has_one_name() {
        let name = |sent: Option<&str>, present| {
            let (problem, name) =
                main_name(Problem::new(Code::VALIDATION_FAILED), "n", sent.map(str::to_owned), present);
            problem.if_any().is_ok().then_some(name)
        };
        assert_eq!(name(None, Some("Étel")).as_deref(), Some("Étel"));
        assert_eq!(name(Some(" Étel "), Some("Étel")).as_deref(), Some("Étel"));
        assert_eq!(name(Some("Ital"), None).as_deref(), Some("Ital"));
        assert_eq!(name(Some("Ital"), Some("Étel")), None);
        assert_eq!(name(Some("  "), None), None);
    }
}

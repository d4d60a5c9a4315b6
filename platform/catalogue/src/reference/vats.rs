//! VAT rates: everybody who is signed in reads them, super admins write them. The percent of a rate never
//! changes, because computed menus and orders depend on it; a rate of no more use is archived and stays on
//! what uses it. See `docs/decisions/catalogue.md#vat-rates`.

use access::{Platform, SignedIn, prelude::*};
use kernel::{Page, ids::Vats, money::Percent};
use sea_orm::{ActiveModelBehavior, FromQueryResult, Select};
use serde_json::json;
use tenants::ControlTx;

use crate::text;

/// A VAT rate.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct Vat {
    id: Id<Vats>,
    /// Code of the country.
    country_id: String,
    name_en: String,
    /// The name in the language of the country.
    name_local: String,
    percent: Percent,
    /// Since when it can no longer be chosen; it stays on what uses it.
    archived_at: Option<Timestamp>,
    version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "ref", table_name = "vat")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    id: Id<Vats>,
    country_id: String,
    name_en: String,
    name_local: String,
    percent: Percent,
    archived_at: Option<Timestamp>,
    version: i64,
}

entity!();

impl rows::Table for Entity {
    type Of = Vats;
    type Tx = ControlTx;
    type Answer = Vat;
    const HOME: rows::Home = rows::Home::Platform;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_desc(Column::Percent).order_by_asc(Column::Id))
    }
}

impl rows::Answer<Entity> for Vat {
    async fn of(_: &rows::Rows<'_, ControlTx>, found: Vec<Model>) -> Result<Vec<Self>> {
        let of = |Model { id, country_id, name_en, name_local, percent, archived_at, version }| {
            Vat { id, country_id, name_en, name_local, percent, archived_at, version }.normalized()
        };
        Ok(found.into_iter().map(of).collect())
    }
}

impl Vat {
    /// Without the zeros that the column's scale adds.
    fn normalized(mut self) -> Self {
        self.percent = Percent(self.percent.value().normalize());
        self
    }
}

#[derive(Debug, Object)]
struct NewVat {
    /// Code of the country, two letters. Default: `HU`.
    #[oai(validator(pattern = "^[A-Z]{2}$"))]
    country_id: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    name_en: String,
    /// The name in the language of the country.
    #[oai(validator(min_length = 1, max_length = 100))]
    name_local: String,
    /// From 0 to less than 100, with at most two decimals. It never changes.
    percent: Percent,
}

#[derive(Debug, Object)]
struct VatChange {
    /// Code of the country, two letters.
    #[oai(validator(pattern = "^[A-Z]{2}$"))]
    country_id: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    name_en: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    name_local: Option<String>,
    /// Only as it is: another percent is another rate.
    percent: Option<Percent>,
    version: Option<i64>,
}

/// What is wrong with the percent of a new rate.
fn percent_fault(percent: Percent) -> Option<Fault> {
    let value = percent.value().normalize();
    if value >= rust_decimal::Decimal::ONE_HUNDRED {
        Some(Fault::Max)
    } else if value.scale() > 2 {
        Some(Fault::Invalid)
    } else {
        None
    }
}

const LIST: &str = "select id, country_id, name_en, name_local, percent, archived_at, version from ref.vat \
    where $1 or archived_at is null order by percent desc, id";
const ONE: &str = "select id, country_id, name_en, name_local, percent, archived_at, version from ref.vat \
    where id = $1";

pub(crate) struct VatsApi;

#[OpenApi(prefix_path = "/api/v3/vats", tag = "Tag::Catalogue")]
impl VatsApi {
    /// VAT rates, the highest first.
    #[oai(path = "/", method = "get", operation_id = "vats_list")]
    async fn list(
        &self, caller: SignedIn,
        /// Those too that can no longer be chosen.
        archived: QueryParam<bool>,
    ) -> Result<Page<Vat>> {
        let rows: Vec<Vat> = caller.app.door.all(LIST, [archived.0.unwrap_or_default().into()]).await?;
        Ok(Page::unpaged(rows.into_iter().map(Vat::normalized).collect()))
    }

    /// One VAT rate, also an archived one.
    ///
    /// codes: VAT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "vats_get")]
    async fn get(&self, caller: SignedIn, id: Path<Id<Vats>>) -> Result<Json<Vat>> {
        let row: Option<Vat> = caller.app.door.all(ONE, [id.0.into()]).await?.pop();
        Ok(Json(row.ok_or_else(Problem::not_exist::<Vats>)?.normalized()))
    }

    /// Adds a VAT rate.
    #[oai(path = "/", method = "post", operation_id = "vats_create")]
    async fn create(&self, caller: Platform, body: Body<NewVat>) -> Result<Created<Vat>> {
        let NewVat { country_id, name_en, name_local, percent } = body.into_inner();
        let fault = percent_fault(percent).map(|fault| ("percent".to_owned(), fault));
        Problem::new(Code::VALIDATION_FAILED).keys(fault).if_any()?;
        let country_id = country_id.unwrap_or_else(|| "HU".to_owned());
        let [name_en, name_local] = [name_en, name_local].map(text::clean);
        let mut row = ActiveModel::new();
        fill!(row: country_id, name_en, name_local, percent);
        let tx = caller.begin().await?;
        let made = caller.rows(&tx).insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(made))
    }

    /// Changes the names or the country of a VAT rate.
    ///
    /// codes: VAT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "vats_update")]
    async fn update(&self, caller: Platform, id: Path<Id<Vats>>, body: Body<VatChange>) -> Result<Json<Vat>> {
        let VatChange { country_id, name_en, name_local, percent, version } = body.into_inner();
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let mut edit = rows.edit::<Entity>(*id).await?;
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if percent.is_some_and(|percent| percent != edit.before.percent) {
            problem = problem
                .detail("menus and orders depend on the percent: add another rate")
                .key("percent", Fault::Invalid);
        }
        let (problem, name_en) = text::name(problem, "name_en", name_en);
        let (problem, name_local) = text::name(problem, "name_local", name_local);
        problem.if_any()?;
        edit.check(&tx, version).await?;
        apply!(edit.row: country_id, name_en, name_local);
        let vat = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(vat))
    }

    /// Archives a VAT rate: nobody can choose it any more, and it stays on what uses it.
    ///
    /// codes: VAT_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "vats_delete")]
    async fn delete(&self, caller: Platform, id: Path<Id<Vats>>) -> Result<Done> {
        let tx = caller.begin().await?;
        let rows = caller.rows(&tx);
        let before = rows.lock::<Entity>(*id).await?;
        rows.remove::<Entity>(*id, json!({"name_local": [before.name_local, null]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_of_new_rates() {
        for (percent, fault) in [
            ("0", None),
            ("27", None),
            ("7.50", None),
            ("99.99", None),
            ("7.125", Some(Fault::Invalid)),
            ("100", Some(Fault::Max)),
        ] {
            assert_eq!(percent_fault(Percent(percent.parse().unwrap())), fault, "{percent}");
        }
    }
}

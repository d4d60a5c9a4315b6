//! Legal data: the company behind the restaurant.

use access::prelude::*;
use kernel::Email;

use crate::settings;

pub(crate) struct LegalFile;

/// The company behind a restaurant, as its imprint and documents name it.
#[derive(Debug, Clone, PartialEq, Object, DeriveEntityModel)]
#[oai(rename = "LegalData")]
#[sea_orm(table_name = "restaurant_legal")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub restaurant_id: Id<Restaurant>,
    /// Null as long as nobody has entered it, like `tax_num` and `address`.
    pub company_name: Option<String>,
    /// Digits, in groups with dashes between them.
    pub tax_num: Option<String>,
    pub address: Option<String>,
    pub phone_1: Option<String>,
    pub contact_email: Option<String>,
    /// 0 before anything is entered.
    pub version: i64,
}

/// Absent stays; what was never entered has to be sent.
#[derive(Debug, Object)]
pub(crate) struct LegalDataChange {
    #[oai(validator(min_length = 3, max_length = 200))]
    company_name: Option<String>,
    #[oai(validator(min_length = 8, max_length = 30, pattern = r"^[0-9]+(-[0-9]+)*$"))]
    tax_num: Option<String>,
    #[oai(validator(min_length = 10, max_length = 300))]
    address: Option<String>,
    /// Empty is none.
    #[oai(validator(max_length = 30))]
    phone_1: Clearable<String>,
    /// Empty is none.
    #[oai(validator(
        max_length = 254,
        pattern = r"^([^@\s\x00-\x1F\x7F-\x9F]+@[^@\s\x00-\x1F\x7F-\x9F]+\.[^@\s\x00-\x1F\x7F-\x9F]+)?$"
    ))]
    contact_email: Clearable<String>,
    version: Option<i64>,
}

type LegalData = Model;
entity!();

impl rows::Singleton for Entity {
    const NAME: &'static str = "legal_file";

    fn none(restaurant: Id<Restaurant>) -> Model {
        Model {
            restaurant_id: restaurant,
            company_name: None,
            tax_num: None,
            address: None,
            phone_1: None,
            contact_email: None,
            version: 0,
        }
    }
}

/// Changes it in the caller's unit of work.
pub(crate) async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: LegalDataChange,
) -> Result<LegalData> {
    let LegalDataChange { company_name, tax_num, address, phone_1, contact_email, version } = change;
    let (phone_1, contact_email) = (settings::none_if_empty(phone_1), settings::none_if_empty(contact_email));
    // The schema's pattern leaves room for the empty text that clears it.
    if contact_email.value().is_some_and(|email| Email::parse(email).is_none()) {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("contact_email", Fault::Pattern));
    }
    let rows = scope.rows(tx);
    let mut edit = rows.edit_one::<Entity>(version).await?;
    apply!(edit.row: company_name, tax_num, address, phone_1, contact_email);
    let row = &edit.row;
    let missing = [("company_name", &row.company_name), ("tax_num", &row.tax_num), ("address", &row.address)];
    let missing = missing
        .into_iter()
        .filter(|(_, value)| value.as_ref().is_none())
        .map(|(key, _)| (key.to_owned(), Fault::Required));
    Problem::new(Code::VALIDATION_FAILED).keys(missing).if_any()?;
    rows.save_one(edit).await
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/legal-file",
    tag = "Tag::Restaurants"
)]
impl LegalFile {
    /// The company behind the restaurant.
    #[oai(path = "/", method = "get", operation_id = "legal_file_get")]
    async fn get(&self, scope: In<Restaurant, perm::RestaurantGeneral>) -> Result<Json<LegalData>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get_one::<Entity>().await.map(Json)
    }

    /// Enters or changes the company behind the restaurant.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "legal_file_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::RestaurantGeneral>, body: Body<LegalDataChange>,
    ) -> Result<Json<LegalData>> {
        settings::changes::alone(&scope, body, change).await.map(Json)
    }
}

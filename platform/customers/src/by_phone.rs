//! Finding one customer by the whole number, for an order on the phone. No PIN: who takes the call has no
//! hand for it. So only whole numbers are looked for, attempts are counted, and each is a line of the audit
//! log.

use access::{Caller, attempts::refuse_while_paused, prelude::*};
use serde_json::json;
use uuid::Uuid;

use crate::{
    ShadowCustomers, exists, find,
    orders::{self, CustomerOrder},
    phone,
    read::read,
    seen::Seen,
    types::Address,
};

/// A customer who was found by the whole phone number.
#[derive(Debug, Clone, Object)]
pub(crate) struct ShadowCustomerByPhone {
    pub id: Id<ShadowCustomers>,
    /// Last name first.
    pub name: String,
    pub first_name: String,
    pub last_name: String,
    pub phone_1: Option<String>,
    pub phone_2: Option<String>,
    pub email: Option<String>,
    /// What staff should know when the customer orders.
    pub note: Option<String>,
    /// The last used first.
    pub addresses: Vec<Address>,
    /// As in the list.
    pub order_number: i32,
    pub last_order_at: Option<Timestamp>,
    /// The last five at the restaurants that the caller may see.
    pub orders: Vec<CustomerOrder>,
}

pub(crate) struct ByPhone;

/// Counts a number (or an e-mail) with which a person asks for a price, because a price can tell whose it is. It
/// counts with the searches by whole number, once an hour.
/// Errors: `TOO_MANY_REQUESTS`.
pub async fn count_asked<S: Scope, P>(scope: &In<S, P>, known_by: &str) -> Result<()> {
    take(scope, known_by, false).await
}

async fn take<S: Scope, P>(scope: &In<S, P>, known_by: &str, again: bool) -> Result<()> {
    let Caller::Person { account, .. } = scope.caller() else { return Ok(()) };
    let subject = format!("customer by phone {account} {}", scope.partner());
    // Whose numbers were asked for is not kept.
    let what = scope.app().settings.secrets.keyed("number asked 1", known_by);
    let sql = "select control.take_attempt_at($1, $2, $3, $4, interval '1 hour')";
    refuse_while_paused(scope.app(), sql, [subject.into(), what.into(), again.into(), MOST.into()]).await
}

/// Numbers that one account may ask for within an hour.
const MOST: i32 = 120;
const ORDERS: i64 = 5;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl ByPhone {
    /// The customer with this phone number, for an order on the phone: with addresses and the last orders.
    ///
    /// Without a PIN, so only a whole number finds somebody, only customers of this restaurant are found, the
    /// numbers that an account asks for are limited, and each answer is a line of the audit log.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, TOO_MANY_REQUESTS
    #[oai(path = "/by-phone", method = "get", operation_id = "shadow_customers_by_phone")]
    async fn by_phone(
        &self, scope: In<Restaurant, perm::Placing>,
        /// In any spelling; a number without a calling code is one of the restaurant's country.
        phone: Query<String>,
    ) -> Result<Json<ShadowCustomerByPhone>> {
        let tx = scope.begin().await?;
        let country = restaurants::facts(&tx, scope.restaurant()).await?.country;
        tx.commit().await?;
        let number = phone::e164(&phone, &country);
        let number =
            number.ok_or_else(|| Problem::new(Code::VALIDATION_FAILED).key("phone", Fault::Invalid))?;
        take(&scope, &number, true).await?;
        let tx = scope.begin().await?;
        let gone = Problem::not_exist::<ShadowCustomers>;
        let found = find(&tx, Some(&number), None).await?;
        let place = scope.restaurant();
        let here = match found {
            Some(id) if exists(&tx, Some(place), id).await? => Some(id),
            _ => None,
        };
        let Some(id) = here else {
            scope.audit(&tx, Some(place.uuid()), "shadow_customers_by_phone", place, json!({})).await?;
            tx.commit().await?;
            return Err(gone());
        };
        let seen = Seen::of(&tx, &scope).await?;
        let customer = read(&tx, &seen, id).await?;
        let orders = orders::newest(&tx, &seen, id, ORDERS).await?;
        scope.audit(&tx, Some(place.uuid()), "shadow_customers_by_phone", Uuid::from(id), json!({})).await?;
        tx.commit().await?;
        Ok(Json(ShadowCustomerByPhone {
            id,
            name: customer.name,
            first_name: customer.first_name,
            last_name: customer.last_name,
            phone_1: customer.phone_1,
            phone_2: customer.phone_2,
            email: customer.email,
            note: customer.note,
            addresses: customer.addresses,
            order_number: customer.order_number,
            last_order_at: customer.last_order_at,
            orders,
        }))
    }
}

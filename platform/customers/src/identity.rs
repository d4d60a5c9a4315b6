//! Finds or adds the customer of an order, where the guest has no account. See
//! `docs/decisions/customers.md#orders`.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{Email, error::is_unique_violation, text};
use sea_orm::{FromQueryResult, Value as Bound};
use uuid::Uuid;

use crate::{ids::ShadowCustomers, phone, types::ShadowCustomer};

/// What an order says about its guest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Guest<'a> {
    /// The customer, where the order names one.
    pub id: Option<Id<ShadowCustomers>>,
    pub first_name: Option<&'a str>,
    pub last_name: Option<&'a str>,
    /// A number of [`crate::phone::e164`].
    pub phone_1: Option<&'a str>,
    pub email: Option<&'a str>,
    /// Somebody vouches for the guest, so what is empty at a known customer is filled.
    pub vouched: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, FromQueryResult)]
pub struct FoundCustomer {
    pub id: Id<ShadowCustomers>,
    /// The order made the customer.
    pub made: bool,
}

const FIND: &str = "select coalesce(root_id, id) from shadow_customer where archived_at is null \
    and (phone_1 = $1 or phone_2 = $1 or email = $2) \
    order by phone_1 = $1 desc nulls last, phone_2 = $1 desc nulls last limit 1";

/// The customer with this phone (E.164), else with this e-mail; who was merged leads to the older one. Makes
/// nobody.
pub async fn find(
    tx: &TenantTx, phone: Option<&str>, email: Option<&str>,
) -> Result<Option<Id<ShadowCustomers>>> {
    let (phone, email) = (phone.and_then(e164), email.and_then(address));
    if phone.is_none() && email.is_none() {
        return Ok(None);
    }
    Ok(tx.value(FIND, [phone.into(), email.into()]).await?)
}

/// The customer, by id or else by phone and e-mail; who was merged leads to the older one. What is empty
/// there is filled if somebody vouches for the guest (`$8`), unless another customer has it. Nothing is replaced. That
/// the restaurant knows the customer is written with the figures of the order. Who is not known and not named is made,
/// with the id `$7`.
const FIND_OR_MAKE: &str = "with known as (select coalesce(root_id, id) id from shadow_customer where archived_at \
    is null \
        and (id = $6 or $6::uuid is null and (phone_1 = $3 or phone_2 = $3 or email = $4)) \
        order by phone_1 = $3 desc nulls last, phone_2 = $3 desc nulls last limit 1), \
    fill as (update shadow_customer c set \
        first_name = case when c.first_name = '' then $1 else c.first_name end, \
        last_name = case when c.last_name = '' then $2 else c.last_name end, \
        phone_1 = coalesce(c.phone_1, (select $3::text where not exists (select from shadow_customer o \
            where (o.phone_1 = $3 or o.phone_2 = $3) and o.archived_at is null))), \
        email = coalesce(c.email, (select $4::text where not exists (select from shadow_customer o \
            where o.email = $4 and o.archived_at is null))), version = c.version + 1, updated_at = now() \
    from known where $8 and c.id = known.id and (c.first_name = '' and $1 <> '' or c.last_name = '' and $2 <> '' \
        or c.phone_1 is null and $3::text is not null and not exists (select from shadow_customer o \
            where (o.phone_1 = $3 or o.phone_2 = $3) and o.archived_at is null) \
        or c.email is null and $4::text is not null and not exists (select from shadow_customer o \
            where o.email = $4 and o.archived_at is null))), \
    made as (insert into shadow_customer (id, first_name, last_name, phone_1, email) \
        select $7, $1, $2, $3, $4 where $6::uuid is null and not exists (select from known) \
        on conflict do nothing returning id), \
    seen as (insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
        select id, $5 from made) \
    select id, false made from known union all select id, true from made";

/// The customer of an order at this restaurant: the one that is named, else found by phone, else by e-mail,
/// else made. None for a guest with neither. Two orders of one new guest at the same moment make one
/// customer.
pub async fn find_or_create(
    tx: &TenantTx, restaurant: Id<Restaurant>, guest: Guest<'_>,
) -> Result<Option<FoundCustomer>> {
    let (phone, email) = (guest.phone_1.and_then(e164), guest.email.and_then(address));
    if guest.id.is_none() && phone.is_none() && email.is_none() {
        return Ok(None);
    }
    let name = |name: Option<&str>| Bound::from(text::cleaned(name.unwrap_or_default()).trim().to_owned());
    let (first, last) = (name(guest.first_name), name(guest.last_name));
    // The second round finds whom another order of this guest has made in between.
    for _ in 0..2 {
        let (phone, email) = (phone.into(), email.clone().into());
        let (named, new) = (guest.id.map(Id::uuid).into(), Id::<ShadowCustomers>::new().into());
        let vouched = guest.vouched.into();
        let values = [first.clone(), last.clone(), phone, email, restaurant.into(), named, new, vouched];
        let customer = match tx.one::<FoundCustomer>(FIND_OR_MAKE, values).await {
            // Another order has given the phone or the address to somebody else meanwhile.
            Err(error) if is_unique_violation(&error) => return Err(Problem::overtaken()),
            customer => customer?,
        };
        if customer.is_some() || guest.id.is_some() {
            return Ok(customer);
        }
    }
    Err(Problem::overtaken())
}

/// A phone that is one in E.164.
fn e164(phone: &str) -> Option<&str> {
    phone::is_number(phone).then_some(phone)
}

/// An e-mail address as customers are compared by it.
fn address(email: &str) -> Option<String> {
    Email::parse(email).map(|email| email.lowercase())
}

const SHORT: &str = "select c.id, c.name, c.phone_1, c.email from shadow_customer c where c.id = any ($1) \
    and ($2::uuid is null or exists (select from shadow_customer_restaurant r where r.shadow_customer_id = \
    c.id \
    and r.restaurant_id = $2))";

/// These customers in short, also those that were archived: those of this restaurant if one is given, else
/// all of the partner's.
pub async fn short(
    tx: &TenantTx, restaurant: Option<Id<Restaurant>>, ids: &[Id<ShadowCustomers>],
) -> Result<HashMap<Id<ShadowCustomers>, ShadowCustomer>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows: Vec<ShadowCustomer> = tx.all(SHORT, [ids.into(), restaurant.map(Id::uuid).into()]).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

const SEEN: &str = "select 1 from shadow_customer c where c.id = $1 and c.archived_at is null \
    and ($2::uuid is null or exists (select from shadow_customer_restaurant r where r.shadow_customer_id = \
    c.id \
    and r.restaurant_id = $2))";

/// Whether this is a live customer, of this restaurant if one is given, else of the partner.
pub async fn exists(
    tx: &TenantTx, restaurant: Option<Id<Restaurant>>, id: Id<ShadowCustomers>,
) -> Result<bool> {
    Ok(tx.row(SEEN, [id.into(), restaurant.map(Id::uuid).into()]).await?.is_some())
}

/// A new order, as the figures of its customer count it.
#[derive(Debug, Clone, Copy)]
pub struct CountedOrder {
    pub customer: Id<ShadowCustomers>,
    pub restaurant: Id<Restaurant>,
    /// In the restaurant's currency; without it counts nowhere yet.
    pub total: Option<kernel::money::Money>,
    pub at: Timestamp,
}

const ADD_ORDER: &str = "select add_customer_order($1, $2, $3, $4) alive";

impl CountedOrder {
    /// What the function `add_customer_order` takes.
    #[must_use]
    pub fn values(self) -> [Bound; 4] {
        [self.customer.into(), self.restaurant.into(), self.total.into(), self.at.into()]
    }
}

/// Adds a new order to the figures of its customer. Until the end of the transaction the customer is neither
/// merged nor anonymised. False: the customer was anonymised meanwhile, so the order is somebody else's.
pub async fn add_order(tx: &TenantTx, order: CountedOrder) -> Result<bool> {
    Ok(tx.value(ADD_ORDER, order.values()).await?.unwrap_or_default())
}

/// Counts the orders of a customer at a restaurant anew. Call it whenever an order of the customer begins to
/// count later than it was placed, ceases to, or comes to another sum. Until the end of the transaction the customer is neither merged
/// nor anonymised. False: the customer was anonymised meanwhile, so a new order is somebody else's.
pub async fn count_orders(
    tx: &TenantTx, customer: Id<ShadowCustomers>, restaurant: Id<Restaurant>,
) -> Result<bool> {
    let sql = "select count_customer_orders($1, $2) alive";
    let alive: Option<bool> = tx.value(sql, [customer.into(), restaurant.into()]).await?;
    Ok(alive.unwrap_or_default())
}
